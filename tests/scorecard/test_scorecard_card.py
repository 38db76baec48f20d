"""The score card as a pure model: the worked cases of Doubles, people who come and go, corrections."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.game.doubles import rules
from ninefold.kernel.errors import IllegalMove, NinefoldError, RecordError
from ninefold.scorecard import wording as telling
from ninefold.scorecard.card import Card, Chance, Draws, Position, apply
from ninefold.scorecard.entries import (
    Cash,
    Close,
    Correct,
    Do,
    Entry,
    Join,
    Leave,
    Next,
    Redo,
    Rename,
    Return,
    Roll,
    Rounds,
    Splice,
    Step,
    Sum,
    Undo,
    entry_from,
    entry_json,
    step_from,
    step_json,
)
from ninefold.scorecard.reading import Enter, Fix
from ninefold.scorecard.report import chart, csv_text, json_text, round_rows, score_table
from ninefold.scorecard.steps import take, work_out
from ninefold.scorecard.wording import amount, standings, winner_words

SEVEN = Roll(3, 4)


class Fixed:
    """A source of draws that says what it was asked."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.asked: list[int] = []

    def __call__(self, stop: int, /) -> int:
        self.asked.append(stop)
        return self.answers.pop(0)


class Book:
    """A card that is replaced by the next one with every step."""

    def __init__(self, names: tuple[str, ...], low: int, high: int) -> None:
        self.card = Card.new(names, low, high)

    @property
    def position(self) -> Position:
        return self.card.position

    def take(self, step: Step, chance: Chance | None = None) -> Position:
        self.card = self.card.after(step, chance)
        return self.position


def card_of(*names: str, low: int = 10, high: int | None = None) -> Book:
    return Book(names or ("Ann", "Bob", "Cleo"), low, high or low)


def enter(book: Book, *entries: Entry, chance: Chance | None = None) -> Position:
    for entry in entries:
        book.take(Do(entry), chance)
    return book.position


def same(one: Position, other: Position) -> bool:
    return one == other and list(one.names) == list(other.names)


# The cases of the rule page


def test_first_roll_doubles_r3_1() -> None:
    assert enter(card_of(), Roll(3, 3)).total == 300


def test_first_roll_seven_r3_3() -> None:
    at = enter(card_of(), SEVEN)
    assert (at.total, at.sevens) == (75, 1)


def test_plain_rolls_add_up_r3_5() -> None:
    card = card_of()
    assert enter(card, Roll(5, 3)).total == 8
    assert enter(card, Roll(2, 1)).total == 11


def test_five_players_of_the_source() -> None:
    card = card_of("P1", "P2", "P3", "P4", "P5")
    # Total 325 and two sevens, player 3 to roll: 2 x 75 and 175 more.
    enter(card, Roll(1, 1), SEVEN, SEVEN, Roll(6, 5), Roll(6, 5), Roll(6, 5), Roll(6, 4), Roll(6, 5))
    enter(card, Roll(5, 4), Roll(5, 4), Roll(1, 2), Next(2))
    assert (card.position.total, card.position.sevens) == (325, 2)
    assert card.position.roller == 2
    at = enter(card, SEVEN)
    assert (at.total, at.sevens) == (400, 3)
    assert enter(card, Cash((2,))).roller == 3
    assert enter(card, Roll(5, 5)).total == 800
    enter(card, Cash((0,)))
    assert enter(card, Roll(1, 1)).total == 1600
    at = enter(card, Roll(6, 1))
    assert at.number == 2
    assert list(at.scores.values()) == [800, 0, 400, 0, 0]
    assert at.past[0].busted


def test_the_fourth_seven_takes_the_total_r3_4() -> None:
    card = card_of()
    at = enter(card, SEVEN, SEVEN, SEVEN, Cash((1,)), SEVEN)
    assert dict(at.past[0].gains) == {1: 225}
    assert (at.total, at.sevens, at.number) == (0, 0, 2)
    assert at.inside == {0, 1, 2}


def test_the_number_of_sevens_shown_is_that_of_the_rules() -> None:
    assert telling.SEVENS == rules.LAST_SEVEN


