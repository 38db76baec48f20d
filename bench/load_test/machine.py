"""What else the machine does while a load test runs."""

from __future__ import annotations

import os
import time
from pathlib import Path


def speed() -> float:
    """Milliseconds for some work in Python, at best: how fast the machine is just now."""

    def once() -> float:
        begun, texts = time.perf_counter(), {}
        for number in range(400_000):
            texts[number % 100] = str(number) + "x"
        return time.perf_counter() - begun

    return 1000 * min(once() for _ in range(3))


def stolen() -> float:
    """Seconds of processor time so far that this machine wanted and others got, where it is a virtual one."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")
