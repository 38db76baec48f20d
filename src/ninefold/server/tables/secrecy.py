"""What a seat knows that others cannot know, for any game: asked by dealing again, not by reading positions.

A game's `redeal` replaces everything that a viewer cannot know by another possibility. So a seat knows more
than a spectator if its view changes when everything is dealt again that a spectator cannot know; and a step
revealed something hidden to a seat if it cannot be repeated, or looks different, after another deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ninefold.engine import views
from ninefold.engine.beats import Moment
from ninefold.engine.chance import Step
from ninefold.engine.game import Game
from ninefold.engine.match import Match
from ninefold.engine.views import masked
from ninefold.kernel.errors import IllegalMove
from ninefold.kernel.fields import CHANCE
from ninefold.kernel.record import record_of
from ninefold.kernel.stream import new_stream

TRIES = 24  # deals: one hidden yes or no is missed once in 2**24 times
ENOUGH = 12  # deals that fit the draws that were made


def _redealt(game: Game, position: Any, viewer: int, number: int) -> Any:
    """A position with everything dealt again that a viewer (-1: a spectator) cannot know."""
    other = record_of(bytearray(position), game.layout)
    game.package.rules.redeal(other, viewer, new_stream(number))
    return other


def visible_to(game: Game, position: bytes, viewer: int | None) -> bytes:
    """What a viewer sees of a position, but for how many moves were made where everyone acts at any time."""
    return bytes(views.visible(game, masked(game, position, viewer)))


def knows_more(game: Game, position: Any, seat: int) -> bool:
    """Whether a seat sees something that a spectator cannot know."""
    if not game.facts.hidden:
        return False
    seen = masked(game, position, seat).tobytes()
    deals = (_redealt(game, position, -1, number) for number in range(TRIES))
    return any(masked(game, deal, seat).tobytes() != seen for deal in deals)


def has_secrets(game: Game, position: Any) -> bool:
    """Whether a position holds anything that a spectator cannot know."""
    if not game.facts.hidden:
        return False
    held = bytes(position)
    return any(_redealt(game, position, -1, number).tobytes() != held for number in range(TRIES))


def unnoticed(match: Match, mover: int, moments: Sequence[Moment]) -> bool:
    """Whether nobody but the mover can notice these steps: a sealed decision that was changed, a parcel
    replaced by another of its size."""
    game = match.game
    if not game.facts.hidden or len(moments) != 1 or moments[0].seat != mover:
        return False
    others = [None, *(seat for seat in range(game.players) if seat != mover)]
    return all(_misses(match, seat, moments[0]) for seat in others)


def _misses(match: Match, viewer: int | None, moment: Moment) -> bool:
    """Whether a viewer cannot notice a step."""
    perspectives = match.state.perspectives
    same = perspectives.at(viewer, moment.before).visible == perspectives.at(viewer, moment.after).visible
    return same and not perspectives.beats([moment], viewer)


class _Sight(NamedTuple):
    """A step, and what a seat saw after it."""

    step: Step
    view: bytes
    missed: bool  # the seat could not even notice it


def reveals(match: Match, seat: int, step: int) -> bool:
    """Whether the steps from `step` on showed a seat something that was hidden before them.

    The answer must not depend on what the seat does not know: it would learn it from the answer.
    """
    game = match.game
    if not game.facts.hidden:
        return False
    state = game.start(manual=True)
    for who, text, _ in match.steps[:step]:
        state.apply(who, state.admit(who, text))
    origin, since = state.tobytes(), []
    for one in match.steps[step:]:
        before, action = state.tobytes(), state.admit(one.seat, one.text)
        state.apply(one.seat, action)
        moment = Moment(before, one.seat, action, state.tobytes())
        missed = one.seat not in (seat, CHANCE) and _misses(match, seat, moment)
        since.append(_Sight(one, masked(game, state.position, seat).tobytes(), missed))
    fitting = 0
    for number in range(4 * TRIES):
        found = _compare(game, _redealt(game, origin, seat, number), since, seat)
        if found:
            return True
        fitting += found is False
        if fitting >= ENOUGH:
            return False
    return fitting == 0  # no other deal fits what was drawn: better to think that something was shown


def _compare(game: Game, deal: Any, since: Sequence[_Sight], seat: int) -> bool | None:
    """Whether a seat can tell another deal from the true one by these steps; None if it does not fit what was
    drawn. Steps that it could not notice are left out: in another deal they may not have been made."""
    state = game.start(manual=True)
    state.position = deal
    for (who, text, _), true, missed in since:
        if missed:
            continue
        try:
            state.apply(who, state.admit(who, text))
        except IllegalMove:
            return None if who == CHANCE else True
        if masked(game, state.position, seat).tobytes() != true:
            return True
    return False
