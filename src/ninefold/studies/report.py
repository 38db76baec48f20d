"""The outcome of a study, as numbers, JSON, Markdown or one page of HTML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ninefold.kernel.errors import NinefoldError
from ninefold.studies.decisions import Decisions
from ninefold.studies.drama import Drama
from ninefold.studies.games import Games
from ninefold.studies.ladder import Ladder
from ninefold.studies.luck import Luck
from ninefold.studies.options import Options


@dataclass(frozen=True)
class Study:
    """The outcome of `nf.study`. A part that was not asked for, or that the game is too slow for, is None."""

    game: str
    title: str
    line: str
    version: int
    players: int
    options: dict[str, Any]
    bots: list[str]
    seed: int
    precision: float
    limit: float | None  # seconds that were given
    seconds: float
    numbers: dict[str, int]  # of games of each part, as `--games` takes them
    counted: bool  # they were given
    complete: bool  # no part is missing
    interrupted: bool
    settings: str  # options on the command line
    asked: str  # everything else that repeats a part
    everyone: bool
    by_score: bool
    lowest_wins: bool
    unit: str
    games: Games | None = None
    drama: Drama | None = None
    decisions: Decisions | None = None
    ladder: Ladder | None = None
    luck: Luck | None = None
    options_swept: Options | None = None
    skipped: tuple[str, ...] = ()  # parts that the game is too slow for in the time given

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values; what is not known is None."""
        found = _plain(asdict(self))
        assert isinstance(found, dict)
        return found

    def json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def markdown(self, pictures: str = "") -> str:
        """The report as Markdown; `pictures` is what the names of picture files begin with, if any."""
        from ninefold.studies.markdown import page

        return page(self, pictures)

    def html(self) -> str:
        """The report as one page that needs nothing else."""
        from ninefold.studies.page import page

        return page(self)

    def save(self, path: str | Path) -> list[Path]:
        """Write the report: an .html, .md or .json file, or a folder with all of them and the pictures."""
        target = Path(path)
        writers = {".html": self.html, ".md": self.markdown, ".json": self.json}
        if target.suffix in writers:
            files = {target: writers[target.suffix]()}
        else:
            files = {target / f"{self.game}.html": self.html(), target / f"{self.game}.json": self.json()}
            files |= self._with_pictures(target)
        try:
            for file, text in files.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text if text.endswith("\n") else text + "\n", "utf-8")
        except OSError as error:
            raise NinefoldError(f"the report could not be written to {path}: {error.strerror}") from None
        return list(files)

    def _with_pictures(self, folder: Path) -> dict[Path, str]:
        from ninefold.studies.pictures import standing_alone
        from ninefold.studies.sections import sections

        shown = [picture for section in sections(self) for picture in section.pictures if picture.svg]
        files = {folder / f"{self.game}-{one.name}.svg": standing_alone(one.svg) for one in shown}
        return {folder / f"{self.game}.md": self.markdown(f"{self.game}-"), **files}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, bool | str | int | None):
        return value
    number = float(value)
    if not math.isfinite(number):
        return None
    return float(f"{number:.6g}")
