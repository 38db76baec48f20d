"""Whom Baseball's bots have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"),
    tables=(2, 4, 3, 6),
    remark=(
        "`expert` searches, so it has a run of its own: it wins 53.7 ± 1.5 % against one `hard` (`ninefold "
        "simulate baseball --bots expert,hard --rotate --games 4400 --seed 1`), and 32.4 ± 4.2 % among three."
    ),
)
