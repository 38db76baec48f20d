"""The notation of Finest 9: moves to text and back, and why a capture is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.matching import CARDS_OF, NINE, SEQUENCE, SEQUENCES, TEN, TENS, TOTAL, captures_of
from ninefold.game.finest9.rows import position, row, taken
from ninefold.kernel import dice
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Rank
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.text import NUMBERS, Text, message, rule_text

EXAMPLE = "type the ranks, such as capture 7 9 9"
VERBS = ("capture", "take", "c")
REFUSALS = {
    203: "the cards have not been dealt yet",
    301: "it is {player}'s turn",
    302: "the dice have not been rolled yet",
    304: "there is no match, so a card is drawn",
    401: "{seat} has {cards}",
    402: "a set must have the value of the dice, and the dice show {total}",
    403: "a single card is never a match",
    405: "in sequences the ace is high: Q-K-A is a sequence, A-2-3 is not",
    407: "none of its cards is worth {total}, and a 9 alone never matches the dice",
    408: "it takes the same cards as the set, and counts as that move",
    409: "a 12 matches nothing",
    410: "10, J, Q and K are different ranks",
    501: "the game is over",
    601: "a set takes all your 9s",
    602: "10, J, Q and K count as one rank, so a set takes all of them",
}


def ranks_text(ranks: Iterable[Rank]) -> str:
    """Ranks as they are written in moves, from 2 to A."""
    return STANDARD.hand_text(sorted(ranks, key=position))


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a capture, or of an outcome of chance."""
    if seat == CHANCE:
        card = action - rules.DEALT
        return dice.roll_text(action) if card < 0 else f"deal {STANDARD.text(card)}"
    if action >= SEQUENCE:
        return f"capture {ranks_text(SEQUENCES[action - SEQUENCE])}"
    rank, wilds = divmod(action, 5)
    ranks = [card >> 2 for card in members(int(s.tables[seat]) & int(CARDS_OF[rank]))]
    return f"capture {ranks_text((ranks or [TEN if rank == TENS else rank]) + [NINE] * wilds)}"


def parse_move(s: Any, seat: int, text: str) -> int:
    """The capture or outcome that a text names, legal or not."""
    verb, _, rest = text.strip().partition(" ")
    if seat == CHANCE:
        return _parse_chance(text, verb.lower(), rest)
    named = rest if verb.lower() in VERBS else text
    try:
        ranks = STANDARD.read_hand(named)
    except RuleError as error:
        raise Unreadable(f"{text!r} cannot be read: {error}; {EXAMPLE}") from None
    if not ranks:
        raise Unreadable(f"{text!r} names no cards: {EXAMPLE}")
    tried = f"capture {ranks_text(ranks)} is not possible: {{why}}"
    if int(s.actor) != seat:
        rule = int(rules.refuse(s, seat, 0))
        raise NotYourTurn(message(tried, why=explain_refusal(s, seat, 0, rule)), rule_text(rule))
    held = Counter(card >> 2 for card in members(s.tables[seat]))
    found = captures_of(Counter(ranks), held)
    if not found:
        why, rule = _no_capture(Counter(ranks), held)
        raise IllegalMove(message(tried, why=why), rule_text(rule))
    legal = [action for action in found if not rules.refuse(s, seat, action)]
    if legal:
        _check_suits(s, seat, legal[0], named)
    return (legal or found)[0]


def _parse_chance(text: str, verb: str, rest: str) -> int:
    faces = dice.read_dice(rest if verb == "roll" else text)
    if faces:
        return dice.ROLLS.index(faces)
    try:
        return rules.DEALT + STANDARD.read(rest if verb in ("deal", "draw") else text)
    except RuleError:
        wanted = "type two dice (roll 3 4) or a card (deal 7H)"
        raise Unreadable(f"{text!r} is neither a roll nor a card: {wanted}") from None


def _no_capture(ranks: Counter[Rank], held: Counter[Rank]) -> tuple[str, int]:
    """Why some cards cannot be captured at any roll, and the rule that says so."""
    for rank, number in ranks.items():
        if number > held[rank]:
            what = f"{NUMBERS[held[rank]]} {STANDARD.rank_words(rank, held[rank])}"
            return f"you have {'only ' if held[rank] else ''}{what}", 401
    naturals = set(ranks) - {NINE}
    if len(naturals) == 1:
        rank = naturals.pop()
        return f"a set takes all your {STANDARD.rank_words(rank, 2)}, and you have {NUMBERS[held[rank]]}", 402
    return "it is neither a set of one rank nor three ranks in sequence from 2 to A", 405


def _check_suits(s: Any, seat: int, action: int, named: str) -> None:
    """Check suits, which may be left out: those typed must be among the cards captured."""
    going = taken(s, seat, action)
    for word in named.split():
        try:
            suited = STANDARD.read_cards(word)
        except RuleError:
            continue
        if not set(suited) <= set(going):
            takes = STANDARD.drawn(*going)
            raise IllegalMove(f"{word} is not part of it: this capture takes {takes}", "R3.6")


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused capture."""
    if seat == CHANCE:
        if s.phase in (rules.ROLL_OFF, rules.TURN):
            return "the dice are rolled now"
        return message("the next of the {number} cards in the deck is dealt now", number=len(members(s.deck)))
    cards = ranks_text(card >> 2 for card in row(s, seat)) or "no cards"
    seats: dict[str, int | list[int]] = {"player": int(s.player), "seat": seat}
    return message(REFUSALS[rule], seats, cards=cards, total=int(TOTAL[s.last_roll]))
