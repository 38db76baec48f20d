"""Where Ninefold keeps its files: $NINEFOLD_DATA, or the user's data folder.

Compiled code is kept elsewhere (kernel/compile.py): it is a cache, and may be deleted at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

from ninefold.kernel.errors import RuleError


def data_folder(part: str = "") -> Path:
    """The folder for Ninefold's data, or a part of it such as `matches`. It need not exist yet."""
    if chosen := os.environ.get("NINEFOLD_DATA"):
        return Path(chosen) / part
    home = os.environ.get("XDG_DATA_HOME")
    try:
        base = Path(home) if home else Path.home() / ".local" / "share"
    except RuntimeError:
        raise RuleError("there is no home folder to keep data in; set NINEFOLD_DATA to a folder") from None
    return base / "ninefold" / part
