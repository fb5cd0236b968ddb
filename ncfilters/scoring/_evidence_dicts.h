/* Segments in dictionaries to evidence in dictionaries, by a structure model. `_core.c` includes it. */

#ifndef NC_EVIDENCE_DICTS_H
#define NC_EVIDENCE_DICTS_H

#include "_models.h"

/* ---- segments in dictionaries ---- */

/* The UTF-8 of a string, in the string or copied. False for other types, and for lone surrogates. */
static bool read_string(PyObject *string, arena_t *arena, bytes_t *out)
{
    if (!PyUnicode_CheckExact(string))
        return false;
    Py_ssize_t size = PyUnicode_GET_LENGTH(string);
    if (PyUnicode_IS_ASCII(string)) {
        *out = (bytes_t){PyUnicode_1BYTE_DATA(string), (size_t)size};
        return true;
    }
    int kind = PyUnicode_KIND(string);
    const void *data = PyUnicode_DATA(string);
    uint8_t *start = size < MAX_TEXT_BYTES ? take(arena, 4 * (size_t)size + 4) : NULL, *to = start;
    for (Py_ssize_t at = 0; start && at < size; at++) {
        uint32_t code = PyUnicode_READ(kind, data, at);
        if (code >= 0xD800 && code <= 0xDFFF)
            return false;
        to = put_character(to, code);
    }
    *out = (bytes_t){start, (size_t)(to - start)};
    return start != NULL;
}

/* Reads a segment; false for what is left to Python. */
static bool read_segment(PyObject *dict, arena_t *arena, segment_t *out)
{
    if (!PyDict_CheckExact(dict))
        return false;
    PyObject *text = PyDict_GetItemWithError(dict, text_name), *path = PyDict_GetItemWithError(dict, path_name);
    PyObject *links = PyDict_GetItemWithError(dict, links_name);
    if (!text || !read_string(text, arena, &out->text) || out->text.size >= MAX_TEXT_BYTES)
        return false;
    out->chars = (size_t)PyUnicode_GET_LENGTH(text);
    out->path = (bytes_t){(const uint8_t *)"", 0};
    if (path && !read_string(path, arena, &out->path))
        return false;
    out->links = 0;
    if (links) {
        int overflow;
        if (!PyLong_CheckExact(links))
            return false;
        long long count = PyLong_AsLongLongAndOverflow(links, &overflow);
        if (overflow)
            return false;
        out->links = (float)count;
    }
    for (int field = 0; field < FIELDS; field++) {
        PyObject *value = PyDict_GetItemWithError(dict, field_names[field]);
        bytes_t bytes;
        if (value && !read_string(value, arena, &bytes))
            return false;
        out->codes[field] = value ? category(bytes, field) : -1;
    }
    for (int flag = 0; flag < FLAGS; flag++)
        out->flags[flag] = PyDict_GetItemWithError(dict, flag_names[flag]) != NULL;
    return !PyErr_Occurred();
}

/* Reads a page; false for what is left to Python. */
static bool read_page(PyObject *segments, PyObject *head, page_t *page)
{
    arena_t *arena = page->arena;
    PyObject *title, *description, *names;
    if (!PyList_CheckExact(segments) || PyList_GET_SIZE(segments) < 1 || PyList_GET_SIZE(segments) >= INT32_MAX / 2
        || !PyArg_ParseTuple(head, "OOO!", &title, &description, &PyTuple_Type, &names))
        return false;
    page->size = (uint32_t)PyList_GET_SIZE(segments);
    page->name_count = (uint32_t)PyTuple_GET_SIZE(names);
    page->segments = take(arena, page->size * sizeof(segment_t));
    page->names = take(arena, (page->name_count + 1) * sizeof(bytes_t));
    if (!page->segments || !page->names || !read_string(title, arena, &page->title)
        || !read_string(description, arena, &page->description))
        return false;
    for (uint32_t at = 0; at < page->name_count; at++)
        if (!read_string(PyTuple_GET_ITEM(names, at), arena, &page->names[at]))
            return false;
    for (uint32_t at = 0; at < page->size; at++)
        if (!read_segment(PyList_GET_ITEM(segments, at), arena, &page->segments[at]))
            return false;
    return true;
}

