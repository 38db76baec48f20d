"""Studies: the numbers are those of plain simulations, the report is whole, and bad input is one line."""

from __future__ import annotations

import json
import random
import re
import shlex
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

import lengths
import ninefold as nf
from ninefold.cli import cli, main
from ninefold.engine import registry
from ninefold.simulation.executors import Place
from ninefold.studies import decisions, drama, estimate, games, memory, options, pictures, reading, tables
from ninefold.studies.estimate import Estimate
from ninefold.studies.glance import glance
from ninefold.studies.plan import PARTS, read_precision
from ninefold.studies.run import FIELDS, make_plan
from ninefold.studies.sections import sections
from ninefold.studies.wording import whole
from reference import doubles as referee
from reference.tally import Result

without_ray = pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")


@pytest.fixture(scope="module")
def small() -> nf.Study:
    bots = ["easy", "medium", "hard"]
    return nf.study("doubles", bots, seed=3, precision="12%", players=3, rounds=2)


def test_rows_are_the_games_of_a_simulation() -> None:
    game = nf.make("baseball", players=3)
    bots = [nf_player("baseball", name) for name in ("medium", "easy", "random")]
    for threads in (1, 2):
        rows = tables.collect(game, bots, 5, 0, 60, Place(threads))
        plain = nf.simulate("baseball", ["medium", "easy", "random"], games=60, seed=5)
        assert tables.wins(rows, 3).sum(axis=0) == pytest.approx(plain.wins)
        assert tables.scores(rows, 3).mean(axis=0) == pytest.approx([one.mean for one in plain.scores])
        assert rows[:, tables.DECISIONS].mean() == pytest.approx(plain.length.decisions.mean)
        assert list(rows[:, tables.NUMBER]) == list(range(60))


def nf_player(game: str, name: Any) -> Any:
    from ninefold.engine.bots import find_bot

    return find_bot(game, name)


def test_a_deal_is_played_after_every_turn_with_the_same_chance() -> None:
    """With bots that never decide anything, all turns of a deal are the same game."""
    game = nf.make("doubles", players=3, rounds=2)
    rows = tables.collect(game, [nf_player("doubles", "never")] * 3, 1, 0, 20, Place(2), turns=3)
    for deal in rows.reshape(20, 3, -1):
        assert deal[:, tables.TURNS].tolist() == [deal[0, tables.TURNS]] * 3
        assert deal[:, tables.TURN].tolist() == [0, 1, 2]


def test_bots_in_python_play_the_same_rows() -> None:
    def first(view: Any, moves: Any, rng: Any) -> str:
        return str(moves[0])

    game = nf.make("doubles", players=2, rounds=2)
    ours = tables.collect(game, [nf_player("doubles", first)] * 2, 4, 0, 10, Place(1))
    plain = tables.collect(game, [nf_player("doubles", "never")] * 2, 4, 0, 10, Place(1))
    assert np.array_equal(ours, plain)


def test_it_agrees_with_the_plain_referee() -> None:
    """An independent simulation in plain Python: lengths and wins within the intervals of both."""
    found = nf.study(
        "doubles", bots=["threshold:300"], players=2, seed=2, precision="3%", only=["games"], rounds=3
    )
    assert found.games
    dice, number = random.Random(1), 2_000
    made = [played(dice) for _ in range(number)]
    rolls = np.array([one.counts["rolls"] for one in made])
    apart = abs(rolls.mean() - found.games.turns.value)
    assert apart < 1.5 * (1.96 * rolls.std() / number**0.5 + found.games.turns.margin)
    middle = estimate.quantile(np.array([score for one in made for score in one.scores]), 0.5)
    ours = found.games.scores["median"]
    assert middle.low <= ours.high and ours.low <= middle.high


def played(dice: random.Random) -> Result:
    found = referee.play_one(dice, [300, 300], 3)
    assert found
    return found


