"""The network's side of the house: HTTP, sockets, limits, headers, health and figures. Knows no game."""

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
from ninefold.server import replays, seasons
from ninefold.server.card import add_up
from ninefold.server.house import House
from ninefold.server.limits import Bucket, Buckets, Limits
from ninefold.server.live import LiveTable
from ninefold.server.logs import request_id
from ninefold.server.messages import (
    LARGEST,
    VERSION,
    Command,
    Hello,
    Hint,
    Joining,
    Opening,
    Ping,
    React,
    Season,
    Sheet,
    Unreadable,
    decode,
    encode,
    read,
)
from ninefold.server.names import clean_words
from ninefold.server.peers import Peer
from ninefold.server.store import Gone, Store, Unavailable
from ninefold.server.table import CLOSED, HOST, OVER, Refusal

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


CODE = re.compile("[A-Z0-9]{4,16}")
LOCAL = ("127.0.0.1", "::1", "testclient")
LONGEST = 300  # letters of a refusal, which may quote what was said


class Server:
    """The house and its doors."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self.house = House(store)
        self.limits = limits or Limits()
        self.figures: Counter[str] = Counter()
        self.sockets: Counter[str] = Counter()
        self.stopping = False
        self._requests = Buckets(self.limits.requests, 5 * self.limits.requests)
        self._tables = Buckets(self.limits.tables, 3600 * self.limits.tables)
        self._failures = Buckets(self.limits.failures, 20)
        self._seconds = [0.0] * 3  # of answers to commands: sum, most, count

    # HTTP

    def turned_away(self, request: Request) -> Response | None:
        """An answer for whoever may not ask at all, or asks too often."""
        own = _same_origin(request.headers.get("origin"), request.headers.get("host", ""))
        if request.method not in ("GET", "HEAD") and not own:
            return in_json({"error": "origin", "text": "this page may not talk to this house"}, 403)
        if not self._requests.take(_address(request)):
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
                raise Refusal("too_long", "that is more than anybody needs to say")
        return read(bytes(content), msgspec.json.Decoder(kind))

    async def open_table(self, request: Request) -> Response:
        if not self._tables.take(_address(request)):
            raise Refusal("too_many", "you have opened many tables; wait a while before the next")
        live = await self.house.open_table(await self.body(request, Opening))
        return in_json({"code": live.code, "seat": HOST, "link": f"/t/{live.code}"}, 201)

    async def join(self, request: Request) -> Response:
        joining = await self.body(request, Joining)
        live = await self.house.find(_code(request))
        await live.sit(joining)
        seat, _ = await self.house.seat_of(live, joining.token)
        return in_json({"code": live.code, "seat": seat, "link": f"/t/{live.code}"})

    async def show(self, request: Request) -> Response:
        live = await self.house.find(_code(request))
        return in_json({"code": live.code, **live.table.public()})

    async def recover(self, request: Request) -> Response:
        """Which seat a recovery key opens; the key itself then serves as the seat's token."""
        live = await self.house.find(_code(request))
        seat, _ = await self._seat(request, live)
        return in_json({"code": live.code, "seat": seat})

    async def record(self, request: Request) -> Response:
        """The match as far as this reader may know it: all of it once it is over."""
        live = await self.house.find(_code(request))
        seat = await self._viewer(request, live)
        if live.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        match = _number(request, "match")
        if match is None and live.table.status not in (OVER, CLOSED):
            updates = await live.missed(seat, 0, live.table.seq)
            events = [event for one in updates for event in msgspec.json.decode(one)["events"]]
            return in_json({"over": False, "told": [told for event in events for told in event["told"]]})
        number = replays.ended(live.table, match)

        def prove() -> Any:
            store = self.house.store
            table = replays.table_at_the_end(store.events_of(live.id), number)
            if table.notice:
                raise Refusal("closed", table.notice)
            return table.proof(store.secret(live.id, number))

        return in_json(await asyncio.to_thread(prove))

    async def replay(self, request: Request) -> Response:
        """A match that is over, picture by picture, as this reader saw it."""
        live = await self.house.find(_code(request))
        viewer = await self._viewer(request, live)
        number = replays.ended(live.table, _number(request, "match"))
        start = _number(request, "start") or 0
        events = self.house.store.events_of
        return in_json(
            await asyncio.to_thread(lambda: replays.frames(events(live.id), number, viewer, start))
        )

    async def _viewer(self, request: Request, live: LiveTable) -> int | None:
        """The seat of whoever asks; None is a spectator, where there may be any."""
        found = await self._seat(request, live) if _bearer(request) else await self._check("", live, None)
        return found[0]

    async def rules(self, request: Request) -> Response:
        name = str(request.path_params["name"])[:40]
        return in_json({"title": registry.facts(name).title, "text": registry.rules_page(name)})

    async def begin_season(self, request: Request) -> Response:
        """A season's code follows from its id, so that asking again gives the same one."""
        if not self._tables.take(_address(request)):
            raise Refusal("too_many", "you have begun many things; wait a while before the next")
        season = await self.body(request, Season)
        name, code = clean_words(season.name), seasons.code_of(season.id)
        await asyncio.wrap_future(self.house.store.begin_season(code, name, time.time()))
        return in_json({"code": code, "name": name, "link": f"/season/{code}"}, 201)

    async def season(self, request: Request) -> Response:
        code, store = _code(request), self.house.store
        name = await asyncio.to_thread(store.season_name, code)
        if name is None:
            raise Refusal("no_season", f"there is no season {code}")
        matches = await asyncio.to_thread(store.season_results, code, seasons.MOST)
        table = seasons.standings(matches)
        return in_json({"code": code, "name": name, "standings": table, "matches": matches[:100]})

    async def card(self, request: Request) -> Response:
        """A score card, added up; nothing is kept."""
        sheet = await self.body(request, Sheet)
        return in_json(await asyncio.to_thread(add_up, sheet))

    async def delete(self, request: Request) -> Response:
        """Delete everything about a table; only its host can."""
        live = await self.house.find(_code(request))
        if (await self._seat(request, live))[0] != HOST:
            raise Refusal("not_host", "only the host can do that")
        await self.house.forget(live.id)
        return Response(status_code=204)

    async def _seat(self, request: Request, live: LiveTable) -> tuple[int | None, int]:
        token = _bearer(request)
        if token is None or len(token) > 128:
            raise Refusal("bad_token", "this key opens no seat here")
        return await self._check(_address(request), live, token)

    async def _check(self, address: str, live: LiveTable, token: str | None) -> tuple[int | None, int]:
        """The seat of a token, and whose it is; wrong ones are counted, and too many are told to wait."""
        try:
            return await self.house.seat_of(live, token)
        except Refusal as error:
            if error.code == "bad_token":
                self.figures["wrong_keys"] += 1
                if not self._failures.take(address):
                    raise Refusal("too_many", "too many wrong keys; wait a while") from None
            raise

    async def list_tables(self, _: Request) -> Response:
        return in_json({"tables": await asyncio.to_thread(self.house.store.public_tables, 100)})

    async def list_games(self, _: Request) -> Response:
        return in_json({"games": [_sheet(name) for name in registry.games()]})

    async def qr(self, request: Request) -> Response:
        """A picture of the link, for phones."""
        import io

        import segno

        picture = io.BytesIO()
        link = f"{request.url.scheme}://{request.url.netloc}/t/{_code(request)}"
        segno.make(link, error="m").save(picture, kind="svg", scale=6, dark="#111", light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def metrics(self, request: Request) -> Response:
        """Only for this machine, unless told otherwise."""
        if _address(request) not in LOCAL and not self.limits.open_metrics:
            raise Refusal("no_metrics", "figures are for the machine that the house runs on")
        figures = {
            "tables": len(self.house.tables),
            "sockets": sum(self.sockets.values()),
            "answer_seconds_sum": round(self._seconds[0], 6),
            "answer_seconds_max": round(self._seconds[1], 6),
            "answers_total": int(self._seconds[2]),
            **{f"{name}_total": number for name, number in sorted(self.figures.items())},
        }
        lines = [f"ninefold_{name} {value}" for name, value in figures.items()]
        return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    async def ready(self, _: Request) -> Response:
        await asyncio.to_thread(self.house.store.find_table, "READY")
        return in_json({"ready": not self.stopping}, 503 if self.stopping else 200)

    # The socket

    async def talk(self, socket: WebSocket) -> None:
        """One client, from its hello to its end."""
        address = socket.client.host if socket.client else "?"
        request_id.set(secrets.token_hex(6))
        if not _same_origin(socket.headers.get("origin"), socket.headers.get("host", "")):
            await socket.close(1008)
            return
        full = self.sockets[address] >= self.limits.sockets or not self._requests.take(address)
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
                raise Refusal("no_hello", "say hello first: which table, and whose seat")
            if hello.version != VERSION:
                raise Refusal("version", f"please reload: this house speaks version {VERSION}")
            live = await self.house.find(hello.table)
            seat, tenant = await self._check(address, live, hello.token)
            peer = await live.arrive(seat, tenant, hello.since)
        except TimeoutError:
            await socket.close(1008, "nothing was said")
            return
        except NinefoldError as error:
            await _last_word(socket, _code_of(error), str(error)[:LONGEST])
            return
        log.debug("arrived", extra={"details": {"table": live.id, "seat": seat}})
        tasks = [
            asyncio.create_task(_send_on(socket, peer)),
            asyncio.create_task(self._listen(socket, live, peer)),
            asyncio.create_task(peer.cut.wait()),
        ]
        try:
            # Whichever ends first: nothing more to send, nothing more to hear, or a reader that is too slow.
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if peer.closing:
                await asyncio.wait(tasks[:1], timeout=1)  # one that does not read is not told why
            for task in done:
                task.result()
        finally:
            live.leave(peer)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            log.debug("left", extra={"details": {"table": live.id, "seat": seat}})

    async def _listen(self, socket: WebSocket, live: LiveTable, peer: Peer) -> None:
        budget = Bucket(self.limits.commands, 3 * self.limits.commands)
        while True:
            text = await _frame(socket)
            if not budget.take():
                peer.drop(1008, "too fast")
                return
            try:
                message = decode(text)
            except Unreadable as error:
                peer.send(encode({"type": "refused", "error": "unreadable", "text": str(error)}))
                continue
            if isinstance(message, Ping):
                peer.send(b'{"type":"pong"}')
            elif isinstance(message, Hello):
                peer.send(
                    encode({"type": "refused", "error": "unexpected", "text": "you said hello already"})
                )
            elif isinstance(message, React | Hint):
                peer.send(await self._answer_at_once(live, peer, message))
            else:
                peer.send(await self._answer(live, peer, message))

    async def _answer_at_once(self, live: LiveTable, peer: Peer, message: React | Hint) -> bytes:
        """What changes nothing at the table, and is not kept."""
        answer: dict[str, Any] = {"type": "answer", "id": message.id}
        try:
            if peer.viewer is None:
                raise Refusal("spectator", "spectators only watch")
            if isinstance(message, React):
                live.react(peer.viewer, message.emoji)
                return encode({**answer, "ok": True, "seq": live.table.seq})
            found = await live.advise(peer.viewer)
            return encode({**answer, "ok": True, "seq": live.table.seq, "move": found.move, "why": found.why})
        except NinefoldError as error:
            return encode({**answer, "ok": False, "error": _code_of(error), "text": str(error), "rule": None})

    async def _answer(self, live: LiveTable, peer: Peer, message: Command) -> bytes:
        """Carry out a command; the answer says what came of it, and is sent only when that is stored."""
        begun = time.monotonic()
        answer: dict[str, Any] = {"type": "answer", "id": message.id}
        try:
            if peer.viewer is None:
                raise Refusal("spectator", "spectators only watch")
            answer |= {"ok": True, "seq": await live.command(peer.viewer, peer.tenant, message)}
            self.figures["commands"] += 1
        except NinefoldError as error:
            rule = getattr(error, "rule", None) or None
            text = str(error)[:LONGEST]
            answer |= {"ok": False, "error": _code_of(error, "illegal"), "text": text, "rule": rule}
            self.figures["refusals"] += 1
        except Exception:
            self.figures["faults"] += 1
            log.exception("fault", extra={"details": {"table": live.id}})
            text = f"something went wrong; if it stays so, tell the house {request_id.get()}"
            answer |= {"ok": False, "error": "fault", "text": text, "rule": None}
        spent = time.monotonic() - begun
        self._seconds = [self._seconds[0] + spent, max(self._seconds[1], spent), self._seconds[2] + 1]
        return encode(answer)

    # Life and death

    async def tidy(self) -> None:
        """Now and then: tables that nobody uses leave the memory, and after months the database."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.idle))
            self.house.rest(self.limits.idle)
            try:
                old = await asyncio.to_thread(self.house.store.idle_since, time.time() - self.limits.expiry)
                for table_id in old:
                    live = self.house.tables.get(table_id)
                    if not live or not live.peers:
                        await self.house.forget(table_id)
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


async def _send_on(socket: WebSocket, peer: Peer) -> None:
    try:
        while (message := await peer.next()) is not None:
            await socket.send_text(message.decode())
        assert peer.closing is not None
        await socket.close(*peer.closing)
    except (WebSocketDisconnect, RuntimeError):
        pass  # they are gone


def _code_of(error: NinefoldError, other: str = "refused") -> str:
    """The word for programs that goes with a sentence."""
    if isinstance(error, Refusal):
        return error.code
    words = {Unavailable: "busy", Gone: "no_table", RecordError: "damaged", Unreadable: "unreadable"}
    return words.get(type(error), other)


async def _last_word(socket: WebSocket, code: str, text: str) -> None:
    await socket.send_text(encode({"type": "refused", "error": code, "text": text}).decode())
    await socket.close(1008)


def in_json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


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
    """A page may only talk to the house that served it; programs send no origin and have no cookies."""
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host and bool(host)


def _sheet(name: str) -> dict[str, Any]:
    sheet = registry.facts(name)
    options = [
        {
            "name": option.name,
            "label": option.label,
            "allowed": option.allowed,
            "default": option.standard(sheet.usual_players),
        }
        for option in sheet.options
    ]
    return {
        "name": sheet.name,
        "title": sheet.title,
        "line": sheet.line,
        "players": list(sheet.players),
        "usual_players": sheet.usual_players,
        "options": options,
        "bots": [{"name": bot.name, "line": bot.line} for bot in sheet.bots],
        "realtime": sheet.realtime,
        "suggested": dict(sheet.suggested),
    }
