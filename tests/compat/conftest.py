"""Servers and the command line, on what version 0.1 left."""

from __future__ import annotations

import gzip
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import psycopg
import pytest

from support.v0_1 import (
    KEPT,
    NINEFOLD,
    SHELL,
    WAIT,
    Facts,
    Server,
    Shell,
    kept,
)

SERVERS: dict[str, Facts] = kept("tokens.json")


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a copy of what one of version 0.1 left: stopped, killed, or stopped over PostgreSQL."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "postgres":
        place = ["--database", _load(request.getfixturevalue("postgres"))]
    else:
        place = ["--data", str(folder)]
        name = {"sqlite": "server", "killed": "killed"}[request.param]
        for ending in ("sqlite", "sqlite-wal"):
            if (packed := KEPT / f"{name}.{ending}.gz").exists():
                (folder / f"house.{ending}").write_bytes(gzip.decompress(packed.read_bytes()))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # However long ago it was: tables that nobody has used for months are deleted.
    raised = ("requests", "commands", "expiry")
    limits = [word for name in raised for word in ("--limit", f"{name}=100000000000")]
    command = [*NINEFOLD, "serve", "--port", str(port), *limits, *place]
    log = folder / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    opened = Server(f"http://127.0.0.1:{port}", SERVERS[request.param])
    try:
        end = time.monotonic() + 3 * WAIT
        while not _ready(opened.http):
            assert process.poll() is None and time.monotonic() < end, log.read_text("utf-8")
            time.sleep(0.05)
        opened.look()
        yield opened
    finally:
        opened.http.close()
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(WAIT)
        finally:
            process.kill()
    assert "Traceback" not in log.read_text("utf-8"), log.read_text("utf-8")


def _ready(http: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return http.get("/readyz").status_code == 200
    return False


def _load(postgres: str) -> str:
    """The address of a new database with the dump in it."""
    name = f"server_{secrets.token_hex(4)}"
    head, mark, query = postgres.partition("?")
    address = f"{head.rsplit('/', 1)[0]}/{name}{mark}{query}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(gzip.decompress((KEPT / "server.pg.sql.gz").read_bytes()))
    return address


@pytest.fixture(scope="session")
def ninefold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = tmp_path_factory.mktemp("shell")
    environment = {**os.environ, "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", SHELL]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, env=environment, cwd=folder
    ) as process:
        try:
            yield Shell(process, folder)
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait(WAIT)
