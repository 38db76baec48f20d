"""Whom Multiple 9's bots have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard", "expert"),
    tables=(2, 4, 3, 6),
    remark=(
        "`expert` differs from `hard` only at the end of a game between two, where it wins 52.4 ± 1.3 % "
        "against it. At larger tables they play alike."
    ),
)
