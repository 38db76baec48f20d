"""The server under load: many live tables, each with one client over a socket and medium bots.

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
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import httpx

import ninefold as nf
from load_test.client import Client
from load_test.machine import speed, stolen
from load_test.server import Server


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
        "KiB for a table in play, in all": round((memory[3] - memory[0]) / tables, 1),
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
