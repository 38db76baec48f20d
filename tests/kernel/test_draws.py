"""Draws of cards: enumerated exactly, deals sampled, and bad deals that must fail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.kernel import cards, seats
from ninefold.kernel.cards import NINE_SUITS, STANDARD, WITH_JOKERS, Deck
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below, new_stream
from ninefold.testkit.fairness import chi_square, fits, is_even
from support.interpreter import FULL, run_python


def shoe_of_ranks(decks: int) -> Any:
    """All cards of some decks, as counts per rank."""
    return np.array([WITH_JOKERS.copies(rank) * decks for rank in range(WITH_JOKERS.kinds)], np.int16)


# Draws, exactly.


@settings(deadline=None)  # a first use compiles
@given(
    st.lists(st.integers(0, 127), min_size=1, max_size=14).filter(any),
    st.sampled_from([np.int8, np.int16, np.int64]),
)
def test_every_value_drawn_from_counts_gives_each_its_share(numbers: list[int], kind: type) -> None:
    """All results that `below(stream, total)` may have, which test_stream proves equally likely."""
    counts: Any = np.array(numbers, kind)
    picked = Counter(cards.pick(counts, n) for n in range(sum(numbers)))
    assert [picked[index] for index in range(len(numbers))] == numbers


@settings(deadline=None)  # a first use compiles
@given(st.integers(0, 2**64 - 1), st.integers(0, 10**6))
def test_a_draw_is_the_picked_value_and_nothing_else(seed: int, number: int) -> None:
    ours, theirs = new_stream(seed, number), new_stream(seed, number)
    counts = shoe_of_ranks(3)
    word: Any = np.int64(seed - 2**63 or 1)
    words = np.array([word, number + 1], np.int64)
    assert cards.draw(counts, 162, ours) == cards.pick(counts, below(theirs, 162))
    drawn = cards.draw_card(word, ours)
    assert drawn == cards.nth_card(word, below(theirs, bits_of([word])))
    drawn = cards.draw_card_wide(words, ours)
    assert drawn == cards.nth_card_wide(words, below(theirs, bits_of(words)))


def bits_of(words: Any) -> int:
    return sum((int(word) % 2**64).bit_count() for word in words)


def words_of(chosen: set[int], size: int) -> Any:
    words = np.zeros(size, np.int64)
    for card in chosen:
        seats.add(words, card)
    return words


@kernel
def count_one(bits: int) -> int:
    """`count` is an instruction, to be used in kernels only."""
    return cards.count(bits)


@settings(deadline=None)  # a first use compiles
@given(st.sets(st.integers(0, 63)))
def test_cards_in_a_word_are_found_in_order(chosen: set[int]) -> None:
    (word,) = words_of(chosen, 1)
    assert count_one(word) == len(chosen)
    assert [cards.nth_card(word, n) for n in range(len(chosen))] == sorted(chosen)


@settings(deadline=None)  # a first use compiles
@given(
    st.integers(1, 4).flatmap(lambda size: st.tuples(st.just(size), st.sets(st.integers(0, 64 * size - 1))))
)
def test_cards_in_words_are_found_in_order(held: tuple[int, set[int]]) -> None:
    size, chosen = held
    words = words_of(chosen, size)
    assert cards.count_wide(words) == len(chosen)
    assert [cards.nth_card_wide(words, n) for n in range(len(chosen))] == sorted(chosen)


@pytest.mark.parametrize("deck", [STANDARD, WITH_JOKERS, NINE_SUITS], ids=lambda deck: str(deck.size))
def test_whole_decks_as_bits(deck: Deck) -> None:
    words = np.zeros(2, np.int64)
    seats.fill(words, deck.size)
    assert cards.count_wide(words) == deck.size
    assert [cards.nth_card_wide(words, n) for n in range(deck.size)] == list(range(deck.size))


Taking = Callable[[list[int]], tuple[int, ...]]


def by_counts(choices: list[int]) -> tuple[int, ...]:
    counts = np.ones(len(choices), np.int8)
    dealt = []
    for choice in choices:
        card = cards.pick(counts, choice)
        counts[card] -= 1
        dealt.append(card)
    return tuple(dealt)


def by_bits(choices: list[int]) -> tuple[int, ...]:
    word = (1 << len(choices)) - 1
    dealt = []
    for choice in choices:
        card = cards.nth_card(word, choice)
        word &= ~(1 << card)
        dealt.append(card)
    return tuple(dealt)


def by_words(choices: list[int]) -> tuple[int, ...]:
    """Around the seam between two words."""
    words = words_of({62 + card for card in range(len(choices))}, 2)
    dealt = []
    for choice in choices:
        card = cards.nth_card_wide(words, choice)
        seats.drop(words, card)
        dealt.append(card - 62)
    return tuple(dealt)


def all_choices(size: int) -> Iterator[list[int]]:
    if size == 0:
        yield []
        return
    for rest in all_choices(size - 1):
        for choice in range(size):
            yield [choice, *rest]


@pytest.mark.parametrize("take", [by_counts, by_bits, by_words])
@pytest.mark.parametrize("size", range(1, 7))
def test_every_order_of_a_small_deck_comes_from_exactly_one_row_of_draws(take: Taking, size: int) -> None:
    orders = Counter(take(choices) for choices in all_choices(size))
    assert set(orders.values()) == {1}
    assert len(orders) == np.prod(range(1, size + 1))


# Deals, sampled: position by card, whole orders, rising sequences; and deals that are wrong.


FROM_COUNTS, FROM_BITS, FROM_WORDS = 0, 1, 2
NEVER_THE_LAST, REPLACED, OF_EVEN_RANKS, TO_THE_NEXT = 3, 4, 5, 6
GOOD = (FROM_COUNTS, FROM_BITS, FROM_WORDS)


@kernel
def deal(way: int, counts: Any, words: Any, rng: Any, out: Any) -> None:
    """Deal a whole deck, one card at a time."""
    size = out.size
    counts[:] = 1
    seats.fill(words, size)
    for place in range(size):
        left = size - place
        card = 0
        if way == FROM_COUNTS:
            card = cards.draw(counts, left, rng)
        elif way == FROM_BITS:
            card = cards.draw_card(words[0], rng)
        elif way == FROM_WORDS:
            card = cards.draw_card_wide(words, rng)
        elif way == NEVER_THE_LAST:  # an exclusive upper bound
            card = cards.pick(counts, below(rng, max(1, left - 1)))
        elif way == REPLACED:  # n to the n: every swap draws from the whole deck
            card = place
        elif way == OF_EVEN_RANKS:  # a rank first, evenly among those left, as if counts did not matter
            card = of_even_rank(counts, rng)
        else:  # any card, and if it is gone the next one that is not
            card = below(rng, size)
            while counts[card] == 0:
                card = (card + 1) % size
        counts[card] = 0
        seats.drop(words, card)
        out[place] = card
    if way == REPLACED:
        for place in range(size):
            other = below(rng, size)
            out[place], out[other] = out[other], out[place]


@kernel
def of_even_rank(counts: Any, rng: Any) -> int:
    """A card of one of two kinds of unequal number, each kind being as likely as the other."""
    few, many = 0, 0
    for card in range(counts.size):
        if card < 5:
            few += counts[card]
        else:
            many += counts[card]
    if many == 0 or (few > 0 and below(rng, 2) == 0):
        return cards.pick(counts, below(rng, few))
    return cards.pick(counts, few + below(rng, many))


@kernel
def deal_many(way: int, counts: Any, words: Any, rng: Any, out: Any) -> None:
    for number in range(len(out)):
        deal(way, counts, words, rng, out[number])


def deals(way: int, size: int, number: int, seed: int = 5) -> Any:
    out = np.zeros((number, size), np.int16)
    deal_many(way, np.zeros(size, np.int8), np.zeros(2, np.int64), new_stream(seed, way), out)
    return out


def riffled(times: int, size: int, number: int) -> Any:
    """Decks riffled a few times, each time from the order of the deck before it was dealt."""
    rng = np.random.default_rng(1)
    decks = np.tile(np.arange(size), (number, 1))
    for _ in range(times):
        piles = np.sort(rng.integers(0, 2, (number, size)), axis=1)
        order = np.argsort(rng.permuted(piles, axis=1), axis=1, kind="stable")
        shuffled = np.empty_like(decks)
        np.put_along_axis(shuffled, order, decks, axis=1)
        decks = shuffled
    return decks


def sattolo(size: int, number: int) -> Any:
    """The shuffle that leaves no card in its place."""
    rng = np.random.default_rng(2)
    decks = np.tile(np.arange(size), (number, 1))
    rows = np.arange(number)
    for place in range(size - 1, 0, -1):
        other = rng.integers(0, place, number)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place].copy()
    return decks


def place_by_card(decks: Any) -> float:
    """S2, scaled: the cells of a table of permutations are not independent."""
    number, size = decks.shape
    table = np.bincount((decks + np.arange(size, dtype=np.int64) * size).ravel(), minlength=size**2)
    return float((size - 1) / number * ((table - number / size) ** 2).sum())


def rising(decks: Any) -> float:
    """S4: how far the mean number of rising sequences is from that of random orders, in deviations."""
    number, size = decks.shape
    places = np.argsort(decks, axis=1)
    sequences = 1 + (places[:, 1:] < places[:, :-1]).sum(axis=1)
    return float((sequences.mean() - (size + 1) / 2) / np.sqrt((size + 1) / 12 / number))


DEALS = 50_000 if FULL else 300


@pytest.fixture(scope="module")
def dealt() -> dict[tuple[int, int], Any]:
    wanted = [(FROM_COUNTS, 52), (FROM_BITS, 52), (FROM_WORDS, 81), (FROM_BITS, 54)]
    return {(way, size): deals(way, size, DEALS) for way, size in wanted}


def test_every_card_is_as_likely_in_every_place(dealt: dict[tuple[int, int], Any]) -> None:
    for (_, size), decks in dealt.items():
        assert (np.sort(decks, axis=1) == np.arange(size)).all()
        if FULL:
            assert fits(place_by_card(decks), (size - 1) ** 2)


def test_rising_sequences_are_as_many_as_in_random_orders(dealt: dict[tuple[int, int], Any]) -> None:
    for decks in dealt.values():
        assert abs(rising(decks)) < 4.89


def test_one_deal_says_nothing_of_the_next(dealt: dict[tuple[int, int], Any]) -> None:
    """S6: the next deck as seen from the one before is again a random order."""
    for (_, size), decks in dealt.items():
        onward = np.take_along_axis(np.argsort(decks[:-1:2], axis=1), decks[1::2].astype(np.int64), axis=1)
        assert abs(rising(onward)) < 4.89
        if FULL:
            assert fits(place_by_card(onward), (size - 1) ** 2)


@pytest.mark.parametrize("way", GOOD)
def test_all_120_orders_of_five_cards_are_as_likely(way: int) -> None:
    decks = deals(way, 5, 120_000 if FULL else 3_000, seed=6).astype(np.int64)
    assert is_even(np.bincount(orders_of_five(decks), minlength=3125)[ORDERS])


def orders_of_five(decks: Any) -> Any:
    return decks @ np.array([625, 125, 25, 5, 1])


ORDERS = sorted(int(orders_of_five(np.array(by_counts(choices)))) for choices in all_choices(5))


@pytest.mark.parametrize("way", [NEVER_THE_LAST, REPLACED, OF_EVEN_RANKS])
def test_bad_deals_are_caught(way: int) -> None:
    assert not fits(place_by_card(deals(way, 52, 10_000 if FULL else 500)), 51**2)


def test_a_bad_deal_that_puts_every_card_everywhere_is_caught() -> None:
    """Taking the next card where one is gone goes round in a circle: only the order betrays it."""
    decks = deals(TO_THE_NEXT, 52, 10_000 if FULL else 500)
    assert fits(place_by_card(decks), 51**2)
    assert abs(rising(decks)) > 4.89


@pytest.mark.parametrize("way", [NEVER_THE_LAST, REPLACED, TO_THE_NEXT])
def test_bad_deals_of_five_cards_are_caught(way: int) -> None:
    decks = deals(way, 5, 120_000 if FULL else 3_000, seed=6).astype(np.int64)
    assert not is_even(np.bincount(orders_of_five(decks), minlength=3125)[ORDERS])


def test_bad_shuffles_are_caught() -> None:
    assert not fits(place_by_card(sattolo(52, 10_000)), 51**2)
    assert not fits(place_by_card(riffled(7, 52, 10_000)), 51**2)
    assert abs(rising(riffled(10, 52, 10_000))) > 4.89


def test_a_good_shuffle_of_others_passes() -> None:
    """The controls fail because they are bad, not because the limits are tight."""
    decks = np.random.default_rng(3).permuted(np.tile(np.arange(52), (10_000, 1)), axis=1)
    assert fits(place_by_card(decks), 51**2)
    assert abs(rising(decks)) < 4.89


@kernel
def draw_many(counts: Any, total: int, rng: Any, out: Any) -> None:
    for place in range(out.size):
        out[place] = cards.draw(counts, total, rng)


@pytest.mark.parametrize("number", [1, 3, 6])
def test_draws_from_a_shoe_follow_its_counts(number: int) -> None:
    size = 200_000 if FULL else 2_000
    counts = shoe_of_ranks(number)
    counts[4] = 0
    counts[9] -= 1
    total = int(counts.sum())
    out = np.zeros(size, np.int64)
    draw_many(counts, total, new_stream(8, number), out)
    observed, there = np.bincount(out, minlength=14), counts > 0
    assert observed[4] == 0
    assert fits(chi_square(observed[there], counts[there] * (size / total)), 12)
    evenly = np.zeros(size, np.int64)
    draw_many(there.astype(np.int16), 13, new_stream(8, number), evenly)  # the bad control: ranks alike
    assert not fits(
        chi_square(np.bincount(evenly, minlength=14)[there], counts[there] * (size / total)),
        12,
    )


# Interpreted, the same.


def answers() -> list[int]:
    """Draws of every kind, for comparing the two modes."""
    rng = new_stream(42, 3)
    counts = shoe_of_ranks(9)
    narrow = counts.astype(np.int8)
    found = [cards.draw(counts, 486, rng) for _ in range(40)]
    found += [cards.draw(narrow, 486, rng) for _ in range(40)]
    for way, size in (
        (FROM_COUNTS, 52),
        (FROM_BITS, 52),
        (FROM_BITS, 64),
        (FROM_WORDS, 81),
        (FROM_WORDS, 128),
    ):
        found += [int(card) for card in deals(way, size, 3).ravel()]
    everything: Any = np.int64(-1)
    found += [cards.nth_card(everything, 63), cards.nth_card(everything << 63, 0), count_one(everything)]
    return [int(value) for value in found]


def test_interpreted_draws_are_the_same() -> None:
    code = "import json, test_draws; print(json.dumps(test_draws.answers()))"
    assert json.loads(run_python(code, NUMBA_DISABLE_JIT="1" if FULL else "0")) == answers()
