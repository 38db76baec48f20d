/* Baseball in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the game, a function for each thing
 * that happens at the table.  A card is drawn when somebody sees it, by taking
 * any of those left and closing the gap with the last one.
 *
 * Options: DECKS, INNINGS.  Strategies: `random` or `medium`.
 */
#include "plain.h"

enum {
    MAX_SEATS = 9,
    MAX_DECKS = 16,
    DECK = 54,
    PLACES = 9,
    JOKER = 13,
    TURNS_PER_GAME = 1000,
    TYPICAL = 7, /* points of a card that nobody has seen */
    PATIENCE = 15,
    BAD = 1000000,
    UNSEEN = -1,
    NOBODY = -1
};

static const int POINTS[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 25, 0, -2};

/* ---- cards ---- */

typedef int8_t card; /* 0 to 53, four of a rank, then the two jokers */

static inline int rank_of(card c)
{
    return c >> 2;
}

struct stock {
    int size;
    card cards[MAX_DECKS * DECK];
};

static inline card draw_any(struct stock *stock, struct rng *rng)
{
    int i = (int)rng_below(rng, (uint32_t)stock->size);
    card drawn = stock->cards[i];
    stock->cards[i] = stock->cards[--stock->size];
    return drawn;
}

static inline void lay(struct stock *pile, card c)
{
    pile->cards[pile->size++] = c;
}

/* ---- the game ---- */

struct hand {
    card cards[PLACES]; /* UNSEEN until somebody sees it */
    bool up[PLACES];
    bool gone[PLACES];
    int down; /* cards face down */
};

enum strategy { RANDOM, MEDIUM };

struct game {
    enum strategy strategies[MAX_SEATS];
    int seats;
    int decks;
    int innings;
    int first;
    int out;
    int in_shoe;   /* cards in the shoe; `unseen` holds those and the ones face down */
    bool recycled; /* the shoe was made of discards */
    struct stock unseen, stock, pile;
    struct hand hands[MAX_SEATS];
    int64_t turns, decisions, columns, reshuffles;
    int64_t turns_here;
    int64_t total[MAX_SEATS];
};

static void start_inning(struct game *g, struct rng *rng)
{
    g->unseen.size = 0;
    for (int deck = 0; deck < g->decks; deck++)
        for (int c = 0; c < DECK; c++)
            lay(&g->unseen, (card)c);
    g->in_shoe = DECK * g->decks - PLACES * g->seats - 1;
    g->recycled = false;
    g->out = NOBODY;
    g->turns_here = 0;
    for (int seat = 0; seat < g->seats; seat++) {
        struct hand *hand = &g->hands[seat];
        for (int place = 0; place < PLACES; place++) {
            hand->cards[place] = UNSEEN;
            hand->up[place] = false;
            hand->gone[place] = false;
        }
        hand->down = PLACES;
    }
    g->pile.size = 0;
    lay(&g->pile, draw_any(&g->unseen, rng));
}

static inline card card_at(struct game *g, struct hand *hand, int place, struct rng *rng)
{
    if (hand->cards[place] == UNSEEN)
        hand->cards[place] = draw_any(&g->unseen, rng);
    return hand->cards[place];
}

static inline void turn_up(struct game *g, struct hand *hand, int place, struct rng *rng)
{
    card_at(g, hand, place, rng);
    hand->up[place] = true;
    hand->down--;
}

static inline void clear_column(struct game *g, struct hand *hand, int column)
{
    int a = column, b = column + 3, c = column + 6;

    if (!hand->up[a] || !hand->up[b] || !hand->up[c])
        return;
    int rank = rank_of(hand->cards[a]);
    if (rank_of(hand->cards[b]) != rank || rank_of(hand->cards[c]) != rank)
        return;
    for (int place = column; place < PLACES; place += 3) {
        lay(&g->pile, hand->cards[place]);
        hand->up[place] = false;
        hand->gone[place] = true;
    }
    g->columns++;
}

static inline void replace(struct game *g, struct hand *hand, int place, card new_card, struct rng *rng)
{
    card old = card_at(g, hand, place, rng);

    hand->cards[place] = new_card;
    if (!hand->up[place]) {
        hand->up[place] = true;
        hand->down--;
    }
    clear_column(g, hand, place % 3);
    lay(&g->pile, old);
}

static inline card draw_from_shoe(struct game *g, struct rng *rng)
{
    if (g->in_shoe == 0) {
        g->stock = g->pile;
        g->pile.size = 0;
        g->in_shoe = g->stock.size;
        g->recycled = true;
        g->reshuffles++;
    }
    g->in_shoe--;
    return draw_any(g->recycled ? &g->stock : &g->unseen, rng);
}

