/* The segments of a line as dictionaries: as orjson makes them, but in less memory. Strings that are the same are one
 * object; the cells of a table are packed (see `packed_cells.py`); where segments have markup, scores that nothing reads are
 * left out.
 */

#ifndef NC_SELECTION_LINE_SEGMENTS_H
#define NC_SELECTION_LINE_SEGMENTS_H

#include <errno.h>
#include <stdlib.h>

#include "_json.h"
#include "_markup.h"

/* Strings in ASCII that were made last, by their hashes: names, tags, paths. */
enum { COMMON_STRINGS = 512, MAX_COMMON_BYTES = 400 };

typedef struct {
    reader_t in;
    PyObject *common[COMMON_STRINGS];
} maker_t;

static PyObject *make_string(maker_t *maker, const json_t *value)
{
    bytes_t string = value->string;
    if (value->is_wide || string.size > MAX_COMMON_BYTES)
        return PyUnicode_DecodeUTF8((const char *)string.at, (Py_ssize_t)string.size, NULL);
    PyObject **place = &maker->common[hash_of(span_at(string)) % COMMON_STRINGS];
    if (!*place || PyUnicode_GET_LENGTH(*place) != (Py_ssize_t)string.size
        || memcmp(PyUnicode_1BYTE_DATA(*place), string.at, string.size) != 0)
        Py_XSETREF(*place, PyUnicode_DecodeUTF8((const char *)string.at, (Py_ssize_t)string.size, NULL));
    return Py_XNewRef(*place);
}

/* A number of many digits: a float, or an integer of 64 bits, as orjson has it. */
static PyObject *make_long_number(const json_t *value)
{
    char copy[1024]; /* the reader takes at most 300 digits, and zeros before the exponent */
    if (value->raw.size >= sizeof copy)
        return NULL;
    memcpy(copy, value->raw.at, value->raw.size);
    copy[value->raw.size] = 0;
    errno = 0;
    if (value->kind == AN_INTEGER && value->number.is_negative) {
        long long found = strtoll(copy, NULL, 10);
        if (!errno)
            return PyLong_FromLongLong(found);
    } else if (value->kind == AN_INTEGER) {
        unsigned long long found = strtoull(copy, NULL, 10);
        if (!errno)
            return PyLong_FromUnsignedLongLong(found);
    }
    double found = PyOS_string_to_double(copy, NULL, NULL);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(found);
}

static PyObject *make_number(const json_t *value)
{
    const number_t *number = &value->number;
    if (number->count > MAX_DIGITS)
        return make_long_number(value);
    if (value->kind == AN_INTEGER)
        return PyLong_FromLongLong(number->is_negative ? -number->digits : number->digits);
    return PyFloat_FromDouble(value_of_number(number));
}

static PyObject *make_object(maker_t *maker);

/* The rest of an array. */
static PyObject *make_list(maker_t *maker)
{
    PyObject *out = PyList_New(0);
    skip_space(&maker->in);
    if (!out || next_is(&maker->in, ']'))
        return out;
    do {
        PyObject *item = make_object(maker);
        bool good = item && PyList_Append(out, item) == 0;
        Py_XDECREF(item);
        if (!good) {
            Py_DECREF(out);
            return NULL;
        }
        skip_space(&maker->in);
    } while (next_is(&maker->in, ','));
    next_is(&maker->in, ']');
    return out;
}

/* Reads a name of an object, and makes it. */
static PyObject *make_name(maker_t *maker)
{
    json_t name;
    skip_space(&maker->in);
    return read_name(&maker->in, NULL, &name) ? make_string(maker, &name) : NULL;
}

/* The rest of an object. */
static PyObject *make_dict(maker_t *maker)
{
    PyObject *out = PyDict_New();
    skip_space(&maker->in);
    if (!out || next_is(&maker->in, '}'))
        return out;
    do {
        PyObject *name = make_name(maker), *item = name ? make_object(maker) : NULL;
        bool good = item && PyDict_SetItem(out, name, item) == 0;
        Py_XDECREF(name);
        Py_XDECREF(item);
        if (!good) {
            Py_DECREF(out);
            return NULL;
        }
        skip_space(&maker->in);
    } while (next_is(&maker->in, ','));
    next_is(&maker->in, '}');
    return out;
}

