"""What stands around the table on a full screen: the heading, and what happened last."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from ninefold.engine.look import READY
from ninefold.model.events import DECIDED, Event
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.paint import ALARM, STRONG

BIG = Style(color="green", bold=True, reverse=True)
_console = Console()


def heading(view: View, names: Sequence[str], pace: str, asked: int | None) -> Text:
    """The game, how far the match is, and whose turn it is; `asked` is who has to decide at this screen."""
    title = Text(f" {view.title}", STRONG).append(f"  {render(view.phase, names)}")
    if view.over:
        title.append("  the match is over")
    elif asked is not None:
        title.append(f"  {names[asked]}, your turn", STRONG)
    elif READY in view.moves:
        title.append("  Look at your cards", STRONG)
    elif len(view.actors) == 1:
        title.append(f"  {names[view.actors[0]]} to act", STRONG)
    return title.append(f"  pace {pace}")


def is_listed(event: Event) -> bool:
    """Whether an event has a line: who has decided in secret is seen at the seats."""
    return not event.quiet and event.kind != DECIDED


def latest(
    history: Sequence[Event], news: int, names: Sequence[str], viewer: int | None, width: int, height: int
) -> Text:
    """The latest events, as many as fit; the last `news` of them have just happened."""
    lines: list[Text] = []
    for back, event in enumerate(reversed(history)):
        if is_listed(event):
            lines[:0] = _listed(event, back < news, names, viewer, width)
        if len(lines) >= height:
            break
    return Text("\n").join(lines[-height:] if height > 0 else [])


def _listed(event: Event, is_new: bool, names: Sequence[str], viewer: int | None, width: int) -> list[Text]:
    """One event in lines; a big moment is a banner while it is new."""
    big = event.hold and is_new
    style = (ALARM if event.dice else BIG) if big else STRONG if is_new else Style.null()
    lines = Text(render(event.text, names, viewer), style).wrap(_console, max(10, width - 2 * big))
    return [Text(f" {line.plain.ljust(width - 2)} ", style) for line in lines] if big else list(lines)
