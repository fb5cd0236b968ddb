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

static inline bool is_space(unsigned char c)
{
    return c <= ' ' && (c == ' ' || (c >= 9 && c <= 13) || c >= 0x1c);
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

/* Writes what texts have in common that are equal but for case and spaces: of each word the characters above. */
static span_t signature(span_t text, char *out)
{
    const unsigned char *at = (const unsigned char *)text.data, *end = at + text.size;
    char *to = out;
    bool inside = false;
    while (at < end) {
        bool is_ascii = *at < 0x80;
        unsigned char c = is_ascii ? lower(*at) : 0;
        Py_UCS4 character = next_character(&at);
        if (is_ascii ? is_space(c) : Py_UNICODE_ISSPACE(character)) {
            if (inside)
                *to++ = ' ';
            inside = false;
            continue;
        }
        inside = true;
        if (is_ascii && is_own_fold(c))
            *to++ = (char)c;
    }
    if (to > out && to[-1] == ' ' && !inside)
        to--;
    return (span_t){out, to - out};
}

/* Marks kept texts of at least *least* words that may be copies of each other. False without memory. */
static bool mark_copies(const table_t *table, double least, bool *marks)
{
    strings_t counts = {NULL, 0, 0, NULL}, texts = {NULL, 0, 0, NULL};
    Py_ssize_t size = 0;
    bool good = true;
    for (Py_ssize_t at = 0; good && at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        if (!segment->kept || segment->words < least)
            continue;
        entry_t *count = entry_of(&counts, (span_t){(const char *)&segment->words, sizeof segment->words});
        if ((good = count != NULL))
            count->all += 1;
        size += segment->text.size;
    }
    char *buffer = good ? PyMem_Malloc((size_t)size + 1) : NULL, *to = buffer;
    good = buffer != NULL;
    for (Py_ssize_t at = 0; good && at < table->size; at++) {
        const segment_t *segment = &table->segments[at];
        if (!segment->kept || segment->words < least)
            continue;
        entry_t *count = entry_of(&counts, (span_t){(const char *)&segment->words, sizeof segment->words});
        if (!(good = count != NULL) || count->all < 2)
            continue;
        span_t text = signature(segment->text, to);
        to += text.size;
        entry_t *same = entry_of(&texts, text);
        if (!(good = same != NULL))
            break;
        if (same->all > 0)
            marks[at] = marks[(Py_ssize_t)same->all - 1] = true;
        else
            same->all = (double)(at + 1);
    }
    PyMem_Free(buffer);
    free_strings(&counts);
    free_strings(&texts);
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
        span_t parent = segment->path;
        while (parent.size > 0 && parent.data[parent.size - 1] != '/')
            parent.size--;
        parent.size -= parent.size > 0;
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
