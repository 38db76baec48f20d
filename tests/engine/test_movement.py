"""The ways that cards and chips go in a step, worked out from what a viewer sees before and after it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.engine.movement import hand_out, movements
from ninefold.kernel.stream import new_stream
from ninefold.model.events import Event, Movement
from ninefold.model.view import GAP, HIDDEN, Card, Scene, Zone, face_up
from support.stories import listen

VIEWERS = (0, 1, None)  # the mover, an opponent, a spectator


def scene(*zones: Zone) -> Scene:
    return Scene("", "", list(zones), [], [])


def cards(text: str) -> list[Card]:
    """`KH` face up, `?` hidden, `-` a gap."""
    signs = {"?": HIDDEN, "-": GAP}
    return [signs.get(word) or face_up(word) for word in text.split()]


def pile(name: str, count: int, text: str = "") -> Zone:
    return Zone(name, "pile", name, None, cards(text), count)


def row(name: str, text: str, owner: int | None = None) -> Zone:
    return Zone(name, "row", name, owner, cards(text))


def grid(name: str, text: str) -> Zone:
    return Zone(name, "grid", name, 0, cards(text), columns=3)


def chips(name: str, count: int) -> Zone:
    return Zone(name, "chips", name, None, count=count)


# What two looks show


@pytest.mark.parametrize("seen", ["KH", "?"])
def test_a_card_drawn_from_a_pile(seen: str) -> None:
    found = movements(
        scene(pile("deck", 9), row("hand", "2S")), scene(pile("deck", 8), row("hand", f"2S {seen}"))
    )
    assert found == [Movement("deck", "hand", [None if seen == "?" else seen], [], [1])]


def test_a_card_on_a_pile_covers_the_one_that_was_on_top() -> None:
    """Of a pile only the top is shown: the card that was there has not left."""
    before = scene(pile("discards", 4, "7H"), row("hand", "2S KH 3D"))
    after = scene(pile("discards", 5, "KH"), row("hand", "2S 3D"))
    assert movements(before, after) == [Movement("hand", "discards", ["KH"], [1], [0])]


def test_the_first_card_of_a_pile_and_the_last() -> None:
    before = scene(pile("discards", 0), row("hand", "2S"))
    after = scene(pile("discards", 1, "2S"), row("hand", ""))
    assert movements(before, after) == [Movement("hand", "discards", ["2S"], [0], [0])]
    assert movements(after, before) == [Movement("discards", "hand", ["2S"], [0], [0])]


def test_a_card_taken_from_a_pile_uncovers_another() -> None:
    before = scene(pile("discards", 4, "7H"), row("hand", "2S"))
    after = scene(pile("discards", 3, "5C"), row("hand", "2S 7H"))
    assert movements(before, after) == [Movement("discards", "hand", ["7H"], [0], [1])]


def test_the_same_card_again_on_top_of_a_pile() -> None:
    """With several decks: one more card, though the top looks as it did."""
    before = scene(pile("discards", 4, "7H"), row("hand", "7H"))
    after = scene(pile("discards", 5, "7H"), row("hand", ""))
    assert movements(before, after) == [Movement("hand", "discards", ["7H"], [0], [0])]


def test_a_pile_becomes_another() -> None:
    before, after = (
        scene(pile("discards", 3, "7H"), pile("shoe", 0)),
        scene(pile("discards", 0), pile("shoe", 3)),
    )
    (found,) = movements(before, after)
    assert (found.source, found.target, len(found.cards)) == ("discards", "shoe", 3)
    assert found.source_places == found.target_places == [], "places within a pile are not shown"


def test_a_known_pile_is_compared_card_by_card() -> None:
    before = scene(row("table", "4S 4H 6S"), pile("captured", 2, "2S KH"))
    after = scene(row("table", "6S"), pile("captured", 4, "2S 4S 4H KH"))
    assert movements(before, after) == [Movement("table", "captured", ["4S", "4H"], [0, 1], [1, 2])]


def test_a_card_turned_over_has_not_moved() -> None:
    assert movements(scene(grid("hand", "? ? 2S")), scene(grid("hand", "? KH 2S"))) == []
    assert movements(scene(row("hand", "? ?")), scene(row("hand", "KH ?"))) == []
    coming = scene(grid("hand", "? ? 2S"))
    coming.zones[0].cards = [Card(None, up=False, coming=True), *cards("? 2S")]
    assert movements(scene(grid("hand", "? ? 2S")), coming) == []


@pytest.mark.parametrize("old", ["5C", "?"])
def test_a_card_in_place_of_another(old: str) -> None:
    before = scene(pile("discards", 4, "7H"), row("drawn", "KH"), grid("hand", f"? {old} 2S"))
    after = scene(pile("discards", 5, "5C"), grid("hand", "? KH 2S"))
    assert movements(before, after) == [
        Movement("drawn", "hand", ["KH"], [0], [1]),
        Movement("hand", "discards", ["5C"], [1], [0]),
    ]


def test_the_top_of_a_pile_in_place_of_another() -> None:
    before = scene(pile("discards", 4, "7H"), grid("hand", "? ? 2S"))
    after = scene(pile("discards", 4, "5C"), grid("hand", "? 7H 2S"))
    assert movements(before, after) == [
        Movement("discards", "hand", ["7H"], [0], [1]),
        Movement("hand", "discards", ["5C"], [1], [0]),
    ]


def test_known_cards_are_matched_before_unknown_ones() -> None:
    before = scene(row("a", "? KH"), row("b", ""), row("c", ""))
    after = scene(row("a", ""), row("b", "KH"), row("c", "?"))
    assert movements(before, after) == [
        Movement("a", "b", ["KH"], [1], [0]),
        Movement("a", "c", [None], [0], [0]),
    ]


def test_what_comes_from_nowhere_and_goes_there() -> None:
    assert movements(scene(row("a", "")), scene(row("a", "KH"))) == [Movement(None, "a", ["KH"], [], [0])]
    assert movements(scene(row("a", "KH")), scene()) == [Movement("a", None, ["KH"], [0])]


def test_chips_go_from_where_they_are_fewer() -> None:
    before, after = (
        scene(chips("a", 90), chips("b", 50), chips("pot", 0)),
        scene(chips("a", 60), chips("b", 40)),
    )
    after.zones.append(chips("pot", 40))
    assert movements(before, after) == [Movement("a", "pot", amount=30), Movement("b", "pot", amount=10)]


# What a game states itself


def test_stated_movements_are_not_worked_out_again() -> None:
    """An opponent's look: a hidden card went to a place, and the hidden card there to the discards."""
    before = scene(pile("discards", 4, "7H"), row("drawn", "?"), grid("hand", "? ? 2S"))
    after = scene(pile("discards", 5, "5C"), grid("hand", "? KH 2S"))
    wrong = [Movement("drawn", "discards", ["5C"], [0], [0])]
    assert movements(before, after) == wrong, "it looks like a card turned over and another discarded"
    stated = [Movement("drawn", "hand", ["KH"], [0], [1]), Movement("hand", "discards", ["5C"], [1])]
    assert movements(before, after, stated) == []


