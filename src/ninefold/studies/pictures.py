"""Pictures as SVG, drawn by a few functions: small, sharp at any size, dark and light, legible on a phone.

A picture is 360 units wide, which is a phone's width, so its text has one size there. Colours are those of
Okabe and Ito, which people with any colour vision tell apart; every part is named in words as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ninefold.simulation import plotting
from ninefold.studies.estimate import Estimate
from ninefold.studies.wording import LARGE, amount, number, places

WIDTH = 360
COLOURS = ("s1", "s2", "s3", "s4", "s5", "s6")
LIGHT = "".join(f"--{name}:{colour};" for name, colour in plotting.LIGHT.items())
DARK = "--ink:#e6edf3;--soft:#9ea7b3;--grid:#3a424c;--s1:#56b4e9;--s2:#f08a4b;--s3:#2fc79a;--s4:#e39cc4;--s5:#f0c04a;--s6:#7d8590;--on:#0d1117;"
RULES = (
    "text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:var(--ink)}"
    ".soft{fill:var(--soft)}.end{text-anchor:end}.mid{text-anchor:middle}.small{font-size:11px}"
    ".bold{font-weight:600}.grid{stroke:var(--grid);stroke-width:1}.axis{stroke:var(--soft);stroke-width:1}"
    ".even{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 3}"
    ".on{fill:var(--on)}.band{opacity:.22}"
    + "".join(f".{one}{{fill:var(--{one})}}.l-{one}{{stroke:var(--{one});fill:none}}" for one in COLOURS)
)
STYLE = f"svg{{{LIGHT}}}@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}{RULES}"


class Dot(NamedTuple):
    """A row of a dot chart."""

    label: str
    value: Estimate
    colour: str = "s1"
    heading: bool = False


def svg(height: float, title: str, parts: Sequence[str], alone: bool = False) -> str:
    """A picture. One that stands alone brings its colours."""
    style = f"<style>{STYLE}</style>" if alone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">'
        f"<title>{escape(title)}</title>{style}{''.join(parts)}</svg>"
    )


def standing_alone(picture: str) -> str:
    """The same picture as a file of its own."""
    head, end, rest = picture.partition("</title>")
    return f"{head}{end}<style>{STYLE}</style>{rest}\n"


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return (
        f'<text x="{x:.5g}" y="{y:.5g}"' + (f' class="{kind}"' if kind else "") + f">{escape(words)}</text>"
    )


def stroke(x1: float, y1: float, x2: float, y2: float, kind: str, width: float = 0) -> str:
    more = f' stroke-width="{width:g}"' if width else ""
    return f'<line x1="{x1:.5g}" y1="{y1:.5g}" x2="{x2:.5g}" y2="{y2:.5g}" class="{kind}"{more}/>'


def box(x: float, y: float, width: float, height: float, kind: str, round_: float = 0) -> str:
    more = f' rx="{round_:g}"' if round_ else ""
    return f'<rect x="{x:.5g}" y="{y:.5g}" width="{max(0, width):.5g}" height="{max(0, height):.5g}" class="{kind}"{more}/>'


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two others."""
    if not high > low:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / about))
    step = power * next(factor for factor in (1, 2, 5, 10) if (high - low) / (power * factor) <= about)
    first = math.ceil(low / step - 1e-9)
    return [at * step for at in range(first, math.floor(high / step + 1e-9) + 1)]


def on_axis(value: float) -> str:
    """A round number."""
    return number(value) if abs(value) >= LARGE else f"{value:,.10g}"


def histogram(
    title: str,
    edges: Sequence[float],
    shares: Sequence[float],
    unit: str,
    mark: tuple[float, str] | None = None,
    steep: bool = False,
) -> str:
    """Bars side by side, with one value marked; on a steep axis, every step is a factor."""
    if len(edges) < 2:
        return ""
    left, right, top, bottom = 12.0, WIDTH - 12.0, 26.0, 150.0
    scale = math.log10 if steep else float
    low, high = scale(edges[0]), scale(edges[-1])
    most = max(shares) or 1.0

    def x(value: float) -> float:
        return left + (right - left) * (scale(value) - low) / (high - low)

    parts = []
    for at, part in enumerate(shares):
        height = (bottom - top) * part / most
        start, end = x(edges[at]), x(edges[at + 1])
        parts.append(box(start + 0.5, bottom - height, end - start - 1, height, "s1"))
    parts.append(stroke(left, bottom, right, bottom, "axis"))
    for value in powers(edges[0], edges[-1]) if steep else ticks(low, high):
        parts.append(stroke(x(value), bottom, x(value), bottom + 4, "axis"))
        place = "mid" if left + 15 < x(value) < right - 15 else "" if x(value) < WIDTH / 2 else "end"
        parts.append(text(x(value), bottom + 17, on_axis(value), f"{place} small soft"))
    parts.append(text(WIDTH / 2, bottom + 34, unit, "mid small soft"))
    if mark and edges[0] <= mark[0] <= edges[-1]:
        at_mark = x(mark[0])
        parts.append(stroke(at_mark, top - 6, at_mark, bottom, "l-s2", 2))
        side = "end" if at_mark > WIDTH / 2 else ""
        parts.append(text(at_mark + (-6 if side else 6), top - 8, mark[1], f"{side} bold"))
    return svg(bottom + 42, title, parts)


