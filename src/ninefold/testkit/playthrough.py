"""Golden playthroughs: a match in plain text, every fact of every position printed.

A playthrough is its own script: the lines that begin with `> ` are played again, everything else is
regenerated and compared. So it never depends on what a seed deals. A line may hold several steps of one
seat, with semicolons between them; only the position after the last is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ninefold.engine.game import Game, make
from ninefold.engine.records import CHANCE_NAME
from ninefold.engine.state import State
from ninefold.engine.views import tell
from ninefold.kernel.fields import CHANCE

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
    """The playthrough of a match of which every step is given."""
    state = game.start(manual=True)
    lines = [header(game), *_position(state)]
    told: list[str] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        public = [event["text"] for event in tell(game, before, seat, action, after, None)]
        told.extend(f"  told: {text}" for text in public)
        for viewer in range(game.players):
            own = [event["text"] for event in tell(game, before, seat, action, after, viewer)]
            told.extend(f"  told seat {viewer}: {text}" for text in own if own != public)

    state.watchers.append(watch)
    for seat, text in moves:
        lines.append(f"\n> {CHANCE_NAME if seat == CHANCE else seat}: {text}")
        for step in text.split("; "):
            state.play(seat, step)
        lines += [*told, *_position(state)]
        told.clear()
    return "\n".join(lines) + "\n"


def again(path: Path) -> str:
    """A stored playthrough, played once more."""
    lines = path.read_text("utf-8").splitlines()
    steps = []
    for line in lines:
        if line.startswith("> "):
            who, _, text = line[2:].partition(": ")
            steps.append((CHANCE if who == CHANCE_NAME else int(who), text))
    return write(read_header(lines[0]), steps)


def _position(state: State) -> Iterator[str]:
    public = state.view(None)
    yield f"  phase: {public['phase']}; turn {public['turn']}; scores {state.scores}; winners {state.winners}"
    for part in public["counters"]:
        goal = "" if part["goal"] is None else f" of {part['goal']}"
        yield f"  {part['label']}: {part['value']}{goal}"
    if state.actors == (CHANCE,):
        yield f"  chance: {_weights(state)}"
    for seat in range(state.game.players):
        view = state.view(seat)
        yield f"  seat {seat}: {view['prompt']}"
        yield from (f"    {line}" for line in _zones(view, seat))
        moves = state.moves(seat)
        if moves:
            more = f" … {len(moves)} in all" if len(moves) > SHOWN else ""
            yield f"    moves: {' | '.join(moves[:SHOWN])}{more}"


def _zones(view: dict[str, Any], seat: int) -> Iterator[str]:
    """The zones as a seat sees them; what is nobody's is shown with seat 0."""
    for zone in view["zones"]:
        if zone["owner"] == seat or (zone["owner"] is None and seat == 0):
            cards = [_card(card) for card in zone.get("cards", [])]
            content = zone.get("dice") or cards or zone.get("count", "")
            yield f"{zone['label']}: {_grid(zone) if 'columns' in zone else content}"


def _grid(zone: dict[str, Any]) -> str:
    """A grid row by row: `KH` face up, `(KH)` face down, `??` not known, `--` an empty place."""
    cells = ["--" if card.get("gap") else _cell(card["card"], card["up"]) for card in zone["cards"]]
    wide = zone["columns"]
    return " / ".join(" ".join(cells[row : row + wide]) for row in range(0, len(cells), wide))


def _cell(text: str | None, up: bool) -> str:
    if text is None:
        return "??"
    return text if up else f"({text})"


def _card(card: dict[str, Any]) -> str:
    return f"{card['card'] or '??'}{'' if card['up'] else ' (down)'}"


def _weights(state: State) -> str:
    outcomes, weights = state._outcomes()
    shown = [
        f"{state.say(CHANCE, outcome)} × {weight}" for outcome, weight in zip(outcomes, weights, strict=True)
    ]
    more = f" … {len(shown)} in all" if len(shown) > SHOWN else ""
    return ", ".join(shown[:SHOWN]) + more
