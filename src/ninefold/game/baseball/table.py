"""Baseball as people see it: texts of moves, the view of a seat, and what has just happened in words.

Handed only records from which everything a viewer may not know has been blanked: a card that others have
looked at lies there as unseen, and is counted among the unseen ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from ninefold.game.baseball import record, rules
from ninefold.game.baseball.record import DISCARD, DRAW, FLIP, LOOK, PUT, TAKE, TURN_UP, UNSEEN
from ninefold.kernel import model, shoe
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.errors import Ambiguous, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE, NOBODY

PLACES = tuple(f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3))
WHICH = ("none", "first", "second", "both")
VERBS = {"look": LOOK, "flip": FLIP, "take": TAKE, "put": PUT}
SPELLINGS = {
    **dict.fromkeys(("look at", "peek", "peek at"), "look"),
    **dict.fromkeys(("turn over", "flip over"), "flip"),
    **dict.fromkeys(("take to", "take for", "take top to", "swap"), "take"),
    **dict.fromkeys(("put at", "put on", "put to", "replace", "lay"), "put"),
}
WORDS = {
    **dict.fromkeys(("draw", "d", "draw a card", "shoe"), DRAW),
    **dict.fromkeys(("discard", "x", "discard it", "throw"), DISCARD),
}
_MOVE = re.compile(r"(?:(.*?) )?r? ?([1-9]) ?[-, ]? ?c? ?([1-9])")

WHY = {
    203: "at the beginning every player in turn looks at two different cards of their own",
    204: "a player who has looked at two cards turns up none, the first, the second or both, and once only",
    301: "it is not the turn of seat {seat}",
    302: "only a card that lies face down can be flipped",
    304: "nothing has been drawn: flip a card, take the top discard or draw",
    305: "seat {seat} has drawn a card, and now discards it or puts it in place of another",
    306: "there is no card: that column has been cleared",
    503: "the game is over",
}


Table = SimpleNamespace  # a record as plain Python numbers and lists, which are quicker to ask


def laid_out(s: Any) -> Table:
    """A record for the eye, with the points that lie face up."""
    notes: dict[str, Table] = getattr(s, "notes", {})
    if "table" not in notes:
        fields = {name: getattr(s, name) for name in s.dtype.names}
        fields = {name: one if type(one) is int else one.tolist() for name, one in fields.items()}
        table = notes["table"] = Table(**fields)
        table.points = [int(rules.points(s, seat)) for seat in range(table.players)]
    return notes["table"]


# Texts


def card_text(card: int) -> str:
    """A kind of card, `10H` or `JK`."""
    return DECK.texts[card]


def shown(card: int) -> str:
    """A card in a sentence, `10♥`."""
    return DECK.drawn(card) if card != shoe.JOKER else "joker"


def say(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        from_shoe = s.stage in (record.OPENING, record.DREW)
        return f"{'deal' if from_shoe else 'reveal'} {card_text(action)}"
    if TURN_UP <= action < FLIP:
        return f"turn up {WHICH[action - TURN_UP]}"
    if action in (DRAW, DISCARD):
        return "draw" if action == DRAW else "discard"
    verb, first = [(verb, first) for verb, first in VERBS.items() if first <= action][-1]
    return f"{verb} {PLACES[action - first]}"


def read(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat == CHANCE:
        return _read_card(words, text)
    if words in WORDS:
        return WORDS[words]
    if words.startswith("turn up ") and words[8:] in WHICH:
        return TURN_UP + WHICH.index(words[8:])
    found = _MOVE.fullmatch(words)
    if found:
        place = _read_place(found[2], found[3], text)
        verb = SPELLINGS.get(found[1], found[1])
        if verb in VERBS:
            return VERBS[verb] + place
        if verb == "turn up" and place in (s.look_1, s.look_2):
            return TURN_UP + (record.FIRST if place == s.look_1 else record.SECOND)
        if not verb:
            return _only_move(s, seat, place, text)
    raise Unreadable(
        f"{text!r} is not a move of Baseball: say look, flip, take or put with a place such as r1c3, "
        "draw, discard, or turn up none, first, second or both"
    )


def _read_card(words: str, text: str) -> int:
    try:
        return min(shoe.JOKER, DECK.read(words.removeprefix("deal ").removeprefix("reveal ")))
    except RuleError as error:
        raise Unreadable(f"{text!r} is not a card to come: {error}") from None


def _read_place(row: str, column: str, text: str) -> int:
    if row not in "123" or column not in "123":
        raise Unreadable(f"{text!r} names no place of a hand: they are r1c1 to r3c3, row and column")
    return 3 * int(row) + int(column) - 4


def _only_move(s: Any, seat: int, place: int, text: str) -> int:
    """The move with a place for which no verb was given, where there is only one."""
    bits = int(rules.moves(s, seat))
    possible = [first + place for first in VERBS.values() if bits >> (first + place) & 1]
    if len(possible) == 1:
        return possible[0]
    if possible:
        choices = " or ".join(say(s, seat, action) for action in possible)
        raise Ambiguous(f"{text!r} could be {choices}: say which")
    raise Unreadable(f"{text!r} is a place; say what to do there, such as flip {PLACES[place]}")


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return "there is no such card left to come"
    if rule == 301 and s.actor == CHANCE:
        return "a card is about to come to light"
    return WHY[rule].format(seat=seat)


# What must always hold


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    s = laid_out(s)
    faults = [*_card_faults(s), *(fault for seat in range(s.players) for fault in _hand_faults(s, seat))]
    hidden = _held(s).count(UNSEEN)
    checks = {
        "more or fewer unseen cards than there are places for": _size(s.unseen)
        != hidden + (0 if s.renewed else s.in_shoe),
        "a miscounted shoe": s.renewed and _size(s.stock) != s.in_shoe,
        "a top discard that is not among the discards": s.top >= 0 and not _counts(s.pile)[s.top],
        "no discard to take": s.stage == record.TURN and s.top < 0,
        "a game that ended with cards face down": s.ended and hidden > 0,
        "a turn of somebody who has gone out": s.stage in (record.TURN, record.DRAWN) and s.out == s.mover,
    }
    return faults + [fault for fault, present in checks.items() if present]


def _held(s: Table) -> list[int]:
    """The cards in all hands, -1 for those that nobody has seen."""
    hands = zip(s.cards, s.left, strict=True)
    return [cards[place] for cards, left in hands for place in range(record.PLACES) if left >> place & 1]


def _size(stock: list[int]) -> int:
    return sum(word.bit_count() for word in stock)


def _counts(stock: list[int]) -> list[int]:
    """How many there are of each kind of card in a stock."""
    words = [word for word in stock if word]
    suited = [sum(word >> card & 1 for word in words) for card in range(shoe.JOKER)]
    return [*suited, sum((word >> shoe.JOKER).bit_count() for word in words)]


def _cards(word: int) -> Iterator[int]:
    """The kinds of the cards in a word of a stock."""
    while word:
        yield min((word & -word).bit_length() - 1, shoe.JOKER)
        word &= word - 1


def _card_faults(s: Table) -> Iterator[str]:
    held = Counter(_held(s) + ([s.drawn] if s.drawn >= 0 else []))
    stocks = (s.unseen, s.stock, s.pile)
    for card, numbers in enumerate(zip(*map(_counts, stocks), strict=True)):
        there = held[card] + sum(numbers)
        if there != s.decks * (2 if card == shoe.JOKER else 1):
            yield f"{there} cards {card_text(card)}"
    if any(more & ~fewer for stock in stocks for fewer, more in pairwise(stock)):
        yield "a stock with gaps"


def _hand_faults(s: Table, seat: int) -> Iterator[str]:
    left, up, known, cards = s.left[seat], s.up[seat], s.known[seat], s.cards[seat]
    if up & ~left or known & ~left or known & up:
        yield f"seat {seat} has cards both up and down"
    for place in range(record.PLACES):
        seen = not left >> place & 1 or (up | known) >> place & 1
        if bool(seen) != (cards[place] >= 0):
            yield f"seat {seat} has {cards[place]} at {PLACES[place]}"
    for column in range(3):
        places = range(column, record.PLACES, 3)
        if all(up >> place & 1 for place in places):
            one, other, third = (DECK.rank(cards[place]) for place in places)
            if rules.clears(one, other, third, s.clear_jokers):
                yield f"seat {seat} keeps column {column + 1}"
    if s.stage == record.TURN and s.out < 0 and not left & ~up:
        yield f"seat {seat} has gone out unnoticed"


# Views


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are Baseball's own."""
    s = laid_out(s)
    players = range(s.players)
    return {
        "phase": _phase(s),
        "prompt": _prompt(s, seat),
        "zones": [_shoe(s), _discards(s), *_drawn(s), *(_grid(s, other) for other in players)],
        "counters": _counters(s),
        "seats": [_seat(s, other) for other in players],
        "out": s.out if s.out >= 0 else None,
        "first": s.first,
    }


