"""The kernel's other tools: record fields and who sees them, sets of seats, sketches."""

from __future__ import annotations

import hashlib
import json
import random
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.kernel import seats, statistics
from ninefold.kernel.compile import COMPILED, kernel
from ninefold.kernel.fields import COMMON, SEAT_BITS, SEATS, Field, Sees, actor_of, blank, layout, mask_fields
from ninefold.kernel.record import frozen
from ninefold.kernel.stack import stack_copy, write_back
from support.interpreter import run_python

SPECTATOR = -1


# Record fields.


def test_a_layout_knows_capacities_and_sets_of_seats() -> None:
    fields = (
        *COMMON,
        Field("inside", "i8", Sees.ALL, (SEAT_BITS,)),
        Field("hand", "i1", Sees.OWNER, (SEATS, 8)),
    )
    for capacity, words in ((1, 1), (16, 1), (64, 1), (65, 2), (256, 4), (16384, 256)):
        record = layout(fields, capacity)
        assert record["inside"].shape == (words,)
        assert record["hand"].shape == (capacity, 8)
        assert record.itemsize == 24 + 8 * words + 8 * capacity


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "f4", "f8", "?", "c16", "S1", "U1", "O", "M8[s]"])
def test_a_state_holds_signed_integers_only(kind: str) -> None:
    with pytest.raises(TypeError, match=r"field wrong is .* signed integers only"):
        layout((*COMMON, Field("wrong", kind, Sees.ALL)), 4)


@pytest.mark.parametrize(
    "kinds",
    [("i1", "i8"), ("i8", "i1"), ("i4", "i8"), ("i2", "i1"), ("i1", "i2", "i1"), ("i8", "i4", "i2", "i1")],
)
def test_padding_is_refused_between_fields_and_at_the_end(kinds: tuple[str, ...]) -> None:
    fields = [Field(f"part_{place}", kind, Sees.ALL) for place, kind in enumerate(kinds)]
    with pytest.raises(TypeError, match="padding"):
        layout(fields, 4)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([1, 2, 4, 8]), st.integers(1, 9)), min_size=1, max_size=8))
def test_a_layout_is_accepted_exactly_where_its_bytes_are_all_in_fields(parts: list[tuple[int, int]]) -> None:
    fields = [Field(f"f{place}", f"i{size}", Sees.ALL, (n,)) for place, (size, n) in enumerate(parts)]
    starts = np.cumsum([0, *(size * n for size, n in parts)])
    aligned = all(start % size == 0 for start, (size, _) in zip(starts, parts, strict=False))
    if aligned and starts[-1] % max(size for size, _ in parts) == 0:
        assert layout(fields, 1).itemsize == starts[-1]
    else:
        with pytest.raises(TypeError, match="padding"):
            layout(fields, 1)


def test_a_blank_record_is_all_zeros() -> None:
    record = layout(COMMON, 1)
    s = blank(record)
    assert s.tobytes() == bytes(record.itemsize)
    s.actor = 5
    assert s["actor"] == 5


def test_a_copy_is_apart_and_a_frozen_record_is_made_of_plain_numbers() -> None:
    s = blank(layout((*COMMON, Field("hand", "i8", Sees.ALL, (3,))), 1))
    s.actor, s.hand[1] = 5, 7
    other = s.copy()
    other.actor = 6
    other.hand[:] = 0
    assert (s.actor, list(s.hand), actor_of(s), actor_of(other)) == (5, [0, 7, 0], 5, 6)
    seen: Any = frozen(bytearray(s.data), type(s))
    assert type(seen.actor) is int and seen.actor == 5 and seen.hand == [0, 7, 0]
    assert seen.tobytes() == s.tobytes() and seen.copy().dtype is s.dtype
    held = sys.getrefcount(s.data)
    frozen(s.data, type(s))
    now = sys.getrefcount(s.data)
    assert now == held  # nothing holds on to what is no longer looked at


# Who sees what.


