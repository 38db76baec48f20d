"""Whom the bots of Hold'em have to hold up against: people who always call, and people who always raise."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"),
    rivals={"call": "medium", "raise": "medium"},
    tables=(2, 6, 3, 9),
)
