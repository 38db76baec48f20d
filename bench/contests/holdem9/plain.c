/* Multiple 9 Hold'em in natural C: the mark that the compiled kernel is measured against.
 *
 * Written for a reader first: a struct for the table, a function for each thing
 * that happens at it.  The cards needed are taken from the deck by the first steps
 * of a shuffle; suits never matter to a result, so a card is its rank.  Hands are
 * judged by a table over all 49,205 of them, made before the clock starts: a hand
 * is two numbers in base five, one for the ranks A to 6 and one for 7 to K.
 *
 * Options: STACK.  Strategies: `random` or `call`.  A game is one no-limit hand.
 */
#include "plain.h"

enum { MAX_SEATS = 10, CARDS = 52, RANKS = 13, HAND = 7, HANDS = 49205, TURN_LIMIT = 1000 };
enum { LOW = 6, HIGH = 7, LOWS = 15625, HIGHS = 78125 };
enum { SMALL = 5, BIG = 10 }; /* the blinds */

/* ---- the strength of a hand ---- */

static const int32_t LOW_KEY[RANKS] = {1, 5, 25, 125, 625, 3125};
static const int32_t HIGH_KEY[RANKS] = {0, 0, 0, 0, 0, 0, 1, 5, 25, 125, 625, 3125, 15625};
static int32_t first_place[HIGHS];
static int16_t place_among[LOWS];
static int16_t strengths[HANDS];

static int digit_sum(int number)
{
    int sum = 0;
    for (; number > 0; number /= 5)
        sum += number % 5;
    return sum;
}

static void make_index(void)
{
    int lows[HAND + 1] = {0}, next = 0;

    for (int low = 0; low < LOWS; low++)
        if (digit_sum(low) <= HAND)
            place_among[low] = (int16_t)lows[digit_sum(low)]++;
    for (int high = 0; high < HIGHS; high++) {
        first_place[high] = next;
        if (digit_sum(high) <= HAND)
            next += lows[HAND - digit_sum(high)];
    }
}

static inline int place_of(int low, int high)
{
    return first_place[high] + place_among[low];
}

/* Nines, then fewer unused ranks, then what they are worth in descending order. */
static uint64_t value_of(int nines, const int *unused)
{
    int worths[HAND] = {0}, ranks = 0;

    for (int rank = 0; rank < RANKS; rank++) {
        if (unused[rank] == 0)
            continue;
        int worth = unused[rank] * (rank == 0 ? 14 : rank + 1), place = ranks++;
        for (; place > 0 && worths[place - 1] < worth; place--)
            worths[place] = worths[place - 1];
        worths[place] = worth;
    }
    uint64_t value = (uint64_t)nines << 3 | (uint64_t)(HAND - ranks);
    for (int place = 0; place < HAND; place++)
        value = value << 6 | (uint64_t)worths[place];
    return value;
}

/* Take groups out of the cards from `rank` on in every way; a rank's cards may go, some with a second rank. */
static void best_choice(int *left, int rank, int nines, uint64_t *best)
{
    if (rank == RANKS) {
        uint64_t value = value_of(nines, left);
        if (value > *best)
            *best = value;
        return;
    }
    best_choice(left, rank + 1, nines, best);
    for (int number = 1; number <= left[rank]; number++) {
        int total = number * (rank + 1);
        left[rank] -= number;
        if (total % 9 == 0)
            best_choice(left, rank, nines + total / 9, best);
        for (int other = rank + 1; other < RANKS; other++)
            for (int more = 1; more <= left[other]; more++)
                if ((total + more * (other + 1)) % 9 == 0) {
                    left[other] -= more;
                    best_choice(left, rank, nines + (total + more * (other + 1)) / 9, best);
                    left[other] += more;
                }
        left[rank] += number;
    }
}

static uint64_t values[HANDS], sorted[HANDS];

