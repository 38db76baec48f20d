"""A page whose server is a test: it is sent messages made from the types, and what it sends is remembered."""

from __future__ import annotations

import json
import mimetypes
import time
from importlib import resources
from pathlib import PurePath
from typing import Any

from ninefold.model.events import Beat, Event
from ninefold.model.text import Text, message
from ninefold.model.view import Offer, SeatView, Status, View, Zone
from ninefold.server.tables.messages import (
    Answer,
    Pong,
    Presence,
    Refused,
    SeatInfo,
    TableEvent,
    TableSettings,
    TableView,
    Update,
    Welcome,
    encode,
)
from support.browsing import Person

CODE = "MODEL1"
URL = "http://ninefold.test"
NAMES = ("Ann", "Bob", "Cleo")


def table(**more: Any) -> TableView:
    found = TableView(
        game="coins",
        title="Coins",
        players=len(NAMES),
        options={},
        settings=TableSettings(True, False, None, "normal", chat=True, hints=True),
        status="playing",
        seats=[SeatInfo("person", name, None, False) for name in NAMES],
        match=1,
        commitments=[],
        votes=[],
        undo=None,
        sealed=[],
        rolling=None,
        realtime=False,
        result=None,
        notice="",
        promise=None,
    )
    for name, value in more.items():
        setattr(found, name, value)
    return found


def seat(number: int, status: Status = "in", status_text: Text = "", score: int = 0) -> SeatView:
    return SeatView(number, score, status, status_text or status)


def view(zones: list[Zone], offers: list[Offer] | None = None, **more: Any) -> View:
    found = View(
        game="coins",
        title="Coins",
        version=1,
        players=len(NAMES),
        options={},
        lowest_wins=False,
        seat=0,
        turn=1,
        actors=[0],
        waiting_for="seat",
        over=False,
        scores=[0] * len(NAMES),
        winners=[],
        phase=message("Round {number}", number=1),
        prompt="Your move.",
        zones=zones,
        counters=[],
        seats=[seat(number) for number in range(len(NAMES))],
        details={},
        goal="",
        legend=[],
        progress=None,
        groups=[],
        offers=offers or [],
        orders=[],
        moves=[],
        move_count=0,
    )
    for name, value in more.items():
        setattr(found, name, value)
    return found


class Script:
    """A page whose server is this test: it answers hello with a welcome, and remembers what it is sent."""

    def __init__(self, browser: Any, size: dict[str, int], shown: View | None, **more: Any) -> None:
        motion = more.pop("motion", "reduce")
        speed = more.pop("speed", "instant" if motion == "reduce" else "normal")
        self.person = Person(browser, URL, size, reduced_motion=motion, speed=speed)
        self.page = self.person.page
        self.table = more.pop("table", table())
        self.shown = shown
        self.before: list[Update] = more.pop("before", [])  # what was missed, sent before the welcome
        self.answers: dict[str, Answer] = {}
        self.refused: Refused | None = None  # whoever says hello
        self.api: dict[str, object] = {}
        self.heard: list[dict[str, Any]] = []
        self.times: list[float] = []  # when
        self.socket: Any = None
        self.page.route("**/*", self._fetch)
        self.page.route_web_socket("**/ws", self._connect)

    def sit(self) -> None:
        self.person.sit("A" * 43, CODE)

    def send(self, message: object) -> None:
        self.socket.send(encode(message).decode())

    def show(self, shown: View, *events: Event, seq: int = 2) -> None:
        """An update with one beat."""
        news = [TableEvent(seq, "moved", [Beat(list(events))])]
        self.send(Update(seq, news, self.table, shown, 7))

    def _fetch(self, route: Any) -> None:
        path = PurePath(route.request.url.removeprefix(URL).split("?")[0])
        if str(path) in self.api:
            route.fulfill(body=encode(self.api[str(path)]), content_type="application/json")
        elif path.parts[1:2] == ("api",) or path.parts[1:2] == ("qr",):
            route.fulfill(status=404, body="{}")
        else:
            name = path.name if path.parts[1:2] == ("static",) else "index.html"
            file = resources.files("ninefold.server").joinpath("static", "app", name)
            route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(name)[0])

    def _connect(self, socket: Any) -> None:
        self.socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str) -> None:
        said = json.loads(text)
        self.heard.append(said)
        self.times.append(time.monotonic())
        if said["type"] == "hello" and self.refused:
            self.send(self.refused)
        elif said["type"] == "hello":
            for update in self.before:
                self.send(update)
            self.send(Welcome(max(1, len(self.before)), 0, CODE, [], {}, self.table, self.shown, 5))
            self.send(Presence([0, 1], 0, {2: 0.0}))
        elif said["type"] == "ping":
            self.send(Pong())
        elif "id" in said:
            answer = self.answers.get(said["type"], Answer("", True, 2))
            answer.id = said["id"]
            self.send(answer)

    def moves(self) -> list[str]:
        return [said["move"] for said in self.heard if said["type"] == "move"]


def dice() -> list[Zone]:
    return [Zone("dice", "dice", "Last roll", None, dice=[3, 4])]
