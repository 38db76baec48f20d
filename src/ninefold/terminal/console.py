"""The terminal around us: what it can show, and lines in and out."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
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


_MARK = re.compile(r"\s*([-*]|\d+\.) ")  # where an item of a list begins


def page_folded(page: str) -> str:
    """A page in Markdown with its paragraphs and items of lists folded at words, and tables in columns."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    blocks: list[list[str]] = []
    for line in page.split("\n"):
        if blocks and _goes_on(blocks[-1], line):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return "\n".join(_columns(one) if _is_row(one[0]) else _block_folded(one, width) for one in blocks)


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _goes_on(block: Sequence[str], line: str) -> bool:
    """Whether a line belongs to the same table, item or paragraph."""
    if _is_row(line) or _is_row(block[0]):
        return _is_row(line) and _is_row(block[0])
    if not line.strip() or not block[0].strip() or block[0].startswith("#") or _MARK.match(line):
        return False
    return bool(_MARK.match(block[0])) or not line.startswith(" ")


def _columns(rows: Sequence[str]) -> str:
    """A table in columns, without its edges."""
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    cells = [row for row in cells if not set("".join(row)) <= {"-", ":"}]
    wide = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    lines = ["  ".join(cell.ljust(room) for cell, room in zip(row, wide, strict=False)) for row in cells]
    return "\n".join(line.rstrip() for line in lines)


def _block_folded(block: Sequence[str], width: int) -> str:
    text = " ".join([block[0].rstrip(), *(line.strip() for line in block[1:])])
    mark = _MARK.match(text)
    hang = " " * (mark.end() if mark else len(text) - len(text.lstrip()))
    return textwrap.fill(text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
