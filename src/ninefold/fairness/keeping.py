"""A player's side of fair draws: adds tokens to the player's commands, and keeps what is compared afterwards.

It knows the messages of a table, but neither a socket nor a game. The browser's is client/src/lib/proof.ts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from ninefold.fairness.hashing import link
from ninefold.fairness.receipts import BEFORE_ALL, Receipts, begun, faces_of

LENGTH = 1 << 12  # tokens of a chain
STRIDE = 1 << 6  # one in STRIDE of them is kept; the others are made again from it


class Chain:
    """A player's tokens for a match, made from one random text."""

    def __init__(self, seed: str) -> None:
        marks, token = [seed], seed
        for place in range(1, LENGTH + 1):
            token = link(token)
            if place % STRIDE == 0:
                marks.append(token)
        self.anchor = token
        self._marks = marks

    def token(self, number: int) -> str:
        """Token `number` after the anchor, which is number 0."""
        place = LENGTH - number
        token = self._marks[place // STRIDE]
        for _ in range(place % STRIDE):
            token = link(token)
        return token


class Keeper:
    """Keeps the promises of a table and one player's part in them."""

    def __init__(self, table: str, seat: int | None) -> None:
        self.table = table
        self.seat = seat
        self.match = 0
        self._receipts: dict[int, Receipts] = {}
        self._chains: dict[int, Chain] = {}
        self._given: dict[int, int] = {}  # by match: the number of the last token that was given away
        self._taken: dict[int, int] = {}  # and of the last one that was accepted
        self._sharing: dict[int, str] = {}  # by match: the id of the message that shares
        self._settled: set[int] = set()  # matches of which that message was answered
        self._next = 0  # the match that is promised
        self._asked = False  # whether the server waits for this player's part
        self._zones: dict[str, str] | None = None  # the cards that are shown now, if known
        self._kept: dict[int, dict[str, str]] = {}  # by match: what was kept of them last
        self._text = ""  # of the last command,
        self._of = 0  # and its match

    def of(self, match: int) -> Receipts:
        """What was kept of a match."""
        if match not in self._receipts:
            self._receipts[match] = Receipts(self.table, match, -1 if self.seat is None else self.seat)
        return self._receipts[match]

    # What happens

    def hear(self, message: Mapping[str, Any]) -> None:
        """A welcome or an update has arrived."""
        for event in message.get("events", ()):
            if event["kind"] == "started":
                self.match += 1
            elif event["kind"] == "undone" and self.of(self.match).undone >= 0:
                self.of(self.match).undone += 1
            self._see(event)
        table = message.get("table")
        if table is None:
            return
        if table["match"] and table["match"] not in self._receipts:
            self.of(table["match"]).undone = -1  # it had begun before
        self.match = table["match"]
        if any(event["kind"] == "started" for event in message.get("events", ())):
            self.of(self.match).begun = begun(table, table["seats"])
        self._note(self.match, table["commitments"], self._given.get(self.match, 0))
        view = message.get("view")
        self._zones = None if view is None else faces_of(view["zones"])
        self._keep_shown(message["seq"])
        if view and view["over"]:
            self.of(self.match).scores = list(view["scores"])
        promise = table.get("promise")
        if promise:
            self._note(
                promise["match"], promise["commitments"], self._given.get(promise["match"], BEFORE_ALL)
            )
            kept = self.of(promise["match"])
            kept.protocol = max(kept.protocol, promise.get("protocol", 0))
            self._next = promise["match"]
            # The part, or the answer to it, may have been lost with a connection.
            unanswered = message.get("type") == "welcome" and self.pending
            self._asked = unanswered or self.seat not in (None, *promise["shares"])

    def _see(self, event: Mapping[str, Any]) -> None:
        """What an event shows, beat by beat; the last beat of a message that has a view has no changes."""
        if event["kind"] not in ("moved", "rolled"):
            self._zones = None
        if self.match not in self._receipts:
            return
        for beat in event["beats"]:
            kept, seq = self.of(self.match), event["seq"]
            dice = [sorted(one["dice"]) for one in beat["events"] if one.get("dice")]
            kept.rolled += [(seq, len(kept.sent), f"{one} {other}") for one, other in dice]
            changes = beat.get("changes")
            if self._zones is None or changes is None:
                continue
            gone = dict.fromkeys([*changes.get("gone", ()), *(one["id"] for one in changes.get("zones", ()))])
            rest = {zone: cards for zone, cards in self._zones.items() if zone not in gone}
            self._zones = rest | faces_of(changes.get("zones", ()))
            self._keep_shown(event["seq"])

    def _keep_shown(self, seq: int) -> None:
        """Keep the zones whose cards have changed."""
        if self._zones is None or not self.match:
            return
        last = self._kept.get(self.match, {})
        changed = {zone: self._zones.get(zone, "") for zone in {**last, **self._zones}}
        changed = {zone: cards for zone, cards in changed.items() if cards != last.get(zone, "")}
        if changed:
            kept = self.of(self.match)
            kept.shown.append((seq, len(kept.sent), changed))
            self._kept[self.match] = dict(self._zones)

    def _note(self, match: int, roots: list[str], given: int) -> None:
        if match:
            kept = self.of(match).commitments
            kept += [(root, given) for root in roots[len(kept) :]]

    def shares(self) -> Iterator[dict[str, Any]]:
        """The message that adds this player's part to the next match, if the server waits for it."""
        match = self._next
        if not self._asked:
            return
        self._asked = False
        if match not in self._chains:
            self._chains[match] = Chain(secrets.token_urlsafe(32))
            self.of(match).anchor = self._chains[match].anchor
            self._given[match] = self._taken[match] = 0
            self._sharing[match] = secrets.token_urlsafe(12)
        yield {"type": "share", "id": self._sharing[match], "match": match, "anchor": self.of(match).anchor}

    @property
    def pending(self) -> bool:
        """Whether a share was sent and has not been answered yet."""
        return self._next in self._sharing and self._next not in self._settled

    def answers(self, message: Mapping[str, Any]) -> bool:
        """Whether a message only answers a share."""
        return message.get("id") in self._sharing.values()

    def answered(self, message: Mapping[str, Any]) -> None:
        """A message that may be the answer to a share."""
        for match, command in self._sharing.items():
            if command == message.get("id"):
                self.of(match).shared = message["ok"]
                self._settled.add(match)

    # The player's own commands

    def sign(self, command: dict[str, Any], view: Mapping[str, Any] | None) -> dict[str, Any]:
        """A command with the next token as its id, where tokens count."""
        match = self._of = self._match_of(command)
        move = command.get("move", "")
        self._text = move if view and move in view["moves"] else ""
        if match not in self._chains or not self.of(match).shared or self._taken[match] == LENGTH:
            return command
        self._given[match] = self._taken[match] + 1
        return {**command, "id": self._chains[match].token(self._given[match])}

    _text = ""

    def settle(self, command: Mapping[str, Any], accepted: bool) -> None:
        """A command was answered; a token of one that was refused is used again."""
        match = self._of
        if not accepted or not match:
            return
        chain = self._chains.get(match)
        if chain and command["id"] == chain.token(self._taken[match] + 1):
            self._taken[match] += 1
        kind = "start" if command["type"] == "do" else command["type"]
        self.of(match).sent.append((kind, self._text, command["id"]))

    def _match_of(self, command: Mapping[str, Any]) -> int:
        """The match whose draws a command may change, 0 if none."""
        if command["type"] == "do":
            return self._next if command["what"] == "start" else 0
        return self.match if command["type"] in ("move", "roll") else 0
