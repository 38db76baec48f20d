"""A small client for a Ninefold server: let your own program play at a table.

    from ninefold.client import Seat

    with Seat.join("http://localhost:9009", "K7M2QX", "My bot") as seat:
        for view in seat.decisions():
            seat.play(view["moves"][0])

After a lost connection, commands are sent again until they are answered; the server runs each one once.
"""

from __future__ import annotations

import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ninefold.kernel.errors import NinefoldError

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
        self._socket: ClientConnection | None = None

    # Joining

    @classmethod
    def open(cls, url: str, game: str, name: str, **settings: Any) -> Seat:
        """Open a table; you are its host. Settings: players, options, bots, spectators, clock, pace."""
        asked = {"game": game, "id": _random(12), "name": name, **_keys(), **settings}
        made = _ask("POST", f"{url.rstrip('/')}/api/tables", asked)
        return cls(url, made["code"], asked["token"], made["seat"])

    @classmethod
    def join(cls, url: str, code: str, name: str, seat: int | None = None) -> Seat:
        """Sit down at a table."""
        asked: dict[str, Any] = {"id": _random(12), "name": name, "seat": seat, **_keys()}
        made = _ask("POST", f"{url.rstrip('/')}/api/tables/{code}/join", asked)
        return cls(url, code, asked["token"], made["seat"])

    @classmethod
    def watch(cls, url: str, code: str) -> Seat:
        """Watch a table that allows it."""
        return cls(url, code, None, None)

    def __enter__(self) -> Seat:
        self._connect()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket:
            self._socket.close()

    def _connect(self) -> None:
        parts = urlsplit(self.url)
        address = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/ws"
        until = time.monotonic() + PATIENCE
        pause = 0.05
        hello = {"type": "hello", "table": self.code, "token": self.token, "since": self.seq}
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
            assert self._socket is not None
            try:
                message: dict[str, Any] = json.loads(self._socket.recv(timeout))
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == 1008:
                    raise Refused(
                        "closed", closed.rcvd.reason or "the server closed the connection"
                    ) from None
                self._connect()
                continue
            if message["type"] == "update" and self.seq and message["events"][0]["seq"] != self.seq + 1:
                if message["seq"] > self.seq:
                    self._socket.close()  # a message is missing: reconnect and ask for it
                    self._connect()
                continue
            self._take(message)
            return message

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "refused":
            raise Refused(message["error"], message["text"])
        if message["type"] == "history_changed":  # the server has gone back to a backup
            self.events.clear()
        if message["type"] in ("welcome", "update"):
            self.seq = message["seq"]
            beats = [beat for event in message.get("events", ()) for beat in event["beats"]]
            self.events += [event for beat in beats for event in beat["events"]]
            if "table" in message:  # missed events come without a table; a welcome follows them
                self.table, self.view = message["table"], message["view"]
                self.decision = message["decision"]

    @property
    def names(self) -> list[str]:
        """The names of the players, for `nf.render`."""
        return [seat["name"] for seat in self.table.get("seats", ())]

    def decisions(self) -> Iterator[dict[str, Any]]:
        """Yield each view in which this seat has to decide, until the match is over.

        In games where everyone acts at once, every change at the table gives a new view.
        """
        asked: object = None
        while True:
            if self.table.get("status") in ("over", "closed"):
                return
            view = self.view
            now = (self.decision, self.seq if self.table.get("realtime") else 0)
            sealed = self.seat in self.table.get("sealed", ())
            if view and self.seat in view["actors"] and asked != now and view["move_count"] and not sealed:
                asked = now
                yield view
            else:
                self.listen()

    def play(self, move: str) -> int:
        """Play a move and return the number of its event. Refused says why not."""
        return self.send({"type": "move", "move": move, "decision": self.decision})

    def do(self, what: str) -> int:
        """Send start, restart, pause, resume, leave, back, end, undo or undo_no."""
        return self.send({"type": "do", "what": what})

    def send(self, command: dict[str, Any]) -> int:
        """Send a command until it is answered."""
        text = json.dumps({"id": _random(12), **command})
        wanted = json.loads(text)["id"]
        sent: ClientConnection | None = None
        while True:
            assert self._socket is not None
            if sent is not self._socket:
                sent = self._socket
                try:
                    self._socket.send(text)
                except ConnectionClosed:
                    self._connect()
                    continue
            message = self.listen()
            if message["type"] == "answer" and message["id"] == wanted:
                if not message["ok"]:
                    raise Refused(message["error"], message["text"])
                return int(message["seq"])


def _keys() -> dict[str, str]:
    return {"token": _random(32), "recovery": _random(32)}


def _random(size: int) -> str:
    return secrets.token_urlsafe(size)


def _ask(method: str, url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    request.method = method
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
