"""Finest 9: roll two dice, capture your cards that match; nines are wild."""

from typing import TYPE_CHECKING

from ninefold.model.facts import Bot, Choice, Facts, Flag, Number

MOST_BONUS = 1_000
MOST_DEALS = 9

FACTS = Facts(
    name="finest9",
    title="Finest 9",
    line="roll two dice, capture your cards that match",
    version=1,
    players=(2, 5),
    usual_players=4,
    suggested_players=3,
    minutes=8,
    tagline="Roll two dice and sweep up the cards that match them.",
    capacities=(5,),
    actions=113,
    chances=73,
    spans=57,
    everyone=False,
    hidden=False,
    scores=(-380 * MOST_DEALS, (380 + MOST_BONUS) * MOST_DEALS),
    observation=lambda players: 23 + 14 * players,
    limit=lambda options: 1_000 * int(options["deals"]),
    suggested={"deals": 3},
    options=(
        Choice(
            "nines",
            "Nines in a set: choose how many, or always all of them",
            "choose",
            short="Nines in a set",
            choices=("choose", "all"),
        ),
        Choice(
            "pairs",
            "A set has one rank; by value, 10, J, Q and K count as one rank when 10 is rolled",
            "rank",
            short="Sets by",
            choices=("rank", "value"),
        ),
        Choice(
            "ace",
            "The ace in sequences: high only, or also low in A-2-3",
            "high",
            short="Ace in sequences",
            choices=("high", "both"),
        ),
        Flag(
            "snake_eyes",
            "Rolling a 2 also matches all cards of any rank you have at least twice",
            False,
            short="Snake eyes",
        ),
        Flag("boxcars", "Rolling a 12 matches any sequence", False, short="Boxcars"),
        Number(
            "clear_bonus",
            "Points for ending with no cards on the table; 20 is usual",
            0,
            short="Bonus for an empty table",
            low=0,
            high=MOST_BONUS,
        ),
        Number(
            "deals", "Deals in a match; points add up", 1, short="Deals", later=True, low=1, high=MOST_DEALS
        ),
    ),
    bots=(
        Bot("random", 0, "any capture, all equally likely"),
        Bot("easy", 1, "the most points now"),
        Bot("greedy", 1, "another name for easy"),
        Bot("medium", 2, "spends nines only when they earn more now than they would later"),
        Bot("hard", 3, "simulates the rest of the game many times after every possible capture"),
    ),
    tallies=("cards left on the tables", "nines left on the tables", "wins of whoever went first"),
)

if TYPE_CHECKING:
    from ninefold.game.finest9 import bots, invariants, narration, notation, occasions, rules, view
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, occasions=occasions)
