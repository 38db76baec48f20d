/* What the C programs are asked, what they count, and how they report it; it knows no game.
 *
 * usage: PROGRAM GAMES SEED OPTION... STRATEGY...
 *   Options are whole numbers, as many as the game has; a strategy is a word, one for each seat.
 *   The answer is one line of JSON.
 * build: cc -O3 -march=native -I bench/contests -o program bench/contests/GAME/plain.c -lm
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SEATS = 64, MOST_OPTIONS = 2, MOST_COUNTS = 4 };

/* ---- the command line ---- */

struct request {
    int64_t games;
    uint64_t seed;
    int options[MOST_OPTIONS];
    int seats;
    char **strategies;
};

/* `names` are those of the options, for those who forget them. */
static struct request read_request(int argc, char **argv, int options, const char *names, int least, int most)
{
    struct request request = {.seats = argc - 3 - options, .strategies = argv + 3 + options};

    if (request.seats < least || request.seats > most) {
        fprintf(stderr, "usage: %s GAMES SEED %s STRATEGY... (%d to %d seats)\n", argv[0], names, least, most);
        exit(2);
    }
    request.games = atoll(argv[1]);
    request.seed = strtoull(argv[2], NULL, 10);
    for (int i = 0; i < options; i++)
        request.options[i] = atoi(argv[3 + i]);
    if (request.games < 1) {
        fprintf(stderr, "GAMES must be at least 1.\n");
        exit(2);
    }
    return request;
}

/* Ends the program where an option makes no sense. */
static inline void require(bool sound, const char *sentence)
{
    if (!sound) {
        fprintf(stderr, "%s\n", sentence);
        exit(2);
    }
}

/* 0 for the first of the words that a program knows, 1 for the second, if there is one. */
static inline int strategy_of(const char *word, const char *first, const char *second)
{
    if (strcmp(word, first) == 0)
        return 0;
    if (second && strcmp(word, second) == 0)
        return 1;
    fprintf(stderr, "%s is no strategy; write %s%s%s.\n", word, first, second ? " or " : "",
            second ? second : "");
    exit(2);
}

/* ---- means, spreads and the time ---- */

struct moments {
    double sum, squares;
};

static inline void observe(struct moments *m, double x)
{
    m->sum += x;
    m->squares += x * x;
}

static double mean(struct moments m, double n)
{
    return n > 0 ? m.sum / n : 0;
}

static double spread(struct moments m, double n)
{
    double variance = n > 1 ? (m.squares - m.sum * m.sum / n) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

/* Processor time, in which other programs on the machine do not count. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- counting ---- */

struct tally {
    double start;
    int64_t games, unfinished;
    int seats;
    double wins[MOST_SEATS];
    struct moments score[MOST_SEATS], counts[MOST_COUNTS];
};

/* Starts the clock. */
static struct tally start_tally(const struct request *request)
{
    return (struct tally){.start = now(), .games = request->games, .seats = request->seats};
}

enum better { LOWEST = -1, HIGHEST = 1 };

/* The scores of one game; those who tie for the best share the win. */
static inline void count_scores(struct tally *t, const int64_t *score, enum better better)
{
    int64_t best = score[0];
    int sharing = 0;

    for (int seat = 1; seat < t->seats; seat++)
        if (better == HIGHEST ? score[seat] > best : score[seat] < best)
            best = score[seat];
    for (int seat = 0; seat < t->seats; seat++)
        sharing += score[seat] == best;
    for (int seat = 0; seat < t->seats; seat++) {
        if (score[seat] == best)
            t->wins[seat] += 1.0 / sharing;
        observe(&t->score[seat], (double)score[seat]);
    }
}

/* ---- the report ---- */

/* Stops the clock, and prints.  `counted` names the counts, and ends with NULL. */
static int report(const struct tally *t, const char *const *counted)
{
    double seconds = now() - t->start;
    double n = (double)(t->games - t->unfinished);

    printf("{\"games\": %lld, \"unfinished\": %lld", (long long)t->games, (long long)t->unfinished);
    for (int seat = 0; seat < t->seats; seat++)
        printf("%s%.6f", seat ? ", " : ", \"wins\": [", t->wins[seat]);
    for (int seat = 0; seat < t->seats; seat++)
        printf("%s%.9g", seat ? ", " : "], \"mean_score\": [", mean(t->score[seat], n));
    for (int seat = 0; seat < t->seats; seat++)
        printf("%s%.9g", seat ? ", " : "], \"sd_score\": [", spread(t->score[seat], n));
    printf("]");
    for (int i = 0; counted[i]; i++)
        printf(", \"mean_%s\": %.9g, \"sd_%s\": %.9g", counted[i], mean(t->counts[i], n), counted[i],
               spread(t->counts[i], n));
    printf(", \"seconds\": %.6f}\n", seconds);
    return 0;
}
