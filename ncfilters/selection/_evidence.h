/* What else is asked of columns: texts that may be copies, and the features of quality.py. */

#ifndef NC_SELECTION_EVIDENCE_H
#define NC_SELECTION_EVIDENCE_H

#include "_table.h"

static inline bool is_ascii(const segment_t *segment)
{
    return segment->chars == segment->text.size;
}

static inline unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c | 32 : c;
}

/* Whether a character in ASCII, in lower case, comes of no other character by `str.casefold` but of its capital: digits,
 * punctuation, and the letters that no ligature, sign or letter with a mark is folded to. */
static inline bool is_own_fold(unsigned char c)
{
    const uint32_t others = 1u << ('a' - 'a') | 1u << ('f' - 'a') | 1u << ('h' - 'a') | 1u << ('i' - 'a') | 1u << ('j' - 'a')
        | 1u << ('k' - 'a') | 1u << ('l' - 'a') | 1u << ('n' - 'a') | 1u << ('s' - 'a') | 1u << ('t' - 'a')
        | 1u << ('w' - 'a') | 1u << ('y' - 'a');
    return c > ' ' && !(c >= 'a' && c <= 'z' && others >> (c - 'a') & 1);
}

/* What each byte adds to the number of a text: random numbers for the characters above, 0 for all others. */
static uint64_t fold_numbers[256];

static void fill_fold_numbers(void)
{
    uint64_t state = hash_seed;
    for (int c = 1; c < 0x80; c++) { /* splitmix64 */
        uint64_t number = state += 0x9e3779b97f4a7c15u;
        number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
        number = (number ^ number >> 27) * 0x94d049bb133111ebu;
        if (!is_space((unsigned char)c) && is_own_fold(lower((unsigned char)c)))
            fold_numbers[c] = c == lower((unsigned char)c) ? number ^ number >> 31 : 0;
    }
    for (int c = 'A'; c <= 'Z'; c++)
        fold_numbers[c] = fold_numbers[lower((unsigned char)c)];
}

/* A number that texts have in common that are equal but for case and spaces: of the characters above and their counts. */
static uint64_t fold_number(span_t text)
{
    uint64_t sum = 0;
    for (Py_ssize_t at = 0; at < text.size; at++)
        sum += fold_numbers[(unsigned char)text.data[at]];
    return sum;
}

/* Marks kept texts of at least *least* words that may be copies of each other: of as many words, and with the same
 * number. False without memory. */
static bool mark_copies(const table_t *table, double least, bool *marks)
{
    Py_ssize_t number = 0, room = 16;
    for (Py_ssize_t at = 0; at < table->size; at++)
        number += table->segments[at].kept && table->segments[at].words >= least;
    while (room < 2 * number)
        room *= 2;
    struct {
        uint64_t key;
        Py_ssize_t first; /* segment with the key, and 1 */
    } *places = PyMem_Calloc((size_t)room, sizeof *places);
    for (Py_ssize_t at = 0; places && at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        if (!segment->kept || segment->words < least)
            continue;
        uint64_t key = fold_number(segment->text), words;
        memcpy(&words, &segment->words, sizeof words);
        key = (key ^ (words + hash_seed) * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
        Py_ssize_t place = (Py_ssize_t)(key >> 32) & (room - 1);
        while (places[place].first && places[place].key != key)
            place = (place + 1) & (room - 1);
        if (places[place].first) {
            marks[at] = marks[places[place].first - 1] = true;
        } else {
            places[place].key = key;
            places[place].first = at + 1;
        }
    }
    bool good = places != NULL;
    PyMem_Free(places);
    return good;
}

static inline bool is_word_char(unsigned char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* Whether the `site_name.title_key` of a text in ASCII is this one. */
static bool has_key(span_t text, span_t key)
{
    Py_ssize_t place = 0;
    bool inside = false;
    for (Py_ssize_t at = 0; at < text.size; at++) {
        unsigned char c = lower((unsigned char)text.data[at]);
        if (!is_word_char(c)) {
            inside = false;
            continue;
        }
        if (!inside && place && (place >= key.size || key.data[place++] != ' '))
            return false;
        if (place >= key.size || key.data[place++] != (char)c)
            return false;
        inside = true;
    }
    return place == key.size;
}

/* ---- the features of a page */

enum { FEATURES = 12 };

/* `quality.features`: 1, 0 where no character is kept, -1 without memory or with more characters than can be counted. */
static int features_of(const table_t *table, double *out)
{
    strings_t texts = {NULL, 0, 0, NULL}, places = {NULL, 0, 0, NULL};
    double size = 0, squares = 0, shorter = 0, longer = 0, distinct = 0, hidden = 0, number = 0, visible = 0;
    double unmarked = 0, length = 0;
    Py_ssize_t first = -1, last = -1;
    sum_t between = {0, 0}, around = {0, 0}, positive = {0, 0};
    bool good = true, have_paths = false;
    for (Py_ssize_t at = 0; good && at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        visible += segment->kept || !(segment->flags & EMBEDDED);
        if (!segment->kept)
            continue;
        first = first < 0 ? at : first;
        last = at;
        double chars = (double)segment->chars;
        number++;
        size += chars;
        squares += chars * chars;
        shorter += chars < limits.short_segment ? chars : 0;
        longer += chars >= limits.long_segment ? chars : 0;
        hidden += (segment->flags & HIDDEN) != 0;
        have_paths = have_paths || segment->path.size > 0;
        if (segment->own_score > 0)
            add(&positive, segment->own_score);
        Py_ssize_t slash = slash_before(segment->path, segment->path.size);
        span_t parent = {segment->path.data, slash < 0 ? 0 : slash};
        entry_t *text = entry_of(&texts, segment->text);
        good = text && entry_of(&places, parent);
        if (good && text->all++ == 0)
            distinct += chars;
    }
    double elements = (double)places.size;
    free_strings(&texts);
    free_strings(&places);
    if (!good || squares >= 9007199254740992.0)
        return -1;
    if (size == 0)
        return 0;
    for (Py_ssize_t at = 0; at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        if (!segment->kept && (segment->flags & EMBEDDED))
            continue;
        bool is_between = first <= at && at <= last;
        length += is_between;
        if (segment->flags & RULE)
            continue;
        unmarked += is_between;
        add(is_between ? &between : &around, fabs(segment->own_score));
    }
    double evidence = sum_of(&between) + sum_of(&around), agreement = sum_of(&positive) / evidence;
    out[0] = log(number);
    out[1] = log(size / number);
    out[2] = shorter / size;
    out[3] = longer / size;
    out[4] = log(squares / size);
    out[5] = log(limits.brief_text / (size < limits.brief_text ? size : limits.brief_text));
    out[6] = 1 - distinct / size;
    out[7] = have_paths ? log(elements) : Py_NAN;
    out[8] = hidden / number;
    out[9] = 1 - unmarked / length;
    out[10] = number / visible;
    out[11] = evidence != 0 ? pow(agreement < 1.0 ? agreement : 1.0, two) : Py_NAN;
    return 1;
}

#endif
