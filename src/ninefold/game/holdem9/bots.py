"""Compiled bots of Multiple 9 Hold'em. Each is handed the record for speed; a law proves that none peeks."""

from ninefold.game.holdem9.rules import legal
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below

RANDOM, EASY, MEDIUM, HARD, CALLER, RAISER = range(6)


@kernel
def random(s, seat, spans, stream):
    """Any legal move, all equally likely."""
    n = legal(s, seat, spans)
    first = spans[0, 1] - spans[0, 0] + 1
    if n == 1:
        return spans[0, 0] + below(stream, first)
    drawn = below(stream, first + spans[1, 1] - spans[1, 0] + 1)
    return spans[0, 0] + drawn if drawn < first else spans[1, 0] + drawn - first


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    return random(s, seat, spans, stream)
