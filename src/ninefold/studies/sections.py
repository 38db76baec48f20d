"""A study in words: sections with sentences, figures, pictures and the command that makes each again.

What pages and Markdown show is decided here once; how it looks is their business.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ninefold.studies import drama, games, pictures
from ninefold.studies.estimate import Estimate
from ninefold.studies.pictures import Dot, number

if TYPE_CHECKING:
    from ninefold.studies.decisions import Decisions
    from ninefold.studies.drama import Drama
    from ninefold.studies.games import Games
    from ninefold.studies.ladder import Ladder, Rung
    from ninefold.studies.luck import Luck
    from ninefold.studies.options import Cell, Change, Options
    from ninefold.studies.report import Study

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_SEATS = 10


@dataclass(frozen=True)
class Figure:
    """A number at a glance."""

    label: str
    value: str
    interval: str


@dataclass(frozen=True)
class Picture:
    name: str
    caption: str
    svg: str


@dataclass(frozen=True)
class Section:
    """One answer: sentences, pictures, a table, and how to repeat it."""

    name: str
    title: str
    sentences: list[str]
    pictures: list[Picture] = field(default_factory=list)
    tables: list[tuple[str, list[list[str]]]] = field(default_factory=list)  # a caption, and rows
    commands: list[str] = field(default_factory=list)


def percent(one: Estimate, digits: int | None = None) -> str:
    return "–" if not one.known else f"{100 * one.value:.{_places(one) if digits is None else digits}f} %"


def _places(one: Estimate) -> int:
    """Decimals that the interval allows."""
    return 1 if 100 * one.margin < 5 else 0


def within(one: Estimate, factor: float = 100, unit: str = " %") -> str:
    """The interval in words."""
    if not one.known:
        return ""
    low, high = one.low * factor, one.high * factor
    width = high - low
    places = 2 if width < 0.5 else 1 if width < 10 else 0
    return f"{low:,.{places}f} to {high:,.{places}f}{unit}"


def amount(one: Estimate) -> str:
    return number(one.value)


def between(one: Estimate) -> str:
    return f"{number(one.low, 4)} to {number(one.high, 4)}" if one.known else ""


def glance(study: Study) -> list[Figure]:
    """The numbers to begin with."""
    found = []
    if study.games:
        made = study.games
        found.append(Figure("minutes with people", amount(made.minutes), between(made.minutes)))
        found.append(Figure("decisions in a match", amount(made.decisions), between(made.decisions)))
        if made.players > 1:
            first = made.seats[0]
            found.append(Figure("first seat wins", percent(first), within(first)))
            if made.undecided.value > 0.001:
                found.append(Figure("no winner", percent(made.undecided), within(made.undecided)))
            else:
                found.append(Figure("shared wins", percent(made.shared), within(made.shared)))
    if study.decisions:
        made_ = study.decisions
        found.append(Figure("decisions that matter", percent(made_.matter_any), within(made_.matter_any)))
    if study.drama:
        half = study.drama.favourite[drama.POINTS // 2]
        found.append(Figure("half-time favourite wins", percent(half), within(half)))
    if study.luck:
        skill = study.luck.skill
        found.append(Figure("skill in who wins", percent(skill), within(skill)))
    return found


def sections(study: Study) -> list[Section]:
    """All sections that there is something to say in."""
    found: list[Section] = []
    if study.games:
        found += [_length(study, study.games), *_seats(study, study.games), *_scores(study, study.games)]
    if study.drama:
        found.append(_drama(study, study.drama))
    if study.decisions:
        found.append(_decisions(study, study.decisions))
    if study.ladder:
        found.append(_ladder(study, study.ladder))
    if study.luck:
        found.append(_luck(study, study.luck))
    if study.options_swept:
        found.append(_options(study, study.options_swept))
    return found


def _length(study: Study, made: Games) -> Section:
    low, quarter, _, three, high = made.decisions_middle or [math.nan] * 5
    at_once = " Those who decide at once also think at once." if study.everyone else ""
    sentences = [
        f"A match takes about {amount(made.minutes)} minutes with people (median; {between(made.minutes)}): "
        f"taking {games.THINK:g} seconds for each decision and {games.TURN:g} for the cards or dice of each "
        f"turn.{at_once}",
        f"It has {amount(made.decisions)} decisions on average ({between(made.decisions)}) and "
        f"{amount(made.turns)} turns ({between(made.turns)}). Half of all matches have {number(quarter)} to "
        f"{number(three)} decisions, nine of ten {number(low)} to {number(high)}.",
    ]
    if made.unfinished:
        sentences.append(
            f"{made.unfinished:,} of {made.games:,} matches did not end within the limit; not counted."
        )
    middle = (made.minutes.value, f"median {amount(made.minutes)}")
    picture = pictures.histogram(
        "Minutes of a match",
        made.lengths.edges,
        made.lengths.shares,
        "estimated minutes",
        middle,
        made.lengths.steep,
    )
    rows = [["counted in a match", "mean", "95 % interval"]]
    rows += [[name, amount(one), between(one)] for name, one in made.tallies.items()]
    return Section(
        "length",
        "How long is it?",
        sentences,
        [Picture("length", _cut("Minutes of a match", made.lengths.beyond), picture)] if picture else [],
        [("What happens in a match", rows)] if len(rows) > 1 else [],
        [simulate(study, made)],
    )


def _cut(words: str, beyond: float) -> str:
    return f"{words} ({100 * beyond:.1f} % are longer or higher than shown)" if beyond > 0.001 else words


def simulate(study: Study, made: Games) -> str:
    bots = f"--bots {made.bot} --players {made.players}"
    return f"ninefold simulate {study.game} {bots} --games {made.games} --seed {made.seed}{study.settings}"


def _seats(study: Study, made: Games) -> list[Section]:
    if made.players < 2:
        return []
    even = sum(one.value for one in made.seats) / made.players
    best = max(range(made.players), key=lambda seat: made.seats[seat].value)
    worst = min(range(made.players), key=lambda seat: made.seats[seat].value)
    high, low = made.seats[best], made.seats[worst]
    apart = high.low > low.high
    sentences = [
        f"The {seat(best)} seat wins {percent(high)} ({within(high)}) and the {seat(worst)} {percent(low)} "
        f"({within(low)}), where {100 * even:.1f} % would be even."
        if apart
        else f"No seat is clearly better: shares go from {percent(low)} ({within(low)}) to {percent(high)} "
        f"({within(high)}), where {100 * even:.1f} % would be even."
    ]
    sentences.append(
        f"Nobody wins {percent(made.undecided)} of matches ({within(made.undecided)}); "
        f"several share the win in {percent(made.shared)} ({within(made.shared)})."
    )
    rows = [Dot(f"{seat(at)} seat", one.times(100)) for at, one in enumerate(made.seats[:MOST_SEATS])]
    picture = pictures.dots(
        "Wins by seat", rows, "wins, %", (100 * even, f"even, {100 * even:.1f} %"), "{} %"
    )
    tables = []
    if study.by_score:
        table = [["seat", f"{study.unit} a match", "95 % interval"]]
        table += [[seat(at), amount(one), between(one)] for at, one in enumerate(made.seat_scores)]
        tables.append((f"{study.unit.capitalize()} by seat, which is what counts here", table))
    caption = "Wins of each seat among equal bots, with 95 % intervals"
    return [
        Section(
            "seats",
            "Is it fair to every seat?",
            sentences,
            [Picture("seats", caption, picture)],
            tables,
            [simulate(study, made)],
        )
    ]


def seat(at: int) -> str:
    return ORDINALS[at] if at < len(ORDINALS) else f"{at + 1}th"


def _scores(study: Study, made: Games) -> list[Section]:
    if not study.unit or not made.scores:
        return []
    middle = made.scores["median"]
    sentences = [
        f"Half of all results are at most {amount(middle)} {study.unit} ({between(middle)}); nine of ten lie "
        f"between {amount(made.scores['5 %'])} and {amount(made.scores['95 %'])}."
    ]
    winners, others = made.scores.get("of winners"), made.scores.get("of the others")
    if winners and others and winners.known and others.known:
        sentences.append(
            f"The median winner has {amount(winners)} ({between(winners)}), the others "
            f"{amount(others)} ({between(others)})."
        )
    if made.lead and made.lead.known:
        sentences.append(
            f"The winner is {amount(made.lead)} {study.unit} ahead of the second (median; "
            f"{between(made.lead)})."
        )
    if study.lowest_wins:
        sentences.append("The lowest score wins.")
    picture = pictures.histogram(
        "Scores",
        made.score_bars.edges,
        made.score_bars.shares,
        study.unit,
        (middle.value, f"median {amount(middle)}"),
        made.score_bars.steep,
    )
    shown = (
        [Picture("scores", _cut("Scores of all seats", made.score_bars.beyond), picture)] if picture else []
    )
    return [Section("scores", "What do people score?", sentences, shown, [], [simulate(study, made)])]


def _drama(study: Study, made: Drama) -> Section:
    half = drama.POINTS // 2
    favourite = made.favourite[half]
    even = 1 / study.players
    known = (
        f"The favourite wins nine of ten from {100 * made.known:.0f} % of the match on."
        if made.known is not None and made.known > 0
        else "The favourite wins nine of ten from the start."
        if made.known is not None
        else "Until the last tenth, the favourite never wins nine of ten."
    )
    sentences = [
        f"Half-way through, whoever has the best chances goes on to win {percent(favourite)} of matches "
        f"({within(favourite)}): the other times there is a comeback. {known}",
        f"The favourite changes {amount(made.changes)} times in a match ({between(made.changes)}).",
        f"Chances are those of someone who sees all cards, but not those to come: {made.matches:,} decided "
        f"matches, each played on {made.times} times from {drama.POINTS} moments.",
    ]
    picture = pictures.curves(
        "How the winner emerges",
        [
            ("the favourite of that moment wins", "s1", made.favourite),
            ("chance of the later winner", "s2", made.winner),
        ],
        "half of the turns",
        (even, f"even chances, {100 * even:.0f} %"),
    )
    return Section(
        "drama",
        "How early is the winner known?",
        sentences,
        [Picture("drama", "How the winner emerges, from the start to the last tenth", picture)],
        [],
        [again(study, "drama")],
    )


def again(study: Study, part: str) -> str:
    return f"ninefold study {study.game} --only {part}{study.asked}"


def _worth(one: Estimate, by_score: bool, unit: str) -> str:
    if by_score:
        return f"{amount(one)} {unit} ({between(one)})"
    return f"{100 * one.value:.1f} points of the chance to win ({within(one, unit='')})"


def _decisions(study: Study, made: Decisions) -> Section:
    sentences = [
        f"In {percent(made.forced)} of decisions ({within(made.forced)}) there is only one legal move; in "
        f"the "
        f"others {amount(made.moves)} on average.",
        f"The choice clearly matters in {percent(made.matter_any)} of all decisions "
        f"({within(made.matter_any)}): "
        f"the best move beats the other moves' average. In {percent(made.matter)} ({within(made.matter)}) it "
        f"also beats the second best.",
    ]
    if made.best_to_any.known:
        worth = _worth(made.best_to_any, made.by_score, study.unit)
        second = _worth(made.best_to_second, made.by_score, study.unit)
        sentences.append(
            f"Where there is a choice, the best move is worth {worth} more than a move at random, and "
            f"{second} "
            f"more than the second best."
        )
    sentences.append(
        f"Moves were compared in the same {made.worlds} worlds that fit what the player knows; up to six "
        f"moves "
        f"each. Half of the worlds chose the best, the other half measured it. Where nothing matters, about "
        f"2 % would still look as if it did."
    )
    only, top, rest = made.forced.value, made.matter.value, made.matter_any.value
    pieces = [
        ("one legal move", only, "s6"),
        ("a choice, but little depends on it", max(0.0, 1 - only - max(rest, top)), "s1"),
        ("good and bad moves, several good ones", max(0.0, rest - top), "s3"),
        ("one best move", top, "s2"),
    ]
    picture = pictures.stacked("Kinds of decisions", pieces)
    return Section(
        "decisions",
        "Do decisions matter?",
        sentences,
        [Picture("decisions", "All decisions of equal bots", picture)],
        [],
        [again(study, "decisions")],
    )


def _ladder(study: Study, made: Ladder) -> Section:
    rows: list[Dot] = []
    for rung in made.rungs:
        rows.append(Dot(f"{rung.players} players", Estimate(0, 0, 0, 0), heading=True))
        for at, one in enumerate(rung.ratings):
            value = Estimate(one.rating, one.rating - one.margin, one.rating + one.margin, rung.games)
            rows.append(Dot(one.bot, value, "s1" if at else "s2"))
    unit = f"{made.unit} a match more than {made.rungs[0].anchor}" if made.by_score else "rating (Elo)"
    first = made.rungs[0]
    sentences = []
    versus = first.versus(made.best, made.next)
    if versus:
        where = "" if first.players == 2 else f", alone among {first.players - 1} of them,"
        sentences.append(
            f"The best bot, {made.best},{where} wins {100 * versus[0]:.1f} % ± {100 * versus[1]:.1f} against "
            f"the next, {made.next}."
        )
    if made.matches:
        plural = "match" if made.matches == 1 else "matches"
        sentences.append(
            f"It takes {made.matches:,} {plural} until the better of the two is ahead with 95 %: "
            f"the more, the more luck there is."
        )
    if not made.by_score:
        sentences.append("A difference of 191 is three wins in four between two; 0 would be no difference.")
    if made.left_out:
        sentences.append(f"Left out, because their games do not end: {', '.join(made.left_out)}.")
    tables = [(_versus_title(rung), _versus(rung)) for rung in made.rungs]
    commands = [
        f"ninefold tournament {study.game} --bots {','.join(one.bot for one in rung.ratings)} "
        f"--players {rung.players} --games {rung.games} --seed {made.seed}{study.settings}"
        for rung in made.rungs[:1]
    ]
    picture = pictures.dots("Ratings of the bots", rows, unit)
    return Section(
        "ladder",
        "How far can skill take you?",
        sentences,
        [Picture("ladder", "Ratings of the bots, with 95 % intervals", picture)],
        [table for table in tables if len(table[1]) > 1],
        [*commands, again(study, "ladder")],
    )


def _versus_title(rung: Rung) -> str:
    if rung.players == 2:
        return "2 players: wins of the bot on the left against the one above, %"
    return f"{rung.players} players: wins of one on the left among {rung.players - 1} of those above, %"


def _versus(rung: Rung) -> list[list[str]]:
    bots = [one.bot for one in rung.ratings]
    rows = [["", *bots]]
    for one in bots:
        cells = []
        for other in bots:
            found = rung.versus(one, other) if one != other else None
            cells.append(f"{100 * found[0]:.1f} ± {100 * found[1]:.1f}" if found else "·")
        rows.append([one, *cells])
    return rows


def _luck(study: Study, made: Luck) -> Section:
    best, even = made.shares[-1], 1 / len(made.bots)
    sentences = [
        f"At a table of {_listed(made.bots)}, who plays explains {percent(made.skill)} of who wins "
        f"({within(made.skill)}), what the deal gives a seat {percent(made.deal)} ({within(made.deal)}) and "
        f"the "
        f"seat itself {percent(made.seat)} ({within(made.seat)}). The rest is how play and chance go on.",
        f"{made.bots[-1]} wins {percent(best)} of these games ({within(best)}), where {100 * even:.1f} % "
        f"would "
        f"be even.",
        f"Each of {made.deals:,} deals was played once after every turn of the table, with the same chance. "
        f"Each "
        f"of these games is worth {made.saved:.2g} with cards and dice of its own.",
    ]
    pieces = [
        ("skill: who plays", made.skill.value, "s2"),
        ("the deal: cards and dice of a seat", made.deal.value, "s1"),
        ("the seat", made.seat.value, "s3"),
        ("everything after", made.rest.value, "s6"),
    ]
    rows = [Dot(bot, one.times(100)) for bot, one in zip(made.bots, made.shares, strict=True)]
    shares = pictures.dots("Wins at this table", rows, "wins, %", (100 * even, "even"), "{} %")
    return Section(
        "luck",
        "Luck or skill?",
        sentences,
        [
            Picture(
                "luck",
                "What decides who wins (parts of the variance)",
                pictures.stacked("What decides", pieces),
            ),
            Picture("luck-wins", f"Wins at a table of {_listed(made.bots)}", shares),
        ],
        [],
        [again(study, "luck")],
    )


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


COLUMNS = {
    "decisions": "decisions",
    "minutes": "minutes",
    "first": "first seat wins",
    "tied": "no single winner",
    "best": "strongest bot wins",
}


def _options(study: Study, made: Options) -> Section:
    shown = [name for name in COLUMNS if name in made.standard.cells]
    rows = [["", *(COLUMNS[name] for name in shown)]]
    rows.append(["as it is", *(_cell(made.standard.cells[name], name) for name in shown)])
    for change in made.changes:
        label = f"{change.what} {change.value}"
        if change.fault:
            rows.append([label, *[""] * len(shown)])
            continue
        rows.append([label, *(_cell(change.cells.get(name), name) for name in shown)])
    sentences = [_said(change) for change in made.changes if _clear(change)]
    if not sentences:
        sentences = ["No option changes any of these numbers clearly."]
    sentences.append(
        f"An arrow marks a difference of more than three standard errors from the game as it is, game by "
        f"game "
        f"in {made.standard.games:,} games with the same chance; ± is half a 95 % interval. The strongest "
        f"bot is "
        f"{made.best}, at a table of different bots with seats rotated."
    )
    dots = [Dot("as it is", made.standard.cells["minutes"].value, "s2")]
    dots += [
        Dot(f"{change.what} {change.value}", change.cells["minutes"].value)
        for change in made.changes
        if "minutes" in change.cells
    ]
    picture = pictures.dots("Minutes under each rule", dots, "estimated minutes, mean", zero=True)
    best = [Dot("as it is", made.standard.cells["best"].value.times(100), "s2")] if "best" in shown else []
    best += [
        Dot(f"{change.what} {change.value}", change.cells["best"].value.times(100))
        for change in made.changes
        if "best" in change.cells and change.what != "players"
    ]
    pictures_ = [Picture("options", "Minutes of a match under each rule", picture)] if picture else []
    if len(best) > 1:
        second = pictures.dots("Skill under each rule", best, f"wins of {made.best}, %", shown="{} %")
        pictures_.append(Picture("options-skill", f"How often {made.best} wins among different bots", second))
    return Section(
        "options",
        "What does each rule do?",
        sentences,
        pictures_,
        [("The game with one thing changed", rows)],
        [again(study, "options")],
    )


def _cell(cell: Cell | None, name: str) -> str:
    if cell is None or not cell.value.known:
        return "–"
    one = cell.value
    arrow = ("▲ " if cell.change.value > 0 else "▼ ") if cell.clear and cell.change else ""
    if name in ("decisions", "minutes"):
        return f"{arrow}{number(one.value)} ± {number(one.margin, 2)}"
    return f"{arrow}{100 * one.value:.1f} % ± {100 * one.margin:.1f}"


def _clear(change: Change) -> bool:
    return any(cell.clear for cell in change.cells.values())


def _said(change: Change) -> str:
    """What a change does, where that is clear."""
    told = []
    for name, cell in change.cells.items():
        if cell.clear and cell.change:
            more = cell.change
            size = (
                f"{number(abs(more.value))} ± {number(more.margin, 2)}"
                if name in ("decisions", "minutes")
                else f"{100 * abs(more.value):.1f} ± {100 * more.margin:.1f} points"
            )
            told.append(f"{COLUMNS[name]} {'up' if more.value > 0 else 'down'} by {size}")
    return f"**{change.what} {change.value}**: {', '.join(told)}."
