"""Where a compiled bot finds its temper among its parameters, so that one level can be played in many ways.

All zero is the level itself. Each game reads them as it likes; a game where they mean nothing ignores them.
"""

BOLDNESS = 6  # the place of a number from -2 (cautious) to 2 (bold)
HABIT = 7  # the place of one of these
NO_HABIT, STUBBORN, COPYCAT = range(3)
