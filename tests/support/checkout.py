"""A copy of the source tree, in which commands are run as a person would run them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import ninefold
from support.serving import free_port

ROOT = Path(ninefold.__file__).resolve().parents[2]
COPIED = ("src", "tests", "pyproject.toml", "CONTRIBUTING.md")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules")
WAIT = 60.0  # seconds for one command, on a machine that does something else as well


class Checkout:
    """Such a copy, with data folders of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "ninefold"
        self.folder.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.folder / name, ignore=LEFT_OUT)
            else:
                shutil.copyfile(ROOT / name, self.folder / name)
        home = {"NINEFOLD_DATA": str(folder / "data"), "XDG_DATA_HOME": str(folder / "data")}
        self.environment = {
            **os.environ,
            "PYTHONPATH": f"{self.folder / 'src'}:{self.folder / 'tests'}",
            **home,
        }

    def command(self, words: list[str]) -> list[str]:
        """A command of CONTRIBUTING.md, with this Python and without make."""
        python = [sys.executable, "-m"]
        if words[:2] == ["make", "golden"]:
            return [*python, "support.golden", *(word.removeprefix("GAME=") for word in words[2:])]
        if words[:2] == ["python", "-m"]:
            return [*python, *words[2:]]
        assert words[0] == "ninefold", words
        return [*python, *words]

    def run(self, words: list[str], typed: str = "") -> str:
        done = subprocess.run(
            self.command(words),
            cwd=self.folder,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=WAIT,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The address of a server that runs from this copy."""
        port = free_port()
        server = subprocess.Popen(
            [*self.command(["ninefold", "serve"]), "--port", str(port)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url, server)
            yield url
        finally:
            server.terminate()
            server.wait(WAIT)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + WAIT
    while True:
        try:
            with urlopen(f"{url}/readyz", timeout=WAIT):
                return
        except (URLError, OSError):
            assert server.poll() is None and time.monotonic() < end, "the server does not start"
            time.sleep(0.1)
