/* Sums of rows of weights times values, for the registers that the processor has: those of AVX-512, of AVX2, or others.
 *
 * Sums in double precision, whose order does not matter to what is written. Values that are 0 add nothing.
 */

#ifndef NC_KERNELS_H
#define NC_KERNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define NC_HAS_KERNELS
#include <immintrin.h>
#endif

enum { UNITS = 32 /* of either layer */, NARROW = 8 /* shared units */, MAX_OUTPUTS = 16, MAX_VALUES = 112 /* of one call */ };

/* A row, whose registers are in one line of the cache each: there are as many bytes in a line as in the largest register. */
enum { LINE_BYTES = 64 };
#ifdef __GNUC__
#define IN_LINES __attribute__((aligned(LINE_BYTES)))
#else
#define IN_LINES
#endif
typedef double row_t[UNITS] IN_LINES;

typedef struct {
    /* adds rows times values */
    void (*add)(double *restrict out, const row_t *restrict rows, const double *restrict values, int count);
    /* the same for values within bounds, or without bounds (NULL) */
    void (*add_bounded)(double *restrict out, const row_t *restrict rows, const float *restrict values, int count,
                        const float *restrict low, const float *restrict high);
    /* adds rows that are in several places */
    void (*add_all)(double *restrict out, const double *const *rows, int count);
    /* the positive part of sums */
    void (*rectify)(const double *restrict sums, float *restrict out);
    /* the products of UNITS values */
    void (*share)(double *restrict out, const double (*restrict rows)[NARROW], const float *restrict values);
    /* adds the products of the positive ones of UNITS values */
    void (*finish)(double *restrict out, const double (*restrict rows)[MAX_OUTPUTS], const double *restrict values);
    /* adds so many values times two weights to two sums */
    void (*spread)(double *restrict one, double *restrict other, const float *restrict values, const double weights[2], int count);
} kernels_t;

/* ---- any processor ---- */

static void plain_add(double *restrict out, const row_t *restrict rows, const double *restrict values, int count)
{
    for (int at = 0; at < count; at++)
        for (int unit = 0; unit < UNITS; unit++)
            out[unit] += values[at] * rows[at][unit];
}

static void plain_add_bounded(double *restrict out, const row_t *restrict rows, const float *restrict values, int count,
                              const float *restrict low, const float *restrict high)
{
    for (int at = 0; at < count; at++) {
        float value = values[at];
        if (low) {
            value = value < low[at] ? low[at] : value;
            value = value > high[at] ? high[at] : value;
        }
        for (int unit = 0; value != 0 && unit < UNITS; unit++)
            out[unit] += (double)value * rows[at][unit];
    }
}

static void plain_add_all(double *restrict out, const double *const *rows, int count)
{
    for (int at = 0; at < count; at++)
        for (int unit = 0; unit < UNITS; unit++)
            out[unit] += rows[at][unit];
}

static void plain_rectify(const double *restrict sums, float *restrict out)
{
    for (int unit = 0; unit < UNITS; unit++)
        out[unit] = (float)(sums[unit] > 0 ? sums[unit] : 0);
}

static void plain_share(double *restrict out, const double (*restrict rows)[NARROW], const float *restrict values)
{
    memset(out, 0, NARROW * sizeof *out);
    for (int unit = 0; unit < UNITS; unit++)
        for (int to = 0; to < NARROW; to++)
            out[to] += values[unit] * rows[unit][to];
}

static void plain_finish(double *restrict out, const double (*restrict rows)[MAX_OUTPUTS], const double *restrict values)
{
    for (int unit = 0; unit < UNITS; unit++)
        for (int to = 0; values[unit] > 0 && to < MAX_OUTPUTS; to++)
            out[to] += values[unit] * rows[unit][to];
}

static void plain_spread(double *restrict one, double *restrict other, const float *restrict values, const double weights[2], int count)
{
    for (int at = 0; at < count; at++) {
        one[at] += weights[0] * values[at];
        other[at] += weights[1] * values[at];
    }
}

static const kernels_t plain_kernels = {plain_add, plain_add_bounded, plain_add_all, plain_rectify, plain_share, plain_finish, plain_spread};

static kernels_t kernels;

#ifdef NC_HAS_KERNELS

/* ---- AVX-512: a row is four registers; two sums of each, so that one addition need not wait for another ---- */

#define FOR_AVX512 __attribute__((target("avx512f")))

#define OPEN_SUMS_512(out)                                                                                               \
    __m512d a = _mm512_loadu_pd(out), b = _mm512_loadu_pd((out) + 8), c = _mm512_loadu_pd((out) + 16),                   \
            d = _mm512_loadu_pd((out) + 24), e = _mm512_setzero_pd(), f = e, g = e, h = e
