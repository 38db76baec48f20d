"""What characters look like: Unicode's table of confusables (UTS #39), in the part that a name can contain.

`lookalikes.txt` is made from Unicode's `confusables.txt` by this module:

    python -m ninefold.server.tables.lookalikes confusables.txt > lookalikes.txt
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

HEAD = "# From Unicode's confusables.txt, version {version}. © Unicode, Inc., https://www.unicode.org/license.txt"
MARKS = ("Mn", "Mc", "Me")
SMALL = "LATIN LETTER SMALL CAPITAL "
# What Unicode leaves out: characters that look like Latin letters in lower case only, or in most fonts.
ALSO = {
    **dict(zip("аеорсухіјѕһԁԛԝвкмнтг", "aeopcyxijshdqwbkmhtr", strict=True)),
    **dict(zip("αεικνορτυχωγη", "aeikvoptuxwyn", strict=True)),
    **dict(zip("01ıӏ|5", "olills", strict=True)),
}


@cache
def prototypes() -> dict[int, str]:
    """By character: what it looks like, in the characters that stand for their class."""
    found = {}
    for line in files(__package__).joinpath("lookalikes.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            prototype, _, characters = line.partition("\t")
            found.update(dict.fromkeys(map(ord, characters), prototype))
    return found


@cache
def foreign() -> dict[int, str]:
    """The same without ASCII, whose letters are distinguished here, and with small capitals."""
    found = {sign: prototype for sign, prototype in prototypes().items() if sign > 0x7F}
    for sign in (*range(0x1D00, 0x1D80), *range(0x0250, 0x02B0), *range(0xA720, 0xA800)):
        name = unicodedata.name(chr(sign), "")
        if name.startswith(SMALL) and len(name) == len(SMALL) + 1:
            found[sign] = name[-1].lower()
    return found


ALSO_LATIN = str.maketrans(ALSO)


def _lines(source: Iterable[str]) -> Iterator[str]:
    """The lines of the table; normalised characters and marks are left out, because no name keeps them."""
    classes: dict[str, list[str]] = {}
    version = ""
    for line in source:
        if line.startswith("# Version:"):
            version = line.split()[-1]
        parts = [part.strip() for part in line.partition("#")[0].split(";")]
        if len(parts) < 2:
            continue
        sign, prototype = (
            "".join(chr(int(code, 16)) for code in part.split())
            for part in (parts[0].strip("\ufeff"), parts[1])
        )
        if unicodedata.normalize("NFKC", sign) == sign and unicodedata.category(sign) not in MARKS:
            classes.setdefault(prototype, []).append(sign)
    yield HEAD.format(version=version)
    for prototype, signs in classes.items():
        if not {"\n", "\r", "\t"} & set(prototype) and not any(sign.isspace() for sign in signs):
            yield f"{prototype}\t{''.join(signs)}"


if __name__ == "__main__":
    lines = _lines(Path(sys.argv[1]).read_text("utf-8-sig").split("\n"))
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode())
