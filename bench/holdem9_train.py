"""Trains Hold'em's `expert` and writes its table into the package: a few minutes of one core.

python bench/holdem9_train.py
"""

from __future__ import annotations

import time
from pathlib import Path

from ninefold.game.holdem9 import training


def main() -> None:
    """Train, and write the table beside the module that reads it."""
    start = time.process_time()

    def tell(part: int) -> None:
        done = 100 * (part + 1) // training.PARTS
        print(f"\r{done} %, {time.process_time() - start:.0f} s", end="", flush=True)

    buckets, sums = training.train(tell=tell)
    print("\n" + training.write(buckets, sums, Path(training.__file__).parent))


if __name__ == "__main__":
    main()
