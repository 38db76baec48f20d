"""Names and chat that people type: cleaned, and refused if they could be misleading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from ninefold.kernel.errors import RuleError
from ninefold.server.tables import lookalikes

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of codes: no characters that look alike
LONGEST = 32
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Characters that show nothing although their category says letter, mark or symbol: Hangul and Khmer fillers,
# the braille blank, joiners and selectors, a note without a head.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800\u034f\u180b\u180c\u180d\u180f\U0001d159")
JOINER, PICTURE = "\u200d", "\ufe0f"
JOINERS = (JOINER, PICTURE)  # they hold emoji together
# Never two of them in one name.
SEPARATE_SCRIPTS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN"}
# A capital I beside small letters, but not at the beginning of a word, reads as a small l.
SMALL_L = re.compile(r"(?<=[^\W\d_])I(?=[a-z])|(?<=[a-z])I")


def clean_name(given: str, taken: Sequence[str], bots: Sequence[str] = ()) -> str:
    """A name as it is shown; RuleError says what is wrong with it. `bots` are the game's bots."""
    name = " ".join(unicodedata.normalize("NFKC", given).split())
    if any(is_hidden(sign) for text in (given, name) for sign in _joined(text)):
        raise RuleError("a name can have only visible letters, digits and symbols")
    if all(unicodedata.category(sign) in ("Mn", "Me") for sign in name):
        raise RuleError("a name needs at least one letter")
    if len(name) > LONGEST or len(name.encode()) > 4 * LONGEST:
        raise RuleError(f"a name has at most {LONGEST} letters")
    if sum(unicodedata.category(sign) in ("Mn", "Me") for sign in unicodedata.normalize("NFD", name)) > 8:
        raise RuleError("a name has at most 8 accents")
    scripts = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()}
    if len(scripts & SEPARATE_SCRIPTS) > 1:
        raise RuleError("a name can use only one alphabet")
    if any(look_alike(name, other) for other in taken):
        raise RuleError(f"the name {name}, or one that looks like it, is taken at this table")
    if is_of_a_bot(name, bots):
        raise RuleError(f"{name} is what a bot is called; please take another name")
    return name


def _joined(text: str) -> str:
    """A text without the joiners between pictures, as in a family; elsewhere they stay, and are refused."""
    pictures = [unicodedata.category(sign) in ("So", "Sk") or sign == PICTURE for sign in text]
    return "".join(
        sign
        for at, sign in enumerate(text)
        if not (sign == JOINER and 0 < at < len(text) - 1 and pictures[at - 1] and pictures[at + 1])
    )


def clean_words(given: str) -> str:
    """A chat message on one line, without invisible characters; RuleError if nothing is left."""
    seen = "".join(
        sign if unicodedata.category(sign) not in HIDDEN or sign in JOINERS else " " for sign in given
    )
    words = " ".join(unicodedata.normalize("NFC", seen).split())
    if not words.strip("".join(JOINERS)):
        raise RuleError("the message is empty")
    return words


def is_hidden(sign: str) -> bool:
    """Whether a character shows nothing, so that it could tell apart names that look the same."""
    selector = 0xFE00 <= ord(sign) < 0xFE0F or 0xE0100 <= ord(sign) <= 0xE01EF
    return selector or sign in BLANK or unicodedata.category(sign) in HIDDEN


def is_of_a_bot(name: str, bots: Sequence[str]) -> bool:
    """Whether a name reads like that of a bot: a level, alone, with a number, or with the word bot."""
    bare = skeleton(name).rstrip("0123456789ol")
    words = {skeleton(bot).rstrip("0123456789ol") for bot in bots}
    return bare in words or (bare.endswith("bot") and bare.removesuffix("bot") in {"", "ro", *words})


def look_alike(one: str, other: str) -> bool:
    """Whether two names could be mistaken for each other, as they are written or in small letters."""
    return skeleton(one) == skeleton(other) or _drawn(one) == _drawn(other)


@lru_cache(1024)
def _drawn(name: str) -> str:
    """The skeleton of UTS #39: what a name looks like, as it is written."""
    return _plain(_plain(name).translate(lookalikes.prototypes()))


@lru_cache(1024)
def skeleton(name: str) -> str:
    """What a name looks like in small letters: two with one skeleton could be mistaken for each other."""
    latin = _plain(_plain(name).translate(lookalikes.foreign()))
    small = _plain(SMALL_L.sub("l", latin).casefold()).translate(lookalikes.foreign())
    return _plain(small.translate(lookalikes.ALSO_LATIN))


def _plain(text: str) -> str:
    """A text without accents, selectors and spaces."""
    marks = ("Mn", "Me", *HIDDEN)
    signs = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in signs if unicodedata.category(sign) not in marks and not sign.isspace())
