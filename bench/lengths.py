"""How long a first match takes: `python bench/lengths.py --write` measures it and writes docs/lengths.md.

Bots play matches with the players, the options and the level that a first match is proposed with, and what
one of them is shown and asked is counted: how often it decides and rolls, what others do, and the big
moments. The seconds for each are those of the stage in the browser at normal speed (docs/client.md) and a
guess at how long a person thinks. Nothing here knows a game.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from pathlib import Path
from statistics import median

from ninefold.engine import registry
from ninefold.engine.cast import choose_bots
from ninefold.engine.chance import SeededChance
from ninefold.engine.clock import PACES, Clock
from ninefold.engine.game import Game
from ninefold.engine.match import BOT, Happened, Match, Seat
from ninefold.model.events import DECIDED

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lengths.md"
ME = 0  # the seat whose time is counted
SECONDS = {
    "decisions": 4.0,  # a person thinks,
    "of two": 1.5,  # not as long about one of two
    "rolls of mine": 1.0,  # a person throws the dice,
    "rolls": 1.7,  # and they land
    "turns of others": PACES["normal"],
    "big moments": 2.5,
    "sentences": 1.0,  # anything else that is shown by itself
    "quiet steps": 0.12,
    "looks": 15.0,  # at the cards, before a round in real time
    "seconds by the clock": 1.0,
    "moves by the clock": 0.0,  # nobody waits for them
}
INTRO = """# How long a match takes

Written by `python bench/lengths.py --write`: medians of {matches} matches among bots of level easy, with
the players and options that a first match is proposed with. Counted is what one player is asked and shown.
The seconds for each are those of the page at normal speed, {decisions:g} for a decision, and {two:g} for one
between two buttons.

"""
HEAD = (
    *("game", "players", "options", "decisions", "of two", "rolls of mine", "turns of others"),
    *("big moments", "minutes", "middle half"),
)
LINE = "|---|---:|---|" + "---:|" * 7
SHOWN = ("decisions", "of two", "rolls of mine", "turns of others", "big moments")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="by default all")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--write", action="store_true", help="write docs/lengths.md")
    asked = parser.parse_args()
    rows = [row(name, asked.matches, asked.players) for name in asked.games or registry.games()]
    intro = INTRO.format(matches=asked.matches, decisions=SECONDS["decisions"], two=SECONDS["of two"])
    text = intro + "\n".join([f"| {' | '.join(HEAD)} |", LINE, *rows]) + "\n"
    print(text)
    if asked.write:
        PAGE.write_text(text, "utf-8")


def row(name: str, matches: int, players: int | None = None) -> str:
    """A game's line of the table."""
    facts = registry.facts(name)
    seats = players or facts.first_players
    found = [counts(name, seats, seed) for seed in range(matches)]
    middle = {what: median(one[what] for one in found) for what in SHOWN}
    middle["decisions"] += median(one["moves by the clock"] for one in found)
    times = sorted(minutes(one) for one in found)
    low, high = (times[round(share * (matches - 1))] for share in (0.25, 0.75))
    options = ", ".join(f"{key}={value}" for key, value in facts.suggestions(seats).items()) or "usual"
    shown = " | ".join(f"{middle[what]:.0f}" for what in SHOWN)
    return f"| {facts.title} | {seats} | {options} | {shown} | {median(times):.0f} | {low:.0f}–{high:.0f} |"


def minutes(found: Counter[str]) -> float:
    return sum(SECONDS[what] * number for what, number in found.items()) / 60


def stated() -> dict[str, int]:
    """The minutes in the table, by title."""
    lines = re.findall(r"^\| (.+?) \|.*\| (\d+) \| \d+–\d+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {title: int(number) for title, number in lines}


def counts(name: str, players: int, seed: int) -> Counter[str]:
    """What one player is asked and shown in a match."""
    bots = choose_bots(name, ["mixed:easy"] * players, seed, [])
    seats = [Seat(BOT, *bot) for bot in bots]
    game = Game(name, players, registry.facts(name).suggestions(players))
    match = Match(game, seats, SeededChance(seed), bot_seed=seed)
    found: Counter[str] = Counter()
    note(found, match, match.begin())
    if match.realtime:
        by_the_clock(found, match, seed)
    while not match.over:
        for seat in match.waiting_for[: None if match.all_at_once else 1]:
            if seat == ME:
                choices = len(match.state.moves(seat))
                found["decisions" if choices > 2 else "of two" if choices == 2 else "sentences"] += 1
            elif seat != ME and not match.all_at_once:
                found["turns of others"] += 1
            note(found, match, match.let_bot(seat))
    return found


def by_the_clock(found: Counter[str], match: Match, seed: int) -> None:
    """Play a match in real time, on a clock that is moved to whatever is due next."""
    clock, now, number = Clock("normal", rng=random.Random(seed)), 0.0, 0
    while not match.over:
        if match.round != number:
            number = match.round
            found["looks"] += 1
        due = clock.schedule(match, now)[0]
        found["seconds by the clock"] += max(0.0, due.at - now)  # type: ignore[assignment]
        now = max(now, due.at)
        happened = match.pass_for(due.seat) if due.kind == "pass" else match.let_bot(due.seat)
        if not happened:
            clock.ask_again(due.seat)
        big = [one for one in shown(match, happened) if one.hold]
        found["big moments"] += len(big)
        found["moves by the clock"] += due.seat == ME and bool(happened)


def shown(match: Match, happened: list[Happened]) -> list:  # type: ignore[type-arg]
    moments = [one.moment for one in happened if one.moment]
    return [event for beat in match.beats(moments, ME) for event in beat.events]


def note(found: Counter[str], match: Match, happened: list[Happened]) -> None:
    """Count what is shown of some steps."""
    for event in shown(match, happened):
        if event.kind == DECIDED:
            continue
        if event.dice:
            found["rolls"] += 1
            found["rolls of mine"] += event.seat == ME
            continue
        found["big moments" if event.hold else "quiet steps" if event.quiet else "sentences"] += 1


if __name__ == "__main__":
    main()
