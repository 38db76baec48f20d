"""Multiple 9 as a seat sees it: the stock, the discards, the hands, and what the seat may do."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.game.multiple9.fields import (
    BYTE,
    DEAL,
    DONE,
    DONE_BIT,
    DRAW,
    GROUPS,
    LAST_TURN,
    LONE_NINE,
    NOTED,
    OUT,
    PLAY,
)
from ninefold.game.multiple9.notation import format_move, texts
from ninefold.kernel.bits import has
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.fields import NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    Button,
    Choice,
    Counter,
    Group,
    Offer,
    Scene,
    SeatView,
    Selection,
    Status,
    legend,
    zone,
)

LEGEND = legend("A=1", "J=11", "Q=12", "K=13", "group=9, 18, 27…")


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    discards = texts(s.discards - sum(s.shown[: s.players]))
    zones = [
        zone("stock", "pile", "Deck", None, None, s.stock_left),
        zone("discards", "pile", "Discards", None, discards, len(discards)),
    ]
    groups: list[Group] = []
    for other, size in enumerate(s.sizes[: s.players]):
        cards = texts(s.hands[other]) if other == seat or rules.compared(s) else (None,) * size
        zones.append(zone(f"hand-{other}", "hand", "Hand", other, cards, size))
        laid = _laid(s, other)
        cards_laid = tuple(chain.from_iterable(nines.TEXTS[group].split() for group in laid))
        zones.append(zone(f"laid-{other}", "row", "Laid", other, cards_laid, slots=3))
        groups += _marked(other, laid)
    last = s.undecided == LAST_TURN
    what = "Last turns" if last else "Turns without a card drawn or laid"
    idle = [Counter("idle", what, s.idle, s.players)]
    fewest = min(s.sizes[: s.players])
    phases: dict[int, Text] = {DEAL: "The deal", OUT: "Going out at the deal"}
    return Scene(
        phase="The end" if s.actor == NOBODY else phases.get(s.phase, message("Turn {turn}", turn=s.turns)),
        prompt=_prompt(s, seat),
        zones=zones,
        counters=idle if s.idle else [],
        seats=[_seat(s, other, seat) for other in range(s.players)],
        details={"turned_over": list(texts(s.turned))},
        goal="First without cards wins.",
        legend=LEGEND,
        progress=Counter("fewest", message("Fewest cards: {cards}", cards=fewest), fewest),
        groups=groups,
    )


def _laid(s: Any, seat: int) -> list[int]:
    """The groups that lie before a player, as they went down."""
    noted = int(s.groups[seat])
    groups = [(noted >> BYTE * place & 255) - 1 for place in range(NOTED) if noted >> BYTE * place & 255]
    rest = int(s.shown[seat]) - sum(int(nines.PACKED[group]) for group in groups)
    return groups + (nines.split(rest) or [])


def _marked(seat: int, laid: list[int]) -> list[Group]:
    """Each group with what it makes."""
    found, place = [], 0
    for group in laid:
        places = list(range(place, place + int(nines.CARDS_OF[group])))
        found.append(Group(nines.SUMS[group], {f"laid-{seat}": places}, seat, nines.NINES[group]))
        place += len(places)
    return found


def _seat(s: Any, seat: int, viewer: int | None) -> SeatView:
    status: Status = "done" if s.actor == NOBODY else "deciding" if s.actor == seat else "waiting"
    if s.player == seat and s.phase == DRAW and status == "waiting":
        status = "drawing"
    found = SeatView(seat, int(rules.has_won(s, seat)), status)
    found.stats = [Counter("cards", "Cards", s.sizes[seat])]
    found.marks = ["could_go_out"] if has(s.asked, seat) else []
    if seat == viewer and s.hands[seat] and s.actor != NOBODY and s.phase != DEAL:
        found.hand = _way_out(int(s.hands[seat]), s.actor == seat)
    return found


@lru_cache(4_096)
def _way_out(hand: int, may_lay: bool) -> str:
    """What is missing to go out in one turn."""
    if may_lay and nines.splits(hand):
        return "You can go out now!"
    more = [rank for rank in range(nines.RANKS) if nines.number_of(hand, rank) < nines.COPIES]
    ranks = [rank for rank in more if nines.splits(hand + nines.pack([rank]))]
    cards = ", ".join(STANDARD.rank_text(rank) for rank in ranks)
    return f"You go out with: {cards}" if ranks else "No way out yet"


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    drawn = "" if s.drew or s.laid else " No card is left to draw."
    if s.undecided == LAST_TURN and not s.drew:
        drawn = " This is your last turn." if seat == s.player else " These are the last turns."
    if seat is not None and s.player == seat and s.phase != DEAL:
        return _own_prompt(s, seat, drawn)
    sentences = {
        DEAL: "Everyone is dealt five cards.",
        OUT: "{who} can go out with the cards dealt, and is deciding.",
        DRAW: "{who} draws a card.",
        PLAY: f"{{who}} may lay groups.{drawn}",
    }
    return message(sentences[s.phase], {"who": s.player})


def _own_prompt(s: Any, seat: int, drawn: str) -> str:
    if s.phase == OUT:
        return f"You can go out with {' '.join(texts(s.hands[seat]))}: go out, or wait?"
    if s.phase == DRAW:
        return "You draw a card."
    if s.laid == LONE_NINE:
        return "A single 9 needs a second group."
    first, second, third = rules.choices(s, seat)
    if not first | second | third & ~DONE_BIT:
        return f"Nothing {'else ' if s.laid else ''}to lay.{drawn}"
    return f"{'Lay another group, or end your turn' if s.laid else 'Lay a group, or pass'}.{drawn}"


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The groups, each with the places of its cards in the hand; other moves as buttons."""
    if not moves.actions:
        return []
    if s.phase == OUT:
        return [Button("go out", "Go out", "g"), Button("wait", "Wait", "w")]
    hand = nines.unpack(s.hands[seat])
    choices = [_choice(s, seat, group, hand) for group in moves.actions if group < GROUPS]
    lay = Selection("lay", "Lay a group", f"hand-{seat}", choices, alike=True)
    done = Button("done", "End turn" if s.laid else "Pass", "d", auto=not choices)
    return [*([lay] if choices else []), *([done] if DONE in moves.actions else [])]


def _choice(s: Any, seat: int, group: int, hand: list[Rank]) -> Choice:
    cards = nines.GROUPS[group]
    places = [hand.index(rank) + cards[:place].count(rank) for place, rank in enumerate(cards)]
    label = nines.SUMS[group] if len(cards) > 1 else f"Lay {nines.SUMS[group]}"
    return Choice(format_move(s, seat, group), places, label)
