"""The full-screen table: one match on a terminal, drawn from the table model, played by keyboard or mouse.

Knows the match, the painter and the keys; knows no game.
"""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import Literal

from textual import events
from textual.timer import Timer
from textual.widgets import Input

from ninefold.kernel.errors import NinefoldError
from ninefold.model.events import Event
from ninefold.model.labels import move_label
from ninefold.model.text import render
from ninefold.model.view import Number, View
from ninefold.terminal.actions import (
    Action,
    StandingOrder,
    advice,
    aimed,
    attempts,
    fitting,
    hidden,
    place_of,
    places,
    steered,
    toggle,
)
from ninefold.terminal.ending import EndPage
from ninefold.terminal.entry import refused_number, with_number
from ninefold.terminal.margins import is_listed
from ninefold.terminal.moments import PAUSES, held, length, split
from ninefold.terminal.paint import FINE, Signs
from ninefold.terminal.screens import Curtain, Orders, RoundPage, log_page, rules_page_of
from ninefold.terminal.table import Frame, Table, cards_seen, outcome
from ninefold.terminal.table_screen import ROLL, SORT, TableScreen
from ninefold.terminal.wording import error_text, hint_words

BREATH = 0.04  # seconds between handling keys and drawing the screen
TICK = 0.1  # seconds between two checks of the clock
SKIPPED = 0.5  # seconds after a key that skips in which the same key is no move
HELD = 0.15  # seconds between two signs of a key that is held down, at most


