"""Game, State, views, records and replay, through the public API."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine import records, registry
from ninefold.engine.bots import SeatedBots, find_bot
from ninefold.engine.lazy_view import LazyView
from ninefold.engine.log import Log
from ninefold.terminal.history_command import replay_record


def played(seed: int, players: int = 3, **options: Any) -> nf.State:
    """A match played at random to its end."""
    state = nf.make("doubles", players=players, **options).start(seed=seed)
    dice = random.Random(seed)
    while not state.over:
        seat = dice.choice(state.actors)
        state.play(seat, dice.choice(state.moves(seat)))
    return state


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    """A record with its digest made to fit again, as a forger would."""
    return {**record, "digest": records.digest(record)}


def test_public_names() -> None:
    assert nf.games() == sorted(nf.games()) and "doubles" in nf.games()
    for name in nf.__all__:
        assert getattr(nf, name) is not None
    assert set(nf.__all__) <= set(dir(nf))
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = nf.chess
    assert issubclass(nf.Unreadable, nf.IllegalMove) and issubclass(nf.Ambiguous, nf.IllegalMove)
    assert issubclass(nf.NotYourTurn, nf.IllegalMove)


def test_a_judge_lists_what_it_offers_and_nothing_else() -> None:
    assert dir(nf.doubles) == ["Roll", "roll"]
    for game in nf.games():
        judge = getattr(nf, game)
        assert dir(judge) and all(hasattr(judge, name) for name in dir(judge))


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (["dubbles"], {}, "did you mean doubles"),
        (["chess"], {}, "the games are"),
        (["doubles"], {"roundz": 3}, "did you mean rounds"),
        (["doubles"], {"colour": "red"}, "the options are rounds"),
    ],
)
def test_make_refuses(arguments: list[Any], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.make(*arguments, **options)


@pytest.mark.parametrize("seed", [-1, 2**64, "abc", 2.5, True])
def test_bad_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(nf.RuleError, match="a seed is a whole number"):
        nf.make("doubles").start(seed=seed)


def test_a_seed_gives_the_same_match_and_no_seed_another() -> None:
    game = nf.make("doubles", players=2)
    assert game.start(seed=7).record() == game.start(seed=7).record()
    assert len({json.dumps(game.start().record()) for _ in range(20)}) > 1


def test_state_equality_copies_and_pickles() -> None:
    state = played(1)
    middle = nf.replay(state.record(), upto=20)
    for twin in (middle.copy(), copy.copy(middle), copy.deepcopy(middle), pickle.loads(pickle.dumps(middle))):
        assert twin == middle and hash(twin) == hash(middle) and twin.steps == middle.steps
        for state in (twin, before := middle.copy()):
            while state.turns == middle.turns and not state.over:
                state.play(state.actors[0], "stay")
        assert twin == before, "a copy has the same future"
    assert middle != nf.make("doubles", players=4).start(seed=1)


def test_a_copy_for_search_has_a_future_of_its_own() -> None:
    state = nf.make("doubles", players=1).start(seed=3)
    futures = set()
    for seed in range(30):
        fork = state.copy(seed=seed)
        fork.play(0, "stay")
        futures.add(fork.tobytes())
    assert len(futures) > 5


def test_moves_are_a_sequence() -> None:
    state = nf.make("doubles", players=2).start(seed=1)
    moves = state.moves(0)
    assert moves == ["stay", "cash out"] and len(moves) == 2
    assert moves[0] == "stay" and moves[-1] == "cash out" and moves[:1] == ["stay"]
    assert "stay" in moves and "jump" not in moves
    assert repr(moves) == "['stay', 'cash out']"
    with pytest.raises(IndexError):
        _ = moves[2]


@pytest.mark.parametrize("seat", [-2, 3, "0", None, 1.0, True])
def test_no_such_seat(seat: Any) -> None:
    state = nf.make("doubles", players=3).start(seed=1)
    with pytest.raises(nf.IllegalMove, match="there is no seat"):
        state.moves(seat)


def test_views_are_json_and_a_spectator_has_no_moves() -> None:
    state = played(4)
    for upto in range(0, len(state.steps), 3):
        position = nf.replay(state.record(), upto=upto, manual=True)
        for seat in (None, 0, 1, 2):
            view = position.view(seat)
            assert json.loads(json.dumps(view)) == view
        assert position.view(None)["offers"] == [] == position.view(None)["moves"]


def test_1000_records_replay_to_the_same_state() -> None:
    for seed in range(1_000):
        state = played(seed, players=1 + seed % 5, rounds=1 + seed % 3)
        assert nf.replay(json.loads(json.dumps(state.record()))) == state


def test_a_record_says_everything() -> None:
    record = played(2).record()
    assert record["game"] == "doubles" and record["version"] == 1 and record["players"] == 3
    assert record["options"] == {"rounds": 10} and record["over"] is True
    assert record["moves"][0][0] == "chance" and record["moves"][1][1] in ("stay", "cash out")


def damaged(record: dict[str, Any]) -> list[tuple[Any, str]]:
    moves = record["moves"]
    return [
        (None, "a record is an object"),
        ([], "a record is an object"),
        ({}, "lacks format"),
        ({**record, "format": "other"}, "of the format 'other'"),
        ({**record, "players": 4}, "does not match its digest"),
        ({**record, "moves": moves[:-1]}, "does not match its digest"),
        (resealed({**record, "players": 0}), "1 to 16,384 players"),
        (resealed({**record, "players": "three"}), "1 to 16,384 players"),
        (resealed({**record, "game": "chess"}), "no game 'chess'"),
        (resealed({**record, "version": 2}), "version 2 of the rules of Doubles; this is version 1"),
        (resealed({**record, "options": {"rounds": "x"}}), "option rounds"),
        (resealed({**record, "options": {"seats": 1}}), "no option 'seats'"),
        (resealed({**record, "options": []}), "options must be an object"),
        (resealed({**record, "moves": {}}), "moves a list"),
        (resealed({**record, "moves": [["chance", "roll 9 9"], *moves[1:]]}), "move 1 of the record"),
        (resealed({**record, "moves": moves[1:]}), "move 1 of the record"),
        (resealed({**record, "moves": [moves[0], moves[0], *moves[1:]]}), "move 2 of the record"),
        (resealed({**record, "moves": [*moves, moves[-1]]}), f"move {len(moves) + 1} of the record"),
        (resealed({**record, "moves": [*moves[:3], ["x", "stay"]]}), "move 4 of the record"),
        (resealed({**record, "moves": [[-1, moves[0][1]], *moves[1:]]}), "move 1 of the record"),
        (resealed({**record, "moves": [*moves[:3], "stay"]}), "a step is a seat and a text"),
        (resealed({**record, "moves": moves[:-1]}), "but its moves lead to"),
        (resealed({**record, "scores": [1, 2, 3]}), "but its moves lead to"),
    ]


def test_damaged_records_are_refused_by_name() -> None:
    record = json.loads(json.dumps(played(6).record()))
    for bad, sentence in damaged(record):
        with pytest.raises(nf.RecordError) as error:
            nf.replay(bad)
        assert sentence in str(error.value)


def test_a_replayed_match_has_a_future_of_its_own() -> None:
    """Whoever has the record must not know the dice to come."""
    record = nf.make("doubles", players=1).start(seed=3).record()
    futures = set()
    for _ in range(12):
        state = nf.replay(record)
        state.play(0, "stay")
        futures.add(state.steps[-1])
    assert len(futures) > 3


def test_a_record_that_ends_at_chance_comes_back_to_the_same_hands() -> None:
    state = nf.make("doubles", players=1).start(manual=True)
    again = nf.replay(state.record())
    assert again == state and again.manual and again.actors == (nf.CHANCE,)
    again.play(nf.CHANCE, "roll 3 4")
    again.play(0, "stay")
    assert again.actors == (nf.CHANCE,)


def test_records_that_hold_what_no_record_can() -> None:
    record = nf.make("doubles", players=1).start(seed=3).record()
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    bad_parts: list[dict[str, Any]] = [
        {"x": object()},
        {"x": deep},
        {"x": {1: 2, "a": 3}},
        {"x": chr(0xD800)},
    ]
    for bad in [*bad_parts, {"version": True}]:
        with pytest.raises(nf.RecordError):
            nf.replay({**record, **bad})
    for name in ("players", "name", "self"):
        with pytest.raises(nf.RecordError, match=f"no option '{name}'"):
            nf.replay(resealed({**record, "options": {name: 3}}))


def test_moves_do_not_change_and_lead_nowhere() -> None:
    """A bot may keep what it was handed: it stays what it was, and there is no match behind it."""
    state = nf.make("doubles", players=2).start(seed=1)
    moves = state.moves(0)
    state.play(0, "stay")
    assert list(moves) == ["stay", "cash out"]
    assert not any(isinstance(value, nf.State) for value in vars(moves).values())


def test_chance_has_no_view() -> None:
    with pytest.raises(nf.IllegalMove, match="chance has no view"):
        nf.make("doubles").start(manual=True).view(nf.CHANCE)


@pytest.mark.parametrize("name", [None, 3, ["x"], b"doubles", ""])
def test_a_game_is_named_by_a_word(name: Any) -> None:
    with pytest.raises(nf.RuleError, match="there is no game"):
        nf.make(name)


def test_replay_can_fork() -> None:
    state = played(5)
    fork = nf.replay(state.record(), upto=10)
    assert fork.steps[:10] == state.steps[:10] and fork.actors
    fork.play(fork.actors[0], "stay")


def test_a_story_is_told_to_each_seat_as_it_saw_it() -> None:
    state = nf.make("doubles", players=2, rounds=1).start(manual=True)
    state.play(nf.CHANCE, "roll 3 4")
    state.play(0, "cash out")
    state.play(1, "stay")
    match = replay_record(state.record(), ["Ann", "Bob"])
    own, other = ([text for _, text in match.story(seat)] for seat in (0, 1))
    assert own[1] == "Ann: cash out." and other[1] == "Ann has decided."
    assert own[2:] == other[2:] == ["Ann cashes out 75 and has 75."]


def test_bots_by_name() -> None:
    assert find_bot("doubles", "threshold:250").parameters == (250,)
    assert find_bot("doubles", "Threshold").parameters == (400,)
    assert find_bot("doubles", max).call is max
    for bad, sentence in [
        ("hrad", "did you mean hard"),
        ("zzz", "the bots are random"),
        ("threshold:x", "whole number"),
        ("threshold:-1", "whole number"),
        ("threshold:1:2", "at most 1 number"),
        ("hard:1", "takes no number"),
        ("", "has no bot ''"),
        (3, "a name or a callable"),
    ]:
        with pytest.raises(nf.RuleError, match=sentence):
            find_bot("doubles", bad)  # type: ignore[arg-type]


def test_python_bots_are_shown_views_only() -> None:
    seen: list[dict[str, Any]] = []

    def careful(view: dict[str, Any], moves: list[str], rng: random.Random) -> str:
        seen.append(view)
        return rng.choice(list(moves))

    game = nf.make("doubles", players=2, rounds=2)
    state = game.start(seed=1)
    SeatedBots(game, [careful, "hard"], 1).play_out(state, 1_000)
    assert state.over and all(view["seat"] == 0 for view in seen)


@pytest.mark.parametrize("name", nf.games())
def test_what_a_python_bot_reads_is_its_view_whenever_it_reads(name: str) -> None:
    state = nf.make(name).start(seed=3)
    kept: list[tuple[LazyView, dict[str, Any]]] = []
    while not state.over and len(kept) < 12:
        seat = state.actors[0]
        kept.append((LazyView(state, seat), state.view(seat)))
        early, view = LazyView(state, seat), state.view(seat)
        assert [early[key] for key in ("prompt", "scores", "turn")] == [
            view[key] for key in ("prompt", "scores", "turn")
        ]
        state.play(seat, random.Random(7).choice(state.moves(seat)))
    for sight, view in kept:  # the match has gone on
        assert dict(sight) == view and len(sight) == len(view) and repr(sight) == repr(view)
    with pytest.raises(KeyError):
        kept[0][0]["hole"]


PLUGIN = """
import ninefold as nf
from ninefold.engine.bots import bot_names, find_bot
assert bot_names("doubles")[-4:] == ["brave", "broken", "everywhere", "number"]
assert nf.simulate("doubles", ["brave", "everywhere"], games=5, seed=1, rounds=2).wins == [2.5, 2.5]
for name, sentence in (("deep", "no bot"), ("broken", "cannot be loaded"), ("number", "cannot be called")):
    try:
        find_bot("doubles", name)
    except nf.RuleError as error:
        assert sentence in str(error), error
    else:
        raise AssertionError(name)
