"""The score card itself: entries in, the position of the game out, with undo, redo and corrections.

Pure: no file, no screen, no clock, no random numbers of its own. The rules of Doubles say what a roll does.
This module keeps who is in, who rolls next and what each round was worth, for players who come and go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ninefold.kernel.errors import IllegalMove, RecordError
from ninefold.scorecard.entries import (
    Cash,
    Close,
    Correct,
    Do,
    Entry,
    Join,
    Leave,
    Next,
    Player,
    Redo,
    Rename,
    Return,
    Roll,
    Rounds,
    Splice,
    Step,
    Undo,
)
from ninefold.scorecard.names import MOST, check_name, fold, listed

MOST_ROUNDS = 1_000_000


class Chance(Protocol):
    """The source of random numbers: `random.SystemRandom()`, or one from a test."""

    def randrange(self, stop: int, /) -> int: ...


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: who took part, who got what, and how it ended."""

    number: int
    part: frozenset[Player]
    gains: Mapping[Player, int]
    rolls: int
    busted: bool


@dataclass(frozen=True, slots=True)
class Event:
    """What an entry did: enough to describe it in words."""

    entry: Entry
    round: int
    roller: Player | None = None
    first: bool = False
    before: int = 0
    total: int = 0
    sevens: int = 0
    seven: bool = False
    ended: bool = False  # the round
    busted: bool = False
    empty_handed: tuple[Player, ...] = ()  # still in when the round ended
    drew: bool | None = None  # whether this was the last round, if the card had to draw that
    over: bool = False


@dataclass
class Position:
    """The state of the game. Never changed once it is part of a card: entries are applied to a copy."""

    names: dict[Player, str]  # in seating order
    low: int
    high: int
    scores: dict[Player, int] = field(default_factory=dict)
    away: set[Player] = field(default_factory=set)
    past: list[Round] = field(default_factory=list)
    number: int = 0
    total: int = 0
    sevens: int = 0
    rolls: int = 0
    inside: set[Player] = field(default_factory=set)
    part: set[Player] = field(default_factory=set)
    gains: dict[Player, int] = field(default_factory=dict)
    last: Player | None = None  # the last roller
    over: bool = False

    def copy(self) -> Position:
        """A copy that can be changed."""
        return replace(
            self,
            names=dict(self.names),
            scores=dict(self.scores),
            away=set(self.away),
            past=list(self.past),
            inside=set(self.inside),
            part=set(self.part),
            gains=dict(self.gains),
        )

    @property
    def roller(self) -> Player | None:
        """Who rolls next: the first player still in after the last roller (R2.2)."""
        if not self.inside:
            return None
        seats = list(self.names)
        start = 0 if self.last is None else seats.index(self.last) + 1
        return next(player for player in seats[start:] + seats[:start] if player in self.inside)

    def seated(self, players: Iterable[Player]) -> list[Player]:
        """Some players in seating order."""
        wanted = set(players)
        return [player for player in self.names if player in wanted]

    @property
    def present(self) -> dict[Player, str]:
        """The names of those who have not left."""
        return {player: name for player, name in self.names.items() if player not in self.away}

    def listed(self, players: Iterable[Player], last: str = "and", most: int = 12) -> str:
        """Names of players in seating order, in words."""
        return listed([self.names[player] for player in self.seated(players)], last, most)


class Fates:
    """Draws that decide whether a round was the last. A draw stays, whatever is corrected later."""

    def __init__(self, known: Mapping[int, bool], chance: Chance | None = None) -> None:
        self.known = known
        self.chance = chance
        self.fresh: dict[int, bool] = {}

    def is_last(self, number: int, high: int) -> bool:
        """The draw after a round: each round that may be the last is equally likely (R2.4)."""
        if number in self.known:
            return self.known[number]
        if number not in self.fresh:
            if self.chance is None:
                raise RecordError(f"the draw after round {number} is missing")
            self.fresh[number] = self.chance.randrange(high - number + 1) == 0
        return self.fresh[number]


def opening(names: Sequence[str], low: int, high: int) -> Position:
    """The position before the first roll."""
    at = Position(dict(enumerate(names)), low, high, scores=dict.fromkeys(range(len(names)), 0))
    _begin_round(at)
    return at


