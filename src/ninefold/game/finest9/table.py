"""Finest 9 as people see it: texts of moves, the view of a seat, and what has just happened in words.

Nothing is hidden in this game but the order of the deck, and that is not decided before a card is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.matching import (
    CARDS_OF,
    NINE,
    RANKS,
    REROLL,
    SEQUENCE,
    SEQUENCES,
    TEN,
    TENS,
    TOTAL,
    VALUE,
)
from ninefold.kernel import dice, model
from ninefold.kernel.cards import PLAIN, Card, Rank
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE, NOBODY

VERBS = ("capture", "take", "c")
NUMBERS = ("no", "one", "two", "three", "four")

WHY = {
    203: "the cards have not been dealt yet",
    301: "it is {player}'s turn",
    302: "the dice have not been rolled yet",
    304: "there is no match, so a card is drawn",
    401: "the cards before {seat} are {cards}",
    402: "a set is of a rank whose value was rolled, and the dice show {total}",
    403: "a card alone is never a match",
    405: "in sequences the ace is high only: Q-K-A is one, A-2-3 is not",
    407: "no card of it is worth {total}, and a 9 never matches the dice by itself",
    408: "it takes the same cards as the set, and is that move",
    409: "a 12 matches nothing",
    410: "10, J, Q and K are ranks of their own",
    501: "the game is over",
    601: "a set takes every 9 before you",
    602: "10, J, Q and K count as one rank, and all of them go",
}


# Cards


def members(cards: int) -> tuple[Card, ...]:
    """The cards in a word of bits."""
    return _members(int(cards) & (1 << PLAIN.size) - 1)


@lru_cache(4096)
def _members(left: int) -> tuple[Card, ...]:
    found = []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return tuple(found)


def place(rank: Rank) -> int:
    """Where a rank stands in the order 2 to A."""
    return (rank - 1) % RANKS


def row(s: Any, seat: int) -> list[Card]:
    """The cards before a seat from 2 to A, those of a rank as they were dealt."""
    notes: dict[int, list[Card]] = getattr(s, "notes", {})
    if seat not in notes:
        notes[seat] = _row(s, seat)
    return notes[seat]


def _row(s: Any, seat: int) -> list[Card]:
    came = s.came.tolist()
    return sorted(
        members(s.tables[seat]),
        key=lambda card: (place(card >> 2), arrivals(came[card >> 2]).index(card & 3)),
    )


@cache
def arrivals(came: int) -> tuple[int, ...]:
    """The suits of a rank in the order in which they were dealt."""
    return tuple(int(digit) - 1 for digit in f"{came:o}" if digit != "0")


def worth(cards: Iterable[Card]) -> int:
    """The points of some cards."""
    return sum(int(VALUE[card >> 2]) for card in cards)


def taken(s: Any, seat: int, action: int) -> list[Card]:
    """The cards that a legal capture takes, in the order of the row."""
    after = s.copy()
    rules.capture(after, seat, action)
    return [card for card in row(s, seat) if not int(after.tables[seat]) >> card & 1]


def in_ranks(ranks: Iterable[Rank]) -> str:
    return PLAIN.hand_text(sorted(ranks, key=place))


def drawn(cards: Iterable[Card]) -> str:
    return " ".join(PLAIN.drawn(card) for card in cards)


# Texts


def say(s: Any, seat: int, action: int) -> str:
    """The text of a capture, or of an outcome of chance."""
    if seat != CHANCE:
        return f"capture {in_ranks(_ranks(s, seat, action))}"
    if action < rules.DEALT:
        return dice.roll_text(action)
    return f"deal {PLAIN.text(action - rules.DEALT)}"


def _ranks(s: Any, seat: int, action: int) -> list[Rank]:
    """The ranks of a capture; of a set, all the seat has, and one for a rank that it does not have."""
    if action >= SEQUENCE:
        return list(SEQUENCES[action - SEQUENCE])
    rank, wilds = divmod(action, 5)
    held = [card >> 2 for card in members(int(s.tables[seat]) & int(CARDS_OF[rank]))]
    return (held or [TEN if rank == TENS else rank]) + [NINE] * wilds


def read(s: Any, seat: int, text: str) -> int:
    """The capture or outcome that a text names, legal or not."""
    verb, _, rest = text.strip().partition(" ")
    if seat == CHANCE:
        return _read_chance(text, verb.lower(), rest)
    named = rest if verb.lower() in VERBS else text
    try:
        ranks = PLAIN.read_hand(named)
    except RuleError as error:
        raise Unreadable(
            f"{text!r} cannot be read: {error}; write the ranks, such as capture 7 9 9"
        ) from None
    if not ranks:
        raise Unreadable(f"{text!r} names no cards: write the ranks, such as capture 7 9 9")
    if int(s.actor) != seat:
        rule = int(rules.refuse(s, seat, 0))
        sentence = f"capture {in_ranks(ranks)} is not possible: {why(s, seat, 0, rule)}"
        raise NotYourTurn(sentence, f"R{rule // 100}.{rule % 100}")
    found = _candidates(s, seat, Counter(ranks))
    legal = [action for action in found if not rules.refuse(s, seat, action)]
    if not found:
        _refuse_cards(s, seat, Counter(ranks))
    if legal:
        _check_suits(s, seat, legal[0], named)
    return (legal or found)[0]


def _read_chance(text: str, verb: str, rest: str) -> int:
    faces = dice.read_dice(rest if verb == "roll" else text)
    if faces:
        return dice.ROLLS.index(faces)
    try:
        return rules.DEALT + PLAIN.read(rest if verb in ("deal", "draw") else text)
    except RuleError:
        raise Unreadable(
            f"{text!r} is neither a roll nor a card: say two dice (roll 3 4) or a card (deal 7H)"
        ) from None


def _candidates(s: Any, seat: int, ranks: Counter[Rank]) -> list[int]:
    """The actions that these ranks could mean, lowest first."""
    held = Counter(card >> 2 for card in members(s.tables[seat]))
    wilds = ranks[NINE]
    naturals = {rank: number for rank, number in ranks.items() if rank != NINE}
    found = []
    if all(number == held[rank] for rank, number in naturals.items()) and wilds <= held[NINE]:
        if len(naturals) == 1:
            found += [5 * rank + wilds for rank in naturals]
        if naturals == {rank: held[rank] for rank in range(TEN, RANKS) if held[rank]}:
            found.append(5 * TENS + wilds)
    if not naturals and wilds == held[NINE]:
        found.append(5 * NINE)
    cards = tuple(sorted(ranks.elements()))
    if cards in SEQUENCES:
        found.append(SEQUENCE + SEQUENCES.index(cards))
    return found


def _refuse_cards(s: Any, seat: int, ranks: Counter[Rank]) -> None:
    """Say why some cards are no capture at any roll."""
    held = Counter(card >> 2 for card in members(s.tables[seat]))
    tried = f"capture {in_ranks(ranks.elements())} is not possible"
    for rank, number in ranks.items():
        if number > held[rank]:
            are = "is" if held[rank] == 1 else "are"
            have = f"there {are} {NUMBERS[held[rank]]} {PLAIN.rank_words(rank, held[rank])} before you"
            raise IllegalMove(f"{tried}: {have}", "R4.1")
    naturals = set(ranks) - {NINE}
    if len(naturals) == 1:
        rank = naturals.pop()
        have = f"all {NUMBERS[held[rank]]} {PLAIN.rank_words(rank, 2)}"
        raise IllegalMove(f"{tried}: a set takes {have} before you", "R4.2")
    raise IllegalMove(f"{tried}: it is neither a set of one rank nor three neighbours from 2 to A", "R4.5")


def _check_suits(s: Any, seat: int, action: int, named: str) -> None:
    """Suits need not be named; those that are must be of cards that will go."""
    going = taken(s, seat, action)
    for word in named.split():
        try:
            suited = PLAIN.read_cards(word)
        except RuleError:
            continue
        if not set(suited) <= set(going):
            raise IllegalMove(f"{word} does not go with it: this capture takes {drawn(going)}", "R3.6")


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused capture."""
    if seat == CHANCE:
        if s.phase in (rules.ROLL_OFF, rules.TURN):
            return "the dice are rolled now"
        return f"one of the {len(members(s.deck))} cards in the deck comes now"
    return WHY[rule].format(
        player=f"seat {s.player}",
        seat=f"seat {seat}",
        cards=in_ranks(card >> 2 for card in row(s, seat)) or "none",
        total=int(TOTAL[s.last_roll]),
    )


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    everyone = range(int(s.players))
    piles = [s.deck, *s.tables, *s.captured]
    dealt = [[card & 3 for card in members(~int(s.deck) & int(CARDS_OF[rank]))] for rank in range(RANKS)]
    checks = {
        "a card lost or doubled": sorted(card for pile in piles for card in members(pile))
        != list(range(PLAIN.size)),
        "a score that does not fit the cards": any(
            int(s.scores[seat]) != worth(members(s.captured[seat])) - worth(members(s.tables[seat]))
            for seat in everyone
        ),
        "an order of dealing that does not fit the deck": any(
            sorted(arrivals(int(s.came[rank]))) != dealt[rank] for rank in range(RANKS)
        ),
        "choices without a chooser": (s.actor >= 0) != bool(s.choices.any()),
        "last turns with cards in the deck": s.turns_left > 0 and s.deck != 0,
        "no last turns without cards in the deck": s.turns_left == 0 and s.deck == 0 and s.actor != NOBODY,
        "a roll-off that never ends": s.phase != rules.ROLL_OFF and bool(s.off.any()),
        "cards dealt before it is known who goes first": s.first < 0 and s.deck != (1 << PLAIN.size) - 1,
    }
    return [fault for fault, present in checks.items() if present]


