"""The network's side of the house: HTTP, sockets, limits, headers, health and figures. Knows no game."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.openapi.utils import get_openapi

from ninefold import __version__
from ninefold.engine import registry
from ninefold.kernel.errors import IllegalMove, NinefoldError, RuleError
from ninefold.server.house import House, LiveTable, digest_of
from ninefold.server.limits import Bucket, Buckets, Limits
from ninefold.server.messages import (
    LARGEST,
    VERSION,
    Bot,
    Do,
    Hello,
    Joining,
    Kick,
    Move,
    Opening,
    Ping,
    decode,
    encode,
    schemas,
)
from ninefold.server.peers import Peer
from ninefold.server.store import Store, Unavailable
from ninefold.server.table import CLOSED, HOST, OVER, Refusal

log = logging.getLogger("ninefold.server")
Wanted = TypeVar("Wanted")
Answer = Callable[[Request], Awaitable[Response]]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
STATUS = {
    "no_table": 404,
    "bad_token": 403,
    "no_spectators": 403,
    "not_host": 403,
    "busy": 503,
    "too_many": 429,
}


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

    def refused(self, error: NinefoldError) -> Response:
        """A refusal as an answer: a code for programs, a sentence for people."""
        code = error.code if isinstance(error, Refusal) else "refused"
        if isinstance(error, Unavailable):
            code = "busy"
        status = STATUS.get(code, 400)
        return _json({"error": code, "text": str(error)}, status)

    async def body(self, request: Request, kind: type[Wanted]) -> Wanted:
        """A request's content; Refusal where it is too long or not what is wanted."""
        content = b""
        async for chunk in request.stream():
            content += chunk
            if len(content) > self.limits.body:
                raise Refusal("too_long", "that is more than anybody needs to say")
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal("unreadable", f"that cannot be understood: {error}") from None

    async def open_table(self, request: Request) -> Response:
        if not self._tables.take(_address(request)):
            raise Refusal("too_many", "you have opened many tables; wait a while before the next")
        live = await self.house.open_table(await self.body(request, Opening))
        return _json({"code": live.code, "seat": HOST, "link": f"/t/{live.code}"}, 201)

    async def join(self, request: Request) -> Response:
        joining = await self.body(request, Joining)
        live = await self.house.find(_code(request))
        who = f"join {joining.id}"
        await live.carry_out(who, joining.id, digest_of(joining), live.sit(joining))
        seat = await self.house.seat_of(live, joining.token)
        return _json({"code": live.code, "seat": seat, "link": f"/t/{live.code}"})

    async def show(self, request: Request) -> Response:
        live = await self.house.find(_code(request))
        return _json({"code": live.code, **live.table.public()})

    async def recover(self, request: Request) -> Response:
        """Which seat a recovery key opens; the key itself then serves as the seat's token."""
        live = await self.house.find(_code(request))
        seat = await self._seat(request, live)
        return _json({"code": live.code, "seat": seat})

    async def record(self, request: Request) -> Response:
        """The match as far as this reader may know it: all of it once it is over."""
        live = await self.house.find(_code(request))
        token = _bearer(request)
        seat = await self._seat(request, live) if token else None
        if live.table.match is None:
            raise Refusal("no_match", "no match has been played here yet")
        if live.table.status not in (OVER, CLOSED):
            told = [msgspec.json.decode(one) for one in await live.missed(seat, 0)]
            return _json({"over": False, "told": [event for one in told for event in one["told"]]})
        secret = await asyncio.to_thread(self.house.store.secret, live.id, live.table.match.number)
        return _json(await asyncio.to_thread(live.table.proof, secret))

    async def delete(self, request: Request) -> Response:
        """Delete everything about a table; only its host can."""
        live = await self.house.find(_code(request))
        if await self._seat(request, live) != HOST:
            raise Refusal("not_host", "only the host can do that")
        await asyncio.to_thread(self.house.store.forget, live.id)
        await live.stop()
        for peer in list(live.peers):
            peer.close(1001, "this table has been deleted")
        self.house.tables.pop(live.id, None)
        return Response(status_code=204)

    async def _seat(self, request: Request, live: LiveTable) -> int | None:
        token = _bearer(request)
        if token is None or len(token) > 128:
            raise Refusal("bad_token", "this key opens no seat here")
        return await self._check(_address(request), live, token)

    async def _check(self, address: str, live: LiveTable, token: str | None) -> int | None:
        """The seat of a token; wrong ones are counted, and too many of them are not even looked at."""
        try:
            return await self.house.seat_of(live, token)
        except Refusal as error:
            if error.code == "bad_token":
                self.figures["wrong_keys"] += 1
                if not self._failures.take(address):
                    raise Refusal("too_many", "too many wrong keys; wait a while") from None
            raise

    async def list_tables(self, _: Request) -> Response:
        return _json({"tables": await asyncio.to_thread(self.house.store.public_tables, 100)})

    async def list_games(self, _: Request) -> Response:
        return _json({"games": [_sheet(name) for name in registry.games()]})

    async def qr(self, request: Request) -> Response:
        """A picture of the link, for phones."""
        import io

        import segno

        picture = io.BytesIO()
        link = f"{request.url.scheme}://{request.url.netloc}/t/{_code(request)}"
        segno.make(link, error="m").save(picture, kind="svg", scale=6, dark="#111", light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def metrics(self, _: Request) -> Response:
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
        return _json({"ready": not self.stopping}, 503 if self.stopping else 200)

    # The socket

    async def talk(self, socket: WebSocket) -> None:
        """One client, from its hello to its end."""
        address = socket.client.host if socket.client else "?"
        if not _same_origin(socket.headers.get("origin"), socket.headers.get("host", "")):
            await socket.close(1008)
            return
        if self.sockets[address] >= self.limits.sockets or self.stopping:
            await socket.close(1013)
            return
        self.sockets[address] += 1
        try:
            await socket.accept()
            await self._serve(socket, address)
        except (WebSocketDisconnect, RuntimeError):
            pass  # they are gone
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
            seat = await self._check(address, live, hello.token)
        except TimeoutError:
            await socket.close(1008, "nothing was said")
            return
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            await _last_word(socket, "unreadable", "that is not a hello")
            return
        except NinefoldError as error:
            code = error.code if isinstance(error, Refusal) else "busy"
            await _last_word(socket, code, str(error))
            return
        peer = await self._arrive(live, seat, hello.since)
        sender = asyncio.create_task(_send_on(socket, peer))
        try:
            await self._listen(socket, live, seat, peer)
        finally:
            live.peers.discard(peer)
            live._wake.set()
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    async def _arrive(self, live: LiveTable, seat: int | None, since: int) -> Peer:
        """From here on the client misses nothing: it is told what it missed, then everything as it comes."""
        if seat is not None and live.table.places[seat].away:
            from ninefold.server.house import Plan
            from ninefold.server.table import Event

            await live.carry_out("", "", "", lambda _: Plan([Event("back", {"seat": seat})]))
        peer = Peer(seat)
        async with live._lock:
            if since > live.table.seq:
                peer.send(encode({"type": "history_changed", "seq": live.table.seq}))
            elif since:
                for message in await live.missed(seat, since):
                    peer._queue.append(message)
            peer.send(live.welcome(seat))
            live.peers.add(peer)
        return peer

    async def _listen(self, socket: WebSocket, live: LiveTable, seat: int | None, peer: Peer) -> None:
        budget = Bucket(self.limits.commands, 3 * self.limits.commands)
        while True:
            text = await _frame(socket)
            if not budget.take():
                peer.close(1008, "too fast")
                return
            try:
                message = decode(text)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                peer.send(encode({"type": "refused", "error": "unreadable", "text": str(error)[:200]}))
                continue
            if isinstance(message, Ping):
                peer.send(b'{"type":"pong"}')
            elif isinstance(message, Move | Do | Bot | Kick):
                peer.send(await self._answer(live, seat, message))
            else:
                peer.send(
                    encode({"type": "refused", "error": "unexpected", "text": "you said hello already"})
                )

    async def _answer(self, live: LiveTable, seat: int | None, message: Move | Do | Bot | Kick) -> bytes:
        """Carry out a command; the answer says what came of it, and is sent only when that is stored."""
        begun = time.monotonic()
        answer: dict[str, Any] = {"type": "answer", "id": message.id}
        try:
            if seat is None:
                raise Refusal("spectator", "spectators only watch")
            answer |= {"ok": True, "seq": await live.command(seat, message)}
            self.figures["commands"] += 1
        except (Refusal, IllegalMove, RuleError, Unavailable) as error:
            code = getattr(error, "code", "busy" if isinstance(error, Unavailable) else "illegal")
            rule = getattr(error, "rule", None)
            answer |= {"ok": False, "error": code, "text": str(error), "rule": rule}
            self.figures["refusals"] += 1
        spent = time.monotonic() - begun
        self._seconds = [self._seconds[0] + spent, max(self._seconds[1], spent), self._seconds[2] + 1]
        return encode(answer)

    # Life and death

    async def tidy(self) -> None:
        """Now and then: tables that nobody uses leave the memory, and after months the database."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.idle))
            self.house.rest(self.limits.idle)
            with suppress(Unavailable):
                old = await asyncio.to_thread(self.house.store.idle_since, time.time() - self.limits.expiry)
                for table_id in old:
                    await asyncio.to_thread(self.house.store.forget, table_id)


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


async def _last_word(socket: WebSocket, code: str, text: str) -> None:
    await socket.send_text(encode({"type": "refused", "error": code, "text": text}).decode())
    await socket.close(1008)


def _json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _code(request: Request) -> str:
    return str(request.path_params["code"]).upper()[:16]


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
    }


def build(store: Store, limits: Limits | None = None) -> FastAPI:
    """The application, for uvicorn and for tests."""
    server = Server(store, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        from ninefold.server.wake import listen

        tasks = [asyncio.create_task(server.tidy()), asyncio.create_task(listen(server.house))]
        yield
        server.stopping = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.house.close()

    app = FastAPI(title="Ninefold", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.server = server

    @app.middleware("http")
    async def guard(request: Request, go_on: Answer) -> Response:
        origin = request.headers.get("origin")
        if request.method not in ("GET", "HEAD") and not _same_origin(
            origin, request.headers.get("host", "")
        ):
            return _json({"error": "origin", "text": "this page may not talk to this house"}, 403)
        if not server._requests.take(_address(request)):
            return _json({"error": "too_many", "text": "too many requests; wait a moment"}, 429)
        try:
            answer = await go_on(request)
        except NinefoldError as error:
            answer = server.refused(error)
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer

    _routes(app, server)
    return app


def _routes(app: FastAPI, server: Server) -> None:
    wanted = {"opening": "Opening", "joining": "Joining"}

    def content(name: str) -> dict[str, Any]:
        schema = {"$ref": f"#/components/schemas/{wanted[name]}"}
        return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}

    def route(
        method: str, path: str, answer: Answer, words: str, extra: dict[str, Any] | None = None
    ) -> None:
        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request)
            except NinefoldError as error:
                return server.refused(error)

        endpoint.__name__ = f"{method.lower()}_{answer.__name__}"
        app.add_api_route(path, endpoint, methods=[method], summary=words, openapi_extra=extra)

    route("GET", "/api/games", server.list_games, "The games, their options and bots")
    route("GET", "/api/tables", server.list_tables, "The tables that are open to all")
    route("POST", "/api/tables", server.open_table, "Open a table", content("opening"))
    route("GET", "/api/tables/{code}", server.show, "What everybody may know of a table")
    route("POST", "/api/tables/{code}/join", server.join, "Sit down", content("joining"))
    route("GET", "/api/tables/{code}/seat", server.recover, "Which seat a key opens")
    route("GET", "/api/tables/{code}/record", server.record, "The match, as far as one may know it")
    route("DELETE", "/api/tables/{code}", server.delete, "Delete everything about a table")
    route("GET", "/qr/{code}", server.qr, "The link as a picture")
    route("GET", "/metrics", server.metrics, "Figures for Prometheus")
    route("GET", "/readyz", server.ready, "Whether the house can take commands")

    async def healthy(_: Request) -> Response:
        return _json({"healthy": True})

    async def page(_: Request) -> Response:
        return _file("page.html", "text/html")

    async def script(_: Request) -> Response:
        return _file("page.js", "text/javascript")

    async def style(_: Request) -> Response:
        return _file("page.css", "text/css")

    route("GET", "/healthz", healthy, "Whether the process lives")
    route("GET", "/", page, "The page")
    route("GET", "/t/{code}", page, "A table's page")
    route("GET", "/static/page.js", script, "The page's script")
    route("GET", "/static/page.css", style, "The page's style")
    app.add_api_websocket_route("/ws", server.talk)

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(title=app.title, version=app.version, routes=app.routes)
            found.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _file(name: str, kind: str) -> Response:
    content = resources.files("ninefold.server").joinpath("static", name).read_bytes()
    return Response(content, media_type=f"{kind}; charset=utf-8")
