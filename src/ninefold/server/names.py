"""Names that people give: made plain, and refused where they could deceive."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ninefold.kernel.errors import RuleError

LONGEST = 32


def clean_name(given: str, taken: Sequence[str]) -> str:
    """A name as it is shown; RuleError says what is wrong with it."""
    name = " ".join(unicodedata.normalize("NFKC", given).split())
    if not name:
        raise RuleError("a name needs at least one letter")
    if len(name) > LONGEST or len(name.encode("utf-8", "replace")) > 4 * LONGEST:
        raise RuleError(f"a name has at most {LONGEST} letters")
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for sign in name):
        raise RuleError("a name is made of letters, digits and signs that can be seen")
    if len([sign for sign in name if unicodedata.combining(sign)]) > 4:
        raise RuleError("a name cannot pile up accents")
    scripts = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()}
    if len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
        raise RuleError("a name is written in one alphabet")
    if name.casefold() in (other.casefold() for other in taken):
        raise RuleError(f"somebody here is called {name} already")
    return name