def apply(at: Position, entry: Entry, fates: Fates) -> Event:
    """Apply an entry to a position. If it does not fit: IllegalMove, and nothing has changed."""
    match entry:
        case Roll():
            return _roll(at, entry, fates)
        case Cash(players):
            return _cash(at, entry, players, fates)
        case Join(player, name):
            return _join(at, entry, player, name)
        case Leave(player):
            return _leave(at, entry, player, fates)
        case Return(player):
            return _return(at, entry, player)
        case Rename(player, name):
            _known(at, player)
            _free(at, name, player)
            at.names[player] = name
        case Next(player):
            _pass_dice_to(at, player)
        case Rounds(last):
            _set_rounds(at, last)
        case Correct(number, gains):
            _correct(at, number, gains)
        case Close():
            return _close(at, entry, fates)
    return Event(entry, at.number, over=at.over)


def _roll(at: Position, entry: Roll, fates: Fates) -> Event:
    from ninefold.game.doubles.judge import roll  # imported here, because it loads Numba

    _check_not_over(at)
    roller = at.roller
    if roller is None:
        raise IllegalMove("Nobody is left to roll: type join NAME or return NAME first")
    before, first, had = at.total, at.rolls == 0, at.sevens
    result = roll(before, had, first, (entry.one, entry.other))
    at.total, at.sevens, at.last = result.total, result.sevens, roller
    at.rolls += 1
    event = Event(entry, at.number, roller, first, before, result.total, result.sevens, result.sevens > had)
    if not result.ended:
        return event
    left = tuple(at.seated(at.inside))
    drew = _end_round(at, True, fates)
    return replace(event, ended=True, busted=True, empty_handed=left, drew=drew, over=at.over)


def _cash(at: Position, entry: Cash, players: tuple[Player, ...], fates: Fates) -> Event:
    _check_not_over(at)
    for player in players:
        _known(at, player)
        if player in at.away:
            raise IllegalMove(f"{at.names[player]} has left the table: type return {at.names[player]} first")
        if player in at.gains:
            raise IllegalMove(
                f"{at.names[player]} has already cashed out {at.gains[player]:,} in this round", "R4.5"
            )
        if player not in at.inside:
            raise IllegalMove(f"{at.names[player]} is not in this round, but plays from the next one")
    if at.rolls == 0:
        raise IllegalMove("There is nothing to cash out before the first roll of a round", "R4.1")
    number, total, sevens = at.number, at.total, at.sevens
    for player in dict.fromkeys(players):
        at.gains[player] = total
        at.scores[player] += total
        at.inside.discard(player)
    ended = not at.inside
    drew = _end_round(at, False, fates) if ended else None
    return Event(entry, number, total=total, sevens=sevens, ended=ended, drew=drew, over=at.over and ended)


def _join(at: Position, entry: Join, player: Player, name: str) -> Event:
    _check_not_over(at)
    if player in at.names:
        raise IllegalMove(f"{at.names[player]} is already on the card")
    if len(at.names) >= MOST:
        raise IllegalMove(f"A card has at most {MOST:,} players")
    _free(at, name)
    at.names[player] = name
    at.scores[player] = 0
    _sit_down(at, player)
    return Event(entry, at.number, first=at.rolls == 0)


def _leave(at: Position, entry: Leave, player: Player, fates: Fates) -> Event:
    _known(at, player)
    if player in at.away:
        raise IllegalMove(f"{at.names[player]} has already left")
    number, was_in = at.number, player in at.inside
    at.away.add(player)
    at.inside.discard(player)
    if at.rolls == 0:
        at.part.discard(player)
    if not was_in or at.inside or at.rolls == 0 or at.over:
        return Event(entry, number, total=at.scores[player], over=at.over)
    drew = _end_round(at, False, fates)
    return Event(entry, number, total=at.scores[player], ended=True, drew=drew, over=at.over)


def _return(at: Position, entry: Return, player: Player) -> Event:
    _check_not_over(at)
    _known(at, player)
    if player not in at.away:
        raise IllegalMove(f"{at.names[player]} has not left")
    at.away.discard(player)
    _sit_down(at, player)
    return Event(entry, at.number, first=at.rolls == 0, total=at.scores[player])


