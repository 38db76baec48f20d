"""What version 0.1 wrote, promised and drew still holds: seeds, records, saved matches, cards, databases.

Everything in `v0_1/` was made by version 0.1 itself, through its own commands and a server that people were
playing at when it was stopped. These tests go through public doors only: the library, the command line, HTTP
and sockets. What a server's messages look like is known to `Line` and `Server` alone.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import ninefold as nf
from ninefold.engine.records import digest

KEPT = Path(__file__).parent / "v0_1"
WAIT = 60.0  # seconds, on a machine that does something else as well
NINEFOLD = [sys.executable, "-m", "ninefold"]
Facts = dict[str, Any]


def kept(name: str) -> Any:
    return json.loads((KEPT / name).read_text("utf-8"))


SEEDS: Facts = kept("seeds.json")
RECORDS: dict[str, Facts] = kept("records/expected.json")
SAVES: dict[str, dict[str, Facts]] = kept("saves/expected.json")
SERVERS: dict[str, Facts] = kept("tokens.json")
UNFINISHED = [name for name, match in SAVES["matches"].items() if not match["over"]]


# What a server is told and what it says


class Client:
    """A client of a server, and what it was sent. Only this class knows what messages look like."""

    def __init__(self, url: str, code: str, token: str | None, since: int = 0) -> None:
        address = url.replace("http", "ws", 1) + "/ws"
        self.socket = connect(address, max_size=None, compression=None).__enter__()
        self.refusal = ""  # the error code, if the server refused the connection
        self.numbers: list[int] = []  # of the events that we were told
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


# The command line

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


@pytest.fixture(scope="module")
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


def words_of(options: Facts) -> list[str]:
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]


# Seeds


def same(found: Any, wanted: Any) -> bool:
    """Equal, but for the last digits of a sum of fractions."""
    if isinstance(wanted, dict):
        return set(found) == set(wanted) and all(same(found[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(found == wanted)


CHANGED = {  # bots that play differently now
    "doubles": {"easy", "medium", "hard"},
    "holdem9": {"hard"},
    "nine_of_a_kind": {"easy", "medium", "hard"},
}


def of(part: str, game: str) -> list[Facts]:
    """What version 0.1 found, without bots that have changed since."""
    found = [one for one in SEEDS[part] if one["game"] == game]
    asked = [one["asked"] if part == "simulations" else one for one in found]
    bots = [set(one.get("bots", ())) for one in asked]
    return [one for one, seated in zip(found, bots, strict=True) if not seated & CHANGED.get(game, set())]


def test_games_bots_and_options_are_still_there(ninefold: Shell) -> None:
    now = {game["name"]: game for game in json.loads(ninefold("games", "--json"))}
    for game in SEEDS["catalogue"]:
        found = now[game["name"]]
        assert found["version"] == game["version"] and found["players"] == game["players"]
        assert {bot["name"] for bot in found["bots"]} >= set(game["bots"])
        options = {option["name"]: option["default"] for option in found["options"]}
        assert {name: options.get(name) for name in game["options"]} == game["options"]


@pytest.mark.parametrize("game", nf.games())
def test_a_simulation_of_a_seed(game: str) -> None:
    for one in of("simulations", game):
        asked = dict(one["asked"])
        options = asked.pop("options")
        result = json.loads(nf.simulate(game, **asked, threads=1, **options).json())
        assert same({name: result[name] for name in one["found"]}, one["found"]), one["asked"]


@pytest.mark.parametrize("game", nf.games())
def test_a_match_of_bots_of_a_seed(ninefold: Shell, game: str) -> None:
    for one in of("matches", game):
        words = ["--bots", ",".join(one["bots"]), "--seed", str(one["seed"]), *words_of(one["options"])]
        ninefold("demo", game, *words, "--record", "demo.json")
        record = json.loads((ninefold.folder / "demo.json").read_text("utf-8"))
        assert len(record["moves"]) == one["moves"], words
        del record["names"]  # it had none
        assert {**{name: record[name] for name in ("scores", "winners")}, "digest": digest(record)} == {
            name: one[name] for name in ("scores", "winners", "digest")
        }


@pytest.mark.parametrize("game", nf.games())
def test_a_match_of_a_seed_move_by_move(game: str) -> None:
    """Moves chosen by their places: they come in the same order, and chance brings the same."""
    for one in of("walks", game):
        state = nf.make(game, players=one["players"]).start(seed=one["seed"])
        source = random.Random(one["seed"])
        decisions = 0
        while not state.over and decisions < one["most"]:
            seat = state.actors[source.randrange(len(state.actors))]
            moves = state.moves(seat)
            state.play(seat, moves[source.randrange(len(moves))])
            decisions += 1
        assert (decisions, state.over, state.scores) == (one["decisions"], one["over"], one["scores"])
        assert state.record()["digest"] == one["digest"]


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "nine_of_a_kind"])
def test_a_bot_in_python_of_a_seed(game: str) -> None:
    """It is asked in the same positions, and its random numbers are the same.

    The others are `medium`, which plays 9 of a Kind differently now.
    """
    (one,) = of("guests", game)
    seen = hashlib.sha256()

    def guest(_: Any, moves: Sequence[str], rng: random.Random) -> str:
        move = moves[rng.randrange(len(moves))]
        seen.update(f"{len(moves)} {move}\n".encode())
        return move

    asked = {name: one[name] for name in ("games", "seed", "limit", "players")}
    result = nf.simulate(game, [guest, "medium"], **asked, **one["options"])
    assert seen.hexdigest() == one["asked"]
    assert result.unfinished == one["unfinished"] and same(list(result.wins), one["wins"])


# Records


def record_of(name: str) -> Facts:
    found: Facts = json.loads(gzip.decompress((KEPT / "records" / f"{name}.json.gz").read_bytes()))
    return found


def test_there_are_records_of_all_kinds() -> None:
    for game in nf.games():
        kinds = {"finished", "unfinished", "proof", "pulse" if game == "nine_of_a_kind" else "undone"}
        assert {f"{game}-{kind}" for kind in kinds} <= set(RECORDS)
    for name in (name for name in RECORDS if name.endswith("-undone")):
        assert len(record_of(name)["fair"]["asides"]) > 1  # the first is how everybody sat down


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_replayed(ninefold: Shell, name: str) -> None:
    record, wanted = record_of(name), RECORDS[name]
    state = nf.replay(record)
    assert (state.over, state.scores, state.winners) == tuple(
        wanted[part] for part in ("over", "scores", "winners")
    )
    assert list(state.actors) == wanted["actors"]
    if "fair" not in record:
        assert state.record()["digest"] == record["digest"]
    if not state.over:
        assert state.turns == wanted["turns"] and list(state.moves(state.actors[0])[:40]) == wanted["moves"]
        for _ in range(5):  # it goes on
            if not state.over:
                state.play(state.actors[0], state.moves(state.actors[0])[0])
    path = ninefold.folder / "replayed.json"
    path.write_text(json.dumps(record), "utf-8")
    told = json.loads(ninefold("replay", str(path), "--json"))
    assert {part: told[part] for part in ("over", "scores", "winners")} == {
        part: wanted[part] for part in ("over", "scores", "winners")
    }


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_verified(ninefold: Shell, name: str) -> None:
    assert ninefold.verify(record_of(name)) == RECORDS[name]["verdict"]


def test_a_record_is_verified_by_a_command_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record_of("holdem9-undone")), "utf-8")
    done = subprocess.run([*NINEFOLD, "verify", str(path)], capture_output=True, text=True, timeout=WAIT)
    assert done.returncode == 0 and done.stdout and not done.stderr


# Saved matches and score cards


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """A copy of a data folder of version 0.1."""
    return Path(shutil.copytree(KEPT / "saves", tmp_path / "data"))


def test_history_lists_old_matches(ninefold: Shell, saves: Path) -> None:
    found = ninefold.history(saves)
    assert set(found) == set(SAVES["matches"])
    for name, wanted in SAVES["matches"].items():
        for part in ("game", "begun", "seats", "over", "scores", "winners", "steps"):
            assert found[name][part] == wanted[part], name
    done = subprocess.run(
        [*NINEFOLD, "history"],
        capture_output=True,
        text=True,
        timeout=WAIT,
        env={**os.environ, "NINEFOLD_DATA": str(saves)},
    )
    assert done.returncode == 0 and not done.stderr and all(name in done.stdout for name in found)


def test_old_matches_are_replayed(ninefold: Shell, saves: Path) -> None:
    for name, wanted in SAVES["matches"].items():
        told = json.loads(ninefold("replay", name, "--json", data=saves))
        assert told["scores"] == wanted["standing"] and told["over"] == wanted["over"], name
        assert told["winners"] == wanted["winners"] and told["events"], name


FORCED = {"2026-11-16-multiple9-2": 22}  # steps after an undo, or more: forced moves play on, with new luck


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_old_match_goes_on(ninefold: Shell, saves: Path, name: str) -> None:
    """A move is taken back where one can be, and then the match is played to its end.

    A move that was forced is not taken back alone, as it was by 0.1: it would only be played again.
    """
    ninefold("play", "--resume", name, "--plain", typed="undo\nquit\n", data=saves)
    steps, before = ninefold.history(saves)[name]["steps"], SAVES["matches"][name]["steps_after_undo"]
    assert steps >= FORCED[name] if name in FORCED else steps == before
    ninefold("play", "--resume", name, "--plain", typed="1\n2\n1\n" * 1000, data=saves)
    found = ninefold.history(saves)[name]
    assert found["over"] and found["steps"] > SAVES["matches"][name]["steps_after_undo"]
    told = json.loads(ninefold("replay", name, "--json", data=saves))
    assert told["over"] and told["scores"] == found["scores"] and told["winners"] == found["winners"]


def test_an_old_match_is_played_on_from_a_step(ninefold: Shell, saves: Path) -> None:
    name = next(name for name, match in SAVES["matches"].items() if match["over"])
    ninefold("replay", name, "--fork", "20", "--plain", typed="quit\n", data=saves)
    found = ninefold.history(saves)
    (fork,) = set(found) - set(SAVES["matches"])
    assert found[fork]["game"] == found[name]["game"] and found[fork]["steps"] >= 20


def test_an_old_score_card_goes_on(ninefold: Shell, saves: Path) -> None:
    (name,) = SAVES["cards"]
    assert name in ninefold("score", "--list", data=saves)

    def exported() -> Facts:
        found: Facts = json.loads(ninefold("score", "--resume", name, "--export", "json", "-", data=saves))
        return found

    before = exported()
    assert before == SAVES["cards"][name]
    ninefold("score", "--resume", name, typed="ann\nbob\nuncle\n", data=saves)  # all that are in cash out
    had = {row["player"]: row for row in before["players"]}
    for row in exported()["players"]:
        gain = 166 if row["player"] != "Zoë" else 0  # who came in the middle of the round
        assert row["score"] == had[row["player"]]["score"] + gain
        assert row["rounds"] == [*had[row["player"]]["rounds"], gain or None]
    ninefold("score", "--resume", name, typed="undo\nundo\nundo\n", data=saves)
    assert exported() == before


# Servers

# In one order, so that a server is started once for all tests that want it.
WHOLE = pytest.mark.parametrize("server", ["sqlite", "postgres"], indirect=True, scope="module")
ANY = pytest.mark.parametrize("server", ["sqlite", "postgres", "killed"], indirect=True, scope="module")


@ANY
def test_every_table_is_shown_as_it_was(server: Server) -> None:
    for what in server.tables:
        for person in server.people(what):
            if "facts" in person:
                now, then = server.shown[what, person["seat"]], person["facts"]
                if then["game"] == "nine_of_a_kind":  # its turns would tell what others do in secret
                    then["view"]["turn"] = 0
                assert now == then, what


@ANY
def test_a_command_sent_again_is_answered_as_before(server: Server) -> None:
    """It was carried out by version 0.1, and is not carried out again."""
    for what, table in server.tables.items():
        for sent in table.get("sent", ()):
            with server.connect(what, sent["seat"]) as client:
                before = client.seq
                assert client.ask(sent["message"]) == (sent["seq"], ""), what
                assert client.seq == before
        if "opening" in table:
            answer = server.http.post("/api/tables", json=table["opening"]).json()
            assert (answer["code"], answer["seat"]) == (table["code"], 0)
        if "joining" in table:
            answer = server.http.post(f"/api/tables/{table['code']}/join", json=table["joining"]).json()
            assert answer["seat"] == 1


@WHOLE
def test_keys_open_what_they_opened(server: Server) -> None:
    for what in server.tables:
        for person in server.people(what):
            for key in ("token", "recovery"):
                assert server.get(what, "/seat", person[key]).json()["seat"] == person["seat"]
    gone = server.tables["in the lobby"]["former"]
    assert server.get("in the lobby", "/seat", gone["token"]).status_code == 403
    with Client(server.url, server.tables["in the lobby"]["code"], gone["token"]) as client:
        assert client.refusal == "bad_token"


@WHOLE
def test_spectators_may_watch_where_they_might(server: Server) -> None:
    with Client(server.url, server.tables["baseball in play"]["code"], None) as client:
        assert client.facts["seat"] is None and client.facts["view"]["move_count"] == 0
    with Client(server.url, server.tables["doubles in play"]["code"], None) as client:
        assert client.refusal == "no_spectators"
    assert server.http.get("/api/tables").json()["tables"] == [server.tables["in the lobby"]["code"]]


@ANY
def test_what_was_missed_is_told(server: Server) -> None:
    for what in server.tables:
        with server.connect(what, since=3) as client:
            assert client.numbers[: client.facts["seq"] - 3] == list(range(4, client.facts["seq"] + 1)), what


@ANY
def test_matches_go_on_and_are_proved(server: Server, ninefold: Shell) -> None:
    """Their draws were promised by version 0.1, and some of them are made only now."""
    for what in server.tables:
        if "in play" not in what:
            continue
        with server.connect_all(what) as clients:
            made = go_on(clients, 8)
            assert made, what
            end_by_agreement(clients)
        record, shown = server.record(what), server.people(what)[0]["facts"]
        assert record["fair"]["commitments"][: len(shown["commitments"])] == shown["commitments"], what
        verdict = ninefold.verify(record)
        sheet = nf.make(shown["game"]).facts
        shortened = sheet.hidden and not sheet.redacts  # the deal that was cut off stays secret
        assert verdict["proved"] and (shortened or verdict["moves"] >= made), what
        # Cards that were folded stay unshown.
        assert verdict["checked"] == verdict["draws"] or shown["game"] == "holdem9", what


@WHOLE
def test_sealed_moves_are_opened(server: Server, ninefold: Shell) -> None:
    what = "moves sealed"
    with server.connect_all(what) as clients:
        assert clients[2].sealed == [0, 1, 3, 4] and not clients[0].choices and clients[2].choices
        assert not clients[0].move("wait")  # one is sealed already
        before = clients[2].seq
        assert clients[2].move(clients[2].choices[0])
        catch_up(clients)
        assert not {0, 1, 2} & set(clients[2].sealed) and clients[2].seq > before + 3
        go_on(clients, 6)
        end_by_agreement(clients)
    verdict = ninefold.verify(server.record(what))
    assert verdict["proved"] and verdict["checked"] == verdict["draws"]


@WHOLE
def test_an_undo_is_agreed_to(server: Server, ninefold: Shell) -> None:
    what = "an undo is asked for"
    with server.connect_all(what) as clients:
        assert clients[0].undo and clients[0].do("undo") == ""
        catch_up(clients)
        assert clients[0].undo is None
        assert clients[1].choices and not clients[0].choices  # the player who took it back decides again
        assert go_on(clients, 6)
        end_by_agreement(clients)
    record = server.record(what)
    assert len(record["fair"]["asides"]) > 2  # this one, the one before, and how they sat down
    assert ninefold.verify(record)["proved"]


@WHOLE
def test_a_paused_match_is_resumed(server: Server, ninefold: Shell) -> None:
    with server.connect_all("paused") as clients:
        assert clients[0].status == "paused" and clients[1].do("resume") == "not_host"
        assert clients[0].do("resume") == "" and clients[0].status == "playing"
        assert go_on(clients, 6)
        end_by_agreement(clients)
    assert ninefold.verify(server.record("paused"))["proved"]


@WHOLE
def test_a_vote_to_end_the_match_still_counts(server: Server) -> None:
    with server.connect_all("somebody wants to end it") as clients:
        assert clients[0].do("end") == "" and clients[0].status == "playing"
        assert clients[2].do("end") == "" and clients[2].status == "over"


@WHOLE
def test_a_match_begins_in_the_lobby(server: Server) -> None:
    with server.connect_all("in the lobby") as clients:
        assert clients[1].do("start") == "not_host"
        assert clients[0].do("start") == ""
        assert go_on(clients, 4)


@WHOLE
def test_what_is_over_is_proved(server: Server, ninefold: Shell) -> None:
    for what, table in server.tables.items():
        for number, kept_digest in enumerate(table.get("records", ()), 1):
            record = server.record(what, number)
            cut_off = what == "ended early"  # its last deal stays secret now
            assert cut_off or record["digest"] == kept_digest, what
            verdict = ninefold.verify(record)
            assert verdict["proved"] and verdict["checked"] == verdict["draws"]
            assert server.get(what, f"/replay?match={number}").json()["total"] > 1


@WHOLE
def test_a_season_goes_on(server: Server, ninefold: Shell) -> None:
    assert server.counted == server.season
    with server.connect_all("over") as clients:
        assert clients[0].do("start") == ""
        assert go_on(clients, 1000)
        assert clients[0].status == "over"
    assert ninefold.verify(server.record("over"))["proved"]
    now, had = server.results(), len(server.season["matches"])
    assert len(now["matches"]) > had and now["matches"][-had:] == server.season["matches"]
    played = sum(row["played"] for row in now["standings"])
    every = server.http.get(f"/api/seasons/{server.season['code']}").json()["matches"]
    whole = [match for match in every if not match["unfinished"]]  # 0.1 counted matches cut short, too
    assert played == sum(sum(match["people"]) for match in whole)