/* ---- evidence ---- */

static bool set_list(PyObject *dict, PyObject *name, PyObject *list)
{
    bool done = list && PyDict_SetItem(dict, name, list) == 0;
    Py_XDECREF(list);
    return done;
}

static PyObject *score_list(const page_t *page, const results_t *results, int policy)
{
    PyObject *list = PyList_New(page->size);
    for (uint32_t at = 0; list && at < page->size; at++) {
        PyObject *value = PyFloat_FromDouble(results->segments[at].bits[policy] / 100);
        if (!value)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, at, value);
    }
    return list;
}

/* The fields of segments (see `StructureModel._segment_evidence`). */
static PyObject *evidence_of(const ModelObject *self, const page_t *page, const results_t *results)
{
    PyObject *out = PyDict_New();
    bool good = out != NULL;
    for (int policy = 0; good && policy < self->model->policies; policy++)
        good = set_list(out, PyTuple_GET_ITEM(self->score_fields, policy), score_list(page, results, policy));
    if (!good || !self->model->has_roles)
        return good ? out : (Py_XDECREF(out), NULL);
    PyObject *roles = PyList_New(page->size), *probabilities = PyList_New(page->size);
    good = roles && probabilities;
    for (uint32_t at = 0; good && at < page->size; at++) {
        PyObject *probability = PyFloat_FromDouble(results->segments[at].probability / 1000);
        PyList_SET_ITEM(roles, at, Py_NewRef(PyTuple_GET_ITEM(self->roles, results->segments[at].role)));
        PyList_SET_ITEM(probabilities, at, probability);
        good = probability != NULL;
    }
    good = set_list(out, role_name, roles) && good;
    good = set_list(out, probability_name, probabilities) && good;
    return good ? out : (Py_DECREF(out), NULL);
}

static bool set_value(PyObject *dict, PyObject *name, double value)
{
    return set_list(dict, name, PyFloat_FromDouble(value));
}

/* The classification of the page (see `PageClassifier.classify`), or None. */
static PyObject *page_of_results(const ModelObject *self, const results_t *results)
{
    if (!self->model->has_classifier)
        Py_RETURN_NONE;
    PyObject *out = PyDict_New(), *types = PyDict_New();
    bool good = out && types && set_value(out, odds_name, results->odds / 100 + 0.0);
    if (good && self->model->types) {
        good = PyDict_SetItem(out, type_name, PyTuple_GET_ITEM(self->types, results->type)) == 0;
        for (int type = 0; good && type < self->model->types; type++)
            good = set_value(types, PyTuple_GET_ITEM(self->types, type), results->types[type] / 1000);
        good = good && PyDict_SetItem(out, types_name, types) == 0;
    }
    Py_XDECREF(types);
    if (!good)
        Py_CLEAR(out);
    return out;
}

/* score(segments, head): the evidence of the segments and the classification of the page; None where something is not as
 * usual. *head*: title, description and names. */
static PyObject *model_score(PyObject *object, PyObject *args)
{
    ModelObject *self = (ModelObject *)object;
    PyObject *segments, *head;
    if (!PyArg_ParseTuple(args, "OO!", &segments, &PyTuple_Type, &head))
        return NULL;
    arena_t arena = borrow_memory();
    page_t page = {.arena = &arena};
    results_t results = {0};
    int scored = read_page(segments, head, &page) ? score_page(self->model, &page, &results) : 0;
    PyObject *evidence = NULL, *of_page = NULL;
    if (scored > 0) {
        evidence = evidence_of(self, &page, &results);
        of_page = evidence ? page_of_results(self, &results) : NULL;
    }
    return_memory(arena);
    if (of_page)
        return Py_BuildValue("(NN)", evidence, of_page);
    Py_XDECREF(evidence);
    PyErr_Clear();
    Py_RETURN_NONE;
}

#endif
