/* 9 of a Kind in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the game, a function for each thing
 * that happens at the table.  A hand is a list of nine cards, the centre a list,
 * an offer the cards it holds.  A player who is asked lists the parcels of the
 * hand once, counts what may be done with them, and does any of it.
 *
 * Options: CHICKEN, 0 or 1.  Strategies: `random`.
 */
#include "plain.h"

enum { MAX_SEATS = 9, SIDE = 9, CARDS = 81, HAND = 9, TARGET = 300, TURN_LIMIT = 100000 };
enum { MAX_PARCELS = 84, SEVEN = 7 }; /* of one size: all threes of nine cards of a suit */

/* ---- the game ---- */

/* Places in a hand. */
struct parcel {
    int8_t size;
    int8_t at[3];
};

struct game {
    int seats;
    bool chicken;
    int turns;
    int rounds;
    int centre_size;
    int8_t centre[CARDS];
    int8_t hand[MAX_SEATS][HAND];
    struct parcel offer[MAX_SEATS]; /* of size 0 where there is none */
    bool fresh[MAX_SEATS];          /* has traded with a player since the last centre trade */
    int inside[MAX_SEATS];          /* the seats in the round */
    int inside_count;
    int64_t score[MAX_SEATS];
    bool over;
};

static inline int rank_of(int card)
{
    return card / SIDE;
}

static inline int suit_of(int card)
{
    return card % SIDE;
}

static void deal(struct game *g, struct rng *rng)
{
    int8_t *deck = g->centre;

    g->rounds++;
    for (int i = 0; i < CARDS; i++)
        deck[i] = (int8_t)i;
    g->centre_size = CARDS;
    for (int i = 0; i < HAND; i++)
        for (int seat = 0; seat < g->seats; seat++) {
            int j = (int)rng_below(rng, (uint32_t)g->centre_size);
            g->hand[seat][i] = deck[j];
            deck[j] = deck[--g->centre_size];
        }
    g->inside_count = g->seats;
    for (int seat = 0; seat < g->seats; seat++) {
        g->inside[seat] = seat;
        g->offer[seat].size = 0;
        g->fresh[seat] = false;
    }
}

/* The parcels of a hand by size; list[size][n] is the n-th. */
static void list_parcels(const int8_t *hand, struct parcel list[4][MAX_PARCELS], int *of_size)
{
    int rank[HAND], suit[HAND];

    of_size[1] = of_size[2] = of_size[3] = 0;
    for (int i = 0; i < HAND; i++) {
        rank[i] = rank_of(hand[i]);
        suit[i] = suit_of(hand[i]);
        list[1][of_size[1]++] = (struct parcel){1, {(int8_t)i, 0, 0}};
    }
    for (int i = 0; i < HAND; i++)
        for (int j = i + 1; j < HAND; j++) {
            bool same_rank = rank[i] == rank[j], same_suit = suit[i] == suit[j];
            if (!same_rank && !same_suit)
                continue;
            list[2][of_size[2]++] = (struct parcel){2, {(int8_t)i, (int8_t)j, 0}};
            for (int k = j + 1; k < HAND; k++)
                if (same_rank ? rank[k] == rank[i] : suit[k] == suit[i])
                    list[3][of_size[3]++] = (struct parcel){3, {(int8_t)i, (int8_t)j, (int8_t)k}};
        }
}

/* The n-th of all parcels. */
static const struct parcel *nth_parcel(struct parcel list[4][MAX_PARCELS], const int *of_size, int n)
{
    int size = 1;

    while (n >= of_size[size])
        n -= of_size[size++];
    return &list[size][n];
}

static void trade(struct game *g, int seat, const struct parcel *mine, int other)
{
    const struct parcel *theirs = &g->offer[other];

    for (int i = 0; i < mine->size; i++) {
        int8_t card = g->hand[seat][mine->at[i]];
        g->hand[seat][mine->at[i]] = g->hand[other][theirs->at[i]];
        g->hand[other][theirs->at[i]] = card;
    }
    g->offer[seat].size = g->offer[other].size = 0;
    g->fresh[seat] = g->fresh[other] = true;
}

