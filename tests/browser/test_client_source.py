"""The browser client's source: its types are the server's, it names no game and parses no English, and words
can be read in both schemes, also on the felt.

Axe does not judge words on a gradient, so their contrast is worked out here from the styles themselves.
"""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from ninefold.engine import registry
from ninefold.model.facts import Choice, Number, Numbers, Span
from ninefold.model.sheet import sheet_of
from ninefold.model.text import Text, message, render
from ninefold.model.view import builtins
from ninefold.server.tables import schema
from ninefold.server.tables.messages import VERSION, schemas
from support.node import HOME, in_node, installed

CLIENT = HOME / "src"
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
    found = re.findall(r"--([\w-]+):\s*(?:light-dark\()?#([0-9a-f]{6})(?:, #([0-9a-f]{6}))?", STYLE)
    named = {
        name: [float(int(text[at : at + 2], 16)) for at in (0, 2, 4)]
        for name, light, dark in found
        for text in [dark if scheme == "dark" and dark else light]
    }
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
    suits = dict(re.findall(r"\.s([A-Z]) \{\s*color: #([0-9a-f]{6})", CARD))
    assert sorted(suits) == sorted("RPXWLSHDC")
    for letter, text in suits.items():
        ink = [float(int(text[at : at + 2], 16)) for at in (0, 2, 4)]
        assert contrast(ink, paper) >= AA, letter


def test_the_page_says_which_version_of_the_messages_it_speaks() -> None:
    source = (CLIENT / "lib" / "connection.svelte.ts").read_text("utf-8")
    assert f"const VERSION = {VERSION};" in source


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
        if path.is_file() and path.name.lower() not in ("scorecard.svelte", "scorecard.ts")
        for name in names
        if name.lower() in path.read_text("utf-8").lower()
    }
    assert found == set()


# Types


def test_the_types_of_the_client_are_those_of_the_server() -> None:
    """After a change of the table model or a message, `make types` writes both files anew."""
    stored = (CLIENT / "lib" / "schema.json").read_text("utf-8")
    assert stored == schema.text(), "the schema has changed: run `make types`"
    types = (CLIENT / "lib" / "types.ts").read_text("utf-8")
    assert hashlib.sha256(stored.encode()).hexdigest() in types, "the types are stale: run `make types`"


def test_every_message_is_described() -> None:
    """What /openapi.json and the client's types are made from has no reference that leads nowhere."""
    for found, names in ((schemas(), set(schemas())), (schema.schema(), set(schema.schema()["$defs"]))):
        used = set(re.findall(r'"#/(?:components/schemas|\$defs)/(\w+)"', json.dumps(found)))
        assert used <= names


@pytest.mark.parametrize("name", registry.games())
def test_a_sheet_says_what_an_option_allows_as_data(name: str) -> None:
    facts = registry.facts(name)
    for option, found in zip(facts.options, sheet_of(facts).options, strict=True):
        if isinstance(option, Choice):
            assert (found.kind, found.choices) == ("choice", list(option.choices))
        elif isinstance(option, Number | Span | Numbers):
            assert (found.low, found.high) == (option.low, option.high)
        else:
            assert found.kind == "flag"
        assert option.value(found.default) == found.default
    assert sheet_of(facts).lowest_wins == facts.lowest_wins


# Words

SOURCES = [path for path in CLIENT.rglob("*") if path.suffix in (".ts", ".svelte", ".css")]


def test_the_client_takes_no_english_apart() -> None:
    for path in SOURCES:
        text = path.read_text("utf-8")
        assert not re.search(r"[Ss]eat \(?\\d", text), f"{path.name} looks for seats in sentences"
        assert not re.search(
            r"\.(label|prompt|phase|status_text)\.(replace|match|split|startsWith|endsWith|test)", text
        )
        assert "new RegExp" not in text, f"{path.name} makes an expression of a text"


