"""JSON Schemas of the table model, for /openapi.json and for the types of other languages.

Describes what is sent, not what is accepted: a field is required if it is always there. Pure; knows no server
and no client.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct, structs

from ninefold.model import cast, events, howto, lessons, sheet, text, view

REF = "#/components/schemas/{name}"


def structs_of(module: ModuleType) -> list[type[Struct]]:
    """The structs that a module defines, in their order."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    return [kind for kind in kinds if kind.__module__ == module.__name__]


MODEL: tuple[type[Struct], ...] = (
    *(text.Message, view.Card, view.Zone, view.Counter, view.Group, view.Worth, view.SeatView),
    *(view.Scene, view.View, view.Button, view.Choice, view.Selection, view.Preset, view.Number, view.Order),
    *(events.Event, events.Movement, events.Changes, events.Beat, events.Highlight),
    *(sheet.GameSheet, sheet.OptionSchema, sheet.BotSheet, cast.CharacterSheet),
    *(howto.HowToText, howto.HowToPicture, howto.PictureRow, howto.RulesPage),
    *(lessons.LessonPage, lessons.LessonAnswer, lessons.LessonMove),
)


def components(more: Sequence[type[Struct]] = (), ref: str = REF) -> dict[str, Any]:
    """The schemas of the table model and of `more` structs built on it, by name."""
    kinds = {kind.__name__: kind for kind in (*MODEL, *more)}
    _, found = msgspec.json.schema_components(list(kinds.values()), ref_template=ref)
    missing = [name for name in found if name not in kinds]
    if missing:
        raise TypeError(f"used but not listed in the schema: {', '.join(missing)}")
    for name, schema in found.items():
        schema["required"] = [field for field in schema["properties"] if field in _always_sent(kinds[name])]
    tidy(found)
    return found


def _always_sent(kind: type[Struct]) -> set[str]:
    """The fields that every message of a kind has, by their names in JSON."""
    config = kind.__struct_config__
    names = {
        field.encode_name
        for field in structs.fields(kind)
        if field.required or not (config.omit_defaults or field.default is msgspec.UNSET)
    }
    return names | {config.tag_field} if config.tag_field else names


def tidy(schema: Any) -> None:
    """Let objects without named fields have any fields, and remove the indent of descriptions."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" not in schema:
            schema.setdefault("additionalProperties", True)
        if isinstance(schema.get("description"), str):
            schema["description"] = cleandoc(schema["description"])
        for part in list(schema.values()):
            tidy(part)
    elif isinstance(schema, list):
        for part in schema:
            tidy(part)
