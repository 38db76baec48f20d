"""Plain English: private words of earlier versions do not return to the code, its messages and the pages."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import ninefold

PACKAGE = Path(ninefold.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
CODE = sorted(PACKAGE.rglob("*.py"))
PAGES = [
    *PACKAGE.rglob("*.md"),
    *(path for path in (ROOT / "docs").rglob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
]

# What each of them meant, and how that is called now
PRIVATE = {
    "told": "what was told: events, sentences, figures",
    "whoever": "the player who, the one who, anyone who",
    "somebody": "someone",
    "anybody": "anyone",
    "everybody": "everyone",
    "house": "Ninefold, the server",
    "so many": "this many, a number of",
    "on the line": "online",
}
IN_NAMES = {  # of variables, functions and classes only; in a sentence they are ordinary words
    "luck": "rng, a source of chance",
    "whim": "bot_rng",
    "company": "players, bots",
    "desk": "bot_slot",
}
KEPT = {  # what a part of the code may say all the same, and why
    ("server/storage/sqlite.py", "house"): "the file that version 0.1 wrote is called house.sqlite",
    ("server.md", "house"): "the same file, for those who run a server",
    ("game/finest9/__init__.py", "whoever"): "a key of the results in JSON, which version 0.1 wrote",
    ("finest9.md", "whoever"): "the same key, in a report",
    ("studies", "luck"): "what a study of luck and skill measures",
    ("cli.py", "luck"): "the same",
}
PHRASES = re.compile(rf"\b({'|'.join(PRIVATE)})\b(?! apart| style)", re.IGNORECASE)  # "told apart" is plain

TEXTS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def words_of(name: str) -> set[str]:
    """The words that a name is made of: `is_told` and `IsTold` of `is` and `told`."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def private_words(source: str) -> Iterator[tuple[int, str]]:
    """The private words of a Python source, with their lines: in names, comments and strings."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield from ((token.start[0], word) for word in words_of(token.string) & {*PRIVATE, *IN_NAMES})
        elif token.type in TEXTS:
            text = re.sub(r"\s+", " ", token.string)
            yield from ((token.start[0], hit[0].lower()) for hit in PHRASES.finditer(text))


def is_kept(path: Path, word: str) -> bool:
    place = path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name
    return any(word == kept and place.startswith(where) for where, kept in KEPT)


def test_the_code_says_what_it_means() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {word}, which is {(PRIVATE | IN_NAMES)[word]}"
        for path in CODE
        for line, word in private_words(path.read_text("utf-8"))
        if not is_kept(path, word)
    ]
    assert not found, "\n".join(found)


def test_a_promise_is_what_a_table_has_committed_to() -> None:
    """The word has one meaning in names: elsewhere nothing is promised."""
    for path in CODE:
        if path.relative_to(PACKAGE).parts[0] not in ("fairness", "server"):
            tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
            names = {token.string for token in tokens if token.type == tokenize.NAME}
            assert not {name for name in names if words_of(name) & {"promise", "promised"}}, path


def test_the_pages_say_what_they_mean() -> None:
    found = [
        f"{path.name}: {hit[0]}, which is {PRIVATE[hit[0].lower()]}"
        for path in PAGES
        for hit in PHRASES.finditer(re.sub(r"\s+", " ", path.read_text("utf-8")))
        if not is_kept(path, hit[0].lower())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("def tell(told): return told", "told"),
        ("class HouseRules: ...", "house"),
        ("is_told = True", "told"),
        ("x = 1  # so many of them", "so many"),
        ('"""What\n    somebody plays."""', "somebody"),
        ('f"{x}: whoever comes back"', "whoever"),
        ("luck = new_stream(1)", "luck"),
    ],
)
def test_a_private_word_is_noticed(source: str, word: str) -> None:
    assert word in {found for _, found in private_words(source)}


@pytest.mark.parametrize("source", ["x = 'told apart'", "# a household", "# good luck", "foretold = 1"])
def test_a_plain_one_is_not(source: str) -> None:
    assert not list(private_words(source))


def test_every_exception_is_needed() -> None:
    used = {
        (where, word)
        for where, word in KEPT
        for path in [*CODE, *PAGES]
        if is_kept(path, word) and word in path.read_text("utf-8").lower()
    }
    assert used == set(KEPT)