/* ---- players ---- */

/* The n-th place, from 0, of those for which `is_not` is false. */
static inline int nth_place(const bool *is_not, const bool *nor, int n)
{
    int place = -1;

    do
        if (!is_not[++place] && !nor[place])
            n--;
    while (n >= 0);
    return place;
}

static inline int cards_held(const struct hand *hand)
{
    int held = PLACES;

    for (int column = 0; column < 3; column++)
        held -= 3 * hand->gone[column];
    return held;
}

static void look_at_two(struct game *g, int seat, struct rng *rng)
{
    struct hand *hand = &g->hands[seat];
    bool medium = g->strategies[seat] == MEDIUM;
    int one = medium ? 0 : (int)rng_below(rng, PLACES);
    card_at(g, hand, one, rng);
    int other = medium ? 0 : (int)rng_below(rng, PLACES - 1);
    other += other >= one;
    card_at(g, hand, other, rng);
    uint32_t which = medium ? 3 : rng_below(rng, 4);
    if (which & 1)
        turn_up(g, hand, one, rng);
    if (which & 2)
        turn_up(g, hand, other, rng);
    g->decisions += 3;
}

static inline void flip(struct game *g, struct hand *hand, int place, struct rng *rng)
{
    turn_up(g, hand, place, rng);
    clear_column(g, hand, place % 3);
}

static inline void play_at_random(struct game *g, struct hand *hand, struct rng *rng)
{
    int held = cards_held(hand);
    int move = (int)rng_below(rng, (uint32_t)(hand->down + held + 1));

    if (move < hand->down) {
        flip(g, hand, nth_place(hand->up, hand->gone, move), rng);
    } else if (move < hand->down + held) {
        card top = g->pile.cards[--g->pile.size];
        replace(g, hand, nth_place(hand->gone, hand->gone, move - hand->down), top, rng);
    } else {
        card drawn = draw_from_shoe(g, rng);
        g->decisions++;
        int put = (int)rng_below(rng, (uint32_t)(held + 1));
        if (put == 0)
            lay(&g->pile, drawn);
        else
            replace(g, hand, nth_place(hand->gone, hand->gone, put - 1), drawn, rng);
    }
}

static inline int value_known(const struct hand *hand, int place)
{
    card c = hand->cards[place];
    return c == UNSEEN ? TYPICAL : POINTS[rank_of(c)];
}

/* What the best of the others may expect, as far as anybody sees. */
static int lowest_rival(const struct game *g, int seat)
{
    int lowest = BAD;

    for (int other = 0; other < g->seats; other++) {
        const struct hand *hand = &g->hands[other];
        int sum = TYPICAL * hand->down;
        if (other == seat)
            continue;
        for (int place = 0; place < PLACES; place++)
            if (hand->up[place])
                sum += POINTS[rank_of(hand->cards[place])];
        if (sum < lowest)
            lowest = sum;
    }
    return lowest;
}

static inline bool is_late(const struct game *g)
{
    return g->out == NOBODY && g->turns_here > PATIENCE * g->seats;
}

static inline bool has_up(const struct hand *hand, int place, int rank)
{
    return hand->up[place] && rank_of(hand->cards[place]) == rank;
}

/* Where a card saves most, and how much; the last face-down place only if going out looks like winning. */
static int best_place(const struct game *g, int seat, card c, int *saved)
{
    const struct hand *hand = &g->hands[seat];
    bool may_go_out = hand->down == 1 && g->out == NOBODY && !is_late(g);
    int most_to_go_out = may_go_out ? lowest_rival(g, seat) - 6 : BAD;
    int rank = rank_of(c), points = POINTS[rank], own = 0, best = -1;

    *saved = -BAD;
    for (int place = 0; place < PLACES; place++)
        if (!hand->gone[place])
            own += value_known(hand, place);
    for (int place = 0; place < PLACES; place++) {
        if (hand->gone[place])
            continue;
        bool completes = has_up(hand, (place + 3) % PLACES, rank) && has_up(hand, (place + 6) % PLACES, rank);
        int here = value_known(hand, place) + (completes ? 2 * points : -points);
        bool goes_out = hand->down == 1 && !hand->up[place];
        if (here > *saved && (!goes_out || own - here <= most_to_go_out)) {
            best = place;
            *saved = here;
        }
    }
    return best;
}

