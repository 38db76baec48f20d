"""A tournament in words: lines of text, for the terminal and for pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ninefold.model.facts import option_text
from ninefold.simulation.ratings import ANCHOR
from ninefold.simulation.text import aligned

if TYPE_CHECKING:
    from ninefold.simulation.tournament import Played, Rating, Standing, Tournament


def scale(found: Tournament) -> str:
    """What ratings count."""
    if found.by_score:
        return f"{found.unit or 'points'} a game more than {found.anchor}"
    return f"rating (Elo, {found.anchor}: {ANCHOR:,})"


def lines(found: Tournament) -> list[str]:
    options = ", ".join(f"{name} {option_text(value)}" for name, value in found.options.items())
    head = found.title + (f", {options}" if options else "")
    count = f"{len(found.played):,} line-ups of {found.games:,} games"
    page = [f"{head}: {count} in {found.seconds:.1f} s, seed {found.seed}"]
    if found.interrupted:
        page.append("Interrupted: this is the result so far.")
    unfinished = sum(one.unfinished for one in found.played)
    if unfinished:
        page.append(f"{unfinished:,} games were unfinished and are not counted.")
    if found.ratings:
        page += ["", *aligned(rating_rows(found))]
    for players in sizes(found):
        rows = matrix(found, players)
        if len(rows) > 1:
            page += ["", caption(found, players), *aligned(rows)]
        rows = mixed_rows(found, players)
        if rows:
            page += ["", f"{players} players, mixed:", *aligned(rows)]
    return page


def sizes(found: Tournament) -> list[int]:
    return sorted({len(one.bots) for one in found.played})


def rating_rows(found: Tournament) -> list[list[str]]:
    """The ratings, best first."""
    digits = 1 if found.by_score else 0
    rows = [
        [one.bot, f"{one.rating:+.1f}" if digits else f"{one.rating:.0f}", margin_of(found, one, digits)]
        for one in found.ratings
    ]
    return [["bot", scale(found), "± 95 %"], *rows]


def margin_of(found: Tournament, one: Rating, digits: int) -> str:
    return "–" if one.bot == found.anchor else f"{one.margin:.{digits}f}"


def caption(found: Tournament, players: int) -> str:
    """What a matrix shows."""
    what = f"{found.unit or 'points'} a game above the table's average" if found.by_score else "games won, %"
    if players == 2:
        return f"2 players, {what}: the bot on the left against the one above"
    even = "" if found.by_score else f" (even: {100 / players:.1f})"
    return f"{players} players, {what}: one of the bot on the left among {players - 1} of the one above{even}"


def matrix(found: Tournament, players: int, only: Sequence[str] = ()) -> list[list[str]]:
    """One bot among others alike: a row for each bot, a column for the others; only rows with a result."""
    bots = [one.bot for one in found.ratings if not only or one.bot in only]
    rows = [[bot, *(cell(found, bot, other, players) for other in bots)] for bot in bots]
    columns = [at for at in range(1, len(bots) + 1) if any(row[at] for row in rows)]
    kept = [row for row in rows if any(row[1:])]
    return [
        ["", *(bots[at - 1] for at in columns)],
        *([row[0], *(row[at] or "·" for at in columns)] for row in kept),
    ]


def cell(found: Tournament, bot: str, other: str, players: int) -> str:
    one = found.find((bot, *[other] * (players - 1))) if bot != other else None
    if one is None or not one.standings:
        return ""
    if found.by_score:
        edge, margin = one.edge(bot, by_score=True)
        return f"{edge:+.1f} ± {margin:.1f}"
    return percent(one.of(bot))


def percent(one: Standing) -> str:
    """A share with its 95 % interval."""
    return f"{100 * one.share:.1f} ({100 * one.low:.1f}–{100 * one.high:.1f})"


def mixed_rows(found: Tournament, players: int) -> list[list[str]]:
    """Tables of more than two kinds, and of two that both sit more than once."""
    return [
        [", ".join(seated(one)), *result(found, one)]
        for one in found.played
        if len(one.bots) == players and one.standings and min(s.seats for s in one.standings) < players
        if len(one.standings) > 2 or min(s.seats for s in one.standings) > 1
    ]


def seated(one: Played) -> list[str]:
    return [f"{s.seats} × {s.bot}" if s.seats > 1 else s.bot for s in one.standings]


def result(found: Tournament, one: Played) -> Sequence[str]:
    """What each seat of each bot got."""
    if found.by_score:
        cells = [f"{s.score - one.even_score:+.1f} ± {s.score_margin:.1f}" for s in one.standings]
    else:
        cells = [percent(s) for s in one.standings]
    return [" / ".join(cells)]
