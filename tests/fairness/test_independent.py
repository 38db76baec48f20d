"""The verifier in examples/, which shares nothing with the product, agrees with it about every record."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.records import digest
from ninefold.fairness.commitments import key_commitment
from ninefold.fairness.report import lines
from ninefold.fairness.verify import verify
from ninefold.server.tables.draft import Draft
from support.promises import SECRET, Sitting, kept_of

PROGRAM = Path(__file__).parents[2] / "examples" / "verify_match.py"
MATCHES: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in nf.games() if game != "nine_of_a_kind"),
    ("nine_of_a_kind", {"players": 5}),
    ("baseball", {"players": 3, "turn_limit": 4, "innings": 2}),
    ("baseball", {"players": 5, "decks": 1, "innings": 2, "turn_limit": 9}),
    ("doubles", {"players": 2, "rounds": "1-4"}),
    ("multiple9", {"players": 2}),
    ("nine_of_a_kind", {"players": 5, "bots": 3, "pulse": True}),
    ("finest9", {"players": 4, "bots": 3}),
    ("holdem9", {"players": 3, "bots": 2, "hands": 5}),
]


def program() -> Any:
    spec = importlib.util.spec_from_file_location("verify_match", PROGRAM)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERIFIER = program()


def test_it_shares_no_code_with_the_product() -> None:
    text = PROGRAM.read_text("utf-8")
    assert "import ninefold" not in text and "from ninefold" not in text
    assert subprocess.run([sys.executable, "-I", "-S", str(PROGRAM)], capture_output=True).returncode


@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_it_agrees_on_honest_matches(game: str, options: dict[str, Any]) -> None:
    undo = 0.0 if game == "nine_of_a_kind" else 0.03
    for seed in (3, 4):
        record = Sitting(game, seed, **options).play(300, undo=undo).record()
        found = verify(record)
        assert VERIFIER.verify(record) == (found.checked, found.hidden)


@pytest.mark.parametrize("game", nf.games())
def test_it_agrees_on_forged_matches(game: str) -> None:
    """Draws, tokens, anchors, keys and undone stretches, one change at a time: both refuse them all."""
    rng = random.Random(game)
    honest = Sitting(game, 5).play(150, undo=0.0 if game == "nine_of_a_kind" else 0.05).record()
    journal = honest["fair"]["journal"]
    of = {kind: [at for at, entry in enumerate(journal) if entry[0] == kind] for kind in ("draw", "move")}
    texts = sorted({journal[at][1] for at in of["draw"]} - {"deal ??"})
    for number in range(39):
        forged = copy.deepcopy(honest)
        fair = forged["fair"]
        entries = fair["journal"]
        match number % 13:
            case 0:  # another draw
                at = rng.choice([one for one in of["draw"] if entries[one][1] != "deal ??"])
                entries[at][1] = rng.choice([text for text in texts if text != entries[at][1]])
            case 1:  # a token left out
                entries[of["move"][0]][3] = "grinding"
            case 2:  # anchors swapped
                seats = fair["seats"]
                seats[0]["anchor"], seats[1]["anchor"] = seats[1]["anchor"], seats[0]["anchor"]
            case 3:  # a secret chosen afterwards
                if "key" in fair:
                    fair["key"] = rng.randbytes(32).hex()
                    fair["commitments"] = [key_commitment(bytes.fromhex(fair["key"]))]
                else:
                    fair["commitments"][0] = rng.randbytes(32).hex()
            case 4:  # an undo that nobody asked for
                at = rng.choice(of["move"])
                entries.insert(at + 1, ["undo", entries[at][1], 10**6, "invented"])
            case 5:  # something free before a draw
                entries.insert(rng.choice(of["draw"]), ["aside", 0, "grinding"])
            case 6:  # another match
                fair["match"] += 1
            case 7:  # something withheld
                if "key" in fair:
                    fair["key"] = "00"  # empty, it may be of a match that was cut short
                else:
                    deck = next(deck for deck in fair["decks"] if deck["open"])
                    del deck["open"][rng.choice(list(deck["open"]))]
            case 8:  # another name
                fair["seats"][1]["name"] = "Zoe"
            case 9:  # an opening of nothing, which would count as a draw
                entries.append(["open", []])
            case 10:  # a second start
                entries.insert(1 + rng.randrange(len(entries)), ["start", 0, "grinding"])
            case 11:  # an option left out
                del forged["options"][rng.choice(list(forged["options"]))]
            case 12:  # a draw for something else
                entry = entries[rng.choice(of["draw"])]
                entry[2] = 99 if "decks" in fair else rng.choice(["part 0 99 0", "own 99", "order 0", ""])
        forged["moves"] = _line(entries)
        for name in ("scores", "winners", "over"):
            forged.pop(name, None)
        forged["digest"] = digest(forged)
        with pytest.raises(nf.RecordError):
            verify(forged)
        with pytest.raises(VERIFIER.Forged):
            VERIFIER.verify(forged)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_both_know_the_protocols_of_before(monkeypatch: pytest.MonkeyPatch, protocol: int) -> None:
    """In 2 no draw depended on names, in 3 the first ones did, so that the server could have chosen them."""
    monkeypatch.setattr("ninefold.server.tables.table.PROTOCOL", protocol)
    for game in ("doubles", "holdem9"):
        record = Sitting(game, 6).play(60).record()
        found = verify(record)
        assert record["fair"]["protocol"] == found.protocol == protocol and found.checked
        assert (found.unguarded > 0) == (protocol == 3)
        assert VERIFIER.verify(record) == (found.checked, found.hidden)
        assert "draws were numbered" in " ".join(lines(found, None))
        record["fair"]["protocol"] = 5
        record["digest"] = digest(record)
        with pytest.raises(nf.RecordError):
            verify(record)
        with pytest.raises(VERIFIER.Forged):
            VERIFIER.verify(record)


def test_it_agrees_on_a_match_that_was_cut_short() -> None:
    """Its key stays secret, with the hands; neither says that anything was checked."""
    for game in ("multiple9", "baseball", "nine_of_a_kind"):
        record = Sitting(game, 6).play(25).table.proof(SECRET, cut=True)
        found = verify(record)
        assert found.checked == 0 < found.hidden
        assert VERIFIER.verify(json.loads(json.dumps(record))) == (0, found.hidden)


def test_it_refuses_what_was_not_promised() -> None:
    """Whatever can be told without the rules of a game."""
    honest = Sitting("holdem9", 5).play(60).record()

    def refuses(change: Callable[[dict[str, Any]], object]) -> None:
        forged = copy.deepcopy(honest)
        change(forged["fair"])
        forged["digest"] = digest(forged)
        with pytest.raises(nf.RecordError):
            verify(forged)
        with pytest.raises(VERIFIER.Forged):
            VERIFIER.verify(forged)

    refuses(lambda fair: fair.update(protocol=1))
    refuses(lambda fair: fair["seats"][1].update(kind="bot"))
    refuses(lambda fair: fair["commitments"].clear())  # decks that nobody committed to
    refuses(lambda fair: fair["decks"][0]["open"].update({"0": "00"}))


def test_it_says_forged_where_a_deck_runs_out() -> None:
    record = Sitting("finest9", 4).play(100).record()
    journal = record["fair"]["journal"]
    first = next(entry for entry in journal if entry[0] == "draw" and entry[1].startswith("deal"))
    record["fair"]["journal"] = [*journal[:1], *[first] * 60, *journal[1:]]
    with pytest.raises(VERIFIER.Forged):
        VERIFIER.verify(record)


def _line(journal: list[Any]) -> list[Any]:
    line: list[Any] = []
    for kind, *rest in journal:
        if kind in ("draw", "move"):
            line.append(["chance", rest[0]] if kind == "draw" else rest[:2])
        elif kind == "undo":
            del line[rest[1] :]
    return line


def test_it_says_who_added_and_what_nobody_confirms(tmp_path: Path) -> None:
    path = tmp_path / "match.json"

    def told(sitting: Sitting) -> str:
        path.write_text(json.dumps(sitting.record()), "utf-8")
        command = [sys.executable, "-I", "-S", str(PROGRAM), str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    text = told(Sitting("multiple9", shares=False, players=2).play(60))
    assert "None of 2 people added to the draws, so the server could have chosen them all" in text
    assert "promised" not in text
    assert "3 of 3 people added" in told(Sitting("doubles").play(60))
    sitting = Sitting("multiple9", players=2)
    seat = sitting.table.waiting_for()[0]
    draft = Draft(sitting.table, SECRET)
    to = len(draft.table.running.steps)
    draft.submit(seat, draft.table.running.state.moves(seat)[0], "tried", str(seat))
    draft.take(draft.table.running.undo(seat, to, "invented"), str(seat))
    sitting.table = draft.table
    text = told(sitting.play(30))
    assert "Undone stretches: 1." in text and "1 of these no player's number confirms" in text
    assert "1 of their moves came without a number" in text


def test_it_runs_alone_and_compares_with_what_was_kept(tmp_path: Path) -> None:
    sitting = Sitting("holdem9").play()
    record, kept = tmp_path / "match.json", tmp_path / "kept.json"
    record.write_text(json.dumps(sitting.record()), "utf-8")
    kept.write_text(json.dumps(kept_of(sitting, 0).as_json()), "utf-8")
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(record)]
    done = subprocess.run([*command, str(kept)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "kept during the match" in done.stdout, done.stderr
    other = kept_of(Sitting("holdem9", 2), 0)
    other.commitments = [("00" * 32, -1)]
    kept.write_text(json.dumps(other.as_json()), "utf-8")
    done = subprocess.run([*command, str(kept)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("Forged")
