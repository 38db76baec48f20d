"""Compiled or interpreted: what the tests of both modes share."""

from __future__ import annotations

import os
import subprocess
import sys

from ninefold.kernel.compile import COMPILED

FULL = COMPILED  # interpreted, the sampling tests run at a fraction of their size


def run_python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints that finds the same modules; a warning there is an error too."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
