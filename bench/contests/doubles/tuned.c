/* Doubles as fast as this machine can be made to roll it, one thread.
 *
 * Every roll of every game is played and every player's decision falls out of
 * it; only the way of writing is free.  It uses what it knows about the line-up:
 *
 *   - A total never falls within a round, so a threshold player is still in
 *     exactly when the total before the roll was below the threshold.  The sets
 *     of players out are therefore nested: "how many are out" says who is, and
 *     (how many out, roller) -> next roller fits a 16-byte table, one shuffle.
 *   - With thresholds up to T nobody cashes more than max(2T, T + 75, 600), so a
 *     game fits 16-bit numbers and sixteen games fit one AVX2 register.
 *   - The 36 rolls are numbered so that two compares and one shuffle by number/2
 *     say all about a roll: 0-23 sums other than 7, 24-29 sevens, 30-35 doubles.
 *   - A vector of sixteen 16-bit random numbers is sixteen rolls by multiply and
 *     shift.  If any of them falls into the uneven rest (about one vector in 250)
 *     the whole vector is thrown away, which leaves the others even.
 *
 * Lanes are not in step with one another: each begins its next game when its
 * last has ended.  Games are handed out until all have begun, and whatever a
 * lane plays after that is not counted, so that short games are not preferred.
 * Finished games go to a buffer and are counted a bufferful at a time.
 *
 * What bounds it: the number of vector operations per step, about 55 + 6 per seat
 * (a fifth of them the random numbers), plus what sixteen registers cannot hold
 * and must reload, over the vector pipes of the core; the chain of dependences
 * total -> compares -> round over -> total is shorter than that.  Each game that
 * ends costs one mispredicted branch and about a hundred instructions on top.
 * Memory plays no part: everything lives in registers and the first-level cache.
 *
 * Line-ups beyond that (a seat that never cashes, large thresholds, more than
 * four seats) and machines without AVX2 take a scalar loop over 64-bit numbers
 * with a table of the 36 rolls.
 *
 * Options and strategies are those of plain.c.
 */
#include "plain.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { MAX_SEATS = 64, VECTOR_SEATS = 4, LANES = 16, TURNS_PER_ROUND = 1000, BUFFER = 1024 };

static const int64_t CEILING = INT64_C(1) << 62;
static const int64_t NEVER = INT64_MAX;

enum { ROLLS, DECISIONS, LAST_ROLLER };
static const char *const COUNTED[] = {"rolls", "decisions", "last_roller", NULL};

struct lineup {
    int seats, rounds;
    int64_t threshold[MAX_SEATS];
};

/* ---- sixteen games in a register ---- */

#ifdef __AVX2__

typedef __m256i vec;

/* Finished games, a column per field, so that counting them vectorises. */
struct buffer {
    int length;
    uint16_t score[VECTOR_SEATS][BUFFER], rolls[BUFFER], decisions[BUFFER], last_roller[BUFFER];
};

static void observe_column(struct moments *m, const uint16_t *column, int n)
{
    uint64_t sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        uint32_t x = column[i];
        sum += x;
        squares += (uint64_t)(x * x);
    }
    m->sum += (double)sum;
    m->squares += (double)squares;
}

static void count_buffer(struct tally *t, struct buffer *b, int seats)
{
    int n = b->length;
    uint16_t best[BUFFER], sharing[BUFFER];

    memcpy(best, b->score[0], sizeof best);
    memset(sharing, 0, sizeof sharing);
    for (int seat = 1; seat < seats; seat++)
        for (int i = 0; i < n; i++)
            best[i] = b->score[seat][i] > best[i] ? b->score[seat][i] : best[i];
    for (int seat = 0; seat < seats; seat++)
        for (int i = 0; i < n; i++)
            sharing[i] += b->score[seat][i] == best[i];
    for (int seat = 0; seat < seats; seat++) {
        for (int k = 1; k <= seats; k++) {
            uint16_t won = 0;
            for (int i = 0; i < n; i++)
                won += (b->score[seat][i] == best[i]) & (sharing[i] == k);
            t->wins[seat] += (double)won / k;
        }
        observe_column(&t->score[seat], b->score[seat], n);
    }
    observe_column(&t->counts[ROLLS], b->rolls, n);
    observe_column(&t->counts[DECISIONS], b->decisions, n);
    observe_column(&t->counts[LAST_ROLLER], b->last_roller, n);
    b->length = 0;
}

struct vec_rng {
    vec s0, s1, s2, s3;
};

static void vec_rng_seed(struct vec_rng *rng, uint64_t seed)
{
    uint64_t s[4][4];
    for (int lane = 0; lane < 4; lane++)
        for (int word = 0; word < 4; word++)
            s[word][lane] = splitmix64(&seed);
    rng->s0 = _mm256_loadu_si256((const vec *)s[0]);
    rng->s1 = _mm256_loadu_si256((const vec *)s[1]);
    rng->s2 = _mm256_loadu_si256((const vec *)s[2]);
    rng->s3 = _mm256_loadu_si256((const vec *)s[3]);
}

