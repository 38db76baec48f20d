"""Multiple 9 Hold'em as people see it: texts of moves, the view of a seat, and what must always hold.

Records come here with the cards that the viewer may not know lying face down. What has just happened is told
by telling.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.game.holdem9 import RAISE, rules
from ninefold.game.holdem9.cards import (
    board_cards,
    card_text,
    dealt_order,
    hand_ended,
    hole_cards,
    members,
    pots,
    seat_words,
)
from ninefold.game.holdem9.knowledge import FACE_DOWN, FULL
from ninefold.game.holdem9.rules import CALL, DEAL_IN, FOLD, LEAVE, SIT_OUT
from ninefold.game.holdem9.telling import tell
from ninefold.kernel import model
from ninefold.kernel.cards import PLAIN
from ninefold.kernel.errors import Ambiguous, IllegalMove, RuleError, Unreadable
from ninefold.kernel.facts import whole
from ninefold.kernel.fields import CHANCE, NOBODY

__all__ = ["forget", "offers", "orders", "read", "say", "sound", "tell", "view", "why"]

UNSEEN = "??"
ANSWERS = ("deal me in", "sit out", "leave")
STREETS = ("Before the flop", "The flop", "The turn", "The river")
WORDS = {
    "fold": FOLD,
    "f": FOLD,
    "check": CALL,
    "k": CALL,
    "call": CALL,
    "c": CALL,
    "deal me in": DEAL_IN,
    "in": DEAL_IN,
    "sit out": SIT_OUT,
    "leave": LEAVE,
}
HELP = "say fold, check, call, bet 40 or raise to 40"

WHY = {
    204: "cards are dealt first",
    301: "it is {player}'s turn",
    302: "there is no bet to fold to, and checking costs nothing",
    303: "{seat} has {all_in} chips to bet with",
    304: "the smallest {verb} {least}",
    305: "{seat} has acted since the last full raise, and an all-in for less does not reopen the betting",
    306: "nobody is left who could call any part of it",
    308: "{fixed}",
    309: "the pot allows {most} at most",
    604: "the session is over",
    606: "{pause}",
}


# Texts


def say(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        verb = "reveal" if s.phase == rules.SHOW else "deal"
        return f"{verb} {PLAIN.text(action) if action < FACE_DOWN else UNSEEN}"
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if s.bets[seat] < s.highest else "check"
    if action >= DEAL_IN:
        return ANSWERS[action - DEAL_IN]
    return f"{_verb(s)} {action - RAISE}"


def _verb(s: Any) -> str:
    return "raise to" if s.highest > 0 else "bet"


def read(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _read_chance(text, words)
    if words in WORDS:
        return _read_word(s, seat, words)
    if words.replace("-", " ").replace(" ", "") == "allin":
        return _all_in(s, seat)
    verb, _, number = words.rpartition(" ")
    if verb not in ("bet", "raise to", "raise by", "raise", "to"):
        raise Unreadable(f"{text!r} cannot be read: {HELP}")
    chips = whole(number.replace(",", ""))
    if chips is None or chips < 1:
        raise Unreadable(
            f"{number!r} is not a number of chips: they are whole, from 1 up, as in {_verb(s)} 40"
        )
    if s.actor == seat and s.phase == rules.BET:
        _check_verb(s, verb, chips)
    amount = chips + int(s.highest) * (verb == "raise by")
    if RAISE + amount >= DEAL_IN:
        raise IllegalMove(f"{_verb(s)} {amount} is not possible: nobody can have so many chips", "R3.3")
    return RAISE + amount


def _read_word(s: Any, seat: int, word: str) -> int:
    action = WORDS[word]
    if action == CALL and s.actor == seat and s.phase == rules.BET:
        owed = int(s.highest - s.bets[seat])
        if owed and word in ("check", "k"):
            raise IllegalMove(f"check is not possible: there is a bet, and {owed} to call or to fold", "R3.2")
        if not owed and word in ("call", "c"):
            raise IllegalMove("call is not possible: there is nothing to call, so it is a check", "R3.2")
    return action


def _check_verb(s: Any, verb: str, chips: int) -> None:
    """A bet is the first of a round, a raise comes after one; `raise 40` could be to it or by it."""
    if s.highest > 0 and verb == "raise":
        by = int(s.highest) + chips
        raise Ambiguous(
            f"raise {chips} could be raise to {chips} or raise by {chips}, which is raise to {by}"
        )
    if s.highest > 0 and verb == "bet":
        raise IllegalMove(
            f"bet {chips} is not possible: there is a bet of {s.highest}, so say raise to", "R3.4"
        )
    if s.highest == 0 and verb.startswith("raise"):
        raise IllegalMove(f"{verb} {chips} is not possible: there is no bet to raise, so say bet", "R3.4")


def _all_in(s: Any, seat: int) -> int:
    all_in = int(s.bets[seat] + s.chips[seat])
    if s.actor == seat and s.phase == rules.BET and all_in <= s.highest:
        return CALL
    return RAISE + all_in


def _read_chance(text: str, words: str) -> int:
    rest = words.removeprefix("deal").removeprefix("reveal").strip()
    if rest == UNSEEN:
        return FACE_DOWN
    try:
        return PLAIN.read(rest)
    except RuleError as error:
        raise Unreadable(f"{text!r} is not a card dealt: {error} (deal KH)") from None


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return f"one of the {len(members(s.deck))} cards in the deck comes now"
    least, most = (int(end) for end in rules.raise_span(s, seat))
    spent = s.raises >= rules.BETS
    return WHY[rule].format(
        player=f"seat {s.player}",
        seat=f"seat {seat}",
        all_in=int(s.bets[seat] + s.chips[seat]),
        verb="raise is to" if s.highest > 0 else "bet is",
        least=least,
        most=most,
        fixed="there were a bet and three raises" if spent else f"the limit is fixed: {_verb(s)} {least}",
        pause="between hands it is deal me in, sit out or leave"
        if s.phase == rules.PAUSE
        else "the hand is on: that is for between hands, where the session has breaks",
    )


def forget(before: Any, after: Any, steps: Any) -> None:
    """When a hand is over, deals of cards that were not shown become deals of cards nobody saw (R4.6)."""
    if not hand_ended(before, after):
        return
    order = dealt_order(before)
    board = board_cards(after)
    left = len(order)
    for place in range(len(steps) - 1, -1, -1):
        seat, action = steps[place]
        if seat != CHANCE:
            continue
        if board:  # cards turned up at the showdown come after it
            if action == board[-1]:
                board.pop()
            continue
        left -= 1
        if not int(after.shown) >> order[left] & 1:
            steps[place] = (CHANCE, FACE_DOWN)
        if left == 0:
            return


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    everyone = range(int(s.players))
    running = s.deck != 0
    piles = [
        int(s.deck),
        sum(1 << card for card in board_cards(s)),
        *(int(s.hole[seat]) & FULL for seat in everyone),
    ]
    if running and s.phase == rules.HOLE and s.dealt == 0:
        piles = piles[:1]
    down = any(int(s.hole[seat]) >> FACE_DOWN for seat in everyone)
    live, seated, able = int(s.live), int(s.seated), int(s.able)
    checks = {
        "chips lost or made": int(s.chips.sum() + s.pot) != int(s.stack.sum()),
        "a pot that is not what was paid": int(s.pot) != int(s.paid.sum()),
        "fewer chips than none": bool((s.chips < 0).any()),
        "a card in two places": sum(map(int.bit_count, piles)) != _union(piles).bit_count(),
        "a card lost": bool(running) and not down and _union(piles) != FULL,
        "a player in who was not dealt in": bool(live & ~seated or able & ~live),
        "a player able to bet without chips": any(
            able >> seat & 1 != (live >> seat & 1 and s.chips[seat] > 0) for seat in everyone
        ),
        "an actor who need not act": s.actor >= 0 and not int(s.pending) >> int(s.actor) & 1,
        "a deck between hands": s.actor == NOBODY and bool(running),
        "a bet above the highest": bool((s.bets > s.highest).any()),
    }
    return [fault for fault, present in checks.items() if present]


def _union(piles: Sequence[int]) -> int:
    union = 0
    for pile in piles:
        union |= pile
    return union


# Views


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are Hold'em's own."""
    everyone = range(int(s.players))
    board = board_cards(s)
    zones = [
        model.zone("board", "row", "Board", cards=[model.card(PLAIN.text(card)) for card in board]),
        model.zone("pot", "chips", "Pot", count=int(s.pot)),
    ]
    for other in everyone:
        zones += _seat_zones(s, other)
    counters = [
        model.counter("hand", "Hand", int(s.hand), int(s.hands) or None),
        model.counter("pot", "Pot", int(s.pot)),
        model.counter("big blind", "Big blind", int(s.big)),
    ]
    if s.phase == rules.BET and s.actor != NOBODY:
        counters.append(model.counter("bet", "Bet to match", int(s.highest)))
    return {
        "phase": _phase(s),
        "prompt": _prompt(s, seat),
        "zones": zones,
        "counters": counters,
        "seats": [_seat(s, other) for other in everyone],
        "button": int(s.button),
        "pots": [{"size": size, "seats": seats} for size, seats in pots(s)],
    }


