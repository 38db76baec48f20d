"""Laws that every game obeys, with no exception by name.

A law takes a game and a seed and raises BrokenLaw with a sentence. Positions come from matches played at
random; what is fixed by the seed is the same in every run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ninefold.engine.beats import Moment
from ninefold.engine.bots import SeatedBots, bot_slots, find_bot
from ninefold.engine.chance import SeededChance, Step
from ninefold.engine.game import Game
from ninefold.engine.log import Log
from ninefold.engine.match import Drew, Match, Moved, Seat
from ninefold.engine.own_bots import facts
from ninefold.engine.records import replay
from ninefold.engine.state import Moves, State
from ninefold.engine.views import masked
from ninefold.kernel.errors import IllegalMove
from ninefold.kernel.fields import CHANCE, EVERYONE
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, new_stream
from ninefold.model.cast import CAST, LEVELS
from ninefold.model.events import WHOLE, Event, apply_changes
from ninefold.model.view import Scene, forced
from ninefold.testkit.fairness import chi_square, fits

EVERY_ID = 2_000  # games with more actions are tried with only some of them
SOME_IDS = 400
REFUSALS = 15  # illegal moves tried for each seat in each position, about
AT_RANDOM = 1_000  # steps of a match that are played at random, if it does not end sooner
SELDOM = 50
FEW = 9  # consecutive steps of chance that are all checked
SEATS = 6  # seats checked at a large table
DRAWS = 2_000
MOMENTS = 200  # steps of a match that bots play with interruptions
INTERRUPTIONS = 8
ASKED = 6  # numbers tried for a fact that takes some
SEARCHED = 3  # decisions of a bot that searches, which takes its time

Law = Callable[[Game, int], None]


class BrokenLaw(AssertionError):  # noqa: N818 (it names what happened)
    """A law that a game does not obey."""


def hold(truth: Any, sentence: str) -> None:
    if not truth:
        raise BrokenLaw(sentence)


def walk(game: Game, seed: int, most: int = 400) -> Iterator[tuple[State, int, int]]:
    """Positions of one match played at random, each with the step that comes next.

    Of many consecutive steps of chance, such as a deal, only some are included.
    """
    state = game.start(manual=True)
    dice, rng = random.Random(seed), new_stream(seed)
    shown = in_a_row = 0
    while shown < most:
        if state.over:
            return
        seat = dice.choice(state.actors)
        if seat != CHANCE and dice.random() < 0.3:
            seat = dice.choice([other for other in some_seats(game, seed) if state.moves(other)] or [seat])
        if seat == CHANCE:
            action = int(game.package.rules.sample(state.position, rng))
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
    """How many positions to check: fewer for a game whose views list many moves."""
    return number if game.facts.actions <= EVERY_ID else number * 2 // 5


def some_actions(game: Game, seed: int) -> list[int]:
    actions = range(game.facts.actions)
    return list(actions) if len(actions) <= EVERY_ID else random.Random(seed).sample(actions, SOME_IDS)


def _faults(state: State) -> list[str]:
    return state.game.package.invariants.broken_invariants(state.position)


def ends_and_stays_sound(game: Game, seed: int) -> None:
    """Every match ends within the bound of the fact sheet; the invariants hold at every step.

    If random moves do not end a match, the game's `medium` bots finish it, with a check now and then.
    """
    state = game.start(manual=True)
    for state, _, _ in walk(game, seed, most=AT_RANDOM):
        faults = _faults(state)
        hold(not faults, f"{faults} after {state.steps[-3:]}")
        hold(state.turns <= game.facts.limit(game.options), f"no end after {state.turns} turns")
        hold(not state.winners, "a seat has won before the end")
    _finish(state, seed)
    faults = _faults(state)
    hold(not faults, f"{faults} at the end")
    hold(state.over and not state.actors, "over, but a seat has to decide")
    low, high = game.facts.scores
    hold(all(low <= score <= high for score in state.scores), f"scores {state.scores} out of bounds")
    hold(set(state.winners) <= set(range(game.players)), f"winners {state.winners}")


def _finish(state: State, seed: int) -> None:
    """Let bots play a match on to its end."""
    game = state.game
    players = SeatedBots(game, ["medium"] * game.players, seed)
    state.manual = False
    state.let_chance()
    steps = 0
    while not state.over:
        steps += 1
        players.step(state)
        faults = _faults(state) if steps % SELDOM == 0 else []
        hold(not faults, f"{faults} after {state.steps[-3:]}")
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
            inside = all(0 <= action < game.facts.actions for action in listed)
            hold(inside, f"ids out of range: {listed[:20]}")
            hold(seat != mover or listed, f"seat {seat} has to decide and has no move")
            legal = set(listed)
            _counted_as_listed(game, state, seat, listed)
            before = state.tobytes()
            for action in [*_edges(game, moves), *ids, *listed[:50]]:
                rule = int(rules.refuse(state.position, seat, action))
                hold((rule == 0) == (action in legal), f"seat {seat}, id {action}: refuse says {rule}")
                if rule and action % stride == seed % stride:
                    _refused(state, seat, action, before)


def _counted_as_listed(game: Game, state: State, seat: int, listed: list[int]) -> None:
    """Where rules count moves and find the n-th without a list, they are those of the list."""
    count, nth = (getattr(game.package.rules, name, None) for name in ("count_moves", "nth_move"))
    if count is None or nth is None:
        return
    hold(count(state.position, seat) == len(listed), f"seat {seat} has {len(listed)} moves, not as counted")
    for place in {0, len(listed) // 2, *range(0, len(listed), 7), len(listed) - 1} if listed else ():
        found = int(nth(state.position, seat, place))
        hold(found == listed[place], f"move {place} of seat {seat} is {listed[place]}, not {found}")


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
    parse = game.package.notation.parse_move
    for state, seat, action in walk(game, seed):
        moves = state.moves(seat)
        places = random.Random(seed).sample(range(len(moves)), min(len(moves), 100))
        texts = set()
        for move in {action, *(moves.action(place) for place in places)}:
            text = state.format(seat, move)
            hold(parse(state.position, seat, text) == move, f"{text!r} does not read back as {move}")
            texts.add(text)
        hold(len(texts) >= min(len(moves), len(places)), f"two moves share a text: {sorted(texts)[:10]}")


def copies_are_apart(game: Game, seed: int) -> None:
    """Playing on changes no earlier copy; equal states have equal bytes."""
    kept: list[tuple[State, bytes]] = []
    for number, (state, _, _) in enumerate(walk(game, seed)):
        if number % 9 == 0:
            kept.append((state.copy(), state.tobytes()))
    for copy, was in kept:
        hold(copy.tobytes() == was, "a copy changed when the match continued")
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
    """States that differ only in what a seat may not see look the same to it, in every view."""
    rules = game.package.rules
    rng = new_stream(seed + 1)
    for state, _, _ in walk(game, seed, most=positions(game, 150)):
        for seat in [*some_seats(game, seed), None]:
            other = state.copy()
            rules.redeal(other.position, -1 if seat is None else seat, rng)
            hold(not _faults(other), "a redealt position breaks an invariant")
            seen, same = (masked(game, one.position, seat).tobytes() for one in (state, other))
            hold(seen == same, f"seat {seat} can see what was redealt")
            hold(_public(state, seat) == _public(other, seat), f"the view of seat {seat} gives a secret away")
            if seat is not None:
                hold(_observed(state, seat) == _observed(other, seat), f"observe gives seat {seat} a secret")
                _facts_keep_secrets(state, other, seat, seed)


def _facts_keep_secrets(state: State, other: State, seat: int, seed: int) -> None:
    """What compiled bots of the user's may ask for is the same as well."""
    rng = random.Random(seed + len(state.steps))
    for name, fact in facts(state.game.name).items():
        for _ in range(ASKED if fact.takes else 1):
            given = [
                rng.randint(low, state.game.players - 1 if what == "player" else min(high, 10**9))
                for what, (low, high) in zip(fact.takes, fact.limits, strict=True)
            ]
            one, same = (fact.call(each.position, seat, *given) for each in (state, other))
            hold(one == same, f"{name}{tuple(given)} tells seat {seat} a secret")


