"""The contests there are: one line for each game."""

from __future__ import annotations

from contest import Contest
from contest_baseball import BASEBALL
from contest_doubles import DOUBLES
from contest_finest9 import FINEST9
from contest_multiple9 import MULTIPLE9

CONTESTS: tuple[Contest, ...] = (BASEBALL, DOUBLES, FINEST9, MULTIPLE9)