#define ADD_512(value, row, p, q, r, s)                                                                                  \
    do {                                                                                                                 \
        __m512d times = _mm512_set1_pd(value);                                                                           \
        const double *from = (row);                                                                                      \
        p = _mm512_fmadd_pd(times, _mm512_loadu_pd(from), p);                                                            \
        q = _mm512_fmadd_pd(times, _mm512_loadu_pd(from + 8), q);                                                        \
        r = _mm512_fmadd_pd(times, _mm512_loadu_pd(from + 16), r);                                                       \
        s = _mm512_fmadd_pd(times, _mm512_loadu_pd(from + 24), s);                                                       \
    } while (0)
#define CLOSE_SUMS_512(out)                                                                                              \
    do {                                                                                                                 \
        _mm512_storeu_pd(out, _mm512_add_pd(a, e));                                                                      \
        _mm512_storeu_pd((out) + 8, _mm512_add_pd(b, f));                                                                \
        _mm512_storeu_pd((out) + 16, _mm512_add_pd(c, g));                                                               \
        _mm512_storeu_pd((out) + 24, _mm512_add_pd(d, h));                                                               \
    } while (0)

FOR_AVX512
static void add_512(double *restrict out, const row_t *restrict rows, const double *restrict values, int count)
{
    OPEN_SUMS_512(out);
    int at = 0;
    for (; at + 2 <= count; at += 2) {
        ADD_512(values[at], rows[at], a, b, c, d);
        ADD_512(values[at + 1], rows[at + 1], e, f, g, h);
    }
    if (at < count)
        ADD_512(values[at], rows[at], a, b, c, d);
    CLOSE_SUMS_512(out);
}

FOR_AVX512
static void add_bounded_512(double *restrict out, const row_t *restrict rows, const float *restrict values, int count,
                            const float *restrict low, const float *restrict high)
{
    struct { /* the values that are not 0, and the numbers of their rows, with room for a register more */
        uint32_t at[MAX_VALUES + 16];
        float values[MAX_VALUES + 16];
    } found;
    __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    int size = 0;
    for (int start = 0; start < count; start += 16, numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16))) {
        __mmask16 there = count - start >= 16 ? 0xFFFF : (__mmask16)((1u << (count - start)) - 1);
        __m512 part = _mm512_maskz_loadu_ps(there, values + start);
        if (low) {
            part = _mm512_max_ps(_mm512_maskz_loadu_ps(there, low + start), part);
            part = _mm512_min_ps(_mm512_maskz_loadu_ps(there, high + start), part);
        }
        __mmask16 kept = _mm512_mask_cmp_ps_mask(there, part, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        _mm512_storeu_ps(found.values + size, _mm512_maskz_compress_ps(kept, part));
        _mm512_storeu_si512(found.at + size, _mm512_maskz_compress_epi32(kept, numbers));
        size += __builtin_popcount(kept);
    }
    OPEN_SUMS_512(out);
    int at = 0;
    for (; at + 2 <= size; at += 2) {
        ADD_512((double)found.values[at], rows[found.at[at]], a, b, c, d);
        ADD_512((double)found.values[at + 1], rows[found.at[at + 1]], e, f, g, h);
    }
    if (at < size)
        ADD_512((double)found.values[at], rows[found.at[at]], a, b, c, d);
    CLOSE_SUMS_512(out);
}

FOR_AVX512
static void add_all_512(double *restrict out, const double *const *rows, int count)
{
    OPEN_SUMS_512(out);
    for (int at = 0; at < count; at++) {
        a = _mm512_add_pd(a, _mm512_loadu_pd(rows[at]));
        b = _mm512_add_pd(b, _mm512_loadu_pd(rows[at] + 8));
        c = _mm512_add_pd(c, _mm512_loadu_pd(rows[at] + 16));
        d = _mm512_add_pd(d, _mm512_loadu_pd(rows[at] + 24));
    }
    CLOSE_SUMS_512(out);
}

FOR_AVX512
static void rectify_512(const double *restrict sums, float *restrict out)
{
    for (int unit = 0; unit < UNITS; unit += 8)
        _mm256_storeu_ps(out + unit, _mm512_cvtpd_ps(_mm512_max_pd(_mm512_loadu_pd(sums + unit), _mm512_setzero_pd())));
}

FOR_AVX512
static void share_512(double *restrict out, const double (*restrict rows)[NARROW], const float *restrict values)
{
    __m512d sums[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()};
    for (int unit = 0; unit < UNITS; unit += 4)
        for (int at = 0; at < 4; at++)
            sums[at] = _mm512_fmadd_pd(_mm512_set1_pd((double)values[unit + at]), _mm512_loadu_pd(rows[unit + at]), sums[at]);
    _mm512_storeu_pd(out, _mm512_add_pd(_mm512_add_pd(sums[0], sums[1]), _mm512_add_pd(sums[2], sums[3])));
}

