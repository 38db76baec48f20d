"""Whom Baseball's bots have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(levels=("random", "easy", "medium", "hard", "expert"), tables=(2, 4, 3, 6))
