"""Multiple 9 Hold'em: Texas Hold'em dealing and betting; the most nines in seven cards wins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ninefold.model.facts import Bot, Choice, Facts, Flag, Number, Numbers

MOST_CHIPS = 1_000_000  # that one player may buy in
SEATS = 10
RAISE = 1  # the action `to N` is RAISE + N
USUAL_CAUTION, USUAL_BLUFFS = 12, 70  # of `hard`
BREAK = RAISE + MOST_CHIPS * SEATS + 1  # the actions after it: deal me in, sit out, leave


def check(players: int, options: Mapping[str, Any]) -> str | None:
    """Check what involves several options."""
    stacks = Numbers.parts(options["stack"])
    if len(stacks) not in (1, players):
        return (
            f"option stack is one number, or one for each of the {players} seats, not {len(stacks)} numbers"
        )
    small, big = Numbers.parts(options["blinds"])
    if small > big or big == 0:
        return f"the small blind is at most the big blind, and the big blind is at least 1, not {small}/{big}"
    return None


FACTS = Facts(
    name="holdem9",
    title="Multiple 9 Hold'em",
    line="Texas Hold'em betting; the most nines in seven cards wins",
    version=1,
    players=(2, SEATS),
    usual_players=6,
    minutes=5,
    difficulty="hard",
    tagline="Poker betting, but the most nines wins.",
    capacities=(SEATS,),
    actions=BREAK + 3,
    chances=53,
    spans=2,
    everyone=False,
    hidden=True,
    by_score=True,
    scores=(-MOST_CHIPS, MOST_CHIPS * (SEATS - 1)),
    unit="chips gained",
    observation=lambda players: 24 + 7 * players,
    limit=lambda options: 1_000 * (options["hands"] or 1_000),
    options=(
        Numbers(
            "stack",
            "Chips to start with: one number, or one for each seat",
            1_000,
            short="Chips",
            low=1,
            high=MOST_CHIPS,
        ),
        Numbers("blinds", "Small and big blind", "5/10", short="Blinds", low=0, high=MOST_CHIPS, count=2),
        Number(
            "ante",
            "Ante: chips that every player pays before the deal",
            0,
            short="Ante",
            low=0,
            high=MOST_CHIPS,
        ),
        Choice(
            "betting",
            "How much can be bet: all your chips, up to the pot, or fixed bets",
            "no_limit",
            short="Betting",
            choices=("no_limit", "pot_limit", "fixed_limit"),
        ),
        Number(
            "hands",
            "Hands; 0 plays until one player has all the chips",
            1,
            short="Hands",
            low=0,
            high=1_000_000,
        ),
        Number(
            "rise",
            "Blinds and ante double after this many hands; 0 is never",
            0,
            short="Hands until blinds double",
            low=0,
            high=1_000_000,
        ),
        Flag(
            "breaks",
            "Between hands, players may sit out or leave with their chips",
            False,
            short="Breaks between hands",
        ),
        Flag(
            "show_folded",
            "Show all cards after a hand, folded ones too",
            False,
            short="Folded cards are shown",
        ),
    ),
    suggested={"hands": 12},
    bots=(
        Bot("random", 0, "any legal move, all equally likely; every amount counts as a move"),
        Bot("easy", 1, "waits for good cards, bets them, and folds the rest"),
        Bot("medium", 2, "calls when the pot pays for its chances, and bets when they are good"),
        Bot(
            "hard",
            3,
            "reads rivals' cards from their bets, chooses the size of its own bets, and sometimes bluffs",
            parameters=(
                Number(
                    "caution",
                    "Points of equity above the price, to call after the flop",
                    USUAL_CAUTION,
                    high=100,
                ),
                Number("bluffs", "Percent of its chances to bluff that it takes", USUAL_BLUFFS, high=100),
            ),
        ),
        Bot(
            "expert",
            6,
            "plays a strategy trained against itself if one rival is in; else, or with limits, like hard",
            parameters=(
                Number("bets", "Percent of the trained weight of bets and raises", 100, low=1, high=1_000),
                Number("calls", "Percent of the trained weight of calls", 100, low=1, high=1_000),
            ),
            remembers="public",
        ),
        Bot("call", 4, "never folds and never raises"),
        Bot("raise", 5, "raises as much as it can, whenever it can"),
    ),
    tallies=("hands", "showdowns"),
    commands={"odds": "Show how often hands of Multiple 9 Hold'em win."},
    check=check,
    redacts=True,
)

if TYPE_CHECKING:
    from ninefold.game.holdem9 import bots, invariants, narration, notation, redaction, rules, view
    from ninefold.model import contract

    contract.check(rules, notation, view, narration, invariants, bots, redaction=redaction)
