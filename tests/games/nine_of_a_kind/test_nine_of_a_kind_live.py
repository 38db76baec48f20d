"""9 of a Kind in real time (R7): the hosted match and its clock, which the tests turn."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.chance import SeededChance
from ninefold.engine.clock import TEMPOS, Clock
from ninefold.engine.match import BOT, PERSON, Drew, Go, Happened, Match, Moved, Ready, Seat
from ninefold.game.nine_of_a_kind.invariants import broken_invariants
from ninefold.model.view import Button
from support.nine_hands import HEARTS, dealt, hand, offer_sizes, status

SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S"
ZERO = "7S 7H 7D AS 2S 3S 9C 8C 4L"
ONE = "9R 9P 9X 5R 5P 5X AW 2W 3W"


class Runner:
    """Plays a match by its clock, as a terminal or a server does, with the time that the test says it is."""

    def __init__(self, match: Match, clock: Clock, now: float = 0.0) -> None:
        self.match = match
        self.clock = clock
        self.now = now
        self.acted: list[tuple[float, int]] = []  # when bots have decided, to wait or not
        clock.schedule(match, now)

    @property
    def state(self) -> nf.State:
        return self.match.state

    def due(self) -> float | None:
        """When the next thing happens by itself, or None where everything depends on people."""
        return next((due.at for due in self.clock.schedule(self.match, self.now)), None)

    def advance(self, now: float) -> int:
        """Let everything happen that is due by now, each thing at its time; how many steps were made."""
        before = len(self.match.steps)
        while (at := self.due()) is not None and at <= now:
            self.now = max(self.now, at)
            self._happen()
        self.now = max(self.now, now)
        return len(self.match.steps) - before

    def _happen(self) -> list[Happened]:
        due = self.clock.schedule(self.match, self.now)[0]
        if due.kind == "open":
            return self.match.open_seals()
        if due.kind == "go":
            return self.match.go()
        if due.kind == "pass":
            return self.match.pass_for(due.seat)
        self.acted.append((self.now, due.seat))
        happened = self.match.let_bot(due.seat)
        if not happened:
            self.clock.ask_again(due.seat)
        return happened

    def submit(self, seat: int, move: str, now: float) -> None:
        """A person's move, taken when it arrives."""
        self.advance(now)
        self.match.submit(seat, move)
        self.due()  # what it starts, starts now


def hosted(
    seed: int, bots: dict[int, str], sealing: bool = False, look: bool = False, **options: Any
) -> Match:
    game = nf.make("nine_of_a_kind", **options)
    seats = [
        Seat(BOT, f"B{at}", bots[at]) if at in bots else Seat(PERSON, f"P{at}") for at in range(game.players)
    ]
    return Match(game, seats, SeededChance(seed), sealing=sealing, look=look, bot_seed=seed)


def ready(
    *hands: str, seed: int = 1, bots: dict[int, str] | None = None, now: float = 0.0, **clock: Any
) -> Runner:
    """A match with these hands whose further chance is drawn, not played by the test."""
    sealing = clock.pop("sealing", False)
    match = hosted(seed, bots or {}, sealing)
    for seat, action in dealt(*hands).steps:
        match.apply(Drew(match.state.format(seat, action), action))
    return Runner(match, Clock(**clock, rng=random.Random(seed)), now)


def window(state: nf.State) -> bool:
    return state.picture().details["claimant"] is not None


def gained(state: nf.State) -> list[int]:
    """What each seat got in the last round."""
    found: list[int] = state.picture().details["last_round"]["gained"]
    return found


# The clock of the window


def test_r7_1_the_clock_passes_for_the_silent_after_the_claim_window() -> None:
    live = ready(HEARTS, now=100.0)
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
        live = ready(HEARTS, SPADES, claim_window=2.0)
        live.submit(0, "claim nine", 0.0)
        assert live.clock.too_late(live.match, 1, when) != shares
        try:
            live.submit(1, "claim nine", when)
        except nf.NotYourTurn:  # a new round is being dealt, or the hand is another
            assert not shares
        live.advance(5.0)
        assert (gained(live.state)[1] > 0) == shares


def test_r7_1_bots_look_up_when_someone_claims() -> None:
    for seed in range(10):
        bots = {1: "medium", 2: "medium"}
        live = ready(HEARTS, SPADES, bots=bots, seed=seed, pace={1: "fast", 2: "slow"})
        live.submit(0, "claim nine", 0.0)
        live.advance(1.5)
        assert gained(live.state)[1] > 0, "a fast bot is always in time"


def test_r7_1_the_claim_window_is_of_the_match_and_may_be_none() -> None:
    live = ready(HEARTS, claim_window=0)
    live.submit(0, "claim nine", 3.0)
    live.advance(3.0)
    assert not window(live.state)
    assert "claim_window" not in live.state.record()["options"]


