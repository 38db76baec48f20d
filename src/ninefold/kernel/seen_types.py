"""The compiled side of seen.py: what Numba knows about `seen`, `moves` and `rng` of a user's compiled bot.

Each is a small struct around pointers that the bot cannot reach; reading an attribute calls a kernel. Only
imported where kernels are compiled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numba.core import cgutils
from numba.core import types as _types
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.extending import (
    intrinsic,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)

from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import MOST, Fact, fraction, is_among, number_of_moves, outside, some_move
from ninefold.kernel.stream import below

types: Any = _types  # its names are created at run time
WORD = types.int64


def _struct(kind, parts: Callable[[Any], list[tuple[str, Any]]]):
    """How values of a type are held."""

    class Model(models.StructModel):
        def __init__(self, manager, shown):
            super().__init__(manager, shown, parts(shown))

    register_model(kind)(Model)


def _box(kind, *given):
    """The signature and the code that puts some values into a struct of a type."""

    def generate(context, builder, signature, arguments):
        box = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        for name, value in zip(box._datamodel._fields, arguments, strict=True):
            setattr(box, name, value)
        return box._getvalue()

    return kind(*given), generate


def _part(held, name: str, kind):
    """The signature and the code that reads a part of a struct."""

    def generate(context, builder, signature, arguments):
        box = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        return getattr(box, name)

    return kind(held), generate


# The legal moves


@dataclass(frozen=True)
class Unlisted:
    """A game whose rules count a seat's moves and find the n-th."""

    title: str
    count: Any
    nth: Any
    legal: Any
    refuse: Any
    actions: int


class MovesIterator(types.SimpleIteratorType):  # type: ignore[misc] # Numba has no types
    def __init__(self, slot):
        self.slot = slot
        super().__init__(f"each({slot})", WORD)


class MovesType(types.SimpleIterableType):  # type: ignore[misc]
    """The ids of the legal moves: `len(moves)`, `moves[0]`, `move in moves`, `for move in moves`."""

    def __init__(self, slot):
        self.slot = slot
        super().__init__(f"Moves({slot})", MovesIterator(slot))


_struct(MovesType, lambda kind: [("slot", kind.slot), ("n", WORD)])


class UnlistedMovesType(types.SimpleIterableType):  # type: ignore[misc]
    """The same, listed only for a loop: the game counts its moves and finds the n-th without a list."""

    def __init__(self, game, position, slot):
        self.game, self.position, self.slot = game, position, slot
        super().__init__(f"UnlistedMoves({game.title}, {position}, {slot})", MovesIterator(slot))


_struct(UnlistedMovesType, lambda kind: [("s", kind.position), ("seat", WORD), ("slot", kind.slot)])
_struct(
    MovesIterator,
    lambda kind: [
        ("slot", kind.slot),
        ("n", WORD),
        ("span", types.CPointer(WORD)),
        ("move", types.CPointer(WORD)),
    ],
)


@intrinsic
def list_moves(typing_context, slot, n):
    return _box(MovesType(slot), slot, WORD)


@intrinsic
def slot_of(typing_context, moves):
    return _part(moves, "slot", moves.slot)


@intrinsic
def spans_of(typing_context, moves):
    return _part(moves, "n", WORD)


@intrinsic
def position_of(typing_context, moves):
    return _part(moves, "s", moves.position)


@intrinsic
def mover_of(typing_context, moves):
    return _part(moves, "seat", WORD)


def unlisted_moves(game: Unlisted):
    """A kernel that wraps a position, a seat and room for a list, if a loop should need one."""

    @intrinsic
    def wrap(typing_context, s, seat, slot):
        return _box(UnlistedMovesType(game, s, slot), s, WORD, slot)

    return wrap


@overload(len)
def _len(moves):
    if isinstance(moves, MovesType):
        return lambda moves: number_of_moves(slot_of(moves).spans, spans_of(moves))
    if isinstance(moves, UnlistedMovesType):
        count = moves.game.count
        return lambda moves: count(position_of(moves), mover_of(moves))
    return None


@overload(operator.getitem)
def _getitem(moves, place):
    if not isinstance(place, types.Integer):
        return None
    if isinstance(moves, MovesType):

        def get(moves, place):
            spans, n = slot_of(moves).spans, spans_of(moves)
            move = some_move(spans, n, place if place >= 0 else place + number_of_moves(spans, n))
            if move < 0:
                raise IndexError("there are fewer moves")
            return move

        return get
    if isinstance(moves, UnlistedMovesType):
        nth = moves.game.nth

        def find(moves, place):
            n = len(moves)
            from_start = place if place >= 0 else place + n
            if from_start < 0 or from_start >= n:
                raise IndexError("there are fewer moves")
            return nth(position_of(moves), mover_of(moves), from_start)

        return find
    return None


@overload(operator.contains)
def _contains(moves, move):
    if not isinstance(move, types.Integer):
        return None
    if isinstance(moves, MovesType):
        return lambda moves, move: is_among(slot_of(moves).spans, spans_of(moves), move)
    if isinstance(moves, UnlistedMovesType):
        refuse, most = moves.game.refuse, moves.game.actions
        return lambda moves, move: (
            move >= 0 and move < most and refuse(position_of(moves), mover_of(moves), move) == 0
        )
    return None


