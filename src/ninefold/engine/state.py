"""State: one match in progress, behind a door that checks every move.

The kernel trusts what it is given; this door does not. A refused move says why and changes nothing. The
random stream lies beside the record, never in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ninefold.engine import views
from ninefold.engine.log import Log
from ninefold.kernel.errors import IllegalMove, NotYourTurn
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY, actor_of
from ninefold.kernel.record import record_of
from ninefold.kernel.stream import FOR_CHANCE, new_stream, stream_of

if TYPE_CHECKING:
    from ninefold.engine.game import Game

Step = tuple[int, int]
Watcher = Callable[[Any, int, int, Any], None]


class Moves(Sequence[str]):
    """Legal moves as text, in ascending order of their ids; made when looked at.

    They are spelled from what the seat could see when it asked, so whoever is handed them learns no more.
    """

    def __init__(self, say: Callable[[int], str], spans: Any) -> None:
        self._say = say
        self.spans: list[tuple[int, int]] = [(low, high) for low, high in np.asarray(spans).tolist()]
        self._length = sum([high - low + 1 for low, high in self.spans])
        self._texts: list[str] | None = None  # of all, once somebody has looked at all

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
        raise AssertionError  # the spans are as long as all of them together

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

    __slots__ = ("_s", "_seen", "_steps", "_stream", "game", "manual", "watchers")

    def __init__(self, game: Game, record: Any, stream: Any, steps: Log[Step], manual: bool) -> None:
        self.game = game
        self.manual = manual
        self.watchers: list[Watcher] = []
        self._s = record
        self._stream = stream
        self._steps = steps
        self._seen: dict[int | None, tuple[bytes, Any]] = {}  # by viewer: the last position shown

    @classmethod
    def begin(cls, game: Game, seed: int, number: int, manual: bool, watcher: Watcher | None) -> State:
        """A new match, chance played up to the first decision unless `manual`."""
        state = cls(game, game.record(), new_stream(seed, number, FOR_CHANCE), Log(), manual)
        state.watchers += [watcher] if watcher else []
        game.package.rules.begin(state._s)
        state._let_chance()
        return state

    # What everybody may ask

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats whose decision is awaited; (CHANCE,) where the caller plays chance; () when over."""
        actor = actor_of(self._s)
        if actor == NOBODY:
            return ()
        if actor != EVERYONE:
            return (actor,)
        out = np.empty(self.game.players, np.int64)
        count = self.game.package.rules.awaited(self._s, out)
        return tuple(out[:count].tolist())

    @property
    def over(self) -> bool:
        return actor_of(self._s) == NOBODY

    @property
    def scores(self) -> list[int]:
        """Every seat's score so far."""
        return views.scores(self.game, self._s)

    @property
    def winners(self) -> list[int]:
        """The seats that have won; several share the win, and nobody has won before the end."""
        if not self.over:
            return []
        out = np.zeros(self.game.players, np.int64)
        self.game.package.rules.winners(self._s, out)
        return [int(seat) for seat in np.flatnonzero(out)]

    @property
    def turns(self) -> int:
        return int(self._s.turns)

    @property
    def steps(self) -> list[Step]:
        """Every move and chance outcome so far, as (seat, id); what nobody may ever know, as unseen."""
        return list(self._steps)

    def moves(self, seat: int) -> Moves:
        """The legal moves of a seat now."""
        self._check_seat(seat)
        if seat == CHANCE:
            outcomes, _ = self._outcomes()
            return Moves(self._speller(seat), [(outcome, outcome) for outcome in outcomes])
        spans = np.empty((self.game.facts.spans, 2), np.int64)
        count = self.game.package.rules.legal(self._s, seat, spans)
        return Moves(self._speller(seat), spans[:count])

    def _speller(self, seat: int) -> Callable[[int], str]:
        """How moves are written, from the position as the seat sees it now."""
        table = self.game.package.table
        s = self._s.copy() if seat == CHANCE else self.seen(seat)
        return lambda action: str(table.say(s, seat, action))

    def chance(self) -> dict[str, float]:
        """What chance may do now, with probabilities; empty where it is not chance's move."""
        outcomes, weights = self._outcomes()
        return {
            self.say(CHANCE, outcome): weight / sum(weights)
            for outcome, weight in zip(outcomes, weights, strict=True)
        }

    def say(self, seat: int, action: int) -> str:
        """The text of a move."""
        return str(self.game.package.table.say(self._s, seat, action))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat sees, as JSON-able data; None is a spectator."""
        if seat is not None:
            self._check_seat(seat)
            if seat == CHANCE:
                raise IllegalMove("chance has no view; a spectator's is view(None)")
        return views.view(self, seat)

    def seen(self, seat: int | None, position: bytes | None = None) -> Any:
        """This position, or another one of the match by its bytes, as a seat may know it.

        The last one is kept for each viewer: what is told of a step begins where that of the
        step before it ended, and the view shows where the last one ended.
        """
        asked = self._s.data if position is None else position
        kept = self._seen.get(seat)
        if kept is None or kept[0] != asked:
            kept = self._seen[seat] = bytes(asked), views.seen(self.game, asked, seat)
        return kept[1]

    # What changes it

    def play(self, seat: int, move: str | int) -> None:
        """Play a move, given as text or id. IllegalMove says why not, and nothing has changed."""
        action = self._admit(seat, move)
        self._apply(seat, action)
        self._let_chance()

    def _admit(self, seat: int, move: str | int) -> int:
        """The id of a legal move; raises where it is not one."""
        self._check_seat(seat)
        if self.over:
            raise IllegalMove("the match is over")
        if seat == CHANCE and actor_of(self._s) != CHANCE:
            raise NotYourTurn("chance has nothing to decide now")
        table = self.game.package.table
        action = table.read(self._s, seat, move) if isinstance(move, str) else self._id(seat, move)
        if seat == CHANCE:
            if action not in self._outcomes()[0] and not self._unseen(action):
                raise IllegalMove(
                    f"{table.why(self._s, seat, action, 0)}; {self.say(seat, action)} cannot happen"
                )
            return int(action)
        rule = int(self.game.package.rules.refuse(self._s, seat, action))
        if rule:
            self._refuse(seat, action, rule)
        return int(action)

    def _unseen(self, action: int) -> bool:
        """Whether a game knows an outcome that is never drawn but may be told: a card that nobody saw."""
        unseen = getattr(self.game.package.rules, "unseen", None)
        return self.manual and unseen is not None and bool(unseen(self._s, action))

    def _refuse(self, seat: int, action: int, rule: int) -> None:
        moves = self.moves(seat)
        why = self.game.package.table.why(self._s, seat, action, rule)
        kind = IllegalMove if moves else NotYourTurn
        raise kind(f"{self.say(seat, action)} is not possible: {why}", f"R{rule // 100}.{rule % 100}")

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

    def _outcomes(self) -> tuple[list[int], list[int]]:
        if actor_of(self._s) != CHANCE:
            return [], []
        size = self.game.facts.chances
        out, weight = np.empty(size, np.int64), np.empty(size, np.int64)
        count = self.game.package.rules.outcomes(self._s, out, weight)
        return out[:count].tolist(), weight[:count].tolist()

    def _apply(self, seat: int, action: int) -> None:
        """Apply a step that is known to be legal."""
        rules = self.game.package.rules
        forget = getattr(self.game.package.table, "forget", None)
        before = self._s.copy() if self.watchers or forget else None
        if seat == CHANCE:
            rules.chance(self._s, action)
        else:
            rules.play(self._s, seat, action)
        self._steps.append((int(seat), action))
        for watcher in self.watchers:
            watcher(before, seat, action, self._s)
        if forget:
            forget(before, self._s, self._steps)

    def draw(self, stream: Any) -> None:
        """Let chance play one step, drawn from this stream; for callers who play it themselves."""
        if actor_of(self._s) != CHANCE:
            raise NotYourTurn("chance has nothing to decide now")
        self._apply(CHANCE, int(self.game.package.rules.sample(self._s, stream)))

    def _let_chance(self) -> None:
        """Chance plays on until somebody has to decide, unless the caller plays it."""
        while not self.manual and actor_of(self._s) == CHANCE:
            self._apply(CHANCE, int(self.game.package.rules.sample(self._s, self._stream)))

    # Copies, equality, records

    def copy(self, seed: int | None = None) -> State:
        """The same match, to be played on apart from this one.

        With `seed` its future chance is its own: a search must use that, or it would see what will come.
        """
        stream = self._stream.copy() if seed is None else new_stream(seed, len(self._steps), FOR_CHANCE)
        other = State(self.game, self._s.copy(), stream, self._steps.copy(), self.manual)
        other._seen = dict(self._seen)
        return other

    def record(self) -> dict[str, Any]:
        """Everything that happened, as JSON-able data for `nf.replay`."""
        from ninefold.engine.records import write

        return write(self)

    def tobytes(self) -> bytes:
        """The bytes of the state; equal states have equal bytes."""
        return self._s.tobytes()  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.tobytes() == other.tobytes()

    def __hash__(self) -> int:
        return hash((self.game, self.tobytes()))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.game, self.tobytes(), self._stream.tobytes(), list(self._steps), self.manual)

    def __repr__(self) -> str:
        doing = "over" if self.over else f"actors {self.actors[:5]}{'…' if len(self.actors) > 5 else ''}"
        return f"<{self.game.facts.title}, {self.game.players} players, {len(self._steps)} steps, {doing}>"


def _revive(game: Game, record: bytes, stream: bytes, steps: list[Step], manual: bool) -> State:
    fresh = record_of(bytearray(record), game.record().dtype)
    return State(game, fresh, stream_of(stream), Log(steps), manual)