static inline void play_medium(struct game *g, int seat, struct rng *rng)
{
    struct hand *hand = &g->hands[seat];
    int saved;

    if (is_late(g)) {
        flip(g, hand, nth_place(hand->up, hand->gone, 0), rng);
        return;
    }
    int place = best_place(g, seat, g->pile.cards[g->pile.size - 1], &saved);
    if (saved >= 4) {
        card top = g->pile.cards[--g->pile.size];
        replace(g, hand, place, top, rng);
        return;
    }
    card drawn = draw_from_shoe(g, rng);
    g->decisions++;
    place = best_place(g, seat, drawn, &saved);
    if (saved > 0)
        replace(g, hand, place, drawn, rng);
    else
        lay(&g->pile, drawn);
}

static inline void take_turn(struct game *g, int seat, struct rng *rng)
{
    g->turns++;
    g->turns_here++;
    g->decisions++;
    switch (g->strategies[seat]) {
    case RANDOM:
        play_at_random(g, &g->hands[seat], rng);
        break;
    case MEDIUM:
        play_medium(g, seat, rng);
        break;
    }
}

/* ---- a series of games ---- */

static inline int seat_after(const struct game *g, int seat)
{
    return seat + 1 == g->seats ? 0 : seat + 1;
}

static void turn_up_hand(struct game *g, int seat, struct rng *rng)
{
    struct hand *hand = &g->hands[seat];

    for (int place = 0; place < PLACES; place++)
        if (!hand->up[place] && !hand->gone[place])
            turn_up(g, hand, place, rng);
    for (int column = 0; column < 3; column++)
        clear_column(g, hand, column);
}

static int points(const struct hand *hand)
{
    int sum = 0;

    for (int place = 0; place < PLACES; place++)
        if (!hand->gone[place])
            sum += POINTS[rank_of(hand->cards[place])];
    return sum;
}

/* Returns false when the turn limit was reached before the end. */
static bool play_inning(struct game *g, struct rng *rng)
{
    int64_t limit = (int64_t)TURNS_PER_GAME * g->innings;
    int seat = g->first;

    start_inning(g, rng);
    do {
        look_at_two(g, seat, rng);
        seat = seat_after(g, seat);
    } while (seat != g->first);
    do {
        if (g->turns == limit)
            return false;
        take_turn(g, seat, rng);
        if (g->out != NOBODY)
            turn_up_hand(g, seat, rng);
        else if (g->hands[seat].down == 0)
            g->out = seat;
        seat = seat_after(g, seat);
    } while (seat != g->out);
    for (seat = 0; seat < g->seats; seat++)
        g->total[seat] += points(&g->hands[seat]);
    return true;
}

static bool play_game(struct game *g, struct rng *rng)
{
    g->turns = g->decisions = g->columns = g->reshuffles = 0;
    for (int seat = 0; seat < g->seats; seat++)
        g->total[seat] = 0;
    g->first = 0;
    for (int inning = 0; inning < g->innings; inning++) {
        if (!play_inning(g, rng))
            return false;
        g->first = seat_after(g, g->first);
    }
    return true;
}

/* ---- many games ---- */

enum { TURNS, DECISIONS, COLUMNS, RESHUFFLES };
static const char *const COUNTED[] = {"turns", "decisions", "columns cleared", "shoe reshuffles", NULL};

static void count_game(struct tally *t, const struct game *g)
{
    count_scores(t, g->total, LOWEST);
    observe(&t->counts[TURNS], (double)g->turns);
    observe(&t->counts[DECISIONS], (double)g->decisions);
    observe(&t->counts[COLUMNS], (double)g->columns);
    observe(&t->counts[RESHUFFLES], (double)g->reshuffles);
}

int main(int argc, char **argv)
{
    static struct game game;
    struct request request = read_request(argc, argv, 2, "DECKS INNINGS", 2, MAX_SEATS);

    game.seats = request.seats;
    game.decks = request.options[0];
    game.innings = request.options[1];
    require(game.innings > 0, "INNINGS must be at least 1.");
    require(game.decks <= MAX_DECKS && DECK * game.decks > PLACES * game.seats,
            "DECKS must be enough for the seats, and at most 16.");
    for (int seat = 0; seat < request.seats; seat++)
        game.strategies[seat] = (enum strategy)strategy_of(request.strategies[seat], "random", "medium");
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        if (play_game(&game, &rng))
            count_game(&tally, &game);
        else
            tally.unfinished++;
    }
    return report(&tally, COUNTED);
}