#define ROTL(x, k) _mm256_or_si256(_mm256_slli_epi64(x, k), _mm256_srli_epi64(x, 64 - (k)))

/* Four xoshiro256++ side by side. */
static inline vec vec_rng_next(struct vec_rng *r)
{
    vec sum = _mm256_add_epi64(r->s0, r->s3);
    vec result = _mm256_add_epi64(ROTL(sum, 23), r->s0);
    vec t = _mm256_slli_epi64(r->s1, 17);
    r->s2 = _mm256_xor_si256(r->s2, r->s0);
    r->s3 = _mm256_xor_si256(r->s3, r->s1);
    r->s1 = _mm256_xor_si256(r->s1, r->s2);
    r->s0 = _mm256_xor_si256(r->s0, r->s3);
    r->s2 = _mm256_xor_si256(r->s2, t);
    r->s3 = ROTL(r->s3, 45);
    return result;
}

/* Sixteen even numbers below 36.  65536 mod 36 = 16, so a low half below 16 is the uneven rest. */
static inline vec vec_roll(struct vec_rng *rng)
{
    const vec n = _mm256_set1_epi16(36), high_bits = _mm256_set1_epi16((short)0xfff0);
    for (;;) {
        vec x = vec_rng_next(rng);
        vec low = _mm256_mullo_epi16(x, n);
        vec uneven = _mm256_cmpeq_epi16(_mm256_and_si256(low, high_bits), _mm256_setzero_si256());
        if (__builtin_expect(_mm256_testz_si256(uneven, uneven), 1))
            return _mm256_mulhi_epu16(x, n);
    }
}

