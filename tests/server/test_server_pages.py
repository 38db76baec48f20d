"""What browsers are sent besides tables: the page, its files, wrong addresses, and limits."""

from __future__ import annotations

import re
from html import unescape
from importlib import resources
from pathlib import Path

import pytest

from ninefold.engine import registry
from support.browsing import built
from support.serving import Running, keys, new, serving


def test_an_address_that_is_none_has_a_page_for_people_and_words_for_programs(server: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/anything", "/t", "/season/"):
        answer = server.http.get(path, headers=browser)
        assert answer.status_code == 404 and "<title>Ninefold</title>" in answer.text, path
    for path, headers in (("/anything", {}), ("/api/anything", browser)):
        answer = server.http.get(path, headers=headers)
        assert answer.status_code == 404
        assert answer.json() == {"error": "not_found", "text": "there is nothing at this address"}
    answer = server.http.put("/api/tables")
    assert answer.status_code == 405 and answer.json()["error"] == "method" and answer.headers["allow"]


def preview(server: Running, path: str) -> dict[str, str]:
    """What a messenger shows of an address."""
    page = server.http.get(path).text
    assert 'name="description"' in page and 'rel="apple-touch-icon" href="/static/icon.png"' in page
    assert page.count('name="theme-color"') == 2 and 'rel="manifest"' in page
    found = re.findall(r'property="og:([\w:]+)" content="([^"]*)"', page)
    assert len(dict(found)) == len(found)
    return {name: unescape(text) for name, text in found}


def test_a_link_has_a_preview(server: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    for path in ("/", "/t/ABCDEF", "/t/no-such-code", "/learn/doubles"):
        found = preview(server, path)
        assert found["title"] == "Ninefold" and found["url"] == f"{server.url}/"
        assert found["image"] == f"{server.url}/static/preview.jpg"
    assert server.http.get("/static/preview.jpg").headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize("game", registry.games())
def test_a_tables_link_says_who_invites_to_what(server: Running, game: str) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    facts = registry.facts(game)
    host = server.open(game, players=5, name="Zoë & <Co>")
    found = preview(server, f"/t/{host.code}")
    assert found["title"] == f"Zoë & <Co> invites you to {facts.title}"
    assert found["description"].startswith(facts.tagline) and "4 seats free." in found["description"]
    assert found["url"] == f"{server.url}/t/{host.code}"
    picture = server.http.get(found["image"])
    assert picture.headers["content-type"] == "image/jpeg" and picture.content[:2] == b"\xff\xd8"
    assert len(picture.content) < 300_000  # larger ones are left out by some messengers
    assert server.http.get(f"/t/{host.code.lower()}").text == server.http.get(f"/t/{host.code}").text


def test_a_preview_tells_nothing_that_the_table_does_not(server: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    host = server.open("holdem9", players=2, bots=["easy"], spectators=False)
    with host.connect() as client:
        assert client.do("start")["ok"]
    page = server.http.get(f"/t/{host.code}", headers=host.bearer).text
    assert "Multiple 9 Hold&#x27;em with Ann" in page and "free" not in page
    for secret in (host.token, host.asked["recovery"]):
        assert secret not in page
    assert page == server.http.get(f"/t/{host.code}").text


def test_codes_cannot_be_tried_by_their_previews(tmp_path: Path) -> None:
    """Wrong codes count here as they do elsewhere. After too many, no preview tells which are right; the page
    itself opens all the same, for those who have a seat."""
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    with serving(tmp_path, misses=1 / 3600) as server:
        host = server.open()
        for number in range(70):
            assert server.http.get(f"/t/WRNG{number:02}").status_code == 200
        assert server.http.get("/api/tables/WRNGAA").status_code == 429
        assert preview(server, f"/t/{host.code}")["title"] == "Ninefold"
        assert server.http.get(f"/t/{host.code}").text == server.http.get("/t/WRNGAA").text


def test_head_is_get_without_its_content(server: Running) -> None:
    code = server.open().code
    for path in ("/", f"/t/{code}", "/static/icon.svg", "/favicon.ico", "/healthz", f"/api/tables/{code}"):
        got, head = server.http.get(path), server.http.head(path)
        assert head.status_code == got.status_code, path
        assert head.content == b"" and head.headers["content-type"] == got.headers["content-type"], path
        assert head.headers["content-length"] == got.headers["content-length"], path
    assert server.http.head("/nowhere").status_code == 404


def test_the_pages_files_are_sent_compressed_where_a_browser_takes_it(server: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    folder = resources.files("ninefold.server").joinpath("static", "app")
    names = [file.name for file in folder.iterdir() if file.name.endswith((".js", ".css", ".svg"))]
    assert names
    for path in ("/", *(f"/static/{name}" for name in names)):
        packed = server.http.get(path, headers={"Accept-Encoding": "br;q=0, GZIP;q=0.8"})
        plain = server.http.get(path, headers={"Accept-Encoding": "gzip;q=0, identity"})
        assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        assert packed.content == plain.content  # httpx has unpacked it
        assert int(packed.headers["content-length"]) < 0.9 * int(plain.headers["content-length"]), path
    picture = server.http.get("/static/icon.png", headers={"Accept-Encoding": "gzip"})
    assert picture.headers["content-type"] == "image/png" and "content-encoding" not in picture.headers


def test_people_behind_one_address_do_not_use_up_each_others_limits(tmp_path: Path) -> None:
    def asked(server: Running, person: str) -> int:
        content = {"game": "doubles", "id": new(), "name": "Ann", **keys()}
        return server.http.post("/api/tables", json=content, headers={"X-Page": person}).status_code

    with serving(tmp_path / "tables", tables=2 / 3600, people=5) as server:
        assert [asked(server, "ann") for _ in range(3)] == [201, 201, 429]
        assert [asked(server, "bob") for _ in range(3)] == [201, 201, 429]  # has as many
        others = [
            asked(server, new()) for _ in range(10)
        ]  # making up people gains no more than the address has
        assert others.count(201) == 6 and others[-1] == 429
    with serving(tmp_path / "requests", requests=4, people=10) as server:
        one = [server.http.get("/api/games", headers={"X-Page": "ann"}).status_code for _ in range(40)]
        assert one[0] == 200 and one[-1] == 429
        assert server.http.get("/api/games", headers={"X-Page": "bob"}).status_code == 200
        # Nobody at the address is kept from the page by one who asks for too much.
        loads = [server.http.get(path).status_code for _ in range(15) for path in ("/", "/static/icon.svg")]
        assert 429 not in loads
        with server.open().connect() as client:
            assert client.do("start")["ok"]
