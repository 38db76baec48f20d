"""What has just happened in Doubles, as a viewer may know it."""

from __future__ import annotations

from typing import Any

from ninefold.game.doubles import rules
from ninefold.game.doubles.notation import MOVES
from ninefold.game.doubles.view import round_name
from ninefold.kernel import dice
from ninefold.kernel.bits import has
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY
from ninefold.model.events import Event
from ninefold.model.text import ORDINALS, message


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    if seat == CHANCE:
        return _chance(before, action, after)
    if after.actor == EVERYONE:
        if seat == viewer:
            text = message("{who}: {move}.", {"who": seat}, move=MOVES[action])
            return [Event("decided", text, seat)]
        if not has(before.undecided, seat):
            return []  # the only possible change of mind is to cash out, and that stays sealed (R4.2)
        return [Event("decided", message("{who} has decided.", {"who": seat}), seat)]
    return _settled(before, after)


def _chance(before: Any, action: int, after: Any) -> list[Event]:
    if action == rules.END:
        return []
    if action == rules.GO_ON:
        return [Event("round", message("The game continues. {round} begins.", round=round_name(after)))]
    one, other = dice.ROLLS[action]
    sevens = before.sevens + (one + other == 7)
    if sevens == rules.LAST_SEVEN:
        still_in = [seat for seat in range(before.players) if has(before.inside, seat)]
        template = "{who} rolls {one} and {other}: the fourth seven! The round is over; nothing for {losers}."
        seats: dict[str, int | list[int]] = {"who": before.roller, "losers": still_in}
        lost = Event("bust", message(template, seats, one=one, other=other), before.roller, hold=True)
        lost.dice, lost.amount = [one, other], before.total
        return [lost, *_next(after)]
    what = "."
    if one == other:
        what = ": DOUBLES!"
    elif one + other == 7:
        what = f": the {ORDINALS[sevens]} seven."
    template = f"{{who}} rolls {{one}} and {{other}}{what} The total is {{total}}."
    text = message(template, {"who": before.roller}, one=one, other=other, total=after.total)
    return [Event("roll", text, before.roller, dice=[one, other], amount=after.total - before.total)]


def _settled(before: Any, after: Any) -> list[Event]:
    """Open all sealed decisions at once; scores and seats show who cashed out."""
    ended = after.round_number != before.round_number or after.actor == NOBODY or after.closing
    events = []
    for seat in range(before.players):
        if has(before.inside, seat) and (ended or not has(after.inside, seat)):
            text = "{who} cashes out {amount} and has {score}."
            args = {"amount": before.total, "score": after.scores[seat]}
            events.append(Event("cash out", message(text, {"who": seat}, **args), seat, amount=before.total))
    if not events:
        events.append(Event("stay", "Everyone stays."))
    return events + (_next(after) if ended else [])


def _next(after: Any) -> list[Event]:
    if after.actor == NOBODY:
        return []
    if after.closing:
        text = message("Round {number} is over. Was it the last?", number=after.round_number)
        return [Event("round", text)]
    text = message("{round} begins; {who} rolls.", {"who": after.roller}, round=round_name(after))
    return [Event("round", text)]
