"""Running contestants as child processes and measuring what a clock inside them cannot: memory, instructions.

Everything here takes a command and gives numbers; it knows neither games nor reports.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from harness.contest import Outcome

BENCH = Path(__file__).resolve().parents[1]
BUILD = BENCH / "build"
CONTESTS = BENCH / "contests"
IMPORTED = (BENCH.parent / "src", BENCH.parent, BENCH)  # the package, the referees, the bench itself
COMPILER = os.environ.get("CC", "cc")
FLAGS = ("-O3", "-march=native")
COUNTED = "-counted"  # the end of the name of a program for callgrind, which knows few processors
COUNTED_FLAGS = ("-O3", "-march=haswell") if platform.machine() == "x86_64" else FLAGS
POLL_SECONDS = 0.002

Command = Sequence[str]


class ChildError(Exception):
    """A child process ended badly; the text is its last line of complaint."""


def environment() -> dict[str, str]:
    """The package is found in the source tree whether or not it is installed."""
    path = os.pathsep.join(p for p in (*map(str, IMPORTED), os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "PYTHONPATH": path}


def countable() -> dict[str, str]:
    """The same for a run under callgrind, which shows another processor than the real one.

    Numba compiles for the processor it sees; with one named, the counted run finds what was compiled before.
    """
    return {**environment(), "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,+popcnt"}


def program(source: str) -> Path:
    """Where a C contestant lies once it is compiled: `doubles/plain.c` is build/doubles-plain."""
    return BUILD / Path(source).with_suffix("").as_posix().replace("/", "-")


def build(source: str) -> None:
    """Compile a C contestant, and once more for counting; `source` is its path among the contests."""
    BUILD.mkdir(exist_ok=True)
    target, code = str(program(source)), str(CONTESTS / source)
    for flags, end in ((FLAGS, ""), (COUNTED_FLAGS, COUNTED)):
        warnings = ("-Wall", "-Wextra")
        command = [COMPILER, *flags, *warnings, "-I", str(CONTESTS), "-o", target + end, code, "-lm"]
        subprocess.run(command, check=True)


def run(command: Command, timeout: float | None = None) -> str:
    """The standard output of a child, or ChildError."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=timeout)
    if done.returncode != 0:
        complaint = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise ChildError(complaint[-1])
    return done.stdout


def outcome(command: Command) -> Outcome:
    """What a contestant reports on its last line."""
    lines = run(command).strip().splitlines()
    if not lines:
        raise ChildError("it printed nothing")
    answer: Outcome = json.loads(lines[-1])
    return answer


class Child:
    """A contestant that stays, and answers every line with an outcome."""

    def __init__(self, command: Command) -> None:
        self._process = subprocess.Popen(
            command, text=True, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, line: str) -> Outcome:
        assert self._process.stdin and self._process.stdout
        try:
            print(line, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise ChildError("it ended") from None
        answer = self._process.stdout.readline()
        if not answer:
            raise ChildError(f"it ended with exit status {self._process.wait()}")
        found: Outcome = json.loads(answer)
        return found

    def end(self) -> None:
        self._process.communicate()


def peak_memory(command: Command) -> int | None:
    """Peak resident bytes of a child, or None where the system does not tell.

    Resource usage would not do: a child inherits its parent's peak across exec,
    so that a small program would seem as large as this one.
    """
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
    status = Path(f"/proc/{child.pid}/status")
    peak: int | None = None
    while child.poll() is None:
        try:
            found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        except OSError:
            found = None
        # Until exec has happened the name and the numbers are still the parent's.
        if found and not is_still_parent(child.pid):
            peak = int(found.group(1)) * 1024
        time.sleep(POLL_SECONDS)
    return peak if child.returncode == 0 else None


def is_still_parent(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes()
    except OSError:
        return True


def instructions(command: Command, timeout: float) -> tuple[int, str] | None:
    """Instructions that a child executed and the tool that counted them, or None."""
    for tool, count in (("perf stat", count_with_perf), ("callgrind", count_with_callgrind)):
        try:
            counted = count(command, timeout)
        except (OSError, subprocess.SubprocessError):
            counted = None
        if counted is not None:
            return counted, tool
    return None


def count_with_perf(command: Command, timeout: float) -> int | None:
    if not shutil.which("perf"):
        return None
    done = subprocess.run(
        ["perf", "stat", "-x,", "-e", "instructions:u", *command],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=timeout,
    )
    found = re.search(r"^(\d+),[^\n]*instructions", done.stderr, re.MULTILINE)
    return int(found.group(1)) if done.returncode == 0 and found else None


def count_with_callgrind(command: Command, timeout: float) -> int | None:
    if not shutil.which("valgrind"):
        return None
    if command[0].startswith(str(BUILD)):
        command = [command[0] + COUNTED, *command[1:]]
    subprocess.run([*command], capture_output=True, env=countable(), timeout=timeout, check=True)
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={os.devnull}", *command],
        capture_output=True,
        text=True,
        env=countable(),
        timeout=timeout,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if done.returncode == 0 and found else None


def wall_seconds(command: Command, repeats: int) -> list[float]:
    """Wall time of a whole process, once unmeasured to warm caches."""
    run(command)
    seconds = []
    for _ in range(repeats):
        start = time.monotonic()
        run(command)
        seconds.append(time.monotonic() - start)
    return seconds


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, lowest, highest."""
    return statistics.median(values), min(values), max(values)


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    facts = {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "compiler": run([COMPILER, "--version"]).splitlines()[0] + ", " + " ".join(FLAGS),
        "Python": platform.python_version(),
    }
    for package in ("numpy", "numba"):
        try:
            facts[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or "unknown"
    facts = {
        key: found.group(1)
        for key in ("model name", "cpu family", "model")
        if (found := re.search(rf"^{key}\s*: (.+)$", text, re.MULTILINE))
    }
    vector = next((v for v in ("avx512bw", "avx2", "sse4_2", "asimd") if v in text), "no vectors known")
    return (
        f"{facts.get('model name', 'unknown')} (family {facts.get('cpu family', '?')},"
        f" model {facts.get('model', '?')}, {vector})"
    )


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]
