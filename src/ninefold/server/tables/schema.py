"""The schema that the browser client's types are generated from.

`python -m ninefold.server.tables.schema` writes it; `make client` puts it into client/src/lib/schema.json.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from ninefold.model.howto import HowToPart
from ninefold.model.schema import components, tidy
from ninefold.model.text import Text
from ninefold.model.view import Mark, Offer, Status
from ninefold.server.tables.messages import INBOUND, OUTBOUND, Inbound, Outbound, Sheet

REF = "#/$defs/{name}"
UNIONS: dict[str, Any] = {
    "Text": Text,
    "Offer": Offer,
    "Status": Status,
    "Mark": Mark,
    "HowToPart": HowToPart,
    "Inbound": Inbound,
    "Outbound": Outbound,
}


def schema() -> dict[str, Any]:
    """All messages between client and server, and named unions of them."""
    sent = [kind for kind in INBOUND if kind is not Sheet]  # the score card belongs to one game
    _, inbound = msgspec.json.schema_components(sent, ref_template=REF)
    tidy(inbound)
    unions, _ = msgspec.json.schema_components(list(UNIONS.values()), ref_template=REF)
    named = dict(zip(UNIONS, unions, strict=True))
    return {"title": "Ninefold", "$defs": {**components(OUTBOUND, REF), **inbound, **named}}


def text() -> str:
    """The schema as it is checked in."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
