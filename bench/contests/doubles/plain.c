/* Doubles in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the game, a function for each thing
 * that happens at the table, strategies chosen per seat through a switch.  It
 * knows no trick that depends on which strategies are playing: after every roll
 * every player still in is asked, and all answers are in before any is applied.
 *
 * Options: ROUNDS.  Strategies: `threshold:N` or `never`.
 */
#include "plain.h"

enum { MAX_SEATS = 64, SEVENS_TO_LOSE = 4, SEVEN_BONUS = 75, TURNS_PER_ROUND = 1000 };

static const int64_t CEILING = INT64_C(1) << 62;

/* ---- the game ---- */

enum strategy_kind { NEVER, THRESHOLD };

struct strategy {
    enum strategy_kind kind;
    int64_t threshold;
};

struct game {
    int seats;
    int rounds;
    int round;
    int roller;
    int sevens;
    int rolls_this_round;
    int64_t total;
    int64_t rolls;
    int64_t decisions;
    uint64_t inside; /* a bit for each seat still in the round */
    int64_t score[MAX_SEATS];
};

static inline int64_t saturating_add(int64_t a, int64_t b)
{
    return a > CEILING - b ? CEILING : a + b;
}

static void start_round(struct game *g)
{
    g->total = 0;
    g->sevens = 0;
    g->rolls_this_round = 0;
    g->inside = ~UINT64_C(0) >> (MAX_SEATS - g->seats);
}

static void start_game(struct game *g, int seats, int rounds)
{
    g->seats = seats;
    g->rounds = rounds;
    g->round = 1;
    g->roller = 0;
    g->rolls = 0;
    g->decisions = 0;
    for (int seat = 0; seat < seats; seat++)
        g->score[seat] = 0;
    start_round(g);
}

static inline int seat_after(const struct game *g, int seat)
{
    return seat + 1 == g->seats ? 0 : seat + 1;
}

/* Returns false when the roll was the fourth seven. */
static inline bool roll(struct game *g, struct rng *rng)
{
    int outcome = (int)rng_below(rng, 36);
    int a = outcome / 6 + 1;
    int b = outcome % 6 + 1;
    bool first = g->rolls_this_round == 0;

    g->rolls++;
    g->rolls_this_round++;
    if (a == b) {
        g->total = saturating_add(g->total, first ? 100 * a : g->total);
    } else if (a + b == 7) {
        if (++g->sevens == SEVENS_TO_LOSE)
            return false;
        g->total = saturating_add(g->total, SEVEN_BONUS);
    } else {
        g->total = saturating_add(g->total, a + b);
    }
    return true;
}

/* True to cash out.  Sees the table as it lies; no answer of this moment is on it. */
static inline bool choose(const struct game *g, int seat, const struct strategy *strategies)
{
    switch (strategies[seat].kind) {
    case THRESHOLD:
        return g->total >= strategies[seat].threshold;
    case NEVER:
        return false;
    }
    return false;
}

static inline void ask_everyone(struct game *g, const struct strategy *strategies)
{
    uint64_t cashing = 0;

    for (uint64_t left = g->inside; left; left &= left - 1) {
        int seat = __builtin_ctzll(left);
        g->decisions++;
        if (choose(g, seat, strategies))
            cashing |= UINT64_C(1) << seat;
    }
    for (uint64_t left = cashing; left; left &= left - 1) {
        int seat = __builtin_ctzll(left);
        g->score[seat] = saturating_add(g->score[seat], g->total);
    }
    g->inside &= ~cashing;
}

/* Returns false when the turn limit was reached before the end. */
static bool play_game(struct game *g, struct rng *rng, const struct strategy *strategies)
{
    int64_t limit = (int64_t)TURNS_PER_ROUND * g->rounds;

    while (g->rolls < limit) {
        bool round_goes_on = roll(g, rng);
        if (round_goes_on) {
            ask_everyone(g, strategies);
            round_goes_on = g->inside != 0;
        }
        if (!round_goes_on) {
            if (g->round == g->rounds)
                return true;
            g->round++;
            start_round(g);
        }
        do
            g->roller = seat_after(g, g->roller);
        while (!(g->inside >> g->roller & 1));
    }
    return false;
}

/* ---- many games ---- */

enum { ROLLS, DECISIONS, LAST_ROLLER };
static const char *const COUNTED[] = {"rolls", "decisions", "last_roller", NULL};

static void count_game(struct tally *t, const struct game *g)
{
    count_scores(t, g->score, HIGHEST);
    observe(&t->counts[ROLLS], (double)g->rolls);
    observe(&t->counts[DECISIONS], (double)g->decisions);
    observe(&t->counts[LAST_ROLLER], g->roller);
}

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 1, "ROUNDS", 1, MAX_SEATS);
    struct strategy strategies[MAX_SEATS];

    require(request.options[0] > 0, "ROUNDS must be at least 1.");
    for (int seat = 0; seat < request.seats; seat++) {
        long long threshold = 0;
        bool given = sscanf(request.strategies[seat], "threshold:%lld", &threshold) == 1;
        require(given || strcmp(request.strategies[seat], "never") == 0, "A strategy is threshold:N or never.");
        strategies[seat] = (struct strategy){given ? THRESHOLD : NEVER, threshold};
    }
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct game game;
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        start_game(&game, request.seats, request.options[0]);
        if (play_game(&game, &rng, strategies))
            count_game(&tally, &game);
        else
            tally.unfinished++;
    }
    return report(&tally, COUNTED);
}
