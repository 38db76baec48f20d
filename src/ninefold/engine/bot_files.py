"""Bots from files: `my_bots.py:careful` on the command line, compiled or Python.

A file is only loaded where a person at this machine asked for it; a name that comes over the network never
loads one.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ninefold.engine.own_bots import OwnBot
from ninefold.kernel.errors import RuleError, suggest

_FORM = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)(?P<given>(:[^:]*)*)")
_modules: dict[Path, ModuleType] = {}
_bots: dict[str, Any] = {}  # by the text that means them


def read_bots(text: str) -> list[str]:
    """The bots in a comma-separated list; those from files are loaded, and then known by these texts."""
    return [admit(one.strip()) for one in text.split(",")]


def admit(text: str) -> str:
    """A bot's text; if it names a file, that is loaded, and its whole path is in the text."""
    found = _FORM.fullmatch(text)
    if not found:
        return text
    path = Path(found["file"]).expanduser().resolve()
    whole = f"{path}:{found['name']}{found['given']}"
    if whole not in _bots:
        _bots[whole] = _find(path, found["name"], found["given"].split(":")[1:])
    return whole


def known(text: str) -> Any:
    """The bot that such a text means, if it was asked for at this machine; else None."""
    return _bots.get(text)


def word_of(text: str) -> str | None:
    """The name of a bot in a file."""
    found = _FORM.fullmatch(text)
    return found["name"] if found else None


def _find(path: Path, name: str, given: list[str]) -> Any:
    module = _load(path)
    bot = getattr(module, name, None)
    if isinstance(bot, OwnBot):
        return bot.with_values(given)
    if bot is None:
        names = [key for key, value in vars(module).items() if _is_bot(value, module)]
        known_ones = suggest(name, names, "bots there") if names else "it has no bot"
        raise RuleError(f"{path.name} has no bot {name!r}; {known_ones}")
    if not _is_bot(bot, module):
        raise RuleError(
            f"{name} in {path.name} is not a bot: a bot is a function (view, moves, rng), or one with "
            f'@nf.bot("GAME") in front of it'
        )
    if given:
        raise RuleError(f"bot {name} takes no number after its name, not {':'.join(given)!r}")
    return bot


def _is_bot(value: Any, module: ModuleType) -> bool:
    """Whether a value of a module can play: a compiled bot, or a callable of its own with three arguments."""
    if isinstance(value, OwnBot):
        return True
    if not callable(value) or getattr(value, "__module__", module.__name__) != module.__name__:
        return False
    asked = value.__call__ if isinstance(value, type) else value
    try:
        inspect.signature(asked).bind(*[None] * (4 if isinstance(value, type) else 3))
    except (TypeError, ValueError):
        return False
    return True


def _load(path: Path) -> ModuleType:
    """The module in a file; it may import files beside it."""
    if path not in _modules:
        try:
            code = compile(path.read_bytes(), str(path), "exec")
        except OSError as error:
            raise RuleError(f"{path} cannot be read: {error.strerror}") from None
        except (SyntaxError, ValueError) as error:
            line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
            raise RuleError(f"{path.name}{line} is not Python: {error.args[0]}") from None
        module = ModuleType(path.stem)
        module.__file__ = str(path)
        sys.path.append(str(path.parent))
        try:
            exec(code, vars(module))
        except RuleError:
            raise
        except Exception as error:
            raise RuleError(f"{path.name} cannot be loaded: {type(error).__name__}: {error}") from error
        _modules[path] = module
    return _modules[path]
