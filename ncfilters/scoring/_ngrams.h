/* Character n-gram models: as char_ngram/odds_table.py and char_ngram/model.py, sums in the order of numpy. */

#ifndef NC_NGRAMS_H
#define NC_NGRAMS_H

#include <math.h>

#include "_words.h"

enum { MAX_ORDER = 8, AT_ONCE = 4096, PAIRWISE_BLOCK = 128, PAIRWISE_LANES = 8, SMALLEST_TABLE = 16 };
#define DENSE_CELLS ((uint64_t)1 << 20)
#define UNKNOWN_SYMBOL 0xFFFFu
#define SYMBOL_PAGES (0x110000 >> 8)

/* An n-gram that was seen, and its odds. A key beyond any n-gram is that of an empty slot. */
typedef struct {
    uint32_t low, high;
    float odds;
} slot_t;

typedef struct {
    slot_t *slots;
    uint64_t mask;
} slots_t;

typedef struct {
    int n, dense; /* the length of n-grams, and of those in the dense table */
    uint32_t size; /* of the alphabet */
    double q, bias, context;
    uint64_t sizes[MAX_ORDER + 1]; /* powers of the size of the alphabet */
    float *odds; /* of the n-grams of the length `dense`; NULL before the first text */
    slots_t longer[MAX_ORDER + 1]; /* of longer ones that were seen, by their length */
    uint16_t ascii[128], *others[SYMBOL_PAGES]; /* symbols of characters */
    int32_t other; /* that of all others; -1 if they have several */
} ngrams_t;

/* ---- sums in the order of numpy ---- */

#define DEFINE_PAIRWISE(name, type)                                                                                  \
    static type name(const type *at, size_t count)                                                                   \
    {                                                                                                                \
        if (count < PAIRWISE_LANES) {                                                                                \
            type sum = (type)-0.0;                                                                                   \
            for (size_t place = 0; place < count; place++)                                                           \
                sum += at[place];                                                                                    \
            return sum;                                                                                              \
        }                                                                                                            \
        if (count > PAIRWISE_BLOCK) {                                                                                \
            size_t half = count / 2 / PAIRWISE_LANES * PAIRWISE_LANES;                                               \
            return name(at, half) + name(at + half, count - half);                                                   \
        }                                                                                                            \
        type lanes[PAIRWISE_LANES];                                                                                  \
        size_t place = PAIRWISE_LANES;                                                                               \
        memcpy(lanes, at, sizeof lanes);                                                                             \
        for (; place + PAIRWISE_LANES <= count; place += PAIRWISE_LANES)                                             \
            for (int lane = 0; lane < PAIRWISE_LANES; lane++)                                                        \
                lanes[lane] += at[place + (size_t)lane];                                                             \
        type sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])); \
        for (; place < count; place++)                                                                               \
            sum += at[place];                                                                                        \
        return sum;                                                                                                  \
    }

DEFINE_PAIRWISE(sum_floats, float)
DEFINE_PAIRWISE(sum_doubles, double)

/* ---- the tables ---- */

static inline uint64_t key_in(const slot_t *slot)
{
    return (uint64_t)slot->high << 32 | slot->low;
}

static inline uint64_t slot_for(const slots_t *table, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    return (hash ^ hash >> 32) & table->mask;
}

/* The slot of an n-gram, an empty one if it was not seen. */
static inline slot_t *find_slot(const slots_t *table, uint64_t key)
{
    uint64_t at = slot_for(table, key);
    while (table->slots[at].high != UINT32_MAX && key_in(&table->slots[at]) != key)
        at = (at + 1) & table->mask;
    return &table->slots[at];
}

static bool make_slots(slots_t *table, size_t count)
{
    uint64_t slots = SMALLEST_TABLE;
    while (slots < 2 * count)
        slots *= 2;
    table->mask = slots - 1;
    if ((table->slots = malloc(slots * sizeof(slot_t))))
        memset(table->slots, 0xFF, slots * sizeof(slot_t));
    return table->slots != NULL;
}

static void free_tables(ngrams_t *of)
{
    free(of->odds);
    of->odds = NULL;
    for (int order = 0; order <= MAX_ORDER; order++) {
        free(of->longer[order].slots);
        of->longer[order].slots = NULL;
    }
}

/* Equation 1: the share of a count, and the sum for the shorter history. */
static inline double add_order(double count, double total, double q, double shorter)
{
    double share = total > 0 ? count / total : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return share + q * shorter;
}

