"""A study in words: sections with sentences, figures, pictures and the command that makes each again.

What pages and Markdown show is decided here once; how it looks is their business.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from ninefold.model.text import join
from ninefold.simulation.ratings import ANCHOR
from ninefold.studies import decisions, drama, pictures
from ninefold.studies.estimate import Estimate
from ninefold.studies.options_section import options_section
from ninefold.studies.pictures import Dot
from ninefold.studies.section import Picture, Section, again
from ninefold.studies.wording import amount, between, line_up, percent, plain, with_interval, within

if TYPE_CHECKING:
    from ninefold.simulation.tournament import Rating
    from ninefold.studies.decisions import Decisions
    from ninefold.studies.drama import Drama
    from ninefold.studies.games import Games
    from ninefold.studies.ladder import Ladder, Rung
    from ninefold.studies.luck import Luck
    from ninefold.studies.report import Study

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_SEATS = 10
FEW = 0.1  # changes of the lead in a match that are not worth a sentence
SURE = Estimate(1, 1, 1, 0)  # what is known at the end


def sections(study: Study) -> list[Section]:
    """All sections that there is something to say in."""
    found: list[Section] = []
    if study.games and study.games.ended:
        found += [_length(study, study.games), *_seats(study, study.games), *_scores(study, study.games)]
    elif study.games:
        found.append(_endless(study, study.games))
    if study.drama:
        found.append(_drama(study, study.drama))
    if study.decisions:
        found.append(_decisions(study, study.decisions))
    if study.ladder:
        found.append(_ladder(study, study.ladder))
    if study.luck:
        found.append(_luck(study, study.luck))
    if study.options_swept:
        found.append(options_section(study, study.options_swept))
    return found


def _noun(study: Study) -> str:
    """What is counted, in a sentence that says itself that it is gained."""
    return study.unit.removesuffix(" gained")


def _length(study: Study, made: Games) -> Section:
    low, quarter, _, three, high = made.decisions_middle or [math.nan] * 5
    shortest, short, _, long, longest = (_minutes(one) for one in made.minutes_middle or [math.nan] * 5)
    turns = f" and {amount(made.turns)} turns ({between(made.turns)})" if made.turns != made.decisions else ""
    sentences = [
        f"A match takes about {amount(made.minutes, 1)} minutes with people (median; "
        f"{between(made.minutes, 1)}). Half of all matches take {short} to {long}, nine of ten {shortest} to "
        f"{longest}. This is an estimate: {made.assumed}.",
        f"A match has {amount(made.decisions)} decisions ({between(made.decisions)}){turns} on average. Half "
        f"of all matches have {plain(quarter)} to {plain(three)} decisions, nine of ten {plain(low)} to "
        f"{plain(high)}.",
    ]
    if made.unfinished:
        sentences.append(
            f"{made.unfinished:,} of {made.games:,} matches were not over at the limit "
            "of turns, and do not count."
        )
    middle = (made.minutes.value, f"median {amount(made.minutes, 1)}")
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


def _endless(study: Study, made: Games) -> Section:
    over = f"only {made.games - made.unfinished}" if made.games > made.unfinished else "none"
    sentence = (
        f"Of {made.games:,} matches between bots `{made.bot}`, {over} came to an end before the limit of "
        f"turns, so nothing can be measured. Other bots may end them: choose them with --bots."
    )
    return Section("length", "How long is it?", [sentence], commands=[simulate(study, made)])


def _minutes(value: float) -> str:
    """Minutes without an interval."""
    return f"{value:.{0 if value >= 10 else 1}f}"


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
    nobody = (
        f"Nobody wins in {percent(made.undecided)} of matches ({within(made.undecided)}), and several"
        if made.undecided.value
        else "Every match had a winner. Several"
    )
    sentences.append(f"{nobody} share the win in {percent(made.shared)} ({within(made.shared)}).")
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
        f"Half of all results are at most {amount(middle)} {_noun(study)} ({between(middle)}); nine of ten "
        f"lie between {amount(made.scores['5 %'])} and {amount(made.scores['95 %'])}."
    ]
    winners, others = made.scores.get("of winners"), made.scores.get("of the others")
    if winners and others and winners.known and others.known:
        sentences.append(
            f"The median winner has {amount(winners)} ({between(winners)}), the others "
            f"{amount(others)} ({between(others)})."
        )
    if made.lead and made.lead.known:
        sentences.append(
            f"The winner is {amount(made.lead)} {_noun(study)} ahead of the second (median; "
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
    sentences = [
        f"Half-way through, the favourite goes on to win {percent(favourite)} of matches "
        f"({within(favourite)}); all others end in a comeback. {_known(made)} The favourite changes "
        f"{amount(made.changes)} times in a match ({between(made.changes)})."
    ]
    if made.leads and made.ahead and made.leads.value >= FEW:
        sentences.append(
            f"The lead in points changes {amount(made.leads)} times ({between(made.leads)}). Half-way, the "
            f"later winner leads alone in {percent(made.ahead)} of matches ({within(made.ahead)})."
        )
    sentences.append(
        f"The favourite of a moment is the player who wins most often when the match is played on from "
        f"there: {made.matches:,} matches were stopped at {drama.POINTS} moments, and played to the end "
        f"{made.times} times from each. A change of favourite counts only where chance hardly explains it."
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


def _known(made: Drama) -> str:
    """When the winner is known, as far as it was looked at."""
    at = drama.POINTS - 1 if made.known is None else round(made.known * drama.POINTS)
    then = made.favourite[at]
    share, part = f"{percent(then)} ({within(then)})", f"{100 * at / drama.POINTS:.0f} % of the match"
    if made.known is None:
        return f"At {part}, the last moment that was looked at, the favourite wins {share}."
    return f"At {part}, for the first time of those looked at, the favourite wins nine of ten: {share}."


def _worth(study: Study, second: Estimate, any_: Estimate) -> str:
    """What the best move is worth, as a part of a sentence."""
    if study.by_score:
        noun = _noun(study)
        return (
            f"is worth {amount(second)} {noun} ({between(second)}) more than the second best, and "
            f"{amount(any_)} {noun} ({between(any_)}) more"
        )
    return (
        f"raises the chance to win by {100 * second.value:.1f} percentage points ({within(second, unit='')}) "
        f"over the second best, and by {100 * any_.value:.1f} ({within(any_, unit='')})"
    )


def _decisions(study: Study, made: Decisions) -> Section:
    two = made.moves.low == made.moves.high == 2  # then the second best is the only other move
    choices = "two moves" if two else f"{amount(made.moves)} moves on average ({between(made.moves)})"
    free = (
        f"In {percent(made.forced)} of decisions ({within(made.forced)}) only one move is legal; the "
        f"others have"
        if made.forced.value
        else "There is always a choice:"
    )
    second = f" In {percent(made.matter)} ({within(made.matter)}) it also beats the second best."
    sentences = [
        f"In {percent(made.matter_any)} of all decisions ({within(made.matter_any)}) the choice clearly "
        f"matters: the best move beats the {'other' if two else 'average of the others'}."
        f"{'' if two else second}",
        f"{free} {choices}.",
    ]
    if made.best_to_any.known:
        than = "than" if made.by_score else "over"
        worth = _worth(study, made.best_to_second, made.best_to_any)
        sentences.append(f"Where there is a choice, the best move {worth} {than} one chosen at random.")
    sentences.append(
        f"To find out, up to {decisions.MOVES} moves of a position were played to the end in {made.worlds} "
        f"worlds that fit what the player knows, all with the same chance. Half of the worlds chose the best "
        f"move, the other half measured it. Where nothing matters, about 2 % of decisions would still look "
        f"as if they did."
    )
    only, top, rest = made.forced.value, made.matter.value, made.matter_any.value
    pieces = [
        ("one legal move", only, "s6"),
        ("a choice, but little depends on it", max(0.0, 1 - only - max(rest, top)), "s1"),
        ("good and bad moves, several good ones", max(0.0, rest - top), "s3"),
        ("one best move", top, "s2"),
    ]
    picture = pictures.stacked("Kinds of decisions", [piece for piece in pieces if piece[1] > 0])
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
        sentences.append(_best(study, made, made.step))
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


def _best(study: Study, made: Ladder, step: Estimate) -> str:
    size = made.rungs[0].players
    if made.by_score:
        where = "against the next" if size == 2 else f"above the average, alone among {size - 1} of the next"
        gets = f"gains {amount(step)} {_noun(study)} a match ({between(step)}) {where}, {made.next}"
    elif size == 2:
        gets = f"wins {percent(step)} ({within(step)}) against the next, {made.next}"
    else:
        gets = (
            f"wins {percent(step)} ({within(step)}) alone among {size - 1} of the next, {made.next}; "
            f"{100 / size:.3g} % would be even"
        )
    return f"The strongest bot measured here, {made.best}, {gets}.{_not_measured(made)}"


def _not_measured(made: Ladder) -> str:
    """The levels that take too long."""
    if not made.searching:
        return ""
    names, one = join([f"`{name}`" for name in made.searching]), len(made.searching) == 1
    return (
        f" The level {names} searches and takes too long for these games; --bots measures it."
        if one
        else f" The levels {names} search and take too long for these games; --bots measures them."
    )


def rated(one: Rating, rung: Rung) -> Estimate:
    return Estimate(one.rating, one.rating - one.margin, one.rating + one.margin, rung.games)


def _matches(few: int | None, likely: int | None, many: int | None) -> str:
    if likely is None or many is None:
        return f"It takes {few or 1:,} matches or more until the better one is ahead with 95 % certainty."
    plural = "match" if likely == 1 else "matches"
    return (
        f"It takes {likely:,} {plural} ({few or 1:,} to {many:,}) until the better of the two is ahead with "
        f"95 % certainty. The more it takes, the more luck there is."
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
            table.append(["even", *(f"{100 / rung.players:.1f}" for rung in larger)])
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
    return with_interval(found)


def _versus(made: Ladder) -> list[list[str]]:
    bots = [one.bot for one in made.rungs[0].ratings]
    rows = ([one, *(_against(made, made.rungs[0], one, other) for other in bots)] for one in bots)
    return [["", *bots], *rows]


def _luck(study: Study, made: Luck) -> Section:
    best, even = made.shares[-1], sum(one.value for one in made.shares) / len(made.bots)
    what = f"the {study.unit}" if study.by_score else "who wins"
    gets = (
        f"gains {amount(best)} {_noun(study)} a match ({between(best)})"
        if study.by_score
        else f"wins {percent(best)} of these games ({within(best)}), where {100 * even:.1f} % would be even"
    )
    sentences = [
        f"At a table of {line_up(made.bots)}, skill explains {percent(made.skill)} of {what} "
        f"({within(made.skill)}), and the seat {percent(made.seat)} ({within(made.seat)}). The rest is luck: "
        f"{percent(made.deal)} ({within(made.deal)}) cards and dice that favour a seat, whichever bot sits "
        f"there; {percent(made.plan)} ({within(made.plan)}) those that favour a way of playing; and "
        f"{percent(made.rest)} ({within(made.rest)}) what cannot be told apart.",
        f"The last of these bots, {made.bots[-1]}, {gets}. Bots further apart would show more skill.",
        f"Each of {made.deals:,} deals was played {len(made.bots)} times with the same cards and dice, and "
        f"everyone moved up one seat each time. {_worth_of_a_game(made.saved)}",
    ]
    pieces = [
        ("skill: who plays", made.skill.value, "s2"),
        ("the seat", made.seat.value, "s3"),
        ("luck: cards and dice that favour a seat", made.deal.value, "s1"),
        ("luck: those that favour a way of playing", made.plan.value, "s4"),
        ("luck that cannot be told apart", made.rest.value, "s6"),
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
                f"{'Scores' if study.by_score else 'Wins'} at a table of {line_up(made.bots)}",
                shares,
            ),
        ],
        [],
        [again(study, "luck", made.played)],
    )


def _worth_of_a_game(saved: float) -> str:
    if f"{saved:.2g}" == "1":
        return "Each game tells as much about the bots as one with a deal of its own."
    if saved > 1:
        return f"So each game tells as much about the bots as {saved:.2g} games with deals of their own."
    return (
        f"Each game tells only as much about the bots as {saved:.2g} games with deals of their own: the same "
        f"cards or dice favour the same bot at every seat."
    )
