"""The table of `expert`'s strategy, which training.py wrote to blueprint.npz."""

from __future__ import annotations

import hashlib
import io
from importlib import resources
from typing import Any

import numpy as np

# training.py writes this hash too, so that kernels compiled with another table are compiled again.
FILE = "blueprint.npz"
SHA256 = "5f7f947330227817dd74ee3ba464845822a20fb6dbf1f2b6a4b918404f4cac10"


def content() -> bytes:
    """The file as it was shipped; refused if it is another."""
    found = resources.files(__package__).joinpath(FILE).read_bytes()
    if hashlib.sha256(found).hexdigest() != SHA256:
        raise ImportError(f"{FILE} does not belong to this version of Ninefold: install it again")
    return found


_file = np.load(io.BytesIO(content()))
FLOPS: Any = _file["flops"]  # the bucket of every hand on every flop, by the flop's place
TURNS: Any = _file["turns"]
RIVERS: Any = _file["rivers"]  # the edges of the river's buckets
CELLS: Any = _file["cells"].astype(np.int32)  # by situation: its first cell
PASSIVE: Any = _file["passive"]  # the weights of the first and of the other actions, by cell
ACTIVE: Any = _file["active"]
TABLE: Any = (CELLS, PASSIVE, ACTIVE)
