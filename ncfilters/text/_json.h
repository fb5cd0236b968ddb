/* JSON in C: values are read where they are. What is read is JSON as orjson accepts it.
 *
 * Unusual values (half pairs of surrogates, large exponents, deep nesting) are not read: the Python code does the whole line then.
 */

#ifndef NC_JSON_H
#define NC_JSON_H

#include "_escapes.h"

enum { MAX_NESTING = 64, MAX_FIELDS = 48, MAX_DIGITS = 15 };

enum { A_STRING, AN_INTEGER, A_DECIMAL, A_BOOLEAN, A_NULL, AN_ARRAY, AN_OBJECT };

/* A number: its value is digits * 10^exponent, if there are at most MAX_DIGITS; of more, `digits` has the first ones. */
typedef struct {
    bool is_negative;
    int64_t digits;
    int64_t count, exponent;
} number_t;

/* A value: its bytes; of a string, its characters; of a number, its parts. */
typedef struct {
    int kind;
    bytes_t raw, string;
    bool is_wide, has_escapes; /* a string: not ASCII; a copy in the room */
    number_t number;
} json_t;

typedef struct {
    const uint8_t *at, *end;
    uint8_t *room; /* for strings with escapes: as many bytes as there are to read */
    /* Whether the JSON must be as orjson writes it: no spaces, no other escapes, no numbers in another form, no name
     * twice. Then it can stay when other fields are written. */
    bool as_written;
} reader_t;

/* Names of fields of an object: none may be there twice, where it is to be as orjson writes it. */
typedef struct {
    bytes_t names[MAX_FIELDS];
    int count;
} fields_t;

static inline void skip_space(reader_t *in)
{
    while (!in->as_written && in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        in->at++;
}

/* Whether this byte is the next one; then it is read. */
static inline bool next_is(reader_t *in, uint8_t byte)
{
    if (in->at >= in->end || *in->at != byte)
        return false;
    in->at++;
    return true;
}

static bool next_are(reader_t *in, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(in->end - in->at) < size || memcmp(in->at, word, size) != 0)
        return false;
    in->at += size;
    return true;
}

/* ---- strings ---- */

/* The next byte that is not a plain one of a string: a quote, a backslash, a control character, or not ASCII. */
static inline const uint8_t *plain_end(const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        unsigned found = not_plain(_mm_loadu_si128((const __m128i *)(const void *)at));
        if (found)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* Four hexadecimal digits, which are read; -1 for others. */
static int32_t next_unit(reader_t *in)
{
    int32_t value = 0;
    if (in->end - in->at < 4)
        return -1;
    for (int digit = 0; digit < 4; digit++) {
        uint8_t c = *in->at++;
        int part = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (part < 0)
            return -1;
        value = value << 4 | part;
    }
    return value;
}

/* The character of an escape behind `\u`; -1 for half a pair, and for what is no escape. */
static int32_t coded(reader_t *in)
{
    const uint8_t *digits = in->at;
    int32_t unit = next_unit(in);
    if (in->as_written) { /* control characters that have no letter */
        bool has_letter = unit == '\b' || unit == '\f' || unit == '\n' || unit == '\r' || unit == '\t';
        return unit < 0 || unit >= ' ' || has_letter || (digits[3] >= 'A' && digits[3] <= 'F') ? -1 : unit;
    }
    if (unit < 0xD800 || unit >= 0xE000)
        return unit;
    int32_t low = unit < 0xDC00 && next_are(in, "\\u") ? next_unit(in) : -1;
    return low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : -1;
}

/* The character of an escape, behind the backslash; -1 for what is no escape, and for half a pair. */
static int32_t escaped(reader_t *in)
{
    static const char letters[] = "\"\\bfnrt", characters[] = "\"\\\b\f\n\r\t";
    if (next_is(in, 'u'))
        return coded(in);
    if (!in->as_written && next_is(in, '/'))
        return '/';
    const char *letter = in->at < in->end && *in->at ? strchr(letters, *in->at) : NULL;
    if (!letter)
        return -1;
    in->at++;
    return characters[letter - letters];
}

/* A string, behind its first quote. */
static bool read_text(reader_t *in, json_t *out)
{
    const uint8_t *from = in->at;
    uint8_t *to = in->room;
    out->is_wide = out->has_escapes = false;
    for (;;) {
        const uint8_t *stop = plain_end(in->at, in->end);
        while (stop < in->end && *stop >= 0x80) {
            int size = character_size(stop, in->end);
            if (!size)
                return false;
            out->is_wide = true;
            stop += size;
            if (stop < in->end && *stop < 0x80)
                stop = plain_end(stop, in->end);
        }
        if (stop >= in->end || *stop < ' ')
            return false;
        bool is_end = *stop == '"';
        if (is_end && !out->has_escapes) {
            out->string = (bytes_t){from, (size_t)(stop - from)};
            in->at = stop + 1;
            return true;
        }
        memcpy(to, in->at, (size_t)(stop - in->at));
        to += stop - in->at;
        in->at = stop + 1;
        if (is_end) {
            out->string = (bytes_t){in->room, (size_t)(to - in->room)};
            in->room = to;
            return true;
        }
        out->has_escapes = true;
        int32_t character = escaped(in);
        if (character < 0)
            return false;
        out->is_wide |= character >= 0x80;
        to = put_character(to, (uint32_t)character);
    }
}

/* ---- numbers ---- */

/* Digits; whether there is one. */
static bool read_digits(reader_t *in, number_t *number)
{
    const uint8_t *start = in->at;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++)
        if (number->count++ < MAX_DIGITS)
            number->digits = number->digits * 10 + (*in->at - '0');
    return in->at > start;
}

