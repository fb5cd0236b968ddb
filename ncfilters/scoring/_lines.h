/* A record on a line of JSON: its segments are read where they are, and what is written goes between their bytes.
 *
 * The line must be as orjson writes it. Then the rest of it can stay. Other lines, errors among them, are left to the
 * Python code.
 */

#ifndef NC_LINES_H
#define NC_LINES_H

#include "_network.h"
#include "../text/_json.h"

/* ---- segments ---- */

/* Where each segment ends in the line, before its bracket. */
typedef struct {
    page_t page;
    const uint8_t **ends;
    uint32_t room;
    bool has_path, has_rule_fields; /* those that the rules of jusText write */
    json_t head, url, lang, probability;
    bool has_version;
    const uint8_t *end; /* of the record, before its bracket */
} line_t;

/* Reads a field of a segment; false for other types, and for fields that are to be written. */
static bool set_field(line_t *line, segment_t *segment, bytes_t name, const json_t *value)
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
            segment->codes[field] = is_string ? category(value->string, field) : -1;
            if (field == RULE) {
                segment->has_rule = true;
                segment->embedded = is(value->string, "embedded");
            }
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
    line->has_rule_fields |= is(name, "class") || is(name, "link_density") || is(name, "stopword_density");
    bool is_written = name.size >= 4 && (!memcmp(name.at, "scor", 4) || !memcmp(name.at, "role", 4));
    return !is_written && !is(name, "reasons");
}

static bool read_segment_at(reader_t *in, line_t *line, segment_t *segment)
{
    fields_t fields;
    json_t name, value;
    fields.count = 0;
    memset(segment, 0, sizeof *segment);
    segment->path.at = (const uint8_t *)"";
    for (int field = 0; field < FIELDS; field++)
        segment->codes[field] = -1;
    if (!next_is(in, '{'))
        return false;
    do {
        if (!read_name(in, &fields, &name) || !read_value(in, &value, 0) || !set_field(line, segment, name.string, &value))
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

static bool read_segments(reader_t *in, line_t *line)
{
    if (!next_is(in, '['))
        return false;
    do {
        if (!grow(line) || !read_segment_at(in, line, &line->page.segments[line->page.size]))
            return false;
        line->ends[line->page.size++] = in->at - 1;
    } while (next_is(in, ','));
    return next_is(in, ']');
}

/* Whether the schema allows a field of the record (see `record.FIELDS`), and it is not to be written. */
static bool is_allowed(bytes_t name, const json_t *value)
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

/* Reads a record that has segments; false for others. */
static bool read_record(reader_t *in, line_t *line)
{
    fields_t fields;
    json_t name, value;
    fields.count = 0;
    if (!next_is(in, '{'))
        return false;
    do {
        if (!read_name(in, &fields, &name))
            return false;
        if (is(name.string, "segments")) {
            if (!read_segments(in, line))
                return false;
            continue;
        }
        if (!read_value(in, &value, 0) || !is_allowed(name.string, &value))
            return false;
        if (is(name.string, "head"))
            line->head = value;
        else if (is(name.string, "url"))
            line->url = value;
        else if (is(name.string, "lang"))
            line->lang = value;
        else if (is(name.string, "lang_probability"))
            line->probability = value;
        line->has_version |= is(name.string, "nc");
    } while (next_is(in, ','));
    line->end = in->at;
    return next_is(in, '}') && (in->at == in->end || (next_is(in, '\n') && in->at == in->end)) && line->page.size;
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

/* Whether a path is that of code (see `element_roles`). */
static bool has_code(bytes_t path)
{
    const uint8_t *at = path.at, *end = path.at + path.size;
    while ((at = memchr(at, '/', (size_t)(end - at))) != NULL) {
        at++;
        if ((end - at >= 3 && !memcmp(at, "pre", 3)) || (end - at >= 4 && !memcmp(at, "code", 4)))
            return !is(path, "body/pre");
    }
    return false;
}

/* The last path that was asked for, and whether it is that of code. */
typedef struct {
    bytes_t path;
    bool has_code;
} code_path_t;

/* The role of a segment whose role is text (see `element_roles`). */
static const char *role_of_element(const segment_t *segment, int row_tag, code_path_t *before)
{
    bytes_t path = segment->path, text = segment->text;
    if (segment->codes[TAG] == row_tag && memchr(text.at, '\t', text.size))
        return "table";
    if (!before->path.at || before->path.size != path.size || (before->path.at != path.at && !equal(before->path, path)))
        *before = (code_path_t){path, has_code(path)};
    return before->has_code ? "code" : "text";
}

#endif
