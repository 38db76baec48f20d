"""The server under load, as a process of its own, and what it uses of the machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

LIMITS = {"requests": 1e9, "commands": 1e6, "tables": 1e6, "sockets": 1e6}


class Server:
    """`ninefold serve` on a free port, with limits that a load generator does not meet."""

    def __init__(self, arguments: Sequence[str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        limits = [word for name, number in LIMITS.items() for word in ("--limit", f"{name}={number:g}")]
        command = [sys.executable, "-m", "ninefold", "serve", "--port", str(self.port), *limits, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def wait(self) -> None:
        for _ in range(600):
            try:
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise SystemExit("The server does not answer.")

    def figures(self) -> dict[str, float]:
        lines = httpx.get(f"{self.url}/metrics").text.split("\n")
        return {name: float(value) for name, _, value in (line.partition(" ") for line in lines) if value}

    @property
    def pids(self) -> list[int]:
        """Its processes, of which there may be several."""
        pid = self.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    @property
    def memory(self) -> float:
        """Resident, in KiB; what processes share is counted for each of them."""
        status = "".join(Path(f"/proc/{pid}/status").read_text() for pid in self.pids)
        return sum(float(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in self.pids]
        return sum(int(words[11]) + int(words[12]) for words in stats) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
