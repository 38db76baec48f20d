"""A study as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.studies.glance import glance
from ninefold.studies.sections import sections
from ninefold.studies.wording import head, method

if TYPE_CHECKING:
    from ninefold.studies.report import Study


def page(study: Study, pictures: str = "") -> str:
    lines = [f"# A study of {study.title}", "", *head(study), ""]
    figures = glance(study)
    if figures:
        lines += ["| at a glance | | 95 % interval |", "|---|---:|---|"]
        lines += [f"| {one.label} | **{one.value}** | {one.interval} |" for one in figures]
    for section in sections(study):
        lines += ["", f"## {section.title}", "", " ".join(section.sentences)]
        for picture in section.pictures:
            if pictures and picture.svg:
                lines += ["", f"![{picture.caption}]({pictures}{picture.name}.svg)"]
        for caption, rows in section.tables:
            lines += ["", f"{caption}:", "", *table(rows)]
        lines += ["", *(f"Again: `{command}`  " for command in section.commands)]
    return "\n".join([*lines, "", "## How this was measured", "", *method(study)]) + "\n"


def table(rows: list[list[str]]) -> list[str]:
    head_, *rest = rows
    return [
        f"| {' | '.join(head_)} |",
        "|---|" + "---:|" * (len(head_) - 1),
        *(f"| {' | '.join(row)} |" for row in rest),
    ]
