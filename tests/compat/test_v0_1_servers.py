"""What version 0.1 wrote, promised and drew still holds: databases.

Everything in `v0_1/` was made by version 0.1 itself, through its own commands and a server that people were
playing at when it was stopped. These tests go through public doors only: the library, the command line, HTTP
and sockets.
"""

from __future__ import annotations

import pytest

import ninefold as nf
from support.v0_1 import (
    Client,
    Server,
    Shell,
    catch_up,
    end_by_agreement,
    go_on,
)

# In one order, so that a server is started once for all tests that want it.
WHOLE = pytest.mark.parametrize("server", ["sqlite", "postgres"], indirect=True, scope="module")
ANY = pytest.mark.parametrize("server", ["sqlite", "postgres", "killed"], indirect=True, scope="module")


@ANY
def test_every_table_is_shown_as_it_was(server: Server) -> None:
    for what in server.tables:
        for person in server.people(what):
            if "facts" in person:
                now, then = server.shown[what, person["seat"]], person["facts"]
                if then["game"] == "nine_of_a_kind":  # its turns would tell what others do in secret
                    then["view"]["turn"] = 0
                assert now == then, what


@ANY
def test_a_command_sent_again_is_answered_as_before(server: Server) -> None:
    """It was carried out by version 0.1, and is not carried out again."""
    for what, table in server.tables.items():
        for sent in table.get("sent", ()):
            with server.connect(what, sent["seat"]) as client:
                before = client.seq
                assert client.ask(sent["message"]) == (sent["seq"], ""), what
                assert client.seq == before
        if "opening" in table:
            answer = server.http.post("/api/tables", json=table["opening"]).json()
            assert (answer["code"], answer["seat"]) == (table["code"], 0)
        if "joining" in table:
            answer = server.http.post(f"/api/tables/{table['code']}/join", json=table["joining"]).json()
            assert answer["seat"] == 1


@WHOLE
def test_keys_open_what_they_opened(server: Server) -> None:
    for what in server.tables:
        for person in server.people(what):
            for key in ("token", "recovery"):
                assert server.get(what, "/seat", person[key]).json()["seat"] == person["seat"]
    gone = server.tables["in the lobby"]["former"]
    assert server.get("in the lobby", "/seat", gone["token"]).status_code == 403
    with Client(server.url, server.tables["in the lobby"]["code"], gone["token"]) as client:
        assert client.refusal == "bad_token"


@WHOLE
def test_spectators_may_watch_where_they_might(server: Server) -> None:
    with Client(server.url, server.tables["baseball in play"]["code"], None) as client:
        assert client.facts["seat"] is None and client.facts["view"]["move_count"] == 0
    with Client(server.url, server.tables["doubles in play"]["code"], None) as client:
        assert client.refusal == "no_spectators"
    assert server.http.get("/api/tables").json()["tables"] == [server.tables["in the lobby"]["code"]]


@ANY
def test_what_was_missed_is_told(server: Server) -> None:
    for what in server.tables:
        with server.connect(what, since=3) as client:
            assert client.numbers[: client.facts["seq"] - 3] == list(range(4, client.facts["seq"] + 1)), what


@ANY
def test_matches_go_on_and_are_proved(server: Server, ninefold: Shell) -> None:
    """Their draws were promised by version 0.1, and some of them are made only now."""
    for what in server.tables:
        if "in play" not in what:
            continue
        with server.connect_all(what) as clients:
            made = go_on(clients, 8)
            assert made, what
            end_by_agreement(clients)
        record, shown = server.record(what), server.people(what)[0]["facts"]
        assert record["fair"]["commitments"][: len(shown["commitments"])] == shown["commitments"], what
        verdict = ninefold.verify(record)
        sheet = nf.make(shown["game"]).facts
        shortened = sheet.hidden and not sheet.redacts  # the deal that was cut off stays secret
        assert verdict["proved"] and (shortened or verdict["moves"] >= made), what
        # Cards that were folded stay unshown.
        assert verdict["checked"] == verdict["draws"] or shown["game"] == "holdem9", what


@WHOLE
def test_sealed_moves_are_opened(server: Server, ninefold: Shell) -> None:
    what = "moves sealed"
    with server.connect_all(what) as clients:
        assert clients[2].sealed == [0, 1, 3, 4] and not clients[0].choices and clients[2].choices
        assert not clients[0].move("wait")  # one is sealed already
        before = clients[2].seq
        assert clients[2].move(clients[2].choices[0])
        catch_up(clients)
        assert not {0, 1, 2} & set(clients[2].sealed) and clients[2].seq > before + 3
        go_on(clients, 6)
        end_by_agreement(clients)
    verdict = ninefold.verify(server.record(what))
    assert verdict["proved"] and verdict["checked"] == verdict["draws"]


@WHOLE
def test_an_undo_is_agreed_to(server: Server, ninefold: Shell) -> None:
    what = "an undo is asked for"
    with server.connect_all(what) as clients:
        assert clients[0].undo and clients[0].do("undo") == ""
        catch_up(clients)
        assert clients[0].undo is None
        assert clients[1].choices and not clients[0].choices  # the player who took it back decides again
        assert go_on(clients, 6)
        end_by_agreement(clients)
    record = server.record(what)
    assert len(record["fair"]["asides"]) > 2  # this one, the one before, and how they sat down
    assert ninefold.verify(record)["proved"]


@WHOLE
def test_a_paused_match_is_resumed(server: Server, ninefold: Shell) -> None:
    with server.connect_all("paused") as clients:
        assert clients[0].status == "paused" and clients[1].do("resume") == "not_host"
        assert clients[0].do("resume") == "" and clients[0].status == "playing"
        assert go_on(clients, 6)
        end_by_agreement(clients)
    assert ninefold.verify(server.record("paused"))["proved"]


@WHOLE
def test_a_vote_to_end_the_match_still_counts(server: Server) -> None:
    with server.connect_all("somebody wants to end it") as clients:
        assert clients[0].do("end") == "" and clients[0].status == "playing"
        assert clients[2].do("end") == "" and clients[2].status == "over"


@WHOLE
def test_a_match_begins_in_the_lobby(server: Server) -> None:
    with server.connect_all("in the lobby") as clients:
        assert clients[1].do("start") == "not_host"
        assert clients[0].do("start") == ""
        assert go_on(clients, 4)


@WHOLE
def test_what_is_over_is_proved(server: Server, ninefold: Shell) -> None:
    for what, table in server.tables.items():
        for number, kept_digest in enumerate(table.get("records", ()), 1):
            record = server.record(what, number)
            cut_off = what == "ended early"  # its last deal stays secret now
            assert cut_off or record["digest"] == kept_digest, what
            verdict = ninefold.verify(record)
            assert verdict["proved"] and verdict["checked"] == verdict["draws"]
            assert server.get(what, f"/replay?match={number}").json()["total"] > 1


@WHOLE
def test_a_season_goes_on(server: Server, ninefold: Shell) -> None:
    assert server.counted == server.season
    with server.connect_all("over") as clients:
        assert clients[0].do("start") == ""
        assert go_on(clients, 1000)
        assert clients[0].status == "over"
    assert ninefold.verify(server.record("over"))["proved"]
    now, had = server.results(), len(server.season["matches"])
    assert len(now["matches"]) > had and now["matches"][-had:] == server.season["matches"]
    played = sum(row["played"] for row in now["standings"])
    every = server.http.get(f"/api/seasons/{server.season['code']}").json()["matches"]
    whole = [match for match in every if not match["unfinished"]]  # 0.1 counted matches cut short, too
    assert played == sum(sum(match["people"]) for match in whole)