def redeal_deals(game: Game, seed: int) -> None:
    """If a game has secrets, `redeal` changes some of them: otherwise the law above would prove nothing."""
    rng = new_stream(seed)
    if not game.facts.hidden or game.players == 1:
        return
    for number in range(50):
        for state, _, _ in walk(game, seed + number, most=100):
            other = state.copy()
            game.package.rules.redeal(other.position, 0, rng)
            if other != state:
                return
    raise BrokenLaw("nothing was ever redealt")


def _public(state: State, seat: int | None) -> str:
    return json.dumps(state.view(seat), sort_keys=True)


def _observed(state: State, seat: int) -> list[int]:
    observe, observation = state.game.package.observe, state.game.facts.observation
    if observe is None or observation is None:
        return []
    size = observation(state.game.players)
    out = np.full(size, -(10**6), np.int64)
    count = int(observe(state.position, seat, out))
    hold(count == size, f"observe wrote {count} numbers, the fact sheet says {size}")
    return [int(number) for number in out]


def stories_keep_secrets(game: Game, seed: int) -> None:
    """If two moves, or two cards, leave a viewer with the same view, the events are the same too."""
    for state, seat, action in walk(game, seed, most=positions(game, 40)):
        after = _after(state, seat, action)
        rivals = _some(state.moves(seat).actions)
        for viewer in [*some_seats(game, seed)[:3], None]:
            events = _narrated(state, seat, action, after, viewer)
            hold(all(event.kind and str(event.text) for event in events), f"an event without words: {events}")
            unseen = viewer != seat and seat != CHANCE and _public(state, viewer) == _public(after, viewer)
            hold(not events or not unseen, f"viewer {viewer} gets events for a step it cannot see")
            for rival in rivals if seat != viewer else []:
                other = _after(state, seat, rival)
                if _public(other, viewer) == _public(after, viewer) and _someone_sees(seat, other, after):
                    same = _narrated(state, seat, rival, other, viewer) == events
                    hold(same, f"viewer {viewer} learns what seat {seat} (-1: chance) did in secret")


