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
    remark=(
        "In one round between two from its third seven, level and with nothing known, the exact best answer "
        "wins 80.0 % against `easy`, 77.6 against `medium`, 58.8 to 58.9 against `hard` and 50.0 to 53.9 "
        "against `expert`, where an equilibrium leaves it 50."
    ),
)
