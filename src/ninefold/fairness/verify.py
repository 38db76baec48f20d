"""Checks a record with its proof: by its own commitments, or by those that a player kept (receipts.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.engine.records import CHANCE_NAME, OtherRules, open_record, replay
from ninefold.engine.state import State
from ninefold.fairness import protocol1
from ninefold.fairness.chance import Entry, Place, digest_of, order_of, outcome_of
from ninefold.fairness.commitments import key_commitment
from ninefold.fairness.hashing import root_of_opened
from ninefold.fairness.terms import NAMES_AT_ONCE, PROTOCOLS, Terms
from ninefold.fairness.walk import Walk, final_moves
from ninefold.kernel.errors import RecordError
from ninefold.kernel.fields import CHANCE

SHAPES: dict[str, Sequence[tuple[type, ...]]] = {
    "start": [(int, str)],
    "move": [(int, str, str)],
    "draw": [(str,), (str, int), (str, str)],
    "seal": [(int, str, str)],
    "open": [(list,)],
    "roll": [(int, str)],
    "undo": [(int, int, str)],
    "promise": [(str,)],
}


OF_A_SEAT = ("start", "move", "seal", "roll", "undo")


@dataclass(frozen=True)
class Verdict:
    """The result of a check."""

    moves: int
    draws: int  # all of them: also those that were undone, and the orders of sealed moves
    checked: int  # draws that were made again and came out the same
    proved: bool  # whether the record has a proof at all
    protocol: int = 0
    hidden: int = 0  # draws of cards that were never shown
    undone: int = 0  # stretches that were undone
    undone_draws: int = 0
    people: int = 0  # seats of people at the start
    shares: int = 0  # of them, those who added tokens
    unsigned: int = 0  # moves of those people that came without a token
    unguarded: int = 0  # draws that the server could have chosen: see _Check.guarded
    over: bool = True
    table: str = ""
    match: int = 0


def verify(record: Mapping[str, Any]) -> Verdict:
    """Check a record and its proof, if it has one. RecordError names the first step that is wrong."""
    try:
        over = replay(record).over
    except OtherRules as error:
        raise RecordError(f"{error}. {_without_rules(record)}") from None
    moves = record["moves"]
    draws = sum(who == CHANCE_NAME for who, _ in moves)
    fair = record.get("fair")
    if fair is None:
        return Verdict(len(moves) - draws, draws, 0, False, over=over)
    if not isinstance(fair, Mapping):
        raise RecordError("the record's proof is broken: it is not an object")
    if "protocol" not in fair:
        made, checked, undone = protocol1.verify(record)
        return Verdict(len(moves) - draws, made, checked, True, 1, undone=undone)
    if fair["protocol"] not in PROTOCOLS:
        known = ", ".join(map(str, PROTOCOLS))
        raise RecordError(
            f"the record's proof is of protocol {fair['protocol']!r}; this version knows 1, {known}"
        )
    return _verify(record, fair)


def _without_rules(record: Mapping[str, Any]) -> str:
    """What can be said of a record without playing its moves."""
    fair = record.get("fair")
    opened = False
    if isinstance(fair, Mapping) and fair.get("protocol") in PROTOCOLS:
        try:
            opened = _check_openings(fair)
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            raise RecordError(f"the record's proof is broken: {error}") from None
    whole = "The record matches its digest" if "digest" in record else "The record has no digest"
    found = ", and what it opens is what was committed to" if opened else ""
    return f"{whole}{found}; its moves and draws can only be checked by a Ninefold with those rules"


def _check_openings(fair: Mapping[str, Any]) -> bool:
    """Check the key or the decks that a proof shows by their commitments; whether it shows any."""
    commitments = [_text(one) for one in fair["commitments"]]
    commitments += [_text(one[1]) for one in fair["journal"] if one[0] == "promise"]
    if "decks" in fair:
        return bool(_open_decks(fair["decks"], commitments))
    return bool(_shown_key(fair["key"], commitments))


def _verify(record: Mapping[str, Any], fair: Mapping[str, Any]) -> Verdict:
    state = open_record(record)
    try:
        terms, journal = read_proof(record, fair, state)
        check = _Check(state, terms, journal, fair)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise RecordError(f"the record's proof is broken: {error}") from None
    check.run()
    if not check.redaction and not check.key and (check.state.over or not state.game.facts.hidden):
        raise RecordError("the record's proof is broken: the match is over, but its key is not shown")
    played = final_moves(check.steps, journal)
    recorded = [(CHANCE if who == CHANCE_NAME else who, text) for who, text in record["moves"]]
    if played != recorded:
        at = next(
            (at for at, (one, other) in enumerate(zip(played, recorded, strict=False)) if one != other), -1
        )
        raise RecordError(f"the record's moves are not those of its proof, from step {at + 1} on")
    check.check_hidden()
    people = [one["kind"] == "person" for one in fair["seats"]]
    return Verdict(
        moves=sum(seat != CHANCE for seat, _ in played),
        draws=check.number,
        checked=check.checked,
        proved=True,
        protocol=terms.protocol,
        hidden=check.hidden,
        undone=check.undone,
        undone_draws=check.undone_draws,
        people=sum(people),
        shares=sum(bool(anchor) for anchor in terms.anchors),
        unsigned=check.unsigned,
        unguarded=check.unguarded,
        over=check.state.over,
        table=terms.table,
        match=terms.match,
    )


def read_proof(record: Mapping[str, Any], fair: Mapping[str, Any], state: State) -> tuple[Terms, list[Entry]]:
    """The terms and the journal of a proof; ValueError or the like where they make no sense."""
    seats, sealing = fair["seats"], any(entry[0] == "seal" for entry in fair["journal"])
    if len(seats) != record["players"]:
        raise ValueError("it has not as many seats as the match")
    may_be_alone = state.game.facts.realtime and not sealing
    if fair["alone"] is not False and not (fair["alone"] is True and may_be_alone):
        raise ValueError("it does not say rightly whose tokens a draw depends on")
    anchors = [_text(one["anchor"]) for one in seats]
    if any(anchor and one["kind"] != "person" for anchor, one in zip(anchors, seats, strict=True)):
        raise ValueError("only people have tokens")
    commitments = [_text(one) for one in fair["commitments"]]
    terms = Terms(
        table=_text(fair["table"]),
        match=_whole(fair["match"]),
        game=str(record["game"]),
        version=int(record["version"]),
        players=_whole(record["players"]),
        options=dict(record["options"]),
        commitments=commitments,
        anchors=anchors,
        alone=fair["alone"],
        people=[{name: one[name] for name in ("kind", "name", "bot")} for one in seats],
        protocol=_whole(fair["protocol"]),
    )
    journal = [_entry(one, len(seats)) for one in fair["journal"]]
    if not journal or [entry[0] for entry in journal].index("start") or _count(journal, "start") != 1:
        raise ValueError("its journal does not begin with the start")
    return terms, journal


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _count(journal: Sequence[Entry], kind: str) -> int:
    return sum(entry[0] == kind for entry in journal)


def _entry(one: Any, players: int) -> Entry:
    kind, *rest = one
    if tuple(type(part) for part in rest) not in SHAPES.get(kind, ()):
        raise ValueError(f"its journal has an entry {one!r:.80}")
    seats = rest[0] if kind == "open" else rest[:1] if kind in OF_A_SEAT else ()
    for seat in seats:
        if type(seat) is not int or not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat!r:.80}")
    return kind, *rest


NOT_YET = -1


class _Check(Walk):
    """Makes the draws of a recorded match again."""

    def __init__(self, state: State, terms: Terms, journal: Sequence[Entry], fair: Mapping[str, Any]) -> None:
        super().__init__(state, terms, journal)
        self.protocol = terms.protocol
        self.key = b""
        self.decks: Sequence[Mapping[int, bytes]] = []
        self.checked = self.hidden = self.unguarded = self.unsigned = 0
        self.hidden_at: set[int] = set()
        self.unseen = self.hidden_text if self.redaction else ""
        self.owing: set[int] = set()  # seats that have undone a move and added no token since
        self.invented: int | None = None  # since an undone move without a token: the tokens at the next draw
        commitments = [*terms.commitments, *(entry[1] for entry in journal if entry[0] == "promise")]
        self.promised = [-1] * len(terms.commitments)  # by commitment: how many tokens there were
        if self.redaction:
            self.decks = _open_decks(fair["decks"], commitments)
        else:
            self.key = _shown_key(fair["key"], commitments)

    def _take(self, kind: str, *rest: Any) -> None:
        tokens = self.draws.tokens
        if kind == "promise":
            self.promised.append(tokens.added)
        elif kind == "undo" and 0 <= rest[1] < len(self.steps):
            if self.steps[rest[1]][2] in self.signed:
                self.owing.add(rest[0])
            else:
                self.invented = NOT_YET
        heads = tokens.heads
        super()._take(kind, *rest)
        if kind == ("seal" if self.sealing else "move") and heads[rest[0]] and tokens.heads == heads:
            self.unsigned += 1
        self.owing -= {seat for seat in self.owing if tokens.heads[seat] != heads[seat]}

    def guarded(self, deck: int = 0) -> bool:
        """Whether the server could not choose the draw at hand: people's tokens came after what was committed
        to, and it did not come after an undo that the server could have invented.

        A move that was undone and brought its player's token was really made; the next token of that player
        shows that it was undone. After any other undo, a draw has to be known before the next token comes.
        """
        added = self.draws.tokens.added
        if self.invented == NOT_YET:
            self.invented = added
        elif self.invented is not None and added > self.invented:
            self.invented = None
        undone = self.invented is not None or bool(self.owing)
        if self.protocol == NAMES_AT_ONCE and self.draws.tokens.opening:
            return False  # it could try other names for its bots
        return bool(any(self.draws.tokens.heads)) and added > self.promised[deck] and not undone

    def drawn(self, text: str, place: Place | None) -> None:
        if place is None and not self.key:
            self.hidden += 1
            return
        if place is None:
            self.unguarded += not self.guarded()
            action = outcome_of(self.state, digest_of(self.key, self.source), self.draws.numbered)
        else:
            deck, at = place
            if deck.number >= min(len(self.decks), len(self.promised)):
                raise self.error("its deck was not committed to")
            self.unguarded += not self.guarded(deck.number)
            content = self.decks[deck.number].get(at)
            if content is None and text != self.unseen:
                raise self.error(f"{text} is recorded, but its place is not opened")
            if content is None:
                self.hidden += 1
                self.hidden_at.add(self.at)
                return
            try:
                action = deck.card(content)
            except ValueError as error:
                raise self.error(str(error)) from None
        drawn = self.state.format(CHANCE, action)
        if drawn != text:
            raise self.error(f"{text} was recorded, but what was committed to draws {drawn}")
        self.checked += 1

    def ordered(self, order: Sequence[int]) -> None:
        if not self.key:
            self.hidden += 1
            return
        if order != order_of(order, digest_of(self.key, self.draws.source_of_order(self.number))):
            raise self.error("the sealed moves were not opened in the order that was drawn")
        self.checked += 1

    def check_hidden(self) -> None:
        """A card may be hidden only where nobody had to show it."""
        for at in sorted(self.hidden_at):
            text = self.journal[at][1]
            if at in self.shown:
                self.at = at
                raise self.error(f"{text} was shown, but its place is not opened")


def _shown_key(shown: str, commitments: Sequence[str]) -> bytes:
    key = bytes.fromhex(shown)
    if len(commitments) != 1 or (key and list(commitments) != [key_commitment(key)]):
        raise ValueError("its key is not the one that was committed to")
    return key


def _open_decks(decks: Sequence[Mapping[str, Any]], commitments: Sequence[str]) -> list[dict[int, bytes]]:
    if len(commitments) < len(decks):
        raise ValueError("it opens decks that nothing was committed to")
    return [_open_deck(one, root) for one, root in zip(decks, commitments, strict=False)]


def _open_deck(one: Mapping[str, Any], root: str) -> dict[int, bytes]:
    opened = {int(place): bytes.fromhex(content) for place, content in one["open"].items()}
    if root_of_opened(opened, one["closed"]) != root:
        raise ValueError("an opened deck is not the one that was committed to")
    return opened