def beats_lead_to_the_table(game: Game, seed: int) -> None:
    """Applying the changes of beats one after another gives the same table as a fresh view."""
    shown: dict[int | None, Scene] = {}
    last = b""
    for state, seat, action in walk(game, seed, most=positions(game, 100)):
        after = _after(state, seat, action)
        moment = Moment(state.tobytes(), seat, action, after.tobytes())
        for viewer in [*some_seats(game, seed)[:2], None]:
            if moment.before != last:  # the walk leaves out some steps
                shown[viewer] = state.scene(viewer)
            for beat in state.perspectives.beats([moment], viewer):
                if beat.changes is not None:
                    shown[viewer] = apply_changes(shown[viewer], beat.changes)
            same = _parts(shown[viewer]) == _parts(after.scene(viewer))
            hold(same, f"the beats of {state.format(seat, action)} give viewer {viewer} another table")
        last = moment.after
        if game.facts.realtime:
            later = _after(state, seat, action)
            later.position.turns += 1  # secret moves count there
            same = all(
                later.scene(viewer) == after.scene(viewer) for viewer in [*some_seats(game, seed), None]
            )
            hold(same, "the table tells how many moves were made, of which some are secret")


def _parts(scene: Scene) -> tuple[Any, ...]:
    """What beats change: everything except details, which are for programs, and the order of zones."""
    zones = {zone.id: zone for zone in scene.zones}
    return zones, scene.seats, *(getattr(scene, part) for part in WHOLE)


def the_table_explains_itself(game: Game, seed: int) -> None:
    """Every table says how to win and how far it is to the end; groups are of cards that the viewer knows;
    a move that is played for a person is the only one."""
    for state, _, _ in walk(game, seed, most=positions(game, 60)):
        for viewer in [*some_seats(game, seed)[:2], None]:
            view = state.picture(viewer)
            hold(str(view.goal) and view.progress is not None, "no goal, or no way to see how far it is")
            zones = {zone.id: zone.cards or [] for zone in view.zones}
            for group in view.groups:
                cards = [zones[name][place] for name, places in group.cards.items() for place in places]
                hold(all(card.card for card in cards), f"viewer {viewer} does not know all cards of {group}")
            hold(
                forced(view) in (None, *view.moves) and (not forced(view) or len(view.moves) == 1), "a choice"
            )


def _narrated(before: State, seat: int, action: int, after: State, viewer: int | None) -> list[Event]:
    return before.perspectives.events(Moment(before.tobytes(), seat, action, after.tobytes()), viewer)


def _someone_sees(seat: int, one: State, other: State) -> bool:
    """Whether two steps are secret from some viewers; dice that everyone saw are not."""
    return seat != CHANCE or any(
        _public(one, eyes) != _public(other, eyes) for eyes in range(one.game.players)
    )


def _some(actions: list[int]) -> list[int]:
    """The first few moves and the last: if there are many, moves without cards come last."""
    return actions if len(actions) <= 6 else [*actions[:3], *actions[-3:]]


def _after(state: State, seat: int, action: int) -> State:
    after = state.copy()
    after.play(seat, action)
    return after


