"""Golden playthroughs: a match in plain text, every fact of every position printed.

A playthrough is its own script: the lines that begin with `> ` are played again, everything else is
regenerated and compared. So it never depends on what a seed deals. A line may hold several steps of one
seat, with semicolons between them; only the position after the last is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ninefold.engine.beats import Moment
from ninefold.engine.game import Game, make
from ninefold.engine.records import CHANCE_NAME
from ninefold.engine.state import State
from ninefold.kernel.fields import CHANCE
from ninefold.model.view import Card, View, Zone

SHOWN = 12


def header(game: Game) -> str:
    options = " ".join(f"{name}={value}" for name, value in game.options.items())
    return f"game: {game.name} version={game.facts.version} players={game.players} {options}".rstrip()


def read_header(line: str) -> Game:
    """The game that the first line of a playthrough names."""
    name, _, *settings = line.removeprefix("game: ").split()
    values = dict(setting.split("=", 1) for setting in settings)
    players = int(values.pop("players"))
    return make(name, players=players, **values)


def write(game: Game, moves: Sequence[tuple[int, str]]) -> str:
    """The playthrough of a match, from all its steps."""
    state = game.start(manual=True)
    table = state.picture(None)
    legend = ", ".join(f"{entry.label} {entry.value}" for entry in table.legend)
    lines = [header(game), f"goal: {table.goal}", f"legend: {legend}", *_position(state)]
    events: list[str] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        moment = Moment(before.tobytes(), seat, action, after.tobytes())
        public = [str(event.text) for event in state.perspectives.events(moment, None)]
        events.extend(f"  event: {text}" for text in public)
        for viewer in range(game.players):
            own = [str(event.text) for event in state.perspectives.events(moment, viewer)]
            events.extend(f"  event for seat {viewer}: {text}" for text in own if own != public)

    state.watchers.append(watch)
    for seat, text in moves:
        lines.append(f"\n> {CHANCE_NAME if seat == CHANCE else seat}: {text}")
        for step in text.split("; "):
            state.play(seat, step)
        lines += [*events, *_position(state)]
        events.clear()
    return "\n".join(lines) + "\n"


def again(path: Path) -> str:
    """Play a stored playthrough again."""
    lines = path.read_text("utf-8").splitlines()
    steps = []
    for line in lines:
        if line.startswith("> "):
            who, _, text = line[2:].partition(": ")
            steps.append((CHANCE if who == CHANCE_NAME else int(who), text))
    return write(read_header(lines[0]), steps)


def _position(state: State) -> Iterator[str]:
    public = state.picture(None)
    yield f"  phase: {public.phase}; turn {public.turn}; scores {state.scores}; winners {state.winners}"
    yield f"  progress: {public.progress and public.progress.label}"
    for part in public.counters:
        goal = "" if part.goal is None else f" of {part.goal}"
        yield f"  {part.label}: {part.value}{goal}"
    if state.actors == (CHANCE,):
        yield f"  chance: {_weights(state)}"
    for seat in range(state.game.players):
        view = state.picture(seat)
        yield f"  seat {seat}: {view.prompt}"
        yield from (f"    {line}" for line in _zones(view, seat))
        hand, groups = view.seats[seat].hand, [str(group.label) for group in view.groups]
        yield from [f"    hand: {hand}"] * bool(hand) + [f"    groups: {' | '.join(groups)}"] * bool(groups)
        moves = state.moves(seat)
        if moves:
            more = f" … {len(moves)} in all" if len(moves) > SHOWN else ""
            yield f"    moves: {' | '.join(moves[:SHOWN])}{more}"


def _zones(view: View, seat: int) -> Iterator[str]:
    """The zones as a seat sees them; shared zones are listed with seat 0."""
    for zone in view.zones:
        if zone.owner == seat or (zone.owner is None and seat == 0):
            yield f"{zone.label}: {_content(zone)}".rstrip()


def _content(zone: Zone) -> str:
    if zone.columns:
        return _grid(zone.cards or [], zone.columns)
    cards = [f"{card.card or '??'}{'' if card.up else ' (down)'}" for card in zone.cards or []]
    return str(zone.dice or cards or ("" if zone.count is None else zone.count))


def _grid(cards: Sequence[Card], columns: int) -> str:
    """A grid row by row: `KH` face up, `(KH)` face down, `??` not known, `--` an empty place."""
    cells = ["--" if card.gap else _cell(card.card, card.up) for card in cards]
    return " / ".join(" ".join(cells[row : row + columns]) for row in range(0, len(cells), columns))


def _cell(text: str | None, up: bool) -> str:
    if text is None:
        return "??"
    return text if up else f"({text})"


def _weights(state: State) -> str:
    outcomes, weights = state.outcomes()
    shown = [
        f"{state.format(CHANCE, outcome)} × {weight}"
        for outcome, weight in zip(outcomes, weights, strict=True)
    ]
    more = f" … {len(shown)} in all" if len(shown) > SHOWN else ""
    return ", ".join(shown[:SHOWN]) + more
