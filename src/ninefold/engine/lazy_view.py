"""The view that a Python bot gets: its parts are made when the bot reads them.

Most bots read a counter or two, and drawing a table takes longer than all else that a decision costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ninefold.engine import views
from ninefold.model.view import Scene, View, builtins

if TYPE_CHECKING:
    from ninefold.engine.state import State

NAMES = dict.fromkeys(View.__struct_fields__)
DRAWN = frozenset(Scene.__struct_fields__)
QUICK: dict[str, Callable[[State, Any], Any]] = {
    "players": lambda state, _: state.game.players,
    "scores": lambda state, s: views.scores(state.game, s),
    "turn": lambda _, s: int(s.turns),
}


class LazyView(Mapping[str, Any]):
    """What `state.view(seat)` is now, whenever it is read."""

    __slots__ = ("_made", "_perspective", "_seat", "_state")

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._perspective = state.perspective(seat)
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        made = self._made
        if name not in made:
            if name in DRAWN:
                made[name] = builtins(getattr(self._perspective.scene, name))
            elif name in QUICK:
                made[name] = QUICK[name](self._state, self._perspective.s)
            elif name in NAMES:
                made.update(self._then().view(self._seat))
            else:
                raise KeyError(name)
        return made[name]

    def _then(self) -> State:
        """The match as it was when the bot was asked."""
        same = self._state.position.data == self._perspective.position
        return self._state if same else self._state.at(self._perspective.position)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def __repr__(self) -> str:
        return repr(dict(self))
