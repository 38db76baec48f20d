"""A study in words: sections with sentences, figures, pictures and the command that makes each again.

What pages and Markdown show is decided here once; how it looks is their business.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from ninefold.simulation.ratings import ANCHOR
from ninefold.studies import decisions, drama, games, options, pictures
from ninefold.studies.estimate import Estimate
from ninefold.studies.pictures import Dot
from ninefold.studies.wording import amount, between, give_or_take, listed, percent, plain, within

if TYPE_CHECKING:
    from ninefold.simulation.tournament import Rating
    from ninefold.studies.decisions import Decisions
    from ninefold.studies.drama import Drama
    from ninefold.studies.games import Games
    from ninefold.studies.ladder import Ladder, Rung
    from ninefold.studies.luck import Luck
    from ninefold.studies.options import Cell, Change, Options
    from ninefold.studies.report import Study

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_SEATS = 10
FEW = 0.1  # changes of the lead in a match that are not worth a sentence
SURE = Estimate(1, 1, 1, 0)  # what is known at the end


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


def glance(study: Study) -> list[Figure]:
    """The numbers to begin with."""
    found = []
    if study.games:
        made = study.games
        found.append(Figure("minutes with people", amount(made.minutes), between(made.minutes)))
        found.append(Figure("decisions in a match", amount(made.decisions), between(made.decisions)))
        if made.players > 1:
            first, even = made.seats[0], 100 * sum(one.value for one in made.seats) / made.players
            found.append(Figure(f"first seat wins (even: {even:.3g} %)", percent(first), within(first)))
            if made.undecided.value > 0.001:
                found.append(Figure("nobody wins", percent(made.undecided), within(made.undecided)))
            else:
                found.append(Figure("several share the win", percent(made.shared), within(made.shared)))
    if study.drama:
        half = study.drama.favourite[drama.POINTS // 2]
        found.append(Figure("favourite at half-time wins", percent(half), within(half)))
    if study.decisions:
        made_ = study.decisions
        found.append(Figure("decisions that matter", percent(made_.matter_any), within(made_.matter_any)))
    if study.ladder and (step := study.ladder.step):
        best, following = study.ladder.best, study.ladder.next
        if study.by_score:
            label = f"{study.unit} by {best} against {following}"
            found.append(Figure(label, amount(step), between(step)))
        else:
            found.append(Figure(f"{best} beats {following}", percent(step), within(step)))
    if study.luck:
        skill = study.luck.skill
        label = f"skill in {study.unit}" if study.by_score else "skill in who wins"
        found.append(Figure(label, percent(skill), within(skill)))
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
        f"{amount(made.turns)} turns ({between(made.turns)}). Half of all matches have {plain(quarter)} to "
        f"{plain(three)} decisions, nine of ten {plain(low)} to {plain(high)}.",
    ]
    if made.unfinished:
        sentences.append(
            f"{made.unfinished:,} of {made.games:,} matches were not over at the limit "
            "of turns, and do not count."
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
        f"Nobody wins in {percent(made.undecided)} of matches ({within(made.undecided)}), and "
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
        f"Half-way through, the player with the best chances goes on to win {percent(favourite)} of matches "
        f"({within(favourite)}); all others end in a comeback. {known} The favourite changes "
        f"{amount(made.changes)} times in a match ({between(made.changes)})."
    ]
    if made.leads and made.ahead and made.leads.value >= FEW:
        sentences.append(
            f"The lead in points changes {amount(made.leads)} times ({between(made.leads)}), and in "
            f"{percent(made.ahead)} of matches ({within(made.ahead)}) the later winner leads alone half-way."
        )
    sentences.append(
        f"Chances are those of someone who sees all cards, but not those to come: {made.matches:,} decided "
        f"matches, each played on {made.times} times from {drama.POINTS} moments. Only a change of favourite "
        f"that is clearer than the error of so many tries counts."
    )
    picture = pictures.curves(
        "How the winner emerges",
        [
            ("the favourite of that moment wins", "s1", [*made.favourite, SURE]),
            ("chance of the later winner", "s2", [*made.winner, SURE]),
        ],
        "half of the turns",
        (even, f"even chances, {100 * even:.0f} %"),
    )
    return Section(
        "drama",
        "How early is the winner known?",
        sentences,
        [Picture("drama", "How the winner emerges, with 95 % intervals", picture)],
        [],
        [again(study, "drama", made.played)],
    )


def again(study: Study, part: str, games_: int) -> str:
    return f"ninefold study {study.game} --only {part} --games {games_}{study.asked}"


def _worth(one: Estimate, by_score: bool, unit: str) -> str:
    if by_score:
        return f"{amount(one)} {unit} ({between(one)})"
    return f"{100 * one.value:.1f} points of the chance to win ({within(one, unit='')})"


def _decisions(study: Study, made: Decisions) -> Section:
    sentences = [
        f"The choice clearly matters in {percent(made.matter_any)} of all decisions "
        f"({within(made.matter_any)}): the best move beats the average of the others. In "
        f"{percent(made.matter)} ({within(made.matter)}) it also beats the second best.",
        f"Only one move is legal in {percent(made.forced)} of decisions ({within(made.forced)}); in the "
        f"others, {amount(made.moves)} are on average ({between(made.moves)}).",
    ]
    if made.best_to_any.known:
        worth = _worth(made.best_to_any, made.by_score, study.unit)
        second = _worth(made.best_to_second, made.by_score, study.unit)
        sentences.append(
            f"Where there is a choice, the best move is worth {second} more than the second best, and "
            f"{worth} more than one of them at random."
        )
    sentences.append(
        f"Up to {decisions.MOVES} moves of each position were played on in the same {made.worlds} worlds "
        f"that fit what the player knows. Half of them chose the best move, the other half measured it. "
        f"Where nothing matters, about 2 % would still look as if it did."
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
        [again(study, "decisions", made.played)],
    )


def _ladder(study: Study, made: Ladder) -> Section:
    shown = {made.rungs[0].players, study.players}
    rows: list[Dot] = []
    for rung in made.rungs:
        if rung.players in shown or len(made.rungs) < 3:
            rows.append(Dot(f"{rung.players} players", Estimate(0, 0, 0, 0), heading=True))
            rows += [
                Dot(one.bot, rated(one, rung), "s1" if at else "s2") for at, one in enumerate(rung.ratings)
            ]
    unit = f"{made.unit} a match more than {made.rungs[0].anchor}" if made.by_score else "rating (Elo)"
    sentences = []
    if made.step:
        first = made.rungs[0].players
        where = "" if first == 2 else f", alone at a table of {first},"
        gets = (
            f"has {amount(made.step)} {made.unit} a match above the table's average ({between(made.step)})"
            if made.by_score
            else f"wins {percent(made.step)} ({within(made.step)})"
        )
        sentences.append(f"Of the two strongest bots, {made.best}{where} {gets} against {made.next}.")
    if made.matches:
        sentences.append(_matches(*made.matches))
    if not made.by_score:
        sentences.append(
            f"On Elo's scale, where {made.rungs[0].anchor} is {ANCHOR:,}, a difference of 191 is three "
            f"wins in four between two players."
        )
    if made.left_out:
        sentences.append(f"Left out, because their games do not end: {', '.join(made.left_out)}.")
    picture = pictures.dots("Ratings of the bots", rows, unit)
    return Section(
        "ladder",
        "How far can skill take you?",
        sentences,
        [Picture("ladder", "Ratings of the bots, with 95 % intervals", picture)],
        [table for table in _ladder_tables(made, unit, study.bots) if len(table[1]) > 1],
        [again(study, "ladder", made.rungs[0].games), *_tournaments(study, made)],
    )


def rated(one: Rating, rung: Rung) -> Estimate:
    return Estimate(one.rating, one.rating - one.margin, one.rating + one.margin, rung.games)


def _matches(few: int | None, likely: int | None, many: int | None) -> str:
    if likely is None or many is None:
        return f"It takes at least {few or 1:,} matches until the better of the two is ahead with 95 %."
    plural = "match" if likely == 1 else "matches"
    return (
        f"It takes {likely:,} {plural} ({few or 1:,} to {many:,}) until the better of the two is ahead with "
        f"95 %. The more it takes, the more luck there is."
    )


def _tournaments(study: Study, made: Ladder) -> list[str]:
    """The line-ups of two players, as a tournament."""
    first = made.rungs[0]
    if first.players > 2:
        return []
    bots = ",".join(one.bot for one in sorted(first.ratings, key=lambda one: study.bots.index(one.bot)))
    return [
        f"ninefold tournament {study.game} --bots {bots} --players 2 --games {first.games} --seed {made.seed}"
        f"{study.settings}"
    ]


def _ladder_tables(made: Ladder, unit: str, bots: list[str]) -> list[tuple[str, list[list[str]]]]:
    """Ratings at tables of all sizes, wins between two, and wins of neighbours at larger tables."""
    sizes = [f"{rung.players} players" for rung in made.rungs]
    known = [{one.bot: rated(one, rung) for one in rung.ratings} for rung in made.rungs]
    ratings = [["", *sizes]]
    ratings += [[bot, *(_rated(of, bot) for of in known)] for bot in known[0]]
    found = [(f"{unit[0].upper()}{unit[1:]}, ± half a 95 % interval", ratings)]
    what = (
        f"{made.unit[0].upper()}{made.unit[1:]} above the table's average" if made.by_score else "Wins in %"
    )
    if made.rungs[0].players == 2:
        found.append((f"{what} between two: the bot on the left against the one above", _versus(made)))
    larger = [rung for rung in made.rungs if rung.players > 2]
    if larger:
        table = [["", *(f"{rung.players} players" for rung in larger)]]
        if not made.by_score:
            table.append(["one in all", *(f"{100 / rung.players:.1f}" for rung in larger)])
        for weak, strong in pairwise(bot for bot in bots if bot in known[0]):
            for one, other in ((strong, weak), (weak, strong)):
                table.append([f"{one} among {other}", *(_against(made, rung, one, other) for rung in larger)])
        found.append((f"{what} of one bot at a table where all others are of another kind", table))
    return found


def _rated(of: dict[str, Estimate], bot: str) -> str:
    if bot not in of:
        return "–"
    return f"{of[bot].value:,.0f} ± {of[bot].margin:,.0f}" if of[bot].margin else f"{of[bot].value:,.0f}"


def _against(made: Ladder, rung: Rung, one: str, other: str) -> str:
    found = rung.versus(one, other, made.by_score)
    if found is None:
        return "·"
    if made.by_score:
        return f"{found.value:+.1f} ± {found.margin:.1f}"
    return f"{100 * found.value:.1f} ± {100 * found.margin:.1f}"


def _versus(made: Ladder) -> list[list[str]]:
    bots = [one.bot for one in made.rungs[0].ratings]
    rows = ([one, *(_against(made, made.rungs[0], one, other) for other in bots)] for one in bots)
    return [["", *bots], *rows]


def _luck(study: Study, made: Luck) -> Section:
    best, even = made.shares[-1], sum(one.value for one in made.shares) / len(made.bots)
    what = f"the {study.unit}" if study.by_score else "who wins"
    gets = (
        f"has {amount(best)} {study.unit} a match ({between(best)})"
        if study.by_score
        else f"wins {percent(best)} of these games ({within(best)}), where {100 * even:.1f} % would be even"
    )
    sentences = [
        f"At a table of {listed(made.bots)}, skill explains {percent(made.skill)} of {what} "
        f"({within(made.skill)}), and the seat {percent(made.seat)} ({within(made.seat)}). All the rest is "
        f"luck: cards and dice that help a seat, no matter who sits there, {percent(made.deal)} "
        f"({within(made.deal)}); those that suit one way of playing, {percent(made.plan)} "
        f"({within(made.plan)}); and what cannot be told apart, {percent(made.rest)} ({within(made.rest)}).",
        f"The strongest, {made.bots[-1]}, {gets}. Bots with other strengths would give other parts.",
        f"Each of {made.deals:,} deals was played once after every turn of the table, with the same chance. "
        f"{_worth_of_a_game(made.saved)}",
    ]
    pieces = [
        ("skill: who plays", made.skill.value, "s2"),
        ("the seat", made.seat.value, "s3"),
        ("luck: what the deal gives a seat", made.deal.value, "s1"),
        ("luck: dice and cards that suit a bot", made.plan.value, "s4"),
        ("luck: all the rest", made.rest.value, "s6"),
    ]
    named = zip(made.bots, made.shares, strict=True)
    if study.by_score:
        rows = [Dot(bot, one) for bot, one in named]
        shares = pictures.dots("Scores at this table", rows, f"{study.unit} a match", (even, "even"))
    else:
        rows = [Dot(bot, one.times(100)) for bot, one in named]
        shares = pictures.dots("Wins at this table", rows, "wins, %", (100 * even, "even"), "{} %")
    return Section(
        "luck",
        "Luck or skill?",
        sentences,
        [
            Picture(
                "luck",
                f"What decides {what} (parts of the variance)",
                pictures.stacked("What decides", pieces),
            ),
            Picture(
                "luck-wins",
                f"{'Scores' if study.by_score else 'Wins'} at a table of {listed(made.bots)}",
                shares,
            ),
        ],
        [],
        [again(study, "luck", made.played)],
    )


def _worth_of_a_game(saved: float) -> str:
    if saved > 1:
        return f"So each of these games tells as much about the bots as {saved:.2g} with chance of their own."
    return (
        f"Each of these games tells only as much about the bots as {saved:.2g} with chance of their own: the "
        f"same cards or dice suit the same bot at every seat."
    )


COLUMNS = {
    "minutes": "minutes",
    "decisions": "decisions",
    "first": "first seat wins",
    "tied": "no single winner",
    "half": "half-time favourite wins",
    "matter": "decisions that matter",
    "best": "strongest bot wins",
    "gain": "strongest bot gains",
    "skill": "part of skill",
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
    looked_into = f", and {made.games // options.PART:,} for half-time" if "half" in shown else ""
    sentences.append(
        f"An arrow marks a difference of more than three standard errors from the game as it is, game by "
        f"game with the same chance; ± is half a 95 % interval of the number itself. Each kind was played "
        f"{made.games:,} times{looked_into}. Skill is that at a table of {listed(made.bots)} with seats "
        f"rotated; {made.best} is the strongest."
    )
    dots = [Dot("as it is", made.standard.cells["minutes"].value, "s2")]
    dots += [
        Dot(f"{change.what} {change.value}", change.cells["minutes"].value)
        for change in made.changes
        if "minutes" in change.cells
    ]
    picture = pictures.dots("Minutes under each rule", dots, "estimated minutes, mean", zero=True)
    pictures_ = [Picture("options", "Minutes of a match under each rule", picture)] if picture else []
    parts = [Dot("as it is", made.standard.cells["skill"].value.times(100), "s2")] if "skill" in shown else []
    parts += [
        Dot(f"{change.what} {change.value}", change.cells["skill"].value.times(100))
        for change in made.changes
        if "skill" in change.cells
    ]
    if len(parts) > 1:
        second = pictures.dots(
            "Part of skill under each rule", parts, "skill, % of the variance", shown="{} %"
        )
        pictures_.append(Picture("options-skill", f"Part of skill among {listed(made.bots)}", second))
    return Section(
        "options",
        "What does each rule do?",
        sentences,
        pictures_,
        [("The game with one thing changed", rows)],
        [again(study, "options", made.games)],
    )


def _cell(cell: Cell | None, name: str) -> str:
    if cell is None or not cell.value.known:
        return "–"
    one = cell.value
    arrow = ("▲ " if cell.change.value > 0 else "▼ ") if cell.clear and cell.change else ""
    return arrow + (give_or_take(one) if name in options.AMOUNTS else give_or_take(one, 100, " %"))


def _clear(change: Change) -> bool:
    return any(cell.clear for cell in change.cells.values())


def _said(change: Change) -> str:
    """What a change does, where that is clear."""
    told = []
    for name, cell in change.cells.items():
        if cell.clear and cell.change:
            more = cell.change
            up, more = more.value > 0, more if more.value > 0 else more.times(-1)
            size = give_or_take(more) if name in options.AMOUNTS else f"{give_or_take(more, 100)} points"
            told.append(f"{COLUMNS[name]} {'up' if up else 'down'} by {size}")
    return f"**{change.what} {change.value}**: {', '.join(told)}."
