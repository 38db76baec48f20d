"""The page checks by itself that draws are those that were promised; its hashes are everybody's."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.fairness import hashing
from ninefold.fairness.receipts import compare, read
from ninefold.fairness.verify import verify
from support.browsing import DESKTOP, PHONE, Person
from support.node import in_node, installed
from support.promises import OPTIONS, Sitting, kept_of
from support.serving import Running

pytestmark = pytest.mark.skipif(not installed(), reason="the client's packages are not installed")


def test_the_page_hashes_as_everybody_does() -> None:
    """The examples of FIPS 180-4, and every length around a block."""
    known = {
        "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    }
    rng = random.Random(1)
    texts = [*known, *("".join(rng.choices("abcé9♥", k=size)) for size in range(130))]
    found = in_node("sha256.ts", "hashOf", [[text] for text in texts])
    assert found[: len(known)] == list(known.values())
    assert found == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    tokens = [base64.urlsafe_b64encode(rng.randbytes(32)).decode().rstrip("=") for _ in range(40)]
    assert in_node("sha256.ts", "link", [[token] for token in tokens]) == [
        hashing.link(one) for one in tokens
    ]


def test_the_page_opens_decks_as_everybody_does() -> None:
    rng = random.Random(2)
    contents = [rng.randbytes(17) for _ in range(52)]
    decks = []
    for _ in range(20):
        places = rng.sample(range(52), rng.randrange(53))
        opened = {str(place): contents[place].hex() for place in places}
        decks.append([{"open": opened, "closed": hashing.closed(contents, set(places))}])
    assert set(in_node("proof.ts", "rootOf", decks)) == {hashing.root(contents)}


SHORT: dict[str, dict[str, Any]] = {
    "doubles": {"players": 3, "options": {"rounds": 1}},
    "holdem9": {"players": 3, "options": {"hands": 2}},
    "baseball": {"players": 3, "options": {"innings": 1, "turn_limit": 4}},
    "finest9": {"players": 3},
}
DRAWS = "section[aria-label='Fair draws']"


@pytest.mark.parametrize("game", SHORT)
def test_pages_check_their_match_by_themselves(
    server: Running, browser: Any, game: str, tmp_path: Path
) -> None:
    """What was promised, given and recorded agrees; and a record that was changed is shown as such."""
    host = server.open(game, bots=["easy"], **SHORT[game])
    guest = server.join(host.code)
    people = [Person(browser, server.url, DESKTOP), Person(browser, server.url, PHONE)]
    for person, seated in zip(people, (host, guest), strict=True):
        person.sit(seated.token, host.code)
    _until(lambda: server.http.get(f"/api/tables/{host.code}").json()["promise"]["shares"] == [0, 1])
    people[0].page.click("button:has-text('Start')")
    for person in people:
        person.page.wait_for_selector(".felt")
    rng = random.Random(5)
    end = time.monotonic() + 120
    while not all(person.over() for person in people):
        assert time.monotonic() < end
        for person in people:
            if not person.over():
                person.do_something(rng.random())
    record = server.http.get(
        f"/api/tables/{host.code}/record", headers={"Authorization": f"Bearer {host.token}"}
    ).json()
    found = verify(record)
    for person in people:
        person.page.click(f"{DRAWS} summary:has-text('All {found.draws:,} draws were promised beforehand')")
        told = person.page.inner_text(DRAWS)
        assert "in the record as you made" in told
        assert not person.faults() and person.wrong == []
    page = people[1].page
    with page.expect_download() as saved:
        page.click("text=Save what this device kept")
    saved.value.save_as(tmp_path / "kept.json")
    sheet = json.loads((tmp_path / "kept.json").read_text("utf-8"))
    compared = compare(record, read(sheet))
    assert compared.guarded == found.draws and compared.shown == len(sheet["shown"]) + len(sheet["rolled"])
    assert sheet["rolled"] if game == "doubles" else sheet["shown"]
    tokens = {token for _, _, token in sheet["sent"]}  # an order that stands makes moves without one
    own = [entry for entry in record["fair"]["journal"] if entry[0] == "move" and entry[-1] in tokens]
    own[-1][2] = "another move"
    page.route("**/record*", lambda route: route.fulfill(json=record))
    page.reload()
    page.wait_for_selector(f"{DRAWS} [role=alert]")
    assert "don’t add up" in page.inner_text(DRAWS)
    for person in people:
        person.context.close()


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("game", ["doubles", "holdem9", "nine_of_a_kind"])
def test_the_page_compares_as_programs_do(game: str) -> None:
    """The same records and receipts, honest and forged: both accept them, or neither does."""
    sitting = Sitting(game).play(most=140, undo=0.0 if game == "nine_of_a_kind" else 0.1)
    record, kept = sitting.record(), kept_of(sitting, 1)
    cases = [(record, kept)]
    for number in range(16):
        forged, other = copy.deepcopy(record), copy.deepcopy(kept)
        fair = forged["fair"]
        assert other.begun
        match number:
            case 0:
                fair["commitments"][0] = "00" * 32
            case 1:
                fair["seats"][1]["anchor"] = other.anchor[::-1]
            case 2:
                next(one for one in fair["journal"] if one[0] == "move" and one[1] == 1)[2] = "sing"
            case 3:
                other.sent[0], other.sent[1] = other.sent[1], other.sent[0]
            case 4:
                other.undone += 1
            case 5:
                fair["match"] = 2
            case 6:
                other.commitments = [(root, 10**6) for root, _ in other.commitments]
            case 7:
                other.shared, other.anchor = False, ""
            case 8:
                fair["journal"] = [one for one in fair["journal"] if one[-1] != other.sent[-1][-1]]
            case 9:
                other.scores = [*record["scores"][1:], 10**6]
            case 10:
                next(one for one in fair["journal"] if one[0] == "move" and one[1] == 1)[1] = 0
            case 11:
                fair["seats"][0]["name"] = "Zoe"
            case 12:
                other.begun["options"] = dict(reversed(other.begun["options"].items()))
            case 13:
                forged["options"].popitem()
            case 14:
                other.protocol = 6
            case 15:
                other.protocol = 0
        cases.append((forged, other))
    calls = [[one, other.as_json()] for one, other in cases]
    parts = [calls[at : at + 4] for at in range(0, len(calls), 4)]  # a command line has a limit
    found = [told for part in parts for told in in_node("proof.ts", "check", part)]
    for (one, other), told in zip(cases, found, strict=True):
        try:
            wanted = compare(one, other)
        except nf.RecordError:
            assert isinstance(told, str), told
        else:
            assert (told["draws"], told["promised"], told["part"]) == (
                wanted.draws,
                wanted.guarded,
                wanted.contributed,
            )


REMADE = {
    "doubles": 1.0,
    "holdem9": 1.0,
    "finest9": 0.3,
    "nine_of_a_kind": 0.0,
    "multiple9": 0.0,
    "baseball": 0.0,
}


@pytest.mark.parametrize("game", nf.games())
def test_the_page_makes_draws_again(game: str) -> None:
    """All rolls, all cards of Hold'em and the order of sealed moves; honest ones are the same."""
    for seed, bots in ((3, 0), (4, 1)):
        sitting = Sitting(game, seed, bots=bots).play(
            most=150, undo=0.0 if bots else 0.05 * (REMADE[game] > 0)
        )
        record = sitting.record()
        (told,) = in_node("proof.ts", "check", [[record, kept_of(sitting, 0).as_json()]])
        assert isinstance(told, dict), told
        shown = told["draws"] - told["hidden"]
        wanted = REMADE[game]
        assert told["remade"] == shown if wanted == 1 else wanted * shown <= told["remade"] < shown
    sitting = Sitting("nine_of_a_kind", 2, bots=2, pulse=True).play(60)
    (told,) = in_node("proof.ts", "check", [[sitting.record(), kept_of(sitting, 0).as_json()]])
    opened = sum(entry[0] == "open" for entry in sitting.record()["fair"]["journal"])
    assert told["remade"] == opened > 2


