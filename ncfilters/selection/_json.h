/* A record on a line of JSON: its segments as columns, and the rest of the line for `orjson`.
 *
 * The part that is read here must be JSON as orjson accepts it. Where it is not, or is unusual (escapes in names, half
 * pairs of surrogates, numbers of many digits, markup), nothing is read and the Python code does the record.
 */

#ifndef NC_SELECTION_JSON_H
#define NC_SELECTION_JSON_H

#include "_table.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MAX_NESTING = 64 };

typedef struct {
    const unsigned char *start, *at, *end; /* of the line */
    char *arena, *free; /* for strings with escapes: as long as the line */
} reader_t;

static inline void skip_space(reader_t *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

static inline bool take(reader_t *in, char character)
{
    if (in->at < in->end && *in->at == (unsigned char)character) {
        in->at++;
        return true;
    }
    return false;
}

/* Moves to the next character that is not a plain one of a string: a quote, a backslash, a control, no ASCII. */
static inline const unsigned char *plain_end(const unsigned char *at, const unsigned char *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(' ');
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i special = _mm_or_si128(_mm_cmplt_epi8(part, space), /* as signed numbers: not ASCII, too */
                                       _mm_or_si128(_mm_cmpeq_epi8(part, quote), _mm_cmpeq_epi8(part, backslash)));
        unsigned found = (unsigned)_mm_movemask_epi8(special);
        if (found)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

static inline bool is_tail(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* The number of bytes of a character beyond ASCII; 0 if it is not valid UTF-8. */
static inline int wide_size(const unsigned char *at, const unsigned char *end)
{
    if (at[0] >= 0xc2 && at[0] < 0xe0)
        return end - at >= 2 && is_tail(at[1]) ? 2 : 0;
    if (at[0] >= 0xe0 && at[0] < 0xf0) {
        if (end - at < 3 || !is_tail(at[1]) || !is_tail(at[2]))
            return 0;
        return (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ? 0 : 3;
    }
    if (at[0] >= 0xf0 && at[0] < 0xf5) {
        if (end - at < 4 || !is_tail(at[1]) || !is_tail(at[2]) || !is_tail(at[3]))
            return 0;
        return (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90) ? 0 : 4;
    }
    return 0;
}

static int hex4(const unsigned char *at, const unsigned char *end)
{
    int value = 0;
    if (end - at < 4)
        return -1;
    for (int digit = 0; digit < 4; digit++) {
        unsigned char c = at[digit];
        int part = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (part < 0)
            return -1;
        value = value << 4 | part;
    }
    return value;
}

/* Writes the character of an escape, behind the backslash; false for what is no escape, and for half pairs. */
static bool unescape(reader_t *in, char **out)
{
    if (in->at >= in->end)
        return false;
    unsigned char c = *in->at++;
    char *to = *out;
    switch (c) {
    case '"':
    case '\\':
    case '/':
        *to++ = (char)c;
        break;
    case 'b':
        *to++ = '\b';
        break;
    case 'f':
        *to++ = '\f';
        break;
    case 'n':
        *to++ = '\n';
        break;
    case 'r':
        *to++ = '\r';
        break;
    case 't':
        *to++ = '\t';
        break;
    case 'u': {
        int unit = hex4(in->at, in->end);
        if (unit < 0)
            return false;
        in->at += 4;
        long character = unit;
        if (unit >= 0xd800 && unit < 0xe000) {
            int low = in->end - in->at >= 6 && in->at[0] == '\\' && in->at[1] == 'u' ? hex4(in->at + 2, in->end) : -1;
            if (unit >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
                return false;
            in->at += 6;
            character = 0x10000 + ((long)(unit - 0xd800) << 10) + (low - 0xdc00);
        }
        if (character < 0x80) {
            *to++ = (char)character;
        } else if (character < 0x800) {
            *to++ = (char)(0xc0 | character >> 6);
            *to++ = (char)(0x80 | (character & 0x3f));
        } else if (character < 0x10000) {
            *to++ = (char)(0xe0 | character >> 12);
            *to++ = (char)(0x80 | (character >> 6 & 0x3f));
            *to++ = (char)(0x80 | (character & 0x3f));
        } else {
            *to++ = (char)(0xf0 | character >> 18);
            *to++ = (char)(0x80 | (character >> 12 & 0x3f));
            *to++ = (char)(0x80 | (character >> 6 & 0x3f));
            *to++ = (char)(0x80 | (character & 0x3f));
        }
        break;
    }
    default:
        return false;
    }
    *out = to;
    return true;
}

/* A string, behind its first quote. Sets whether it has escapes, if that is asked for. */
static bool read_string(reader_t *in, span_t *out, bool *has_escapes)
{
    const unsigned char *from = in->at;
    char *copy = NULL, *to = NULL; /* once there is an escape */
    if (has_escapes)
        *has_escapes = false;
    for (;;) {
        const unsigned char *stop = plain_end(in->at, in->end);
        while (stop < in->end && *stop >= 0x80) {
            int size = wide_size(stop, in->end);
            if (!size)
                return false;
            stop = *(stop + size) >= 0x80 ? stop + size : plain_end(stop + size, in->end);
        }
        if (stop >= in->end || *stop < ' ')
            return false;
        if (copy) {
            memcpy(to, in->at, (size_t)(stop - in->at));
            to += stop - in->at;
        }
        in->at = stop + 1;
        if (*stop == '"') {
            *out = copy ? (span_t){copy, to - copy} : (span_t){(const char *)from, stop - from};
            if (copy)
                in->free = to;
            return true;
        }
        if (!copy) {
            if (!in->arena && !(in->arena = in->free = PyMem_Malloc((size_t)(in->end - in->start) + 1)))
                return false;
            copy = in->free;
            memcpy(copy, from, (size_t)(stop - from));
            to = copy + (stop - from);
            if (has_escapes)
                *has_escapes = true;
        }
        if (!unescape(in, &to))
            return false;
    }
}

/* A number. One of at most 15 digits needs no rounding but that of one division or multiplication; one of more is NaN, and
 * so of no use to a field that is read. */
static bool read_number(reader_t *in, value_t *out)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool is_negative = take(in, '-');
    const unsigned char *first = in->at;
    int64_t digits = 0;
    int size = 0, decimals = 0;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++, size++)
        digits = size < 15 ? digits * 10 + (*in->at - '0') : digits;
    if (!size || (size > 1 && *first == '0'))
        return false;
    out->kind = INTEGER;
    if (take(in, '.')) {
        out->kind = REAL;
        for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++, size++, decimals++)
            digits = size < 15 ? digits * 10 + (*in->at - '0') : digits;
        if (!decimals)
            return false;
    }
    int exponent = 0;
    if (in->at < in->end && (*in->at == 'e' || *in->at == 'E')) {
        in->at++;
        out->kind = REAL;
        bool is_below = take(in, '-');
        if (!is_below)
            take(in, '+');
        int count = 0;
        for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++, count++)
            exponent = count < 3 ? exponent * 10 + (*in->at - '0') : exponent;
        if (!count || count > 3)
            return false;
        exponent = is_below ? -exponent : exponent;
    }
    exponent -= decimals;
    if (size > 15 && size < 300 && exponent >= -300 && exponent <= 0) {
        out->number = Py_NAN;
        return true;
    }
    if (size > 15 || exponent < -22 || exponent > 22)
        return false;
    double number = (double)digits;
    number = exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
    out->number = is_negative ? -number : number;
    return true;
}

static bool take_word(reader_t *in, const char *word, Py_ssize_t size)
{
    if (in->end - in->at < size || memcmp(in->at, word, (size_t)size) != 0)
        return false;
    in->at += size;
    return true;
}

static bool skip_value(reader_t *in, int depth);

/* The rest of an object or of an array, behind its first bracket. */
static bool skip_compound(reader_t *in, bool is_object, int depth)
{
    span_t ignored;
    skip_space(in);
    if (take(in, is_object ? '}' : ']'))
        return true;
    for (;;) {
        skip_space(in);
        if (is_object) {
            if (!take(in, '"') || !read_string(in, &ignored, NULL))
                return false;
            skip_space(in);
            if (!take(in, ':'))
                return false;
        }
        if (!skip_value(in, depth))
            return false;
        skip_space(in);
        if (take(in, is_object ? '}' : ']'))
            return true;
        if (!take(in, ','))
            return false;
    }
}

static bool read_value(reader_t *in, value_t *out, int depth)
{
    skip_space(in);
    if (in->at >= in->end || depth > MAX_NESTING)
        return false;
    out->number = 0;
    switch (*in->at) {
    case '"':
        in->at++;
        out->kind = STRING;
        return read_string(in, &out->string, NULL);
    case '{':
    case '[':
        out->kind = COMPOUND;
        return skip_compound(in, *in->at++ == '{', depth + 1);
    case 't':
        out->kind = BOOLEAN;
        return take_word(in, "true", 4);
    case 'f':
        out->kind = BOOLEAN;
        return take_word(in, "false", 5);
    case 'n':
        out->kind = NOTHING;
        return take_word(in, "null", 4);
    default:
        return read_number(in, out);
    }
}

static bool skip_value(reader_t *in, int depth)
{
    value_t ignored;
    return read_value(in, &ignored, depth);
}

static bool read_segment(reader_t *in, reading_t *reading)
{
    skip_space(in);
    if (!take(in, '{'))
        return false;
    reading->segment->start = in->at - 1 - in->start;
    skip_space(in);
    while (true) {
        span_t name;
        value_t value;
        bool has_escapes;
        skip_space(in);
        if (!take(in, '"') || !read_string(in, &name, &has_escapes) || has_escapes)
            return false;
        skip_space(in);
        if (!take(in, ':') || !read_value(in, &value, 0) || !set_field(reading, field_of(name), name, value))
            return false;
        skip_space(in);
        if (take(in, '}'))
            break;
        if (!take(in, ','))
            return false;
    }
    reading->segment->end = in->at - in->start;
    return true;
}

/* Room for another segment, which is empty. */
static bool add_segment(table_t *table, Py_ssize_t *room)
{
    if (table->size == *room) {
        Py_ssize_t more = *room ? 2 * *room : 64;
        segment_t *segments = PyMem_Realloc(table->segments, (size_t)more * sizeof *segments);
        if (!segments)
            return false;
        table->segments = segments;
        *room = more;
    }
    segment_t *segment = &table->segments[table->size++];
    memset(segment, 0, sizeof *segment);
    segment->text.data = segment->path.data = no_path;
    return true;
}

/* The segments of an array. */
static bool read_segments(reader_t *in, table_t *table, span_t score_field)
{
    Py_ssize_t room = 0;
    skip_space(in);
    if (!take(in, '['))
        return false;
    skip_space(in);
    if (take(in, ']'))
        return true;
    for (;;) {
        if (!add_segment(table, &room))
            return false;
        reading_t reading = {&table->segments[table->size - 1], score_field, false, 0};
        if (!read_segment(in, &reading) || !finish_segment(table, &reading, table->size == 1))
            return false;
        skip_space(in);
        if (take(in, ']'))
            return true;
        if (!take(in, ','))
            return false;
    }
}

/* Reads a line. *cut* is the part of it that is the field `segments` with a comma, if there is another field. */
static bool read_record(reader_t *in, table_t *table, span_t score_field, span_t *cut)
{
    const unsigned char *comma = NULL; /* before the field */
    bool has_segments = false, is_open = false; /* the comma behind the segments is to be cut */
    skip_space(in);
    if (!take(in, '{'))
        return false;
    for (;;) {
        span_t name;
        bool has_escapes;
        skip_space(in);
        const unsigned char *start = in->at;
        if (!take(in, '"') || !read_string(in, &name, &has_escapes) || has_escapes)
            return false;
        skip_space(in);
        if (!take(in, ':'))
            return false;
        if (IS(name, "segments")) {
            if (has_segments || !read_segments(in, table, score_field))
                return false;
            has_segments = true;
            is_open = !comma;
            cut->data = (const char *)(comma ? comma : start);
            cut->size = (const char *)in->at - cut->data;
        } else if (IS(name, "error") || !skip_value(in, 0)) {
            return false;
        }
        skip_space(in);
        if (take(in, '}'))
            break;
        if (!take(in, ','))
            return false;
        comma = in->at - 1;
        if (is_open) {
            cut->size = (const char *)in->at - cut->data;
            is_open = false;
        }
    }
    skip_space(in);
    return has_segments && in->at == in->end;
}

#endif
