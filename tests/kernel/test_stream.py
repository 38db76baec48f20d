"""Random numbers: published answers, exactly even bounded draws, streams that share nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.kernel import stream
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, STREAM, below, new_stream, next_word, scale
from ninefold.testkit.fairness import is_even, is_unrelated, tail
from support.interpreter import FULL

WORD = 2**64
HALF_WORD = 2**32
GOLDEN = 0x9E3779B97F4A7C15


def test_the_limits_are_those_of_the_tables() -> None:
    for limit, freedom in ((35.9, 5), (44.8, 9), (63.7, 19), (207.2, 119), (2958, 2601)):
        assert tail(limit, freedom) == pytest.approx(1e-6, rel=0.1)
    assert 1 - tail(2272, 2601) == pytest.approx(1e-6, rel=0.1)


# Published answers.


def splitmix64(state: int) -> Iterator[int]:
    """The published generator, in numbers of any size."""
    while True:
        state = (state + GOLDEN) % WORD
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        yield z ^ (z >> 31)


def xoshiro256pp(state: list[int]) -> Iterator[int]:
    """The published generator, in numbers of any size."""

    def turned(x: int, k: int) -> int:
        return (x << k | x >> (64 - k)) % WORD

    s = list(state)
    while True:
        yield (turned((s[0] + s[3]) % WORD, 23) + s[0]) % WORD
        t = s[1] << 17 & (WORD - 1)
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = turned(s[3], 45)


SPLITMIX_1234567 = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)
XOSHIRO_1234 = (
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
)


def stream_at(state: tuple[int, int, int, int]) -> Any:
    made = np.zeros(1, STREAM).view(np.recarray)
    made[0] = state
    return made[0]


def state_of(made: Any) -> tuple[int, ...]:
    return tuple(int(made[name]) for name in "abcd")


def test_splitmix64_gives_the_published_numbers() -> None:
    plain = splitmix64(1234567)
    for step, published in enumerate(SPLITMIX_1234567, start=1):
        assert next(plain) == published
        assert int(stream.mix(np.uint64((1234567 + step * GOLDEN) % WORD))) == published


def test_xoshiro256pp_gives_the_published_numbers() -> None:
    ours, plain = stream_at((1, 2, 3, 4)), xoshiro256pp([1, 2, 3, 4])
    for published in XOSHIRO_1234:
        assert next(plain) == published
        assert int(next_word(ours)) == published


words = st.integers(0, WORD - 1)


@settings(deadline=None)  # a first use compiles
@given(st.tuples(words, words, words, words))
def test_xoshiro256pp_agrees_with_the_plain_one_from_any_state(state: tuple[int, int, int, int]) -> None:
    ours, plain = stream_at(state), xoshiro256pp(list(state))
    assert [int(next_word(ours)) for _ in range(20)] == [next(plain) for _ in range(20)]


@settings(deadline=None)  # a first use compiles
@given(words, st.integers(0, 2**62), st.sampled_from([FOR_CHANCE, FOR_BOTS]))
def test_a_stream_starts_from_splitmix64(seed: int, number: int, purpose: int) -> None:
    start = next(splitmix64((next(splitmix64(seed)) ^ (number * 2 + purpose)) - GOLDEN))
    plain = splitmix64(start)
    assert state_of(new_stream(seed, number, purpose)) == tuple(next(plain) for _ in range(4))


# Bounded draws.

BOUNDS = (*range(1, 65), 81, 108, 255, 256, 257, 432, 1000, 2241, 4095, 4096, 22_415)
LARGE = (2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, HALF_WORD - 1, HALF_WORD)


def first_word_of(result: int, n: int) -> int:
    """The least word w with floor(w * n / 2**32) = result."""
    return -(-result * HALF_WORD // n)


def scaled(word: int, n: int) -> int:
    return int(scale(np.uint64(word), n))


def count_accepted(result: int, n: int) -> int:
    """How many of all 2**32 words give `result`, asking the real function where its answer can change.

    The high half of w * n rises with w, so the words of one result are an interval. The low half rises by
    n within it, and only a low half under n may be rejected: the first word of the interval, no other.
    """
    first, end = first_word_of(result, n), first_word_of(result + 1, n)
    rejected = scaled(first, n) == -1
    inside = {first + 1, (first + end) // 2, end - 1} - {first}
    assert rejected or scaled(first, n) == result
    assert all(scaled(word, n) == result for word in inside if word < end)
    return end - first - rejected


@pytest.mark.parametrize("n", BOUNDS)
def test_every_result_of_a_bounded_draw_has_equally_many_words(n: int) -> None:
    results = range(n) if n <= 4096 else range(0, n, 7)
    assert {count_accepted(result, n) for result in results} == {HALF_WORD // n}
    assert first_word_of(0, n) == 0 and first_word_of(n, n) == HALF_WORD  # the intervals are all there is


@pytest.mark.parametrize("n", LARGE)
def test_large_bounds_are_even_too(n: int) -> None:
    results = {0, 1, 2, n // 3, n // 2, n - 2, n - 1} | {n * part // 997 for part in range(997)}
    assert {count_accepted(result, n) for result in results} == {HALF_WORD // n}


@settings(deadline=None)  # a first use compiles
@given(st.integers(1, HALF_WORD), st.integers(0, HALF_WORD - 1))
def test_a_bounded_draw_is_the_high_half_or_a_refusal(n: int, word: int) -> None:
    high, low = divmod(word * n, HALF_WORD)
    assert scaled(word, n) == (-1 if low < HALF_WORD % n else high)


def test_the_count_would_notice_a_remainder() -> None:
    """The bad control: the remainder of a word, which favours small results."""
    counts = {len(range(result, HALF_WORD, 6)) for result in range(6)}
    assert len(counts) == 2


@kernel
def sweep(n: int, counts: Any) -> None:
    for word in range(2**32):
        drawn = scale(np.uint64(word), n)
        counts[drawn] += 1  # a refusal counts in the last place


@pytest.mark.soak
@pytest.mark.parametrize("n", [6, 36, 52, 54, 81, 108])
def test_every_word_through_the_bounded_draw(n: int) -> None:
    counts = np.zeros(n + 1, np.int64)
    sweep(n, counts)
    assert set(counts[:n]) == {HALF_WORD // n}
    assert counts[n] == HALF_WORD % n


@pytest.mark.parametrize("n", [1, 2, 3, 6, 36, 52, 81, 108, 2**31, HALF_WORD])
def test_below_never_reaches_its_bound(n: int) -> None:
    rng = new_stream(9, n)
    drawn = [below(rng, n) for _ in range(3000)]
    assert min(drawn) >= 0 and max(drawn) < n
    if n <= 108:
        assert set(drawn) == set(range(n))


def test_below_draws_again_after_a_refusal() -> None:
    """A stream whose first word is 0, refused for 3, and whose second is not."""
    rng = stream_at((0, 0, 1, 0))
    assert scaled(0, 3) == -1
    plain = [word >> 32 for _, word in zip(range(9), xoshiro256pp([0, 0, 1, 0]), strict=False)]
    assert plain[0] == 0
    accepted = next(word for word in plain if scaled(word, 3) >= 0)
    assert below(rng, 3) == scaled(accepted, 3)


# Streams that have nothing to do with each other.

KNOWN_DRAWS = {  # worked out with the plain generators above
    (7, 0, FOR_CHANCE): [30, 33, 22, 13, 17, 25, 6, 6, 10, 18, 28, 11, 0, 34, 25, 31, 17, 14, 16, 1],
    (WORD - 1, 12345, FOR_BOTS): [2, 16, 18, 6, 18, 1, 35, 5, 0, 8, 30, 0, 23, 8, 30, 11, 23, 13, 16, 34],
}

NEIGHBOURS = 200_000 if FULL else 2_000
SEEDS, GAMES, PURPOSES = 0, 1, 2


@kernel
def first_draws(rng: Any, way: int, n: int, out: Any) -> None:
    """The first draw below n of neighbouring seeds, games or (bots' streams of) games."""
    for number in range(out.size):
        if way == SEEDS:
            stream.seed_stream(rng, np.uint64(number), 0, FOR_CHANCE)
        elif way == GAMES:
            stream.seed_stream(rng, np.uint64(7), number, FOR_CHANCE)
        else:
            stream.seed_stream(rng, np.uint64(7), number, FOR_BOTS)
        out[number] = below(rng, n)


def neighbours(way: int, n: int) -> Any:
    out = np.zeros(NEIGHBOURS, np.int64)
    first_draws(new_stream(), way, n, out)
    return out


@pytest.mark.parametrize("n", [36, 52, 81])
@pytest.mark.parametrize("way", [SEEDS, GAMES, PURPOSES])
def test_neighbours_begin_evenly_and_apart(way: int, n: int) -> None:
    drawn = neighbours(way, n)
    assert is_even(np.bincount(drawn, minlength=n))
    for lag in range(1, 17):
        assert is_unrelated(drawn[lag:], drawn[:-lag])
    part = drawn * 3 // n if n == 81 else drawn * 4 // n  # pairs of neighbours, in a few equal parts
    parts = int(part.max()) + 1
    assert is_even(np.bincount(part[1::2] * parts + part[:-1:2], minlength=parts**2))


def test_dice_and_bots_of_one_game_are_unrelated() -> None:
    assert is_unrelated(neighbours(GAMES, 36), neighbours(PURPOSES, 36))
    assert is_unrelated(neighbours(SEEDS, 36), neighbours(GAMES, 36))


def test_neighbours_would_be_caught_with_weak_seeding() -> None:
    """The bad control: seeds that go into the state unmixed."""
    size = min(NEIGHBOURS, 20_000)
    drawn = [below(stream_at((seed, seed + 1, seed + 2, seed + 3)), 36) for seed in range(size)]
    assert not is_even(np.bincount(drawn, minlength=36))


def test_no_two_streams_share_a_word_of_their_state() -> None:
    """Games 0 to 2,499 of two seeds, for both purposes: 40,000 words, all different."""
    streams = [
        state_of(new_stream(seed, number, purpose))
        for seed in (0, 1)
        for number in range(2_500)
        for purpose in (FOR_CHANCE, FOR_BOTS)
    ]
    assert len({word for state in streams for word in state}) == 4 * len(streams)


def test_streams_of_neighbouring_games_do_not_overlap() -> None:
    seen: set[int] = set()
    for number in range(40):
        for purpose in (FOR_CHANCE, FOR_BOTS):
            rng = new_stream(3, number, purpose)
            seen.update(int(next_word(rng)) for _ in range(500))
    assert len(seen) == 40 * 2 * 500


@settings(deadline=None)  # a first use compiles
@given(words, st.integers(0, 2**40), st.integers(0, 2**40))
def test_games_and_purposes_of_a_seed_never_start_alike(seed: int, one: int, other: int) -> None:
    starts = {
        state_of(new_stream(seed, number, purpose))
        for number in (one, other)
        for purpose in (FOR_CHANCE, FOR_BOTS)
    }
    assert len(starts) == 2 * len({one, other})


def test_a_draw_in_one_stream_changes_nothing_in_another() -> None:
    rng, bot_rng = new_stream(5, 1, FOR_CHANCE), new_stream(5, 1, FOR_BOTS)
    alone = [below(rng, 36) for _ in range(50)]
    rng = new_stream(5, 1, FOR_CHANCE)
    mixed = []
    for turn in range(50):
        for _ in range(turn % 5):
            below(bot_rng, 7)
        mixed.append(below(rng, 36))
    assert mixed == alone


def test_every_seed_starts_somewhere_else_than_all_zeros() -> None:
    """Xoshiro stands still at a state of zeros."""
    for seed in (0, 1, WORD - 1, WORD - GOLDEN, GOLDEN):
        assert any(state_of(new_stream(seed)))


def test_the_streams_are_the_same_on_every_machine_for_ever() -> None:
    """Known answers: a change here breaks every seed that anyone has written down."""
    for start, known in KNOWN_DRAWS.items():
        rng = new_stream(*start)
        assert [below(rng, 36) for _ in range(20)] == known
