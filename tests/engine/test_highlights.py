"""What is said of a match: the reason for its result and its highlights, from events alone."""

from __future__ import annotations

from typing import Any

import pytest

from ninefold.engine import registry, views
from ninefold.engine.chance import SeededChance
from ninefold.engine.game import Game
from ninefold.engine.highlights import MOST, Part, Story
from ninefold.engine.match import Happened, Match, Seat
from ninefold.model.events import Event
from ninefold.model.text import message, render, winners_text
from support.sitting import SHORT

NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eva", "Finn"]


def part(at: int, scores: list[int], *events: Event) -> Part:
    return Part(at, message("Round {n}", n=at), list(events), scores)


def cash(seat: int, amount: int, **more: Any) -> Event:
    deed = message("cashing out {amount}", amount=amount)
    return Event(
        "cash out", message("{who} cashes out.", {"who": seat}), seat, amount=amount, deed=deed, **more
    )


END = Event("end", message("{result}.", result=winners_text([1], 900, "points")), hold=True)


def test_the_deed_that_decided_is_the_reason() -> None:
    match = [part(1, [50, 0], cash(0, 50)), part(2, [50, 900], cash(1, 900)), part(3, [80, 900], END)]
    story = Story(match, False, [1])
    assert render(story.reason, NAMES) == "Bob won by cashing out 900."
    last = story.highlights[-1]
    assert (last.at, last.why, last.seat, render(last.when)) == (2, "decided", 1, "Round 2")


def test_without_such_a_deed_the_end_says_why() -> None:
    several = [part(n, [0, 100 * n], cash(1, 100)) for n in range(1, 9)]
    assert (
        render(Story([*several, part(9, [0, 800], END)], False, [1]).reason, NAMES)
        == "Bob wins with 900 points."
    )
    shared = [part(1, [5, 5], cash(0, 5), cash(1, 5)), part(2, [5, 5], END)]
    assert Story(shared, False, [0, 1]).deciding is None
    assert Story([], False, []).reason == ""
    assert Story([], False, []).highlights == []


def test_few_and_different_events_are_chosen_in_their_order() -> None:
    match = [part(n, [n, 0], cash(0, n), Event("wait", "Nothing.", 1)) for n in range(1, 30)]
    match += [
        part(
            30, [29, 0], Event("bust", "All is lost.", 1, hold=True, amount=9), Event("deal", "…", quiet=True)
        )
    ]
    found = Story(match, False, [0]).highlights
    assert len(found) <= MOST
    assert [one.at for one in found] == sorted({one.at for one in found})
    assert render(found[-1].text) == "All is lost."
    assert not {"Nothing.", "…"} & {render(one.text) for one in found}


def test_lines_for_every_player_and_the_end_are_no_highlights() -> None:
    lines = [Event("score", f"{n} has it all.", n, hold=True, amount=50) for n in range(4)]
    assert Story([part(1, [1, 0, 0, 0], *lines, END)], False, [0]).highlights == []


def test_how_the_table_goes_on_is_no_highlight() -> None:
    last = part(2, [50, 0], Event("last card", "That was the last card.", hold=True))
    found = Story([part(1, [50, 0], cash(0, 50)), last, part(3, [50, 0], END)], False, [0]).highlights
    assert [one.at for one in found] == [1]


def test_chips_that_come_and_go_make_no_leader() -> None:
    """Where players win by deeds, scores move between them, too: with every bet, and with what goes back."""
    back = Event("back", "990 uncalled chips go back to Ann.", 0, amount=990)
    hands = [
        part(1, [-990, 0, 0], Event("bet", "Ann bets 990.", 0, amount=990)),
        part(2, [60, -30, -30], back),
        part(3, [60, 0, -60], Event("bet", "Cleo bets 60.", 2, amount=60)),
        part(4, [60, 160, -220], cash(1, 220)),
    ]
    found = {render(one.text, NAMES): one.why for one in Story(hands, False, [1]).highlights}
    assert found.pop("Bob cashes out.") == "decided"
    assert set(found.values()) <= {"big"}


def test_many_winners_are_counted() -> None:
    assert render(winners_text([0], 1, "points"), NAMES) == "Ann wins with 1 point"
    assert render(winners_text([0, 1], 20, "points"), NAMES) == "Ann and Bob share the win with 20 points"
    assert render(winners_text(range(5), 20), NAMES) == "Five players share the win with 20"
    assert render(winners_text(range(20)), NAMES) == "20 players share the win"


@pytest.mark.parametrize("name", registry.games())
def test_every_game_has_a_reason_and_highlights(name: str) -> None:
    """Played by bots to the end, as a spectator saw it."""
    game = Game(name, registry.facts(name).usual_players, SHORT.get(name, {}))
    bot = "hard" if name in SHORT else "medium"
    match = Match(
        game, [Seat("bot", NAMES[n % 6], bot) for n in range(game.players)], SeededChance(7), bot_seed=7
    )
    parts = _parts(match, match.begin())
    while not match.over:
        for seat in match.waiting_for:
            if seat in match.waiting_for:
                parts += _parts(match, match.let_bot(seat))
    story = Story(parts, game.facts.lowest_wins, match.state.winners)
    reason = render(story.reason, NAMES)
    assert reason.endswith(".") and "{" not in reason
    if match.state.winners and len(match.state.winners) <= 3:
        assert all(NAMES[seat] in reason for seat in match.state.winners)
    kinds = {one.event.kind for one in story._candidates() if one.event.amount or one.event.hold}
    assert min(MOST, len(kinds)) <= len(story.highlights) <= MOST
    assert [one.at for one in story.highlights] == sorted(one.at for one in story.highlights)
    assert all(render(one.text, NAMES) and render(one.when, NAMES) for one in story.highlights)


def _parts(match: Match, happened: list[Happened]) -> list[Part]:
    perspectives, found = match.state.perspectives, []
    for step in (one.moment for one in happened if one.moment is not None):
        when = perspectives.at(None, step.before).scene.phase
        events = perspectives.events(step, None)
        found.append(
            Part(
                len(match.steps), when, events, views.scores(match.game, perspectives.at(None, step.after).s)
            )
        )
    return found
