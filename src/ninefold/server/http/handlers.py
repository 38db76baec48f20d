"""Handlers of HTTP requests and sockets: who may ask what, how often, and what is answered. Knows no game."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
from fastapi import Request, Response, WebSocket, WebSocketDisconnect

from ninefold import __version__
from ninefold.engine import lessons, registry
from ninefold.kernel.errors import NinefoldError, RecordError
from ninefold.model.cast import cast_sheets
from ninefold.model.howto import RulesPage, read_howto
from ninefold.model.lessons import LessonMove
from ninefold.server.http import metrics, pages, previews
from ninefold.server.http.arriving import within
from ninefold.server.http.codes import Codes
from ninefold.server.http.histories import Histories
from ninefold.server.http.limits import Buckets, Limits, SharedBuckets, network
from ninefold.server.http.logs import request_id
from ninefold.server.http.metrics import Histogram
from ninefold.server.http.origins import from_own_page, local_name
from ninefold.server.http.protocols import ConnectionLimiter
from ninefold.server.http.public_jobs import PublicJobs
from ninefold.server.http.scorecard import add_up
from ninefold.server.runtime.budget import Bucket
from ninefold.server.runtime.connections import Connection
from ninefold.server.runtime.expiry import Expiry
from ninefold.server.runtime.session import TableSession
from ninefold.server.runtime.tables import Tables
from ninefold.server.storage.store import Gone, Store, Unavailable
from ninefold.server.storage.tally import Tally
from ninefold.server.tables import outbound, replays, seasons
from ninefold.server.tables.messages import (
    LARGEST,
    VERSION,
    Answer,
    Asked,
    Command,
    GameList,
    Hello,
    Hint,
    Joining,
    Opening,
    Ping,
    Pong,
    React,
    Refused,
    Season,
    SeatTaken,
    Sheet,
    decode,
    encode,
)
from ninefold.server.tables.names import clean_words
from ninefold.server.tables.outbound import LONGEST, refusal_text
from ninefold.server.tables.reading import Unreadable, read
from ninefold.server.tables.table import CLOSED, HOST, OVER, Refusal

log = logging.getLogger("ninefold.server")
Wanted = TypeVar("Wanted")

STATUS = {
    **dict.fromkeys(
        ("bad_token", "no_spectators", "not_host", "removed", "locked", "declined", "bad_key"), 403
    ),
    **dict.fromkeys(("no_table", "no_file", "no_season", "no_match"), 404),
    **dict.fromkeys(("running", "id_reused", "full", "taken"), 409),
    "too_long": 413,
    "too_slow": 408,
    "too_many": 429,
    "busy": 503,
    "damaged": 503,
}
PONG = encode(Pong())
CODE = re.compile("[A-Z0-9]{4,16}")
LOCAL = ("127.0.0.1", "::1", "testclient")
CHECKED = 1.0  # seconds for which the answer to "ready?" holds


class Server:
    """All handlers, and what they share."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self.tables = Tables(store)
        self.limits = limits or Limits()
        self.expiry = Expiry(self.tables, self.limits.expiry)
        self.figures: Counter[str] = Counter()
        self.sockets: Counter[str] = Counter()
        self.stopping = False
        people = self.limits.people
        self._requests = SharedBuckets(self.limits.requests, 5 * self.limits.requests, people)
        self._openings = SharedBuckets(self.limits.tables, 3600 * self.limits.tables, people)
        self._failures = Buckets(self.limits.failures, 20)
        self._cards = PublicJobs("score cards", self.limits.cards, people)
        self._lessons = PublicJobs("lessons", self.limits.lessons, people)
        self._hints = PublicJobs("hints", self.limits.hints, people)
        self.tally = Tally()
        self.codes = Codes(self.tables, self.limits.misses, self.tally)
        self.unanswered = Tally(logging.WARNING)  # by why
        self.histories = Histories(store, self.tally)
        self.limiter = ConnectionLimiter(self.limits, self.tally.note)
        self._answers = Histogram()
        self._checking: asyncio.Future[None] | None = None
        self._checked = 0.0

    # HTTP

    def turned_away(self, request: Request) -> Response | None:
        """An answer for a client that may not ask at all, or asks too often."""
        own = from_own_page(request.scope)
        if request.method not in ("GET", "HEAD") and not own:
            return in_json({"error": "origin", "text": "requests from other pages are not accepted"}, 403)
        address = network(_address(request))
        if pages.is_page(request):  # with which no browser sends a word of its own
            enough = self._requests.take_together(address)
        else:
            enough = self._requests.take(address, _person(request))
        if not enough:
            self.tally.note("too many requests", _address(request))
            return in_json({"error": "too_many", "text": "too many requests; wait a moment"}, 429)
        return None

    def refused(self, error: NinefoldError) -> Response:
        """A refusal as an answer: a code for programs, a sentence for people."""
        code = _code_of(error)
        if code in ("busy", "damaged"):
            self.unanswered.note(str(error))
        return in_json({"error": code, "text": str(error)[:LONGEST]}, STATUS.get(code, 400))

    async def body(self, request: Request, kind: type[Wanted]) -> Wanted:
        """A request's content; Refusal where it is too long or not what is wanted."""
        try:
            content = await within(self.limits.head, _content(request, self.limits.body))
        except TimeoutError:
            raise Refusal("too_slow", "the request took too long to arrive; try again") from None
        return read(content, msgspec.json.Decoder(kind))

    async def open_table(self, request: Request) -> Response:
        if not self._openings.take(network(_address(request)), _person(request)):
            raise Refusal("too_many", "too many tables; wait a while before the next")
        session = await self.tables.open_table(await self.body(request, Opening))
        return in_json(SeatTaken(session.code, HOST, f"/t/{session.code}"), 201)

    async def join(self, request: Request) -> Response:
        joining = await self.body(request, Joining)
        session = await self._found(request, joining.token)
        if await session.sit(joining):
            return in_json(Asked(session.code, True), 202)
        seat, _ = await self.tables.seat_of(session, joining.token)
        assert seat is not None
        return in_json(SeatTaken(session.code, seat, f"/t/{session.code}"))

    async def show(self, request: Request) -> Response:
        session = await self._found(request)
        here = {"code": session.code, "waiting_for": session.table.awaited()}
        return in_json(here | msgspec.structs.asdict(session.table.public()))

    async def table_page(self, request: Request) -> Response:
        """The page of a table. If something is wrong with its code, the page says so by itself."""
        with suppress(NinefoldError):
            session = await self._found(request)
            return pages.shell(request, previews.of_table(request, session.code, session.table.public()))
        return await pages.page(request)

    async def recover(self, request: Request) -> Response:
        """Which seat a recovery key opens; the key itself then serves as the seat's token."""
        session = await self._found(request)
        seat, _ = await self._seat(request, session)
        return in_json({"code": session.code, "seat": seat})

    async def record(self, request: Request) -> Response:
        """The match as far as this reader may know it."""
        session = await self._found(request)
        seat = await self._viewer(request, session)
        match = _number(request, "match")
        if session.table.notice:
            return await self._history(request, session.kept(match).record)
        if session.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        if match is None and session.table.status not in (OVER, CLOSED):
            reading = session.past(outbound.history, seat, session.table.knows_from(seat))
            events = await self.histories.read(_address(request), reading)
            found = [one for event in events for beat in event.beats for one in beat.events]
            return in_json({"over": False, "events": found})
        number = replays.ended(session.table, match)

        def prove() -> Any:
            store = self.tables.store
            table = replays.table_for_record(store.events_of(session.id), number)
            return table.proof(store.secret(session.id, number), cut=not table.running.over)

        return await self._history(request, prove)

    async def replay(self, request: Request) -> Response:
        """A match that is over, frame by frame, as this reader saw it."""
        session = await self._found(request)
        viewer = await self._viewer(request, session)
        match, start = _number(request, "match"), _number(request, "start") or 0
        if session.table.notice:
            return await self._history(request, partial(session.kept(match).replay, viewer, start))
        number = replays.ended(session.table, match)
        reading = session.past(replays.frames, number, viewer, session.table.knows_from(viewer), start)
        return await self._history(request, reading)

    async def summary(self, request: Request) -> Response:
        """A match that is over, in short, as this reader saw it."""
        session = await self._found(request)
        viewer = await self._viewer(request, session)
        match = _number(request, "match")
        if session.table.notice:
            return await self._history(request, partial(session.kept(match).summary, viewer))
        number = replays.ended(session.table, match)
        reading = session.past(replays.summary, number, viewer, session.table.knows_from(viewer))
        return await self._history(request, reading)

    async def game_log(self, request: Request) -> Response:
        """What has happened in the match, in words, for those who come late or reload the page."""
        session = await self._found(request)
        viewer = await self._viewer(request, session)
        if session.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        reading = session.past(outbound.log_page, viewer, session.table.knows_from(viewer))
        return await self._history(request, reading)

    async def _history(self, request: Request, reading: Callable[[], object]) -> Response:
        return in_json(await self.histories.read(_address(request), reading))

    async def _found(self, request: Request, key: str | None = None) -> TableSession:
        """The table whose code is in the address of a request."""
        return await self.codes.find(_address(request), _code(request), key or _bearer(request))

    async def _viewer(self, request: Request, session: TableSession) -> int | None:
        """The seat of the reader; None is a spectator, if there may be any."""
        found = (
            await self._seat(request, session) if _bearer(request) else await self._check("", session, None)
        )
        return found[0]

    async def rules(self, request: Request) -> Response:
        name = str(request.path_params["name"])[:40]
        return in_json(
            RulesPage(
                registry.facts(name).title,
                read_howto(registry.howto_page(name)),
                registry.rules_page(name),
            )
        )

    async def begin_season(self, request: Request) -> Response:
        """A season's key and code follow from its id, so that asking again gives the same ones."""
        if not self._openings.take(network(_address(request)), _person(request)):
            raise Refusal("too_many", "too many seasons; wait a while before the next")
        season = await self.body(request, Season)
        name, key = clean_words(season.name), seasons.key_of(season.id)
        code, store = seasons.code_of(key), self.tables.store
        await store.in_time(asyncio.wrap_future(store.begin_season(code, name, time.time())))
        return in_json({"code": code, "name": name, "link": f"/season/{code}", "key": key}, 201)

    async def season(self, request: Request) -> Response:
        code, store = _code(request), self.tables.store
        name = await store.in_thread(store.season_name, code)
        if name is None:
            raise Refusal("no_season", f"season {code} doesn't exist; check the link")
        matches = await store.in_thread(store.season_results, code, seasons.MOST)
        table = seasons.standings(matches)
        return in_json({"code": code, "name": name, "standings": table, "matches": matches[:100]})

    async def card(self, request: Request) -> Response:
        """A score card, added up; nothing is kept."""
        self._cards.charge(_address(request), _person(request))
        sheet = await self.body(request, Sheet)
        return in_json(await self._cards.run(partial(add_up, sheet)))

    async def lesson(self, request: Request) -> Response:
        """A lesson, or what comes of a move in it; nothing is kept."""
        self._lessons.charge(_address(request), _person(request))
        which = str(request.path_params["name"])[:40], _number(request, "number") or 0
        if request.method != "POST":
            return in_json(await self._lessons.run(partial(lessons.page, *which)))
        move = (await self.body(request, LessonMove)).move
        return in_json(await self._lessons.run(partial(lessons.answer, *which, move)))

    async def delete(self, request: Request) -> Response:
        """Delete everything about a table; only its host can."""
        session = await self._found(request)
        if (await self._seat(request, session))[0] != HOST:
            raise Refusal("not_host", "only the host can do that")
        await self.tables.forget(session.id)
        details = {"table": session.id, "address": _address(request)}
        log.info("a table was deleted by its host", extra={"details": details})
        return Response(status_code=204)

    async def _seat(self, request: Request, session: TableSession) -> tuple[int | None, int]:
        token = _bearer(request)
        if token is None or len(token) > 128:
            raise Refusal("bad_token", "this link doesn't match a seat at this table")
        return await self._check(_address(request), session, token)

    async def _check(self, address: str, session: TableSession, token: str | None) -> tuple[int | None, int]:
        """The seat of a token, and whose it is; after too many wrong ones, Refusal says to wait."""
        try:
            return await self.tables.seat_of(session, token)
        except Refusal as error:
            if error.code == "bad_token":
                self.tally.note("wrong keys", address)
                if not self._failures.take(network(address)):
                    raise Refusal("too_many", "too many wrong keys; wait a while") from None
            raise

    async def list_tables(self, _: Request) -> Response:
        store = self.tables.store
        return in_json({"tables": await store.in_thread(store.public_tables, 100)})

    async def list_games(self, _: Request) -> Response:
        return in_json(GameList([registry.sheet(name) for name in registry.games()], cast_sheets()))

    async def qr(self, request: Request) -> Response:
        """A picture of the link, for phones."""
        return Response(previews.qr(previews.link(request, _code(request))), media_type="image/svg+xml")

    async def metrics(self, request: Request) -> Response:
        """Only for this machine, unless configured otherwise."""
        if not self.limits.open_metrics and not (
            _address(request) in LOCAL and local_name(request.headers.get("host", ""))
        ):
            raise Refusal("no_metrics", "metrics are only for the machine that Ninefold runs on")
        now: dict[str, tuple[float, str]] = {
            "tables": (len(self.tables.tables), "Tables in memory."),
            "sockets": (sum(self.sockets.values()), "Sockets that were let in."),
            "connections": (self.limiter.count, "Raw connections, sockets among them."),
            "memory_bytes": (metrics.memory(), "Memory of this process."),
            "writer_queue": (self.tables.store.waiting, "Writes that wait for the database."),
            "writer_alive": (not self.tables.store.broken, "1 while the database can be written at all."),
        }
        refused = sum(self.tables.store.unavailable.counts.values())
        counts = {**self.figures, **self.tally.counts, "database_refusals": refused}
        counts["expired_tables"] = self.expiry.deleted
        lines = [*metrics.gauges(now), *metrics.counters(counts)]
        lines += self._answers.lines("answer_seconds", "Seconds from a command to its answer.")
        lines += ["# TYPE ninefold_info gauge", f'ninefold_info{{version="{__version__}"}} 1']
        return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    async def ready(self, _: Request) -> Response:
        """Whether commands can be taken: the database has to take a write, too."""
        store = self.tables.store
        if self._checking is None or (self._checking.done() and time.monotonic() - self._checked > CHECKED):
            self._checked = time.monotonic()
            self._checking = asyncio.ensure_future(store.in_time(asyncio.wrap_future(store.check())))
        await asyncio.shield(self._checking)
        ready = not self.stopping and not store.broken
        return in_json({"ready": ready}, 200 if ready else 503)

    # The socket

    async def talk(self, socket: WebSocket) -> None:
        """One client, from its hello to its end."""
        address = socket.client.host if socket.client else "?"
        theirs = network(address)
        request_id.set(secrets.token_hex(6))
        if not from_own_page(socket.scope):
            await socket.close(1008)
            return
        full = self.sockets[theirs] >= self.limits.sockets or not self._requests.take_together(theirs)
        if full or self.stopping:
            if full:
                self.tally.note("too many sockets", address)
            await socket.close(1013)
            return
        self.sockets[theirs] += 1
        try:
            await socket.accept()
            await self._serve(socket, address)
        except WebSocketDisconnect:
            pass  # they are gone
        except Exception:
            self.figures["faults"] += 1
            log.exception("fault")
            with suppress(Exception):
                await socket.close(1011)
        finally:
            self.sockets[theirs] -= 1
            if not self.sockets[theirs]:
                del self.sockets[theirs]

    async def _serve(self, socket: WebSocket, address: str) -> None:
        try:
            hello = decode(await within(self.limits.hello, _frame(socket)))
            if not isinstance(hello, Hello):
                raise Refusal("no_hello", "the first message must be hello: which table, and which seat")
            if hello.version != VERSION:
                raise Refusal(
                    "version",
                    f"there is a newer version of Ninefold; please reload (this server speaks {VERSION})",
                )
            session = await self.codes.find(address, hello.table, hello.token)
            seat, tenant = await self._check(address, session, hello.token)
            reading = partial(self.histories.read_part, address)
            connection = await session.arrive(seat, tenant, hello.since, hello.differences, reading)
        except TimeoutError:
            await socket.close(1008, "no hello was sent")
            return
        except NinefoldError as error:
            await _refuse(socket, _code_of(error), str(error)[:LONGEST])
            return
        log.debug("arrived", extra={"details": {"table": session.id, "seat": seat}})
        tasks = [
            asyncio.create_task(_send_on(socket, connection)),
            asyncio.create_task(self._listen(socket, address, session, connection)),
        ]
        try:
            # Whichever ends first: nothing more to send, nothing more to hear, or a reader that is too slow.
            done, _ = await asyncio.wait([*tasks, connection.cut], return_when=asyncio.FIRST_COMPLETED)
            if connection.closing:
                await asyncio.wait(tasks[:1], timeout=1)  # one that does not read will not see why
            for task in done:
                task.result()
        finally:
            session.leave(connection)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            log.debug("left", extra={"details": {"table": session.id, "seat": seat}})

    async def _listen(
        self, socket: WebSocket, address: str, session: TableSession, connection: Connection
    ) -> None:
        budget = Bucket(self.limits.commands, 3 * self.limits.commands)
        if connection.viewer is not None:
            budget = session.budgets.setdefault(connection.viewer, budget)
        while True:
            text = await _frame(socket)
            if not budget.take():
                connection.drop(1008, "too fast")
                return
            try:
                message = decode(text)
            except Unreadable as error:
                connection.send(encode(Refused("unreadable", str(error))))
                continue
            if isinstance(message, Ping):
                connection.send(PONG)
            elif isinstance(message, Hello):
                connection.send(encode(Refused("unexpected", "hello was sent already")))
            elif isinstance(message, React | Hint):
                connection.send(await self._answer_at_once(address, session, connection, message))
            else:
                connection.send(await self._answer(session, connection, message))

    async def _answer_at_once(
        self, address: str, session: TableSession, connection: Connection, message: React | Hint
    ) -> bytes:
        """Answer a message that changes nothing at the table and is not stored."""
        try:
            if connection.viewer is None:
                raise Refusal("spectator", "spectators only watch")
            if isinstance(message, React):
                session.react(connection.viewer, message.emoji)
                return encode(Answer(message.id, True, session.table.public_seq))
            self._hints.charge(address, f"{session.id} {connection.viewer}")
            found = await self._hints.run(session.adviser(connection.viewer))
            return encode(Answer(message.id, True, session.table.public_seq, move=found.move, why=found.why))
        except NinefoldError as error:
            return encode(Answer(message.id, False, error=_code_of(error), text=str(error)))

    async def _answer(self, session: TableSession, connection: Connection, message: Command) -> bytes:
        """Carry out a command; the answer says what came of it, and is sent only when that is stored."""
        begun = time.monotonic()
        answer = Answer(message.id, False)
        try:
            if connection.viewer is None:
                raise Refusal("spectator", "spectators only watch")
            answer.seq = await session.command(connection.viewer, connection.tenant, message)
            answer.ok = True
            self.figures["commands"] += 1
        except NinefoldError as error:
            answer.error, answer.rule = _code_of(error, "illegal"), getattr(error, "rule", None) or None
            answer.text = refusal_text(error, session.table.names)
            self.figures["refusals"] += 1
        except Exception:
            self.figures["faults"] += 1
            log.exception("fault", extra={"details": {"table": session.id}})
            answer.error = "fault"
            answer.text = f"Something went wrong. If it keeps happening, report error {request_id.get()}."
        spent = time.monotonic() - begun
        self._answers.take(spent)
        return encode(answer)

    # Housekeeping

    async def tidy(self) -> None:
        """Regularly: drop tables from memory that nobody uses, and delete them after months."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.idle))
            self.tables.unload_idle(self.limits.idle)
            try:
                await self.expiry.check()
            except NinefoldError as error:
                log.warning("tidying failed", extra={"details": {"why": str(error)}})
            except Exception:
                log.exception("tidying failed")


async def _content(request: Request, most: int) -> bytes:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise Refusal("too_long", f"request too large (limit {most // 1024} KiB)")
    return bytes(content)


async def _frame(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None or len(text) > LARGEST:
        await socket.close(1003 if text is None else 1009)
        raise WebSocketDisconnect(1003)
    return str(text)


async def _send_on(socket: WebSocket, connection: Connection) -> None:
    try:
        while (message := await connection.next()) is not None:
            await socket.send_text(message.decode())
        assert connection.closing is not None
        await socket.close(*connection.closing)
    except (WebSocketDisconnect, RuntimeError):
        pass  # they are gone


def _code_of(error: NinefoldError, other: str = "refused") -> str:
    """The code of an error, for programs."""
    if isinstance(error, Refusal):
        return error.code
    words = {Unavailable: "busy", Gone: "no_table", RecordError: "damaged", Unreadable: "unreadable"}
    return words.get(type(error), other)


async def _refuse(socket: WebSocket, code: str, text: str) -> None:
    await socket.send_text(encode(Refused(code, text)).decode())
    await socket.close(1008)


def in_json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _person(request: Request) -> str:
    """The word that a page sends so that others at its address do not share its limits; it is not kept."""
    return request.headers.get("x-page", "")[:40]


def _code(request: Request) -> str:
    code = str(request.path_params["code"]).upper()
    if not CODE.fullmatch(code):
        raise Refusal("no_table", "there is no such table")
    return code


def _number(request: Request, name: str) -> int | None:
    """A number from the path or the query; None if it is missing."""
    text = request.path_params.get(name, request.query_params.get(name))
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal("unreadable", f"{name} is a number")
    return int(text)


def _bearer(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" and token else None