def _seat_zones(s: Any, seat: int) -> list[model.Part]:
    cards = [model.card(card_text(card), card < FACE_DOWN) for card in hole_cards(s, seat)]
    return [
        model.zone(f"hand-{seat}", "hand", "Cards", seat, cards=cards),
        model.zone(f"stack-{seat}", "chips", "Chips", seat, count=int(s.chips[seat])),
        model.zone(f"bet-{seat}", "chips", "Bet", seat, count=int(s.bets[seat])),
    ]


def _phase(s: Any) -> str:
    if s.actor == NOBODY:
        return "The end"
    if s.phase == rules.PAUSE:
        return f"After hand {s.hand}"
    name = {rules.HOLE: "The deal", rules.SHOW: "Showdown"}.get(int(s.phase), STREETS[int(s.street)])
    return f"Hand {s.hand}: {name[0].lower()}{name[1:]}"


def _seat(s: Any, seat: int) -> model.Part:
    part = {
        "seat": seat,
        "score": int(s.chips[seat] - s.stack[seat]),
        "chips": int(s.chips[seat]),
        "bet": int(s.bets[seat]),
        "paid": int(s.paid[seat]),
        "won": int(s.won[seat]),
        "button": bool(s.button == seat),
        "shown": bool(int(s.shown) >> seat & 1),
        "status": _status(s, seat),
    }
    words = seat_words(s, seat)
    if words:
        part["hand"] = words
    return part


