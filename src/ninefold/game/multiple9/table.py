"""Multiple 9 as people see it: texts of moves, the view of a seat, and what has just happened in words.

Handed only records from which everything a viewer may not know has been blanked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.kernel import model
from ninefold.kernel.cards import PLAIN, Rank
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE, NOBODY

WORDS = {rules.DONE: "done", rules.GO_OUT: "go out", rules.WAIT: "wait"}
SPELLINGS = {
    **dict.fromkeys(("done", "d", "end turn", "pass"), rules.DONE),
    **dict.fromkeys(("go out", "out", "goout", "go-out", "g"), rules.GO_OUT),
    **dict.fromkeys(("wait", "w"), rules.WAIT),
}
LAYS = ("lay", "put down", "put", "play", "l")
NUMBER_OF = {group: number for number, group in enumerate(nines.GROUPS)}

WHY = {
    301: "the cards are being dealt",
    302: "before the first turn those who can go out with the cards dealt are asked, and it is {asked}",
    303: "going out with the cards dealt is for those who are asked before the first turn",
    401: "it is {player}'s turn",
    402: "a card is drawn first",
    403: "{seat} does not have {group}",
    404: "a nine has gone down, and alone it is no play: another group has to follow",
    405: "a nine goes down alone only as the last cards, and no other group is in the rest of the hand",
    501: "the game is over",
}


Table = SimpleNamespace  # a record as plain Python numbers and lists, which are quicker to ask


def as_numbers(s: Any) -> Table:
    """A record for the eye: every field of it is made of words."""
    notes: dict[str, Table] = getattr(s, "notes", {})
    if "table" not in notes:
        notes["table"] = _as_numbers(s)
    return notes["table"]


def _as_numbers(s: Any) -> Table:
    words = np.frombuffer(s.tobytes(), np.int64).tolist()
    found, at = {}, 0
    for name, single, size in _layout(s.dtype):
        found[name] = words[at] if single else words[at : at + size]
        at += size
    return Table(**found)


@cache
def _layout(record: np.dtype[Any]) -> list[tuple[str, bool, int]]:
    return [(name, not record[name].shape, record[name].itemsize // 8) for name in record.names or ()]


# Cards and groups


def ranks_of(packed: Any) -> list[Rank]:
    """The ranks of packed cards, the highest first."""
    return nines.unpack(int(packed))


def in_ranks(packed: Any) -> str:
    return PLAIN.hand_text(ranks_of(packed))


def total(group: int) -> int:
    return 9 * nines.NINES[group]


def split(packed: int) -> list[int] | None:
    """Groups that packed cards split into, or None."""
    if not nines.splits(packed):
        return None
    found = []
    while packed:
        group = int(nines.leading_group(packed))
        packed -= int(nines.PACKED[group])
        found.append(group)
    return sorted(found, reverse=True)


def some(number: int, what: str = "card") -> str:
    """`no cards`, `one card`, `12 cards`."""
    words = ("no", "one")[number] if number < 2 else str(number)
    return f"{words} {what}{'s' * (number != 1)}"


# Texts


def say(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        return f"deal {PLAIN.rank_text(action)}"
    return f"lay {nines.TEXTS[action]}" if action < rules.GROUPS else WORDS[action]


def read(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _read_chance(text, words)
    if words in SPELLINGS:
        return SPELLINGS[words]
    named = re.sub(rf"^({'|'.join(LAYS)})(?![a-z])", "", words)
    try:
        ranks = PLAIN.read_hand(named)
    except RuleError as error:
        raise Unreadable(f"{text!r} cannot be read: {error}; {_moves(s)}") from None
    if not ranks:
        raise Unreadable(f"{text!r} names no cards: {_moves(s)}")
    if re.search(r"[shdc♠♥♦♣♤♡♢♧]", named):
        raise Unreadable(
            f"{text!r} names suits, which do not matter here: write the ranks, such as lay 8 8 A A"
        )
    cards = tuple(sorted(ranks, reverse=True))
    if cards not in NUMBER_OF:
        _refuse_cards(s, seat, cards)
    return NUMBER_OF[cards]


def _moves(s: Any) -> str:
    return (
        "say go out or wait"
        if s.phase == rules.OUT
        else "say lay and the ranks, such as lay 8 8 A A, or done"
    )


def _read_chance(text: str, words: str) -> int:
    try:
        return PLAIN.read_rank(re.sub(r"^(deal|draw) ", "", words))
    except RuleError:
        raise Unreadable(f"{text!r} is not a card: say deal and a rank, such as deal 7") from None


def _refuse_cards(s: Any, seat: int, cards: Sequence[Rank]) -> None:
    """Say why some cards are no group in anybody's hand."""
    tried = f"lay {PLAIN.hand_text(cards)} is not possible"
    if int(s.actor) != seat:
        rule = int(rules.refuse(s, seat, 0))
        raise NotYourTurn(f"{tried}: {why(s, seat, 0, rule)}", f"R{rule // 100}.{rule % 100}")
    if s.phase == rules.OUT:
        raise IllegalMove(f"{tried}: {why(s, seat, 0, 302)}", "R3.2")
    worth = nines.total(cards)
    groups = split(nines.pack(cards))
    if worth % 9:
        raise IllegalMove(f"{tried}: it totals {worth}, which is no multiple of nine", "R2.2")
    several = f"a group has cards of at most two ranks, and these are of {len(set(cards))}"
    if groups:
        one_by_one = " and ".join(f"lay {nines.TEXTS[group]}" for group in groups)
        raise IllegalMove(f"{tried}: groups go down one at a time, here {one_by_one}", "R4.3")
    raise IllegalMove(f"{tried}: {several}", "R2.2")


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return f"a card comes from the {int(s.stock_left)} in the stock"
    asked = f"seat {s.player} that {'must say go out or wait' if s.player == seat else 'is asked'}"
    return WHY[rule].format(
        asked=asked,
        player=f"seat {s.player}",
        seat=f"seat {seat}",
        group=nines.TEXTS[action] if action < rules.GROUPS else "",
    )


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    s = as_numbers(s)
    everyone = range(s.players)
    hands = s.hands[: s.players]
    cards = Counter(rank for pile in (s.stock, s.discards, *hands) for rank in ranks_of(pile))
    asked = [s.asked[0] >> seat & 1 != 0 for seat in everyone]
    known = [s.dealt[seat] != 0 and (s.phase != rules.OUT or seat <= s.player) for seat in everyone]
    checks = {
        "a card lost or doubled": cards != dict.fromkeys(range(nines.RANKS), nines.COPIES),
        "a hand of another size": [len(ranks_of(hand)) for hand in hands] != s.sizes[: s.players],
        "a stock of another size": len(ranks_of(s.stock)) != s.stock_left,
        "cards kept that are not held": any(
            Counter(ranks_of(s.kept[seat])) - Counter(ranks_of(hands[seat])) for seat in everyone
        ),
        "cards dealt that are not held": any(
            Counter(ranks_of(s.dealt[seat])) - Counter(ranks_of(hands[seat])) for seat in everyone
        ),
        "somebody asked who could not go out, or the other way round": any(
            known[seat] and bool(nines.splits(s.dealt[seat])) != asked[seat] for seat in everyone
        ),
        "no cards, and yet the game goes on": s.phase > rules.DEAL and s.actor != NOBODY and not all(hands),
        "a lone nine and no group to follow it": s.laid == rules.LONE_NINE
        and s.actor == s.player
        and not nines.has_group(hands[s.player]),
        "a draw from an empty stock": s.actor == CHANCE and s.stock_left == 0,
        "too many idle turns": s.idle > s.players,
    }
    return [fault for fault, present in checks.items() if present]


