"""Chains of tokens, trees of hashes and decks of cards."""

from __future__ import annotations

import random

import pytest

from ninefold.fairness import hashing
from ninefold.fairness.decks import fresh_deck
from ninefold.fairness.keeping import LENGTH, Chain
from ninefold.testkit.fairness import is_even


def test_a_chain_is_made_again_from_its_seed() -> None:
    made = Chain("any seed")
    assert hashing.link(made.token(1)) == made.anchor == made.token(0)
    for number in (1, 2, 127, 128, 129, 4_000, LENGTH):
        assert hashing.link(made.token(number)) == made.token(number - 1)
    assert made.token(LENGTH) == "any seed"


def test_an_opened_tree_gives_its_root_and_no_other() -> None:
    rng = random.Random(3)
    contents = [rng.randbytes(17) for _ in range(52)]
    root = hashing.root(contents)
    for _ in range(40):
        opened = {place: contents[place] for place in rng.sample(range(52), rng.randrange(53))}
        closed = hashing.closed(contents, set(opened))
        assert hashing.root_of_opened(opened, closed) == root
        if opened:
            place = rng.choice(list(opened))
            assert hashing.root_of_opened({**opened, place: b"x" * 17}, closed) != root
        with pytest.raises(ValueError):
            hashing.root_of_opened(opened, [*closed, "00" * 32])


def test_cards_are_even_whatever_the_server_commits_to() -> None:
    """Even if every place held the same number: the order that tokens give decides."""
    found = [0] * 52
    places = [0] * 52
    for number in range(5_200):
        deck = fresh_deck(0, 52, number.to_bytes(8, "big"))
        found[deck.card(bytes(16) + bytes((7,)))] += 1
        places[deck.next_place(b"deck 0 0 0", number.to_bytes(8, "big"))] += 1
    assert is_even(found) and is_even(places)
