"""The tables that this server has in memory, found by their codes and loaded when somebody comes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

from ninefold.engine import registry
from ninefold.kernel.errors import RuleError
from ninefold.server.deciding import digest_of, hashed, opening_events, token_rows
from ninefold.server.live import LiveTable
from ninefold.server.messages import Opening
from ninefold.server.names import clean_name
from ninefold.server.store import Append, Conflict, Store
from ninefold.server.table import HOST, Refusal

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that can be mistaken for something else


class House:
    """All tables that this server has in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: dict[str, LiveTable] = {}
        self.thinking = asyncio.Lock()  # bots move at one table after another; people wait for none of them
        self._codes: dict[str, str] = {}  # of the tables in memory
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}

    async def open_table(self, opening: Opening) -> LiveTable:
        """A new table with its host at seat 0."""
        sheet = registry.facts(opening.game)
        players, options = registry.settings(sheet, opening.players or sheet.usual_players, opening.options)
        for bot in opening.bots:
            registry.player(opening.game, bot)
        if len(opening.bots) >= players:
            raise RuleError(f"{len(opening.bots)} bots leave no seat for you at a table of {players}")
        season = opening.season
        if season is not None and await self._read(lambda: self.store.season_name(season)) is None:
            raise Refusal("no_season", f"there is no season {season}")
        if opening.pulse and not sheet.realtime:
            raise RuleError(f"moves are not sealed in {sheet.title}: it is not played all at once")
        events = opening_events(opening, sheet, players, options, clean_name(opening.name, []))
        # The same request, sent again, finds the table that it opened.
        table_id, code = digest_of([opening.id, opening.token])[:32], _new_code()
        work = Append(table_id, 1, events, digest=digest_of(opening))
        work.new_tokens = token_rows(table_id, HOST, 1, opening.token, opening.recovery)
        row = {"id": table_id, "code": code, "game": opening.game, "public": int(opening.public)}
        work.new_table = {**row, "made": work.at, "touched": work.at}
        try:
            await self.store.append(work)
        except Conflict:
            known = await self._read(lambda: self.store.code_of(table_id))
            if known is None:
                raise Refusal("id_reused", "this id or key has been used already; make a new one") from None
            found = await self._read(lambda: self.store.find_command(table_id, "open", opening.id))
            if found is None or found.digest != work.digest:
                raise Refusal("id_reused", "this id belongs to another table") from None
            code = str(known)
        return await self.load(table_id, code)

    async def find(self, code: str) -> LiveTable:
        """A table by its code; Refusal where there is none."""
        table_id = self._codes.get(code) or await self._read(lambda: self.store.find_table(code))
        if table_id is None:
            raise Refusal("no_table", f"there is no table {code}")
        return await self.load(str(table_id), code)

    async def load(self, table_id: str, code: str) -> LiveTable:
        """A table from memory, or from the database, once for all who ask."""
        if live := self.tables.get(table_id):
            await live.settle()
            return live
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id, code))
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(loading)

    async def _load(self, table_id: str, code: str) -> LiveTable:
        live = LiveTable(self.store, self.thinking, table_id, code)
        await live.load()
        self.tables[table_id] = live
        self._codes[code] = table_id
        return live

    async def seat_of(self, live: LiveTable, token: str | None) -> tuple[int | None, int]:
        """The seat that a token opens, and whose; None is a spectator. Refusal where it opens none."""
        if token is None:
            if not live.table.settings["spectators"]:
                raise Refusal("no_spectators", "this table has no spectators; join it to see it")
            return None, 0
        found = await self._read(lambda: self.store.find_token(hashed(token)))
        if found and found.table_id == live.id:
            if live.table.places[found.seat].tenant < found.tenant:
                await live.catch_up()  # they have just sat down at another server
            if live.table.places[found.seat].tenant == found.tenant:
                return int(found.seat), int(found.tenant)
        raise Refusal("bad_token", "this key opens no seat here")

    async def _read(self, reading: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.store.readers, reading)

    async def woken(self, table_id: str) -> None:
        """Another server has written to a table."""
        if live := self.tables.get(table_id):
            await live.woken()

    async def forget(self, table_id: str) -> None:
        """Delete everything about a table, here and in the database."""
        await asyncio.to_thread(self.store.forget, table_id)
        self.drop(table_id)

    def drop(self, table_id: str) -> None:
        """A table is not to be kept in memory any more."""
        if live := self.tables.pop(table_id, None):
            self._codes.pop(live.code, None)
            live.leave_memory()

    def rest(self, idle: float) -> None:
        """Forget, in memory only, the tables that nobody has used for a while."""
        now = time.monotonic()
        for table_id, live in list(self.tables.items()):
            if not live.peers and not live.driver.running and now - live.used > idle:
                self.drop(table_id)

    async def beat(self) -> None:
        """Where several servers share the tables: note whose players are on the line here."""
        here = {
            (live.id, peer.viewer)
            for live in self.tables.values()
            for peer in live.peers
            if peer.viewer is not None
        }
        if here and self.store.shared:
            await asyncio.wrap_future(self.store.seen(sorted(here), time.time()))

    async def close(self) -> None:
        """Stop everything that goes on by itself, then let go of the database."""
        await asyncio.gather(*(live.driver.stop() for live in list(self.tables.values())))
        for live in list(self.tables.values()):
            for peer in list(live.peers):
                peer.finish(1012, "the house restarts")
        await asyncio.to_thread(self.store.close)


def _new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(6))
