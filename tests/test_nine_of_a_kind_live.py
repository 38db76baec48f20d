"""9 of a Kind in real time (R7), and the runner that any game may use, with a clock that the tests turn."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from nine_hands import HEARTS, dealt, hand
from ninefold.engine.live import TEMPOS, Live
from ninefold.game.nine_of_a_kind import table

SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S"
ZERO = "7S 7H 7D AS 2S 3S 9C 8C 4L"
ONE = "9R 9P 9X 5R 5P 5X AW 2W 3W"


def ready(*hands: str, **options: Any) -> nf.State:
    """A match with these hands whose further chance is drawn, not played by the test."""
    state = dealt(*hands, **options)
    state.manual = False
    return state


def window(state: nf.State) -> bool:
    return state.view(None)["claimant"] is not None


# The clock of the window


def test_r7_1_the_clock_speaks_for_the_silent_after_unison_seconds() -> None:
    live = Live(ready(HEARTS), {}, seed=1, now=100.0)
    assert live.due() is None, "nobody but people, and nothing to wait for"
    live.submit(0, "claim nine", 107.0)
    assert live.due() == 108.5 and window(live.state)
    assert live.advance(108.4) == 0 and window(live.state)
    live.submit(3, "wait", 108.45)
    assert live.due() == 108.5, "the clock runs from the first claim, not from the last word"
    assert live.advance(108.5) >= 3
    assert not window(live.state) and live.state.scores[0] > 0 and live.due() is None


def test_r7_1_a_claim_in_time_shares_and_one_too_late_does_not() -> None:
    for when, shares in ((1.9, True), (2.1, False)):
        live = Live(ready(HEARTS, SPADES), {}, seed=1, unison=2.0)
        live.submit(0, "claim nine", 0.0)
        try:
            live.submit(1, "claim nine", when)
        except nf.NotYourTurn:  # a new round is being dealt, or the hand is another
            assert not shares
        live.advance(5.0)
        assert (live.state.view(None)["last_round"]["gained"][1] > 0) == shares


def test_r7_1_bots_look_up_when_somebody_claims() -> None:
    for seed in range(10):
        live = Live(ready(HEARTS, SPADES), {1: "medium", 2: "medium"}, seed, tempo={1: "fast", 2: "slow"})
        live.submit(0, "claim nine", 0.0)
        live.advance(1.5)
        assert live.state.view(None)["last_round"]["gained"][1] > 0, "a fast bot is always in time"


def test_r7_1_unison_is_of_the_match_and_may_be_none() -> None:
    live = Live(ready(HEARTS), {}, seed=1, unison=0)
    live.submit(0, "claim nine", 3.0)
    live.advance(3.0)
    assert not window(live.state)
    assert "unison" not in live.state.record()["options"]


# Live pace


@pytest.mark.parametrize("tempo", list(TEMPOS))
def test_bots_take_their_time(tempo: str) -> None:
    (shortest, longest), _ = TEMPOS[tempo]
    state = ready(ZERO, ONE)
    live = Live(state, dict.fromkeys(range(5), "medium"), seed=4, tempo=tempo)
    last: dict[int, float] = {}
    while len(state.steps) < 200 and not window(state):
        when = live.due()
        assert when is not None
        before = len(state.steps)
        live.advance(when)
        for seat, _ in state.steps[before:]:
            if seat >= 0:
                gap = when - last.get(seat, 0.0)
                assert shortest - 1e-9 <= gap <= longest + 1e-9
                last[seat] = when
        assert not table.sound(state._s)
    assert set(last) == set(range(5))


def test_a_match_of_bots_runs_to_its_end_and_replays() -> None:
    state = nf.make("nine_of_a_kind", target=60).start(seed=5)
    live = Live(state, {0: "hard", 1: "medium", 2: "hard", 3: "medium", 4: "hard"}, seed=5, tempo="fast")
    while not state.over:
        when = live.due()
        assert when is not None and when < 36_000
        live.advance(when)
    assert live.due() is None and live.advance(1e9) == 0
    assert nf.replay(state.record()).scores == state.scores


def test_advancing_far_is_advancing_step_by_step() -> None:
    matches = []
    for stride in (1000.0, 0.7):
        state = nf.make("nine_of_a_kind").start(seed=4)
        live = Live(state, dict.fromkeys(range(1, 5), "medium"), seed=4)
        now = 0.0
        while now < 60:
            now = min(60.0, now + stride)
            live.advance(now)
        matches.append(state.steps)
    assert matches[0] == matches[1] and len(matches[0]) > 60


def test_peoples_moves_are_taken_when_they_arrive() -> None:
    state = ready(ZERO, ONE)
    live = Live(state, {2: "medium", 3: "medium", 4: "medium"}, seed=4)
    live.submit(0, "offer AS", 0.1)
    theirs = hand(state, 0)
    live.submit(1, "answer 0 9R", 0.2)
    assert "9R" in hand(state, 0) and "AS" not in hand(state, 0) and "AS" in theirs
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"R3\.4"):
        live.submit(0, "answer 1 7S", 0.2)
    with pytest.raises(nf.NotYourTurn, match="bot medium"):
        live.submit(2, "wait", 0.2)
    with pytest.raises(nf.Unreadable):
        live.submit(0, "hop", 0.2)
    assert state.tobytes() == before


def test_two_answers_arriving_together() -> None:
    state = ready(ZERO, ONE)
    live = Live(state, {}, seed=4)
    live.submit(0, "offer AS", 1.0)
    third = hand(state, 2)[0]
    live.submit(1, "answer 0 9R", 2.0)
    with pytest.raises(nf.IllegalMove, match=r"R3\.4"):
        live.submit(2, f"answer 0 {third}", 2.0)
    assert third in hand(state, 2) and "AS" in hand(state, 1) and not table.sound(state._s)


def test_a_clock_that_goes_back_is_not_followed() -> None:
    live = Live(ready(HEARTS), {}, seed=1, now=50.0)
    live.submit(0, "claim nine", 40.0)
    assert live.due() == 51.5


# Pulse


def pulse(*hands: str, seed: int = 1, bots: dict[int, str] | None = None) -> Live:
    return Live(ready(*hands), bots or {}, seed, pace="pulse", beat=10.0)


def test_r7_2_nothing_happens_before_all_have_sealed() -> None:
    live = pulse(ZERO, ONE)
    state = live.state
    before = state.tobytes()
    views = [state.view(seat) for seat in (1, None)]
    for seat, move in ((0, "offer 7S 7H"), (3, "wait"), (2, "wait"), (1, "offer 9R")):
        live.submit(seat, move, 1.0)
    assert state.tobytes() == before and [state.view(seat) for seat in (1, None)] == views
    assert live.sealed == (0, 1, 2, 3), "who has sealed may be known, what is secret"
    live.submit(4, "wait", 2.0)
    assert [seat["offer"] for seat in state.view(None)["seats"]] == [2, 1, 0, 0, 0]
    assert not live.sealed and len(state.steps) == 45 + 5


def test_r7_2_what_is_no_longer_legal_counts_as_wait() -> None:
    """Two seal an answer to one offer: whoever is drawn first has it, the other waits, nothing is lost."""
    takers = set()
    for seed in range(12):
        live = pulse(ZERO, ONE, seed=seed)
        state = live.state
        for seat in range(5):
            live.submit(seat, "offer AS" if seat == 0 else "wait", 1.0)
        third = hand(state, 2)[0]
        for seat, move in (
            (0, "wait"),
            (1, "answer 0 9R"),
            (2, f"answer 0 {third}"),
            (3, "wait"),
            (4, "wait"),
        ):
            live.submit(seat, move, 2.0)
        texts = [state.say(seat, action) for seat, action in state.steps[-5:]]
        assert sum(text.startswith("answer") for text in texts) == 1 and texts.count("wait") == 4
        takers.add(1 if "AS" in hand(state, 1) else 2)
        assert not table.sound(state._s)
    assert takers == {1, 2}, "the order is drawn anew each time"


def test_r7_2_a_move_is_checked_when_it_is_sealed_and_final() -> None:
    live = pulse(ZERO, ONE)
    with pytest.raises(nf.IllegalMove, match=r"R3\.1"):
        live.submit(0, "offer 9R", 1.0)
    live.submit(0, "wait", 1.0)
    with pytest.raises(nf.NotYourTurn, match="sealed"):
        live.submit(0, "offer AS", 1.0)


def test_r7_2_whoever_does_not_seal_in_time_waits() -> None:
    live = pulse(ZERO, ONE)
    live.submit(0, "offer AS", 1.0)
    assert live.due() == 10.0
    live.advance(10.0)
    assert live.state.view(None)["seats"][0]["offer"] == 1 and live.due() == 20.0


def test_r7_2_the_window_in_pulses() -> None:
    """Those drawn after the claim have spoken with what they sealed; the others speak in the next pulse."""
    for seed in range(8):
        live = pulse(HEARTS, SPADES, seed=seed)
        for seat, move in ((0, "claim nine"), (1, "claim nine"), (2, "wait"), (3, "wait"), (4, "wait")):
            live.submit(seat, move, 1.0)
        while window(live.state):
            for seat in live.state.actors:
                live.submit(seat, "claim nine" if seat < 2 else "wait", 2.0)
        gained = live.state.view(None)["last_round"]["gained"]
        assert gained[0] == gained[1] > 0 and gained[2:] == [0, 0, 0]


def test_r7_3_sealed_moves_do_not_outlive_their_round() -> None:
    """A false claim sealed for the old cards must not cost anybody the new ones."""
    for seed in range(12):
        live = pulse("AR 2P 3X 4W 5L 6S 7H 8D 9C", seed=seed)
        for seat, move in enumerate(("claim blocked", "claim nine", "wait", "wait", "wait")):
            live.submit(seat, move, 1.0)
        view = live.state.view(None)
        assert view["phase"] == "Round 2" and view["last_round"]["ending"] == "blocked"
        assert all(seat["status"] == "trading" for seat in view["seats"])


def test_bots_play_on_in_pulses() -> None:
    live = pulse(ZERO, ONE, bots=dict.fromkeys(range(5), "hard"))
    trades = 0
    while live.now < 400 and not live.state.over:
        when = live.due()
        assert when is not None
        live.advance(when)
        trades = max(trades, live.state.view(None)["counters"][1]["value"])
        assert not table.sound(live.state._s)
    assert trades > 5


# Any game


def test_the_runner_plays_games_that_know_nothing_of_it() -> None:
    state = nf.make("doubles", players=3, rounds=3).start(seed=2)
    live = Live(state, {0: "hard", 1: "medium"}, seed=2, tempo="fast")
    while not state.over:
        when = live.due()
        if 2 in state.actors:
            live.submit(2, "cash out" if state.view(2)["counters"][0]["value"] > 200 else "stay", live.now)
        elif when is not None:
            live.advance(when)
    assert state.winners


@pytest.mark.parametrize(
    "wrong",
    [
        {"pace": "fast"},
        {"tempo": "hasty"},
        {"tempo": {1: None}},
        {"unison": -1},
        {"unison": "soon"},
        {"unison": True},
        {"beat": 1e9},
        {"bots": {7: "hard"}},
        {"bots": {0: "nobody"}},
    ],
)
def test_what_the_runner_refuses(wrong: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"bots": {}, "seed": 1, **wrong}
    with pytest.raises(nf.RuleError):
        Live(nf.make("nine_of_a_kind").start(seed=1), **arguments)
