"""`ninefold odds`: the odds of Hold'em hands on the command line, as text, JSON or a picture."""

from __future__ import annotations

import json

import click

from ninefold.game.holdem9 import odds as counting
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.errors import NinefoldError, RuleError

EXAMPLES = """\b
Examples:
  ninefold odds "K K" --players 3
  ninefold odds "K K" "8 7" --board "J 7 9"
  ninefold odds --chart --plot chart.png
"""
WEAK, STRONG = 0.25, 0.75  # equities between which a picture is coloured


@click.command(epilog=EXAMPLES)
@click.argument("hands", nargs=-1)
@click.option(
    "--players", type=int, default=None, help="Players at the table; those without a hand hold any cards."
)
@click.option("--board", default="", help="The cards on the board: 3, 4 or 5, or none.")
@click.option(
    "--samples", type=int, default=None, help="Draw this many deals at random instead of counting all."
)
@click.option("--seed", type=int, default=None, help="Repeat the same deals.")
@click.option("--chart", "chart_", is_flag=True, help="All 91 starting hands against one hand of any cards.")
@click.option(
    "--plot", type=click.Path(dir_okay=False), default=None, help="The chart as a picture (.png, .svg)."
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def odds(
    hands: tuple[str, ...],
    players: int | None,
    board: str,
    samples: int | None,
    seed: int | None,
    chart_: bool,
    plot: str | None,
    json_: bool,
) -> None:
    """Show how often HANDS of Multiple 9 Hold'em win, if nobody folds.

    A hand is one argument: "K K". The answer is exact if that takes only seconds; it says which.
    """
    if chart_ or plot:
        if hands or board or players is not None:
            raise RuleError("a chart compares all hands with one: leave out hands, --players and --board")
        _show_chart(counting.chart(), plot, json_)
        return
    found = counting.odds(*hands, players=players, board=board, seed=seed, samples=samples)
    if json_:
        click.echo(json.dumps(found.json(), indent=2))
        return
    on = f" on the board {found.board}" if found.board else ""
    unknown = found.players - len(found.hands)
    rest = f", {unknown} of them with any cards" if unknown else ""
    click.echo(f"{found.players} players{rest}{on}: {found.method}.")
    for hand in found.hands:
        margin = f" ± {100 * hand.margin:.2f}" if not found.exact else ""
        click.echo(
            f"{hand.cards:>5}: {100 * hand.equity:6.2f} %{margin} of the pot"
            f" (wins {100 * hand.win:.2f} %, shares {100 * hand.tie:.2f} %)"
        )


def _show_chart(entries: list[tuple[str, float]], plot: str | None, json_: bool) -> None:
    if plot:
        _picture(entries, plot)
    if json_:
        click.echo(json.dumps([{"cards": cards, "equity": equity} for cards, equity in entries], indent=2))
    elif not plot:
        click.echo(grid(entries))


def _cells(entries: list[tuple[str, float]]) -> dict[tuple[int, int], float]:
    """Equities by the places of both ranks, the higher first."""
    cells = {}
    for cards, equity in entries:
        high, low = (STANDARD.ranks.index(rank) for rank in cards.split())
        cells[high, low] = equity
    return cells


def grid(entries: list[tuple[str, float]]) -> str:
    """The chart as text: a row for the higher card, a column for the lower one, per cent of the pot."""
    cells = _cells(entries)
    size = range(len(STANDARD.ranks))
    lines = ["Per cent of the pot against one hand of any cards (exact)", ""]
    for high in reversed(size):
        row = "".join(f"{100 * cells[high, low]:6.1f}" for low in size if low <= high)
        lines.append(f"{STANDARD.ranks[high]:>3} {row}")
    lines.append("    " + "".join(f"{STANDARD.ranks[low]:>6}" for low in size))
    best = ", ".join(f"{cards} {100 * equity:.1f}" for cards, equity in entries[:5])
    worst = ", ".join(f"{cards} {100 * equity:.1f}" for cards, equity in entries[-5:])
    return "\n".join([*lines, "", f"Best: {best}", f"Worst: {worst}"])


def _picture(entries: list[tuple[str, float]], path: str) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NinefoldError("a plot needs matplotlib: install ninefold[plot]") from None
    cells = _cells(entries)
    ranks = STANDARD.ranks
    places = range(len(ranks))
    table = [[100 * cells.get((high, low), float("nan")) for low in places] for high in places]
    figure = Figure(figsize=(8, 7.5), layout="constrained")
    axes = figure.subplots()
    axes.imshow(table, cmap="RdYlGn", vmin=100 * WEAK, vmax=100 * STRONG, origin="lower")
    for (high, low), equity in cells.items():
        axes.text(low, high, f"{100 * equity:.0f}", ha="center", va="center", fontsize=9)
    axes.set_xticks(places, ranks)
    axes.set_yticks(places, ranks)
    axes.set(xlabel="lower card", ylabel="higher card")
    axes.set_title("Multiple 9 Hold'em: per cent of the pot against one hand of any cards")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise NinefoldError(f"the picture could not be written to {path}: {error}") from None
