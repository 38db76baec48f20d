"""The score card itself: entries in, the position of the game out, with undo, redo and corrections.

Pure: no file, no screen, no clock, no random numbers of its own. The rules of Doubles say what a roll does.
This module keeps who is in, who rolls next and what each round was worth, for players who come and go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

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
    Sum,
    Undo,
)
from ninefold.scorecard.names import MOST, check_name, fold, listed

MOST_ROUNDS = 1_000_000

Chance: TypeAlias = Callable[[int], int]  # a random number below another: `random.SystemRandom().randrange`


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: who took part, who got what, and how it ended."""

    number: int
    part: frozenset[Player]
    gains: Mapping[Player, int]
    rolls: int
    busted: bool

    def gain(self, player: Player) -> int | None:
        """A player's points; None if they were not in it."""
        return self.gains.get(player, 0) if player in self.part else None


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
        new = copy(self)
        for name, part in vars(self).items():
            if isinstance(part, dict | set | list):
                setattr(new, name, part.copy())
        return new

    @property
    def roller(self) -> Player | None:
        """Who rolls next: the first player still in after the last roller (R2.2)."""
        if not self.inside:
            return None
        seats = list(self.names)
        start = 0 if self.last is None else seats.index(self.last) + 1
        return next(player for player in seats[start:] + seats[:start] if player in self.inside)

    @property
    def present(self) -> dict[Player, str]:
        """The names of those who have not left."""
        return {player: name for player, name in self.names.items() if player not in self.away}

    def seated(self, players: Iterable[Player]) -> list[Player]:
        """Some players in seating order."""
        wanted = set(players)
        return [player for player in self.names if player in wanted]

    def listed(self, players: Iterable[Player], most: int = 12) -> str:
        """Names of players in seating order, in words."""
        return listed([self.names[player] for player in self.seated(players)], most=most)

    def name(self, player: Player) -> str:
        """The name of a player; IllegalMove if there is none."""
        if player not in self.names:
            raise IllegalMove(f"Player {player} is not on the card at that point")
        return self.names[player]


@dataclass(frozen=True, slots=True)
class Event:
    """An entry, and the positions before and after it: enough to describe it in words."""

    entry: Entry
    before: Position
    after: Position

    @property
    def ended(self) -> bool:
        """Whether it ended the round."""
        return len(self.after.past) > len(self.before.past)

    @property
    def busted(self) -> bool:
        return self.ended and self.after.past[-1].busted

    @property
    def seven(self) -> bool:
        return self.busted or self.after.sevens > self.before.sevens


@dataclass
class Draws:
    """Draws that decide whether a round was the last. A draw stays, whatever is corrected later."""

    known: dict[int, bool]
    chance: Chance | None = None

    def is_last(self, number: int, high: int) -> bool:
        """The draw after a round: each round that may be the last is equally likely (R2.4)."""
        if number not in self.known:
            if self.chance is None:
                raise RecordError(f"the draw after round {number} is missing")
            self.known[number] = self.chance(high - number + 1) == 0
        return self.known[number]


def apply(at: Position, entry: Entry, draws: Draws) -> None:
    """Apply an entry to a position. If it does not fit: IllegalMove, and nothing has changed."""
    if at.over and not isinstance(entry, Leave | Rename | Rounds | Correct):
        more = at.number + 1
        raise IllegalMove(
            f"The game ended after round {at.number}: type undo, or rounds {more} to play on", "R5.2"
        )
    match entry:
        case Roll() | Sum():
            _roll(at, entry.dice, draws)
        case Cash(players):
            _cash(at, players, draws)
        case Join(player, name):
            _join(at, player, name)
        case Leave(player):
            _leave(at, player, draws)
        case Return(player):
            if player not in at.away:
                raise IllegalMove(f"{at.name(player)} has not left")
            at.away.discard(player)
            _sit_down(at, player)
        case Rename(player, name):
            at.name(player)
            _check_free(at, name, player)
            at.names[player] = name
        case Next(player):
            if player not in at.inside:
                raise IllegalMove(f"{at.name(player)} is out of this round and does not roll", "R2.2")
            seats = list(at.names)
            at.last = seats[seats.index(player) - 1]
        case Rounds(last):
            _set_rounds(at, last)
        case Correct(number, gains):
            _correct(at, number, gains)
        case Close():
            _end_round(at, draws)


