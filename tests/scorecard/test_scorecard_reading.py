"""What people type at the score card, and what it is taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.kernel.errors import Ambiguous, IllegalMove, NinefoldError, RuleError, Unreadable
from ninefold.scorecard.card import Card
from ninefold.scorecard.entries import (
    Cash,
    Correct,
    Join,
    Leave,
    Next,
    Redo,
    Rename,
    Return,
    Roll,
    Rounds,
    Sum,
    Undo,
)
from ninefold.scorecard.names import People, check_name, check_names, split_names
from ninefold.scorecard.reading import (
    HELP,
    Asked,
    Enter,
    Fix,
    Request,
    Show,
    read,
    read_roll,
    read_rounds,
)

NAMES = ("Ann", "Bob", "Uncle Jo", "Ben")


def table(*names: str) -> Card:
    return Card.new(names or NAMES, 10, 10)


def typed(text: str, card: Card | None = None) -> Asked:
    return read(text, card or table())


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        *((text, (3, 4)) for text in ("34", "3 4", "3-4", "3,4", "3+4", "3 - 4", " 34 ", "3/4")),
        ("43", (4, 3)),
        ("d5", (5, 5)),
        ("D5", (5, 5)),
        ("d 5", (5, 5)),
        ("55", (5, 5)),
        ("11", (1, 1)),
        ("12", (1, 2)),
        ("2", (1, 1)),
        ("s2", (1, 1)),
        ("s12", (6, 6)),
    ],
)
def test_dice(text: str, dice: tuple[int, int]) -> None:
    asked = typed(text)
    assert isinstance(asked, Enter)
    assert asked.entry == Roll(*dice)


@pytest.mark.parametrize("number", [3, 5, 7, 9])
def test_odd_sums_are_never_doubles(number: int) -> None:
    assert read_roll(str(number)) == Sum(number)


@pytest.mark.parametrize("number", range(3, 12))
def test_a_sum_with_s_is_not_doubles(number: int) -> None:
    roll = read_roll(f"s{number}")
    assert roll == Sum(number)
    one, other = roll.dice
    assert one + other == number
    assert one != other
    assert {one, other} <= set(range(1, 7))


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (4, "d2 for double twos, else s4 (or 13)"),
        (6, "d3 for double threes, else s6 (or 15 or 24)"),
        (8, "d4 for double fours, else s8 (or 26 or 35)"),
        (10, "d5 for double fives, else s10 (or 46)"),
    ],
)
def test_even_sums_might_be_doubles(number: int, hint: str) -> None:
    with pytest.raises(Ambiguous) as refused:
        typed(str(number))
    assert str(refused.value) == f"{number} might be doubles: type {hint}"


def test_eleven_and_twelve_are_two_dice_and_it_says_so() -> None:
    assert typed("11") == Enter(Roll(1, 1), "(Read as double ones; for eleven type s11.)")
    assert typed("12") == Enter(Roll(1, 2), "(Read as a 1 and a 2; for twelve type d6.)")
    assert typed("1 1") == Enter(Roll(1, 1))


@pytest.mark.parametrize(
    "text", ["37", "0", "1", "78", "345", "d7", "s13", "s1", "13.5", "10 10", "-3", "٣٤"]
)
def test_what_is_no_roll(text: str) -> None:
    with pytest.raises(IllegalMove):
        typed(text)


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("ann", (0,)),
        ("c ann bob", (0, 1)),
        ("c bob, ann", (1, 0)),
        ("cash ann", (0,)),
        ("a", (0,)),
        ("ANN", (0,)),
        ("bo be", (1, 3)),
        ("u", (2,)),
        ("jo", (2,)),
        ("uj", (2,)),
        ("uncle jo", (2,)),
        ("uncle jo ann", (2, 0)),
        ('"uncle jo" ann', (2, 0)),
        ("ann and bob", (0, 1)),
        ("ann & bob", (0, 1)),
        ("ann ann", (0,)),
        ("all", (0, 1, 2, 3)),
        ("c all", (0, 1, 2, 3)),
    ],
)
def test_cashing_out(text: str, players: tuple[int, ...]) -> None:
    assert typed(text) == Enter(Cash(players))


def test_which_one() -> None:
    with pytest.raises(Ambiguous) as refused:
        typed("b")
    assert str(refused.value) == "Which one, Bob or Ben? 'b' could be any of them; nothing changed"
    with pytest.raises(Ambiguous):
        typed("ann b")


def test_a_whole_name_is_never_ambiguous() -> None:
    assert typed("jo", table("Jo", "Joanna")) == Enter(Cash((0,)))
    assert typed("jose", table("José", "Jo")) == Enter(Cash((0,)))


def test_a_player_whose_initial_is_c() -> None:
    at = table("Cleo", "Ann")
    assert typed("c", at) == Enter(Cash((0,)))
    assert typed("a c", at) == Enter(Cash((1, 0)))
    with pytest.raises(Ambiguous, match="type cash ann, or Cleo ann"):
        typed("c ann", at)
    assert typed("cash ann", at) == Enter(Cash((1,)))


def test_odd_names_cash_out_with_c() -> None:
    at = table("7", "Undo", "34")
    assert typed("c 7", at) == Enter(Cash((0,)))
    assert typed("c undo 34", at) == Enter(Cash((1, 2)))
    assert typed("7", at) == Enter(Sum(7))
    assert typed("undo", at) == Undo(1)


def test_u_is_undo_unless_someone_is_called_so() -> None:
    assert typed("u", table("Ann")) == Undo(1)
    assert typed("u", table("Uma")) == Enter(Cash((0,)))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("", Request("")),
        ("?", Request("help")),
        ("HELP", Request("help")),
        ("quit", Request("quit")),
        ("scores", Request("scores")),
        ("chart", Request("chart")),
        ("undo", Undo(1)),
        ("undo 3", Undo(3)),
        ("redo 2", Redo(2)),
        ("show", Show(None)),
        ("show 2", Show(2)),
        ("fix 2", Show(2, fixing=True)),
        ("fix 2.5 36", Fix(2, 5, Roll(3, 6))),
        ("fix! 2.5 d2", Fix(2, 5, Roll(2, 2), sure=True)),
        ("fix 2.5 delete", Fix(2, 5, None)),
        ("fix 2.5 insert bob", Fix(2, 5, Cash((1,)), insert=True)),
        ("fix 2.5 ann bob", Fix(2, 5, Cash((0, 1)))),
        ("fix 2 bob=400", Enter(Correct(2, ((1, 400),)))),
        ("fix 2 bob=1,400 uncle jo = 0", Enter(Correct(2, ((1, 1400), (2, 0))))),
        ("join Zoe", Enter(Join(4, "Zoe"))),
        ("join Aunt  May", Enter(Join(4, "Aunt May"))),
        ("leave bo", Enter(Leave(1))),
        ("return bo", Enter(Return(1))),
        ("rename Bob Robert", Enter(Rename(1, "Robert"))),
        ("rename uncle jo Joseph", Enter(Rename(2, "Joseph"))),
        ("rename Uncle Jo, Big Joe", Enter(Rename(2, "Big Joe"))),
        ("next ben", Enter(Next(3))),
        ("rounds 12", Enter(Rounds(12))),
        ("export scores.csv", Request("export", "scores.csv")),
    ],
)
def test_requests(text: str, asked: Asked) -> None:
    assert typed(text) == asked


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("udno", "did you mean undo"),
        ("scroes", "did you mean scores"),
        ("bbo", "did you mean Bob"),
        ("xyzzy", "type a roll such as 34"),
        ("99", "two dice from 1 to 6"),
        ("fix", "show 2 lists round 2"),
        ("fix 2.5", r"fix 2\.5 36"),
        ("fix 2 bob", "such as fix 2 bob=400"),
        ("fix 2 bob=-3", "such as fix 2 bob=400"),
        ("undo x", "such as undo 3"),
        ("show two", "such as show 2"),
        ("join", "such as join Zoe"),
        ("leave zed", "Nobody here is called 'zed'"),
        ("rename Bob", "old name and the new"),
        ("rounds", "such as rounds 12"),
        ("export", "such as export scores.csv"),
        ("cash", "Who cashes out"),
        ("c zed", "Nobody here is called 'zed'"),
        ("\x1b[31mred", r"\?\[31mred"),
    ],
)
def test_one_sentence_says_what_to_type(text: str, hint: str) -> None:
    with pytest.raises(Unreadable, match=hint) as refused:
        typed(text)
    assert "\n" not in str(refused.value)
    assert "\x1b" not in str(refused.value)


@given(st.text(max_size=40))
def test_nothing_that_is_typed_breaks_the_reader(text: str) -> None:
    try:
        typed(text)
    except NinefoldError as error:
        assert "\n" not in str(error)


def test_help_fits_one_screen() -> None:
    lines = HELP.splitlines()
    assert len(lines) <= 21
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann Bob", ["Ann", "Bob"]),
        ("Ann, Bob, Uncle Jo", ["Ann", "Bob", "Uncle Jo"]),
        ('Ann "Uncle Jo" Bob', ["Ann", "Uncle Jo", "Bob"]),
        ("Ann “Uncle Jo”", ["Ann", "Uncle Jo"]),
        ("O'Brien", ["O'Brien"]),
    ],
)
def test_names_in_a_line(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    "name", ["", "  ", "all", "ALL", "a,b", "a=b", "-x", "a\x1b[0m", "x" * 41, "a\u202eb", "\ud800"]
)
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(RuleError):
        check_name(name)


@pytest.mark.parametrize("name", ["Ann", "Ärmel", "Uncle  Jo", "李雷", "👩‍🚀", "O'Brien", "7"])
def test_what_is_a_name(name: str) -> None:
    assert check_name(name)


@pytest.mark.parametrize("names", [[], ["Ann", "ann"], ["A", "A"], ["Straße", "STRASSE"], ["x"] * 2])
def test_names_that_cannot_sit_together(names: list[str]) -> None:
    with pytest.raises(RuleError):
        check_names(names)


def test_ten_thousand_names_and_no_more() -> None:
    assert len(check_names(f"P{number}" for number in range(10_000))) == 10_000
    with pytest.raises(RuleError, match="1 to 10,000 players"):
        check_names(f"P{number}" for number in range(10_001))
    at = table(*(f"P{number}" for number in range(10_000)))
    line = " ".join(f"p{number}" for number in range(0, 10_000, 3))
    assert typed(line, at) == Enter(Cash(tuple(range(0, 10_000, 3))))


@given(
    st.lists(st.text("abAB é", min_size=1, max_size=6).filter(lambda name: name.strip() != ""), max_size=8)
)
def test_the_underlined_letters_are_enough(names: list[str]) -> None:
    try:
        table_names = check_names(names)
    except RuleError:
        return
    people = People(dict(enumerate(table_names)))
    for player, size in people.keys().items():
        assert people.matches(table_names[player][:size]) == [player]


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("6", (6, 6)),
        ("8-12", (8, 12)),
        ("8–12", (8, 12)),
        ("8..12", (8, 12)),
        ("8 to 12", (8, 12)),
        ("8-8", (8, 8)),
    ],
)
def test_rounds(text: str, rounds: tuple[int, int]) -> None:
    assert read_rounds(text) == rounds


@pytest.mark.parametrize("text", ["0", "-3", "12-8", "x", "", "1.5", "99999999", "٣"])
def test_what_is_no_number_of_rounds(text: str) -> None:
    with pytest.raises(RuleError, match="a range"):
        read_rounds(text)
