"""Plays one Python contestant in a process of its own and prints its outcome; `run.py` starts it."""

from __future__ import annotations

import json
import sys

from harness.registry import CONTESTS


def main() -> None:
    contest_name, contestant_name, lineup_index, games, seed = sys.argv[1:]
    contest = next(c for c in CONTESTS if c.name == contest_name)
    play = contest.contestant(contestant_name).play
    if play is None:
        raise SystemExit(f"{contestant_name} is a program, not a Python function.")
    print(json.dumps(play(contest.lineups[int(lineup_index)], int(games), int(seed))))


if __name__ == "__main__":
    main()
