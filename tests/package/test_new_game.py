"""A seventh game, as CONTRIBUTING.md says: its commands are run, in order, in a copy of the source tree."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from ninefold.client import Seat
from ninefold.kernel.errors import RuleError
from ninefold.new_game import command as new_game
from support.checkout import ROOT, WAIT, Checkout

NAME = "coin_toss"
TYPED = "flip\nstop\n" * 60  # stop is refused while the pot is empty, and the match goes on


def steps() -> list[list[str]]:
    """The commands of the section on adding a game."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = page.partition("## Adding a game")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```sh\n(.*?)^```", section, flags=re.S | re.M)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def play_at_a_table(url: str) -> None:
    end = time.monotonic() + WAIT
    settings = {"players": 2, "bots": ["hard"], "pace": "instant", "options": {"rounds": 2}}
    with Seat.open(url, NAME, "Ann", **settings) as seat:
        seat.do("start")
        for view in seat.decisions():
            assert time.monotonic() < end
            seat.play(view["moves"][-1])
        assert seat.table["status"] == "over"
        assert seat.events[-1]["kind"] == "end"


def test_a_new_game_works_as_the_page_says(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    for words in steps():
        if words[:2] == ["ninefold", "serve"]:
            with checkout.serving() as url:
                play_at_a_table(url)
            continue
        said = checkout.run(words, TYPED)
        if words[1] == "new-game":
            assert "src/ninefold/game/coin_toss/rules.py" in said
        elif words[1] == "simulate":
            assert "Coin Toss, 3 players" in said
        elif words[1] == "judge":
            assert said == "3 points (R2.4).\n"
        elif words[1] == "play":
            assert "Final scores" in said
        elif "pytest" in words:
            assert "passed" in said or "[100%]" in said
    tidy = ["src/ninefold/game/coin_toss", "tests/games/coin_toss"]
    checkout.run(["python", "-m", "ruff", "check", *tidy])


def test_the_page_has_every_kind_of_step() -> None:
    assert {" ".join(words[:2]) for words in steps()} == {
        "ninefold new-game",
        "ninefold simulate",
        "ninefold judge",
        "ninefold play",
        "ninefold serve",
        "make golden",
        "python -m",
    }
    assert all(NAME in " ".join(words) or words == ["ninefold", "serve"] for words in steps())


@pytest.mark.parametrize("name", ["Coins", "9coins", "coin-toss", "class", "coin toss", "", "../coins"])
def test_a_name_is_a_word_in_small_letters(name: str) -> None:
    with pytest.raises(RuleError, match="a lower-case word such as coin_toss"):
        new_game.check_name(name)


@pytest.mark.parametrize("name", ["doubles", "nines", "simulate", "make"])
def test_a_name_is_not_taken(name: str) -> None:
    with pytest.raises(RuleError, match="taken"):
        new_game.check_name(name)


def test_the_template_is_small() -> None:
    files = [path for path in new_game.TEMPLATE.rglob("*") if path.is_file()]
    assert {f"{path.parent.name}/{path.name}" for path in files} == set(new_game.targets(NAME))
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in files}
    assert sum(count for name, count in lines.items() if name.endswith(".py.txt")) <= 550