def test_dice_pass_over_those_who_are_out_r2_2() -> None:
    card = card_of()
    assert card.position.roller == 0
    assert enter(card, Roll(1, 2)).roller == 1
    assert enter(card, Cash((1,))).roller == 2
    assert enter(card, Roll(1, 2)).roller == 0
    assert enter(card, Roll(1, 2)).roller == 2


def test_the_player_after_the_last_roller_begins_the_next_round() -> None:
    card = card_of()
    at = enter(card, Roll(1, 2), Roll(1, 2), Cash((0, 1, 2)))
    assert (at.number, at.roller) == (2, 2)


def test_cashing_out_needs_a_roll_and_a_place_in_the_round_r4_1_r4_5() -> None:
    card = card_of()
    with pytest.raises(IllegalMove, match=r"before the first roll.*R4\.1"):
        card.card.after(Do(Cash((0,))))
    enter(card, Roll(1, 2), Cash((0,)))
    with pytest.raises(IllegalMove, match=r"already cashed out 3 .*R4\.5"):
        card.card.after(Do(Cash((0,))))
    with pytest.raises(IllegalMove):
        card.card.after(Do(Cash((1, 0))))
    assert card.position.scores == {0: 3, 1: 0, 2: 0}


def test_the_card_counts_without_limit_r5_3() -> None:
    card = card_of("Ann")
    at = enter(card, Roll(6, 6), *[Roll(1, 1)] * 400)
    assert at.total == 600 * 2**400 > rules.CEILING
    at = enter(card, Cash((0,)))
    assert at.scores[0] == 600 * 2**400
    assert amount(at.scores[0]) == "1.549e123"
    assert str(600 * 2**400) in csv_text(at)
    assert chart(at)


def test_the_game_ends_after_its_last_round_r5_2() -> None:
    card = card_of("Ann", "Bob", low=1)
    at = enter(card, Roll(1, 2), Cash((0, 1)))
    assert at.over
    assert winner_words(at) == "Ann and Bob share the win with 3."
    with pytest.raises(IllegalMove, match=r"ended after round 1.*rounds 2 to play on.*R5\.2"):
        card.card.after(Do(Roll(1, 2)))


def test_equal_scores_share_a_place() -> None:
    card = card_of("Ann", "Bob", "Cleo", "Dan", low=1)
    at = enter(card, Roll(1, 2), Cash((1, 2)), Roll(1, 4), Cash((3,)), Roll(1, 3), SEVEN, SEVEN, SEVEN, SEVEN)
    assert at.over
    assert [(place, at.names[player]) for place, player in standings(at)] == [
        ("1", "Dan"),
        ("2=", "Bob"),
        ("2=", "Cleo"),
        ("4", "Ann"),
    ]


# The hidden last round, R2.4


def play_hidden(chance: Chance) -> int:
    card = card_of("Ann", low=8, high=12)
    while not card.position.over:
        enter(card, Roll(1, 2), Cash((0,)), chance=chance)
    return card.position.number


def test_hidden_last_round_asks_one_in_as_many_as_may_come_r2_4() -> None:
    source = Fixed(1, 1, 1, 1)
    assert play_hidden(source) == 12
    assert source.asked == [5, 4, 3, 2]
    source = Fixed(1, 0)
    assert play_hidden(source) == 9
    assert source.asked == [5, 4]


def test_hidden_last_round_is_even_over_the_range_r2_4() -> None:
    source = random.Random(9).randrange
    seen = Counter(play_hidden(source) for _ in range(2000))
    assert sorted(seen) == [8, 9, 10, 11, 12]
    assert (
        sum((count - 400) ** 2 / 400 for count in seen.values()) < 23.5
    )  # chi-square, 4 degrees, p = 0.0001


def test_a_fixed_number_of_rounds_draws_nothing() -> None:
    card = card_of("Ann", low=2)
    enter(card, Roll(1, 2), Cash((0,)), Roll(1, 2), Cash((0,)), chance=Fixed())
    assert card.position.over


def test_what_was_drawn_stays_after_undo() -> None:
    card = card_of("Ann", low=1, high=3)
    enter(card, Roll(1, 2), Cash((0,)), chance=Fixed(1))
    card.take(Undo(1))
    assert card.position.number == 1
    assert enter(card, Roll(1, 2), Cash((0,)), chance=Fixed()).number == 2


