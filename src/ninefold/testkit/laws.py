"""Laws that every game obeys, with no exception by name.

A law takes a game and a seed and raises BrokenLaw with a sentence. Positions come from matches played at
random; what is fixed by the seed is the same in every run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ninefold.engine import registry
from ninefold.engine.game import Game
from ninefold.engine.players import Company, desks
from ninefold.engine.records import replay
from ninefold.engine.state import Moves, State
from ninefold.engine.views import seen, tell
from ninefold.kernel.errors import IllegalMove
from ninefold.kernel.fields import CHANCE, EVERYONE
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, new_stream
from ninefold.testkit.fairness import chi_square, fits

EVERY_ID = 2_000  # games with more actions are tried at some of them
SOME_IDS = 400
REFUSALS = 15  # of each seat in each position, about so many are tried at the door
AT_RANDOM = 1_000  # steps of a match that are played at random, where it does not end sooner
SELDOM = 50
FEW = 9  # steps of chance in a row that are all looked at
SEATS = 6  # of a large table, so many seats are looked at
DRAWS = 2_000

Law = Callable[[Game, int], None]


class BrokenLaw(AssertionError):  # noqa: N818 (it names what happened)
    """A law that a game does not obey."""


def hold(truth: Any, sentence: str) -> None:
    if not truth:
        raise BrokenLaw(sentence)


def walk(game: Game, seed: int, most: int = 400) -> Iterator[tuple[State, int, int]]:
    """Positions of one match played at random, each with the step that comes next.

    Of many steps of chance in a row, such as a deal, only some are shown.
    """
    state = game.start(manual=True)
    dice, luck = random.Random(seed), new_stream(seed)
    shown = in_a_row = 0
    while shown < most:
        if state.over:
            return
        seat = dice.choice(state.actors)
        if seat != CHANCE and dice.random() < 0.3:
            seat = dice.choice([other for other in some_seats(game, seed) if state.moves(other)] or [seat])
        if seat == CHANCE:
            action = int(game.package.rules.sample(state._s, luck))
        else:
            moves = state.moves(seat)
            action = moves.action(dice.randrange(len(moves)))
        in_a_row = in_a_row + 1 if seat == CHANCE else 0
        if in_a_row <= FEW or in_a_row % FEW == 0:
            shown += 1
            yield state, seat, action
        state.play(seat, action)


def some_seats(game: Game, seed: int) -> list[int]:
    """All seats of a small table, a few of a large one."""
    seats = list(range(game.players))
    return seats if len(seats) <= SEATS else sorted(random.Random(seed).sample(seats, SEATS))


def positions(game: Game, number: int) -> int:
    """So many positions, fewer of a game whose every view lists a great many moves."""
    return number if game.facts.actions <= EVERY_ID else number * 2 // 5


def some_actions(game: Game, seed: int) -> list[int]:
    actions = game.facts.actions
    return (
        list(range(actions)) if actions <= EVERY_ID else random.Random(seed).sample(range(actions), SOME_IDS)
    )


def ends_and_stays_sound(game: Game, seed: int) -> None:
    """Every match ends within the bound of the fact sheet; what must always hold holds at every step.

    A match that nobody wins by luck is taken over by the game's `medium` bots, and looked at now and then.
    """
    state = game.start(manual=True)
    for state, _, _ in walk(game, seed, most=AT_RANDOM):
        faults = game.package.table.sound(state._s)
        hold(not faults, f"{faults} after {state._steps[-3:]}")
        hold(state.turns <= game.facts.limit(game.options), f"no end after {state.turns} turns")
        hold(not state.winners, "somebody has won before the end")
    _finish(state, seed)
    faults = game.package.table.sound(state._s)
    hold(not faults, f"{faults} at the end")
    hold(state.over and not state.actors, "over, and yet somebody is asked")
    low, high = game.facts.scores
    hold(all(low <= score <= high for score in state.scores), f"scores {state.scores} out of bounds")
    hold(set(state.winners) <= set(range(game.players)), f"winners {state.winners}")


def _finish(state: State, seed: int) -> None:
    """Let bots play a match on to its end."""
    game = state.game
    company = Company(game, ["medium"] * game.players, seed)
    state.manual = False
    state._let_chance()
    steps = 0
    while not state.over:
        steps += 1
        company.step(state)
        faults = game.package.table.sound(state._s) if steps % SELDOM == 0 else []
        hold(not faults, f"{faults} after {state._steps[-3:]}")
        hold(state.turns <= game.facts.limit(game.options), f"no end after {state.turns} turns")


def legal_is_what_play_accepts(game: Game, seed: int) -> None:
    """Spans ascend and are disjoint; `refuse` is 0 for exactly their ids; a refusal changes nothing."""
    rules = game.package.rules
    ids = some_actions(game, seed)
    stride = max(7, len(ids) // REFUSALS)
    for state, mover, _ in walk(game, seed, most=positions(game, 60)):
        for seat in some_seats(game, seed):
            moves = state.moves(seat)
            listed = moves.actions
            hold(listed == sorted(set(listed)), f"moves out of order: {listed[:20]}")
            hold(
                all(0 <= action < game.facts.actions for action in listed), f"ids out of range: {listed[:20]}"
            )
            hold(seat != mover or listed, f"seat {seat} is asked and has no move")
            legal = set(listed)
            before = state.tobytes()
            for action in [*_edges(game, moves), *ids, *listed[:50]]:
                rule = int(rules.refuse(state._s, seat, action))
                hold((rule == 0) == (action in legal), f"seat {seat}, id {action}: refuse says {rule}")
                if rule and action % stride == seed % stride:
                    _refused(state, seat, action, before)


def _edges(game: Game, moves: Moves) -> list[int]:
    """The ids just outside of what is legal."""
    near = [edge for low, high in moves.spans for edge in (low - 1, high + 1)]
    return [action for action in near if 0 <= action < game.facts.actions]


def _refused(state: State, seat: int, action: int, before: bytes) -> None:
    try:
        state.play(seat, action)
    except IllegalMove as error:
        hold(error.rule and len(str(error)) > 10, f"a refusal must cite its rule: {error}")
        hold(state.tobytes() == before, "a refused move changed the state")
        return
    raise BrokenLaw(f"seat {seat} was allowed the illegal {action}")


def texts_go_both_ways(game: Game, seed: int) -> None:
    """The text of a move reads back as that move; no two moves of a position share a text."""
    table = game.package.table
    for state, seat, action in walk(game, seed):
        moves = state.moves(seat)
        places = (
            range(len(moves)) if len(moves) <= 100 else random.Random(seed).sample(range(len(moves)), 100)
        )
        texts = set()
        for move in {action, *(moves.action(place) for place in places)}:
            text = state.say(seat, move)
            hold(table.read(state._s, seat, text) == move, f"{text!r} does not read back as {move}")
            texts.add(text)
        hold(len(texts) >= min(len(moves), len(places)), f"two moves share a text: {sorted(texts)[:10]}")


def copies_are_apart(game: Game, seed: int) -> None:
    """Playing on changes no earlier copy; equal states have equal bytes."""
    kept: list[tuple[State, bytes]] = []
    for number, (state, _, _) in enumerate(walk(game, seed)):
        if number % 9 == 0:
            kept.append((state.copy(), state.tobytes()))
    for copy, was in kept:
        hold(copy.tobytes() == was, "a copy changed when the match went on")
    for earlier, _ in kept[-3:]:
        twin = earlier.copy()
        hold(twin == earlier and hash(twin) == hash(earlier), "a copy is not equal")
        for seat in earlier.actors[:1]:
            move = earlier.moves(seat)[0]
            twin.play(seat, move)
            hold(twin != earlier or earlier.over, "a move changed nothing")


def replay_is_the_same_state(game: Game, seed: int) -> None:
    """A record, through JSON and back, replays to the same bytes."""
    *_, (state, _, _) = walk(game, seed)
    record = json.loads(json.dumps(state.record()))
    hold(replay(record, manual=True) == state, f"replay differs after {state.steps[-1]}")
    hold(replay(record, manual=True).steps == state.steps, "replay took other steps")


def secrets_are_kept(game: Game, seed: int) -> None:
    """States that differ only in what a seat may not see look the same to it, in every way it can look."""
    rules = game.package.rules
    luck = new_stream(seed + 1)
    for state, _, _ in walk(game, seed, most=positions(game, 150)):
        for seat in [*some_seats(game, seed), None]:
            viewer = -1 if seat is None else seat
            other = state.copy()
            rules.redeal(other._s, viewer, luck)
            hold(not game.package.table.sound(other._s), "a redealt state is not sound")
            hold(
                seen(game, state._s, seat).tobytes() == seen(game, other._s, seat).tobytes(),
                f"seat {seat} can see what was redealt",
            )
            hold(_public(state, seat) == _public(other, seat), f"the view of seat {seat} gives a secret away")
            if seat is not None:
                hold(_observed(state, seat) == _observed(other, seat), f"observe tells seat {seat} a secret")


def redeal_deals(game: Game, seed: int) -> None:
    """Where a game has secrets, `redeal` does change some: a law about nothing would always hold."""
    luck = new_stream(seed)
    if not game.facts.hidden or game.players == 1:
        return
    for number in range(50):
        for state, _, _ in walk(game, seed + number, most=100):
            other = state.copy()
            game.package.rules.redeal(other._s, 0, luck)
            if other != state:
                return
    raise BrokenLaw("nothing was ever redealt")


def _public(state: State, seat: int | None) -> str:
    return json.dumps(state.view(seat), sort_keys=True)


def _observed(state: State, seat: int) -> list[int]:
    size = state.game.facts.observation(state.game.players)
    out = np.full(size, -(10**6), np.int64)
    count = int(state.game.package.rules.observe(state._s, seat, out))
    hold(count == size, f"observe wrote {count} numbers, the fact sheet says {size}")
    return [int(number) for number in out]


def stories_keep_secrets(game: Game, seed: int) -> None:
    """Where two moves, or two cards, leave a viewer with the same view, it is told the same of both."""
    for state, seat, action in walk(game, seed, most=positions(game, 40)):
        before = state._s.copy()
        after = _after(state, seat, action)
        rivals = _some(state.moves(seat).actions)
        for viewer in [*some_seats(game, seed)[:3], None]:
            told = tell(game, before, seat, action, after._s, viewer)
            hold(
                all(event.get("kind") and event.get("text") for event in told),
                f"an event without words: {told}",
            )
            json.dumps(told)
            unseen = viewer != seat and seat != CHANCE and _public(state, viewer) == _public(after, viewer)
            hold(not told or not unseen, f"viewer {viewer} is told of a step that changed nothing it can see")
            for rival in rivals if seat != viewer else []:
                other = _after(state, seat, rival)
                if _public(other, viewer) == _public(after, viewer) and _somebody_sees(seat, other, after):
                    same = tell(game, before, seat, rival, other._s, viewer) == told
                    hold(same, f"viewer {viewer} is told what seat {seat} (-1: chance) did in secret")


def _somebody_sees(seat: int, one: State, other: State) -> bool:
    """Whether two steps are for some eyes only; dice that all saw and that leave no trace are not."""
    return seat != CHANCE or any(
        _public(one, eyes) != _public(other, eyes) for eyes in range(one.game.players)
    )


def _some(actions: list[int]) -> list[int]:
    """The first few moves and the last: where there are many, words come after cards."""
    return actions if len(actions) <= 6 else [*actions[:3], *actions[-3:]]


def _after(state: State, seat: int, action: int) -> State:
    after = state.copy()
    after.play(seat, action)
    return after


def chance_fits_its_weights(game: Game, seed: int) -> None:
    """Outcomes are distinct, their weights positive, and what `sample` draws fits them."""
    rules = game.package.rules
    luck = new_stream(seed + 2)
    tried = 0
    for state, seat, _ in walk(game, seed):
        if seat != CHANCE:
            hold(state.chance() == {}, "chance has outcomes out of turn")
            continue
        outcomes, weights = state._outcomes()
        hold(len(set(outcomes)) == len(outcomes) > 0, f"outcomes {outcomes}")
        hold(all(weight > 0 for weight in weights), f"weights {weights}")
        hold(all(0 <= outcome < game.facts.chances for outcome in outcomes), f"outcomes {outcomes}")
        if tried < 4:
            tried += 1
            drawn = [int(rules.sample(state._s, luck)) for _ in range(DRAWS)]
            hold(set(drawn) <= set(outcomes), f"{set(drawn) - set(outcomes)} cannot happen")
            _fits([drawn.count(outcome) for outcome in outcomes], weights)


def _fits(counts: list[int], weights: list[int]) -> None:
    expected = np.array(weights) * (sum(counts) / sum(weights))
    fair = len(counts) == 1 or fits(chi_square(counts, expected), len(counts) - 1)
    hold(fair, f"drawn {counts} for weights {weights}")


def bots_play_by_the_rules(game: Game, seed: int) -> None:
    """Every bot's moves are legal, and it moves the same when all it cannot know is dealt anew."""
    rules = game.package.rules
    for bot in game.facts.bots:
        company = Company(game, [bot.name] * game.players, seed)
        state = game.start(seed=seed)
        luck = new_stream(seed + 3)
        for _ in range(60):
            if state.over:
                break
            seat = int(rules.ask(state._s, luck)) if int(state._s.actor) == EVERYONE else state.actors[0]
            desk, whim = company._desks[seat].copy(), company._stream.copy()
            action = int(company.choose(state, seat))
            hold(action in state.moves(seat).actions, f"{bot.name} plays {action}, which is not legal")
            other = state.copy()
            rules.redeal(other._s, seat, luck)
            again = int(game.package.ask_bot(other._s, seat, desk, whim))
            hold(again == action, f"{bot.name} looks at what seat {seat} may not see")
            state.play(seat, action)


