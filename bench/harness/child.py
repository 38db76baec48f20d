"""Plays one Python contestant in a process of its own and prints its outcomes; `run.py` starts it.

It plays once if games and a seed follow the line-up, else for each line of its input, so that it has to
load and compile only once.
"""

from __future__ import annotations

import json
import sys

from harness.registry import CONTESTS


def main() -> None:
    contest_name, contestant_name, lineup_index, *once = sys.argv[1:]
    contest = next(c for c in CONTESTS if c.name == contest_name)
    play, lineup = contest.contestant(contestant_name).play, contest.lineups[int(lineup_index)]
    if play is None:
        raise SystemExit(f"{contestant_name} is a program, not a Python function.")
    for line in [" ".join(once)] if once else sys.stdin:
        games, seed = map(int, line.split())
        print(json.dumps(play(lineup, games, seed)), flush=True)


if __name__ == "__main__":
    main()