def test_the_rest_of_a_way_is_worked_out() -> None:
    """A card put into a column that goes to the discards at once: it was there, if nobody could see it."""
    before = scene(pile("discards", 1, "7H"), row("drawn", "KH"), grid("hand", "? KS KD"))
    after = scene(pile("discards", 5, "5C"), grid("hand", "- - -"))
    stated = [Movement("drawn", "hand", ["KH"], [0], [0]), Movement("hand", "discards", ["5C"], [0])]
    (found,) = movements(before, after, stated)
    assert (found.source, found.target) == ("hand", "discards")
    assert dict(zip(found.source_places, found.cards, strict=True)) == {0: "KH", 1: "KS", 2: "KD"}


def test_the_same_card_in_place_of_itself() -> None:
    before = scene(pile("discards", 4, "7H"), grid("hand", "? 7H 2S"))
    stated = [Movement("discards", "hand", ["7H"], [0], [1]), Movement("hand", "discards", ["7H"], [1])]
    assert movements(before, before, stated) == []


def test_hidden_cards_for_hidden_cards() -> None:
    """A trade, as the one who gave the sevens sees it: the other hand looks as it did."""
    before = scene(row("mine", "7S 7H 2D"), row("theirs", "? ? ?"))
    after = scene(row("mine", "9S 9H 2D"), row("theirs", "? ? ?"))
    stated = [Movement("mine", "theirs", ["7S", "7H"]), Movement("theirs", "mine", ["9S", "9H"])]
    assert movements(before, after, stated) == []
    assert (
        movements(after, after, [Movement("mine", "theirs", [None]), Movement("theirs", "mine", [None])])
        == []
    )


def test_stated_chips() -> None:
    before, after = scene(chips("a", 90), chips("b", 0)), scene(chips("a", 60), chips("b", 30))
    assert movements(before, after, [Movement("a", "b", amount=30)]) == []


def test_movements_go_to_the_event_about_them() -> None:
    tell = [Event("roll", "", 1), Event("draw", "", 0, cards=["KH"]), Event("bet", "", 1, amount=30)]
    draw, bet, own = (
        Movement("deck", "a", ["KH"]),
        Movement("b", "pot", amount=30),
        Movement("deck", "b", [None]),
    )
    hand_out([draw, bet, own], tell, scene(row("a", "KH", 0), row("b", "", 1)))
    assert [event.moves for event in tell] == [[own], [draw], [bet]]


