"""The house under load: many live tables, each with one client over a socket and medium bots.

    python bench/load.py
    python bench/load.py --processes 1
    python bench/load.py --postgres --processes 4

The server runs as users run it, with every commit waiting for the disk; only its limits for each address are
raised, because all clients come from one. This process is the load generator, on the same machine. A client
thinks for a while (the more clients, the longer, so that all together ask for `--rate` commands a second),
moves, and waits for the answer, which comes when the move is stored. Since waiting takes time, too, a little
less than `--rate` comes. How long a loop in Python takes, before and after, tells what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec

import ninefold as nf

LIMITS = {"requests": 1e9, "commands": 1e6, "tables": 1e6, "sockets": 1e6}


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
        """The next frame that has come whole; the house sends every message in one."""
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
    """Somebody at a table."""

    def __init__(self, url: str, game: str, think: float, number: int) -> None:
        self.url, self.game, self.think = url, game, think
        self.keys = {"token": secrets.token_urlsafe(32), "recovery": secrets.token_urlsafe(32)}
        self.luck = random.Random(number)
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
        offer = self.luck.choice([one for one in view.offers if not one.move.startswith("claim")])
        if offer.kind == "button":
            return offer.move
        if offer.kind == "number":
            return f"{offer.verb} {self.luck.randint(offer.low, offer.high)}"
        return self.luck.choice(offer.choices).move

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.luck.random() * self.think)
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
            await asyncio.sleep(self.luck.expovariate(1 / self.think))


def speed() -> float:
    """Milliseconds for some work in Python, at best: how fast the machine is just now."""

    def once() -> float:
        begun, texts = time.perf_counter(), {}
        for number in range(400_000):
            texts[number % 100] = str(number) + "x"
        return time.perf_counter() - begun

    return 1000 * min(once() for _ in range(3))


def stolen() -> float:
    """Seconds of processor time so far that this machine wanted and others got, where it is a virtual one."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


class Server:
    """A server process of the house."""

    def __init__(self, arguments: Sequence[str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        limits = [word for name, number in LIMITS.items() for word in ("--limit", f"{name}={number:g}")]
        command = [sys.executable, "-m", "ninefold", "serve", "--port", str(self.port), *limits, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def wait(self) -> None:
        for _ in range(600):
            try:
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise SystemExit("the house does not open")

    def figures(self) -> dict[str, float]:
        lines = httpx.get(f"{self.url}/metrics").text.split("\n")
        return {name: float(value) for name, _, value in (line.partition(" ") for line in lines) if value}

    @property
    def pids(self) -> list[int]:
        """Its processes, of which there may be several."""
        pid = self.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    @property
    def memory(self) -> float:
        """Resident, in KiB; what processes share is counted for each of them."""
        status = "".join(Path(f"/proc/{pid}/status").read_text() for pid in self.pids)
        return sum(float(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in self.pids]
        return sum(int(words[11]) + int(words[12]) for words in stats) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)


async def run(
    server: Server, games: Sequence[str], tables: int, rate: float, seconds: float, warm: float
) -> dict[str, Any]:
    think = tables / rate
    clients = [Client(server.url, games[at % len(games)], think, at) for at in range(tables)]
    memory = [server.memory]
    gate = asyncio.Semaphore(20)

    async def each(doing: Any) -> None:
        async with gate:
            await doing

    async with httpx.AsyncClient(timeout=60) as http:
        await asyncio.gather(*(each(client.open(http)) for client in clients[: 2 * len(games)]))
        memory[0] = server.memory  # the games are loaded
        await asyncio.gather(*(each(client.open(http)) for client in clients[2 * len(games) :]))
    memory.append(server.memory)
    await asyncio.gather(*(each(client.connect()) for client in clients))
    memory.append(server.memory)
    begun = time.perf_counter()
    counted = begun + warm
    until = counted + seconds
    work = [asyncio.create_task(client.play(until)) for client in clients]
    await asyncio.sleep(warm)
    cpu, own, others = server.cpu, time.process_time(), stolen()
    await asyncio.sleep(max(0.0, until - time.perf_counter()))
    cpu, own, others = server.cpu - cpu, time.process_time() - own, stolen() - others
    memory.append(server.memory)
    await asyncio.gather(*work)
    waits = sorted(wait for client in clients for sent, wait in client.waits if counted <= sent < until)
    for client in clients:
        client.wire.close()
    return {
        "tables": tables,
        "commands a second": round(len(waits) / seconds, 1),
        "refused": sum(client.refused for client in clients),
        "p50 ms": round(1000 * waits[len(waits) // 2], 1),
        "p99 ms": round(1000 * waits[len(waits) * 99 // 100], 1),
        "largest ms": round(1000 * waits[-1], 1),
        "server's processors": round(cpu / seconds, 2),
        "generator's processor": round(own / seconds, 2),
        "processors others took": round(others / seconds, 2),
        "KiB for an idle table": round((memory[1] - memory[0]) / (tables - 2 * len(games)), 1),
        "KiB for a socket": round((memory[2] - memory[1]) / tables, 1),
        "KiB for a table in play, all told": round((memory[3] - memory[0]) / tables, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument(
        "--rate", type=float, default=525.0, help="commands a second that all clients ask for"
    )
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--warm", type=float, default=8.0, help="seconds before anything is counted")
    parser.add_argument("--games", nargs="*", default=nf.games())
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL started for this, not SQLite")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        arguments = ["--data", folder]
        if given.postgres:
            from importlib import import_module

            database = import_module("pgserver").get_server(f"{folder}/postgres", cleanup_mode="stop")
            stack.callback(database.cleanup)
            arguments = ["--database", database.get_uri()]
        arguments += ["--processes", str(given.processes)]
        before = speed()
        server = Server(arguments)
        stack.callback(server.stop)
        server.wait()
        time.sleep(5)  # until all of its processes have their games
        found = asyncio.run(run(server, given.games, given.tables, given.rate, given.seconds, given.warm))
        found["a loop in Python, ms, before"] = round(before, 1)
        found["a loop in Python, ms, after"] = round(speed(), 1)
        for name, value in found.items():
            print(f"{name:36}{value:>12}")


if __name__ == "__main__":
    main()
