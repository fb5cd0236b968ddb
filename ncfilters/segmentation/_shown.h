/* The segments of a page in a capsule, for the cores of other stages (see `_shown_segments.h`). `_core.c` includes it. */

#include "_segment_dicts.h"

static void free_shown(shown_segments_t *shown)
{
    PyMem_RawFree(shown->segments);
    Py_XDECREF(shown->columns);
    Py_XDECREF(shown->others);
    free_rooms(shown->rooms);
    PyMem_RawFree(shown);
}

static void free_shown_capsule(PyObject *capsule)
{
    shown_segments_t *shown = PyCapsule_GetPointer(capsule, SEGMENTS_NAME);

    if (shown) free_shown(shown);
}

static shown_segment_t shown_of(const segment_t *segment)
{
    const shown_block_t *block = segment->block;

    return (shown_segment_t){
        .text = (const char *)segment->text.at,
        .text_size = segment->text.size,
        .path = (const char *)segment->path.at,
        .path_size = segment->path.size,
        .tag = block->tag,
        .marker = segment->has_marker && block->marker[0] ? block->marker : NULL,
        .hidden = block->hidden,
        .origin = block->origin,
        .type = PyUnicode_DATA(segment->type),
        .rule = segment->rule ? PyUnicode_DATA(segment->rule) : NULL,
        .chars = segment->chars,
        .links = segment->links,
        .tag_object = block->tag_object,
        .path_object = segment->path_object,
        .is_pre = segment->is_pre,
        .is_bold = segment->is_bold,
        .has_lines = segment->has_lines,
    };
}

/* Sets a string of an embedded segment, and its size. Returns -1 with an exception. */
static int show_string(PyObject *value, const char **to, size_t *to_size)
{
    Py_ssize_t size;

    if (!PyUnicode_CheckExact(value)) PyErr_SetString(PyExc_TypeError, "expected a string");
    else if ((*to = PyUnicode_AsUTF8AndSize(value, &size)) == NULL) return -1;
    else if (to_size) *to_size = (size_t)size;
    else if (strlen(*to) != (size_t)size) PyErr_SetString(PyExc_ValueError, "NUL in a field");
    return PyErr_Occurred() ? -1 : 0;
}

/* Sets a field of an embedded segment. Returns -1 with an exception for those that embedded segments lack. */
static int show_field(shown_segment_t *to, PyObject *name, PyObject *value)
{
    int overflow = 0;

    if (name == words.text) {
        to->chars = PyUnicode_CheckExact(value) ? (size_t)PyUnicode_GET_LENGTH(value) : 0;
        return show_string(value, &to->text, &to->text_size);
    }
    if (name == words.path) {
        to->path_object = value;
        return show_string(value, &to->path, &to->path_size);
    }
    if (name == words.tag) {
        to->tag_object = value;
        return show_string(value, &to->tag, NULL);
    }
    if (name == words.marker) return show_string(value, &to->marker, NULL);
    if (name == words.hidden) return show_string(value, &to->hidden, NULL);
    if (name == words.origin) return show_string(value, &to->origin, NULL);
    if (name == words.type) return show_string(value, &to->type, NULL);
    if (name == words.rule) return show_string(value, &to->rule, NULL);
    to->is_pre |= name == words.pre && value == Py_True;
    to->is_bold |= name == words.bold && value == Py_True;
    to->has_lines |= name == words.lines && value == Py_True;
    if (value == Py_True && (name == words.pre || name == words.bold || name == words.lines)) return 0;
    if (name == words.links && PyLong_CheckExact(value)) {
        to->links = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (!overflow) return 0;
    }
    PyErr_SetString(PyExc_ValueError, "unexpected field");
    return -1;
}

/* An embedded segment, whose dict stays as it is. Returns -1 with an exception. */
static int show_dict(shown_segment_t *to, PyObject *dict)
{
    PyObject *name, *value;
    Py_ssize_t place = 0;

    *to = (shown_segment_t){.dict = dict};
    if (!PyDict_CheckExact(dict)) PyErr_SetString(PyExc_TypeError, "expected a dict");
    while (!PyErr_Occurred() && PyDict_Next(dict, &place, &name, &value)) {
        PyObject *interned = Py_NewRef(name);
        if (PyUnicode_CheckExact(name)) PyUnicode_InternInPlace(&interned);
        show_field(to, interned, value);
        Py_DECREF(interned);
    }
    if (!PyErr_Occurred() && (to->text == NULL || to->path == NULL || to->tag == NULL || to->type == NULL))
        PyErr_SetString(PyExc_ValueError, "a field is missing");
    return PyErr_Occurred() ? -1 : 0;
}

/* Shows the embedded segments that come before the block with this number; *next* is the next one of them. Returns -1
 * with an exception. */
static int show_others(shown_segments_t *shown, Py_ssize_t *next, Py_ssize_t number)
{
    for (; *next < PyList_GET_SIZE(shown->others); ++*next) {
        Py_ssize_t before;
        PyObject *dict;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(shown->others, *next), "nO", &before, &dict)) return -1;
        if (before > number) return 0;
        if (show_dict(&shown->segments[shown->count], dict) < 0) return -1;
        shown->count++;
    }
    return 0;
}

/* Segments and *others*, the capsule of whose blocks is given, in a capsule, which gets the rooms; NULL with an exception. */
static PyObject *capsule_of_segments(const segment_t *segments, size_t count, PyObject *columns, PyObject *others, room_t **rooms)
{
    const columns_t *own = PyCapsule_GetPointer(columns, COLUMNS_NAME);
    shown_segments_t *shown = PyMem_RawCalloc(1, sizeof *shown);
    PyObject *out = NULL;
    Py_ssize_t next = 0;
    int status = 0;

    if (shown) shown->segments = PyMem_RawMalloc((count + (size_t)PyList_GET_SIZE(others) + 1) * sizeof *shown->segments);
    if (shown == NULL || shown->segments == NULL) {
        PyMem_RawFree(shown);
        return PyErr_NoMemory();
    }
    shown->columns = Py_NewRef(columns);
    shown->others = Py_NewRef(others);
    for (size_t i = 0; status == 0 && i < count; i++) {
        status = show_others(shown, &next, segments[i].block - own->blocks);
        shown->segments[shown->count++] = shown_of(&segments[i]);
    }
    if (status == 0) status = show_others(shown, &next, PY_SSIZE_T_MAX);
    if (status == 0) out = PyCapsule_New(shown, SEGMENTS_NAME, free_shown_capsule);
    if (out) {
        shown->rooms = *rooms;
        *rooms = NULL;
    } else {
        free_shown(shown);
    }
    return out;
}

PyDoc_STRVAR(segment_dicts_doc, "segment_dicts(segments)\n--\n\nThe segments in a capsule, as dicts.");

static PyObject *core_segment_dicts(PyObject *module, PyObject *capsule)
{
    const shown_segments_t *shown = PyCapsule_GetPointer(capsule, SEGMENTS_NAME);
    PyObject *out = shown ? PyList_New((Py_ssize_t)shown->count) : NULL;

    for (size_t i = 0; out && i < shown->count; i++) {
        PyObject *dict = dict_of_segment(&shown->segments[i]);
        if (dict) PyList_SET_ITEM(out, (Py_ssize_t)i, dict);
        else Py_CLEAR(out);
    }
    return out;
}