/* Whether a number is surely a finite one, and one of few digits is exact but for one division or multiplication. */
static bool is_usual(const number_t *number)
{
    if (number->count <= MAX_DIGITS)
        return number->exponent >= -22 && number->exponent <= 22;
    return number->count < 300 && number->exponent >= -300 && number->exponent <= 0;
}

/* Whether a number is in the form in which orjson writes it: one of at most MAX_DIGITS, without exponent. */
static bool is_as_written(const json_t *value, const uint8_t *point, const uint8_t *end)
{
    bool is_zero = value->number.digits == 0;
    if (value->number.count > MAX_DIGITS)
        return false;
    if (value->kind == AN_INTEGER)
        return !(is_zero && value->number.is_negative);
    size_t decimals = (size_t)(end - point) - 1;
    if (decimals == 1 && point[1] == '0')
        return true;
    return end[-1] != '0' && (point[-1] != '0' || point - value->raw.at > 1 + value->number.is_negative
                              || decimals < 4 || memcmp(point + 1, "0000", 4) != 0);
}

static bool read_number(reader_t *in, json_t *out)
{
    out->kind = AN_INTEGER;
    out->raw.at = in->at;
    out->number = (number_t){next_is(in, '-'), 0, 0, 0};
    const uint8_t *first = in->at, *point;
    if (!read_digits(in, &out->number) || (out->number.count > 1 && *first == '0'))
        return false;
    point = in->at;
    if (next_is(in, '.')) {
        out->kind = A_DECIMAL;
        if (!read_digits(in, &out->number))
            return false;
        out->number.exponent = -(in->at - point - 1);
    }
    if (in->as_written && !is_as_written(out, point, in->at))
        return false;
    if (!next_is(in, 'e') && !next_is(in, 'E'))
        return is_usual(&out->number);
    out->kind = A_DECIMAL;
    bool is_below = next_is(in, '-');
    if (!is_below)
        next_is(in, '+');
    number_t power = {false, 0, 0, 0};
    if (in->as_written || !read_digits(in, &power) || power.count > 3)
        return false;
    out->number.exponent += (is_below ? -power.digits : power.digits);
    return is_usual(&out->number);
}

/* ---- values ---- */

/* A name of an object, and the colon. It is not that of an object which stands for bytes; and where it is to be as orjson
 * writes it, not one that the object has had. */
static bool read_name(reader_t *in, fields_t *fields, json_t *name)
{
    if (!next_is(in, '"') || !read_text(in, name))
        return false;
    skip_space(in);
    if (!next_is(in, ':') || is(name->string, "$base64"))
        return false;
    if (!in->as_written)
        return true;
    if (fields->count == MAX_FIELDS)
        return false;
    for (int at = 0; at < fields->count; at++)
        if (equal(fields->names[at], name->string))
            return false;
    fields->names[fields->count++] = name->string;
    return true;
}

static bool read_value(reader_t *in, json_t *out, int depth);

/* The rest of an object or of an array, behind its first bracket. */
static bool skip_parts(reader_t *in, bool is_object, int depth)
{
    fields_t fields;
    json_t part;
    fields.count = 0;
    skip_space(in);
    if (next_is(in, is_object ? '}' : ']'))
        return true;
    if (depth > MAX_NESTING)
        return false;
    do {
        skip_space(in);
        if ((is_object && !read_name(in, &fields, &part)) || !read_value(in, &part, depth))
            return false;
        skip_space(in);
    } while (next_is(in, ','));
    return next_is(in, is_object ? '}' : ']');
}

static bool read_value(reader_t *in, json_t *out, int depth)
{
    skip_space(in);
    const uint8_t *start = in->at;
    bool good = false;
    if (start >= in->end)
        return false;
    switch (*start) {
    case '"':
        in->at++;
        out->kind = A_STRING;
        good = read_text(in, out);
        break;
    case '{':
    case '[':
        in->at++;
        out->kind = *start == '{' ? AN_OBJECT : AN_ARRAY;
        good = skip_parts(in, *start == '{', depth + 1);
        break;
    case 't':
    case 'f':
        out->kind = A_BOOLEAN;
        good = next_are(in, *start == 't' ? "true" : "false");
        break;
    case 'n':
        out->kind = A_NULL;
        good = next_are(in, "null");
        break;
    default:
        good = read_number(in, out);
    }
    out->raw = (bytes_t){start, (size_t)(in->at - start)};
    return good;
}

#endif
