"""A client of the load test: someone at a table who thinks, moves and waits for the answer.

It reads as little of each message as it needs, because it shares its cores with what it measures.
"""

from __future__ import annotations

import asyncio
import base64
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgspec

import ninefold as nf


class Choice(msgspec.Struct):
    move: str


class Offer(msgspec.Struct):
    """A button, cards to pick, or a number."""

    kind: str
    move: str = ""
    choices: list[Choice] = []
    verb: str = ""
    low: int = 0
    high: int = 0


class Shown(msgspec.Struct):
    """As much of a view as a client needs to move."""

    offers: list[Offer]


class About(msgspec.Struct):
    status: str


class Heard(msgspec.Struct):
    """As much of a message as a client needs."""

    type: str
    id: str = ""
    ok: bool = True
    error: str = ""
    decision: int | None = None
    view: Shown | None = None
    table: About | None = None


read = msgspec.json.Decoder(Heard).decode


class Wire(asyncio.Protocol):
    """As little of a WebSocket as is needed here: this process shares its cores with what it measures."""

    HELLO = (
        "GET /ws HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )

    def __init__(self, host: str, hear: Callable[[bytes], None]) -> None:
        self.host, self.hear = host, hear
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.unread = bytearray()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        transport.write(self.HELLO.format(self.host, key).encode())

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if not self.opened.done():
            head, end, rest = self.unread.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101 "), head
            self.unread = rest
            self.opened.set_result(None)
        while frame := self._frame():
            kind, content = frame
            if kind == 0x81:
                self.hear(content)
            elif kind == 0x89:  # a ping
                self._send(0x8A, content)

    def _frame(self) -> tuple[int, bytes] | None:
        """The next frame that has come whole; the server sends every message in one."""
        unread, head = self.unread, 2
        if len(unread) < head:
            return None
        size = unread[1]
        if size >= 126:
            head = 4 if size == 126 else 10
            size = int.from_bytes(unread[2:head], "big")
        if len(unread) < head + size:
            return None
        frame = unread[0], bytes(unread[head : head + size])
        del unread[: head + size]
        return frame

    def _send(self, kind: int, content: bytes) -> None:
        """Clients mask what they send; with zeros, that changes nothing."""
        size = len(content)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self.transport.write(bytes([kind]) + length + bytes(4) + content)

    def send(self, message: object) -> None:
        self._send(0x81, msgspec.json.encode(message))

    def close(self) -> None:
        self._send(0x88, b"")
        self.transport.close()


class Client:
    """Someone at a table."""

    def __init__(self, url: str, game: str, think: float, number: int) -> None:
        self.url, self.game, self.think = url, game, think
        self.keys = {"token": secrets.token_urlsafe(32), "recovery": secrets.token_urlsafe(32)}
        self.rng = random.Random(number)
        self.waits: list[tuple[float, float]] = []  # when a command was sent, and how long its answer took
        self.refused = 0
        self.now: Heard | None = None
        self.news = asyncio.Event()
        self.answer: asyncio.Future[Heard] | None = None
        self.wire: Wire

    async def open(self, http: httpx.AsyncClient) -> None:
        body: dict[str, Any] = {
            "game": self.game,
            "id": secrets.token_hex(8),
            "name": "Ann",
            **self.keys,
        }
        facts = nf.make(self.game).facts
        players = max(2, facts.players[0])
        body |= {"players": players, "bots": ["medium"] * (players - 1)}
        body["pace"] = "normal" if facts.realtime else "instant"  # in real time bots never cease to move
        answer = await http.post(f"{self.url}/api/tables", json=body)
        answer.raise_for_status()
        self.code = answer.json()["code"]

    async def connect(self) -> None:
        place = self.url.removeprefix("http://")
        host, _, port = place.partition(":")
        loop = asyncio.get_running_loop()
        _, self.wire = await loop.create_connection(lambda: Wire(place, self.hear), host, int(port))
        await self.wire.opened
        self.wire.send({"type": "hello", "table": self.code, "token": self.keys["token"]})
        await self.news.wait()

    def hear(self, text: bytes) -> None:
        message = read(text)
        if message.type == "answer":
            if self.answer and not self.answer.done():
                self.answer.set_result(message)
        elif message.table is not None:
            self.now = message
            self.news.set()

    async def ask(self, command: dict[str, Any]) -> Heard:
        self.answer = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        self.wire.send({"id": secrets.token_hex(8), **command})
        answer = await asyncio.wait_for(self.answer, 60)
        self.waits.append((begun, time.perf_counter() - begun))
        self.refused += not answer.ok
        return answer

    def choose(self, view: Shown) -> str:
        """Any of the things offered, and then any way of doing it; but nobody claims a win at random."""
        offer = self.rng.choice([one for one in view.offers if not one.move.startswith("claim")])
        if offer.kind == "button":
            return offer.move
        if offer.kind == "number":
            return f"{offer.verb} {self.rng.randint(offer.low, offer.high)}"
        return self.rng.choice(offer.choices).move

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.rng.random() * self.think)
        while time.perf_counter() < until:
            now = self.now
            assert now and now.table
            if now.table.status in ("lobby", "over"):
                await self.ask({"type": "do", "what": "start"})
            elif now.view and now.view.offers:
                await self.ask({"type": "move", "move": self.choose(now.view), "decision": now.decision})
            else:
                self.news.clear()
                try:
                    await asyncio.wait_for(self.news.wait(), 1)
                except TimeoutError:
                    continue
                continue
            await asyncio.sleep(self.rng.expovariate(1 / self.think))
