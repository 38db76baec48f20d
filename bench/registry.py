"""The contests there are: one line for each game."""

from __future__ import annotations

from contest import Contest
from contest_baseball import BASEBALL
from contest_doubles import DOUBLES
from contest_finest9 import FINEST9
from contest_holdem9 import HANDS, HOLDEM9
from contest_multiple9 import MULTIPLE9
from contest_nine_of_a_kind import NINE_OF_A_KIND

CONTESTS: tuple[Contest, ...] = (BASEBALL, DOUBLES, FINEST9, HOLDEM9, HANDS, MULTIPLE9, NINE_OF_A_KIND)
