"""Fair chance: draws that nobody can predict, and that anyone can check afterwards.

Every match has a secret of 256 bits. Each draw has its own key, derived from the secret. The result of a draw
depends on that key and on all commands so far, including the random ids that the players' programs gave them.
So even someone who knows the secret cannot know a card before the move that brings it. The keys are committed
to before the first draw of their segment, as the root of a hash tree. At the end the keys of all public draws
are shown; for a draw that was never shown, such as folded cards, only its hash is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from ninefold.kernel import stream

SEGMENT = 64  # draws that one commitment covers
ALL_ZERO = b"".join(
    word.to_bytes(8, "little") for word in (1, 2, 3, 4)
)  # used if the words are all zero, which no stream may be
INNER = bytes(byte ^ 0x36 for byte in range(256))  # how HMAC changes its key
OUTER = bytes(byte ^ 0x5C for byte in range(256))
BEGINNING = sha256(b"ninefold match 1").digest()


_written = msgspec.json.Encoder().encode  # no spaces, UTF-8


def follow(history: bytes, seat: int, move: str, command: str) -> bytes:
    """The hash of all commands so far, after one more."""
    return sha256(history + _written((seat, move, command))).digest()


def hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 for a key of up to 64 bytes, twice as fast as the library's."""
    block = key.ljust(64, b"\0")
    inside = sha256(block.translate(INNER) + message).digest()
    return sha256(block.translate(OUTER) + inside).digest()


def key_of(secret: bytes, number: int) -> bytes:
    """The key of one draw."""
    return hmac(secret, b"ninefold draw" + number.to_bytes(8, "big"))


def bot_seed(secret: bytes) -> int:
    """The seed of a match's bots, the same whenever the match is read back."""
    return int.from_bytes(hmac(secret, b"ninefold bots")[:8], "big")


def keys_of(secret: bytes, numbers: Iterable[int]) -> list[bytes]:
    """The keys of many draws: as `key_of`, but the work that depends only on the secret is done once."""
    block = secret.ljust(64, b"\0")
    inner = sha256(block.translate(INNER) + b"ninefold draw")
    outer = sha256(block.translate(OUTER))
    keys = []
    for number in numbers:
        inside, outside = inner.copy(), outer.copy()
        inside.update(number.to_bytes(8, "big"))
        outside.update(inside.digest())
        keys.append(outside.digest())
    return keys


def stream_of(key: bytes, history: bytes) -> stream.Stream:
    """The random numbers of one draw."""
    words = hmac(key, history)
    return stream.stream_of(words if any(words) else ALL_ZERO)


def leaf(key: bytes) -> bytes:
    return sha256(b"leaf" + key).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of a hash tree; the number of leaves is a power of two."""
    level = list(leaves)
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [sha256(b"node" + one + other).digest() for one, other in pairs]
    return level[0]


def commitment(secret: bytes, segment: int) -> str:
    """The commitment, published before any command that a draw of the segment depends on."""
    first = segment * SEGMENT
    return root([leaf(key) for key in keys_of(secret, range(first, first + SEGMENT))]).hex()


def reveal(secret: bytes, draws: int, hidden: Iterable[int] = ()) -> list[dict[str, list[str]]]:
    """The keys of all draws made, segment by segment; for hidden and unused keys, only hashes."""
    kept = set(hidden)
    shown = []
    for first in range(0, max(1, draws), SEGMENT):
        numbers = range(first, first + SEGMENT)
        keys = keys_of(secret, numbers)
        open_ = [number < draws and number not in kept for number in numbers]
        shown.append(
            {
                "keys": [key.hex() if seen else "" for key, seen in zip(keys, open_, strict=True)],
                "hashes": [
                    leaf(key).hex() if not seen else "" for key, seen in zip(keys, open_, strict=True)
                ],
            }
        )
    return shown


def check_segment(shown: Mapping[str, Any], committed: str) -> list[bytes | None]:
    """The keys of a revealed segment, None for secret ones; ValueError if they break the commitment."""
    keys = [bytes.fromhex(key) if key else None for key in shown["keys"]]
    hashes = [bytes.fromhex(text) for text in shown["hashes"]]
    if len(keys) != SEGMENT or len(hashes) != SEGMENT:
        raise ValueError(f"a segment has {SEGMENT} draws")
    leaves = [leaf(key) if key is not None else given for key, given in zip(keys, hashes, strict=True)]
    if root(leaves).hex() != committed:
        raise ValueError("the keys are not those that were committed to at the start")
    return keys
