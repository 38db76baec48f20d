"""Multiple 9: draw, and get rid of your hand in groups that total multiples of nine."""

from typing import TYPE_CHECKING

from ninefold.model.facts import Bot, Choice, Facts

FACTS = Facts(
    name="multiple9",
    title="Multiple 9",
    line="draw, and get rid of your hand in groups that total multiples of nine",
    version=1,
    players=(2, 9),
    usual_players=4,
    minutes=2,
    tagline="Empty your hand in groups that add up to 9, 18, 27…",
    capacities=(9,),
    actions=157,
    chances=13,
    spans=78,
    everyone=False,
    hidden=True,
    scores=(0, 1),
    unit="",
    observation=lambda players: 46 + 2 * players,
    limit=lambda _: 10_000,
    options=(
        Choice(
            "undecided",
            "When the cards run out: a draw, or the fewest cards win, at once or after one last turn each",
            "draw",
            short="When the cards run out",
            choices=("draw", "fewest", "last_turn"),
        ),
    ),
    suggested={"undecided": "last_turn"},
    suggested_from={"undecided": 3},
    bots=(
        Bot("random", 0, "any move, all equally likely"),
        Bot("easy", 1, "puts down as many cards as it can, every turn"),
        Bot("medium", 2, "keeps everything until it can put all cards down", remembers="own"),
        Bot("hoard", 2, "another name for medium", remembers="own"),
        Bot(
            "hard",
            3,
            "keeps everything too, but puts down enough to continue a game it can win",
            remembers="own",
        ),
        Bot(
            "expert",
            4,
            "like hard; between two, it searches the end of the game, when both hands are known",
            remembers="own",
        ),
    ),
    tallies=(
        "games that ended undecided",
        "games won with the cards dealt",
        "times the discards became the stock",
        "cards left in all hands",
    ),
)

if TYPE_CHECKING:
    from ninefold.game.multiple9 import bots, invariants, narration, notation, occasions, rules, view
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, occasions=occasions)
