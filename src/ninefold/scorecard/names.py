"""Players' names: which names are allowed, and who is meant by a few typed letters.

Knows nothing about the game: it gets numbered names and finds the number, or says why it cannot.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from ninefold.kernel.errors import Ambiguous, RuleError, Unreadable
from ninefold.model.text import join
from ninefold.scorecard.entries import Player

MOST = 10_000
LONGEST = 40
_JOINERS = "\u200c\u200d"  # inside names of some scripts, and inside emoji
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})


def shown(text: str, longest: int = 40) -> str:
    """Typed text, safe and short enough to be quoted in a sentence."""
    clean = "".join("?" if unicodedata.category(sign)[0] == "C" else sign for sign in text)
    return f"'{clean}'" if len(clean) <= longest else f"'{clean[: longest - 3]}...'"


def listed(words: Sequence[str], last: str = "and", most: int = 12) -> str:
    """`Ann`, `Ann and Bob`, `Ann, Bob and Cleo`; a long list is cut."""
    if len(words) > most:
        return f"{', '.join(words[: most - 2])} {last} {len(words) - most + 2:,} more"
    return join(words, last)


def fold(name: str) -> str:
    """Two names that fold to the same are one name."""
    return unicodedata.normalize("NFKC", name).casefold()


def _bare(name: str) -> str:
    """A name without accents, for quick typing."""
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", fold(name)) if not unicodedata.combining(sign)
    )


def check_name(name: str) -> str:
    """Tidy the spaces of a name; RuleError if it is not allowed."""
    name = " ".join(name.split())
    if not name:
        raise RuleError("a name needs at least one letter, but one of these is empty")
    if any(unicodedata.category(sign)[0] == "C" and sign not in _JOINERS for sign in name):
        raise RuleError(
            f"the name {shown(name)} contains a character that cannot be displayed; use letters and digits"
        )
    if len(name) > LONGEST:
        raise RuleError(f"a name has at most {LONGEST} letters, and {shown(name, 20)} has {len(name)}")
    if any(sign in ',;"=' for sign in name) or name[0] in "-+@?.!&":
        raise RuleError(
            f"the name {shown(name)} would be misread; leave out , ; = and quotes, and begin with a letter"
        )
    if fold(name) == "all":
        raise RuleError("nobody can be called 'all', which cashes out everyone; use another name")
    return name


def check_names(names: Iterable[str]) -> list[str]:
    """Check the names of a whole table; RuleError if two are alike, or there are too few or too many."""
    table: dict[str, str] = {}
    for given in names:
        name = check_name(given)
        if (earlier := table.get(fold(name))) is not None:
            raise RuleError(
                f"two players cannot both be called {shown(earlier)}; add a letter to one of them"
            )
        table[fold(name)] = name
    if not 1 <= len(table) <= MOST:
        raise RuleError(f"a card has 1 to {MOST:,} players, not {len(table):,}")
    return list(table.values())


def split_words(text: str) -> list[str]:
    """The words of a typed line; quotes keep spaces."""
    return [quoted or word for quoted, word in re.findall(r'"([^"]*)"|([^\s"]+)', text.translate(_QUOTES))]


def split_names(text: str) -> list[str]:
    """The names in a typed line: between commas if there are any, else between spaces."""
    if "," in text:
        return [part.strip().strip('"') for part in text.translate(_QUOTES).split(",") if part.strip()]
    return split_words(text)


class People:
    """Numbered names, and who a typed word means: a name, its beginning, one of its words, its initials."""

    def __init__(self, names: Mapping[Player, str]) -> None:
        self.names = names

    @cached_property
    def _whole(self) -> dict[str, Player]:
        return {fold(name): player for player, name in self.names.items()}

    @cached_property
    def _starts(self) -> list[tuple[str, Player]]:
        return sorted((_bare(name), player) for player, name in self.names.items())

    @cached_property
    def _words(self) -> list[tuple[str, Player]]:
        """The later words of names, and their initials."""
        words: list[tuple[str, Player]] = []
        for player, name in self.names.items():
            parts = re.split(r"[\s-]+", _bare(name))
            if len(parts) > 1:
                initials = "".join(part[:1] for part in parts)
                words += [(word, player) for word in (*parts[1:], initials)]
        return sorted(words)

    def matches(self, text: str, by_word: bool = True) -> list[Player]:
        """All players the text may mean, in seating order."""
        if (player := self._whole.get(fold(text))) is not None:
            return [player]
        key = _bare(text)
        for index in (self._starts, self._words) if by_word else (self._starts,):
            found = list(takewhile(lambda one: one[0].startswith(key), index[bisect_left(index, (key,)) :]))
            same = {player for word, player in found if word == key}
            if found:
                chosen = same if len(same) == 1 else {player for _, player in found}
                return [player for player in self.names if player in chosen]
        return []

    def one(self, text: str) -> Player:
        """The one player meant; Unreadable if there is none, Ambiguous if there are several."""
        found = self.matches(text)
        if not found:
            everyone = listed(list(self.names.values()))
            raise Unreadable(f"Nobody here is called {shown(text)}; the players are {everyone}")
        if len(found) > 1:
            names = listed([self.names[player] for player in found], "or", most=6)
            raise Ambiguous(f"Which one, {names}? {shown(text)} could be any of them; nothing changed")
        return found[0]

    def several(self, text: str) -> list[Player]:
        """The players meant by a line such as `ann bob`, `uncle jo, b` or `ann and bob`, each once."""
        found: list[Player] = []
        for part in re.split(r"[,&;]", text):
            words = split_words(part)
            while words:
                size = self._longest(words)
                if not (size == 1 and fold(words[0]) == "and" and not self.matches("and")):
                    found.append(self.one(" ".join(words[:size])))
                words = words[size:]
        return list(dict.fromkeys(found))

    def _longest(self, words: list[str]) -> int:
        """How many of the first words make one name: `uncle jo` is one if a player has that name."""
        for size in range(min(len(words), 8), 1, -1):
            if self.matches(" ".join(words[:size]), by_word=False):
                return size
        return 1

    def keys(self) -> dict[Player, int]:
        """How many letters of each name are enough to mean it."""
        keys: dict[Player, int] = {}
        for player, name in self.names.items():
            size = 1
            while size < len(name) and (name[size - 1] == " " or self.matches(name[:size]) != [player]):
                size += 1
            keys[player] = size
        return keys
