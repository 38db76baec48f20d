"""The notation of 9 of a Kind: cards, collections, moves to text and back, and why a move is refused.

Uses only what the player may know, whether the position it gets is masked or not.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.parcels import CARDS, COUNT, NUMBER, PARCELS, SIDE
from ninefold.kernel.bits import has, members, members_wide
from ninefold.kernel.cards import NINE_SUITS, Card
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.facts import whole
from ninefold.model.text import Text, count_of, message, rule_text

WORDS = {
    rules.WITHDRAW: "withdraw",
    rules.CLAIM_NINE: "claim nine",
    rules.CLAIM_BLOCKED: "claim blocked",
    rules.CHICKEN: "chicken",
    rules.WAIT: "wait",
}
SPELLINGS = {
    **{text: action for action, text in WORDS.items()},
    **dict.fromkeys(("nine", "nine of a kind", "9 of a kind", "claim 9", "n"), rules.CLAIM_NINE),
    **dict.fromkeys(("blocked", "claim blocker", "blocker", "b"), rules.CLAIM_BLOCKED),
    **dict.fromkeys(("take back", "w"), rules.WITHDRAW),
    **dict.fromkeys(("pass", "."), rules.WAIT),
}
VERBS = {
    **dict.fromkeys(("offer", "o"), rules.OFFER),
    **dict.fromkeys(("centre", "center", "c"), rules.CENTRE),
    **dict.fromkeys(("answer", "a"), rules.ANSWER),
}
EXAMPLES = (
    "offer 7S 7H, answer PLAYER 7S, centre 7S, withdraw, claim nine, claim blocked, chicken and wait "
    "are moves"
)
REFUSALS = {
    201: "the cards are still being dealt",
    301: "{player} does not hold {cards}",
    303: "{player} has no open offer",
    304: "{other} has no open offer",
    305: "{other} offers {cards}, so an answer must have the same number",
    306: "{player} may trade with the centre only once after each trade with a player",
    307: "the centre holds {cards}",
    403: "{player} is out of this round and comes back in the next one",
    404: "9 of a Kind has been claimed; the only moves now are claim nine and wait",
    405: "{player} has already answered the claim, and the others are still deciding",
    505: "the game is over",
    601: "this table does not use Chicken!",
}
NO_PARCEL = "cards go together in ones, twos or threes, all of one suit or all of one rank"
PARCEL_TEXTS = [" ".join(NINE_SUITS.texts[card] for card in cards) for cards in PARCELS]


def hand_cards(s: Any, seat: int) -> list[Card]:
    """The cards of a hand, by rank."""
    return [SIDE * rank + suit for rank in range(SIDE) for suit in members(s.hands[seat][rank])]


def shown_cards(s: Any, seat: int) -> list[Card]:
    """The cards of a hand that was laid open at the end of the last round, by rank."""
    return members_wide(s.laid_open[seat])


def hand_sizes(s: Any) -> list[int]:
    """How many cards each seat holds, from what everyone knows."""
    everyone = range(int(s.players))
    if s.phase == rules.DEAL:
        return [int(s.dealt + s.players - 1 - seat) // len(everyone) for seat in everyone]
    return [SIDE * has(s.inside, seat) - int(s.draws) * bool(s.drawer == seat) for seat in everyone]


def called(collection: int) -> str:
    """A collection: `sevens`, `Hearts`."""
    if collection < SIDE:
        return NINE_SUITS.rank_words(collection, SIDE)
    return NINE_SUITS.suits[collection - SIDE].many


def is_in(card: Card, collection: int) -> bool:
    return collection in (card // SIDE, SIDE + card % SIDE)


def answered(s: Any, seat: int, action: int) -> int:
    """Whose offer an action answers; numbers from `players` on are nobody."""
    players, step = int(s.players), action // COUNT - 1
    return (seat + step) % players if step < players else players + step


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        return f"deal {NINE_SUITS.text(action)}"
    if action >= rules.WITHDRAW:
        return WORDS[action]
    block, parcel = divmod(action, COUNT)
    verb = ("offer", "centre")[block] if block < 2 else f"answer {answered(s, seat, action)}"
    return f"{verb} {PARCEL_TEXTS[parcel]}"


def parse_move(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    try:
        if seat == CHANCE:
            return NINE_SUITS.read(text.strip().lower().removeprefix("deal"))
        words = " ".join(text.lower().replace("!", " ").split())
        return SPELLINGS[words] if words in SPELLINGS else _read_trade(s, seat, text)
    except RuleError as error:
        raise Unreadable(f"{text!r} cannot be read: {error}") from None


def _read_trade(s: Any, seat: int, text: str) -> int:
    verb, *rest = text.split() or [""]
    action = VERBS.get(verb.lower())
    if action is None:
        raise Unreadable(f"{text!r} is not a move of 9 of a Kind: {EXAMPLES}")
    if action == rules.ANSWER:
        action += COUNT * ((_read_seat(s, seat, text, rest[:1]) - seat) % int(s.players) - 1)
        rest = rest[1:]
    cards = tuple(sorted(NINE_SUITS.read_cards(rest)))
    if cards not in NUMBER:
        raise _refused(s, seat, text, NO_PARCEL, 301)
    return action + NUMBER[cards]


def _read_seat(s: Any, seat: int, text: str, words: list[str]) -> int:
    other = whole(" ".join(words))
    if other is None:
        raise Unreadable(f"{text!r} does not say whose offer you answer: put the player before the cards")
    if other == seat:
        raise _refused(s, seat, text, "nobody answers their own offer", 304)
    if not 0 <= other < s.players:
        raise _refused(s, seat, text, "nobody with that number is at the table", 304)
    return other


def _refused(s: Any, seat: int, text: str, why: Text, rule: int) -> IllegalMove:
    """The error for something that is not a move; if it is not the seat's turn, that is the reason."""
    turn = int(rules.refuse(s, seat, rules.WAIT))
    why = explain_refusal(s, seat, rules.WAIT, turn) if turn else why
    sentence = message("{move} is not possible: {why}", move=text, why=why)
    return NotYourTurn(sentence, rule_text(turn)) if turn else IllegalMove(sentence, rule_text(rule))


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused move."""
    if seat == CHANCE or (rule == 306 and s.actor == CHANCE):
        return "a card from the centre is dealt now"
    other = answered(s, seat, action) if rule in (304, 305) else seat
    cards = ""
    if rule == 301:
        hand = hand_cards(s, seat)
        cards = " ".join(NINE_SUITS.texts[card] for card in PARCELS[action % COUNT] if card not in hand)
    elif rule == 305:
        cards = count_of(int(s.open_size[other]))
    elif rule == 307:
        cards = count_of(CARDS - sum(hand_sizes(s)))
    return message(REFUSALS[rule], {"player": seat, "other": other}, cards=cards)