"""


def test_bots_of_other_packages(tmp_path: Path) -> None:
    """Through real entry points, as an installed package has them."""
    (tmp_path / "plugin.py").write_text("def last(view, moves, rng):\n    return moves[-1]\n\nnumber = 7\n")
    info = tmp_path / "plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    entries = ["doubles.brave = plugin:last", "everywhere = plugin:last", "chess.deep = plugin:last"]
    entries += ["doubles.broken = plugin:missing", "number = plugin:number"]
    (info / "entry_points.txt").write_text("[ninefold.bots]\n" + "\n".join(entries) + "\n")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
    }
    subprocess.run([sys.executable, "-c", PLUGIN], env=environment, check=True)


def test_chance_law_of_large_numbers() -> None:
    """Resolved automatically, the first roll of a match is that of two fair dice."""
    game = nf.make("doubles", players=1)
    counts = [0] * 21
    for seed in range(7_200):
        counts[game.start(seed=seed).steps[0][1]] += 1
    from ninefold.kernel.dice import WEIGHT
    from ninefold.testkit.laws import _fits

    _fits(counts, [int(weight) for weight in WEIGHT])


def test_copies_of_a_log_go_on_apart() -> None:
    first: Log[int] = Log([1, 2])
    second, third = first.copy(), first.copy()
    second.append(3)
    assert (list(first), list(second), first[-1], second[-1]) == ([1, 2], [1, 2, 3], 2, 3)
    first.append(4)
    third[0] = 9
    third.append(5)
    assert [list(one) for one in (first, second, third)] == [[1, 2, 4], [1, 2, 3], [9, 2, 5]]
    assert first[1:] == [2, 4] and len(second) == 3 and first != second and second == Log([1, 2, 3])
    with pytest.raises(IndexError):
        first.copy()[3]


@pytest.mark.parametrize("name", nf.games())
def test_a_game_that_lacks_a_part_is_refused_when_it_loads(name: str) -> None:
    sheet, known = registry.facts(name), registry.package(name)
    parts = {part: import_module(f"ninefold.game.{name}.{part}") for part in registry.REQUIRED}
    wanted = {part: list(names) for part, names in registry.REQUIRED.items()}
    if known.realtime is not None:
        parts["realtime"] = import_module(f"ninefold.game.{name}.realtime")
        wanted["realtime"] = registry.FOR_REAL_TIME
    if known.redaction is not None:
        parts["redaction"] = import_module(f"ninefold.game.{name}.redaction")
        wanted["redaction"] = registry.FOR_REDACTION
    registry.check(sheet, parts)
    for part, names in wanted.items():
        for missing in names:
            rest = {key: value for key, value in vars(parts[part]).items() if key != missing}
            with pytest.raises(TypeError, match=rf"{sheet.title} lacks {part}\.{missing}"):
                registry.check(sheet, {**parts, part: SimpleNamespace(**rest)})


def test_every_game_has_its_parts_compared_with_the_contract() -> None:
    """mypy compares them where the fact sheet hands them to `contract.check`."""
    for name in nf.games():
        sheet = import_module(f"ninefold.game.{name}")
        assert "contract.check(" in Path(str(sheet.__file__)).read_text("utf-8")