# Views


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are Multiple 9's own."""
    over = s.actor == NOBODY
    won = [bool(over and rules.has_won(s, other)) for other in range(int(s.players))]
    stuck = seat is not None and s.actor == seat and s.phase == rules.PLAY and not _groups_to_lay(s, seat)
    s = as_numbers(s)
    discards = ranks_of(s.discards)
    zones = [
        model.zone("stock", "pile", "Stock", count=s.stock_left),
        model.zone("discards", "pile", "Discards", count=len(discards), cards=_face_up(discards)),
    ]
    for other, size in enumerate(s.sizes[: s.players]):
        cards = _face_up(ranks_of(s.hands[other])) if other == seat else [model.card(None, up=False)] * size
        zones.append(model.zone(f"hand-{other}", "hand", "Hand", other, cards=cards, count=size))
    counters = [model.counter("stock", "Cards in the stock", s.stock_left)]
    if s.idle:
        counters.append(model.counter("idle", "Turns without a card drawn or put down", s.idle, s.players))
    return {
        "phase": _phase(s),
        "prompt": _prompt(s, seat, stuck),
        "zones": zones,
        "counters": counters,
        "seats": [_seat(s, other, won[other]) for other in range(s.players)],
        "turned_over": [PLAIN.rank_text(rank) for rank in ranks_of(s.turned)],
    }


