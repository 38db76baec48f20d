"""What all full-screen apps share: leaving, suspending, simple terminals.

Knows no match and no game.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.segment import Segment
from rich.terminal_theme import TerminalTheme
from textual.app import App
from textual.binding import Binding
from textual.color import Color
from textual.filter import LineFilter

from ninefold.terminal.paint import PLAIN, Signs, ascii_of

# The sixteen colours that cards are drawn in: each at least 4.5 to 1 against the background (WCAG AA).
COLOURS = TerminalTheme(
    (18, 18, 18),
    (224, 224, 224),
    [
        (72, 72, 72),
        (255, 107, 129),
        (126, 231, 135),
        (242, 204, 96),
        (121, 184, 255),
        (240, 139, 217),
        (86, 212, 221),
        (208, 215, 222),
    ],
    [
        (139, 148, 158),
        (255, 160, 87),
        (126, 231, 135),
        (242, 204, 96),
        (140, 160, 255),
        (240, 139, 217),
        (86, 212, 221),
        (255, 255, 255),
    ],
)

Answer = TypeVar("Answer")

_NO_COLOUR = bool(os.environ.get("NO_COLOR"))  # Textual removes it from the environment


class _Ascii(LineFilter):
    """Keeps everything that is drawn to ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 (the shape Textual asks for)
        return [Segment(ascii_of(text), style, control) for text, style, control in segments]


class BaseApp(App[Answer]):
    """A full screen that Ctrl-C leaves and Ctrl-Z suspends at any moment."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar = [
        Binding("ctrl+c,ctrl+q", "leave", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
    ]

    def __init__(self, signs: Signs) -> None:
        if _NO_COLOUR:
            os.environ["NO_COLOR"] = "1"
        super().__init__(ansi_color=_NO_COLOUR or None)
        self.ansi_theme_dark = COLOURS
        self.signs = signs
        self._own_filters = [_Ascii()] if signs is PLAIN else []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._own_filters]

    def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, lambda _: self._draw_again())

    def _draw_again(self) -> None:
        """Draw everything again: the terminal lost the screen while the process was suspended."""
        for screen in self.screen_stack:
            screen.refresh(layout=True)

    def action_leave(self) -> None:
        """Leave at once; every match is saved as it stands."""
        self.exit(None)
