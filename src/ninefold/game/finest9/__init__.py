"""Finest 9: roll two dice, capture the cards before you that match; nines are wild."""

from ninefold.kernel.facts import Bot, Choice, Facts, Flag, Number

MOST_BONUS = 1_000

FACTS = Facts(
    name="finest9",
    title="Finest 9",
    line="roll two dice, capture the cards before you that match",
    version=1,
    players=(2, 5),
    usual_players=4,
    capacities=(5,),
    actions=113,
    chances=73,
    spans=57,
    everyone=False,
    hidden=False,
    scores=(-380, 380 + MOST_BONUS),
    observation=lambda players: 22 + 14 * players,
    limit=lambda _: 1_000,
    options=(
        Choice(
            "nines",
            "Nines in a set: choose how many, or always all of them",
            "choose",
            choices=("choose", "all"),
        ),
        Choice(
            "pairs",
            "A set is of one rank; by value, the 10s, Js, Qs and Ks are one rank when 10 is rolled",
            "rank",
            choices=("rank", "value"),
        ),
        Choice(
            "ace", "The ace in sequences: high only, or also low in A-2-3", "high", choices=("high", "both")
        ),
        Flag("snake_eyes", "A 2 rolled also matches all cards of any rank held at least twice", False),
        Flag("boxcars", "A 12 rolled matches any sequence", False),
        Number(
            "clear_bonus",
            "Points for ending with no card on the table; 20 where it is played",
            0,
            low=0,
            high=MOST_BONUS,
        ),
    ),
    bots=(
        Bot("random", 0, "any capture, all equally likely"),
        Bot("easy", 1, "the most points now"),
        Bot("greedy", 1, "another name for easy"),
        Bot("medium", 2, "spends its nines only where they earn more than they will later"),
        Bot("hard", 3, "plays the rest of the game over and over in its head, after every capture there is"),
    ),
    tallies=("cards left on the tables", "nines left on the tables", "wins of whoever went first"),
)
