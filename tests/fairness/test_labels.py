"""Labels of draws: within a match, no two draws are made from the same label and the same tokens.

Two that were would have the same outcome for the same weights. The label of a draw on an occasion that the
rules fix is unique even whatever the tokens are.
"""

from __future__ import annotations

from collections import Counter

import pytest

import ninefold as nf
from ninefold.fairness.chance import Draws, Source
from support.promises import Sitting

MATCHES = 6
STEPS = 400


@pytest.mark.parametrize("undo", [0.0, 0.1], ids=["straight", "with undos"])
@pytest.mark.parametrize("game", nf.games())
def test_the_labels_of_a_match_are_unique(game: str, undo: float, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Source] = []
    make, take = Draws.source, Draws.drew

    def note(self: Draws, position: object, number: int) -> object:
        found = make(self, position, number)
        if self.redaction:
            place = self.next_card(position, number)
            label = f"deck {self.undos} {place.deck.number} {place.deck.dealt}".encode()
            found = Source(label, found.pot)
        drawn.append(found)
        return take(self, position, number)

    monkeypatch.setattr(Draws, "drew", note)
    for seed in range(MATCHES):
        drawn.clear()
        Sitting(game, seed, bots=seed % 2).play(STEPS, undo)
        twice = [one for one, times in Counter(drawn).items() if times > 1]
        assert drawn and not twice, twice[:3]
        fixed = Counter(one.label for one in drawn if one.label.startswith((b"part", b"deck")))
        assert not [label for label, times in fixed.items() if times > 1]
