"""What a game must provide: the modules of its package as protocols, which mypy checks for every game.

The positions (`s`) that notation, view and narration get are masked: what the reader may not know is blanked.
`rules` works on the position itself. What is marked optional has a default, filled in when the game is loaded
(engine/registry.py); nothing else checks whether a game has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ninefold.kernel.fields import NOBODY, Field
from ninefold.model.events import Event
from ninefold.model.text import Text
from ninefold.model.view import Offer, Order, Scene

Position = Any  # a NumPy row, whose fields no type checker knows
Seat = int
Action = int


class Moves(Protocol):
    """The legal moves of a seat: ids and texts, in one order."""

    @property
    def actions(self) -> Sequence[Action]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Any: ...


class Rules(Protocol):
    """`rules.py`: compiled functions over one position (see the table in CONTRIBUTING.md).

    Games where everyone may act at once also have `awaited(s, out)` and `ask(s, stream)`. Optional: `winners`
    (default: the best score wins), `scores` (the field `scores`), `tally` (nothing), `mask_hidden(s, seat)`
    for fields marked Sees.GAME, `unseen(s, outcome)` for outcomes that are never drawn but may be played,
    `observe(s, seat, out)` for what a seat knows, as `Facts.observation` numbers, and `thrower(s)`, the seat
    that throws the dice when chance plays next (default: nobody does); `count_moves(s, seat)` and
    `nth_move(s, seat, n)`, for what `legal` lists, where that is quicker than a list.
    """

    @property
    def FIELDS(self) -> Sequence[Field]: ...  # noqa: N802 (a constant of the module)
    def begin(self, s: Position) -> None: ...
    def legal(self, s: Position, seat: Seat, out: Any) -> int: ...
    def refuse(self, s: Position, seat: Seat, action: Action) -> int: ...
    def play(self, s: Position, seat: Seat, action: Action) -> None: ...
    def outcomes(self, s: Position, out: Any, weight: Any) -> int: ...
    def sample(self, s: Position, stream: Any) -> Action: ...
    def chance(self, s: Position, action: Action) -> None: ...
    def redeal(self, s: Position, seat: Seat, stream: Any) -> None: ...


class Notation(Protocol):
    """`notation.py`: moves to text and back, and sentences that explain refusals."""

    def format_move(self, s: Position, seat: Seat, action: Action) -> str: ...
    def parse_move(self, s: Position, seat: Seat, text: str) -> Action: ...
    def explain_refusal(self, s: Position, seat: Seat, action: Action, rule: int) -> Text: ...


class Views(Protocol):
    """`view.py`: the table as a seat sees it, and what the seat may do. Optional: `orders(s, seat)`."""

    def view(self, s: Position, seat: Seat | None) -> Scene: ...
    def offers(self, s: Position, seat: Seat, moves: Moves) -> list[Offer]: ...


class Narration(Protocol):
    """`narration.py`: describes one step to a viewer.

    Optional: `result(s)`, the event that ends a match; by default it names the winners and their score. The
    engine works out how cards and chips moved.
    """

    def narrate(
        self, before: Position, seat: Seat, action: Action, after: Position, viewer: Seat | None
    ) -> list[Event]: ...


class Invariants(Protocol):
    """`invariants.py`, optional: what must always hold; the testkit checks after every step."""

    def broken_invariants(self, s: Position) -> list[str]: ...


class NoInvariants:
    """The default: nothing to check."""

    def broken_invariants(self, s: Position) -> list[str]:  # noqa: ARG002 (the default)
        return []


no_invariants = NoInvariants()


class Bots(Protocol):
    """`bots.py`: `decide` dispatches to the compiled bots by their numbers in the fact sheet.

    Optional: `consider(s, seat, memory, spans, out, worths) -> n` writes the moves that a search should
    compare, the strongest bot's own first; `worths` is room for one number for each action. Without it, a
    search tries all moves, or some if there are many.
    """

    def decide(
        self,
        bot: int,
        s: Position,
        seat: Seat,
        spans: Any,
        params: Any,
        memory: Any,
        stream: Any,
    ) -> Action: ...


class RealTime(Protocol):
    """`realtime.py`, for games where everyone plays at once (`Facts.realtime`)."""

    @property
    def PASS_MOVE(self) -> str:  # noqa: N802 (a constant of the module)
        """The move of a player who does nothing."""
        ...

    @property
    def SEALING_RULE(self) -> str:  # noqa: N802 (a constant of the module)
        """The number of the rule about sealed moves, such as R7.2."""
        ...

    @property
    def LOOK_RULE(self) -> str:  # noqa: N802
        """The number of the rule about the look at the cards that opens a round."""
        ...

    @property
    def NOT_YET(self) -> str:  # noqa: N802
        """Why a move is refused before the round has begun."""
        ...

    @property
    def LOOK_PROMPTS(self) -> Mapping[str, Text]:  # noqa: N802
        """What is asked of a player who is `looking` at the cards, or `ready`, and of a `spectator`."""
        ...

    def on_clock(self, s: Position, seat: Seat) -> bool:
        """Whether the clock plays PASS_MOVE for a seat that stays silent."""
        ...

    def round_of(self, s: Position) -> int:
        """The number of the round; a sealed move is void after it."""
        ...


class Redaction(Protocol):
    """`redaction.py`, for games with outcomes that stay secret for good (`Facts.redacts`)."""

    @property
    def CARDS(self) -> int:  # noqa: N802 (a constant)
        """The cards of a deck; the outcomes below this number."""
        ...

    @property
    def UNSEEN(self) -> int:  # noqa: N802
        """The outcome that takes the place of a secret one."""
        ...

    def deck(self, s: Position) -> int:
        """1 if the next card is the first of a fresh deck, 0 if not, -1 if it has been dealt already."""
        ...

    def redact(self, before: Position, after: Position, steps: Any) -> None:
        """Replace recorded outcomes that nobody may ever know."""
        ...

    def redact_unfinished(self, s: Position, steps: Any) -> None:
        """The same for what is still being played."""
        ...


class Occasions(Protocol):
    """`occasions.py`, optional: what draws are for, so that promised ones do not depend on those before."""

    def occasion(self, s: Position) -> tuple[int, ...]:
        """The round, the turn and so on of the next draw, as fixed by the rules: never by how many draws the
        decisions of others have brought. Draws that follow one another on one occasion are counted. Where
        everyone plays at once, a draw that one player's move causes belongs to that player: ()."""
        ...


def thrower(s: Position) -> Seat:  # noqa: ARG001 (the default)
    """The default: nobody throws the dice."""
    return NOBODY


def orders(s: Position, seat: Seat) -> list[Order]:  # noqa: ARG001 (the default)
    """The default: no standing orders."""
    return []


def check(
    rules: Rules,
    notation: Notation,
    view: Views,
    narration: Narration,
    invariants: Invariants | None,
    bots: Bots,
    realtime: RealTime | None = None,
    redaction: Redaction | None = None,
    occasions: Occasions | None = None,
) -> None:
    """Called in type-checking code only, so that mypy compares all signatures."""