def _roll(at: Position, dice: tuple[int, int], draws: Draws) -> None:
    from ninefold.game.doubles.judge import roll  # imported here, because it loads Numba

    roller = at.roller
    if roller is None:
        raise IllegalMove("Nobody is left to roll: type join NAME or return NAME first")
    result = roll(at.total, at.sevens, at.rolls == 0, dice)
    at.total, at.sevens, at.last = result.total, result.sevens, roller
    at.rolls += 1
    if result.ended:
        _end_round(at, draws, busted=True)


def _cash(at: Position, players: tuple[Player, ...], draws: Draws) -> None:
    for player in players:
        name = at.name(player)
        if player in at.away:
            raise IllegalMove(f"{name} has left the table: type return {name} first")
        if player in at.gains:
            raise IllegalMove(f"{name} has already cashed out {at.gains[player]:,} in this round", "R4.5")
        if player not in at.inside:
            raise IllegalMove(f"{name} is not in this round, but plays from the next one")
    if at.rolls == 0:
        raise IllegalMove("There is nothing to cash out before the first roll of a round", "R4.1")
    for player in set(players):
        at.gains[player] = at.total
        at.scores[player] += at.total
    at.inside.difference_update(players)
    if not at.inside:
        _end_round(at, draws)


def _join(at: Position, player: Player, name: str) -> None:
    if player in at.names:
        raise IllegalMove(f"{at.names[player]} is already on the card")
    if len(at.names) >= MOST:
        raise IllegalMove(f"A card has at most {MOST:,} players")
    _check_free(at, name)
    at.names[player] = name
    at.scores[player] = 0
    _sit_down(at, player)


def _sit_down(at: Position, player: Player) -> None:
    """In from the next round, or from this one if nobody has rolled yet."""
    if at.rolls == 0:
        at.inside.add(player)
        at.part.add(player)


def _leave(at: Position, player: Player, draws: Draws) -> None:
    name = at.name(player)
    if player in at.away:
        raise IllegalMove(f"{name} has already left")
    at.away.add(player)
    was_last = at.inside == {player}
    at.inside.discard(player)
    if at.rolls == 0:
        at.part.discard(player)
    elif was_last:
        _end_round(at, draws)


def _check_free(at: Position, name: str, but: Player | None = None) -> None:
    """A new name must be a name, and nobody else's."""
    check_name(name)
    for player, other in at.names.items():
        if player != but and fold(other) == fold(name):
            hint = f": type return {other}" if player in at.away else ""
            raise IllegalMove(f"{other} is already on the card{hint}")


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
        at.name(player)
        if gain < 0:
            raise IllegalMove("A score in a round cannot be negative")
    was = at.past[number - 1]
    for player, gain in gains:
        at.scores[player] += gain - was.gains.get(player, 0)
        was = replace(was, gains={**was.gains, player: gain}, part=was.part | {player})
    at.past[number - 1] = was


def _begin_round(at: Position) -> None:
    at.number += 1
    at.rolls = 0
    at.gains = {}
    at.inside = set(at.present)
    at.part = set(at.inside)


def _end_round(at: Position, draws: Draws, busted: bool = False) -> None:
    """Note a finished round, then continue or end the game."""
    over = at.number >= at.high  # R5.2
    if at.low <= at.number < at.high:
        over = draws.is_last(at.number, at.high)
    at.past.append(Round(at.number, frozenset(at.part), at.gains, at.rolls, busted))
    at.total = at.sevens = 0
    at.inside = set()
    at.over = over
    if not over:
        _begin_round(at)


@dataclass(frozen=True, slots=True)
class Change:
    """Entries that were replaced by others; undone by swapping the two."""

    at: int
    cut: tuple[Entry, ...]
    put: tuple[Entry, ...]

    def back(self) -> Change:
        """The change that undoes this one."""
        return Change(self.at, self.put, self.cut)


