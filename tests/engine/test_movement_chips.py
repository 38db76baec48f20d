"""Where chips and hidden cards go, as events say it: worked out from two looks at a table."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.engine.movement import hand_out, movements
from ninefold.model.events import Event, Movement
from ninefold.model.view import HIDDEN, Scene, Zone, face_up
from support.stories import listen

Way = tuple[str | None, str | None, int]


def table(**chips: int) -> Scene:
    """A table with nothing but chips; those of `stack_0` and `bet_0` are player 0's."""
    zones = []
    for name, count in chips.items():
        kind, _, seat = name.partition("_")
        zones.append(Zone(name.replace("_", "-"), "chips", kind, int(seat) if seat else None, count=count))
    return Scene("", "", zones, [], [])


def ways(moves: list[Movement]) -> list[Way]:
    return [(move.source, move.target, move.amount) for move in moves if move.amount is not None]


def share_out(before: Scene, after: Scene, *events: Event) -> list[list[Way]]:
    """Which chips each of some events is given."""
    stated = [move for event in events for move in event.moves]
    hand_out(movements(before, after, stated), list(events), after)
    return [ways(event.moves) for event in events]


def dealt(*hands: str, **options: object) -> nf.State:
    """A session of Hold'em in which the seats have these cards."""
    state = nf.make("holdem9", players=len(hands), **options).start(manual=True)
    deal(state, *hands)
    return state


def deal(state: nf.State, *hands: str) -> None:
    for place in range(2):
        for step in range(1, len(hands) + 1):
            seat = (step + int(state.position.button)) % len(hands)
            state.play(nf.CHANCE, f"deal {hands[seat].split()[place]}")


def board(state: nf.State, cards: str) -> None:
    for card in cards.split():
        state.play(nf.CHANCE, f"deal {card}")


def act(state: nf.State, *moves: str) -> None:
    for move in moves:
        state.play(state.actors[0], move)


def by_kind(events: list[Event]) -> dict[str, list[Way]]:
    """The ways of chips by the kinds of events, those of one kind together."""
    found: dict[str, list[Way]] = {}
    for event in events:
        found.setdefault(event.kind, []).extend(ways(event.moves))
    return {kind: moves for kind, moves in found.items() if moves}


# Chips between two looks


def test_a_bet() -> None:
    one = share_out(table(stack_0=100, bet_0=0), table(stack_0=60, bet_0=40), Event("bet", "", 0, amount=40))
    assert one == [[("stack-0", "bet-0", 40)]]


def test_bets_are_gathered() -> None:
    before = table(pot=30, stack_0=90, bet_0=10, stack_1=80, bet_1=20)
    after = table(pot=60, stack_0=90, bet_0=0, stack_1=80, bet_1=0)
    assert share_out(before, after, Event("check", "", 1)) == [[("bet-0", "pot", 10), ("bet-1", "pot", 20)]]


def test_uncalled_chips_go_back_to_their_owner() -> None:
    """Not to the pot first, though it stands before the stacks."""
    before = table(pot=0, stack_0=500, bet_0=500, stack_1=0, bet_1=60)
    after = table(pot=120, stack_0=940, bet_0=0, stack_1=0, bet_1=0)
    call, back = share_out(before, after, Event("call", "", 1), Event("back", "", 0, amount=440))
    assert back == [("bet-0", "stack-0", 440)]
    assert call == [("bet-0", "pot", 60), ("bet-1", "pot", 60)]


def test_one_bet_is_divided_between_what_goes_back_and_what_is_won() -> None:
    before = table(pot=20, stack_0=500, bet_0=500, stack_1=90, bet_1=10)
    after = table(pot=0, stack_0=1030, bet_0=0, stack_1=90, bet_1=0)
    fold, back, win = share_out(
        before,
        after,
        Event("fold", "", 1),
        Event("back", "", 0, amount=490),
        Event("win", "", 0, amount=40),
    )
    assert fold == [] and back == [("bet-0", "stack-0", 490)]
    assert win == [("bet-0", "stack-0", 10), ("pot", "stack-0", 20), ("bet-1", "stack-0", 10)]


