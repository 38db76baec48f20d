"""The conformance kit: laws every game must obey, playthroughs and tree counts.

Whoever adds a game runs `ninefold.testkit.check(nf.make("mine"))` and has it held to all of them.
"""

from ninefold.testkit.laws import LAWS, BrokenLaw, check

__all__ = ["LAWS", "BrokenLaw", "check"]
