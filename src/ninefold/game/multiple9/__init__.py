"""Multiple 9: draw, and get rid of your hand in groups that total multiples of nine."""

from ninefold.kernel.facts import Bot, Choice, Facts

FACTS = Facts(
    name="multiple9",
    title="Multiple 9",
    line="draw, and get rid of your hand in groups that total multiples of nine",
    version=1,
    players=(2, 9),
    usual_players=4,
    capacities=(9,),
    actions=157,
    chances=13,
    spans=78,
    everyone=False,
    hidden=True,
    scores=(0, 1),
    observation=lambda players: 46 + 2 * players,
    limit=lambda _: 10_000,
    options=(
        Choice(
            "undecided",
            "When nobody can draw and nobody puts down: nobody wins, or the fewest cards do",
            "draw",
            choices=("draw", "fewest"),
        ),
    ),
    bots=(
        Bot("random", 0, "any move, all equally likely"),
        Bot("easy", 1, "puts down as many cards as it can, every turn"),
        Bot("medium", 2, "keeps everything until all of it can go down"),
        Bot("hoard", 2, "another name for medium"),
        Bot(
            "hard", 3, "keeps everything too, and puts down just enough to keep a game alive that it can win"
        ),
    ),
    tallies=(
        "games that ended undecided",
        "games won with the cards dealt",
        "times the discards became the stock",
        "cards left in all hands",
    ),
)
