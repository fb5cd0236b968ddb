/* Fields of dicts of Python. */

#ifndef NC_DICT_FIELDS_H
#define NC_DICT_FIELDS_H

#include <Python.h>

/* Sets a field to a new reference, which may be NULL with an exception. Returns -1 with an exception. */
static int set_new_field(PyObject *dict, const char *name, PyObject *value)
{
    PyObject *key = value ? PyUnicode_InternFromString(name) : NULL;
    int status = key ? PyDict_SetItem(dict, key, value) : -1;

    Py_XDECREF(key);
    Py_XDECREF(value);
    return status;
}

#endif
