"""A compiled bot for each game: `ninefold simulate doubles --bots examples/my_bots.py:careful,medium`.

`seen` has what the bot's seat may know, by name; `nf.make("doubles").start(seed=1).seen(0)` shows it, and
docs/api.md lists it. Bots return the id of a move.
"""

# mypy: disable-error-code="no-untyped-def"

import ninefold as nf


@nf.bot("doubles")
def careful(seen, moves, rng, at=400):
    """Cash out once the total is worth it: `careful:600` waits longer."""
    late = seen.sevens == 3 and rng.random() < 0.5
    return seen.cash_out if seen.total >= at or late or len(moves) == 1 else seen.stay


@nf.bot("finest9")
def frugal(seen, moves, rng):
    """The most points, less ten for every nine that is spent."""
    best = moves[0]
    for move in moves:
        if seen.points(move) - 10 * seen.nines(move) > seen.points(best) - 10 * seen.nines(best):
            best = move
    return best


@nf.bot("multiple9")
def tidy(seen, moves, rng):
    """Whatever puts down the most cards; of equals, any."""
    best = rng.choice(moves)
    for move in moves:
        if seen.cards(move) > seen.cards(best):
            best = move
    return best


@nf.bot("baseball")
def swapper(seen, moves, rng, good=4):
    """Put low cards in the place of high ones, and unknown ones in the place of nothing."""
    if seen.is_looking or seen.is_showing:
        return moves[0]
    new = seen.drawn if seen.drawn > 0 else seen.top
    worst = -1
    for place in range(9):
        if seen.is_there(0, place) and (worst < 0 or value(seen, place) > value(seen, worst)):
            worst = place
    if new > 0 and seen.points(new) < min(value(seen, worst), good + 1):
        return seen.put(worst) if seen.drawn > 0 else seen.take(worst)
    return seen.discard if seen.drawn > 0 else seen.draw


def value(seen, place):
    """What a card of one's own counts, as far as one knows: seven if it has not been seen."""
    rank = seen.card(0, place)
    return seen.points(rank) if rank > 0 else 7


@nf.bot("holdem9")
def pairs(seen, moves, rng):
    """Raise with a pair, call with a nine, fold the rest to a bet."""
    first, second = seen.hole(0), seen.hole(1)
    if first == second and seen.least_raise <= seen.most_raise and seen.raises < 3:
        return seen.raise_to(min(seen.most_raise, 3 * seen.least_raise))
    if first == second or first == 9 or second == 9 or seen.to_call == 0:
        return seen.call
    return seen.fold


@nf.bot("nine_of_a_kind")
def collector(seen, moves, rng, memory):
    """Collect one suit: offer and give away single cards of others, and claim when it is complete."""
    if seen.is_nine:
        return seen.claim_nine
    suit = memory[0] % 9
    for other in range(9):
        if seen.of_suit(other) > seen.of_suit(suit):
            suit = other
    memory[0] = suit
    start = rng.randrange(81)
    for step in range(81):
        card = (start + step) % 81
        if seen.in_hand(card) and card % 9 != suit:
            for player in range(1, seen.players):
                if seen.offered(player) == 1:
                    return seen.answer(player, card)
            return seen.wait if seen.offered(0) else seen.offer(card)
    return seen.wait


if __name__ == "__main__":
    print(nf.simulate("doubles", bots=[careful, "medium", "easy"], games=1_000, seed=1, rounds=5).table())
