/* Multiple 9 in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the game, a function for each thing
 * that happens at the table, strategies chosen per seat through a switch.  Suits
 * never matter, so a hand is a count for each rank; the stock is shuffled when it
 * is made and drawn from its end.  The 154 groups are listed once, at the start.
 *
 * Strategies: `random` or `medium`.
 */
#include "plain.h"

enum { MAX_SEATS = 9, RANKS = 13, COPIES = 4, CARDS = 52, HAND = 5, MAX_GROUPS = 160, TURN_LIMIT = 10000 };

/* ---- groups ---- */

/* So many cards of a high rank and so many, or none, of a low one: a multiple of nine together. */
struct group {
    int8_t high, highs, low, lows;
    int8_t size;
    int16_t total;
};

static struct group GROUPS[MAX_GROUPS];
static int group_count;
static int first_with[RANKS + 1]; /* where the groups with each rank as their high one begin */

/* By the high rank, then by total, size and the cards from the highest down. */
static int compare_groups(const void *one, const void *other)
{
    const struct group *a = one, *b = other;

    if (a->high != b->high)
        return a->high - b->high;
    if (a->total != b->total)
        return a->total - b->total;
    if (a->size != b->size)
        return a->size - b->size;
    if (a->highs != b->highs)
        return a->highs - b->highs;
    return a->low - b->low;
}

static void add_group(int high, int highs, int low, int lows)
{
    int total = (high + 1) * highs + (low + 1) * lows;

    if (total % 9 == 0)
        GROUPS[group_count++] = (struct group){(int8_t)high, (int8_t)highs, (int8_t)low, (int8_t)lows,
                                               (int8_t)(highs + lows), (int16_t)total};
}

static void list_all_groups(void)
{
    for (int high = 0; high < RANKS; high++)
        for (int highs = 1; highs <= COPIES; highs++) {
            add_group(high, highs, 0, 0);
            for (int low = 0; low < high; low++)
                for (int lows = 1; lows <= COPIES; lows++)
                    add_group(high, highs, low, lows);
        }
    qsort(GROUPS, (size_t)group_count, sizeof *GROUPS, compare_groups);
    for (int i = 0; i < group_count; i++)
        first_with[GROUPS[i].high + 1] = i + 1;
}

static inline bool holds(const int8_t *hand, const struct group *g)
{
    return hand[g->high] >= g->highs && hand[g->low] >= g->lows;
}

static inline void remove_group(int8_t *hand, const struct group *g)
{
    hand[g->high] = (int8_t)(hand[g->high] - g->highs);
    hand[g->low] = (int8_t)(hand[g->low] - g->lows);
}

static inline void restore_group(int8_t *hand, const struct group *g)
{
    hand[g->high] = (int8_t)(hand[g->high] + g->highs);
    hand[g->low] = (int8_t)(hand[g->low] + g->lows);
}

static bool has_group(const int8_t *hand)
{
    for (int high = 0; high < RANKS; high++)
        if (hand[high] > 0)
            for (int i = first_with[high]; i < first_with[high + 1]; i++)
                if (holds(hand, &GROUPS[i]))
                    return true;
    return false;
}

static bool covers(int8_t *hand, int highest);

/* The highest card has to be in some group: the first whose removal leaves cards that split, or -1. */
static int leading_group(int8_t *hand, int highest)
{
    for (int i = first_with[highest]; i < first_with[highest + 1]; i++)
        if (holds(hand, &GROUPS[i])) {
            remove_group(hand, &GROUPS[i]);
            bool rest_splits = covers(hand, highest);
            restore_group(hand, &GROUPS[i]);
            if (rest_splits)
                return i;
        }
    return -1;
}

static bool covers(int8_t *hand, int highest)
{
    while (highest >= 0 && hand[highest] == 0)
        highest--;
    return highest < 0 || leading_group(hand, highest) >= 0;
}

static bool is_multiple(const int8_t *hand)
{
    int total = 0;

    for (int rank = 0; rank < RANKS; rank++)
        total += hand[rank] * (rank + 1);
    return total % 9 == 0;
}

/* ---- the game ---- */

enum strategy { RANDOM, MEDIUM };

enum { NOTHING, LONE_NINE, LEGAL }; /* what has gone down in a turn */

enum { DONE = -1 };

struct game {
    int seats;
    int turns;
    int decisions;
    int winner; /* -1: nobody */
    int stock_size, discard_size;
    int8_t stock[CARDS];
    int8_t discards[CARDS];
    int8_t hand[MAX_SEATS][RANKS];
    int size[MAX_SEATS];
};

static void shuffle(int8_t *cards, int count, struct rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1);
        int8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static inline void draw(struct game *g, int seat)
{
    g->hand[seat][g->stock[--g->stock_size]]++;
    g->size[seat]++;
}

static void start_game(struct game *g, int seats, struct rng *rng)
{
    g->seats = seats;
    g->turns = 0;
    g->decisions = 0;
    g->winner = -1;
    g->stock_size = CARDS;
    g->discard_size = 0;
    memset(g->hand, 0, sizeof g->hand);
    memset(g->size, 0, sizeof g->size);
    for (int i = 0; i < CARDS; i++)
        g->stock[i] = (int8_t)(i / COPIES);
    shuffle(g->stock, CARDS, rng);
    for (int card = 0; card < HAND; card++)
        for (int seat = 0; seat < seats; seat++)
            draw(g, seat);
}

