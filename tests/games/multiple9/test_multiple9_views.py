"""What a seat of Multiple 9 sees, is offered and is told."""

from __future__ import annotations

import ninefold as nf
from ninefold.model.text import render
from support.multiple9 import DULL, begin, chance, dealt, without_stock, zone
from support.stories import listen


def test_a_hand_can_be_played_from_its_view_alone() -> None:
    """Every offer names its move, and the places of its cards in the zone are those cards."""
    state = nf.make("multiple9", players=3).start(seed=5)
    for _ in range(60):
        if state.over:
            break
        seat = state.actors[0]
        view = state.view(seat)
        cards = [card["card"] for card in zone(state, f"hand-{seat}", seat)["cards"]]
        offered = []
        for offer in view["offers"]:
            if offer["kind"] == "button":
                offered.append(offer["move"])
                continue
            assert offer["zone"] == f"hand-{seat}"
            for choice in offer["choices"]:
                assert len(set(choice["cards"])) == len(choice["cards"])
                assert "lay " + " ".join(cards[place] for place in choice["cards"]) == choice["move"]
                offered.append(choice["move"])
        assert offered == view["moves"] == list(state.moves(seat))
        state.play(seat, offered[0])


def test_the_story_of_a_game() -> None:
    state = begin()
    heard = listen(state, 0)

    def told() -> list[str]:
        return [render(event.text, ("Ann", "Bob")) for event in heard]

    for cards in zip(["Q", "Q", "3", "8", "10"], DULL[0].split(), strict=True):
        chance(state, *cards)
    assert told()[-3:] == [
        "Everyone has five cards.",
        "Ann has Q Q 10 8 3.",
        "Ann can go out with the cards dealt.",
    ]
    state.play(0, "wait")
    chance(state, "A")
    state.play(0, "lay 8 A")
    state.play(0, "lay Q Q 3")
    state.play(0, "done")
    assert told()[-5:] == [
        "Ann waits.",
        "Ann draws an A.",
        "Ann lays 8+A = 9.",
        "Ann also lays Q+Q+3 = 27.",
        "Ann keeps one card.",
    ]


def test_the_end_in_words() -> None:
    """R5.1, R5.2, R6.1, R6.3: a win, a game that nobody wins, and two that are counted."""
    won = dealt("Q Q 3 8 10", DULL[0])
    told = listen(won, None)
    won.play(0, "go out")
    assert [str(event.text) for event in told] == [
        "Player 1 goes out with the cards dealt: Q Q 3 and 10 8.",
        "Player 2 has five cards left.",
        "Player 1 wins: no cards left.",
    ]
    assert told[0].moves[0].target == "laid-0" and told[0].hold and told[-1].hold
    for options, words in (
        ({}, "Draw: the cards ran out, and nobody could put down a group."),
        (
            {"undecided": "fewest"},
            "The cards ran out: Player 2 and Player 3 share the win with 17 cards left.",
        ),
        (
            {"undecided": "last_turn"},
            "The cards ran out: Player 3 wins with 17 cards left, total 116.",
        ),
    ):
        state = without_stock(*DULL, **options)
        told = listen(state, None)
        while not state.over:
            state.play(state.actors[0], "done")
        assert str(told[-1].text) == words and told[-1].kind == "end"


def test_any_of_two_equal_cards_may_be_picked() -> None:
    """R1.3: the second 8 is as good as the first, also for a hand that points at it."""
    from ninefold.terminal import actions as asking

    state = dealt("8 8 A A K", "K 7 2 J 10")
    for rank in ("5", "6"):
        chance(state, rank)
        state.play(state.actors[0], "done")
    chance(state, "10")
    while state.actors != (0,) or len(state.moves(0)) < 12:
        if state.actors == (nf.CHANCE,):
            state.play(nf.CHANCE, next(iter(state.chance())))
        else:
            state.play(state.actors[0], "done")
    view = state.picture(0)
    cards = [card["card"] for card in zone(state, "hand-0", 0)["cards"]]
    second = max(place for place, card in enumerate(cards) if card == "8")
    ace = max(place for place, card in enumerate(cards) if card == "A")
    picked = frozenset({("hand-0", second), ("hand-0", ace)})
    found = asking.fitting(view, asking.actions(view, picked, []), picked)
    assert [action.move for action in found] == ["lay 8 A"]
    assert picked <= asking.lit(view)


def test_groups_lie_before_their_player_until_the_turn_comes_round() -> None:
    state = dealt("K K 5 5 6", DULL[0])
    chance(state, "8")
    told = listen(state, None)
    state.play(0, "lay K K 5 5")
    assert [(move.source, move.target) for move in told[0].moves] == [("hand-0", "laid-0")]
    assert [card["card"] for card in zone(state, "laid-0")["cards"]] == ["K", "K", "5", "5"]
    assert zone(state, "discards")["count"] == 0
    state.play(0, "done")
    chance(state, "2")
    assert len(zone(state, "laid-0")["cards"]) == 4
    told = listen(state, None)
    state.play(1, "done")
    assert zone(state, "laid-0")["cards"] == [] and zone(state, "discards")["count"] == 4
    assert [(move.source, move.target) for event in told for move in event.moves] == [("laid-0", "discards")]
