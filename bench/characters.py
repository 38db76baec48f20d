"""How the characters play: `python bench/characters.py --write` measures them and writes docs/characters.md.

One character of every temper sits at seat 0 among plain bots of its level. Its share of the wins is compared
with that of the level itself in the same seat; how it plays is seen in its moves, and by how many of them the
level itself would not have made. Nothing here knows a game.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import ninefold as nf
from ninefold.engine.bots import SeatedBots, find_bot
from ninefold.engine.registry import facts
from ninefold.model.cast import CAST, Character

PAGE = Path(__file__).resolve().parent.parent / "docs" / "characters.md"
COUNTS = {"nine_of_a_kind": (400, 3), "holdem9": (10_000, 500)}  # games whose wins and whose moves count
SLOW = {("finest9", "hard"): (1_000, 10), ("nine_of_a_kind", "hard"): (400, 8)}
OPTIONS: dict[str, dict[str, Any]] = {"multiple9": {"undecided": "last_turn"}}  # as tables propose
LEVELS = ("medium", "hard")
USUAL = (10_000, 100)
SHOWN = 5  # kinds of moves in a table
INTRO = """# Characters

Written by `python bench/characters.py --write`.

Bots at a table are twelve characters. Each has a name, a temper, a pace (how long they think, compared with
others) and levels where they are at home; they can be seated at any level of a game. `ada:hard` is Ada at
level hard, wherever a bot is asked for by name; `mixed:hard` at a table is anyone. `hard` alone is the
level itself.

| | temper | boldness | pace | at home | in a few words |
|---|---|---:|---:|---|---|
"""
NOTES = """
A temper changes some decisions and leaves the rest to the level:

- **Doubles**: after the third seven, bold ones stay more often and cautious ones cash out more often; a
  stubborn one that has stayed stays again; a copycat cashes out as long after the third seven as a rival
  last did. Nobody follows their temper as the last player in, or in the last round.
- **Multiple 9 Hold'em**: bold ones call cheap bets and bet for free more often, cautious ones give up and
  do not raise; a stubborn one that has paid does not fold to a cheap bet; a copycat bets when others have
  bet.
- **Baseball**: bold ones draw instead of taking a known card, and turn up their last card sooner; cautious
  ones put that off; being stubborn or a copycat has no meaning here. At level expert, which searches,
  tempers change nothing.
- **Multiple 9**: cautious ones put down groups when their hand is large; bold and stubborn ones hold on to
  theirs; a copycat puts down more often while cards that others put down lie there. At `medium`, where first
  matches are played, cautious and bold ones put groups down often, as people do: the table is livelier, and
  they win a quarter to a third less among players who hold everything back. The levels above do, so bold and
  stubborn ones play as their level there.
- **9 of a Kind**: bold ones rather make offers of their own, cautious ones offer one card at a time, a
  copycat answers what others offer, and a stubborn one leaves others' offers alone. Cautious ones also stop
  at a blocker a little sooner, and bold ones want one card more. Offers of their own take longer, which
  costs bold and stubborn ones some wins at `medium`; one `easy` wins 2.5 % there. At level expert tempers
  change nothing.
- **Finest 9** leaves nothing to choose for a temper: all characters play as their level, so all its rows
  are the same.

## What was measured

