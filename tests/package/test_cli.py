"""The command line: answers on stdout; one line on stderr and exit status 2 for wrong use; no traceback."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli, main
from ninefold.engine import registry
from ninefold.simulation.bench import table


def run(*arguments: str) -> str:
    """The output of a command that must work."""
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that wrong use gets."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ninefold: ") and err.count("\n") == 1, err
    return err


def test_help_shows_an_example_for_every_command() -> None:
    assert "ninefold games" in run("--help")
    for name in cli.list_commands(None):  # type: ignore[arg-type]
        if name != "score":
            assert "Example" in run(name, "--help"), name


def test_no_command_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Commands:" in capsys.readouterr().out


def test_games() -> None:
    assert "Doubles (1–16,384 players)" in run("games")
    sheet = next(game for game in json.loads(run("games", "--json")) if game["name"] == "doubles")
    assert sheet["options"][0]["name"] == "rounds"
    assert {"name": "never", "line": "never cashes out"} in sheet["bots"]


@pytest.mark.parametrize(
    ("spelled", "title"),
    [("Doubles", "Doubles"), ("9 of a Kind", "9 of a Kind"), ("hold'em", "Multiple 9 Hold'em")],
)
def test_a_game_may_be_spelled_in_any_way(spelled: str, title: str) -> None:
    assert run("rules", spelled).startswith(f"# {title}\n")
    named = nf.games()[[nf.make(name).facts.title for name in nf.games()].index(title)]
    for command in ("study", "tournament", "learn"):
        assert main([command, spelled, "--help"]) == 0
    assert run("judge", spelled, "--help").startswith(f"Usage: ninefold judge {named}")


def test_rules() -> None:
    page = run("rules", "doubles")
    assert "  dice 3 and 3: doubles as the first roll" in page and page.endswith(
        "ninefold rules doubles --all\n"
    )
    page = run("rules", "doubles", "--all")
    assert "**R3.4**" in page and "`rounds`" in page and "`threshold:N`" in page


@pytest.mark.parametrize("name", nf.games())
def test_pages_of_rules_are_folded_at_words(name: str) -> None:
    for more in ([], ["--all"]):
        page = run("rules", name, *more)
        assert all(len(line) <= 80 for line in page.splitlines())
        if more:
            written = re.sub(r"\|[-|]+\|\n|\|", " ", registry.rules_page(name))
            assert page.split()[: len(written.split())] == written.split()


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["3 4", "--total", "325", "--sevens", "2"], "The total grows by 75 to 400, with 3 sevens (R3.3).\n"),
        (["33"], "The total grows by 300 to 300, with 0 sevens (R3.1).\n"),
        (["55", "--total", "400"], "The total grows by 400 to 800, with 0 sevens (R3.2).\n"),
        (
            ["6 1", "--total", "9", "--sevens", "3"],
            "The fourth seven: the round is over and the total is lost (R3.4).\n",
        ),
        (["5 3"], "The total grows by 8 to 8, with 0 sevens (R3.5).\n"),
        (["34", "--json"], '{"total": 75, "sevens": 1, "ended": false}\n'),
    ],
)
def test_judge(arguments: list[str], answer: str) -> None:
    assert run("judge", "doubles", *arguments) == answer


def test_simulate() -> None:
    text = run(
        "simulate",
        "doubles",
        "--bots",
        "hard,threshold:400,random",
        "--games",
        "1k",
        "--seed",
        "1",
        "--quiet",
    )
    assert "Doubles, 3 players, rounds 10: 1,000 games" in text and "threshold:400" in text
    told = json.loads(
        run(
            "simulate",
            "doubles",
            "--games",
            "50",
            "--players",
            "3",
            "-o",
            "rounds=2-3",
            "--json",
            "--seed",
            "1",
            "-q",
        )
    )
    assert told["games"] == 50 and told["options"] == {"rounds": "2-3"} and told["bots"] == ["medium"] * 3


def test_demo_and_replay(tmp_path: Path) -> None:
    path = tmp_path / "a match.json"
    told = run(
        "demo", "doubles", "--bots", "hard,easy", "--seed", "5", "-o", "rounds=2", "--record", str(path)
    )
    assert "Doubles, Hard bot and Easy bot, seed 5" in told and "Final scores" in told
    again = run("replay", str(path))
    assert " wins with " in again
    events = json.loads(run("replay", str(path), "--seat", "0", "--json"))
    assert events["over"] and events["events"][0]["kind"] == "roll"
    assert CliRunner().invoke(cli, ["replay", "-"], input=path.read_bytes()).output == again


def test_a_record_keeps_the_names(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    run("demo", "doubles", "--bots", "hard,easy", "--seed", "1", "-o", "rounds=1", "--record", str(path))
    assert json.loads(path.read_text("utf-8"))["names"] == ["Hard bot", "Easy bot"]
    assert "Easy bot rolls" in run("replay", str(path))
    assert nf.load(path).over


def test_bench_quick() -> None:
    figures = json.loads(run("bench", "--quick", "--json"))
    assert {row["bots"] for row in figures} == {"random", "medium", "hard"}
    assert all(row["games_per_second"] > 0 and row["decisions_per_second"] > 0 for row in figures)
    wide = [row | dict.fromkeys(("games_per_second", "lowest", "highest"), 9_999_999) for row in figures]
    assert max(map(len, table(wide).splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("rules chess", "there is no game 'chess'; the games are"),
        ("rules dubles", "did you mean doubles"),
        ("simulate doubles --bots hrad", "did you mean hard"),
        ("simulate doubles --bots threshold:many", "takes a whole number"),
        ("simulate doubles --games ten", "a whole number from 1 up, such as 5000, 10k or 2M"),
        ("simulate doubles --games 0", "a whole number from 1 up"),
        ("simulate doubles --games 1.5", "a whole number from 1 up"),
        ("simulate doubles --players 0", "1 to 16,384 players"),
        ("simulate doubles --players many", "is not a valid integer"),
        ("simulate doubles -o rounds=12-8", "option rounds"),
        ("simulate doubles -o rounds", "NAME=VALUE"),
        ("simulate doubles -o colour=red", "no option 'colour'"),
        ("simulate doubles --seed -1", "a seed is a whole number"),
        ("simulate doubles --seed x", "is not a valid integer"),
        ("simulate doubles --threads 0", "threads is a whole number"),
        ("simulate", "which game? The games are baseball"),
        ("judge doubles 39", "a roll is two dice from 1 to 6"),
        ("judge doubles 34 --sevens 9", "0 to 3 sevens"),
        ("judge doubles", "Missing argument"),
        ("replay /no/such/file", "cannot be read"),
        ("replay", "which match?"),
        ("play doubles --players 0", "Doubles is for 1 to 16,384 players, not 0"),
        ("replay .", "cannot be read"),
        ("play", "which game? The games are baseball"),
        ("frobnicate", "No such command 'frobnicate'; `ninefold -h` lists them"),
        ("playy doubles", "No such command 'playy'; did you mean 'play'?"),
        ("Finest 9", "No such command 'Finest'; to play that game: ninefold play finest9"),
        ("holdem 9", "No such command 'holdem'; to play that game: ninefold play holdem9"),
        ("serve --port many", "--port is a whole number from 0 to 65,535"),
        ("serve --port 70000", "--port is a whole number from 0 to 65,535"),
        ("games --colour", "No such option"),
        ("demo doubles --bots zzz", "no bot 'zzz'"),
        ("warm chess", "there is no game"),
    ],
)
def test_wrong_use(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sentence in refused(capsys, *arguments.split())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"format": 1}', b"[" * 100_000]
)
def test_damaged_record_files(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    refused(capsys, "replay", str(path))


def test_a_record_that_never_ends_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "too large for a record" in refused(capsys, "replay", "/dev/zero")


def test_a_full_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sentence = "No space left on device"
    assert main(["demo", "doubles", "--seed", "1", "-o", "rounds=1", "--record", "/dev/full"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_closed_pipe() -> None:
    command = f'"{sys.executable}" -m ninefold demo doubles --seed 1 2>&1 | head -1; exit ${{PIPESTATUS[0]}}'
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode in (0, 141) and "Traceback" not in result.stdout + result.stderr
    assert result.stdout.count("\n") == 1


def test_an_unwritable_cache_still_works(tmp_path: Path) -> None:
    environment = {**os.environ, "NINEFOLD_CACHE": "/proc/none"}
    command = [
        sys.executable,
        "-m",
        "ninefold",
        "simulate",
        "doubles",
        "--games",
        "2",
        "-o",
        "rounds=1",
        "--seed",
        "1",
    ]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_module_entry() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ninefold", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("ninefold, version ")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line as a person would type it."""
    command = ["bash", "-c", line.replace("ninefold", f'"{sys.executable}" -m ninefold', 1)]
    settings = {**os.environ, **environment}
    return subprocess.run(command, env=settings, capture_output=True, errors="replace", check=False)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams(closed: str) -> None:
    assert shell(f"ninefold judge doubles 34 {closed}").returncode == 0
    assert shell(f"ninefold replay - {closed}").returncode == 2


