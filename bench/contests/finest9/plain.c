/* Finest 9 in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the game, a function for each thing
 * that happens at the table, strategies chosen per seat through a switch.  Suits
 * never matter to a result, so a table is a count for each rank, and the deck is
 * shuffled once.  The captures of a roll are listed, none twice, and one is taken.
 *
 * Strategies: `random` or `greedy`.
 */
#include "plain.h"

enum { MAX_SEATS = 5, CARDS = 52, HAND = 9, MAX_CAPTURES = 64, TURN_LIMIT = 1000 };

/* The ranks in the order of sequences. */
enum { TWO, NINE = 7, TEN = 8, ACE = 12, RANKS = 13 };

static const int8_t VALUE[RANKS] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11};

/* ---- chance ---- */

static inline int roll(struct rng *rng)
{
    int outcome = (int)rng_below(rng, 36);
    return outcome / 6 + outcome % 6 + 2;
}

/* ---- the game ---- */

enum strategy { RANDOM, GREEDY };

/* One card of each of `ranks` (a set: all of the one), and some nines. */
struct capture {
    int8_t ranks[3];
    int8_t size;
    int8_t nines;
    bool is_set;
    int16_t points;
};

struct game {
    int seats;
    int player;
    int turns;
    int decisions;
    int dealt;
    int turns_left; /* once the deck is empty */
    int8_t deck[CARDS];
    int8_t table[MAX_SEATS][RANKS];
    int captured[MAX_SEATS];
    int64_t score[MAX_SEATS];
};

static void shuffle(struct game *g, struct rng *rng)
{
    for (int i = 0; i < CARDS; i++)
        g->deck[i] = (int8_t)(i / 4);
    for (int i = CARDS - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1);
        int8_t card = g->deck[i];
        g->deck[i] = g->deck[j];
        g->deck[j] = card;
    }
}

/* The highest roll goes first; those who tie for it roll again. */
static int roll_off(int seats, struct rng *rng)
{
    int contenders[MAX_SEATS], total[MAX_SEATS], count = seats;

    for (int i = 0; i < seats; i++)
        contenders[i] = i;
    while (count > 1) {
        int best = 0, kept = 0;
        for (int i = 0; i < count; i++) {
            total[i] = roll(rng);
            if (total[i] > best)
                best = total[i];
        }
        for (int i = 0; i < count; i++)
            if (total[i] == best)
                contenders[kept++] = contenders[i];
        count = kept;
    }
    return contenders[0];
}

static inline int seat_after(const struct game *g, int seat)
{
    return seat + 1 == g->seats ? 0 : seat + 1;
}

static void start_game(struct game *g, int seats, struct rng *rng)
{
    g->seats = seats;
    g->turns = 0;
    g->decisions = 0;
    g->dealt = 0;
    g->turns_left = -1;
    memset(g->table, 0, sizeof g->table);
    memset(g->captured, 0, sizeof g->captured);
    g->player = roll_off(seats, rng);
    shuffle(g, rng);
    for (int seat = g->player; g->dealt < HAND * seats; seat = seat_after(g, seat))
        g->table[seat][g->deck[g->dealt++]]++;
}

static inline void add_sequence(struct capture *list, int *count, int nines, int size, int a, int b, int c)
{
    struct capture *capture = &list[(*count)++];
    capture->ranks[0] = (int8_t)a;
    capture->ranks[1] = (int8_t)b;
    capture->ranks[2] = (int8_t)c;
    capture->size = (int8_t)size;
    capture->nines = (int8_t)nines;
    capture->is_set = false;
    capture->points = (int16_t)(9 * nines + VALUE[a] + (size > 1 ? VALUE[b] : 0) + (size > 2 ? VALUE[c] : 0));
}

static inline void add_sets(const int8_t *table, int rank, struct capture *list, int *count)
{
    int naturals = table[rank];

    for (int nines = naturals == 1; nines <= table[NINE]; nines++) {
        struct capture *capture = &list[(*count)++];
        capture->ranks[0] = (int8_t)rank;
        capture->size = 1;
        capture->nines = (int8_t)nines;
        capture->is_set = true;
        capture->points = (int16_t)(naturals * VALUE[rank] + 9 * nines);
    }
}

static inline bool natural(const int8_t *table, int rank)
{
    return rank >= TWO && rank <= ACE && rank != NINE && table[rank] > 0;
}

