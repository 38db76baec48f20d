"""Reads what a person types: an entry, a correction or a request; else an error that says what to type.

Only reads. Knows the names at the table and how rolls are written, and nothing about totals or files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeAlias

from ninefold.kernel.errors import Ambiguous, RuleError, Unreadable
from ninefold.scorecard.card import MOST_ROUNDS, Card, Position
from ninefold.scorecard.entries import (
    Cash,
    Correct,
    Entry,
    Join,
    Leave,
    Next,
    Player,
    Redo,
    Rename,
    Return,
    Roll,
    Rounds,
    Sum,
    Undo,
)
from ninefold.scorecard.names import People, check_name, fold, shown, split_words

HELP = """\
A ROLL                                     CASHING OUT, between rolls
34 or 3 4 or 3-4   two dice, any order     ann        Ann; an or a will do too
d5                 double fives            ann bob    both at once
7                  a seven                 all        everyone still in
3 5 9              never doubles           c ann      the same, for any name
s8                 8, and not doubles

Two digits from 1 to 6 are two dice: 11 is double ones, 12 is a 1 and a 2. The
sums are s11 and s12. A lone 4, 6, 8 or 10 might be doubles: type 35, d4 or s8.

CORRECTIONS                                PEOPLE
undo    undo 3     undo entries            join Zoe   in from the next round
redo               redo them               leave Bob  keeps the score
show    show 2     entries of a round      return Bob
fix 2.5 36         2.5 was a 3 and a 6     rename Bob Robert
fix 2.5 delete                             next Bob   Bob has the dice
fix 2.5 insert bob    before 2.5
fix 2 bob=400      Bob's score in round 2  rounds 12  a longer or shorter game