def test_the_report_is_whole(small: nf.Study, tmp_path: Path) -> None:
    assert [one.name for one in sections(small)] == [
        "length", "seats", "scores", "drama", "decisions", "ladder", "luck", "options",
    ]  # fmt: skip
    assert len(glance(small)) >= 6
    page = small.html()
    assert len(page.encode()) < 200_000 and "http://www.w3.org/2000/svg" in page
    assert not re.search(r"(src|href)=.?https?:", page) and "<script" not in page
    files = small.save(tmp_path / "out")
    assert {file.suffix for file in files} == {".html", ".md", ".json", ".svg"}
    for file in files:
        if file.suffix == ".svg":
            ElementTree.parse(file)
    text = (tmp_path / "out" / "doubles.md").read_text("utf-8")
    for name in re.findall(r"\]\((.*?\.svg)\)", text):
        assert (tmp_path / "out" / name).exists()
    told = json.loads((tmp_path / "out" / "doubles.json").read_text("utf-8"))
    assert told["games"]["seats"][0]["low"] < told["games"]["seats"][0]["value"]
    assert "NaN" not in json.dumps(told)


def test_a_study_is_read_back_from_its_json(small: nf.Study, tmp_path: Path) -> None:
    kept = tmp_path / "study.json"
    small.save(kept)
    assert reading.read(kept).to_dict() == small.to_dict()
    assert reading.read(kept).markdown() == reading.study_of(small.to_dict()).markdown()
    for text in ("{}", "[1]", "no json"):
        kept.write_text(text)
        with pytest.raises(nf.NinefoldError, match="has no study of this version"):
            reading.read(kept)
    with pytest.raises(nf.NinefoldError, match="cannot be read"):
        reading.read(tmp_path / "none.json")


def test_after_an_interrupt_no_match_is_missing_in_between() -> None:
    rows = np.array([[number, turn, 1] for number in (5, 6, 8) for turn in (0, 1)], np.float64)
    assert tables.unbroken(rows, 5, 2)[:, 0].tolist() == [5, 5, 6, 6]
    assert len(tables.unbroken(rows[:3], 5, 2)) == 3 and not len(tables.unbroken(rows, 4, 2))


def test_the_lead_in_points_is_followed_turn_by_turn() -> None:
    """Whoever never cashes out never leads; the other leads from its first points to the end."""
    game = nf.make("doubles", players=2, rounds=4)
    bots = [nf_player("doubles", name) for name in ("never", "wait:0")]
    worker = drama.Moments(game, bots, 1, game.facts.limit(game.options), moments=drama.HALF)
    rows = worker.play(tables.Part(0, 30)).rows
    changes, leader = rows[:, -4], rows[:, -3]
    assert not changes.any() and set(leader) <= {-1.0, 1.0} and (leader == 1).any()
    assert (rows[:, -1] + rows[:, -2]).tolist() == pytest.approx([1] * 30)


def test_a_part_of_a_study_names_the_bot_that_played() -> None:
    """`expert` searches for too long to play every seat, whether the first part is played or not."""
    for part in ("games", "decisions"):
        found = nf.study("doubles", seed=1, games=40, only=[part], rounds=1)
        assert "Bots play: `hard` on every seat" in found.markdown()


def test_a_game_that_never_ends_is_said_to(tmp_path: Path) -> None:
    found = nf.study("nine_of_a_kind", ["random"], 5, seed=1, games=2, only=["games", "options"])
    assert found.games and found.games.unfinished == 2
    (length, *_), page = sections(found), found.html()
    assert "none came to an end before the limit of turns" in length.sentences[0]
    assert not glance(found) and "nan" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S).lower()
    found.save(tmp_path)
    assert reading.read(tmp_path / "nine_of_a_kind.json").html() == page


def test_precision_is_reached(small: nf.Study) -> None:
    assert small.games and max(one.margin for one in small.games.seats) <= 0.12


def quoted(found: nf.Study) -> list[str]:
    """Every command in a report, in the form that a person would copy."""
    commands = [
        *re.findall(r"Again: `ninefold (.*?)`", found.markdown()),
        whole(found).removeprefix("ninefold "),
    ]
    assert all(escape(command) in found.html() for command in commands)
    return list(dict.fromkeys(commands))


