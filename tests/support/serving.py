"""Servers for the tests: one in a thread of this process, one as a process of its own, and plain sockets."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ninefold.server.http.handlers import Server
from ninefold.server.http.limits import Limits
from ninefold.server.http.routes import build
from ninefold.server.http.running import configured
from ninefold.server.storage.store import Store, open_store

OPEN_LIMITS = {
    "requests": 1e6,
    "commands": 1e6,
    "tables": 1e5,
    "sockets": 5000,
    "connections": 5000,
    "frames": 1e6,
}
WAIT = 60.0  # seconds, on a machine that does something else as well


def new(size: int = 12) -> str:
    return secrets.token_urlsafe(size)


def keys() -> dict[str, Any]:
    return {"token": new(32), "recovery": new(32)}


def database(postgres: str) -> str:
    """The address of a new, empty database."""
    name = f"server_{secrets.token_hex(4)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    head, mark, query = postgres.partition("?")
    return f"{head.rsplit('/', 1)[0]}/{name}{mark}{query}"


class Running:
    """A server that can be talked to."""

    def __init__(self, url: str, handlers: Server | None = None) -> None:
        self.url = url
        self.handlers: Server = handlers  # type: ignore[assignment]
        # A server that is killed leaves no connection behind that would have to be closed.
        self.http = httpx.Client(base_url=url, timeout=WAIT, limits=httpx.Limits(max_keepalive_connections=0))

    def open(self, game: str = "doubles", **settings: Any) -> Seated:
        seat = keys()
        asked = {"game": game, "id": new(), "name": "Ann", "pace": "instant", "look": 0, **seat, **settings}
        answer = self.http.post("/api/tables", json=asked)
        assert answer.status_code == 201, answer.text
        return Seated(self, answer.json()["code"], answer.json()["seat"], asked)

    def join(self, code: str, name: str = "Bob", **settings: Any) -> Seated:
        asked = {"id": new(), "name": name, **keys(), **settings}
        answer = self.http.post(f"/api/tables/{code}/join", json=asked)
        assert answer.status_code == 200, answer.text
        return Seated(self, code, answer.json()["seat"], asked)

    def connect(self, code: str, token: str | None = None, since: int = 0) -> Client:
        return Client(self.url, code, token, since)


class Seated:
    """Someone with a seat."""

    def __init__(self, server: Running, code: str, seat: int, asked: dict[str, Any]) -> None:
        self.server, self.code, self.seat, self.asked = server, code, seat, asked
        self.token: str = asked["token"]

    def connect(self, since: int = 0) -> Client:
        return Client(self.server.url, self.code, self.token, since)

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Client:
    """A client of a server, and everything that it was sent."""

    def __init__(self, url: str, code: str, token: str | None, since: int = 0, **extra: Any) -> None:
        address = url.replace("http", "ws", 1) + "/ws"
        self.socket = connect(address, max_size=None, compression=None, **extra).__enter__()
        self.heard: list[dict[str, Any]] = []
        self.raw: list[str] = []
        if code:
            self.say({"type": "hello", "table": code, "token": token, "since": since})

    def __enter__(self) -> Client:
        self.until(lambda one: one["type"] == "welcome")
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, timeout: float = WAIT) -> dict[str, Any]:
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.raw.append(text)
        self.heard.append(json.loads(text))
        return self.heard[-1]

    def until(self, wanted: Callable[[dict[str, Any]], bool], timeout: float = WAIT) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while True:
            message = self.hear(max(0.01, end - time.monotonic()))
            if wanted(message):
                return message

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        message = {"id": new(), **message}
        self.say(message)
        return self.until(lambda one: one["type"] == "answer" and one["id"] == message["id"])

    def do(self, what: str) -> dict[str, Any]:
        return self.ask({"type": "do", "what": what})

    def ended(self) -> tuple[int, str]:
        """How the server closed the connection."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")

    @property
    def now(self) -> dict[str, Any]:
        """The last thing that showed the table."""
        return next(one for one in reversed(self.heard) if "table" in one)

    @property
    def updates(self) -> list[dict[str, Any]]:
        return [one for one in self.heard if one["type"] == "update"]

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that happened, as it was told."""
        return [event for one in self.updates for event in one["events"]]

    def until_event(self, kind: str) -> dict[str, Any]:
        """The next message that tells of such an event."""
        return self.until(lambda one: any(event["kind"] == kind for event in one.get("events", ())))

    def my_turn(self) -> bool:
        now = self.now
        return bool(now["view"] and now["table"]["status"] == "playing" and now["view"]["move_count"])

    def play_out(self, choose: Callable[[dict[str, Any]], str], most: int = 10_000) -> int:
        """Play until the match is over; how many moves were taken."""
        moves = 0
        while self.now["table"]["status"] == "playing" and moves < most:
            now = self.now
            if self.my_turn() and now["table"]["status"] == "playing":
                wanted = {"type": "move", "move": choose(now["view"]), "decision": now["decision"]}
                answer = self.ask(wanted)
                moves += answer["ok"]
                assert answer["ok"] or answer["error"] in ("stale", "illegal", "no_match"), answer
                if not answer["ok"] and self.now is now:
                    self.hear()
            else:
                self.hear()
        return moves


@contextmanager
def serving(
    data: Path | Store, database_url: str | None = None, buffer: int = 0, **limits: Any
) -> Iterator[Running]:
    """A server in a thread of this process; `buffer` is what the system keeps for a slow reader."""
    store = data if isinstance(data, Store) else open_store(data, database_url)
    app = build(store, Limits(**{**OPEN_LIMITS, **limits}))
    config = configured(app, "127.0.0.1", 0)
    listening = config.bind_socket()
    if buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    running = Running(f"http://127.0.0.1:{listening.getsockname()[1]}", app.state.server)
    try:
        end = time.monotonic() + WAIT
        while not server.started:
            assert thread.is_alive() and time.monotonic() < end
            time.sleep(0.01)
        yield running
    finally:
        running.http.close()
        server.should_exit = True
        thread.join(WAIT)
        listening.close()
        assert not thread.is_alive()


class Process(Running):
    """A server as a process of its own, which can be killed."""

    def __init__(self, *arguments: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.arguments = arguments
        super().__init__(f"http://127.0.0.1:{self.port}")
        self.process: subprocess.Popen[bytes] | None = None
        self.log = b""

    def start(self) -> Process:
        limits = [word for name, number in OPEN_LIMITS.items() for word in ("--limit", f"{name}={number:g}")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ninefold", "serve", "--port", str(self.port), *limits, *self.arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=os.environ,
        )
        return self

    def wait(self) -> Process:
        assert self.process
        end = time.monotonic() + 3 * WAIT
        while time.monotonic() < end:
            with suppress(httpx.TransportError):
                if self.http.get("/readyz").status_code == 200:
                    return self
            assert self.process.poll() is None, self.stop()
            time.sleep(0.05)
        raise AssertionError("the server does not open")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it; what it logged."""
        assert self.process
        if self.process.poll() is None:
            self.process.send_signal(how)
        _, log = self.process.communicate(timeout=WAIT)
        return log.decode()


def eventually(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def free_port() -> int:
    """A port that the system gives to nobody else: a server that was killed has to get it again."""
    while True:
        with socket.socket() as probe, suppress(OSError):
            port = secrets.choice(range(20_000, 32_000))
            probe.bind(("127.0.0.1", port))
            return port