def test_several_winners_take_all_there_is() -> None:
    before = table(pot=101, stack_0=0, bet_0=0, stack_1=0, bet_1=0, stack_2=5, bet_2=0)
    after = table(pot=0, stack_0=51, bet_0=0, stack_1=50, bet_1=0, stack_2=5, bet_2=0)
    wins = share_out(before, after, Event("win", "", 0, amount=51), Event("win", "", 1, amount=50))
    assert wins == [[("pot", "stack-0", 51)], [("pot", "stack-1", 50)]]


def test_what_a_game_states_is_not_worked_out_again() -> None:
    """A player calls 100 and wins 300 in one step: two looks show 200 more."""
    before = table(pot=100, stack_0=400, bet_0=100, stack_1=500, bet_1=0)
    after = table(pot=0, stack_0=400, bet_0=0, stack_1=700, bet_1=0)
    paid = Event("call", "", 1, amount=100, moves=[Movement("stack-1", "bet-1", amount=100)])
    call, win = share_out(before, after, paid, Event("win", "", 1, amount=300))
    assert call == [("stack-1", "bet-1", 100)]
    assert win == [("bet-1", "stack-1", 100), ("pot", "stack-1", 100), ("bet-0", "stack-1", 100)]


def test_chips_that_appear_or_vanish_have_no_way() -> None:
    assert movements(table(pot=10), table(pot=30)) == []


# A session of Hold'em


def test_antes_and_blinds_are_paid_with_the_first_card() -> None:
    state = nf.make("holdem9", players=3, ante=5, blinds="5/10").start(manual=True)
    events = listen(state)
    state.play(nf.CHANCE, "deal KH")
    assert [(event.kind, ways(event.moves)) for event in events] == [
        ("hand", []),
        ("blind", [("stack-1", "pot", 5)]),
        ("blind", [("stack-2", "pot", 5)]),
        ("blind", [("stack-0", "pot", 5)]),
        ("blind", [("stack-1", "bet-1", 5)]),
        ("blind", [("stack-2", "bet-2", 10)]),
        ("deal", []),
    ]


def test_a_call_that_ends_the_round() -> None:
    state = dealt("KH KD", "8H 7S")
    act(state, "raise to 40")
    events = listen(state)
    act(state, "call")
    assert [event.kind for event in events] == ["call"]
    assert ways(events[0].moves) == [("stack-1", "bet-1", 30), ("bet-0", "pot", 40), ("bet-1", "pot", 40)]


def test_a_call_for_less() -> None:
    state = dealt("KH KD", "8H 7S", stack="1000/60")
    act(state, "raise to 500")
    events = listen(state)
    act(state, "call")
    assert by_kind(events) == {
        "call": [("stack-1", "bet-1", 50), ("bet-0", "pot", 60), ("bet-1", "pot", 60)],
        "back": [("bet-0", "stack-0", 440)],
    }


def test_everyone_folds() -> None:
    state = dealt("KH KD", "8H 7S", "2C 4C")
    act(state, "raise to 100", "fold")
    events = listen(state)
    act(state, "fold")
    assert by_kind(events) == {
        "back": [("bet-0", "stack-0", 90)],
        "win": [("bet-0", "stack-0", 10), ("bet-1", "stack-0", 5), ("bet-2", "stack-0", 10)],
    }


def test_a_call_at_the_river_that_wins() -> None:
    state = dealt("KH KD", "8H 7S", stack=200)
    act(state, "call", "check")
    board(state, "JS 7H 9D")
    act(state, "check", "check")
    board(state, "2C")
    act(state, "check", "check")
    board(state, "10C")
    act(state, "bet 50")
    events = listen(state)
    act(state, "call")
    assert [event.kind for event in events][:4] == ["call", "show", "show", "win"]
    assert by_kind(events) == {
        "call": [("stack-0", "bet-0", 50)],
        "win": [("bet-0", "stack-0", 50), ("pot", "stack-0", 20), ("bet-1", "stack-0", 50)],
    }
    assert [event.amount for event in events if event.kind == "win"] == [120]


