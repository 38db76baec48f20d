"""What has just happened in Finest 9. Everyone sees all of it."""

from __future__ import annotations

from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.matching import REROLL
from ninefold.game.finest9.rows import row, taken, worth
from ninefold.kernel import dice
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.compile import python_function
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event, event, roll
from ninefold.model.text import Text, message

SCORE = "{who|You} took {captured} and left {left}: {score}."
SCORE_WITH_BONUS = "{who|You} took {captured}, and {bonus} for a clear table: {score}."
BELOW_ZERO = "Scores start below zero: cards left before you count against you."

_standing = python_function(rules.standing)


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step; every viewer sees the same, from their own seat."""
    if seat != CHANCE:
        events = [_capture(before, seat, action)]
    elif action >= rules.DEALT:
        events = _card(before, action - rules.DEALT, after)
    elif before.phase == rules.ROLL_OFF:
        events = _roll_off(before, action, after, viewer)
    else:
        events = [_roll(before, action, after)]
    return events + (_deal_over(after) if after.ended and not before.ended else [])


def _rolled(before: Any, action: int, what: str = ".") -> Event:
    faces = dice.ROLLS[action]
    text = "{who|You} {who|rolls|roll} {one} and {other}: {total}" + what
    return roll(before.player, text, faces, total=sum(faces))


def _roll_off(before: Any, action: int, after: Any, viewer: int | None) -> list[Event]:
    events = [_rolled(before, action)]
    if after.phase == rules.DEAL:
        events.append(event("first", after.first, "{who|You} {who|goes|go} first."))
    elif after.off[before.player] != sum(dice.ROLLS[action]):
        tied = [seat for seat in range(after.players) if after.off[seat] == 0]
        tied.sort(key=lambda seat: seat != viewer)
        events.append(Event("tie", message("{tied|You} tie and roll again.", {"tied": tied})))
    return events


def _roll(before: Any, action: int, after: Any) -> Event:
    if sum(dice.ROLLS[action]) == REROLL:
        return _rolled(before, action, ", and {who|rolls|roll} again.")
    if after.actor == before.player:
        return _rolled(before, action)
    drawn = after.phase == rules.DRAW
    return _rolled(before, action, ". No match." if drawn else ". No match, and the deck is empty.")


def _card(before: Any, card: Card, after: Any) -> list[Event]:
    dealt = before.phase == rules.DEAL
    text = "{who|You} {who|is|are} dealt {card}." if dealt else "{who|You} {who|draws|draw} {card}."
    who = after.first if before.ended else before.player
    drawn = event("deal" if dealt else "draw", who, text, card=STANDARD.drawn(card))
    drawn.quiet, drawn.cards = dealt, [STANDARD.texts[card]]
    events = [*_next_deal(before, after), drawn]
    if after.deck == 0:
        text = "That was the last card: one more turn for everyone, {who|you} first."
        events.append(Event("last card", message(text, {"who": after.player}), hold=True))
    elif dealt and after.phase == rules.TURN:
        has = "{who|You} {who|has|have} {names}."
        for seat in range(after.players):
            events.append(event("dealt", seat, has, names=STANDARD.drawn(*row(after, seat))))
        if after.deal_number == 1:
            events.append(Event("below zero", BELOW_ZERO))
    return events


def _next_deal(before: Any, after: Any) -> list[Event]:
    if not before.ended:
        return []
    text = "Deal {deal} of {deals}: {who|you} {who|goes|go} first."
    return [event("first", after.first, text, deal=after.deal_number, deals=after.deals)]


def _capture(before: Any, seat: int, action: int) -> Event:
    going = taken(before, seat, action)
    clear = " {who|You} {who|has|have} cleared the table." if len(going) == len(row(before, seat)) else ""
    text = "{who|You} {who|takes|take} {names}: +{amount}." + clear
    cards, names = STANDARD.texts_of(going), STANDARD.drawn(*going)
    return event("capture", seat, text, worth(going), False, cards, names=names)


def _deal_over(after: Any) -> list[Event]:
    """What the deal brought everyone and, where others follow or went before, how the match stands."""
    events = [_score(after, seat) for seat in range(after.players)]
    if after.actor != NOBODY:
        stands = sorted(((_standing(after, seat), seat) for seat in range(after.players)), reverse=True)
        has = "{who|you} {points}"
        sums: list[Text] = [message(has, {"who": seat}, points=points) for points, seat in stands]
        text = "Deal {deal} of {deals} is over: {sums}."
        over = message(text, deal=after.deal_number, deals=after.deals, sums=sums)
        events.append(Event("deal over", over, hold=True))
    elif after.deals > 1:
        for seat in range(after.players):
            has = "{who|You} {who|has|have} {score} in all."
            events.append(event("total", seat, has, score=_standing(after, seat)))
    return events


def _score(after: Any, seat: int) -> Event:
    left, score = worth(members(after.tables[seat])), int(_standing(after, seat) - after.totals[seat])
    args = {"captured": worth(members(after.captured[seat])), "left": left, "bonus": after.clear_bonus}
    text = SCORE_WITH_BONUS if after.clear_bonus and not left else SCORE
    return event("score", seat, text, score, score=score, **args)
