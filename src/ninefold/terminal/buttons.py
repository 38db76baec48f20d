"""The lines below the table that say what can be pressed. Knows actions and their keys, and no game."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from ninefold.terminal.actions import Action
from ninefold.terminal.paint import DIM, LIT, STRONG

NOW = LIT + Style(reverse=True)  # a button whose moment has come


def buttons(here: Sequence[Action], advice: str, width: int) -> Text:
    """The possible actions and a piece of advice, in lines that break only between actions."""
    on_grid = sorted((action for action in here if action.place is not None), key=lambda action: action.key)
    parts = [_places(on_grid)] if on_grid else []
    parts += [_button(action) for action in here if action.place is None]
    parts += [Text(advice, DIM)] if advice else []
    lines = [Text()]
    for part in parts:
        if lines[-1] and lines[-1].cell_len + 3 + part.cell_len > width:
            lines.append(Text())
        lines[-1].append("   " if lines[-1] else "").append_text(part)
    return Text("\n").join(lines)


def _button(action: Action) -> Text:
    click = Style(meta={"@click": f"app.press({action.key!r})"})
    key = f"[{action.key}] " if action.key else ""
    if action.lit:
        return Text(f"{key}{action.label}", NOW + click)
    return Text(key, LIT + click).append(action.label, STRONG + click)


def _places(on_grid: Sequence[Action]) -> Text:
    """The actions that have the numbers of places of a grid: `[1] to [9] Peek at this card`."""
    text = Text(f"[{on_grid[0].key}] ", LIT)
    if len(on_grid) > 1:
        text.append("to ", DIM).append(f"[{on_grid[-1].key}] ", LIT)
    return text.append(on_grid[0].label, STRONG).append("  (or arrows and Enter)", DIM)
