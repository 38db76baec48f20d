"""`make pictures`: icons, previews of links and the README's picture, drawn by the product itself.

An icon or a preview carries the hash of what it was drawn from, so that a test can say which is out of date.
"""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.engine.game import Game
from ninefold.engine.state import State
from ninefold.model.cast import CAST
from ninefold.server.tables.messages import SeatInfo
from support import scripted
from support.browsing import chromium

ROOT = Path(__file__).parents[2]
PUBLIC = ROOT / "client" / "public"
GAMES = ROOT / "src" / "ninefold" / "game"
ICON = PUBLIC / "icon.svg"
NAME = (
    "flex: 1; height: 130px; display: flex; align-items: center; justify-content: center; gap: 28px;"
    "background: #264f40; color: #fdf8ec; font: 700 76px Palatino, P052, Georgia, serif"
)
TABLE = ROOT / "docs" / "table.jpg"
LARGE = {"width": 980, "height": 730}
WIDE = {"width": 1200, "height": 630}  # as messengers show it


def icons() -> dict[Path, tuple[int, bool]]:
    """By file: how large, and whether its corners are the phone's to cut."""
    return {
        PUBLIC / "icon.png": (180, True),
        PUBLIC / "icon-192.png": (192, False),
        PUBLIC / "icon-512.png": (512, False),
        PUBLIC / "icon-maskable.png": (512, True),
    }


def previews() -> dict[Path, list[Path]]:
    """By file: the pictures of games on it."""
    games = sorted(GAMES.glob("*/picture.svg"))
    return {PUBLIC / "preview.jpg": games} | {one.with_name("preview.jpg"): [one] for one in games}


def source_of(*parts: Path) -> str:
    """The hash of what a picture is drawn from."""
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:16]


def said(picture: bytes) -> str:
    """The hash that a picture carries."""
    found = re.search(rb"drawn from ([0-9a-f]{16})", picture)
    return found[1].decode() if found else ""


def _signed(picture: bytes, source: str) -> bytes:
    """The picture with a comment."""
    text = b"drawn from " + source.encode()
    if picture[:2] == b"\xff\xd8":  # JPEG
        return picture[:2] + b"\xff\xfe" + struct.pack(">H", len(text) + 2) + text + picture[2:]
    body = b"tEXtComment\0" + text
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return picture[:33] + chunk + picture[33:]  # after the signature and the header


def _draw(browser: Any, html: str, size: dict[str, int], **more: Any) -> bytes:
    page = browser.new_page(viewport=size)
    page.set_content(f"<style>body {{ margin: 0; background: transparent; }}</style>{html}")
    found: bytes = page.screenshot(**more)
    page.close()
    return found


def _icon(browser: Any, size: int, square: bool) -> bytes:
    place = f'<svg width="{size}" height="{size}" style="display: block" '
    svg = ICON.read_text("utf-8").replace("<svg ", place)
    svg = svg.replace('rx="8"', 'rx="0"') if square else svg
    return _draw(browser, svg, {"width": size, "height": size}, omit_background=not square)


def _preview(browser: Any, games: list[Path]) -> bytes:
    """One game's picture alone; those of all games in rows, with the name below."""
    alone = len(games) == 1
    tile = f"width: {WIDE['width'] // (1 if alone else 3)}px; height: {WIDE['height'] if alone else 250}px"
    pictures = [f'<div style="{tile}">{_sliced(one, n)}</div>' for n, one in enumerate(games)]
    icon = ICON.read_text("utf-8").replace("<svg ", '<svg width="96" ')
    name = "" if alone else f'<div style="{NAME}">{icon} Ninefold</div>'
    html = f'<div style="display: flex; flex-wrap: wrap">{"".join(pictures)}{name}</div>'
    return _draw(browser, html, WIDE, type="jpeg", quality=82)


def table(browser: Any) -> bytes:
    """A table as its player sees it: the same position each time, shown by the page itself."""
    state = _moment(nf.make("finest9", players=4), seed=3, decision=3)
    people = [SeatInfo("person", "Ann", None, False)]
    bots = [
        SeatInfo("bot", one.name, "hard", False, "hard", one.id) for one in CAST[: state.game.players - 1]
    ]
    seated = scripted.table(
        game=state.game.name, title=state.game.facts.title, players=state.game.players, seats=[*people, *bots]
    )
    script = scripted.Script(browser, LARGE, state.picture(0), table=seated, device_scale_factor=1.5)
    script.sit()
    script.page.wait_for_selector(".dock .button")
    found: bytes = script.page.screenshot(type="jpeg", quality=85)
    script.person.context.close()
    return found


def _moment(game: Game, seed: int, decision: int) -> State:
    """The first player's decision of that number, in a match of bots."""
    state = game.start(seed=seed)
    bots = SeatedBots(state.game, ["medium"] * game.players, seed)
    while True:
        decision -= state.actors == (0,)
        if not decision:
            return state
        bots.step(state)


def _sliced(picture: Path, number: int) -> str:
    """A picture that fills its place; its ids are its own."""
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>g{number}-", picture.read_text("utf-8"))
    whole = '<svg preserveAspectRatio="xMidYMid slice" style="display:block;width:100%;height:100%"'
    return re.sub(r'<svg(.*?) width="\d+" height="\d+"', rf"{whole}\1", svg, count=1)


def main() -> None:
    with chromium() as browser:
        for path, (size, square) in icons().items():
            path.write_bytes(_signed(_icon(browser, size, square), source_of(ICON)))
        for path, games in previews().items():
            path.write_bytes(_signed(_preview(browser, games), source_of(*games)))
        TABLE.write_bytes(table(browser))


if __name__ == "__main__":
    main()
