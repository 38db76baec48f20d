"""Cards: every deck written and read, and refusals that help."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.kernel import cards
from ninefold.kernel.cards import NINE_SUITS, STANDARD, SUITS, WITH_JOKERS, Deck
from ninefold.kernel.errors import RuleError

DECKS = (STANDARD, WITH_JOKERS, NINE_SUITS)
decks = pytest.mark.parametrize("deck", DECKS, ids=lambda deck: str(deck.size))


any_deck = st.sampled_from(DECKS)


# Decks and their texts.


def test_sizes() -> None:
    assert [deck.size for deck in DECKS] == [52, 54, 81]
    assert [deck.kinds for deck in DECKS] == [13, 14, 9]
    assert [len(deck.texts) for deck in DECKS] == [52, 54, 81]


@decks
def test_cards_are_numbered_rank_by_rank(deck: Deck) -> None:
    for card in range(deck.size - deck.jokers):
        assert deck.rank(card) == card // len(deck.suits)
        assert deck.suit(card) == card % len(deck.suits)
    for card in range(deck.size - deck.jokers, deck.size):
        assert (deck.rank(card), deck.suit(card)) == (len(deck.ranks), -1)


def test_numbers_that_records_rely_on() -> None:
    assert [STANDARD.read(text) for text in ("AS", "AH", "AD", "AC", "2S", "10H", "KC")] == [
        0,
        1,
        2,
        3,
        4,
        37,
        51,
    ]
    assert [WITH_JOKERS.text(card) for card in (51, 52, 53)] == ["KC", "JK", "JK"]
    assert WITH_JOKERS.rank(52) == WITH_JOKERS.rank(53) == 13
    assert [NINE_SUITS.text(card) for card in (0, 1, 8, 9, 54, 80)] == ["AR", "AP", "AC", "2R", "7R", "9C"]
    assert "".join(suit.letter for suit in NINE_SUITS.suits) == "RPXWLSHDC"


@decks
def test_every_card_is_read_as_it_is_written(deck: Deck) -> None:
    for card in range(deck.size):
        text = deck.text(card)
        for way in (text, text.lower(), f" {text} ", deck.drawn(card)):
            assert deck.text(deck.read(way)) == text
            assert deck.rank(deck.read(way)) == deck.read_rank(way) == deck.rank(card)
        if text != "JK":
            assert deck.read(text) == card
    assert len(set(deck.texts)) == deck.size - max(0, deck.jokers - 1)


@decks
def test_a_whole_deck_can_be_read_at_once(deck: Deck) -> None:
    assert deck.read_cards(" ".join(deck.texts)) == list(range(deck.size))
    assert deck.read_cards(" ".join(deck.texts * 3), decks=3) == list(range(deck.size)) * 3
    assert deck.read_hand(deck.texts) == [deck.rank(card) for card in range(deck.size)]


def test_nine_suits_never_collide() -> None:
    for values in zip(*((suit.letter, suit.symbol, suit.many) for suit in SUITS), strict=True):
        assert len({value.lower() for value in values}) == 9
    letters = {suit.letter for suit in SUITS}
    assert not letters & {*"A1TJQK", *"0123456789"}
    assert all(len(suit.symbol) == 1 for suit in SUITS)


def test_cards_in_words() -> None:
    assert [STANDARD.rank_words(STANDARD.read_rank(rank), 2) for rank in "A6K"] == ["aces", "sixes", "kings"]
    assert STANDARD.rank_words(5) == "six"
    assert STANDARD.drawn(STANDARD.read("10H")) == "10♥" and WITH_JOKERS.drawn(52) == "JK"
    assert STANDARD.hand_text([7, 7, 0, 0]) == "8 8 A A"
    for deck in DECKS:
        assert len({deck.drawn(card) for card in range(deck.size)}) == len(set(deck.texts))


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("8 4 4 A A", "8 4 4 A A"),
        ("", ""),
        ("k", "K"),
        ("1 10 T t", "A 10 10 10"),
        ("8,4,4", "8 4 4"),
        ("Q-K-A", "Q K A"),
        ("Q–K–A", "Q K A"),
        ("10·2", "10 2"),
        ("8+A / 4+4+A", "8 A 4 4 A"),
        ("J K", "J K"),
        ("KK", "K K"),
        ("AA22", "A A 2 2"),
        ("69", "6 9"),
        ("10 10", "10 10"),
        ("1010", "10 10"),
        ("210T", "2 10 10"),
        ("KJ", "K J"),
        ("khks", "K K"),
        ("J♥K♠", "J K"),
        ("10H 10", "10 10"),
        ("A♠️ 2♡ 3♦ 4♧", "A 2 3 4"),
        ("1h", "A"),
        ("\t 7,\n7 ", "7 7"),
    ],
)
def test_hands_can_be_typed_in_many_ways(text: str, ranks: str) -> None:
    assert STANDARD.hand_text(STANDARD.read_hand(text)) == ranks


def test_jokers() -> None:
    assert WITH_JOKERS.read_hand("JK jk") == [13, 13]
    assert WITH_JOKERS.read_hand("joker K J") == [13, 12, 10]
    assert WITH_JOKERS.read_cards("JK KS JK") == [52, 48, 53]
    assert WITH_JOKERS.read_cards("JK JK JK JK", decks=2) == [52, 53, 52, 53]


def test_hands_may_be_lists_of_texts() -> None:
    assert STANDARD.read_hand(["10", "KH", "A A"]) == [9, 12, 0, 0]


@settings(deadline=None)  # a first use compiles
@given(any_deck.flatmap(lambda deck: st.tuples(st.just(deck), st.permutations(range(deck.size)))), st.data())
def test_what_is_written_is_read_again(dealt: tuple[Deck, list[int]], data: st.DataObject) -> None:
    deck, order = dealt
    hand = order[: data.draw(st.integers(0, deck.size))]
    between = data.draw(st.sampled_from([" ", ",", ", ", "-", "+", " · ", "/", "\n"]))
    ways: list[Callable[[int], str]] = [deck.text, deck.drawn, lambda card: deck.text(card).lower()]
    shown = data.draw(st.sampled_from(ways))
    text = between.join(shown(card) for card in hand)
    assert [deck.text(card) for card in deck.read_cards(text)] == [deck.text(card) for card in hand]
    assert deck.read_hand(text) == [deck.rank(card) for card in hand]
    if not any(deck.suit(card) < 0 for card in hand):
        assert deck.read_cards(text.replace(between, "")) == hand  # with suits, no separator is needed


@settings(deadline=None)  # a first use compiles
@given(any_deck, st.text(max_size=12), st.integers(1, 3))
def test_any_text_is_read_or_refused_with_a_sentence(deck: Deck, text: str, number: int) -> None:
    for read in (deck.read_hand, deck.read_cards):
        try:
            found = read(text, number)
        except RuleError as error:
            assert str(error) and "\n" not in str(error)
        else:
            assert all(0 <= value < deck.size for value in found)


@settings(deadline=None)  # a first use compiles
@given(any_deck, st.text(alphabet="A1023456789TJQKjk RPXWLSHDCs,♥", max_size=9))
def test_reading_is_stable(deck: Deck, text: str) -> None:
    """What a text is read as, written out, is read as the same."""
    try:
        ranks = deck.read_hand(text)
    except RuleError:
        return
    assert deck.read_hand(deck.hand_text(ranks)) == ranks


# Refusals.


@pytest.mark.parametrize(
    "text",
    [
        "ZZ",
        "0",
        "11",
        "12",
        "110",
        "A1",
        "100",
        "H10",
        "S",
        "10HH",
        "7 of Hearts",
        "ſ",
        "7ſ",
        "\u212a",
        "８",
        "²",
        "7?",
    ],
)
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match=r"is not a card: write a rank \(A 2 .* K\) and a suit \(S H D C\)"):
        STANDARD.read_hand(text)


@pytest.mark.parametrize(
    ("deck", "text", "sentence"),
    [
        (STANDARD, "7R", "'7R': the 52-card deck has no Rock, only S H D C"),
        (STANDARD, "JK", "JK is a joker, and the 52-card deck has none (for a jack and a king write J K)"),
        (NINE_SUITS, "KH", "the 81-card deck has no K, only A 2 3 4 5 6 7 8 9"),
        (NINE_SUITS, "10R", "the 81-card deck has no 10, only A 2 3 4 5 6 7 8 9"),
        (WITH_JOKERS, "JKS", "'JKS' is not a card: a joker has no suit (for J and K write J KS)"),
        (WITH_JOKERS, "QJK", "'QJK' could be the joker JK or a J and a K: put spaces between the cards"),
        (WITH_JOKERS, "JKJK", "'JKJK' could be the joker JK or a J and a K: put spaces between the cards"),
        (STANDARD, "A A A A A", "the 52-card deck has 4 aces, not 5"),
        (STANDARD, "6S 6 6 6 6", "the 52-card deck has 4 sixes, not 5"),
        (STANDARD, "KH KH", "the 52-card deck has one KH, not 2"),
        (WITH_JOKERS, "JK JK JK", "the 54-card deck has 2 jokers, not 3"),
    ],
)
def test_refusals_say_why(deck: Deck, text: str, sentence: str) -> None:
    with pytest.raises(RuleError) as refusal:
        deck.read_hand(text)
    assert str(refusal.value) == sentence


def test_a_shoe_holds_more() -> None:
    assert len(STANDARD.read_hand("A A A A A", decks=2)) == 5
    with pytest.raises(RuleError, match="a shoe of 2 decks has 8 aces, not 9"):
        STANDARD.read_hand("A " * 9, decks=2)
    with pytest.raises(RuleError, match="a shoe of 2 decks has 2 KH, not 3"):
        STANDARD.read_cards("KH KH KH", decks=2)
    with pytest.raises(RuleError, match="a shoe of 3 decks has 6 jokers, not 7"):
        WITH_JOKERS.read_cards("JK " * 7, decks=3)


def test_one_card_is_one_card() -> None:
    for text in ("", "KH KH", "KHQH", " , "):
        with pytest.raises(RuleError, match="is not a card"):
            STANDARD.read(text)
        with pytest.raises(RuleError, match="is not a card"):
            STANDARD.read_rank(text)
    with pytest.raises(RuleError, match=r"^'7' needs a suit, one of S H D C: 7S$"):
        STANDARD.read("7")


def test_what_is_not_text_is_refused() -> None:
    for hand in (None, 5, [8, 4], b"8 4", ["8", None]):
        with pytest.raises(RuleError, match="cards are written as text"):
            STANDARD.read_hand(hand)  # type: ignore[arg-type]


def test_a_refusal_is_short_however_long_the_text() -> None:
    with pytest.raises(RuleError) as refusal:
        STANDARD.read_hand("Z" * 100_000)
    assert len(str(refusal.value)) < 200


@decks
def test_numbers_that_are_no_card_have_no_text(deck: Deck) -> None:
    for card in (-1, deck.size):
        for say in (deck.text, deck.drawn):
            with pytest.raises(RuleError, match=f"{card} is not one of the"):
                say(card)
    with pytest.raises(RuleError, match="rank -1 is not one of the"):
        deck.rank_text(-1)


def test_wrong_numbers_of_cards() -> None:
    cards.check_number([1, 2], 2)
    cards.check_number([1, 2], 1, 3)
    with pytest.raises(RuleError, match=r"^a hand is 7 cards, not 2$"):
        cards.check_number([1, 2], 7)
    with pytest.raises(RuleError, match=r"^a parcel is 1 to 3 cards, not 0$"):
        cards.check_number([], 1, 3, "a parcel")
    with pytest.raises(RuleError, match=r"^an offer is one card, not 2$"):
        cards.check_number([1, 2], 1, what="an offer")