/* The sums of equation 1 for all n-grams of a length that is dense, in place of their counts; false without memory. */
static bool sum_dense(const ngrams_t *of, double *counts)
{
    uint64_t cells = of->sizes[of->dense], size = of->size;
    double *sums[2] = {malloc(cells * sizeof(double)), malloc(cells * sizeof(double))}, *own = malloc(cells * sizeof(double));
    bool good = sums[0] && sums[1] && own;
    for (int order = 1; good && order <= of->dense; order++) {
        uint64_t here = of->sizes[order];
        const double *shorter = sums[order & 1], *count = counts;
        double *out = order == of->dense ? counts : sums[~order & 1];
        if (order < of->dense) { /* the longest are counted; of others, by their ending */
            memcpy(own, counts, here * sizeof(double));
            for (uint64_t cell = here, at = 0; cell < cells; cell++, at = at + 1 == here ? 0 : at + 1)
                own[at] += counts[cell];
            count = own;
        }
        double total = order == 1 ? sum_doubles(count, here) : 0, all = (total > 0 ? total : 0) + (double)here;
        for (uint64_t history = 0, cell = 0, ending = 0; history < here / size; history++) {
            if (order > 1)
                total = sum_doubles(count + cell, size);
            for (uint64_t last = 0; last < size; last++, cell++) {
                if (order > 1) {
                    out[cell] = add_order(count[cell], total, of->q, shorter[ending]);
                    ending = ending + 1 == of->sizes[order - 1] ? 0 : ending + 1;
                } else {
                    double share = (count[cell] + 1) / all, least = 1 / (1e9 + (double)here);
                    out[cell] = share < least ? least : share > 1 ? 1 : share;
                }
            }
        }
    }
    free(sums[0]);
    free(sums[1]);
    free(own);
    return good;
}

/* Counts of n-grams of a length beyond the dense one, by their number: in clean text and in boilerplate. */
typedef struct {
    pairs_t keys, histories;
    double (*counts)[2], (*totals)[2], (*sums)[2];
} order_t;

static inline uint32_t enter_key(pairs_t *pairs, uint64_t key)
{
    return enter_pair(pairs, (uint32_t)(key >> 32), (uint32_t)key);
}

static bool make_order(order_t *order, arena_t *arena, size_t count)
{
    order->counts = take_zeros(arena, (count + 1) * sizeof *order->counts);
    order->totals = take_zeros(arena, (count + 1) * sizeof *order->totals);
    order->sums = take(arena, (count + 1) * sizeof *order->sums);
    return make_pairs(&order->keys, arena, count + 1) && make_pairs(&order->histories, arena, count + 1) && order->counts
        && order->totals && order->sums;
}

/* The odds of the n-grams of a length beyond the dense one that were seen. *shorter*: those of the length before, or the
 * dense sums. */
static bool add_longer(
    ngrams_t *of, int length, order_t *own, order_t *shorter, double *const dense[2], const int64_t *keys,
    const float *const counts[2], size_t count
)
{
    for (size_t at = 0; at < count; at++) {
        uint32_t number = enter_key(&own->keys, (uint64_t)keys[at] % of->sizes[length]);
        for (int class = 0; class < 2; class++)
            own->counts[number][class] += counts[class][at];
    }
    for (uint32_t number = 0; number < own->keys.count; number++) {
        uint32_t history = enter_key(&own->histories, own->keys.keys[number] / of->size);
        for (int class = 0; class < 2; class++)
            own->totals[history][class] += own->counts[number][class];
    }
    if (!make_slots(&of->longer[length], own->keys.count))
        return false;
    for (uint32_t number = 0; number < own->keys.count; number++) {
        uint64_t key = own->keys.keys[number], ending = key % of->sizes[length - 1];
        uint32_t history = enter_key(&own->histories, key / of->size);
        for (int class = 0; class < 2; class++) {
            double less = shorter ? shorter->sums[enter_key(&shorter->keys, ending)][class] : dense[class][ending];
            own->sums[number][class] = add_order(own->counts[number][class], own->totals[history][class], of->q, less);
        }
        *find_slot(&of->longer[length], key) = (slot_t){
            (uint32_t)key, (uint32_t)(key >> 32), (float)log2(own->sums[number][0] / own->sums[number][1]),
        };
    }
    return true;
}

