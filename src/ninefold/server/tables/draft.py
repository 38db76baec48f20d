"""A table with events that are not stored yet, and what its viewers will be sent once they are."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ninefold.engine.match import Happened
from ninefold.fairness.chance import PromisedChance
from ninefold.server.tables.events import Event, pack
from ninefold.server.tables.outbound import describe, update
from ninefold.server.tables.table import Table


@dataclass
class Plan:
    """What a command does: events, and what is stored with them."""

    events: list[Event]
    tokens: list[dict[str, Any]] = field(default_factory=list)
    secret: tuple[int, bytes] | None = None
    draft: Draft | None = None


class Draft:
    """A copy of a table on which commands are tried; it replaces the table when its events are stored."""

    def __init__(self, table: Table, viewers: Collection[int | None], secret: bytes) -> None:
        self.table = table.copy()
        self.secret = secret  # the source of all draws
        self.events: list[Event] = []
        self._first = table.seq + 1
        self._outgoing: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers}
        if self.table.match is not None:
            assert isinstance(self.table.match.chance, PromisedChance)
            self.table.match.chance.secret = secret

    def begin(self, command: str) -> int:
        """Begin a match with a new secret; returns its number."""
        self.secret = secrets.token_bytes(32)
        event, happened = self.table.begin(self.secret, command)
        self._take(event, happened)
        return self.table.running.number

    def submit(self, seat: int, move: str | int, command: str, who: str) -> None:
        """Make or seal a move, with the chance that follows; IllegalMove says why not."""
        self.take(self.table.running.submit(seat, move, command), who)

    def take(self, happened: list[Happened], who: str) -> None:
        """Add what happened to the match of this draft."""
        for event, part in pack(happened, who):
            self._take(event, part)
            if event.kind == "moved":
                for promise in self.table.missing_commitments(self.secret):
                    self.apply(promise)

    def apply(self, event: Event) -> None:
        """Add an event that does not belong to the match."""
        self._take(event, None)

    def _take(self, event: Event, happened: list[Happened] | None) -> None:
        moments = self.table.apply(event, happened)
        self.events.append(event)
        seq = self._first + len(self.events) - 1
        for viewer, events in self._outgoing.items():
            events.append(describe(self.table, viewer, seq, event, moments))

    def messages(self) -> dict[int | None, bytes]:
        """The message for every viewer, to be sent once everything is stored."""
        return {viewer: update(self.table, viewer, events) for viewer, events in self._outgoing.items()}

    def plan(self) -> Plan:
        return Plan(self.events, draft=self)
