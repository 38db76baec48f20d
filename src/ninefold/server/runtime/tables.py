"""The tables that this server has in memory, found by code and loaded when someone connects."""

from __future__ import annotations

import asyncio
import secrets
import time

from ninefold.engine import registry
from ninefold.engine.game import Game
from ninefold.kernel.errors import RuleError
from ninefold.server.runtime.session import TableSession
from ninefold.server.storage.store import Append, Conflict, Store
from ninefold.server.tables import seasons
from ninefold.server.tables.commands import digest_of, hashed, opening_events, token_rows
from ninefold.server.tables.messages import Opening
from ninefold.server.tables.names import ALPHABET, clean_name
from ninefold.server.tables.table import HOST, Refusal, promised


class Tables:
    """All tables that this server has in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: dict[str, TableSession] = {}
        self.bots_turn = asyncio.Lock()  # bots move at one table at a time; people never wait for this
        self._codes: dict[str, str] = {}  # of the tables in memory
        self._loading: dict[str, asyncio.Task[TableSession]] = {}

    async def open_table(self, opening: Opening) -> TableSession:
        """A new table with its host at seat 0."""
        sheet = registry.facts(opening.game)
        players, options = sheet.settings(opening.players or sheet.usual_players, opening.options)
        if len(opening.bots) >= players:
            raise RuleError(f"{len(opening.bots)} bots leave no seat for you at a table of {players}")
        season = opening.season
        if season is not None and await self.store.in_thread(self.store.season_name, season) is None:
            raise Refusal("no_season", f"season {season} doesn't exist; check the link")
        if season is not None and not seasons.may_open(season, opening.season_key or None):
            raise Refusal("bad_key", "only those who have the season's key can open tables for it")
        if opening.pulse and not sheet.realtime:
            raise RuleError(
                f"sealed moves are only for games where everyone plays at once, unlike {sheet.title}"
            )
        name = clean_name(opening.name, [], [bot.name for bot in sheet.bots])
        events = opening_events(opening, sheet, players, options, name)
        # The same request sent again finds the table it opened.
        table_id, code = digest_of([opening.id, opening.token])[:32], _new_code()
        secret = secrets.token_bytes(32)
        events.append(promised(Game(opening.game, players, options), code, 1, secret))
        work = Append(table_id, 1, events, digest=digest_of(opening), new_secret=(1, secret))
        work.new_tokens = token_rows(HOST, 1, opening.token, opening.recovery)
        row = {"id": table_id, "code": code, "game": opening.game, "public": int(opening.public)}
        work.new_table = {**row, "made": work.at, "touched": work.at}
        try:
            await self.store.in_time(self.store.append(work))
        except Conflict:
            known = await self.store.in_thread(self.store.code_of, table_id)
            if known is None:
                raise Refusal("id_reused", "this id or key has been used already; make a new one") from None
            found = await self.store.in_thread(self.store.find_command, table_id, "open", opening.id)
            if found is None or found.digest != work.digest:
                raise Refusal("id_reused", "this id belongs to another table") from None
            code = str(known)
        return await self.load(table_id, code)

    async def find(self, code: str) -> TableSession:
        """A table by its code; Refusal if there is none."""
        table_id = self._codes.get(code) or await self.store.in_thread(self.store.find_table, code)
        if table_id is None:
            raise Refusal("no_table", f"table {code} doesn't exist; check the code")
        return await self.load(str(table_id), code)

    async def opens(self, code: str, key: str) -> bool:
        """Whether a key belongs, or belonged, to a seat at the table with this code."""
        found = await self.store.in_thread(self.store.find_token, hashed(key))
        return found is not None and await self.store.in_thread(self.store.code_of, found.table_id) == code

    async def load(self, table_id: str, code: str) -> TableSession:
        """A table from memory, or loaded from the database only once."""
        if session := self.tables.get(table_id):
            session.found = time.monotonic()  # it must not be unloaded before they connect
            await session.settle()
            return session
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id, code))
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(loading)

    async def _load(self, table_id: str, code: str) -> TableSession:
        session = TableSession(self.store, self.bots_turn, table_id, code)
        await session.load()
        self.tables[table_id] = session
        self._codes[code] = table_id
        return session

    async def seat_of(self, session: TableSession, token: str | None) -> tuple[int | None, int]:
        """The seat of a token, and whose it is; None is a spectator. Refusal if the token is wrong."""
        if token is None:
            if not session.table.settings["spectators"]:
                raise Refusal("no_spectators", "this table has no spectators; join it to see it")
            return None, 0
        found = await self.store.in_thread(self.store.find_token, hashed(token))
        if found and found.table_id == session.id:
            if session.table.places[found.seat].tenant < found.tenant:
                await session.catch_up()  # they may have just joined on another server
            if session.table.places[found.seat].tenant == found.tenant:
                return int(found.seat), int(found.tenant)
        raise Refusal("bad_token", "this link doesn't match a seat at this table")

    async def on_written_elsewhere(self, table_id: str) -> None:
        """Another server has written to a table."""
        if session := self.tables.get(table_id):
            await session.on_written_elsewhere()

    async def forget(self, table_id: str) -> None:
        """Delete everything about a table, here and in the database."""
        await self.store.in_thread(self.store.forget, table_id)
        self.drop(table_id)

    def drop(self, table_id: str) -> None:
        """Drop a table from memory."""
        if session := self.tables.pop(table_id, None):
            self._codes.pop(session.code, None)
            session.leave_memory()

    def unload_idle(self, idle: float) -> None:
        """Drop tables from memory that nobody has used for a while."""
        now = time.monotonic()
        for table_id, session in list(self.tables.items()):
            last = max(session.used, session.found)
            if not session.connections and not session.runner.running and now - last > idle:
                self.drop(table_id)

    async def note_presence(self) -> None:
        """If several servers share the tables, note whose players are connected here."""
        here = {
            (session.id, connection.viewer)
            for session in self.tables.values()
            for connection in session.connections
            if connection.viewer is not None
        }
        if here and self.store.shared:
            await asyncio.wrap_future(self.store.seen(sorted(here), time.time()))

    async def close(self) -> None:
        """Stop all runners, then close the database."""
        await asyncio.gather(*(session.runner.stop() for session in list(self.tables.values())))
        for session in list(self.tables.values()):
            for connection in list(session.connections):
                connection.finish(1012, "the server is restarting")
        await asyncio.to_thread(self.store.close)


def _new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(8))
