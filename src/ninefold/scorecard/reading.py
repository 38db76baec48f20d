"""Reads what a person types: an entry, a correction or a request; else an error that says what to type.

Only reads. Knows the names at the table and how rolls are written, and nothing about totals or files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from ninefold.kernel.errors import Ambiguous, RuleError, Unreadable
from ninefold.scorecard.card import MOST_ROUNDS, Position
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
    Undo,
    roll_of_sum,
)
from ninefold.scorecard.fixing import Fix
from ninefold.scorecard.names import People, check_name, fold, shown

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
Every entry is saved at once: close the window whenever you like."""


@dataclass(frozen=True, slots=True)
class Enter:
    """A step for the card, with a remark if it could be read in another way."""

    entry: Entry
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction; `sure` if entries that no longer fit may be dropped."""

    fix: Fix
    sure: bool


@dataclass(frozen=True, slots=True)
class Show:
    """The entries of a round; None is this one. `fixing`: a correction was begun but not completed."""

    round: int | None
    fixing: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """The table of scores, into a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Request:
    """A request of one word: help, scores, chart, quit, or an empty line."""

    word: str


Asked: TypeAlias = Enter | Correction | Show | Export | Request | Undo | Redo

_ONE_WORD = {
    "help": "help", "?": "help", "scores": "scores", "score": "scores", "standings": "scores",
    "names": "scores", "players": "scores", "chart": "chart", "quit": "quit", "exit": "quit", "bye": "quit",
}  # fmt: skip
_WORDS = (
    "undo",
    "redo",
    "show",
    "fix",
    "join",
    "leave",
    "return",
    "rename",
    "next",
    "rounds",
    "export",
    "cash",
    "all",
)
COMMANDS = tuple(sorted({*_ONE_WORD, *_WORDS} - {"?"}))


def read(text: str, at: Position, fresh: Callable[[], Player]) -> Asked:
    """Read a typed line; `fresh` gives the number of a player who joins."""
    text = " ".join(text.split())
    if not text:
        return Request("")
    word, _, rest = text.partition(" ")
    word = fold(word)
    if not rest and word in _ONE_WORD:
        return Request(_ONE_WORD[word])
    if word in ("undo", "redo") or (word == "u" and not People(at.present).matches("u")):
        return (Redo if word == "redo" else Undo)(_count(rest, word))
    if word == "show":
        return Show(_round(rest) if rest else None)
    if word in ("fix", "fix!"):
        return _fix(rest, word == "fix!", at, fresh)
    if word == "export":
        if not rest:
            raise Unreadable("Type a file name too, such as export scores.csv or export scores.json")
        return Export(rest.strip('"'))
    return _entry(text, at, fresh)


def _entry(text: str, at: Position, fresh: Callable[[], Player], anyone: bool = False) -> Enter:
    """Read a single entry. `anyone`: in a correction, also players who have left since."""
    word, _, rest = text.partition(" ")
    word = fold(word)
    if (roll := read_roll(text)) is not None:
        return Enter(roll, _remark(text))
    people = People(at.names if anyone or not at.present else at.present)
    if word in ("join", "leave", "return", "rename", "next"):
        if not rest:
            raise Unreadable(f"Type a name too, such as {word} {'Bob Robert' if word == 'rename' else 'Zoe'}")
        return Enter(_person(word, rest, at, people, fresh))
    if word == "rounds":
        return Enter(Rounds(_number(rest, MOST_ROUNDS, "a number of rounds, such as rounds 12")))
    return Enter(Cash(_cashing(text, word, rest, at, people)))


def _person(word: str, rest: str, at: Position, people: People, fresh: Callable[[], Player]) -> Entry:
    if word == "join":
        return Join(fresh(), check_name(rest.strip('"')))
    if word == "rename":
        return _rename(rest, at)
    if word == "return":
        away = {player: name for player, name in at.names.items() if player in at.away}
        return Return(People(away if People(away).matches(rest) else at.names).one(rest.strip('"')))
    player = (people if people.matches(rest) else People(at.names)).one(rest.strip('"'))
    return Leave(player) if word == "leave" else Next(player)