SECRETS = (
    *COMMON,
    Field("open", "i8", Sees.ALL, (SEATS,)),
    Field("hand", "i8", Sees.OWNER, (SEATS, 3)),
    Field("sealed", "i8", Sees.OWNER, (SEAT_BITS,)),
    Field("sealed_with_more", "i8", Sees.OWNER, (SEATS,)),
    Field("stock", "i8", Sees.NOBODY, (4,)),
    Field("key", "i8", Sees.NOBODY),
    Field("special", "i8", Sees.GAME),
)
CAPACITY = 256


def full_record() -> Any:
    s = blank(layout(SECRETS, CAPACITY))
    for number, field in enumerate(SECRETS):
        s[field.name] = number + 1
    s.hand[:, :] = np.arange(1, 3 * CAPACITY + 1).reshape(CAPACITY, 3)
    s.sealed_with_more[:] = np.arange(1, CAPACITY + 1)
    s.sealed[:] = -1
    return s


@pytest.mark.parametrize("seat", [0, 1, 62, 63, 64, 127, 128, 200, 255])
def test_a_seat_keeps_its_own_and_loses_the_rest(seat: int) -> None:
    s, before = full_record(), full_record()
    mask_fields(s, SECRETS, seat)
    assert (s.hand[seat] == before.hand[seat]).all() and np.count_nonzero(s.hand) == 3
    assert s.sealed_with_more[seat] == seat + 1 and np.count_nonzero(s.sealed_with_more) == 1
    assert [other for other in range(CAPACITY) if seats.has(s.sealed, other)] == [seat]
    assert (s.open == before.open).all() and s.special == before.special and s.actor == before.actor
    assert s.key == 0 and not s.stock.any()


def test_a_spectator_sees_what_all_may_see() -> None:
    s, before = full_record(), full_record()
    mask_fields(s, SECRETS, SPECTATOR)
    for name in ("hand", "sealed", "sealed_with_more", "stock", "key"):
        assert not np.any(s[name])
    for name in ("actor", "players", "turns", "open", "special"):
        assert np.all(s[name] == before[name])


@settings(deadline=None)
@given(st.sets(st.integers(0, CAPACITY - 1)), st.integers(0, CAPACITY - 1))
def test_a_seat_sees_its_own_bit_of_a_set_and_no_other(members: set[int], seat: int) -> None:
    s = full_record()
    s.sealed[:] = 0
    for member in members:
        seats.add(s.sealed, member)
    mask_fields(s, SECRETS, seat)
    assert {other for other in range(CAPACITY) if seats.has(s.sealed, other)} == members & {seat}


def test_states_that_differ_in_secrets_only_look_the_same() -> None:
    one, other = full_record(), full_record()
    other.hand[7:] += 5
    other.sealed[:] = 1 << 6
    other.stock[:] = 99
    other.key = -4
    other.sealed_with_more[:6] = 0
    one.sealed[0] = 1 << 6
    for s in (one, other):
        mask_fields(s, SECRETS, 6)
    assert one.tobytes() == other.tobytes()


# Sets of seats.


SIZES = (16, 256, 16384)


