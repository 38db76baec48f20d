"""The table as text: it keeps to its width, tells every card that may be seen and none that may not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

import ninefold as nf
from ninefold.kernel.errors import IllegalMove, RuleError
from ninefold.model.events import DECIDED, Event
from ninefold.model.text import message, render
from ninefold.model.view import Number, View
from ninefold.terminal import ending, home, replay, table_screen
from ninefold.terminal.actions import (
    actions,
    every_move,
    fitting,
    lit,
    moved,
    places,
    selections,
    toggle,
    with_seats,
)
from ninefold.terminal.base_app import COLOURS
from ninefold.terminal.ending import ending as how_it_ended
from ninefold.terminal.ending import moments, standings
from ninefold.terminal.margins import latest
from ninefold.terminal.moments import held, length, split
from ninefold.terminal.paint import FINE, PLAIN, Canvas, ascii_of, face, marks_of, paint, standing
from ninefold.terminal.table import Table
from ninefold.terminal.wording import describe, error_text
from support.golden import TERMINAL, picture, picture_file
from support.sitting import any_move, go_on, sit, until_asked

WIDTHS = (60, 67, 79, 80, 93, 100, 120, 140)


def positions(name: str, people: int = 2, every: int = 5, seed: int = 2) -> Iterator[Table]:
    """Positions from all over a match, the last one included."""
    source = random.Random(seed)
    match = sit(name, people, seed)
    yield match
    while not match.over:
        go_on(match, source, every)
        yield match


def drawn(view: View, names: list[str], canvas: Canvas) -> list[str]:
    return [line.plain for line in paint(view, names, canvas)]


@pytest.mark.parametrize("name", nf.games())
def test_nothing_is_wider_than_the_screen(name: str) -> None:
    source = random.Random(1)
    most = nf.make(name).facts.players[1]
    for match in [*positions(name), *positions(name, 2, 40), sit(name, 1, players=min(most, 9))]:
        names = [*match.names[:-1], "A name of 20 letters"]
        for viewer in (0, None):
            view = match.view(viewer)
            where = places(view)
            for width in WIDTHS:
                canvas = Canvas(width, source.choice((5, 15, 33, 99)), source.choice((FINE, PLAIN)))
                if where:
                    canvas.cursor = source.choice(where)
                    canvas.picked = frozenset(source.sample(where, min(3, len(where))))
                for line in drawn(view, names, canvas):
                    assert cell_len(line) <= width, (line, canvas)


@pytest.mark.parametrize("name", nf.games())
def test_plain_signs_are_ascii(name: str) -> None:
    for match in positions(name):
        view = match.view(0)
        for height in (5, 15, 99):
            assert "".join(drawn(view, match.names, Canvas(80, height, PLAIN))).isascii()
        assert ascii_of("".join(describe(view, match.names))).isascii()


def test_letters_that_are_not_ascii_have_a_likeness_of_the_same_width() -> None:
    said = {"10♥ × Zoë…": "10H x Zoe.", "╭─▒▒─╮": "+-##-+", "Ω — “a”": '? - "a"', "日本": "????", "ok": "ok"}
    for text, plain in said.items():
        assert ascii_of(text) == plain
        assert cell_len(text) == len(plain)


@pytest.mark.parametrize("name", nf.games())
def test_every_card_that_can_be_seen_is_drawn_and_told(name: str) -> None:
    for match in positions(name):
        for viewer in (0, 1, None):
            view = match.view(viewer)
            told = " ".join(describe(view, match.names)).replace(";", " ").replace(".", " ").replace(",", " ")
            for height in (10, 99):
                lines = " ".join(drawn(view, match.names, Canvas(100, height, PLAIN)))
                for zone in view.zones:
                    cards = [card for card in zone.cards or [] if card.card is not None]
                    if zone.kind == "pile" and len(cards) > 8:
                        continue  # a heap that is only counted
                    for card in cards:
                        assert face(card, PLAIN)[0] in told.split(), (card, told)
                        assert face(card, PLAIN)[0] in lines
            for seat in range(view.players):
                assert standing(view, seat, match.names).replace(",", " ") in told
                assert ("You" if seat == viewer else match.names[seat]) in told


@pytest.mark.parametrize("name", nf.games())
def test_what_is_drawn_depends_on_what_the_seat_may_know_alone(name: str) -> None:
    """Deal all that a viewer cannot know anew: the drawing and the words stay the same."""
    from ninefold.kernel.stream import new_stream

    for match in positions(name, every=9):
        if match.over:
            continue
        for viewer in (0, 1, None):
            other = match.state.copy()
            match.game.package.rules.redeal(
                other.position, -1 if viewer is None else viewer, new_stream(77, 0, 0)
            )
            one, two = match.view(viewer), other.picture(viewer)
            assert drawn(one, match.names, Canvas()) == drawn(two, match.names, Canvas())
            assert describe(one, match.names) == describe(two, match.names)


def test_errors_call_players_by_their_names() -> None:
    names = ["Ann", "Ben"]
    why = message("{who} has chosen to cash out, and that is final", {"who": 1})
    assert (
        error_text(IllegalMove(why, "R4.4"), names) == "Ben has chosen to cash out, and that is final (R4.4)."
    )
    assert error_text(RuleError("nothing is known about it"), names) == "Nothing is known about it."


@pytest.mark.parametrize("name", nf.games())
def test_no_prompt_speaks_of_seats_or_numbered_players(name: str) -> None:
    for match in positions(name):
        for viewer in (0, 1, None):
            prompt = render(match.view(viewer).prompt, match.names)
            assert "seat" not in prompt.lower(), prompt
            assert "player 1" not in prompt.lower(), prompt
            assert "player 2" not in prompt.lower(), prompt


def test_colour_is_never_the_only_sign() -> None:
    match = sit("baseball", players=3)
    view = match.view(0)
    canvas = Canvas(80, 24, FINE)
    before = drawn(view, match.names, canvas)
    canvas.cursor = ("hand-0", 4)
    pointed = drawn(view, match.names, canvas)
    canvas.picked = frozenset({("hand-0", 4)})
    picked = drawn(view, match.names, canvas)
    canvas.height = 5
    flat = drawn(view, match.names, canvas)
    assert len({tuple(lines) for lines in (before, pointed, picked, flat)}) == 4
    assert any(FINE.here + FINE.picked in line for line in flat)
    assert sum(FINE.turn in line for line in before) == 1


@pytest.mark.parametrize("name", nf.games())
@pytest.mark.parametrize("width", [80, 120])
def test_the_table_looks_as_it_did(name: str, width: int) -> None:
    path = picture_file(name, width)
    assert path.exists(), f"{path.name} is missing: make golden writes it"
    assert picture(name, width) == path.read_text("utf-8"), "read the difference, then make golden"


def test_every_picture_is_of_a_game() -> None:
    wanted = {picture_file(name, width) for name in nf.games() for width in (80, 120)}
    assert set(Path(TERMINAL).glob("*.txt")) == wanted


# What can be done


@pytest.mark.parametrize("name", nf.games())
def test_every_move_can_be_made_by_keys(name: str) -> None:
    """Buttons, numbers and selections together offer just the legal moves, each with a key of its own."""
    for match in positions(name, people=1, every=4):
        if (seat := until_asked(match)) < 0:
            continue
        view = match.view(seat)
        offered = {action.move for action in actions(view, frozenset(), match.names) if action.number is None}
        for offer in selections(view):
            for choice in offer.choices:
                pointed = frozenset((offer.zone, place) for place in choice.cards)
                here = actions(view, pointed, match.names)
                offered.add(choice.move)
                assert choice.move in {action.move for action in fitting(view, here, pointed)}
                assert pointed <= lit(view) <= set(places(view))
        for pointed in [frozenset(), *(frozenset({place}) for place in places(view))]:
            keys = [action.key for action in actions(view, pointed, match.names)]
            assert len(set(keys)) == len(keys)
            assert "" not in keys
            assert "q" not in keys
        verbs = [offer.verb for offer in view.offers if isinstance(offer, Number)]
        for move in match.state.moves(seat)[:200]:
            assert move in offered or any(move.startswith(f"{verb} ") for verb in verbs), move
        assert offered <= set(match.state.moves(seat))
        listed = [move for move, _ in every_move(view, match.names) if not move.endswith(" N")]
        assert {with_seats(move, match.names) for move in listed} == offered


def test_a_cursor_goes_round_in_a_row_and_stays_in_a_grid() -> None:
    row = [("a", at) for at in range(3)]
    assert moved(row, None, 1, 0) == ("a", 0)
    assert [moved(row, at, 1, 0) for at in row] == [("a", 1), ("a", 2), ("a", 0)]
    grid = [("g", at) for at in range(9)]
    assert moved(grid, ("g", 1), 3, 3) == ("g", 4)
    assert moved(grid, ("g", 1), -3, 3) == ("g", 1)
    assert moved([], ("g", 1), 1, 3) is None


def test_cards_are_picked_in_one_zone_at_a_time() -> None:
    picked = toggle(toggle(frozenset(), ("a", 1)), ("a", 2))
    assert picked == {("a", 1), ("a", 2)}
    assert toggle(picked, ("a", 1)) == {("a", 2)}
    assert toggle(picked, ("b", 1)) == {("b", 1)}


def test_the_log_of_a_match_never_shrinks() -> None:
    match = sit("doubles", people=2)
    lengths = []
    for _ in range(10):
        match.play(match.awaited[0], any_move(match, match.awaited[0], random.Random(1)))
        lengths.append(len(match.log(0)))
        if match.next_bot is not None:
            until_asked(match)
    assert all(one <= other for one, other in pairwise(lengths))


def test_colours_can_be_told_from_the_background() -> None:
    """At least 4.5 to 1, as WCAG AA asks for."""

    def light(colour: tuple[int, ...]) -> float:
        parts = [one / 255 for one in colour]
        linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    behind = light(tuple(COLOURS.background_color))
    for number in range(1, 16):
        if number != 8:  # a bright black, which nothing is drawn in
            assert (light(tuple(COLOURS.ansi_colors[number])) + 0.05) / (behind + 0.05) >= 4.5, number


def test_a_big_moment_holds_still_before_what_follows_from_it() -> None:
    """The fourth seven: the dice lie on the table as it was, and the next round has not begun."""
    match = sit("doubles", seed=3)
    while not any(event.kind == "bust" for event in match.log(0)):
        before = match.view(0)
        match.skip_frames(0)
        until_asked(match)
        match.play(0, "stay") if 0 in match.awaited else until_asked(match)
        frame = next((one for one in match.take_frames(0) if any(event.hold for event in one.events)), None)
    assert frame is not None
    big, rest = split(frame.events)
    assert [event.kind for event in big] == ["bust"]
    assert [event.kind for event in rest] == ["round"]
    shown = held(before, frame)
    total = {counter.id: counter.value for counter in shown.counters}["total"]
    assert total and sum(next(zone.dice or [] for zone in shown.zones if zone.kind == "dice")) == 7
    assert frame.view.counters[0].value == 0 and length(big, "normal") >= 2 > length(big, "fast")
    assert length(big, "instant") == 0


def test_a_showdown_shows_the_hand_that_was_played() -> None:
    """The dealer, who folded and the whole pot are those of the hand, not of the next one."""
    match = sit("holdem9", players=4, seed=5)
    shown = None
    while shown is None:
        before = match.view(0)
        match.skip_frames(0)
        if 0 in match.awaited:
            moves = match.view(0).moves
            match.play(0, next(move for move in ("check", "call", "fold") if move in moves))
        else:
            match.step_bot()
        for frame in match.take_frames(0):
            if [event.kind for event in frame.events if event.hold][:1] == ["show"]:
                shown = held(before, frame)
            if shown:
                break
            before = frame.view
    for now, was in zip(shown.seats, before.seats, strict=True):
        assert marks_of(now) == marks_of(was)
        assert (now.status == "folded") == (was.status == "folded")
    won = sum(event.amount or 0 for event in frame.events if event.kind == "win")
    assert {one.id: one.value for one in shown.counters}["pot"] == won > 0
    assert any(marks_of(seat) == ["dealer"] for seat in shown.seats)


def test_how_a_match_ended() -> None:
    for name in nf.games():
        match = sit(name, seed=2)
        go_on(match, random.Random(2))
        page = how_it_ended(match, 0).plain
        first, *others = page.splitlines()
        assert first.endswith(".") and f"{match.names[0]} (you)" in page
        assert sum(line.startswith(" 1. ") for line in others) == len(match.state.winners)
        assert 1 <= len(moments(match, 0)) <= 3
    assert standings(match.view(None), match.names, "points")[0][0] == "1."


def test_where_scores_say_only_who_won_what_is_left_tells_the_order() -> None:
    match = sit("multiple9", players=4, seed=2)
    go_on(match, random.Random(2))
    view = match.view(None)
    for seat, cards in enumerate((4, 1, 13, 0)):
        view.seats[seat].stats[0].value = cards
    view.winners, view.scores = [3], [0, 0, 0, 1]
    rows = [row for _, *row in standings(view, ["A", "B", "C", "D"], "")]
    assert rows == [
        [3, "D", "no cards left"],
        [1, "B", "1 card left"],
        [0, "A", "4 cards left"],
        [2, "C", "13 cards left"],
    ]


def test_the_latest_events_stand_out() -> None:
    history = [Event("a", "One."), Event("b", "Two.", hold=True), Event(DECIDED, "Ann has decided.")]
    said = latest(history, 2, [], None, 20, 6)
    assert said.plain == "One.\n Two.               "
    assert [bool(span.style) for span in said.spans]
    assert latest(history, 0, [], None, 20, 6).plain == "One.\nTwo."
    assert latest(history, 2, [], None, 20, 1).plain.strip() == "Two."


def test_a_table_says_who_deals_and_nothing_twice() -> None:
    state = nf.make("holdem9", players=3).start(seed=1)
    names = ["Ann", "Bo", "Cy"]
    lines = drawn(state.picture(0), names, Canvas(80, 24, FINE))
    assert sum("dealer" in line for line in lines) == 1
    assert sum("dealer" in line for line in describe(state.picture(0), names)) == 1
    traded = nf.make("nine_of_a_kind", players=5).start(seed=1).picture(0)
    for shown in (
        drawn(traded, [*names, "Di", "Ed"], Canvas(80, 24, FINE)),
        describe(traded, [*names, "Di", "Ed"]),
    ):
        assert sum(line.lower().count("centre") for line in shown) == 1
    rows = nf.make("finest9", players=3).start(seed=1).picture(0)
    for shown in (drawn(rows, names, Canvas(80, 24, FINE)), describe(rows, names)):
        assert sum(line.lower().count("deck") for line in shown) == 1
        assert not any("Captured" in line for line in shown), "nobody has taken anything"


@pytest.mark.parametrize("keys", [table_screen.KEYS, ending.KEYS, replay.KEYS, home.KEYS, home.FORM_KEYS])
def test_the_keys_fit_in_80_columns(keys: str) -> None:
    assert len(keys) <= 80
