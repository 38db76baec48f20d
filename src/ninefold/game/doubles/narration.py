"""What has just happened in Doubles, as a viewer may know it."""

from __future__ import annotations

from typing import Any

from ninefold.game.doubles import rules
from ninefold.game.doubles.notation import MOVES
from ninefold.game.doubles.view import progress
from ninefold.kernel import dice
from ninefold.kernel.bits import has
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY
from ninefold.model.events import Event, event, roll
from ninefold.model.text import ORDINALS, message

THROWN = "{who|You} {who|rolls|roll} {one} and {other}"


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    if seat == CHANCE:
        return _chance(before, action, after)
    if after.actor == EVERYONE:
        if seat == viewer:
            return [event("decided", seat, "{who|You}: {move}.", move=MOVES[action])]
        if not has(before.undecided, seat):
            return []  # the only possible change of mind is to cash out, and that stays sealed (R4.2)
        return [event("decided", seat, "{who|You} {who|has|have} decided.")]
    return _settled(before, after)


def _chance(before: Any, action: int, after: Any) -> list[Event]:
    if action == rules.END:
        return []
    if action == rules.GO_ON:
        return [Event("round", message("The game continues. {round} begins.", round=progress(after).label))]
    one, other = dice.ROLLS[action]
    sevens = before.sevens + (one + other == 7)
    if sevens == rules.LAST_SEVEN:
        still_in = [seat for seat in range(before.players) if has(before.inside, seat)]
        template = THROWN + ": the fourth seven! {total} is lost. Still in: {losers|you}."
        seats: dict[str, int | list[int]] = {"who": before.roller, "losers": still_in}
        text = message(template, seats, one=one, other=other, total=before.total)
        lost = Event("bust", text, before.roller, hold=True, dice=[one, other], amount=before.total)
        return [lost, *_next(after)]
    what = ": DOUBLES!" if one == other else f": the {ORDINALS[sevens]} seven." if one + other == 7 else "."
    template = f"{THROWN}{what} The total is {{total}}."
    rolled = roll(before.roller, template, (one, other), after.total - before.total, total=after.total)
    if sevens == before.sevens or sevens < rules.LAST_SEVEN - 1:
        return [rolled]
    return [rolled, Event("danger", "The next seven ends the round.")]


def _settled(before: Any, after: Any) -> list[Event]:
    """Open all sealed decisions at once; scores and seats show who cashed out."""
    ended = after.round_number != before.round_number or after.actor == NOBODY or after.closing
    events = []
    for seat in range(before.players):
        if has(before.inside, seat) and (ended or not has(after.inside, seat)):
            text = "{who|You} {who|cashes|cash} out {amount} and {who|has|have} {score}."
            events.append(event("cash out", seat, text, before.total, score=after.scores[seat]))
            events[-1].deed = message("cashing out {n} in round {at}", n=before.total, at=before.round_number)
    if not events:
        inside = [seat for seat in range(before.players) if has(before.inside, seat)]
        alone = event("stay", inside[0], "{who|You} {who|stays|stay}.")
        events.append(Event("stay", "Everyone stays.") if len(inside) > 1 else alone)
    return events + (_next(after) if ended else [])


def _next(after: Any) -> list[Event]:
    if after.actor == NOBODY:
        return []
    if after.closing:
        text = message("Round {number} is over. Was it the last?", number=after.round_number)
        return [Event("round", text)]
    begins = "{round} begins; {who|you} {who|rolls|roll}."
    text = message(begins, {"who": after.roller}, round=progress(after).label)
    return [Event("round", text)]
