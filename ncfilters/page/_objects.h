/* Python objects: names of fields, texts, attributes. `_core.c` includes it. */

static struct {
    PyObject *text, *tag, *path, *links, *br, *marker, *hidden, *pre, *bold, *origin; /* names of fields */
    PyObject *spans, *level, *depth, *item, *quote, *figure, *caption, *after, *src, *alt;
    PyObject *image, *link, *resolve, *address_of_folder, *set_base, *host, *page; /* kinds of spans, methods */
    PyObject *bullet, *hiding[4], *origins[3];
} words;

static int set_field(PyObject *to, PyObject *name, PyObject *value)
{
    return PyDict_SetItem(to, name, value);
}

/* Sets a field to a new reference, which may be NULL with an exception. */
static int set_new(PyObject *to, PyObject *name, PyObject *value)
{
    int status = value ? PyDict_SetItem(to, name, value) : -1;

    Py_XDECREF(value);
    return status;
}

/* Appends a new reference, which may be NULL with an exception. */
static int append_new(PyObject *list, PyObject *item)
{
    int status = item ? PyList_Append(list, item) : -1;

    Py_XDECREF(item);
    return status;
}

static PyObject *decode(const char *text, size_t length)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
}

static PyObject *string_or_none(attribute_t own)
{
    return own.value ? decode(own.value, own.length) : Py_NewRef(Py_None);
}

static PyObject *dict_of_attributes(node_t *node)
{
    PyObject *out = PyDict_New();
    size_t length;

    for (void *at = first_attribute(node); out && at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        attribute_t own = {0};
        PyObject *key = decode(name ? name : "", name ? length : 0);
        PyObject *value;
        set_attribute(&own, at);
        value = string_or_none(own);
        if (key == NULL || value == NULL || PyDict_SetItem(out, key, value) < 0) Py_CLEAR(out);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return out;
}
