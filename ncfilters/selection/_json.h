/* A record on a line of JSON: its segments as columns, and the rest of the line for `orjson`.
 *
 * Where the line is not JSON, or is unusual (escapes in names), nothing is read and the Python code does the record.
 */

#ifndef NC_SELECTION_JSON_H
#define NC_SELECTION_JSON_H

#include "_table.h"

/* Integers of more digits may be floats in Python: orjson has 64 bits. */
enum { SURE_DIGITS = 18 };

static inline span_t span_at(bytes_t bytes)
{
    return (span_t){(const char *)bytes.at, (Py_ssize_t)bytes.size};
}

/* One of at most MAX_DIGITS needs no rounding but that of one division or multiplication; one of more is NaN, and so of no
 * use to a field that is read. */
static double value_of_number(const number_t *of)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (of->count > MAX_DIGITS)
        return Py_NAN;
    double number = (double)of->digits;
    number = of->exponent < 0 ? number / powers[-of->exponent] : number * powers[of->exponent];
    return of->is_negative ? -number : number;
}

/* The value of a field of a segment. */
static bool read_field(reader_t *in, value_t *out)
{
    json_t json;
    if (!read_value(in, &json, 0))
        return false;
    bool is_integer = json.kind == AN_INTEGER, is_large = is_integer && json.number.count > SURE_DIGITS;
    out->kind = is_large ? A_DECIMAL : json.kind;
    out->string = json.kind == A_STRING ? span_at(json.string) : (span_t){"", 0};
    out->number = is_integer || json.kind == A_DECIMAL ? value_of_number(&json.number)
        : json.kind == A_BOOLEAN && *json.raw.at == 't';
    return true;
}

static bool read_segment(reader_t *in, const uint8_t *line, reading_t *reading)
{
    skip_space(in);
    if (!next_is(in, '{'))
        return false;
    reading->segment->start = in->at - 1 - line;
    skip_space(in);
    while (true) {
        json_t name;
        value_t value;
        skip_space(in);
        if (!read_name(in, NULL, &name) || name.has_escapes || !read_field(in, &value))
            return false;
        span_t span = span_at(name.string);
        if (!set_field(reading, field_of(span), span, value))
            return false;
        skip_space(in);
        if (next_is(in, '}'))
            break;
        if (!next_is(in, ','))
            return false;
    }
    reading->segment->end = in->at - line;
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
    const uint8_t *line = (const uint8_t *)PyBytes_AS_STRING(table->line);
    Py_ssize_t room = 0;
    skip_space(in);
    if (!next_is(in, '['))
        return false;
    skip_space(in);
    if (next_is(in, ']'))
        return true;
    for (;;) {
        if (!add_segment(table, &room))
            return false;
        reading_t reading = {&table->segments[table->size - 1], score_field, false, 0, &table->has_markup};
        if (!read_segment(in, line, &reading) || !finish_segment(table, &reading, table->size == 1))
            return false;
        skip_space(in);
        if (next_is(in, ']'))
            return true;
        if (!next_is(in, ','))
            return false;
    }
}

/* Reads a line. *cut* is the part of it that is the field `segments` with a comma, if there is another field. */
static bool read_record(reader_t *in, table_t *table, span_t score_field, span_t *cut)
{
    const uint8_t *comma = NULL; /* before the field */
    bool has_segments = false, is_open = false; /* the comma behind the segments is to be cut */
    skip_space(in);
    if (!next_is(in, '{'))
        return false;
    for (;;) {
        json_t name, value;
        skip_space(in);
        const uint8_t *start = in->at;
        if (!read_name(in, NULL, &name) || name.has_escapes)
            return false;
        if (is(name.string, "segments")) {
            if (has_segments || !read_segments(in, table, score_field))
                return false;
            has_segments = true;
            is_open = !comma;
            cut->data = (const char *)(comma ? comma : start);
            cut->size = (const char *)in->at - cut->data;
        } else if (is(name.string, "error") || !read_value(in, &value, 0)) {
            return false;
        }
        skip_space(in);
        if (next_is(in, '}'))
            break;
        if (!next_is(in, ','))
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
