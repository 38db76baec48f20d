"""Records on the stack, for the length of one loop.

A record that a driver is handed lies in memory that anything might share, so every field is stored and
loaded again at every step. A private copy may stay in registers: Doubles runs half as fast again with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninefold.kernel.compile import COMPILED

LARGEST = 4_096  # bytes; a larger record is lent itself, for no copy of it could live in registers

if TYPE_CHECKING or not COMPILED:

    def borrow(record: Any) -> Any:
        """A private copy of a record, until `give_back`."""
        return record.copy()

    def give_back(record: Any, copy: Any) -> None:
        """Write a private copy back to where it came from."""
        for name in record.dtype.names:
            record[name] = copy[name]

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def _copy(context, builder, record, target, source):
        cgutils.raw_memcpy(builder, target, source, context.get_constant(types.intp, record.size), 1)

    @intrinsic
    def borrow(typing_context, record):  # noqa: ARG001 (the shape Numba asks for)
        """A private copy of a record, until `give_back`."""

        def generate(context, builder, signature, arguments):
            kind = signature.args[0]
            if kind.size > LARGEST:
                return arguments[0]
            place = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(8), kind.size))
            place.align = 16
            _copy(context, builder, kind, place, arguments[0])
            return builder.bitcast(place, context.get_value_type(kind))

        return record(record), generate

    @intrinsic
    def give_back(typing_context, record, copy):  # noqa: ARG001 (numba's shape)
        """Write a private copy back to where it came from."""

        def generate(context, builder, signature, arguments):
            if signature.args[0].size <= LARGEST:
                _copy(context, builder, signature.args[0], arguments[0], arguments[1])
            return context.get_dummy_value()

        return types.void(record, copy), generate
