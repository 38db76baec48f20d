"""The result of a simulation, as numbers, JSON, a table or a picture."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.kernel import statistics
from ninefold.kernel.errors import NinefoldError

if TYPE_CHECKING:
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

    @classmethod
    def gather(
        cls,
        simulation: Simulation,
        threads: int,
        total: Tally,
        histogram: Any,
        bits: int,
        seconds: float,
        interrupted: bool,
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
            threads=threads,
            games=int(total.counts[statistics.DONE]),
            unfinished=int(total.counts[statistics.UNFINISHED]),
            wins=[float(share) for share in total.wins[0]],
            wins_squared=[float(square) for square in total.wins[1]],
            scores=summaries[:seats],
            length=Length(*summaries[seats : seats + 2]),
            tallies=dict(zip(game.facts.tallies, summaries[seats + 2 :], strict=True)),
            seconds=seconds,
            interrupted=interrupted,
        )

    @property
    def finished(self) -> int:
        return self.games - self.unfinished

    def share(self, seat: int) -> float:
        """The share of finished games that a seat won."""
        return self.wins[seat] / self.finished if self.finished else 0.0

    def margin(self, seat: int) -> float:
        """Half the width of the 95 % interval around that share; valid for few games, too."""
        if not self.finished:
            return 0.0
        variance = max(0.0, self.wins_squared[seat] - self.finished * self.share(seat) ** 2)
        return 1.96 * math.sqrt(variance + 1) / (self.finished + 4)

    def json(self) -> str:
        """Everything, as JSON text."""
        return (
            json.dumps(asdict(self), indent=2, allow_nan=False, default=float)
            if self.finished
            else json.dumps({**asdict(self), "scores": [], "length": None, "tallies": {}}, indent=2)
        )

    def table(self) -> str:
        """Everything a person wants to know, as lines of text."""
        options = ", ".join(f"{name} {value}" for name, value in self.options.items())
        pace = self.games / self.seconds if self.seconds else 0.0
        head = f"{self.title}, {len(self.bots)} players" + (f", {options}" if options else "")
        lines = [f"{head}: {self.games:,} games in {self.seconds:.2f} s ({_short(pace)}/s), seed {self.seed}"]
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
        rows = [("seat", "bot", "wins", "± 95 %", "mean score", "sd", "5 %", "median", "95 %")]
        for seat, (bot, score) in enumerate(zip(self.bots[:ROWS], self.scores[:ROWS], strict=True)):
            rows.append(
                (
                    str(seat),
                    bot,
                    f"{100 * self.share(seat):.2f} %",
                    f"{100 * self.margin(seat):.2f}",
                    f"{score.mean:,.1f}",
                    _short(score.sd),
                    f"{score.quantiles[0.05]:,}",
                    f"{score.median:,}",
                    f"{score.quantiles[0.95]:,}",
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if column == 1 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        if len(self.bots) > ROWS:
            lines.append(f"… and {len(self.bots) - ROWS:,} more seats (all of them in --json)")
        return lines

    def plot(self, path: str | Path) -> None:
        """A picture of win shares and scores by seat; the ending of `path` says which kind of file."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise NinefoldError("a plot needs matplotlib: install ninefold[plot]") from None
        labels = [f"{seat}: {bot}" for seat, bot in enumerate(self.bots[:ROWS])]
        figure = Figure(figsize=(10, 1.2 + 0.45 * len(labels)), layout="constrained")
        wins, scores = figure.subplots(1, 2, sharey=True)
        places = range(len(labels))
        wins.barh(
            places,
            [100 * self.share(seat) for seat in places],
            xerr=[100 * self.margin(seat) for seat in places],
        )
        wins.set(yticks=list(places), yticklabels=labels, xlabel="games won, %", title="Wins")
        wins.invert_yaxis()
        for seat in places:
            marks = self.scores[seat].quantiles
            scores.plot([marks[0.05], marks[0.95]], [seat, seat], color="0.6", linewidth=3, zorder=1)
            scores.plot([marks[0.25], marks[0.75]], [seat, seat], color="0.3", linewidth=7, zorder=2)
            scores.plot(marks[0.5], seat, "o", color="white", markersize=4, zorder=3)
        scores.set(xlabel="score: median, middle half, 5 to 95 %", title="Scores")
        figure.suptitle(f"{self.title}: {self.games:,} games")
        try:
            figure.savefig(path)
        except (OSError, ValueError) as error:
            raise NinefoldError(f"the plot could not be written to {path}: {error}") from None


def _line(name: str, summary: Summary) -> str:
    marks = summary.quantiles
    return f"{name}: {summary.mean:,.2f} on average, {marks[0.05]:,} to {marks[0.95]:,} in nine of ten"


def _short(number: float) -> str:
    """A number in few characters: 1,234, 56.7 million."""
    for size, word in ((1e12, "e12"), (1e9, " billion"), (1e6, " million")):
        if abs(number) >= size:
            return f"{number:.3g}" if size == 1e12 else f"{number / size:.3g}{word}"
    return f"{number:,.0f}"
