"""The table model: what a seat sees, as plain data that every client can draw without knowing the game.

A view holds zones (cards, dice, grids, piles), counters, seats, offers (the moves as buttons, card
selections or a number) and standing orders. Games build it from these few makers; values are JSON-able.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Part = dict[str, Any]
View = dict[str, Any]
Event = dict[str, Any]


def card(text: str | None, up: bool = True) -> Part:
    """A card in a zone; `text` is None where the viewer may not know it."""
    return {"card": text, "up": up}


def gap() -> Part:
    """A place of a grid or row that is empty for good."""
    return {"card": None, "up": True, "gap": True}


def zone(name: str, kind: str, label: str, owner: int | None = None, **content: Any) -> Part:
    """A place on the table. Kinds: hand, row, grid (with `columns`), pile (with `count`), dice, chips."""
    return {"id": name, "kind": kind, "label": label, "owner": owner, **content}


def counter(name: str, label: str, value: int, goal: int | None = None) -> Part:
    """A number everybody watches; `goal` is where it tops out, if it does."""
    return {"id": name, "label": label, "value": value, "goal": goal}


def button(move: str, label: str, key: str = "", hint: str = "") -> Part:
    """A move that is one press; `key` is the letter for keyboards."""
    return {"kind": "button", "move": move, "label": label, "key": key, "hint": hint}


def selection(
    verb: str, label: str, zone_name: str, choices: Sequence[Part], alike: bool = False, **content: Any
) -> Part:
    """Moves made by picking cards of a zone; each choice is {"move": text, "cards": places in the zone}.

    With `alike`, cards that look the same are the same: any of them may be picked in place of another. The
    same cards may be picked for several verbs; `content` says more of one, such as the `seat` it is for.
    """
    return {
        "kind": "cards",
        "verb": verb,
        "label": label,
        "zone": zone_name,
        "choices": list(choices),
        "alike": alike,
        **content,
    }


def number(verb: str, label: str, low: int, high: int, step: int = 1) -> Part:
    """A move with a number in it: the text is `verb N`."""
    return {"kind": "number", "verb": verb, "label": label, "low": low, "high": high, "step": step}


def order(
    name: str,
    label: str,
    move: str,
    until: tuple[str, int | None],
    then: str | None = None,
    ask: Part | None = None,
) -> Part:
    """A standing order: play `move` while a counter is below a bound, then `then` (or ask the person).

    `until` is (counter, bound); a bound of None is the number that `ask` lets the person choose.
    """
    return {
        "id": name,
        "label": label,
        "move": move,
        "counter": until[0],
        "below": until[1],
        "then": then,
        "ask": ask,
    }


def obey(standing: Part, view: View, chosen: int | None = None) -> str | None:
    """The move a standing order makes in this view, or None where it is the person's turn to think."""
    bound = standing["below"] if standing["below"] is not None else chosen
    if bound is None:
        return None
    value = next(part["value"] for part in view["counters"] if part["id"] == standing["counter"])
    move: str | None = standing["move"] if value < bound else standing["then"]
    offered = {part["move"] for part in view["offers"] if part["kind"] == "button"}
    return move if move in offered else None


def event(kind: str, text: str, seat: int | None = None, **content: Any) -> Event:
    """Something that happened, told in one sentence; `content` feeds animation (zones, cards, dice).

    With `quiet=True` it is one of many alike that a later event sums up: logs of words leave it out.
    """
    return {"kind": kind, "text": text, "seat": seat, **content}


def listing(words: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
