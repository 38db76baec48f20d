"""Each game explains itself on the table: what cards make, what is at stake, how to win and how far it is."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.engine.chance import SeededChance
from ninefold.engine.match import Match, Seat
from ninefold.model.view import Button, View, forced
from support import baseball, doubles, finest9, holdem9, multiple9, nine_hands


def made(view: View, seat: int) -> dict[str, list[str | None]]:
    """The groups of a seat: their labels, and their cards."""
    zones = {zone.id: zone.cards or [] for zone in view.zones}
    return {
        str(group.label): [zones[name][at].card for name, places in group.cards.items() for at in places]
        for group in view.groups
        if group.seat == seat
    }


def legend(view: View) -> dict[str, str]:
    return {str(entry.label): str(entry.value) for entry in view.legend}


def progress(view: View) -> tuple[str, int, int | None]:
    assert view.progress
    return str(view.progress.label), view.progress.value, view.progress.goal


def button(view: View, move: str) -> Button:
    return next(part for part in view.offers if isinstance(part, Button) and part.move == move)


def test_holdem_brackets_the_nines_from_the_flop_on() -> None:
    """R5.2: the worked example J 7 9 2 10 with K K makes K+K+10, J+7 and 9."""
    state = holdem9.dealt("KH KD", "8H 7D", stack=1_000)
    holdem9.act(state, "call", "check")
    assert state.picture(0).groups == [] and state.picture(0).seats[0].hand is None
    holdem9.chance(state, "JS 7H 9D")
    view = state.picture(0)
    assert made(view, 0) == {"9": ["9D"], "J+7 = 18": ["JS", "7H"]}
    assert view.seats[0].hand == "3 nines (J+7, 9) so far"
    assert made(view, 1) == {} and view.seats[1].hand is None, "another player's cards stay secret"
    assert state.picture(None).groups == []
    for card in ("2C", "10C"):
        holdem9.act(state, "check", "check")
        holdem9.chance(state, card)
    assert made(state.picture(0), 0) == {
        "9": ["9D"],
        "J+7 = 18": ["JS", "7H"],
        "K+K+10 = 36": ["KD", "KH", "10C"],
    }
    assert [group.value for group in state.picture(0).groups] == [1, 2, 4]
    holdem9.act(state, "check", "check")
    shown = state.picture(None)
    assert sum(group.value or 0 for group in shown.groups if group.seat == 0) == 7
    assert shown.seats[1].hand == "6 nines (7+2, 10+8, J+7, 9)", "at the showdown, all"


def test_holdem_says_how_many_hands_there_are_or_who_leads() -> None:
    assert progress(holdem9.begin(2, hands=12).picture(None)) == ("Hand 1 of 12", 0, 12)
    state = holdem9.begin(2, hands=0, stack="300/100")
    assert progress(state.picture(None)) == ("Leader: 300 of 400 chips", 300, 400)


def test_finest9_shows_taken_left_and_the_difference() -> None:
    """R5.3, with the worked example 9 9 7: 7 9 for 16, 7 9 9 for 25."""
    state = finest9.rolled("9S 9H 7S 2C 2D 3C 4C QD KD", "3 4", clear_bonus=20)
    view = state.picture(0)
    assert str(view.prompt) == "You rolled 7. Which cards do you take?"
    assert [str(choice.label) for choice in view.offers[0].choices] == [  # type: ignore[union-attr]
        "Take 7 9 · +16",
        "Take 7 9 9 · +25",
    ]
    assert str(view.seats[0].hand) == "Taken 0 · Left 56"
    state.play(0, "capture 7 9 9")
    assert str(state.picture(1).seats[0].hand) == "Taken 25 · Left 31"
    assert legend(view) == {
        "J Q K": "10",
        "A": "11",
        "9": "wild",
        "no cards left": "+20",
    }
    assert progress(view) == ("Cards in the deck: 34", 0, 34)
    assert progress(finest9.drained().picture(None)) == ("Turns left: 2", 34, 34)


def test_baseball_has_its_values_at_hand_and_counts_what_one_knows() -> None:
    """R1.2; R2.3: cards that a player has looked at count for that player alone."""
    state = baseball.table(own="QS 10H")
    assert legend(state.picture(0)) == {
        "A": "1",
        "J": "15",
        "Q": "25",
        "K": "0",
        "joker": "−2",
        "column of three": "gone",
    }
    assert state.picture(0).goal == "Lowest total wins."
    assert str(state.picture(0).seats[0].hand) == "35 known · 7 unseen"
    assert state.picture(1).seats[0].hand is None and state.picture(None).seats[0].hand is None
    assert progress(state.picture(None)) == ("Closest to going out: 9 face down", 0, 9)
    assert progress(baseball.last_card().picture(None)) == ("Closest to going out: 1 face down", 8, 9)


def test_multiple9_names_groups_by_their_sums_and_passes_by_itself() -> None:
    """R2.2: 8 8 2 makes 18; without a group there is nothing to decide."""
    state = multiple9.dealt("8 8 2 K 7", "K 7 2 J Q")
    multiple9.chance(state, "Q")
    labels = {choice.label for choice in state.picture(0).offers[0].choices}  # type: ignore[union-attr]
    assert "8+8+2 = 18" in labels
    assert state.picture(0).seats[0].hand == "No way out yet"
    assert state.picture(1).seats[0].hand is None, "a hand is its owner's secret"
    assert forced(state.picture(0)) is None and not button(state.picture(0), "done").auto
    state.play(0, "lay 8 8 2")
    assert forced(state.picture(0)) == "done" and str(state.picture(0).prompt) == "Nothing else to lay."
    assert progress(state.picture(None)) == ("Fewest cards: 3", 3, None)


def test_doubles_says_what_the_next_seven_costs() -> None:
    """R3.4: with three sevens down the next one loses the total; before that nothing can be lost."""
    state = doubles.begin(3)
    doubles.rolls(state, "3 4", "3 4")
    assert "seven" not in str(state.picture(0).prompt) and not button(state.picture(0), "stay").hint
    doubles.all_stay(state, 2)
    assert "seven" not in str(state.picture(None).prompt)
    doubles.roll(state, "1 6")
    cost = "One more seven and the 225 is gone."
    assert str(state.picture(0).prompt) == f"Stay, or cash out 225? {cost}"
    assert button(state.picture(0), "stay").hint == "one roll in six is a seven"
    for viewer in (2, None):
        assert str(state.picture(viewer).prompt).endswith(cost), "those who watch feel it too"
    assert progress(state.picture(None)) == ("Round 1 of 10", 0, 10)
    assert progress(doubles.begin(2, "8-12").picture(None)) == ("Round 1", 0, None)


def test_nine_of_a_kind_names_the_nearest_collections() -> None:
    state = nine_hands.dealt("AW 2W 3W 4W 7R 7P 7S 9C 8D")
    view = state.picture(0)
    assert made(view, 0) == {"4 Water": ["AW", "2W", "3W", "4W"], "3 sevens": ["7R", "7P", "7S"]}
    assert view.seats[0].hand == "4 of 9 Water"
    assert state.picture(1).seats[0].hand is None and made(state.picture(1), 0) == {}
    assert progress(view) == ("Leader: 0 of 300 points", 0, 300)


@pytest.mark.parametrize(
    ("cards", "true"),
    [
        (nine_hands.HEARTS, "claim nine"),
        (nine_hands.SEVENS, "claim nine"),
        (nine_hands.BLOCKER, "claim blocked"),
        (nine_hands.ZERO, ""),
    ],
)
def test_a_claim_is_lit_when_it_is_true_and_has_to_be_confirmed_when_it_is_not(cards: str, true: str) -> None:
    """R4.1, R4.2, R4.3."""
    view = nine_hands.dealt(cards).picture(0)
    for move in ("claim nine", "claim blocked"):
        claim = button(view, move)
        assert claim.lit == (move == true)
        assert (claim.confirm is None) == claim.lit
        assert claim.lit or str(claim.confirm) == "Not true yet: a false claim puts you out of this round."


def test_a_claim_that_would_be_ignored_needs_no_confirmation() -> None:
    """R4.6."""
    state = nine_hands.dealt(nine_hands.HEARTS, nine_hands.SEVENS.replace("7H", "8L"))
    state.play(0, "claim nine")
    claim = button(state.picture(1), "claim nine")
    assert claim.confirm is None and not claim.lit


def test_an_undo_goes_back_to_a_choice() -> None:
    """A move that is played for a person is not what they want to take back."""
    game = nf.make("multiple9", players=2)
    match = Match(game, [Seat("person", "Ann"), Seat("person", "Bob")], SeededChance(3), bot_seed=3)
    match.begin()
    choices: dict[int, int | None] = {0: None, 1: None}
    played = 0
    while not match.over:
        seat = match.waiting_for[0]
        if forced(match.state.picture(seat)):
            played += 1
        else:
            choices[seat] = len(match.steps)
        match.submit(seat, match.state.moves(seat)[0])
        assert match.last_decision(seat) == choices[seat]
    assert played > 3
