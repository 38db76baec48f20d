"""Ask the rules of Multiple 9 about some cards, without a match: `ninefold judge` does."""

from __future__ import annotations

from ninefold.game import nines
from ninefold.kernel.cards import PLAIN


def groups(cards: str | list[str]) -> list[list[str]]:
    packed = nines.pack(PLAIN.read_hand(cards))
    words = nines.groups_in(packed)
    return [
        nines.TEXTS[group].split()
        for group in range(len(nines.GROUPS))
        if int(words[group >> 6]) >> (group & 63) & 1
    ]
