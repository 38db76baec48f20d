"""A table as its events tell it: what each does, what is refused, and that the same events give the same."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.fairness import commitments
from ninefold.fairness.verify import verify
from ninefold.model.cast import level_of
from ninefold.server.tables import commands
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.events import Event
from ninefold.server.tables.messages import Bot, Do, Joining, Kick, Share
from ninefold.server.tables.table import Refusal, Table
from support.promises import chain
from support.tables import Bench, chance, key, picture, rebuild


@pytest.mark.parametrize("game", nf.games())
def test_the_same_events_give_the_same_table(game: str) -> None:
    bench = Bench(game, bots=["easy"])
    if bench.table.game.players > 2:
        bench.sit("Bob")
    bench.do("start")
    bench.play_on(60)
    assert picture(rebuild(bench.events)) == picture(bench.table)
    for viewer in (0, None):
        assert rebuild(bench.events).view(viewer) == bench.table.view(viewer)


def test_opening_sitting_and_bots() -> None:
    bench = Bench(players=4, bots=["hard"])
    assert [place.kind for place in bench.table.places] == ["person", "open", "open", "bot"]
    assert bench.sit("Bob") == 1
    bench.refused("taken", lambda: bench.sit("Cid", 1))
    bench.refused("no_seat", lambda: bench.sit("Cid", 4))
    bench.refused("illegal", lambda: bench.sit("bob"))
    bench.say(0, Bot(key()[:12], 2, "easy"))
    bench.refused("taken", lambda: bench.say(0, Bot(key()[:12], 1, "easy")))
    bench.refused("illegal", lambda: bench.say(0, Bot(key()[:12], 2, "genius")))
    bench.refused("not_host", lambda: bench.say(1, Bot(key()[:12], 2, "easy")))
    assert (bench.sit("Cid", 3), bench.sit("Dan")) == (3, 2)  # in place of bots
    bench.refused("full", lambda: bench.sit("Eve"))


@pytest.mark.parametrize("game", nf.games())
def test_somebody_takes_over_from_a_bot_in_the_middle_of_a_match(game: str) -> None:
    bench = Bench(game)
    bench.do("start")
    bench.play_on(5, seed=2)
    before = bench.table.match.state.tobytes()  # type: ignore[union-attr]
    seat = bench.sit("Bob")
    place = bench.table.places[seat]
    assert (seat, place.kind, place.name) == (1, "person", "Bob")
    assert bench.table.match and bench.table.match.state.tobytes() == before
    bench.play_on(20, seed=3)
    if bench.table.status == "playing":
        bench.do("end", 0)
    if bench.table.status == "playing":
        bench.do("end", 1)
    assert verify(bench.table.proof(bench.secret)).proved


def test_empty_seats_are_bots_when_the_match_starts() -> None:
    bench = Bench(players=3)
    bench.refused("no_match", lambda: bench.move(0, "stay"))
    bench.do("start")
    assert [place.kind for place in bench.table.places] == ["person", "bot", "bot"]
    bench.refused("running", lambda: bench.do("start"))


def test_a_kick_opens_the_seat_and_voids_its_key() -> None:
    bench = Bench(players=3)
    bench.sit("Bob")
    tenant = bench.table.places[1].tenant
    bench.refused("not_host", lambda: bench.say(1, Kick(key()[:12], 0)))
    bench.refused("host", lambda: bench.say(0, Kick(key()[:12], 0)))
    bench.refused("not_there", lambda: bench.say(0, Kick(key()[:12], 2)))
    bench.say(0, Kick(key()[:12], 1))
    assert bench.table.places[1].kind == "open"
    bench.refused("bad_token", lambda: bench.say(1, Do(key()[:12], "leave"), tenant))
    bench.sit("Bea")
    bench.refused("bad_token", lambda: bench.say(1, Do(key()[:12], "leave"), tenant))
    bench.do("start")
    bench.say(0, Kick(key()[:12], 1))
    assert level_of(bench.table.places[1].played_by) == "medium"


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_free_seats_get_different_characters_at_the_level_of_the_table(level: str) -> None:
    bench = Bench(players=6, level=level)
    bench.sit("Ada")  # a person was here before her
    bench.say(0, Bot(key()[:12], 5, "threshold:400"))
    bench.refused("illegal", lambda: bench.say(0, Bot(key()[:12], 4, "ada:hard")))
    bench.say(0, Bot(key()[:12], 4, "bo:hard"))
    bench.refused("illegal", lambda: bench.say(0, Bot(key()[:12], 3, "bo")))
    bench.do("start")
    seats = bench.table.public().seats
    assert seats[4].name == "Bo" and (seats[4].character, seats[4].level) == ("bo", "hard")
    assert seats[5].name == "Threshold bot" and (seats[5].character, seats[5].level) == ("", "")
    assert [seat.level for seat in seats[2:4]] == [level, level]
    assert [seat.bot for seat in seats[2:4]] == [f"{seat.character}:{level}" for seat in seats[2:4]]
    assert len({seat.name for seat in seats}) == 6
    bench.say(0, Kick(key()[:12], 4))
    assert bench.table.places[4].name == "Bo"  # a bot stays who it is
    bench.say(0, Kick(key()[:12], 1))
    assert bench.table.places[1].name not in {seat.name for seat in seats}


def test_the_same_command_seats_the_same_characters() -> None:
    first, second = (Bench(players=8, bots=["mixed:hard"] * 7, id="the-same-id") for _ in range(2))
    assert first.table.names == second.table.names
    with pytest.raises(nf.RuleError, match="looks like it, is taken"):
        first.sit(first.table.names[7].upper())


def test_moves_and_decisions_that_are_over() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.do("start")
    first = bench.table.running.decision(0)
    bench.refused("illegal", lambda: bench.move(0, "sing"))
    bench.refused("illegal", lambda: bench.move(0, ""))
    bench.refused("stale", lambda: bench.move(0, "cash out", first + 1))
    bench.move(1, "stay")
    assert bench.table.running.decision(0) == first  # somebody else's move does not change the question
    bench.move(0, "stay")
    assert bench.table.running.decision(0) != first
    bench.refused("stale", lambda: bench.move(0, "cash out", first))


def test_a_decision_of_one_match_is_none_of_the_next() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    asked = []
    for _ in range(3):
        bench.do("start")
        asked.append(bench.table.running.decision(0))
        bench.do("end", 0)
        bench.do("end", 1)
    assert len(set(asked)) == 3 and all(number < 2**53 for number in asked)


def test_pausing() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.refused("no_match", lambda: bench.do("pause"))
    bench.do("start")
    bench.refused("no_match", lambda: bench.do("resume"))
    bench.refused("not_host", lambda: bench.do("pause", 1))
    bench.do("pause")
    bench.refused("paused", lambda: bench.move(0, "stay"))
    bench.refused("not_host", lambda: bench.do("resume", 1))
    assert bench.table.waiting_for() == []
    bench.do("leave", 0)
    bench.do("resume", 1)  # a host who has left cannot keep the others waiting
    assert bench.table.status == "playing"


def test_ending_by_agreement() -> None:
    bench = Bench(players=3)
    bench.sit("Bob")
    bench.refused("no_match", lambda: bench.do("end"))
    bench.do("start")
    bench.do("end")
    assert bench.table.public().status == "playing" and bench.table.public().votes == [0]
    bench.do("leave", 1)
    bench.do("end")
    assert bench.table.public().status == "over"
    bench.refused("no_match", lambda: bench.move(0, "stay", 0))


def test_away_and_back() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.do("start")
    bench.do("leave", 1)
    assert bench.table.places[1].played_by == "medium"
    bench.do("back", 1)
    assert bench.table.places[1].played_by is None
    bench.do("leave", 1)
    bench.move(1, "stay")  # whoever moves is back
    assert not bench.table.places[1].away


def test_a_rematch_has_its_own_promise_and_new_people_may_sit() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.do("start")
    promised = bench.table.public().commitments
    bench.do("end", 0)
    bench.do("end", 1)
    bench.do("leave", 1)
    assert bench.sit("Cid") == 1
    bench.do("start")
    assert bench.table.match and bench.table.match.number == 2 and bench.table.status == "playing"
    assert not set(promised) & set(bench.table.public().commitments)
    assert bench.table.votes == set()


def test_a_table_under_other_rules_is_closed_and_says_so() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.do("start")
    bench.play_on(3)
    opened = bench.events[0]
    old = Event(opened.kind, {**opened.body, "rules": 99}, opened.who, opened.command)
    table = rebuild([old, *bench.events[1:]])
    assert table.status == "closed" and table.seq == bench.table.seq and table.match is None
    assert "version 99" in table.notice and table.public().notice == table.notice
    with pytest.raises(Refusal, match="version 99"):
        commands.plan_command(table, 0, 1, Do(key()[:12], "start"), b"")
    with pytest.raises(Refusal, match="version 99"):
        commands.sit(table, "t" * 32, Joining(key()[:12], "Cid", key(), key()))
    gone = Event(opened.kind, {**opened.body, "game": "whist"}, opened.who, opened.command)
    table = rebuild([gone, *bench.events[1:]])
    assert table.status == "closed" and "whist" in table.notice and table.public().game == "whist"
    with pytest.raises(nf.RecordError, match="does not know"):
        table.apply(Event("danced", {}))


@pytest.mark.parametrize("game", nf.games())
def test_matches_of_all_games_verify(game: str) -> None:
    bench = Bench(game)
    bench.do("start")
    bench.play_on(3_000 if game != "nine_of_a_kind" else 300)
    if game == "nine_of_a_kind":  # at random nobody ever wins it
        bench.do("end")
    match = bench.table.match
    assert match is not None and bench.table.status == "over"
    found = verify(bench.table.proof(bench.secret))
    assert found.proved and found.draws == match.draws


def test_decks_are_always_committed_to_ahead() -> None:
    bench = Bench("holdem9", players=3, options={"hands": 20})
    bench.sit("Bob", 1)
    bench.sit("Cid", 2)
    bench.do("start")
    for _ in range(2_000):
        if bench.table.status != "playing":
            break
        seat = bench.table.waiting_for()[0]
        bench.move(seat, "fold" if "fold" in bench.table.running.state.moves(seat) else "check")
        decks = chance(bench.table.running).draws.decks
        assert len(bench.table.commitments) == decks + commitments.AHEAD
    assert decks > commitments.AHEAD
    for deck, promised in enumerate(bench.table.commitments):
        assert promised == commitments.deck_commitment(bench.secret, 52, deck)


def test_the_next_match_is_promised_before_it_is_asked_for() -> None:
    bench = Bench(players=2)
    bench.sit("Bob")
    bench.do("start")
    promise = bench.table.public().promise
    assert promise and promise.match == 2 and promise.shares == []
    tokens = chain("Bob")
    bench.say(1, Share(key()[:12], 2, tokens.pop()))
    bench.refused("shared", lambda: bench.say(1, Share(key()[:12], 2, chain("again")[-1])))
    bench.refused("stale", lambda: bench.say(0, Share(key()[:12], 1, chain("late")[-1])))
    promise = bench.table.public().promise
    assert promise and promise.shares == [1]
    bench.do("restart")
    bench.do("restart", 1)
    assert bench.table.public().commitments == promise.commitments
    assert chance(bench.table.running).terms.anchors[1] == chain("Bob")[-1]
    assert bench.table.public().promise.match == 3  # type: ignore[union-attr]


def test_a_part_goes_with_the_person_who_gave_it() -> None:
    bench = Bench(players=2)
    bench.do("start")
    bench.sit("Bob")
    bench.say(1, Share(key()[:12], 2, chain("Bob")[-1]))
    bench.say(0, Kick(key()[:12], 1))
    assert bench.table.shares == {}


def test_only_the_next_token_of_a_chain_changes_draws() -> None:
    """Not even the server knows a card before the move that brings it, and nobody can choose a token."""
    bench = Bench(players=1)
    bench.do("start")
    tokens = chain("Ann")
    bench.say(0, Share(key()[:12], 2, tokens.pop()))
    bench.do("restart")
    found = {}
    for command in (*(f"command {number}" for number in range(9)), tokens[-2], tokens[-1]):
        draft = Draft(bench.table, bench.secret)
        draft.submit(0, "stay", command, "0")
        found[command] = str(draft.events[0].body["chance"]), chance(draft.table.running).draws.tokens.pot
    assert len(set(found.values())) == 2
    assert found[tokens[-1]] != found[tokens[-2]] == found["command 0"]


def coming(table: Table, secret: bytes) -> list[tuple[int, str]]:
    """What each bot would do now."""
    match = Draft(table, secret).table.running
    found = []
    for seat in match.waiting_for:
        if match.seats[seat].played_by:
            moved = [one.event for one in match.copy().let_bot(seat)]
            found.append((seat, getattr(moved[0], "move", "") if moved else "waits"))
    return found


@pytest.mark.parametrize("game", nf.games())
def test_bots_do_the_same_after_a_restart_and_where_they_take_over(game: str) -> None:
    players = 5 if game == "nine_of_a_kind" else 4
    bench = Bench(game, players=players, bots=["mixed:hard", "mixed:medium"])
    bench.sit("Bob")
    bench.do("start")
    asked = 0
    for number in range(20):
        if bench.table.status == "over":
            bench.do("start")
        bench.do("leave" if number % 3 == 0 else "back", 1)  # a stand-in plays for Bob, now and then
        before = coming(bench.table, bench.secret)
        asked += len(before)
        assert coming(rebuild(bench.events), bench.secret) == before
        again, match = rebuild(bench.events).running, bench.table.running
        again.seed_bots(match.bot_seed)
        assert again.recall(["hard"] * players) == match.recall(["hard"] * players)  # for hints
        bench.play_on(1 + number % 4, number)
    assert asked
