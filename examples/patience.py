"""A bot of your own in ten lines: how much is patience worth in Doubles?"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import ninefold as nf


def patient(view: Mapping[str, Any], moves: Sequence[str], rng: random.Random) -> str:
    """Stay until the third seven, then once in three times."""
    counters = {part["id"]: part["value"] for part in view["counters"]}
    stays = "stay" in moves and (counters["sevens"] < 3 or rng.random() < 1 / 3)
    return "stay" if stays else "cash out"


if __name__ == "__main__":
    print(nf.simulate("doubles", bots=[patient, "medium", "easy"], games=60, seed=1, rounds=5).table())
