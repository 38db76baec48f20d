"""Whom the bots of Multiple 9 have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"), rivals={"hoard": "hard"}, tables=(2, 4, 3, 6)
)
