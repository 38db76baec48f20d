"""The fixed public names stay what they are, whatever has been imported before."""

from __future__ import annotations

import subprocess
import sys


def test_no_module_hides_a_public_name() -> None:
    script = (
        "import importlib, pkgutil, ninefold as nf\n"
        "for found in pkgutil.walk_packages(nf.__path__, 'ninefold.'):\n"
        "    if found.name.endswith(('__main__', 'migrations.env')): continue\n"
        "    importlib.import_module(found.name)\n"
        "assert all(map(callable, (nf.games, nf.make, nf.replay, nf.simulate, nf.doubles.roll)))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
