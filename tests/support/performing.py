"""Parts of real matches, played for a page as a server would send them, and a log of what it showed.

Everything that changes on the page is noted as it changes, so that a test can say in which order things were
seen, however busy the machine is.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import ninefold as nf
from ninefold.engine.chance import SeededChance
from ninefold.engine.match import BOT, Happened, Match, Seat
from ninefold.engine.registry import facts
from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.server.tables.messages import SeatInfo, TableEvent, TableView, Update
from support.scripted import NAMES, Script, table

PLAYERS = (*NAMES, "Dan", "Eva")
# What stands on the screen, whenever something changes there.
WATCH = """() => {
  const text = (where) => document.querySelector(where)?.textContent.trim() ?? '';
  const cards = () => Object.fromEntries([...document.querySelectorAll('.felt [data-zone]')].map((zone) =>
    [zone.dataset.zone, [...zone.querySelectorAll('[data-card]')].map((one) => one.dataset.card).join(' ')]));
  const look = () => ({
    caption: text('[data-caption]'), moment: text('[data-moment]'), total: text('.main strong'),
    broken: !!document.querySelector('.main .broken'), phase: text('.title p'),
    dice: [...document.querySelectorAll('.felt .die')].map((one) => one.ariaLabel.slice(-1)).join(''),
    offers: document.querySelectorAll('.dock .acts > .button:not(:disabled)').length,
    cards: cards(),
  });
  window.seen = [];
  window.flown = 0;
  const keep = (changes) => {
    for (const change of changes ?? [])
      for (const node of change.addedNodes) if (node.classList?.contains('ghost')) window.flown++;
    const now = look();
    const { cards: shown, ...last } = window.seen.at(-1) ?? {};
    const { cards: new_, ...words } = now;
    if (JSON.stringify(words) !== JSON.stringify(last) || JSON.stringify(shown) !== JSON.stringify(new_))
      window.seen.push(now);
  };
  new MutationObserver(keep).observe(document.body,
    {childList: true, subtree: true, characterData: true, attributes: true});
  keep();
}"""
Look = dict[str, Any]


class Played:
    """One command of a match: what it did, and how the table looks to seat 0 afterwards."""

    def __init__(self, match: Match, happened: Sequence[Happened]) -> None:
        self.beats = match.beats([one.moment for one in happened if one.moment], 0)
        self.view = match.state.picture(0)
        self.decision = match.decision(0)

    @property
    def events(self) -> list[Event]:
        return [event for beat in self.beats for event in beat.events]


class Performance:
    """A part of a match between bots that ends soon after an event of the kind that is wanted."""

    def __init__(self, start: Match, parts: list[Played]) -> None:
        self.view = start.state.picture(0)
        self.parts = parts
        self.realtime = start.realtime is not None

    def table(self) -> TableView:
        view = self.view
        seats = [SeatInfo("person", name, None, False) for name in PLAYERS[: view.players]]
        named = {"game": view.game, "title": view.title, "players": view.players, "seats": seats}
        return table(**named, realtime=self.realtime)

    @property
    def events(self) -> list[Event]:
        return [event for part in self.parts for event in part.events if not event.quiet and event.text]

    def send(self, script: Script, part: Played, number: int) -> None:
        if part.beats:
            part.beats[-1].changes = None
        event = TableEvent(number, "moved", part.beats)
        script.send(Update(number, [event], script.table, part.view, part.decision))

    def play(self, script: Script, until: Callable[[], None]) -> list[Look]:
        """Send everything at once, and return all that the page showed."""
        script.page.evaluate(WATCH)
        for number, part in enumerate(self.parts, start=2):
            self.send(script, part, number)
        until()
        found: list[Look] = script.page.evaluate("() => window.seen")
        return found


def bots(match: Match) -> list[Happened]:
    """Let the next bots move until one did something."""
    seats = match.waiting_for
    turn = len(match.steps) % len(seats)  # where everyone plays at once, everyone has a turn
    for seat in (seats[turn:] + seats[:turn]) * 40:
        if seat in match.waiting_for and (happened := match.let_bot(seat)):
            return happened
    raise AssertionError("all bots wait for ever")


def perform(
    game: str,
    wanted: Callable[[list[Event]], bool],
    *,
    before: int,
    after: int = 1,
    move: Callable[[Match], list[Happened]] = bots,
    most: int = 10**9,
    level: str = "medium",
    **options: Any,
) -> Performance:
    """A part of the first match in which it happens: so many commands before it and after it."""
    made = nf.make(game, players=max(3, facts(game).players[0]), **options)
    names = PLAYERS[: made.players]
    for seed in range(400):
        match = Match(made, [Seat(BOT, name, level) for name in names], SeededChance(seed), bot_seed=seed)
        match.begin()
        starts: deque[Match] = deque(maxlen=before + 1)
        parts: deque[Played] = deque(maxlen=before + 1)
        for number in range(1_500):
            if match.over or number > most:
                break
            starts.append(match.copy())
            parts.append(Played(match, move(match)))
            if wanted(parts[-1].events):
                found = list(parts)
                while len(found) < len(parts) + after and not match.over:
                    found.append(Played(match, move(match)))
                return Performance(starts[0], found)
    raise AssertionError(f"no such thing happens in {game}")


def plain(text: str) -> str:
    """Words without the signs of suits, which a page draws in its own way."""
    return re.sub(r"\W+", " ", re.sub(r"\b(10|[A2-9JQK])[RPXWLSHDC]\b", r"\1", text)).strip()


def words_of(event: Event) -> str:
    """What the player at seat 0 reads of it."""
    return plain(render(event.text, PLAYERS, 0))


# The last thing has been spoken, and the stage is empty.
DONE = r"""(words) => {
  const plain = (text) => text.replace(/\b(10|[A2-9JQK])[RPXWLSHDC]\b/g, '$1').replace(/\W+/g, ' ').trim();
  const said = [...document.querySelectorAll('[data-live] p')].map((one) => plain(one.textContent));
  return !document.querySelector('.asked.still') && said.includes(words);
}"""


def loud(given: Performance) -> list[Event]:
    return [event for event in given.events if event.dice or event.hold or event.moves]


# One moment of each game


def of_kind(*kinds: str) -> Callable[[list[Event]], bool]:
    return lambda events: any(event.kind in kinds for event in events)


def stays(match: Match) -> list[Happened]:
    return match.play(match.waiting_for[0], "stay")


def calls(match: Match) -> list[Happened]:
    seat = match.waiting_for[0]
    moves = list(match.state.moves(seat))
    return match.play(seat, next(move for move in ("check", "call", *moves) if move in moves))


PARTS: dict[str, Callable[[], Performance]] = {
    "bust": lambda: perform("doubles", of_kind("bust"), before=9, move=stays, most=18),
    "payday": lambda: perform("doubles", of_kind("cash out"), before=4, after=4),
    "showdown": lambda: perform("holdem9", of_kind("show"), before=4, after=2, move=calls),
    "column": lambda: perform("baseball", of_kind("column"), before=3),
    "capture": lambda: perform("finest9", of_kind("capture"), before=2, after=2),
    "lay": lambda: perform("multiple9", of_kind("lay"), before=1, after=2),
    "out": lambda: perform("multiple9", of_kind("go out"), before=2),
    "trade": lambda: perform("nine_of_a_kind", of_kind("trade"), before=2),
}


@cache
def performance(name: str) -> Performance:
    """The part of a match that shows a game's moment."""
    return PARTS[name]()
