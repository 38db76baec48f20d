"""The score card that the house adds up for a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.kernel.errors import RuleError
from ninefold.server.http.scorecard import add_up
from ninefold.server.tables.messages import Sheet
from support.serving import serving


def test_entries_are_added_up_and_what_does_not_fit_is_left_out() -> None:
    sheet = Sheet("doubles", ["Ann", "Bob"], 2, ["33", "7", "nonsense", "ann", "bob", "12"])
    found = add_up(sheet)
    assert found["kept"] == ["33", "7", "ann", "bob", "12"]
    assert found["refused"] is None
    assert (found["round"], found["total"]) == (2, "3")
    assert [one["score"] for one in found["players"]] == ["375", "375"]
    assert found["past"] == [{"round": 1, "busted": False, "gains": ["375", "375"]}]


def test_the_last_entry_says_why_not() -> None:
    found = add_up(Sheet("doubles", ["Ann"], 10, ["ann"]))
    assert "before the first roll" in found["refused"]
    assert found["kept"] == []


def test_entries_can_be_taken_back_and_put_right() -> None:
    entries = ["34", "ann", "undo", "redo", "bob", "fix 1.1 35"]
    found = add_up(Sheet("doubles", ["Ann", "Bob"], 10, entries))
    assert found["kept"] == entries
    assert [one["score"] for one in found["players"]] == ["8", "8"]


def test_a_card_needs_names() -> None:
    with pytest.raises(RuleError):
        add_up(Sheet("doubles", [], 10, []))


def test_over_http(tmp_path: Path) -> None:
    with serving(tmp_path) as house:
        answer = house.http.post("/api/card", json={"game": "doubles", "players": ["Ann"], "entries": ["66"]})
        assert answer.json()["total"] == "600"
        assert house.http.post("/api/card", json={"game": "chess", "players": ["Ann"]}).status_code == 400
