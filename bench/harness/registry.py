"""The contests there are: whatever the folders of `contests/` hold, in the order of their names."""

from __future__ import annotations

from importlib import import_module

from harness.contest import Contest
from harness.measure import CONTESTS as FOLDER

GAMES = sorted(path.parent.name for path in FOLDER.glob("*/contest.py"))
CONTESTS: tuple[Contest, ...] = tuple(
    contest for game in GAMES for contest in import_module(f"contests.{game}.contest").CONTESTS
)
