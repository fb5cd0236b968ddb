/* The fields of markup of a segment as JSON. `_output.h` includes it. */

enum { MAX_VALUE_DEPTH = 16 };

/* Writes a number of up to 18 digits without the detour over a format. */
static void put_integer(output_t *out, long long number)
{
    char digits[20];
    size_t at = sizeof digits;

    if (number < 0 || number >= 1000000000000000000LL) {
        put_number(out, number);
        return;
    }
    do digits[--at] = (char)('0' + number % 10); while ((number /= 10) > 0);
    put_plain(out, digits + at, sizeof digits - at);
}

static int put_string(output_t *out, PyObject *string)
{
    bytes_t bytes;

    if (bytes_of(string, &bytes) < 0 || make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "\"");
    if (put_content(out, bytes) < 0) return -1;
    PUT(out, "\"");
    return 0;
}

static int put_value(output_t *out, PyObject *value, int depth);

/* Writes the items of a list or a tuple. */
static int put_items(output_t *out, PyObject *sequence, int depth)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);

    PUT(out, "[");
    for (Py_ssize_t i = 0; i < count; i++) {
        if (put_value(out, PySequence_Fast_GET_ITEM(sequence, i), depth) < 0 || make_room(out, SEGMENT_ROOM) < 0) return -1;
        if (i + 1 < count) PUT(out, ",");
    }
    PUT(out, "]");
    return 0;
}

static int put_dict(output_t *out, PyObject *dict, int depth)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    bool is_first = true;

    PUT(out, "{");
    while (PyDict_Next(dict, &at, &name, &value)) {
        if (make_room(out, SEGMENT_ROOM) < 0) return -1;
        if (!is_first) PUT(out, ",");
        is_first = false;
        if (put_string(out, name) < 0) return -1;
        PUT(out, ":");
        if (put_value(out, value, depth) < 0) return -1;
    }
    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "}");
    return 0;
}

/* Writes a value as orjson does. Returns -1 with an exception, also for values that markup does not have. */
static int put_value(output_t *out, PyObject *value, int depth)
{
    int overflow = 0;
    long long number;

    if (depth > MAX_VALUE_DEPTH || make_room(out, SEGMENT_ROOM) < 0) return -1;
    if (PyUnicode_CheckExact(value)) return put_string(out, value);
    if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) return put_items(out, value, depth + 1);
    if (PyDict_CheckExact(value)) return put_dict(out, value, depth + 1);
    if (value == Py_True) PUT(out, "true");
    else if (value == Py_False) PUT(out, "false");
    else if (value == Py_None) PUT(out, "null");
    else {
        number = PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : (overflow = 1);
        if (overflow) {
            PyErr_SetString(PyExc_TypeError, "markup has strings, integers, lists and dicts");
            return -1;
        }
        put_integer(out, number);
    }
    return 0;
}

/* Whether a field is one that segments have without markup, which `put_segment` writes. */
static bool is_plain_field(PyObject *name)
{
    PyObject *const plain[] = {words.text, words.tag, words.path, words.links, words.br,
                               words.marker, words.hidden, words.pre, words.bold, words.origin};

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (name == plain[i]) return true;
    return false;
}

/* Writes the fields of markup, in their order. Returns -1 with an exception. */
static int put_markup(output_t *out, PyObject *dict)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(dict, &at, &name, &value)) {
        if (is_plain_field(name)) continue;
        if (make_room(out, SEGMENT_ROOM) < 0) return -1;
        PUT(out, ",");
        if (put_string(out, name) < 0) return -1;
        PUT(out, ":");
        if (put_value(out, value, 0) < 0) return -1;
    }
    return make_room(out, SEGMENT_ROOM);
}
