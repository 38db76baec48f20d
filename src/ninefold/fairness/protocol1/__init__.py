"""The first protocol of fair draws, kept so that what began under it can be finished and verified.

It proves less: the first commitments were published with the first deal, and the server chose the ids of
bots' moves, on which later draws depended.
"""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.engine.chance import Step
from ninefold.fairness.protocol1 import promises
from ninefold.fairness.protocol1.chance import PromisedChance, Unrecorded
from ninefold.fairness.protocol1.proof import prove, verify

__all__ = ["PromisedChance", "begin", "missing", "prove", "verify"]


def begin(secret: bytes, sat: Sequence[str], command: str) -> PromisedChance:
    """The chance of a match, from the ids of the commands that joined and started."""
    steps = [Step(seat, "sit", one) for seat, one in enumerate(sat) if one]
    return PromisedChance(secret, Unrecorded(0, (*steps, Step(0, "start", command))))


def missing(secret: bytes, draws: int, have: int) -> list[str]:
    """The commitments to publish now."""
    return [promises.commitment(secret, segment) for segment in range(have, draws // promises.SEGMENT + 2)]
