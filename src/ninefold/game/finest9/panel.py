"""Whom the bots of Finest 9 have to hold up against."""

from ninefold.model.panel import Panel

PANEL = Panel(
    levels=("random", "easy", "medium", "hard"),
    tables=(2, 4, 3, 5),
    remark=(
        "There is little to decide in Finest 9, and `hard` decides it: searches with up to 1,800 worlds a "
        "move won 49.6 ± 0.6 % against it with two players and 24.9 ± 0.3 % with four. So there is no level "
        "above it."
    ),
)
