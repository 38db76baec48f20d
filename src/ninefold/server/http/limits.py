"""Limits that are on by default: how often, how much and how many, for each person and for each address.

A class or a family behind one router has one address. So the page sends a random word with its requests, its
own until it is loaded again, and everyone has a budget of their own. What all at an address do together is
limited, too, so that making up words gains little. Programs that send no word share one budget.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ninefold.kernel.errors import RuleError

REMEMBERED = 20_000  # addresses or people


@dataclass
class Limits:
    """How much one person, or one address, may do; a server among friends can raise them."""

    requests: float = 20.0  # a second, for each person
    commands: float = 20.0  # a second, for each socket
    tables: float = 120 / 3600  # a second, for each person
    people: float = 40.0  # who may share an address: together they may do as much as so many
    sockets: int = 200  # for each address
    failures: float = 1.0  # wrong keys, a second, for each address
    body: int = 16 * 1024  # bytes
    hello: float = 5.0  # seconds until a socket must have said who it is
    idle: float = 600.0  # seconds after which an unused table leaves memory
    expiry: float = 90 * 86_400.0  # seconds after which an unused table is deleted
    open_metrics: float = 0.0  # 1: /metrics answers other machines, too

    @classmethod
    def given(cls, words: Sequence[str]) -> Limits:
        """Limits changed by words such as sockets=5000; RuleError where there is no such limit."""
        limits = cls()
        for word in words:
            name, _, text = word.partition("=")
            if name not in vars(limits):
                raise RuleError(f"there is no limit {name!r}; the limits are {', '.join(vars(limits))}")
            try:
                number = float(text)
            except ValueError:
                number = -1.0
            if not 0 <= number < 1e12:
                raise RuleError(f"a limit is a number, such as {name}={vars(limits)[name]:g}, not {text!r}")
            setattr(limits, name, type(vars(limits)[name])(number))
        return limits


class Bucket:
    """A budget that fills at a rate and holds a burst."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.level = burst
        self.at = clock()

    def take(self) -> bool:
        """Whether there was enough for one more."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """A budget for every address, or person; those not heard of for long are forgotten first."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, whose: str) -> bool:
        bucket = self._of.get(whose)
        if bucket is None:
            bucket = self._of[whose] = Bucket(self.rate, self.burst)
            if len(self._of) > REMEMBERED:
                self._of.popitem(last=False)
        self._of.move_to_end(whose)
        return bucket.take()


class SharedBuckets:
    """Budgets for people who may share an address, and one for all of them together."""

    def __init__(self, rate: float, burst: float, people: float) -> None:
        self._people = Buckets(rate, burst)
        self._addresses = Buckets(people * rate, people * burst)

    def take(self, address: str, person: str) -> bool:
        """Whether there was enough for one more, of the person's and of the address's."""
        return self._people.take(f"{address} {person}") and self._addresses.take(address)

    def take_together(self, address: str) -> bool:
        """The same where nobody can know which person it is."""
        return self._addresses.take(address)
