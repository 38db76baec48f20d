"""The notation of Multiple 9 Hold'em: moves to text and back, and why a move is refused."""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9 import RAISE
from ninefold.game.holdem9.bets import raise_span
from ninefold.game.holdem9.fields import (
    BET,
    BETS,
    CALL,
    DEAL_IN,
    FACE_DOWN,
    FOLD,
    LEAVE,
    PAUSE,
    SHOW,
    SIT_OUT,
)
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.errors import Ambiguous, IllegalMove, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.facts import whole
from ninefold.model.text import Text, message

UNSEEN = "??"
ANSWERS = ("deal me in", "sit out", "leave")
SPELLINGS = {
    "f": "fold",
    "k": "check",
    "c": "call",
    "in": "deal me in",
    "allin": "all in",
    "all-in": "all in",
}
WORDS = {"fold": FOLD, "check": CALL, "call": CALL, "deal me in": DEAL_IN, "sit out": SIT_OUT, "leave": LEAVE}
AMOUNTS = ("bet", "raise to", "raise by", "raise", "to")
HELP = "type fold, check, call, bet 40 or raise to 40"
REFUSALS = {
    204: "cards are dealt first",
    301: "it is {player}'s turn",
    302: "there is no bet to fold to, and checking costs nothing",
    303: "{who} has {all_in} chips to bet with",
    304: "the least allowed is {verb} {least}",
    305: "{who} has acted since the last full raise, and an all-in for less does not reopen the betting",
    306: "nobody is left who could call",
    308: "the limit is fixed: {verb} {least}",
    309: "the most the pot allows is {verb} {most}",
    604: "the session is over",
    606: "a hand is being played; that is only for the break between hands, if the session has breaks",
}
NO_MORE = {
    308: "there have been a bet and three raises",
    606: "between hands the moves are deal me in, sit out and leave",
}


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        verb = "reveal" if s.phase == SHOW else "deal"
        return f"{verb} {STANDARD.text(action) if action < FACE_DOWN else UNSEEN}"
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if s.bets[seat] < s.highest else "check"
    return ANSWERS[action - DEAL_IN] if action >= DEAL_IN else f"{bet_verb(s)} {action - RAISE}"


def bet_verb(s: Any) -> str:
    return "raise to" if s.highest > 0 else "bet"


def parse_move(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _parse_card(text, words)
    words = SPELLINGS.get(words, words)
    asked = s.actor == seat and s.phase == BET
    if words == "all in":
        all_in = int(s.bets[seat] + s.chips[seat])
        return CALL if asked and all_in <= s.highest else RAISE + all_in
    verb, _, number = words.rpartition(" ")
    amount = 0 if words in WORDS else _parse_amount(s, text, verb, number)
    if asked:
        _check_name(s, seat, words, verb if amount else words, amount)
    return RAISE + amount if amount else WORDS[words]


def _parse_amount(s: Any, text: str, verb: str, number: str) -> int:
    chips = whole(number.replace(",", ""))
    if verb not in AMOUNTS:
        raise Unreadable(f"{text!r} cannot be read: {HELP}")
    if chips is None or chips < 1:
        raise Unreadable(
            f"{number!r} is not a number of chips: type a whole number from 1 up, such as bet 40"
        )
    amount = chips + int(s.highest) * (verb == "raise by")
    if RAISE + amount >= DEAL_IN:
        raise IllegalMove(f"{bet_verb(s)} {amount} is not possible: nobody can have that many chips", "R3.3")
    return amount


def _check_name(s: Any, seat: int, words: str, verb: str, amount: int) -> None:
    """Check the verb: a bet opens a round, a raise follows; `raise 40` could mean to 40 or by 40."""
    highest, owed = int(s.highest), int(s.highest - s.bets[seat])
    wrong = {
        "check": owed and f"there is a bet: call {owed} or fold",
        "call": not owed and "there is nothing to call, so type check",
        "bet": highest and f"there is a bet of {highest}, so type raise to",
        "raise": not highest and "there is no bet to raise, so type bet",
    }
    if why := wrong.get(verb.partition(" ")[0]):
        raise IllegalMove(f"{words} is not possible: {why}", "R3.4" if amount else "R3.2")
    if verb == "raise":
        raise Ambiguous(f"{words} could be raise to {amount}, or raise by {amount} to {highest + amount}")


def _parse_card(text: str, words: str) -> int:
    rest = words.removeprefix("deal").removeprefix("reveal").strip()
    try:
        return FACE_DOWN if rest == UNSEEN else STANDARD.read(rest)
    except RuleError as error:
        raise Unreadable(f"{text!r} is not a card to deal: {error} (deal KH)") from None


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return f"one of the {len(members(s.deck))} cards in the deck is dealt now"
    if (rule == 308 and s.raises >= BETS) or (rule == 606 and s.phase == PAUSE):
        return NO_MORE[rule]
    least, most = (int(end) for end in raise_span(s, seat))
    amounts = {"all_in": int(s.bets[seat] + s.chips[seat]), "least": least, "most": most}
    return message(REFUSALS[rule], {"player": int(s.player), "who": seat}, verb=bet_verb(s), **amounts)
