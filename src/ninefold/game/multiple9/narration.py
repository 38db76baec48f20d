"""What has just happened in Multiple 9, as a viewer may know it."""

from __future__ import annotations

from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.game.multiple9.notation import texts
from ninefold.game.multiple9.record import DEAL, GO_OUT, GROUPS, OUT, WAIT
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event
from ninefold.model.text import Text, count_of, message, winners_text


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    if seat == CHANCE:
        events = [_card(before, action, viewer)]
    elif action < GROUPS:
        events = [_group(before, seat, action)]
    elif action == GO_OUT:
        events = [_out(before, seat, after)]
    elif action == WAIT:
        events = [Event("wait", message("{who} waits.", {"who": seat}), seat)]
    else:
        text = "{who} keeps {cards}." if before.laid else "{who} puts nothing down and has {cards}."
        cards = count_of(before.sizes[seat])
        events = [Event("done", message(text, {"who": seat}, cards=cards), seat)]
    if before.phase == DEAL and after.phase != DEAL:
        events += _dealt(after, viewer)
    if after.actor == NOBODY:
        return events + _cards_left(after)
    if after.phase == OUT:
        text = "{who} can go out with the cards dealt."
        events.append(Event("asked", message(text, {"who": after.player}), after.player))
    return events + (_turn(before, after) if after.turns != before.turns else [])


def _card(before: Any, rank: Rank, viewer: int | None) -> Event:
    seat = before.player
    kind, verb = ("deal", "is dealt") if before.phase == DEAL else ("draw", "draws")
    card = STANDARD.rank_text(rank) if viewer == seat else None
    article = "an" if card in ("A", "8") else "a"
    text = message(f"{{who}} {verb} {article} {{card}}.", {"who": seat}, card=card or "card")
    return Event(kind, text, seat, quiet=kind == "deal", cards=[card])


def _dealt(after: Any, viewer: int | None) -> list[Event]:
    events = [Event("dealt", "Everyone has five cards.")]
    if viewer is not None and after.hands[viewer]:
        cards = " ".join(texts(after.hands[viewer]))
        events.append(Event("dealt", message("{who} has {cards}.", {"who": viewer}, cards=cards), viewer))
    return events


def _group(before: Any, seat: int, group: int) -> Event:
    cards, total = nines.TEXTS[group], 9 * nines.NINES[group]
    also = "also " if before.laid else ""
    text = message(f"{{who}} {also}puts down {cards}, which makes {{total}}.", {"who": seat}, total=total)
    last = before.sizes[seat] == len(nines.GROUPS[group])
    return Event("lay", text, seat, hold=last, cards=[*cards.split()], amount=total)


def _out(before: Any, seat: int, after: Any) -> Event:
    cards = after.discards - before.discards
    groups: list[Text] = [nines.TEXTS[group] for group in nines.split(cards) or []]
    text = message("{who} goes out with the cards dealt: {groups}.", {"who": seat}, groups=groups)
    return Event("go out", text, seat, hold=True, cards=[*texts(cards)])


def _turn(before: Any, after: Any) -> list[Event]:
    if after.turnovers != before.turnovers:
        text = f"The stock is empty: the {count_of(after.stock_left)} put down become the new stock."
        return [Event("turned over", text, hold=True, cards=[*texts(after.turned)])]
    if not after.drew:
        text = "There is no card for {who} to draw."
        return [Event("no card", message(text, {"who": after.player}), after.player)]
    return []


def _cards_left(after: Any) -> list[Event]:
    left = [(seat, cards) for seat, cards in enumerate(after.sizes[: after.players]) if cards]
    text = "{who} has {cards} left."
    return [Event("left", message(text, {"who": who}, cards=count_of(n)), who, amount=n) for who, n in left]


def result(s: Any) -> Event:
    """The event that ends a match: a player has no cards left, or nobody can continue."""
    winners = [seat for seat in range(s.players) if rules.has_won(s, seat)]
    if s.idle < s.players:
        return Event("end", message("{winners}: no cards left.", winners=winners_text(winners)), hold=True)
    over = "Nobody could draw and nobody put down any cards: the game ends undecided"
    text = f"{over}, and {{winners}} with the fewest cards." if winners else f"{over}."
    return Event("end", message(text, winners=winners_text(winners)) if winners else text, hold=True)
