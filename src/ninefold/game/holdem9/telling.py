"""What has just happened at a Hold'em table, in sentences: only what the viewer may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.game.holdem9 import RAISE, rules
from ninefold.game.holdem9.cards import (
    board_cards,
    card_text,
    clockwise,
    drawn,
    hand_ended,
    hole_cards,
    known,
    members,
    seat_words,
)
from ninefold.game.holdem9.knowledge import FACE_DOWN
from ninefold.game.holdem9.rules import CALL, DEAL_IN, FOLD
from ninefold.kernel import model
from ninefold.kernel.cards import PLAIN
from ninefold.kernel.fields import CHANCE, NOBODY

FLOP = 3
ANSWERED = ("plays the next hand", "sits out the next hand", "leaves with {chips:,} chips")
Names = Sequence[str]


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Names
) -> list[model.Event]:
    """What a viewer is told of one step."""
    told: list[model.Event] = []
    if seat == CHANCE and before.phase == rules.HOLE:
        told += _tell_hole(before, action, after, viewer, names)
    elif seat == CHANCE and before.phase == rules.BOARD:
        told += _tell_board(before, action)
    elif seat == CHANCE:
        told.append(_tell_reveal(before, action, names))
    elif before.phase == rules.PAUSE:
        told += _tell_answer(before, seat, action, after, names)
    else:
        told.append(_tell_bet(before, seat, action, names))
    told += _tell_back(before, seat, action, after, names)
    told += _tell_shown(before, after, names)
    if hand_ended(before, after):
        told += _tell_won(before, after, names)
    if after.actor == NOBODY:
        told += _tell_end(after, names)
    return told


# The deal


def _tell_hole(before: Any, card: int, after: Any, viewer: int | None, names: Names) -> list[model.Event]:
    seat = int(before.player)
    told = [] if before.dealt else _tell_new_hand(before, names)
    mine = viewer == seat and card < FACE_DOWN
    text = f"{names[seat]} is dealt {PLAIN.drawn(card) if mine else 'a card'}."
    cards = [card_text(card) if mine else None]
    told.append(model.event("deal", text, seat, **_moved("deck", f"hand-{seat}", cards), quiet=True))
    if viewer is not None and after.phase != rules.HOLE and int(after.seated) >> viewer & 1:
        held = hole_cards(after, viewer)
        if known(held):
            told.append(model.event("dealt", f"{names[viewer]} holds {drawn(held)}.", viewer))
    return told


def _tell_new_hand(s: Any, names: Names) -> list[model.Event]:
    button = int(s.button)
    told = [model.event("hand", f"Hand {s.hand}: {names[button]} has the button.", button)]
    order = [seat for seat in clockwise(s, button) if int(s.seated) >> seat & 1]
    blinds = [button, order[0]] if len(order) == 2 else order[:2]
    for seat in order:
        ante = int(s.paid[seat] - s.bets[seat])
        if ante:
            told.append(_posts(s, seat, "an ante", ante, names, "pot"))
    for seat, name in zip(blinds, ("the small blind", "the big blind"), strict=True):
        if s.bets[seat]:
            told.append(_posts(s, seat, name, int(s.bets[seat]), names, f"bet-{seat}"))
    return told


def _posts(s: Any, seat: int, what: str, chips: int, names: Names, to: str) -> model.Event:
    all_in = " and is all-in" if s.chips[seat] == 0 else ""
    text = f"{names[seat]} pays {what}, {chips:,}{all_in}."
    return model.event("blind", text, seat, chips=chips, **_moved(f"stack-{seat}", to))


def _tell_board(before: Any, card: int) -> list[model.Event]:
    board = [*board_cards(before), card]
    quiet = len(board) < FLOP
    name = {FLOP: "The flop", 4: "The turn", 5: "The river"}.get(len(board), "A card")
    shown = drawn(board) if len(board) == FLOP else PLAIN.drawn(card)
    moved = _moved("deck", "board", [PLAIN.text(card)])
    text = f"{name} is {shown}." if not quiet else f"{PLAIN.drawn(card)} is dealt to the board."
    return [model.event("board", text, **moved, quiet=quiet)]


def _tell_reveal(before: Any, card: int, names: Names) -> model.Event:
    seat = int(before.player)
    moved = _moved(f"hand-{seat}", f"hand-{seat}", [PLAIN.text(card)])
    return model.event("reveal", f"{names[seat]} turns up {PLAIN.drawn(card)}.", seat, **moved)


def _moved(start: str, to: str, cards: list[str | None] | None = None) -> dict[str, Any]:
    """From where to where, for those who draw it."""
    return {"from": start, "to": to} | ({"cards": cards} if cards is not None else {})


# Bets


def _tell_bet(before: Any, seat: int, action: int, names: Names) -> model.Event:
    who = names[seat]
    if action == FOLD:
        return model.event("fold", f"{who} folds.", seat, **_moved(f"hand-{seat}", "muck", [None, None]))
    chips = _paid_now(before, seat, action)
    all_in = " and is all-in" if chips == before.chips[seat] else ""
    if not chips:
        return model.event("check", f"{who} checks.", seat)
    amount = int(before.bets[seat]) + chips
    kind, text = "call", f"{who} calls {chips:,}{all_in}."
    if action != CALL:
        kind = "raise" if before.highest > 0 else "bet"
        text = (
            f"{who} raises to {amount:,}{all_in}."
            if before.highest > 0
            else f"{who} bets {amount:,}{all_in}."
        )
    moved = _moved(f"stack-{seat}", f"bet-{seat}")
    return model.event(kind, text, seat, chips=chips, bet=amount, **moved)


def _paid_now(before: Any, seat: int, action: int) -> int:
    """The chips that a move puts in."""
    if action == CALL:
        return min(int(before.highest - before.bets[seat]), int(before.chips[seat]))
    return action - RAISE - int(before.bets[seat]) if action > CALL else 0


def _tell_back(before: Any, seat: int, action: int, after: Any, names: Names) -> list[model.Event]:
    """Chips that nobody called, where a round of betting is over (R4.2)."""
    if before.phase == rules.PAUSE or not before.seated:
        return []
    ended = hand_ended(before, after)
    if not ended and after.street == before.street:
        return []
    paid = [int(chips) for chips in before.paid[: int(before.players)]]
    if seat != CHANCE:
        paid[seat] += _paid_now(before, seat, action)
    second, most = sorted(paid)[-2:]
    if most == second:
        return []
    payer, back = paid.index(most), most - second
    text = f"{back:,} uncalled chip{'s go' if back > 1 else ' goes'} back to {names[payer]}."
    return [model.event("back", text, payer, chips=back, **_moved(f"bet-{payer}", f"stack-{payer}"))]


# The end of a hand


def _tell_shown(before: Any, after: Any, names: Names) -> list[model.Event]:
    told = []
    fresh = int(after.shown) & ~int(before.shown) if before.seated else 0
    for seat in clockwise(before, int(before.button)):
        if fresh >> seat & 1:
            cards = hole_cards(after, seat)
            if not known(cards):
                continue
            words = seat_words(after, seat)
            text = f"{names[seat]} shows {drawn(cards)}{f': {words}' if words else ''}."
            shown = [card_text(card) for card in cards]
            told.append(
                model.event("show", text, seat, **_moved(f"hand-{seat}", f"hand-{seat}", shown), hand=words)
            )
    return told


def _tell_won(before: Any, after: Any, names: Names) -> list[model.Event]:
    told = []
    contested = bin(int(after.shown)).count("1") > 1
    for seat in range(int(after.players)):
        chips = int(after.won[seat])
        if chips:
            words = seat_words(after, seat) if contested else ""
            how = f" with {words}" if words else ""
            alone = "" if contested else ": nobody else is left in"
            text = f"{names[seat]} wins {chips:,}{how}{alone}."
            told.append(model.event("win", text, seat, chips=chips, **_moved("pot", f"stack-{seat}")))
    for seat in members(before.seated):
        if after.chips[seat] + after.paid[seat] == 0:
            told.append(model.event("out", f"{names[seat]} has no chips left.", seat))
    return told


def _tell_answer(before: Any, seat: int, action: int, after: Any, names: Names) -> list[model.Event]:
    text = ANSWERED[action - DEAL_IN].format(chips=int(before.chips[seat]))
    told = [model.event("break", f"{names[seat]} {text}.", seat)]
    if after.hand > before.hand and not after.seated:
        told.append(model.event("passed", f"Too few want to play: hand {after.hand} passes."))
    return told


def _tell_end(after: Any, names: Names) -> list[model.Event]:
    told = []
    scores = [int(after.chips[seat] - after.stack[seat]) for seat in range(int(after.players))]
    for seat, score in enumerate(scores):
        change = (
            f"won {score:,}" if score > 0 else f"lost {-score:,}" if score < 0 else "neither won nor lost"
        )
        text = f"{names[seat]} has {int(after.chips[seat]):,} chips: {change}."
        told.append(model.event("score", text, seat, score=score))
    first = [names[seat] for seat, score in enumerate(scores) if score == max(scores)]
    result = f"{model.listing(first)} {'wins' if len(first) == 1 else 'share the win'}."
    return [*told, model.event("end", f"The session is over: {result}")]