static void trade_with_centre(struct game *g, int seat, const struct parcel *mine, struct rng *rng)
{
    int8_t laid[3];
    int size = mine->size;

    for (int i = 0; i < size; i++) {
        int j = (int)rng_below(rng, (uint32_t)g->centre_size);
        laid[i] = g->hand[seat][mine->at[i]];
        g->hand[seat][mine->at[i]] = g->centre[j];
        g->centre[j] = g->centre[--g->centre_size];
    }
    for (int i = 0; i < size; i++)
        g->centre[g->centre_size++] = laid[i];
    g->offer[seat].size = 0;
    g->fresh[seat] = false;
}

/* Points outside the best suit or rank; *most is the most cards of one suit or rank. */
static int held(const int8_t *hand, int *most)
{
    int pips[2 * SIDE] = {0}, cards[2 * SIDE] = {0}, total = 0, best = 0;

    *most = 0;
    for (int i = 0; i < HAND; i++) {
        int rank = rank_of(hand[i]), suit = SIDE + suit_of(hand[i]);
        total += rank + 1;
        pips[rank] += rank + 1;
        pips[suit] += rank + 1;
        cards[rank]++;
        cards[suit]++;
    }
    for (int line = 0; line < 2 * SIDE; line++) {
        if (pips[line] > best)
            best = pips[line];
        if (cards[line] > *most)
            *most = cards[line];
    }
    return total - best;
}

static bool is_nine(const int8_t *hand)
{
    bool one_rank = true, one_suit = true;

    for (int i = 1; i < HAND; i++) {
        one_rank &= rank_of(hand[i]) == rank_of(hand[0]);
        one_suit &= suit_of(hand[i]) == suit_of(hand[0]);
    }
    return one_rank || one_suit;
}

static bool is_blocked(const int8_t *hand)
{
    int ranks = 0, suits = 0;

    for (int i = 0; i < HAND; i++) {
        ranks |= 1 << rank_of(hand[i]);
        suits |= 1 << suit_of(hand[i]);
    }
    return ranks == (1 << SIDE) - 1 && suits == (1 << SIDE) - 1;
}

static void end_round(struct game *g, struct rng *rng)
{
    for (int seat = 0; seat < g->seats; seat++)
        if (g->score[seat] >= TARGET)
            g->over = true;
    if (!g->over)
        deal(g, rng);
}

static void pay(struct game *g, const bool *wins, struct rng *rng)
{
    int total = 0, most;

    for (int i = 0; i < g->inside_count; i++)
        if (!wins[g->inside[i]])
            total += held(g->hand[g->inside[i]], &most);
    for (int seat = 0; seat < g->seats; seat++)
        if (wins[seat])
            g->score[seat] += total;
    end_round(g, rng);
}

/* The window: everybody else who is in speaks once, and says either word at random. */
static void win_nine(struct game *g, int seat, struct rng *rng)
{
    bool wins[MAX_SEATS] = {false};
    int silent[MAX_SEATS], count = 0;

    wins[seat] = true;
    for (int i = 0; i < g->inside_count; i++)
        if (g->inside[i] != seat)
            silent[count++] = g->inside[i];
    while (count > 0) {
        int i = (int)rng_below(rng, (uint32_t)count);
        g->turns++;
        if (rng_below(rng, 2) == 0 && is_nine(g->hand[silent[i]]))
            wins[silent[i]] = true;
        silent[i] = silent[--count];
    }
    pay(g, wins, rng);
}

static void forfeit(struct game *g, int seat, struct rng *rng)
{
    for (int i = 0; i < HAND; i++)
        g->centre[g->centre_size++] = g->hand[seat][i];
    g->offer[seat].size = 0;
    for (int i = 0; i < g->inside_count; i++)
        if (g->inside[i] == seat) {
            g->inside[i] = g->inside[--g->inside_count];
            break;
        }
    if (g->inside_count < 2)
        end_round(g, rng);
}

static void claim_blocked(struct game *g, int seat, struct rng *rng)
{
    bool wins[MAX_SEATS] = {false};

    if (!is_blocked(g->hand[seat])) {
        forfeit(g, seat, rng);
        return;
    }
    wins[seat] = true;
    pay(g, wins, rng);
}

