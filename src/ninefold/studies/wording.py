"""How numbers are written, and what every report says about itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ninefold.model.facts import option_text
from ninefold.studies.estimate import Estimate
from ninefold.studies.pictures import number

if TYPE_CHECKING:
    from ninefold.studies.report import Study


LARGE = 1e6  # from here on, numbers are written with a letter


def percent(one: Estimate) -> str:
    """A share with the digits that its interval allows."""
    return f"{100 * one.value:.{decimals(100 * (one.high - one.low))}f} %" if one.known else "–"


def within(one: Estimate, factor: float = 100, unit: str = " %") -> str:
    """The interval in words."""
    if not one.known:
        return ""
    low, high = one.low * factor, one.high * factor
    places = decimals(high - low)
    return f"{low:,.{places}f} to {high:,.{places}f}{unit}"


def decimals(width: float) -> int:
    """The decimals that an interval of this width allows."""
    return min(2, max(0, -math.floor(math.log10(width / 2.5)))) if width > 0 else 1


def plain(value: float) -> str:
    """A number without an interval."""
    return f"{value:,.0f}" if value == round(value) and abs(value) < LARGE else number(value)


def amount(one: Estimate) -> str:
    """A number with the digits that its interval allows."""
    if one.high == one.low:
        return plain(one.value)
    if not one.known or abs(one.value) >= LARGE:
        return number(one.value)
    return f"{one.value:,.{decimals(one.high - one.low)}f}"


def between(one: Estimate) -> str:
    """The interval of a number."""
    if not one.known:
        return ""
    if one.high == one.low:
        return f"{plain(one.low)} to {plain(one.high)}"
    if max(abs(one.low), abs(one.high)) >= LARGE:
        return f"{number(one.low)} to {number(one.high)}"
    return within(one, 1, "")


def give_or_take(one: Estimate, factor: float = 1, unit: str = "") -> str:
    """A number and half the width of its interval."""
    value, margin = one.value * factor, one.margin * factor
    if not one.known or abs(value) >= LARGE:
        return number(value)
    places = decimals(margin / 2)
    return f"{value:,.{places}f}{unit} ± {margin:,.{places}f}"


def listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def head(study: Study) -> list[str]:
    options = ", ".join(f"{name} {option_text(value)}" for name, value in study.options.items())
    plural = "player" if study.players == 1 else "players"
    told = [
        f"{study.title}: {study.line}. Here with {study.players} {plural}{'; ' if options else ''}{options}."
    ]
    if study.interrupted:
        told.append("This study was interrupted: it tells what was known by then, and parts are missing.")
    return told


def method(study: Study) -> list[str]:
    one = study.games.bot if study.games else study.bots[-1]
    told = [
        f"Bots play: `{one}` on every seat where all are alike, and on the ladder "
        f"{listed([f'`{bot}`' for bot in study.bots])}. People play differently; what depends more on the "
        f"rules than on the players is surest.",
        f"Every number has a 95 % interval: about one in twenty misses the truth. {_stopping(study)}",
        "Medians and other quantiles have intervals from the order of the numbers, so that rare huge scores "
        "do no harm. Parts of a variance have theirs from leaving out blocks of games in turn.",
    ]
    if study.skipped:
        told.append(
            f"Too slow for the time given, and left out: {', '.join(study.skipped)}; give more --seconds."
        )
    told.append(f"Seed {study.seed}; {study.seconds:.0f} seconds. All of it again: `{whole(study)}`")
    return told


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
