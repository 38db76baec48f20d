"""The hosted match: commands give events, and the same events give the same match, made or read back."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.chance import SeededChance, shuffled
from ninefold.engine.clock import LONGEST, PACES, Clock
from ninefold.engine.match import (
    BOT,
    PERSON,
    Drew,
    Event,
    Happened,
    Match,
    Moved,
    Opened,
    Sealed,
    Seat,
    Undone,
)
from ninefold.fairness.chance import PromisedChance
from ninefold.kernel.fields import CHANCE
from ninefold.kernel.stream import new_stream
from support.promises import promised_chance

SECRET = bytes(range(32))


def hosted(game: str, seed: int = 1, people: int = 9, sealing: bool = False, **options: Any) -> Match:
    """A match before its deal, with this many people, and bots on the other seats."""
    made = nf.make(game, **options)
    seats = [
        Seat(PERSON, f"P{at}") if at < people else Seat(BOT, f"B{at}", "easy") for at in range(made.players)
    ]
    chance = promised_chance(made, SECRET, seed, sealing)
    return Match(made, seats, chance, sealing=sealing, bot_seed=seed)


def test_a_bot_that_searches_can_think_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it thought of is played if the situation is the same, and never otherwise."""
    from concurrent.futures import ThreadPoolExecutor

    from ninefold.engine.bots import SeatedBots

    game = nf.make("baseball", players=2)
    bots = [Seat(BOT, "B", "expert"), Seat(BOT, "C", "easy")]
    match, alone = (Match(game, bots, SeededChance(4), bot_seed=4) for _ in range(2))
    searches: list[int] = []
    search = SeatedBots._search

    def counted(*given: Any) -> int:
        searches.append(1)
        return search(*given)

    monkeypatch.setattr(SeatedBots, "_search", counted)
    for one in (match, alone):
        one.begin()
    with ThreadPoolExecutor(1) as pool:
        while not match.over:
            (seat,) = match.waiting_for
            assert match.thinks_long(seat) == (seat == 0)
            if match.thinks_long(seat):
                match.thoughts[seat] = pool.submit(match.thinker(seat)).result()
            before = len(searches)
            ahead = match.copy().let_bot(seat)
            assert len(searches) == before, "it has thought already"
            happened = match.let_bot(seat)
            assert happened[0].event == ahead[0].event and alone.let_bot(seat)[0].event == happened[0].event
    assert match.state.tobytes() == alone.state.tobytes()
    fresh = Match(game, bots, SeededChance(5), bot_seed=5)
    fresh.thoughts = dict(match.thoughts)
    fresh.begin()
    before = len(searches)
    fresh.let_bot(0)
    assert len(searches) == before + 1, "a thought about another situation is no use"


def any_move(match: Match, rng: random.Random) -> list[Happened]:
    seat = rng.choice(match.waiting_for)
    moves = match.state.moves(seat)
    return match.submit(seat, moves[rng.randrange(len(moves))], f"c{rng.randrange(10**9)}")


def stored(event: Event) -> Event:
    """An event as it is read back: without what only its maker knew."""
    return event._replace(action=None) if isinstance(event, Moved | Drew) else event


def facts(match: Match) -> tuple[Any, ...]:
    assert isinstance(match.chance, PromisedChance)
    return (
        *(match.state.tobytes(), match.state.steps, list(match.steps), match.draws, match.decided),
        *(
            match.sealed,
            match.openings,
            match.memories,
            match.chance.draws.tokens.pot,
            list(match.chance.journal),
        ),
    )


@pytest.mark.parametrize("game", nf.games())
@pytest.mark.parametrize("sealing", [False, True])
def test_events_read_back_give_the_match_that_made_them(game: str, sealing: bool) -> None:
    if sealing and not nf.make(game).facts.realtime:
        return
    for seed in range(3):
        rng = random.Random(seed)
        match = hosted(game, seed, sealing=sealing)
        happened = match.begin()
        for _ in range(60):
            if match.over:
                break
            happened += any_move(match, rng)
            moved = [at for at, step in enumerate(match.steps) if step.seat >= 0]
            if moved and rng.random() < 0.1 and not match.realtime:
                happened += match.undo(0, rng.choice(moved), f"u{rng.randrange(10**9)}")
                happened += match.begin()
        again = hosted(game, seed, sealing=sealing)
        moments = [again.apply(stored(one.event)).moment for one in happened]
        assert facts(again) == facts(match)
        assert moments == [one.moment for one in happened]


