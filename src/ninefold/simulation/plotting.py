"""How plots look: the colours and lines of a study's pictures, for matplotlib (only needed for these)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ninefold.kernel.errors import NinefoldError

# Those of Okabe and Ito, darker where text or thin lines need it.
LIGHT = {
    "ink": "#1b1f24",
    "soft": "#57606a",
    "grid": "#d8dee4",
    "s1": "#0072b2",
    "s2": "#c04d00",
    "s3": "#00805c",
    "s4": "#b35a8c",
    "s5": "#a87400",
    "s6": "#6e7781",
    "on": "#fff",
}
PAPER = "#ffffff"
TEXT: Any = {"font.size": 11, "text.color": LIGHT["ink"], "axes.labelcolor": LIGHT["soft"]}


def panels(title: str, labels: Sequence[str], number: int) -> tuple[Any, list[Any]]:
    """A figure with some charts side by side that share a row for each label."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise NinefoldError("a plot needs matplotlib: install ninefold[plot]") from None
    with matplotlib.rc_context(TEXT):
        figure = Figure(
            figsize=(2 + 4 * number, 1.6 + 0.4 * len(labels)), layout="constrained", facecolor=PAPER
        )
        found = figure.subplots(1, number, sharey=True, squeeze=False)[0]
        figure.suptitle(title, fontweight="bold", x=0.01, ha="left")
    for axes in found:
        axes.set(yticks=list(range(len(labels))), yticklabels=labels, ylim=(len(labels) - 0.5, -0.5))
        axes.tick_params(length=0, labelcolor=LIGHT["soft"])
        axes.grid(axis="x", color=LIGHT["grid"])
        axes.set_axisbelow(True)
        axes.xaxis.set_major_locator(MaxNLocator(4))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        for side in axes.spines.values():
            side.set_visible(False)
    found[0].tick_params(axis="y", labelcolor=LIGHT["ink"])
    return figure, list(found)


def dots(
    axes: Any, values: Sequence[float], lows: Sequence[float], highs: Sequence[float], unit: str
) -> None:
    """Values with their intervals, a row each."""
    places = range(len(values))
    axes.hlines(places, lows, highs, color=LIGHT["s1"], linewidth=3)
    axes.plot(values, places, "o", color=LIGHT["s1"], markersize=8)
    axes.set_xlabel(unit)


def even(axes: Any, value: float) -> None:
    """A dashed line where all would be if they were alike."""
    axes.axvline(value, color=LIGHT["soft"], linewidth=1.5, linestyle=(0, (3, 2)))


def save(figure: Any, path: str | Path) -> None:
    """Write a figure; the ending of `path` says which kind of file."""
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise NinefoldError(f"the plot could not be written to {path}: {why}") from None