def _rename(rest: str, at: Position) -> Rename:
    """`Bob Robert`, `Uncle Jo, Joseph` or `uncle jo joseph`: the old name is the longest that fits."""
    people = People(at.names)
    if "," in rest:
        old, _, new = rest.partition(",")
        return Rename(people.one(old.strip().strip('"')), check_name(new.strip().strip('"')))
    words = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|([^\s"]+)', rest)]
    for size in range(len(words) - 1, 0, -1):
        old = " ".join(words[:size])
        if size == 1 or any(fold(name) == fold(old) for name in at.names.values()):
            return Rename(people.one(old), check_name(" ".join(words[size:])))
    raise Unreadable("Type the old name and the new one, such as rename Bob Robert")


def _cashing(text: str, word: str, rest: str, at: Position, people: People) -> tuple[Player, ...]:
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
        if word in ("c", "cash"):
            raise
        raise _unknown(text, word, people) from None


def _unknown(text: str, word: str, people: People) -> Unreadable:
    """The error for a line that cannot be read, with the closest guess."""
    if re.fullmatch(r"[sd]?[0-9][0-9 ,+./-]*", fold(text)):
        return Unreadable(
            f"{shown(text)} is not a roll: type two dice from 1 to 6, such as 34, or d5, 7 or s8"
        )
    names = {fold(name): name for name in people.names.values()}
    close = get_close_matches(word, [*COMMANDS, *list(names)[:1000]], n=1, cutoff=0.6)
    if close and close[0] != word:
        meant = names.get(close[0], close[0])
        return Unreadable(f"I don't understand {shown(text)}: did you mean {meant}? (? shows everything)")
    return Unreadable(
        f"I don't understand {shown(text)}: type a roll such as 34, or a name to cash out (? for help)"
    )


def read_roll(text: str) -> Roll | None:
    """A roll in any spelling; None if it is not a roll; Ambiguous for an even sum alone."""
    text = fold(text).strip()
    if pair := re.fullmatch(r"([1-6]) ?[-,+/ ]? ?([1-6])", text):
        return Roll(int(pair[1]), int(pair[2]))
    if face := re.fullmatch(r"d ?([1-6])", text):
        return Roll(int(face[1]), int(face[1]))
    if total := re.fullmatch(r"s ?([0-9]{1,2})", text):
        return _roll_from_sum(int(total[1]))
    if not re.fullmatch(r"[2-9]|10", text):
        return None
    number = int(text)
    if number in (4, 6, 8, 10):
        pairs = [f"{one}{number - one}" for one in range(max(1, number - 6), number // 2)]
        raise Ambiguous(
            f"{number} might be doubles: type d{number // 2} for double {FACES[number // 2]}, "
            f"else s{number} (or {' or '.join(pairs)})"
        )
    return _roll_from_sum(number)


FACES = ("", "ones", "twos", "threes", "fours", "fives", "sixes")


def _roll_from_sum(number: int) -> Roll:
    if number in (2, 12):  # always doubles
        return Roll(number // 2, number // 2)
    if not 2 <= number <= 12:
        raise Unreadable(f"Two dice add up to 2 to 12, not {number}")
    return roll_of_sum(number)


def _remark(text: str) -> str:
    """A remark for `11` and `12`, which are read as dice but may have been meant as sums."""
    return {
        "11": "(Read as double ones; for eleven type s11.)",
        "12": "(Read as a 1 and a 2; for twelve type d6.)",
    }.get(text, "")


def _fix(rest: str, sure: bool, at: Position, fresh: Callable[[], Player]) -> Asked:
    """`2`, `2.5 36`, `2.5 delete`, `2.5 insert bob`, `2 bob=400`."""
    place, _, what = rest.partition(" ")
    if not (found := re.fullmatch(r"([0-9]{1,7})(?:\.([0-9]{1,7}))?", place)):
        raise Unreadable(
            "Fix what? show 2 lists round 2; then type fix 2.5 36, fix 2.5 delete or fix 2 bob=400"
        )
    number = int(found[1])
    if found[2] is None:
        if not what:
            return Show(number, fixing=True)
        return Enter(Correct(number, _gains(what, at)))
    entry = int(found[2])
    if not what:
        raise Unreadable(
            f"What should {place} be? Type fix {place} 36, fix {place} delete or fix {place} insert bob"
        )
    if fold(what) in ("delete", "del", "remove"):
        return Correction(Fix(number, entry, None), sure)
    how, _, inserted = what.partition(" ")
    if fold(how) == "insert":
        if not inserted:
            raise Unreadable(f"Insert what? Type fix {place} insert 36 or fix {place} insert bob")
        return Correction(
            Fix(number, entry, _entry(inserted, at, fresh, anyone=True).entry, insert=True), sure
        )
    return Correction(Fix(number, entry, _entry(what, at, fresh, anyone=True).entry), sure)


def _gains(text: str, at: Position) -> tuple[tuple[Player, int], ...]:
    """`bob=400 ann=0`: corrected scores for a round."""
    people = People(at.names)
    found = re.findall(r"\s*,?\s*([^=]+?)\s*=\s*([0-9][0-9,]*)(?=[\s,]|$)", text)
    if not found or re.sub(r"\s|,", "", "".join(f"{name}={gain}" for name, gain in found)) != re.sub(
        r"\s|,", "", text
    ):
        raise Unreadable(
            "Type what they scored in that round, such as fix 2 bob=400 ann=0, or fix 2.5 36 for an entry"
        )
    if any(len(gain) > 4000 for _, gain in found):
        raise Unreadable("No score has that many digits")
    return tuple((people.one(name.strip('" ')), int(gain.replace(",", ""))) for name, gain in found)


def _count(rest: str, word: str) -> int:
    return 1 if not rest else max(1, _number(rest, 1_000_000, f"how many, such as {word} 3"))


def _round(rest: str) -> int:
    return _number(rest, MOST_ROUNDS, "the number of a round, such as show 2")


def _number(text: str, most: int, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= most:
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
