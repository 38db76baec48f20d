"""A table without a server: commands carried out as a session does, and everything about it to compare."""

from __future__ import annotations

import copy
import random
import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine import registry
from ninefold.engine.match import Match
from ninefold.fairness.chance import PromisedChance
from ninefold.server.tables import commands
from ninefold.server.tables.commands import opening_events
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event
from ninefold.server.tables.messages import Admit, Do, Joining, Move, Opening
from ninefold.server.tables.table import Refusal, Table, promised


def key() -> str:
    return secrets.token_urlsafe(32)


def rebuild(events: Iterable[Event]) -> Table:
    """A table from its events."""
    table = Table()
    for event in events:
        table.apply(event)
    return table


class Bench:
    """A table with its events, and commands carried out as a session does, without a server."""

    def __init__(self, game: str = "doubles", **settings: Any) -> None:
        settings = {"look": 0, **settings}
        opening = Opening(game, settings.pop("id", key()[:12]), "Ann", key(), key(), **settings)
        sheet = registry.facts(game)
        players, options = sheet.settings(settings.get("players"), settings.get("options", {}))
        self.table = Table()
        self.events: list[Event] = []
        self.secret = sha256(game.encode()).digest()
        self.secrets: dict[int, bytes] = {1: self.secret}  # by match
        self.take(Plan(opening_events(opening, sheet, players, options, "Ann")))
        self.take(Plan([promised(self.table.game, "BENCH", 1, self.secret)]))

    def take(self, plan: Plan) -> None:
        if plan.secret:
            self.secret = plan.secret[1]
            self.secrets[plan.secret[0]] = plan.secret[1]
        for event in plan.events:
            self.table.apply(event)
            self.events.append(event)
        if plan.draft and len(self.events) < 200:  # the draft is what the events give
            assert picture(plan.draft.table) == picture(self.table)

    def sit(self, name: str, seat: int | None = None) -> int:
        """Sit down; in the middle of a match, the host lets them join."""
        plan = commands.sit(self.table, "t" * 32, Joining(key()[:12], name, key(), key(), seat))
        self.take(plan)
        if plan.events[0].kind == "asked":
            self.say(0, Admit(key()[:12], max(self.table.asking), True))
        return int(self.events[-1].body["seat"])

    def say(self, seat: int, message: Any, tenant: int | None = None) -> None:
        whose = self.table.places[seat].tenant if tenant is None else tenant
        self.take(commands.plan_command(self.table, seat, whose, message, self.secret))

    def do(self, what: Any, seat: int = 0) -> None:
        self.say(seat, Do(key()[:12], what))

    def move(self, seat: int, text: str, decision: int | None = None) -> None:
        asked = self.table.running.decision(seat) if decision is None and self.table.match else decision or 0
        self.say(seat, Move(key()[:12], text, asked))

    def refused(self, code: str, act: Any) -> Refusal:
        """An act that must be refused, and change nothing."""
        before = picture(self.table)
        with pytest.raises((Refusal, nf.IllegalMove, nf.RuleError)) as caught:
            act()
        assert getattr(caught.value, "code", "illegal") == code, caught.value
        assert picture(self.table) == before
        return caught.value  # type: ignore[return-value]

    def play_on(self, most: int, seed: int = 0) -> None:
        rng = random.Random(seed)
        for _ in range(most):
            if self.table.status != "playing":
                return
            seat = rng.choice(self.table.waiting_for())
            moves = self.table.match.state.moves(seat)  # type: ignore[union-attr]
            self.as_any(seat, moves[rng.randrange(len(moves))])

    def as_any(self, seat: int, text: str) -> None:
        """A move of a person, or of the bot that plays until a newcomer does."""
        if self.table.places[seat].keeper is None:
            self.move(seat, text)
            return
        draft = Draft(self.table, self.secret)
        draft.submit(seat, text, key()[:12], f"bot {seat}")
        self.take(draft.plan())


def chance(match: Match) -> PromisedChance:
    assert isinstance(match.chance, PromisedChance)
    return match.chance


def picture(table: Table) -> Any:
    """Everything about a table, to be compared."""
    match = table.match
    kept = (
        (
            *(
                match.number,
                match.state.tobytes(),
                chance(match).draws.tokens.pot,
                match.draws,
                list(match.steps),
            ),
            *(match.decided, match.sealed, list(chance(match).journal), table.chat, table.undo),
        )
        if match
        else None
    )
    places = [(place.public(), place.tenant) for place in table.places]
    return copy.deepcopy((table.seq, table.status, places, table.votes, table.public(), kept))