def test_the_client_speaks_plainly() -> None:
    private = re.compile(r"\b(the house|whoever|somebody|on the line|so many|told)\b", re.IGNORECASE)
    found = [
        (path.name, hit[0])
        for path in SOURCES
        if path.name != "types.ts"
        for hit in private.finditer(path.read_text("utf-8"))
    ]
    assert found == []


TEXTS: list[Text] = [
    "A plain sentence.",
    message("{who} rolls {total}.", {"who": 0}, total=1234567),
    message("{who} and more: {all}; {who} again.", {"who": [0, 1, 2], "all": [1, 5]}),
    message(
        "Nested: {inner}, {list}.", inner=message("{who} wins", {"who": 1}), list=["a", message("b{n}", n=-2)]
    ),
    message("{{not a name}} {one}", one="{who}"),
    message(
        "{who|You} {who|gives|give} {other|you} {what} and {who|keeps|keep} {all|yours}.",
        {"who": 0, "other": 1, "all": [0, 1]},
        what=[message("{who|your|its}", {"who": 1})],
    ),
]


def test_texts_read_the_same_in_the_browser() -> None:
    """The client's `render` gives what the model's does."""
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    names = ["Ann", "Bob"]
    for viewer in (None, 0, 1):
        assert in_node("words.ts", "render", [[builtins(text), names, viewer] for text in TEXTS]) == [
            render(text, names, viewer) for text in TEXTS
        ]


def test_scores_that_grow_by_powers_of_ten_have_such_a_scale() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    even = [[0, 10, 25, 60, 90], [0, 20, 40, 70, 100]]
    cliff = [[0, 20, 40, 250, 13_673], [0, 6, 30, 90, 1_610]]
    assert in_node("scale.ts", "isSteep", [[even], [cliff], [[]], [[[0, 0]]]]) == [False, True, False, False]
    wanted = [[0, 50, 100], [0, 10, 100, 1000, 10_000], [-100, -10, 0, 10]]
    assert in_node("scale.ts", "marks", [[0, 100, False], [0, 13_673, True], [-250, 60, True]]) == wanted
    zero, ten, hundred, loss = in_node("scale.ts", "bent", [[0], [10], [100], [-100]])
    assert zero == 0 < ten < hundred == -loss


def test_what_is_said_again_and_again_is_one_line_of_the_log() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")

    stay, roll = ("stay", "Everyone stays.", None), "{who} rolls."
    said: list[tuple[str, str, int | None]] = [
        ("round", "Round 1", None),
        *(stay, ("roll", roll, 0), stay, ("roll", roll, 1), ("danger", "The next…", None), stay),
        *(("cash out", "{who} cashes out.", 1), ("roll", roll, 0), ("roll", roll, 1), stay),
        *[("trade", "{who} trades.", 2)] * 3,
        *(("trade", "{who} trades.", 0), ("trade", "{who} trades.", 2)),
        *(("stay", "{who} stays.", 1), ("roll", roll, 1), ("stay", "{who} stays.", 1)),
    ]
    lines = [
        {"key": str(at), "seq": at, "kind": kind, "text": text, "seat": seat}
        for at, (kind, text, seat) in enumerate(said)
    ]
    (read,) = in_node("log.ts", "folded", [[lines]])
    assert [(one["text"], one["seat"], one["times"]) for one in read] == [
        ("Round 1", None, 1),
        (roll, 0, 1),
        (roll, 1, 1),
        ("The next…", None, 1),
        ("Everyone stays.", None, 3),
        ("{who} cashes out.", 1, 1),
        (roll, 0, 1),
        (roll, 1, 1),
        ("Everyone stays.", None, 1),
        ("{who} trades.", 2, 3),
        ("{who} trades.", 0, 1),
        ("{who} trades.", 2, 1),
        (roll, 1, 1),
        ("{who} stays.", 1, 2),
    ]
    assert len({one["key"] for one in read}) == len(read)