scores    chart    export scores.csv (or .json)    help or ?    quit
No dice at hand? Type roll. Every entry is saved at once."""


@dataclass(frozen=True, slots=True)
class Enter:
    """A new entry, with a remark if it could be read in another way."""

    entry: Entry
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """Correct entry `number` of round `round`: replace it, insert before it, or (no entry) delete it.

    `sure` if entries that no longer fit may be dropped.
    """

    round: int
    number: int
    entry: Entry | None
    insert: bool = False
    sure: bool = False
    typed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """The entries of a round; None is this one. `fixing`: a correction was begun but not completed."""

    round: int | None
    fixing: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """Help, scores, chart, a roll by the card, export (to a file), quit, or an empty line."""

    word: str
    file: str = ""


Asked: TypeAlias = Enter | Fix | Undo | Redo | Show | Request

_PAGES = {
    "": "", "help": "help", "?": "help", "scores": "scores", "score": "scores", "standings": "scores",
    "names": "scores", "players": "scores", "chart": "chart", "quit": "quit", "exit": "quit", "bye": "quit",
    "roll": "roll",
}  # fmt: skip
_SHORT = {"u": "undo", "q": "quit"}  # unless a name begins so
_PEOPLE = ("join", "leave", "return", "rename", "next")
_WORDS = (*_PAGES, *_PEOPLE, "undo", "redo", "show", "fix", "rounds", "export", "cash", "all")
_REMARKS = {  # read as dice, but they may have been meant as sums
    "11": "(Read as double ones; for eleven type s11.)",
    "12": "(Read as a 1 and a 2; for twelve type d6.)",
}
_FACES = ("", "ones", "twos", "threes", "fours", "fives", "sixes")


def read(text: str, card: Card) -> Asked:
    """Read a typed line."""
    text = " ".join(text.split())
    word, rest = _first_word(text)
    if not rest and word in _PAGES:
        return Request(_PAGES[word])
    if word in _SHORT and not People(card.position.present).matches(word):
        word = _SHORT[word]
        if word == "quit" and not rest:
            return Request(word)
    match word:
        case "undo" | "redo":
            steps = _number(rest or "1", f"how many, such as {word} 3")
            return Undo(steps) if word == "undo" else Redo(steps)
        case "show":
            return Show(_number(rest, "the number of a round, such as show 2") if rest else None)
        case "fix" | "fix!":
            return _fix(rest, word == "fix!", card)
        case "export":
            if not rest:
                raise Unreadable("Type a file name too, such as export scores.csv or export scores.json")
            return Request("export", rest.strip('"'))
    return Enter(_entry(text, card), _REMARKS.get(text, ""))


def _first_word(text: str) -> tuple[str, str]:
    word, _, rest = text.partition(" ")
    return fold(word), rest


def _entry(text: str, card: Card, anyone: bool = False) -> Entry:
    """Read a single entry. `anyone`: in a correction, also players who have left since."""
    if (roll := read_roll(text)) is not None:
        return roll
    at = card.position
    people = People(at.names if anyone or not at.present else at.present)
    word, rest = _first_word(text)
    if word in _PEOPLE and not rest:
        raise Unreadable(f"Type a name too, such as {word} {'Bob Robert' if word == 'rename' else 'Zoe'}")
    match word:
        case "join":
            return Join(card.fresh_player(), check_name(rest.strip('"')))
        case "rename":
            return _rename(rest, at)
        case "return":
            away = {player: name for player, name in at.names.items() if player in at.away}
            return Return(_player(rest, People(away), at))
        case "leave":
            return Leave(_player(rest, people, at))
        case "next":
            return Next(_player(rest, people, at))
        case "rounds":
            return Rounds(_number(rest, "a number of rounds, such as rounds 12"))
    return Cash(_cashing(text, at, people))


def _player(text: str, people: People, at: Position) -> Player:
    """One of these people, or else anyone on the card."""
    return (people if people.matches(text) else People(at.names)).one(text.strip('"'))


def _rename(rest: str, at: Position) -> Rename:
    """`Bob Robert`, `Uncle Jo, Joseph` or `uncle jo joseph`: the old name is the longest that fits."""
    people = People(at.names)
    if "," in rest:
        old, _, new = rest.partition(",")
        return Rename(people.one(old.strip().strip('"')), check_name(new.strip().strip('"')))
    words = split_words(rest)
    for size in range(len(words) - 1, 0, -1):
        old = " ".join(words[:size])
        if size == 1 or any(fold(name) == fold(old) for name in at.names.values()):
            return Rename(people.one(old), check_name(" ".join(words[size:])))
    raise Unreadable("Type the old name and the new one, such as rename Bob Robert")


def _cashing(text: str, at: Position, people: People) -> tuple[Player, ...]:
    word, rest = _first_word(text)
    called = rest if word in ("c", "cash") else text
    if word == "c" and (same := people.matches("c")):
        if not rest:
            return (people.one("c"),)
        name = at.names[same[0]]
        raise Ambiguous(f"'c' may also mean {name} here: type cash {rest}, or {name} {rest}")
    if not called:
        raise Unreadable("Who cashes out? Type names or their first letters, such as c ann bob, or all")
    if fold(called) == "all":
        if not at.inside:
            raise Unreadable("Nobody is in the round, so nobody can cash out")
        return tuple(at.seated(at.inside))
    try:
        return tuple(people.several(called))
    except Unreadable:
        if People(at.names).matches(called):  # a player who has left: the card says so
            return (People(at.names).one(called),)
        if called is rest:
            raise
        raise _unknown(text, word, people) from None


def _unknown(text: str, word: str, people: People) -> Unreadable:
    """The error for a line that cannot be read, with the closest guess."""
    if re.fullmatch(r"[sd]?[0-9][0-9 ,+./-]*", fold(text)):
        return Unreadable(
            f"{shown(text)} is not a roll: type two dice from 1 to 6, such as 34, or d5, 7 or s8"
        )
    names = {fold(name): name for name in people.names.values()}
    close = get_close_matches(word, [*_WORDS, *list(names)[:1000]], n=1, cutoff=0.6)
    if close and close[0] != word:
        meant = names.get(close[0], close[0])
        return Unreadable(f"I don't understand {shown(text)}: did you mean {meant}? (? shows everything)")
    return Unreadable(
        f"I don't understand {shown(text)}: type a roll such as 34, or a name to cash out (? for help)"
    )


def read_roll(text: str) -> Roll | Sum | None:
    """A roll in any spelling; None if it is not a roll; Ambiguous for an even sum alone."""
    text = fold(text).strip()
    if pair := re.fullmatch(r"([1-6]) ?[-,+/ ]? ?([1-6])", text):
        return Roll(int(pair[1]), int(pair[2]))
    if face := re.fullmatch(r"d ?([1-6])", text):
        return Roll(int(face[1]), int(face[1]))
    total = re.fullmatch(r"s ?([0-9]{1,2})|([2-9]|10)", text)
    if total is None:
        return None
    number = int(total[1] or total[2])
    if not 2 <= number <= 12:
        raise Unreadable(f"Two dice add up to 2 to 12, not {number}")
    half = number // 2
    if number in (2, 12):  # always doubles
        return Roll(half, half)
    if total[2] and number % 2 == 0:
        pairs = " or ".join(f"{one}{number - one}" for one in range(max(1, number - 6), half))
        raise Ambiguous(
            f"{number} might be doubles: type d{half} for double {_FACES[half]}, else s{number} (or {pairs})"
        )
    return Sum(number)


def _fix(rest: str, sure: bool, card: Card) -> Asked:
    """`2`, `2.5 36`, `2.5 delete`, `2.5 insert bob`, `2 bob=400`."""
    place, _, what = rest.partition(" ")
    if not (found := re.fullmatch(r"([0-9]{1,7})(?:\.([0-9]{1,7}))?", place)):
        raise Unreadable(
            "Fix what? show 2 lists round 2; then type fix 2.5 36, fix 2.5 delete or fix 2 bob=400"
        )
    number = int(found[1])
    if found[2] is None:
        return Enter(Correct(number, _gains(what, card))) if what else Show(number, fixing=True)
    if not what:
        raise Unreadable(
            f"What should {place} be? Type fix {place} 36, fix {place} delete or fix {place} insert bob"
        )
    how, inserted = _first_word(what)
    insert = how == "insert"
    if insert and not inserted:
        raise Unreadable(f"Insert what? Type fix {place} insert 36 or fix {place} insert bob")
    delete = fold(what) in ("delete", "del", "remove")
    entry = None if delete else _entry(inserted if insert else what, card, anyone=True)
    return Fix(number, int(found[2]), entry, insert, sure, rest)


def _gains(text: str, card: Card) -> tuple[tuple[Player, int], ...]:
    """`bob=400 ann=0`: corrected scores for a round."""
    one = r"\s*,?\s*([^=]+?)\s*=\s*([0-9][0-9,]*)(?=[\s,]|$)"
    if not re.fullmatch(rf"(?:{one})+[\s,]*", text):
        raise Unreadable(
            "Type what they scored in that round, such as fix 2 bob=400 ann=0, or fix 2.5 36 for an entry"
        )
    people = People(card.position.names)
    found = re.findall(one, text)
    if any(len(gain) > 4000 for _, gain in found):
        raise Unreadable("No score has that many digits")
    return tuple((people.one(name.strip('" ')), int(gain.replace(",", ""))) for name, gain in found)


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_ROUNDS:
        raise Unreadable(f"{shown(text)} is not possible here: type {what}")
    return int(text)


def read_rounds(text: str) -> tuple[int, int]:
    """`10` or `8-12`, from the command line; RuleError if it is neither."""
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:(?:-|–|\.\.|to)\s*([0-9]{1,9}))?\s*", text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= low <= high <= MOST_ROUNDS:
        raise RuleError(
            f"rounds are a number (10) or a range (8-12), up to {MOST_ROUNDS:,}, not {shown(text)}"
        )
    return low, high
