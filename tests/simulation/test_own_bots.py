"""Compiled bots of the user's: they play like built-in ones, know no secrets, and fail in one sentence."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bot_files import read_bots
from ninefold.engine.bots import SeatedBots, find_bot
from ninefold.engine.own_bots import OwnBot, facts
from ninefold.kernel.compile import COMPILED
from ninefold.kernel.seen import Fact
from ninefold.simulation.executors import pack
from ninefold.testkit import laws

EXAMPLES = Path(__file__).parents[2] / "examples" / "my_bots.py"
BOTS = {
    "baseball": "swapper",
    "doubles": "careful",
    "finest9": "frugal",
    "holdem9": "pairs",
    "multiple9": "tidy",
    "nine_of_a_kind": "collector",
}


@nf.bot("doubles")
def threshold(seen: Any, moves: Any, rng: Any, at: int = 400) -> Any:
    return seen.cash_out if seen.total >= at else seen.stay


@nf.bot("doubles")
def anything(seen: Any, moves: Any, rng: Any) -> Any:
    return rng.choice(moves)


@nf.bot("doubles")
def counts(seen: Any, moves: Any, rng: Any, memory: Any) -> Any:
    """Uses everything that `moves` can do, and its memory."""
    memory[3] += 1
    total = 0
    for move in moves:
        for _ in moves:
            total += move
    if total != sum_of(moves) * len(moves) or 99 in moves or moves[-1] not in moves:
        return -1
    return seen.cash_out if memory[3] % 30 == 0 else moves[0]


def sum_of(moves: Any) -> int:
    total = 0
    for place in range(len(moves)):
        total += moves[place]
    return total


def thorough(seen: Any, moves: Any, rng: Any) -> Any:
    """Any move, if a loop, places from both ends and `in` agree on what there is."""
    place = 0
    for move in moves:
        if moves[place] != move or moves[place - len(moves)] != move or move not in moves:
            return -1
        place += 1
    return rng.choice(moves) if place == len(moves) and -1 not in moves else -1


@pytest.mark.parametrize("game", ["baseball", "multiple9", "nine_of_a_kind"])
def test_moves_are_the_same_with_and_without_a_list(game: str) -> None:
    """And nothing else is: places outside are refused."""
    bots = [nf.bot(game)(thorough)] * nf.make(game).players
    assert nf.simulate(game, bots, games=3, seed=2, threads=1, limit=60).games == 3

    @nf.bot(game)
    def beyond(seen: Any, moves: Any, rng: Any) -> Any:
        return moves[len(moves)]

    with pytest.raises((nf.NinefoldError, IndexError), match="there are fewer moves"):
        nf.simulate(game, [beyond] * len(bots), games=1, seed=2, threads=1)


def outcome(result: nf.Result) -> Any:
    return result.wins, result.scores, result.length, result.tallies


def test_it_plays_like_the_built_in_bot_that_does_the_same() -> None:
    own = nf.simulate("doubles", [threshold, anything], games=300, seed=1, players=4)
    known = nf.simulate("doubles", ["threshold:400", "random"], games=300, seed=1, players=4)
    assert outcome(own) == outcome(known)
    assert own.bots == ["threshold", "anything"] * 2


def test_its_numbers_follow_its_name() -> None:
    (text,) = read_bots(f"{EXAMPLES}:careful:500")
    result = nf.simulate("doubles", [text, threshold.with_values(["900"])], games=50, seed=2)
    assert result.bots == ["careful:500", "threshold:900"]


@pytest.mark.parametrize("game", ["doubles", "finest9"])
def test_the_driver_and_a_state_play_the_same(game: str) -> None:
    """With a built-in bot at the table, a rotated seat and memory."""
    (text,) = read_bots(f"{EXAMPLES}:{BOTS[game]}")
    others = [counts] if game == "doubles" else []
    bots = [text, "medium", *others]
    limit = 10_000
    alone = nf.simulate(game, bots, games=5, seed=3)
    scores = [0] * len(bots)
    for number in range(5):
        state = nf.make(game, players=len(bots)).start(3, number=number)
        SeatedBots(state.game, bots, 3, number).play_out(state, limit)
        scores = [had + score for had, score in zip(scores, state.scores, strict=True)]
    assert [round(5 * one.mean) for one in alone.scores] == scores
    twice = [nf.simulate(game, bots, games=200, seed=3, threads=threads) for threads in (1, 2)]
    assert outcome(twice[0]) == outcome(twice[1])


@pytest.mark.parametrize("game", sorted(BOTS))
def test_one_bot_for_each_game(game: str) -> None:
    """Each plays a match by the rules, and the same when what it cannot know is redealt."""
    from ninefold.kernel.stream import new_stream

    (text,) = read_bots(f"{EXAMPLES}:{BOTS[game]}")
    made = nf.make(game)
    seated = SeatedBots(made, [text] * made.players, 4)
    state, rng = made.start(seed=4), new_stream(7)
    for moment in range(60):
        if state.over:
            break
        seat = state.actors[0]
        memory = seated.slots[seat].memory.tobytes()
        other = state.copy()
        made.package.rules.redeal(other.position, seat, rng)
        again, _ = seated.consult(other, seat, moment, memory)
        move, _ = seated.consult(state, seat, moment, memory)
        assert again == move
        state.play(seat, move)
    assert moment > 5


def test_a_fact_that_peeks_breaks_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    from ninefold.engine import own_bots
    from ninefold.kernel.compile import kernel

    def peek(s: Any, seat: int, player: int) -> Any:
        return s.hands[(seat + player) % s.players]

    leak = Fact("peek", kernel(peek) if COMPILED else peek, ("player",), "", ((0, 2**62),))
    known = {**own_bots.facts("multiple9"), "peek": leak}
    monkeypatch.setattr(laws, "facts", lambda _: known)
    with pytest.raises(laws.BrokenLaw, match="peek"):
        laws.secrets_are_kept(nf.make("multiple9", players=3), 1)


def test_what_is_seen_from_python() -> None:
    state = nf.make("doubles", players=3).start(manual=True)
    state.play(nf.CHANCE, "roll 3 4")
    seen = state.seen(1)
    assert (seen.total, seen.sevens, seen.players, seen.is_in(2)) == (75, 1, 3, 1)
    assert set(dir(seen)) == set(facts("doubles")) and "total=75" in repr(seen)
    with pytest.raises(AttributeError, match="a seat of Doubles sees no 'totl'"):
        _ = seen.totl
    with pytest.raises(IndexError, match="player is a number from 0 to the last player"):
        seen.score(3)
    with pytest.raises(nf.IllegalMove, match="chance has no view"):
        state.seen(nf.CHANCE)
    for game in nf.games():
        assert all(fact.line.endswith(".") for fact in facts(game).values())


def test_what_is_installed_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of a bot travels, whatever names it has; packages do not, wherever they were installed."""
    for folder in ("site-packages", "dist-packages", "mine"):
        (tmp_path / folder).mkdir()
        monkeypatch.syspath_prepend(str(tmp_path / folder))
    kinds = {"of_the_user": "site-packages", "of_the_system": "dist-packages", "own_file": "mine"}
    for name, folder in kinds.items():
        (tmp_path / folder / f"{name}.py").write_text("def bot(view, moves, rng):\n    return moves[0]\n")
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
    monkeypatch.setitem(sys.modules, "another_name", sys.modules["own_file"])
    for name in kinds:
        found = pack(sys.modules[name].bot)
        assert (b"moves" in found) == (name == "own_file"), name


