"""The conformance kit: laws every game must obey, playthroughs and tree counts.

To check a new game against all laws, run `ninefold.testkit.check(nf.make("mine"))`.
"""

from ninefold.testkit.laws import LAWS, BrokenLaw, check

__all__ = ["LAWS", "BrokenLaw", "check"]
