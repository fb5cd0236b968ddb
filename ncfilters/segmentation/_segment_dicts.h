/* Segments in a capsule as dicts of Python. */

#ifndef NC_SEGMENT_DICTS_H
#define NC_SEGMENT_DICTS_H

#include "../text/_dict_fields.h"
#include "_shown_segments.h"

/* Sets a field to a string, if there is one. Returns -1 with an exception. */
static int set_string_field(PyObject *dict, const char *name, const char *value)
{
    return value ? set_new_field(dict, name, PyUnicode_FromString(value)) : 0;
}

/* A segment as a new dict, whose fields are in the order in which Python sets them; NULL with an exception. */
static PyObject *dict_of_segment(const shown_segment_t *segment)
{
    PyObject *out;

    if (segment->dict) return PyDict_Copy(segment->dict);
    if ((out = PyDict_New()) == NULL) return NULL;
    if (set_new_field(out, "text", PyUnicode_DecodeUTF8(segment->text, (Py_ssize_t)segment->text_size, NULL)) == 0 &&
        set_new_field(out, "tag", Py_NewRef(segment->tag_object)) == 0 &&
        set_new_field(out, "path", Py_NewRef(segment->path_object)) == 0 &&
        set_new_field(out, "links", PyLong_FromLongLong(segment->links)) == 0 &&
        set_string_field(out, "marker", segment->marker) == 0 && set_string_field(out, "hidden", segment->hidden) == 0 &&
        (!segment->is_pre || set_new_field(out, "pre", Py_NewRef(Py_True)) == 0) &&
        (!segment->is_bold || set_new_field(out, "bold", Py_NewRef(Py_True)) == 0) &&
        set_string_field(out, "origin", segment->origin) == 0 &&
        (!segment->has_lines || set_new_field(out, "lines", Py_NewRef(Py_True)) == 0) &&
        set_string_field(out, "type", segment->type) == 0 && set_string_field(out, "rule", segment->rule) == 0) return out;
    Py_DECREF(out);
    return NULL;
}

#endif
