"""9 of a Kind: everyone trades at once until someone holds nine of a suit or of a rank."""

from typing import TYPE_CHECKING

from ninefold.model.facts import Bot, Choice, Facts, Flag, Number

MOST_TARGET = 100_000
MOST_IN_A_ROUND = 9 * 9 * 9  # nine hands of nine cards of at most nine pips

FACTS = Facts(
    name="nine_of_a_kind",
    title="9 of a Kind",
    line="trade all at once until someone holds nine of a kind",
    version=1,
    players=(5, 9),
    usual_players=5,
    minutes=11,
    tagline="Everyone trades at once: be the first with nine alike.",
    capacities=(9,),
    actions=22_415,
    chances=81,
    spans=1_295,
    everyone=True,
    realtime=True,
    hidden=True,
    scores=(0, MOST_TARGET + MOST_IN_A_ROUND),
    observation=lambda players: 90 + 5 * players,
    limit=lambda _: 100_000,
    options=(
        Number("target", "Points that win the game", 300, short="Points to win", low=1, high=MOST_TARGET),
        Flag(
            "chicken",
            "Players may call Chicken!, which ends a round for half the points",
            False,
            short="Chicken!",
        ),
        Choice(
            "forfeit",
            "A false claim costs the round only (free), or the points held as well (counts)",
            "free",
            short="A false claim costs",
            choices=("free", "counts"),
        ),
    ),
    suggested={"target": 100},
    bots=(
        Bot("random", 0, "any move, all equally likely, false claims among them"),
        Bot(
            "easy",
            1,
            "collects a rank or a suit, and goes for a blocker when it is nearly complete",
            remembers="own",
        ),
        Bot(
            "medium",
            2,
            "collects a rank or a suit, and goes for a blocker when two or three cards are missing",
            remembers="own",
        ),
        Bot("hard", 3, "goes for a blocker as soon as it has six cards of one", remembers="own"),
        Bot(
            "expert",
            4,
            "goes for a blocker unless nine of a kind is nearer, and keeps cards that nobody gives away",
            remembers="own",
        ),
    ),
    tallies=("rounds", "rounds that nobody won", "trades between players", "trades with the centre"),
)

if TYPE_CHECKING:
    from ninefold.game.nine_of_a_kind import (
        bots,
        invariants,
        narration,
        notation,
        occasions,
        realtime,
        rules,
        view,
    )
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, realtime, occasions=occasions)
