"""The exponential gives the same digits everywhere, and the right ones."""

from __future__ import annotations

import math
import random

import pytest

from ninefold.kernel.compile import python_function
from ninefold.kernel.real import exp


def test_exp() -> None:
    rng = random.Random(1)
    numbers = [0.0, 1.0, -1.0, 50.0, -699.9, *(rng.uniform(-690, 60) for _ in range(2_000))]
    for x in numbers:
        assert exp(x) == python_function(exp)(x) == pytest.approx(math.exp(x), rel=1e-15)
    assert exp(-1e9) == 0.0 and exp(0.0) == 1.0
    assert exp(1.0).hex() == "0x1.5bf0a8b14576ap+1"
