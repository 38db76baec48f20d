"""Fair draws: committed to, unpredictable, and checked afterwards by anyone; forged records are refused."""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli
from ninefold.engine.records import digest
from ninefold.fairness import hashing
from ninefold.fairness.commitments import key_commitment
from ninefold.fairness.decks import fresh_deck
from ninefold.fairness.keeping import LENGTH, Chain
from ninefold.fairness.receipts import Receipts, compare
from ninefold.fairness.report import lines
from ninefold.fairness.terms import PROTOCOL, Terms, Tokens
from ninefold.fairness.verify import Verdict, verify
from ninefold.server.tables.draft import Draft
from ninefold.testkit.fairness import is_even
from support.promises import SECRET, Record, Sitting, chain, kept_of, promised_chance


@cache
def _honest(game: str) -> str:
    undo = 0.0 if game == "nine_of_a_kind" else 0.05
    return json.dumps(Sitting(game).play(undo=undo).record())


def honest(game: str) -> Record:
    found: Record = json.loads(_honest(game))
    return found


def sealed(record: Record) -> Record:
    """A forged record with a digest that fits it."""
    record["digest"] = digest(record)
    return record


def refused(record: Record, why: str = "") -> None:
    with pytest.raises(nf.RecordError, match=why or None):
        verify(sealed(record))


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


# Forgeries


def forged_journal(record: Record, change: Callable[[list[Any]], object]) -> Record:
    """A record whose journal was changed, with the moves that follow from it."""
    journal = record["fair"]["journal"]
    change(journal)
    line: list[Any] = []
    for kind, *rest in journal:
        if kind == "draw":
            line.append(["chance", rest[0]])
        elif kind == "move":
            line.append(rest[:2])
        elif kind == "undo":
            del line[rest[1] :]
    record["moves"] = line
    for name in ("scores", "winners", "over"):
        record.pop(name, None)
    return record


def put(record: Record, at: int, part: int, value: object) -> Record:
    """A record with another part of an entry."""

    def change(journal: list[Any]) -> None:
        journal[at][part] = value

    return forged_journal(record, change)


def inserted(record: Record, at: int, entry: list[Any]) -> Record:
    """A record with one entry more."""
    return forged_journal(record, lambda journal: journal.insert(at, entry))


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
    refused(record, "was recorded, but")  # and whoever kept the commitment sees that it is another


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
    """Not even with hashes that fit: whoever shows a hand had to be dealt it in the open."""
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


# What players keep


@pytest.mark.parametrize("game", nf.games())
def test_a_record_is_compared_with_what_a_player_kept(game: str) -> None:
    sitting = Sitting(game).play(undo=0.0 if game == "nine_of_a_kind" else 0.1)
    record, kept = sitting.record(), kept_of(sitting, 1)
    found = compare(record, kept)
    assert found.contributed and found.draws == verify(record).draws
    assert found.guarded == found.draws
    made_up = Sitting(game, seed=2).play().record()
    with pytest.raises(nf.RecordError):
        compare(made_up, kept)


def test_a_record_that_differs_from_what_a_player_kept_is_refused() -> None:
    sitting = Sitting("holdem9").play(undo=0.1)
    record = sitting.record()

    def differs(change: Callable[[Receipts], object], why: str) -> None:
        kept = kept_of(sitting, 1)
        change(kept)
        with pytest.raises(nf.RecordError, match=why):
            compare(record, kept)

    differs(lambda kept: kept.commitments.reverse(), "commitments")
    differs(lambda kept: setattr(kept, "anchor", chain("another")[-1]), "leaves out")
    differs(lambda kept: setattr(kept, "undone", kept.undone + 1), "undone")
    differs(lambda kept: kept.sent.append(("move", "fold", "never told")), "something else")
    differs(lambda kept: kept.sent.reverse(), "another order")
    differs(lambda kept: setattr(kept, "match", 2), "match 2")
    differs(lambda kept: setattr(kept, "scores", [1, 2, 3, 4]), "but the player saw")
    differs(lambda kept: setattr(kept, "seat", 9), "no seat 9")
    differs(lambda kept: setattr(kept, "protocol", PROTOCOL + 1), "proves less than protocol")
    differs(lambda kept: kept.begun["seats"][0].__setitem__(1, "Zoe"), "other players")  # type: ignore[index]
    differs(lambda kept: kept.begun["options"].update(hands=1), "another game")  # type: ignore[index]
    undone = next(entry[-1] for entry in record["fair"]["journal"] if entry[0] == "undo")
    differs(lambda kept: kept.sent.append(("move", "fold", undone)), "something else")
    other = next(entry for entry in record["fair"]["journal"] if entry[0] == "move" and entry[1] == 0)
    differs(lambda kept: kept.sent.append(("move", *other[2:])), "something else")
    kept = kept_of(sitting, 1)
    kept.sent = [(kind, "another move", token) for kind, _, token in kept.sent]
    with pytest.raises(nf.RecordError, match="something else"):
        compare(record, kept)


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    sitting = Sitting("finest9").play(undo=0.4)
    record = sitting.record()
    path, kept = tmp_path / "match.json", tmp_path / "kept.json"
    path.write_text(json.dumps(record), "utf-8")
    kept.write_text(json.dumps(kept_of(sitting, 0).as_json()), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 0 and "Every draw is the one promised" in told.output
    assert "undone" in told.output and "own commitments" in told.output
    told = CliRunner().invoke(cli, ["verify", str(path), "--commitments", str(kept)])
    assert told.exit_code == 0 and "the player kept" in told.output
    told = CliRunner().invoke(cli, ["verify", str(path), "--commitments", str(path)])
    assert told.exit_code == 3 and told.output.count("\n") == 1
    first = next(at for at, entry in enumerate(record["fair"]["journal"]) if entry[0] == "draw")
    text = "roll 1 1" if record["fair"]["journal"][first][1] != "roll 1 1" else "roll 1 2"
    forged = sealed(put(record, first, 1, text))
    path.write_text(json.dumps(forged), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 3 and told.output.count("\n") == 1


# Hashes


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


# The first protocol


def old(name: str) -> Record:
    packed = Path(__file__).parents[1] / "compat" / "v0_1" / "records" / f"{name}.json.gz"
    found: Record = json.loads(gzip.decompress(packed.read_bytes()))
    return found


def test_a_record_of_the_first_protocol_is_not_said_to_be_more_than_it_is() -> None:
    told = " ".join(lines(verify(old("doubles-undone")), None))
    assert "fit the keys" in told and "undone, which cannot be checked" in told
    assert "does not prove that nobody chose them" in told and "promised" not in told


@pytest.mark.parametrize(
    "commands", [[], [[0, "undo", "free"]], [[0, "stay", "free"]], [[0, "start", "free"], [0, "sit", "free"]]]
)
def test_nothing_is_put_between_the_moves_of_the_first_protocol(commands: list[Any]) -> None:
    record = old("doubles-undone")
    record["fair"]["asides"].insert(1, {"before": 0, "commands": commands, "draws": 0})
    refused(record, "only what was undone, or sealed")


def test_the_first_protocol_withholds_keys_of_one_deck_only() -> None:
    """F3: after one folded hand, all later cards could be what the server liked."""
    record = old("holdem9-proof")
    assert verify(record).checked
    first = 44  # the first card of the fourth hand; in the hands before some were folded
    (segment,) = record["fair"]["segments"]
    segment["hashes"][first] = hashing.leaf(bytes.fromhex(segment["keys"][first])).hex()
    segment["keys"][first] = ""
    refused(record, "the key of step .* is missing")


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