# Baseball


def events(state: nf.State, script: str, viewer: int | None) -> list[Event]:
    """What a viewer is told while the seat to move plays `put r1c1`, and `=KH` is what chance then brings."""
    found = listen(state, viewer)
    play(state, script)
    return found


def play(state: nf.State, script: str) -> nf.State:
    for step in script.split(", "):
        move, *brought = step.split("=")
        for seat, text in [(state.actors[0], move)] * bool(move) + [(nf.CHANCE, card) for card in brought]:
            state.play(seat, text)
    return state


def table(own: str = "10S 10H", up: str = "none") -> nf.State:
    """Two players before the first turn. The mover has looked at r1c1 and r2c1; the first discard is 9C."""
    state = nf.make("baseball", players=2, decks=4).start(manual=True)
    one, other = own.split()
    return play(
        state,
        f"=9C, look r1c1={one}, look r2c1={other}, turn up {up}, look r1c1=8S, look r2c1=8H, turn up none",
    )


def ways(told: list[Event]) -> list[tuple[str, list[Movement]]]:
    return [(event.kind, event.moves) for event in told]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("move", "up", "old", "place"),
    [
        ("put r1c1", "none", "10S", 0),
        ("put r1c1", "both", "10S", 0),
        ("put r2c2=5D", "none", "5D", 4),
    ],
)
def test_baseball_put(move: str, up: str, old: str, place: int, viewer: int | None) -> None:
    state = play(table(up=up), "draw=KH")
    assert ways(events(state, move, viewer)) == [
        (
            "put",
            [
                Movement("drawn", "hand-0", ["KH"], [0], [place]),
                Movement("hand-0", "discards", [old], [place]),
            ],
        )
    ]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("move", "up", "old", "place"),
    [
        ("take r1c1", "none", "10S", 0),
        ("take r1c1", "both", "10S", 0),
        ("take r2c2=5D", "none", "5D", 4),
        ("take r2c2=9C", "none", "9C", 4),
    ],
)
def test_baseball_take(move: str, up: str, old: str, place: int, viewer: int | None) -> None:
    assert ways(events(table(up=up), move, viewer)) == [
        (
            "take",
            [
                Movement("discards", "hand-0", ["9C"], [0], [place]),
                Movement("hand-0", "discards", [old], [place]),
            ],
        )
    ]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_draw_and_discard(viewer: int | None) -> None:
    drawn = "KH" if viewer == 0 else None
    assert ways(events(table(), "draw=KH, discard", viewer)) == [
        ("draw", [Movement("shoe", "drawn", [drawn], [], [0])]),
        ("discard", [Movement("drawn", "discards", ["KH"], [0], [0])]),
    ]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_discard_of_the_same_card_again(viewer: int | None) -> None:
    told = events(play(table(), "draw=9C"), "discard", viewer)
    assert ways(told) == [("discard", [Movement("drawn", "discards", ["9C"], [0], [0])])]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("move", ["flip r1c1", "flip r3c3=4C"])
def test_baseball_flip(move: str, viewer: int | None) -> None:
    assert ways(events(table(), move, viewer)) == [("turn up", [])]


