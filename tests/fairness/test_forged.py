"""Forged records are refused, whatever was changed in them, and so are broken ones, in a sentence."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.fairness import hashing
from ninefold.fairness.commitments import key_commitment
from ninefold.fairness.receipts import compare
from ninefold.fairness.report import lines
from ninefold.fairness.verify import verify
from ninefold.server.tables.draft import Draft
from support.forging import forged_journal, honest, inserted, put, refused, sealed
from support.promises import SECRET, Record, Sitting, kept_of

ROLLS = ["roll 6 6", "roll 3 4", "roll 1 2"]


def test_nothing_that_was_not_played_can_be_put_before_a_draw() -> None:
    """Asides of the first protocol gave the server free choice. There is no place for them now."""
    record = honest("doubles")
    first = next(at for at, entry in enumerate(record["fair"]["journal"]) if entry[0] == "draw")
    for extra in (["aside", 0, "x"], ["move", 0, "stay", "grinding 1"], ["undo", 0, 0, "grinding 1"]):
        refused(inserted(honest("doubles"), first, extra))
    for text in ROLLS:
        if text != record["fair"]["journal"][first][1]:
            refused(put(honest("doubles"), first, 1, text))


def test_ids_that_are_not_tokens_change_nothing() -> None:
    """A bot's ids and the host's are no longer worth grinding: draws stay what they are."""
    sitting = Sitting("multiple9", players=3, bots=2).play(200)
    record = sitting.record()
    draws = [entry[1] for entry in record["fair"]["journal"] if entry[0] == "draw"]

    def rename(journal: list[Any]) -> None:
        for number, entry in enumerate(journal):
            if entry[0] == "move" and entry[1] > 0:
                entry[3] = f"grinding {number}"

    again = forged_journal(record, rename)
    assert verify(sealed(again)).checked == len(draws)


def test_another_key_after_the_tokens_are_known_is_refused() -> None:
    record = honest("multiple9")
    fair = record["fair"]
    fair["key"] = bytes(32).hex()
    refused(record, "committed")
    fair["commitments"] = [key_commitment(bytes(32))]
    refused(record, "was recorded, but")  # and a player who kept the commitment sees that it is another


@pytest.mark.parametrize("game", nf.games())
def test_every_changed_draw_is_noticed(game: str) -> None:
    rng = random.Random(game)
    record = honest(game)
    draws = [at for at, entry in enumerate(record["fair"]["journal"]) if entry[0] == "draw"]
    texts = sorted({record["fair"]["journal"][at][1] for at in draws})
    for at in rng.sample(draws, 8):
        text = rng.choice([one for one in texts if one != record["fair"]["journal"][at][1]])
        if record["fair"]["journal"][at][1] != "deal ??":
            refused(put(honest(game), at, 1, text))


def test_a_card_is_hidden_only_where_it_may_be() -> None:
    """The first protocol hid everything after one folded card. Now it is decided card by card."""
    record = honest("holdem9")
    journal = record["fair"]["journal"]
    open_draws = [at for at, entry in enumerate(journal) if entry[0] == "draw" and entry[1] != "deal ??"]
    for at in open_draws:
        refused(put(honest("holdem9"), at, 1, "deal ??"))
    for number, deck in enumerate(record["fair"]["decks"]):
        for place in deck["open"]:
            forged = honest("holdem9")
            del forged["fair"]["decks"][number]["open"][place]
            refused(forged)


def test_a_hand_that_comes_to_a_showdown_cannot_be_hidden() -> None:
    """Not even with hashes that fit: a player who shows a hand had to be dealt it in the open."""
    sitting = Sitting("holdem9", seed=5, players=2, hands=6).play()
    record = sitting.record()
    journal = record["fair"]["journal"]
    shown = [at for at, entry in enumerate(journal) if entry[0] == "draw" and entry[1] != "deal ??"]
    for at in shown:
        forged = sitting.record()
        forged["fair"]["journal"][at][1] = "deal ??"
        deck = forged["fair"]["decks"][journal[at][2]]
        opened = {int(place): bytes.fromhex(content) for place, content in deck["open"].items()}
        for place in list(opened):
            rest = {one: content for one, content in opened.items() if one != place}
            deck["open"] = {str(one): content.hex() for one, content in rest.items()}
            deck["closed"] = _closed_again(opened, deck["closed"], place)
            refused(copy.deepcopy(forged))
            deck["closed"] = record["fair"]["decks"][journal[at][2]]["closed"]


def _closed_again(opened: dict[int, bytes], closed: list[str], hidden: int) -> list[str]:
    """The hashes of a deck of which one place less is opened."""
    rest = iter(closed)

    def walk(first: int, size: int) -> tuple[str, list[str]]:
        if not any(first <= place < first + size for place in opened):
            one = next(rest)
            return one, [one]
        if size == 1:
            one = hashing.leaf(opened[first]).hex()
            return one, [one] if first == hidden else []
        half = size // 2
        left, lefts = walk(first, half)
        right, rights = walk(first + half, half)
        whole = hashing.node(bytes.fromhex(left), bytes.fromhex(right)).hex()
        still = any(first <= place < first + size for place in opened if place != hidden)
        return whole, [*lefts, *rights] if still else [whole]

    return walk(0, hashing.LEAVES)[1]


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "nine_of_a_kind"])
def test_undone_stretches_are_counted_and_cannot_be_invented(game: str) -> None:
    record = honest(game)
    journal = record["fair"]["journal"]
    found = verify(record)
    assert found.undone == sum(entry[0] == "undo" for entry in journal)
    moves = [at for at, entry in enumerate(journal) if entry[0] == "move"]
    at = moves[len(moves) // 2]
    line = _length_at(journal, at)
    forged = inserted(honest(game), at + 1, ["undo", journal[at][1], line, "invented"])
    refused(forged)


def _length_at(journal: list[Any], at: int) -> int:
    length = 0
    for kind, *rest in journal[:at]:
        length = rest[1] if kind == "undo" else length + (kind in ("move", "draw"))
    return length


def test_nothing_can_be_opened_that_nobody_sealed() -> None:
    """An opening counts as a draw: where it is free, the server could choose the draws that follow."""
    for game in nf.games():
        forged = inserted(honest(game), len(honest(game)["fair"]["journal"]), ["open", []])
        refused(forged, "before everyone had sealed")
    forged = honest("doubles")
    forged_journal(forged, lambda journal: journal.extend([["seal", 0, "sing", "x"], ["open", [0]]]))
    refused(forged, "no moves are sealed in this match")


def test_a_sealed_move_takes_effect_once_and_is_not_left_out() -> None:
    record = Sitting("nine_of_a_kind", bots=2, pulse=True, players=5).play(150).record()
    journal = record["fair"]["journal"]
    assert verify(record).checked == verify(record).draws
    opened = next(at for at, entry in enumerate(journal) if entry[0] == "open")
    first = next(at for at in range(opened, len(journal)) if journal[at][0] == "move")

    def without(at: int) -> Record:
        return forged_journal(copy.deepcopy(record), lambda entries: entries.pop(at))

    refused(without(first))
    refused(without(opened), "not the sealed move whose turn")
    refused(inserted(copy.deepcopy(record), opened, ["open", []]), "in the order|of those who sealed")
    last = max(at for at, entry in enumerate(journal) if entry[0] == "seal")
    ending = forged_journal(copy.deepcopy(record), lambda entries: entries.__delitem__(slice(last, None)))
    refused(
        inserted(copy.deepcopy(ending), last, ["move", *journal[last][1:]]), "not the sealed move whose turn"
    )
    twice = [["seal", *journal[last][1:3], "x"], ["seal", *journal[last][1:3], "y"]]
    forged = forged_journal(copy.deepcopy(ending), lambda entries: entries.extend(twice))
    refused(forged, "sealed two moves")
    refused(
        inserted(copy.deepcopy(ending), last, ["seal", journal[last][1], "sing", "x"]), "cannot be played"
    )


def test_a_sealed_move_that_was_left_out_is_missed() -> None:
    """It brings no draw, so that nothing else would tell."""
    record = Sitting("nine_of_a_kind", bots=2, seed=2, pulse=True, players=5).play(150).record()
    journal = record["fair"]["journal"]
    at = max(at for at in range(len(journal) - 1) if (journal[at][0], journal[at + 1][0]) == ("move", "seal"))
    forged = forged_journal(copy.deepcopy(record), lambda entries: entries.pop(at))
    refused(forged, "had sealed did not take effect")


def test_names_and_kinds_of_players_are_part_of_the_proof() -> None:
    for change in ({"name": "Zoe"}, {"kind": "bot", "anchor": ""}, {"bot": "hard"}):
        record = honest("finest9")
        record["fair"]["seats"][0].update(change)
        refused(record, "was recorded, but")


def test_a_draw_after_an_invented_undo_is_called_so() -> None:
    """A server that tries moves, takes them back and goes on as if nothing had been is not believed."""
    sitting = Sitting("multiple9", players=2)
    for tries in range(3):
        seat = sitting.table.waiting_for()[0]
        draft = Draft(sitting.table, SECRET)
        to = len(draft.table.running.steps)
        draft.submit(seat, draft.table.running.state.moves(seat)[0], f"try {tries}", str(seat))
        draft.take(draft.table.running.undo(seat, to, f"invented {tries}"), str(seat))
        sitting.table = draft.table
    assert sitting.table.running.draws > 0
    found = verify(sitting.play(40).record())
    assert found.undone == 3 and 0 < found.unguarded < found.draws
    assert "an undo that no player's number confirms" in " ".join(lines(found, None))


def test_a_used_token_does_not_confirm_an_undo() -> None:
    """A token that did come is put into a stretch that never was, and the move is made again without one."""
    sitting = Sitting("multiple9", players=2)
    seat = sitting.table.waiting_for()[0]
    draft = Draft(sitting.table, SECRET)
    to, token = len(draft.table.running.steps), sitting.chains[seat].pop()
    move = "done"
    draft.submit(seat, move, token, str(seat))
    draft.take(draft.table.running.undo(seat, to, "invented"), str(seat))
    draft.submit(seat, move, "and again", str(seat))
    sitting.table = draft.table
    found = verify(sitting.play(40).record())
    assert found.undone == 1 and 0 < found.unguarded < found.draws


def test_moves_that_others_made_for_a_player_are_counted() -> None:
    """A clock, a stand-in or the server itself: such a move adds nothing to the draws."""
    for game, pulse in (("multiple9", False), ("nine_of_a_kind", True)):
        sitting = Sitting(game, pulse=pulse)
        assert verify(sitting.play(20).record()).unsigned == 0
        seat = next(seat for seat in sitting.table.waiting_for() if seat in sitting.people)
        draft = Draft(sitting.table, SECRET)
        draft.submit(seat, "wait" if pulse else "done", "the clock", str(seat))
        sitting.table = draft.table
        record = sitting.play(60).record()
        found = verify(record)
        assert found.unsigned == 1 and "1 move of theirs came without a number" in " ".join(
            lines(found, None)
        )
        kept = kept_of(sitting, seat)
        assert compare(record, kept).unsent == 0
        kept.sent = [one for one in kept.sent if one[2] != "the clock"]
        assert compare(record, kept).unsent == 1


def test_a_match_that_is_not_over_is_called_so() -> None:
    record = honest("finest9")
    cut = forged_journal(record, lambda journal: journal.__delitem__(slice(len(journal) // 2, None)))
    assert "The match was not played to its end" in " ".join(lines(verify(sealed(cut)), None))


def test_tokens_cannot_be_swapped_left_out_or_taken_from_another() -> None:
    for game in ("doubles", "finest9", "holdem9"):
        record = honest(game)
        seats = record["fair"]["seats"]
        seats[0]["anchor"], seats[1]["anchor"] = seats[1]["anchor"], seats[0]["anchor"]
        refused(record)
        record = honest(game)
        record["fair"]["seats"][1]["anchor"] = ""
        refused(record)
        moves = [at for at, entry in enumerate(record["fair"]["journal"]) if entry[0] == "move"]
        refused(put(honest(game), moves[0], 3, "another id"))


@pytest.mark.parametrize("name", ["table", "match", "alone"])
def test_a_proof_is_of_one_match_at_one_table(name: str) -> None:
    record = honest("baseball")
    record["fair"][name] = {"table": "OTHER1", "match": 2, "alone": True}[name]
    refused(record)


@pytest.mark.parametrize(
    "entry", [["open", [0, [1]]], ["open", ["0"]], ["open", [9]], ["move", True, "stay", "x"]]
)
def test_broken_entries_are_refused_in_a_sentence(entry: list[Any]) -> None:
    record = honest("nine_of_a_kind")
    record["fair"]["journal"].append(entry)
    refused(record, "the record's proof is broken")


def test_options_are_those_of_the_match() -> None:
    """Not even one that says what would be so without it may be left out."""
    for option in dict(honest("finest9")["options"]):
        record = honest("finest9")
        del record["options"][option]
        refused(record, "was recorded, but")
    record = honest("finest9")
    record["fair"]["match"] = 1.0
    refused(record, "is not a whole number")


@pytest.mark.parametrize("name", ["protocol", "commitments", "seats", "journal", "key"])
@pytest.mark.parametrize("value", [None, 7, [], {}, "x", [["draw"]], [[]]])
def test_broken_proofs_are_refused_in_a_sentence(name: str, value: object) -> None:
    record = honest("finest9")
    record["fair"][name] = value
    refused(record)


def test_a_match_in_which_nobody_added_to_the_draws_is_called_so() -> None:
    sitting = Sitting("doubles", shares=False, players=2, rounds=1)
    found = verify(sitting.play().record())
    assert found.shares == 0 and found.unguarded == found.draws
