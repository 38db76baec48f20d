"""Judges cards of Multiple 9 without a match, for `ninefold judge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ninefold.game import nines
from ninefold.game.nines import COPIES, LONE, RANKS, WIDTH, number_of
from ninefold.kernel.cards import STANDARD, Rank, check_number
from ninefold.model.facts import Flag
from ninefold.model.judge import Answer, Argument, Question
from ninefold.model.text import join

__all__ = ["Play", "Verdict", "best", "groups", "split", "verdict"]

Group = list[str]


class Play(NamedTuple):
    """A play, the cards it leaves, and the ranks that would let those go out if drawn next."""

    groups: list[Group]
    rest: list[str]
    outs: list[str]


class Verdict(NamedTuple):
    """The verdict on cards put down as one play."""

    legal: bool
    only_last: bool  # legal, but only if no card is left in the hand
    total: int
    groups: list[Group] | None
    why: str


def groups(cards: str | list[str]) -> list[Group]:
    """Every group in cards such as `"8 4 4 A A"`, in the order of the moves; suits may be left out."""
    return [_texts(group) for group in _groups_in(_read(cards))]


def split(cards: str | list[str]) -> list[Group] | None:
    """The cards as groups that can all go down together, or None."""
    found = nines.split(_read(cards))
    return None if found is None else [_texts(group) for group in found]


def verdict(cards: str | list[str]) -> Verdict:
    """Whether cards are a legal play, and how they split, or why not."""
    packed = _read(cards)
    found = nines.split(packed)
    total = int(nines.total_of(packed))
    shown = None if found is None else [_texts(group) for group in found]
    lone = found is not None and len(found) == 1 and found[0] < LONE
    return Verdict(found is not None, lone, total, shown, _why(packed, found, total))


def best(cards: str | list[str]) -> Play:
    """The legal play that leaves the best cards in a hand.

    The best cards are those that can go out with the next draw of the most other cards; among equals, the
    fewest cards. If nothing may be put down, the play is empty.
    """
    hand = _read(cards)
    unseen = {rank: COPIES - int(number_of(hand, rank)) for rank in range(RANKS)}
    wanted = _outs(hand, list(range(RANKS)))  # a card that completes the rest also completes the whole hand
    most = sum(unseen[rank] for rank in wanted)
    chosen, score = hand, -1
    for size in range(len(nines.unpack(hand)) if nines.has_group(hand) else 0):
        for rest in _parts(hand, size):
            if not _may_leave(hand, rest):
                continue
            hopes = most if not rest else sum(unseen[rank] for rank in _outs(rest, wanted))
            if hopes > score:
                chosen, score = rest, hopes
        if score == most:
            break  # keeping more cards cannot be better
    laid = nines.split(hand - chosen) or []
    texts = [STANDARD.rank_text(rank) for rank in nines.unpack(chosen)]
    outs = [STANDARD.rank_text(rank) for rank in _outs(chosen, wanted)] if chosen else []
    return Play([_texts(group) for group in laid], texts, outs)


def _read(cards: str | list[str]) -> int:
    """Cards as counts of each rank; RuleError if no hand can have them."""
    ranks = STANDARD.read_hand(cards)
    check_number(ranks, 1, STANDARD.size)
    return nines.pack(ranks)


def _texts(group: int) -> Group:
    return nines.TEXTS[group].split()


def _groups_in(hand: int) -> list[int]:
    words = [int(word) for word in nines.groups_in(hand)]
    return [group for group in range(len(nines.GROUPS)) if words[group >> 6] >> (group & 63) & 1]


def _parts(hand: int, size: int, rank: Rank = 0) -> Iterator[int]:
    """Every way to choose `size` of a hand's cards of this rank and higher ones."""
    if size == 0:
        yield 0
    elif rank < RANKS:
        for number in range(min(size, int(number_of(hand, rank))), -1, -1):
            for higher in _parts(hand, size - number, rank + 1):
                yield higher + (number << WIDTH * rank)


def _may_leave(hand: int, rest: int) -> bool:
    """Whether some legal play leaves exactly these cards."""
    played = hand - rest
    if rest and nines.total_of(played) == 9:
        return False  # R2.5
    return bool(nines.splits(played))


def _outs(rest: int, wanted: list[Rank]) -> list[Rank]:
    return [
        rank for rank in wanted if number_of(rest, rank) < COPIES and nines.splits(rest + (1 << WIDTH * rank))
    ]


def _why(packed: int, found: list[int] | None, total: int) -> str:
    """The verdict as a sentence."""
    cards = STANDARD.hand_text(nines.unpack(packed))
    if found is not None:
        parts = [f"{nines.TEXTS[group]} makes {9 * nines.NINES[group]}" for group in found]
        if len(found) == 1 and found[0] < LONE:
            return f"{parts[0]}: a lone nine, legal only as the last cards of a hand (R2.5)"
        return f"{join(parts)} (R2.5)"
    if total % 9:
        low = total - total % 9
        return f"{cards} total {total}, between {low} and {low + 9}, so they cannot all be in groups (R2.2)"
    right = f"the total of {total} is right, but"
    if not nines.has_group(packed):
        return f"{right} a group has at most two ranks, and these cards contain no group (R2.2)"
    alone = [rank for rank in range(RANKS) if number_of(packed, rank) and not _partners(packed, rank)]
    if alone:
        names = join([STANDARD.rank_text(rank) for rank in reversed(alone)])
        are = "is" if len(alone) == 1 else "are"
        return f"{right} the {names} {are} in no group of one or two ranks (R2.2)"
    return f"{right} no groups of one or two ranks use every card (R2.2)"


def _partners(packed: int, rank: Rank) -> list[int]:
    return [group for group in _groups_in(packed) if rank in nines.GROUPS[group]]


def _spoken(play: Play) -> str:
    """A play of some of the cards, in words."""
    if not play.groups:
        return "None of these cards can be put down yet."
    laid = join([" ".join(group) for group in play.groups])
    if not play.rest:
        return f"All cards can go down: {laid}."
    outs = f"; then {' or '.join(play.outs)} would let you go out" if play.outs else ""
    return f"The best play is to put down {laid} and keep {' '.join(play.rest)}{outs}."


def answer(cards: str, hand: bool) -> Answer:
    """The verdict on some cards, as one play or as a whole hand."""
    said, found, play = verdict(cards), groups(cards), best(cards)
    data = {**said._asdict(), "all_groups": found, "best": play._asdict()}
    if hand:
        listed = ", ".join(" ".join(group) for group in found) or "none"
        return Answer([f"Groups in the hand: {listed}.", _spoken(play)], data)
    word = "Only as the last cards" if said.only_last else "Legal" if said.legal else "Not legal"
    return Answer([f"{word}: {said.why}.", *([] if said.legal else [_spoken(play)])], data)


QUESTION = Question(
    "Show whether CARDS may be put down as one play, how they split into groups, or why they do not.",
    "'8 4 4 A A'",
    (Argument("cards", "words"),),
    answer,
    (Flag("hand", "Judge a whole hand: every group in it, and the best play", False),),
)
