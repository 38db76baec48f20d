"""Views: the one function that makes what a seat is shown, and the events a seat is told.

A copy of the record is blanked by the marks of its fields before a game's table code sees it, so a view
cannot hold what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY, Field, blank, conceal, layout
from ninefold.kernel.record import record_of, shown

if TYPE_CHECKING:
    from ninefold.engine.game import Game
    from ninefold.engine.state import State

LISTED = 100  # a view lists the moves of a seat up to so many


def seen(game: Game, position: Any, seat: int | None) -> Any:
    """A position, given as a record or its bytes, as `seat` may know it."""
    rules = game.package.rules
    viewer = -1 if seat is None else seat
    data = bytearray(position)
    if hasattr(rules, "hide"):
        rules.hide(record_of(data, game.layout), viewer)
    kept = _kept(rules.FIELDS, game.capacity, viewer)
    if kept is not None:
        words = np.frombuffer(data, kept.dtype)
        np.bitwise_and(words, kept, out=words)
    return shown(data, game.layout.type)


_masks: dict[tuple[int, int, int], tuple[Sequence[Field], Any]] = {}  # with the fields, which keep their id


def _kept(fields: Sequence[Field], capacity: int, viewer: int) -> Any:
    """The bits of a record that a viewer may see by the marks of its fields; None where those are all."""
    key = id(fields), capacity, viewer
    if key not in _masks:
        _masks[key] = fields, _mask(fields, capacity, viewer)
    return _masks[key][1]


def _mask(fields: Sequence[Field], capacity: int, viewer: int) -> Any:
    record = blank(layout(fields, capacity))
    record.data[:] = b"\xff" * len(record.data)
    conceal(record, fields, viewer)
    bits = record.tobytes()
    if bits == b"\xff" * len(bits):
        return None
    return np.frombuffer(bits, np.int8 if len(bits) % 8 else np.int64)


def view(state: State, seat: int | None) -> dict[str, Any]:
    """The table model for a seat, or for a spectator (None)."""
    game = state.game
    table = game.package.table
    s = state.seen(seat)
    actor: int = s.actor
    actors = list(state.actors)
    shown: dict[str, Any] = {
        "game": game.name,
        "title": game.facts.title,
        "version": game.facts.version,
        "players": game.players,
        "options": dict(game.options),
        "seat": seat,
        "turn": int(s.turns),
        "actors": [] if actor == CHANCE else actors,
        "waiting_for": _waiting_for(actor),
        "over": actor == NOBODY,
        "scores": scores(game, s),
        "winners": state.winners,
        "offers": [],
        "orders": [],
        "moves": [],
        "move_count": 0,
        **table.view(s, seat),
    }
    if seat is not None and not state.over:
        moves = state.moves(seat)
        shown["offers"] = table.offers(s, seat, moves)  # first: they may have all moves spelled
        shown["orders"] = table.orders(s, seat)
        shown["move_count"] = len(moves)
        shown["moves"] = moves[:LISTED]
    return shown


def scores(game: Game, s: Any) -> list[int]:
    """The scores in a record; of a blanked one, as far as the viewer may know them."""
    out = np.zeros(game.players, np.int64)
    game.package.rules.scores(s, out)
    return out.tolist()


def _waiting_for(actor: int) -> str:
    return {NOBODY: "nobody", CHANCE: "chance", EVERYONE: "everyone"}.get(actor, "seat")


def tell(
    game: Game, before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """What a viewer is told of one step; `names` are those of the seats."""
    called = names or [f"Player {number + 1}" for number in range(game.players)]
    told = game.package.table.tell(
        seen(game, before, viewer), seat, action, seen(game, after, viewer), viewer, called
    )
    return list(told)
