"""What a section of a report is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ninefold.studies.report import Study


@dataclass(frozen=True)
class Picture:
    name: str
    caption: str
    svg: str


@dataclass(frozen=True)
class Section:
    """One answer: sentences, pictures, a table, and how to repeat it."""

    name: str
    title: str
    sentences: list[str]
    pictures: list[Picture] = field(default_factory=list)
    tables: list[tuple[str, list[list[str]]]] = field(default_factory=list)  # a caption, and rows
    commands: list[str] = field(default_factory=list)


def again(study: Study, part: str, games_: int) -> str:
    return f"ninefold study {study.game} --only {part} --games {games_}{study.asked}"