# Views


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are Finest 9's own."""
    rolled = dice.ROLLS[int(s.last_roll)] if s.last_roll >= 0 else ()
    left = len(members(s.deck))
    zones = [
        model.zone("dice", "dice", "Last roll", dice=list(rolled)),
        model.zone("deck", "pile", "Deck", count=left),
    ]
    for other in range(int(s.players)):
        zones.append(
            model.zone(
                f"table-{other}",
                "row",
                "On the table",
                other,
                cards=[model.card(PLAIN.text(card)) for card in row(s, other)],
            )
        )
        pile = sorted(members(s.captured[other]), key=lambda card: (place(card >> 2), card))
        zones.append(
            model.zone(
                f"captured-{other}",
                "pile",
                "Captured",
                other,
                count=len(pile),
                cards=[model.card(PLAIN.text(card)) for card in pile],
            )
        )
    counters = [model.counter("deck", "Cards in the deck", left)]
    if s.turns_left > 0:
        counters.append(model.counter("turns left", "Turns left", int(s.turns_left)))
    return {
        "phase": _phase(s),
        "prompt": _prompt(s, seat),
        "zones": zones,
        "counters": counters,
        "seats": [_seat(s, other) for other in range(int(s.players))],
        "roller": int(s.player) if s.actor != NOBODY and s.phase != rules.DEAL else None,
        "first": int(s.first) if s.first >= 0 else None,
    }