FOR_AVX512
static void finish_512(double *restrict out, const double (*restrict rows)[MAX_OUTPUTS], const double *restrict values)
{
    __m512d a = _mm512_loadu_pd(out), b = _mm512_loadu_pd(out + 8), c = _mm512_setzero_pd(), d = c;
    for (int unit = 0; unit < UNITS; unit += 2) {
        __m512d one = _mm512_max_pd(_mm512_set1_pd(values[unit]), _mm512_setzero_pd());
        __m512d other = _mm512_max_pd(_mm512_set1_pd(values[unit + 1]), _mm512_setzero_pd());
        a = _mm512_fmadd_pd(one, _mm512_loadu_pd(rows[unit]), a);
        b = _mm512_fmadd_pd(one, _mm512_loadu_pd(rows[unit] + 8), b);
        c = _mm512_fmadd_pd(other, _mm512_loadu_pd(rows[unit + 1]), c);
        d = _mm512_fmadd_pd(other, _mm512_loadu_pd(rows[unit + 1] + 8), d);
    }
    _mm512_storeu_pd(out, _mm512_add_pd(a, c));
    _mm512_storeu_pd(out + 8, _mm512_add_pd(b, d));
}

FOR_AVX512
static void spread_512(double *restrict one, double *restrict other, const float *restrict values, const double weights[2], int count)
{
    __m512d first = _mm512_set1_pd(weights[0]), second = _mm512_set1_pd(weights[1]);
    for (int at = 0; at < count; at += 8) {
        __mmask8 there = count - at >= 8 ? 0xFF : (__mmask8)((1u << (count - at)) - 1);
        __m512d part = _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_maskz_loadu_ps(there, values + at)));
        _mm512_mask_storeu_pd(one + at, there, _mm512_fmadd_pd(first, part, _mm512_maskz_loadu_pd(there, one + at)));
        _mm512_mask_storeu_pd(other + at, there, _mm512_fmadd_pd(second, part, _mm512_maskz_loadu_pd(there, other + at)));
    }
}

/* ---- AVX2: a row is eight registers ---- */

#define FOR_AVX2 __attribute__((target("avx2,fma")))

#define OPEN_SUMS_256(out)                                                                                               \
    __m256d a = _mm256_loadu_pd(out), b = _mm256_loadu_pd((out) + 4), c = _mm256_loadu_pd((out) + 8),                    \
            d = _mm256_loadu_pd((out) + 12), e = _mm256_loadu_pd((out) + 16), f = _mm256_loadu_pd((out) + 20),           \
            g = _mm256_loadu_pd((out) + 24), h = _mm256_loadu_pd((out) + 28)
#define ADD_256(value, row)                                                                                              \
    do {                                                                                                                 \
        __m256d times = _mm256_set1_pd(value);                                                                           \
        const double *from = (row);                                                                                      \
        a = _mm256_fmadd_pd(times, _mm256_loadu_pd(from), a), b = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 4), b);  \
        c = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 8), c);                                                        \
        d = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 12), d);                                                       \
        e = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 16), e);                                                       \
        f = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 20), f);                                                       \
        g = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 24), g);                                                       \
        h = _mm256_fmadd_pd(times, _mm256_loadu_pd(from + 28), h);                                                       \
    } while (0)
#define CLOSE_SUMS_256(out)                                                                                              \
    do {                                                                                                                 \
        _mm256_storeu_pd(out, a), _mm256_storeu_pd((out) + 4, b), _mm256_storeu_pd((out) + 8, c);                        \
        _mm256_storeu_pd((out) + 12, d), _mm256_storeu_pd((out) + 16, e), _mm256_storeu_pd((out) + 20, f);               \
        _mm256_storeu_pd((out) + 24, g), _mm256_storeu_pd((out) + 28, h);                                                \
    } while (0)

FOR_AVX2
static void add_256(double *restrict out, const row_t *restrict rows, const double *restrict values, int count)
{
    OPEN_SUMS_256(out);
    for (int at = 0; at < count; at++)
        ADD_256(values[at], rows[at]);
    CLOSE_SUMS_256(out);
}

FOR_AVX2
static void add_bounded_256(double *restrict out, const row_t *restrict rows, const float *restrict values, int count,
                            const float *restrict low, const float *restrict high)
{
    float kept[8];
    OPEN_SUMS_256(out);
    for (int start = 0; start < count; start += 8) {
        int size = count - start < 8 ? count - start : 8;
        __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(size), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256 part = _mm256_maskload_ps(values + start, there);
        if (low) {
            part = _mm256_max_ps(_mm256_maskload_ps(low + start, there), part);
            part = _mm256_min_ps(_mm256_maskload_ps(high + start, there), part);
        }
        _mm256_storeu_ps(kept, part);
        unsigned found = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(part, _mm256_setzero_ps(), _CMP_NEQ_UQ));
        for (; found; found &= found - 1) {
            int at = __builtin_ctz(found);
            ADD_256((double)kept[at], rows[start + at]);
        }
    }
    CLOSE_SUMS_256(out);
}

