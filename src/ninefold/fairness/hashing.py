"""Hashes for fair draws: numbers, orders, chains of tokens, and trees that are opened leaf by leaf.

Everything is SHA-256, so that a page, or a program of thirty lines, can do the same. docs/fairness.md says
why each is used; examples/verify_match.py does all of it again.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

LEAVES = 64  # of every tree: at least as many as a deck has cards
EMPTY = sha256(b"leaf").digest()  # fills up a tree
BLOCK = 64  # bytes that SHA-256 takes at a time
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))  # of an HMAC
BYTES = [bytes((byte,)) for byte in range(256)]


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256: as the standard library has it, which takes four times as long for short messages."""
    if len(key) > BLOCK:
        key = sha256(key).digest()
    block = key.ljust(BLOCK, b"\0")
    return sha256(block.translate(OUTER) + sha256(block.translate(INNER) + message).digest()).digest()


def number_below(digest: bytes, limit: int) -> int:
    """A number from 0 to limit - 1; 256 bits make all of them equally likely, to within 2**-190."""
    return int.from_bytes(digest, "big") % limit


def ordered(seed: bytes, size: int) -> list[int]:
    """The numbers below `size` in a random order: sorted by the hash of the seed and the number."""
    marks = sorted([(sha256(seed + BYTES[number]).digest(), number) for number in range(size)])
    return [number for _, number in marks]


def link(token: str) -> str:
    """The token before this one in its chain: its hash, in 43 letters as they are written in addresses."""
    return urlsafe_b64encode(sha256(token.encode()).digest()).decode().rstrip("=")


def leaf(content: bytes) -> bytes:
    return sha256(b"leaf" + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"node" + left + right).digest()


def root(contents: Sequence[bytes]) -> str:
    """The commitment to the contents of a tree."""
    return root_of_leaves([leaf(content) for content in contents])


def root_of_leaves(leaves: Sequence[bytes]) -> str:
    """The same for contents of which only the hashes may be known."""
    return _hash_of(leaves, 0, LEAVES).hex()


def closed(contents: Sequence[bytes], opened: Collection[int]) -> list[str]:
    """The hashes that, with the opened leaves, give the root: of all closed branches, from the left."""
    leaves = [leaf(content) for content in contents]
    return [branch.hex() for branch in _closed(leaves, opened, 0, LEAVES)]


def _hash_of(leaves: Sequence[bytes], first: int, size: int) -> bytes:
    level = [*leaves[first : first + size]]
    level += [EMPTY] * (size - len(level))
    while len(level) > 1:
        level = [node(left, right) for left, right in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def _closed(leaves: Sequence[bytes], opened: Collection[int], first: int, size: int) -> Iterator[bytes]:
    if not any(first <= place < first + size for place in opened):
        yield _hash_of(leaves, first, size)
    elif size > 1:
        half = size // 2
        yield from _closed(leaves, opened, first, half)
        yield from _closed(leaves, opened, first + half, half)


def root_of_opened(opened: Mapping[int, bytes], rest: Sequence[str]) -> str:
    """The root of a tree of which some leaves are opened; ValueError if the other hashes do not fit them."""
    hashes = iter([bytes.fromhex(one) for one in rest])

    def climb(first: int, size: int) -> bytes:
        if not any(first <= place < first + size for place in opened):
            return next(hashes)
        if size == 1:
            return leaf(opened[first])
        half = size // 2
        left = climb(first, half)
        return node(left, climb(first + half, half))

    try:
        found = climb(0, LEAVES).hex()
    except StopIteration:
        raise ValueError("hashes of closed leaves are missing") from None
    if next(hashes, None) is not None or not all(0 <= place < LEAVES for place in opened):
        raise ValueError("there are more hashes than closed leaves")
    return found
