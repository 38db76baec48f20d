"""What the rules that a table may set do, in words: a section of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.studies import options, pictures
from ninefold.studies.pictures import Dot
from ninefold.studies.section import Picture, Section, again
from ninefold.studies.wording import give_or_take, line_up, with_interval

if TYPE_CHECKING:
    from ninefold.studies.options import Cell, Change, Options
    from ninefold.studies.report import Study

MEAN, MEDIAN = " (mean)", " (median)"
COLUMNS = {
    "minutes": f"minutes{MEAN}",
    "decisions": "decisions",
    "first": "first seat wins",
    "tied": "no single winner",
    "score": f"score in the middle{MEDIAN}",
    "winner": f"winner's score{MEDIAN}",
    "leads": "lead changes",
    "half": "half-time favourite wins",
    "matter": "decisions that matter",
    "best": "strongest bot wins",
    "gain": "strongest bot gains",
    "skill": "skill",
}


def options_section(study: Study, made: Options) -> Section:
    shown = [name for name in COLUMNS if name in made.standard.cells and _tells(made, name)]
    rows = [["", *(COLUMNS[name] for name in shown)]]
    rows.append(["as it is", *(_cell(made.standard.cells[name], name) for name in shown)])
    for change in made.changes:
        label = f"{change.what} {change.value}"
        if change.fault:
            rows.append([label, *[""] * len(shown)])
            continue
        rows.append([label, *(_cell(change.cells.get(name), name) for name in shown)])
    sentences = [_said(change) for change in made.changes if _clear(change)]
    if not sentences:
        sentences = ["No option changes any of these numbers clearly."]
    looks = []
    if "half" in shown:
        lead = " and the lead in points" if "leads" in shown else ""
        looks.append(f"{made.games // options.PART:,} times for half-time{lead}")
    if "matter" in shown:
        looks.append(f"{made.standard.cells['matter'].value.games:,} times for a decision")
    looked_into = "".join(f", {'and ' if one is looks[-1] else ''}{one}" for one in looks)
    sentences.append(
        f"An arrow marks a clear difference from the game as it is: more than three standard errors, between "
        f"games with the same cards and dice; rows with another number of players have none, as their games "
        f"cannot be compared one by one. ± is half of an amount's 95 % interval; that of a share is in "
        f"brackets. Each rule was played "
        f"{made.games:,} times{looked_into}. Skill is that at a table of {line_up(made.bots)} who "
        f"change seats; the strongest of them is {made.best}."
    )
    dots = [Dot("as it is", made.standard.cells["minutes"].value, "s2")]
    dots += [
        Dot(f"{change.what} {change.value}", change.cells["minutes"].value)
        for change in made.changes
        if "minutes" in change.cells
    ]
    picture = pictures.dots("Minutes under each rule", dots, "estimated minutes, mean", zero=True)
    pictures_ = [Picture("options", "Minutes of a match under each rule", picture)] if picture else []
    parts = [Dot("as it is", made.standard.cells["skill"].value.times(100), "s2")] if "skill" in shown else []
    parts += [
        Dot(f"{change.what} {change.value}", change.cells["skill"].value.times(100))
        for change in made.changes
        if "skill" in change.cells
    ]
    if len(parts) > 1:
        second = pictures.dots("Skill under each rule", parts, "skill, % of the variance", shown="{} %")
        pictures_.append(Picture("options-skill", f"Skill among {line_up(made.bots)}", second))
    return Section(
        "options",
        "What does each rule do?",
        sentences,
        pictures_,
        [("The game with one thing changed", rows)],
        [again(study, "options", made.games)],
    )


def _cell(cell: Cell | None, name: str) -> str:
    if cell is None or not cell.value.known:
        return "–"
    one = cell.value
    arrow = ("▲ " if cell.change.value > 0 else "▼ ") if cell.clear and cell.change else ""
    return arrow + (give_or_take(one) if name in options.AMOUNTS else with_interval(one, " %"))


def _tells(made: Options, name: str) -> bool:
    """Whether a column says something: where nobody leads before the end, the lead cannot change."""
    under = [made.standard, *made.changes]
    return name != "leads" or any(one.cells[name].value.value > 0 for one in under if name in one.cells)


def _clear(change: Change) -> bool:
    return any(cell.clear for cell in change.cells.values())


def _said(change: Change) -> str:
    """What a change does, where that is clear."""
    changes = []
    for name, cell in change.cells.items():
        if cell.clear and cell.change:
            more = cell.change
            up, more = more.value > 0, more if more.value > 0 else more.times(-1)
            size = (
                give_or_take(more)
                if name in options.AMOUNTS
                else f"{give_or_take(more, 100)} percentage points"
            )
            what = COLUMNS[name].removesuffix(MEAN).removesuffix(MEDIAN)
            changes.append(f"{what} {'up' if up else 'down'} by {size}")
    return f"**{change.what} {change.value}**: {', '.join(changes)}."
