"""The score card of a real table, as a pure function: names and what was typed in, the standing out.

The page keeps the entries; the server keeps nothing.
"""

from __future__ import annotations

from random import SystemRandom
from typing import Any

from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.scorecard.card import Card, Position
from ninefold.scorecard.entries import Do, Redo, Undo
from ninefold.scorecard.fixing import Fix, work_out
from ninefold.scorecard.names import check_names
from ninefold.scorecard.reading import Correction, Enter, read
from ninefold.scorecard.wording import Line, Tone, amount, difference, event_lines, round_listing
from ninefold.server.tables.messages import Sheet


def add_up(sheet: Sheet) -> dict[str, Any]:
    """Where the game stands after the entries; those that do not fit are left out, and the last says why."""
    card = Card(check_names(sheet.players), sheet.rounds, sheet.rounds)
    kept: list[str] = []
    lines: list[Line] = []
    refused = None
    for text in sheet.entries:
        try:
            lines, refused = _enter(card, text), None
            kept.append(text)
        except NinefoldError as error:
            refused = _sentence(str(error))
    return {"kept": kept, "lines": [_shown(line) for line in lines], "refused": refused, **_standing(card)}


def _enter(card: Card, text: str) -> list[Line]:
    """Take a typed line; what it did, in words."""
    match read(text, card.position, card.fresh_player):
        case Enter(entry, remark):
            plan = card.plan(Do(entry))
            card.commit(plan)
            assert plan.event is not None
            aside = [Line(remark, Tone.ASIDE)] if remark else []
            return event_lines(plan.event, plan.position) + aside
        case (Undo() | Redo()) as step:
            card.commit(card.plan(step))
            return [Line("Undone." if isinstance(step, Undo) else "Redone.", Tone.GOOD)]
        case Correction(fix, sure):
            return _fix(card, fix, sure)
    raise IllegalMove(
        "I don't understand that: type a roll such as 34, a name to cash out, undo or fix 2.1 36"
    )


def _fix(card: Card, fix: Fix, sure: bool) -> list[Line]:
    fixed = work_out(card, fix, SystemRandom())
    if fixed.unfit and not sure:
        raise IllegalMove(f"Then {'; '.join(fixed.unfit[:3])}. Nothing changed; fix! does it anyway")
    if not fixed.step.cut and not fixed.step.put:
        raise IllegalMove("The card already says that; nothing changed")
    before = card.position
    card.commit(card.plan(fixed.step, None, fixed.draws))
    changed = "; ".join(difference(before, card.position)[:12])
    return [Line(f"Corrected. {changed or 'No score changed'}.", Tone.GOOD)]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".)?!" else ".")


def _shown(line: Line) -> dict[str, str]:
    return {"text": line.text, "tone": line.tone.value}


def _standing(card: Card) -> dict[str, Any]:
    """Numbers as texts, since a total that is doubled often enough is more than a page can count."""
    at: Position = card.position
    best = max((at.scores[player] for player in at.names), default=0)
    return {
        "round": at.number,
        "rounds": at.high,
        "total": amount(at.total),
        "sevens": at.sevens,
        "rolls": at.rolls,
        "roller": None if at.roller is None else at.names[at.roller],
        "over": at.over,
        "players": [
            {
                "name": name,
                "score": amount(at.scores[player]),
                "in": player in at.inside,
                "away": player in at.away,
                "gain": amount(at.gains[player]) if player in at.gains else None,
                "leads": at.scores[player] == best and best > 0,
            }
            for player, name in at.names.items()
        ],
        "past": [
            {
                "round": one.number,
                "busted": one.busted,
                "gains": [
                    amount(one.gains.get(player, 0)) if player in one.part else None for player in at.names
                ],
            }
            for one in at.past
        ],
        "entries": round_listing(card, at.number)[:200],
    }
