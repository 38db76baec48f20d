"""What has just happened in Finest 9. Everyone sees all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.matching import REROLL
from ninefold.game.finest9.notation import cards_text
from ninefold.game.finest9.rows import row, taken, worth
from ninefold.kernel import dice
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event
from ninefold.model.text import Argument, message

SCORE = "{who}: {captured} captured, {left} left on the table, makes {score}."
SCORE_WITH_BONUS = "{who}: {captured} captured, {bonus} for a clear table, makes {score}."


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step; every viewer sees the same."""
    if seat != CHANCE:
        events = [_capture(before, seat, action)]
    elif action >= rules.DEALT:
        events = _card(before, action - rules.DEALT, after)
    elif before.phase == rules.ROLL_OFF:
        events = _roll_off(before, action, after)
    else:
        events = [_roll(before, action, after)]
    return events + (
        [_score(after, other) for other in range(after.players)] if after.actor == NOBODY else []
    )


def _event(kind: str, who: int, text: str, cards: Iterable[Card] = (), **args: Argument) -> Event:
    sentence = message(text, {"who": who}, **args)
    return Event(kind, sentence, who, cards=[STANDARD.texts[card] for card in cards])


def _rolled(before: Any, action: int, what: str = ".") -> Event:
    one, other = dice.ROLLS[action]
    text = "{who} rolls {one} and {other}: {total}" + what
    event = _event("roll", before.player, text, one=one, other=other, total=one + other)
    event.dice = [one, other]
    return event


def _roll_off(before: Any, action: int, after: Any) -> list[Event]:
    events = [_rolled(before, action)]
    if after.phase == rules.DEAL:
        events.append(_event("first", after.first, "{who} goes first."))
    elif after.off[before.player] != sum(dice.ROLLS[action]):
        tied = [seat for seat in range(after.players) if after.off[seat] == 0]
        events.append(Event("tie", message("{tied} tie and roll again.", {"tied": tied})))
    return events


def _roll(before: Any, action: int, after: Any) -> Event:
    if sum(dice.ROLLS[action]) == REROLL:
        return _rolled(before, action, ", and rolls again.")
    if after.actor == before.player:
        return _rolled(before, action)
    drawn = after.phase == rules.DRAW
    return _rolled(before, action, ". No match." if drawn else ". No match and no card to draw: a pass.")


def _card(before: Any, card: Card, after: Any) -> list[Event]:
    dealt = before.phase == rules.DEAL
    text = "{who} is dealt {card}." if dealt else "{who} draws {card}."
    events = [_event("deal" if dealt else "draw", before.player, text, [card], card=STANDARD.drawn(card))]
    events[0].quiet = dealt
    if after.deck == 0:
        text = "That was the last card: one more turn for everyone, {who} first."
        events.append(Event("last card", message(text, {"who": after.player}), hold=True))
    elif dealt and after.phase == rules.TURN:
        for seat in range(after.players):
            events.append(_event("dealt", seat, "{who} has {names}.", names=cards_text(row(after, seat))))
    return events


def _capture(before: Any, seat: int, action: int) -> Event:
    going = taken(before, seat, action)
    clear = " {who} has cleared the table." if len(going) == len(row(before, seat)) else ""
    text = "{who} captures {names} for {points} points." + clear
    event = _event("capture", seat, text, going, names=cards_text(going), points=worth(going))
    event.amount = worth(going)
    return event


def _score(after: Any, seat: int) -> Event:
    left, score = worth(members(after.tables[seat])), int(rules.standing(after, seat))
    args = {"captured": worth(members(after.captured[seat])), "left": left, "score": score}
    if after.clear_bonus and not left:
        args["bonus"] = after.clear_bonus
    text = SCORE_WITH_BONUS if "bonus" in args else SCORE
    return Event("score", message(text, {"who": seat}, **args), seat, amount=score)