class TableApp(TableScreen):
    """A match, full screen. Its return value is `over`, `left` or `again`."""

    def __init__(self, table: Table, pace: str = "normal", signs: Signs = FINE) -> None:
        super().__init__(table, pace, signs)
        self.queue: deque[Frame] = deque()
        self.next_view: View | None = None  # what is seen once a big moment has passed
        self.next_events: list[Event] = []
        self.asked_number: Number | None = None
        self.confirming = ""  # the move that has been pressed once, and may cost something
        self.reading = False  # how a round came out; what happens meanwhile waits
        self.hurry = False
        self.pressed = ""  # the last key
        self.hurried = ("", 0.0, 0.0)  # the key that last skipped ahead, until when it does, its last press
        self.pause: Timer | None = None  # until the next step is shown
        self.failed = self.ready = self.ended = False  # the last step was not saved; can be drawn; end shown

    def on_mount(self) -> None:
        self.ready = True
        self.history = self.table.log(self.viewer)
        self.table.skip_frames(self.viewer)
        if self.table.live:
            self.set_interval(TICK, self._tick)
        self.advance()

    # Playing the match

    def advance(self) -> None:
        """Show what has happened, one step at a time, until a person has to decide."""
        if self.reading:
            return
        if self.pause:
            self.pause.stop()
        began = monotonic()
        try:
            while self._step():
                if monotonic() - began > BREATH:
                    self._pause_for(0)
                    return
        except NinefoldError as error:
            self.failed = True
            self.say(f"{error}; press any key to try again, or q to leave")

    def _step(self) -> bool:
        """Show or make one step; False if it should stay on screen, or a person has to decide."""
        self._pass_big_moment()
        if self.queue:
            return self._show(self.queue.popleft())
        if self.table.over:
            self._finish()
            return False
        if self.table.live:
            self._settle()
            return False
        if (roller := self.table.roller) is not None:
            return self._await_roll(roller)
        if self.table.next_bot is not None:
            self.table.step_bot()
            self._collect()
        else:
            return not self._decide(self.table.awaited[0])
        return True

    def _await_roll(self, seat: int) -> bool:
        """Let a person roll; True if the dice have rolled by themselves, as they do at a fast pace."""
        if PAUSES[self.pace] < PAUSES["normal"] or seat in self.table.orders:
            self.table.roll(seat)
            self._collect()
            return True
        self.hurry = self.failed = False
        self.rolling = seat
        if seat != self.viewer:
            self.viewer = seat
            self.table.skip_frames(seat)
            self.history = self.table.log(seat)
        self.see(self.table.view(seat))
        self.redraw()
        return False

    def _roll(self) -> None:
        """Throw the dice that are awaited."""
        seat, self.rolling = self.rolling, None
        if seat is None:
            return
        self.notice, self.news = "", 0
        try:
            self.table.roll(seat)
        except NinefoldError as error:
            self._refuse(error)
            return
        self._collect()
        self.advance()

    def _show(self, frame: Frame) -> bool:
        """Show a step; False if it should stay on screen."""
        sealing = self.view.waiting_for == frame.view.waiting_for == "everyone"
        big, rest = split(frame.events)
        if big and PAUSES[self.pace] and not self.table.live:
            self.see(held(self.view, frame))
            self._tell(big)
            self.next_view, self.next_events, self.holding = frame.view, rest, True
            self.hurry = False
            self._pause_for(length(big, self.pace))
            return False
        self.see(frame.view)
        self._tell(frame.events)
        if self.table.realtime and (ended := outcome(frame.events)):
            self.redraw()
            self.reading = True
            self.push_screen(RoundPage(ended, self.names, self.viewer), self._after_round)
            return False
        if not sealing and self._pauses(frame.events):  # who has decided is shown at the seats
            self._pause_for(PAUSES[self.pace] * (1.0 if self.queue else self.table.thinking))
            return False
        return True

    def _after_round(self, _: str | None) -> None:
        self.reading = False
        self.advance()

    def _tell(self, happened: list[Event]) -> None:
        self.history += happened
        sums_up = not PAUSES[self.pace] or not any(map(is_listed, happened))
        self.news = len(happened) + (self.news if sums_up else 0)

    def _pass_big_moment(self) -> None:
        """Go on to the table after a big moment."""
        if self.next_view is not None:
            self.see(self.next_view)
            self.history += self.next_events
            self.news += len(self.next_events)
        self.next_view, self.next_events, self.holding = None, [], False

    def _tick(self) -> None:
        """Others act while this person thinks; picked cards stay picked."""
        if self.notice_is_old() and not self.query_one("#entry").display:
            self.notice = ""
            self.redraw()
        try:
            if self.table.over or not self.table.advance(monotonic()):
                return
        except NinefoldError as error:
            self._refuse(error)
            return
        before = cards_seen(self.view)
        self._collect()
        self.advance()
        self.picked -= {(zone, place) for zone, place, _ in before ^ cards_seen(self.view)}
        self.redraw()

    def _settle(self) -> None:
        """The person at this screen may act now, or is out for the moment."""
        self.see(self.table.view(self.viewer))
        self.deciding = self.viewer if self.viewer in self.table.awaited else None
        self._aim()
        self.redraw()

    def _sort(self) -> None:
        """Sort the hand by suit, or again by rank; picked cards are put back."""
        self.by_suit = not self.by_suit
        self.picked = frozenset()
        self.see(self.table.view(self.viewer))
        self._aim()
        self.redraw()

    def _aim(self) -> None:
        """Put the cursor on a card that can be picked, if possible one that is part of a move."""
        self.cursor = aimed(self.view, self.cursor)

    def _pause_for(self, seconds: float) -> None:
        self.redraw()
        self.pause = self.set_timer(seconds, self.advance) if seconds else None
        if not seconds:
            self.call_after_refresh(self.advance)

    def _collect(self) -> None:
        self.queue.extend(self.table.take_frames(self.viewer))

    def _pauses(self, happened: list[Event]) -> bool:
        """Whether to pause at a step; the last one before a decision stays on screen anyway."""
        loud = any(not event.quiet for event in happened)
        table = self.table
        mine = table.awaited[:1] == [self.viewer] or (
            table.roller is not None and table.roller == self.viewer
        )
        stays = not self.queue and table.next_bot is None and mine
        watched = not self.table.live and not stays and not self.hurry
        return loud and watched and PAUSES[self.pace] > 0

    def _decide(self, seat: int) -> bool:
        """Let a person decide; False if a standing order decided for them."""
        ordered = self.table.orders.get(seat)
        obeyed = self.table.obey(seat)
        if ordered and seat not in self.table.orders:
            self.notice = f"Autopilot off: {ordered.words(self.names)}."
        if obeyed:
            self._collect()
            return False
        if self.viewer == seat:
            self._ask(seat)
        elif self.table.has_secrets:
            self.push_screen(Curtain(self.names[seat]), lambda _: self._face(seat))
        else:  # the key of the player before, pressed twice or held down, is no move of this one
            self.hurried = (self.pressed, monotonic() + SKIPPED, monotonic())
            self._face(seat)
        return True

    def _face(self, seat: int) -> None:
        """This person is looking at the screen now."""
        self.viewer = seat
        self.table.skip_frames(seat)
        self.history, self.news = self.table.log(seat), 0
        self._ask(seat)

    def _ask(self, seat: int) -> None:
        self.hurry = False
        self.failed = False
        self.deciding = seat
        self.see(self.table.view(seat))
        self._aim()
        self.picked = frozenset()
        self.redraw()

    def _finish(self) -> None:
        self.deciding = None
        self.see(self.table.view(self.viewer))
        self.notice = "n plays another, Backspace undoes, q leaves."
        self.redraw()
        if not self.ended:
            self.ended = True
            self.push_screen(EndPage(self.table, self.viewer), self._after_end)

    def _after_end(self, chosen: str | None) -> None:
        if chosen == "undo":
            self._undo()
        elif chosen:
            self.exit(chosen)

    def play(self, move: str) -> None:
        """Play a person's move; if it is refused, say why below the table."""
        if self.deciding is None:
            return
        self.notice = ""
        self.news = 0
        looked = self.table.match.looking
        try:
            self.table.play(self.deciding, move)
        except NinefoldError as error:
            self._refuse(error)
            return
        if looked and not self.table.match.looking:
            self.say("Go!")
        self.deciding = None
        self.picked = frozenset()
        self._collect()
        self.advance()

    def _refuse(self, error: NinefoldError) -> None:
        self.say(error_text(error, self.names))

    # Keys and clicks

    def on_resize(self) -> None:
        if self.ready:
            self.call_after_refresh(self.redraw)

    def on_key(self, event: events.Key) -> None:
        if self.query_one("#entry").display or len(self.screen_stack) > 1:
            if event.key == "escape" and self.query_one("#entry").display:
                self._close_entry()
            return
        if event.key == "escape" and (self.picked or (self.notice and not self.table.over)):
            self.picked, self.notice, self.confirming = frozenset(), "", ""
            self.redraw()
            return
        event.prevent_default()
        sign = event.character or ""
        if self._everywhere(sign):
            return
        if event.key in ("pageup", "pagedown"):
            scroll = self.query_one("#scroll")
            (scroll.scroll_page_up if event.key == "pageup" else scroll.scroll_page_down)(animate=False)
            return
        awaited = self.deciding is not None or self.rolling is not None
        if (self.holding or awaited) and self._skips_no_more(sign):
            return
        self.pressed = sign
        if self.rolling is not None:
            self._roll_key(event.key, sign)
        elif self.deciding is None:
            self._wait_key(sign)
        elif event.key in ("left", "right", "up", "down", "tab"):
            self._move_cursor(event.key)
        elif event.key == "space" and self.cursor:
            self.action_pick(*self.cursor)
        elif event.key == "enter":
            self._enter()
        elif sign:
            self.action_press(sign.lower())

    def _roll_key(self, key: str, sign: str) -> None:
        """A key while a person's dice are awaited."""
        if key in ("enter", "space") or sign.lower() == ROLL:
            self._roll()
        elif sign in ("\x7f", "\x08"):
            self._undo()
        elif sign in ("!", "/", ","):
            self.say("roll the dice first")

    def _skips_no_more(self, sign: str) -> bool:
        """Whether a key was meant to skip what has ended by now, pressed once more or held down."""
        key, until, last = self.hurried
        now = monotonic()
        if sign != key or now > until:
            return False
        self.hurried = (key, now + SKIPPED if now < last + HELD else until, now)
        return True

    def _everywhere(self, sign: str) -> bool:
        """Keys that mean the same in every game, at any time."""
        match sign:
            case "?":
                self.push_screen(rules_page_of(self.table.game.name, self.signs))
            case ";":
                self.push_screen(log_page(self.history, self.names, self.viewer))
            case "<" | ">":
                names = list(PAUSES)
                at = names.index(self.pace) + (1 if sign == ">" else -1)
                self.pace = names[min(max(at, 0), len(names) - 1)]
                self.table.set_pace(self.pace)
                self.redraw()
            case "q":
                self.action_leave()
            case _:
                return False
        return True

    def action_leave(self) -> None:
        self.exit("over" if self.table.over else "left")

    def _wait_key(self, sign: str) -> None:
        """A key while nobody has to decide: skip ahead, end a standing order, retry after a failure."""
        if self.table.over and not self.queue and not self.holding:
            if sign == "n":
                self.exit("again")
            elif sign in ("\x7f", "\x08"):
                self._undo()
            return
        if sign == "," and self.viewer in self.table.orders:
            del self.table.orders[self.viewer]
            self.say("the autopilot is off")
            return
        self.notice = "" if self.failed else self.notice
        self.failed = False
        self.hurry = True
        self.hurried = (sign, monotonic() + SKIPPED, monotonic())
        self.advance()

    def _move_cursor(self, key: str) -> None:
        self.cursor = steered(self.view, self.cursor, key)
        self.redraw()

    def _enter(self) -> None:
        """Enter plays the only action for the picked cards, or the only move there is."""
        here = self.actions_here()
        chosen = fitting(self.view, here, self.pointed)
        if self.picked and not chosen:
            self._refuse_picked()
            return
        if not chosen and not hidden(self.view, here):
            chosen = here
        if len(chosen) == 1:
            self._do(chosen[0])
        elif len(here) > 1:
            self.say("several moves are possible: press the key of one")
        else:
            self.say(advice(self.view, here) or "there is nothing to do here")

    def _refuse_picked(self) -> None:
        """Say why the picked cards are not a move."""
        for move in attempts(self.view, self.picked):
            self._why(self.deciding, move)
            return
        self.say("nothing can be done with these cards")

    def action_pick(self, zone: str, place: int) -> None:
        """A card was clicked, or Space was pressed on it."""
        if self.deciding is None or (zone, place) not in places(self.view):
            return
        self.cursor = (zone, place)
        for action in self.actions_here():
            if action.place == place:  # a touch is enough
                self._do(action)
                return
        self.picked = toggle(self.picked, self.cursor)
        self.redraw()

    def action_press(self, key: str) -> None:
        """A key of an action, or one that works in every game."""
        if self.rolling is not None:
            self._roll_key(key, key)
            return
        match key:
            case "/":
                self._open_entry("Type a move, or end it with ? to ask whether it is allowed; Esc goes back.")
            case "!":
                self._hint()
            case _ if key == SORT and self.table.realtime:
                self._sort()
            case ",":
                self._ask_orders()
            case "\x7f" | "\x08":
                self._undo()
            case _:
                chosen = [action for action in self.actions_here() if action.key == key]
                if chosen:
                    self._do(chosen[0])
                elif place := place_of(self.view, key):
                    self.cursor, self.picked = place, frozenset()
                    self.redraw()

    def _do(self, action: Action) -> None:
        asked = self.confirming == action.move and self.notice.startswith(action.confirm)  # and still is
        self.confirming = action.move
        if action.confirm and not asked:
            self.say(f"{action.confirm} Press {action.key} again to do it.")
            return
        if action.number is None:
            self.play(action.move)
            return
        self.asked_number = action.number
        label, low, high = render(action.number.label, self.names), action.number.low, action.number.high
        self._open_entry(f"{label}: type a number from {low:,} to {high:,}; Esc goes back.")

    def _hint(self) -> None:
        if self.table.match.looking:
            self.say("the round has not begun: there is nothing to advise")
        elif self.deciding is not None:
            found = self.table.hint(self.deciding)
            label = move_label(self.view, found.move, self.names)
            self.say(hint_words(label, found))

    def _undo(self) -> None:
        seat = self.viewer if self.viewer is not None else self.deciding
        if seat is None:
            return
        try:
            self.table.undo(seat)
        except NinefoldError as error:
            self._refuse(error)
            return
        if self.pause:
            self.pause.stop()
        self.notice = "Undone."
        self.queue.clear()
        self.next_view, self.holding, self.ended = None, False, False
        self.rolling = None
        self._face(seat)

    # Typing

    def _open_entry(self, words: str) -> None:
        """Ask for a line of text; the question replaces the notice."""
        self.say(words)
        self.query_one("#keys").display = False
        entry = self.query_one("#entry", Input)
        entry.value = ""
        entry.restrict = r"[\d,]*" if self.asked_number else None
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
        seat = self.deciding
        if number and text and seat is not None and (why := refused_number(self.table, seat, number, text)):
            self.say(why)  # and the field stays open, so that what is typed next is not a move
            return
        self._close_entry()
        if not text or seat is None:
            return
        if number is not None:
            self.play(with_number(number, text))
        elif text.endswith("?"):
            self._why(seat, text.rstrip("? "))
        else:
            self.play(self.table.as_typed(seat, text))

    def _why(self, seat: int | None, move: str) -> None:
        if seat is None:
            return
        try:
            self.table.admit(seat, self.table.as_typed(seat, move))
        except NinefoldError as error:
            self._refuse(error)
        else:
            self.say(f"yes: {move} is possible now")

    def _ask_orders(self) -> None:
        if not self.view.orders:
            self.say("this game has no autopilot")
            return
        self.push_screen(Orders(self.view.orders, self.names), self._give_order)

    def _give_order(self, chosen: StandingOrder | Literal["off"] | None) -> None:
        if chosen is None or self.deciding is None:
            return
        seat = self.deciding
        if chosen == "off":
            self.table.orders.pop(seat, None)
            self.say("the autopilot is off")
            return
        self.table.orders[seat] = chosen
        self.notice = f"Autopilot: {chosen.words(self.names)}. A comma stops it."
        self.deciding = None
        self.advance()
