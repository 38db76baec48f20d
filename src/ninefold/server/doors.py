"""The house's doors: every route of HTTP, the socket, headers and what is written down about requests."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from ninefold import __version__
from ninefold.kernel.errors import NinefoldError
from ninefold.server import pages
from ninefold.server.app import Server, in_json
from ninefold.server.limits import Limits
from ninefold.server.logs import request_id
from ninefold.server.messages import schemas
from ninefold.server.store import Store

log = logging.getLogger("ninefold.server")
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


def build(store: Store, limits: Limits | None = None) -> FastAPI:
    """The application, for uvicorn and for tests."""
    server = Server(store, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        from ninefold.server.wake import beat, listen

        tasks = [
            asyncio.create_task(one) for one in (server.tidy(), listen(server.house), beat(server.house))
        ]
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
        begun = time.monotonic()
        number = secrets.token_hex(6)
        request_id.set(number)
        try:
            answer = server.turned_away(request) or await go_on(request)
        except Exception:
            server.figures["faults"] += 1
            log.exception("fault")
            answer = in_json(
                {"error": "fault", "text": f"something went wrong; tell the house {number}"}, 500
            )
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        answer.headers["X-Request-Id"] = number
        route = getattr(
            request.scope.get("route"), "path", "?"
        )  # not the path, which may hold a table's code
        spent = round(1000 * (time.monotonic() - begun), 1)
        details = {"method": request.method, "route": route, "status": answer.status_code, "ms": spent}
        log.info("request", extra={"details": details})
        return answer

    _routes(app, server)
    return app


def _routes(app: FastAPI, server: Server) -> None:
    wanted = {"opening": "Opening", "joining": "Joining", "season": "Season", "sheet": "Sheet"}

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
    route("GET", "/api/games/{name}/rules", server.rules, "A game's rules, as Markdown")
    route("POST", "/api/seasons", server.begin_season, "Begin a season", content("season"))
    route("GET", "/api/seasons/{code}", server.season, "A season's matches and standings")
    route("GET", "/api/tables", server.list_tables, "The tables that are open to all")
    route("POST", "/api/tables", server.open_table, "Open a table", content("opening"))
    route("GET", "/api/tables/{code}", server.show, "What everybody may know of a table")
    route("POST", "/api/tables/{code}/join", server.join, "Sit down", content("joining"))
    route("GET", "/api/tables/{code}/seat", server.recover, "Which seat a key opens")
    route("GET", "/api/tables/{code}/record", server.record, "The match, as far as one may know it")
    route("GET", "/api/tables/{code}/replay", server.replay, "A match that is over, picture by picture")
    route("DELETE", "/api/tables/{code}", server.delete, "Delete everything about a table")
    route("GET", "/qr/{code}", server.qr, "The link as a picture")
    route("GET", "/metrics", server.metrics, "Figures for Prometheus")
    route("GET", "/readyz", server.ready, "Whether the house can take commands")

    async def healthy(_: Request) -> Response:
        return in_json({"healthy": True})

    route("GET", "/healthz", healthy, "Whether the process lives")
    route("POST", "/api/card", server.card, "The score card of a real table, added up", content("sheet"))
    for path in pages.ADDRESSES:
        route("GET", path, pages.page, "The page")
    route("GET", "/static/{name}", pages.part, "The page's script, style and pictures")
    app.add_api_websocket_route("/ws", server.talk)

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(title=app.title, version=app.version, routes=app.routes)
            found.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