def _phase(s: Table) -> str:
    inning = f"Inning {s.inning} of {s.innings}: " if s.innings > 1 else ""
    if s.ended:
        what = "the end"
    elif s.stage <= record.SHOWING:
        what = "the deal" if s.stage == record.OPENING else "looking at two cards"
    elif s.closing:
        what = "all cards are turned up"
    else:
        what = "last turns" if s.out >= 0 else "the game"
    return inning + what if inning else what.capitalize()


def _counters(s: Table) -> list[model.Part]:
    rounds = -(-s.turns_here // s.players)
    return [
        model.counter("inning", "Inning", s.inning, s.innings),
        model.counter("round", "Turns each", rounds, s.turn_limit or None),
    ]


def _shoe(s: Table) -> model.Part:
    return model.zone("shoe", "pile", "Shoe", count=s.in_shoe)


def _discards(s: Table) -> model.Part:
    """The pile with its top card; while that is on its way to a hand, none is shown."""
    cards = [model.card(card_text(s.top))] if s.top >= 0 else []
    return model.zone("discards", "pile", "Discards", count=_size(s.pile), cards=cards)


def _drawn(s: Table) -> list[model.Part]:
    held = s.stage == record.DRAWN or s.drawn >= 0
    if not held:
        return []
    known = s.drawn >= 0
    card = model.card(card_text(s.drawn) if known else None, up=s.stage == record.REPLACED)
    return [model.zone("drawn", "hand", "Drawn card", s.mover, cards=[card])]


def _grid(s: Table, seat: int) -> model.Part:
    left, up, known = s.left[seat], s.up[seat], s.known[seat]
    cards = []
    for place, card in enumerate(s.cards[seat][: record.PLACES]):
        if not left >> place & 1:
            cards.append(model.gap())
            continue
        part = model.card(card_text(card) if card >= 0 else None, up=bool(up >> place & 1))
        if known >> place & 1:
            part["seen_by"] = seat
        cards.append(part)
    if s.spot >= 0 and s.mover == seat:
        cards[s.spot]["coming"] = True  # chance is about to say which card this is
    return model.zone(f"hand {seat}", "grid", "Hand", seat, columns=3, places=list(PLACES), cards=cards)


def _seat(s: Table, seat: int) -> model.Part:
    up = s.points[seat]
    down = (s.left[seat] & ~s.up[seat]).bit_count()
    if s.out < 0:
        status = "in"
    elif s.out == seat:
        status = "gone out"
    else:
        status = "last turn" if down else "done"
    return {
        "seat": seat,
        "score": s.totals[seat] + up,
        "status": status,
        "before": s.totals[seat],
        "face_up": up,
        "face_down": down,
    }


def _prompt(s: Table, seat: int | None) -> str:
    if s.actor == NOBODY:
        return "The game is over."
    if s.actor == CHANCE:
        return "The first discard is turned up." if s.stage == record.OPENING else "A card comes to light."
    if seat != s.actor:
        return _waiting(s)
    last = " This is your last turn." if s.out >= 0 else ""
    if s.stage == record.LOOKING:
        which = "one" if s.look_1 < 0 else "another"
        return f"Look at {which} of your face-down cards."
    if s.stage == record.SHOWING:
        looked = [f"{PLACES[at]} ({shown(s.cards[seat][at])})" for at in (s.look_1, s.look_2)]
        return f"Turn up {looked[0]}, {looked[1]}, both or none?"
    if s.stage == record.TURN:
        return f"Flip a card, take the {shown(s.top)} from the discards, or draw.{last}"
    return f"You drew the {shown(s.drawn)}: discard it, or put it in place of a card.{last}"


def _waiting(s: Table) -> str:
    doing = {record.LOOKING: "look at two cards", record.SHOWING: "turn up cards or not"}
    what = doing.get(s.stage, "decide what to do with the card drawn" if s.stage == record.DRAWN else "play")
    return f"Waiting for seat {s.actor} to {what}."


LABELS = {
    "look": "Look at a card",
    "flip": "Flip a card",
    "take": "Take the {card} in place of",
    "put": "Put the {card} in place of",
}


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """The legal moves as buttons, and as places of the hand to pick."""
    s = laid_out(s)
    actions = list(moves.actions)
    parts = []
    for verb, first in VERBS.items():
        places = [action - first for action in actions if first <= action < first + record.PLACES]
        if places:
            card = s.drawn if verb == "put" else s.top
            label = LABELS[verb].format(card=shown(card))
            choices = [{"move": f"{verb} {PLACES[place]}", "cards": [place]} for place in places]
            parts.append(model.selection(verb, label, f"hand {seat}", choices))
    if DRAW in actions:
        parts.append(model.button("draw", "Draw from the shoe", "d"))
    if DISCARD in actions:
        parts.append(model.button("discard", f"Discard the {shown(s.drawn)}", "x"))
    if TURN_UP in actions:
        one, other = (f"{PLACES[at]} {shown(s.cards[seat][at])}" for at in (s.look_1, s.look_2))
        names = ("neither", one, other, "both")
        keys = ("n", "1", "2", "b")
        parts += [
            model.button(f"turn up {word}", f"Turn up {name}", key)
            for word, name, key in zip(WHICH, names, keys, strict=True)
        ]
    return parts


def orders(s: Any, seat: int) -> list[model.Part]:
    """A turn of Baseball is too short for standing orders."""
    return []


# Stories


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Sequence[str]
) -> list[model.Event]:
    """What a viewer is told of one step."""
    before, after = laid_out(before), laid_out(after)
    who, stage, name = before.mover, before.stage, names[before.mover]
    if after.actor == CHANCE and after.stage in (record.FLIPPED, record.REPLACED):
        return []  # told when the card has come
    if seat == CHANCE:
        if stage == record.OPENING:
            return [_tell_opening(action, after, names)]
        if stage in (record.LOOKED, record.DREW):
            return [_tell_secret(before, who, action, name)] if viewer == who else []
        place = before.spot if stage != record.RISING else record.NOTHING
        replaces, takes = stage == record.REPLACED, before.drawn < 0
    elif action < FLIP:
        return [_tell_look(who, action, name) if action < TURN_UP else _tell_shown(before, who, after, name)]
    elif action == DRAW:
        text = f"{name} draws from the shoe."
        return [*_tell_renewed(before, after), _moved("draw", text, who, "shoe", "drawn")]
    else:
        first = max(first for first in (FLIP, TAKE, DISCARD, PUT) if first <= action)
        place = action - first if first != DISCARD else record.NOTHING
        replaces, takes = first != FLIP, first == TAKE
    told = []
    if replaces:
        told.append(_tell_replaced(before, who, place, takes, after, name))
    elif place >= 0:
        told.append(_tell_up(who, [place], after, name))
    return told + _tell_rest(before, place, after, names)


