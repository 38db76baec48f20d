"""The browser client's source: it names no game, and words can be read in both schemes, also on the felt.

Axe does not judge words on a gradient, so their contrast is worked out here from the styles themselves.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ninefold.engine import registry

CLIENT = Path(__file__).parent.parent / "client" / "src"
STYLE = (CLIENT / "style.css").read_text("utf-8")
CARD = (CLIENT / "parts" / "Card.svelte").read_text("utf-8")
BOARD = (CLIENT / "parts" / "Board.svelte").read_text("utf-8")
AA = 4.5
Colour = list[float]
PAIRS = (
    [("ink", ground) for ground in ("ground", "raised", "sunk", "accent-soft", "bad-soft")]
    + [("soft", ground) for ground in ("ground", "raised", "sunk", "accent-soft")]
    + [("accent", "ground"), ("accent", "raised"), ("accent-ink", "accent"), ("bad", "bad-soft")]
    + [("felt-ink", "bright"), ("felt-soft", "bright"), ("felt-soft", "felt-deep"), ("felt-soft", "won")]
)


def colours(scheme: str) -> dict[str, Colour]:
    """The named colours of a scheme."""
    light, dark = STYLE.split("@media (prefers-color-scheme: dark)")
    found = re.findall(r"--([\w-]+):\s*#([0-9a-f]{6})", light + (dark.split("}\n}")[0] * (scheme == "dark")))
    named = {name: [float(int(text[at : at + 2], 16)) for at in (0, 2, 4)] for name, text in found}
    share = re.search(r"var\(--felt\) (\d+)%, white\)", BOARD)
    assert share
    named["bright"] = mixed(named["felt"], [255.0] * 3, int(share[1]) / 100)
    named["won"] = mixed(named["gold"], named["felt-deep"], 0.14)
    return named


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    return [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]


def light_of(colour: Colour) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((light_of(one), light_of(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(scheme: str) -> None:
    named = colours(scheme)
    found = {pair: round(contrast(named[pair[0]], named[pair[1]]), 2) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in found.items() if ratio < AA} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_suits_can_be_read_on_paper(scheme: str) -> None:
    paper = colours(scheme)["paper"]
    suits = dict(re.findall(r"\.s([A-Z]) \{ color: #([0-9a-f]{6})", CARD))
    assert sorted(suits) == sorted("RPXWLSHDC")
    for letter, text in suits.items():
        ink = [float(int(text[at : at + 2], 16)) for at in (0, 2, 4)]
        assert contrast(ink, paper) >= AA, letter


def test_every_suit_has_a_shape_of_its_own() -> None:
    drawn = (CLIENT / "parts" / "Suit.svelte").read_text("utf-8")
    shapes = re.findall(r'suit === "([A-Z])"\}(.*?)\{:else', drawn, flags=re.S)
    assert sorted(letter for letter, _ in shapes) == sorted("RPXWLSHDC")
    assert len({shape for _, shape in shapes}) == len(shapes)


def test_a_seventh_game_needs_no_line_here() -> None:
    """Only the score card, which is one of Doubles by its nature, says which game it is for."""
    names = [word for name in registry.games() for word in (name, registry.facts(name).title)]
    found = {
        (path.name, name)
        for path in CLIENT.rglob("*")
        if path.is_file() and path.name != "ScoreCard.svelte"
        for name in names
        if name.lower() in path.read_text("utf-8").lower()
    }
    assert found == set()
