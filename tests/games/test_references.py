"""The plain referees: there is one for every game, and none knows the package."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import ninefold as nf
from reference import doubles

HERE = Path(__file__).parent
REFERENCES = Path(doubles.__file__).parent


@pytest.mark.parametrize("name", nf.games())
def test_every_game_has_a_referee_and_is_held_against_it(name: str) -> None:
    assert (REFERENCES / f"{name}.py").is_file()
    assert f"from reference.{name} import" in (HERE / name / f"test_referee_{name}.py").read_text("utf-8")


@pytest.mark.parametrize("path", sorted(REFERENCES.glob("*.py")), ids=lambda path: path.stem)
def test_a_referee_does_not_know_the_package(path: Path) -> None:
    """A mistake that both share would never be seen."""
    assert not re.search(r"^\s*(import|from) ninefold", path.read_text("utf-8"), re.M)


@pytest.mark.parametrize("seed", range(20))
def test_doubles_in_one_loop_is_doubles_step_by_step(seed: int) -> None:
    """The loop that the bench times plays what the referee plays, die for die."""
    dice = random.Random(seed)
    thresholds = [dice.choice([0, 50, 300, 700, float("inf")]) for _ in range(dice.randint(1, 5))]
    by_loop, by_steps = (
        play(random.Random(seed), thresholds, 3) for play in (doubles.play_one, doubles.play_by_steps)
    )
    assert by_loop == by_steps