def test_every_command_in_a_report_gives_its_numbers(small: nf.Study) -> None:
    told = small.to_dict()
    kinds = set()
    for command in quoted(small):
        result = CliRunner().invoke(cli, [*shlex.split(command), "--json", "-q"])
        again = json.loads(result.stdout)
        kind = command.split()[0]
        if kind == "simulate":
            wins = [one["value"] for one in told["games"]["seats"]]
            assert [won / again["games"] for won in again["wins"]] == pytest.approx(wins, rel=1e-5)
            assert again["length"]["turns"]["mean"] == pytest.approx(
                told["games"]["turns"]["value"], rel=1e-5
            )
        elif kind == "tournament":
            shown = told["ladder"]["rungs"][0]["ratings"]
            assert [one["rating"] for one in again["ratings"]] == pytest.approx(
                [one["rating"] for one in shown], rel=1e-5
            )
        else:
            parts = [FIELDS.get(part, part) for part in again["numbers"]]
            assert all(again[part] == told[part] for part in parts)
            kind = " ".join(parts)
        kinds.add(kind)
    everything = " ".join(FIELDS.get(part, part) for part in PARTS)
    assert kinds == {
        "simulate",
        "tournament",
        *(FIELDS.get(part, part) for part in list(PARTS)[1:]),
        everything,
    }


def test_a_seed_gives_the_same_study() -> None:
    made = [
        nf.study("multiple9", seed=4, precision="10%", threads=threads, only=["games", "luck"]).to_dict()
        for threads in (1, 2)
    ]
    for one in made:
        del one["seconds"]
    assert made[0] == made[1]


def test_a_comparison_is_exact_where_a_rule_does_nothing() -> None:
    """The standard compared with itself: differences are none, game by game."""
    found = nf.study(
        "finest9", ["easy", "medium"], 2, seed=1, games=120, only=["options"], compare={"nines": "choose,all"}
    )
    swept = found.options_swept
    assert swept and [one.value for one in swept.changes] == ["choose", "all"]
    same = swept.changes[0].cells
    assert all(cell.change and cell.change.value == 0 and not cell.clear for cell in same.values())


def test_options_are_told_by_scores_lead_changes_and_decisions() -> None:
    """The sweep's table, in words and for programs; a game without points has no scores in it."""
    found = nf.study("baseball", ["easy", "medium"], 2, seed=1, games=160, only=["options"])
    (table,) = [one.tables[0][1] for one in sections(found) if one.name == "options"]
    columns = {"score in the middle (median)", "winner's score (median)", "lead changes"}
    assert columns < set(table[0]) and "decisions that matter" in table[0]
    assert all(
        column in found.markdown() and column.replace("'", "&#x27;") in found.html() for column in columns
    )
    (longer,) = [one for one in found.to_dict()["options_swept"]["changes"] if one["what"] == "innings"]
    assert {"score", "winner", "leads", "matter"} <= set(longer["cells"])
    assert longer["cells"]["winner"]["clear"] and longer["cells"]["winner"]["change"]["value"] > 0
    assert longer["cells"]["leads"]["change"]["value"] > 0, "two innings have more changes of the lead"
    assert "40 times for half-time and the lead in points, and 10 times for a decision" in said(
        found, "options"
    )
    without = nf.study("multiple9", ["random"], 2, seed=1, games=20, only=["options"]).options_swept
    assert without and not {"score", "winner", "leads"} & set(without.standard.cells)


def test_scores_under_a_rule_are_those_of_the_games() -> None:
    """Counted from the rows themselves: the best score of each match, and the middle one."""
    found = nf.study("baseball", ["easy"], 3, seed=1, games=60, only=["options"]).options_swept
    assert found
    game = nf.make("baseball", players=3)
    played = nf.simulate("baseball", ["easy"], players=3, games=60, seed=found.seed)
    one = found.standard.cells
    assert played.length.decisions.mean == pytest.approx(one["decisions"].value.value)
    low, high = (min(score.lowest for score in played.scores), max(score.highest for score in played.scores))
    assert game.facts.lowest_wins and low <= one["winner"].value.value < one["score"].value.value <= high


def test_decisions_of_long_matches_are_weighed_only_where_values_are_compared() -> None:
    found = nf.study("doubles", ["easy"], 8, seed=1, games=32, only=["options"])
    assert found.options_swept and found.options_swept.standard.cells["decisions"].value.value > options.LONG
    assert "matter" not in found.options_swept.standard.cells
    compared = nf.study(
        "doubles", ["easy"], 8, seed=1, games=8, only=["options"], compare={"rounds": "5,9"}
    ).options_swept
    assert compared and compared.standard.cells["matter"].value.games == 2


def test_an_interrupt_gives_the_report_so_far() -> None:
    import _thread

    seen: list[float] = []

    def progress(part: str, done: float) -> None:
        if part == "drama" and not seen:
            seen.append(done)
            threading.Timer(0.01, _thread.interrupt_main).start()

    found = nf.study("doubles", seed=1, precision="5%", progress=progress, only=["games", "drama", "luck"])
    assert found.interrupted and found.games and not found.luck
    assert "interrupted" in found.markdown()


