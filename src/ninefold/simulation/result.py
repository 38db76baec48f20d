"""The result of a simulation, as numbers, JSON, a table or a picture."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.engine.registry import facts
from ninefold.kernel import statistics
from ninefold.model.facts import option_text
from ninefold.simulation import plotting
from ninefold.simulation.intervals import wilson
from ninefold.simulation.text import aligned

if TYPE_CHECKING:
    from ninefold.simulation.executors import Report
    from ninefold.simulation.run import Simulation, Tally

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
ROWS = 20  # a table shows up to this many seats


@dataclass(frozen=True)
class Summary:
    """A series of numbers: mean, standard deviation, extremes and quantiles."""

    mean: float
    sd: float
    lowest: int
    highest: int
    quantiles: dict[float, int]

    @property
    def median(self) -> int:
        return self.quantiles[0.5]

    @classmethod
    def of(cls, moments: Any, histogram: Any, bits: int) -> Summary:
        count = int(moments[statistics.COUNT])
        if count == 0:
            return cls(math.nan, math.nan, 0, 0, dict.fromkeys(QUANTILES, 0))
        spread = math.sqrt(max(0.0, moments[statistics.SQUARES] / (count - 1))) if count > 1 else 0.0
        lowest, highest = int(moments[statistics.LOWEST]), int(moments[statistics.HIGHEST])
        below = np.cumsum(histogram)
        values = {}
        for share in QUANTILES:
            bucket = int(np.searchsorted(below, math.ceil(share * count)))
            values[share] = min(highest, max(lowest, statistics.bucket_value(bucket, bits)))
        return cls(float(moments[statistics.MEAN]), spread, lowest, highest, values)


@dataclass(frozen=True)
class Length:
    """How long games were."""

    decisions: Summary
    turns: Summary


@dataclass(frozen=True)
class Result:
    """The outcome of `nf.simulate`. Unfinished games count in `games` only, not in wins or scores."""

    game: str
    title: str
    version: int
    options: dict[str, Any]
    bots: list[str]
    seed: int
    limit: int
    threads: int
    games: int
    unfinished: int
    wins: list[float]
    wins_squared: list[float]  # the sum of squared shares, for the interval
    scores: list[Summary]
    length: Length
    tallies: dict[str, Summary]
    seconds: float
    interrupted: bool
    rotated: bool = False  # then `wins` and `scores` are those of bots, in the order given, not of seats

    @classmethod
    def gather(
        cls,
        simulation: Simulation,
        total: Tally,
        histogram: Any,
        bits: int,
        report: Report,
    ) -> Result:
        game = simulation.game
        summaries = [Summary.of(*row, bits) for row in zip(total.moments, histogram, strict=True)]
        seats = game.players
        return cls(
            game=game.name,
            title=game.facts.title,
            version=game.facts.version,
            options=dict(game.options),
            bots=[player.name for player in simulation.players],
            seed=simulation.seed,
            limit=simulation.limit,
            threads=report.workers,
            games=int(total.counts[statistics.DONE]),
            unfinished=int(total.counts[statistics.UNFINISHED]),
            wins=[float(share) for share in total.wins[0]],
            wins_squared=[float(square) for square in total.wins[1]],
            scores=summaries[:seats],
            length=Length(*summaries[seats : seats + 2]),
            tallies=dict(zip(game.facts.tallies, summaries[seats + 2 :], strict=True)),
            seconds=report.seconds,
            interrupted=report.interrupted,
            rotated=simulation.turns > 1,
        )

    @property
    def finished(self) -> int:
        return self.games - self.unfinished

    def share(self, seat: int) -> float:
        """The share of finished games that a seat won."""
        return self.wins[seat] / self.finished if self.finished else 0.0

    def interval(self, seat: int) -> tuple[float, float]:
        """The ends of that share's 95 % interval, which is Wilson's: right for few games, too."""
        if not self.finished:
            return 0.0, 1.0
        share, games = self.share(seat), self.finished
        return wilson(share, max(0.0, self.wins_squared[seat] / games - share**2), games)

    def margin(self, seat: int) -> float:
        """Half the width of that interval, in whose middle the share is only where games are many."""
        low, high = self.interval(seat)
        return (high - low) / 2 if self.finished else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        found = asdict(self)
        if not self.finished:
            found |= {"scores": [], "length": None, "tallies": {}}
        return found

    def to_frame(self) -> dict[str, list[Any]]:
        """One row for each seat, as lists by column: what `pandas.DataFrame` and `polars.DataFrame` take."""
        seats = range(len(self.bots))
        scores = self.scores if self.finished else [None] * len(self.bots)
        return {
            "seat": list(seats),
            "bot": list(self.bots),
            "games": [self.finished] * len(self.bots),
            "wins": list(self.wins),
            "share": [self.share(seat) for seat in seats],
            "margin": [self.margin(seat) for seat in seats],
            "low": [self.interval(seat)[0] for seat in seats],
            "high": [self.interval(seat)[1] for seat in seats],
            "score_mean": [score and score.mean for score in scores],
            "score_sd": [score and score.sd for score in scores],
            **{
                f"score_{share:g}": [score and score.quantiles[share] for score in scores]
                for share in QUANTILES
            },
        }

    def json(self) -> str:
        """Everything, as JSON text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False, default=float)

    def table(self) -> str:
        """Everything a person wants to know, as lines of text."""
        options = ", ".join(f"{name} {option_text(value)}" for name, value in self.options.items())
        pace = self.games / self.seconds if self.seconds else 0.0
        head = f"{self.title}, {len(self.bots)} players" + (f", {options}" if options else "")
        lines = [f"{head}: {self.games:,} games in {self.seconds:.2f} s ({_short(pace)}/s), seed {self.seed}"]
        if self.rotated:
            lines.append("Seats rotated: each line is a bot at every seat in turn.")
        if self.interrupted:
            lines.append("Interrupted: this is the result so far.")
        if self.unfinished:
            lines.append(
                f"{self.unfinished:,} games were unfinished after {self.limit:,} turns and are not counted."
            )
        if not self.finished:
            return "\n".join(lines)
        lines += ["", *self._seats(), ""]
        lines.append(_line("decisions a game", self.length.decisions))
        lines.append(_line("turns a game", self.length.turns))
        lines += [_line(name, summary) for name, summary in self.tallies.items()]
        return "\n".join(lines)

    def _seats(self) -> list[str]:
        rows = self._by_score() if facts(self.game).by_score else self._by_wins()
        lines = aligned([row[1:] for row in rows], 0) if self.rotated else aligned(rows, 1)
        if len(self.bots) > ROWS:
            lines.append(f"… and {len(self.bots) - ROWS:,} more seats (all of them in --json)")
        return lines

    def _by_wins(self) -> list[list[str]]:
        """The table's cells where the win is what counts."""
        rows = [["seat", "bot", "wins", "95 % interval", "mean score", "sd", "5 %", "median", "95 %"]]
        for seat, (bot, score) in enumerate(zip(self.bots[:ROWS], self.scores[:ROWS], strict=True)):
            low, high = self.interval(seat)
            wins = [f"{100 * self.share(seat):.2f} %", f"{100 * low:.2f}–{100 * high:.2f}"]
            rows.append([str(seat), bot, *wins, f"{score.mean:,.1f}", _short(score.sd), *_marks(score)])
        return rows

    def _by_score(self) -> list[list[str]]:
        """The same where the score is what counts: who wins most hands of Hold'em may lose most chips."""
        hands = self.tallies["hands"].mean if "hands" in self.tallies else 1.0
        titles = [facts(self.game).unit, "± 95 %", *(["a hand"] if hands > 1 else [])]
        rows = [["seat", "bot", *titles, "sd", "5 %", "median", "95 %", "wins"]]
        for seat, (bot, score) in enumerate(zip(self.bots[:ROWS], self.scores[:ROWS], strict=True)):
            mean = [f"{score.mean:+,.1f}", f"{1.96 * score.sd / math.sqrt(self.finished):,.1f}"]
            each = [f"{score.mean / hands:+,.2f}"] if hands > 1 else []
            wins = f"{100 * self.share(seat):.2f} %"
            rows.append([str(seat), bot, *mean, *each, _short(score.sd), *_marks(score), wins])
        return rows

    def plot(self, path: str | Path) -> None:
        """A picture of win shares and scores by seat; the ending of `path` says which kind of file."""
        bots = self.bots[:ROWS]
        labels = list(bots) if self.rotated else [f"{seat}: {bot}" for seat, bot in enumerate(bots)]
        seats = range(len(labels))
        figure, (wins, scores) = plotting.panels(f"{self.title}: {self.games:,} games", labels, 2)
        ends = [self.interval(seat) for seat in seats]
        shares = [100 * self.share(seat) for seat in seats]
        lows, highs = ([100 * one[side] for one in ends] for side in (0, 1))
        plotting.dots(wins, shares, lows, highs, "wins, %; dashed: even")
        plotting.even(wins, 100 * sum(self.wins) / max(1, self.finished) / len(self.bots))
        for seat in seats:
            marks = self.scores[seat].quantiles
            colours = plotting.LIGHT
            scores.hlines(seat, marks[0.05], marks[0.95], color=colours["s6"], linewidth=3)
            scores.hlines(seat, marks[0.25], marks[0.75], color=colours["s1"], linewidth=9)
            scores.plot(
                marks[0.5], seat, "o", color=colours["on"], markeredgecolor=colours["s1"], markersize=6
            )
        scores.set_xlabel("scores: median, half, nine of ten")
        plotting.save(figure, path)


def _marks(score: Summary) -> list[str]:
    return [f"{score.quantiles[share]:,}" for share in (0.05, 0.5, 0.95)]


def _line(name: str, summary: Summary) -> str:
    marks = summary.quantiles
    if name.startswith("games ") and summary.highest <= 1:  # counted once a game at most
        return f"{name}: {summary.mean:.2%}"
    return f"{name}: {summary.mean:,.2f} on average, {marks[0.05]:,} to {marks[0.95]:,} in nine of ten"


def _short(number: float) -> str:
    """A number in few characters: 1,234, 56.7 million."""
    for size, word in ((1e12, "e12"), (1e9, " billion"), (1e6, " million")):
        if abs(number) >= size:
            return f"{number:.3g}" if size == 1e12 else f"{number / size:.3g}{word}"
    return f"{number:,.0f}" if abs(number) >= 10 else f"{number:.2g}"
