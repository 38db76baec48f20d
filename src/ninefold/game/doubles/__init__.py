"""Doubles: two dice, one running total for all, cash out before the fourth seven."""

from typing import TYPE_CHECKING

from ninefold.model.facts import Bot, Facts, Number, Span

FACTS = Facts(
    name="doubles",
    title="Doubles",
    line="one running total for all; cash out before the fourth seven",
    version=1,
    players=(1, 16_384),
    usual_players=4,
    minutes=6,
    difficulty="easy",
    tagline="Dice, one total for everyone, and the nerve to cash out in time.",
    capacities=(16, 256, 16_384),
    actions=2,
    chances=23,
    spans=1,
    everyone=True,
    hidden=True,
    scores=(0, 2**62),
    observation=lambda players: 7 + 3 * players,
    limit=lambda options: 1_000 * Span.ends(options["rounds"])[1],
    options=(
        Span(
            "rounds",
            "Rounds; a range such as 8-12 hides which one is the last",
            10,
            short="Rounds",
            low=1,
            high=1_000_000,
        ),
    ),
    suggested={"rounds": 5},
    bots=(
        Bot("random", 0, "any move, all equally likely"),
        Bot("never", 1, "never cashes out"),
        Bot(
            "threshold",
            2,
            "cashes out once the total has reached N",
            (Number("N", "total to cash out at", 400, low=0, high=2**62),),
        ),
        Bot(
            "wait",
            3,
            "cashes out after N rolls past the third seven",
            (Number("N", "rolls to wait", 2, low=0, high=1_000_000),),
            remembers="public",
        ),
        Bot("easy", 4, "takes the first good total, sometimes sooner"),
        Bot("medium", 5, "waits for the third seven, then for one more roll", remembers="public"),
        Bot(
            "hard",
            6,
            "plays for the chance of winning the game: standings, rounds left, who is still in",
            remembers="public",
        ),
        Bot("expert", 7, "finds the best answer to the habits of each rival", remembers="public"),
        Bot("patience", 8, "never the first to cash out; once alone, rolls until it is ahead"),
    ),
    tallies=("rounds lost to a fourth seven", "rounds"),
)

if TYPE_CHECKING:
    from ninefold.game.doubles import bots, invariants, narration, notation, occasions, rules, view
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, occasions=occasions)
