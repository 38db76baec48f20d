"""Tables in a store, without a server."""

from __future__ import annotations

from typing import Any

from ninefold.server.storage.store import Append, Store
from ninefold.server.tables.events import Event

TABLE = "a" * 32


def put(store: Store, work: Append) -> Append:
    store.submit(work).result(10)
    return work


def table(store: Store, table_id: str = TABLE, code: str = "CODE22", **extra: Any) -> Append:
    work = Append(table_id, 1, [Event("opened", {"n": 1}, "open", "first")], digest="d", **extra)
    row = {"id": table_id, "code": code, "game": "doubles", "public": 1}
    work.new_table = {**row, "made": work.at, "touched": work.at}
    return put(store, work)


def following(last: Append, *events: Event, **extra: Any) -> Append:
    done = last.stored[-1]
    return Append(last.table_id, done.seq + 1, events, done.hash, **extra)
