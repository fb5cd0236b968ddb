/* The fields of markup of a segment, as `record.check_markup` demands them. */

#ifndef NC_SELECTION_MARKUP_H
#define NC_SELECTION_MARKUP_H

#include "_table.h"

/* The fields that are lists. */
typedef struct {
    PyObject *spans, *figure, *cells; /* NULL where the segment has none */
} markup_t;

static bool is_word(PyObject *string, const char *word, Py_ssize_t size)
{
    return PyUnicode_GET_LENGTH(string) == size && PyUnicode_IS_ASCII(string) && memcmp(PyUnicode_DATA(string), word, (size_t)size) == 0;
}

/* Whether two integers are from 0 to *size*, in order. */
static bool is_range(PyObject *start, PyObject *end, Py_ssize_t size)
{
    if (!start || !end || !PyLong_CheckExact(start) || !PyLong_CheckExact(end))
        return false;
    Py_ssize_t first = PyLong_AsSsize_t(start), last = PyLong_AsSsize_t(end);
    if (PyErr_Occurred()) { /* too large */
        PyErr_Clear();
        return false;
    }
    return 0 <= first && first <= last && last <= size;
}

static bool is_image(PyObject *image)
{
    if (!PyDict_CheckExact(image))
        return false;
    PyObject *src = PyDict_GetItemString(image, "src"), *alt = PyDict_GetItemString(image, "alt");
    return src && PyUnicode_CheckExact(src) && (!alt || PyUnicode_CheckExact(alt));
}

static bool is_markup_span(PyObject *span, Py_ssize_t size)
{
    if (!PyList_CheckExact(span) || PyList_GET_SIZE(span) < 3)
        return false;
    PyObject *kind = PyList_GET_ITEM(span, 2), *value = PyList_GET_SIZE(span) > 3 ? PyList_GET_ITEM(span, 3) : NULL;
    if (!PyUnicode_CheckExact(kind) || !is_range(PyList_GET_ITEM(span, 0), PyList_GET_ITEM(span, 1), size))
        return false;
    if (is_word(kind, "image", 5))
        return value && is_image(value);
    if (is_word(kind, "link", 4) || is_word(kind, "math", 4) || is_word(kind, "note", 4) || is_word(kind, "footnote", 8))
        return value && PyUnicode_CheckExact(value);
    return true;
}

static bool is_cell(PyObject *cell, Py_ssize_t size)
{
    if (!PyDict_CheckExact(cell) || !is_range(PyDict_GetItemString(cell, "start"), PyDict_GetItemString(cell, "end"), size))
        return false;
    PyObject *row = PyDict_GetItemString(cell, "row"), *column = PyDict_GetItemString(cell, "column");
    return row && column && PyLong_CheckExact(row) && PyLong_CheckExact(column);
}

/* Whether the lists of a segment with so many characters have what they must have. */
static bool is_markup(const markup_t *markup, Py_ssize_t size)
{
    for (Py_ssize_t at = 0; markup->spans && at < PyList_GET_SIZE(markup->spans); at++)
        if (!is_markup_span(PyList_GET_ITEM(markup->spans, at), size))
            return false;
    for (Py_ssize_t at = 0; markup->figure && at < PyList_GET_SIZE(markup->figure); at++)
        if (!is_image(PyList_GET_ITEM(markup->figure, at)))
            return false;
    for (Py_ssize_t at = 0; markup->cells && at < PyList_GET_SIZE(markup->cells); at++)
        if (!is_cell(PyList_GET_ITEM(markup->cells, at), size))
            return false;
    return true;
}

/* Takes a field of markup; whether its value has the right type. */
static bool take_markup(markup_t *markup, field_t field, PyObject *value)
{
    switch (field) {
    case SPANS_FIELD:
        markup->spans = value;
        return PyList_CheckExact(value);
    case FIGURE_FIELD:
        markup->figure = value;
        return PyList_CheckExact(value);
    case CELLS_FIELD:
        markup->cells = value;
        return PyList_CheckExact(value);
    case NOTE_FIELD:
        return PyDict_CheckExact(value);
    case CODE_FIELD:
        return PyUnicode_CheckExact(value);
    default:
        return PyLong_CheckExact(value);
    }
}

#endif
