"""Random numbers: xoshiro256++ streams seeded through splitmix64, and unbiased bounded draws.

The only module with 64-bit unsigned arithmetic; every constant in it is typed. A stream is never part of a
position, so a position holds no future.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ninefold.kernel.compile import COMPILED, kernel
from ninefold.kernel.record import record_of, typed

Function = TypeVar("Function", bound=Callable[..., Any])
Stream = Any

STREAM = np.dtype([("a", "u8"), ("b", "u8"), ("c", "u8"), ("d", "u8")])
_ALONE = typed(STREAM)
FOR_CHANCE = 0
FOR_BOTS = 1
FOR_WORLDS = 1 << 62  # chance in the playouts of a search

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)
U1, U2 = np.uint64(1), np.uint64(2)
U17, U19, U23, U27, U30, U31, U32, U41, U45 = (np.uint64(n) for n in (17, 19, 23, 27, 30, 31, 32, 41, 45))


def wrapping(function: Function) -> Function:
    """A kernel whose 64-bit sums wrap; interpreted, NumPy would warn about that."""
    if COMPILED:
        return kernel(function)
    return np.errstate(over="ignore")(function)


@wrapping
def mix(x: Any) -> Any:
    """The finaliser of splitmix64: a bijection of 64-bit words."""
    x = (x ^ (x >> U30)) * MIX_1
    x = (x ^ (x >> U27)) * MIX_2
    return x ^ (x >> U31)


@wrapping
def seed_stream(stream: Stream, seed: Any, number: int, purpose: int) -> None:
    """Start `stream` for game `number` of `seed`; streams of two purposes share nothing."""
    start = mix(mix(np.uint64(seed) + GOLDEN) ^ (np.uint64(number) * U2 + np.uint64(purpose)))
    stream.a = mix(start + GOLDEN)
    stream.b = mix(start + GOLDEN + GOLDEN)
    stream.c = mix(start + GOLDEN + GOLDEN + GOLDEN)
    stream.d = mix(start + GOLDEN + GOLDEN + GOLDEN + GOLDEN)


@wrapping
def next_word(stream: Stream) -> Any:
    """The next 64 random bits (xoshiro256++)."""
    a, b, c, d = stream.a, stream.b, stream.c, stream.d
    word = a + d
    word = ((word << U23) | (word >> U41)) + a
    c ^= a
    d ^= b
    stream.b = b ^ c
    stream.a = a ^ d
    stream.c = c ^ (b << U17)
    stream.d = (d << U45) | (d >> U19)
    return word


@wrapping
def scale(word: Any, n: int) -> int:
    """Map 32 random bits onto 0..n-1, or -1 for the few words that would bias the result."""
    product = word * np.uint64(n)
    rest = product & LOW_32
    if rest < np.uint64(n) and rest < (U1 << U32) % np.uint64(n):
        return -1
    return np.int64(product >> U32)  # type: ignore[return-value]


@kernel
def below(stream: Stream, n: int) -> int:
    """An evenly distributed number 0..n-1, for n up to 2**32."""
    while True:
        drawn = scale(next_word(stream) >> U32, n)
        if drawn >= 0:
            return drawn


def new_stream(seed: int = 0, number: int = 0, purpose: int = FOR_CHANCE) -> Stream:
    """A new stream, for callers outside kernels."""
    stream = stream_of(bytes(STREAM.itemsize))
    seed_stream(stream, np.uint64(seed), number, purpose)
    return stream


def stream_of(words: bytes) -> Stream:
    """A stream from its four words."""
    return record_of(bytearray(words), _ALONE)
