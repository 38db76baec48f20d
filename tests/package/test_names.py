"""The fixed public names stay what they are, whatever has been imported before."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["games", "make", "replay", "simulate", "doubles"])
def test_no_module_hides_a_public_name(name: str) -> None:
    script = (
        "import importlib, pkgutil, ninefold as nf\n"
        "for found in pkgutil.walk_packages(nf.__path__, 'ninefold.'):\n"
        "    if found.name.endswith(('__main__', 'migrations.env')): continue\n"
        "    importlib.import_module(found.name)\n"
        f"value = nf.{name}\n"
        f"assert callable(value) if {name!r} != 'doubles' else callable(value.roll)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
