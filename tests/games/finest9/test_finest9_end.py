"""Finest 9, R5: the last turns, and who wins."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from support.finest9 import HIGH, LOW, begin, chance, detail, drained, shown_scores, zone


def in_deck(state: nf.State) -> int:
    return next(part.count or 0 for part in state.picture(None).zones if part.id == "deck")


def play_to_the_end(state: nf.State, choose: int = 0) -> list[tuple[int, int]]:
    """Play on with the first card left and dice in turn; (seat, cards left) of every turn begun."""
    dice = [f"{a} {b}" for a in range(1, 7) for b in range(a, 7)]
    turns: list[tuple[int, int]] = []
    number = 0
    while not state.over:
        view = state.view(None)
        if len(turns) < state.turns:
            turns.append((view["details"]["roller"], in_deck(state)))
        if state.actors[0] >= 0:
            state.play(state.actors[0], state.moves(state.actors[0])[choose])
        elif "roll 1 1" in state.chance():
            chance(state, f"roll {dice[(number := number + 1) % 21]}")
        else:
            chance(state, sorted(state.chance())[number % len(state.chance())])
    return turns


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r5_1_one_more_turn_for_everyone_after_the_last_card(players: int) -> None:
    state = begin(players)
    chance(state, f"roll {LOW}", f"roll {HIGH}", *[f"roll {LOW}"] * (players - 2))
    for _ in range(9 * players):
        chance(state, next(iter(state.chance())))
    turns = play_to_the_end(state)
    last = [seat for seat, left in turns if left == 0]
    drawer = next(seat for seat, left in reversed(turns) if left > 0)
    assert last == [(drawer + step) % players for step in range(1, players + 1)]
    assert state.turns == len(turns) and state.actors == () and state.chance() == {}
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "capture 7 9")


def test_r5_2_without_a_match_in_the_last_turns_one_passes() -> None:
    state = drained()
    progress = state.picture(None).progress
    assert in_deck(state) == 0 and progress and str(progress.label) == "Turns left: 2"
    assert (state.turns, detail(state, "roller")) == (35, 0)
    chance(state, f"roll {HIGH}")
    assert (state.turns, detail(state, "roller"), state.actors) == (36, 1, (nf.CHANCE,))
    chance(state, "roll 3 6", "roll 4 5", f"roll {HIGH}")
    assert state.over and state.turns == 36, "a 9 is rolled again in the last turn, too"


def test_r5_2_with_a_match_one_takes_it_in_the_last_turns() -> None:
    state = drained()
    chance(state, "roll 1 1")
    assert state.actors == (0,)
    state.play(0, state.moves(0)[0])
    assert state.turns == 36 and len(zone(state, "captured-0")) >= 2


def test_r5_3_the_score() -> None:
    state = drained()
    assert sum(state.scores) == -380, "all 52 cards lie on the tables"
    chance(state, "roll 1 1")
    captured = state.moves(0)[0]
    before = state.scores
    state.play(0, captured)
    gained = sum(int(rank) for rank in captured.removeprefix("capture ").split())
    assert state.scores == [before[0] + 2 * gained, before[1]], "off the table, and into the heap"
    chance(state, f"roll {HIGH}")
    assert shown_scores(state) == state.scores


def test_r5_4_the_highest_score_wins_and_equal_scores_share() -> None:
    seen = set()
    for seed in range(400):
        state = nf.make("finest9", players=2).start(seed=seed)
        SeatedBots(state.game, ["random", "random"], seed).play_out(state, 1_000)
        best = [seat for seat, score in enumerate(state.scores) if score == max(state.scores)]
        assert state.winners == best
        seen.add(tuple(best))
        if len(seen) == 3:
            return
    raise AssertionError(f"no tie in 400 matches: {seen}")
