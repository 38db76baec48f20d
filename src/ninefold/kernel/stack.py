"""Positions on the stack, for the length of one loop.

A driver's position is in memory that other code might share, so every field is stored and loaded at every
step. A copy on the stack can stay in registers, which makes a short game run 50 % faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninefold.kernel.compile import COMPILED

LARGEST = 4_096  # bytes; a larger position is not copied, because it would not fit in registers

if TYPE_CHECKING or not COMPILED:

    def stack_copy(record: Any) -> Any:
        """A copy of a position on the stack; `write_back` stores the changes."""
        return record.copy()

    def fresh_copy(record: Any, spare: Any) -> Any:  # noqa: ARG001 (only a large position needs it)
        """A copy of a position on the stack or, if it is too large for that, in `spare`."""
        return record.copy()

    def write_back(record: Any, copy: Any) -> None:
        """Store a copy made by `stack_copy` in its original."""
        for name in record.dtype.names:
            record[name] = copy[name]

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def _copy(context, builder, record, target, source):
        cgutils.raw_memcpy(builder, target, source, context.get_constant(types.intp, record.size), 1)

    def _on_stack(context, builder, record, source):
        place = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(8), record.size))
        place.align = 16
        _copy(context, builder, record, place, source)
        return builder.bitcast(place, context.get_value_type(record))

    @intrinsic
    def stack_copy(typing_context, record):  # noqa: ARG001 (the shape Numba asks for)
        """A copy of a position on the stack; `write_back` stores the changes."""

        def generate(context, builder, signature, arguments):
            kind = signature.args[0]
            if kind.size > LARGEST:
                return arguments[0]
            return _on_stack(context, builder, kind, arguments[0])

        return record(record), generate

    @intrinsic
    def fresh_copy(typing_context, record, spare):  # noqa: ARG001 (the shape Numba asks for)
        """A copy of a position on the stack or, if it is too large for that, in `spare`."""

        def generate(context, builder, signature, arguments):
            kind, (source, target) = signature.args[0], arguments
            if kind.size <= LARGEST:
                return _on_stack(context, builder, kind, source)
            _copy(context, builder, kind, target, source)
            return target

        return record(record, spare), generate

    @intrinsic
    def write_back(typing_context, record, copy):  # noqa: ARG001 (numba's shape)
        """Store a copy made by `stack_copy` in its original."""

        def generate(context, builder, signature, arguments):
            if signature.args[0].size <= LARGEST:
                _copy(context, builder, signature.args[0], arguments[0], arguments[1])
            return context.get_dummy_value()

        return types.void(record, copy), generate
