"""Names and chat that people type: cleaned, and refused if they could be misleading."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ninefold.kernel.errors import RuleError

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of codes: no characters that look alike
LONGEST = 32
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
JOINER, PICTURE = "\u200d", "\ufe0f"
JOINERS = (JOINER, PICTURE)  # they hold emoji together
SEPARATE_SCRIPTS = {
    "LATIN",
    "CYRILLIC",
    "GREEK",
    "ARMENIAN",
    "CHEROKEE",
    "COPTIC",
    "GEORGIAN",
}  # never two of them in one name
# Characters that look like Latin letters, in lower case: Cyrillic, Greek, digits.
ALIKE = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһԁԛԝвкмнтг", "aeopcyxijshdqwbkmhtr", strict=True)),
        **dict(zip("αεικνορτυχωγη", "aeikvoptuxwyn", strict=True)),
        **dict(zip("01ıӏ|", "olill", strict=True)),
    }
)


def clean_name(given: str, taken: Sequence[str]) -> str:
    """A name as it is shown; RuleError says what is wrong with it."""
    name = " ".join(unicodedata.normalize("NFKC", given).split())
    if any(unicodedata.category(sign) in HIDDEN for text in (given, name) for sign in _joined(text)):
        raise RuleError("a name can have only visible letters, digits and symbols")
    if not name:
        raise RuleError("a name needs at least one letter")
    if len(name) > LONGEST or len(name.encode()) > 4 * LONGEST:
        raise RuleError(f"a name has at most {LONGEST} letters")
    if sum(unicodedata.category(sign) in ("Mn", "Me") for sign in unicodedata.normalize("NFD", name)) > 8:
        raise RuleError("a name has at most 8 accents")
    scripts = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()}
    if len(scripts & SEPARATE_SCRIPTS) > 1:
        raise RuleError("a name can use only one alphabet")
    if skeleton(name) in {skeleton(other) for other in taken}:
        raise RuleError(f"the name {name}, or one that looks like it, is taken at this table")
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


def skeleton(name: str) -> str:
    """What a name looks like: two names with one skeleton could be mistaken for each other."""
    plain = unicodedata.normalize("NFD", name.casefold())
    letters = "".join(sign for sign in plain if unicodedata.category(sign) != "Mn")
    return letters.translate(ALIKE).replace(" ", "")
