"""Multiple 9: laws under its option, deals that respect what is known, and bots."""

from __future__ import annotations

from collections import Counter

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game import nines
from ninefold.game.multiple9 import FACTS
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.stream import new_stream
from ninefold.testkit import check
from support.multiple9 import DULL, chance, dealt, nine_texts, without_stock


@pytest.mark.parametrize(("players", "undecided"), [(2, "fewest"), (2, "last_turn"), (5, "last_turn")])
def test_laws_with_the_option(players: int, undecided: str) -> None:
    check(nf.make("multiple9", players=players, undecided=undecided), matches=1)


def test_redeal_respects_what_all_have_seen() -> None:
    """R1.4, R4.6: cards kept since the discards were turned over cannot be among those in the new stock."""
    state = without_stock("K K 5 5 6", DULL[0])
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if len(move.split()) > 3 and move not in nine_texts())
    state.play(seat, move)
    state.play(seat, "done")
    stock = Counter(move.split()[1:])
    rng = new_stream(3)
    seen = set()
    for _ in range(50):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other.position, seat, rng)
        assert Counter(STANDARD.rank_text(rank) for rank in nines.unpack(int(other.position.stock))) == stock
        assert (other.position.hands == state.position.hands).all(), (
            "of two players, each knows the other's hand by now"
        )
    drawn = next(iter(state.chance()))
    state.play(nf.CHANCE, drawn)
    for _ in range(50):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other.position, seat, rng)
        seen.add(int(other.position.stock))
    assert len(seen) == len(stock), "which of them the other drew is not known"


def test_redeal_respects_who_was_asked() -> None:
    """R3.2: that someone was asked is public, and that the others were not."""
    state = dealt(DULL[0], "Q Q 3 8 10", DULL[1])
    state.play(1, "wait")
    chance(state, "4")
    rng = new_stream(1)
    hands = set()
    for _ in range(60):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other.position, 0, rng)
        hands.add(int(other.position.hands[1]))
        assert nines.splits(int(other.position.hands[1])) and not nines.splits(int(other.position.hands[2]))
    assert len(hands) > 20


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [("easy", "random", 0.6), ("medium", "easy", 0.75), ("hard", "medium", 0.54)],
)
def test_each_level_beats_the_one_below(better: str, worse: str, least: float) -> None:
    wins = [0.0, 0.0]
    for first in (0, 1):
        bots = [better, worse] if first == 0 else [worse, better]
        result = nf.simulate("multiple9", bots=bots, games=4_000, seed=first)
        for seat, share in enumerate(result.wins):
            wins[(seat + first) % 2] += share
    assert wins[0] / sum(wins) > least, wins


def test_holding_back_is_worth_it_and_leaves_games_undecided() -> None:
    """About 78 to 19 heads-up; where all hold back, 19 (two) and 69 (nine) of 100 games end undecided."""
    for players, share in ((2, 0.185), (9, 0.687)):
        result = nf.simulate("multiple9", bots=["medium"] * players, games=20_000, seed=2)
        assert 1 - sum(result.wins) / result.games == pytest.approx(share, abs=0.015)
    result = nf.simulate("multiple9", bots=["medium", "easy"], games=20_000, seed=2)
    assert [wins / result.games for wins in result.wins] == pytest.approx([0.777, 0.189], abs=0.015)


def test_hard_beats_medium_at_a_table_of_four() -> None:
    wins = {"hard": 0.0, "medium": 0.0}
    for first in range(4):
        bots = ["hard" if (seat + first) % 2 == 0 else "medium" for seat in range(4)]
        result = nf.simulate("multiple9", bots=bots, games=8_000, seed=first)
        for bot, share in zip(bots, result.wins, strict=True):
            wins[bot] += share
    assert wins["hard"] > 1.08 * wins["medium"], wins


def test_a_last_turn_each_gives_winners_and_favours_no_seat() -> None:
    """R6.2: with `fewest`, four `hard` won 25, 31, 24 and 20 % by seat, and 39 % of wins were shared."""
    games = 6_000
    result = nf.simulate("multiple9", bots=["hard"] * 4, games=games, seed=3, undecided="last_turn")
    counted = result.tallies["games that ended undecided"].mean
    assert result.unfinished == 0 and sum(result.wins) == pytest.approx(games) and 0.45 < counted < 0.58
    assert all(abs(wins / games - 0.25) < 0.02 for wins in result.wins), result.wins
    assert sum(score.mean for score in result.scores) < 1.03, "few share a win"


def test_levels_at_a_table_of_four_that_counts_in_the_end() -> None:
    shares = {}
    for better, worse in (("hard", "medium"), ("medium", "easy"), ("easy", "random")):
        won = 0.0
        for seat in range(4):
            bots = [better if other == seat else worse for other in range(4)]
            won += nf.simulate("multiple9", bots, 1_000, seed=seat, undecided="last_turn").wins[seat]
        shares[better] = won / 4_000
    assert 0.30 < shares["hard"] < 0.40 and 0.45 < shares["medium"] < 0.60 and shares["easy"] > 0.32, shares


def test_hard_leaves_the_best_cards_in_the_last_turn() -> None:
    """R6.2, R6.3: against every play of random hands: fewest cards, and of those the lowest total."""
    from itertools import combinations
    from random import Random

    from ninefold.game.multiple9.bots import last_play
    from ninefold.game.multiple9.fields import DONE, LONE_NINE, NOTHING

    chooser = Random(4)
    for _ in range(60):
        cards = sorted(chooser.sample([rank for rank in range(13) for _ in range(4)], chooser.randint(2, 9)))
        plays = [
            (len(cards) - size, sum(rank + 1 for rank in cards) - sum(rank + 1 for rank in down))
            for size in range(len(cards) + 1)
            for down in set(combinations(cards, size))
            if nines.splits(nines.pack(down)) and (sum(rank + 1 for rank in down) != 9 or size == len(cards))
        ]
        hand, laid = nines.pack(cards), NOTHING
        while hand and (group := int(last_play(hand, laid))) != DONE:
            hand -= int(nines.PACKED[group])
            laid = LONE_NINE if laid == NOTHING and group < nines.LONE else 2
        left = nines.unpack(hand)
        assert (len(left), sum(rank + 1 for rank in left)) == min(plays), cards


@pytest.mark.parametrize("players", [2, 9])
@pytest.mark.parametrize("bot", ["medium", "hard"])
def test_no_game_between_bots_goes_on_for_ever(bot: str, players: int) -> None:
    """R5.2: where cards are put down again and again to keep a game alive, patience ends."""
    for undecided in ("draw", "fewest", "last_turn"):
        result = nf.simulate("multiple9", bots=[bot] * players, games=1_500, seed=1, undecided=undecided)
        assert result.unfinished == 0


@pytest.mark.parametrize("bot", [bot.name for bot in FACTS.bots])
def test_every_bot_plays_to_the_end(bot: str) -> None:
    game = nf.make("multiple9", players=3)
    state = game.start(seed=4)
    SeatedBots(game, [bot] * 3, 4).play_out(state, 10_000)
    assert state.over
