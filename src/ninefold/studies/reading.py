"""Reads a study back from its JSON: what is written about a study needs nothing else."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from ninefold.kernel.errors import NinefoldError
from ninefold.studies.report import Study


def read(path: str | Path) -> Study:
    """The study in a file that `Study.save` wrote."""
    try:
        return study_of(json.loads(Path(path).read_text("utf-8")))
    except OSError as error:
        raise NinefoldError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NinefoldError(f"{path} has no study of this version of Ninefold") from None


def study_of(found: Mapping[str, Any]) -> Study:
    """The opposite of `Study.to_dict`."""
    made = _made(Study, found)
    assert isinstance(made, Study)
    return made


def _made(kind: Any, value: Any) -> Any:
    """A value of this type from plain values."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None else _made(next(one for one in inner if one is not type(None)), value)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{one.name: _made(hints[one.name], value[one.name]) for one in fields(kind)})  # type: ignore[operator]
    if origin is list:
        return [_made(inner[0], one) for one in value]
    if origin is tuple:
        kinds = inner[:1] * len(value) if inner[-1] is ... else inner
        return tuple(_made(of, one) for of, one in zip(kinds, value, strict=True))
    if origin is dict:
        return {key: _made(inner[1], one) for key, one in value.items()}
    if kind is float:
        return math.nan if value is None else float(value)
    return value
