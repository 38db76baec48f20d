"""What the server's own players do, and when, chooses no draw: nothing that follows changes with it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ninefold.engine.bots import SeatedBots
from ninefold.engine.match import Match
from ninefold.fairness.chance import Draws, Source
from ninefold.fairness.verify import verify
from ninefold.kernel.fields import CHANCE
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.table import Table
from support.promises import SECRET, Sitting


def played(table: Table, seat: int, move: str, token: str = "") -> Table:
    draft = Draft(table, SECRET)
    draft.submit(seat, move, token, str(seat))
    return draft.table


def all_play(table: Table, move: str) -> Table:
    """Everyone who has to decide makes a move without a token."""
    for seat in table.waiting_for():
        table = played(table, seat, move)
    return table


def drawn(table: Table) -> list[str]:
    return [step.text for step in table.running.steps if step.seat == CHANCE]


def test_bots_that_end_a_round_of_doubles_choose_no_roll_of_the_next() -> None:
    """The person is out; whenever the last bots cash out, the next round begins with the same roll."""
    for seed in range(4):
        sitting = Sitting("doubles", seed, bots=2, players=3, rounds="3-9")
        table = played(sitting.table, 0, "cash out", sitting.chains[0].pop())
        for seat in (1, 2):
            table = played(table, seat, "stay")
        first = []
        for _ in range(6):
            if table.running.state.position.round_number > 1:
                break  # a fourth seven
            first.append(drawn(all_play(table, "cash out"))[-1])
            table = all_play(table, "stay")
        assert len(first) > 1 and len(set(first)) == 1


def test_whether_a_doubles_match_ends_does_not_depend_on_how_long_bots_stay() -> None:
    for seed in range(4):
        sitting = Sitting("doubles", seed, bots=2, players=3, rounds="1-3")
        table = played(sitting.table, 0, "cash out", sitting.chains[0].pop())
        for seat in (1, 2):
            table = played(table, seat, "stay")
        found = set()
        for _ in range(5):
            if table.status != "playing" or table.running.state.position.round_number > 1:
                break
            ended = all_play(table, "cash out")
            found.add(tuple(text for text in drawn(ended) if not text.startswith("roll")))
            table = all_play(table, "stay")
        assert len(found) == 1


def test_bots_that_end_a_hand_choose_no_card_of_the_next() -> None:
    """The person has folded; whether bots fold at once or see the river, the next deal is the same."""
    sitting = Sitting("holdem9", 3, bots=3, players=4, hands=3)
    table = sitting.table
    while table.waiting_for() != [0]:
        table = played(table, table.waiting_for()[0], "call")
    table = played(table, 0, "fold", sitting.chains[0].pop())
    nexts, lengths = [], set()
    for streets in range(5):
        after = table
        while after.running.state.position.hand == 1:
            (seat,) = after.waiting_for()
            moves = list(after.running.state.moves(seat))
            ends = after.running.state.position.street >= streets
            free = moves[-1] if ends else "check"
            after = played(after, seat, free if "check" in moves else "fold" if ends else "call")
        nexts.append(drawn(after)[-8:])
        lengths.add(len(drawn(after)))
    assert len(lengths) == 4 and all(cards == nexts[0] for cards in nexts)


def test_the_cards_that_are_turned_up_at_last_do_not_depend_on_a_bots_last_turn() -> None:
    """In Baseball bots may draw, or not; of the cards of others that nobody has seen, hardly any changes."""
    sitting = Sitting("baseball", 5, bots=2, players=3, turn_limit=1, innings=1)
    table = sitting.table
    while table.running.state.position.turns_here < 3:
        (seat,) = table.waiting_for()
        moves = table.running.state.moves(seat)
        token = sitting.chains[0].pop() if seat == 0 else ""
        table = played(table, seat, "discard" if "discard" in moves else moves[-1], token)
    (seat,) = table.waiting_for()
    assert seat and table.running.state.position.turns_here == 3
    ends = []
    last = [played(table, seat, move) for move in table.running.state.moves(seat)]
    last += [played(last[-1], seat, move) for move in last[-1].running.state.moves(seat)]
    for after in last:
        if after.status != "playing":
            ends.append([int(card) for card in after.running.state.position.cards[0]])
    changed = sum(one != other for end in ends for one, other in zip(end, ends[0], strict=True))
    assert len(ends) > 18 and changed <= len(ends) / 2  # where the bot has drawn the very card


def windows(seed: int) -> Iterator[tuple[Sitting, Match]]:
    """A match of 9 of a Kind in which someone has claimed, and all others may still speak."""
    sitting = Sitting("nine_of_a_kind", seed, players=5, bots=4)
    match, rng = Draft(sitting.table, SECRET).table.running, random.Random(seed)
    bots, memories = SeatedBots(match.game, ["medium"] * 5, 7), [b""] * 5
    for number in range(60_000):
        if match.over or any(match.on_clock(seat) for seat in range(5)):
            break
        seat = rng.choice(match.waiting_for)
        move, after = bots.consult(match.state, seat, len(match.steps) + (number << 32), memories[seat])
        if match.state.format(seat, match.state.admit(seat, move)) == "wait":
            continue
        memories[seat] = after
        match.play(seat, move, sitting.chains[0].pop() if seat == 0 else "")
    if any(match.on_clock(seat) for seat in range(5)):
        yield sitting, match


def test_who_speaks_last_in_a_claim_window_does_not_choose_the_next_deal() -> None:
    found = 0
    for seed in range(2, 6):
        for sitting, match in windows(seed):
            deals = []
            for last in match.waiting_for:
                after = match.copy()
                for seat in [*(one for one in match.waiting_for if one != last), last]:
                    after.play(seat, "wait", sitting.chains[0][-1] if seat == 0 else "")
                deals.append([step.text for step in list(after.steps)[len(match.steps) :]][-45:])
                assert after.over or len(set(deals[-1])) == 45
                table = sitting.table.copy()
                table.match = after
                assert verify(table.proof(SECRET)).unguarded == 0
            assert len(deals) > 1 and all(deal == deals[0] for deal in deals)
            found += 1
    assert found


@pytest.mark.parametrize("game", ["doubles", "finest9", "multiple9", "baseball"])
def test_labels_are_used_once(game: str) -> None:
    """Undone or not: two draws with the same label and tokens would be the same."""
    for seed in range(3):
        record = Sitting(game, seed).play(400, undo=0.05).record()
        labels = [entry[2] for entry in record["fair"]["journal"] if entry[0] == "draw"]
        assert len(labels) == len(set(labels)) > 3


@pytest.mark.parametrize("pulse", [False, True])
def test_labels_are_used_once_where_everyone_plays_at_once(pulse: bool) -> None:
    sitting = Sitting("nine_of_a_kind", 2, bots=2, pulse=pulse, players=5)
    asked = []
    look = Draws.source

    def source(self: Draws, position: object, number: int) -> Source:
        found = look(self, position, number)
        asked.append((number, *found))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draws, "source", source)
        sitting.play(150)
    sources = {one[1:] for one in asked}
    assert len(sources) == len({one[0] for one in asked}) > 15