def _close(at: Position, entry: Close, fates: Fates) -> Event:
    _check_not_over(at)
    number, left = at.number, tuple(at.seated(at.inside))
    drew = _end_round(at, False, fates)
    return Event(entry, number, ended=True, empty_handed=left, drew=drew, over=at.over)


def _sit_down(at: Position, player: Player) -> None:
    """In from the next round, or from this one if nobody has rolled yet."""
    if at.rolls == 0:
        at.inside.add(player)
        at.part.add(player)


def _pass_dice_to(at: Position, player: Player) -> None:
    _check_not_over(at)
    _known(at, player)
    if player not in at.inside:
        raise IllegalMove(f"{at.names[player]} is out of this round and does not roll", "R2.2")
    seats = list(at.names)
    at.last = seats[seats.index(player) - 1]


def _set_rounds(at: Position, last: int) -> None:
    least = at.number + 1 if at.over else at.number
    if not least <= last <= MOST_ROUNDS:
        raise IllegalMove(
            f"This is round {at.number}, so the last one can be {least} to {MOST_ROUNDS:,}, not {last:,}"
        )
    at.low = at.high = last
    if at.over:
        at.over = False
        _begin_round(at)


def _correct(at: Position, number: int, gains: tuple[tuple[Player, int], ...]) -> None:
    finished = len(at.past)
    if not 1 <= number <= finished:
        which = f"rounds 1 to {finished} are" if finished > 1 else "round 1 is" if finished else "no round is"
        raise IllegalMove(f"Scores can be corrected once a round is over, and {which}: not round {number}")
    for player, gain in gains:
        _known(at, player)
        if gain < 0:
            raise IllegalMove("A score in a round cannot be negative")
    was = at.past[number - 1]
    for player, gain in gains:
        at.scores[player] += gain - was.gains.get(player, 0)
        was = replace(was, gains={**was.gains, player: gain}, part=was.part | {player})
    at.past[number - 1] = was


def _known(at: Position, player: Player) -> None:
    if player not in at.names:
        raise IllegalMove(f"Player {player} is not on the card at that point")


def _free(at: Position, name: str, but: Player | None = None) -> None:
    """A new name must be a name, and nobody else's."""
    check_name(name)
    for player, other in at.names.items():
        if player != but and fold(other) == fold(name):
            hint = f": type return {other}" if player in at.away else ""
            raise IllegalMove(f"{other} is already on the card{hint}")


def _check_not_over(at: Position) -> None:
    if at.over:
        raise IllegalMove(
            f"The game ended after round {at.number}: type undo, or rounds {at.number + 1} to play on",
            "R5.2",
        )


def _begin_round(at: Position) -> None:
    at.number += 1
    at.rolls = 0
    at.gains = {}
    at.inside = {player for player in at.names if player not in at.away}
    at.part = set(at.inside)


def _end_round(at: Position, busted: bool, fates: Fates) -> bool | None:
    """Note a finished round, then continue or end the game. Returns what was drawn, if anything was."""
    at.past.append(Round(at.number, frozenset(at.part), at.gains, at.rolls, busted))
    at.total = at.sevens = 0
    at.inside = set()
    drew = None
    if at.number >= at.high:
        at.over = True  # R5.2
    elif at.number >= at.low:
        drew = at.over = fates.is_last(at.number, at.high)
    if not at.over:
        _begin_round(at)
    return drew


