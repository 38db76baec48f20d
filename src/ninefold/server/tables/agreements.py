"""What needs the agreement of everyone present: ending or restarting a match, and undoing a move.

Present are the people who play, unless a bot stands in for them. Nobody is counted who said nothing at all
while a proposal waited for a minute (runtime/proposals.py).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ninefold.engine.match import PERSON
from ninefold.kernel.fields import CHANCE
from ninefold.server.tables import secrecy
from ninefold.server.tables.draft import Plan
from ninefold.server.tables.events import Event
from ninefold.server.tables.table import PAUSED, PLAYING, Refusal, Table


def present(table: Table) -> set[int]:
    """The seats whose people play."""
    return {at for at, place in enumerate(table.places) if place.kind == PERSON and place.played_by is None}


def vote_to_end(table: Table, seat: int, command: str) -> Plan:
    """Vote to end the match."""
    if table.status not in (PLAYING, PAUSED):
        raise Refusal("no_match", "there is no match to end")
    ends = present(table) <= table.votes | {seat}
    return _voted(table, Event("voted", {"seat": seat, "ends": ends}, str(seat), command))


def vote_to_restart(table: Table, seat: int, command: str) -> Plan:
    """Vote to restart the match, which ends it once everyone has agreed. Then the start of the next match
    answers the command."""
    agreed = present(table) <= table.restarts | {seat}
    body = {"seat": seat, "ends": agreed, "restart": True}
    return _voted(table, Event("voted", body, str(seat), "" if agreed else command))


def settled(table: Table, kind: str, silent: Collection[int]) -> Plan:
    """What becomes of a proposal that has waited long enough: those who stayed silent do not count."""
    if kind == "undo" and table.undo is not None:
        by = table.undo["by"]
        return Plan([Event("undo_refused", {"seat": by, "to": table.running.last_decision(by)})])
    votes = table.restarts if kind == "restart" else table.votes
    if kind == "restart" or not votes or not present(table) <= votes | set(silent):
        return Plan([Event("vote_failed", {})] if votes else [])
    return _voted(table, Event("voted", {"seat": min(votes), "ends": True, "why": "by clock"}))


def _voted(table: Table, event: Event) -> Plan:
    """A vote, and the result of the match in its season if that ends it."""
    after = table.copy()
    after.apply(event)
    return Plan([event], result=after.season_result())


def undo(table: Table, seat: int, command: str) -> Plan:
    """Ask or agree to undo a seat's last move and all after it; it is done once everyone present agrees."""
    if table.match is None or table.status not in (PLAYING, PAUSED):
        raise Refusal("no_match", "there is no match to undo a move in")
    if table.realtime:
        raise Refusal("no_undo", "moves cannot be undone in a game that everyone plays at once")
    by = table.undo["by"] if table.undo else seat
    agreed = {*(table.undo["agreed"] if table.undo else ()), seat}
    last = table.match.last_decision(by)
    if last is None:
        raise Refusal("no_undo", "you have not moved yet")
    if table.undo is None:
        if table.undo_refused == (by, last):  # otherwise bots and clocks could be stopped for ever
            raise Refusal("no_undo", "the others have not agreed to undo that move")
        _check_undo(table, by, last)
    if not present(table) <= agreed:
        return Plan([Event("undo_asked", {"seat": seat}, str(seat), command)])
    return Plan([Event("undone", {"seat": by, "to": last}, str(seat), command)])


def _check_undo(table: Table, by: int, to: int) -> None:
    """Refuse an undo that someone could profit from."""
    match = table.running
    since = match.steps[to:]
    if table.settings.get("season") and (
        any(step.seat == CHANCE for step in since) or secrecy.reveals(match, by, to)
    ):
        raise Refusal("no_undo", "in a match of a season, no move is undone after something new was seen")
    bots = any(place.played_by for place in table.places)
    if bots and table.settings.get("undo", "fair") == "fair" and secrecy.reveals(match, by, to):
        raise Refusal("no_undo", "that move cannot be undone: something hidden has been seen since")


def result_of(plan: Plan) -> dict[str, Any] | None:
    """The result for its season of a match that a plan ends."""
    return plan.result or (plan.draft.table.season_result() if plan.draft else None)
