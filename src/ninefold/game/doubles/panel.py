"""Whom Doubles' bots have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"),
    rivals={
        "never": "easy",
        "threshold:200": "hard",
        "threshold:400": "hard",
        "threshold:1000": "hard",
        "threshold:3000": "hard",
        "wait:0": "hard",
        "wait:1": "hard",
        "wait:2": "hard",
        "wait:3": "hard",
        "wait:5": "hard",
        "wait:8": "hard",
    },
    tables=(2, 4, 3, 5, 8),
    exploiters=("patience",),
)
