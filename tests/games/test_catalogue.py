"""What every game of the catalogue is held to, with no exception by name."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ninefold as nf
from ninefold.engine import registry
from ninefold.model.cast import character_of
from ninefold.terminal.seating import seat_all
from ninefold.testkit import LAWS, BrokenLaw, playthrough, trees
from ninefold.testkit.laws import Law
from support.golden import COUNTS, GOLDEN, read_counts

GAMES = nf.games()


def tables(name: str) -> list[nf.Game]:
    """Small, usual and large tables."""
    low, high = registry.facts(name).players
    usual = registry.facts(name).usual_players
    return [nf.make(name, players=players) for players in sorted({low, usual, min(high, 20)})]


@pytest.mark.parametrize(
    ("name", "law"), [*product(GAMES, LAWS)], ids=lambda part: getattr(part, "__name__", part)
)
def test_law(name: str, law: Law) -> None:
    for game in tables(name):
        for seed in range(3):
            law(game, seed)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "law"), [*product(GAMES, LAWS)], ids=lambda part: getattr(part, "__name__", part)
)
def test_law_over_many_matches(name: str, law: Law) -> None:
    for game in tables(name):
        for seed in range(100, 130):
            law(game, seed)


@pytest.mark.parametrize("name", GAMES)
def test_fact_sheet(name: str) -> None:
    facts = registry.facts(name)
    bots = [bot.name for bot in facts.bots]
    assert {"random", "easy", "medium", "hard"} <= set(bots) and len(set(bots)) == len(bots)
    assert facts.players[0] <= facts.usual_players <= facts.players[1] == facts.capacities[-1]
    assert facts.title in registry.rules_page(name)
    assert all(option.label and option.allowed for option in facts.options)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    import re

    page = registry.rules_page(name)
    numbers = re.findall(r"\*\*R(\d+)\.(\d+)\*\*", page)
    assert len(numbers) == len(set(numbers)) >= 5
    tests = "".join(
        path.read_text("utf-8") for path in (Path(__file__).parent / name).glob(f"test_{name}*.py")
    ).lower()
    uncited = [f"R{a}.{b}" for a, b in numbers if not re.search(rf"r{a}[._]{b}(?!\d)", tests)]
    assert not uncited, f"rules of {name} without a test: {uncited}"


@pytest.mark.parametrize("name", GAMES)
def test_refusals_cite_rules_that_exist(name: str) -> None:
    from ninefold.testkit.laws import some_actions, some_seats, walk

    page = registry.rules_page(name)
    game = nf.make(name)
    cited = set()
    for seed in range(3):
        for state, _, _ in walk(game, seed, most=60):
            for seat in some_seats(game, seed):
                for action in some_actions(game, seed)[:300]:
                    rule = int(game.package.rules.refuse(state.position, seat, action))
                    if rule:
                        cited.add(rule)
                        assert game.package.notation.explain_refusal(state.position, seat, action, rule)
    assert cited
    for rule in cited:
        assert f"**R{rule // 100}.{rule % 100}**" in page


@pytest.mark.parametrize("name", GAMES)
def test_no_game_lacks_a_playthrough_or_counts(name: str) -> None:
    assert [path for path in GOLDEN if path.stem.rpartition("-")[0] == name]
    assert [path for path in COUNTS if path.stem == name]


def test_every_game_has_a_picture_of_its_own() -> None:
    """Small, of one shape, and nothing but a picture: no script, no style, nothing from elsewhere."""
    pictures = {name: registry.picture(name) for name in GAMES}
    assert len(set(pictures.values())) == len(GAMES)
    assert sum(map(len, pictures.values())) < 60_000
    for name, content in pictures.items():
        root = ElementTree.fromstring(content)
        assert root.attrib["viewBox"] == "0 0 320 200", name
        kinds = {part.tag.removeprefix("{http://www.w3.org/2000/svg}") for part in root.iter()}
        assert not kinds & {"script", "style", "image", "foreignObject", "a"}, name
        links = [value for part in root.iter() for key, value in part.items() if key.endswith("href")]
        assert all(link.startswith("#") for link in links), name


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    assert playthrough.again(path) == path.read_text("utf-8")


@pytest.mark.parametrize("path", COUNTS, ids=lambda path: path.stem)
def test_tree_counts(path: Path) -> None:
    for game, levels in read_counts(path):
        assert trees.count(game, len(levels) - 1) == levels, game


INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}  # compiles everything anew


@pytest.mark.parametrize("mode", [INTERPRETED, pytest.param(CHECKED, marks=pytest.mark.soak)])
def test_one_answer_key_for_every_mode(mode: dict[str, str]) -> None:
    """Compiled, interpreted and with checked bounds, every state is the same, byte for byte."""
    modes: list[dict[str, str]] = [{}, mode]
    command = [sys.executable, "-W", "error", "-m", "ninefold.testkit.modes"]
    running = [
        subprocess.Popen(command, env={**os.environ, **mode}, stdout=subprocess.PIPE, text=True)
        for mode in modes
    ]
    answers = [process.communicate()[0] for process in running]
    assert all(process.returncode == 0 for process in running)
    assert answers[0] and answers[0] == answers[1]


# The laws must be able to fail: games that break them


def broken(name: str, **changes: object) -> nf.Game:
    """A game whose rules are replaced in part."""
    from dataclasses import replace
    from types import SimpleNamespace

    game = nf.make(name, players=3)
    rules = SimpleNamespace(**{**vars(game.package.rules), **changes})
    game.package = replace(game.package, rules=rules)
    return game


def fails(law: str, game: nf.Game) -> None:
    chosen = next(one for one in LAWS if one.__name__ == law)
    with pytest.raises(BrokenLaw):
        for seed in range(10):
            chosen(game, seed)


def test_a_leak_breaks_the_law() -> None:
    from dataclasses import replace

    from ninefold.game.doubles import rules
    from ninefold.kernel.fields import Sees

    open_fields = tuple(replace(field, sees=Sees.ALL) for field in rules.FIELDS)
    fails("secrets_are_kept", broken("doubles", FIELDS=open_fields))


def test_a_loaded_die_breaks_the_law() -> None:
    fails(
        "chance_fits_its_weights", broken("doubles", sample=lambda s, stream: 20 if stream.a % 3 == 0 else 5)
    )


def test_a_six_that_never_comes_breaks_the_law() -> None:
    from ninefold.kernel.stream import below

    fails("chance_fits_its_weights", broken("doubles", sample=lambda s, stream: below(stream, 20)))


def test_legal_and_refuse_that_disagree_break_the_law() -> None:
    fails("legal_is_what_play_accepts", broken("doubles", refuse=lambda s, seat, action: 0))


def test_a_redeal_of_nothing_breaks_the_law() -> None:
    fails("redeal_deals", broken("doubles", redeal=lambda s, seat, stream: None))


def test_a_peeking_bot_breaks_the_law() -> None:
    from dataclasses import replace

    from ninefold.kernel import seats

    game = nf.make("doubles", players=3)
    game.package = replace(
        game.package,
        ask_bot=lambda s, seat, slot, stream: int(bool(s.cashing.any() and seats.has(s.inside, seat))),
    )
    fails("bots_play_by_the_rules", game)


def test_a_first_evening() -> None:
    """What a first match is proposed with: short enough to learn from, long enough to be one."""
    sheets = {name: registry.facts(name) for name in nf.games()}
    proposed = {name: sheet.suggestions(sheet.first_players) for name, sheet in sheets.items()}
    assert proposed["doubles"] == {"rounds": 5} and nf.make("doubles").options["rounds"] == 10
    assert proposed["holdem9"]["hands"] >= 10, "a session, not one hand"
    assert proposed["multiple9"] == {"undecided": "last_turn"} and not sheets["multiple9"].suggestions(2)
    assert 5 <= sheets["nine_of_a_kind"].minutes <= 15 and proposed["nine_of_a_kind"]["target"] < 300
    assert sheets["finest9"].minutes > 2
    for name in sheets:
        seats = seat_all(name, ["Ann"], None, None, seed=1)
        characters = [character_of(seat.bot) for seat in seats[1:]]
        assert None not in characters and len({seat.name for seat in seats}) == len(seats)


@pytest.mark.parametrize("name", nf.games())
def test_what_is_suggested_for_friends_is_allowed(name: str) -> None:
    sheet = registry.facts(name)
    assert nf.make(name, **sheet.suggested).options.items() >= dict(sheet.suggested).items()
