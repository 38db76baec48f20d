"""What is not a message, not a table and not a name: refused with a sentence, and nothing has changed."""

from __future__ import annotations

import json
import socket
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest

import ninefold as nf
from ninefold import client
from ninefold.server.command import _listen
from ninefold.server.tables.lookalikes import prototypes
from ninefold.server.tables.messages import VERSION
from ninefold.server.tables.names import clean_name, look_alike
from support.serving import Client, Running, keys, new, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


NOT_MESSAGES = [
    "", "null", "[]", "{}", "1", "true", '"hello"', "{", "\ufeff{}", "nonsense", "[" * 3000,
    '{"type":"dance"}', '{"type":"ping","x":1}', '{"type":"ping","type":"ping"}', '{"type":1}',
    '{"type":"move"}', '{"type":"move","id":"12345678","move":"stay"}',
    *(f'{{"type":"move","id":"12345678","move":"stay","decision":{word}}}' for word in
      ("true", "1.5", '"1"', "null", "[1]", "-1", "-9223372036854775808", "9223372036854775808",
       "18446744073709551616", "1e400", "NaN", "Infinity", "9" * 3000)),
    *(f'{{"type":"kick","id":"12345678","seat":{word}}}' for word in
      ("true", "1.5", '"1"', "null", "[1]", "-1", "100", "1e3", "1" + "0" * 100)),
    '{"type":"move","id":"12345678","move":"\\ud800","decision":1}',
    '{"type":"move","id":"12345678","move":"","decision":1}',
    '{"type":"move","id":"short","move":"stay","decision":1}',
    '{"type":"move","id":"../../../x","move":"stay","decision":1}',
    '{"type":"move","id":"12345678","move":"stay","decision":1,"seat":0}',
    '{"type":"move","id":"12345678","id":"12345679","move":"stay","decision":1}',
    '{"type":"do","id":"12345678","what":"win"}',
]  # fmt: skip


def test_what_is_not_a_message_is_refused_and_changes_nothing(server: Running) -> None:
    host = server.open(players=1)
    with host.connect() as client:
        client.do("start")
        before = client.now
        for text in NOT_MESSAGES:
            client.say(text)
            told = client.hear()
            assert told["type"] == "refused" and told["error"] == "unreadable", (text, told)
        for number in (-1, 2**31, True, None, "x"):
            client.say({"type": "hello", "table": host.code, "since": number})
            assert client.hear()["type"] == "refused"
        for text in ("0", "-1", "9" * 300, "stay\u0000", "cash\u202eout", "roll 1 1", "__class__"):
            answer = client.ask({"type": "move", "move": text, "decision": before["decision"]})
            assert not answer["ok"] and answer["error"] == "illegal", answer
        assert client.now == before
        client.say(b"\x00\x01")
        assert client.ended()[0] in (1003, 1007)
    with host.connect() as client:
        client.socket.socket.sendall(b"\x81\x82\x00\x00\x00\x00\xff\xfe")  # text that is no UTF-8
        assert client.ended()[0] == 1007


@pytest.mark.parametrize("text", ["{}", "nonsense", '{"type":"ping"}', '{"type":"hello","table":"x"}'])
def test_a_socket_begins_with_hello(server: Running, text: str) -> None:
    client = Client(server.url, "", None)
    client.say(text)
    assert client.hear()["type"] == "refused" and client.ended()[0] == 1008


@pytest.mark.parametrize("said", [{"version": 1}, {}], ids=["that says so", "from before pages said so"])
def test_an_old_client_is_told_to_reload(
    server: Running, monkeypatch: pytest.MonkeyPatch, said: dict[str, int]
) -> None:
    host = server.open()
    hello = {"type": "hello", "table": host.code, "token": host.token, **said}
    client = Client(server.url, "", None)
    client.say(hello)
    assert client.hear()["type"] == "welcome"
    monkeypatch.setattr("ninefold.server.http.handlers.VERSION", 2)
    client = Client(server.url, "", None)
    client.say(hello)
    refused = client.hear()
    assert refused["error"] == "version" and "reload" in refused["text"]
    assert client.ended()[0] == 1008


