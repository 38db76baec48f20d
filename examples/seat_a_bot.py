"""Seat a bot of your own at a table: `python examples/seat_a_bot.py http://localhost:9009 K7M2QX`."""

import random
import sys

import ninefold as nf
from ninefold.client import Seat


def main(url: str, code: str) -> None:
    with Seat.join(url, code, "Dicey") as seat:
        for view in seat.decisions():
            seat.play(random.choice(view["moves"]))
        print(nf.render(seat.events[-1]["text"], seat.names))


if __name__ == "__main__":
    main(*sys.argv[1:])