def test_a_narrow_alphabet() -> None:
    result = shell("ninefold rules doubles", PYTHONIOENCODING="latin-1")
    assert result.returncode == 0 and "Traceback" not in result.stderr


@pytest.mark.parametrize("name", ["players", "name", "self", "options"])
def test_options_that_are_none(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"no option '{name}'" in refused(capsys, "simulate", "doubles", "-o", f"{name}=3")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rules 9 of a kind", "# 9 of a Kind"),
        ("rules nine of a kind", "# 9 of a Kind"),
        ("rules finest 9", "# Finest 9"),
        ("rules multiple 9 holdem", "# Multiple 9 Hold'em"),
        ("judge multiple 9 8 4 4 A A", "Legal: 4 4 A makes 9 and 8 A makes 9"),
        ("judge finest9 9 9 7 7", "7 9 9: 25 points"),
        ("judge holdem 9 9 K 5 J 7 2", "6 nines (9+9, J+7, K+5), unused 2"),
        ("play finest 9 Ann --plain", "Ann: "),
    ],
)
def test_a_game_is_written_as_it_is_called(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    assert said in run(*line.split())


def test_the_judge_explains_itself() -> None:
    assert "--sevens" in run("judge", "doubles", "--help")
    assert "ninefold judge GAME" in run("judge", "--help")


@pytest.mark.parametrize("game", registry.games())
def test_every_judge_answers_its_own_example(game: str) -> None:
    question = registry.question(game)
    assert f"Example: ninefold judge {game} " in run("judge", game, "-h")
    asked = shlex.split(question.example)
    assert run("judge", game, *asked).endswith(".\n") or question.settings
    assert json.loads(run("judge", game, *asked, "--json"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("judge finest9 99 7 -o nines", "write an option as NAME=VALUE, not 'nines'"),
        ("judge finest9 99 7 -o nines=some", "option nines is"),
        ("judge finest9 99 7 -o cards=9", "no option 'cards'"),
        ("judge baseball QQ --clear-jokers maybe", "option clear_jokers is on or off, not 'maybe'"),
        ("judge doubles 34 --total x", "option total is a whole number"),
    ],
)
def test_options_of_a_judge_say_what_is_allowed(
    line: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in refused(capsys, *line.split())


@pytest.mark.soak
def test_a_cache_is_announced_once_and_mended_when_damaged(tmp_path: Path) -> None:
    """A power cut may leave files with nothing in them."""
    line = "ninefold simulate doubles --games 5 --seed 1 --json"
    first, second = (shell(line, NINEFOLD_CACHE=str(tmp_path)) for _ in range(2))
    assert "First use" in first.stderr and "First use" not in second.stderr
    indexes, codes = list(tmp_path.rglob("*.nbi")), list(tmp_path.rglob("*.nbc"))
    assert indexes and codes
    for path in indexes[::2]:
        path.write_bytes(path.read_bytes()[:20])
    for path in codes:
        path.write_bytes(b"")
    mended = shell(line, NINEFOLD_CACHE=str(tmp_path))
    assert mended.returncode == 0, mended.stderr
    assert json.loads(mended.stdout)["wins"] == json.loads(first.stdout)["wins"]


def test_without_the_compiler_one_line_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('there is no numba here')\n", "utf-8")
    places = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(
        [sys.executable, "-m", "ninefold", "judge", "doubles", "34"],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2 and not ran.stdout
    assert ran.stderr == (
        "ninefold: a part of Ninefold cannot be loaded (there is no numba here); "
        "install it again: pip install ninefold\n"
    )