def test_r7_1_the_window_runs_from_its_claim_however_often_the_clock_is_asked() -> None:
    live = ready(HEARTS, now=50.0)
    live.submit(0, "claim nine", 50.0)
    for now in (50.0, 51.0, 51.4, 50.2):
        assert live.clock.schedule(live.match, now)[0].at == 51.5


# By the clock


@pytest.mark.parametrize("pace", ["slow", "normal", "fast"])
def test_bots_take_their_time(pace: str) -> None:
    (shortest, longest), _ = TEMPOS[pace]
    live = ready(ZERO, ONE, bots=dict.fromkeys(range(5), "medium"), seed=4, pace=pace)
    while len(live.acted) < 200 and not window(live.state) and live.state.position.round_number == 1:
        when = live.due()
        assert when is not None
        live.advance(when)
        assert not broken_invariants(live.state.position)
    last: dict[int, float] = {}
    for when, seat in live.acted:
        assert shortest - 1e-9 <= when - last.get(seat, 0.0) <= longest + 1e-9
        last[seat] = when
    assert set(last) == set(range(5))


def test_a_match_of_bots_runs_to_its_end_and_replays() -> None:
    match = hosted(5, {0: "hard", 1: "medium", 2: "hard", 3: "medium", 4: "hard"}, target=60)
    match.begin()
    live = Runner(match, Clock("fast", rng=random.Random(5)))
    while not match.over:
        when = live.due()
        assert when is not None and when < 36_000
        live.advance(when)
    assert live.due() is None and live.advance(1e9) == 0
    assert nf.replay(match.state.record()).scores == match.state.scores


def test_advancing_far_is_advancing_step_by_step() -> None:
    matches = []
    for stride in (1000.0, 0.7):
        match = hosted(4, dict.fromkeys(range(1, 5), "medium"))
        match.begin()
        live = Runner(match, Clock(rng=random.Random(4)))
        while live.now < 60:
            live.advance(min(60.0, live.now + stride))
        matches.append(list(match.steps))
    assert matches[0] == matches[1] and len(matches[0]) > 60


def test_peoples_moves_are_taken_when_they_arrive() -> None:
    live = ready(ZERO, ONE, bots={2: "medium", 3: "medium", 4: "medium"}, seed=4)
    live.submit(0, "offer AS", 0.1)
    theirs = hand(live.state, 0)
    live.submit(1, "answer 0 9R", 0.2)
    assert "9R" in hand(live.state, 0) and "AS" not in hand(live.state, 0) and "AS" in theirs
    before = live.state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"R3\.4"):
        live.submit(0, "answer 1 7S", 0.2)
    with pytest.raises(nf.Unreadable):
        live.submit(0, "hop", 0.2)
    assert live.state.tobytes() == before


def test_two_answers_arriving_together() -> None:
    live = ready(ZERO, ONE, seed=4)
    live.submit(0, "offer AS", 1.0)
    third = hand(live.state, 2)[0]
    live.submit(1, "answer 0 9R", 2.0)
    with pytest.raises(nf.IllegalMove, match=r"R3\.4"):
        live.submit(2, f"answer 0 {third}", 2.0)
    assert third in hand(live.state, 2) and "AS" in hand(live.state, 1)
    assert not broken_invariants(live.state.position)


# Sealed moves


def sealed(*hands: str, seed: int = 1, bots: dict[int, str] | None = None) -> Runner:
    return ready(*hands, seed=seed, bots=bots, sealing=True, seal_timeout=10.0)


def test_r7_2_nothing_happens_before_all_have_sealed() -> None:
    live = sealed(ZERO, ONE)
    before = live.state.tobytes()
    views = [live.state.picture(seat) for seat in (1, None)]
    for seat, move in ((0, "offer 7S 7H"), (3, "wait"), (2, "wait"), (1, "offer 9R")):
        live.submit(seat, move, 1.0)
    assert live.state.tobytes() == before and [live.state.picture(seat) for seat in (1, None)] == views
    assert sorted(live.match.sealed) == [0, 1, 2, 3] and live.match.waiting_for == [4]
    live.submit(4, "wait", 2.0)
    assert offer_sizes(live.state) == [2, 1, 0, 0, 0]
    assert not live.match.sealed and len(live.match.steps) == 45 + 5


