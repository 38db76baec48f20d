"""9 of a Kind: everyone trades at once until someone holds nine of a suit or of a rank."""

from ninefold.kernel.facts import Bot, Choice, Facts, Flag, Number

MOST_TARGET = 100_000
MOST_IN_A_ROUND = 9 * 9 * 9  # nine hands of nine cards of at most nine pips

FACTS = Facts(
    name="nine_of_a_kind",
    title="9 of a Kind",
    line="trade all at once until someone holds nine of a kind",
    version=1,
    players=(5, 9),
    usual_players=5,
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
        Number("target", "Points that win the game", 300, low=1, high=MOST_TARGET),
        Flag("chicken", "Chicken! may be called, which ends a round for half the points", False),
        Choice(
            "forfeit",
            "What a false claim costs besides the round: nothing, or the points held then go to the winner",
            "free",
            choices=("free", "counts"),
        ),
    ),
    bots=(
        Bot("random", 0, "any move, all equally likely, false claims among them"),
        Bot("easy", 1, "collects what it has most of, and swaps the rest card by card"),
        Bot("medium", 2, "trades all it does not need, uses the centre, and switches when it stalls"),
        Bot("hard", 3, "watches what goes round and what is withheld, and knows what a blocker is worth"),
    ),
    tallies=("rounds", "rounds that nobody won", "trades between players", "trades with the centre"),
)