def _moved(
    kind: str,
    text: str,
    seat: int | None,
    origin: str,
    target: str,
    cards: Sequence[int] = (),
    places: Sequence[int] = (),
) -> model.Event:
    """An event with the way that cards went; `places` are those of a hand."""
    return model.event(
        kind,
        text,
        seat,
        **{"from": origin, "to": target},
        cards=[card_text(card) for card in cards],
        places=[PLACES[place] for place in places],
    )


def _tell_opening(card: int, after: Table, names: Sequence[str]) -> model.Event:
    inning = f"Inning {after.inning} of {after.innings}: " if after.innings > 1 else ""
    text = f"{inning}{names[after.first]} begins. The first discard is the {shown(card)}."
    return _moved("deal", text, None, "shoe", "discards", [card])


def _tell_look(who: int, place: int, name: str) -> model.Event:
    return _moved("look", f"{name} looks at {PLACES[place]}.", who, f"hand {who}", f"hand {who}", (), [place])


def _tell_secret(before: Table, who: int, card: int, name: str) -> model.Event:
    """What only the player sees who looks at a card or draws one."""
    if before.stage == record.DREW:
        return _moved("drawn", f"{name} drew the {shown(card)}.", who, "shoe", "drawn", [card])
    place = before.spot
    text = f"{name} sees the {shown(card)} at {PLACES[place]}."
    return _moved("seen", text, who, f"hand {who}", f"hand {who}", [card], [place])