def test_one_ctrl_c_is_enough_with_a_precision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of `games`, which could go on for hours: a report of what there is, and the end."""
    pressed: list[float] = []

    @contextmanager
    def watched(*_: object) -> Iterator[Any]:
        def progress(part: str, done: float) -> None:
            if done > 0 and not pressed:
                pressed.append(done)
                signal.raise_signal(signal.SIGINT)

        yield progress

    monkeypatch.setattr("ninefold.simulation.progress.parts_shown", watched)
    out = tmp_path / "report.json"
    words = ["doubles", "--precision", "0.1%", "--only", "games,luck", "--seed", "1", "--out", str(out)]
    assert main(["study", *words, "--set", "rounds=1", "-q"]) == 130
    found = reading.read(out)
    assert found.interrupted and found.games and found.games.looks == 1
    assert 2 <= found.games.games == found.numbers["games"] < 200_000
    assert not found.luck and not found.skipped and "interrupted" in found.markdown()


def test_ctrl_c_at_a_second_look_keeps_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it comes so early that no match of the second look is over."""
    played = tables.collect

    def collect(*asked: Any, **named: Any) -> Any:
        if asked[3] > 0:
            raise tables.Stopped(np.zeros((0, 0)))
        return played(*asked, **named)

    wanted = iter([100, 900])
    monkeypatch.setattr(games, "games_for", lambda *_: next(wanted))
    monkeypatch.setattr(tables, "collect", collect)
    found = nf.study("doubles", ["medium"], 2, seed=1, precision="1%", only=["games"], rounds=1)
    assert found.interrupted and found.games and found.games.games == 100


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["doubles", "--precision", "0"], "precision is from 0.01% to 25%, such as 0.5%, not '0'"),
        (["doubles", "--precision", "much"], "precision is from"),
        (["doubles", "--seconds", "0"], "seconds are a number from 1"),
        (["doubles", "--bots", "easy,strong"], "has no bot 'strong'"),
        (["doubles", "--players", "0"], "is for 1 to"),
        (["doubles", "--set", "decks=2"], "has no option 'decks'"),
        (["doubles", "--set", "rounds=0"], "option rounds is"),
        (["doubles", "--compare", "rounds=5"], "compare at least two values"),
        (["doubles", "--compare", "rounds=5,none"], "option rounds is"),
        (["doubles", "--compare", "rounds"], "NAME=VALUE"),
        (["doubles", "--only", "games,fun"], "has no part 'fun'"),
        (["doubles", "--games", "0"], "a number of games is a whole number from 1 up"),
        (["doubles", "--games", "drama=many"], "a number of games is a whole number from 1 up"),
        (["doubles", "--games", "fun=9"], "has no part 'fun'"),
        (["doubles", "--threads", "0"], "threads is a whole number from 1"),
        pytest.param(["doubles", "--cluster"], "install ninefold[ray]", marks=without_ray),
        (["dubbles"], "there is no game 'dubbles'"),
        (["all"], "needs a folder"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", *arguments]) == 2
    said = capsys.readouterr()
    assert sentence in said.err and said.err.count("\n") == 1 and not said.out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--precision", "0.01%"], r"0.01% takes 51 GB of memory for the games of 'luck' of Doubles, "),
        (["--precision", "0.01%"], r"and 2.0 GB are free: 0.06% fits, or say with --seconds how long"),
        (["--games", "1000000000"], r"take 1,920 GB of memory for the games of 'luck', and 2.0 GB are"),
        (["--games", "luck=10000000", "--only", "luck"], r"take 19 GB .* 'luck', .*: about 1,041,666 fit"),
    ],
)
def test_what_does_not_fit_into_memory_is_refused_before_it_begins(
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memory, "free_memory", lambda: 2e9)
    assert main(["study", "doubles", *arguments]) == 2
    said = capsys.readouterr()
    assert re.search(sentence, said.err) and said.err.count("\n") == 1 and not list(tmp_path.iterdir())


def test_the_precision_that_is_proposed_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2e9)
    for game in nf.games():
        with pytest.raises(nf.RuleError) as error:
            make_plan(game, precision="0.01%")
        (fits,) = re.findall(r"([\d.]+%) fits", str(error.value))
        make_plan(game, precision=fits)
        make_plan(game, precision="0.01%", seconds=60)  # the time says how many games there are