/* Computes the odds from the counts of n-grams; false without memory. */
static bool make_odds(ngrams_t *of, const int64_t *keys, const float *const counts[2], size_t count)
{
    uint64_t cells = of->sizes[of->dense];
    double *dense[2] = {calloc(cells, sizeof(double)), calloc(cells, sizeof(double))};
    float *odds = malloc(cells * sizeof(float));
    arena_t arena = {NULL};
    order_t orders[MAX_ORDER + 1];
    bool good = dense[0] && dense[1] && odds;
    for (int class = 0; good && class < 2; class++) {
        for (size_t at = 0; at < count; at++)
            dense[class][(uint64_t)keys[at] % cells] += counts[class][at];
        good = sum_dense(of, dense[class]);
    }
    for (uint64_t cell = 0; good && cell < cells; cell++)
        odds[cell] = (float)log2(dense[0][cell] / dense[1][cell]);
    for (int length = of->dense + 1; good && length <= of->n; length++)
        good = make_order(&orders[length], &arena, count)
            && add_longer(of, length, &orders[length], length - 1 > of->dense ? &orders[length - 1] : NULL, dense, keys,
                          counts, count);
    free(dense[0]);
    free(dense[1]);
    release(&arena);
    free(arena.blocks);
    of->odds = odds;
    if (!good)
        free_tables(of);
    return good;
}

/* ---- scores ---- */

/* Memory for the scoring of texts of up to so many characters. */
typedef struct {
    uint16_t *codes;
    float *odds;
    uint64_t keys[AT_ONCE];
    uint32_t narrow[AT_ONCE];
} scratch_t;

static scratch_t *make_scratch(const ngrams_t *of, size_t chars, arena_t *arena)
{
    scratch_t *scratch = take(arena, sizeof *scratch);
    size_t edges = (size_t)of->n; /* n - 1 before a text and one behind it, or one and one */
    if (!scratch || !(scratch->codes = take(arena, (chars + edges + 1) * sizeof *scratch->codes))
        || !(scratch->odds = take(arena, (chars + 1) * sizeof *scratch->odds)))
        return NULL;
    return scratch;
}

/* The symbol of a character beyond ASCII, which *symbol_of* numbers; UNKNOWN_SYMBOL with an exception. */
static uint32_t symbol_of_character(ngrams_t *of, uint32_t code, PyObject *symbol_of)
{
    uint16_t **page = &of->others[code >> 8];
    if (!*page) {
        if (!(*page = malloc(256 * sizeof **page)))
            return UNKNOWN_SYMBOL;
        memset(*page, 0xFF, 256 * sizeof **page);
    }
    uint16_t *symbol = &(*page)[code & 0xFF];
    if (*symbol == UNKNOWN_SYMBOL) {
        PyObject *number = PyObject_CallFunction(symbol_of, "I", code);
        long value = number ? PyLong_AsLong(number) : -1;
        Py_XDECREF(number);
        if (value >= 0 && value < (long)of->size)
            *symbol = (uint16_t)value;
    }
    return *symbol;
}

/* Writes the symbols of a text behind the edges, and the edge that ends it. Returns their number, without the edges
 * before; 0 if it failed. */
static size_t read_symbols(ngrams_t *of, bytes_t text, scratch_t *scratch, PyObject *symbol_of)
{
    uint16_t *start = scratch->codes, *to = start;
    for (int edge = 1; edge < of->n; edge++)
        *to++ = 0;
    start = to;
    for (const uint8_t *at = text.at, *end = at + text.size; at < end;) {
        if (*at < 0x80) {
            *to++ = of->ascii[*at++];
        } else if (of->other >= 0) {
            *to++ = (uint16_t)of->other;
            for (at++; at < end && continues(*at);)
                at++;
        } else {
            uint32_t symbol = symbol_of_character(of, next_character(&at), symbol_of);
            if (symbol == UNKNOWN_SYMBOL)
                return 0;
            *to++ = (uint16_t)symbol;
        }
    }
    *to++ = 0;
    return (size_t)(to - start);
}

static inline __attribute__((always_inline)) void fill_keys(
    const uint16_t *restrict codes, size_t count, const int n, uint32_t size, uint32_t *restrict keys
)
{
    for (size_t at = 0; at < count; at++) {
        uint32_t key = codes[at];
        for (int place = 1; place < n; place++)
            key = key * size + codes[at + (size_t)place];
        keys[at] = key;
    }
}