@pytest.mark.parametrize("game", nf.games())
def test_a_command_on_a_copy_changes_nothing(game: str) -> None:
    match = hosted(game)
    match.begin()
    rng = random.Random(3)
    for _ in range(20):
        if match.over:
            return
        before = facts(match)
        draft = match.copy()
        any_move(draft, rng)
        assert facts(match) == before
        match = draft


def test_a_refused_command_changes_nothing() -> None:
    match = hosted("doubles")
    match.begin()
    before = facts(match)
    for bad in ("jump", "", "cash"):
        if bad == "cash":
            match.play(0, "cash")
            before = facts(match)
        with pytest.raises(nf.IllegalMove):
            match.play(0, bad or "nothing")
        assert facts(match) == before


def test_the_same_seed_gives_the_same_match_as_a_state() -> None:
    made = nf.make("finest9", players=3)
    state = made.start(seed=7)
    match = Match(made, [Seat(PERSON)] * 3, SeededChance(7))
    match.begin()
    rng = random.Random(1)
    while not state.over:
        seat = state.actors[0]
        move = rng.choice(state.moves(seat))
        state.play(seat, move)
        match.play(seat, move)
        assert match.state == state


def test_who_plays_a_seat() -> None:
    assert Seat(PERSON, "Ann").played_by is None
    assert Seat(PERSON, "Ann", away=True).played_by == "medium"
    assert Seat(BOT, "Bo", "hard").played_by == "hard"
    assert Seat().played_by == "medium"
    assert hosted("doubles", people=1).names[:2] == ["P0", "B1"]


@pytest.mark.parametrize("game", nf.games())
def test_bots_play_the_same_for_the_same_seed_and_again_after_an_undo(game: str) -> None:
    matches = [hosted(game, seed=5, people=0) for _ in range(2)]
    for match in matches:
        match.begin()
        play_bots(match, 40)
    assert facts(matches[0]) == facts(matches[1])
    match = matches[0]
    if match.over:
        return
    decisions = [at for at, step in enumerate(match.steps) if step.seat != CHANCE]
    back = decisions[-1]
    was = match.steps[back]
    match.undo(was.seat, back)
    assert match.let_bot(was.seat, "id")[0].event[:2] == was[:2]


def play_bots(match: Match, moves: int) -> None:
    for _ in range(moves):
        if not match.over:
            match.let_bot(match.waiting_for[0], "id")


def test_a_bot_that_sits_down_late_remembers_what_it_would_have_seen() -> None:
    def hosted_by(kind: str) -> Match:
        seats = [Seat(BOT if kind == BOT else PERSON, "Ann", "hard" if kind == BOT else None)]
        seats += [Seat(BOT, "Bo", "wait:1"), Seat(BOT, "Cleo", "wait:3")]
        match = Match(nf.make("doubles", players=3), seats, SeededChance(4), bot_seed=9)
        match.begin()
        return match

    bot, person = hosted_by(BOT), hosted_by(PERSON)
    while len(bot.steps) < 400 or 0 not in bot.waiting_for:
        seat = bot.waiting_for[0]
        (moved, *_) = bot.let_bot(seat)
        person.play(seat, moved.event.move)  # type: ignore[union-attr]
    assert bot.memories[0][1].strip(b"\0"), "it has learnt something"
    person.seats[0] = bot.seats[0]
    assert bot.let_bot(0)[0].event == person.let_bot(0)[0].event
    assert bot.memories[0] == person.memories[0]


