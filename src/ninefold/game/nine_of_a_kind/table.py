"""9 of a Kind as people see it: texts of moves, the view of a seat, and what must always hold.

Handed only records from which everything a viewer may not know has been blanked; what is told of each step
is in story.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.parcels import CARDS, COUNT, LARGEST, NUMBER, PARCELS, SIDE
from ninefold.game.nine_of_a_kind.story import tell  # noqa: F401 (the engine looks for it here)
from ninefold.game.nine_of_a_kind.words import (
    PARCEL_TEXTS,
    cards_text,
    how_many,
    line_words,
    members,
    whole_line,
)
from ninefold.kernel import model, seats
from ninefold.kernel.cards import NINE_SUITS, Card
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError, Unreadable
from ninefold.kernel.fields import CHANCE, NOBODY

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
    **dict.fromkeys(("offer", "o"), "offer"),
    **dict.fromkeys(("centre", "center", "c"), "centre"),
    **dict.fromkeys(("answer", "a"), "answer"),
}
EXAMPLES = (
    "offer 7S 7H, answer 3 7S, centre 7S, withdraw, claim nine, claim blocked, chicken and wait are moves"
)

WHY = {
    201: "the cards are still being dealt",
    301: "{cards} {are} not in the hand of seat {seat}",
    303: "seat {seat} has no open offer",
    304: "seat {other} has no open offer",
    305: "the open offer of seat {other} is of {wanted}, and for it go just as many",
    306: "with the centre seat {seat} may trade again once it has traded with a player",
    307: "the centre holds {left}",
    403: "seat {seat} is out of this round and comes back in the next one",
    404: "somebody has claimed 9 of a Kind, and now there is only claim nine or wait",
    405: "seat {seat} has spoken, and the others are to speak now",
    505: "the game is over",
    601: "Chicken! is not played at this table",
}


# For play in real time (engine/live.py)

IDLE = "wait"


def hurried(s: Any, seat: int) -> bool:
    """Whether the clock says `wait` for a seat that stays silent: in the unison window (R7.1)."""
    return bool(s.phase == rules.WINDOW and seats.has(s.silent, seat))


def era(s: Any) -> int:
    """A sealed move does not outlive its round (R7.3)."""
    return int(s.round_number)


# Texts


def say(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat == CHANCE:
        return f"deal {NINE_SUITS.text(action)}"
    if action >= rules.WITHDRAW:
        return WORDS[action]
    block, parcel = divmod(action, COUNT)
    if block < 2:
        return f"{'offer' if block == 0 else 'centre'} {PARCEL_TEXTS[parcel]}"
    players, step = int(s.players), block - 1
    other = (seat + step) % players if step < players else players + step  # no such seat
    return f"answer {other} {PARCEL_TEXTS[parcel]}"


def read(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    if seat == CHANCE:
        return _read_card(text)
    plain = " ".join(text.lower().replace("!", " ").split())
    if plain in SPELLINGS:
        return SPELLINGS[plain]
    first, *rest = text.split() or [""]
    verb = VERBS.get(first.lower())
    if verb is None:
        raise Unreadable(f"{text!r} is not a move of 9 of a Kind: {EXAMPLES}")
    base = rules.OFFER if verb == "offer" else rules.CENTRE
    if verb == "answer":
        base = rules.ANSWER + COUNT * (_read_seat(s, seat, text, rest[:1]) - 1)
        rest = rest[1:]
    return base + _read_parcel(s, seat, text, rest)


def _read_card(text: str) -> Card:
    try:
        return NINE_SUITS.read(text.strip().lower().removeprefix("deal"))
    except RuleError:
        raise Unreadable(f"{text!r} is not a card: say one such as deal 7R") from None


def _read_seat(s: Any, seat: int, text: str, words: list[str]) -> int:
    """How many seats to the left whoever is answered sits."""
    last = int(s.players) - 1
    if not words or not (words[0].isascii() and words[0].isdigit()):
        raise Unreadable(f"{text!r} does not say who is answered: write the seat first, such as answer 3 7S")
    other = int(words[0][:6])
    _check_turn(s, seat, text)
    if other > last:
        raise IllegalMove(f"{text} is not possible: the seats are 0 to {last}", "R3.4")
    if other == seat:
        raise IllegalMove(f"{text} is not possible: nobody answers their own offer", "R3.4")
    return (other - seat) % (last + 1)


def _read_parcel(s: Any, seat: int, text: str, words: list[str]) -> int:
    try:
        cards = tuple(sorted(NINE_SUITS.read_cards(words)))
    except RuleError as error:
        raise Unreadable(f"{text!r} cannot be read: {error}") from None
    if cards in NUMBER:
        return NUMBER[cards]
    _check_turn(s, seat, text)
    fault = "they are neither of one suit nor of one rank"
    if not 1 <= len(cards) <= LARGEST:
        fault = f"a parcel is one to three cards, and here are {len(cards) or 'none'}"
    raise IllegalMove(f"{text} is not possible: {fault}", "R3.1")


def _check_turn(s: Any, seat: int, text: str) -> None:
    """Refuse a seat that has no move at all before anything about the move itself."""
    rule = int(rules.refuse(s, seat, rules.WAIT))
    if rule:
        sentence = f"{text} is not possible: {why(s, seat, rules.WAIT, rule)}"
        raise NotYourTurn(sentence, f"R{rule // 100}.{rule % 100}")


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused move; from what the seat itself may know."""
    if seat == CHANCE:
        return "a card of those in the centre comes now"
    block, parcel = divmod(action, COUNT)
    words: dict[str, object] = {"seat": seat}
    if rule == 301:
        missing = [card for card in PARCELS[parcel] if not _has(s, seat, card)]
        words |= {"cards": cards_text(missing), "are": "is" if len(missing) == 1 else "are"}
    elif rule in (304, 305):
        players, step = int(s.players), block - 1
        other = (seat + step) % players if step < players else players + step
        words |= {"other": other}
        words |= {"wanted": how_many(int(s.open_size[other]))} if rule == 305 else {}
    elif rule == 306 and s.actor == CHANCE:
        return "cards are being taken from the centre"
    elif rule == 307:
        words |= {"left": how_many(centre_size(s))}
    return WHY[rule].format(**words)