def test_a_missing_draw_is_damage() -> None:
    card = card_of("Ann", low=1, high=3)
    enter(card, Roll(1, 2))
    with pytest.raises(RecordError, match="draw after round 1"):
        card.card.after(Do(Cash((0,))))


# People


def test_joining_late_counts_from_the_next_round() -> None:
    card = card_of("Ann", "Bob")
    enter(card, Roll(1, 2))
    at = enter(card, Join(5, "Zoe"))
    assert at.inside == {0, 1}
    with pytest.raises(IllegalMove, match="from the next one"):
        card.card.after(Do(Cash((5,))))
    at = enter(card, Cash((0, 1)))
    assert at.inside == {0, 1, 5}
    assert csv_text(at).splitlines()[3] == "3,Zoe,0,"


def test_joining_before_the_first_roll_counts_at_once() -> None:
    assert enter(card_of("Ann"), Join(1, "Zoe")).inside == {0, 1}


def test_leaving_keeps_the_score_and_the_dice_pass_on() -> None:
    card = card_of()
    enter(card, Roll(1, 2), Cash((0, 1, 2)))
    at = enter(card, Leave(1))
    assert at.scores[1] == 3
    assert at.roller == 2
    at = enter(card, Roll(1, 2), Return(1))
    assert at.inside == {0, 2}
    at = enter(card, Cash((0, 2)))
    assert at.inside == {0, 1, 2}


def test_the_last_one_in_leaves_and_the_round_is_over() -> None:
    card = card_of("Ann", "Bob")
    at = enter(card, Roll(1, 2), Cash((0,)), Leave(1))
    assert at.number == 2
    assert dict(at.past[0].gains) == {0: 3}


def test_an_empty_table_waits() -> None:
    card = card_of("Ann")
    at = enter(card, Leave(0))
    assert at.roller is None
    with pytest.raises(IllegalMove, match="Nobody is left to roll"):
        card.card.after(Do(Roll(1, 2)))
    assert enter(card, Return(0), Roll(1, 2)).total == 3


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (Join(9, "ANN"), "Ann is already on the card"),
        (Rename(0, "bob"), "Bob is already on the card"),
        (Return(0), "Ann has not left"),
        (Next(9), "not on the card"),
        (Rounds(0), "the last one can be 1 to"),
        (Correct(1, ((0, 5),)), "no round is"),
        (Join(0, "Zoe"), "already on the card"),
        (Join(9, "a=b"), "misread"),
    ],
)
def test_what_does_not_fit_is_refused(entry: Entry, sentence: str) -> None:
    card = card_of()
    with pytest.raises(NinefoldError, match=sentence):
        card.card.after(Do(entry))
    assert same(card.position, card_of().position)


def test_rounds_can_be_added_after_the_end() -> None:
    card = card_of("Ann", low=1)
    at = enter(card, Roll(1, 2), Cash((0,)), Rounds(2))
    assert (at.over, at.number) == (False, 2)