def test_side_pots_go_to_their_winners() -> None:
    state = dealt("10S 2S", "KH KD", "8H 7S", "4H 4D", stack="300/50/120/300", blinds="0/10")
    act(state, "raise to 300", "call", "call", "call")
    board(state, "JS 7H 9D 2C")
    events = listen(state)
    board(state, "10C")
    wins = {event.seat: ways(event.moves) for event in events if event.kind == "win"}
    assert wins == {
        1: [("pot", "stack-1", 200)],
        2: [("pot", "stack-2", 210)],
        3: [("pot", "stack-3", 360)],
    }


def test_the_next_hand_takes_nothing_from_the_winner_of_the_last() -> None:
    """Blinds of the next hand are paid in a step of their own."""
    state = dealt("KH KD", "8H 7S", hands=2)
    events = listen(state)
    act(state, "fold")
    assert by_kind(events) == {
        "back": [("bet-1", "stack-1", 5)],
        "win": [("bet-1", "stack-1", 5), ("bet-0", "stack-1", 5)],
    }
    events.clear()
    deal(state, "2C 3C", "KH KD")
    assert by_kind(events) == {"blind": [("stack-1", "bet-1", 5), ("stack-0", "bet-0", 10)]}


# Hidden hands


def cards(events: list[Event]) -> list[tuple[str, str | None, str | None, list[str | None]]]:
    return [
        (event.kind, move.source, move.target, move.cards)
        for event in events
        for move in event.moves
        if move.cards
    ]


def test_a_hidden_card_comes_beside_the_one_before_it() -> None:
    before = Scene("", "", [Zone("hand-0", "hand", "", 0, cards=[HIDDEN])], [], [])
    after = Scene("", "", [Zone("hand-0", "hand", "", 0, cards=[HIDDEN, HIDDEN])], [], [])
    assert movements(before, after) == [Movement(None, "hand-0", [None], [], [1])]
    assert movements(after, before) == [Movement("hand-0", None, [None], [1], [])]


def test_a_card_of_a_kind_that_was_there_comes_to_the_top() -> None:
    before = Scene("", "", [Zone("discards", "pile", "", None, cards=[face_up("5"), face_up("7")])], [], [])
    after = Scene(
        "", "", [Zone("discards", "pile", "", None, cards=[face_up("5"), face_up("7"), face_up("5")])], [], []
    )
    assert movements(before, after) == [Movement(None, "discards", ["5"], [], [2])]


def test_a_deal_shows_its_card_to_its_player_alone() -> None:
    state = nf.make("holdem9", players=2).start(manual=True)
    heard = {viewer: listen(state, viewer) for viewer in (None, 0, 1)}
    deal(state, "8H 7S", "KH KD")
    seen = [("hand-1", "KH"), ("hand-0", "8H"), ("hand-1", "KD"), ("hand-0", "7S")]
    for viewer, events in heard.items():
        assert cards(events) == [
            ("deal", None, hand, [card if hand == f"hand-{viewer}" else None]) for hand, card in seen
        ]


def test_folded_cards_leave_the_table_unseen() -> None:
    state = dealt("KH KD", "8H 7S", "2C 4C")
    heard = {viewer: listen(state, viewer) for viewer in (None, 0, 1)}
    act(state, "fold")
    assert cards(heard[None]) == cards(heard[1]) == [("fold", "hand-0", None, [None, None])]
    assert cards(heard[0]) == [], "their owner still sees them while the hand lasts"


def test_cards_that_are_shown_do_not_move() -> None:
    state = dealt("KH KD", "8H 7S", stack=100)
    act(state, "raise to 100")
    events = listen(state)
    act(state, "call")
    shows = [event for event in events if event.kind == "show"]
    assert [event.cards for event in shows] == [["8H", "7S"], ["KD", "KH"]]
    assert all(event.hold and not event.moves for event in shows)