def empty(capacity: int) -> Any:
    return np.zeros(-(-capacity // 64), np.int64)


def listed(words: Any, capacity: int) -> list[int]:
    out = np.zeros(capacity, np.int64)
    return [int(seat) for seat in out[: seats.members(words, capacity, out)]]


def steps(capacity: int) -> st.SearchStrategy[list[tuple[str, int]]]:
    seat = st.integers(0, capacity - 1)
    edge = st.sampled_from([seat for seat in (0, 15, 62, 63, 64, 127, 128, 255, 16383) if seat < capacity])
    step = st.tuples(st.sampled_from(["add", "add", "drop", "clear", "fill", "become"]), seat | edge)
    return st.lists(step, max_size=30)


def take_step(words: Any, spare: Any, what: str, seat: int) -> None:
    if what == "add":
        seats.add(words, seat)
    elif what == "drop":
        seats.drop(words, seat)
    elif what == "clear":
        seats.clear(words)
    elif what == "fill":
        seats.fill(words, seat + 1)
    else:
        seats.fill(spare, seat)
        seats.become(words, spare)


@settings(deadline=None)
@pytest.mark.parametrize("capacity", SIZES)
@given(data=st.data())
def test_sets_of_seats_are_sets(capacity: int, data: st.DataObject) -> None:
    words, spare = empty(capacity), empty(capacity)
    members: set[int] = set()
    for what, seat in data.draw(steps(capacity)):
        take_step(words, spare, what, seat)
        if what == "add":
            members.add(seat)
        elif what == "drop":
            members.discard(seat)
        else:
            members = set(range({"clear": 0, "fill": seat + 1, "become": seat}[what]))
        assert bool(seats.has(words, seat)) == (seat in members)
        assert bool(seats.is_empty(words)) == (not members)
        assert not members or seats.lowest(words) == min(members)
    assert listed(words, capacity) == sorted(members)


@pytest.mark.parametrize("capacity", SIZES)
def test_filling_leaves_no_bit_beyond_the_players(capacity: int) -> None:
    words = empty(capacity)
    for players in sorted({0, 1, 15, 16, 63, 64, 65, 128, 255, 256, 1000, 16383, 16384}):
        if players <= capacity:
            words[:] = -1
            seats.fill(words, players)
            assert sum((int(word) % 2**64).bit_count() for word in words) == players
            assert listed(words, capacity) == list(range(players))


def seat_answers() -> list[str]:
    """One digest a capacity, of every state that many steps go through."""
    found = []
    for capacity in SIZES:
        rng = random.Random(capacity)
        words, spare = empty(capacity), empty(capacity)
        seen = hashlib.sha256()
        for _ in range(150):
            what = rng.choice(["add"] * 6 + ["drop"] * 3 + ["clear", "fill", "become"])
            take_step(words, spare, what, rng.choice([rng.randrange(capacity), capacity - 1, 63 % capacity]))
            probe = rng.randrange(capacity)
            seen.update(words.tobytes())
            lowest = -1 if seats.is_empty(words) else int(seats.lowest(words))
            seen.update(f"{bool(seats.has(words, probe))} {lowest}".encode())
        seen.update(repr(listed(words, capacity)).encode())
        found.append(seen.hexdigest())
    return found


def bucket_answers() -> list[int]:
    rng = random.Random(4)
    values = [rng.randrange(-(2 ** rng.randrange(1, 62)), 2 ** rng.randrange(1, 62)) for _ in range(300)]
    return [int(statistics.bucket(value, bits)) for value in values for bits in (3, 7)]


@kernel
def try_out(record: Any, keep: bool) -> int:
    """Change a copy; the record changes only if the copy is written back."""
    copy = stack_copy(record)
    copy.x += 1
    copy.y[1] += 1
    before = record.x
    if keep:
        write_back(record, copy)
    return before  # type: ignore[no-any-return]


def copy_answers() -> list[list[int]]:
    record = blank(np.dtype([("x", "i8"), ("y", "i8", 3)]))
    found = []
    for keep in (False, True, False):
        found.append([int(try_out(record, keep)), int(record.x), *map(int, record.y)])
    return found


def test_a_record_on_the_stack_is_a_copy_until_it_is_written_back() -> None:
    assert copy_answers() == [[0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [1, 1, 0, 1, 0]]


def test_interpreted_and_compiled_agree() -> None:
    answers = "[t.COMPILED, t.seat_answers(), t.bucket_answers(), t.copy_answers()]"
    code = f"import json, {__name__} as t; print(json.dumps({answers}))"
    other = json.loads(run_python(code, NUMBA_DISABLE_JIT="1" if COMPILED else "0"))
    assert other == [not COMPILED, seat_answers(), bucket_answers(), copy_answers()]


# Statistics.


numbers = st.integers(-(2**62), 2**62) | st.integers(-3000, 3000)
BITS = (3, 7)


@settings(deadline=None)
@given(numbers, st.sampled_from(BITS))
def test_a_bucket_knows_its_values_to_one_part_in_many(value: int, bits: int) -> None:
    number = statistics.bucket(value, bits)
    assert 0 <= number < 2 * statistics.half(bits)
    middle = statistics.bucket_value(number, bits)
    assert statistics.bucket(middle, bits) == number
    assert abs(middle - value) * 2**bits <= abs(value)
    if abs(value) < 2 ** (bits + 1):
        assert middle == value


@settings(deadline=None)
@given(numbers, numbers, st.sampled_from(BITS))
def test_buckets_ascend_with_the_values(one: int, other: int, bits: int) -> None:
    low, high = sorted((one, other))
    assert statistics.bucket(low, bits) <= statistics.bucket(high, bits)


@pytest.mark.parametrize("bits", BITS)
def test_buckets_leave_no_gap(bits: int) -> None:
    middle = statistics.half(bits)
    for number in range(middle - (40 << bits), middle + (40 << bits)):
        assert statistics.bucket(statistics.bucket_value(number, bits), bits) == number


def noted(values: list[int], bits: int) -> tuple[Any, Any]:
    moments, histogram = np.zeros((1, statistics.MOMENTS)), np.zeros((1, 2 * statistics.half(bits)), np.int64)
    for value in values:
        statistics.note(moments, histogram, 0, value, bits)
    return moments[0], histogram[0]


small = st.lists(st.integers(-(2**40), 2**40) | st.integers(-50, 50), max_size=40)


@settings(deadline=None)
@given(small.filter(bool), st.floats(0, 1))
def test_a_quantile_is_near_the_true_one(values: list[int], share: float) -> None:
    """The value at a place in the sorted list, found from the counts alone."""
    bits = 7
    _, histogram = noted(values, bits)
    place = min(int(share * len(values)), len(values) - 1)
    found = statistics.bucket_value(int(np.searchsorted(np.cumsum(histogram), place, side="right")), bits)
    true = sorted(values)[place]
    assert abs(found - true) * 2**bits <= abs(true)


@settings(deadline=None)
@given(small)
def test_moments_are_those_of_the_values(values: list[int]) -> None:
    moments, histogram = noted(values, 7)
    assert moments[statistics.COUNT] == len(values) == histogram.sum()
    if values:
        widest = max(1, *map(abs, values))
        assert moments[statistics.LOWEST] == min(values) and moments[statistics.HIGHEST] == max(values)
        assert abs(moments[statistics.MEAN] - np.mean(values)) <= 1e-12 * widest
        squares = np.var(np.array(values, float)) * len(values)
        assert abs(moments[statistics.SQUARES] - squares) <= 1e-9 * widest**2


@settings(deadline=None)
@given(st.lists(small, min_size=1, max_size=5))
def test_merged_parts_are_the_whole(parts: list[list[int]]) -> None:
    whole, _ = noted([value for part in parts for value in part], 7)
    merged = np.zeros((1, statistics.MOMENTS))
    for part in parts:
        statistics.merge(merged, noted(part, 7)[0][np.newaxis])
    widest = max([1, *(abs(value) for part in parts for value in part)])
    assert merged[0, statistics.COUNT] == whole[statistics.COUNT]
    assert merged[0, statistics.LOWEST] == whole[statistics.LOWEST]
    assert merged[0, statistics.HIGHEST] == whole[statistics.HIGHEST]
    assert abs(merged[0, statistics.MEAN] - whole[statistics.MEAN]) <= 1e-12 * widest
    assert abs(merged[0, statistics.SQUARES] - whole[statistics.SQUARES]) <= 1e-9 * widest**2


def test_series_are_merged_each_for_itself() -> None:
    """One series empty here, another there: an empty one brings no lowest value of 0."""
    one, other = np.zeros((3, statistics.MOMENTS)), np.zeros((3, statistics.MOMENTS))
    one[0], other[1] = noted([5, 7], 3)[0], noted([-9, -3], 3)[0]
    statistics.merge(one, other)
    assert [tuple(row[[statistics.COUNT, statistics.LOWEST, statistics.HIGHEST]]) for row in one] == [
        (2, 5, 7),
        (2, -9, -3),
        (0, 0, 0),
    ]
