"""What version 0.1 wrote, promised and drew still holds: seeds.

Everything in `v0_1/` was made by version 0.1 itself, through its own commands and a server that people were
playing at when it was stopped. These tests go through public doors only: the library, the command line, HTTP
and sockets.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.records import digest
from support.v0_1 import (
    Facts,
    Shell,
    kept,
    words_of,
)

SEEDS: Facts = kept("seeds.json")


def same(found: Any, wanted: Any) -> bool:
    """Equal, but for the last digits of a sum of fractions."""
    if isinstance(wanted, dict):
        return set(found) == set(wanted) and all(same(found[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, float):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(found == wanted)


CHANGED = {  # bots that play differently now
    "doubles": {"easy", "medium", "hard"},
    "holdem9": {"hard"},
    "nine_of_a_kind": {"easy", "medium", "hard"},
}


def of(part: str, game: str) -> list[Facts]:
    """What version 0.1 found, without bots that have changed since."""
    found = [one for one in SEEDS[part] if one["game"] == game]
    asked = [one["asked"] if part == "simulations" else one for one in found]
    bots = [set(one.get("bots", ())) for one in asked]
    return [one for one, seated in zip(found, bots, strict=True) if not seated & CHANGED.get(game, set())]


def test_games_bots_and_options_are_still_there(ninefold: Shell) -> None:
    now = {game["name"]: game for game in json.loads(ninefold("games", "--json"))}
    for game in SEEDS["catalogue"]:
        found = now[game["name"]]
        assert found["version"] == game["version"] and found["players"] == game["players"]
        assert {bot["name"] for bot in found["bots"]} >= set(game["bots"])
        options = {option["name"]: option["default"] for option in found["options"]}
        assert {name: options.get(name) for name in game["options"]} == game["options"]


@pytest.mark.parametrize("game", nf.games())
def test_a_simulation_of_a_seed(game: str) -> None:
    for one in of("simulations", game):
        asked = dict(one["asked"])
        options = asked.pop("options")
        result = json.loads(nf.simulate(game, **asked, threads=1, **options).json())
        younger = {option.name for option in nf.make(game).facts.options if option.later}
        result["options"] = {name: value for name, value in result["options"].items() if name not in younger}
        assert same({name: result[name] for name in one["found"]}, one["found"]), one["asked"]


@pytest.mark.parametrize("game", nf.games())
def test_a_match_of_bots_of_a_seed(ninefold: Shell, game: str) -> None:
    for one in of("matches", game):
        words = ["--bots", ",".join(one["bots"]), "--seed", str(one["seed"]), *words_of(one["options"])]
        ninefold("demo", game, *words, "--record", "demo.json")
        record = json.loads((ninefold.folder / "demo.json").read_text("utf-8"))
        assert len(record["moves"]) == one["moves"], words
        del record["names"]  # it had none
        assert {**{name: record[name] for name in ("scores", "winners")}, "digest": digest(record)} == {
            name: one[name] for name in ("scores", "winners", "digest")
        }


@pytest.mark.parametrize("game", nf.games())
def test_a_match_of_a_seed_move_by_move(game: str) -> None:
    """Moves chosen by their places: they come in the same order, and chance brings the same."""
    for one in of("walks", game):
        state = nf.make(game, players=one["players"]).start(seed=one["seed"])
        source = random.Random(one["seed"])
        decisions = 0
        while not state.over and decisions < one["most"]:
            seat = state.actors[source.randrange(len(state.actors))]
            moves = state.moves(seat)
            state.play(seat, moves[source.randrange(len(moves))])
            decisions += 1
        assert (decisions, state.over, state.scores) == (one["decisions"], one["over"], one["scores"])
        assert state.record()["digest"] == one["digest"]


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "nine_of_a_kind"])
def test_a_bot_in_python_of_a_seed(game: str) -> None:
    """It is asked in the same positions, and its random numbers are the same.

    The others are `medium`, which plays 9 of a Kind differently now.
    """
    (one,) = of("guests", game)
    seen = hashlib.sha256()

    def guest(_: Any, moves: Sequence[str], rng: random.Random) -> str:
        move = moves[rng.randrange(len(moves))]
        seen.update(f"{len(moves)} {move}\n".encode())
        return move

    asked = {name: one[name] for name in ("games", "seed", "limit", "players")}
    result = nf.simulate(game, [guest, "medium"], **asked, **one["options"])
    assert seen.hexdigest() == one["asked"]
    assert result.unfinished == one["unfinished"] and same(list(result.wins), one["wins"])