@dataclass(frozen=True)
class Card:
    """All entries of a game, its position, and what can be undone and redone. Never changes."""

    position: Position
    rounds: tuple[tuple[int, Position], ...]  # for each round, the entries before it, and how it began
    entries: tuple[Entry, ...] = ()
    done: tuple[Change, ...] = ()
    undone: tuple[Change, ...] = ()
    draws: Mapping[int, bool] = field(default_factory=dict)

    @classmethod
    def new(cls, names: Sequence[str], low: int, high: int) -> Card:
        """A card before the first roll."""
        at = Position(dict(enumerate(names)), low, high, scores=dict.fromkeys(range(len(names)), 0))
        _begin_round(at)
        return cls(at, ((0, at),))

    def fresh_player(self) -> Player:
        """A new player number: nobody on the card has it, or had it before an undo."""
        put = (entry for change in (*self.done, *self.undone) for entry in (*change.put, *change.cut))
        joined = [entry.player for entry in put if isinstance(entry, Join)]
        return max((*self.rounds[0][1].names, *joined)) + 1

    def after(
        self, step: Step, chance: Chance | None = None, draws: Mapping[int, bool] | None = None
    ) -> Card:
        """The card after a step; IllegalMove if it cannot be taken. `draws` were made for it before."""
        changes = self.changes(step)
        done, undone = (*self.done, *changes), self.undone[:0]
        if isinstance(step, Undo):
            done, undone = self.done[: -step.steps], (*self.undone, *reversed(self.done[-step.steps :]))
        elif isinstance(step, Redo):
            undone = self.undone[: -step.steps]
        known = Draws({**(draws or {}), **self.draws}, chance)
        return replace(self._replayed(changes, known), done=done, undone=undone, draws=known.known)

    def changes(self, step: Step) -> tuple[Change, ...]:
        """What a step does to the entries."""
        match step:
            case Do(entry):
                return (Change(len(self.entries), (), (entry,)),)
            case Splice(at, size, put):
                cut = self.entries[at : at + size]
                if len(cut) != size:
                    raise RecordError("a correction reaches past the end of the card")
                return (Change(at, cut, put),)
        stack, what = (self.done, "undo") if isinstance(step, Undo) else (self.undone, "redo")
        if step.steps > len(stack):
            raise IllegalMove(f"Only {len(stack)} to {what}" if stack else f"Nothing to {what}")
        changes = reversed(stack[-step.steps :])
        return tuple(change.back() if isinstance(step, Undo) else change for change in changes)

    def _replayed(self, changes: Sequence[Change], draws: Draws) -> Card:
        """The card with changed entries, replayed from the first round that they touch."""
        entries = self.entries
        for change in changes:
            entries = entries[: change.at] + change.put + entries[change.at + len(change.cut) :]
        same = min(change.at for change in changes)
        rounds, start, before = self.rounds, same, self.position
        if same < len(self.entries):
            rounds = tuple(begun for begun in self.rounds if begun[0] <= same)
            start, before = rounds[-1]
        at = before.copy()
        for count, entry in enumerate(entries[start:], start + 1):
            number = at.number
            apply(at, entry, draws)
            if at.number != number:
                rounds = (*rounds, (count, at.copy()))
        return Card(at, rounds, entries)

    def numbered(self) -> Iterator[tuple[int, int, Entry]]:
        """Every entry with its round and its number there."""
        for (start, at), (end, _) in pairwise((*self.rounds, (len(self.entries), self.position))):
            for count, entry in enumerate(self.entries[start:end], 1):
                yield at.number, count, entry

    def events(self, number: int) -> list[Event]:
        """What the entries of a round did."""
        at = next((at for _, at in self.rounds if at.number == number), self.position)
        events: list[Event] = []
        for entry in [entry for found, _, entry in self.numbered() if found == number]:
            before, at = at, at.copy()
            apply(at, entry, Draws(dict(self.draws)))
            events.append(Event(entry, before, at))
        return events
