"""The terminal around us: what it can show, and lines in and out."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ninefold.kernel.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.terminal.paint import Signs

WIDEST = 100  # columns of running text


def full_screen() -> bool:
    """Whether there is a terminal to draw on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def speaks_unicode() -> bool:
    """Whether the terminal claims to understand more than ASCII."""
    if sys.flags.utf8_mode and not os.environ.get("PYTHONUTF8"):
        return False  # the locale is C: Python has set LC_CTYPE by itself
    said = next((os.environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(key)), "")
    return "utf" in said.lower()


def write_file(path: str, text: str) -> None:
    """Write a file; a new one that could not be written is not left behind."""
    is_new = not Path(path).exists()
    try:
        Path(path).write_text(text + "\n", "utf-8")
    except OSError as error:
        if is_new:
            Path(path).unlink(missing_ok=True)
        raise NinefoldError(f"{path} cannot be written: {error.strerror}") from None


def own_signs() -> Signs:
    """The characters to draw with."""
    from ninefold.terminal.paint import FINE, PLAIN

    return FINE if speaks_unicode() else PLAIN


def _shown(text: str) -> str:
    from ninefold.terminal.paint import ascii_of

    return text if speaks_unicode() else ascii_of(text)


def say_line(text: str) -> None:
    """Print a line, in ASCII if the terminal understands nothing else."""
    click.echo(_shown(text))


def read_line(prompt: str) -> str:
    """Ask for a line; EOFError at the end of the input."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 (gives the line its arrow keys)
        return input(_shown(prompt))
    click.echo(_shown(prompt), nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise EOFError
    click.echo(line.rstrip("\n"))
    return line.rstrip("\n")


def folded(text: str, hang: int = 0) -> str:
    """Wrap a text to fit the terminal; the lines after a first one are indented like it, or by `hang`."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=" " * (hang or len(line) - len(line.lstrip())))
        for line in text.split("\n")
    )
