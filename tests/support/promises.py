"""Promised draws for tests: chains of tokens, and the chance of a match without a table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

import ninefold as nf
from ninefold.engine.game import Game
from ninefold.fairness.chance import PromisedChance
from ninefold.fairness.commitments import first_commitments
from ninefold.fairness.hashing import link
from ninefold.fairness.keeping import Keeper
from ninefold.fairness.receipts import Receipts, begun
from ninefold.fairness.terms import Terms
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.events import Event
from ninefold.server.tables.outbound import welcome
from ninefold.server.tables.table import Table, promised

LENGTH = 64
SECRET = bytes(range(32))
OPTIONS: dict[str, dict[str, Any]] = {
    "holdem9": {"players": 4, "hands": 12},
    "nine_of_a_kind": {"players": 5},
    "doubles": {"players": 3, "rounds": 3},
}
Record = dict[str, Any]


def chain(seed: object, length: int = LENGTH) -> list[str]:
    """A chain of tokens, the anchor last."""
    tokens = [link(str(seed))]
    while len(tokens) < length:
        tokens.append(link(tokens[-1]))
    return tokens


def promised_chance(
    made: Game, secret: bytes, seed: object = 0, sealing: bool = False, anchors: tuple[str, ...] = ()
) -> PromisedChance:
    """The chance of a match in which people play; another seed, other draws."""
    secret = sha256(secret + str(seed).encode()).digest()
    redaction = made.package.redaction
    terms = Terms(
        table="TABLE",
        match=1,
        game=made.name,
        version=made.facts.version,
        players=made.players,
        options=made.written_options,
        commitments=first_commitments(secret, redaction.CARDS if redaction else 0),
        anchors=anchors or ("",) * made.players,
        alone=made.facts.realtime and not sealing,
        people=[{"kind": "person", "name": f"P{seat}", "bot": None} for seat in range(made.players)],
    )
    return PromisedChance(secret, terms, made.package, 0, "begins")


class Sitting:
    """A match of random moves at a table of people whose programs add to the draws."""

    def __init__(
        self,
        game: str,
        seed: int = 1,
        bots: int = 0,
        shares: bool = True,
        pulse: bool = False,
        watching: Collection[int | None] = (),
        lie: Callable[[str], str] = str,
        **options: Any,
    ) -> None:
        made = nf.make(game, **(options or OPTIONS.get(game, {})))
        settings = {"spectators": False, "public": False, "clock": None, "pace": "normal"}
        settings["pulse"] = pulse
        opened = {"game": game, "rules": made.facts.version, "players": made.players}
        self.table = Table()
        self.table.apply(Event("opened", {**opened, "options": dict(made.options), "settings": settings}))
        self.table.apply(promised(made, "TABLE", 1, SECRET))
        self.people = range(made.players - bots)
        self.chains = {seat: chain(f"{seed} {seat}", 2_000) for seat in self.people}
        for seat in range(made.players):
            if seat in self.people:
                self.table.apply(Event("sat", {"seat": seat, "name": f"P{seat}"}))
                anchor = self.chains[seat].pop()
                if shares:
                    self.table.apply(Event("shared", {"seat": seat, "anchor": anchor}))
            else:
                self.table.apply(Event("bot", {"seat": seat, "name": f"B{seat}", "bot": "easy"}))
        self.rng = random.Random(seed)
        self.keepers = {seat: Keeper("TABLE", seat) for seat in watching}
        self.lie = lie  # what a server makes of messages
        for viewer in self.keepers:
            self._say(viewer, welcome(self.table, viewer, "TABLE"))
        draft = Draft(self.table, SECRET)
        draft.begin(self.chains[0].pop(), 0)
        self._done(draft)

    def _say(self, seat: int | None, raw: bytes) -> None:
        self.keepers[seat].hear(json.loads(self.lie(raw.decode())))

    def _done(self, draft: Draft) -> None:
        self.table = draft.table
        if self.keepers:
            for seat, raw in draft.messages(set(self.keepers)).whole.items():
                self._say(seat, raw)

    def play(self, most: int = 400, undo: float = 0.0) -> Sitting:
        table = self.table
        while table.status == "playing" and len(table.running.steps) < most:
            seat = self.rng.choice(table.waiting_for())
            draft = Draft(table, SECRET)
            match = draft.table.running
            if seat not in self.people:
                draft.take(match.let_bot_anyhow(seat, "")[0], f"bot {seat}")
            else:
                moves = match.state.moves(seat)
                move = moves[self.rng.randrange(len(moves))]
                token = self.chains[seat].pop()
                draft.submit(seat, move, token, str(seat))
                if seat in self.keepers:
                    self.keepers[seat].of(1).sent.append(("move", move, token))
            self._done(draft)
            table = self.table
            if table.status == "playing" and self.rng.random() < undo:
                who = self.rng.choice(self.people)
                to = table.running.last_decision(who)
                if to is not None:
                    draft = Draft(table, SECRET)
                    draft.take(
                        draft.table.running.undo(who, to, f"undo {len(table.running.steps)}"), str(who)
                    )
                    self._done(draft)
                    table = self.table
        return self

    def record(self) -> Record:
        found: Record = json.loads(json.dumps(self.table.proof(SECRET)))
        return found


def kept_of(sitting: Sitting, seat: int) -> Receipts:
    """What a player at a seat kept of a match."""
    record = sitting.record()
    fair = record["fair"]
    found = Receipts("TABLE", 1, seat, fair["seats"][seat]["anchor"], shared=True)
    found.protocol = fair["protocol"]
    found.scores = record["scores"] if record["over"] else None
    found.commitments = [(root, -1) for root in fair["commitments"]]
    found.begun = begun(record, fair["seats"])
    if seat in sitting.keepers:
        seen = sitting.keepers[seat].of(1)
        found.shown, found.rolled = seen.shown, seen.rolled
    given, seals = 0, any(entry[0] == "seal" for entry in fair["journal"])
    for kind, *rest in fair["journal"]:
        if kind == "promise":
            found.commitments.append((rest[0], given))
        elif kind in ("start", "seal" if seals else "move") and rest[0] == seat:
            given += 1
            found.sent.append(("start", "", rest[-1]) if kind == "start" else ("move", *rest[1:]))
        elif kind == "undo":
            found.undone += 1
    return found
