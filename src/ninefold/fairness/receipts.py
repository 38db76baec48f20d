"""What a player keeps of a match as it happens, and its comparison with the record afterwards.

A record alone could have been made up later. A player's page or program notes the commitments when they
arrive, each together with how many of its own tokens it had given away by then, what is played by whom when
the match begins, and every command of its own that was answered. The record must tell the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ninefold.fairness.hashing import link
from ninefold.fairness.terms import PROTOCOLS
from ninefold.kernel.errors import RecordError

FORMAT = "ninefold receipts 1"
UNKNOWN = "?"  # a card that the player may not know, or a place without one
BEFORE_ALL = -1  # no token was given away yet, not even the anchor
OWN = ("start", "move", "seal", "roll")  # entries of a journal that bring a token


@dataclass
class Receipts:
    """What one player kept of one match."""

    table: str
    match: int
    seat: int
    anchor: str = ""
    shared: bool = False  # whether the server confirmed the anchor before the match
    protocol: int = 0  # that the table promised to use, or a later one; 0 if it said nothing
    commitments: list[tuple[str, int]] = field(default_factory=list)  # and the last token given away before
    begun: dict[str, Any] | None = None  # the game, its options and who sat where, when the match began
    sent: list[tuple[str, str, str]] = field(default_factory=list)  # kind, text and id of answered commands
    # What the player saw, with the event and how many commands had been sent by then: cards by zone, where
    # they had changed, and dice in the order they fell.
    shown: list[tuple[int, int, dict[str, str]]] = field(default_factory=list)
    rolled: list[tuple[int, int, str]] = field(default_factory=list)
    undone: int = 0  # undos that the table announced; -1 for one who came late
    scores: list[int] | None = None  # at the end, as the player saw them

    def as_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}


@dataclass(frozen=True)
class Comparison:
    """What was compared, and found the same."""

    commitments: int
    commands: int
    draws: int
    guarded: int  # draws committed to before the player gave the last token that they depend on
    contributed: bool  # whether the player's tokens are in the draws
    unsent: int = (
        0  # moves of the player's seat that were made by a clock, a stand-in, an order, or the server
    )
    shown: int = 0  # rolls, and changes of the cards that the player saw


def read(found: Mapping[str, Any]) -> Receipts:
    """Receipts from a file; RecordError if it is something else."""
    try:
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']!r}")
        shown = found.get("shown", ())
        return Receipts(
            table=str(found["table"]),
            match=int(found["match"]),
            seat=int(found["seat"]),
            anchor=str(found["anchor"]),
            shared=bool(found["shared"]),
            protocol=int(found.get("protocol", 0)),
            commitments=[(str(root), int(number)) for root, number in found["commitments"]],
            begun=found.get("begun"),
            sent=[(str(kind), str(text), str(command)) for kind, text, command in found["sent"]],
            shown=[
                (int(at), int(sent), {str(one): str(zones[one]) for one in zones})
                for at, sent, zones in shown
            ],
            rolled=[(int(at), int(sent), str(roll)) for at, sent, roll in found.get("rolled", ())],
            undone=int(found["undone"]),
            scores=None if (scores := found.get("scores")) is None else [int(score) for score in scores],
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"this is not what a player kept of a match: {error}") from None


def compare(record: Mapping[str, Any], kept: Receipts) -> Comparison:
    """Compare a record that has been verified with what a player kept; RecordError says what differs."""
    fair = record.get("fair")
    if not isinstance(fair, Mapping) or fair.get("protocol") not in PROTOCOLS:
        raise RecordError("the record has no proof that could be compared with what a player kept")
    if (fair["table"], fair["match"]) != (kept.table, kept.match):
        raise RecordError(
            f"the record is of match {fair['match']} at table {fair['table']}, but what was kept is of match "
            f"{kept.match} at table {kept.table}"
        )
    if fair["protocol"] < kept.protocol:
        raise RecordError(
            f"the record's draws were made by protocol {fair['protocol']}, which proves less than protocol "
            f"{kept.protocol}, which the table had promised"
        )
    journal = fair["journal"]
    roots = [*fair["commitments"], *(entry[1] for entry in journal if entry[0] == "promise")]
    seen = [root for root, _ in kept.commitments]
    if roots[: len(seen)] != seen[: len(roots)]:
        raise RecordError("the record's commitments are not those that were published before")
    if not -1 <= kept.seat < len(fair["seats"]):
        raise RecordError(f"the match has no seat {kept.seat}")
    anchor = fair["seats"][kept.seat]["anchor"] if kept.seat >= 0 else ""
    if kept.shared and anchor != kept.anchor:
        raise RecordError(f"the record leaves out what seat {kept.seat} added to the draws")
    if kept.begun is not None and kept.begun != begun(record, fair["seats"]):
        raise RecordError("the record is of other players or another game than the player saw")
    cut = record.get("over") is False  # a match that was cut short may end before what was interrupted
    _compare_commands(journal, kept, cut)
    undone = sum(entry[0] == "undo" for entry in journal)
    if kept.undone not in (-1, undone) and not (cut and kept.undone > undone):
        raise RecordError(
            f"the record tells of {undone} undone stretches, but the table heard of {kept.undone}"
        )
    if kept.scores is not None and record.get("scores") != kept.scores:
        raise RecordError(
            f"the record ends with the scores {record.get('scores')!r}, but the player saw {kept.scores!r}"
        )
    _compare_shown(record, kept)
    mine = bool(kept.anchor) and anchor == kept.anchor
    draws = sum(entry[0] in ("draw", "open") for entry in journal)
    guarded = _guarded(journal, kept) if mine else 0
    sent = {command for _, _, command in kept.sent}
    kind = "seal" if any(entry[0] == "seal" for entry in journal) else "move"
    unsent = sum(entry[:2] == [kind, kept.seat] and entry[3] not in sent for entry in journal)
    looks = len(kept.shown) + len(kept.rolled) if kept.undone >= 0 else 0
    return Comparison(min(len(roots), len(seen)), len(kept.sent), draws, guarded, mine, unsent, looks)


def begun(table: Mapping[str, Any], seats: Any) -> dict[str, Any]:
    """What is played by whom, as a table or a record tells it."""
    who = [[one["kind"], one["name"], one["bot"]] for one in seats]
    return {"game": table["game"], "options": table["options"], "seats": who}


def faces_of(zones: Iterable[Any]) -> dict[str, str]:
    """The cards of all zones in which some are known; zones are those of messages, as JSON."""
    found = {zone["id"]: faces(one["card"] for one in zone["cards"]) for zone in zones if zone.get("cards")}
    return {zone: cards for zone, cards in found.items() if cards}


def faces(cards: Iterable[str | None]) -> str:
    """Cards as they are kept: nothing if all are unknown."""
    shown = [card or UNKNOWN for card in cards]
    return " ".join(shown) if set(shown) - {UNKNOWN} else ""


def _compare_shown(record: Mapping[str, Any], kept: Receipts) -> None:
    """The player saw the dice and cards of the record; not compared for one who came late, whose seat may
    have been another's."""
    if kept.undone < 0 or not (kept.shown or kept.rolled):
        return
    from ninefold.fairness.shown import check_shown  # it plays the match again, which needs the games

    seat = kept.seat if kept.seat >= 0 else None
    known = float("inf")
    if record.get("over") is False:
        there = {entry[-1] for entry in record["fair"]["journal"] if entry[0] in OWN}
        known = sum(command in there for _, _, command in kept.sent) - 1
    check_shown(record, seat, kept.shown, kept.rolled, known)


