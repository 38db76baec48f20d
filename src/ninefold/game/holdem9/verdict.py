"""The groups of a hand and its unused cards. Its strength is in hands.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ninefold.game.holdem9.hands import ACE_UNUSED, HAND, KEY, strength_of
from ninefold.game.nines import GROUPS, NINES, PACKED, holds, pack, unpack, value
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.compile import python_function

_PACKED = [int(group) for group in PACKED]
_holds = python_function(holds)


class Verdict(NamedTuple):
    """What cards are worth: groups and unused cards as ranks, the highest first."""

    nines: int
    groups: list[list[str]]
    unused: list[str]
    strength: int  # 0 as long as there are fewer than seven cards


def worth(rank: Rank, number: int) -> int:
    """What a number of unused cards of a rank is worth: an ace counts 14 here (R5.4)."""
    return number * (value(rank) if rank else ACE_UNUSED)


def worths(unused: Iterable[Rank]) -> list[int]:
    """The worths of unused ranks, the highest first."""
    return sorted((worth(rank, number) for rank, number in Counter(unused).items()), reverse=True)


def _by_worth(unused: Sequence[str]) -> list[str]:
    """Unused cards in the order in which hands are compared, the highest worth first."""
    ranks = [STANDARD.read_rank(text) for text in unused]
    worths = {text: worth(rank, unused.count(text)) for rank, text in zip(ranks, unused, strict=True)}
    return sorted(unused, key=lambda text: worths[text], reverse=True)


@lru_cache(4_096)
def _best(hand: int) -> tuple[tuple[int, ...], int]:
    """The best disjoint groups in a packed hand, as few as possible, and the unused cards."""
    inside = [number for number, group in enumerate(_PACKED) if _holds(hand, group)]
    best: tuple[tuple[int, ...], int] = ((), hand)
    most = _order((), hand)
    open_: list[tuple[tuple[int, ...], int, int]] = [((), hand, 0)]
    while open_:
        chosen, left, first = open_.pop()
        for place in range(first, len(inside)):
            if _holds(left, _PACKED[inside[place]]):
                more, rest = (*chosen, inside[place]), left - _PACKED[inside[place]]
                if _order(more, rest) > most:
                    most, best = _order(more, rest), (more, rest)
                open_.append((more, rest, place))
    return best


def _order(chosen: Sequence[int], left: int) -> tuple[int, int, list[int], int]:
    unused = worths(unpack(left))
    return sum(NINES[number] for number in chosen), -len(unused), unused, -len(chosen)


def groups_in(ranks: Sequence[Rank]) -> Sequence[int]:
    """The numbers of the best disjoint groups of some ranks."""
    return _best(pack(ranks))[0]


def verdict(ranks: Sequence[Rank]) -> Verdict:
    """The judgement of up to seven ranks."""
    chosen, left = _best(pack(ranks))
    groups = sorted((GROUPS[number] for number in chosen), key=lambda group: (-len(group), group))
    return Verdict(
        sum(NINES[number] for number in chosen),
        [[STANDARD.rank_text(rank) for rank in group] for group in groups],
        [STANDARD.rank_text(rank) for rank in unpack(left)],
        int(strength_of(int(sum(KEY[rank] for rank in ranks)))) if len(ranks) == HAND else 0,
    )


def tie_break(best: Verdict, other: Verdict) -> str:
    """Why the better of two hands with as many nines wins, or nothing."""
    if best.nines != other.nines or best.strength <= other.strength:
        return ""
    fewer = len(set(best.unused)) < len(set(other.unused))
    return "fewer ranks unused" if fewer else "unused cards worth more"


def in_words(found: Verdict, short: bool = False) -> str:
    """`7 nines (K+K+10, 9, J+7), unused 2`, or `2 nines (K+5) so far`."""
    nines = f"{found.nines or 'no'} nine{'s' * (found.nines != 1)}"
    groups = ", ".join("+".join(group) for group in found.groups)
    made = f"{nines}{f' ({groups})' if groups else ''}"
    if short or not found.strength:
        return made if found.strength else f"{made} so far"
    left = f"unused {' '.join(_by_worth(found.unused))}" if found.unused else "nothing unused"
    return f"{made}, {left}"
