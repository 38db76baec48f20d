/* Chance for the C programs of all contests, and what else they share.
 * Everything is static, so that each program is compiled as one text.
 */
#include "report.h"

struct rng {
    uint64_t s[4];
};

static inline uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Every game has its own stream, so that game k is the same game in any order. */
static inline void rng_seed(struct rng *rng, uint64_t seed, uint64_t game_number)
{
    uint64_t x = seed;
    x = splitmix64(&x) ^ game_number;
    for (int i = 0; i < 4; i++)
        rng->s[i] = splitmix64(&x);
}

static inline uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* xoshiro256++ by Blackman and Vigna */
static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotl(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

/* Lemire's multiply-shift; the rejection makes it exactly even. */
static inline uint32_t rng_below(struct rng *rng, uint32_t n)
{
    uint64_t m = (rng_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t unfair = -n % n;
        while ((uint32_t)m < unfair)
            m = (rng_next(rng) >> 32) * n;
    }
    return m >> 32;
}