def test_dots_stand_for_rounds_that_do_not_fit() -> None:
    card = card_of("Ann", low=9)
    for _ in range(8):
        at = enter(card, Roll(1, 2), Cash((0,)))
    for room, titles in ((32, "R1"), (31, "..."), (20, "..."), (5, "...")):
        (first, *_), gains = (row.split() for row in round_rows(at, [0], room))
        assert first == titles
        assert all(len(row) <= room for row in round_rows(at, [0], room))
        assert len(gains) == (8 if titles == "R1" else (room - 5) // 4)


def test_ten_thousand_players() -> None:
    card = card_of(*(f"P{number}" for number in range(10_000)))
    at = enter(card, Roll(6, 6), Cash(tuple(range(1, 10_000))), SEVEN)
    assert at.roller == 0
    assert len(score_table(at)) < 250
    assert csv_text(at).count("\n") == 10_001
    assert len(telling.status_lines(at)[1]) < 500


# Corrections


def two_rounds() -> Book:
    card = card_of("Ann", "Bob")
    enter(card, Roll(1, 2), Roll(2, 2), Cash((1,)), Roll(1, 3), Cash((0,)))  # 1.1 to 1.5
    enter(card, Roll(5, 5), Cash((0, 1)), Roll(1, 2))  # 2.1, 2.2, 3.1
    return card


def unfit_after(book: Book, fix: Fix) -> list[str]:
    return work_out(book.card, fix, Draws({}))[1]


def mend(book: Book, fix: Fix) -> list[str]:
    unfit = unfit_after(book, fix)
    book.card = take(book.card, replace(fix, sure=True)).card
    return unfit


def test_replacing_a_roll_recomputes_all_that_follows() -> None:
    card = two_rounds()
    assert card.position.scores == {0: 510, 1: 506}
    assert mend(card, Fix(1, 1, Roll(1, 4))) == []
    assert card.position.scores == {0: 514, 1: 510}
    assert card.position.number == 3


def test_inserting_and_deleting() -> None:
    card = two_rounds()
    assert mend(card, Fix(1, 4, Roll(6, 5), insert=True)) == []
    assert card.position.scores == {0: 521, 1: 506}
    assert mend(card, Fix(1, 4, None)) == []
    assert card.position.scores == {0: 510, 1: 506}
    assert same(card.position, two_rounds().position)


def test_a_round_that_now_ends_earlier_names_what_no_longer_fits() -> None:
    card = two_rounds()
    (sentence,) = unfit_after(card, Fix(1, 3, Cash((0, 1))))
    assert sentence == (
        "round 1 would be over before 1.4 (the roll of 1 and 3) and 1.5 (the cash-out of Ann)"
    )
    mend(card, Fix(1, 3, Cash((0, 1))))
    assert card.position.scores == {0: 506, 1: 506}
    assert card.position.number == 3


def test_a_round_that_would_not_end_is_closed() -> None:
    card = two_rounds()
    unfit = mend(card, Fix(1, 5, None))
    assert unfit == ["round 1 would not be over, and Ann would score nothing in it"]
    assert card.position.scores == {0: 500, 1: 506}
    assert Close() in card.card.entries


def test_a_cash_out_moved_earlier_drops_the_later_one() -> None:
    card = two_rounds()
    unfit = mend(card, Fix(1, 2, Cash((1,)), insert=True))
    assert unfit == ["1.3 (the cash-out of Bob) names Bob, who cannot cash out there"]
    assert card.position.scores == {0: 510, 1: 503}


def test_a_deleted_player_takes_the_cash_outs_along() -> None:
    card = card_of("Ann")
    enter(card, Join(1, "Zoe"), Roll(1, 2), Join(2, "Yan"), Cash((0, 1)), Roll(1, 2), Cash((0, 1, 2)))
    unfit = mend(card, Fix(1, 1, None))
    assert len(unfit) == 2
    assert card.position.names == {0: "Ann", 2: "Yan"}
    assert card.position.scores == {0: 6, 2: 3}


def test_no_such_entry() -> None:
    with pytest.raises(IllegalMove, match=r"Round 1 has entries 1 to 5, so there is no 1\.9"):
        unfit_after(two_rounds(), Fix(1, 9, Roll(1, 2)))
    with pytest.raises(IllegalMove, match="Round 7 has no entries"):
        unfit_after(two_rounds(), Fix(7, 1, None))


def test_scores_put_right_by_hand() -> None:
    card = two_rounds()
    at = enter(card, Correct(1, ((1, 400), (0, 0))))
    assert at.scores == {0: 500, 1: 900}
    card.take(Undo(1))
    assert card.position.scores == {0: 510, 1: 506}
    at = enter(card, Correct(1, ((1, 400),)))
    mend(card, Fix(1, 1, Roll(1, 4)))
    assert card.position.scores == {0: 514, 1: 900}


# Laws

ENTRIES = st.one_of(
    st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda dice: Roll(*dice)),
    st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda dice: Roll(*dice)),
    st.just(SEVEN),
    st.integers(3, 11).map(Sum),
    st.sets(st.integers(0, 4), min_size=1, max_size=4).map(lambda players: Cash(tuple(sorted(players)))),
    st.tuples(st.integers(3, 4), st.sampled_from(["Zoe", "Yan", "ann"])).map(lambda who: Join(*who)),
    st.integers(0, 4).map(Leave),
    st.integers(0, 4).map(Return),
    st.tuples(st.integers(0, 4), st.sampled_from(["Robert", "bob"])).map(lambda who: Rename(*who)),
    st.integers(0, 4).map(Next),
    st.integers(1, 6).map(Rounds),
    st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 500)).map(
        lambda what: Correct(what[0], ((what[1], what[2]),))
    ),
)
FIXES = st.builds(
    Fix, st.integers(1, 4), st.integers(1, 8), st.one_of(st.none(), ENTRIES), st.booleans()
).filter(lambda fix: fix.entry is not None or not fix.insert)
STEPS = st.one_of(
    ENTRIES, ENTRIES, ENTRIES, ENTRIES, st.integers(1, 3).map(Undo), st.integers(1, 3).map(Redo), FIXES
)


