/* The segments of a page as columns: from dictionaries (`_core.c`), or from a line of JSON (`_json.h`).
 *
 * Strings are UTF-8. What is not of the usual type, or not in the usual range, is not read: then the Python code does the
 * whole page, errors included.
 */

#ifndef NC_SELECTION_TABLE_H
#define NC_SELECTION_TABLE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../text/_json.h"

typedef struct {
    const char *data;
    Py_ssize_t size;
} span_t;

/* Flags of a segment. */
enum { RULE = 1, EMBEDDED = 2, HIDDEN = 4, MARKER = 8, ROW = 16, UNSEEN = 32, PRE = 64, LINES = 128, SENTENCE = 256 };

/* The class that jusText's rules gave a segment. */
enum { NO_CLASS, BAD, SHORT, NEARGOOD, GOOD, OTHER_CLASS };

typedef struct {
    span_t text, path;
    Py_ssize_t chars; /* of the text */
    double words, own_score, score /* under the content policy */, role_probability;
    Py_ssize_t start, end; /* of its object in the line */
    unsigned char type, role, class;
    bool kept;
    unsigned short flags;
} segment_t;

typedef struct {
    PyObject_HEAD
    PyObject *line; /* bytes, if the columns are from a line */
    PyObject *dicts; /* the dictionaries that they are from, then their strings, which the columns are views of */
    PyObject *shown, *scores; /* capsules that they are from */
    char *arena; /* the strings of the line that have escapes */
    segment_t *segments;
    Py_ssize_t size;
    bool has_roles, has_markup;
} table_t;

/* What `setup` gets from the Python modules; names and reasons are there. */
static struct {
    double min_expected_f, small_page_words;
    double empty_heading_score, heading_score, headed_text_score;
    double min_rows, row_share, page_share, table_share, definition_share, list_agreement;
    double min_words, max_words, kept_share, own_share, container_score;
    double outside_probability, short_segment, long_segment, brief_text;
    long heading_wrappers, lowest_level, other_roles;
} limits;

enum { MAX_ROLES = 16, MAX_RANGES = 32 };
static struct {
    int size;
    char names[MAX_ROLES][24];
} roles;
/* Characters of scripts without spaces between words, and how many make a word. */
static struct {
    int size;
    Py_UCS4 first[MAX_RANGES], last[MAX_RANGES];
    double chars_per_word;
} unspaced;

/* The path of a segment that has none. */
static const char no_path[] = "";

/* Scores beyond this are clipped by `expected_f`. */
static const double MAX_SCORE = 1000.0;

static inline bool is_span(span_t span, const char *value, size_t size)
{
    return span.size == (Py_ssize_t)size && memcmp(span.data, value, size) == 0;
}
#define IS(span, value) is_span(span, value, sizeof(value) - 1)

static bool is_unspaced(Py_UCS4 character)
{
    for (int range = 0; range < unspaced.size; range++)
        if (unspaced.first[range] <= character && character <= unspaced.last[range])
            return true;
    return false;
}

/* `str.isspace` of a character in ASCII. */
static inline bool is_space(unsigned char c)
{
    return c <= ' ' && (c == ' ' || (c >= 9 && c <= 13) || c >= 0x1c);
}

typedef struct {
    Py_ssize_t words, alone /* characters of scripts without spaces */, chars;
    bool inside; /* a word */
} count_t;

/* Counts the characters that begin before *stop*; returns where the next one begins. */
static const unsigned char *count_each(count_t *count, const unsigned char *at, const unsigned char *stop)
{
    while (at < stop) {
        bool is_blank = is_space(*at);
        count->chars++;
        if (*at < 0x80) {
            at++;
        } else {
            Py_UCS4 character = next_character(&at);
            is_blank = Py_UNICODE_ISSPACE(character);
            count->alone += is_unspaced(character);
        }
        count->words += !is_blank && !count->inside;
        count->inside = !is_blank;
    }
    return at;
}