/* The keys of n-grams, where these fit into 32 bits. */
FOR_NEW_PROCESSORS
static void narrow_keys(const uint16_t *restrict codes, size_t count, int n, uint32_t size, uint32_t *restrict keys)
{
    switch (n) { /* loops of known length become instructions on many keys */
    case 2: fill_keys(codes, count, 2, size, keys); break;
    case 3: fill_keys(codes, count, 3, size, keys); break;
    case 4: fill_keys(codes, count, 4, size, keys); break;
    case 5: fill_keys(codes, count, 5, size, keys); break;
    case 6: fill_keys(codes, count, 6, size, keys); break;
    default: fill_keys(codes, count, n, size, keys);
    }
}

/* The same for any n-grams. */
static void wide_keys(const ngrams_t *of, const uint16_t *codes, size_t count, uint64_t *keys)
{
    uint64_t history = 0, largest = of->sizes[of->n - 1];
    for (int place = 0; place + 1 < of->n; place++)
        history = history * of->size + codes[place];
    for (size_t at = 0; at < count; at++) {
        keys[at] = history * of->size + codes[at + (size_t)of->n - 1];
        history = keys[at] - codes[at] * largest;
    }
}

static inline uint64_t ending_of(const ngrams_t *of, uint64_t key, int order)
{
    if (key < of->sizes[order])
        return key;
    return key <= UINT32_MAX ? (uint32_t)key % (uint32_t)of->sizes[order] : key % of->sizes[order];
}

/* The odds of the longest ending of each n-gram that was seen. */
static void look_up(const ngrams_t *of, const uint64_t *keys, size_t count, float *out)
{
    enum { AHEAD = 16 };
    const slots_t *first = &of->longer[of->n];
    for (size_t at = 0; at < count; at++) {
        if (at + AHEAD < count)
            __builtin_prefetch(&first->slots[slot_for(first, keys[at + AHEAD])]);
        const slot_t *slot = find_slot(first, keys[at]);
        int order = of->n;
        uint64_t key = keys[at];
        while (slot->high == UINT32_MAX && --order > of->dense) {
            key = ending_of(of, key, order);
            slot = find_slot(&of->longer[order], key);
        }
        out[at] = order > of->dense ? slot->odds : of->odds[ending_of(of, key, of->dense)];
    }
}

/* The log2 odds of a text, without bias and context; false with an exception or without memory. */
static bool score_text(ngrams_t *of, bytes_t text, scratch_t *scratch, PyObject *symbol_of, float *out)
{
    size_t count = read_symbols(of, text, scratch, symbol_of);
    for (size_t start = 0; start < count; start += AT_ONCE) {
        size_t part = count - start < AT_ONCE ? count - start : AT_ONCE;
        const uint16_t *codes = scratch->codes + start;
        float *odds = scratch->odds + start;
        if (of->n == of->dense) {
            narrow_keys(codes, part, of->n, of->size, scratch->narrow);
            for (size_t at = 0; at < part; at++)
                odds[at] = of->odds[scratch->narrow[at]];
        } else {
            wide_keys(of, codes, part, scratch->keys);
            look_up(of, scratch->keys, part, odds);
        }
    }
    if (count)
        *out = count > 1 ? scratch->odds[0] + sum_floats(scratch->odds + 1, count - 1) : scratch->odds[0];
    return count > 0;
}

static inline double within(double value, double most)
{
    double above = value < -most ? -most : value;
    return above > most ? most : above;
}

/* A score in hundredths, as `round(score, 2)` rounds it. */
static double hundredths_of(double score)
{
    double exact = score * 100, near = rint(exact);
    if (fabs(exact - near) < 0.499 || fabs(score) > 1e12)
        return near;
    char *digits = PyOS_double_to_string(score, 'f', 2, 0, NULL);
    if (!digits)
        return near;
    near = rint(strtod(digits, NULL) * 100);
    PyMem_Free(digits);
    return near;
}

/* Adds the context to the scores of a page (see `neighbour_smoothing`), which are hundredths. *visible*: the places of
 * segments that have neighbours; *marked*: by a rule. */
static bool smooth(const ngrams_t *of, double *scores, const uint32_t *visible, const bool *marked, uint32_t count, arena_t *arena)
{
    double *before = take(arena, (count + 1) * sizeof(double)), message = -of->context;
    if (!before)
        return false;
    for (uint32_t at = 0; at < count; at++) {
        double own = marked[at] ? -of->context : scores[visible[at]] / 100;
        before[at] = message;
        message = within(own + message, of->context);
    }
    message = -of->context;
    for (uint32_t at = count; at-- > 0;) {
        double *score = &scores[visible[at]], value = *score / 100, own = marked[at] ? -of->context : value;
        *score = hundredths_of(value + before[at] + message);
        message = within(own + message, of->context);
    }
    return true;
}

#endif
