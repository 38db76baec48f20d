"""What every report says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.model.facts import option_text

if TYPE_CHECKING:
    from ninefold.studies.report import Study


def head(study: Study) -> list[str]:
    options = ", ".join(f"{name} {option_text(value)}" for name, value in study.options.items())
    plural = "player" if study.players == 1 else "players"
    told = [
        f"{study.title}: {study.line}. Here with {study.players} {plural}{'; ' if options else ''}{options}."
    ]
    if study.interrupted:
        told.append("This study was interrupted: it tells what was known by then.")
    return told


def method(study: Study) -> list[str]:
    one = study.games.bot if study.games else study.bots[-1]
    told = [
        f"Bots play: `{one}` on every seat where all are alike, and "
        f"{', '.join(f'`{bot}`' for bot in study.bots)} "
        f"on the ladder. People play differently; what depends on the rules more than on the players is "
        f"surest.",
        f"Every number has a 95 % interval: of twenty, about one misses. Asked for were shares of wins "
        f"within "
        f"± {100 * study.precision:g} % (twice as much on the ladder and for options, four times for chances "
        f"and decisions). A pilot of its own says how many games that takes, and they are looked at once; if "
        f"they "
        f"are not enough, more are added, and all looks together keep to 5 % of error.",
        "Medians and quantiles have intervals from the order of the numbers, so that rare huge scores do no "
        "harm.",
        f"Seed {study.seed}; {study.seconds:.0f} seconds. All of it again: `ninefold study "
        f"{study.game}{study.asked}`.",
    ]
    if study.skipped:
        told.append(
            f"Too slow for the time given, and left out: {', '.join(study.skipped)}; give more --seconds."
        )
    return told