#ifdef __SSE2__
/* Counts 16 bytes of ASCII; false for others. */
static inline bool count_block(count_t *count, const unsigned char *at)
{
    __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
    if (_mm_movemask_epi8(part))
        return false;
    __m128i below = _mm_sub_epi8(part, _mm_set1_epi8(9)); /* 9 to 13: at most 4 */
    __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(below, _mm_set1_epi8(4)), below),
                                 _mm_cmpeq_epi8(_mm_max_epu8(_mm_min_epu8(part, _mm_set1_epi8(' ')), _mm_set1_epi8(0x1c)), part));
    unsigned letters = ~(unsigned)_mm_movemask_epi8(blank) & 0xffff;
    count->words += __builtin_popcount(letters & ~(letters << 1 | count->inside));
    count->inside = letters >> 15;
    count->chars += 16;
    return true;
}
#endif

/* `expected_f.word_count`; sets the number of characters, too. */
static double count_words(span_t text, Py_ssize_t *chars)
{
    const unsigned char *at = (const unsigned char *)text.data, *end = at + text.size;
    count_t count = {0, 0, 0, false};
#ifdef __SSE2__
    while (end - at >= 16)
        at = count_block(&count, at) ? at + 16 : count_each(&count, at, at + 16);
#endif
    count_each(&count, at, end);
    *chars = count.chars;
    double words = (double)count.words;
    if (count.alone)
        words += (double)count.alone / unspaced.chars_per_word;
    return words > 1.0 ? words : 1.0;
}

/* Known fields of segments. */
typedef enum {
    OTHER_FIELD, TEXT_FIELD, TYPE_FIELD, SCORE_FIELD, PATH_FIELD, TAG_FIELD, MARKER_FIELD, RULE_FIELD, ORIGIN_FIELD,
    HIDDEN_FIELD, ROLE_FIELD, PROBABILITY_FIELD, FLAG_FIELD, PRE_FIELD, LINES_FIELD, INTEGER_FIELD, NUMBER_FIELD,
    CLASS_FIELD,
    /* markup: numbers, strings of code, and the rest by their names */
    MARKUP_FIELD, CODE_FIELD, NOTE_FIELD, SPANS_FIELD, FIGURE_FIELD, CELLS_FIELD
} field_t;

typedef struct {
    int kind; /* A_STRING… */
    span_t string;
    double number; /* of a boolean: whether it is true */
} value_t;

static field_t field_of(span_t name)
{
#define FIELD(word, field) \
    if (IS(name, word)) \
    return field
    switch (name.size) {
    case 2:
        FIELD("br", FLAG_FIELD);
        break;
    case 3:
        FIELD("tag", TAG_FIELD);
        FIELD("pre", PRE_FIELD);
        break;
    case 4:
        FIELD("text", TEXT_FIELD);
        FIELD("path", PATH_FIELD);
        FIELD("type", TYPE_FIELD);
        FIELD("role", ROLE_FIELD);
        FIELD("rule", RULE_FIELD);
        FIELD("item", MARKUP_FIELD);
        FIELD("code", MARKUP_FIELD);
        FIELD("note", NOTE_FIELD);
        break;
    case 5:
        FIELD("score", SCORE_FIELD);
        FIELD("class", CLASS_FIELD);
        FIELD("lines", LINES_FIELD);
        FIELD("start", INTEGER_FIELD);
        FIELD("spans", SPANS_FIELD);
        FIELD("level", MARKUP_FIELD);
        FIELD("depth", MARKUP_FIELD);
        FIELD("quote", MARKUP_FIELD);
        FIELD("table", MARKUP_FIELD);
        FIELD("cells", CELLS_FIELD);
        break;
    case 6:
        FIELD("marker", MARKER_FIELD);
        FIELD("hidden", HIDDEN_FIELD);
        FIELD("origin", ORIGIN_FIELD);
        FIELD("figure", FIGURE_FIELD);
        break;
    case 7:
        FIELD("segment", INTEGER_FIELD);
        break;
    case 9:
        FIELD("new_quote", MARKUP_FIELD);
        FIELD("code_text", CODE_FIELD);
        break;
    case 10:
        FIELD("perplexity", NUMBER_FIELD);
        break;
    case 13:
        FIELD("code_language", CODE_FIELD);
        break;
    case 16:
        FIELD("role_probability", PROBABILITY_FIELD);
        break;
    }
    return OTHER_FIELD;
#undef FIELD
}

/* A segment while it is read: which of the fields that all must have it has. */
typedef struct {
    segment_t *segment;
    span_t score_field; /* under the content policy; empty for `score` */
    bool has_policy_score;
    unsigned found; /* bits of field_t */
    bool *has_markup; /* of the table */
} reading_t;