def chance_fits_its_weights(game: Game, seed: int) -> None:
    """Outcomes are distinct, their weights positive, and what `sample` draws fits them."""
    rules = game.package.rules
    rng = new_stream(seed + 2)
    tried = 0
    for state, seat, _ in walk(game, seed):
        if seat != CHANCE:
            hold(state.chance() == {}, "chance has outcomes when it is not its turn")
            continue
        outcomes, weights = state.outcomes()
        hold(len(set(outcomes)) == len(outcomes) > 0, f"outcomes {outcomes}")
        hold(all(weight > 0 for weight in weights), f"weights {weights}")
        hold(all(0 <= outcome < game.facts.chances for outcome in outcomes), f"outcomes {outcomes}")
        if tried < 4:
            tried += 1
            drawn = [int(rules.sample(state.position, rng)) for _ in range(DRAWS)]
            hold(set(drawn) <= set(outcomes), f"{set(drawn) - set(outcomes)} cannot happen")
            _fits([drawn.count(outcome) for outcome in outcomes], weights)


def _fits(counts: list[int], weights: list[int]) -> None:
    expected = np.array(weights) * (sum(counts) / sum(weights))
    fair = len(counts) == 1 or fits(chi_square(counts, expected), len(counts) - 1)
    hold(fair, f"drawn {counts} for weights {weights}")


def bots_play_by_the_rules(game: Game, seed: int) -> None:
    """Every bot's moves are legal, and stay the same when everything it cannot know is redealt."""
    rules = game.package.rules
    tempers = _characters(game, seed)
    for name in [*(bot.name for bot in game.facts.bots), *tempers]:
        bot = find_bot(game.name, name)
        players = SeatedBots(game, [bot] * game.players, seed)
        state = game.start(seed=seed)
        rng = new_stream(seed + 3)
        searched = 0
        for moment in range(60):
            if state.over or searched == SEARCHED:
                break
            seat = state.actors[0]
            if int(state.position.actor) == EVERYONE:
                seat = int(game.package.ask(state.position, rng))
            searched += bot.search != () and len(players.consider(state, seat)) > 1
            memory = players.slots[seat].memory.tobytes()
            other = state.copy()
            rules.redeal(other.position, seat, rng)
            again, _ = players.consult(other, seat, moment, memory)
            action, _ = players.consult(state, seat, moment, memory)
            hold(action in state.moves(seat).actions, f"{bot.name} plays {action}, which is not legal")
            hold(again == action, f"{bot.name} looks at what seat {seat} may not see")
            state.play(seat, action)


def _characters(game: Game, seed: int) -> list[str]:
    """Some of the cast, at each level in turn that the game has and that does not search."""
    names = {bot.name for bot in game.facts.bots if not bot.search}
    levels = [level for level in LEVELS if level in names]
    cast = [who for at, who in enumerate(CAST) if (at + seed) % 3 == 0]
    return [f"{who.id}:{levels[(at + seed) % len(levels)]}" for at, who in enumerate(cast)]


def bots_take_over_anywhere(game: Game, seed: int) -> None:
    """A bot that sits down in the middle of a match, whatever was played before, makes a legal move."""
    quick = [bot for bot in _anyone(game) if not find_bot(game.name, bot).search]
    levels = [bot.name for bot in game.facts.bots if bot.name in quick]
    dice = random.Random(seed)
    for moment, (state, seat, _) in enumerate(walk(game, seed, most=positions(game, 100))):
        if seat == CHANCE or seat not in state.actors:
            continue
        legal = state.moves(seat).actions
        for name in [*levels, dice.choice(quick)]:
            action, _ = SeatedBots(game, [name] * game.players, seed).consult(state, seat, moment, b"")
            hold(action in legal, f"{name} takes over seat {seat} and plays {action}, which is not legal")


class SameChance(SeededChance):
    """Chance that depends only on how many steps there were, so that it is the same again after an undo."""

    def __init__(self, seed: int, steps: int = 0) -> None:
        super().__init__(seed)
        self.seed, self.steps = seed, steps

    def stream(self) -> Any:
        self.steps += 1
        return new_stream(self.seed, self.steps, FOR_CHANCE)

    def moved(self, step: Step) -> None:  # noqa: ARG002 (the shape of a source)
        self.steps += 1

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:  # noqa: ARG002 (as above)
        self.steps = kept


