"""What a player was shown is what the record has: a server cannot show one thing and prove another."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import ninefold as nf
from ninefold.fairness.receipts import Receipts, compare, read
from ninefold.fairness.verify import verify
from support.promises import OPTIONS, Sitting, kept_of

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
GAMES: list[tuple[str, dict[str, Any]]] = [(game, {}) for game in nf.games()]
GAMES += [("nine_of_a_kind", {"players": 5, "bots": 2, "pulse": True}), ("doubles", {"rounds": "2-5"})]


def watched(game: str, seed: int, lie: Callable[[str], str] = str, **options: Any) -> Sitting:
    chosen = {**OPTIONS.get(game, {}), **options}
    sitting = Sitting(game, seed, watching=(0, None), lie=lie, **chosen)
    return sitting.play(200, undo=0.0 if game == "nine_of_a_kind" else 0.06)


def again(kept: Receipts) -> Receipts:
    """As it comes out of a file."""
    return read(json.loads(json.dumps(kept.as_json())))


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_what_was_shown_is_found_in_the_record(game: str, options: dict[str, Any]) -> None:
    for seed in (1, 2):
        sitting = watched(game, seed, **options)
        kept = again(kept_of(sitting, 0))
        assert len(kept.shown) > 10 or (game == "doubles" and not kept.shown)
        assert len(kept.rolled) > 3 or game not in ("doubles", "finest9")
        assert compare(sitting.record(), kept).shown == len(kept.shown) + len(kept.rolled)
        other = sitting.keepers[None].of(1)  # a spectator
        assert compare(sitting.record(), again(other)).shown >= len(other.rolled)


def test_own_cards_are_seen_after_folding_them() -> None:
    """The record has no face for them, and their owner sees them until the hand is over."""
    for seed in range(8):
        sitting = watched("holdem9", seed, bots=1)
        assert compare(sitting.record(), kept_of(sitting, 0)).shown > 3


def swapped(text: str) -> str:
    """Other cards, each for one of the record: nothing else about a match changes."""
    faces = {
        f"{rank}{suit}": f"{RANKS[12 - at]}{suit}" for at, rank in enumerate(RANKS) for suit in "SHDCRPXWL"
    }
    faces |= {rank: RANKS[12 - at] for at, rank in enumerate(RANKS)}
    return re.sub(r'"((?:10|[2-9AJQK])[SHDCRPXWL]?)"', lambda found: f'"{faces[found[1]]}"', text)


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "doubles"])
def test_a_server_that_shows_other_cards_is_found_out(game: str) -> None:
    sitting = watched(game, 3, swapped)
    record = sitting.record()
    assert verify(record).unguarded == 0  # by itself the record is in order
    with pytest.raises(nf.RecordError, match="shown cards that the record does not have"):
        compare(record, again(kept_of(sitting, 0)))


def test_a_server_that_shows_other_dice_is_found_out() -> None:
    for game in ("doubles", "finest9"):
        sitting = watched(game, 3, lambda text: re.sub(r'"dice": ?\[\d, ?\d\]', '"dice":[6,6]', text))
        assert {roll for _, _, roll in kept_of(sitting, 0).rolled} == {"6 6"}
        with pytest.raises(nf.RecordError, match="shown a roll that the record does not have"):
            compare(sitting.record(), kept_of(sitting, 0))


def test_one_card_that_is_not_the_records_is_enough() -> None:
    rng = random.Random(1)
    for game in ("finest9", "holdem9"):
        sitting = watched(game, 4)
        kept = kept_of(sitting, 0)
        board = [at for at, (_, _, zones) in enumerate(kept.shown) if zones.keys() - {"hand-0"}]
        for at in rng.sample(board, 5):
            zones = dict(kept.shown[at][2])
            zone = next(one for one in zones if one != "hand-0")
            if not zones[zone]:
                continue
            forged = again(kept)
            forged.shown[at] = (0, 0, {**zones, zone: zones[zone].replace(zones[zone].split()[-1], "5C", 1)})
            if forged.shown[at][2] != zones:
                with pytest.raises(nf.RecordError, match="shown cards"):
                    compare(sitting.record(), forged)
