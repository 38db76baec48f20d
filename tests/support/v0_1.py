"""What version 0.1 left, opened: its files, its servers and the command line of today.

What a server's messages look like is known to `Client` and `Server` alone.
"""

from __future__ import annotations

import json
import random
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

KEPT = Path(__file__).parents[1] / "compat" / "v0_1"
WAIT = 60.0  # seconds, on a machine that does something else as well
NINEFOLD = [sys.executable, "-m", "ninefold"]
Facts = dict[str, Any]


def kept(name: str) -> Any:
    return json.loads((KEPT / name).read_text("utf-8"))


class Client:
    """A client of a server, and what it was sent. Only this class knows what messages look like."""

    def __init__(self, url: str, code: str, token: str | None, since: int = 0) -> None:
        address = url.replace("http", "ws", 1) + "/ws"
        self.socket = connect(address, max_size=None, compression=None).__enter__()
        self.refusal = ""  # the error code, if the server refused the connection
        self.numbers: list[int] = []  # of the events that we were sent
        self.facts: Facts = {}  # what was shown on arrival
        self._now: Facts = {}
        self._send({"type": "hello", "table": code, "token": token, "since": since})
        while not self.facts and not self.refusal:
            self._hear(WAIT)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def status(self) -> str:
        return str(self._now["table"]["status"])

    @property
    def seq(self) -> int:
        return int(self._now["seq"])

    @property
    def sealed(self) -> list[int]:
        """The seats whose moves are sealed and pending."""
        return list(self._now["table"]["sealed"])

    @property
    def undo(self) -> object:
        """Whose wish to take a move back is pending."""
        return self._now["table"]["undo"]

    @property
    def choices(self) -> list[str]:
        """The moves of this seat, where one is expected of it."""
        view, seat = self._now["view"], self._now["seat"]
        waits = self.status == "playing" and seat in view["actors"] and seat not in self.sealed
        return list(view["moves"]) if waits else []

    def move(self, move: str) -> bool:
        """Play a move; whether it came in time."""
        error = self.ask({"type": "move", "move": move, "decision": self._now["decision"]})[1]
        assert error in ("", "stale", "illegal", "sealed", "late", "no_match"), error
        return not error

    def do(self, what: str) -> str:
        """Send a command that is not a move; the error code, if it was refused."""
        return self.ask({"type": "do", "what": what})[1]

    def ask(self, message: Facts) -> tuple[int, str]:
        """Send a command: the number of its event, or the word that says why not."""
        sent = {"id": secrets.token_urlsafe(12), **message}
        self._send(sent)
        while True:
            heard = self._hear(WAIT)
            if heard["type"] == "answer" and heard["id"] == sent["id"]:
                return (heard["seq"], "") if heard["ok"] else (0, heard["error"])

    def listen(self, seconds: float) -> None:
        """Take in all that comes, until nothing has come for so long."""
        with suppress(TimeoutError):
            while True:
                self._hear(seconds)

    def catch_up(self, seq: int) -> None:
        """Wait until this many events have been sent."""
        while self.seq < seq:
            self._hear(WAIT)

    def _send(self, message: Facts) -> None:
        self.socket.send(json.dumps(message))

    def _hear(self, seconds: float) -> Facts:
        try:
            heard: Facts = json.loads(self.socket.recv(seconds))
        except ConnectionClosed:
            raise AssertionError("the server has closed the connection") from None
        if heard["type"] == "refused":
            self.refusal = heard["error"]
        self.numbers += [event["seq"] for event in heard.get("events", ())]
        if "table" in heard:
            self._now = {"seat": heard.get("seat", self._now.get("seat")), **heard}
        if heard["type"] == "welcome":
            self.facts = _facts(heard)
        return heard


def _facts(welcome: Facts) -> Facts:
    """What a seat is shown on arrival, without anything that only a surface would know."""
    table, view, seat = welcome["table"], welcome["view"], welcome["seat"]
    of_the_table = ("game", "players", "options", "status", "match", "commitments", "result")
    pending = ("votes", "undo", "sealed")
    found: Facts = {
        "seq": welcome["seq"],
        "seat": seat,
        **{name: table[name] for name in (*of_the_table, *pending)},
        "seats": [[one["kind"], one["name"], one["bot"], one["away"]] for one in table["seats"]],
        "chat": [[word["seat"], word["text"]] for word in welcome["chat"]],
        "view": None,
    }
    if view is not None:
        # Not what the seat has won or laid on the table, and not twice what lies in two places.
        own = [zone for zone in view["zones"] if zone["owner"] == seat and zone["kind"] != "pile"]
        own = [zone for zone in own if not zone["id"].startswith("laid-")]
        cards = [card["card"] for zone in own if "held_in" not in zone for card in zone.get("cards", ())]
        found["view"] = {
            **{name: view[name] for name in ("scores", "actors", "over", "winners", "turn", "move_count")},
            "hand": sorted(card for card in cards if card is not None),
            "moves": view["moves"][:40],
        }
    return found


