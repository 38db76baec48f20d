"""What a person can press: the keys of offers of every kind, names instead of seats, and the autopilot."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rich.style import Style

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.model.view import Number, Selection, View
from ninefold.terminal.actions import (
    LISTED,
    StandingOrder,
    actions,
    advice,
    attempts,
    every_move,
    hidden,
    place_of,
    selections,
    with_seats,
)
from ninefold.terminal.buttons import buttons
from support import baseball
from support.nine_hands import BLOCKER, HEARTS, dealt

AWKWARD = ["2 of a Kind", "9S", "Medium 2", "Ann", "ann maria"]


@pytest.mark.parametrize("name", nf.games())
def test_every_action_has_a_key_of_its_own_and_plays(name: str) -> None:
    game = nf.make(name)
    state = game.start(seed=4)
    for _ in range(40):
        if state.over:
            break
        seat = state.actors[0]
        view = state.picture(seat)
        found = actions(view, frozenset(), game.players * ["Ann"])
        keys = [action.key for action in found]
        assert len(set(keys)) == len(keys) and all(keys)
        for action in found:
            if action.number is None:
                state.admit(seat, action.move)  # IllegalMove fails the test
        state.play(seat, state.moves(seat)[0])


@pytest.mark.parametrize("name", nf.games())
def test_no_letter_changes_its_meaning_during_a_match(name: str) -> None:
    """A key that did one thing at the last prompt does not do another at this one."""
    game = nf.make(name)
    meant: dict[str, set[str]] = {}
    for seed in range(3):
        state = game.start(seed=seed)
        bots = SeatedBots(game, ["medium", *["random"] * (game.players - 1)], seed)
        for _ in range(150):
            if state.over:
                break
            for seat in state.actors:
                for action in actions(state.picture(seat), frozenset(), game.players * ["Ann"]):
                    if action.key.isalpha():
                        sizes = action.label.rpartition("(")[2].rstrip(")")  # of a bet: `Pot`
                        typed = action.move.split()[-1].isdecimal()
                        meant.setdefault(action.key, set()).add(sizes if typed else action.move.split()[0])
            bots.step(state)
    assert all(len(moves) == 1 for moves in meant.values()), meant


def test_places_of_a_grid_keep_their_keys() -> None:
    state = nf.make("baseball", players=2).start(seed=3)
    first = {action.key: action.move for action in actions(state.picture(0), frozenset(), ["A", "B"])}
    state.play(0, "look r2c2")
    second = {action.key: action.move for action in actions(state.picture(0), frozenset(), ["A", "B"])}
    assert first["5"] == "look r2c2" and first["6"] == second["6"] == "look r2c3" and "5" not in second
    state.play(0, "look r3c1")
    third = {action.key: action.move for action in actions(state.picture(0), frozenset(), ["A", "B"])}
    assert third["5"] == "turn up first" and third["7"] == "turn up second"


def test_a_digit_points_at_a_place_where_a_place_can_mean_two_things() -> None:
    state = nf.make("baseball", players=2).start(seed=3)
    while "draw" not in state.moves(0):
        for seat in state.actors:
            state.play(seat, state.moves(seat)[0])
    view = state.picture(0)
    place = place_of(view, "8")
    assert place == ("hand-0", 7)
    here = [action.move for action in actions(view, frozenset([place]), ["A", "B"])]
    assert "flip r3c2" in here and "take r3c2" in here


def answer_view() -> View:
    """A table of 9 of a Kind at which seat 2 has an open offer of one card."""
    state = nf.make("nine_of_a_kind", players=5).start(seed=2)
    one = next(move for move in state.moves(2) if move.startswith("offer") and move.count(" ") == 1)
    state.play(2, one)
    return state.picture(0)


def test_an_answer_names_the_player_and_not_a_seat() -> None:
    listed = [(move, label) for move, label in every_move(answer_view(), AWKWARD) if "answer" in move]
    assert listed and all(move.startswith("answer Medium 2 ") for move, _ in listed)
    assert all("Medium 2" in label for _, label in listed)
    view = answer_view()
    offer = next(offer for offer in view.offers if isinstance(offer, Selection) and offer.seat == 2)
    place = offer.choices[0].cards[0]
    labels = [a.label for a in actions(view, frozenset([(offer.zone, place)]), AWKWARD) if "answer" in a.move]
    suits = "●▤✂≈§♠♥♦♣"
    assert len(labels) == 1 and "Medium 2: " in labels[0] and labels[0][-1] in suits
    offered = [a.label for a in actions(view, frozenset([(offer.zone, place)]), AWKWARD) if "offer" in a.move]
    assert len(offered) == 1 and offered[0].startswith("Offer ") and offered[0][-1] in suits


def test_a_claim_stands_out_from_the_moment_on_that_it_is_true() -> None:
    neither = "2H 3H 4S 5S 6S 7S 8S 9S AS"
    for hand, lit in ((HEARTS, {"claim nine"}), (BLOCKER, {"claim blocked"}), (neither, set())):
        here = actions(dealt(hand).picture(0), frozenset(), AWKWARD)
        assert {action.move for action in here if action.lit} == lit
        drawn = buttons(here, "", 80)
        bright = [part for part in drawn.spans if Style.parse(str(part.style)).reverse]
        shown = {drawn.plain[part.start : part.end] for part in bright}
        assert len(shown) == len(lit) and all(text.endswith("!") for text in shown)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("answer Medium 2 2H", "answer 2 2H"),
        ("answer ann 7S 7H", "answer 3 7S 7H"),
        ("ANSWER Ann Maria 7S", "ANSWER 4 7S"),
        ("answer 2 2H", "answer 2 2H"),
        ("offer 9S", "offer 9S"),
        ("stay", "stay"),
    ],
)
def test_names_stand_for_seats(typed: str, meant: str) -> None:
    assert with_seats(typed, AWKWARD) == meant


def many_groups() -> View:
    """A hand of Multiple 9 with more groups than can be listed."""
    game = nf.make("multiple9", players=2)
    for seed in range(300):
        state = game.start(seed=seed)
        for _ in range(30):
            if state.over:
                break
            seat = state.actors[0]
            view = state.picture(seat)
            if sum(len(offer.choices) for offer in selections(view)) > LISTED + 3:
                return view
            state.play(seat, "done" if "done" in state.moves(seat) else state.moves(seat)[0])
    raise AssertionError("no such hand")


def test_of_many_groups_the_longest_are_listed_and_the_others_counted() -> None:
    view = many_groups()
    here = actions(view, frozenset(), ["A", "B"])
    cards = {choice.move: len(choice.cards) for offer in selections(view) for choice in offer.choices}
    listed = {action.key: cards[action.move] for action in here if action.key.isdigit()}
    assert list(listed) == [str(key) for key in range(1, LISTED + 1)]
    left = [len(choice.cards) for _, choice in hidden(view, here)]
    assert min(listed.values()) >= max(left)
    assert advice(view, here) == f"{len(left)} more: arrows and Space pick cards"
    assert [action.move for action in here if not action.key.isdigit()] == ["done"]


def test_every_opponent_has_a_digit_that_never_changes() -> None:
    state = nf.make("nine_of_a_kind", players=5).start(seed=2)
    keys: dict[str, set[str]] = {}
    for seat in (4, 1, 3):
        state.play(seat, next(move for move in state.moves(seat) if move.count(" ") == 1 and "offer" in move))
        view = state.picture(0)
        pointed = frozenset([("hand-0", 0)])
        for action in actions(view, pointed, AWKWARD, "s"):
            keys.setdefault(" ".join(action.move.split()[:-1]) or action.move, set()).add(action.key)
    assert {move: keys[f"answer {move}"] for move in "134"} == {"1": {"1"}, "3": {"3"}, "4": {"4"}}
    assert keys["wait"] == {"."} and keys["offer"] == {"o"}
    assert advice(view, actions(view, pointed, AWKWARD)) == "Arrows move, Space picks more"
    other = actions(state.picture(3), frozenset([("hand-3", 0)]), AWKWARD)
    assert {action.key for action in other if action.move.startswith(("answer 1", "answer 4"))} == {"1", "3"}


def test_the_highest_bet_has_to_be_pressed_twice() -> None:
    state = nf.make("holdem9", players=2).start(seed=2)
    view = state.picture(state.actors[0])
    (offer,) = [offer for offer in view.offers if isinstance(offer, Number)]
    found = {action.move: action for action in actions(view, frozenset(), ["A", "B"])}
    assert (
        found[f"{offer.verb} {offer.high}"].confirm
        and not found[f"{offer.verb} {offer.presets[0].value}"].confirm
    )


def test_sizes_of_bets_have_the_same_keys_whichever_are_offered() -> None:
    state = nf.make("holdem9", players=2).start(seed=2)
    view = state.picture(state.actors[0])
    keys = {}
    for first in (1, 0):
        offers = [
            replace(offer, presets=offer.presets[first:]) if isinstance(offer, Number) else offer
            for offer in view.offers
        ]
        here = actions(replace(view, offers=offers), frozenset(), ["A", "B"])
        keys[first] = {action.label: action.key for action in here}
    assert keys[1].items() <= keys[0].items() and len(keys[1]) == len(keys[0]) - 1


def test_going_out_with_more_than_another_player_shows_has_to_be_pressed_twice() -> None:
    """R5.1 of Baseball: the last card face up ends the round; here seat 0 has 36 and seat 1 shows nothing."""
    view = baseball.last_card().picture(0)
    assert "you go out: one more turn for everyone else" in str(view.prompt)
    here = {action.move: action for action in actions(view, frozenset([("hand-0", 8)]), ["Ann", "Bo"])}
    assert here["flip r3c3"].confirm.startswith("This ends the round after one more turn for everyone else:")
    assert here["flip r3c3"].confirm.endswith("Bo shows 0, you 36.")
    assert not here["draw"].confirm
    first = {action.move: action for action in actions(view, frozenset([("hand-0", 0)]), ["Ann", "Bo"])}
    assert not any(action.confirm for action in first.values())


def test_a_column_that_clears_does_not_count_when_going_out_is_asked_about() -> None:
    state = baseball.last_card()
    s, nine = state.position, 4 * 8  # of spades
    s.cards[0, 2], s.cards[0, 5], s.top = nine, nine + 1, nine + 2
    here = {
        action.move: action for action in actions(state.picture(0), frozenset([("hand-0", 8)]), ["Ann", "Bo"])
    }
    assert here["take r3c3"].confirm.endswith("Bo shows 0, you 27.")  # A 2 4 5 7 8


def test_cards_that_are_no_match_can_be_asked_about() -> None:
    state = nf.make("finest9", players=2).start(seed=5)
    while not state.over:
        view = state.picture(state.actors[0])
        offers = [offer for offer in view.offers if isinstance(offer, Selection)]
        if offers:
            break
        state.play(state.actors[0], state.moves(state.actors[0])[0])
    picked = frozenset((offers[0].zone, place) for place in range(5))
    (attempt,) = attempts(view, picked)
    assert attempt.startswith("capture ") and attempt.count(" ") == 5
    with pytest.raises(nf.IllegalMove):
        state.admit(state.actors[0], attempt)


def test_the_autopilot_ends_with_its_round() -> None:
    state = nf.make("doubles", players=1, rounds=3).start(manual=True)
    order = StandingOrder(next(order for order in state.picture(0).orders if order.ask), 500)
    rounds = []
    for roll in ("3 4", "1 2", "3 4", "3 4", "3 4", "1 2"):
        state.play(nf.CHANCE, f"roll {roll}")
        if 0 in state.actors:
            rounds.append(order.move(state.picture(0)))
            state.play(0, "stay")
    assert rounds == ["stay"] * 4 + [None] and order.ended  # the fourth seven ended the first round


def test_the_autopilot_ends_when_its_bound_is_reached() -> None:
    state = nf.make("doubles", players=1, rounds=3).start(manual=True)
    order = StandingOrder(next(order for order in state.picture(0).orders if order.ask), 70)
    state.play(nf.CHANCE, "roll 3 4")
    assert order.move(state.picture(0)) == "cash out" and order.ended
