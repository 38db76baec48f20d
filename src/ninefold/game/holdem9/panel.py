"""Whom the bots of Hold'em have to hold up against: people who always call, and people who always raise."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"),
    rivals={"call": "medium", "raise": "medium"},
    tables=(2, 6, 3, 9),
    remark=(
        "In hands of two with 100 big blinds, a local best response wins 65 to 95 big blinds a hundred "
        "hands against `expert`, depending on the bets it may make. [Its page](holdem9.md) says how."
    ),
)
