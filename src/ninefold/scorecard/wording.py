"""What happened and the score so far, in words: the sentences that every surface shows.

Knows the card, but no colours and no screen width.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec.structs import asdict

from ninefold.scorecard.card import Card, Event, Position
from ninefold.scorecard.entries import (
    Cash,
    Close,
    Correct,
    Entry,
    Join,
    Leave,
    Next,
    Player,
    Rename,
    Return,
    Roll,
    Rounds,
    Sum,
)
from ninefold.scorecard.names import listed

SEVENS = 4  # boxes to tick; a test compares it with the rules
WRITTEN_OUT = 10**21
NAMED = 4  # at most, of those who got nothing in a round


Tone: TypeAlias = Literal["plain", "doubles", "warning", "bust", "good", "refused", "aside"]


class Line(NamedTuple):
    """One line for a person, and how it is emphasised."""

    text: str
    tone: Tone = "plain"


def sentence(error: Exception) -> str:
    """An error as a whole sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".)?!" else ".")


def amount(number: int) -> str:
    """A number of points, with commas; a very long one as a power of ten."""
    if number < WRITTEN_OUT:
        return f"{number:,}"
    return f"{Decimal(number):.3e}".replace("e+", "e")


def dice_words(roll: Roll | Sum) -> str:
    """`3 and 4`; if only the sum is known, `a 9`, `a plain 8` (not doubles) or `a seven`."""
    match roll:
        case Roll(one, other):
            return f"{one} and {other}"
        case Sum(7):
            return "a seven"
        case Sum(11):
            return "an 11"
        case Sum(total):
            return f"a {total}" if total % 2 else f"a plain {total}"


Words: TypeAlias = tuple[str, str, Tone]  # what to call an entry, what it did, and how that is emphasised

_WORDS: dict[type[Entry], Words] = {
    Roll: ("the roll of {dice}", "{who} rolls {dice}", "plain"),
    Sum: ("the roll of {dice}", "{who} rolls {dice}", "plain"),
    Cash: ("the cash-out of {who}", "{who} {cash} out {total}.", "good"),
    Join: ("{name} joining", "{who} joins with {score}, {when}.", "good"),
    Leave: ("{who} leaving", "{who} leaves with {score} and is skipped from now on.", "plain"),
    Return: ("{who} returning", "{who} is back with {score}, {when}.", "good"),
    Rename: ("the new name {name}", "The new name is {name}.", "good"),
    Next: ("the dice going to {who}", "{who} has the dice.", "plain"),
    Rounds: ("the change to {rounds}", "The game now has {rounds}.", "plain"),
    Correct: ("the corrected scores of round {round}", "Round {round} corrected: {scored}.", "good"),
    Close: ("the end of the round", "Round {now} is closed.", "plain"),
}


def entry_words(entry: Entry, names: Mapping[Player, str]) -> str:
    """What to call an entry, in lists and in errors."""
    return _WORDS[type(entry)][0].format_map(_values(entry, names))


def _values(entry: Entry, names: Mapping[Player, str]) -> dict[str, Any]:
    """What the words for an entry may name, apart from what it did."""
    values = asdict(entry)
    players = values.get("players", [values.get("player")])
    values["who"] = listed([names.get(player, "a player") for player in players])
    values["cash"] = "cashes" if len(players) == 1 else "cash"
    match entry:
        case Roll() | Sum():
            values["dice"] = dice_words(entry)
        case Rounds(last):
            values["rounds"] = rounds_words(last, last)
        case Correct(_, gains):
            values["scored"] = listed([f"{names.get(player)} {amount(gain)}" for player, gain in gains])
    return values


def rounds_words(low: int, high: int) -> str:
    """`10 rounds`, or `8 to 12 rounds`."""
    if low == high:
        return f"{high:,} round{'s' if high > 1 else ''}"
    return f"{low:,} to {high:,} rounds"


def round_words(at: Position) -> str:
    """`Round 3 of 10`; with a hidden last round, what is known of it."""
    if at.low == at.high:
        return f"Round {at.number} of {at.high}"
    if at.number < at.low:
        return f"Round {at.number} of {at.low} to {at.high}"
    return f"Round {at.number} of at most {at.high}"


def event_lines(event: Event, at: Position) -> list[Line]:
    """What an entry did, including the end of the round or of the game; `at` has the names."""
    entry = event.entry
    if isinstance(entry, Roll | Sum):
        lines = [_roll_line(event, entry, at)]
    else:
        lines = [Line(_event_words(event, at), _WORDS[type(entry)][2])]
    if not event.ended:
        return lines
    number = event.before.number
    lines.append(Line(round_summary(at, number), "good"))
    drew = event.before.low <= number < event.before.high
    if drew and not event.after.over:
        lines.append(Line("The draw says: play on."))
    if event.after.over:
        drawn = "The draw says: that was" if drew else "That was"
        lines.append(Line(f"{drawn} the last round. {winner_words(at)}", "doubles"))
    return lines


def _event_words(event: Event, at: Position) -> str:
    """What an entry did."""
    entry, before, after = event.entry, event.before, event.after
    values = _values(entry, at.names)
    values.update(total=amount(before.total), now=before.number)
    if isinstance(entry, Roll | Sum):
        values["who"] = "" if before.roller is None else at.names.get(before.roller, "")
    elif isinstance(entry, Cash):
        values["who"] = at.listed(entry.players)
    elif isinstance(entry, Join | Leave | Return):
        values["score"] = amount(after.scores[entry.player])
        values["when"] = "in this round" if after.rolls == 0 else "from the next round"
    return _WORDS[type(entry)][1].format_map(values)