@dataclass(frozen=True, slots=True)
class Change:
    """Entries that were replaced by others; undone by swapping the two."""

    at: int
    cut: tuple[Entry, ...]
    put: tuple[Entry, ...]

    def back(self) -> Change:
        """The change that undoes this one."""
        return Change(self.at, self.put, self.cut)


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned step: first it is stored, then `Card.commit` takes it."""

    step: Step
    changes: tuple[Change, ...]
    position: Position
    marks: tuple[tuple[int, Position], ...]
    event: Event | None
    draws: Mapping[int, bool]


class Card:
    """All entries of a game, its position, and what can be undone and redone."""

    def __init__(self, names: Sequence[str], low: int, high: int) -> None:
        self.entries: list[Entry] = []
        self.draws: dict[int, bool] = {}
        self.position = opening(names, low, high)
        self.done: list[Change] = []
        self.undone: list[Change] = []
        self._marks: list[tuple[int, Position]] = [(0, self.position)]  # at the start of each round

    @property
    def start(self) -> Position:
        """The position before the first entry."""
        return self._marks[0][1]

    def fresh_player(self) -> Player:
        """A new player number: nobody on the card has it, or had it before an undo."""
        put = (entry for change in (*self.done, *self.undone) for entry in (*change.put, *change.cut))
        joined = [entry.player for entry in put if isinstance(entry, Join)]
        return max((*self.start.names, *joined)) + 1

    def plan(self, step: Step, chance: Chance | None = None, draws: Mapping[int, bool] | None = None) -> Plan:
        """Plan a step without taking it; IllegalMove if it cannot be taken."""
        fates = Fates({**(draws or {}), **self.draws}, chance)
        event: Event | None = None
        if isinstance(step, Do):
            at = self.position.copy()
            event = apply(at, step.entry, fates)
            changes: tuple[Change, ...] = (Change(len(self.entries), (), (step.entry,)),)
            new_round = at.number != self.position.number
            marks = (*self._marks, (len(self.entries) + 1, at)) if new_round else tuple(self._marks)
        else:
            changes = self._changes(step)
            at, marks = self._rebuilt(changes, fates)
        fresh = {
            number: last
            for number, last in {**(draws or {}), **fates.fresh}.items()
            if number not in self.draws
        }
        return Plan(step, changes, at, marks, event, fresh)

    def _changes(self, step: Undo | Redo | Splice) -> tuple[Change, ...]:
        if isinstance(step, Splice):
            cut = tuple(self.entries[step.at : step.at + step.cut])
            if len(cut) != step.cut:
                raise RecordError("a correction reaches past the end of the card")
            return (Change(step.at, cut, step.put),)
        stack, done = (self.done, "undo") if isinstance(step, Undo) else (self.undone, "redo")
        if step.steps > len(stack):
            raise IllegalMove(f"Only {len(stack)} to {done}" if stack else f"Nothing to {done}")
        changes = reversed(stack[-step.steps :])
        return tuple(change.back() for change in changes) if isinstance(step, Undo) else tuple(changes)

    def _rebuilt(
        self, changes: Sequence[Change], fates: Fates
    ) -> tuple[Position, tuple[tuple[int, Position], ...]]:
        """The position after some changes, replayed from the start of the first round they touch."""
        entries = list(self.entries)
        for change in changes:
            entries[change.at : change.at + len(change.cut)] = change.put
        same = min(change.at for change in changes)
        marks = [mark for mark in self._marks if mark[0] <= same]
        start, position = marks[-1]
        at = position.copy()
        for count, entry in enumerate(entries[start:], start + 1):
            number = at.number
            apply(at, entry, fates)
            if at.number != number:
                marks.append((count, at.copy()))
        return at, tuple(marks)

    def commit(self, plan: Plan) -> None:
        """Take a planned step."""
        for change in plan.changes:
            self.entries[change.at : change.at + len(change.cut)] = change.put
        self.position = plan.position
        self._marks = list(plan.marks)
        self.draws.update(plan.draws)
        match plan.step:
            case Undo(steps):
                self.undone += reversed(self.done[-steps:])
                del self.done[-steps:]
            case Redo(steps):
                self.done += reversed(self.undone[-steps:])
                del self.undone[-steps:]
            case _:
                self.done += plan.changes
                self.undone.clear()

    def events(self) -> list[tuple[int, int, Event]]:
        """Yield every entry with its round, its number there, and what it did."""
        at = self.start.copy()
        fates = Fates(self.draws)
        story: list[tuple[int, int, Event]] = []
        for entry in self.entries:
            number = at.number
            event = apply(at, entry, fates)
            count = story[-1][1] + 1 if story and story[-1][0] == number else 1
            story.append((number, count, event))
        return story
