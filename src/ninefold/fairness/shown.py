"""What a player was shown: the faces of cards and the dice, kept as they came and compared with the record.

A record may have other cards than those that a server showed. So a player keeps what came, and afterwards
the match is played again from its journal, undone stretches too, and has to show that seat the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ninefold.engine.records import open_record
from ninefold.fairness.receipts import faces
from ninefold.fairness.verify import read_proof
from ninefold.fairness.walk import Walk
from ninefold.kernel.errors import RecordError

Cards = dict[str, str]  # by zone


def check_shown(
    record: Mapping[str, Any],
    seat: int | None,
    shown: Iterable[tuple[int, int, Cards]],
    rolled: Iterable[tuple[int, int, str]],
    known: float,
) -> None:
    """Check all that a player saw; RecordError if the record differs.

    Each sight comes with its event and the number of commands of the player by then; `shown` has the zones
    that changed. A record that was cut short may end before the last sights: those after `known` commands.
    """
    walk = _Seen(record, seat)
    walk.run()
    rest = iter(walk.rolls)
    for _, sent, roll in rolled:
        if roll not in rest and sent < known:  # takes all before it
            raise RecordError(f"the player was shown a roll that the record does not have there: {roll}")
    at, seen = 0, Cards()
    for _, sent, changed in shown:
        seen = {zone: cards for zone, cards in {**seen, **changed}.items() if cards}
        while at < len(walk.scenes) and not _same(seen, walk.scenes[at], walk.own):
            at += 1
        if at == len(walk.scenes) and sent < known:
            raise RecordError(
                f"the player was shown cards that the record does not have: {_described(changed)}"
            )


def _described(changed: Cards) -> str:
    return "; ".join(f"{cards} in {zone}" for zone, cards in changed.items() if cards)


def _same(seen: Cards, scene: Mapping[str, Sequence[str | None]], own: frozenset[str]) -> bool:
    """Whether a moment of the record shows what the player saw. Of the player's own cards, those that were
    never shown to others have no face in the record, and are gone there once they are folded."""
    if not seen.keys() <= scene.keys() | own:
        return False
    for zone, cards in scene.items():
        recorded = faces(cards)
        kept = seen.get(zone, "")
        if kept == recorded:
            continue
        words = kept.split()
        if zone not in own or len(words) != len(cards):
            return False
        if any(card is not None and card != word for card, word in zip(cards, words, strict=True)):
            return False
    return True


class _Seen(Walk):
    """A match as one viewer saw it, moment by moment."""

    def __init__(self, record: Mapping[str, Any], viewer: int | None) -> None:
        state = open_record(record)
        super().__init__(state, *read_proof(record, record["fair"], state))
        self.viewer = viewer
        self.own: frozenset[str] = frozenset()
        self.scenes: list[dict[str, list[str | None]]] = []
        self.rolls: list[str] = []
        self._note_scene()

    def _take(self, kind: str, *rest: Any) -> None:
        super()._take(kind, *rest)
        if kind == "draw" and rest[0].startswith("roll "):
            self.rolls.append(rest[0].removeprefix("roll "))
        if kind in ("draw", "move", "undo"):
            self._note_scene()

    def _note_scene(self) -> None:
        zones = [zone for zone in self.state.scene(self.viewer).zones if zone.cards]
        self.scenes.append({zone.id: [one.card for one in zone.cards or ()] for zone in zones})
        if self.redaction and self.viewer is not None:
            self.own |= {zone.id for zone in zones if zone.owner == self.viewer}