static inline void put_down(struct game *g, int seat, const struct group *group)
{
    remove_group(g->hand[seat], group);
    g->size[seat] -= group->size;
    for (int i = 0; i < group->highs; i++)
        g->discards[g->discard_size++] = group->high;
    for (int i = 0; i < group->lows; i++)
        g->discards[g->discard_size++] = group->low;
}

static inline bool may_lead(struct game *g, int seat, const struct group *group)
{
    if (group->total > 9 || g->size[seat] == group->size)
        return true;
    int8_t *hand = g->hand[seat];
    remove_group(hand, group);
    bool more = has_group(hand);
    restore_group(hand, group);
    return more;
}

static int choose_random(struct game *g, int seat, int laid, struct rng *rng)
{
    int list[MAX_GROUPS], count = 0;

    for (int high = 0; high < RANKS; high++)
        if (g->hand[seat][high] > 0)
            for (int i = first_with[high]; i < first_with[high + 1]; i++)
                if (holds(g->hand[seat], &GROUPS[i]) && (laid != NOTHING || may_lead(g, seat, &GROUPS[i])))
                    list[count++] = i;
    if (laid != LONE_NINE)
        list[count++] = DONE;
    return list[rng_below(rng, (uint32_t)count)];
}

/* Keep everything until all can go down. */
static int choose_medium(struct game *g, int seat)
{
    int highest = RANKS - 1;

    if (!is_multiple(g->hand[seat]))
        return DONE;
    while (g->hand[seat][highest] == 0)
        highest--;
    return leading_group(g->hand[seat], highest); /* -1, if there is none, is DONE */
}

static inline int choose(struct game *g, int seat, int laid, enum strategy strategy, struct rng *rng)
{
    switch (strategy) {
    case RANDOM:
        return choose_random(g, seat, laid, rng);
    case MEDIUM:
        return choose_medium(g, seat);
    }
    return DONE;
}

/* Who can go out with the cards dealt is asked, in turn. */
static bool out_at_the_deal(struct game *g, struct rng *rng, const enum strategy *strategies)
{
    for (int seat = 0; seat < g->seats; seat++)
        if (is_multiple(g->hand[seat]) && covers(g->hand[seat], RANKS - 1)) {
            g->decisions++;
            if (strategies[seat] == MEDIUM || rng_below(rng, 2) == 0) {
                g->winner = seat;
                g->size[seat] = 0;
                return true;
            }
        }
    return false;
}

static bool take_turn(struct game *g, int seat, struct rng *rng, enum strategy strategy, bool *idle)
{
    int laid = NOTHING;

    if (g->stock_size == 0 && g->discard_size > 0) {
        memcpy(g->stock, g->discards, (size_t)g->discard_size);
        g->stock_size = g->discard_size;
        g->discard_size = 0;
        shuffle(g->stock, g->stock_size, rng);
    }
    bool drew = g->stock_size > 0;
    if (drew)
        draw(g, seat);
    for (;;) {
        int choice = choose(g, seat, laid, strategy, rng);
        g->decisions++;
        if (choice == DONE)
            break;
        put_down(g, seat, &GROUPS[choice]);
        laid = laid == NOTHING && GROUPS[choice].total == 9 ? LONE_NINE : LEGAL;
        if (g->size[seat] == 0) {
            g->winner = seat;
            return true;
        }
    }
    *idle = !drew && laid == NOTHING;
    return false;
}

/* Returns false when the turn limit was reached before the end. */
static bool play_game(struct game *g, struct rng *rng, const enum strategy *strategies)
{
    int idle_turns = 0, seat = 0;

    if (out_at_the_deal(g, rng, strategies))
        return true;
    while (g->turns < TURN_LIMIT) {
        bool idle;
        g->turns++;
        if (take_turn(g, seat, rng, strategies[seat], &idle))
            return true;
        idle_turns = idle ? idle_turns + 1 : 0;
        if (idle_turns == g->seats)
            return true;
        seat = seat + 1 == g->seats ? 0 : seat + 1;
    }
    return false;
}

/* ---- many games ---- */

enum { TURNS, DECISIONS };
static const char *const COUNTED[] = {"turns", "decisions", NULL};

static void count_game(struct tally *t, const struct game *g)
{
    for (int seat = 0; seat < g->seats; seat++) {
        t->wins[seat] += g->winner == seat;
        observe(&t->score[seat], (double)(g->winner == seat));
    }
    observe(&t->counts[TURNS], (double)g->turns);
    observe(&t->counts[DECISIONS], (double)g->decisions);
}

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 0, "", 2, MAX_SEATS);
    enum strategy strategies[MAX_SEATS];

    for (int seat = 0; seat < request.seats; seat++)
        strategies[seat] = (enum strategy)strategy_of(request.strategies[seat], "random", "medium");
    list_all_groups();
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct game game;
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        start_game(&game, request.seats, &rng);
        if (play_game(&game, &rng, strategies))
            count_game(&tally, &game);
        else
            tally.unfinished++;
    }
    return report(&tally, COUNTED);
}
