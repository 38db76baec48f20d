"""Multiple 9 Hold'em: hands played against C, Python, OpenSpiel and PokerKit, and hands judged a second.

OpenSpiel and PokerKit play Texas Hold'em: the same cards, blinds, stacks and random bets, judged as poker. So
they are compared by speed alone. The other evaluators judge seven cards of poker, one hand a call.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome

STACK = 200
SMALL, BIG = 5, 10  # the blinds that Ninefold has by default
ROLLOUTS = 500  # of OpenSpiel's from each position
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import holdem9

    options = holdem9.Options(stack=lineup.options["stack"])
    return holdem9.play_games(games, seed, len(lineup.strategies), options)


def counted(lineup: Lineup, games: int, seconds: float) -> Outcome:
    """The outcome of a contestant of which only the speed is known."""
    return {"games": games, "unfinished": 0, "wins": [0.0] * len(lineup.strategies), "seconds": seconds}


def play_openspiel(lineup: Lineup, games: int, seed: int) -> Outcome:
    """Random rollouts in OpenSpiel's own C++, started by its tree search from hands already dealt."""
    import pyspiel

    seats = len(lineup.strategies)
    blinds = f"{SMALL} {BIG}" + " 0" * (seats - 2) if seats > 2 else f"{BIG} {SMALL}"
    first = "3 1 1 1" if seats > 2 else "2 1 1 1"
    stacks = " ".join([str(lineup.options["stack"])] * seats)
    game = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={seats},numRounds=4,blind={blinds},stack={stacks},"
        f"firstPlayer={first},numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        "bettingAbstraction=fullgame)"
    )
    rng = random.Random(seed)
    searches = max(1, games // (ROLLOUTS * 10))
    spent = 0.0
    for _ in range(searches):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, rng.randrange(2**31))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 10, 1000, False, rng.randrange(2**31), False)
        start = time.process_time()
        bot.step(state)
        spent += time.process_time() - start
    return counted(lineup, searches * ROLLOUTS * 10, spent)


def play_pokerkit(lineup: Lineup, games: int, seed: int) -> Outcome:
    """Any legal move, all equally likely, in PokerKit's no-limit Texas Hold'em."""
    import pokerkit as kit

    rng = random.Random(seed)
    automatic = tuple(step for step in kit.Automation if step is not kit.Automation.RUNOUT_COUNT_SELECTION)
    seats = len(lineup.strategies)
    start = time.process_time()
    for _ in range(games):
        state: Any = kit.NoLimitTexasHoldem.create_state(
            automatic, True, 0, (SMALL, BIG), BIG, lineup.options["stack"], seats
        )
        while state.status:
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            words = 2 if state.checking_or_calling_amount else 1
            drawn = int(rng.random() * (words + (0 if least is None else most - least + 1)))
            if drawn >= words:
                state.complete_bet_or_raise_to(least + drawn - words)
            elif drawn == 0 and words == 2:
                state.fold()
            else:
                state.check_or_call()
    return counted(lineup, games, time.process_time() - start)


HOLDEM9 = Contest(
    name="holdem9",
    lineups=(
        Lineup("six players at random, no limit, 200 chips each", ("random",) * 6, {"stack": STACK}),
        Lineup("two players at random, no limit, 1000 chips each", ("random",) * 2, {"stack": 1000}),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("pokerkit", "PokerKit", play=play_pokerkit, needs="pokerkit", alike=False, least_games=20),
        Contestant(
            "openspiel",
            "OpenSpiel, rollouts in C++",
            play=play_openspiel,
            needs="pyspiel",
            alike=False,
            least_games=10 * ROLLOUTS,
        ),
        Contestant("plain-c", "plain C", source="holdem9/plain.c"),
        *own.contestants("holdem9", ratio_to="openspiel"),
    ),
    reference="plain-c",
    counted=("turns",),
    startup=(("-m", "ninefold", "simulate", "holdem9", "--games", "1000"),),
)


# Hands judged


def judge_each(lineup: Lineup, games: int, judge: Callable[[Any], object], hands: Sequence[Any]) -> Outcome:
    """Judge hands one after another, those given again and again."""
    rounds = -(-games // len(hands))
    start = time.process_time()
    for _ in range(rounds):
        for hand in hands:
            judge(hand)
    return counted(lineup, rounds * len(hands), time.process_time() - start)


def some_hands(seed: int, number: int = 1_000) -> list[list[str]]:
    rng = random.Random(seed)
    return [rng.sample(CARDS, 7) for _ in range(number)]


def judge_phevaluator(lineup: Lineup, games: int, seed: int) -> Outcome:
    from phevaluator import _pheval  # what its public function calls, without that function's own cost

    hands = [[CARDS.index(card) for card in hand] for hand in some_hands(seed)]
    return judge_each(lineup, games, lambda hand: _pheval.evaluate_7cards(*hand), hands)


def judge_eval7(lineup: Lineup, games: int, seed: int) -> Outcome:
    import eval7

    hands = [[eval7.Card(card) for card in hand] for hand in some_hands(seed)]
    return judge_each(lineup, games, eval7.evaluate, hands)


def judge_treys(lineup: Lineup, games: int, seed: int) -> Outcome:
    import treys

    hands = [[treys.Card.new(card) for card in hand] for hand in some_hands(seed)]
    evaluator = treys.Evaluator()
    return judge_each(lineup, games, lambda hand: evaluator.evaluate(hand[:2], hand[2:]), hands)


def judge_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    """The plain referee's judge, which remembers nothing between hands here."""
    from reference import holdem9

    hands = [tuple(sorted(CARDS.index(card) // 4 + 1 for card in hand)) for hand in some_hands(seed)]

    def judge(hand: tuple[int, ...]) -> object:
        holdem9.choices.cache_clear()
        return holdem9.strength.__wrapped__(hand)

    return judge_each(lineup, games, judge, hands)


def judge_ninefold(lineup: Lineup, games: int, seed: int) -> Outcome:
    """In bulk, an array of a hundred thousand hands a call."""
    import numpy as np

    import ninefold as nf

    number = 100_000
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.int8) // 4 + 1, (number, 1)), axis=1)
    hands = np.ascontiguousarray(decks[:, :7])
    nf.holdem9.strengths(hands[:10])
    rounds = -(-games // number)
    start = time.process_time()
    for _ in range(rounds):
        nf.holdem9.strengths(hands)
    return counted(lineup, rounds * number, time.process_time() - start)


HANDS = Contest(
    name="holdem9-hands",
    lineups=(Lineup("seven cards judged; a game is a hand", ()),),
    contestants=(
        Contestant("python", "plain Python", play=judge_plain, alike=False, least_games=1_000),
        Contestant("treys", "treys", play=judge_treys, needs="treys", alike=False, least_games=1_000),
        Contestant("eval7", "eval7", play=judge_eval7, needs="eval7", alike=False, least_games=1_000),
        Contestant(
            "phevaluator",
            "phevaluator",
            play=judge_phevaluator,
            needs="phevaluator",
            alike=False,
            least_games=1_000,
        ),
        Contestant("ninefold", "Ninefold, 1 thread", play=judge_ninefold, alike=False, least_games=100_000),
    ),
    reference="ninefold",
    counted=(),
)

CONTESTS = (HOLDEM9, HANDS, own.bots_of_users("holdem9", 6, {"stack": STACK}))
