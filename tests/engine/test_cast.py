"""The cast: who sits at a table, and what their tempers change."""

from collections import Counter

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots, find_bot
from ninefold.engine.cast import Seated, at_level, choose_bots
from ninefold.engine.registry import facts
from ninefold.kernel.errors import RuleError
from ninefold.kernel.temper import BOLDNESS, HABIT
from ninefold.model.cast import BY_ID, CAST, LEVELS, cast_sheets, character_of, level_of
from ninefold.server.tables.names import clean_name, look_alike


def test_twelve_characters_that_nobody_mixes_up() -> None:
    assert len(CAST) == len(BY_ID) == 12
    assert len({who.name[0] for who in CAST}) == 12  # initials are enough to tell them apart
    assert len({who.sign for who in CAST}) == len({who.colour for who in CAST}) == 12
    assert {who.temper for who in CAST} == {"steady", "cautious", "bold", "stubborn", "copycat"}
    for who in CAST:
        assert clean_name(who.name, [other.name for other in CAST if other is not who]) == who.name
        assert (who.temper == "bold") == (who.boldness > 0)
        assert (who.temper == "cautious") == (who.boldness < 0)
        assert who.distance(who.level) == 0
    assert not {who.id for who in CAST} & {
        bot.name for game in nf.games() for bot in nf.make(game).facts.bots
    }
    sheets = cast_sheets()
    assert sheets[0].id == "ada" and sheets[0].levels == ["easy", "medium", "hard"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_table_seats_different_characters_and_the_same_seed_the_same(level: str) -> None:
    for seed in range(40):
        seated = choose_bots("doubles", [f"mixed:{level}"] * 12, seed)
        assert sorted(name for name, _ in seated) == sorted(who.name for who in CAST)
        assert all(bot == f"{name.lower()}:{level}" for name, bot in seated)
        assert choose_bots("doubles", [f"mixed:{level}"] * 12, seed) == seated
        tempers = [BY_ID[name.lower()].temper for name, _ in seated[:3]]
        assert len(set(tempers)) == 3  # the usual table has three different ones
        assert all(BY_ID[name.lower()].distance(level) == 0 for name, _ in seated[:3])
    firsts = {choose_bots("doubles", ["mixed"], seed)[0].name for seed in range(200)}
    assert len(firsts) > 6


def test_no_name_is_given_twice() -> None:
    many = choose_bots("doubles", ["mixed"] * 30, 1, ["Ann", "ada"])
    names = [name for name, _ in many]
    assert len(set(names)) == 30 and "Ada" not in names and sum(" 2" in name for name in names) == 12
    assert [bot.partition(":")[0] for name, bot in many] == [name.split()[0].lower() for name, _ in many]
    lookalike = choose_bots("doubles", ["mixed"] * 12, 1, ["Аda", "B0"], look_alike)  # a Cyrillic A, a zero
    assert not {"Ada", "Bo"} & {name for name, _ in lookalike}
    asked = choose_bots("doubles", ["mixed", "ada:hard", "hard", "mixed:easy", "hard"], 3)
    assert asked[1:3] == [Seated("Ada", "ada:hard"), Seated("Hard bot", "hard")]
    assert len({name for name, _ in asked}) == 5 and asked[4].name == "Hard bot 2"


def test_a_level_that_a_game_lacks_is_the_next_below() -> None:
    for game in nf.games():
        if "expert" in {bot.name for bot in facts(game).bots}:
            continue
        assert {level_of(bot) for _, bot in choose_bots(game, ["mixed:expert"] * 3, 1)} == {"hard"}
    assert at_level("ada", "hard") == "ada:hard" and at_level("mixed", "easy") == "mixed:easy"
    assert at_level("ada:easy", "hard") == "ada:easy" and at_level("threshold:9", "hard") == "threshold:9"


def test_a_character_is_a_bot_by_name() -> None:
    plain, bo = find_bot("doubles", "hard"), find_bot("doubles", " Bo:Hard ")
    assert (bo.name, bo.number, bo.boldness) == ("bo:hard", plain.number, 2)
    params = [0] * 8
    bo.fill(params)
    assert params[BOLDNESS] == 2 and params[HABIT] == 0
    find_bot("doubles", "threshold:400").fill(params)
    assert params == [400, 0, 0, 0, 0, 0, 0, 0]
    assert find_bot("baseball", "inka").number == find_bot("baseball", "hard").number  # where she is at home
    for wrong in ("ada:none", "ada:", "ada:hard:2", "mixed"):
        with pytest.raises(RuleError):
            find_bot("doubles", wrong)
    for wrong in ("ada:none", "mixed:none", "nobody"):
        with pytest.raises(RuleError):
            choose_bots("doubles", [wrong], 1)
    assert [level_of(bot) for bot in ("hard", "ada", "inka", "bo:easy", "threshold:400", None)] == [
        *("hard", "medium", "hard", "easy", "", ""),
    ]
    assert character_of("ada:hard") is BY_ID["ada"] and character_of("hard") is None


def test_three_medium_characters_in_doubles_do_not_tie_all_the_time() -> None:
    for seed in range(4):
        trio = [bot for _, bot in choose_bots("doubles", ["mixed"] * 3, seed)]
        result = nf.simulate("doubles", bots=trio, games=2_000, seed=5)
        shared = 2 * (1 - sum(result.wins_squared) / result.games)  # of games; all of them once were
        assert shared < 0.05, (trio, shared)


NOTHING_TO_CHANGE = {"finest9"}
# By game: how far a temper may move the share of wins, before the noise of so few games.
ROOM = {"doubles": 0.06, "baseball": 0.08, "multiple9": 0.04, "holdem9": 0.06, "finest9": 0.0}


@pytest.mark.parametrize("game", ROOM)
def test_tempers_change_play_and_not_the_level(game: str) -> None:
    def played(bot: str, level: str) -> tuple[float, tuple[float, ...]]:
        others = [level] * (facts(game).usual_players - 1)
        result = nf.simulate(game, bots=[f"{bot}:{level}".lstrip(":"), *others], games=2_000, seed=11)
        return float(result.wins[0]) / result.games, tuple(score.mean for score in result.scores)

    bolder = "easy" if game == "multiple9" else "medium"  # the levels above hold on to all their cards
    for who, level in (("bo", bolder), ("esme", "medium")):
        plain = played("", level)
        assert played("hana", level) == plain  # steady: the level itself
        share, scores = played(who, level)
        assert (scores == plain[1]) == (game in NOTHING_TO_CHANGE), who
        assert abs(share - plain[0]) <= ROOM[game] + 0.02, (who, share, plain[0])


def test_cautious_ones_cash_out_sooner_than_bold_ones() -> None:
    def waited(bot: str) -> float:
        game, rolls, times = nf.make("doubles", players=4), 0, 0
        for number in range(25):
            state = game.start(seed=2, number=number)
            SeatedBots(game, [bot, "medium", "medium", "medium"], 2, number).play_out(state, 10_000)
            mine = [state.format(seat, action) for seat, action in state.steps if seat == 0]
            rolls, times = rolls + mine.count("stay"), times + mine.count("cash out")
        return rolls / times

    assert waited("esme:medium") < waited("medium") < waited("bo:medium")


def test_tempers_show_in_how_nine_of_a_kind_is_traded() -> None:
    def trades(bot: str) -> tuple[dict[str, float], float]:
        """The parts of a bot's trades by their first word, and how many cards it offers at once."""
        game = nf.make("nine_of_a_kind", players=5)
        state = game.start(seed=2)
        SeatedBots(game, [bot, *["medium"] * 4], 2).play_out(state, 12_000)
        mine = [state.format(seat, action).split() for seat, action in state.steps if seat == 0]
        made = Counter(words[0] for words in mine)
        offered = [len(words) - 1 for words in mine if words[0] == "offer"]
        total = made["offer"] + made["answer"] + made["centre"]
        return {kind: made[kind] / total for kind in made}, sum(offered) / len(offered)

    plain, cards = trades("medium")
    assert trades("hana:medium") == (plain, cards)  # steady: the level itself
    assert trades("bo:medium")[0]["offer"] > plain["offer"] + 0.05
    assert trades("cleo:medium")[0]["answer"] > plain["answer"] + 0.05
    assert trades("fitz:medium")[0]["answer"] < plain["answer"] - 0.05
    assert trades("esme:medium")[1] < cards


def test_tempers_do_not_leave_the_level_in_nine_of_a_kind() -> None:
    """All are far from the share of `hard` among four `medium`, 54 %, and of `easy`, 2.5 %; even is 20 %."""
    for who in ("bo", "esme", "fitz", "cleo"):
        result = nf.simulate("nine_of_a_kind", bots=[f"{who}:medium", *["medium"] * 4], games=40, seed=11)
        assert result.unfinished == 0
        assert 0.05 < float(result.wins[0]) / result.games < 0.45, who


@pytest.mark.parametrize("who", ["ada", "esme", "bo", "cleo"])
def test_a_lone_nine_that_a_temper_puts_down_is_followed_by_a_group(who: str) -> None:
    game = nf.make("multiple9")
    for number in range(30):
        state = game.start(seed=9, number=number)
        bots = [f"{who}:medium", *["medium"] * (game.players - 1)]
        SeatedBots(game, bots, 9, number).play_out(state, 100)  # RuleError if a move is not possible
