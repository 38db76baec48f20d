"""Beats: the events and table changes of every step for each viewer, from the positions before and after it.

The last position of each viewer is kept, because the table after one step is the table before the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ninefold.engine import movement, views
from ninefold.kernel.fields import NOBODY
from ninefold.kernel.record import record_of
from ninefold.model.events import Beat, Changes, Event, changes_between
from ninefold.model.text import message, winners_text
from ninefold.model.view import Scene

if TYPE_CHECKING:
    from ninefold.engine.game import Game

END = "end"  # the kind of the event that ends a match


class Moment(NamedTuple):
    """One step of a match: the bytes of the positions before and after it."""

    before: bytes
    seat: int
    action: int
    after: bytes


class Perspective:
    """A position as one viewer may know it."""

    __slots__ = ("_game", "_scene", "_seat", "position", "s", "visible")

    def __init__(self, game: Game, seat: int | None, position: bytes) -> None:
        self.position = position
        self.s = views.masked(game, position, seat)
        self.visible = views.visible(game, self.s)
        self._game = game
        self._seat = seat
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene:
        """The table as the game draws it; made once, when it is first needed."""
        if self._scene is None:
            self._scene = self._game.package.views.view(self.s, self._seat)
        return self._scene

    def seen_after(self, last: Perspective) -> Perspective:
        """This perspective, with the table of the last one if nothing of it has changed."""
        if self.visible == last.visible:
            self._scene = last._scene
        return self


class Perspectives:
    """The last positions as each viewer knew them. Only a cache: it never changes what is seen."""

    __slots__ = ("_game", "_last")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._last: dict[int | None, Perspective] = {}

    def copy(self) -> Perspectives:
        other = Perspectives(self._game)
        other._last = dict(self._last)
        return other

    def at(self, seat: int | None, position: Any) -> Perspective:
        """A position, given as its bytes, as a seat may know it."""
        last = self._last.get(seat)
        if last is not None and last.position == position:
            return last
        found = Perspective(self._game, seat, bytes(position))
        self._last[seat] = found if last is None else found.seen_after(last)
        return found

    def events(self, moment: Moment, viewer: int | None) -> list[Event]:
        """The events of one step for a viewer, with the movements of cards and chips."""
        before, events = self.at(viewer, moment.before), self.narrated(moment, viewer)
        _add_movements(before, events, self.at(viewer, moment.after))
        return events

    def narrated(self, moment: Moment, viewer: int | None) -> list[Event]:
        """The same without the movements."""
        before, after = self.at(viewer, moment.before), self.at(viewer, moment.after)
        return _narrate(self._game, before, moment, after, viewer)

    def beats(self, moments: Iterable[Moment], viewer: int | None, view_follows: bool = False) -> list[Beat]:
        """One beat for each step, as a viewer may know it. Consecutive quiet steps, such as a deal, are one
        beat; steps that the viewer cannot notice are left out. The last beat has no changes if a view
        follows, which shows them."""
        spans: list[tuple[Perspective, list[Event], Perspective]] = []
        quiet = False  # whether the last of them is
        for moment in moments:
            before, after = self.at(viewer, moment.before), self.at(viewer, moment.after)
            events = _narrate(self._game, before, moment, after, viewer)
            joins, quiet = quiet, bool(events) and all(event.quiet for event in events)
            if joins and quiet:
                start, earlier, _ = spans.pop()
                before, events = start, earlier + events
            spans.append((before, events, after))
        last = len(spans) - 1 if view_follows else len(spans)
        return [beat for at, span in enumerate(spans) if (beat := _beat(*span, at != last))]


NO_CHANGES = Changes()


def _beat(before: Perspective, events: list[Event], after: Perspective, with_changes: bool) -> Beat | None:
    """A beat from one position to another, as a viewer knows them; None if there is nothing to notice."""
    _add_movements(before, events, after)
    if events and not with_changes:
        return Beat(events)
    same = before.visible == after.visible
    changes = NO_CHANGES if same else changes_between(before.scene, after.scene)
    return Beat(events, changes if with_changes else None) if events or changes != NO_CHANGES else None


def _narrate(
    game: Game, before: Perspective, moment: Moment, after: Perspective, viewer: int | None
) -> list[Event]:
    events = game.package.narration.narrate(before.s, moment.seat, moment.action, after.s, viewer)
    if after.s.actor == NOBODY and not any(event.kind == END for event in events):
        events.append(result(game, after.s))
    return events


def _add_movements(before: Perspective, events: list[Event], after: Perspective) -> None:
    stated = [move for event in events for move in event.moves]
    if stated or (events and before.visible != after.visible):
        movement.hand_out(movement.movements(before.scene, after.scene, stated), events, after.scene)


def result(game: Game, s: Any) -> Event:
    """The event that ends a match: the game's own, or the winners, their score and how far they are ahead."""
    if game.package.result is not None:
        return game.package.result(s)
    won = np.zeros(game.players, np.int64)
    game.package.winners(record_of(s.data, game.layout), won)  # kernels want arrays, not lists
    winners = [int(seat) for seat in np.flatnonzero(won)]
    scores, facts = views.scores(game, s), game.facts
    best = scores[winners[0]]
    won_by = winners_text(winners, best, facts.unit)
    text = message("{result}.", result=won_by)
    gaps = {seat: abs(best - score) for seat, score in enumerate(scores) if seat not in winners}
    if len(winners) == 1 and (gap := min(gaps.values(), default=0)):
        behind = {"next": [seat for seat in gaps if gaps[seat] == gap]}
        more = "fewer" if facts.lowest_wins else "more"
        text = message(f"{{result}}, {{gap}} {more} than {{next|you}}.", behind, result=won_by, gap=gap)
    return Event(END, text, hold=True, amount=best)
