"""What `ninefold verify` says: what was checked, against what, and what could not be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ninefold.fairness.receipts import Comparison
from ninefold.fairness.terms import BY_NUMBER, NAMES_AT_ONCE
from ninefold.fairness.verify import Verdict

OF_BEFORE = ("moves", "draws", "checked", "proved")  # all there is to say of records of protocol 1


def facts(found: Verdict, compared: Comparison | None) -> dict[str, Any]:
    """The same for programs."""
    fields = asdict(found)
    if found.protocol < 2:
        return {name: fields[name] for name in OF_BEFORE}
    return fields | {"compared": asdict(compared) if compared else None}


def lines(found: Verdict, compared: Comparison | None) -> Iterator[str]:
    """The verdict in sentences."""
    if not found.proved:
        yield _complete(found.moves, found.draws, found.over)
        yield "It contains no proof of its draws."
    elif found.protocol == 1:
        yield from _first_protocol(found)
    else:
        yield from _second_protocol(found)
        yield from _compared(compared)


def _complete(moves: int, draws: int, over: bool = True) -> str:
    if not over:
        return f"The match was not played to its end: {_many(moves, 'move')} and {_many(draws, 'draw')}."
    return f"The record is complete: {_many(moves, 'move')} and {_many(draws, 'draw')} lead to its result."


def _many(number: int, what: str, plural: str = "") -> str:
    return f"{number:,} {what if number == 1 else plural or what + 's'}"


def _first_protocol(found: Verdict) -> Iterator[str]:
    yield _complete(found.moves, found.draws)
    yield f"{found.checked:,} of {_many(found.draws, 'draw')} fit the keys that the record shows."
    if found.checked < found.draws:
        yield f"{found.draws - found.checked:,} cannot be checked: their deck had cards never shown."
    if found.undone:
        yield f"{_many(found.undone, 'stretch was', 'stretches were')} undone, which cannot be checked."
    yield "This does not prove that nobody chose them: it is a record of the first protocol, in which the"
    yield "server could choose the first deal, the draws after a bot's move and, by undoing moves, any other."


def _second_protocol(found: Verdict) -> Iterator[str]:
    yield f"Match {found.match} at table {found.table or 'without a code'}."
    yield _complete(found.moves, found.draws - found.undone_draws, found.over)
    if found.undone:
        what = "1 stretch was" if found.undone == 1 else f"{found.undone:,} stretches were"
        yield f"{what} undone, with {_many(found.undone_draws, 'draw')}, which were checked, too."
    yield _fitting(found)
    if found.hidden and not found.checked:
        yield "The match was cut short, and its key stays secret, with the hands that were not shown."
    elif found.hidden:
        yield f"{_many(found.hidden, 'card')} cannot be checked: nobody ever showed {_them(found.hidden)}."
    yield f"Of {_many(found.people, 'person', 'people')}, {found.shares:,} added to the draws."
    if found.unsigned:
        yield f"{_many(found.unsigned, 'move')} of theirs came without a number: clocks, stand-ins,"
        yield "and orders that stand, make such moves; a player's own device can tell which it made itself."
    if not found.shares:
        yield "So the server could have chosen them."
    elif found.unguarded:
        yield f"The server could have chosen {_many(found.unguarded, 'draw')}: nobody but bots had moved for"
        yield "a long time, or they came after an undo that no player's number confirms."
        if found.protocol == NAMES_AT_ONCE:
            yield "In this record's protocol they can also be those before the first move of a person."
    if found.shares and found.protocol <= BY_NUMBER:
        yield "In this record's protocol draws were numbered: where bots decide how many come before another,"
        yield "as at the end of a round, the server could have chosen among a few."


def _fitting(found: Verdict) -> str:
    if found.checked == found.draws:
        return f"Every draw is the one promised beforehand: {found.checked:,} of {found.draws:,} checked."
    return f"{found.checked:,} of {found.draws:,} draws are the ones promised beforehand."


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def _compared(compared: Comparison | None) -> Iterator[str]:
    if compared is None:
        yield "This was checked against the record's own commitments; with --commitments FILE it is checked"
        yield "against those that a player kept during the match."
        return
    yield f"All {_many(compared.commitments, 'commitment')} are those that the player kept,"
    yield f"and all {_many(compared.commands, 'command')} of the player are in the record as they were sent."
    if compared.shown:
        yield f"The dice and cards that the player saw, in {_many(compared.shown, 'step')}, are the record's."
    else:
        yield "What the player saw of dice and cards was not kept, and is not compared."
    if compared.unsent:
        yield f"{_many(compared.unsent, 'move')} of this seat were not sent by what the player kept."
    if not compared.contributed:
        yield "The player's own numbers are not part of the draws."
        return
    yield f"{compared.guarded:,} of {compared.draws:,} draws depend on a number that the player gave only"
    yield "after the commitment had arrived."