static inline bool is_number(value_t value)
{
    return value.kind == AN_INTEGER || value.kind == A_DECIMAL;
}

static unsigned char class_of(value_t value)
{
    if (value.kind != A_STRING)
        return OTHER_CLASS;
    span_t name = value.string;
    return IS(name, "bad") ? BAD : IS(name, "short") ? SHORT : IS(name, "neargood") ? NEARGOOD : IS(name, "good") ? GOOD : OTHER_CLASS;
}

static bool set_role(segment_t *segment, value_t value)
{
    if (value.kind != A_STRING)
        return false;
    for (int role = 0; role < roles.size; role++)
        if (is_span(value.string, roles.names[role], strlen(roles.names[role]))) {
            segment->role = (unsigned char)role;
            return true;
        }
    return false;
}

/* Takes a field of a segment; whether its value is a usual one. *name* is that of a field which is not known. */
static bool set_field(reading_t *reading, field_t field, span_t name, value_t value)
{
    segment_t *segment = reading->segment;
    if (field == OTHER_FIELD) {
        span_t policy = reading->score_field;
        if (policy.size && name.size == policy.size && memcmp(name.data, policy.data, (size_t)name.size) == 0) {
            if (value.kind == A_NULL)
                reading->has_policy_score = false;
            else if (!is_number(value) || !(fabs(value.number) <= MAX_SCORE))
                return false;
            else {
                reading->has_policy_score = true;
                segment->score = value.number;
            }
        }
        return true;
    }
    reading->found |= 1u << field;
    switch (field) {
    case TEXT_FIELD:
        segment->text = value.string;
        return value.kind == A_STRING;
    case PATH_FIELD:
        segment->path = value.string;
        return value.kind == A_STRING;
    case TYPE_FIELD:
        if (value.kind != A_STRING || value.string.size != 1)
            return false;
        segment->type = (unsigned char)value.string.data[0];
        return segment->type == 'p' || segment->type == 'h' || segment->type == 'l';
    case SCORE_FIELD:
        segment->own_score = value.number;
        return is_number(value) && fabs(value.number) <= MAX_SCORE;
    case TAG_FIELD:
        if (value.kind != A_STRING)
            return false;
        segment->flags = (unsigned short)((segment->flags & ~ROW) | (IS(value.string, "tr") ? ROW : 0));
        return true;
    case MARKER_FIELD:
        segment->flags |= MARKER;
        return value.kind == A_STRING;
    case RULE_FIELD:
        if (value.kind != A_STRING)
            return false;
        segment->flags = (unsigned short)((segment->flags & ~EMBEDDED) | RULE | (IS(value.string, "embedded") ? EMBEDDED : 0));
        return true;
    case ORIGIN_FIELD: {
        if (value.kind != A_STRING)
            return false;
        bool is_seen = IS(value.string, "noscript") || IS(value.string, "shadow");
        segment->flags = (unsigned short)((segment->flags & ~UNSEEN) | (is_seen ? 0 : UNSEEN));
        return true;
    }
    case HIDDEN_FIELD:
        segment->flags |= HIDDEN;
        return true;
    case ROLE_FIELD:
        return set_role(segment, value);
    case PROBABILITY_FIELD:
        segment->role_probability = value.number;
        return is_number(value) && value.number >= 0 && value.number <= 1;
    case CLASS_FIELD:
        segment->class = class_of(value);
        return true;
    case FLAG_FIELD:
        return value.kind == A_BOOLEAN;
    case PRE_FIELD:
        segment->flags |= PRE;
        return value.kind == A_BOOLEAN;
    case LINES_FIELD:
        segment->flags = (unsigned short)((segment->flags & ~LINES) | (value.number ? LINES : 0));
        return value.kind == A_BOOLEAN;
    case INTEGER_FIELD:
        segment->flags |= SENTENCE;
        return value.kind == AN_INTEGER;
    case NUMBER_FIELD:
        return is_number(value);
    default: /* markup */
        return *reading->has_markup = true;
    }
}