def the_driver_plays_the_same_game(game: Game, seed: int) -> None:
    """The compiled driver and the checked door play the same matches, byte for byte."""
    bots = [bot.name for bot in game.facts.bots]
    limit = game.facts.limit(game.options)
    for number in range(4):
        seated = [
            registry.player(game.name, bots[(seat + number) % len(bots)]) for seat in range(game.players)
        ]
        state = game.start(seed, number=number)
        slow = Company(game, seated, seed, number).play_out(state, limit)
        s = game.record()
        game.package.rules.begin(s)
        luck, whim = new_stream(seed, number, FOR_CHANCE), new_stream(seed, number, FOR_BOTS)
        fast = int(game.package.play_out(s, desks(game, seated), luck, whim, limit))
        hold(s.tobytes() == state.tobytes(), f"match {number} came out otherwise")
        hold(fast == slow, f"match {number} took {fast} decisions, and {slow} through the door")


LAWS: tuple[Law, ...] = (
    ends_and_stays_sound,
    legal_is_what_play_accepts,
    texts_go_both_ways,
    copies_are_apart,
    replay_is_the_same_state,
    secrets_are_kept,
    redeal_deals,
    stories_keep_secrets,
    chance_fits_its_weights,
    bots_play_by_the_rules,
    the_driver_plays_the_same_game,
)


def check(game: Game, matches: int = 5, seed: int = 0) -> None:
    """Hold a game to every law, over so many matches."""
    for law in LAWS:
        for number in range(matches):
            try:
                law(game, seed + number)
            except BrokenLaw as error:
                raise BrokenLaw(f"{game!r}: {law.__name__}, seed {seed + number}: {error}") from None
