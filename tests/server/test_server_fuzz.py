"""Anything at all, over sockets and HTTP: no fault of the server, and nothing refused changes a table."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ninefold.server.tables.messages import decode
from ninefold.server.tables.reading import Unreadable
from support.serving import Client, Running, Seated, keys, new, serving
from support.soaking import part_of

QUIET = settings(
    max_examples=30,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LONG = settings(QUIET, max_examples=200, derandomize=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("fuzz"), failures=1e6) as running:
        yield running
        assert running.handlers.figures["faults"] == 0


@pytest.fixture(scope="module")
def table(server: Running) -> Seated:
    host = server.open(players=1, spectators=True)
    with host.connect() as client:
        client.do("start")
    return host


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30),
    st.sampled_from(["stay", "cash out", "start", "end", "kick", "host", "0", "easy", "x" * 43]),
    st.integers(-2, 3), st.just("12345678"),
)  # fmt: skip
fields = st.sampled_from(
    ["type", "id", "move", "decision", "what", "seat", "bot", "table", "token", "since", "version", "x"]
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
kinds = st.sampled_from(["hello", "move", "do", "bot", "kick", "ping", "pong", ""])
ids = st.sampled_from(["12345678", "abcdefgh"]) | st.text(max_size=12)
messages = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=40),
    st.dictionaries(fields, values, max_size=6).map(json.dumps),
    st.fixed_dictionaries(
        {"type": kinds}, optional={"id": ids, "move": scalars, "decision": scalars, "seat": scalars}
    ).map(json.dumps),
    st.fixed_dictionaries({"type": st.just("do"), "id": ids, "what": scalars}).map(json.dumps),
    st.fixed_dictionaries({"type": st.just("bot"), "id": ids, "seat": scalars, "bot": scalars}).map(
        json.dumps
    ),
)


def talk(server: Running, table: Seated, said: list[str | bytes]) -> None:
    """Say things; the table changes by what was confirmed, and by nothing else."""
    client: Client | None = None
    try:
        for text in said:
            if client is None:
                client = table.connect()
                client.__enter__()
            before = client.now["seq"]
            try:
                client.say(text)
                client.say({"type": "ping"})
                client.until(lambda one: one["type"] == "pong")
            except Exception:
                code, _ = client.ended()
                assert code in (1003, 1007, 1008, 1009), (text, code)
                client.socket.close()
                client = None
                continue
            fresh = [one for one in client.heard if one.get("seq", 0) > before and one["type"] == "update"]
            confirmed = [one for one in client.heard if one["type"] == "answer" and one["ok"]]
            if fresh:
                assert confirmed and any(
                    one["seq"] in [told["seq"] for heard in fresh for told in heard["events"]]
                    for one in confirmed
                ), text
    finally:
        if client is not None:
            client.socket.close()


@QUIET
@given(st.lists(messages, max_size=12))
def test_any_message(server: Running, table: Seated, said: list[str | bytes]) -> None:
    talk(server, table, said)


@pytest.mark.soak
def test_any_message_for_long(server: Running, table: Seated) -> None:
    """An hour of processor time, of this process, in which the server runs, too."""

    @LONG
    @given(st.lists(messages, max_size=20))
    def some(said: list[str | bytes]) -> None:
        talk(server, table, said)

    until = time.process_time() + part_of(3600)
    while time.process_time() < until:
        some()


@settings(QUIET, max_examples=300)
@given(messages)
def test_what_is_read_is_a_message_or_refused(text: Any) -> None:
    try:
        decode(text)
    except Unreadable as error:
        assert str(error)


def everything(server: Running) -> dict[str, Any]:
    """What the database holds, to be compared."""
    live = server.handlers.tables
    return {table_id: one.table.seq for table_id, one in live.tables.items()}


bodies = st.one_of(
    st.binary(max_size=60),
    values.map(json.dumps).map(str.encode),
    st.fixed_dictionaries(
        {},
        optional={
            "game": st.sampled_from(["doubles", "baseball", "whist", ""]) | scalars,
            "id": ids,
            "name": st.text(max_size=40) | scalars,
            "token": st.just("x" * 43) | scalars,
            "recovery": st.just("y" * 43) | scalars,
            "players": scalars,
            "options": st.dictionaries(st.sampled_from(["rounds", "x"]), scalars, max_size=2) | scalars,
            "bots": st.lists(scalars, max_size=3) | scalars,
            "clock": scalars,
            "pace": scalars,
            "seat": scalars,
            "public": scalars,
        },
    )
    .map(json.dumps)
    .map(str.encode),
)
PATHS = [
    ("GET", "/api/games"), ("GET", "/api/tables"), ("POST", "/api/tables"), ("GET", "/api/tables/{code}"),
    ("POST", "/api/tables/{code}/join"), ("GET", "/api/tables/{code}/seat"),
    ("GET", "/api/tables/{code}/record"), ("DELETE", "/api/tables/{code}"), ("GET", "/qr/{code}"),
    ("GET", "/metrics"), ("GET", "/readyz"), ("GET", "/healthz"), ("GET", "/"), ("GET", "/t/{code}"),
    ("PUT", "/api/tables"), ("POST", "/qr/{code}"), ("GET", "/openapi.json"), ("GET", "/ws"),
]  # fmt: skip
SAFE = "".join(map(chr, range(33, 127)))


@settings(QUIET, max_examples=120)
@given(
    st.sampled_from(PATHS),
    bodies,
    st.text(SAFE, max_size=20) | st.none(),
    st.text(SAFE, min_size=1, max_size=60) | st.none(),
)
def test_any_request(
    server: Running, table: Seated, path: tuple[str, str], body: bytes, code: str | None, key: str | None
) -> None:
    method, address = path
    quoted = table.code if code is None else "".join(f"%{ord(sign):02X}" for sign in code)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    before = everything(server)
    answer = server.http.request(method, address.format(code=quoted), content=body, headers=headers)
    assert answer.status_code < 500, (path, body, answer.text)
    assert "Traceback" not in answer.text
    if answer.status_code >= 400:
        assert everything(server) == before


def test_the_description_is_kept_to(server: Running) -> None:
    """Schemathesis makes requests from our own OpenAPI description, good ones and bad ones."""
    import schemathesis

    described = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    for found in described.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(QUIET, max_examples=8)
        @given(case=operation.as_strategy())
        def run(case: Any) -> None:
            answer = case.call(base_url=server.url)
            assert answer.status_code < 500, answer.text

        run()


def test_good_requests_still_work(server: Running) -> None:
    asked = {"game": "doubles", "id": new(), "name": "Zoë", **keys()}
    assert server.http.post("/api/tables", json=asked).status_code == 201