/* What follows the last field of a segment; whether it has all that it must have. */
static bool finish_segment(table_t *table, reading_t *reading, bool is_first)
{
    const unsigned needed = 1u << TEXT_FIELD | 1u << TYPE_FIELD | 1u << SCORE_FIELD;
    const unsigned both = 1u << ROLE_FIELD | 1u << PROBABILITY_FIELD;
    segment_t *segment = reading->segment;
    bool has_roles = (reading->found & both) == both;
    if ((reading->found & needed) != needed || (!has_roles && (reading->found & both)))
        return false;
    if (!is_first && has_roles != table->has_roles)
        return false;
    table->has_roles = has_roles;
    if (!reading->has_policy_score)
        segment->score = segment->own_score;
    segment->words = count_words(segment->text, &segment->chars);
    return true;
}

/* The last slash of the first *size* bytes of a path; -1 if there is none. */
static inline Py_ssize_t slash_before(span_t path, Py_ssize_t size)
{
#ifdef __GLIBC__
    const char *slash = memrchr(path.data, '/', (size_t)size);
    return slash ? slash - path.data : -1;
#else
    while (--size >= 0 && path.data[size] != '/')
        ;
    return size;
#endif
}

/* ---- a table of strings */

typedef struct {
    span_t key;
    uint64_t hash;
    double all, kept;
    Py_ssize_t next; /* the entry with the same place, or -1 */
} entry_t;

typedef struct {
    entry_t *entries;
    Py_ssize_t size, room;
    Py_ssize_t *places; /* room of them: the first entry, or -1 */
} strings_t;

static uint64_t hash_seed; /* not known to who writes a page */

static uint64_t hash_of(span_t key)
{
    uint64_t hash = hash_seed ^ (uint64_t)key.size * 0x9e3779b97f4a7c15u, word;
    const char *at = key.data, *end = at + key.size;
    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, at, (size_t)(end - at));
    hash = (hash ^ word) * 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 29;
}

static void free_strings(strings_t *strings)
{
    PyMem_Free(strings->entries);
    PyMem_Free(strings->places);
}

static bool grow(strings_t *strings)
{
    Py_ssize_t room = strings->room ? 4 * strings->room : 64;
    entry_t *entries = PyMem_Realloc(strings->entries, (size_t)room * sizeof *entries);
    if (!entries)
        return false;
    strings->entries = entries;
    Py_ssize_t *places = PyMem_Realloc(strings->places, (size_t)room * sizeof *places);
    if (!places)
        return false;
    strings->places = places;
    strings->room = room;
    for (Py_ssize_t place = 0; place < room; place++)
        places[place] = -1;
    for (Py_ssize_t at = 0; at < strings->size; at++) {
        Py_ssize_t place = (Py_ssize_t)(entries[at].hash & (uint64_t)(room - 1));
        entries[at].next = places[place];
        places[place] = at;
    }
    return true;
}

/* The entry of a string, which is added if it is new; NULL without memory. */
static entry_t *entry_of(strings_t *strings, span_t key)
{
    if (strings->size == strings->room && !grow(strings))
        return NULL;
    uint64_t hash = hash_of(key);
    Py_ssize_t place = (Py_ssize_t)(hash & (uint64_t)(strings->room - 1));
    for (Py_ssize_t at = strings->places[place]; at >= 0; at = strings->entries[at].next) {
        entry_t *entry = &strings->entries[at];
        if (entry->hash == hash && entry->key.size == key.size && memcmp(entry->key.data, key.data, (size_t)key.size) == 0)
            return entry;
    }
    entry_t *entry = &strings->entries[strings->size];
    *entry = (entry_t){key, hash, 0, 0, strings->places[place]};
    strings->places[place] = strings->size++;
    return entry;
}

/* ---- sums */

/* A sum as Python's `sum` makes it: compensated since 3.12 (Neumaier). */
typedef struct {
    double sum, rest;
} sum_t;

static inline void add(sum_t *total, double value)
{
#if PY_VERSION_HEX >= 0x030c0000
    double next = total->sum + value;
    total->rest += fabs(total->sum) >= fabs(value) ? (total->sum - next) + value : (value - next) + total->sum;
    total->sum = next;
#else
    total->sum += value;
#endif
}

static inline double sum_of(const sum_t *total)
{
    return total->rest != 0.0 && isfinite(total->rest) ? total->sum + total->rest : total->sum;
}

#endif