static void call_chicken(struct game *g, int caller, struct rng *rng)
{
    int points[MAX_SEATS], total = 0, least = 1000, most = 0, unused;

    for (int i = 0; i < g->inside_count; i++) {
        int seat = g->inside[i];
        points[seat] = held(g->hand[seat], seat == caller ? &most : &unused);
        total += points[seat];
        if (seat != caller && points[seat] < least)
            least = points[seat];
    }
    if (most >= SEVEN && points[caller] <= least) {
        g->score[caller] += (total + 1) / 2;
    } else {
        for (int i = 0; i < g->inside_count; i++)
            if (g->inside[i] != caller && points[g->inside[i]] == least)
                g->score[g->inside[i]] += (total + 1) / 2;
    }
    end_round(g, rng);
}

/* One player is asked and does any of what may be done, all equally likely. */
static void take_turn(struct game *g, struct rng *rng)
{
    struct parcel list[4][MAX_PARCELS];
    int of_size[4], central = 0, answers = 0;
    int seat = g->inside[rng_below(rng, (uint32_t)g->inside_count)];

    g->turns++;
    list_parcels(g->hand[seat], list, of_size);
    int parcels = of_size[1] + of_size[2] + of_size[3];
    if (g->fresh[seat])
        for (int size = 1; size <= 3 && size <= g->centre_size; size++)
            central += of_size[size];
    for (int i = 0; i < g->inside_count; i++)
        if (g->inside[i] != seat && g->offer[g->inside[i]].size > 0)
            answers += of_size[g->offer[g->inside[i]].size];
    int words = 3 + g->chicken + (g->offer[seat].size > 0);
    int n = (int)rng_below(rng, (uint32_t)(parcels + central + answers + words));

    if (n < parcels) {
        g->offer[seat] = *nth_parcel(list, of_size, n);
        return;
    }
    n -= parcels;
    if (n < central) {
        trade_with_centre(g, seat, nth_parcel(list, of_size, n), rng);
        return;
    }
    n -= central;
    if (n < answers) {
        for (int i = 0; i < g->inside_count; i++) {
            int other = g->inside[i], size = g->offer[other].size;
            if (other == seat || size == 0)
                continue;
            if (n < of_size[size]) {
                trade(g, seat, &list[size][n], other);
                return;
            }
            n -= of_size[size];
        }
    }
    n -= answers;
    switch (n) {
    case 0: /* wait */
        break;
    case 1:
        if (is_nine(g->hand[seat]))
            win_nine(g, seat, rng);
        else
            forfeit(g, seat, rng);
        break;
    case 2:
        claim_blocked(g, seat, rng);
        break;
    case 3:
        if (g->chicken)
            call_chicken(g, seat, rng);
        else
            g->offer[seat].size = 0;
        break;
    default:
        g->offer[seat].size = 0;
    }
}

/* Returns false when the turn limit was reached before the end. */
static bool play_game(struct game *g, struct rng *rng)
{
    deal(g, rng);
    while (!g->over && g->turns < TURN_LIMIT)
        take_turn(g, rng);
    return g->over;
}

/* ---- many games ---- */

enum { TURNS, DECISIONS, ROUNDS };
static const char *const COUNTED[] = {"turns", "decisions", "rounds", NULL};

static void count_game(struct tally *t, const struct game *g)
{
    count_scores(t, g->score, HIGHEST);
    observe(&t->counts[TURNS], (double)g->turns);
    observe(&t->counts[DECISIONS], (double)g->turns);
    observe(&t->counts[ROUNDS], (double)g->rounds);
}

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 1, "CHICKEN", 5, MAX_SEATS);

    for (int seat = 0; seat < request.seats; seat++)
        strategy_of(request.strategies[seat], "random", NULL);
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct game game = {.seats = request.seats, .chicken = request.options[0] != 0};
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        if (play_game(&game, &rng))
            count_game(&tally, &game);
        else
            tally.unfinished++;
    }
    return report(&tally, COUNTED);
}