def _status(s: Any, seat: int) -> str:
    """What a seat is doing, in one or two words."""
    if int(s.gone) >> seat & 1:
        return "left"
    if s.actor == seat:
        return "decides"
    if int(s.live) >> seat & 1:
        return "waits" if s.chips[seat] > 0 else "all-in"
    if s.seated and int(s.seated) >> seat & 1:
        return "folded"
    if int(s.away) >> seat & 1:
        return "sits out"
    if s.chips[seat] == 0:
        return "out of chips"
    return "sits out" if s.seated else "done" if s.actor == NOBODY else "waits"


def _prompt(s: Any, seat: int | None) -> str:
    if s.actor == NOBODY:
        return "The session is over."
    if s.actor == CHANCE:
        if s.phase == rules.SHOW:
            return f"Seat {s.player} turns up a card."
        return (
            "Two cards are dealt to everybody." if s.phase == rules.HOLE else "A card is dealt to the board."
        )
    if s.phase == rules.PAUSE:
        return "Will you play the next hand?" if s.actor == seat else f"Seat {s.actor} is asked to go on."
    owed = min(int(s.highest - s.bets[s.actor]), int(s.chips[s.actor]))
    if s.actor != seat:
        return f"Seat {s.actor} decides, with {owed} to call." if owed else f"Seat {s.actor} decides."
    pot = f"The pot is {s.pot}"
    return (
        f"{pot}, and {owed} to call: it is your move."
        if owed
        else f"{pot}, nothing to call: it is your move."
    )


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """Buttons for the words, and a number for the bet."""
    if not len(moves):
        return []
    if s.phase == rules.PAUSE:
        hints = ("", "You miss the next hand.", "You keep your chips as your score, for good.")
        labels = zip(ANSWERS, ("Deal me in", "Sit out", "Leave"), "iol", hints, strict=True)
        return [model.button(move, label, key, hint) for move, label, key, hint in labels]
    owed = min(int(s.highest - s.bets[seat]), int(s.chips[seat]))
    all_in = ", all-in" if owed == s.chips[seat] else ""
    found = [model.button("fold", "Fold", "f"), model.button("call", f"Call {owed}{all_in}", "c")]
    if not owed:
        found = [model.button("check", "Check", "k")]
    least, most = (int(end) for end in rules.raise_span(s, seat))
    if least > most:
        return found
    label = "Raise to" if s.highest > 0 else "Bet"
    found.append(model.number(_verb(s), label, least, most))
    pot = int(s.pot) + owed
    sizes = {"Half the pot": int(s.highest) + pot // 2, "The pot": int(s.highest) + pot}
    named = {amount: name for name, amount in sizes.items() if least <= amount < most}
    if most == s.bets[seat] + s.chips[seat]:
        named[most] = "All-in"
    found += [model.button(f"{_verb(s)} {amount}", f"{name} ({amount})") for amount, name in named.items()]
    return found


def orders(s: Any, seat: int) -> list[model.Part]:
    """There is nothing to repeat: every decision is about other cards and other bets."""
    return []