COLUMN = Movement("hand-0", "discards", ["7S", "7D", "7C"], [0, 3, 6])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_a_column_clears(viewer: int | None) -> None:
    state = table("7S 7D", "both")
    assert ways(events(state.copy(), "flip r3c1=7C", viewer)) == [("turn up", []), ("column", [COLUMN])]
    put = [Movement("drawn", "hand-0", ["7C"], [0], [6]), Movement("hand-0", "discards", ["QS"], [6])]
    assert ways(events(play(state, "draw=7C"), "put r3c1=QS", viewer)) == [("put", put), ("column", [COLUMN])]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_a_column_clears_with_a_card_that_its_owner_alone_knew(viewer: int | None) -> None:
    state = play(table("7S 7D", "first"), "draw=7C, put r3c1=QS, draw=6C, discard")
    assert ways(events(state, "flip r2c1", viewer)) == [("turn up", []), ("column", [COLUMN])]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_a_discard_and_columns_in_one_step(viewer: int | None) -> None:
    """At the turn limit all cards are turned up after the last discard, and columns clear."""
    state = nf.make("baseball", players=2, turn_limit=1, decks=4).start(manual=True)
    play(state, "=9C, look r1c1=7S, look r2c1=7D, turn up both, look r1c1=8S, look r2c1=8H, turn up none")
    told = events(
        state, "draw=7C, discard, draw=2C, discard=QD=3C=2D=4D=7C=5D=6D=3D=4C=5C=6C=8C=JD=JH", viewer
    )
    kinds = dict(ways(told))
    assert kinds["discard"] == [Movement("drawn", "discards", ["2C"], [0], [0])]
    columns = [event.moves for event in told if event.kind == "column"]
    assert columns == [[COLUMN], [Movement("hand-1", "discards", ["8S", "8H", "8C"], [0, 3, 6])]]
    assert not any(event.moves for event in told if event.kind in ("turn up", "limit", "end"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_the_discards_become_the_shoe(viewer: int | None) -> None:
    state = nf.make("baseball", players=5, decks=1).start(manual=True)
    play(state, "=KC")
    for seat in range(5):
        play(state, f"look r1c1={seat + 2}S, look r1c2={seat + 2}H, turn up none")
    for card in "JS JH JD JC QS QH QD QC".split():  # noqa: SIM905 (shorter so)
        play(state, f"draw={card}, discard")
    told = events(state, "draw=QD", viewer)
    assert [event.kind for event in told] == ["shoe", "draw"]
    (shuffled,), (drawn,) = (event.moves for event in told)
    assert (shuffled.source, shuffled.target, len(shuffled.cards)) == ("discards", "shoe", 9)
    assert (drawn.source, drawn.target) == ("shoe", "drawn")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_baseball_the_first_discard(viewer: int | None) -> None:
    state = nf.make("baseball", players=2).start(manual=True)
    assert ways(events(state, "=9C", viewer)) == [("deal", [Movement("shoe", "discards", ["9C"], [], [0])])]


# Finest 9


def finest() -> nf.State:
    state = nf.make("finest9", players=2).start(manual=True)
    return play(state, "=6 6=1 1")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_finest9_deal_capture_and_draw(viewer: int | None) -> None:
    state = finest()
    first, second = events(state, "=4S=2S", viewer)
    assert first.moves == [Movement("deck", "table-0", ["4S"], [], [0])]
    assert second.moves == [Movement("deck", "table-1", ["2S"], [], [0])]
    play(state, "=2H=3S=6S=3H=4H=5S=6H=5H=KS=8S=4D=8H=KH=8D=2D=QS")
    rolled, captured, other, drawn = events(state, "=1 3, capture 4 4 4, =5 6=9C", viewer)
    assert (rolled.moves, rolled.dice, other.moves, other.dice) == ([], [1, 3], [], [5, 6])
    assert captured.moves == [Movement("table-0", "captured-0", ["4S", "4H", "4D"], [2, 3, 4], [0, 1, 2])]
    assert drawn.moves == [Movement("deck", "table-1", ["9C"], [], [8])]
    assert captured.amount == 12


# Whole matches

ALWAYS_MOVE = ("deal", "draw", "discard", "put", "take", "column", "shoe", "capture")


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("baseball", 3, {}),
        ("baseball", 5, {"decks": 1}),
        ("baseball", 2, {"innings": 2, "turn_limit": 4}),
        ("finest9", 3, {}),
        ("doubles", 3, {}),
    ],
)
def test_what_moves_leaves_and_lands_where_it_lay_and_lies(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """Every movement names zones that are there, and cards that a viewer may see at its places."""
    for seed in range(3):
        dice, rng = random.Random(seed), new_stream(seed)
        state = nf.make(name, players=players, **options).start(manual=True)
        while not state.over and state.turns < 60:
            seat = dice.choice(state.actors)
            before = state.copy()
            if seat == nf.CHANCE:
                state.draw(rng)
            else:
                state.play(seat, dice.choice(list(state.moves(seat))))
            moment = Moment(before.tobytes(), *state.steps[-1], state.tobytes())
            for viewer in (0, None):
                told = state.perspectives.events(moment, viewer)
                old, new = ({zone.id: zone for zone in look.scene(viewer).zones} for look in (before, state))
                assert all(event.moves for event in told if event.kind in ALWAYS_MOVE), told
                for move in (move for event in told for move in event.moves):
                    lies(move.source, move.source_places, move.cards, old, new)
                    lies(move.target, move.target_places, move.cards, new, {})


def lies(
    name: str | None,
    places: list[int],
    moved: list[str | None],
    here: dict[str, Zone],
    later: dict[str, Zone],
) -> None:
    """A card lies at its place, hidden perhaps, or has come there within the step and gone on."""
    assert name is None or name in here or name in later
    for place, card in zip(places, moved, strict=False):
        shown = (here[name].cards or [])[place] if name else GAP
        assert shown.gap or shown.card in (card, None) or here[name or ""].kind == "grid"