def test_r7_2_what_is_no_longer_legal_counts_as_wait() -> None:
    """Two seal an answer to one offer: the one drawn first has it, the other waits, nothing is lost."""
    takers = set()
    for seed in range(12):
        live = sealed(ZERO, ONE, seed=seed)
        for seat in range(5):
            live.submit(seat, "offer AS" if seat == 0 else "wait", 1.0)
        third = hand(live.state, 2)[0]
        for seat, move in enumerate(("wait", "answer 0 9R", f"answer 0 {third}", "wait", "wait")):
            live.submit(seat, move, 2.0)
        texts = [step.text for step in live.match.steps[-5:]]
        assert sum(text.startswith("answer") for text in texts) == 1 and texts.count("wait") == 4
        takers.add(1 if "AS" in hand(live.state, 1) else 2)
        assert not broken_invariants(live.state.position)
    assert takers == {1, 2}, "the order is drawn anew each time"


def test_r7_2_a_move_is_checked_when_it_is_sealed_and_final() -> None:
    live = sealed(ZERO, ONE)
    with pytest.raises(nf.IllegalMove, match=r"R3\.1"):
        live.submit(0, "offer 9R", 1.0)
    live.submit(0, "wait", 1.0)
    with pytest.raises(nf.NotYourTurn, match=r"your move is in.*R7\.2"):
        live.submit(0, "offer AS", 1.0)


def test_r7_2_those_who_do_not_seal_in_time_wait() -> None:
    live = sealed(ZERO, ONE)
    live.submit(0, "offer AS", 1.0)
    assert live.due() == 11.0, "from the first move that is sealed"
    live.advance(11.0)
    assert offer_sizes(live.state) == [1, 0, 0, 0, 0] and live.due() is None


def test_r7_2_nobody_is_hurried_who_plays_alone_with_bots() -> None:
    bots = dict.fromkeys(range(1, 5), "medium")
    live = sealed(ZERO, ONE, bots=bots)
    live.advance(3600.0)
    assert live.match.waiting_for == [0] and live.due() is None and len(live.match.steps) == 45
    live.match.seats[0] = replace(live.match.seats[0], away=True)
    live.advance(3700.0)
    assert len(live.match.steps) > 45, "a stand-in plays on"


def test_r7_2_the_window_with_sealed_moves() -> None:
    """Those drawn after the claim have spoken with what they sealed; the others speak with the next move."""
    for seed in range(8):
        live = sealed(HEARTS, SPADES, seed=seed)
        for seat, move in enumerate(("claim nine", "claim nine", "wait", "wait", "wait")):
            live.submit(seat, move, 1.0)
        while window(live.state):
            for seat in live.match.waiting_for:
                live.submit(seat, "claim nine" if seat < 2 else "wait", 2.0)
        got = gained(live.state)
        assert got[0] == got[1] > 0 and got[2:] == [0, 0, 0]


def test_r7_3_sealed_moves_do_not_outlive_their_round() -> None:
    """A false claim sealed for the old cards must not cost anyone the new ones."""
    for seed in range(12):
        live = sealed("AR 2P 3X 4W 5L 6S 7H 8D 9C", seed=seed)
        for seat, move in enumerate(("claim blocked", "claim nine", "wait", "wait", "wait")):
            live.submit(seat, move, 1.0)
        view = live.state.picture()
        assert str(view.phase) == "Round 2" and view.details["last_round"]["ending"] == "blocked"
        assert all(status(live.state, seat) == "trading" for seat in range(5))


def test_bots_play_on_with_sealed_moves() -> None:
    live = sealed(ZERO, ONE, bots=dict.fromkeys(range(5), "hard"))
    trades = 0
    while live.now < 400 and not live.state.over:
        when = live.due()
        assert when is not None
        live.advance(when)
        trades = max(trades, live.state.picture().counters[1].value)
        assert not broken_invariants(live.state.position)
    assert trades > 5


# The look at the cards


def looking(seed: int = 1, people: int = 2, sealing: bool = False, **clock: Any) -> Runner:
    """A match with a look, dealt; the seats of people come first."""
    bots = dict.fromkeys(range(people, 5), "medium")
    match = hosted(seed, bots, sealing, look=True)
    match.begin()
    return Runner(match, Clock(**clock, rng=random.Random(seed)))


def test_r7_4_trading_begins_when_everyone_is_ready() -> None:
    live = looking()
    match, dealt_out = live.match, len(live.match.steps)
    assert match.looking and match.waiting_for == [0, 1], "bots are ready at once"
    live.advance(5.0)
    assert len(match.steps) == dealt_out, "no bot trades before Go"
    card = hand(match.state, 0)[0]
    for move in (f"offer {card}", "wait", "claim nine"):
        with pytest.raises(nf.NotYourTurn, match=r"trading begins at Go.*R7\.4"):
            match.submit(0, move)
    asked = match.decision(1)
    match.submit(0, "ready")
    assert match.looking and match.waiting_for == [1]
    with pytest.raises(nf.NotYourTurn):
        match.submit(0, "ready")
    happened = match.submit(1, "ready")
    assert [type(one.event) for one in happened] == [Ready, Go] and not match.looking
    assert match.decision(1) != asked, "what was meant for the look cannot be played after it"
    match.submit(0, f"offer {card}")
    assert live.advance(20.0) > 0, "and bots trade"
    with pytest.raises(nf.NotYourTurn, match="has begun"):
        match.say_ready(0)


