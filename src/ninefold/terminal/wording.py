"""The table and errors in words: for screen readers, pipes and the line below a table."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.engine.advice import Advice
from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.model.text import Text, render
from ninefold.model.view import Card, View, Zone
from ninefold.terminal.paint import (
    PLAIN,
    face,
    is_counted,
    marks_of,
    seats_in_order,
    standing,
    status_of,
    worths,
    zones_of,
)


def error_text(error: NinefoldError, names: Sequence[str]) -> str:
    """What went wrong, with the names of the players, as a sentence."""
    if not isinstance(error, IllegalMove):
        return as_sentence(str(error))
    sentence: Text = error.sentence
    rule = f" ({error.rule})" if error.rule else ""
    return as_sentence(f"{render(sentence, names)}{rule}")


def as_sentence(text: str) -> str:
    """A text with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def hint_words(label: str, found: Advice, typed: str = "") -> str:
    """A hint as two sentences, the second without the name of the move: `It wins 23% of matches …`."""
    why = f"It{found.why.removeprefix(label)}" if found.why.startswith(label) else found.why
    return f"The hard bot would play: {typed or label}. {why}"


def describe(view: View, names: Sequence[str]) -> list[str]:
    """The table in words, a line for each thing."""
    lines = [f"{view.title}, {render(view.phase, names)}.", as_sentence(render(view.goal, names))]
    lines += [as_sentence(", ".join(worths(view, names)))]
    lines += [as_sentence(render(view.progress.label, names))] if view.progress else []
    for counter in view.counters:
        goal = "" if counter.goal is None else f" of {counter.goal:,}"
        lines.append(f"{render(counter.label, names)}: {counter.value:,}{goal}.")
    lines += [
        f"{_labelled(zone, names)}."
        for zone in view.zones
        if zone.owner is None and not is_counted(view, zone)
    ]
    others = [seat for seat in seats_in_order(view) if seat != view.seat]
    return lines + [_seat(view, seat, names) for seat in [*others, view.seat] if seat is not None]


def _seat(view: View, seat: int, names: Sequence[str]) -> str:
    player = view.seats[seat]
    who = "You" if seat == view.seat else names[seat]
    does = [standing(view, seat, names), *marks_of(player), status_of(view, player, names)]
    parts = [_labelled(zone, names) for zone in zones_of(view, seat)]
    parts += [render(player.hand, names)] if player.hand else []
    return f"{who}: {'; '.join(filter(None, [', '.join(filter(None, does)), *parts]))}."


def _labelled(zone: Zone, names: Sequence[str]) -> str:
    return f"{render(zone.label, names)}: {_contents(zone)}"


def _contents(zone: Zone) -> str:
    """What a zone holds, in words."""
    cards = zone.cards or []
    if zone.kind == "dice":
        return " and ".join(str(die) for die in zone.dice or [] if die) or "none"
    if zone.kind == "pile":
        shown = f", {' '.join(face(card, PLAIN)[0] for card in cards)}" if 0 < len(cards) <= 8 else ""
        return f"{zone.count or 0:,} card{'s' * (zone.count != 1)}{shown}"
    if zone.columns is not None:
        rows = [cards[at : at + zone.columns] for at in range(0, len(cards), zone.columns)]
        return " / ".join(" ".join(_word(card) for card in row) for row in rows)
    if not cards:
        return "none" if zone.count is None else f"{zone.count:,}"
    if all(card.card is None and not card.gap for card in cards):
        return f"{len(cards)} face down"
    return " ".join(_word(card) for card in cards)


def _word(card: Card) -> str:
    if card.gap:
        return "empty"
    return "down" if card.card is None else face(card, PLAIN)[0]