def _phase(s: Any) -> str:
    if s.phase < rules.TURN:
        return "Roll-off" if s.phase == rules.ROLL_OFF else "The deal"
    if s.actor == NOBODY:
        return "The end"
    return f"Turn {s.turns}" + (" (last turns)" if s.turns_left > 0 else "")


def _seat(s: Any, seat: int) -> model.Part:
    waits_for = s.actor != NOBODY and s.player == seat and s.phase != rules.DEAL
    doing = "decides" if s.actor == seat else "draws" if s.phase == rules.DRAW else "rolls"
    return {
        "seat": seat,
        "score": int(rules.standing(s, seat)),
        "captured": worth(members(s.captured[seat])),
        "on_table": worth(members(s.tables[seat])),
        "status": doing if waits_for else "waits" if s.actor != NOBODY else "done",
    }


def _prompt(s: Any, seat: int | None) -> str:
    if s.actor == NOBODY:
        return "The game is over."
    if s.phase == rules.DEAL:
        return "Everybody is dealt nine cards."
    mine = s.player == seat
    who = "You" if mine else f"Seat {s.player}"
    if s.phase == rules.ROLL_OFF:
        return f"{who} roll{'' if mine else 's'}: the highest total goes first."
    if s.phase == rules.DRAW:
        return f"{who} {'have' if mine else 'has'} no match and draw{'' if mine else 's'} a card."
    if s.actor == CHANCE:
        again = " again, after a 9" if s.last_roll >= 0 else ""
        return f"{who} roll{'' if mine else 's'}{again}."
    one, other = dice.ROLLS[int(s.last_roll)]
    if mine:
        return f"You rolled {one} and {other}: {one + other}. Take a match."
    return f"{who} rolled {one} and {other}: {one + other}, and takes a match."


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """The captures, each with the places of its cards in the row."""
    if not moves.actions:
        return []
    cards = row(s, seat)
    choices = []
    for action in moves.actions:
        going = taken(s, seat, action)
        points = worth(going)
        choices.append(
            {
                "move": say(s, seat, action),
                "cards": [cards.index(card) for card in going],
                "label": f"{in_ranks(card >> 2 for card in going)} for {points} points",
                "points": points,
            }
        )
    return [model.selection("capture", "Take a match", f"table-{seat}", choices)]