/* Sequences in which `rank` is the lowest card that matches the dice, so that none is listed twice. */
static inline void add_sequences(const int8_t *table, int rank, struct capture *list, int *count)
{
    bool below_matches = rank > TEN && VALUE[rank - 1] == VALUE[rank];
    bool far_below_matches = rank > TEN + 1 && VALUE[rank - 2] == VALUE[rank];
    bool below2 = natural(table, rank - 2), below = natural(table, rank - 1);
    bool above = natural(table, rank + 1), above2 = natural(table, rank + 2);

    if (above && above2)
        add_sequence(list, count, 0, 3, rank, rank + 1, rank + 2);
    if (below && above && !below_matches)
        add_sequence(list, count, 0, 3, rank - 1, rank, rank + 1);
    if (below2 && below && !below_matches && !far_below_matches)
        add_sequence(list, count, 0, 3, rank - 2, rank - 1, rank);
    if (table[NINE] >= 1) {
        if (above)
            add_sequence(list, count, 1, 2, rank, rank + 1, 0);
        if (above2)
            add_sequence(list, count, 1, 2, rank, rank + 2, 0);
        if (below && !below_matches)
            add_sequence(list, count, 1, 2, rank - 1, rank, 0);
        if (below2 && !far_below_matches)
            add_sequence(list, count, 1, 2, rank - 2, rank, 0);
    }
    if (table[NINE] >= 2 && table[rank] > 1) /* of a single card it is a set */
        add_sequence(list, count, 2, 1, rank, 0, 0);
}

static inline int list_captures(const int8_t *table, int total, struct capture *list)
{
    int count = 0;

    if (total == 12)
        return 0;
    int lowest = total == 11 ? ACE : total - 2;
    int highest = total == 10 ? ACE - 1 : lowest;
    for (int rank = lowest; rank <= highest; rank++) {
        if (table[rank] == 0)
            continue;
        add_sets(table, rank, list, &count);
        add_sequences(table, rank, list, &count);
    }
    return count;
}

static inline void take(struct game *g, const struct capture *capture)
{
    int8_t *table = g->table[g->player];

    for (int i = 0; i < capture->size; i++)
        table[capture->ranks[i]] -= capture->is_set ? table[capture->ranks[i]] : 1;
    table[NINE] -= capture->nines;
    g->captured[g->player] += capture->points;
}

static inline const struct capture *choose(enum strategy strategy, const struct capture *list, int count,
                                           struct rng *rng)
{
    const struct capture *best = list;
    uint32_t ties = 1;

    switch (strategy) {
    case RANDOM:
        return &list[rng_below(rng, (uint32_t)count)];
    case GREEDY: /* the most points now; of equals, any */
        for (int i = 1; i < count; i++) {
            if (list[i].points > best->points) {
                best = &list[i];
                ties = 1;
            } else if (list[i].points == best->points && rng_below(rng, ++ties) == 0) {
                best = &list[i];
            }
        }
        return best;
    }
    return best;
}

/* Returns false when the turn limit was reached before the end. */
static bool play_game(struct game *g, struct rng *rng, const enum strategy *strategies)
{
    struct capture list[MAX_CAPTURES];

    while (g->turns < TURN_LIMIT) {
        int total;

        g->turns++;
        do
            total = roll(rng);
        while (total == 9);
        int count = list_captures(g->table[g->player], total, list);
        if (count > 0) {
            take(g, choose(strategies[g->player], list, count, rng));
            g->decisions++;
        } else if (g->dealt < CARDS) {
            g->table[g->player][g->deck[g->dealt++]]++;
            if (g->dealt == CARDS)
                g->turns_left = g->seats + 1;
        }
        if (g->turns_left > 0 && --g->turns_left == 0)
            return true;
        g->player = seat_after(g, g->player);
    }
    return false;
}

static void settle(struct game *g)
{
    for (int seat = 0; seat < g->seats; seat++) {
        g->score[seat] = g->captured[seat];
        for (int rank = 0; rank < RANKS; rank++)
            g->score[seat] -= g->table[seat][rank] * VALUE[rank];
    }
}

/* ---- many games ---- */

enum { TURNS, DECISIONS };
static const char *const COUNTED[] = {"turns", "decisions", NULL};

static void count_game(struct tally *t, const struct game *g)
{
    count_scores(t, g->score, HIGHEST);
    observe(&t->counts[TURNS], (double)g->turns);
    observe(&t->counts[DECISIONS], (double)g->decisions);
}

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 0, "", 2, MAX_SEATS);
    enum strategy strategies[MAX_SEATS];

    for (int seat = 0; seat < request.seats; seat++)
        strategies[seat] = (enum strategy)strategy_of(request.strategies[seat], "random", "greedy");
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct game game;
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        start_game(&game, request.seats, &rng);
        if (play_game(&game, &rng, strategies)) {
            settle(&game);
            count_game(&tally, &game);
        } else {
            tally.unfinished++;
        }
    }
    return report(&tally, COUNTED);
}
