"""Fair draws: committed to, unpredictable, and checked afterwards by anyone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import ninefold as nf
from ninefold.fairness import hashing
from ninefold.fairness.report import lines
from ninefold.fairness.terms import PROTOCOL, Terms, Tokens
from ninefold.fairness.verify import Verdict, verify
from support.forging import honest, put, refused
from support.promises import Sitting, chain, promised_chance


@pytest.mark.parametrize("game", nf.games())
def test_a_finished_match_proves_its_draws(game: str) -> None:
    found = verify(honest(game))
    assert found.proved and found.draws > 0 and found.unguarded == 0
    assert found.checked + found.hidden == found.draws
    assert found.hidden == 0 or game == "holdem9"
    assert found.shares == found.people > 1


def test_every_card_shown_in_holdem_is_checked_and_no_other() -> None:
    record = honest("holdem9")
    texts = [entry[1] for entry in record["fair"]["journal"] if entry[0] == "draw"]
    found = verify(record)
    assert found.hidden == texts.count("deal ??") > 10
    assert found.checked == len(texts) - found.hidden > 10
    opened = sum(len(deck["open"]) for deck in record["fair"]["decks"])
    assert opened <= found.checked  # some twice: a place that was dealt from again after an undo


def test_a_place_of_a_deck_shows_nothing_of_the_others() -> None:
    """Every place is salted: the hashes that stand for the closed ones cannot be guessed card by card."""
    deck = honest("holdem9")["fair"]["decks"][0]
    guesses = {hashing.leaf(bytes((card,))).hex() for card in range(64)}
    assert not guesses & set(deck["closed"])
    salts = [content[:32] for content in deck["open"].values()]
    assert len(set(salts)) == len(salts)


def test_bots_and_the_names_of_moves_change_no_draw() -> None:
    """What the server's own players do has no influence, nor has the name of a move."""
    sitting = Sitting("finest9", players=3, bots=2)
    tokens = sitting.table.running.chance.draws.tokens  # type: ignore[attr-defined]
    pot = tokens.pot
    for seat, command in ((1, "any id that the server likes"), (2, ""), (0, "not the next token")):
        assert not tokens.add(seat, command) and tokens.pot == pot
    assert tokens.add(0, sitting.chains[0].pop()) and tokens.pot != pot


def test_the_server_cannot_choose_the_first_deal_by_naming_its_bots() -> None:
    """It seats bots when it has the token of the start, so their names count only from the next token on."""
    made, tokens = nf.make("multiple9", 3), chain("the host")
    anchors = (tokens.pop(), "", "")
    first, start = tokens[-2], tokens[-1]

    def pots(bot: str, anchors: tuple[str, ...], protocol: int = PROTOCOL) -> list[bytes]:
        names = ("Ann", bot, "Bo")
        people = [{"kind": "person" if name == "Ann" else "bot", "name": name, "bot": None} for name in names]
        terms = Terms("TABLE", 1, made.name, 1, 3, {}, ["00"], anchors, people=people, protocol=protocol)
        found = Tokens(terms, 0, start)
        before = found.pot
        assert not found.add(1, "a bot's") and found.pot == before and found.opening
        return [before, found.pot] if found.add(0, first) else [before]

    one, other = pots("Ada", anchors), pots("Zoe", anchors)
    assert one[0] == other[0] and one[1] != other[1]
    assert pots("Ada", ("", "", "")) != pots(
        "Zoe", ("", "", "")
    )  # where nobody added anything, names count at once
    assert pots("Ada", anchors, 3)[0] != pots("Zoe", anchors, 3)[0]
    assert pots("Ada", anchors, 2) == pots("Zoe", anchors, 2)


def test_a_verdict_of_a_record_without_a_proof() -> None:
    state = nf.make("doubles", players=1, rounds=1).start(seed=1)
    while not state.over:
        state.play(0, "cash out")
    assert verify(state.record()) == Verdict(1, 1, 0, False)


@pytest.mark.parametrize(("game", "what"), [("doubles", "key"), ("holdem9", "decks")])
def test_of_a_record_of_other_rules_its_openings_are_checked(game: str, what: str) -> None:
    record = honest(game)
    record["version"] += 1
    refused(record, "The record matches its digest, and what it opens is what was committed to; its")
    del record["digest"]
    with pytest.raises(nf.RecordError, match="The record has no digest, and what it opens is what"):
        verify(record)
    record["fair"][what] = "00" * 32 if what == "key" else record["fair"][what][::-1]
    refused(record, "the record's proof is broken: ")
    record["fair"][what] = 7
    refused(record, "the record's proof is broken: ")
    del record["fair"]
    refused(record, "The record matches its digest; its moves and draws can only be checked by a")


# In real time


def _drawn_by(person: int, heard: Sequence[int]) -> list[tuple[bytes, ...]]:
    """What the draws of a person in real time are made from, if the server hears the seats in this order."""
    made = nf.make("nine_of_a_kind", 5)
    chains = {seat: chain(f"person {seat}") for seat in (0, 1)}
    anchors = tuple(chains[seat].pop() if seat in chains else "" for seat in range(5))
    source = promised_chance(made, bytes(32), anchors=anchors)
    state = made.start(seed=1)  # after the deal
    found, number = [], 0
    for seat in heard:
        source.draws.moved(seat, chains[seat].pop() if seat in chains else f"bot {number}")
        for _ in range(2):
            if seat == person:
                found.append(tuple(source.draws.source(state.position, number)))
            source.draws.drew(state.position, number)
            number += 1
    return found


def test_whom_the_server_hears_first_changes_no_draw_in_real_time() -> None:
    """Nor do moves of its bots in between: a draw goes by the token of its own player alone."""
    for person in (0, 1):
        heard = _drawn_by(person, (0, 1, 0, 1))
        assert len(set(heard)) == 4
        for other in ((1, 0, 1, 0), (0, 0, 1, 1), (3, 0, 4, 4, 1, 3, 0, 2, 1)):
            assert _drawn_by(person, other) == heard


# Cards that nobody showed


def test_a_card_that_was_not_shown_has_no_face_in_the_record() -> None:
    """Otherwise a record could say of a folded hand whatever its server liked."""
    record = honest("holdem9")
    journal = record["fair"]["journal"]
    closed = [at for at, entry in enumerate(journal) if entry[0] == "draw" and entry[1] == "deal ??"]
    known = {entry[1] for entry in journal if entry[0] == "draw"}
    card = next(text for rank in "23456789" if (text := f"deal {rank}S") not in known)
    for at in closed[:4]:
        refused(put(honest("holdem9"), at, 1, card), "not opened")


def test_a_record_without_a_proof_says_whether_it_is_whole() -> None:
    state = nf.make("doubles", players=2, rounds=1).start(seed=1)
    (begun, _) = lines(verify(state.record()), None)
    assert begun.startswith("The match was not played to its end: 0 moves and ")
    while not state.over:
        state.play(state.actors[0], "cash out")
    (whole, _) = lines(verify(state.record()), None)
    assert whole.startswith("The record is complete: 2 moves and ") and whole.endswith("lead to its result.")