def _tell_shown(before: Table, who: int, after: Table, name: str) -> model.Event:
    places = [at for at in (before.look_1, before.look_2) if after.up[who] >> at & 1]
    return _tell_up(who, places, after, name)


def _tell_up(who: int, places: Sequence[int], after: Table, name: str) -> model.Event:
    """Cards of a hand that have been turned up."""
    cards = [after.cards[who][place] for place in places]
    shows = [f"the {shown(card)} at {PLACES[place]}" for card, place in zip(cards, places, strict=True)]
    text = f"{name} turns up {model.listing(shows)}." if places else f"{name} leaves both cards face down."
    return _moved("turn up", text, who, f"hand {who}", f"hand {who}", cards, places)


def _tell_renewed(before: Table, after: Table) -> list[model.Event]:
    if after.reshuffles == before.reshuffles:
        return []
    number = after.in_shoe
    cards = "the discard, one card, becomes" if number == 1 else f"the {number} discards are mixed and become"
    return [_moved("shoe", f"The shoe is empty: {cards} the new shoe.", None, "discards", "shoe")]


def _tell_replaced(before: Table, who: int, place: int, takes: bool, after: Table, name: str) -> model.Event:
    """A card discarded, or put in place of another that is."""
    out = _discarded(before, takes, after)
    if place < 0:
        return _moved("discard", f"{name} discards the {shown(out)}.", who, "drawn", "discards", [out])
    new, at = after.cards[who][place], PLACES[place]
    verb, origin = ("takes", "discards") if takes else ("puts", "drawn")
    text = f"{name} {verb} the {shown(new)} {'for' if takes else 'at'} {at} and discards the {shown(out)}."
    told = _moved("take" if takes else "put", text, who, origin, f"hand {who}", [new], [place])
    return {**told, "discarded": card_text(out)}


