"""The score card that the server adds up for a page."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ninefold.kernel.errors import RuleError
from ninefold.server.http.scorecard import add_up
from ninefold.server.tables.messages import Sheet
from support.node import in_node, installed
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
    with serving(tmp_path) as server:
        answer = server.http.post(
            "/api/card", json={"game": "doubles", "players": ["Ann"], "entries": ["66"]}
        )
        assert answer.json()["total"] == "600"
        assert server.http.post("/api/card", json={"game": "chess", "players": ["Ann"]}).status_code == 400


def test_the_page_adds_up_as_the_server_does() -> None:
    """Rolls, cash-outs and undo on the device, sentence by sentence, on cards of every length."""
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    dice = random.Random(9)
    cards = [_random_card(dice) for _ in range(120)]
    found = in_node("scorecard.ts", "play", [list(card) for card in cards])
    for (players, rounds, entries), standing in zip(cards, found, strict=True):
        wanted = add_up(Sheet("doubles", players, rounds, entries))
        assert (wanted.pop("kept"), wanted.pop("refused")) == (entries, None)
        assert standing == wanted, (players, rounds, entries)


def _random_card(dice: random.Random) -> tuple[list[str], int, list[str]]:
    players = ["Ann", "Bob Smith", "Cleo", "Zoë", *(f"P{n}" for n in range(12))][
        : dice.choice((1, 2, 3, 4, 16))
    ]
    rounds, entries = dice.randint(1, 4), [""]
    while len(entries) < dice.randint(5, 60):
        at = add_up(Sheet("doubles", players, rounds, entries[1:]))
        inside = [one["name"] for one in at["players"] if one["in"]]
        if entries[-1] not in ("", "undo") and dice.random() < 0.1:
            entries.append("undo")
        elif at["over"]:
            break
        elif at["rolls"] and dice.random() < 0.3:
            entries.append(f"cash {', '.join(dice.sample(inside, dice.randint(1, len(inside))))}")
        else:
            one = dice.randint(1, 6)
            other = dice.choice((one, 7 - one, dice.randint(1, 6)))  # sevens and doubles more often
            entries.append(f"{one} {other}")
    return players, rounds, entries[1:]


def test_what_only_the_server_can_tell_is_left_to_it() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    asked: list[tuple[list[str], int, list[str]]] = [
        (["Ann", "ann"], 10, []),
        (["all"], 10, []),
        (["Ann & Bob"], 10, []),
        (["Ann"], 0, []),
        (["Ann"], 1, ["undo"]),
        (["Ann"], 1, ["cash Ann"]),  # before the first roll
        (["Ann"], 1, ["1 1", "cash Ann", "1 1"]),  # after the last round
        (["Ann", "Bob"], 1, ["1 1", "cash Ann", "cash Ann"]),
        (["Ann"], 1, ["fix 1.1 35"]),
        (["Ann"], 1, ["6 6"] * 70),  # a total that is written as a power of ten
    ]
    assert in_node("scorecard.ts", "play", [list(one) for one in asked]) == [None] * len(asked)