def _groups_to_lay(s: Any, seat: int) -> bool:
    """Whether a seat at turn may put anything down."""
    first, second, third = rules.choices(s, seat)
    return bool(first | second | third & ~rules.DONE_BIT)


def _face_up(ranks: Iterable[Rank]) -> list[model.Part]:
    return [model.card(PLAIN.rank_text(rank)) for rank in ranks]


def _phase(s: Table) -> str:
    if s.actor == NOBODY:
        return "The end"
    if s.phase == rules.DEAL:
        return "The deal"
    return "Going out at the deal" if s.phase == rules.OUT else f"Turn {s.turns}"


def _seat(s: Table, seat: int, won: bool) -> model.Part:
    waits_for = s.actor != NOBODY and s.phase != rules.DEAL and s.player == seat
    doing = "draws" if s.actor == CHANCE else "decides"
    return {
        "seat": seat,
        "score": int(won),
        "cards": s.sizes[seat],
        "could_go_out_at_the_deal": s.asked[0] >> seat & 1 != 0,
        "status": doing if waits_for else "waits" if s.actor != NOBODY else "done",
    }


def _prompt(s: Table, seat: int | None, stuck: bool) -> str:
    if s.actor == NOBODY:
        return "The game is over."
    if s.phase == rules.DEAL:
        return "Everybody is dealt five cards."
    mine = s.player == seat
    who = "You" if mine else f"Seat {s.player}"
    if s.phase == rules.OUT:
        cards = f" with {in_ranks(s.hands[s.player])}" if mine else " with the cards dealt"
        return f"{who} can go out{cards}: {'go out, or wait?' if mine else 'to go out or to wait?'}"
    if s.phase == rules.DRAW:
        return f"{who} draw{'' if mine else 's'} a card."
    drawn = "" if s.drew or s.laid else " No card is left to draw."
    if not mine:
        return f"{who} may put down groups.{drawn}"
    if s.laid == rules.LONE_NINE:
        return "A nine alone is no play: put down another group."
    if stuck:
        return f"{'No other' if s.laid else 'No'} group of yours may go down: say done.{drawn}"
    if s.laid == rules.LEGAL:
        return "Put down another group, or be done."
    return f"Put down a group, or be done.{drawn}"


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """The groups, each with the places of its cards in the hand; the words as buttons."""
    if not moves.actions:
        return []
    s = as_numbers(s)
    if s.phase == rules.OUT:
        return [model.button("go out", "Go out", "g"), model.button("wait", "Wait", "w")]
    hand = ranks_of(s.hands[seat])
    choices = []
    for group in moves.actions:
        if group < rules.GROUPS:
            cards = nines.GROUPS[group]
            places = [hand.index(rank) + cards[:place].count(rank) for place, rank in enumerate(cards)]
            label = f"{nines.TEXTS[group]} makes {total(group)}"
            choices.append(
                {"move": say(s, seat, group), "cards": places, "label": label, "total": total(group)}
            )
    name = f"hand-{seat}"
    found = [model.selection("lay", "Put down a group", name, choices, alike=True)] if choices else []
    if rules.DONE in moves.actions:
        label = "Done" if s.laid or not choices else "Put nothing down"
        found.append(model.button("done", label, "d"))
    return found


def orders(s: Any, seat: int) -> list[model.Part]:
    """There is nothing to repeat: every decision is about other cards."""
    return []


