"""Views: decides what a viewer may know of a position, and makes the view. No other module does.

A copy of the position is masked by the marks of its fields before a game's own code sees it, so a view cannot
contain what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY, Field, blank, layout, mask_fields
from ninefold.kernel.record import frozen, record_of
from ninefold.model.view import Scene, View, WaitingFor

if TYPE_CHECKING:
    from ninefold.engine.game import Game
    from ninefold.engine.state import State

LISTED = 100  # a view lists up to this many moves


def masked(game: Game, position: Any, seat: int | None) -> Any:
    """A position as `seat` may know it."""
    viewer = -1 if seat is None else seat
    data = bytearray(position)
    if game.package.mask_hidden is not None:
        game.package.mask_hidden(record_of(data, game.layout), viewer)
    mask = _mask(game.package.rules.FIELDS, game.capacity, viewer)
    if mask is not None:
        words = np.frombuffer(data, mask.dtype)
        np.bitwise_and(words, mask, out=words)
    return frozen(data, game.layout.type)


def visible(game: Game, s: Any) -> bytearray:
    """What a masked position shows on the table. Where everyone acts at any time, that leaves out how many
    moves were made: the number would give away those that nobody else sees."""
    if not game.facts.realtime:
        return s.data  # type: ignore[no-any-return]
    data = bytearray(s.data)
    place = game.layout.fields["turns"][1]  # type: ignore[index]
    data[place : place + 8] = bytes(8)
    return data


# Holding the fields keeps their ids unique.
_masks: dict[tuple[int, int, int], tuple[Sequence[Field], Any]] = {}


def _mask(fields: Sequence[Field], capacity: int, viewer: int) -> Any:
    """The bits of a position that a viewer may see by the marks of its fields; None if all of them."""
    key = id(fields), capacity, viewer
    if key not in _masks:
        _masks[key] = fields, _make_mask(fields, capacity, viewer)
    return _masks[key][1]


def _make_mask(fields: Sequence[Field], capacity: int, viewer: int) -> Any:
    ones = blank(layout(fields, capacity))
    ones.data[:] = b"\xff" * len(ones.data)
    mask_fields(ones, fields, viewer)
    bits = ones.tobytes()
    if bits == b"\xff" * len(bits):
        return None
    return np.frombuffer(bits, np.int8 if len(bits) % 8 else np.int64)


def view(state: State, seat: int | None) -> View:
    """The table model for a seat, or for a spectator (None)."""
    game, package = state.game, state.game.package
    s = state.masked(seat)
    scene = state.scene(seat)
    actor: int = s.actor
    found = View(
        game=game.name,
        title=game.facts.title,
        version=game.facts.version,
        players=game.players,
        options=dict(game.options),
        lowest_wins=game.facts.lowest_wins,
        seat=seat,
        turn=int(s.turns),
        actors=[] if actor == CHANCE else list(state.actors),
        waiting_for=_waiting_for(actor),
        over=actor == NOBODY,
        scores=scores(game, s),
        winners=state.winners,
        **{part: getattr(scene, part) for part in Scene.__struct_fields__},
        offers=[],
        orders=[],
        moves=[],
        move_count=0,
    )
    if seat is not None and not state.over:
        moves = state.moves(seat)
        found.offers = package.views.offers(s, seat, moves)  # first: they may need the texts of all moves
        found.orders = package.orders(s, seat)
        found.move_count = len(moves)
        found.moves = moves[:LISTED]
    return found


def scores(game: Game, s: Any) -> list[int]:
    """The scores of a position; of a masked one, as far as the viewer may know them."""
    out = np.zeros(game.players, np.int64)
    game.package.scores(record_of(s.data, game.layout), out)  # kernels want arrays, not a frozen one's lists
    return out.tolist()


def _waiting_for(actor: int) -> WaitingFor:
    words: dict[int, WaitingFor] = {NOBODY: "nobody", CHANCE: "chance", EVERYONE: "everyone"}
    return words.get(actor, "seat")