static void judge_all(int *hand, int rank, int cards)
{
    if (cards == HAND) {
        int low = 0, high = 0;
        uint64_t best = 0;
        for (int r = 0; r < RANKS; r++) {
            low += hand[r] * LOW_KEY[r];
            high += hand[r] * HIGH_KEY[r];
        }
        best_choice(hand, 0, 0, &best);
        values[place_of(low, high)] = best + (hand[11] == 4 && hand[10] == 3);
        return;
    }
    for (int number = 0; rank < RANKS && number <= 4 && cards + number <= HAND; number++) {
        hand[rank] = number;
        judge_all(hand, rank + 1, cards + number);
        hand[rank] = 0;
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void make_strengths(void)
{
    int hand[RANKS] = {0}, different = 0;

    make_index();
    judge_all(hand, 0, 0);
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, HANDS, sizeof *sorted, compare);
    for (int i = 0; i < HANDS; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[different++] = sorted[i];
    for (int i = 0; i < HANDS; i++) {
        uint64_t *found = bsearch(&values[i], sorted, (size_t)different, sizeof *sorted, compare);
        strengths[i] = (int16_t)(found - sorted + 1);
    }
}

/* ---- the table ---- */

enum strategy { RANDOM, CALL };

struct player {
    int chips, bet, paid;
    bool folded, to_act, may_raise;
    int8_t cards[2];
};

struct table {
    int seats, button, turns, in_hand;
    int highest, full_raise;
    int small, big;
    int board_cards, dealt;
    int8_t deck[CARDS], board[5];
    struct player players[MAX_SEATS];
};

static inline int seat_after(const struct table *t, int seat)
{
    return seat + 1 == t->seats ? 0 : seat + 1;
}

static inline int8_t draw(struct table *t, struct rng *rng)
{
    int j = t->dealt + (int)rng_below(rng, (uint32_t)(CARDS - t->dealt));
    int8_t card = t->deck[j];
    t->deck[j] = t->deck[t->dealt];
    t->deck[t->dealt++] = card;
    return card;
}

static inline int pay(struct player *p, int amount)
{
    if (amount > p->chips)
        amount = p->chips;
    p->chips -= amount;
    p->paid += amount;
    return amount;
}

static int start_hand(struct table *t, int seats, int stack, int small, int big, struct rng *rng)
{
    t->seats = t->in_hand = seats;
    t->button = 0;
    t->turns = t->dealt = t->board_cards = 0;
    t->small = small;
    t->big = big;
    for (int i = 0; i < CARDS; i++)
        t->deck[i] = (int8_t)(i / 4);
    for (int seat = 0; seat < seats; seat++) {
        struct player *p = &t->players[seat];
        *p = (struct player){.chips = stack};
    }
    int first = seats == 2 ? t->button : seat_after(t, t->button);
    int second = seat_after(t, first);
    t->players[first].bet = pay(&t->players[first], small);
    t->players[second].bet = pay(&t->players[second], big);
    t->highest = t->players[first].bet > t->players[second].bet ? t->players[first].bet : t->players[second].bet;
    for (int card = 0; card < 2; card++)
        for (int i = 0, seat = seat_after(t, t->button); i < seats; i++, seat = seat_after(t, seat))
            t->players[seat].cards[card] = draw(t, rng);
    return second;
}

/* Whether an opponent could call a part of a raise. */
static inline bool can_be_called(const struct table *t, int seat)
{
    for (int other = 0; other < t->seats; other++) {
        const struct player *p = &t->players[other];
        if (other != seat && !p->folded && p->chips > 0 && p->bet + p->chips > t->highest)
            return true;
    }
    return false;
}

static inline void raise_to(struct table *t, int seat, int amount)
{
    struct player *me = &t->players[seat];
    bool full = amount - t->highest >= t->full_raise;

    pay(me, amount - me->bet);
    me->bet = amount;
    if (full)
        t->full_raise = amount - t->highest;
    t->highest = amount;
    for (int other = 0; other < t->seats; other++) {
        struct player *p = &t->players[other];
        if (other != seat && !p->folded && p->chips > 0) {
            p->to_act = true;
            p->may_raise |= full;
        }
    }
}

static inline void act(struct table *t, int seat, enum strategy strategy, struct rng *rng)
{
    struct player *p = &t->players[seat];
    int all_in = p->bet + p->chips, owed = t->highest - p->bet;
    int words = owed > 0 ? 2 : 1, least = 0, amounts = 0;

    if (p->may_raise && all_in > t->highest && can_be_called(t, seat)) {
        least = t->highest + t->full_raise;
        if (least > all_in)
            least = all_in;
        amounts = all_in - least + 1;
    }
    int choice = strategy == CALL ? words - 1 : (int)rng_below(rng, (uint32_t)(words + amounts));
    p->to_act = p->may_raise = false;
    if (choice >= words) {
        raise_to(t, seat, least + choice - words);
    } else if (choice == 0 && owed > 0) {
        p->folded = true;
        t->in_hand--;
    } else {
        p->bet += pay(p, owed);
    }
}

/* A round of betting, those after `last` first. */
static void bet_round(struct table *t, int last, const enum strategy *strategies, struct rng *rng)
{
    int seat = last, idle = 0;

    t->full_raise = t->big;
    for (int other = 0; other < t->seats; other++) {
        struct player *p = &t->players[other];
        p->to_act = p->may_raise = !p->folded && p->chips > 0;
    }
    while (idle < t->seats && t->turns < TURN_LIMIT) {
        seat = seat_after(t, seat);
        struct player *p = &t->players[seat];
        if (!p->to_act) {
            idle++;
            continue;
        }
        if (p->bet == t->highest && !can_be_called(t, seat)) {
            p->to_act = false;
            idle++;
            continue;
        }
        idle = 0;
        t->turns++;
        act(t, seat, strategies[seat], rng);
        if (t->in_hand == 1)
            break;
    }
}

/* Uncalled chips go back; bets are gathered. */
static void gather(struct table *t)
{
    int most = -1, second = -1, payer = 0;

    for (int seat = 0; seat < t->seats; seat++) {
        int paid = t->players[seat].paid;
        if (paid > most) {
            second = most;
            most = paid;
            payer = seat;
        } else if (paid > second) {
            second = paid;
        }
        t->players[seat].bet = 0;
    }
    t->highest = 0;
    t->players[payer].paid -= most - second;
    t->players[payer].chips += most - second;
}

static inline int strength_of(const struct table *t, const struct player *p)
{
    int low = 0, high = 0;

    for (int i = 0; i < 5; i++) {
        low += LOW_KEY[t->board[i]];
        high += HIGH_KEY[t->board[i]];
    }
    for (int i = 0; i < 2; i++) {
        low += LOW_KEY[p->cards[i]];
        high += HIGH_KEY[p->cards[i]];
    }
    return strengths[place_of(low, high)];
}

/* The pots from the smallest all-in up, each to the best who paid for all of it. */
static void showdown(struct table *t)
{
    int strength[MAX_SEATS], below = 0;

    for (int seat = 0; seat < t->seats; seat++)
        if (!t->players[seat].folded)
            strength[seat] = strength_of(t, &t->players[seat]);
    for (;;) {
        int level = 0, pot = 0, best = 0, sharing = 0;
        for (int seat = 0; seat < t->seats; seat++) {
            const struct player *p = &t->players[seat];
            if (p->folded || p->paid <= below)
                continue;
            if (level == 0 || p->paid < level)
                level = p->paid;
            if (strength[seat] > best) {
                best = strength[seat];
                sharing = 0;
            }
            sharing += strength[seat] == best;
        }
        if (level == 0)
            return;
        for (int seat = 0; seat < t->seats; seat++) {
            int paid = t->players[seat].paid;
            pot += (paid < level ? paid : level) - (paid < below ? paid : below);
        }
        int share = pot / sharing, odd = pot % sharing;
        for (int i = 0, seat = seat_after(t, t->button); i < t->seats; i++, seat = seat_after(t, seat)) {
            struct player *p = &t->players[seat];
            if (!p->folded && p->paid > below && strength[seat] == best) {
                p->chips += share + (odd > 0);
                odd -= odd > 0;
            }
        }
        below = level;
    }
}

/* Returns false when the turn limit was reached before the end. */
static bool play_hand(struct table *t, int last, const enum strategy *strategies, struct rng *rng)
{
    static const int CARDS_ON[4] = {0, 3, 4, 5};

    for (int street = 0; street < 4; street++) {
        while (t->board_cards < CARDS_ON[street])
            t->board[t->board_cards++] = draw(t, rng);
        bet_round(t, street == 0 ? last : t->button, strategies, rng);
        gather(t);
        if (t->in_hand == 1) {
            int pot = 0, winner = 0;
            for (int seat = 0; seat < t->seats; seat++) {
                pot += t->players[seat].paid;
                if (!t->players[seat].folded)
                    winner = seat;
            }
            t->players[winner].chips += pot;
            return true;
        }
    }
    showdown(t);
    return t->turns < TURN_LIMIT;
}

/* ---- many hands ---- */

enum { TURNS, DECISIONS };
static const char *const COUNTED[] = {"turns", "decisions", NULL};

static void count_hand(struct tally *t, const struct table *g, int stack)
{
    int64_t score[MAX_SEATS];

    for (int seat = 0; seat < g->seats; seat++)
        score[seat] = g->players[seat].chips - stack;
    count_scores(t, score, HIGHEST);
    observe(&t->counts[TURNS], (double)g->turns);
    observe(&t->counts[DECISIONS], (double)g->turns);
}

int main(int argc, char **argv)
{
    struct request request = read_request(argc, argv, 1, "STACK", 2, MAX_SEATS);
    enum strategy strategies[MAX_SEATS];
    int stack = request.options[0];

    require(stack > 0, "STACK must be at least 1.");
    for (int seat = 0; seat < request.seats; seat++)
        strategies[seat] = (enum strategy)strategy_of(request.strategies[seat], "random", "call");
    make_strengths();
    struct tally tally = start_tally(&request);
    for (int64_t number = 0; number < request.games; number++) {
        struct table table;
        struct rng rng;
        rng_seed(&rng, request.seed, (uint64_t)number);
        int last = start_hand(&table, request.seats, stack, SMALL, BIG, &rng);
        if (play_hand(&table, last, strategies, &rng))
            count_hand(&tally, &table, stack);
        else
            tally.unfinished++;
    }
    return report(&tally, COUNTED);
}