def _compare_commands(journal: Any, kept: Receipts, cut: bool) -> None:
    """All commands that were answered are in the journal, as they were sent and in that order; of a match
    that was cut short, those up to where the record ends."""
    made: dict[str, tuple[int, Any]] = {}  # by id: where a command is in the journal, first as it was sealed
    for at, entry in enumerate(journal):
        if entry[0] in OWN and entry[-1]:
            made.setdefault(entry[-1], (at, entry))
    last = -1
    sent = list(kept.sent)
    while cut and sent and sent[-1][-1] not in made:
        sent.pop()
    for kind, text, command in sent:
        at, entry = made.get(command, (-1, None))
        if entry is None or entry[1] != kept.seat or (text and _words(str(entry[2])) != _words(text)):
            raise RecordError(f"seat {kept.seat} sent {text or kind}, and the record tells something else")
        if at < last:
            raise RecordError(f"the record has the moves of seat {kept.seat} in another order")
        last = at


def _words(text: str) -> list[str]:
    """A move without the order of its cards, which a player may have chosen differently."""
    return sorted(text.lower().split())


def _guarded(journal: Any, kept: Receipts) -> int:
    """The draws whose commitment the player had before giving a token that they depend on."""
    head, given, guarded = kept.anchor, 0, 0
    for kind, *rest in journal:
        if kind in OWN and rest[0] == kept.seat and rest[-1] and link(rest[-1]) == head:
            head, given = rest[-1], given + 1
        elif kind in ("draw", "open"):
            of = rest[1] if len(rest) > 1 and kind == "draw" and isinstance(rest[1], int) else 0
            guarded += of < len(kept.commitments) and kept.commitments[of][1] < given
    return guarded