def _roll_line(event: Event, roll: Roll | Sum, at: Position) -> Line:
    rolled = _event_words(event, at)
    had, total = amount(event.before.total), amount(event.after.total)
    if len(set(roll.dice)) == 1:
        how = f" on the first roll: {total}" if event.before.rolls == 0 else f": {had} becomes {total}"
        return Line(f"DOUBLES! {rolled}{how}.", "doubles")
    if event.busted:
        return Line(f"FOURTH SEVEN! {rolled}: {had} is lost.", "bust")
    gain = amount(event.after.total - event.before.total)
    if event.seven and event.after.sevens == SEVENS - 1:
        return Line(f"THIRD SEVEN! {rolled}: +{gain}. The next seven ends the round.", "warning")
    named = ", a seven" if event.seven and isinstance(roll, Roll) else ""
    return Line(f"{rolled}{named}: +{gain}.")


def round_summary(at: Position, number: int) -> str:
    """`Round 2 is over: 800 for Ann, 400 for Bob and Dan, nothing for Cleo.`"""
    this = at.past[number - 1]
    by_gain: dict[int, list[Player]] = {}
    for player in at.seated(this.part):
        by_gain.setdefault(this.gains.get(player, 0), []).append(player)
    parts = [
        f"{amount(gain) if gain else 'nothing'} for {_receivers(at, gain, by_gain)}"
        for gain in sorted(by_gain)[::-1]
    ]
    results = ", ".join(parts[:8]) + (" ..." if len(parts) > 8 else ".") if parts else "nobody played it."
    return f"Round {number} is over: {results}"


def _receivers(at: Position, gain: int, by_gain: Mapping[int, list[Player]]) -> str:
    """Who got this gain in a round; of many who got nothing, no names."""
    if gain or len(by_gain[gain]) <= NAMED:
        return at.listed(by_gain[gain])
    return "the others" if len(by_gain) > 1 else "anyone"


def standings(at: Position) -> list[tuple[str, Player]]:
    """All players with their places, best first; equal scores share a place (R5.2)."""
    order = sorted(at.names, key=lambda player: -at.scores[player])
    shared = Counter(at.scores.values())
    first: dict[int, int] = {}
    for place, player in enumerate(order, 1):
        first.setdefault(at.scores[player], place)
    places = {score: f"{place}{'=' if shared[score] > 1 else ''}" for score, place in first.items()}
    return [(places[at.scores[player]], player) for player in order]


def winner_words(at: Position) -> str:
    """`Ann wins with 1,600.`"""
    best = max(at.scores.values())
    winners = [player for player in at.names if at.scores[player] == best]
    if len(winners) == 1:
        return f"{at.names[winners[0]]} wins with {amount(best)}."
    if len(winners) == len(at.names) > 12:
        return f"All {len(winners):,} players share the win with {amount(best)}."
    return f"{at.listed(winners)} share the win with {amount(best)}."


def status_lines(at: Position) -> list[str]:
    """The position in two plain lines."""
    ranked = [f"{at.names[player]} {amount(at.scores[player])}" for player in at.names]
    scores = f"Scores: {listed(ranked, most=24)}."
    if at.over:
        return [f"The game ended after round {at.number}.", scores]
    roller = at.roller
    if roller is None:
        return [f"{round_words(at)}. Nobody is playing: type join NAME or return NAME.", scores]
    sevens = f"sevens {at.sevens} of {SEVENS}"
    if at.sevens == SEVENS - 1:
        sevens += " (the next one ends the round)"
    inside = "everyone" if len(at.inside) == len(at.names) > 1 else at.listed(at.inside)
    total = f"{round_words(at)}. Total {amount(at.total)}, {sevens}."
    return [f"{total} {at.names[roller]} rolls next. Still in: {inside}.", scores]


def round_listing(card: Card, number: int) -> list[str]:
    """The entries of a round, numbered as corrections name them."""
    at = card.position
    events = card.events(number)
    finished = number <= len(at.past)
    lines = [f"Round {number}{'' if finished else ', being played'}"]
    for count, event in enumerate(events, 1):
        entry = event.entry
        if isinstance(entry, Roll | Sum):
            loud = "  DOUBLES" if len(set(entry.dice)) == 1 else "  a seven" if event.seven else ""
            total = "lost" if event.busted else f"total {amount(event.after.total)}"
            text = f"{_event_words(event, at)}: {total}{loud}"
        elif isinstance(entry, Cash):
            text = _event_words(event, at).rstrip(".")
        else:
            text = entry_words(entry, at.names)
        lines.append(f"{number}.{count:<3} {text}")
    if not events:
        lines.append("no entries yet")
    elif finished:
        lines.append(round_summary(at, number))
    return lines


def difference(before: Position, after: Position) -> list[str]:
    """Whose score a correction or an undo has changed, and how."""
    return [
        f"{name} {amount(before.scores.get(player, 0))} -> {amount(after.scores[player])}"
        for player, name in after.names.items()
        if before.scores.get(player, 0) != after.scores[player]
    ]
