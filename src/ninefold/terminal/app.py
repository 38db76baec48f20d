"""The full-screen table: one match on a terminal, drawn from the table model, played by keyboard or mouse.

Knows the match, the painter and the keys; knows no game.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.timer import Timer
from textual.widgets import Input, Static

from ninefold.kernel.errors import NinefoldError
from ninefold.kernel.model import Event, Part, View
from ninefold.terminal.asking import Action, actions, advice, fitting, lit, moved, places, toggle
from ninefold.terminal.house import HouseApp
from ninefold.terminal.match import Frame, Match
from ninefold.terminal.paint import DIM, FINE, LIT, STRONG, Look, Place, Signs, named, paint
from ninefold.terminal.plain import Order
from ninefold.terminal.screens import Curtain, Orders, log_page, rules_page_of

PACES = {"slow": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}
WIDE = 110  # columns from which the log stands beside the table
BREATH = 0.04  # seconds after which keys are listened to and the screen is drawn
BEAT = 0.1  # seconds between two looks at the clock
KEYS = "q leave  ? rules  / say, ask  ! hint  Backspace undo  , orders  <> pace  ; log"


class TableApp(HouseApp[str]):
    """A match, full screen. Its return value is `over`, `left` or `again`."""

    CSS = """
    Screen { layout: vertical; background: $background; }
    Static { link-style: none; link-color: $text; link-background: transparent; link-style-hover: bold; }
    #title { height: 1; background: $primary; color: $text; }
    #middle { height: 1fr; }
    #scroll { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; }
    #side { width: 40; height: 1fr; padding: 0 0 0 2; }
    #below { height: auto; max-height: 6; }
    #prompt { height: auto; min-height: 2; max-height: 4; }
    #actions { height: auto; min-height: 2; max-height: 5; }
    #entry { height: 1; border: none; display: none; padding: 0; }
    #keys { height: 1; color: $text-muted; }
    """

    def __init__(self, match: Match, pace: str = "normal", signs: Signs = FINE) -> None:
        super().__init__(signs)
        self.match = match
        self.pace = pace
        self.viewer: int | None = match.people[0] if len(match.people) == 1 else None
        self.view: View = {}
        self.told: list[Event] = []
        self.queue: deque[Frame] = deque()
        self.cursor: Place | None = None
        self.picked: frozenset[Place] = frozenset()
        self.orders: dict[int, Order] = {}
        self.notice = ""
        self.deciding: int | None = None  # the person who is asked now
        self.asked_number: Part | None = None
        self.hurry = False
        self.pause: Timer | None = None  # until the next step is shown
        self.failed = False  # the last step could not be saved
        self._shown: dict[str, Text] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="scroll", can_focus=False):
                yield Static(id="table", markup=False)
            yield Static(id="side", markup=False)
        yield Static(id="below", markup=False)
        yield Static(id="prompt", markup=False)
        yield Static(id="actions", markup=False)
        yield Input(id="entry", select_on_focus=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.view = self.match.view(self.viewer)
        self.told = list(self.match.logs[self.viewer])
        self.match.skip_frames(self.viewer)
        if self.match.timing == "live":
            self.set_interval(BEAT, self._beat)
        self.advance()

    # The course of the match

    def advance(self) -> None:
        """Show what has happened, one step at a time, until a person has to decide."""
        self._end_pause()
        began = monotonic()
        try:
            while self._step():
                if monotonic() - began > BREATH:
                    self._pause_for(0)
                    return
        except NinefoldError as error:
            self.failed = True
            self.say(f"{error}; any key tries again, q leaves")

    def _step(self) -> bool:
        """Show one step, or let it be made; False where it is to be looked at, or somebody has to decide."""
        if self.queue:
            frame = self.queue.popleft()
            self.view = frame.view
            self.told += frame.events
            if self._pauses(frame.events):
                self._pause_for(PACES[self.pace])
                return False
        elif self.match.over:
            self._finish()
            return False
        elif self.match.timing == "live":
            self._settle()
            return False
        elif self.match.next_bot is not None:
            self.match.step_bot()
            self._collect()
        else:
            return not self._decide(self.match.awaited[0])
        return True

    def _beat(self) -> None:
        """The clock: others act while this person thinks, and what was picked stays picked."""
        try:
            if self.match.over or not self.match.tick(monotonic()):
                return
        except NinefoldError as error:
            self.say(str(error))
            return
        before = self.view
        self._collect()
        self.advance()
        same = _card_at(before), _card_at(self.view)
        self.picked = frozenset(place for place in self.picked if same[0].get(place) == same[1].get(place))
        self.redraw()

    def _settle(self) -> None:
        """Whoever sits here may act now, or is out for the moment."""
        self.view = self.match.view(self.viewer)
        self.deciding = self.viewer if self.viewer in self.match.awaited else None
        where = places(self.view)
        if self.cursor not in where:
            self.cursor = where[0] if where else None
        self.redraw()

    def _pause_for(self, seconds: float) -> None:
        self.redraw()
        self.pause = self.set_timer(seconds, self.advance) if seconds else None
        if not seconds:
            self.call_after_refresh(self.advance)

    def _end_pause(self) -> None:
        if self.pause is not None:
            self.pause.stop()
            self.pause = None

    def _collect(self) -> None:
        self.queue.extend(self.match.take_frames(self.viewer))

    def _pauses(self, happened: list[Event]) -> bool:
        """Whether a step is to be looked at; the last one before a person decides stays there anyway."""
        loud = any(not event.get("quiet") for event in happened)
        match = self.match
        stays = not self.queue and match.next_bot is None and match.awaited[:1] == [self.viewer]
        watched = self.match.timing != "live" and not stays and not self.hurry
        return loud and watched and PACES[self.pace] > 0

    def _decide(self, seat: int) -> bool:
        """Let a person decide; False where a standing order has decided for them."""
        standing = self.orders.get(seat)
        if standing and (move := standing.move(self.match.view(seat))):
            self.match.play(seat, move)
            self._collect()
            return False
        if self.viewer != seat:
            if self.match.game.facts.hidden and len(self.match.people) > 1:
                self.push_screen(Curtain(self.match.names[seat]), lambda _: self._face(seat))
                return True
            self._face(seat)
            return True
        self._ask(seat)
        return True

    def _face(self, seat: int) -> None:
        """The screen is now for the eyes of this person."""
        self.viewer = seat
        self.match.skip_frames(seat)
        self.told = list(self.match.logs[seat])
        self._ask(seat)

    def _ask(self, seat: int) -> None:
        self.hurry = False
        self.failed = False
        self.deciding = seat
        self.view = self.match.view(seat)
        where = places(self.view)
        if self.cursor not in where:
            lights = lit(self.view)
            self.cursor = next((place for place in where if place in lights), where[0] if where else None)
        self.picked = frozenset()
        self.redraw()

    def _finish(self) -> None:
        self.deciding = None
        self.view = self.match.view(self.viewer)
        self.notice = "The match is over: n plays another, Backspace takes back, q leaves."
        self.redraw()

    def play(self, move: str) -> None:
        """A person's move; what forbids it is said below the table."""
        if self.deciding is None:
            return
        seat = self.deciding
        self.notice = ""
        try:
            self.match.play(seat, move)
        except NinefoldError as error:
            self.say(str(error))
            return
        self.deciding = None
        self._collect()
        self.advance()

    def say(self, text: str) -> None:
        """A sentence below the table."""
        text = named(text, self.match.names)
        self.notice = text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
        self.redraw()

    # Drawing

    @property
    def pointed(self) -> frozenset[Place]:
        if self.picked:
            return self.picked
        return frozenset([self.cursor]) if self.cursor else frozenset()

    def redraw(self) -> None:
        view = self.view
        wide = self.size.width >= WIDE
        self.query_one("#side").display = wide
        self.query_one("#below").display = not wide
        asked = self.deciding is not None
        here = actions(view, self.pointed) if asked else []
        prompt = Text(named(view["prompt"], self.match.names), STRONG)
        if self.notice:
            prompt.append(f"\n{self.notice}", LIT)
        buttons = self._buttons(here, asked)
        width, height = self.size
        asking = max(2, self._lines(prompt)) + max(2, self._lines(buttons))
        room = height - 2 - (asking if wide else max(6, asking + 1))  # a longer prompt shortens the log first
        look = Look(
            width=width - (43 if wide else 1),
            height=room,
            signs=self.signs,
            cursor=self.cursor if asked else None,
            picked=self.picked,
            lit=lit(view) if asked else frozenset(),
            click={place: f"app.pick({place[0]!r}, {place[1]})" for place in places(view)} if asked else {},
        )
        table = paint(view, self.match.names, look)
        self._put("#title", self._heading())
        self._put("#table", Text("\n").join(table))
        if len(table) > room:  # what is one's own stands last, and is what one needs to see
            self.query_one("#scroll").scroll_end(animate=False)
        spare = height - 2 - asking - len(table)
        if wide:
            self._put("#side", self._recent(38, height - 2 - asking))
        else:
            self._put("#below", self._recent(width, max(1, min(6, spare))))
        self._put("#prompt", prompt)
        self._put("#actions", buttons)

    def _put(self, where: str, text: Text) -> None:
        """Show a text in its place, unless it stands there already: laying out the screen takes time."""
        old = self._shown.get(where)
        if old == text and old.spans == text.spans:
            return
        self._shown[where] = text
        same_size = old is not None and [len(line) for line in old.split("\n")] == [
            len(line) for line in text.split("\n")
        ]
        self.query_one(where, Static).update(text, layout=not same_size)

    def _lines(self, text: Text) -> int:
        """How many lines a text takes over the whole width."""
        return len(text.wrap(self.console, self.size.width)) if text else 0

    def _heading(self) -> Text:
        view = self.view
        title = Text(f" {view['title']}", STRONG).append(f"  {view['phase']}")
        whose = [self.match.names[seat] for seat in view["actors"]]
        if view["over"]:
            title.append("  the match is over")
        elif len(whose) == 1:
            title.append(f"  {whose[0]} to act", STRONG)
        return title.append(f"  pace {self.pace}")

    def _buttons(self, here: list[Action], asked: bool) -> Text:
        """What can be done now, in lines that break between two things only."""
        parts = []
        for action in here:
            click = Style(meta={"@click": f"app.press({action.key!r})"})
            key = f"[{action.key}] " if action.key else ""
            label = named(action.label, self.match.names)
            parts.append(Text(key, LIT + click).append(label, STRONG + click))
        if asked and (hint := advice(self.view, self.pointed)):
            parts.append(Text(f"{hint} (arrows, Space)", DIM))
        if not asked and not self.match.over:
            parts.append(Text("Any key skips ahead.", DIM))
        lines = [Text()]
        for part in parts:
            if lines[-1] and lines[-1].cell_len + 3 + part.cell_len > self.size.width:
                lines.append(Text())
            lines[-1].append("   " if lines[-1] else "").append_text(part)
        return Text("\n").join(lines)

    def _recent(self, width: int, height: int) -> Text:
        """The last things that happened, as many as fit."""
        lines: list[Text] = []
        for event in reversed(self.told):
            if event.get("quiet"):
                continue
            lines[:0] = Text(event["text"]).wrap(self.console, max(10, width))
            if len(lines) >= height:
                break
        return Text("\n").join(lines[-height:] if height > 0 else [])

    # Keys and clicks

    def on_resize(self) -> None:
        if self.view:
            self.call_after_refresh(self.redraw)

    def on_key(self, event: events.Key) -> None:
        if self.query_one("#entry").display or len(self.screen_stack) > 1:
            if event.key == "escape" and self.query_one("#entry").display:
                self._close_entry()
            return
        event.prevent_default()
        sign = event.character or ""
        if self._everywhere(sign):
            return
        if event.key in ("pageup", "pagedown"):
            scroll = self.query_one("#scroll")
            (scroll.scroll_page_up if event.key == "pageup" else scroll.scroll_page_down)(animate=False)
            return
        if self.deciding is None:
            self._wait_key(sign)
            return
        if event.key in ("left", "right", "up", "down", "tab"):
            self._move_cursor(event.key)
        elif event.key == "space" and self.cursor:
            self.action_pick(*self.cursor)
        elif event.key == "enter":
            self._enter()
        elif sign:
            self.action_press(sign.lower())

    def _everywhere(self, sign: str) -> bool:
        """Keys that mean the same in every game, at any time."""
        match sign:
            case "?":
                self.push_screen(rules_page_of(self.match.game.name))
            case ";":
                self.push_screen(log_page(self.told))
            case "<" | ">":
                names = list(PACES)
                at = names.index(self.pace) + (1 if sign == ">" else -1)
                self.pace = names[min(max(at, 0), len(names) - 1)]
                if self.match.timing:
                    self.match.keep_time(self.match.timing, tempo_of(self.pace))
                self.redraw()
            case "q":
                self.action_leave()
            case _:
                return False
        return True

    def action_leave(self) -> None:
        self.exit("over" if self.match.over else "left")

    def _wait_key(self, sign: str) -> None:
        """A key while nobody is asked: skip ahead, end a standing order, try again what failed."""
        if self.match.over and not self.queue:
            if sign == "n":
                self.exit("again")
            elif sign in ("\x7f", "\x08"):
                self._undo()
            return
        if sign == "," and self.viewer in self.orders:
            del self.orders[self.viewer]
            self.say("No standing order any more")
            return
        self.notice = "" if self.failed else self.notice
        self.failed = False
        self.hurry = True
        self.advance()

    def _move_cursor(self, key: str) -> None:
        where = places(self.view)
        zone = self.cursor[0] if self.cursor else ""
        columns = next((part.get("columns", 0) for part in self.view["zones"] if part["id"] == zone), 0)
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns}
        if key == "tab":
            lights = [place for place in where if place in lit(self.view)]
            self.cursor = moved(lights or where, self.cursor, 1, 0)
        else:
            self.cursor = moved(where, self.cursor, steps[key] or (1 if key == "down" else -1), columns)
        self.redraw()

    def _enter(self) -> None:
        """Enter does what is possible with the cards pointed at, or at all, where that is only one thing."""
        here = actions(self.view, self.pointed)
        chosen = fitting(self.view, here, self.pointed) or here
        if len(chosen) == 1:
            self._do(chosen[0])
        elif here:
            self.say("several things are possible: press the key of one")
        else:
            self.say(advice(self.view, self.pointed) or "there is nothing to do here")

    def action_pick(self, zone: str, place: int) -> None:
        """A card was clicked on, or Space pressed at it."""
        if self.deciding is None or (zone, place) not in places(self.view):
            return
        self.cursor = (zone, place)
        self.picked = toggle(self.picked, self.cursor)
        self.redraw()

    def action_press(self, key: str) -> None:
        """A key that stands for an action, or one of the house's own."""
        match key:
            case "/":
                self._open_entry("Say a move, or ask about one with a ? at its end; Esc goes back.")
            case "!":
                self._hint()
            case ",":
                self._ask_orders()
            case "\x7f" | "\x08":
                self._undo()
            case _:
                chosen = [action for action in actions(self.view, self.pointed) if action.key == key]
                if chosen:
                    self._do(chosen[0])

    def _do(self, action: Action) -> None:
        if action.number is None:
            self.play(action.move)
            return
        self.asked_number = action.number
        low, high = action.number["low"], action.number["high"]
        self._open_entry(f"{action.number['label']}, a number from {low:,} to {high:,}; Esc goes back.")

    def _hint(self) -> None:
        if self.deciding is not None:
            found = self.match.hint(self.deciding)
            self.say(f"the hard bot would play: {found.move}. {found.why}")

    def _undo(self) -> None:
        seat = self.viewer if self.viewer is not None else self.deciding
        if seat is None:
            return
        try:
            self.match.undo(seat)
        except NinefoldError as error:
            self.say(str(error))
            return
        self._end_pause()
        self.orders.pop(seat, None)
        self.notice = "Taken back."
        self.queue.clear()
        self._face(seat)

    # Typing

    def _open_entry(self, words: str) -> None:
        """Ask for a line in the place of the keys; what is asked stands in that of the notice."""
        self.say(words)
        self.query_one("#keys").display = False
        entry = self.query_one("#entry", Input)
        entry.value = ""
        entry.display = True
        entry.focus()

    def _close_entry(self) -> None:
        self.asked_number = None
        self.notice = ""
        self.set_focus(None)
        self.query_one("#entry").display = False
        self.query_one("#keys").display = True
        self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        number = self.asked_number
        self._close_entry()
        if not text or self.deciding is None:
            return
        if number is not None:
            self.play(f"{number['verb']} {text.replace(',', '')}")
        elif text.endswith("?"):
            self._why(self.deciding, text.rstrip("? "))
        else:
            self.play(text)

    def _why(self, seat: int, move: str) -> None:
        try:
            self.match.check(seat, move)
        except NinefoldError as error:
            self.say(str(error))
        else:
            self.say(f"you can: {move} is possible now")

    def _ask_orders(self) -> None:
        if not self.view["orders"]:
            self.say("this game has no standing orders")
            return
        self.push_screen(Orders(self.view["orders"]), self._give_order)

    def _give_order(self, chosen: Order | None) -> None:
        if chosen is None or self.deciding is None:
            return
        seat = self.deciding
        if not chosen.part:
            self.orders.pop(seat, None)
            self.say("No standing order any more")
            return
        self.orders[seat] = chosen
        self.notice = f"Standing order: {chosen.part['label']}."
        self.deciding = None
        self.advance()


def tempo_of(pace: str) -> str:
    """How fast bots are, where they act by the clock."""
    return "fast" if pace == "instant" else pace


def _card_at(view: View) -> dict[Place, object]:
    return {
        (zone["id"], place): card["card"]
        for zone in view["zones"]
        for place, card in enumerate(zone.get("cards", []))
    }