def _has(s: Any, seat: int, card: Card) -> bool:
    return bool(int(s.hands[seat, card // SIDE]) >> card % SIDE & 1)


# What must always hold


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    players, phase, draws, drawer = int(s.players), int(s.phase), int(s.draws), int(s.drawer)
    everyone = range(players)
    lines, knows = s.hands.tolist(), s.knows.tolist()
    parcels = [PARCELS[parcel] if parcel >= 0 else () for parcel in s.offered.tolist()]
    sizes, scores = s.open_size.tolist(), s.scores.tolist()
    hands = [members(s, seat) for seat in everyone]
    laid = [card for parcel in s.laid.tolist() if parcel >= 0 for card in PARCELS[parcel]]
    middle = _bits(s.centre.tolist())
    centre = [card for card in range(CARDS) if middle >> card & 1]
    places = [sum(1 << card for card in hand) for hand in hands] + [0] * (SIDE - players)
    places.append(middle | sum(1 << card for card in laid))
    inside = [bool(int(s.inside[0]) >> seat & 1) for seat in everyone]
    begun = phase != rules.DEAL
    checks = {
        "a card lost or doubled": sorted(card for cards in (*hands, laid, centre) for card in cards)
        != list(range(CARDS)),
        "ranks and suits of a hand that differ": any(
            sum(1 << card // SIDE for card in hands[seat] if card % SIDE == suit) != lines[seat][SIDE + suit]
            for seat in everyone
            for suit in range(SIDE)
        ),
        "an open offer whose cards are not in its owner's hand": any(
            not set(parcels[seat]) <= set(hands[seat]) for seat in everyone
        ),
        "an open offer of another size than is shown": [len(parcel) for parcel in parcels] != sizes,
        "an open offer of somebody who is out, or while the cards are frozen": any(
            sizes[seat] > 0 and (not inside[seat] or phase == rules.WINDOW) for seat in everyone
        ),
        "a player who is in with more or fewer than nine cards": begun
        and any(
            len(hands[seat]) != SIDE * inside[seat] - (draws if drawer == seat else 0) for seat in everyone
        ),
        "fewer than two players trading": begun and sum(inside) < 2 and s.actor != NOBODY,
        "somebody silent who is out": bool(int(s.silent[0]) & ~int(s.inside[0])),
        "a window without a claimant": (phase == rules.WINDOW) != (int(s.claimant) >= 0),
        "a memory that is wrong": any(
            _bits(knows[seat][holder]) & ~places[holder] for seat in everyone for holder in range(SIDE + 1)
        ),
        "the target reached and no end": s.actor != NOBODY and max(scores) >= s.target,
    }
    return [fault for fault, present in checks.items() if present]


def _bits(words: Any) -> int:
    return (int(words[0]) & 0xFFFFFFFFFFFFFFFF) | int(words[1]) << 64


# Views


class Seen(NamedTuple):
    """What everybody sees, as plain numbers: reading a record from Python is slow."""

    players: int
    phase: int
    over: bool
    inside: int
    silent: int
    sharing: int
    fresh: int
    claimant: int
    drawer: int
    open_sizes: list[int]
    scores: list[int]
    hand_sizes: list[int]


def hand_sizes(s: Any) -> list[int]:
    """How many cards each seat holds: public, so it is worked out from what is."""
    players, dealt, inside = int(s.players), int(s.dealt), int(s.inside[0])
    if s.phase == rules.DEAL:
        return [(dealt + players - 1 - seat) // players for seat in range(players)]
    sizes = [SIDE * (inside >> seat & 1) for seat in range(players)]
    if s.drawer >= 0:
        sizes[int(s.drawer)] -= int(s.draws)
    return sizes


def centre_size(s: Any) -> int:
    return CARDS - sum(hand_sizes(s))


def _seen(s: Any) -> Seen:
    return Seen(
        int(s.players),
        int(s.phase),
        bool(s.actor == NOBODY),
        int(s.inside[0]),
        int(s.silent[0]),
        int(s.sharing[0]),
        int(s.fresh[0]),
        int(s.claimant),
        int(s.drawer),
        s.open_size.tolist(),
        s.scores.tolist(),
        hand_sizes(s),
    )


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are this game's own."""
    seen = _seen(s)
    left = CARDS - sum(seen.hand_sizes)
    zones = [model.zone("centre", "pile", "Centre", count=left)]
    for other in range(seen.players):
        zones.append(_hand(s, seen, other, seat))
        zones.append(_offer(s, seen, other, seat))
    return {
        "phase": _phase(s, seen),
        "prompt": _prompt(seen, seat),
        "zones": zones,
        "counters": [
            model.counter("centre", "Cards in the centre", left),
            model.counter("trades", "Trades this round", int(s.trades)),
            model.counter("target", "Points to win", int(s.target)),
        ],
        "seats": [_seat(seen, other) for other in range(seen.players)],
        "claimant": seen.claimant if seen.phase == rules.WINDOW else None,
        "last_round": _last_round(s),
    }


def _hand(s: Any, seen: Seen, owner: int, viewer: int | None) -> model.Part:
    if owner == viewer:
        cards = [model.card(NINE_SUITS.text(card)) for card in members(s, owner)]
    elif seen.phase == rules.WINDOW and seen.sharing >> owner & 1 and s.named[owner] >= 0:
        cards = [model.card(NINE_SUITS.text(card)) for card in whole_line(int(s.named[owner]))]  # laid out
    else:
        cards = [model.card(None, up=False)] * seen.hand_sizes[owner]
    return model.zone(f"hand-{owner}", "hand", "Hand", owner, count=len(cards), cards=cards)


def _offer(s: Any, seen: Seen, owner: int, viewer: int | None) -> model.Part:
    size = seen.open_sizes[owner]
    cards = [model.card(None, up=False)] * size
    if owner == viewer and size > 0:
        cards = [model.card(NINE_SUITS.text(card)) for card in PARCELS[s.offered[owner]]]
    # The cards of an offer stay in the hand until it is taken; here they are only pointed at.
    content = {"count": size, "cards": cards, "held_in": f"hand-{owner}"}
    return model.zone(f"offer-{owner}", "row", "Open offer", owner, **content)


def _phase(s: Any, seen: Seen) -> str:
    if seen.over:
        return "The end"
    doing = {rules.DEAL: " (the deal)", rules.WINDOW: " (9 of a Kind!)"}.get(seen.phase, "")
    return f"Round {s.round_number}{doing}"


def _seat(seen: Seen, seat: int) -> model.Part:
    inside = bool(seen.inside >> seat & 1)
    status = "trading" if inside else "out"
    if seen.over:
        status = "done"
    elif seen.phase == rules.WINDOW and inside:
        spoken = "to speak" if seen.silent >> seat & 1 else "silent"
        status = "claims" if seen.sharing >> seat & 1 else spoken
    return {
        "seat": seat,
        "score": seen.scores[seat],
        "status": status,
        "cards": seen.hand_sizes[seat],
        "offer": seen.open_sizes[seat],
        "centre": bool(seen.fresh >> seat & 1),
    }


def _last_round(s: Any) -> model.Part | None:
    if s.ending == 0:
        return None
    ending = {rules.NINE: "nine", rules.BLOCKED: "blocked", rules.CHICKENED: "chicken", rules.DEAD: "nobody"}
    players = range(int(s.players))
    return {
        "ending": ending[int(s.ending)],
        "caller": int(s.caller),
        "held": [int(s.held[seat]) for seat in players],
        "collected": [line_words(int(s.named[seat])) if s.named[seat] >= 0 else None for seat in players],
        "gained": [int(s.gained[seat]) for seat in players],
    }


def _prompt(seen: Seen, seat: int | None) -> str:
    if seen.over:
        return "The game is over."
    if seen.phase == rules.DEAL:
        return "Everybody is dealt nine cards."
    if seen.phase == rules.DRAW:
        who = "You take" if seen.drawer == seat else f"Seat {seen.drawer} takes"
        return f"{who} cards from the centre."
    if seat is None:
        return "Everybody trades."
    if not seen.inside >> seat & 1:
        return "You are out of this round. The others trade."
    if seen.phase == rules.WINDOW:
        if seen.silent >> seat & 1:
            return f"Seat {seen.claimant} claims 9 of a Kind! Claim it too, or wait."
        return "The others may still claim 9 of a Kind, too."
    return _prompt_to_trade(seen, seat)


def _prompt_to_trade(seen: Seen, seat: int) -> str:
    own = seen.open_sizes[seat]
    first = "Hold out one to three cards of one suit or rank"
    parts = [f"You hold out {how_many(own)}. Change that" if own else first]
    if any(size for other, size in enumerate(seen.open_sizes) if other != seat):
        parts.append("answer an open offer")
    if seen.fresh >> seat & 1 and sum(seen.hand_sizes) < CARDS:
        parts.append("trade with the centre")
    if own:
        parts.append("withdraw it")
    return f"{', '.join(parts)}, claim, or wait."


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """Parcels as selections of cards in the hand, one for every use of them; the words as buttons."""
    hand = {card: place for place, card in enumerate(members(s, seat))}
    blocks: dict[int, list[model.Part]] = {}
    places: dict[int, list[int]] = {}  # of a parcel, which may be given to several
    buttons = []
    for action, text in zip(moves.actions, moves, strict=True):
        if action >= rules.WITHDRAW:
            buttons.append(_button(s, action))
            continue
        block, parcel = divmod(action, COUNT)
        if parcel not in places:
            places[parcel] = [hand[card] for card in PARCELS[parcel]]
        blocks.setdefault(block, []).append({"move": text, "cards": places[parcel]})
    return [_selection(s, seat, block, choices) for block, choices in blocks.items()] + buttons


def _selection(s: Any, seat: int, block: int, choices: list[model.Part]) -> model.Part:
    zone = f"hand-{seat}"
    if block == 0:
        label = "Change your offer" if s.open_size[seat] > 0 else "Hold out cards to everyone"
        return model.selection("offer", label, zone, choices)
    if block == 1:
        return model.selection("centre", "Trade with the centre", zone, choices)
    other = (seat + block - 1) % int(s.players)
    label = f"Give seat {other} {how_many(int(s.open_size[other]))} for as many"
    return model.selection(f"answer {other}", label, zone, choices, seat=other, size=int(s.open_size[other]))


def _button(s: Any, action: int) -> model.Part:
    labels = {
        rules.WITHDRAW: ("Withdraw the offer", "w", ""),
        rules.CLAIM_NINE: (
            "9 of a Kind!",
            "n",
            "nine cards of one suit or of one rank; a false claim costs the round",
        ),
        rules.CLAIM_BLOCKED: (
            "Blocked!",
            "b",
            "one card of every rank and of every suit; a false claim costs the round",
        ),
        rules.CHICKEN: ("Chicken!", "x", "ends the round for half the points"),
        rules.WAIT: ("Wait", ".", ""),
    }
    label, key, hint = labels[action]
    if s.phase == rules.WINDOW:
        hint = "a false claim is ignored now" if action == rules.CLAIM_NINE else hint
    return model.button(WORDS[action], label, key, hint)


def orders(s: Any, seat: int) -> list[model.Part]:
    """There is nothing to repeat: every trade is about other cards."""
    return []
