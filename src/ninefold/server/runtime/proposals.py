"""Proposals at a table that wait for an answer: to end or restart the match, or to undo a move.

Nobody can hold up a table by not answering. After a minute, the match ends if everyone has agreed who said or
did anything since it was proposed; a restart and an undo need everyone, and lapse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ninefold.server.tables import agreements
from ninefold.server.tables.draft import Plan
from ninefold.server.tables.table import PAUSED, PLAYING, Table

if TYPE_CHECKING:
    from ninefold.server.runtime.session import TableSession

PATIENCE = 60.0  # seconds


class Proposal(NamedTuple):
    """What is proposed: an undo, or the end or restart of which match."""

    kind: str
    match: int


def open_proposals(table: Table) -> list[Proposal]:
    """What waits for an answer at a table."""
    if table.match is None or table.status not in (PLAYING, PAUSED):
        return []
    waiting = {"undo": table.undo, "end": table.votes, "restart": table.restarts}
    return [Proposal(kind, table.match.number) for kind, value in waiting.items() if value]


class Proposals:
    """Since when the proposals at a table have waited."""

    def __init__(self, session: TableSession) -> None:
        self.session = session
        self._since: dict[Proposal, float] = {}

    def due(self, now: float) -> tuple[float, Proposal] | None:
        """The next proposal to settle, and when."""
        found = open_proposals(self.session.table)
        self._since = {one: self._since.get(one, now) for one in found}
        return min(((since + PATIENCE, one) for one, since in self._since.items()), default=None)

    async def settle(self, proposal: Proposal) -> None:
        """Its time is up."""
        since = self._since.pop(proposal)

        def decide(table: Table) -> Plan:
            if proposal not in open_proposals(table):
                return Plan([])
            silent = {seat for seat in agreements.present(table) if self.session.spoke.get(seat, 0.0) < since}
            return agreements.settled(table, proposal.kind, silent)

        await self.session.carry_out("", "", "", decide)