def replayed(card: Card) -> Position:
    at = card.rounds[0][1].copy()
    for entry in card.entries:
        apply(at, entry, Draws(dict(card.draws)))
    return at


@settings(max_examples=400, deadline=None)
@given(st.lists(STEPS, max_size=60), st.integers(0, 2**32))
def test_every_way_to_a_position_is_the_same(steps: list[Entry | Undo | Redo | Fix], seed: int) -> None:
    """Incremental equals replayed; undo is the exact inverse, redo that of undo; a journal holds it."""
    chance = random.Random(seed).randrange
    card = copy = card_of(low=2, high=4).card
    for asked in steps:
        at = card.position.copy()
        try:
            after, step, _ = take(
                card, asked if isinstance(asked, Undo | Redo | Fix) else Enter(asked), chance
            )
        except NinefoldError:
            continue
        finally:
            assert same(card.position, at)
        at = after.position
        assert same(at, replayed(after))
        assert sum(at.scores.values()) == sum(sum(this.gains.values()) for this in at.past) + (
            0 if at.over else sum(at.gains.values())
        )
        copy = copy.after(step_from(step_json(step)), draws=after.draws)
        assert same(at, copy.position)
        if not isinstance(step, Undo | Redo):
            undone = after.after(Undo(1))
            assert same(undone.position, card.position)
            assert undone.entries == card.entries
            assert same(undone.after(Redo(1)).position, at)
        card = after
    while card.done:
        card = card.after(Undo(1))
    assert same(card.position, card_of(low=2, high=4).position)


@given(ENTRIES)
def test_entries_have_a_written_form(entry: Entry) -> None:
    assert entry_from(entry_json(entry)) == entry


@pytest.mark.parametrize(
    "data", [{}, {"roll": [0, 7]}, {"cash": []}, {"cash": [True]}, {"sum": 2}, {"do": 1}, {"x": 1}]
)
def test_what_is_no_entry(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"entry|key"):
        entry_from(data)


def test_undo_and_redo_have_ends() -> None:
    card = card_of()
    with pytest.raises(IllegalMove, match="Nothing to undo"):
        card.card.after(Undo(1))
    enter(card, Roll(1, 2))
    with pytest.raises(IllegalMove, match="Only 1 to undo"):
        card.card.after(Undo(2))
    card.take(Undo(1))
    enter(card, Roll(1, 3))
    with pytest.raises(IllegalMove, match="Nothing to redo"):
        card.card.after(Redo(1))
    with pytest.raises(RecordError):
        card.card.after(Splice(0, 5, ()))


def test_exported_json_agrees_with_the_card() -> None:
    import json

    at = two_rounds().position
    whole = json.loads(json_text(at))
    assert [(row["player"], row["score"], row["rounds"]) for row in whole["players"]] == [
        ("Ann", 510, [10, 500]),
        ("Bob", 506, [6, 500]),
    ]
    assert csv_text(at) == "place,player,score,round 1,round 2\n1,Ann,510,10,500\n2,Bob,506,6,500\n"


def test_the_chart_is_plain_letters_and_true_to_scale() -> None:
    lines = chart(two_rounds().position, 60)
    assert all(line.isascii() for line in lines)
    bar = lines[1].split("|")[1]
    assert (bar.count("1"), bar.count("2")) == (1, 48)
    assert max(map(len, lines[1:])) <= 60
