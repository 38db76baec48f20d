"""A table with events that are not stored yet, and what its viewers will be sent once they are."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from ninefold.engine.match import Happened
from ninefold.fairness.commitments import bot_seed, secret_after
from ninefold.server.tables.events import Event, News, pack
from ninefold.server.tables.outbound import Messages, Shown, updates
from ninefold.server.tables.secrecy import unnoticed
from ninefold.server.tables.table import Table


@dataclass
class Plan:
    """What a command does: events, and what is stored with them."""

    events: list[Event]
    tokens: list[dict[str, Any]] = field(default_factory=list)
    secret: tuple[int, bytes] | None = None
    draft: Draft | None = None
    result: dict[str, Any] | None = None  # of a match of a season that this ends


class Draft:
    """A copy of a table on which commands are tried; it replaces the table when its events are stored."""

    def __init__(self, table: Table, secret: bytes) -> None:
        self.table = table.copy()
        self.secret = secret  # the source of all draws
        self.events: list[Event] = []
        self.news: list[News] = []
        if self.table.match is not None:
            self.table.match.chance.secret = secret  # type: ignore[attr-defined]
            self.table.match.seed_bots(bot_seed(secret))

    def begin(self, command: str, seat: int) -> tuple[int, bytes] | None:
        """Begin the match that was promised; returns its number and secret, if that is not stored yet."""
        first = self.table.match is None and self.table.promise is not None
        if self.table.promise is None:  # opened by an earlier version: too late for people to add to it
            self.secret = secrets.token_bytes(32)
            self.apply(self.table.next_promise(self.secret))
        elif not first:
            self.secret = secret_after(self.secret)
        event, happened = self.table.begin(self.secret, command, seat)
        self._take(event, happened)
        self._commit()
        self.apply(self.table.next_promise(secret_after(self.secret)))
        return None if first else (self.table.running.number, self.secret)

    def submit(self, seat: int, move: str | int, command: str, who: str) -> None:
        """Make or seal a move, with the chance that follows; IllegalMove says why not."""
        self.take(self.table.running.submit(seat, move, command), who)

    def roll(self, seat: int, command: str, who: str) -> None:
        """Throw the dice that the match waits for."""
        self.take(self.table.running.roll(seat, command), who)

    def take(self, happened: list[Happened], who: str) -> None:
        """Add what happened to the match of this draft."""
        for event, part in pack(happened, who):
            self._take(event, part)
        self._commit()

    def _commit(self) -> None:
        """Commit to what later draws need."""
        for promise in self.table.missing_commitments(self.secret):
            self.apply(promise)

    def apply(self, event: Event) -> None:
        """Add an event that does not belong to the match."""
        self._take(event, None)

    def _take(self, event: Event, happened: list[Happened] | None) -> None:
        if event.kind == "moved" and happened:
            moments = [one.moment for one in happened if one.moment]
            if unnoticed(self.table.running, event.body["seat"], moments):
                event = replace(event, body={**event.body, "quiet": True})
        self.events.append(event)  # a plan made earlier has this list, too
        self.news.append(self.table.apply(event, happened))

    def messages(
        self, viewers: Collection[int | None], short: Collection[int | None] = (), shown: Shown | None = None
    ) -> Messages:
        """The messages for all viewers, to be sent once everything is stored."""
        return updates(self.table, viewers, self.news, short, shown)

    def plan(self) -> Plan:
        return Plan(self.events, draft=self)