def test_a_bot_that_fails_does_not_stop_the_match() -> None:
    def broken(view: dict[str, Any], moves: list[str], rng: random.Random) -> str:
        raise ValueError("no idea")

    made = nf.make("doubles", players=2)
    seats = [Seat(BOT, "Bo", broken), Seat(PERSON, "Ann")]  # type: ignore[arg-type]
    match = Match(made, seats, SeededChance(1))
    match.begin()
    with pytest.raises(nf.RuleError, match="no idea"):
        match.let_bot(0)
    happened, failure = match.let_bot_anyhow(0)
    assert happened and "no idea" in failure


# Sealed moves and the clock: the rules themselves are tested with 9 of a Kind


def test_sealed_moves_are_opened_when_the_last_is_sealed() -> None:
    match = hosted("nine_of_a_kind", sealing=True)
    match.begin()
    for seat in range(4):
        (sealed,) = match.seal(seat, "wait", f"s{seat}")
        assert isinstance(sealed.event, Sealed) and sealed.moment is None
    with pytest.raises(nf.NotYourTurn, match=r"your move is in.*R7\.2"):
        match.seal(2, "wait")
    happened = match.seal(4, "wait", "s4")
    assert isinstance(happened[1].event, Opened) and sorted(happened[1].event.order) == [0, 1, 2, 3, 4]
    assert [one.event.seat for one in happened[2:] if isinstance(one.event, Moved)] == list(
        happened[1].event.order
    )
    assert match.sealed == {} and match.openings == [match.steps and len(match.steps) - 5]


def test_undo_of_sealed_moves_goes_back_to_before_all_of_them() -> None:
    match = hosted("nine_of_a_kind", sealing=True)
    match.begin()
    start = len(match.steps)
    for _ in range(2):
        for seat in range(5):
            match.seal(seat, "wait")
    assert match.last_decision(3) == start + 5
    match.undo(3, start + 5)
    assert len(match.steps) == start + 5 and match.openings == [start]


def test_an_order_is_fair() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(6_000):
        order = tuple(shuffled((4, 2, 7), new_stream(seed)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6 and all(850 < count < 1_150 for count in counts.values())


def test_the_clock_refuses_nonsense() -> None:
    with pytest.raises(nf.RuleError, match="pace is slow or"):
        Clock("hasty")
    with pytest.raises(nf.RuleError, match="pace"):
        Clock({2: "hasty"})
    for bad in (-1.0, LONGEST + 1):
        with pytest.raises(nf.RuleError, match="claim window"):
            Clock(claim_window=bad)
        with pytest.raises(nf.RuleError, match="seal timeout"):
            Clock(seal_timeout=bad)


@pytest.mark.parametrize("pace", list(PACES))
def test_bots_keep_their_pace_where_players_take_turns(pace: str) -> None:
    match = hosted("finest9", people=0, players=3)
    match.begin()
    clock = Clock(pace)
    (due,) = clock.schedule(match, 100.0)
    assert due == (100.0 + PACES[pace], "bot", match.waiting_for[0])
    assert clock.schedule(match, 100.1) == [due], "asked once, however often one looks"
    match.let_bot(due.seat)
    later = clock.schedule(match, 200.0)
    assert match.over or later[0].at == 200.0 + PACES[pace]
    assert clock.elapsed(match, 203.0) == ({} if match.over else {later[0].seat: 3.0})


def test_nobody_is_waited_for_by_the_clock_where_only_people_play() -> None:
    match = hosted("baseball", players=2)
    match.begin()
    clock = Clock()
    assert clock.schedule(match, 5.0) == []
    assert clock.asked_since(match, match.waiting_for[0], 9.0) == 5.0
    clock.restart()
    assert clock.asked_since(match, match.waiting_for[0], 9.0) == 9.0


def test_an_undo_is_an_event_of_its_own() -> None:
    match = hosted("doubles", players=2)
    match.begin()
    match.play(0, "stay", "a")
    (undone,) = match.undo(0, 1, "b")
    assert undone.event == Undone(0, 1, "b") and undone.moment is None
    assert [step.text for step in match.steps[1:]] == []
