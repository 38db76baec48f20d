"""A small client for a Ninefold server: let your own program play at a table.

    from ninefold.client import Seat

    with Seat.join("http://localhost:9009", "K7M2QX", "My bot") as seat:
        for view in seat.decisions():
            seat.play(view["moves"][0])

After a lost connection, commands are sent again until they are answered; the server runs each one once.
The seat adds its part to all draws, keeps what the server has committed to, and `check()` compares.
"""

from __future__ import annotations

import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ninefold.fairness.keeping import Keeper
from ninefold.kernel.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.fairness.receipts import Comparison
    from ninefold.fairness.verify import Verdict

VERSION = 1  # of the messages that this client speaks
ASKING = 1.0  # seconds between questions whether a host has answered
READY = "ready"  # what a seat says that has looked at its cards
PATIENCE = 30.0  # seconds to keep trying a server that does not answer


class Refused(NinefoldError):  # noqa: N818 (what it is)
    """The server said no; `code` is for programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Seat:
    """A seat at a table, and what it can see."""

    def __init__(self, url: str, code: str, token: str | None, seat: int | None) -> None:
        self.url = url.rstrip("/")
        self.code = code
        self.token = token
        self.seat = seat
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self.decision: int | None = None
        self.seq = 0
        self.events: list[dict[str, Any]] = []  # of the match, as this seat may know them
        self.keeper = Keeper(code, seat)  # of what proves that the draws are fair
        self._socket: ClientConnection | None = None

    # Joining

    @classmethod
    def open(cls, url: str, game: str, name: str, **settings: Any) -> Seat:
        """Open a table; you are its host.

        Settings: `players=4`, `options={"rounds": 5}`, `bots=["ada", "hard"]`, `spectators=True`, `clock=60`,
        `pace="fast"`, and the others of `POST /api/tables`.
        """
        asked = {"game": game, "id": _random(12), "name": name, **_keys(), **settings}
        made = _ask(f"{url.rstrip('/')}/api/tables", asked)
        return cls(url, made["code"], asked["token"], made["seat"])

    @classmethod
    def join(cls, url: str, code: str, name: str, seat: int | None = None) -> Seat:
        """Sit down at a table; in the middle of a match, wait until the host has answered."""
        asked: dict[str, Any] = {"id": _random(12), "name": name, "seat": seat, **_keys()}
        while "asked" in (made := _ask(f"{url.rstrip('/')}/api/tables/{code}/join", asked)):
            time.sleep(ASKING)
        return cls(url, code, asked["token"], made["seat"])

    @classmethod
    def watch(cls, url: str, code: str) -> Seat:
        """Watch a table that allows it."""
        return cls(url, code, None, None)

    def __enter__(self) -> Seat:
        """Connect; the seat's part in the draws is added before anything can be played."""
        self._connect()
        while not self.table or self.keeper.pending:
            self._hear(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket:
            self._socket.close()

    def _connect(self) -> None:
        parts = urlsplit(self.url)
        address = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/ws"
        until = time.monotonic() + PATIENCE
        pause = 0.05
        hello = {
            "type": "hello",
            "table": self.code,
            "token": self.token,
            "since": self.seq,
            "version": VERSION,
            "differences": True,
        }
        while True:
            try:
                self._socket = connect(address, max_size=None, compression=None).__enter__()
                self._socket.send(json.dumps(hello))
                return
            except (OSError, EOFError, ConnectionClosed, InvalidHandshake):
                if time.monotonic() > until:
                    raise
                time.sleep(pause)
                pause = min(2.0, 2 * pause)

    # What happens

    def listen(self, timeout: float | None = None) -> dict[str, Any]:
        """The next message from the server; TimeoutError if none comes."""
        while True:
            message = self._hear(timeout)
            if not self.keeper.answers(message):
                return message

    def _hear(self, timeout: float | None) -> dict[str, Any]:
        while True:
            assert self._socket is not None
            try:
                message: dict[str, Any] = json.loads(self._socket.recv(timeout))
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == 1008:
                    why = closed.rcvd.reason or "the server closed the connection"
                    raise Refused("closed", why) from None
                self._connect()
                continue
            if message["type"] == "update" and self.seq and not self._follows(message["events"][0]):
                if message["seq"] > self.seq:
                    self._socket.close()  # a message is missing: reconnect and ask for it
                    self._connect()
                continue
            self._take(message)
            return message

    def _follows(self, event: dict[str, Any]) -> bool:
        """Whether an event is the next one; what only this seat may know has no number of its own."""
        return bool(event["seq"] == self.seq + (not event.get("quiet")))

    def _take(self, message: dict[str, Any]) -> None:
        _complete(message, self.table, self.view)
        if message["type"] == "refused":
            raise Refused(message["error"], message["text"])
        if message["type"] == "history_changed":  # the server has gone back to a backup
            self.events.clear()
        self.keeper.answered(message)
        if message["type"] in ("welcome", "update"):
            self.seq = message["seq"]
            beats = [beat for event in message.get("events", ()) for beat in event["beats"]]
            self.events += [event for beat in beats for event in beat["events"]]
            self.keeper.hear(message)
            for share in self.keeper.shares():
                assert self._socket is not None
                with suppress(ConnectionClosed):  # it is asked for again
                    self._socket.send(json.dumps(share))
            if "table" in message:  # missed events come without a table; a welcome follows them
                self.table, self.view = message["table"], message["view"]
                self.decision = message["decision"]

    @property
    def names(self) -> list[str]:
        """The names of the players, for `nf.render`."""
        return [seat["name"] for seat in self.table.get("seats", ())]

    def decisions(self) -> Iterator[dict[str, Any]]:
        """Yield each view in which this seat has to decide, until the match is over.

        Dice are thrown, and the seat is ready for a round, at once.

        In games where everyone acts at once, every change at the table gives a new view.
        """
        asked: object = None
        while True:
            if self.table.get("status") in ("over", "closed"):
                return
            view = self.view
            now = (self.decision, self.seq if self.table.get("realtime") else 0)
            sealed = self.seat in self.table.get("sealed", ())
            if self.seat in self.table.get("looking", ()) and self.table["status"] == "playing":
                try:
                    self.do(READY)
                except Refused:  # the round begins at this moment
                    self.listen()
                continue
            if view and self.seat in view["actors"] and asked != now and view["move_count"] and not sealed:
                asked = now
                yield view
            elif self.seat is not None and self.table.get("rolling") == self.seat and asked != now:
                asked = now
                self.roll()
            else:
                self.listen()

    def play(self, move: str) -> int:
        """Play a move and return the number of its event. Refused says why not."""
        if move == READY:  # not a move of the game: it counts for nothing in the draws
            return self.do(READY)
        return self.send({"type": "move", "move": move, "decision": self.decision})

    def roll(self) -> int:
        """Throw the dice, where people throw their own and it is your turn to."""
        return self.send({"type": "roll", "decision": self.decision})

    def do(self, what: str) -> int:
        """Send start, restart, pause, resume, leave, back, end, undo, undo_no or ready."""
        return self.send({"type": "do", "what": what})

    def send(self, command: dict[str, Any]) -> int:
        """Send a command until it is answered."""
        command = self.keeper.sign({"id": _random(12), **command}, self.view)
        sent: ClientConnection | None = None
        while True:
            assert self._socket is not None
            if sent is not self._socket:
                sent = self._socket
                try:
                    self._socket.send(json.dumps(command))
                except ConnectionClosed:
                    self._connect()
                    continue
            message = self.listen()
            if message["type"] == "answer" and message["id"] == command["id"]:
                self.keeper.settle(command, message["ok"])
                if not message["ok"]:
                    raise Refused(message["error"], message["text"])
                return int(message["seq"])

    # The proof

    def record(self, match: int | None = None) -> dict[str, Any]:
        """The record of a match that is over, by default the last one."""
        match = match or self.table["match"]
        return _ask(f"{self.url}/api/tables/{self.code}/record?match={match}", None, self.token)

    def check(self, match: int | None = None) -> tuple[Verdict, Comparison]:
        """Check a match that is over, also against what was kept; RecordError says what is wrong."""
        from ninefold.fairness.receipts import compare
        from ninefold.fairness.verify import verify

        record = self.record(match)
        return verify(record), compare(record, self.keeper.of(record["fair"]["match"]))


def _keys() -> dict[str, str]:
    return {"token": _random(32), "recovery": _random(32)}


def _random(size: int) -> str:
    return secrets.token_urlsafe(size)


def _ask(url: str, body: dict[str, Any] | None, token: str | None = None) -> dict[str, Any]:
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                found: dict[str, Any] = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            try:
                refused = json.loads(error.read())
            except ValueError:
                refused = {}
            raise Refused(refused.get("error", str(error.code)), refused.get("text", error.reason)) from None
        except (OSError, http.client.HTTPException):  # safe to repeat: the server runs a command once
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def _complete(message: dict[str, Any], table: dict[str, Any], view: dict[str, Any] | None) -> None:
    """Fill in what an update leaves out because it is as it was."""
    changed = message.pop("differences", None)
    if changed is None or view is None:
        return
    message.setdefault("table", table)
    new = {**view, **changed["fields"]}
    for name, key in (("zones", "id"), ("seats", "seat")):
        parts = {part[key]: part for part in changed[name]}
        new[name] = [parts.get(part[key], part) for part in new[name]]
    message["view"] = new
