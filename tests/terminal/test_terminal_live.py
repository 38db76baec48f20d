"""Games in which all act at once, in the terminal: sealed moves that open together, and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from textual.widgets import Static

import ninefold as nf
from ninefold.files.journal import NotSavedError
from ninefold.terminal import saves
from ninefold.terminal.actions import LISTED, selections
from ninefold.terminal.app import TableApp
from ninefold.terminal.home import new_match
from ninefold.terminal.screens import RoundPage
from ninefold.terminal.seating import seat_of
from ninefold.terminal.sorting import by_suit
from ninefold.terminal.table import Table
from support.nine_hands import HEARTS, dealt

SEATS = [seat_of("Ann"), *(seat_of(f"Bot {number}", "medium") for number in range(4))]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Table, Path]]:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    match, path = saves.begin(nf.make("nine_of_a_kind", players=5), SEATS, 3)
    match.begin()
    yield match, path
    match.close()


def seal_bots(match: Table) -> None:
    while match.next_bot is not None:
        match.step_bot()


def test_moves_are_sealed_and_open_together(kept: tuple[Table, Path]) -> None:
    match, path = kept
    dealt = len(match.steps)
    for pulse in range(1, 4):
        seal_bots(match)
        assert len(match.steps) == dealt and match.awaited == [0], "nothing happens before Ann has sealed"
        match.play(0, "wait")
        moved = [seat for seat, _ in match.steps[dealt:] if seat != "chance"]
        assert sorted(moved) == [0, 1, 2, 3, 4], f"everyone moves once in pulse {pulse}"
        dealt = len(match.steps)
        assert saves.read_saved(path).steps == match.steps


def test_what_has_opened_is_there_again_and_what_is_sealed_is_asked_again(kept: tuple[Table, Path]) -> None:
    match, path = kept
    seal_bots(match)
    match.play(0, "wait")
    seal_bots(match)
    steps, state = list(match.steps), match.state.tobytes()
    match.close()
    again = saves.resume(path)
    assert (again.steps, again.state.tobytes()) == (steps, state)
    assert again.next_bot is not None, "sealed moves had not happened"
    again.undo(0)
    first = next(at for at, (who, _) in enumerate(steps) if who != "chance")
    assert again.steps == steps[:first], "all that opened together is taken back together"
    again.close()


def test_a_pulse_that_cannot_be_saved_has_not_happened() -> None:
    lines: list[dict[str, Any]] = []
    full = False

    def save(line: dict[str, Any]) -> None:
        if full:
            raise NotSavedError("no space left on device")
        lines.append(line)

    match = Table(nf.make("nine_of_a_kind", players=5), SEATS, 3, save)
    match.begin()
    seal_bots(match)
    before = (list(match.steps), match.state.tobytes(), match.log(0))
    full = True
    with pytest.raises(NotSavedError):
        match.play(0, "wait")
    assert (match.steps, match.state.tobytes(), match.log(0)) == before
    full = False
    seal_bots(match)
    match.play(0, "wait")
    assert len(match.steps) > len(before[0])


def test_live_bots_act_by_the_clock_while_a_person_thinks(kept: tuple[Table, Path]) -> None:
    match, path = kept
    match.keep_time(True, "fast")
    assert match.next_bot is None and match.awaited == [0]
    match.play(0, "ready")
    dealt = len(match.steps)
    now = monotonic()
    assert not match.advance(now), "no bot is as quick as that"
    assert match.advance(now + 30)
    bots = {seat for seat, _ in match.steps[dealt:]} - {"chance"}
    assert bots and 0 not in bots
    assert saves.read_saved(path).steps == match.steps
    assert match.take_frames(0), "and Ann is shown what they did"


# The look at the cards


def test_bots_wait_for_the_person_to_be_ready_and_what_was_said_is_kept(kept: tuple[Table, Path]) -> None:
    match, path = kept
    match.keep_time(True, "fast")
    dealt_out = len(match.steps)
    assert match.view(0).moves == ["ready"] and not match.advance(monotonic() + 3600)
    with pytest.raises(nf.NotYourTurn, match="begins at Go"):
        match.play(0, "wait")
    assert len(match.steps) == dealt_out
    match.close()
    again = saves.resume(path)
    again.keep_time(True, "fast")
    assert again.view(0).moves == ["ready"], "nobody has said it yet"
    again.play(0, "ready")
    assert not again.match.looking
    again.close()
    again = saves.resume(path)
    again.keep_time(True, "fast")
    assert not again.match.looking and again.view(0).move_count > 1
    assert again.match.steps == match.match.steps, "a record knows nothing of it"
    again.advance(monotonic() + 30)
    again.play(0, "wait")
    again.undo(0)
    assert not again.match.looking, "its Go has been"
    steps = again.steps
    again.close()
    again = saves.resume(path)
    again.keep_time(True, "fast")
    assert again.steps == steps and not again.match.looking
    again.close()


def test_a_hand_by_suit_is_the_same_hand(kept: tuple[Table, Path]) -> None:
    match, _ = kept
    plain = match.state.picture(0)
    sorted_view = by_suit(plain)

    def cards(view: Any, places: list[int]) -> set[str]:
        (hand,) = (zone for zone in view.zones if zone.id == "hand-0")
        return {hand.cards[place].card for place in places}

    order = [card[-1] for card in (one.card for one in _hand(sorted_view)) if card]
    assert order == sorted(order, key="RPXWLSHDC".index)
    for before, after in zip(plain.offers, sorted_view.offers, strict=True):
        for one, other in zip(getattr(before, "choices", []), getattr(after, "choices", []), strict=True):
            assert one.move == other.move and cards(plain, one.cards) == cards(sorted_view, other.cards)
    for group, moved in zip(plain.groups, sorted_view.groups, strict=True):
        assert cards(plain, group.cards["hand-0"]) == cards(sorted_view, moved.cards["hand-0"])
    assert by_suit(match.state.picture(None)) == match.state.picture(None), "nobody's hand"


def _hand(view: Any) -> Any:
    return next(zone.cards for zone in view.zones if zone.id == "hand-0")


def test_a_round_on_the_screen_from_the_look_to_the_hands_laid_open() -> None:
    """Keys: s sorts, r is ready; the result of the round stays until Enter."""
    table = Table(nf.make("nine_of_a_kind", players=5), SEATS, 3, lambda line: None, bot_seed=3)
    table.fork([["chance", text] for _, text in dealt(HEARTS).record()["moves"]])
    table.keep_time(True, "fast")
    app = TableApp(table, "fast")

    def said(name: str) -> str:
        return str(app.screen_stack[0].query_one(name, Static).content)

    async def until(met: Callable[[], object]) -> None:
        end = monotonic() + 120
        while not met():
            assert monotonic() < end, app.screen
            await asyncio.sleep(0.02)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: "[r] Ready" in said("#actions"))
            assert "Look at your cards" in said("#title") and "to act" not in said("#title")
            await pilot.press("s")
            assert "[s] Sort by rank" in said("#actions")
            await pilot.press("n")
            assert table.match.looking, "there is no claim before Go"
            await pilot.press("r")
            await until(lambda: "Go!" in said("#prompt") and "[n] 9 of a Kind!" in said("#actions"))
            await pilot.press("n")
            await until(lambda: isinstance(app.screen, RoundPage))
            page = app.screen
            assert isinstance(page, RoundPage)
            assert page.lines[1].startswith("You lay out A♥ 2♥ 3♥"), page.lines
            assert sum("collected" in line for line in page.lines) == 4
            await pilot.press("enter")
            await until(lambda: "[r] Ready" in said("#actions") and "Round 2" in said("#title"))
            await pilot.press("q")

    asyncio.run(play())


@pytest.mark.parametrize(("pace", "asked"), [("normal", True), ("fast", False)])
@pytest.mark.parametrize("name", ["doubles", "finest9"])
def test_people_roll_their_own_dice_unless_they_are_in_a_hurry(name: str, pace: str, asked: bool) -> None:
    """The dice fall as they would have: only the match waits for a key."""
    tables = []
    for by_hand in (True, False):
        seats = [seat_of("Ann"), seat_of("Bot", "easy")]
        table = Table(nf.make(name, players=2), seats, 3, lambda _: None, bot_seed=3)
        table.throw_by_hand(by_hand)
        table.begin()
        tables.append(table)
    table, other = tables
    app = TableApp(table, pace)
    rolled = 0

    async def play() -> None:
        nonlocal rolled
        async with app.run_test(size=(80, 24)) as pilot:
            end = monotonic() + 60
            while len([who for who, _ in table.steps if who == 0]) < 2:
                assert monotonic() < end
                said = str(app.query_one("#actions", Static).content)
                if app.rolling is not None:
                    assert "[r] Roll the dice" in said and "Ann, your turn" in str(
                        app.query_one("#title", Static).content
                    )
                    rolled += 1
                    await pilot.press("r" if rolled % 2 else "enter")
                elif app.deciding is not None:
                    await pilot.press("s" if name == "doubles" else "1")
                else:
                    await pilot.press("x")
                await asyncio.sleep(0.02)

    asyncio.run(play())
    assert bool(rolled) == asked
    while len(other.steps) < len(table.steps):
        if other.next_bot is not None:
            other.step_bot()
        else:
            move = next(text for who, text in table.steps[len(other.steps) :] if who == 0)
            other.play(0, move)
    assert other.steps[: len(table.steps)] == table.steps


def test_enter_passes_only_where_no_cards_can_be_laid() -> None:
    """Groups that are not listed are moves, too: Enter must not give them up."""
    match = Table(
        nf.make("multiple9", players=2), [seat_of("Ann"), seat_of("Bot", "easy")], 3, lambda _: None
    )
    match.begin()
    while sum(len(offer.choices) for offer in selections(match.view(0))) <= LISTED:
        if match.next_bot is not None:
            match.step_bot()
        elif not match.obey(0):
            match.play(0, "done")
    app, steps = TableApp(match, "instant"), len(match.steps)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "more: arrows and Space pick cards" in str(app.query_one("#actions", Static).content)
            await pilot.press("enter")
            await pilot.pause()
            assert "Several moves are possible" in app.notice

    asyncio.run(play())
    assert len(match.steps) == steps


def test_relaxed_trading_is_offered_in_the_menu() -> None:
    _, questions, command = new_match("nine_of_a_kind")
    given = {name: question.value for name, question in questions.items()}
    assert given["pulse"] == "no" and given["target"] == "100" and "--pulse" not in command(given)
    assert "--pulse" in command({**given, "pulse": "yes"})
    with pytest.raises(nf.RuleError, match="on or off"):
        command({**given, "pulse": "perhaps"})
    assert "pulse" not in new_match("doubles")[1]
