"""The notation of Baseball: moves to text and back, names of cards and places, and why a move is refused."""

from __future__ import annotations

import re
from typing import Any

from ninefold.game.baseball import rules
from ninefold.game.baseball.fields import (
    DISCARD,
    DRAW,
    DREW,
    FIRST,
    FLIP,
    LOOK,
    OPENING,
    PUT,
    SECOND,
    TAKE,
    TURN_UP,
)
from ninefold.kernel import shoe
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.errors import Ambiguous, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.text import Text, message

PLACE_NAMES = tuple(f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3))
VERBS = {"look": LOOK, "flip": FLIP, "take": TAKE, "put": PUT}
MOVES = (
    *(f"look {place}" for place in PLACE_NAMES),
    *(f"turn up {which}" for which in ("none", "first", "second", "both")),
    *(f"{verb} {place}" for verb in ("flip", "take") for place in PLACE_NAMES),
    "draw",
    "discard",
    *(f"put {place}" for place in PLACE_NAMES),
)
SPELLINGS = {
    **dict.fromkeys(("look at", "peek", "peek at"), "look"),
    **dict.fromkeys(("turn over", "flip over"), "flip"),
    **dict.fromkeys(("take to", "take for", "take top to", "swap"), "take"),
    **dict.fromkeys(("put at", "put on", "put to", "replace", "lay"), "put"),
}
WORDS = {
    **{text: action for action, text in enumerate(MOVES)},
    **dict.fromkeys(("d", "draw a card", "shoe"), DRAW),
    **dict.fromkeys(("x", "discard it", "throw"), DISCARD),
}
_MOVE = re.compile(r"(?:(.*?) )?r? ?([1-3]) ?[-, ]? ?c? ?([1-3])")
REFUSALS = {
    203: "at the start, each player in turn looks at two of their own cards",
    204: "after looking at two cards, a player turns up none, the first, the second or both, only once",
    301: "it is not {player}'s turn",
    302: "only a face-down card can be flipped",
    304: "nothing has been drawn: flip a card, take the top discard or draw",
    305: "{player} has drawn a card, and must discard it or put it in place of another",
    306: "there is no card there: that column has been cleared",
    503: "the game is over",
}


def card_text(card: int) -> str | None:
    """A card as programs write it, `10H`; None if the reader may not know it."""
    return DECK.texts[card] if card >= 0 else None


def card_name(card: int) -> str:
    """A card in a sentence, `10♥`."""
    return "joker" if card == shoe.JOKER else DECK.drawn(card)


def place_name(place: int) -> str:
    """A place in a sentence: `top left`."""
    row, column = ("top", "middle", "bottom")[place // 3], ("left", "middle", "right")[place % 3]
    return f"{row} {column}" if row != column else "centre"


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat != CHANCE:
        return MOVES[action]
    return f"{'deal' if s.stage in (OPENING, DREW) else 'reveal'} {card_text(action)}"


def parse_move(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _parse_card(words, text)
    if words in WORDS:
        return WORDS[words]
    found = _MOVE.fullmatch(words)
    if found:
        place = 3 * int(found[2]) + int(found[3]) - 4
        verb = SPELLINGS.get(found[1], found[1])
        if verb in VERBS:
            return VERBS[verb] + place
        if verb == "turn up" and place in (s.look_1, s.look_2):
            return TURN_UP + (FIRST if place == s.look_1 else SECOND)
        if not verb:
            return _only_move(s, seat, place, text)
    raise Unreadable(
        f"{text!r} is not a move of Baseball: type look, flip, take or put with a place from r1c1 to r3c3, "
        "draw, discard, or turn up none, first, second or both"
    )


def _parse_card(words: str, text: str) -> int:
    try:
        return min(shoe.JOKER, DECK.read(words.removeprefix("deal ").removeprefix("reveal ")))
    except RuleError as error:
        raise Unreadable(f"{text!r} is not a card that can come: {error}") from None


def _only_move(s: Any, seat: int, place: int, text: str) -> int:
    """Find the one move that a place without a verb can mean."""
    bits = int(rules.moves(s, seat))
    possible = [first + place for first in VERBS.values() if bits >> (first + place) & 1]
    if not possible:
        raise Unreadable(f"{text!r} is a place; type what to do there too, such as flip {PLACE_NAMES[place]}")
    if len(possible) > 1:
        raise Ambiguous(f"{text!r} could be {' or '.join(MOVES[one] for one in possible)}: type one of them")
    return possible[0]


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return "there is no such card left"
    if rule == 301 and s.actor == CHANCE:
        return "a card is about to be revealed"
    return message(REFUSALS[rule], {"player": seat})