/* The next value, which is JSON (`read_record` has been there). NULL with an exception, or for a number that is left to
 * Python. */
static PyObject *make_object(maker_t *maker)
{
    json_t value;
    skip_space(&maker->in);
    if (next_is(&maker->in, '{'))
        return make_dict(maker);
    if (next_is(&maker->in, '['))
        return make_list(maker);
    if (!read_value(&maker->in, &value, 0))
        return NULL;
    if (value.kind == A_STRING)
        return make_string(maker, &value);
    if (value.kind == A_NULL)
        return Py_NewRef(Py_None);
    if (value.kind == A_BOOLEAN)
        return PyBool_FromLong(*value.raw.at == 't');
    return make_number(&value);
}

/* ---- cells */

enum { CELL_NUMBERS = 6 };

static const char *const cell_fields[CELL_NUMBERS] = {"start", "end", "row", "column", "rows", "columns"};

/* A cell as it is packed. */
typedef struct {
    int32_t numbers[CELL_NUMBERS]; /* in the order of their names */
    bool is_header;
} cell_t;

/* Reads a cell with these fields alone, the first four among them, and with numbers that are not negative. */
static bool read_cell(reader_t *in, Py_ssize_t chars, cell_t *out)
{
    static const int32_t none[CELL_NUMBERS] = {-1, -1, -1, -1, 1, 1};
    json_t name, value;
    memset(out, 0, sizeof *out); /* its padding, too */
    memcpy(out->numbers, none, sizeof none);
    skip_space(in);
    if (!next_is(in, '{'))
        return false;
    do {
        skip_space(in);
        if (!read_name(in, NULL, &name) || !read_value(in, &value, 0))
            return false;
        int field = 0;
        while (field < CELL_NUMBERS && !is(name.string, cell_fields[field]))
            field++;
        if (field < CELL_NUMBERS) {
            if (value.kind != AN_INTEGER || value.number.is_negative || value.number.count > 9)
                return false;
            out->numbers[field] = (int32_t)value.number.digits;
        } else {
            if (value.kind != A_BOOLEAN || !is(name.string, "header"))
                return false;
            out->is_header = *value.raw.at == 't';
        }
        skip_space(in);
    } while (next_is(in, ','));
    const int32_t *numbers = out->numbers;
    return next_is(in, '}') && numbers[0] >= 0 && numbers[0] <= numbers[1] && numbers[1] <= chars && numbers[2] >= 0 && numbers[3] >= 0;
}

/* The cells of a segment with so many characters, packed; None where they are unusual, with nothing read. */
static PyObject *pack_cells(reader_t *in, Py_ssize_t chars)
{
    const uint8_t *from = in->at;
    uint8_t *room = in->room; /* what is read has no strings that stay */
    cell_t cell;
    bool good = false;
    Py_ssize_t count = 0;
    PyObject *out = NULL;
    for (int pass = 0; pass < 2; pass++) { /* counts, then writes */
        in->at = from;
        in->room = room;
        skip_space(in);
        good = next_is(in, '[');
        for (Py_ssize_t at = 0; good && (!at || next_is(in, ',')); at++) {
            good = read_cell(in, chars, &cell);
            if (pass && good)
                memcpy(PyBytes_AS_STRING(out) + at * (Py_ssize_t)sizeof cell, &cell, sizeof cell);
            count += good && !pass;
            skip_space(in);
        }
        good = good && next_is(in, ']');
        if (!good) {
            in->at = from;
            in->room = room;
            return Py_NewRef(Py_None);
        }
        if (!pass && !(out = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof cell)))
            return NULL;
    }
    return out;
}

/* ---- segments */

