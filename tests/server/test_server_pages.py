"""What browsers are sent besides tables: the page, its files, wrong addresses, and limits."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from support.browsing import built
from support.serving import Running, keys, new, serving


def test_an_address_that_is_none_has_a_page_for_people_and_words_for_programs(house: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/anything", "/t", "/season/"):
        answer = house.http.get(path, headers=browser)
        assert answer.status_code == 404 and "<title>Ninefold</title>" in answer.text, path
    for path, headers in (("/anything", {}), ("/api/anything", browser)):
        answer = house.http.get(path, headers=headers)
        assert answer.status_code == 404
        assert answer.json() == {"error": "not_found", "text": "there is nothing at this address"}
    answer = house.http.put("/api/tables")
    assert answer.status_code == 405 and answer.json()["error"] == "method" and answer.headers["allow"]


def test_a_link_has_a_preview(house: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    page = house.http.get("/t/ABCDEF").text
    assert 'name="description"' in page and 'property="og:title"' in page
    assert 'rel="apple-touch-icon" href="/static/icon.png"' in page


def test_head_is_get_without_its_content(house: Running) -> None:
    code = house.open().code
    for path in ("/", f"/t/{code}", "/static/icon.svg", "/favicon.ico", "/healthz", f"/api/tables/{code}"):
        got, head = house.http.get(path), house.http.head(path)
        assert head.status_code == got.status_code, path
        assert head.content == b"" and head.headers["content-type"] == got.headers["content-type"], path
        assert head.headers["content-length"] == got.headers["content-length"], path
    assert house.http.head("/nowhere").status_code == 404


def test_the_pages_files_are_sent_compressed_where_a_browser_takes_it(house: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    folder = resources.files("ninefold.server").joinpath("static", "app")
    names = [file.name for file in folder.iterdir() if file.name.endswith((".js", ".css", ".svg"))]
    assert names
    for path in ("/", *(f"/static/{name}" for name in names)):
        packed = house.http.get(path, headers={"Accept-Encoding": "br;q=0, GZIP;q=0.8"})
        plain = house.http.get(path, headers={"Accept-Encoding": "gzip;q=0, identity"})
        assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        assert packed.content == plain.content  # httpx has unpacked it
        assert int(packed.headers["content-length"]) < 0.9 * int(plain.headers["content-length"]), path
    picture = house.http.get("/static/icon.png", headers={"Accept-Encoding": "gzip"})
    assert picture.headers["content-type"] == "image/png" and "content-encoding" not in picture.headers


def test_people_behind_one_address_do_not_use_up_each_others_limits(tmp_path: Path) -> None:
    def asked(house: Running, person: str) -> int:
        content = {"game": "doubles", "id": new(), "name": "Ann", **keys()}
        return house.http.post("/api/tables", json=content, headers={"X-Page": person}).status_code

    with serving(tmp_path / "tables", tables=2 / 3600, people=5) as house:
        assert [asked(house, "ann") for _ in range(3)] == [201, 201, 429]
        assert [asked(house, "bob") for _ in range(3)] == [201, 201, 429]  # has as many
        others = [
            asked(house, new()) for _ in range(10)
        ]  # making up people gains no more than the address has
        assert others.count(201) == 6 and others[-1] == 429
    with serving(tmp_path / "requests", requests=4, people=10) as house:
        one = [house.http.get("/api/games", headers={"X-Page": "ann"}).status_code for _ in range(40)]
        assert one[0] == 200 and one[-1] == 429
        assert house.http.get("/api/games", headers={"X-Page": "bob"}).status_code == 200
        # Nobody at the address is kept from the page by one who asks for too much.
        loads = [house.http.get(path).status_code for _ in range(15) for path in ("/", "/static/icon.svg")]
        assert 429 not in loads
        with house.open().line() as line:
            assert line.do("start")["ok"]