@lower_builtin("getiter", MovesType)
def _begin(context, builder, signature, arguments):
    moves = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
    return _begin_with(context, builder, signature, moves.slot, moves.n)


@lower_builtin("getiter", UnlistedMovesType)
def _list_and_begin(context, builder, signature, arguments):
    kind = signature.args[0]
    moves = cgutils.create_struct_proxy(kind)(context, builder, value=arguments[0])
    legal = kind.game.legal
    n = context.compile_internal(
        builder,
        lambda s, seat, slot: legal(s, seat, slot.spans),
        WORD(kind.position, WORD, kind.slot),
        [moves.s, moves.seat, moves.slot],
    )
    return _begin_with(context, builder, signature, moves.slot, n)


def _begin_with(context, builder, signature, slot, n):
    each = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    each.slot, each.n = slot, n
    each.span = cgutils.alloca_once_value(builder, context.get_constant(WORD, -1))
    each.move = cgutils.alloca_once_value(builder, context.get_constant(WORD, -1))
    builder.store(context.get_constant(WORD, -1), each.span)  # once more, for a loop in a loop
    return each._getvalue()


@kernel
def _following(slot, n, span, move):
    """The next move and its span; the span is n after the last one."""
    if span >= 0 and move < slot.spans[span, 1]:
        return span, move + 1
    span += 1
    return span, slot.spans[span, 0] if span < n else -1


@lower_builtin("iternext", MovesIterator)
@iternext_impl(RefType.UNTRACKED)
def _next(context, builder, signature, arguments, result):
    kind = signature.args[0]
    each = cgutils.create_struct_proxy(kind)(context, builder, value=arguments[0])
    found = context.compile_internal(
        builder,
        lambda slot, n, span, move: _following(slot, n, span, move),
        types.UniTuple(WORD, 2)(kind.slot, WORD, WORD, WORD),
        [each.slot, each.n, builder.load(each.span), builder.load(each.move)],
    )
    span, move = cgutils.unpack_tuple(builder, found)
    builder.store(span, each.span)
    builder.store(move, each.move)
    valid = builder.icmp_signed("<", span, each.n)
    result.set_valid(valid)
    with builder.if_then(valid):
        result.yield_(move)


# Random numbers


class RandomType(types.Type):  # type: ignore[misc]
    """Random numbers: `rng.randrange(6)`, `rng.random()`, `rng.choice(moves)`."""

    def __init__(self, stream):
        self.stream = stream
        super().__init__(f"Random({stream})")


_struct(RandomType, lambda kind: [("stream", kind.stream)])


@intrinsic
def random_of(typing_context, stream):
    return _box(RandomType(stream), stream)


@intrinsic
def stream_in(typing_context, rng):
    return _part(rng, "stream", rng.stream)


@overload_method(RandomType, "randrange")
def _randrange(rng, n):
    def randrange(rng, n):
        if n < 1:
            raise ValueError("randrange takes a number from 1 up")
        return below(stream_in(rng), n)

    return randrange


@overload_method(RandomType, "random")
def _random(rng):
    return lambda rng: fraction(stream_in(rng))


@overload_method(RandomType, "choice")
def _choice(rng, moves):
    if isinstance(moves, MovesType):
        return lambda rng, moves: moves[rng.randrange(len(moves))]
    if isinstance(moves, UnlistedMovesType):
        nth = moves.game.nth
        return lambda rng, moves: nth(position_of(moves), mover_of(moves), rng.randrange(len(moves)))
    return None


# What a seat sees


def seen_type(game: str, facts: Mapping[str, Fact]):
    """A kernel that wraps a position and a seat; the result has the facts of a game and nothing else."""

    class SeenType(types.Type):  # type: ignore[misc]
        def __init__(self, position):
            self.position, self.game, self.facts = position, game, facts
            super().__init__(f"Seen({game}, {position})")

    _struct(SeenType, lambda kind: [("s", kind.position), ("seat", WORD)])

    @intrinsic
    def seen_by(typing_context, s, seat):
        return _box(SeenType(s), s, WORD)

    @intrinsic
    def position_in(typing_context, seen):
        return _part(seen, "s", seen.position)

    @intrinsic
    def seat_in(typing_context, seen):
        return _part(seen, "seat", WORD)

    for fact in facts.values():
        made = _overload_of(fact, position_in, seat_in)
        register = overload_method if fact.takes else overload_attribute
        register(SeenType, fact.name)(made)
    return seen_by


def _overload_of(fact: Fact, position_in, seat_in):
    """What Numba compiles for a fact: the numbers checked, then the kernel called."""
    names = ", ".join(("seen", *fact.takes))
    lines = [f"def implement({names}):", f" def ask({names}):", "  s = position_in(seen)"]
    for taken, (low, high) in zip(fact.takes, fact.limits, strict=True):
        most = "s.players - 1" if high == MOST and taken == "player" else str(high)
        lines.append(f"  if {taken} < {low} or {taken} > {most}:")
        lines.append(f"   raise IndexError({f'{fact.name}: {outside(taken, low, high)}'!r})")
    lines += [f"  return call({', '.join(('s', 'seat_in(seen)', *fact.takes))})", " return ask"]
    made: dict[str, Any] = {"position_in": position_in, "seat_in": seat_in, "call": fact.call}
    exec("\n".join(lines), made)  # as named tuples are made
    return made["implement"]