/* Whether nothing reads a field: scores under other policies. */
static bool is_left_out(span_t name, span_t score_field)
{
    bool is_score = name.size > 6 && memcmp(name.data, "score_", 6) == 0;
    return is_score && !is_span(name, score_field.data, (size_t)score_field.size);
}

/* Reads a field to a dictionary. */
static bool make_field(maker_t *maker, PyObject *out, markup_t *markup, Py_ssize_t chars, const span_t *score_field)
{
    reader_t *in = &maker->in;
    json_t name, unread;
    skip_space(in);
    if (!read_name(in, NULL, &name))
        return false;
    span_t span = span_at(name.string);
    if (score_field && is_left_out(span, *score_field))
        return read_value(in, &unread, 0);
    field_t field = field_of(span);
    PyObject *key = make_string(maker, &name), *value = !key ? NULL : field == CELLS_FIELD ? pack_cells(in, chars) : Py_NewRef(Py_None);
    bool is_packed = value && value != Py_None;
    if (is_packed)
        markup->cells = NULL; /* of the same name before */
    else if (value)
        Py_SETREF(value, make_object(maker));
    bool good = value && (field < MARKUP_FIELD || is_packed || take_markup(markup, field, value))
        && PyDict_SetItem(out, key, value) == 0;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return good;
}

/* The most bytes of a segment. */
static Py_ssize_t longest_segment(const table_t *table)
{
    Py_ssize_t longest = 0;
    for (Py_ssize_t at = 0; at < table->size; at++) {
        Py_ssize_t size = table->segments[at].end - table->segments[at].start;
        longest = size > longest ? size : longest;
    }
    return longest;
}

/* The segment at an index of a list of indices; NULL with an exception. */
static segment_t *segment_at(const table_t *table, PyObject *indices, Py_ssize_t place)
{
    Py_ssize_t index = PyLong_AsSsize_t(PyList_GET_ITEM(indices, place));
    if (index >= 0 && index < table->size)
        return &table->segments[index];
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "no such segment");
    return NULL;
}

static PyObject *make_segment(maker_t *maker, Py_ssize_t chars, const span_t *score_field)
{
    markup_t markup = {NULL, NULL, NULL};
    PyObject *out = PyDict_New();
    bool good = out && next_is(&maker->in, '{');
    do {
        good = good && make_field(maker, out, &markup, chars, score_field);
        skip_space(&maker->in);
    } while (good && next_is(&maker->in, ','));
    if (!good || !is_markup(&markup, chars))
        Py_CLEAR(out);
    return out;
}

/* Segments of a table from a line: those at these indices, or all without the scores that nothing reads under the content
 * policy (NULL: they stay). NULL without memory, or for numbers and markup that are left to Python. */
static PyObject *make_segments(const table_t *table, PyObject *indices, const span_t *score_field)
{
    const uint8_t *line = (const uint8_t *)PyBytes_AS_STRING(table->line);
    Py_ssize_t count = indices ? PyList_GET_SIZE(indices) : table->size;
    maker_t *maker = PyMem_Calloc(1, sizeof *maker);
    uint8_t *room = PyMem_Malloc((size_t)longest_segment(table) + 1);
    PyObject *out = maker && room ? PyList_New(count) : NULL;
    for (Py_ssize_t place = 0; out && place < count; place++) {
        const segment_t *segment = indices ? segment_at(table, indices, place) : &table->segments[place];
        PyObject *dict = NULL;
        if (segment) {
            maker->in = (reader_t){line + segment->start, line + segment->end, room, false};
            dict = make_segment(maker, segment->chars, score_field);
        }
        if (dict)
            PyList_SET_ITEM(out, place, dict);
        else
            Py_CLEAR(out);
    }
    for (int at = 0; maker && at < COMMON_STRINGS; at++)
        Py_XDECREF(maker->common[at]);
    PyMem_Free(maker);
    PyMem_Free(room);
    if (!out && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "unusual numbers or markup");
    return out;
}

#endif
