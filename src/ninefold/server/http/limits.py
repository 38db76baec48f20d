"""Limits that are on by default: how often, how much and how many, for each person and for each address.

A class or a family behind one router has one address. So the page sends a random word with its requests, its
own until it is loaded again, and everyone has a budget of their own. What all at an address do together is
limited, too, so that making up words gains little. Programs that send no word share one budget. With IPv6 a
household has 2**64 addresses, so they are counted together.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ninefold.kernel.errors import RuleError
from ninefold.server.runtime.budget import Bucket

REMEMBERED = 20_000  # addresses or people


@dataclass
class Limits:
    """How much one person, or one address, may do; a server among friends can raise them."""

    requests: float = 20.0  # a second, for each person
    commands: float = 20.0  # a second, for each socket
    tables: float = 120 / 3600  # a second, for each person
    people: float = 40.0  # who may share an address: together they may do this many times as much
    cards: float = 3.0  # score cards to add up, a second, for each person
    lessons: float = 3.0  # lessons and moves in them, a second, for each person
    hints: float = 3.0  # a second, for each seat
    sockets: int = 200  # for each address
    connections: int = 400  # for each address, from the first moment on
    everyone: int = 20_000  # connections of all addresses, if the system allows that many open files
    frames: float = 30.0  # of a socket, a second: messages, parts of them and pings
    failures: float = 1.0  # wrong keys, a second, for each address
    misses: float = 1.0  # codes of tables that there are not, a second, for each address
    body: int = 16 * 1024  # bytes
    head: float = 10.0  # seconds until a request must have begun: its head, and then as long for its body
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


@lru_cache(maxsize=REMEMBERED)
def network(address: str) -> str:
    """What belongs to one person or household: an address of IPv4, or 64 bits of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address  # of a test
    if found.version == 6 and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


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

    def give_back(self, whose: str) -> None:
        """Give back what was taken, because it came to nothing."""
        if bucket := self._of.get(whose):
            bucket.spend(-1)


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