def _discarded(before: Table, takes: bool, after: Table) -> int:
    """The one card that came to the discards besides cleared columns, which may lie on top of it."""
    laid: Counter[int] = Counter()
    for old, new in zip(before.pile, after.pile, strict=True):
        laid.update(_cards(new & ~old))
        laid.subtract(_cards(old & ~new))
    if takes:
        laid[before.top] += 1
    for seat in range(before.players):
        for column in _cleared(before, after, seat):
            laid.subtract(after.cards[seat][place] for place in range(column, record.PLACES, 3))
    return min(card for card, number in laid.items() if number > 0)


def _cleared(before: Table, after: Table, seat: int) -> list[int]:
    """The columns that a hand has lost."""
    gone = before.left[seat] & ~after.left[seat]
    return [column for column in range(3) if gone >> column & 1]


def _tell_rest(before: Table, place: int, after: Table, names: Sequence[str]) -> list[model.Event]:
    """What followed from a card flipped or replaced at a place of the mover, or turned up at the end."""
    who = before.mover
    at_once = [column for column in _cleared(before, after, who) if place >= 0 and column == place % 3]
    told = [_tell_cleared(who, column, after, names) for column in at_once]
    if after.out >= 0 > before.out:
        more = "" if after.closing else " Everybody else has one more turn."
        told.append(model.event("out", f"{names[after.out]} has gone out.{more}", after.out))
    closes = after.closing > before.closing
    is_last_turn = before.out >= 0
    if not closes or is_last_turn:
        told += _tell_risen(before, who, place, at_once, after, names)
    if closes:
        told.append(model.event("limit", "All have had their turns: all cards are turned up."))
    for step in range(1, before.players):
        told += _tell_risen(before, (who + step) % before.players, record.NOTHING, [], after, names)
    if closes and not is_last_turn:
        told += _tell_risen(before, who, place, at_once, after, names)
    return told + (_tell_end(after, names) if after.ended > before.ended else [])


def _tell_risen(
    before: Table, seat: int, place: int, columns: list[int], after: Table, names: Sequence[str]
) -> list[model.Event]:
    """Cards turned up at the end of a turn or of the game, and columns cleared by that, but those told of."""
    were_down = before.left[seat] & ~before.up[seat]
    are_down = after.left[seat] & ~after.up[seat]
    risen = [at for at in range(record.PLACES) if (were_down & ~are_down) >> at & 1 and at != place]
    cleared = [column for column in _cleared(before, after, seat) if column not in columns]
    told = [_tell_up(seat, risen, after, names[seat])] if risen else []
    return told + [_tell_cleared(seat, column, after, names) for column in cleared]


def _tell_cleared(seat: int, column: int, after: Table, names: Sequence[str]) -> model.Event:
    places = range(column, record.PLACES, 3)
    cards = [after.cards[seat][place] for place in places]
    what = DECK.rank_words(DECK.rank(cards[0]), 3)
    text = f"Column {column + 1} of {names[seat]} is cleared: three {what} go to the discards."
    return _moved("column", text, seat, f"hand {seat}", "discards", cards, places)


def _tell_end(after: Table, names: Sequence[str]) -> list[model.Event]:
    players = range(after.players)
    points = [after.points[seat] for seat in players]
    totals = [after.totals[seat] + points[seat] for seat in players]
    told = []
    if after.innings > 1:
        scored = model.listing([f"{names[seat]} {points[seat]}" for seat in players])
        told.append(model.event("inning", f"Inning {after.inning} is over: {scored}."))
    if after.actor == NOBODY:
        best = [names[seat] for seat in players if totals[seat] == min(totals)]
        wins = "wins" if len(best) == 1 else "share the win"
        what = "point" if abs(min(totals)) == 1 else "points"
        text = f"The game is over: {model.listing(best)} {wins} with {min(totals)} {what}."
        told.append(model.event("end", text))
    return told