A character at seat 0, plain bots of the same level at the other seats of the usual table, the usual
options; in Multiple 9 with `undecided=last_turn`, as tables of three and more propose. In Hold'em,
where chips are the point, the first column is chips gained a game, above the table's average. "Wins" is
the share of games won, shared wins split, with its 95 % interval; the row *steady* is the level itself,
since the first seat is worth more than others in some games. "Own way" is the share of its decisions,
where there was a choice, in which the level itself would have moved otherwise. The other columns are
parts of the character's own moves, in per cent.
"""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--write", action="store_true", help=f"write {PAGE.name} instead of printing it")
    asked.add_argument("games", nargs="*", help="only these games")
    given = asked.parse_args()
    lines = [INTRO.rstrip("\n")]
    for who in CAST:
        low, high = who.levels
        lines.append(
            f"| {who.name} | {who.temper} | {who.boldness:+d} | {who.pace} | {low} to {high} | {who.line} |"
        )
    lines.append(NOTES)
    for game in given.games or nf.games():
        lines += [f"### {facts(game).title}", ""]
        for level in LEVELS:
            lines += [*table_of(game, level), ""]
    text = "\n".join(lines).rstrip() + "\n"
    if given.write:
        PAGE.write_text(text, "utf-8")
    else:
        print(text)


def each_temper() -> list[Character]:
    """One character of every temper and boldness; those of one kind play alike."""
    found = {(who.temper, who.boldness): who for who in reversed(CAST)}
    order = {"steady": 0, "cautious": 1, "bold": 2, "stubborn": 3, "copycat": 4}
    return sorted(found.values(), key=lambda who: (order[who.temper], abs(who.boldness)))


def table_of(game: str, level: str) -> list[str]:
    """The rows of a game at a level."""
    games, watched = SLOW.get((game, level), COUNTS.get(game, USUAL))
    unit = facts(game).unit.partition(" ")[0] if facts(game).by_score else "wins, %"
    seen = {who.id: moves_of(game, who, level, watched) for who in each_temper()}
    total = Counter[str]()
    for counts, _ in seen.values():
        total.update(counts)
    kinds = sorted(kind for kind, _ in total.most_common(SHOWN))
    lines = [
        f"| {level} | {unit} | own way, % | {' | '.join(kinds)} |",
        f"|---|---:|---:|{'---:|' * len(kinds)}",
    ]
    for who in each_temper():
        won = wins(game, who, level, games)
        kind = (who.temper, who.boldness)
        counts, own = seen[who.id]
        made = max(1, counts.total())
        parts = " | ".join(f"{100 * counts[one] / made:.1f}" for one in kinds)
        names = ", ".join(one.name for one in CAST if (one.temper, one.boldness) == kind)
        lines.append(f"| {who.temper} ({names}) | {won} | {100 * own:.1f} | {parts} |")
    return lines


def wins(game: str, who: Character, level: str, games: int) -> str:
    """What the character gets among plain bots of its level, and half its 95 % interval."""
    others = [level] * (facts(game).usual_players - 1)
    result = nf.simulate(
        game, bots=[f"{who.id}:{level}", *others], games=games, seed=9, **OPTIONS.get(game, {})
    )
    played = max(1, result.games - result.unfinished)
    if facts(game).by_score:
        score = result.scores[0]
        start = sum(one.mean for one in result.scores) / len(result.scores)  # chips only change hands
        return f"{score.mean - start:+.1f} ± {1.96 * score.sd / played**0.5:.1f}"
    share = float(result.wins[0]) / played
    variance = max(0.0, float(result.wins_squared[0]) / played - share * share)
    return f"{100 * share:.1f} ± {196 * (variance / played) ** 0.5:.1f}"


def moves_of(game: str, who: Character, level: str, games: int) -> tuple[Counter[str], float]:
    """How often the character makes each kind of move, by its first word; and how often its own way."""
    made = nf.make(game, **OPTIONS.get(game, {}))
    bots = [find_bot(game, f"{who.id}:{level}"), *[find_bot(game, level)] * (made.players - 1)]
    found: Counter[str] = Counter()
    choices = own = 0
    limit = min(2_000, made.facts.limit(made.options))
    for number in range(games):
        state = made.start(seed=9, number=number)
        seed = 1_000 + number  # `consult` knows the moment of a match, and not which match it is
        tempered, plain = SeatedBots(made, bots, seed), SeatedBots(made, [level] * made.players, seed)
        memories = [b""] * made.players
        while not state.over and state.turns <= limit:
            seat = state.actors[len(state.steps) % len(state.actors)]
            moment, memory = len(state.steps), memories[seat]
            move, memories[seat] = tempered.consult(state, seat, moment, memory)
            if seat == 0:
                found[kind_of(state.format(seat, int(move)))] += 1
                if len(state.moves(seat)) > 1:
                    choices += 1
                    own += plain.consult(state, seat, moment, memory)[0] != move
            state.play(seat, move)
    return found, own / max(1, choices)


def kind_of(move: str) -> str:
    """The kind of a move: its words up to the first that has a number or a card in it."""
    words = []
    for word in move.split():
        if not (word.isalpha() and word.islower()):
            break
        words.append(word)
    return " ".join(words) or move


if __name__ == "__main__":
    main()
