"""Whom the bots of 9 of a Kind have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(levels=("random", "easy", "medium", "hard", "expert"), tables=(5, 7, 9), sample=20)
