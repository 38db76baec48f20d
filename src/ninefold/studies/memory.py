"""How much memory a study takes: it keeps a row of numbers for each match, on the machine that asked."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from pathlib import Path

from ninefold.kernel.errors import RuleError
from ninefold.studies.decisions import Choices
from ninefold.studies.drama import Moments
from ninefold.studies.estimate import games_for, reach
from ninefold.studies.plan import Plan
from ninefold.studies.tables import Tables

NUMBER = 8  # bytes
COPIES = 4  # of all rows at once, while they are put together and looked at
GIGABYTE = 10**9
KINDS: dict[str, type[Tables]] = {"drama": Moments, "decisions": Choices}  # of rows; the ladder keeps none
BARE = 0.05  # the narrowest share of the wins that a seat is expected to have


def check(plan: Plan) -> None:
    """Refuse what cannot be kept, before anything is played. With a time given, that says how much it is."""
    if plan.seconds is not None and not plan.numbers:
        return
    needed, part = max((needs(plan, part), part) for part in plan.parts)
    free = free_memory()
    if needed <= free:
        return
    free_, takes = _gigabytes(free), f"{_gigabytes(needed)} of memory for the games of {part!r}"
    title = plan.game.facts.title
    if plan.numbers:
        fit = free / (needed / plan.numbers[part])
        raise RuleError(
            f"that many games of {title} take {takes}, and {free_} are free: about {int(fit):,} fit"
        )
    coarser = 100 * _rounded_up(plan.precision * math.sqrt(needed / max(1.0, free)))
    raise RuleError(
        f"a precision of {100 * plan.precision:g}% takes {takes} of {title}, and {free_} are free: "
        f"{coarser:g}% fits, or say with --seconds how long it may take"
    )


def needs(plan: Plan, part: str) -> float:
    """The bytes for a part of a study."""
    return COPIES * rows(plan, part) * row(plan, part)


def row(plan: Plan, part: str) -> float:
    """The bytes of a row."""
    if part == "ladder":
        return 0
    game = plan.game
    return NUMBER * KINDS.get(part, Tables).columns(game)


def rows(plan: Plan, part: str) -> int:
    """How many rows a part has, or will have."""
    seats = plan.game.players
    number = plan.numbers.get(part)
    if number is not None:
        return number * (seats if part == "luck" else 1)
    share = max(BARE, min(0.5, 1 / seats))
    spread = math.sqrt(share * (1 - share)) if part == "games" else 0.5
    return games_for(spread, plan.half(part), reach(1 if part == "games" else 0))


def free_memory() -> float:
    """The bytes that are free, as far as this machine tells."""
    found = [math.inf]
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        found += [1024.0 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
            found.append(float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE"))
    limit = Path("/sys/fs/cgroup/memory.max")  # of a container
    with suppress(OSError, ValueError, KeyError):
        used = float((limit.parent / "memory.current").read_text("ascii"))
        kinds = dict(line.split() for line in (limit.parent / "memory.stat").read_text("ascii").splitlines())
        found.append(
            float(limit.read_text("ascii")) - used + float(kinds["inactive_file"])
        )  # a cache gives way
    return max(0.0, min(found))


def _gigabytes(size: float) -> str:
    return f"{size / GIGABYTE:,.{0 if size >= 10 * GIGABYTE else 1}f} GB"


def _rounded_up(value: float) -> float:
    """To one digit."""
    step = 10.0 ** math.floor(math.log10(value))
    return math.ceil(value / step) * step
