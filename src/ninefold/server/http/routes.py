"""Routes: every address of HTTP, the socket, headers and what is logged of requests."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from ninefold import __version__
from ninefold.kernel.errors import NinefoldError
from ninefold.server.http import pages
from ninefold.server.http.handlers import Server, in_json
from ninefold.server.http.limits import Limits
from ninefold.server.http.logs import request_id
from ninefold.server.storage.store import Store
from ninefold.server.tables.messages import schemas

log = logging.getLogger("ninefold.server")
Answer = Callable[[Request], Awaitable[Response]]

SOCKET = "/ws"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
HTTP_ERRORS = {
    404: ("not_found", "there is nothing at this address"),
    405: ("method", "that cannot be done here"),
}


class App(FastAPI):
    """The application. The socket goes past all middleware, which would keep 8 KiB for each that waits."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"] == SOCKET:
            await self.state.server.talk(WebSocket(scope, receive, send))
        else:
            await super().__call__(scope, receive, send)


def build(store: Store, limits: Limits | None = None) -> FastAPI:
    """The application, for uvicorn and for tests."""
    server = Server(store, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        from ninefold.server.cluster.notifications import listen, send_heartbeats

        tasks = [
            asyncio.create_task(one)
            for one in (server.tidy(), listen(server.tables), send_heartbeats(server.tables))
        ]
        yield
        server.stopping = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.tables.close()

    app = App(title="Ninefold", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.server = server

    @app.middleware("http")
    async def guard(request: Request, call_next: Answer) -> Response:
        begun = time.monotonic()
        number = secrets.token_hex(6)
        request_id.set(number)
        try:
            answer = server.turned_away(request) or await call_next(request)
        except Exception:
            server.figures["faults"] += 1
            log.exception("fault")
            text = f"Something went wrong. If it keeps happening, report error {number}."
            answer = in_json({"error": "fault", "text": text}, 500)
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        answer.headers["X-Request-Id"] = number
        route = getattr(request.scope.get("route"), "path", "?")  # the path may hold a table's code
        spent = round(1000 * (time.monotonic() - begun), 1)
        details = {"method": request.method, "route": route, "status": answer.status_code, "ms": spent}
        log.info("request", extra={"details": details})
        return answer

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        """An unknown address or method: a page for people, JSON for programs."""
        if error.status_code == 404 and pages.wants_page(request):
            with suppress(NinefoldError):  # where the page is not built
                return pages.not_found(request)
        code, text = HTTP_ERRORS.get(error.status_code, ("refused", error.detail))
        answer = in_json({"error": code, "text": text}, error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    _routes(app, server)
    return app


def _routes(app: FastAPI, server: Server) -> None:
    def route(method: str, path: str, answer: Answer, words: str, wanted: str = "") -> None:
        schema = {"$ref": f"#/components/schemas/{wanted}"}
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        extra = {"requestBody": body} if wanted else None

        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request)
            except NinefoldError as error:
                return server.refused(error)

        endpoint.__name__ = f"{method.lower()}_{answer.__name__}"
        app.add_api_route(path, endpoint, methods=[method], summary=words, openapi_extra=extra)
        if method == "GET":  # for previews of links and for monitors; the content is left out on the way
            app.add_api_route(path, endpoint, methods=["HEAD"], include_in_schema=False)

    route("GET", "/api/games", server.list_games, "The games, their options and bots")
    route("GET", "/api/games/{name}/rules", server.rules, "A game's rules, as Markdown")
    lesson = "/api/games/{name}/lessons/{number}"
    route("GET", lesson, server.lesson, "A lesson: what is said, and the table")
    route("POST", lesson, server.lesson, "What comes of a move in a lesson", "LessonMove")
    route("GET", "/api/games/{name}/picture.svg", pages.picture, "A game's picture")
    route("GET", "/api/games/{name}/preview.jpg", pages.preview, "The same for messengers")
    route("POST", "/api/seasons", server.begin_season, "Begin a season", "Season")
    route("GET", "/api/seasons/{code}", server.season, "A season's matches and standings")
    route("GET", "/api/tables", server.list_tables, "The public tables")
    route("POST", "/api/tables", server.open_table, "Open a table", "Opening")
    route("GET", "/api/tables/{code}", server.show, "What everyone may know about a table")
    route("POST", "/api/tables/{code}/join", server.join, "Sit down", "Joining")
    route("GET", "/api/tables/{code}/seat", server.recover, "Which seat a key belongs to")
    route("GET", "/api/tables/{code}/record", server.record, "The match, as far as the reader may know it")
    route("GET", "/api/tables/{code}/replay", server.replay, "A match that is over, frame by frame")
    route("GET", "/api/tables/{code}/summary", server.summary, "A match that is over, in short")
    route("GET", "/api/tables/{code}/log", server.game_log, "What has happened in the match, in words")
    route("DELETE", "/api/tables/{code}", server.delete, "Delete everything about a table")
    route("GET", "/qr/{code}", server.qr, "The link as a picture")
    route("GET", "/metrics", server.metrics, "Figures for Prometheus")
    route("GET", "/readyz", server.ready, "Whether the server can take commands")

    async def healthy(_: Request) -> Response:
        return in_json({"healthy": True})

    route("GET", "/healthz", healthy, "Whether the process lives")
    route("POST", "/api/card", server.card, "The score card of a real table, added up", "Sheet")
    route("GET", "/t/{code}", server.table_page, "The page of a table")
    for path in pages.ADDRESSES:
        route("GET", path, pages.page, "The page")
    route("GET", "/static/{name}", pages.part, "The page's script, style and pictures")
    route(
        "GET",
        "/worker.js",
        pages.worker,
        "The service worker: it keeps the page for when there is no connection",
    )
    route("GET", "/favicon.ico", pages.favicon, "The icon, for browsers that do not read the page for it")

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(title=app.title, version=app.version, routes=app.routes)
            found.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
