"""A study at a glance: the few numbers that every report and the command begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ninefold.studies import drama
from ninefold.studies.wording import amount, between, percent, within

if TYPE_CHECKING:
    from ninefold.studies.report import Study


@dataclass(frozen=True)
class Figure:
    """A number at a glance."""

    label: str
    value: str
    interval: str


def glance(study: Study) -> list[Figure]:
    """The numbers to begin with."""
    found = []
    if study.games and study.games.ended:
        made = study.games
        found.append(Figure("minutes with people", amount(made.minutes, 1), between(made.minutes, 1)))
        found.append(Figure("decisions in a match", amount(made.decisions), between(made.decisions)))
        if made.players > 1:
            first, even = made.seats[0], 100 * sum(one.value for one in made.seats) / made.players
            found.append(Figure(f"first seat wins (even: {even:.3g} %)", percent(first), within(first)))
            if made.undecided.value > 0.001:
                found.append(Figure("nobody wins", percent(made.undecided), within(made.undecided)))
            else:
                found.append(Figure("several share the win", percent(made.shared), within(made.shared)))
    if study.drama:
        half = study.drama.favourite[drama.POINTS // 2]
        found.append(Figure("favourite at half-time wins", percent(half), within(half)))
    if study.decisions:
        made_ = study.decisions
        found.append(Figure("decisions that matter", percent(made_.matter_any), within(made_.matter_any)))
    if study.ladder and (step := study.ladder.step):
        best, following = study.ladder.best, study.ladder.next
        if study.by_score:
            label = f"{study.unit} by {best} against {following}"
            found.append(Figure(label, amount(step), between(step)))
        elif (size := study.ladder.rungs[0].players) > 2:
            among = f"{within(step)}; even: {100 / size:.3g} %"
            found.append(Figure(f"{best} wins among {following}", percent(step), among))
        else:
            found.append(Figure(f"{best} beats {following}", percent(step), within(step)))
    if study.luck:
        skill = study.luck.skill
        label = f"skill in {study.unit}" if study.by_score else "skill in who wins"
        found.append(Figure(label, percent(skill), within(skill)))
    return found
