/* A record on a line of JSON: its segments are read where they are, and what is written goes between their bytes.
 *
 * The line must be as orjson writes it: no spaces, no other escapes, no numbers in another form, no name twice. Then the
 * rest of it can stay. Other lines, errors among them, are left to the Python code.
 */

#ifndef NC_LINES_H
#define NC_LINES_H

#include "_network.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MAX_NESTING = 32, MAX_FIELDS = 48 };

enum { A_STRING, AN_INTEGER, A_DECIMAL, A_BOOLEAN, A_NULL, AN_ARRAY, AN_OBJECT };

/* A value: its bytes in the line; of a string, its characters. */
typedef struct {
    int kind;
    bytes_t raw, string;
    bool is_wide; /* a string that is not ASCII */
} value_t;

typedef struct {
    const uint8_t *at, *end;
    arena_t *arena;
} reader_t;

/* Names of fields of an object: none may be there twice. */
typedef struct {
    bytes_t names[MAX_FIELDS];
    int count;
} fields_t;

static inline bool is(bytes_t one, const char *name)
{
    return one.size == strlen(name) && memcmp(one.at, name, one.size) == 0;
}

static inline bool next_is(reader_t *in, uint8_t byte)
{
    if (in->at >= in->end || *in->at != byte)
        return false;
    in->at++;
    return true;
}

/* The next byte that is not a plain one of a string: a quote, a backslash, a control character, or not ASCII. */
static inline const uint8_t *plain_end(const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(' ');
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i special = _mm_or_si128(_mm_cmplt_epi8(part, space), /* signed: bytes beyond ASCII are negative */
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

static inline bool continues(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The bytes of a character beyond ASCII; 0 if it is not valid UTF-8. */
static inline int character_size(const uint8_t *at, const uint8_t *end)
{
    size_t left = (size_t)(end - at);
    if (at[0] >= 0xC2 && at[0] < 0xE0)
        return left >= 2 && continues(at[1]) ? 2 : 0;
    if (at[0] >= 0xE0 && at[0] < 0xF0) {
        bool good = left >= 3 && continues(at[1]) && continues(at[2]);
        return !good || (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] >= 0xA0) ? 0 : 3;
    }
    if (at[0] >= 0xF0 && at[0] < 0xF5) {
        bool good = left >= 4 && continues(at[1]) && continues(at[2]) && continues(at[3]);
        return !good || (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] >= 0x90) ? 0 : 4;
    }
    return 0;
}

/* The character of an escape that orjson writes, behind the backslash; -1 for others. */
static int escaped(reader_t *in)
{
    static const char letters[] = "\"\\bfnrt", characters[] = "\"\\\b\f\n\r\t";
    static const char digits[] = "0123456789abcdef";
    if (in->at >= in->end)
        return -1;
    const char *letter = *in->at ? strchr(letters, *in->at) : NULL;
    if (letter) {
        in->at++;
        return characters[letter - letters];
    }
    if (in->end - in->at < 5 || memcmp(in->at, "u00", 3) != 0 || (in->at[3] != '0' && in->at[3] != '1'))
        return -1;
    const char *low = in->at[4] ? strchr(digits, in->at[4]) : NULL;
    int code = low ? (in->at[3] - '0') * 16 + (int)(low - digits) : -1;
    if (code < 0 || strchr("\b\f\n\r\t", code) != NULL) /* these have a letter; NUL is found, too */
        code = code == 0 ? 0 : -1;
    in->at += 5;
    return code;
}

/* A string, behind its first quote. */
static bool read_text(reader_t *in, value_t *out)
{
    const uint8_t *from = in->at;
    uint8_t *copy = NULL, *to = NULL; /* once there is an escape */
    out->is_wide = false;
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
        if (copy) {
            memcpy(to, in->at, (size_t)(stop - in->at));
            to += stop - in->at;
        }
        if (*stop == '"') {
            out->string = copy ? (bytes_t){copy, (size_t)(to - copy)} : (bytes_t){from, (size_t)(stop - from)};
            in->at = stop + 1;
            return true;
        }
        if (!copy) {
            const uint8_t *quote = stop; /* the string ends at a quote without a backslash, or there is none */
            while (quote < in->end && *quote != '"')
                quote += *quote == '\\' ? 2 : 1;
            if (quote >= in->end || !(copy = take(in->arena, (size_t)(quote - from) + 4)))
                return false;
            memcpy(copy, from, (size_t)(stop - from));
            to = copy + (stop - from);
        }
        in->at = stop + 1;
        int code = escaped(in);
        if (code < 0)
            return false;
        *to++ = (uint8_t)code;
    }
}

