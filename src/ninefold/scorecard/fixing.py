"""Corrections of earlier rounds: change an entry, play what follows again, and say what no longer fits.

Turns a card's entries into a step. It neither reads what was typed nor stores anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.scorecard.card import Card, Chance, Fates, apply
from ninefold.scorecard.entries import Cash, Close, Entry, Roll, Splice
from ninefold.scorecard.names import listed
from ninefold.scorecard.wording import entry_words

_PLAY = (Roll, Cash, Close)  # belongs to its round and cannot move into the next


@dataclass(frozen=True, slots=True)
class Fix:
    """Correct entry `number` of round `round`: replace it, insert before it, or (no entry) delete it."""

    round: int
    number: int
    entry: Entry | None
    insert: bool = False


@dataclass(frozen=True, slots=True)
class Fixed:
    """A planned correction: the step, the draws it needed, and what no longer fits."""

    step: Splice
    draws: dict[int, bool]
    unfit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    round: int
    label: str
    entry: Entry


def work_out(card: Card, fix: Fix, chance: Chance) -> Fixed:
    """Correct one entry, and leave out those that no longer fit, each described in `unfit`."""
    slots = _slots(card)
    mine = [index for index, slot in enumerate(slots) if slot.round == fix.round]
    last = len(mine) + 1 if fix.insert else len(mine)
    if not 1 <= fix.number <= last:
        have = f"has entries 1 to {len(mine)}" if mine else "has no entries"
        raise IllegalMove(
            f"Round {fix.round} {have}, so there is no {fix.round}.{fix.number}; show lists them"
        )
    place = mine[fix.number - 1] if fix.number <= len(mine) else (mine[-1] + 1 if mine else len(slots))
    put = [] if fix.entry is None else [_Slot(fix.round, f"{fix.round}.{fix.number}", fix.entry)]
    slots[place : place if fix.insert else place + 1] = put
    fates = Fates(card.draws, chance)
    entries, unfit = _replay(card, slots, fates)
    return Fixed(_splice(card.entries, entries), fates.fresh, tuple(unfit))


def _slots(card: Card) -> list[_Slot]:
    return [_Slot(number, f"{number}.{count}", event.entry) for number, count, event in card.events()]


def _replay(card: Card, slots: list[_Slot], fates: Fates) -> tuple[list[Entry], list[str]]:
    """Apply the entries round by round: those that fit, and a sentence for each that does not."""
    at = card.start.copy()
    entries: list[Entry] = []
    late: dict[int, list[str]] = {}  # by round: what comes after its end
    unfit: list[str] = []
    for slot in slots:
        while at.number < slot.round and not at.over:
            # The card has later rounds, so this one was over: say so, and close it.
            unfit.append(
                f"round {at.number} would not be over, and {at.listed(at.inside)} would score nothing in it"
            )
            entries.append(Close())
            apply(at, Close(), fates)
        entry = slot.entry
        what = f"{slot.label} ({entry_words(entry, card.position.names)})"
        if isinstance(entry, _PLAY) and (at.over or at.number != slot.round):
            late.setdefault(slot.round, []).append(what)
            continue
        if isinstance(entry, Cash) and not at.inside.issuperset(entry.players):
            rest = tuple(player for player in entry.players if player in at.inside)
            out = at.listed(set(entry.players) - at.inside) or "a player"
            unfit.append(f"{what} names {out}, who cannot cash out there")
            if not rest:
                continue
            entry = Cash(rest)
        try:
            apply(at, entry, fates)
        except NinefoldError as error:
            unfit.append(f"{what} is not possible there: {error}")
            continue
        entries.append(entry)
    over = [f"round {number} would be over before {listed(what, most=6)}" for number, what in late.items()]
    return entries, over + unfit


def _splice(old: list[Entry], new: list[Entry]) -> Splice:
    """The smallest replacement that turns the old entries into the new."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Splice(start, len(old) - start - end, tuple(new[start : len(new) - end]))
