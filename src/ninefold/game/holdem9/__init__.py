"""Multiple 9 Hold'em: Texas Hold'em dealing and betting; the most nines in seven cards win."""

from collections.abc import Mapping
from typing import Any

from ninefold.kernel.facts import Bot, Choice, Facts, Flag, Number, Numbers

MOST_CHIPS = 1_000_000  # that one player may buy in
SEATS = 10
RAISE = 1  # the action `to N` is RAISE + N
BREAK = RAISE + MOST_CHIPS * SEATS + 1  # the actions after it: deal me in, sit out, leave


def check(players: int, options: Mapping[str, Any]) -> str | None:
    """What no single option can see."""
    stacks = Numbers.parts(options["stack"])
    if len(stacks) not in (1, players):
        return (
            f"option stack is one number, or one for each of the {players} seats, not {len(stacks)} numbers"
        )
    small, big = Numbers.parts(options["blinds"])
    if small > big or big == 0:
        return f"the small blind is not above the big one, and the big blind is at least 1; not {small}/{big}"
    return None


FACTS = Facts(
    name="holdem9",
    title="Multiple 9 Hold'em",
    line="Texas Hold'em betting; the most nines in seven cards win",
    version=1,
    players=(2, SEATS),
    usual_players=6,
    capacities=(SEATS,),
    actions=BREAK + 3,
    chances=53,
    spans=2,
    everyone=False,
    hidden=True,
    scores=(-MOST_CHIPS, MOST_CHIPS * (SEATS - 1)),
    observation=lambda players: 24 + 7 * players,
    limit=lambda options: 1_000 * (options["hands"] or 1_000),
    options=(
        Numbers("stack", "Chips bought in: one number, or one for each seat", 1_000, low=1, high=MOST_CHIPS),
        Numbers("blinds", "Small and big blind", "5/10", low=0, high=MOST_CHIPS, count=2),
        Number("ante", "Chips that everybody pays before the cards are dealt", 0, low=0, high=MOST_CHIPS),
        Choice(
            "betting",
            "How much may be bet: all one has, as much as the pot, or fixed bets",
            "no_limit",
            choices=("no_limit", "pot_limit", "fixed_limit"),
        ),
        Number(
            "hands", "Hands in the session; 0 plays until one has all the chips", 1, low=0, high=1_000_000
        ),
        Number("rise", "Hands after which blinds and ante double; 0 is never", 0, low=0, high=1_000_000),
        Flag("breaks", "Before every later hand, players may sit out or leave with their chips", False),
        Flag("show_folded", "Everybody agreed: after a hand all cards are shown, folded ones too", False),
    ),
    suggested={"hands": 12},
    bots=(
        Bot("random", 0, "any legal move, every amount a move of its own, all equally likely"),
        Bot("easy", 1, "waits for good cards, bets them, and folds the rest"),
        Bot("medium", 2, "calls when the pot pays for its chances, and bets when they are good"),
        Bot(
            "hard", 3, "reads what bets say about rivals' cards, sizes its own bets, and bluffs now and then"
        ),
        Bot("call", 4, "never folds and never raises"),
        Bot("raise", 5, "raises as much as it may whenever it may"),
    ),
    tallies=("hands", "showdowns"),
    check=check,
)