/* A number in the form in which orjson writes it: one of at most 15 digits, without exponent. */
static bool read_number(reader_t *in, value_t *out)
{
    bool negative = next_is(in, '-');
    const uint8_t *first = in->at;
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9')
        in->at++;
    size_t whole = (size_t)(in->at - first), decimals = 0;
    bool zero = whole == 1 && *first == '0';
    if (!whole || whole > 15 || (whole > 1 && *first == '0'))
        return false;
    out->kind = AN_INTEGER;
    if (in->at < in->end && *in->at == '.') {
        const uint8_t *point = in->at++;
        bool small = zero;
        while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
            decimals++;
            small = small && (*in->at == '0' || decimals > 4);
            in->at++;
        }
        bool is_whole = decimals == 1 && point[1] == '0';
        if (!decimals || whole + decimals > 15 || (small && !is_whole) || (in->at[-1] == '0' && !is_whole))
            return false;
        out->kind = A_DECIMAL;
    } else if (negative && zero) {
        return false;
    }
    return in->at < in->end && *in->at != 'e' && *in->at != 'E';
}

static bool next_are(reader_t *in, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(in->end - in->at) < size || memcmp(in->at, word, size) != 0)
        return false;
    in->at += size;
    return true;
}

/* A name of an object that it has not had, and the colon. */
static bool read_name(reader_t *in, fields_t *fields, bytes_t *out)
{
    value_t name;
    if (!next_is(in, '"') || !read_text(in, &name) || !next_is(in, ':') || fields->count == MAX_FIELDS
        || is(name.string, "$base64"))
        return false;
    for (int at = 0; at < fields->count; at++)
        if (equal(fields->names[at], name.string))
            return false;
    *out = fields->names[fields->count++] = name.string;
    return true;
}

static bool read_value(reader_t *in, value_t *out, int depth);

/* The rest of an object or of an array, behind its first bracket. */
static bool skip_parts(reader_t *in, bool is_object, int depth)
{
    fields_t fields;
    bytes_t name;
    value_t value;
    fields.count = 0;
    if (next_is(in, is_object ? '}' : ']'))
        return true;
    if (depth > MAX_NESTING)
        return false;
    do {
        if ((is_object && !read_name(in, &fields, &name)) || !read_value(in, &value, depth))
            return false;
    } while (next_is(in, ','));
    return next_is(in, is_object ? '}' : ']');
}