def test_it_can_be_sent_elsewhere() -> None:
    import cloudpickle

    again = pickle.loads(cloudpickle.dumps(threshold.with_values(["7"])))
    assert isinstance(again, OwnBot) and again.name == "threshold:7"


WRONG = """
import ninefold as nf

@nf.bot("doubles")
def typo(seen, moves, rng):
    return seen.cash_ot

@nf.bot("doubles")
def far(seen, moves, rng):
    return seen.stay if seen.score(9) == 0 else seen.cash_out

@nf.bot("doubles")
def illegal(seen, moves, rng):
    return 1 if seen.round_number == 1 else 2

@nf.bot("doubles")
def unknown(seen, moves, rng):
    return frobnicate(seen.total)

@nf.bot("doubles")
def text(seen, moves, rng):
    return "stay"

@nf.bot("doubles")
def outside(seen, moves, rng, memory):
    memory[40] = 1
    return seen.stay

def raises(view, moves, rng):
    return 1 / 0

five = 5
"""


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("typo", r"bot typo, line 6: a seat of Doubles sees no 'cash_ot'; did you mean cash_out"),
        ("far", r"bot far at seat 0 failed: score: player is a number from 0 to the last player"),
        ("illegal", r"bot illegal at seat 0 played 2: a move is its text or its number from 0 to 1"),
        ("unknown", r"bot unknown cannot be compiled.*frobnicate"),
        ("text", r"bot text returns a text: a compiled bot returns the id of a move"),
        ("outside", r"bot outside at seat 0 failed: index is out of bounds"),
        ("raises", r"bot raises at seat 0 failed: ZeroDivisionError: division by zero"),
        ("five", r"five in wrong.py is not a bot: a bot is a function"),
        ("tipo", r"wrong.py has no bot 'tipo'; did you mean typo"),
        ("typo:3", r"bot typo takes no numbers after its name, not '3'"),
        ("raises:3", r"bot raises takes no number after its name, not '3'"),
    ],
)
@pytest.mark.skipif(not COMPILED, reason="what Numba says")
def test_what_is_wrong_is_one_sentence(name: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    with pytest.raises(nf.RuleError, match=sentence) as told:
        nf.simulate("doubles", [*read_bots(f"{path}:{name}"), "easy"], games=5, seed=1, threads=1)
    assert "\n" not in str(told.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    bad, fails = tmp_path / "bad.py", tmp_path / "fails.py"
    bad.write_text("def x(:")
    fails.write_text("1 / 0")
    for path, sentence in (
        (bad, "bad.py, line 1 is not Python"),
        (fails, "fails.py cannot be loaded: ZeroDivisionError"),
        (tmp_path / "none.py", "cannot be read: No such file"),
    ):
        with pytest.raises(nf.RuleError, match=sentence):
            read_bots(f"{path}:x")


def test_a_name_alone_never_loads_a_file(tmp_path: Path) -> None:
    """A server gets names of bots from strangers."""
    path = tmp_path / "evil.py"
    path.write_text(f"open({str(tmp_path / 'loaded')!r}, 'w')\ndef x(view, moves, rng): return moves[0]")
    with pytest.raises(nf.RuleError, match="no bot"):
        find_bot("doubles", f"{path}:x")
    assert not (tmp_path / "loaded").exists()


def test_wrong_use() -> None:
    with pytest.raises(nf.RuleError, match="plays Doubles, not Baseball"):
        nf.simulate("baseball", [threshold, "easy"], games=1)
    with pytest.raises(nf.RuleError, match="name the game"):
        nf.bot(lambda view, moves, rng: 0)  # type: ignore[arg-type]
    with pytest.raises(nf.RuleError, match="a function \\(seen, moves, rng\\)"):
        nf.bot("doubles")(lambda view: 0)
    with pytest.raises(nf.RuleError, match="there is no game 'dubles'"):
        nf.bot("dubles")


def test_on_the_command_line(tmp_path: Path) -> None:
    bots = f"{EXAMPLES}:careful,easy"
    for command in (
        ["simulate", "doubles"],
        ["tournament", "doubles", "--players", "2"],
        ["demo", "doubles"],
    ):
        arguments = [*command, "--bots", bots, "--seed", "1"]
        arguments += [] if command[0] == "demo" else ["--games", "20", "-q"]
        done = subprocess.run(
            [sys.executable, "-m", "ninefold", *arguments], capture_output=True, text=True, check=True
        )
        assert "areful" in done.stdout, done.stderr
