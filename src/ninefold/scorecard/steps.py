"""Takes what a person asked for: the card after it, the step to store, and what to say.

A correction of an earlier round changes an entry, plays what follows again, and says what no longer fits.
Neither reads what was typed nor stores anything.
"""

from __future__ import annotations

from typing import NamedTuple

from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.scorecard.card import Card, Chance, Draws, Event, apply
from ninefold.scorecard.entries import Cash, Close, Do, Entry, Redo, Roll, Splice, Step, Sum, Undo
from ninefold.scorecard.names import listed
from ninefold.scorecard.reading import Enter, Fix
from ninefold.scorecard.wording import Line, amount, difference, entry_words, event_lines

_PLAY = Roll | Sum | Cash | Close  # belongs to its round and cannot move into the next


class Taken(NamedTuple):
    """The card after a step, the step, and what it did in words."""

    card: Card
    step: Step
    lines: list[Line]


def take(card: Card, asked: Enter | Undo | Redo | Fix, chance: Chance | None = None) -> Taken:
    """Take a step; IllegalMove if that cannot be done. Nothing is stored yet."""
    match asked:
        case Enter(entry, remark):
            after = card.after(Do(entry), chance)
            lines = event_lines(Event(entry, card.position, after.position), after.position)
            return Taken(after, Do(entry), lines + ([Line(remark, "aside")] if remark else []))
        case Fix():
            return _take_fix(card, asked, chance)
    after = card.after(asked, chance)
    return Taken(after, asked, [Line(f"{_undone(card, after, asked)}.", "good")])


def _undone(card: Card, after: Card, step: Undo | Redo) -> str:
    """What was undone or redone."""
    names = {**card.position.names, **after.position.names}
    changes = card.changes(step)
    entries = [entry for change in changes for entry in (*change.cut, *change.put)]
    words = [entry_words(entry, names) for entry in entries[:5]]
    what = ", ".join(words) + (f" and {len(entries) - 5} more" if len(entries) > 5 else "")
    if any(len(change.cut) + len(change.put) != 1 for change in changes):
        what = "a correction"
    return f"{'Undone' if isinstance(step, Undo) else 'Redone'}: {what}"


def _take_fix(card: Card, fix: Fix, chance: Chance | None) -> Taken:
    draws = Draws(dict(card.draws), chance)
    step, unfit = work_out(card, fix, draws)
    if unfit and not fix.sure:
        more = f"; and {len(unfit) - 3} more" if len(unfit) > 3 else ""
        raise IllegalMove(
            f"Then {'; '.join(unfit[:3])}{more}. "
            f"Nothing changed; type fix! {fix.typed} to do it anyway and drop what does not fit."
        )
    if not step.cut and not step.put:
        raise IllegalMove("The card already says that; nothing changed")
    after = card.after(step, draws=draws.known)
    before, now = card.position, after.position
    changed = "; ".join(difference(before, now)[:12])
    if not changed and not now.over and before.number == now.number:
        changed = "" if before.total == now.total else f"Total {amount(before.total)} -> {amount(now.total)}"
    lines = [Line(f"Corrected. {changed or 'No score changed'}.", "good")]
    if unfit:
        lines.append(Line(f"Dropped, because it no longer fits: {'; '.join(unfit[:5])}."))
    return Taken(after, step, lines)


def work_out(card: Card, fix: Fix, draws: Draws) -> tuple[Splice, list[str]]:
    """The step that corrects one entry and leaves out those that no longer fit, each described."""
    entries = list(card.numbered())
    mine = [index for index, (number, _, _) in enumerate(entries) if number == fix.round]
    last = len(mine) + 1 if fix.insert else len(mine)
    if not 1 <= fix.number <= last:
        have = f"has entries 1 to {len(mine)}" if mine else "has no entries"
        raise IllegalMove(
            f"Round {fix.round} {have}, so there is no {fix.round}.{fix.number}; show lists them"
        )
    place = mine[fix.number - 1] if fix.number <= len(mine) else (mine[-1] + 1 if mine else len(entries))
    put = [] if fix.entry is None else [(fix.round, fix.number, fix.entry)]
    entries[place : place if fix.insert else place + 1] = put
    kept, unfit = _replay(card, entries, draws)
    return _splice(card.entries, kept), unfit


def _replay(
    card: Card, numbered: list[tuple[int, int, Entry]], draws: Draws
) -> tuple[list[Entry], list[str]]:
    """Apply the entries round by round: those that fit, and a sentence for each that does not."""
    at = card.rounds[0][1].copy()
    entries: list[Entry] = []
    late: dict[int, list[str]] = {}  # by round: what comes after its end
    unfit: list[str] = []
    for number, count, entry in numbered:
        while at.number < number and not at.over:
            # The card has later rounds, so this one was over: say so, and close it.
            unfit.append(
                f"round {at.number} would not be over, and {at.listed(at.inside)} would score nothing in it"
            )
            entries.append(Close())
            apply(at, Close(), draws)
        what = f"{number}.{count} ({entry_words(entry, card.position.names)})"
        if isinstance(entry, _PLAY) and (at.over or at.number != number):
            late.setdefault(number, []).append(what)
            continue
        if isinstance(entry, Cash) and not at.inside.issuperset(entry.players):
            out = at.listed(set(entry.players) - at.inside) or "a player"
            unfit.append(f"{what} names {out}, who cannot cash out there")
            entry = Cash(tuple(player for player in entry.players if player in at.inside))
            if not entry.players:
                continue
        try:
            apply(at, entry, draws)
        except NinefoldError as error:
            unfit.append(f"{what} is not possible there: {error}")
            continue
        entries.append(entry)
    over = [f"round {number} would be over before {listed(what, most=6)}" for number, what in late.items()]
    return entries, over + unfit


def _splice(old: tuple[Entry, ...], new: list[Entry]) -> Splice:
    """The smallest replacement that turns the old entries into the new."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Splice(start, len(old) - start - end, tuple(new[start : len(new) - end]))
