"""A number that a person types into a move."""

from __future__ import annotations

from ninefold.kernel.errors import NinefoldError
from ninefold.model.view import Number
from ninefold.terminal.table import Table
from ninefold.terminal.wording import error_text


def with_number(number: Number, text: str) -> str:
    return f"{number.verb} {text.replace(',', '')}"


def refused_number(table: Table, seat: int, number: Number, text: str) -> str:
    """Why a number cannot be played, or nothing."""
    if not text.replace(",", "").isdecimal():
        return f"type a number from {number.low:,} to {number.high:,}; Esc goes back"
    try:
        table.admit(seat, with_number(number, text))
    except NinefoldError as error:
        return error_text(error, table.names)
    return ""
