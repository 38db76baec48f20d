"""What happened and the score so far, in words: the sentences that both screens show.

Knows the card, but no colours and no screen width.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

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
)
from ninefold.scorecard.names import listed

SEVENS = 4  # boxes to tick; a test compares it with the rules
WRITTEN_OUT = 10**21


class Tone(Enum):
    """How a line is emphasised."""

    PLAIN = "plain"
    DOUBLES = "doubles"
    WARNING = "warning"
    BUST = "bust"
    GOOD = "good"
    REFUSED = "refused"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Line:
    """One line for a person."""

    text: str
    tone: Tone = Tone.PLAIN


def amount(number: int) -> str:
    """A number of points, with commas; a very long one as a power of ten."""
    if number < WRITTEN_OUT:
        return f"{number:,}"
    power = int((number.bit_length() - 1) * 0.30102999566398)
    while 10 ** (power + 1) <= number:
        power += 1
    digits = str(number // 10 ** (power - 3))
    return f"{digits[0]}.{digits[1:]}e{power:,}"


def dice_words(roll: Roll) -> str:
    """`3 and 4`; if only the sum is known, `a 9`, `a plain 8` (not doubles) or `a seven`."""
    total = roll.one + roll.other
    if roll.exact:
        return f"{roll.one} and {roll.other}"
    if total == 7:
        return "a seven"
    return f"a plain {total}" if total % 2 == 0 else f"a{'n' if total == 11 else ''} {total}"


def entry_words(entry: Entry, names: Mapping[Player, str]) -> str:
    """What to call an entry, in lists and in errors."""

    def called(players: Iterable[Player]) -> str:
        return listed([names.get(player, "a player") for player in players])

    match entry:
        case Roll():
            return f"the roll of {dice_words(entry)}"
        case Cash(players):
            return f"the cash-out of {called(players)}"
        case Join(_, name):
            return f"{name} joining"
        case Leave(player):
            return f"{called([player])} leaving"
        case Return(player):
            return f"{called([player])} returning"
        case Rename(_, name):
            return f"the new name {name}"
        case Next(player):
            return f"the dice going to {called([player])}"
        case Rounds(last):
            return f"the change to {rounds_words(last, last)}"
        case Correct(number, _):
            return f"the corrected scores of round {number}"
        case Close():
            return "the end of the round"


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
    """What an entry did, including the end of the round or of the game."""
    match event.entry:
        case Roll():
            lines = _roll_lines(event, event.entry, at)
        case Cash(players):
            lines = [Line(f"{at.listed(players)} cash{_es(players)} out {amount(event.total)}.", Tone.GOOD)]
        case Join(player, _) | Return(player):
            verb = "joins" if isinstance(event.entry, Join) else "is back"
            when = "in this round" if event.first else "from the next round"
            lines = [Line(f"{at.names[player]} {verb} with {amount(event.total)}, {when}.", Tone.GOOD)]
        case Leave(player):
            lines = [
                Line(f"{at.names[player]} leaves with {amount(event.total)} and is skipped from now on.")
            ]
        case Rename(player, name):
            lines = [Line(f"The new name is {name}.", Tone.GOOD)]
        case Next(player):
            lines = [Line(f"{at.names[player]} has the dice.")]
        case Rounds(last):
            lines = [Line(f"The game now has {rounds_words(last, last)}.")]
        case Correct(number, gains):
            scored = listed([f"{at.names[player]} {amount(gain)}" for player, gain in gains])
            lines = [Line(f"Round {number} corrected: {scored}.", Tone.GOOD)]
        case Close():
            lines = [Line(f"Round {event.round} is closed.")]
    return lines + (_ending_lines(event, at) if event.ended else [])


def _es(players: Sequence[Player]) -> str:
    return "es" if len(players) == 1 else ""


def _roll_lines(event: Event, roll: Roll, at: Position) -> list[Line]:
    name = "" if event.roller is None else at.names[event.roller]
    rolled = f"{name} rolls {dice_words(roll)}"
    gain = amount(event.total - event.before)
    if roll.one == roll.other:
        if event.first:
            return [Line(f"DOUBLES! {rolled} on the first roll: {amount(event.total)}.", Tone.DOUBLES)]
        return [
            Line(f"DOUBLES! {rolled}: {amount(event.before)} becomes {amount(event.total)}.", Tone.DOUBLES)
        ]
    if event.busted:
        return [Line(f"FOURTH SEVEN! {rolled}: {amount(event.before)} is lost.", Tone.BUST)]
    if event.seven and event.sevens == SEVENS - 1:
        return [Line(f"THIRD SEVEN! {rolled}: +{gain}. The next seven ends the round.", Tone.WARNING)]
    named = ", a seven" if event.seven and roll.exact else ""
    return [Line(f"{rolled}{named}: +{gain}.")]


def _ending_lines(event: Event, at: Position) -> list[Line]:
    lines = [Line(round_summary(at, event.round), Tone.GOOD)]
    if event.drew is False:
        lines.append(Line("The card has drawn: the game continues."))
    if event.over:
        drawn = "The card has drawn: that was" if event.drew else "That was"
        lines.append(Line(f"{drawn} the last round. {winner_words(at)}", Tone.DOUBLES))
    return lines


def round_summary(at: Position, number: int) -> str:
    """`Round 2 is over: 800 for Ann, 400 for Bob and Dan, nothing for Cleo.`"""
    this = at.past[number - 1]
    by_gain: dict[int, list[Player]] = {}
    for player in at.seated(this.part):
        by_gain.setdefault(this.gains.get(player, 0), []).append(player)
    parts = [
        f"{amount(gain) if gain else 'nothing'} for {at.listed(by_gain[gain])}"
        for gain in sorted(by_gain)[::-1]
    ]
    results = ", ".join(parts[:8]) + (" ..." if len(parts) > 8 else ".") if parts else "nobody played it."
    return f"Round {number} is over: {results}"


def standings(at: Position) -> list[tuple[str, Player]]:
    """All players with their places, best first; equal scores share a place (R5.2)."""
    order = sorted(at.names, key=lambda player: -at.scores[player])
    count: dict[int, int] = {}
    first: dict[int, int] = {}
    for place, player in enumerate(order, 1):
        first.setdefault(at.scores[player], place)
        count[at.scores[player]] = count.get(at.scores[player], 0) + 1
    marks = {score: f"{place}{'=' if count[score] > 1 else ''}" for score, place in first.items()}
    return [(marks[at.scores[player]], player) for player in order]


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
    story = [(count, event) for found, count, event in card.events() if found == number]
    finished = number <= len(at.past)
    lines = [f"Round {number}{'' if finished else ', being played'}"]
    for count, event in story:
        entry = event.entry
        if isinstance(entry, Roll):
            who = at.names.get(event.roller, "") if event.roller is not None else ""
            loud = "  DOUBLES" if entry.one == entry.other else "  a seven" if event.seven else ""
            total = "lost" if event.busted else f"total {amount(event.total)}"
            text = f"{who} rolls {dice_words(entry)}: {total}{loud}"
        elif isinstance(entry, Cash):
            text = f"{at.listed(entry.players)} cash{_es(entry.players)} out {amount(event.total)}"
        else:
            text = entry_words(entry, at.names)
        lines.append(f"{number}.{count:<3} {text}")
    if not story:
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
