"""The notation of Multiple 9: moves to text and back, and why a move is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.game.multiple9.fields import DONE, GO_OUT, GROUPS, OUT, WAIT
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.text import Text, message, rule_text

WORDS = {DONE: "done", GO_OUT: "go out", WAIT: "wait"}
SPELLINGS = {
    **dict.fromkeys(("done", "d", "end turn", "pass"), DONE),
    **dict.fromkeys(("go out", "out", "goout", "go-out", "g"), GO_OUT),
    **dict.fromkeys(("wait", "w"), WAIT),
}
LAYS = re.compile(r"^(lay|put down|put|play|l)(?![a-z])")
SUITS = re.compile(r"[shdc♠♥♦♣♤♡♢♧]")
NUMBER_OF = {group: number for number, group in enumerate(nines.GROUPS)}
REFUSALS = {
    301: "the cards are being dealt",
    302: "before the first turn, {player} must choose to go out with the cards dealt, or to wait",
    303: "going out with the cards dealt is only possible before the first turn",
    401: "it is {player}'s turn",
    402: "a card must be drawn first",
    403: "{who} does not have {group}",
    404: "a single nine needs a second group",
    405: "a nine may go down alone only as the last cards, and the rest of the hand has no other group",
    501: "the game is over",
}


@lru_cache(4_096)
def texts(packed: int) -> tuple[str, ...]:
    """The ranks of packed cards, the highest first."""
    return tuple([STANDARD.rank_text(rank) for rank in nines.unpack(packed)])


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        return f"deal {STANDARD.rank_text(action)}"
    return f"lay {nines.TEXTS[action]}" if action < GROUPS else WORDS[action]


def parse_move(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _parse_card(text, words)
    if words in SPELLINGS:
        return SPELLINGS[words]
    cards = _parse_cards(s, text, LAYS.sub("", words))
    if cards not in NUMBER_OF:
        _refuse_cards(s, seat, cards)
    return NUMBER_OF[cards]


def _parse_card(text: str, words: str) -> int:
    try:
        return STANDARD.read_rank(re.sub(r"^(deal|draw) ", "", words))
    except RuleError:
        raise Unreadable(f"{text!r} is not a card: type deal and a rank, such as deal 7") from None


def _parse_cards(s: Any, text: str, named: str) -> tuple[Rank, ...]:
    moves = "go out or wait" if s.phase == OUT else "lay and the ranks, such as lay 8 8 A A, or done"
    try:
        ranks = STANDARD.read_hand(named)
    except RuleError as error:
        raise Unreadable(f"{text!r} cannot be read: {error}; type {moves}") from None
    if not ranks or SUITS.search(named):
        what = "suits, which do not matter here" if ranks else "no cards"
        raise Unreadable(f"{text!r} names {what}: type {moves}")
    return tuple(sorted(ranks, reverse=True))


def _refuse_cards(s: Any, seat: int, cards: Sequence[Rank]) -> None:
    """Say why some cards can never be a group."""
    rule = int(rules.refuse(s, seat, 0)) if s.actor != seat or s.phase == OUT else 202
    groups = nines.split(nines.pack(cards))
    why: Text = f"a group has at most two ranks, and these cards have {len(set(cards))}"
    if rule != 202:
        why = explain_refusal(s, seat, 0, rule)
    elif nines.total(cards) % 9:
        why = f"it totals {nines.total(cards)}, which is not a multiple of nine"
    elif groups:
        one_by_one = " and ".join(f"lay {nines.TEXTS[group]}" for group in groups)
        rule, why = 403, f"groups go down one at a time, such as {one_by_one}"
    sentence = message("{move} is not possible: {why}", move=f"lay {STANDARD.hand_text(cards)}", why=why)
    raise (IllegalMove if s.actor == seat else NotYourTurn)(sentence, rule_text(rule))


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return f"one of the {int(s.stock_left)} cards in the stock is dealt now"
    group = nines.TEXTS[action] if action < GROUPS else ""
    return message(REFUSALS[rule], {"player": int(s.player), "who": seat}, group=group)