def memory_is_part_of_the_match(game: Game, seed: int) -> None:
    """A match that is interrupted, undone and resumed, and in which a person takes a bot's seat and gives it
    back, has the same bot moves as one that goes straight on."""
    rng = random.Random(seed)
    anyone = _anyone(game)
    quick = [bot for bot in anyone if not find_bot(game.name, bot).search]
    bots = [rng.choice(quick if seat else anyone) for seat in range(game.players)]
    seats = [Seat("bot", bot=bot) for bot in bots]
    straight = Match(game, seats, SameChance(seed), bot_seed=seed)
    straight.begin()
    _let_bots(straight, MOMENTS)
    match = Match(game, seats, SameChance(seed), bot_seed=seed)
    match.begin()
    for _ in range(INTERRUPTIONS):
        steps = min(len(straight.steps), len(match.steps) + rng.randrange(1, 2 * MOMENTS // INTERRUPTIONS))
        person = rng.randrange(-1, game.players)  # -1: nobody
        if person >= 0:
            match.seats[person] = Seat("person")
        _let_bots(match, steps, {person: straight.steps})
        match.seats = list(seats)
        decisions = [at for at, step in enumerate(match.steps) if step.seat != CHANCE]
        if rng.randrange(2) and decisions and not match.over:
            match.undo(0, rng.choice(decisions[-9:]))
        resumed = Match(game, seats, SameChance(seed, len(match.steps)), bot_seed=seed)
        for step in match.steps:
            resumed.apply(Drew(step.text) if step.seat == CHANCE else Moved(step.seat, step.text))
        match = resumed if rng.randrange(2) else match
        match.chance = SameChance(seed, len(match.steps))
    _let_bots(match, MOMENTS)
    for at, (one, other) in enumerate(zip(match.steps, straight.steps, strict=True)):
        hold(one == other, f"step {at} is {one.text} of seat {one.seat}, not {other.text} of {other.seat}")


def _anyone(game: Game) -> list[str]:
    """Every bot of a game, and every character at every level it has."""
    names = [bot.name for bot in game.facts.bots]
    return names + [f"{who.id}:{level}" for who in CAST for level in LEVELS if level in names]


def _let_bots(match: Match, steps: int, scripts: Mapping[int, Log[Step]] = MappingProxyType({})) -> None:
    """Let bots play, and people their scripts; a bot that waits in real time passes."""
    while not match.over and len(match.steps) < steps:
        seat = match.waiting_for[len(match.steps) % len(match.waiting_for)]
        if seat in scripts:
            match.submit(seat, scripts[seat][len(match.steps)].text)
        elif not match.let_bot(seat) and match.realtime:
            match.submit(seat, match.realtime.PASS_MOVE)


def the_driver_plays_the_same_game(game: Game, seed: int) -> None:
    """The compiled driver and State play the same matches, byte for byte."""
    bots = [bot.name for bot in game.facts.bots if not bot.search]  # State searches, the driver does not
    limit = game.facts.limit(game.options)
    for number in range(4):
        seated = [find_bot(game.name, bots[(seat + number) % len(bots)]) for seat in range(game.players)]
        state = game.start(seed, number=number)
        slow = SeatedBots(game, seated, seed, number).play_out(state, limit)
        s = game.new_position()
        game.package.rules.begin(s)
        chance_stream, bot_stream = new_stream(seed, number, FOR_CHANCE), new_stream(seed, number, FOR_BOTS)
        fast = int(game.package.play_out(s, bot_slots(game, seated), chance_stream, bot_stream, limit))
        hold(s.tobytes() == state.tobytes(), f"match {number} ended differently")
        hold(fast == slow, f"match {number} took {fast} decisions, but {slow} through State")


LAWS: tuple[Law, ...] = (
    ends_and_stays_sound,
    legal_is_what_play_accepts,
    texts_go_both_ways,
    copies_are_apart,
    replay_is_the_same_state,
    secrets_are_kept,
    redeal_deals,
    stories_keep_secrets,
    beats_lead_to_the_table,
    the_table_explains_itself,
    chance_fits_its_weights,
    bots_play_by_the_rules,
    bots_take_over_anywhere,
    memory_is_part_of_the_match,
    the_driver_plays_the_same_game,
)


def check(game: Game, matches: int = 5, seed: int = 0) -> None:
    """Check a game against every law, over a number of matches."""
    for law in LAWS:
        for number in range(matches):
            try:
                law(game, seed + number)
            except BrokenLaw as error:
                raise BrokenLaw(f"{game!r}: {law.__name__}, seed {seed + number}: {error}") from None
