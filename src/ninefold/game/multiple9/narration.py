"""What has just happened in Multiple 9, as a viewer may know it."""

from __future__ import annotations

from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.game.multiple9.fields import DEAL, GO_OUT, GROUPS, LAST_TURN, OUT, WAIT
from ninefold.game.multiple9.notation import texts
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event, event
from ninefold.model.text import Text, count_of, message, winners_text

KEEPS = "{who|You} {who|keeps|keep} {cards}."
PASSES = "{who|You} {who|passes|pass} with {cards}."


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    if seat == CHANCE:
        events = [_card(before, action, viewer)]
    elif action < GROUPS:
        events = [_group(before, seat, action)]
    elif action == GO_OUT:
        events = [_out(before, seat, after)]
    elif action == WAIT:
        events = [event("wait", seat, "{who|You} {who|waits|wait}.")]
    else:
        text = KEEPS if before.laid else PASSES
        events = [event("done", seat, text, cards=count_of(before.sizes[seat]))]
    if before.phase == DEAL and after.phase != DEAL:
        events += _dealt(after, viewer)
    if after.actor == NOBODY:
        return events + (_hands_shown(after) if rules.compared(after) else _cards_left(after))
    if after.phase == OUT:
        events.append(event("asked", after.player, "{who|You} can go out with the cards dealt."))
    return events + (_turn(before, after) if after.turns != before.turns else [])


def _card(before: Any, rank: Rank, viewer: int | None) -> Event:
    seat = before.player
    kind, verb = ("deal", "is dealt|are dealt") if before.phase == DEAL else ("draw", "draws|draw")
    card = STANDARD.rank_text(rank) if viewer == seat else None
    article = "an" if card in ("A", "8") else "a"
    text = f"{{who|You}} {{who|{verb}}} {article} {{card}}."
    drawn = event(kind, seat, text, None, False, [card], card=card or "card")
    drawn.quiet = kind == "deal" or viewer != seat  # what another player does with the card says enough
    return drawn


def _dealt(after: Any, viewer: int | None) -> list[Event]:
    events = [Event("dealt", "Everyone has five cards.")]
    if viewer is not None and after.hands[viewer]:
        cards = " ".join(texts(after.hands[viewer]))
        events.append(event("dealt", viewer, "{who|You} {who|has|have} {cards}.", cards=cards))
    return events


def _group(before: Any, seat: int, group: int) -> Event:
    text = f"{{who|You}} {'also ' if before.laid else ''}{{who|lays|lay}} {nines.SUMS[group]}"
    last = before.sizes[seat] == len(nines.GROUPS[group])
    text += " and {who|is|are} out!" if last else "."
    return event("lay", seat, text, 9 * nines.NINES[group], last, nines.TEXTS[group].split())


def _out(before: Any, seat: int, after: Any) -> Event:
    cards = after.discards - before.discards
    groups: list[Text] = [nines.TEXTS[group] for group in nines.split(cards) or []]
    text = "{who|You} {who|goes|go} out with the cards dealt: {groups}."
    return event("go out", seat, text, None, True, texts(cards), groups=groups)


def _turn(before: Any, after: Any) -> list[Event]:
    if after.turnovers != before.turnovers:
        laid = count_of(after.stock_left)
        text = f"The deck is empty. The {laid} laid are shuffled and become the new deck."
        return [Event("turned over", text, hold=True, cards=[*texts(after.turned)])]
    if not after.drew and after.undecided == LAST_TURN:
        text = "The cards have run out: everyone has one last turn."
        return [Event("last turns", text, hold=True)] if after.idle == 0 else []
    if not after.drew:
        return [event("no card", after.player, "There is no card for {who|you} to draw.")]
    return []


def _cards_left(after: Any) -> list[Event]:
    left = [(seat, cards) for seat, cards in enumerate(after.sizes[: after.players]) if cards]
    text = "{who|You} {who|has|have} {cards} left."
    return [event("left", who, text, size, cards=count_of(size)) for who, size in left]


def _hands_shown(after: Any) -> list[Event]:
    shown = []
    for seat, hand in enumerate(after.hands[: after.players]):
        text = "{who} has {count} left: {cards}, total {points}."
        cards, points = " ".join(texts(hand)), int(nines.total_of(hand))
        left = count_of(after.sizes[seat])
        shown.append(event("left", seat, text, after.sizes[seat], count=left, cards=cards, points=points))
    return shown


def result(s: Any) -> Event:
    """The event that ends a match: a player has no cards left, or nobody can continue."""
    winners = [seat for seat in range(s.players) if rules.has_won(s, seat)]
    if not winners:
        return Event("end", "Draw: the cards ran out, and nobody could put down a group.", hold=True)
    left = min(s.sizes[: s.players])
    tied = sum(size == left for size in s.sizes[: s.players]) > len(winners)
    total = f", total {nines.total_of(s.hands[winners[0]])}" if tied else ""
    ran_out = f"The cards ran out: {{winners}} with {count_of(left)} left{total}."
    text = ran_out if left else "{winners}: no cards left."
    return Event("end", message(text, winners=winners_text(winners)), hold=True)
