"""Finished matches as bytes, so that they can be read when the rules have changed since.

Each is kept soon after its end, in a thread that takes little of a processor. What a crash or a stop
prevents is made when the table is next loaded under the same rules.
"""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from ninefold.engine.match import PERSON
from ninefold.server.storage.store import Store
from ninefold.server.tables import replays
from ninefold.server.tables.events import Stored
from ninefold.server.tables.messages import encode
from ninefold.server.tables.table import Refusal, Table

SEATS = 10  # at larger tables only what spectators saw is kept: it would be too much for each seat
SHARE = 0.05  # of the time that making it may take: nobody waits for it, and people wait for all else
log = logging.getLogger("ninefold.server")


class Page(msgspec.Struct):
    """A ReplayPage whose frames are left as they were sent, whatever a version of then put in them."""

    match: int
    seat: int | None
    total: int
    frames: list[msgspec.Raw]
    next: int | None


def keep(store: Store, table_id: str, last: int) -> None:
    """Archive the matches of a table up to number `last`, all that are over, unless they have been."""
    for match in range(1, last + 1):
        try:
            if match not in store.archived(table_id) and not store.closing.is_set():
                _keep(store, table_id, match)
        except Exception as error:  # there will be another time
            details = {"table": table_id, "match": match, "why": str(error)}
            log.warning("not archived", exc_info=True, extra={"details": details})


def _keep(store: Store, table_id: str, match: int) -> None:
    parts, begun = [], time.monotonic()
    for part in _parts(store.events_of(table_id), match, store.secret(table_id, match)):
        parts.append(part)
        if store.closing.wait((time.monotonic() - begun) * (1 / SHARE - 1)):
            return
        begun = time.monotonic()
    store.archive(table_id, match, parts).result()


def _parts(stored: list[Stored], match: int, secret: bytes) -> Iterator[tuple[str, bytes]]:
    """Everything to be kept of a match, by name."""
    table = replays.table_for_record(stored, match)
    yield "record", _packed(table.proof(secret, cut=not table.running.over))
    end = table if table.running.over else replays.table_at_the_end(stored, match)
    seats: list[int | None] = [seat for seat, place in enumerate(end.places) if place.kind == PERSON]
    for viewer in [None, *(seats if len(end.places) <= SEATS else [])]:
        whose, knows_from = _whose(end, viewer), end.knows_from(viewer)
        yield f"summary{whose}", _packed(replays.summary(stored, match, viewer, knows_from))
        for start, page in replays.pages(stored, match, viewer, knows_from):
            yield f"replay{whose} {start}", _packed(page)


def _whose(table: Table, viewer: int | None) -> str:
    """The suffix of what one person saw: the next one in their seat has not seen it."""
    return "" if viewer is None else f" {viewer}.{table.places[viewer].tenant}"


def _packed(content: Any) -> bytes:
    return gzip.compress(encode(content), 6, mtime=0)


class Archive:
    """What is kept of a table's matches."""

    def __init__(self, store: Store, table_id: str, table: Table, match: int | None) -> None:
        self.store = store
        self.id = table_id
        self.table = table
        self.match = match

    def record(self) -> msgspec.Raw:
        """The record of a match with its proof."""
        return msgspec.Raw(self._read("record"))

    def summary(self, viewer: int | None) -> dict[str, Any]:
        """A match in short, as a seat or a spectator saw it."""
        found = msgspec.json.decode(self._read("summary", viewer), type=dict[str, Any])
        return {**found, "seat": viewer}

    def replay(self, viewer: int | None, start: int) -> Page:
        """Frames of a match from number `start` on, as a seat or a spectator saw it."""
        page = msgspec.json.decode(self._read("replay", viewer, " 0"), type=Page)
        first = start - start % replays.FRAMES
        if 0 < first < page.total:
            page = msgspec.json.decode(self._read("replay", viewer, f" {first}"), type=Page)
        page.seat = viewer
        page.frames = page.frames[start - first :] if start < page.total else []
        page.next = page.next if page.frames else None
        return page

    def _read(self, what: str, viewer: int | None = None, rest: str = "") -> bytes:
        """A part of a match, for a viewer if theirs is kept, else for spectators; Refusal without any."""
        match = self.match or max(self.store.archived(self.id), default=0)
        for whose in dict.fromkeys((_whose(self.table, viewer), "")):
            if (found := self.store.find_archived(self.id, match, f"{what}{whose}{rest}")) is not None:
                return gzip.decompress(found)
        raise Refusal("no_match", f"no such match was kept when it ended; {self.table.notice}")