def test_our_own_client_says_which_version_it_speaks(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.VERSION == VERSION
    monkeypatch.setattr("ninefold.client.VERSION", 2)
    with pytest.raises(client.Refused, match="version"), client.Seat.open(server.url, "doubles", "Ann"):
        pass


BODIES: list[Any] = [
    b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"game":"doubles"}', b"[" * 10_000, b'{"a":1,"a":2}',
    {"game": "whist"}, {"players": 0}, {"players": 101}, {"players": True}, {"players": 2.0},
    {"bots": ["genius"]}, {"bots": ["easy"] * 9, "players": 2}, {"options": {"rounds": "many"}},
    {"options": {"wings": 1}}, {"options": {"rounds": float("inf")}}, {"options": []}, {"clock": 1},
    {"clock": True}, {"pace": "warp"}, {"token": "short"}, {"token": "x" * 43, "recovery": "x" * 43},
    {"id": "a b"}, {"seat": 3}, {"spectators": 1},
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_bad_tables_are_refused_with_a_sentence(server: Running, body: Any) -> None:
    if isinstance(body, dict):
        asked = {"game": "doubles", "id": new(), "name": "Ann", **keys(), **body}
        body = json.dumps(asked).encode()
    answer = server.http.post("/api/tables", content=body)
    assert answer.status_code == 400 and answer.json()["error"] and len(answer.json()["text"]) <= 300


BAD_NAMES = [
    "", " ", "\u200b", "x" * 33, "x" * 65_536, "a\u202eb", "a\u0000b", "a\nb\u001b[31m",
    "e" + "\u0301" * 20, "\u0430dmin", "admin\u200b", "p\u0430ypal", "a\ud800",
    "\u3164", "\u2800", "Anna\u3164", "Anna\u2800", "Anna\uffa0", "Anna\u115f", "Anna\u034f", "Anna\ufe00",
    "\u0301", "Anna\U000e0101", "Anna\u180b", "Medium 3", "hard", "Hard bot", "ｅａｓｙ 2", "Bot 7", "mеdium",
    "Jo\u200dy", "👩\u200d", "\u200d👩", "👩\u200d\u200d👧", "👩\u200dx",
]  # fmt: skip
GOOD_NAMES = [
    "A", "x" * 32, "José", "Ωμέγα", "小明", "<img onerror=x>", '"><script>', "${7*7}", "{{x}}", "%s%n",
    "=cmd()", "🂡 Ace", "Анна", "👨\u200d👩\u200d👧\u200d👦", "Zoë 👩🏽\u200d🚀", "🏳\ufe0f\u200d🌈",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES, ids=range(len(BAD_NAMES)))
def test_names_that_deceive_or_break_are_refused(server: Running, name: str) -> None:
    asked = {"game": "doubles", "id": new(), "name": name, **keys()}
    content = json.dumps(asked).encode()
    answer = server.http.post("/api/tables", content=content)
    assert answer.status_code in (400, 413), answer.text


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_names_are_kept_as_text(server: Running, name: str) -> None:
    host = server.open(name=name)
    assert server.http.get(f"/api/tables/{host.code}").json()["seats"][0]["name"] == name


def test_names_that_look_alike_do_not_sit_at_one_table(server: Running) -> None:
    host = server.open(name="Cop", players=6, bots=["medium", "ada"])
    for name in ("cop", "ＣＯＰ", "Сор", "c0p", "Çöp", "C op", "medium b0t", "ÁDA"):
        asked = {"id": new(), "name": name, **keys()}
        answer = server.http.post(f"/api/tables/{host.code}/join", json=asked)
        assert answer.status_code == 400 and "looks like it" in answer.json()["text"], name


# Names of one look, whatever their letters: UTS #39, as they are written and in small letters.
ALIKE = [
    ("ANNA", "ΑΝΝΑ"), ("Anna", "ΑΝΝΑ"), ("Alice", "AIice"), ("alice", "AIice"), ("Ivan", "lvan"),
    ("ANNA", "ꓮꓠꓠꓮ"), ("Anna", "ɑnnɑ"), ("Tom", "ᴛᴏᴍ"), ("Sam", "5am"), ("Tom", "Torn"), ("Cop", "Çop"),
    ("Zoe", "Ζое"), ("Anna 1", "Anna l"), ("Anna", "Аnna"), ("Paul", "Ρaul"), ("Bob", "ꓐob"),
]  # fmt: skip
DIFFERENT = [
    ("Ian", "Lan"),
    ("Tom", "Tim"),
    ("Ann", "Anna"),
    ("Bob", "Rob"),
    ("Mia", "Nia"),
    ("小明", "小朋"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_known_by_unicodes_table(one: str, other: str) -> None:
    assert look_alike(one, other) and look_alike(other, one)
    with pytest.raises(nf.RuleError):
        clean_name(other, [one])


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_only_sound_alike_may_sit_together(one: str, other: str) -> None:
    assert not look_alike(one, other) and clean_name(other, [one]) == other


def test_the_table_of_lookalikes_says_where_it_is_from() -> None:
    table = prototypes()
    assert len(table) > 2_000 and table[ord("Α")] == "A" and table[ord("ӏ")] == "i"
    assert all(unicodedata.normalize("NFKC", chr(sign)) == chr(sign) for sign in table)


def test_answers_are_sent_without_waiting_for_more_to_send() -> None:
    """asyncio turns Nagle's algorithm off only for sockets that say they are TCP."""
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_door_that_is_taken_or_nowhere_is_refused_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(nf.RuleError, match=f"port {port}: address already in use; --port 0"):
            _listen("127.0.0.1", port)
    with pytest.raises(nf.RuleError, match="cannot listen on no such place"):
        _listen("no such place", 0)
    with _listen("127.0.0.1", 0) as door:
        assert door.getsockname()[1] > 0
