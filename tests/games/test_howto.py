"""How to play, on one page: short, with pictures of real cards, and every figure is what the engine says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import ninefold as nf
from ninefold.engine.lessons import stage
from ninefold.engine.registry import howto_page
from ninefold.kernel.cards import NINE_SUITS, WITH_JOKERS
from ninefold.kernel.errors import RuleError
from ninefold.model.howto import HowToPicture, HowToText, read_howto
from ninefold.terminal.pages import in_plain_lines
from ninefold.terminal.paint import PLAIN, Canvas, picture


@dataclass(frozen=True)
class Shown:
    """A row of a picture, as a test looks at it."""

    dice: tuple[int, ...]
    cards: str
    words: str

    @property
    def number(self) -> int:
        """The last number in the words."""
        return int(re.findall(r"−?\d+", self.words)[-1].replace("−", "-"))


def shown(game: str) -> list[Shown]:
    parts = read_howto(howto_page(game))
    rows = [row for part in parts if isinstance(part, HowToPicture) for row in part.rows]
    return [Shown(tuple(row.dice), " ".join(one.card or "" for one in row.cards), row.words) for row in rows]


@pytest.mark.parametrize("game", nf.games())
def test_a_page_is_short_and_has_pictures(game: str) -> None:
    page = howto_page(game)
    parts = read_howto(page)
    read = [part.text for part in parts if isinstance(part, HowToText)] + [row.words for row in shown(game)]
    assert 150 <= len(re.findall(r"\w[\w’]*", " ".join(read))) <= 250
    assert page.startswith(f"# {nf.make(game).facts.title}\n")
    assert sum(isinstance(part, HowToPicture) for part in parts) >= 2
    assert "\n## The end\n" in page or "\n## Points\n" in page
    assert not re.search(r"\bR\d|\bseat\b|whoever|\bhouse\b|\btold\b", page), "spoken English"


@pytest.mark.parametrize("game", nf.games())
def test_pictures_are_of_cards_that_exist(game: str) -> None:
    deck = NINE_SUITS if game == "nine_of_a_kind" else WITH_JOKERS
    for row in shown(game):
        assert all(1 <= die <= 6 for die in row.dice) and len(row.dice) in (0, 2)
        assert row.dice or row.cards
        deck.read_hand(row.cards)  # no card twice, and no suit that the deck lacks


@pytest.mark.parametrize("game", nf.games())
@pytest.mark.parametrize("width", [40, 80])
def test_pictures_fit_the_terminal(game: str, width: int) -> None:
    for part in read_howto(howto_page(game)):
        if isinstance(part, HowToPicture):
            drawn = [line.plain for line in picture(part.rows, Canvas(width, signs=PLAIN))]
            assert max(map(len, drawn)) <= width
            together = re.sub(r"[\s+|-]+", " ", " ".join(drawn))
            for row in part.rows:
                assert all(word in together for word in re.sub(r"[\s+|-]+", " ", row.words).split())


def test_a_page_can_be_heard() -> None:
    assert "  dice 3 and 4; 7H 7D: the same rank: 14" in in_plain_lines("finest9").splitlines()
    assert "  QS 4D down" in in_plain_lines("baseball").splitlines()


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(RuleError, match="'11♥' in a picture"):
        read_howto("```picture\n11♥ | eleven\n```\n")


# What the pages say, against the engine


def finest9() -> None:
    seen = 0
    rows = shown("finest9")
    for row in rows:
        if row.dice and row.cards != "5S 5H 6C 7D KH":
            matches = nf.finest9.matches(row.cards, sum(row.dice))
            ranks = [re.sub("[SHDC]", "", card) for card in row.cards.split()]
            assert [one.points for one in matches if sorted(one.ranks) == sorted(ranks)] == [row.number], row
            seen += 1
    assert seen == 4
    example = rows.index(Shown((2, 3), "5S 5H 6C 7D KH", "Ann rolls 5"))
    taken = {tuple(one.ranks): one.points for one in nf.finest9.matches("5S 5H 6C 7D KH", 5)}
    assert taken == {("5", "5"): 10, ("5", "6", "7"): 18}
    assert [row.number for row in rows[example + 1 :]] == [10, 18]
    points = {card: value for row in rows[:3] for card in row.cards.split() for value in [row.words]}
    assert points == {"2C": "what they say", "9H": "what they say", "AS": "11"} | dict.fromkeys(
        ("10S", "JC", "QD", "KH"), "10 each"
    )
    assert nf.finest9.matches("10 10", 10)[0].points == nf.finest9.matches("Q Q", 10)[0].points == 20
    assert nf.finest9.matches("7 7 7", 7)[0].ranks == ["7", "7", "7"], "all of one rank go together"
    assert not nf.finest9.matches("6 6 Q K A 9 9", 12), "a 12 matches nothing"
    assert "taken 87 points" in howto_page("finest9") and "24 are" in howto_page("finest9") and 87 - 24 == 63


def doubles() -> None:
    rows = shown("doubles")
    for row, total in zip(rows[:3], (11, 75, 300), strict=True):
        assert nf.doubles.roll(0, 0, row.dice == (3, 3), row.dice).total == total == row.number
    assert nf.doubles.roll(150, 0, False, rows[3].dice).total == 300
    now = nf.doubles.roll(0, 0, True, rows[4].dice)
    assert now.total == rows[4].number
    for row in rows[5:10]:
        now = nf.doubles.roll(now.total, now.sevens, False, row.dice)
        assert f"{now.total}" in row.words and not now.ended, row
    now = nf.doubles.roll(now.total, now.sevens, False, rows[10].dice)
    assert now.ended and now.total == 0 and "fourth seven" in rows[10].words and len(rows) == 11


def baseball() -> None:
    rows = shown("baseball")
    for row in rows[:3] + rows[4:6]:
        assert nf.baseball.points(row.cards) == row.number, row
    assert rows[3].words == "what they say" and nf.baseball.points(rows[3].cards) == 2 + 10
    assert [row.cards.split()[0] for row in rows[6:8]] == ["QS", "QH"] and rows[8].cards == " KS 2H"
    assert nf.baseball.points(rows[9].cards) == rows[9].number == 75 and len(rows) == 10


def multiple9() -> None:
    rows = shown("multiple9")
    for row in rows[3:6]:
        groups = [sorted(group) for group in nf.multiple9.groups(row.cards)]
        assert sorted(row.cards.split()) in groups and row.number % 9 == 0, row
    assert ["2", "4", "4", "8"] not in [sorted(one) for one in nf.multiple9.groups(rows[6].cards)]
    assert rows[6].cards == "8 4 4 2" and 8 + 4 + 4 + 2 == 18
    moves = stage("multiple9", 2).state.moves(0)  # holds 6 3 K 5
    assert "lay 6 3" in moves and nf.multiple9.split(rows[8].cards) == [["K", "5"], ["6", "3"]]
    first = stage("multiple9", 1).state
    assert sorted(rows[9].cards.split()) == sorted(hand(first, "multiple9"))
    assert f"lay {rows[10].cards}" in first.moves(0) and rows[10].number == 18 and len(rows) == 11


def holdem9() -> None:
    rows = shown("holdem9")
    words = {"one": 1, "two": 2, "four": 4, "Six": 6, "Seven": 7}
    for row in rows[3:6]:
        value = sum({"J": 11, "K": 13}.get(card) or int(card) for card in row.cards.split())
        assert row.cards == "9" or str(value) in row.words
        assert words[row.words.split()[-2]] == value / 9
    board = rows[6].cards
    for row in rows[7:9]:
        verdict = nf.holdem9.judge(f"{board} {row.cards}")
        assert verdict.nines == words[row.words.split()[-2]]
        for group in verdict.groups:
            assert " ".join(group) in row.words
    assert nf.holdem9.judge(f"{board} K K").strength > nf.holdem9.judge(f"{board} 8 7").strength
    assert len(rows) == 9


def nine_of_a_kind() -> None:
    rows = shown("nine_of_a_kind")
    spades, blocked = (stage("nine_of_a_kind", number).state for number in (1, 5))
    assert sorted(rows[1].cards.split()) == sorted(hand(spades, "nine_of_a_kind"))
    assert f"offer {rows[2].cards}" in spades.moves(0)
    assert sorted(rows[3].cards.split()) == sorted(hand(blocked, "nine_of_a_kind"))
    blocked = blocked.copy()
    blocked.play(0, "claim blocked")
    assert blocked.scores[0] > 0
    held = nf.nine_of_a_kind.held(rows[4].cards)
    assert (held.points, held.collection) == (rows[4].number, "nines") == (6, "nines")
    assert len(rows) == 5


def hand(state: nf.State, game: str) -> list[str]:
    """What the learner holds in a lesson."""
    view = state.picture(0)
    own = next(zone for zone in view.zones if zone.owner == 0 and zone.kind in ("hand", "row"))
    return [card.card or "" for card in own.cards or []]


CHECKS: dict[str, Callable[[], None]] = {
    check.__name__: check for check in (baseball, doubles, finest9, holdem9, multiple9, nine_of_a_kind)
}


@pytest.mark.parametrize("game", nf.games())
def test_what_a_page_says_is_what_the_engine_says(game: str) -> None:
    CHECKS[game]()


@pytest.mark.parametrize("game", ["baseball", "multiple9", "holdem9", "finest9"])
def test_values_are_those_of_the_table(game: str) -> None:
    """What the legend beside a table says of cards, the page says, too."""
    said = {
        re.sub("[SHDC]$", "", card): row.words for row in reversed(shown(game)) for card in row.cards.split()
    }
    legend = nf.make(game).start(seed=1).picture(0).legend
    values = {
        rank: str(one.value) for one in legend for rank in str(one.label).split() if rank in ("A", *"JQK")
    }
    assert values
    for rank, value in values.items():
        assert re.search(rf"\b{value}\b", said[rank]), (rank, said[rank])