def test_the_page_notices_draws_that_were_not_promised() -> None:
    """Rolls of the server's choice, other labels, other cards: all with receipts that fit."""
    for game in ("doubles", "finest9", "holdem9"):
        sitting = Sitting(game, 3, bots=1).play(most=120, undo=0.05)
        record, kept = sitting.record(), kept_of(sitting, 0).as_json()
        journal = record["fair"]["journal"]
        calls = []
        for at, entry in enumerate(journal):
            if entry[0] != "draw" or entry[1].startswith(("end", "go on")):
                continue
            forged = copy.deepcopy(record)
            if entry[1].startswith("roll"):
                forged["fair"]["journal"][at][1] = "roll 6 6" if entry[1] != "roll 6 6" else "roll 3 4"
                calls.append([forged, kept])
                forged = copy.deepcopy(record)
                forged["fair"]["journal"][at][2] = entry[2].replace("part 0", "part 1", 1)
                if forged["fair"]["journal"][at][2] != entry[2]:
                    calls.append([forged, kept])
            elif game == "holdem9":
                forged["fair"]["journal"][at][1] = "deal AS" if entry[1] != "deal AS" else "deal KD"
                calls.append([forged, kept])
        assert len(calls) > 5
        rng = random.Random(4)
        for told in in_node("proof.ts", "check", rng.sample(calls, 6)):
            assert isinstance(told, str) and "promised" in told


def test_the_page_misses_what_it_was_shown() -> None:
    """Dice, and cards of Hold'em, that the record does not have: as a server's own messages showed them."""
    for game, what in (("doubles", "the roll"), ("finest9", "the roll"), ("holdem9", "the cards")):
        honest = Sitting(game, 3, watching=[0], **OPTIONS.get(game, {})).play(undo=0.05)
        (told,) = in_node("proof.ts", "check", [[honest.record(), kept_of(honest, 0).as_json()]])
        assert isinstance(told, dict), told
        lying = Sitting(game, 3, watching=[0], lie=other_faces, **OPTIONS.get(game, {})).play(undo=0.05)
        (told,) = in_node("proof.ts", "check", [[lying.record(), kept_of(lying, 0).as_json()]])
        assert isinstance(told, str) and f"was shown {what}" in told, told


def other_faces(text: str) -> str:
    cards = [f"{rank}{suit}" for rank in ["A", *map(str, range(2, 11)), "J", "Q", "K"] for suit in "SHDC"]
    others = dict(zip(cards, random.Random(9).sample(cards, 52), strict=True))
    text = re.sub(r'"((?:10|[2-9AJQK])[SHDC])"', lambda one: f'"{others[one[1]]}"', text)
    return re.sub(r'"dice": ?\[\d, ?\d\]', '"dice":[6,6]', text)


def test_the_page_writes_json_as_the_server_does() -> None:
    values: list[Any] = ['Zoë 9♥ 🂡 \x7f\n"', {"b": [1, True, None], "a": {"é": "ü"}}, [], {}, 12345]
    told = in_node("draws.ts", "canonical", [[value] for value in values])
    assert told == [json.dumps(value, sort_keys=True, separators=(",", ":")) for value in values]