def test_r7_4_what_is_seen_while_players_look() -> None:
    live = looking()
    match = live.match
    match.submit(1, "ready")
    mine, ready_one, spectator = (match.view(viewer) for viewer in (0, 1, None))
    assert mine.moves == ["ready"] and mine.actors == [0]
    assert [offer.move for offer in mine.offers if isinstance(offer, Button)] == ["ready"]
    assert ready_one.offers == spectator.offers == [] and ready_one.prompt != mine.prompt != spectator.prompt
    assert [seat.status for seat in spectator.seats] == ["deciding", *["decided"] * 4]
    assert [seat.status_text for seat in spectator.seats] == ["looking…", *["ready"] * 4]
    assert all(zone.cards[0].card for zone in mine.zones if zone.id == "hand-0" and zone.cards)
    match.submit(0, "ready")
    assert match.view(0) == match.state.picture(0)


def test_r7_4_nobody_blocks_the_table() -> None:
    live = looking(look_limit=60.0)
    live.advance(10.0)
    live.match.submit(0, "ready")
    assert live.due() == 60.0, "from the deal on"
    live.advance(60.0)
    assert not live.match.looking
    alone = looking(people=1)
    assert alone.due() is None, "nobody waits, so there is no limit"
    left = looking()
    left.match.submit(0, "ready")
    left.match.seats[1] = replace(left.match.seats[1], away=True)
    assert left.match.unready == [] and left.due() == 0.0, "a stand-in is ready"
    left.advance(0.0)
    assert not left.match.looking


def test_r7_4_every_round_has_its_look_and_undo_goes_back_into_trading() -> None:
    match = hosted(1, dict.fromkeys(range(1, 5), "medium"), look=True)
    for seat, action in dealt(HEARTS).steps:
        match.apply(Drew(match.state.format(seat, action), action))
    match.submit(0, "ready")
    claim = len(match.steps)
    match.submit(0, "claim nine")
    for seat in range(1, 5):
        match.submit(seat, "wait")
    assert match.round == 2 and match.looking and match.view(0).moves == ["ready"]
    before = match.copy()
    match.undo(0, claim)
    assert match.round == 1 and not match.looking, "its Go has been"
    assert before.looking, "a copy is a match of its own"
    match.submit(0, "claim nine")
    for seat in range(1, 5):
        match.submit(seat, "wait")
    assert match.looking, "other cards: a look of their own"


def test_r7_4_the_same_events_give_the_same_match() -> None:
    live = looking(seed=3)
    other = live.match.copy()
    happened = [*live.match.submit(1, "ready"), *live.match.submit(0, "ready")]
    for one in happened:
        other.apply(one.event)
    assert (other.going, other.ready, other.decided) == (
        live.match.going,
        live.match.ready,
        live.match.decided,
    )
    stored_before = hosted(3, {}, look=True)  # a match of before there was a look
    for step in live.match.steps:
        stored_before.apply(Drew(step.text))
    stored_before.apply(Moved(0, "wait"))
    assert not stored_before.looking, "whoever has moved has seen a Go"


def test_r7_4_sealed_moves_need_no_go() -> None:
    live = looking(sealing=True, seal_timeout=20.0, look_limit=60.0)
    match = live.match
    assert not match.looking and match.view(0).move_count > 1
    match.submit(0, "wait")
    opens = [due.at for due in live.clock.schedule(match, 0.0) if due.kind == "open"]
    assert opens == [60.0], "the first move of a round has as long as a look"
    match.submit(1, "wait")
    while match.sealed or not match.openings:
        live.advance(live.due() or 0.0)
    match.submit(0, "wait")
    start = live.now
    assert [due.at for due in live.clock.schedule(match, start) if due.kind == "open"] == [start + 20.0]


# Any game


def test_the_clock_plays_games_that_know_nothing_of_it() -> None:
    game = nf.make("doubles", players=3, rounds=3)
    seats = [Seat(BOT, "A", "hard"), Seat(BOT, "B", "medium"), Seat(PERSON, "C")]
    match = Match(game, seats, SeededChance(2), bot_seed=2)
    match.begin()
    live = Runner(match, Clock("fast"))
    while not match.over:
        if 2 in match.waiting_for:
            total = match.state.picture(2).counters[0].value
            live.submit(2, "cash out" if total > 200 else "stay", live.now)
        elif (when := live.due()) is not None:
            live.advance(when)
    assert match.state.winners
