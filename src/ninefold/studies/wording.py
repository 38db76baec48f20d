"""How numbers are written, and what every report says about itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ninefold.model.facts import option_text
from ninefold.model.text import join
from ninefold.studies.estimate import Estimate
from ninefold.studies.plan import who_plays

if TYPE_CHECKING:
    from ninefold.studies.report import Study


LARGE = 1e6  # from here on, numbers are written with a letter


def number(value: float, digits: int = 3) -> str:
    """A number in few characters."""
    if not math.isfinite(value):
        return "–"
    if abs(value) >= LARGE:
        for size, word in ((1e12, "e12"), (1e9, "G"), (1e6, "M")):
            if abs(value) >= size:
                return f"{value / size:.3g}{word}" if size < 1e12 else f"{value:.2g}"
    if value and abs(value) < 1:
        return f"{value:.2g}"
    decimals_ = max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:,.{decimals_}f}" if abs(value) < 10**digits else f"{value:,.0f}"


def percent(one: Estimate) -> str:
    """A share with the digits that its interval allows."""
    return f"{100 * one.value:.{decimals(100 * (one.high - one.low))}f} %" if one.known else "–"


def within(one: Estimate, factor: float = 100, unit: str = " %") -> str:
    """The interval in words."""
    if not one.known:
        return ""
    low, high = one.low * factor, one.high * factor
    digits = decimals(high - low)
    return f"{low:,.{digits}f} to {high:,.{digits}f}{unit}"


def decimals(width: float, most: int = 2) -> int:
    """The decimals that an interval of this width allows."""
    return min(most, max(0, -math.floor(math.log10(width / 2.5)))) if width > 0 else 1


def plain(value: float, most: int = 2) -> str:
    """A number without an interval."""
    digits = 0 if float(value).is_integer() else most
    return number(value) if abs(value) >= LARGE or digits > 1 else f"{value:,.{digits}f}"


def amount(one: Estimate, most: int = 2) -> str:
    """A number with the digits that its interval allows, but no more decimals than `most`."""
    if one.high == one.low:
        return plain(one.value, most)
    if not one.known or abs(one.value) >= LARGE:
        return number(one.value)
    return f"{one.value:,.{places(one, most)}f}"


def places(one: Estimate, most: int = 2) -> int:
    """The decimals that a number has: none where all of it is whole, such as the median of some scores."""
    if all(float(end).is_integer() for end in (one.value, one.low, one.high)):
        return 0
    return decimals(one.high - one.low, most)


def between(one: Estimate, most: int = 2) -> str:
    """The interval of a number."""
    if not one.known:
        return ""
    if one.high == one.low:
        return f"{plain(one.low, most)} to {plain(one.high, most)}"
    if max(abs(one.low), abs(one.high)) >= LARGE:
        return f"{number(one.low)} to {number(one.high)}"
    return f"{one.low:,.{places(one, most)}f} to {one.high:,.{places(one, most)}f}"


def give_or_take(one: Estimate, factor: float = 1, unit: str = "") -> str:
    """A number and half the width of its interval."""
    value, margin = one.value * factor, one.margin * factor
    if not one.known or abs(value) >= LARGE:
        return number(value)
    digits = decimals(margin / 2)
    return f"{value:,.{digits}f}{unit} ± {margin:,.{digits}f}"


def with_interval(one: Estimate, unit: str = "") -> str:
    """A share and its interval, in a cell of a table."""
    return f"{percent(one).removesuffix(' %')}{unit} ({within(one, unit='').replace(' to ', '–')})"


def line_up(bots: list[str]) -> str:
    """Who sits at a table: several of a kind are counted."""
    counted = {bot: bots.count(bot) for bot in bots}
    return join([f"{count} × {bot}" if count > 1 else bot for bot, count in counted.items()])


def head(study: Study) -> list[str]:
    options = ", ".join(f"{name} {option_text(value)}" for name, value in study.options.items())
    plural = "player" if study.players == 1 else "players"
    sentences = [
        f"{study.title}: {study.line}. Here with {study.players} {plural}{'; ' if options else ''}{options}."
    ]
    if study.interrupted:
        sentences.append(
            "This study was interrupted: it shows what was known by then, and parts are missing."
        )
    return sentences


def method(study: Study) -> list[str]:
    ladder = [bot for bot in study.bots if not study.ladder or bot not in study.ladder.left_out]
    sentences = [
        f"Bots play: `{who_plays(study.bots)}` on every seat where all are alike, and on the ladder "
        f"{join([f'`{bot}`' for bot in ladder])}. People play differently; what depends more on the "
        f"rules than on the players is surest.",
        f"Every number has a 95 % interval: about one in twenty misses the truth. {_stopping(study)}",
        "Medians and other quantiles have intervals from the order of the numbers, so that rare huge scores "
        "do no harm. Parts of a variance have theirs from leaving out blocks of games in turn.",
    ]
    if study.skipped:
        sentences.append(
            f"Too slow for the time given, and left out: {', '.join(study.skipped)}; give more --seconds."
        )
    sentences.append(f"Seed {study.seed}; {study.seconds:.0f} seconds. All of it again: `{whole(study)}`")
    return sentences


def _stopping(study: Study) -> str:
    """How the numbers of games came about."""
    if study.counted:
        return "The number of games of each part was given beforehand."
    asked = f"± {100 * study.precision:g} %"
    time = (
        ""
        if study.limit is None
        else f" Where {study.limit:g} seconds are too few for that, the time says how many games there are."
    )
    return (
        f"Asked for were the wins of each seat within {asked} (the ladder and options twice as wide, drama "
        f"and decisions three times). A pilot whose games do not count says how many games that takes. Only "
        f"the wins of seats are looked at before the end, at most three times, and all looks together keep "
        f"to 5 % of error.{time}"
    )


def whole(study: Study) -> str:
    """The command that plays the same games again, all of them."""
    numbers = ",".join(f"{part}={number_}" for part, number_ in study.numbers.items())
    only = "" if study.complete else f" --only {','.join(study.numbers)}"
    return f"ninefold study {study.game}{only} --games {numbers}{study.asked}"