# Stories


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Sequence[str]
) -> list[model.Event]:
    """What a viewer is told of one step."""
    end = _tell_end(after, names) if after.actor == NOBODY else []
    before, after = as_numbers(before), as_numbers(after)
    if seat == CHANCE:
        told = [_tell_card(before, action, viewer, names)]
    elif action < rules.GROUPS:
        told = [_tell_group(before, seat, action, names)]
    elif action == rules.GO_OUT:
        told = [_tell_out(before, seat, after, names)]
    elif action == rules.WAIT:
        told = [model.event("wait", f"{names[seat]} waits.", seat)]
    else:
        told = [_tell_done(before, seat, names)]
    if before.phase == rules.DEAL and after.phase != rules.DEAL:
        told += _tell_dealt(after, viewer, names)
    if end:
        return told + end
    if after.phase == rules.OUT:
        text = f"{names[after.player]} can go out with the cards dealt."
        told.append(model.event("asked", text, after.player))
    return told + (_tell_turn(before, after, names) if after.turns != before.turns else [])


def _tell_card(before: Table, rank: Rank, viewer: int | None, names: Sequence[str]) -> model.Event:
    seat = before.player
    kind, verb = ("deal", "is dealt") if before.phase == rules.DEAL else ("draw", "draws")
    card = PLAIN.rank_text(rank) if viewer == seat else None
    moved = {"from": "stock", "to": f"hand-{seat}", "cards": [card], "quiet": kind == "deal"}
    return model.event(kind, f"{names[seat]} {verb} {_article(card)}.", seat, **moved)


def _article(card: str | None) -> str:
    if card is None:
        return "a card"
    return f"{'an' if card in ('A', '8') else 'a'} {card}"


def _tell_dealt(after: Table, viewer: int | None, names: Sequence[str]) -> list[model.Event]:
    told = [model.event("dealt", "Everybody has five cards.")]
    if viewer is not None and after.hands[viewer]:
        told.append(model.event("dealt", f"{names[viewer]} has {in_ranks(after.hands[viewer])}.", viewer))
    return told


def _moved(seat: int, cards: Iterable[Rank]) -> dict[str, Any]:
    return {
        "from": f"hand-{seat}",
        "to": "discards",
        "cards": [PLAIN.rank_text(rank) for rank in cards],
    }


def _tell_group(before: Table, seat: int, group: int, names: Sequence[str]) -> model.Event:
    also = "also puts down" if before.laid else "puts down"
    text = f"{names[seat]} {also} {nines.TEXTS[group]}, which makes {total(group)}."
    return model.event("lay", text, seat, total=total(group), **_moved(seat, nines.GROUPS[group]))


def _tell_out(before: Table, seat: int, after: Table, names: Sequence[str]) -> model.Event:
    cards = after.discards - before.discards
    groups = model.listing([nines.TEXTS[group] for group in split(cards) or []])
    text = f"{names[seat]} goes out with the cards dealt: {groups}."
    return model.event("go out", text, seat, **_moved(seat, ranks_of(cards)))


def _tell_done(before: Table, seat: int, names: Sequence[str]) -> model.Event:
    size = some(before.sizes[seat])
    text = (
        f"{names[seat]} keeps {size}." if before.laid else f"{names[seat]} puts nothing down and has {size}."
    )
    return model.event("done", text, seat)


def _tell_turn(before: Table, after: Table, names: Sequence[str]) -> list[model.Event]:
    if after.turnovers != before.turnovers:
        text = f"The stock is empty: the {some(after.stock_left)} put down become the stock."
        cards = [PLAIN.rank_text(rank) for rank in ranks_of(after.turned)]
        moved: dict[str, Any] = {"from": "discards", "to": "stock", "cards": cards}
        return [model.event("turned over", text, **moved)]
    if not after.drew:
        return [model.event("no card", f"There is no card for {names[after.player]} to draw.", after.player)]
    return []


def _tell_end(after: Any, names: Sequence[str]) -> list[model.Event]:
    players = range(int(after.players))
    winners = [names[seat] for seat in players if rules.has_won(after, seat)]
    told = [
        model.event(
            "left",
            f"{names[seat]} has {some(int(after.sizes[seat]))} left.",
            seat,
            count=int(after.sizes[seat]),
        )
        for seat in players
        if after.sizes[seat]
    ]
    wins = f"{model.listing(winners)} {'wins' if len(winners) == 1 else 'share the win'}"
    if after.idle < after.players:
        return [*told, model.event("end", f"{wins}: no cards left.")]
    over = "Nobody could draw and nobody put anything down: the game ends undecided"
    text = f"{over}, and {wins} with the fewest cards." if winners else f"{over}."
    return [*told, model.event("end", text)]
