"""Baseball: nine face-down cards in a 3×3 grid; lowest total wins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ninefold.model.facts import Bot, Facts, Flag, Number

MOST_INNINGS = 1_000


def check(players: int, options: Mapping[str, Any]) -> str | None:
    """Check that the shoe has nine cards for every player and one to turn up (R1.1)."""
    needed, there = 9 * players + 1, 54 * options["decks"]
    if there >= needed:
        return None
    return (
        f"{players} players need {needed} cards, nine each and one more, and decks={options['decks']} "
        f"gives {there}: take decks={-(-needed // 54)} or more (R1.1)"
    )


FACTS = Facts(
    name="baseball",
    title="Baseball",
    line="nine face-down cards in a 3×3 grid; the lowest total wins",
    version=1,
    players=(2, 9),
    usual_players=4,
    minutes=3,
    tagline="Nine hidden cards: swap the high ones away before someone goes out.",
    capacities=(9,),
    actions=42,
    chances=53,
    spans=10,
    everyone=False,
    hidden=True,
    lowest_wins=True,
    scores=(-18 * MOST_INNINGS, 225 * MOST_INNINGS),
    observation=lambda players: 43 + 19 * players,
    limit=lambda options: 1_000 * int(options["innings"]),
    options=(
        Number("decks", "Decks of 54 cards", lambda players: -(-players // 3), short="Decks", low=1, high=16),
        Number("innings", "Innings: games in the series", 1, short="Innings", low=1, high=MOST_INNINGS),
        Flag(
            "clear_jokers",
            "Three jokers in a column clear, like any other rank",
            True,
            short="Three jokers clear",
        ),
        Number(
            "turn_limit",
            "Turn limit (0 = none)",
            0,
            short="Turn limit",
            low=0,
            high=1_000_000,
        ),
    ),
    bots=(
        Bot("random", 0, "any move, all equally likely"),
        Bot("easy", 1, "flips or draws at random, and keeps low cards"),
        Bot("medium", 2, "puts cards where they save the most, and goes out when that looks like winning"),
        Bot("hard", 3, "plays for the best chance to win: looks at columns, rivals and the cards to come"),
        Bot("expert", 4, "tries the best moves many times before it chooses one", search=(16, 32, 64)),
    ),
    tallies=(
        "columns cleared",
        "shoe reshuffles",
        "games ended by going out",
        "games ended by the turn limit",
        "games in which going out was lowest",
    ),
    check=check,
)

if TYPE_CHECKING:
    from ninefold.game.baseball import bots, invariants, narration, notation, occasions, rules, view
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, occasions=occasions)
