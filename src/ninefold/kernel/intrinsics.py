"""Bit instructions that Numba has no function for.

The only module that writes LLVM code. It knows neither cards nor seats, only 64-bit words; when kernels are
interpreted, Python's integers do the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninefold.kernel.compile import COMPILED


def _climb(bits: int, n: int) -> int:
    """The highest number with no more than n bits set below it, found bit by bit."""
    place = 0
    for step in range(6):
        higher = place + (32 >> step)
        if count_bits(bits & ~(-1 << higher)) <= n:
            place = higher
    return place


if TYPE_CHECKING or not COMPILED:

    def count_bits(word: Any) -> int:
        """How many bits are set in a word."""
        return (int(word) & 0xFFFFFFFFFFFFFFFF).bit_count()

    def lowest_bit(word: Any) -> int:
        """The number of the lowest bit set in a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def highest_bit(word: Any) -> int:
        """The number of the highest bit set in a word above 0."""
        return int(word).bit_length() - 1

    nth_bit = _climb

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cpu
    from numba.extending import intrinsic

    SLOW_DEPOSIT = ("bdver4", "znver1", "znver2")  # processors on which the instruction is slow

    @intrinsic
    def count_bits(typing_context, word):  # noqa: ARG001 (the shape Numba asks for)
        """How many bits are set in a word: one instruction on every target."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's shape)
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def lowest_bit(typing_context, word):  # noqa: ARG001 (numba's shape)
        """The number of the lowest bit set in a word that is not 0: one instruction on every target."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's shape)
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate

    @intrinsic
    def highest_bit(typing_context, word):  # noqa: ARG001 (numba's shape)
        """The number of the highest bit set in a word above 0."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's shape)
            above = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
            return builder.sub(context.get_constant(types.int64, 63), above)

        return types.int64(types.int64), generate

    def _deposits(context: Any) -> bool:
        """Whether the target processor has a fast instruction that spreads bits over a mask."""
        if not isinstance(context, cpu.CPUContext):
            return False
        triple, name, features = context.codegen().magic_tuple()
        return triple.startswith("x86_64") and "+bmi2" in features and name not in SLOW_DEPOSIT

    @intrinsic
    def nth_bit(typing_context, bits, n):  # noqa: ARG001 (numba's shape)
        """The number of the n-th bit set: two instructions if the processor has them."""

        def generate(context, builder, signature, arguments):
            if not _deposits(context):
                return context.compile_internal(builder, _climb, signature, arguments)
            word = ir.IntType(64)
            shape = ir.FunctionType(word, [word, word])
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), shape)
            nth = builder.call(deposit, [builder.shl(ir.Constant(word, 1), arguments[1]), arguments[0]])
            return builder.cttz(nth, ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64, types.int64), generate