def powers(low: float, high: float) -> list[float]:
    """Powers of ten between two numbers, or of two where those are few."""
    found = [10.0**power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
    if len(found) > 1:
        return found
    return [2.0**power for power in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)]


def dots(
    title: str,
    rows: Sequence[Dot],
    unit: str,
    even: tuple[float, str] | None = None,
    shown: str = "{}",
    zero: bool = False,
) -> str:
    """Values with their intervals, one row each."""
    known = [row for row in rows if not row.heading and row.value.known]
    if not known:
        return ""
    label = min(128.0, 14 + 6.6 * max(len(row.label) for row in rows))
    left, right = label + 6, WIDTH - 52.0
    low, high = min(row.value.low for row in known), max(row.value.high for row in known)
    if even:
        low, high = min(low, even[0]), max(high, even[0])
    if zero:
        low = min(low, 0.0)
    room = (high - low) * 0.06 or 1.0
    low, high = (low if zero and low == 0 else low - room), high + room

    def x(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    digits = sorted(places(row.value) for row in known)[len(known) // 2]
    step, y = 26.0, 22.0
    body: list[str] = []
    for row in rows:
        if row.heading:
            body.append(text(0, y + 4, row.label, "bold"))
            y += step - 4
            continue
        body.append(text(0, y + 4, fitting(row.label, label), ""))
        if row.value.known:
            one = row.value
            body.append(stroke(x(max(one.low, low)), y, x(min(one.high, high)), y, f"l-{row.colour}", 3))
            body.append(f'<circle cx="{x(one.value):.5g}" cy="{y:.5g}" r="5" class="{row.colour}"/>')
            body.append(text(WIDTH, y + 4, shown.format(amount(one, digits)), "end bold"))
        y += step
    bottom = y - step / 2 + 4
    frame = [stroke(x(value), 8, x(value), bottom, "grid") for value in ticks(low, high, 4)]
    marks = [text(x(value), bottom + 14, on_axis(value), "mid small soft") for value in ticks(low, high, 4)]
    if even:
        frame.append(stroke(x(even[0]), 8, x(even[0]), bottom, "even"))
        unit = f"{unit}; dashed: {even[1]}"
    marks.append(text(WIDTH / 2, bottom + 31, unit, "mid small soft"))
    return svg(bottom + 39, title, [*frame, *body, *marks])


def fitting(words: str, width: float) -> str:
    most = int(width / 6.4)
    return words if len(words) <= most else words[: most - 1] + "…"


def curves(
    title: str, shares: Sequence[tuple[str, str, Sequence[Estimate]]], across: str, even: tuple[float, str]
) -> str:
    """Shares over the course of a match, with bands for their intervals."""
    left, right, top, bottom = 34.0, WIDTH - 10.0, 14.0, 176.0

    def y(value: float) -> float:
        return bottom - (bottom - top) * value

    parts = []
    for value in (0, 0.25, 0.5, 0.75, 1.0):
        parts.append(stroke(left, y(value), right, y(value), "grid"))
        parts.append(text(left - 5, y(value) + 4, f"{100 * value:.0f} %", "end small soft"))
    parts.append(stroke(left, y(even[0]), right, y(even[0]), "even"))
    for name, colour, values in shares:
        count = max(1, len(values) - 1)
        xs = [left + (right - left) * at / count for at in range(len(values))]
        upper = [f"{x:.5g},{y(one.high):.5g}" for x, one in zip(xs, values, strict=True)]
        lower = [f"{x:.5g},{y(one.low):.5g}" for x, one in zip(xs, values, strict=True)]
        middle = " ".join(f"{x:.5g},{y(one.value):.5g}" for x, one in zip(xs, values, strict=True))
        parts.append(f'<polygon points="{" ".join(upper + lower[::-1])}" class="{colour} band"/>')
        parts.append(f'<polyline points="{middle}" class="l-{colour}" stroke-width="2.5"/>')
        del name
    for part, words in ((0, "start"), (0.5, across), (1, "end")):
        place = "" if part == 0 else "mid" if part < 1 else "end"
        parts.append(text(left + (right - left) * part, bottom + 17, words, f"{place} small soft"))
    at = bottom + 36
    for name, colour, _ in shares:
        parts += [box(left, at - 9, 14, 10, colour, 2), text(left + 20, at, name, "small")]
        at += 18
    parts += [stroke(left, at - 4, left + 14, at - 4, "even"), text(left + 20, at, even[1], "small")]
    return svg(at + 8, title, parts)


def stacked(title: str, pieces: Sequence[tuple[str, float, str]]) -> str:
    """Parts of a whole in one bar, with a list below it. Measured parts may add up to a little more than 1."""
    total = sum(max(0.0, value) for _, value, _ in pieces) or 1.0
    parts, x, y = [], 0.0, 66.0
    for name, value, colour in pieces:
        width = WIDTH * max(0.0, value) / total
        parts.append(box(x, 6, max(0.0, width - 1.5), 38, colour, 3))
        if width > 44:
            parts.append(text(x + width / 2, 30, f"{100 * value:.0f} %", "mid bold on"))
        x += width
        parts += [box(0, y - 10, 12, 12, colour, 2), text(20, y, name)]
        parts.append(text(WIDTH, y, f"{100 * value:.1f} %", "end bold"))
        y += 21
    return svg(y - 8, title, parts)