def test_rows_are_as_wide_as_is_reckoned() -> None:
    game = nf.make("doubles", players=3, rounds=1)
    for kind in (tables.Tables, drama.Moments, decisions.Choices):
        worker = kind(game, [nf_player("doubles", "medium")] * 3, 1, 100)
        assert worker.play(tables.Part(0, 2)).rows.shape == (2, kind.columns(game))
    assert 10**6 < memory.free_memory() < 10**15


@pytest.mark.parametrize(
    ("game", "settings"), [("doubles", {"rounds": 5}), ("nine_of_a_kind", {"target": 125})]
)
def test_minutes_where_everyone_acts_at_once(game: str, settings: dict[str, Any]) -> None:
    """docs/lengths.md counts what one player is shown; a study only knows decisions, turns and rounds."""
    title, players = registry.facts(game).title, registry.facts(game).first_players
    found = nf.study(game, ["medium"], players, seed=1, games=40, only=["games"], **settings)
    assert found.games
    assert found.games.minutes.value == pytest.approx(lengths.stated()[title], rel=0.3)


def said(found: nf.Study, name: str) -> str:
    return " ".join(next(one for one in sections(found) if one.name == name).sentences)


def test_a_report_says_what_was_measured_and_nothing_else() -> None:
    found = nf.study("baseball", ["easy", "medium"], 5, seed=1, games=24, only=["ladder", "options"])
    assert "The strongest bot measured here, medium," in said(found, "ladder")
    assert "The level `expert` searches and takes too long for these games" in said(found, "ladder")
    assert "at a table of 3 × easy and 2 × medium who change seats" in said(found, "options")
    assert "rows with another number of players have none" in said(found, "options")
    assert found.options_swept and found.options_swept.bots == ["easy"] * 3 + ["medium"] * 2
    head, *_ = next(one for one in sections(found) if one.name == "options").tables[0][1]
    assert head[1] == "minutes (mean)"


def test_when_the_winner_is_known_is_a_moment_that_was_looked_at(small: nf.Study) -> None:
    assert small.drama
    one = Estimate(0.5, 0.4, 0.6, 100)
    never = [one] * drama.POINTS
    sure = [*never[:-2], *[Estimate(0.93, 0.91, 0.95, 100)] * 2]
    for favourite, words in (
        (never, "At 90 % of the match, the last moment that was looked at, the favourite wins 50 % (40 to"),
        (
            sure,
            "At 80 % of the match, for the first time of those looked at, the favourite wins nine of",
        ),
    ):
        made = replace(small.drama, favourite=favourite, known=drama.known_at(favourite))
        assert words in said(replace(small, drama=made), "drama")


def test_bots_that_are_left_out_are_not_said_to_be_on_the_ladder() -> None:
    found = nf.study(
        "nine_of_a_kind", ["random", "easy", "hard"], 5, seed=1, games=2, only=["ladder"], target=30
    )
    assert found.ladder and found.ladder.left_out == ["random"]
    assert "on the ladder `easy` and `hard`." in found.markdown()


def test_precision_is_read() -> None:
    assert read_precision("0.5%") == read_precision("0.005") == read_precision(0.005) == 0.005


def test_parts_are_all_played() -> None:
    assert sum(PARTS.values()) == pytest.approx(1)


def test_pictures_hold_odd_numbers() -> None:
    wide = Estimate(5.0, -1e9, 1e12, 10)
    point = Estimate(5.0, 5.0, 5.0, 10)
    for rows in ([pictures.Dot("a", wide)], [pictures.Dot("b" * 80, point)], [pictures.Dot("<&>", point)]):
        ElementTree.fromstring(pictures.dots("t", rows, "u", (3, "even")))
    assert pictures.dots("t", [], "u") == "" and pictures.histogram("t", [], [], "u") == ""
    ElementTree.fromstring(pictures.histogram("t", [0, 1], [1.0], "u", (0.5, "m")))
    ElementTree.fromstring(pictures.stacked("t", [("a", 0.0, "s1"), ("b", 1.0, "s2")]))
    for low, high in ((0, 1), (-5, 5), (0, 1e9), (0.001, 0.002), (3, 3)):
        assert 1 <= len(pictures.ticks(low, high)) <= 7