static bool read_value(reader_t *in, value_t *out, int depth)
{
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

/* ---- segments ---- */

/* Where each segment ends in the line, before its bracket. */
typedef struct {
    page_t page;
    const uint8_t **ends;
    uint32_t room;
    bool has_path;
    value_t head, url, lang, probability;
    bool has_version;
    const uint8_t *end; /* of the record, before its bracket */
} line_t;

static int16_t category(const strings_t *categories, bytes_t value, int field);

/* Reads a field of a segment; false for other types, and for fields that are to be written. */
static bool set_field(const model_t *model, line_t *line, segment_t *segment, bytes_t name, const value_t *value)
{
    static const char *const fields[FIELDS] = {"type", "tag", "rule", "origin", "hidden"};
    static const char *const flags[FLAGS] = {"bold", "marker", "pre"};
    bool is_string = value->kind == A_STRING;
    if (is(name, "text")) {
        segment->text = value->string;
        segment->chars = value->string.size;
        for (size_t at = 0; is_string && value->is_wide && at < value->string.size; at++)
            segment->chars -= continues(value->string.at[at]);
        return is_string && value->string.size < MAX_TEXT_BYTES;
    }
    if (is(name, "path")) {
        segment->path = value->string;
        line->has_path = true;
        return is_string;
    }
    for (int field = 0; field < FIELDS; field++)
        if (is(name, fields[field])) {
            segment->codes[field] = is_string ? category(&model->categories[field], value->string, field) : -1;
            return is_string;
        }
    if (is(name, "links")) {
        double links = 0;
        for (size_t at = value->raw.at[0] == '-'; at < value->raw.size; at++)
            links = links * 10 + (value->raw.at[at] - '0');
        segment->links = value->raw.at[0] == '-' ? -1 : (float)links;
        return value->kind == AN_INTEGER;
    }
    for (int flag = 0; flag < FLAGS; flag++)
        if (is(name, flags[flag]))
            segment->flags[flag] = true;
    bool is_written = name.size >= 4 && (!memcmp(name.at, "scor", 4) || !memcmp(name.at, "role", 4));
    return !is_written && !is(name, "reasons");
}

static bool read_segment_at(const model_t *model, reader_t *in, line_t *line, segment_t *segment)
{
    fields_t fields;
    bytes_t name;
    value_t value;
    fields.count = 0;
    memset(segment, 0, sizeof *segment);
    segment->path.at = (const uint8_t *)"";
    for (int field = 0; field < FIELDS; field++)
        segment->codes[field] = -1;
    if (!next_is(in, '{'))
        return false;
    do {
        if (!read_name(in, &fields, &name) || !read_value(in, &value, 0) || !set_field(model, line, segment, name, &value))
            return false;
    } while (next_is(in, ','));
    return segment->text.at && next_is(in, '}');
}

/* Room for another segment. */
static bool grow(line_t *line)
{
    if (line->page.size < line->room)
        return true;
    uint32_t room = line->room ? 2 * line->room : 256;
    segment_t *segments = take(line->page.arena, room * sizeof(segment_t));
    const uint8_t **ends = take(line->page.arena, room * sizeof *ends);
    if (!segments || !ends)
        return false;
    if (line->room) {
        memcpy(segments, line->page.segments, line->room * sizeof *segments);
        memcpy(ends, line->ends, line->room * sizeof *ends);
    }
    line->page.segments = segments;
    line->ends = ends;
    line->room = room;
    return true;
}

static bool read_segments(const model_t *model, reader_t *in, line_t *line)
{
    if (!next_is(in, '['))
        return false;
    do {
        if (!grow(line) || !read_segment_at(model, in, line, &line->page.segments[line->page.size]))
            return false;
        line->ends[line->page.size++] = in->at - 1;
    } while (next_is(in, ','));
    return next_is(in, ']');
}

/* Whether the schema allows a field of the record (see `record.FIELDS`), and it is not to be written. */
static bool is_allowed(bytes_t name, const value_t *value)
{
    int kind = value->kind;
    if (is(name, "id"))
        return kind == A_STRING || kind == AN_INTEGER || kind == A_NULL;
    if (is(name, "url"))
        return kind == A_STRING || kind == A_NULL;
    if (is(name, "nc"))
        return kind == AN_INTEGER && value->raw.size == 1 && *value->raw.at == '1';
    if (is(name, "html") || is(name, "text"))
        return kind == A_STRING;
    if (is(name, "encoding"))
        return kind == AN_OBJECT || kind == A_STRING || kind == A_NULL;
    if (is(name, "blocks"))
        return kind == AN_ARRAY;
    return !is(name, "models") && !is(name, "page") && !is(name, "error");
}

/* Reads a record that has segments with a path; false for others. */
static bool read_record(const model_t *model, reader_t *in, line_t *line)
{
    fields_t fields;
    bytes_t name;
    value_t value;
    fields.count = 0;
    if (!next_is(in, '{'))
        return false;
    do {
        if (!read_name(in, &fields, &name))
            return false;
        if (is(name, "segments")) {
            if (!read_segments(model, in, line))
                return false;
            continue;
        }
        if (!read_value(in, &value, 0) || !is_allowed(name, &value))
            return false;
        if (is(name, "head"))
            line->head = value;
        else if (is(name, "url"))
            line->url = value;
        else if (is(name, "lang"))
            line->lang = value;
        else if (is(name, "lang_probability"))
            line->probability = value;
        line->has_version |= is(name, "nc");
    } while (next_is(in, ','));
    line->end = in->at;
    return next_is(in, '}') && (in->at == in->end || (next_is(in, '\n') && in->at == in->end)) && line->has_path;
}

/* ---- what is written ---- */

/* A number of hundredths or thousandths, as orjson writes it. */
static uint8_t *put_decimal(uint8_t *to, double units, int decimals)
{
    char digits[24];
    int64_t value = (int64_t)fabs(units);
    int count = 0, zeros = 0;
    if (signbit(units))
        *to++ = '-';
    for (; count <= decimals || value; value /= 10)
        digits[count++] = (char)('0' + value % 10);
    while (zeros < decimals - 1 && digits[zeros] == '0')
        zeros++;
    while (count > zeros) {
        *to++ = (uint8_t)digits[--count];
        if (count == decimals)
            *to++ = '.';
    }
    return to;
}

static uint8_t *put_bytes(uint8_t *to, bytes_t bytes)
{
    memcpy(to, bytes.at, bytes.size);
    return to + bytes.size;
}

static uint8_t *put_text(uint8_t *to, const char *text)
{
    return put_bytes(to, (bytes_t){(const uint8_t *)text, strlen(text)});
}

/* The role of a segment whose role is text (see `element_roles`). */
static const char *role_of_element(const segment_t *segment, int row_tag)
{
    bytes_t path = segment->path, text = segment->text;
    if (segment->codes[TAG] == row_tag && memchr(text.at, '\t', text.size))
        return "table";
    for (size_t at = 0; at + 4 <= path.size; at++)
        if (path.at[at] == '/' && (!memcmp(path.at + at, "/pre", 4) || (at + 5 <= path.size && !memcmp(path.at + at, "/code", 5))))
            return is(path, "body/pre") ? "text" : "code";
    return "text";
}

#endif