static vec table_of(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

/* Entry [out * seats + roller]: who rolls next when the `out` lowest thresholds have left. */
static vec next_roller_table(const struct lineup *l)
{
    uint8_t table[16] = {0};
    for (int out = 0; out < l->seats; out++) {
        for (int roller = 0; roller < l->seats; roller++) {
            int next = roller;
            int lower;
            do {
                next = (next + 1) % l->seats;
                lower = 0;
                for (int seat = 0; seat < l->seats; seat++)
                    lower += l->threshold[seat] < l->threshold[next] ||
                             (l->threshold[seat] == l->threshold[next] && seat < next);
            } while (lower < out);
            table[out * l->seats + roller] = (uint8_t)next;
        }
    }
    return table_of(table);
}

static bool fits_vector(const struct lineup *l)
{
    int64_t highest = 0;
    if (l->seats > VECTOR_SEATS)
        return false;
    for (int seat = 0; seat < l->seats; seat++)
        if (l->threshold[seat] > highest)
            highest = l->threshold[seat];
    if (highest > 16000)
        return false;
    int64_t most = 2 * highest > highest + 75 ? 2 * highest : highest + 75;
    if (most < 600)
        most = 600;
    return most * l->rounds < 65536 && (int64_t)TURNS_PER_ROUND * l->rounds * l->seats < 65536;
}

/* What the lanes hold between rolls. */
struct lanes {
    uint64_t began[LANES]; /* the step before the lane's game began */
    bool counted[LANES];
    int64_t to_begin;
    int64_t to_end;
};

static inline __attribute__((always_inline)) void play_vector_seats(const struct lineup *l, int64_t games,
                                                                     uint64_t seed, struct tally *tally,
                                                                     const int seats)
{
    static const uint8_t GAIN[16] = {3, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 11, 75, 75, 75, 0};
    const uint64_t limit = (uint64_t)TURNS_PER_ROUND * (uint64_t)l->rounds;
    const vec zero = _mm256_setzero_si256();
    const vec four = _mm256_set1_epi16(4), hundred = _mm256_set1_epi16(100);
    const vec last_plain = _mm256_set1_epi16(23), last_seven = _mm256_set1_epi16(29);
    const vec clear_high = _mm256_set1_epi16((short)0x8000);
    const vec all_seats = _mm256_set1_epi16((short)seats), rounds = _mm256_set1_epi16((short)l->rounds);
    const vec gains = table_of(GAIN), rollers = next_roller_table(l);
    static struct buffer buffer;
    struct lanes lanes = {.to_begin = games, .to_end = games};
    struct vec_rng rng;
    vec below[VECTOR_SEATS], score[VECTOR_SEATS];
    vec total = zero, sevens = zero, out = zero, roller = zero, decisions = zero, left = rounds;

    vec_rng_seed(&rng, seed);
    for (int seat = 0; seat < seats; seat++) {
        int64_t threshold = l->threshold[seat] < 1 ? 1 : l->threshold[seat];
        below[seat] = _mm256_set1_epi16((short)(threshold - 1));
        score[seat] = zero;
    }
    for (int lane = 0; lane < LANES; lane++) {
        lanes.counted[lane] = lanes.to_begin > 0;
        lanes.to_begin -= lanes.counted[lane];
    }

    for (uint64_t step = 1; lanes.to_end > 0; step++) {
        vec before = total, last_roller = roller;
        vec roll = vec_roll(&rng);
        vec is_double = _mm256_cmpgt_epi16(roll, last_seven);
        vec past_plain = _mm256_cmpgt_epi16(roll, last_plain);
        vec gain = _mm256_shuffle_epi8(gains, _mm256_or_si256(_mm256_srli_epi16(roll, 1), clear_high));
        vec bonus = _mm256_mullo_epi16(_mm256_sub_epi16(roll, last_seven), hundred);
        /* Every first roll adds something, so a total of nothing is the start of a round. */
        vec doubled = _mm256_blendv_epi8(total, bonus, _mm256_cmpeq_epi16(total, zero));
        gain = _mm256_blendv_epi8(gain, doubled, is_double);

        sevens = _mm256_sub_epi16(sevens, _mm256_andnot_si256(is_double, past_plain));
        vec lost = _mm256_cmpeq_epi16(sevens, four);
        total = _mm256_andnot_si256(lost, _mm256_add_epi16(total, gain));
        decisions = _mm256_add_epi16(decisions, _mm256_andnot_si256(lost, _mm256_sub_epi16(all_seats, out)));

        out = zero;
        for (int seat = 0; seat < seats; seat++) {
            /* Asking the old total again costs less than keeping the answer in a register. */
            vec was_out = _mm256_cmpgt_epi16(before, below[seat]);
            vec is_out = _mm256_cmpgt_epi16(total, below[seat]);
            vec cashed = _mm256_and_si256(total, _mm256_andnot_si256(was_out, is_out));
            score[seat] = _mm256_add_epi16(score[seat], cashed);
            out = _mm256_sub_epi16(out, is_out);
        }
        vec all_out = _mm256_cmpeq_epi16(out, all_seats);
        vec round_over = _mm256_or_si256(lost, all_out);
        total = _mm256_andnot_si256(all_out, total);
        out = _mm256_andnot_si256(all_out, out);
        sevens = _mm256_andnot_si256(round_over, sevens);
        left = _mm256_add_epi16(left, round_over);

        vec at = _mm256_add_epi16(_mm256_mullo_epi16(out, all_seats), roller);
        roller = _mm256_shuffle_epi8(rollers, _mm256_or_si256(at, clear_high));

        vec ended = _mm256_cmpeq_epi16(left, zero);
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(ended) & UINT32_C(0x55555555);
        if (__builtin_expect(!bits, 1))
            continue;

        uint16_t lane_score[VECTOR_SEATS][LANES], lane_decisions[LANES], lane_roller[LANES];
        for (int seat = 0; seat < seats; seat++)
            _mm256_storeu_si256((vec *)lane_score[seat], score[seat]);
        _mm256_storeu_si256((vec *)lane_decisions, decisions);
        _mm256_storeu_si256((vec *)lane_roller, last_roller);
        for (; bits; bits &= bits - 1) {
            int lane = __builtin_ctz(bits) / 2;
            uint64_t rolls = step - lanes.began[lane];
            lanes.began[lane] = step;
            if (!lanes.counted[lane])
                continue;
            lanes.to_end--;
            lanes.counted[lane] = lanes.to_begin > 0;
            lanes.to_begin -= lanes.counted[lane];
            if (rolls > limit) {
                tally->unfinished++;
                continue;
            }
            int i = buffer.length++;
            for (int seat = 0; seat < seats; seat++)
                buffer.score[seat][i] = lane_score[seat][lane];
            buffer.rolls[i] = (uint16_t)rolls;
            buffer.decisions[i] = lane_decisions[lane];
            buffer.last_roller[i] = lane_roller[lane];
        }
        if (buffer.length > BUFFER - LANES)
            count_buffer(tally, &buffer, seats);
        for (int seat = 0; seat < seats; seat++)
            score[seat] = _mm256_andnot_si256(ended, score[seat]);
        decisions = _mm256_andnot_si256(ended, decisions);
        roller = _mm256_andnot_si256(ended, roller);
        left = _mm256_blendv_epi8(left, rounds, ended);
    }
    count_buffer(tally, &buffer, seats);
}

/* A loop per number of seats, so that the compiler unrolls the seats and keeps them in registers. */
static bool play_vector(const struct lineup *l, int64_t games, uint64_t seed, struct tally *tally)
{
    if (!fits_vector(l))
        return false;
    switch (l->seats) {
    case 1: play_vector_seats(l, games, seed, tally, 1); return true;
    case 2: play_vector_seats(l, games, seed, tally, 2); return true;
    case 3: play_vector_seats(l, games, seed, tally, 3); return true;
    case 4: play_vector_seats(l, games, seed, tally, 4); return true;
    }
    return false;
}

#else

static bool play_vector(const struct lineup *l, int64_t games, uint64_t seed, struct tally *tally)
{
    (void)l, (void)games, (void)seed, (void)tally;
    return false;
}

#endif

/* ---- one game at a time, any line-up ---- */

/* What a roll does to the total: total * times + plus. */
struct effect {
    int16_t times, plus, first, seven;
};

static void fill_effects(struct effect effects[36])
{
    for (int outcome = 0; outcome < 36; outcome++) {
        int a = outcome / 6 + 1, b = outcome % 6 + 1;
        bool seven = a + b == 7, same = a == b;
        int plus = same ? 0 : seven ? 75 : a + b;
        effects[outcome] = (struct effect){(int16_t)(1 + same), (int16_t)plus,
                                           (int16_t)(same ? 100 * a : plus), seven};
    }
}

/* Seats in the order in which they leave: the lowest threshold first. */
static void sort_seats(const struct lineup *l, int order[])
{
    for (int i = 0; i < l->seats; i++) {
        int at = i;
        for (; at > 0 && l->threshold[order[at - 1]] > l->threshold[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void play_scalar(const struct lineup *l, int64_t games, uint64_t seed, struct tally *tally)
{
    const int64_t limit = (int64_t)TURNS_PER_ROUND * l->rounds;
    const int seats = l->seats;
    const uint64_t everybody = ~UINT64_C(0) >> (MAX_SEATS - seats);
    struct effect effects[36];
    int order[MAX_SEATS];
    struct rng rng;

    fill_effects(effects);
    sort_seats(l, order);
    for (int i = 0; i < 4; i++)
        rng.s[i] = splitmix64(&seed);

    for (int64_t number = 0; number < games; number++) {
        int64_t score[MAX_SEATS] = {0};
        int64_t rolls = 0, decisions = 0, total = 0;
        uint64_t inside = everybody;
        int sevens = 0, out = 0, roller = 0, last_roller = 0, rounds_left = l->rounds;

        while (rounds_left > 0 && rolls < limit) {
            uint64_t m;
            do
                m = (rng_next(&rng) >> 32) * 36;
            while ((uint32_t)m < 4); /* 2^32 mod 36: the uneven rest */
            struct effect e = effects[m >> 32];
            rolls++;
            sevens += e.seven;
            /* times is 1 or 2 and totals stay below 2^62, so this cannot wrap */
            total = total ? (int64_t)((uint64_t)total * (uint64_t)e.times) + e.plus : e.first;
            total = (uint64_t)total > (uint64_t)CEILING ? CEILING : total;
            bool round_over = sevens == 4;
            if (!round_over) {
                decisions += seats - out;
                while (out < seats && total >= l->threshold[order[out]]) {
                    int seat = order[out++];
                    score[seat] = score[seat] > CEILING - total ? CEILING : score[seat] + total;
                    inside &= ~(UINT64_C(1) << seat);
                }
                round_over = out == seats;
            }
            if (round_over) {
                rounds_left--;
                sevens = out = 0;
                total = 0;
                inside = everybody;
            }
            /* the first seat in above the roller, or else the first of all */
            last_roller = roller;
            uint64_t above = roller + 1 < MAX_SEATS ? inside >> (roller + 1) << (roller + 1) : 0;
            roller = __builtin_ctzll(above ? above : inside);
        }
        if (rounds_left > 0) {
            tally->unfinished++;
            continue;
        }
        count_scores(tally, score, HIGHEST);
        observe(&tally->counts[ROLLS], (double)rolls);
        observe(&tally->counts[DECISIONS], (double)decisions);
        observe(&tally->counts[LAST_ROLLER], last_roller);
    }
}

/* ---- command line ---- */

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 1, "ROUNDS", 1, MAX_SEATS);
    struct lineup lineup = {.seats = request.seats, .rounds = request.options[0]};

    require(lineup.rounds > 0, "ROUNDS must be at least 1.");
    for (int seat = 0; seat < lineup.seats; seat++) {
        long long threshold = NEVER;
        require(sscanf(request.strategies[seat], "threshold:%lld", &threshold) == 1 ||
                    strcmp(request.strategies[seat], "never") == 0,
                "A strategy is threshold:N or never.");
        lineup.threshold[seat] = threshold;
    }
    struct tally tally = start_tally(&request);
    if (!play_vector(&lineup, request.games, request.seed, &tally))
        play_scalar(&lineup, request.games, request.seed, &tally);
    return report(&tally, COUNTED);
}