def orders(s: Any, seat: int) -> list[model.Part]:
    """There is nothing to repeat: every decision is about other cards."""
    return []


# Stories


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Sequence[str]
) -> list[model.Event]:
    """What a viewer is told of one step."""
    if seat != CHANCE:
        told = [_tell_capture(before, seat, action, names)]
    elif action >= rules.DEALT:
        told = _tell_card(before, action - rules.DEALT, after, names)
    elif before.phase == rules.ROLL_OFF:
        told = _tell_roll_off(before, action, after, names)
    else:
        told = [_tell_roll(before, action, after, names)]
    return told + (_tell_end(after, names) if after.actor == NOBODY else [])


def _rolled(before: Any, action: int, names: Sequence[str]) -> tuple[str, int]:
    one, other = dice.ROLLS[action]
    return f"{names[before.player]} rolls {one} and {other}: {one + other}", one + other


def _tell_roll_off(before: Any, action: int, after: Any, names: Sequence[str]) -> list[model.Event]:
    text, total = _rolled(before, action, names)
    told = [model.event("roll", f"{text}.", int(before.player), dice=list(dice.ROLLS[action]), to="dice")]
    if after.phase == rules.DEAL:
        told.append(model.event("first", f"{names[after.first]} goes first.", int(after.first)))
    elif after.off[before.player] != total:
        tied = [names[seat] for seat in range(int(after.players)) if after.off[seat] == 0]
        told.append(model.event("tie", f"{model.listing(tied)} tie and roll again."))
    return told


def _tell_card(before: Any, card: Card, after: Any, names: Sequence[str]) -> list[model.Event]:
    seat = int(before.player)
    kind, verb = ("deal", "is dealt") if before.phase == rules.DEAL else ("draw", "draws")
    moved = {"from": "deck", "to": f"table-{seat}", "cards": [PLAIN.text(card)], "quiet": kind == "deal"}
    told = [model.event(kind, f"{names[seat]} {verb} {PLAIN.drawn(card)}.", seat, **moved)]
    if after.deck == 0:
        text = f"That was the last card: one more turn for everybody, {names[after.player]} first."
        told.append(model.event("last card", text))
    elif kind == "deal" and after.phase == rules.TURN:
        told += [
            model.event("dealt", f"{names[other]} has {drawn(row(after, other))}.", other)
            for other in range(int(after.players))
        ]
    return told


def _tell_roll(before: Any, action: int, after: Any, names: Sequence[str]) -> model.Event:
    text, total = _rolled(before, action, names)
    if total == REROLL:
        text += ", and rolls again."
    elif after.actor == before.player:
        text += "."
    elif after.phase == rules.DRAW:
        text += ". No match."
    else:
        text += ". No match, and no card to draw: a pass."
    return model.event("roll", text, int(before.player), dice=list(dice.ROLLS[action]), to="dice")


def _tell_capture(before: Any, seat: int, action: int, names: Sequence[str]) -> model.Event:
    going = taken(before, seat, action)
    points = worth(going)
    clear = f" The table before {names[seat]} is clear." if len(going) == len(row(before, seat)) else ""
    moved = {"from": f"table-{seat}", "to": f"captured-{seat}", "cards": [PLAIN.text(card) for card in going]}
    text = f"{names[seat]} captures {drawn(going)} for {points} points.{clear}"
    return model.event("capture", text, seat, points=points, **moved)


def _tell_end(after: Any, names: Sequence[str]) -> list[model.Event]:
    told = []
    scores = [int(rules.standing(after, seat)) for seat in range(int(after.players))]
    for seat, score in enumerate(scores):
        heap, left = worth(members(after.captured[seat])), worth(members(after.tables[seat]))
        text = f"{names[seat]}: {heap} captured, {left} left on the table"
        if after.clear_bonus and not left:
            text += f", {after.clear_bonus} for a clear table"
        told.append(model.event("score", f"{text}, makes {score}.", seat, score=score))
    first = [names[seat] for seat, score in enumerate(scores) if score == max(scores)]
    result = f"{model.listing(first)} {'wins' if len(first) == 1 else 'share the win'} with {max(scores)}."
    return [*told, model.event("end", f"The game is over: {result}")]
