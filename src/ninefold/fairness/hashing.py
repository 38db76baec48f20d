"""Hashes for fair draws: numbers, orders, chains of tokens, and trees that are opened leaf by leaf.

Everything is SHA-256, so that a page, or a program of thirty lines, can do the same. docs/fairness.md says
why each is used; examples/verify_match.py does all of it again.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

LEAVES = 64  # of every tree: at least as many as a deck has cards
EMPTY = sha256(b"leaf").digest()  # fills up a tree


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.digest(key, message, "sha256")


def number_below(digest: bytes, limit: int) -> int:
    """A number from 0 to limit - 1; 256 bits make all of them equally likely, to within 2**-190."""
    return int.from_bytes(digest, "big") % limit


def ordered(seed: bytes, size: int) -> list[int]:
    """The numbers below `size` in a random order: sorted by the hash of the seed and the number."""
    begun = sha256(seed)
    marks = []
    for number in range(size):
        one = begun.copy()
        one.update(bytes((number,)))
        marks.append((one.digest(), number))
    return [number for _, number in sorted(marks)]


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
    if size == 1:
        return leaves[first] if first < len(leaves) else EMPTY
    half = size // 2
    return node(_hash_of(leaves, first, half), _hash_of(leaves, first + half, half))


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