FOR_AVX2
static void add_all_256(double *restrict out, const double *const *rows, int count)
{
    OPEN_SUMS_256(out);
    for (int at = 0; at < count; at++)
        ADD_256(1.0, rows[at]);
    CLOSE_SUMS_256(out);
}

FOR_AVX2
static void rectify_256(const double *restrict sums, float *restrict out)
{
    for (int unit = 0; unit < UNITS; unit += 4)
        _mm_storeu_ps(out + unit, _mm256_cvtpd_ps(_mm256_max_pd(_mm256_loadu_pd(sums + unit), _mm256_setzero_pd())));
}

FOR_AVX2
static void share_256(double *restrict out, const double (*restrict rows)[NARROW], const float *restrict values)
{
    __m256d a = _mm256_setzero_pd(), b = a, c = a, d = a;
    for (int unit = 0; unit < UNITS; unit += 2) {
        __m256d one = _mm256_set1_pd((double)values[unit]), other = _mm256_set1_pd((double)values[unit + 1]);
        a = _mm256_fmadd_pd(one, _mm256_loadu_pd(rows[unit]), a), b = _mm256_fmadd_pd(one, _mm256_loadu_pd(rows[unit] + 4), b);
        c = _mm256_fmadd_pd(other, _mm256_loadu_pd(rows[unit + 1]), c);
        d = _mm256_fmadd_pd(other, _mm256_loadu_pd(rows[unit + 1] + 4), d);
    }
    _mm256_storeu_pd(out, _mm256_add_pd(a, c));
    _mm256_storeu_pd(out + 4, _mm256_add_pd(b, d));
}

FOR_AVX2
static void finish_256(double *restrict out, const double (*restrict rows)[MAX_OUTPUTS], const double *restrict values)
{
    __m256d a = _mm256_loadu_pd(out), b = _mm256_loadu_pd(out + 4), c = _mm256_loadu_pd(out + 8), d = _mm256_loadu_pd(out + 12);
    for (int unit = 0; unit < UNITS; unit++) {
        __m256d value = _mm256_max_pd(_mm256_set1_pd(values[unit]), _mm256_setzero_pd());
        a = _mm256_fmadd_pd(value, _mm256_loadu_pd(rows[unit]), a), b = _mm256_fmadd_pd(value, _mm256_loadu_pd(rows[unit] + 4), b);
        c = _mm256_fmadd_pd(value, _mm256_loadu_pd(rows[unit] + 8), c);
        d = _mm256_fmadd_pd(value, _mm256_loadu_pd(rows[unit] + 12), d);
    }
    _mm256_storeu_pd(out, a), _mm256_storeu_pd(out + 4, b), _mm256_storeu_pd(out + 8, c), _mm256_storeu_pd(out + 12, d);
}

FOR_AVX2
static void spread_256(double *restrict one, double *restrict other, const float *restrict values, const double weights[2], int count)
{
    __m256d first = _mm256_set1_pd(weights[0]), second = _mm256_set1_pd(weights[1]);
    int at = 0;
    for (; at + 4 <= count; at += 4) {
        __m256d part = _mm256_cvtps_pd(_mm_loadu_ps(values + at));
        _mm256_storeu_pd(one + at, _mm256_fmadd_pd(first, part, _mm256_loadu_pd(one + at)));
        _mm256_storeu_pd(other + at, _mm256_fmadd_pd(second, part, _mm256_loadu_pd(other + at)));
    }
    plain_spread(one + at, other + at, values + at, weights, count - at);
}

/* Chooses the kernels for the processor in use, at most those of a level: 0 for any processor, 1 for AVX2, 2 for AVX-512.
 * Returns their level. */
static int choose_kernels(int most)
{
    __builtin_cpu_init();
    kernels = plain_kernels;
    if (most >= 2 && __builtin_cpu_supports("avx512f")) {
        kernels = (kernels_t){add_512, add_bounded_512, add_all_512, rectify_512, share_512, finish_512, spread_512};
        return 2;
    }
    if (most >= 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        kernels = (kernels_t){add_256, add_bounded_256, add_all_256, rectify_256, share_256, finish_256, spread_256};
        return 1;
    }
    return 0;
}

#else

static int choose_kernels(int most)
{
    (void)most;
    kernels = plain_kernels;
    return 0;
}

#endif

#endif