def test_a_new_hand_clears_the_table_of_the_last() -> None:
    """Also where a card that is dealt lay on the board of the last hand."""
    state = dealt("KH KD", "8H 7S", hands=2, stack="200/100")
    act(state, "raise to 50", "call")
    for more in ("JS 7H 9D", "2C", "10C"):
        board(state, more)
        act(state, "check", "check")
    heard = {viewer: listen(state, viewer) for viewer in (None, 0)}
    state.play(nf.CHANCE, "deal JS")
    gone: list[tuple[str | None, str | None, list[str | None]]] = [
        ("board", None, ["JS", "7H", "9D", "2C", "10C"]),
        ("hand-0", None, ["KD", "KH"]),
        ("hand-1", None, ["8H", "7S"]),
    ]
    both: list[tuple[int | None, str | None]] = [(None, None), (0, "JS")]
    for viewer, card in both:
        found = [(source, target, shown) for _, source, target, shown in cards(heard[viewer])]
        assert sorted(found, key=str) == sorted([*gone, (None, "hand-0", [card])], key=str)


def test_drawing_and_putting_down() -> None:
    state = nf.make("multiple9", players=2).start(manual=True)
    for card in ["10", "K", "8", "7", "K", "2", "7", "J", "3", "Q"]:
        state.play(nf.CHANCE, f"deal {card}")
    heard = {viewer: listen(state, viewer) for viewer in (0, 1)}
    state.play(nf.CHANCE, "deal Q")
    state.play(0, "lay 10 8")
    assert cards(heard[0]) == [
        ("draw", "stock", "hand-0", ["Q"]),
        ("lay", "hand-0", "laid-0", ["10", "8"]),
    ]
    assert cards(heard[1]) == [
        ("draw", "stock", "hand-0", [None]),
        ("lay", "hand-0", "laid-0", ["10", "8"]),
    ]


def test_the_discards_become_the_stock() -> None:
    state = nf.make("multiple9", players=2).start(seed=3)
    state.manual = True
    events = listen(state)
    while not any(event.kind == "turned over" for event in events):
        events.clear()
        seat = state.actors[0]
        if seat == nf.CHANCE:
            state.play(seat, next(iter(state.chance())))
        else:
            state.play(seat, state.moves(seat)[0])
    event = next(event for event in events if event.kind == "turned over")
    assert [(move.source, move.target) for move in event.moves] == [("discards", "stock")]
    assert Counter(event.moves[0].cards) == Counter(event.cards) != Counter()


# What must always hold


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("holdem9", {"players": 2, "stack": 60, "hands": 3}),
        ("holdem9", {"players": 4, "stack": "20/50/100/90", "hands": 4, "breaks": True, "ante": 2}),
        ("holdem9", {"players": 6, "stack": 80, "hands": 3, "show_folded": True}),
        ("multiple9", {"players": 3}),
    ],
    ids=str,
)
def test_movements_lead_from_one_look_to_the_next(name: str, options: dict[str, Any]) -> None:
    """Of every zone: what was there, less what left, and what came, is what is there."""
    chooser = random.Random(9)
    game = nf.make(name, **options)
    for seed in range(6):
        state = game.start(seed=seed, manual=True)
        for _ in range(150):
            if state.over:
                break
            seat = state.actors[0]
            moves = state.moves(seat)
            before = state.copy()
            state.play(seat, moves.action(chooser.randrange(len(moves))))
            moment = Moment(before.tobytes(), *state.steps[-1], state.tobytes())
            for viewer in (None, 0, 1):
                events = before.perspectives.events(moment, viewer)
                same_numbers(before.scene(viewer), state.scene(viewer), events)


def same_numbers(before: Scene, after: Scene, events: list[Event]) -> None:
    expected = numbers(before)
    for event in events:
        for move in event.moves:
            size = move.amount if move.amount is not None else len(move.cards)
            assert size > 0, event
            expected[move.source or "away"] -= size
            expected[move.target or "away"] += size
    found = numbers(after)
    del expected["away"]
    assert {name: expected[name] for name in found} == found, events


def numbers(scene: Scene) -> Counter[str]:
    sizes = {zone.id: zone.count if zone.count is not None else len(zone.cards or []) for zone in scene.zones}
    return Counter(sizes | {"away": 0})