class Server:
    """A server of this version on what version 0.1 left, and what it showed before anybody did anything."""

    def __init__(self, url: str, left: Facts) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=WAIT, limits=httpx.Limits(max_keepalive_connections=0))
        self.tables: dict[str, Facts] = {table["what"]: table for table in left["tables"]}
        self.season: Facts = left["season"]
        self.shown: dict[tuple[str, int], Facts] = {}
        self.counted: Facts = {}

    def look(self) -> None:
        """Look at everything, from every seat in turn."""
        self.counted = self.results()
        for what, table in self.tables.items():
            for person in self.people(what):
                if "facts" in person:  # not where bots act as soon as somebody is there
                    with Client(self.url, table["code"], person["token"]) as client:
                        self.shown[what, person["seat"]] = client.facts

    def people(self, what: str) -> list[Facts]:
        return list(self.tables[what]["people"])

    def connect(self, what: str, seat: int = 0, since: int = 0) -> Client:
        person = next(one for one in self.people(what) if one["seat"] == seat)
        return Client(self.url, self.tables[what]["code"], person["token"], since)

    @contextmanager
    def connect_all(self, what: str) -> Iterator[list[Client]]:
        """Lines of everybody at a table."""
        found = [self.connect(what, person["seat"]) for person in self.people(what)]
        try:
            yield found
        finally:
            for client in found:
                client.socket.close()

    def get(self, what: str, part: str = "", token: str = "") -> httpx.Response:
        """Something about a table, as its host or somebody else sees it."""
        bearer = token or self.people(what)[0]["token"]
        address = f"/api/tables/{self.tables[what]['code']}{part}"
        return self.http.get(address, headers={"Authorization": f"Bearer {bearer}"})

    def record(self, what: str, match: int | None = None) -> Facts:
        answer = self.get(what, f"/record?match={match}" if match else "/record")
        assert answer.status_code == 200, answer.text
        found: Facts = answer.json()
        return found

    def results(self) -> Facts:
        """The season: its name, who has won how often, and its matches."""
        found = self.http.get(f"/api/seasons/{self.season['code']}").json()
        same = ("game", "names", "people", "scores", "winners")
        matches = [{name: one[name] for name in same} for one in found["matches"]]
        return {**{name: found[name] for name in ("code", "name", "standings")}, "matches": matches}


def catch_up(clients: Sequence[Client]) -> None:
    """Let everybody see what one of them has done."""
    for client in clients:
        client.catch_up(max(one.seq for one in clients))


def go_on(clients: Sequence[Client], most: int) -> int:
    """Let people make any moves, at most this many; how many they made."""
    rng, made, end = random.Random(9), 0, time.monotonic() + WAIT
    while made < most and clients[0].status == "playing":
        assert time.monotonic() < end, "nobody is asked anything any more"
        catch_up(clients)
        asked = [client for client in clients if client.choices]
        if asked and asked[0].move(_any_but_a_claim(asked[0].choices, rng)):
            made += 1
        else:
            clients[0].listen(0.02)  # to what bots do
    return made


def _any_but_a_claim(moves: Sequence[str], rng: random.Random) -> str:
    """A false claim would cost the round."""
    return rng.choice([move for move in moves if not move.startswith("claim")] or moves)


def end_by_agreement(clients: Sequence[Client]) -> None:
    """End a match that is not over yet."""
    for client in clients:
        assert client.do("end") in ("", "no_match")
    catch_up(clients)
    assert clients[0].status == "over"


SHELL = """
import contextlib, io, json, os, runpy, sys

asked, answers = sys.stdin, sys.stdout
for line in asked:
    data, typed, words = json.loads(line)
    os.environ["NINEFOLD_DATA"] = data
    sys.argv, sys.stdin, status = ["ninefold", *words], io.StringIO(typed), 0
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_module("ninefold", run_name="__main__")
        except SystemExit as leaving:
            status = leaving.code or 0
    print(json.dumps([status, out.getvalue(), err.getvalue()]), file=answers, flush=True)
"""


class Shell:
    """The command line, one command after another in one process: the games are loaded only once."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.folder = folder

    def __call__(self, *words: str, typed: str = "", data: Path | None = None) -> str:
        """What a command prints; it has to succeed."""
        assert self.process.stdin and self.process.stdout
        watch = threading.Timer(2 * WAIT, self.process.kill)
        watch.start()
        self.process.stdin.write(json.dumps([str(data or self.folder), typed, words]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        watch.cancel()
        assert answer, f"ninefold {' '.join(words)} has ended without an answer"
        status, out, err = json.loads(answer)
        assert status == 0, (words, out[-500:], err)
        return str(out)

    def verify(self, record: Facts) -> Facts:
        """What `ninefold verify` finds in a record."""
        path = self.folder / "record.json"
        path.write_text(json.dumps(record), "utf-8")
        found: Facts = json.loads(self("verify", str(path), "--json"))
        return found

    def history(self, data: Path) -> dict[str, Facts]:
        rows: list[Facts] = json.loads(self("history", "--json", data=data))
        return {row["name"]: row for row in rows}


def words_of(options: Facts) -> list[str]:
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
