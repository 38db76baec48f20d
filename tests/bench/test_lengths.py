"""How long a match takes: what a game says of itself is what was measured."""

from __future__ import annotations

import pytest

import lengths
from ninefold.engine import registry


@pytest.mark.parametrize("name", registry.games())
def test_a_game_says_what_was_measured(name: str) -> None:
    facts = registry.facts(name)
    assert lengths.stated()[facts.title] == facts.minutes


def test_the_command_counts_what_is_asked_and_shown() -> None:
    found = lengths.counts("doubles", 3, seed=1)
    assert found["of two"] >= 5 and found["rolls"] >= found["rolls of mine"] > 0 and found["big moments"] > 0
    assert 2 < lengths.minutes(found) < 30
    assert "| Doubles | 3 | rounds=5 |" in lengths.row("doubles", 1, 3)
