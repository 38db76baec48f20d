"""State: a position of a game, the steps that led to it, and the checks that every move has to pass.

The kernel trusts its input; a state does not. A refused move says why and changes nothing. The random stream
is kept beside the position, never in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ninefold.engine import views
from ninefold.engine.beats import Perspective, Perspectives
from ninefold.engine.log import Log
from ninefold.kernel.errors import IllegalMove, NotYourTurn
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY, actor_of
from ninefold.kernel.record import record_of
from ninefold.kernel.seen import Seen
from ninefold.kernel.stream import FOR_CHANCE, new_stream, stream_of
from ninefold.model.text import message, rule_text
from ninefold.model.view import Scene, View, builtins

if TYPE_CHECKING:
    from ninefold.engine.game import Game

Step = tuple[int, int]
Watcher = Callable[[Any, int, int, Any], None]


class Moves(Sequence[str]):
    """Legal moves as text, in ascending order of their ids; written when needed.

    Their texts use only what the seat could see, so they give nothing away.
    """

    def __init__(self, say: Callable[[int], str], spans: Any) -> None:
        self._say = say
        self.spans: list[tuple[int, int]] = [(low, high) for low, high in np.asarray(spans).tolist()]
        self._length = sum([high - low + 1 for low, high in self.spans])
        self._texts: list[str] | None = None  # all texts, once they have been needed

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            if self._texts is not None:
                return self._texts[place]
            return [self[at] for at in range(*place.indices(self._length))]
        return self._say(self.action(place))

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def _all(self) -> list[str]:
        if self._texts is None:
            self._texts = [self._say(action) for action in self.actions]
        return self._texts

    def action(self, place: int) -> int:
        """The id of the move at a place."""
        place = range(self._length)[place]
        for low, high in self.spans:
            if place <= high - low:
                return low + place
            place -= high - low + 1
        raise AssertionError  # the spans cover every index

    @property
    def actions(self) -> list[int]:
        return [action for low, high in self.spans for action in range(low, high + 1)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = list(self[:20])
        return (
            repr(shown) if self._length <= 20 else f"[{', '.join(map(repr, shown))}, … {self._length} moves]"
        )


class State:
    """One match. Seats are numbered from 0; CHANCE (-1) plays the dice and the cards."""

    __slots__ = ("_log", "_stream", "game", "manual", "perspectives", "position", "watchers")

    def __init__(self, game: Game, position: Any, stream: Any, steps: Log[Step], manual: bool) -> None:
        self.game = game
        self.manual = manual
        self.watchers: list[Watcher] = []
        self.position = position  # only `apply` changes it
        self.perspectives = Perspectives(game)  # what viewers may know
        self._stream = stream
        self._log = steps

    @classmethod
    def begin(cls, game: Game, seed: int, number: int, manual: bool, watcher: Watcher | None) -> State:
        """A new match, chance played up to the first decision unless `manual`."""
        state = cls(game, game.new_position(), new_stream(seed, number, FOR_CHANCE), Log(), manual)
        state.watchers += [watcher] if watcher else []
        game.package.rules.begin(state.position)
        state.let_chance()
        return state

    # Questions

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that have to decide; (CHANCE,) if the caller has to play chance; () when over."""
        actor = actor_of(self.position)
        if actor == NOBODY:
            return ()
        if actor != EVERYONE:
            return (actor,)
        out = np.empty(self.game.players, np.int64)
        count = self.game.package.awaited(self.position, out)
        return tuple(out[:count].tolist())

    @property
    def over(self) -> bool:
        return actor_of(self.position) == NOBODY

    @property
    def scores(self) -> list[int]:
        """Every seat's score so far."""
        return views.scores(self.game, self.position)

    @property
    def winners(self) -> list[int]:
        """The seats that have won, several if they share the win; empty before the end."""
        if not self.over:
            return []
        out = np.zeros(self.game.players, np.int64)
        self.game.package.winners(self.position, out)
        return [int(seat) for seat in np.flatnonzero(out)]

    @property
    def turns(self) -> int:
        return int(self.position.turns)

    @property
    def steps(self) -> list[Step]:
        """Every move and chance outcome so far, as (seat, id); secret outcomes as unseen."""
        return list(self._log)

    def moves(self, seat: int) -> Moves:
        """The legal moves of a seat now."""
        self._check_seat(seat)
        if seat == CHANCE:
            outcomes, _ = self.outcomes()
            return Moves(self._speller(seat), [(outcome, outcome) for outcome in outcomes])
        spans = np.empty((self.game.facts.spans, 2), np.int64)
        count = self.game.package.rules.legal(self.position, seat, spans)
        return Moves(self._speller(seat), spans[:count])

    def _speller(self, seat: int) -> Callable[[int], str]:
        """Write moves from the position as the seat sees it now."""
        notation = self.game.package.notation
        s = self.position.copy() if seat == CHANCE else self.masked(seat)
        return lambda action: notation.format_move(s, seat, action)

    def chance(self) -> dict[str, float]:
        """What chance may do now, with probabilities; empty if it is not chance's move."""
        outcomes, weights = self.outcomes()
        return {
            self.format(CHANCE, outcome): weight / sum(weights)
            for outcome, weight in zip(outcomes, weights, strict=True)
        }

    def format(self, seat: int, action: int) -> str:
        """The text of a move."""
        return self.game.package.notation.format_move(self.position, seat, action)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat sees, as JSON-able data; None is a spectator."""
        return builtins(self.picture(seat))  # type: ignore[no-any-return]

    def seen(self, seat: int) -> Seen:
        """What a seat may know, by name, as a compiled bot of the user's gets it (docs/api.md)."""
        from ninefold.engine.own_bots import facts

        self._check_viewer(seat)
        return Seen(self.game.facts.title, facts(self.game.name), self.position, seat)

    def picture(self, seat: int | None = None) -> View:
        """What a seat sees, as types (see model/view.py)."""
        if seat is not None:
            self._check_viewer(seat)
        return views.view(self, seat)

    def masked(self, seat: int | None) -> Any:
        """The position as a seat may know it."""
        return self.perspective(seat).s

    def scene(self, seat: int | None) -> Scene:
        """The table as the game draws it for a seat, without what the seat may do."""
        return self.perspective(seat).scene

    def perspective(self, seat: int | None) -> Perspective:
        """This position as a seat may know it; it stays as it is when the match goes on."""
        return self.perspectives.at(seat, self.position.data)

    # Changes

    def play(self, seat: int, move: str | int) -> None:
        """Play a move, given as text or id. IllegalMove says why not, and nothing has changed."""
        self.apply(seat, self.admit(seat, move))
        self.let_chance()

    def admit(self, seat: int, move: str | int) -> int:
        """The id of a legal move; IllegalMove if it is not legal."""
        self._check_seat(seat)
        if self.over:
            raise IllegalMove("the match is over")
        if seat == CHANCE and actor_of(self.position) != CHANCE:
            raise NotYourTurn("chance has nothing to decide now")
        notation = self.game.package.notation
        action = (
            notation.parse_move(self.position, seat, move) if isinstance(move, str) else self._id(seat, move)
        )
        if seat == CHANCE:
            if action not in self.outcomes()[0] and not (self.manual and self.is_unseen(action)):
                why = notation.explain_refusal(self.position, seat, action, 0)
                raise IllegalMove(
                    message("{why}; {move} cannot happen", why=why, move=self.format(seat, action))
                )
            return int(action)
        rule = int(self.game.package.rules.refuse(self.position, seat, action))
        if rule:
            self._refuse(seat, action, rule)
        return int(action)

    def is_unseen(self, action: int) -> bool:
        """Whether an outcome is never drawn but may be played: a card that nobody saw."""
        unseen = self.game.package.unseen
        return unseen is not None and bool(unseen(self.position, action))

    def _refuse(self, seat: int, action: int, rule: int) -> None:
        why = self.game.package.notation.explain_refusal(self.position, seat, action, rule)
        kind = IllegalMove if self.moves(seat) else NotYourTurn
        tried = self.format(seat, action)
        raise kind(message("{move} is not possible: {why}", move=tried, why=why), rule_text(rule))

    def _id(self, seat: int, move: object) -> int:
        limit = self.game.facts.chances if seat == CHANCE else self.game.facts.actions
        if isinstance(move, bool) or not isinstance(move, int | np.integer) or not 0 <= move < limit:
            raise IllegalMove(f"a move is its text or its number from 0 to {limit - 1}, not {move!r}")
        return int(move)

    def _check_seat(self, seat: object) -> None:
        if (
            isinstance(seat, bool)
            or not isinstance(seat, int | np.integer)
            or not CHANCE <= seat < self.game.players
        ):
            last = self.game.players - 1
            raise IllegalMove(
                f"there is no seat {seat!r}; seats are 0 to {last}"
                if last
                else f"there is no seat {seat!r}; the only seat is 0"
            )

    def _check_viewer(self, seat: object) -> None:
        self._check_seat(seat)
        if seat == CHANCE:
            raise IllegalMove("chance has no view; a spectator's is view(None)")

    def outcomes(self) -> tuple[list[int], list[int]]:
        """The ids of what chance may do now, and their weights."""
        if actor_of(self.position) != CHANCE:
            return [], []
        size = self.game.facts.chances
        out, weight = np.empty(size, np.int64), np.empty(size, np.int64)
        count = self.game.package.rules.outcomes(self.position, out, weight)
        return out[:count].tolist(), weight[:count].tolist()

    def apply(self, seat: int, action: int) -> None:
        """Apply a step that is known to be legal: the only code that changes a state."""
        package = self.game.package
        before = self.position.copy() if self.watchers or package.redact else None
        if seat == CHANCE:
            package.rules.chance(self.position, action)
        else:
            package.rules.play(self.position, seat, action)
        self._log.append((int(seat), action))
        for watcher in self.watchers:
            watcher(before, seat, action, self.position)
        if package.redact:
            package.redact(before, self.position, self._log)

    def draw(self, stream: Any) -> int:
        """Let chance play one step, drawn from this stream; returns its id."""
        if actor_of(self.position) != CHANCE:
            raise NotYourTurn("chance has nothing to decide now")
        action = int(self.game.package.rules.sample(self.position, stream))
        self.apply(CHANCE, action)
        return action

    def let_chance(self) -> None:
        """Let chance play until a seat has to decide, unless the caller plays chance."""
        while not self.manual and actor_of(self.position) == CHANCE:
            self.draw(self._stream)

    def at(self, position: bytes) -> State:
        """This match at another position, given as its bytes; only for looking."""
        other = self.copy()
        other.position = record_of(bytearray(position), self.game.layout)
        return other

    # Copies, equality, records

    def copy(self, seed: int | None = None) -> State:
        """An independent copy.

        With `seed` it gets new chance: a search must use that, or it would see the future.
        """
        stream = self._stream.copy() if seed is None else new_stream(seed, len(self._log), FOR_CHANCE)
        other = State(self.game, self.position.copy(), stream, self._log.copy(), self.manual)
        other.perspectives = self.perspectives.copy()
        return other

    def record(self) -> dict[str, Any]:
        """The whole match as JSON-able data, for `nf.replay`."""
        from ninefold.engine.records import write

        return write(self)

    def tobytes(self) -> bytes:
        """The bytes of the position; equal positions have equal bytes."""
        return self.position.tobytes()  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.tobytes() == other.tobytes()

    def __hash__(self) -> int:
        return hash((self.game, self.tobytes()))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.game, self.tobytes(), self._stream.tobytes(), list(self._log), self.manual)

    def __repr__(self) -> str:
        doing = "over" if self.over else f"actors {self.actors[:5]}{'…' if len(self.actors) > 5 else ''}"
        return f"<{self.game.facts.title}, {self.game.players} players, {len(self._log)} steps, {doing}>"


def _revive(game: Game, position: bytes, stream: bytes, steps: list[Step], manual: bool) -> State:
    fresh = record_of(bytearray(position), game.new_position().dtype)
    return State(game, fresh, stream_of(stream), Log(steps), manual)
