"""How a match ended: who won, the standings, what stood out, and what to do next. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual import events

from ninefold.engine.beats import END
from ninefold.model.events import Why
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.paint import DIM, LIT, STRONG
from ninefold.terminal.screens import Page
from ninefold.terminal.table import Table, Viewer

MOST = 12  # players in the standings, besides the viewer
WHY: dict[Why, str] = {"decided": "Decided the match", "lead": "New leader", "big": "Big moment"}
KEYS = "Enter: the table   n: play another   Backspace: undo   q: leave"


class EndPage(Page):
    """The end of a match, over the table."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        super().__init__(lambda _: ending(table, viewer))

    def foot(self) -> str:
        return KEYS

    def on_key(self, event: events.Key) -> None:
        keys = {"n": "again", "q": "over", "backspace": "undo"}
        if event.key in keys:
            event.stop()
            event.prevent_default()  # the page's own keys, which close it
            self.dismiss(keys[event.key])


def ending(table: Table, viewer: Viewer) -> Text:
    """Who won and how, the standings, and up to three moments."""
    ends = [render(event.text, table.names, viewer) for event in table.log(viewer) if event.kind == END]
    text = Text(f"{ends[-1]}\n\n" if ends else "", LIT)
    lines = standings(table.view(viewer), table.names, table.game.facts.unit)
    width = max(len(name) for _, _, name, _ in lines)
    scores = max(len(score) for *_, score in lines)
    for place, seat, name, score in lines:
        style = STRONG if seat == viewer else ""
        text.append(f"{place:>3}  {name.ljust(width)}  {score.rjust(scores)}\n", style)
    for why, words in moments(table, viewer):
        text.append(f"\n{why}\n", DIM).append(f"{words}\n")
    return text


def standings(view: View, names: Sequence[str], unit: str) -> list[tuple[str, int, str, str]]:
    """Place, seat, name and score of the best players and of the viewer, the winners first."""
    better = -1 if view.lowest_wins else 1

    def rank(seat: int) -> tuple[bool, int, int]:
        return seat not in view.winners, -better * view.scores[seat], 0 if unit else _left(view, seat)

    order = sorted(range(view.players), key=rank)
    signed = unit and min(view.scores) < 0
    rows = []
    for at, seat in enumerate(order):
        if at < MOST or seat == view.seat:
            place = 1 + next(number for number, other in enumerate(order) if rank(other) == rank(seat))
            score = f"{view.scores[seat]:{'+' if signed and view.scores[seat] else ''},}"
            if not unit:
                score = _left_text(view, seat, names)
            rows.append(
                (
                    f"{place}." if view.winners else "",
                    seat,
                    names[seat] + (" (you)" if seat == view.seat else ""),
                    score,
                )
            )
    return rows


def _left(view: View, seat: int) -> int:
    """What a player has at the end where scores say only who won: the less, the nearer to winning."""
    stats = view.seats[seat].stats
    return stats[0].value if stats else 0


def _left_text(view: View, seat: int, names: Sequence[str]) -> str:
    """`13 cards left`."""
    stats = view.seats[seat].stats
    if not stats:
        return ""
    what = render(stats[0].label, names).lower()
    return f"{_left(view, seat) or 'no'} {what.removesuffix('s') if _left(view, seat) == 1 else what} left"


def moments(table: Table, viewer: Viewer) -> list[tuple[str, str]]:
    """What stood out: why and when, and what it was."""
    found = table.story(viewer).highlights
    return [
        (f"{WHY[one.why]} · {render(one.when, table.names)}", render(one.text, table.names, viewer))
        for one in found
    ]
