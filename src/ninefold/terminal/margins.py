"""What stands around the table on a full screen: the heading, and what happened last."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.paint import STRONG

_console = Console()


def heading(view: View, names: Sequence[str], pace: str) -> Text:
    """The game, how far the match is, and whose turn it is."""
    title = Text(f" {view.title}", STRONG).append(f"  {render(view.phase, names)}")
    whose = [names[seat] for seat in view.actors]
    if view.over:
        title.append("  the match is over")
    elif len(whose) == 1:
        title.append(f"  {whose[0]} to act", STRONG)
    return title.append(f"  pace {pace}")


def latest(history: Sequence[Event], names: Sequence[str], width: int, height: int) -> Text:
    """The latest events, as many as fit."""
    lines: list[Text] = []
    for event in reversed(history):
        if event.quiet:
            continue
        lines[:0] = Text(render(event.text, names)).wrap(_console, max(10, width))
        if len(lines) >= height:
            break
    return Text("\n").join(lines[-height:] if height > 0 else [])
