"""What a seat of Finest 9 sees, is offered and is told."""

from __future__ import annotations

import json

from ninefold.model.events import Movement
from ninefold.model.text import render
from support.finest9 import HIGH, NAMES, PLAINEST, begin, dealt, drained, rolled, stats, zone
from support.stories import events_for


def test_the_view_offers_every_capture_with_its_cards() -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "3 4")
    view = state.view(0)
    assert str(state.picture(0).prompt) == "You rolled 7. Which cards do you take?"
    (offer,) = view["offers"]
    row = zone(state, offer["zone"], 0)
    assert [choice["move"] for choice in offer["choices"]] == list(state.moves(0)) == view["moves"]
    for choice in offer["choices"]:
        after = state.copy()
        after.play(0, choice["move"])
        assert sorted(row[at] for at in choice["cards"]) == sorted(zone(after, "captured-0"))
        assert stats(after, 0)["captured"] == choice["points"]
        assert choice["label"]["args"] == {
            "ranks": choice["move"].removeprefix("capture "),
            "points": choice["points"],
        }
    other = state.view(1)
    assert other["offers"] == []
    assert render(state.picture(1).prompt, ["Ann"]) == "Ann rolled 7 and takes a match."
    assert json.loads(json.dumps(view)) == view


def test_the_view_never_shows_the_order_of_the_deck() -> None:
    state = dealt(*PLAINEST)
    for view in (state.view(0), state.view(None)):
        (deck,) = [part for part in view["zones"] if part["id"] == "deck"]
        assert deck["count"] == 34 and "cards" not in deck


def test_a_tie_is_told_to_those_who_tie() -> None:
    rolls = [(-1, f"roll {dice}") for dice in ("5 5", "1 2", "4 6")]
    for viewer, words in ((0, "You and Cy"), (2, "You and Ann"), (1, "Ann and Cy"), (None, "Ann and Cy")):
        said = render(events_for(begin(3), viewer, *rolls)[-1].text, NAMES, viewer)
        assert said == f"{words} tie and roll again."


def test_stories() -> None:
    state = begin(3)
    events = events_for(state, None, *[(-1, f"roll {dice}") for dice in ("5 5", "1 2", "4 6", "2 2", "1 1")])
    assert [render(event.text, NAMES) for event in events] == [
        "Ann rolls 5 and 5: 10.",
        "Bob rolls 1 and 2: 3.",
        "Cy rolls 4 and 6: 10.",
        "Ann and Cy tie and roll again.",
        "Ann rolls 2 and 2: 4.",
        "Cy rolls 1 and 1: 2.",
        "Ann goes first.",
    ]
    state = dealt(*PLAINEST)
    events = events_for(
        state,
        None,
        (-1, "roll 3 6"),
        (-1, "roll 1 3"),
        (0, "capture 4 4 4"),
        (-1, "roll 5 6"),
        (-1, "deal 9C"),
    )
    assert [render(event.text, NAMES) for event in events] == [
        "Ann rolls 3 and 6: 9, and rolls again.",
        "Ann rolls 1 and 3: 4.",
        "Ann takes 4♠ 4♥ 4♦: +12.",
        "Bob rolls 5 and 6: 11. No match.",
        "Bob draws 9♣.",
    ]
    assert events[2].moves == [
        Movement("table-0", "captured-0", ["4S", "4H", "4D"], [3, 4, 5], [0, 1, 2]),
    ]
    assert events[4].moves == [Movement("deck", "table-1", ["9C"], [], [9])]


def test_stories_of_the_end() -> None:
    state = drained()
    texts = [
        render(event.text, NAMES)
        for event in events_for(state, None, (-1, f"roll {HIGH}"), (-1, f"roll {HIGH}"))
    ]
    assert texts[0] == "Ann rolls 6 and 6: 12. No match, and the deck is empty."
    first, second = state.scores
    assert texts[2:4] == [
        f"Ann took 0 and left {-first}: {first}.",
        f"Bob took 0 and left {-second}: {second}.",
    ]
    gap = abs(first - second)
    assert texts[4].endswith(
        f" wins with {max(first, second)} points, {gap} more than {'Bob' if first > second else 'Ann'}."
    )
