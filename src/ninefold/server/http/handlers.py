"""Handlers of HTTP requests and sockets: who may ask what, how often, and what is answered. Knows no game."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import Request, Response, WebSocket, WebSocketDisconnect

from ninefold.engine import registry
from ninefold.kernel.errors import NinefoldError, RecordError
from ninefold.model.sheet import sheet_of
from ninefold.server.http import pages
from ninefold.server.http.limits import Bucket, Buckets, Limits, SharedBuckets
from ninefold.server.http.logs import request_id
from ninefold.server.http.scorecard import add_up
from ninefold.server.runtime.connections import Connection
from ninefold.server.runtime.session import TableSession
from ninefold.server.runtime.tables import Tables
from ninefold.server.storage.store import Gone, Store, Unavailable
from ninefold.server.tables import replays, seasons
from ninefold.server.tables.messages import (
    LARGEST,
    VERSION,
    Answer,
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
    RulesPage,
    Season,
    SeatTaken,
    Sheet,
    Unreadable,
    decode,
    encode,
    read,
)
from ninefold.server.tables.names import clean_words
from ninefold.server.tables.outbound import LONGEST, refusal_text
from ninefold.server.tables.table import CLOSED, HOST, OVER, Refusal

log = logging.getLogger("ninefold.server")
Wanted = TypeVar("Wanted")

STATUS = {
    "no_table": 404,
    "no_file": 404,
    "no_season": 404,
    "no_match": 404,
    "running": 409,
    "bad_token": 403,
    "no_spectators": 403,
    "not_host": 403,
    "busy": 503,
    "damaged": 503,
    "id_reused": 409,
    "full": 409,
    "taken": 409,
    "too_long": 413,
    "too_many": 429,
}


PONG = encode(Pong())
CODE = re.compile("[A-Z0-9]{4,16}")
LOCAL = ("127.0.0.1", "::1", "testclient")


class Server:
    """All handlers, and what they share."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self.tables = Tables(store)
        self.limits = limits or Limits()
        self.figures: Counter[str] = Counter()
        self.sockets: Counter[str] = Counter()
        self.stopping = False
        people = self.limits.people
        self._requests = SharedBuckets(self.limits.requests, 5 * self.limits.requests, people)
        self._openings = SharedBuckets(self.limits.tables, 3600 * self.limits.tables, people)
        self._failures = Buckets(self.limits.failures, 20)
        self._seconds = [0.0] * 3  # of answers to commands: sum, most, count

    # HTTP

    def turned_away(self, request: Request) -> Response | None:
        """An answer for a client that may not ask at all, or asks too often."""
        own = _same_origin(request.headers.get("origin"), request.headers.get("host", ""))
        if request.method not in ("GET", "HEAD") and not own:
            return in_json({"error": "origin", "text": "requests from other pages are not accepted"}, 403)
        address = _address(request)
        if pages.is_page(request):  # with which no browser sends a word of its own
            enough = self._requests.take_together(address)
        else:
            enough = self._requests.take(address, _person(request))
        if not enough:
            return in_json({"error": "too_many", "text": "too many requests; wait a moment"}, 429)
        return None

    def refused(self, error: NinefoldError) -> Response:
        """A refusal as an answer: a code for programs, a sentence for people."""
        code = _code_of(error)
        if code in ("busy", "damaged"):
            log.warning("no answer", extra={"details": {"why": str(error)}})
        return in_json({"error": code, "text": str(error)[:LONGEST]}, STATUS.get(code, 400))

    async def body(self, request: Request, kind: type[Wanted]) -> Wanted:
        """A request's content; Refusal where it is too long or not what is wanted."""
        content = bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > self.limits.body:
                raise Refusal("too_long", f"request too large (limit {self.limits.body // 1024} KiB)")
        return read(bytes(content), msgspec.json.Decoder(kind))

    async def open_table(self, request: Request) -> Response:
        if not self._openings.take(_address(request), _person(request)):
            raise Refusal("too_many", "too many tables; wait a while before the next")
        session = await self.tables.open_table(await self.body(request, Opening))
        return in_json(SeatTaken(session.code, HOST, f"/t/{session.code}"), 201)

    async def join(self, request: Request) -> Response:
        joining = await self.body(request, Joining)
        session = await self.tables.find(_code(request))
        await session.sit(joining)
        seat, _ = await self.tables.seat_of(session, joining.token)
        assert seat is not None
        return in_json(SeatTaken(session.code, seat, f"/t/{session.code}"))

    async def show(self, request: Request) -> Response:
        session = await self.tables.find(_code(request))
        return in_json({"code": session.code, **msgspec.structs.asdict(session.table.public())})

    async def recover(self, request: Request) -> Response:
        """Which seat a recovery key opens; the key itself then serves as the seat's token."""
        session = await self.tables.find(_code(request))
        seat, _ = await self._seat(request, session)
        return in_json({"code": session.code, "seat": seat})

    async def record(self, request: Request) -> Response:
        """The match as far as this reader may know it: all of it once it is over."""
        session = await self.tables.find(_code(request))
        seat = await self._viewer(request, session)
        if session.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        match = _number(request, "match")
        if match is None and session.table.status not in (OVER, CLOSED):
            events = await session.history(seat)
            told = [one for event in events for beat in event.beats for one in beat.events]
            return in_json({"over": False, "events": told})
        number = replays.ended(session.table, match)

        def prove() -> Any:
            store = self.tables.store
            table = replays.table_at_the_end(store.events_of(session.id), number)
            if table.notice:
                raise Refusal("closed", table.notice)
            return table.proof(store.secret(session.id, number))

        return in_json(await asyncio.to_thread(prove))

    async def replay(self, request: Request) -> Response:
        """A match that is over, picture by picture, as this reader saw it."""
        session = await self.tables.find(_code(request))
        viewer = await self._viewer(request, session)
        number = replays.ended(session.table, _number(request, "match"))
        start = _number(request, "start") or 0
        events = self.tables.store.events_of
        return in_json(
            await asyncio.to_thread(lambda: replays.frames(events(session.id), number, viewer, start))
        )

    async def game_log(self, request: Request) -> Response:
        """What has happened in the match, in words, for one who comes late or loads the page again."""
        session = await self.tables.find(_code(request))
        viewer = await self._viewer(request, session)
        if session.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        return in_json(await session.log_page(viewer))

    async def _viewer(self, request: Request, session: TableSession) -> int | None:
        """The seat of the reader; None is a spectator, if there may be any."""
        found = (
            await self._seat(request, session) if _bearer(request) else await self._check("", session, None)
        )
        return found[0]

    async def rules(self, request: Request) -> Response:
        name = str(request.path_params["name"])[:40]
        return in_json(RulesPage(registry.facts(name).title, registry.rules_page(name)))

    async def begin_season(self, request: Request) -> Response:
        """A season's code follows from its id, so that asking again gives the same one."""
        if not self._openings.take(_address(request), _person(request)):
            raise Refusal("too_many", "too many seasons; wait a while before the next")
        season = await self.body(request, Season)
        name, code = clean_words(season.name), seasons.code_of(season.id)
        await asyncio.wrap_future(self.tables.store.begin_season(code, name, time.time()))
        return in_json({"code": code, "name": name, "link": f"/season/{code}"}, 201)

    async def season(self, request: Request) -> Response:
        code, store = _code(request), self.tables.store
        name = await asyncio.to_thread(store.season_name, code)
        if name is None:
            raise Refusal("no_season", f"season {code} doesn't exist; check the link")
        matches = await asyncio.to_thread(store.season_results, code, seasons.MOST)
        table = seasons.standings(matches)
        return in_json({"code": code, "name": name, "standings": table, "matches": matches[:100]})

    async def card(self, request: Request) -> Response:
        """A score card, added up; nothing is kept."""
        sheet = await self.body(request, Sheet)
        return in_json(await asyncio.to_thread(add_up, sheet))

    async def delete(self, request: Request) -> Response:
        """Delete everything about a table; only its host can."""
        session = await self.tables.find(_code(request))
        if (await self._seat(request, session))[0] != HOST:
            raise Refusal("not_host", "only the host can do that")
        await self.tables.forget(session.id)
        return Response(status_code=204)

    async def _seat(self, request: Request, session: TableSession) -> tuple[int | None, int]:
        token = _bearer(request)
        if token is None or len(token) > 128:
            raise Refusal("bad_token", "this link doesn't match a seat at this table")
        return await self._check(_address(request), session, token)

    async def _check(self, address: str, session: TableSession, token: str | None) -> tuple[int | None, int]:
        """The seat of a token, and whose it is; wrong ones are counted, and too many are told to wait."""
        try:
            return await self.tables.seat_of(session, token)
        except Refusal as error:
            if error.code == "bad_token":
                self.figures["wrong_keys"] += 1
                if not self._failures.take(address):
                    raise Refusal("too_many", "too many wrong keys; wait a while") from None
            raise

    async def list_tables(self, _: Request) -> Response:
        return in_json({"tables": await asyncio.to_thread(self.tables.store.public_tables, 100)})

    async def list_games(self, _: Request) -> Response:
        return in_json(GameList([sheet_of(registry.facts(name)) for name in registry.games()]))

    async def qr(self, request: Request) -> Response:
        """A picture of the link, for phones."""
        import io

        import segno

        picture = io.BytesIO()
        link = f"{request.url.scheme}://{request.url.netloc}/t/{_code(request)}"
        segno.make(link, error="m").save(picture, kind="svg", scale=6, dark="#111", light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def metrics(self, request: Request) -> Response:
        """Only for this machine, unless configured otherwise."""
        if _address(request) not in LOCAL and not self.limits.open_metrics:
            raise Refusal("no_metrics", "metrics are only for the machine that Ninefold runs on")
        figures = {
            "tables": len(self.tables.tables),
            "sockets": sum(self.sockets.values()),
            "answer_seconds_sum": round(self._seconds[0], 6),
            "answer_seconds_max": round(self._seconds[1], 6),
            "answers_total": int(self._seconds[2]),
            **{f"{name}_total": number for name, number in sorted(self.figures.items())},
        }
        lines = [f"ninefold_{name} {value}" for name, value in figures.items()]
        return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    async def ready(self, _: Request) -> Response:
        await asyncio.to_thread(self.tables.store.find_table, "READY")
        return in_json({"ready": not self.stopping}, 503 if self.stopping else 200)

    # The socket

    async def talk(self, socket: WebSocket) -> None:
        """One client, from its hello to its end."""
        address = socket.client.host if socket.client else "?"
        request_id.set(secrets.token_hex(6))
        if not _same_origin(socket.headers.get("origin"), socket.headers.get("host", "")):
            await socket.close(1008)
            return
        full = self.sockets[address] >= self.limits.sockets or not self._requests.take_together(address)
        if full or self.stopping:
            await socket.close(1013)
            return
        self.sockets[address] += 1
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
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    async def _serve(self, socket: WebSocket, address: str) -> None:
        try:
            async with asyncio.timeout(self.limits.hello):
                hello = decode(await _frame(socket))
            if not isinstance(hello, Hello):
                raise Refusal("no_hello", "the first message must be hello: which table, and which seat")
            if hello.version != VERSION:
                raise Refusal("version", f"please reload: this server speaks version {VERSION}")
            session = await self.tables.find(hello.table)
            seat, tenant = await self._check(address, session, hello.token)
            connection = await session.arrive(seat, tenant, hello.since)
        except TimeoutError:
            await socket.close(1008, "no hello was sent")
            return
        except NinefoldError as error:
            await _last_word(socket, _code_of(error), str(error)[:LONGEST])
            return
        log.debug("arrived", extra={"details": {"table": session.id, "seat": seat}})
        tasks = [
            asyncio.create_task(_send_on(socket, connection)),
            asyncio.create_task(self._listen(socket, session, connection)),
            asyncio.create_task(connection.cut.wait()),
        ]
        try:
            # Whichever ends first: nothing more to send, nothing more to hear, or a reader that is too slow.
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if connection.closing:
                await asyncio.wait(tasks[:1], timeout=1)  # one that does not read is not told why
            for task in done:
                task.result()
        finally:
            session.leave(connection)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            log.debug("left", extra={"details": {"table": session.id, "seat": seat}})

    async def _listen(self, socket: WebSocket, session: TableSession, connection: Connection) -> None:
        budget = Bucket(self.limits.commands, 3 * self.limits.commands)
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
                connection.send(await self._answer_at_once(session, connection, message))
            else:
                connection.send(await self._answer(session, connection, message))

    async def _answer_at_once(
        self, session: TableSession, connection: Connection, message: React | Hint
    ) -> bytes:
        """What changes nothing at the table, and is not kept."""
        try:
            if connection.viewer is None:
                raise Refusal("spectator", "spectators only watch")
            if isinstance(message, React):
                session.react(connection.viewer, message.emoji)
                return encode(Answer(message.id, True, session.table.seq))
            found = await session.advise(connection.viewer)
            return encode(Answer(message.id, True, session.table.seq, move=found.move, why=found.why))
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
        self._seconds = [self._seconds[0] + spent, max(self._seconds[1], spent), self._seconds[2] + 1]
        return encode(answer)

    # Housekeeping

    async def tidy(self) -> None:
        """Now and then: tables that nobody uses leave the memory, and after months the database."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.idle))
            self.tables.unload_idle(self.limits.idle)
            try:
                old = await asyncio.to_thread(self.tables.store.idle_since, time.time() - self.limits.expiry)
                for table_id in old:
                    session = self.tables.tables.get(table_id)
                    if not session or not session.connections:
                        await self.tables.forget(table_id)
            except Exception:
                log.exception("tidying failed")


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
    """The word for programs that goes with a sentence."""
    if isinstance(error, Refusal):
        return error.code
    words = {Unavailable: "busy", Gone: "no_table", RecordError: "damaged", Unreadable: "unreadable"}
    return words.get(type(error), other)


async def _last_word(socket: WebSocket, code: str, text: str) -> None:
    await socket.send_text(encode(Refused(code, text)).decode())
    await socket.close(1008)


def in_json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _person(request: Request) -> str:
    """The word that a page sends to be told from others at its address; it is kept nowhere."""
    return request.headers.get("x-page", "")[:40]


def _code(request: Request) -> str:
    code = str(request.path_params["code"]).upper()
    if not CODE.fullmatch(code):
        raise Refusal("no_table", "there is no such table")
    return code


def _number(request: Request, name: str) -> int | None:
    """A number after the question mark, None where there is none."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal("unreadable", f"{name} is a number")
    return int(text)


def _bearer(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" and token else None


def _same_origin(origin: str | None, host: str) -> bool:
    """A page may only talk to the server that sent it; programs send no origin and have no cookies."""
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host and bool(host)
