"""Keys of draws, the commitments to them, and what is shown of them at the end.

Every match has a secret. Each draw has its own key, derived from the secret; its result depends on that key
and on all commands so far. Keys are committed to in segments, by the root of a hash tree. At the end the keys
of all public draws are shown; for a draw that was never shown, such as folded cards, only its hash is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from ninefold.fairness.hashing import LEAVES, keyed, leaf, root_of_leaves
from ninefold.kernel import stream

SEGMENT = LEAVES  # draws that one commitment covers
# Used if the words are all zero, which no stream may be.
ALL_ZERO = b"".join(word.to_bytes(8, "little") for word in (1, 2, 3, 4))
BEGINNING = sha256(b"ninefold match 1").digest()
_written = msgspec.json.Encoder().encode  # no spaces, UTF-8


def follow(history: bytes, seat: int, move: str, command: str) -> bytes:
    """The hash of all commands so far, after one more."""
    return sha256(history + _written((seat, move, command))).digest()


def key_of(secret: bytes, number: int) -> bytes:
    """The key of one draw."""
    return keyed(secret, b"ninefold draw" + number.to_bytes(8, "big"))


def stream_of(key: bytes, history: bytes) -> stream.Stream:
    """The random numbers of one draw."""
    words = keyed(key, history)
    return stream.stream_of(words if any(words) else ALL_ZERO)


def commitment(secret: bytes, segment: int) -> str:
    """The commitment, published before any command that a draw of the segment depends on."""
    return root_of_leaves([leaf(key_of(secret, number)) for number in _numbers(segment)])


def _numbers(segment: int) -> range:
    return range(segment * SEGMENT, (segment + 1) * SEGMENT)


def reveal(secret: bytes, draws: int, hidden: Iterable[int] = ()) -> list[dict[str, list[str]]]:
    """The keys of all draws made, segment by segment; for hidden and unused keys, only hashes."""
    kept = set(hidden)
    shown: list[dict[str, list[str]]] = []
    for segment in range(max(1, -(-draws // SEGMENT))):
        part: dict[str, list[str]] = {"keys": [], "hashes": []}
        for number in _numbers(segment):
            key = key_of(secret, number)
            seen = number < draws and number not in kept
            part["keys"].append(key.hex() if seen else "")
            part["hashes"].append("" if seen else leaf(key).hex())
        shown.append(part)
    return shown


def check_segment(shown: Mapping[str, Any], committed: str) -> list[bytes | None]:
    """The keys of a revealed segment, None for secret ones; ValueError if they break the commitment."""
    keys = [bytes.fromhex(key) if key else None for key in shown["keys"]]
    hashes = [bytes.fromhex(text) for text in shown["hashes"]]
    if len(keys) != SEGMENT or len(hashes) != SEGMENT:
        raise ValueError(f"a segment has {SEGMENT} draws")
    leaves = [leaf(key) if key is not None else given for key, given in zip(keys, hashes, strict=True)]
    if root_of_leaves(leaves) != committed:
        raise ValueError("the keys are not those that were committed to at the start")
    return keys
