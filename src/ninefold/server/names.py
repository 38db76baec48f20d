"""Names that people give: made plain, and refused where they could deceive."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ninefold.kernel.errors import RuleError

LONGEST = 32
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
JOINERS = ("\u200d", "\ufe0f")  # they hold emoji together
APART = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN"}  # never two in a name
# Letters that look like Latin ones, once folded to small letters: Cyrillic, Greek, digits.
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
    if any(unicodedata.category(sign) in HIDDEN for sign in given + name):
        raise RuleError("a name is made of letters, digits and signs that can be seen")
    if not name:
        raise RuleError("a name needs at least one letter")
    if len(name) > LONGEST or len(name.encode()) > 4 * LONGEST:
        raise RuleError(f"a name has at most {LONGEST} letters")
    if sum(unicodedata.category(sign) in ("Mn", "Me") for sign in unicodedata.normalize("NFD", name)) > 8:
        raise RuleError("a name cannot pile up accents")
    scripts = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()}
    if len(scripts & APART) > 1:
        raise RuleError("a name is written in one alphabet")
    if skeleton(name) in {skeleton(other) for other in taken}:
        raise RuleError(f"somebody here is called {name} already, or looks so")
    return name


def clean_words(given: str) -> str:
    """What somebody says, on one line, without signs that cannot be seen; RuleError where nothing is left."""
    seen = "".join(
        sign if unicodedata.category(sign) not in HIDDEN or sign in JOINERS else " " for sign in given
    )
    words = " ".join(unicodedata.normalize("NFC", seen).split())
    if not words.strip("".join(JOINERS)):
        raise RuleError("there is nothing in it to be read")
    return words


def skeleton(name: str) -> str:
    """What a name looks like: two names with one skeleton could be mistaken for each other."""
    plain = unicodedata.normalize("NFD", name.casefold())
    letters = "".join(sign for sign in plain if unicodedata.category(sign) != "Mn")
    return letters.translate(ALIKE).replace(" ", "")
