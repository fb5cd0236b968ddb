/* The values of hydration data that may be prose: as hydration._collect_prose. `_core.c` includes it. */

/* What the Python module gives: functions and bounds. */
typedef struct {
    PyObject *is_prose, *load_json, *is_interface_name; /* borrowed */
    Py_ssize_t max_texts, max_names, max_name, min_chars, min_nested, min_spaces, max_examined;
} prose_search_t;

/* A value that is to be visited. Its path is *path*, followed by *name* if that is not NULL. */
typedef struct {
    PyObject *value, *path, *name; /* owned */
} held_value_t;

typedef struct {
    held_value_t *items;
    size_t count, capacity;
} held_values_t;

static void drop_held(const held_value_t *own)
{
    Py_DECREF(own->value);
    Py_DECREF(own->path);
    Py_XDECREF(own->name);
}

/* Adds a value, and takes over the reference to its *name*. Returns -1 with an exception. */
static int push_held(held_values_t *to, PyObject *value, PyObject *path, PyObject *name)
{
    if (reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items) < 0) {
        Py_XDECREF(name);
        return -1;
    }
    to->items[to->count++] = (held_value_t){Py_NewRef(value), Py_NewRef(path), name};
    return 0;
}

static void reverse_held(held_value_t *items, size_t count)
{
    for (size_t at = 0; at < count / 2; at++) {
        held_value_t own = items[at];
        items[at] = items[count - 1 - at];
        items[count - 1 - at] = own;
    }
}

/* The number of spaces among the first characters of a text in ASCII, which are counted up to *most*. */
static Py_ssize_t count_spaces(PyObject *text, Py_ssize_t chars, Py_ssize_t most)
{
    const char *at = PyUnicode_DATA(text), *end = at + (PyUnicode_GET_LENGTH(text) < chars ? PyUnicode_GET_LENGTH(text) : chars);
    Py_ssize_t count = 0;

    while (count < most && at < end && (at = memchr(at, ' ', (size_t)(end - at))) != NULL) {
        count++;
        at++;
    }
    return count;
}

/* As hydration._may_hold_prose. */
static bool may_hold_prose(const prose_search_t *in, PyObject *value)
{
    if (PyUnicode_CheckExact(value))
        return PyUnicode_GET_LENGTH(value) >= in->min_chars &&
               (!PyUnicode_IS_ASCII(value) || memchr(PyUnicode_DATA(value), ' ', (size_t)PyUnicode_GET_LENGTH(value)));
    if (PyDict_CheckExact(value)) return PyDict_GET_SIZE(value) > 0;
    return PyList_CheckExact(value) && PyList_GET_SIZE(value) > 0;
}

/* The answer of a function; -1 with an exception. */
static int answer_of(PyObject *function, PyObject *argument)
{
    PyObject *answer = PyObject_CallOneArg(function, argument);
    int status = answer ? PyObject_IsTrue(answer) : -1;

    Py_XDECREF(answer);
    return status;
}

static PyObject *path_of_held(const held_value_t *own)
{
    return own->name ? PyUnicode_Concat(own->path, own->name) : Py_NewRef(own->path);
}

/* Visits a string: adds it to *out* if it is prose, or the value that it is as JSON to *to*. Returns -1 with an exception. */
static int visit_string(const prose_search_t *in, const held_value_t *own, PyObject *out, held_values_t *to)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(own->value);
    PyObject *path;
    int status;

    if (length > in->min_nested) {
        Py_UCS4 first = PyUnicode_READ_CHAR(own->value, 0), last = PyUnicode_READ_CHAR(own->value, length - 1);
        if ((first == '{' || first == '[') && (last == '}' || last == ']')) {
            PyObject *inner = PyObject_CallOneArg(in->load_json, own->value);
            if (inner == NULL) return -1;
            status = 0;
            if (PyDict_CheckExact(inner) || PyList_CheckExact(inner)) {
                status = (path = path_of_held(own)) == NULL || push_held(to, inner, path, NULL) < 0 ? -1 : 1;
                Py_XDECREF(path);
            }
            Py_DECREF(inner);
            if (status != 0) return status < 0 ? -1 : 0;
        }
    }
    if (PyUnicode_IS_ASCII(own->value) && count_spaces(own->value, in->max_examined, in->min_spaces) < in->min_spaces) return 0;
    if ((status = answer_of(in->is_prose, own->value)) <= 0) return status;
    path = path_of_held(own);
    return path ? append_new(out, Py_BuildValue("(NO)", path, own->value)) : -1;
}

/* Adds the first *left* values of a list that may hold prose. Returns -1 with an exception. */
static int visit_list(const prose_search_t *in, const held_value_t *own, Py_ssize_t left, held_values_t *to)
{
    Py_ssize_t size = PyList_GET_SIZE(own->value);
    PyObject *path = path_of_held(own);
    int status = path ? 0 : -1;

    for (Py_ssize_t at = size < left ? size : left; status == 0 && at-- > 0;)
        if (may_hold_prose(in, PyList_GET_ITEM(own->value, at))) status = push_held(to, PyList_GET_ITEM(own->value, at), path, NULL);
    Py_XDECREF(path);
    return status;
}

/* What precedes the names of a dict in paths. */
static PyObject *prefix_of_dict(const prose_search_t *in, const held_value_t *own)
{
    PyObject *path = path_of_held(own), *end, *out;
    Py_ssize_t length;

    if (path == NULL || (length = PyUnicode_GET_LENGTH(path)) == 0) return path;
    end = PyUnicode_Substring(path, length > in->max_names ? length - in->max_names : 0, length);
    Py_DECREF(path);
    out = end ? PyUnicode_FromFormat("%U/", end) : NULL;
    Py_XDECREF(end);
    return out;
}

/* The same of a dict, but for those whose names say that they are of the interface. */
static int visit_dict(const prose_search_t *in, const held_value_t *own, Py_ssize_t left, held_values_t *to)
{
    PyObject *prefix = prefix_of_dict(in, own), *key, *value;
    Py_ssize_t place = 0;
    size_t start = to->count;
    int status = prefix ? 0 : -1;

    while (status == 0 && left > 0 && PyDict_Next(own->value, &place, &key, &value)) {
        PyObject *name;
        if (!PyUnicode_Check(key) || !may_hold_prose(in, value)) continue;
        left--;
        if ((name = PyUnicode_Substring(key, 0, in->max_name)) == NULL) status = -1;
        else if ((status = answer_of(in->is_interface_name, name)) == 0) status = push_held(to, value, prefix, name);
        else {
            status = status < 0 ? -1 : 0;
            Py_DECREF(name);
        }
    }
    Py_XDECREF(prefix);
    reverse_held(to->items + start, to->count - start);
    return status;
}

PyDoc_STRVAR(collect_prose_doc, "collect_prose(value, out, left, functions, bounds)\n--\n\n"
"As hydration._collect_prose.");

static PyObject *core_collect_prose(PyObject *module, PyObject *args)
{
    PyObject *value, *out, *empty = NULL;
    prose_search_t in;
    held_values_t todo = {0};
    Py_ssize_t left;
    int status = -1;

    if (!PyArg_ParseTuple(args, "OO!n(OOO)(nnnnnnn)", &value, &PyList_Type, &out, &left, &in.is_prose, &in.load_json,
                          &in.is_interface_name, &in.max_texts, &in.max_names, &in.max_name, &in.min_chars, &in.min_nested,
                          &in.min_spaces, &in.max_examined)) return NULL;
    if ((empty = PyUnicode_New(0, 0)) != NULL) status = push_held(&todo, value, empty, NULL);
    while (status == 0 && todo.count && left > 0 && PyList_GET_SIZE(out) < in.max_texts) {
        held_value_t own = todo.items[--todo.count];
        left--;
        if (PyUnicode_CheckExact(own.value)) status = visit_string(&in, &own, out, &todo);
        else if (PyList_CheckExact(own.value)) status = visit_list(&in, &own, left, &todo);
        else if (PyDict_CheckExact(own.value)) status = visit_dict(&in, &own, left, &todo);
        drop_held(&own);
    }
    while (todo.count) drop_held(&todo.items[--todo.count]);
    PyMem_RawFree(todo.items);
    Py_XDECREF(empty);
    return status < 0 ? NULL : PyLong_FromSsize_t(left);
}

/* ---- ends of sentences */

/* The number of ends of sentences in a text, as sentence_ends.IN_JSON has them, up to *most*. */
#define COUNT_ENDS(NAME, TYPE)                                                                                           \
    static Py_ssize_t NAME(const TYPE *at, const TYPE *end, Py_ssize_t most)                                             \
    {                                                                                                                    \
        Py_ssize_t count = 0;                                                                                            \
        for (; count < most && at < end; at++) {                                                                         \
            size_t left = (size_t)(end - at);                                                                            \
            if (sizeof *at == 1 && *at != '.' && *at != '\\') continue;                                                  \
            if (*at == '.' && left > 1)                                                                                  \
                count += at[1] == ' ' || at[1] == '<' || at[1] == '"' ||                                                 \
                         (at[1] == '\\' && left > 2 && (at[2] == 'n' || at[2] == '"'));                                  \
            else if (*at == '\\')                                                                                        \
                count += left > 5 && at[1] == 'u' && at[2] == '3' && at[3] == '0' && at[4] == '0' && at[5] == '2';       \
            else                                                                                                         \
                count += *at == 0x3002;                                                                                  \
        }                                                                                                                \
        return count;                                                                                                    \
    }
COUNT_ENDS(count_ends_1, Py_UCS1)
COUNT_ENDS(count_ends_2, Py_UCS2)
COUNT_ENDS(count_ends_4, Py_UCS4)

PyDoc_STRVAR(has_sentences_doc, "has_sentences(text, least)\n--\n\nAs hydration._has_sentences.");

static PyObject *core_has_sentences(PyObject *module, PyObject *args)
{
    PyObject *text;
    Py_ssize_t least, length, count;

    if (!PyArg_ParseTuple(args, "Un", &text, &least)) return NULL;
    length = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND: count = count_ends_1(PyUnicode_1BYTE_DATA(text), PyUnicode_1BYTE_DATA(text) + length, least); break;
    case PyUnicode_2BYTE_KIND: count = count_ends_2(PyUnicode_2BYTE_DATA(text), PyUnicode_2BYTE_DATA(text) + length, least); break;
    default: count = count_ends_4(PyUnicode_4BYTE_DATA(text), PyUnicode_4BYTE_DATA(text) + length, least);
    }
    return PyBool_FromLong(count >= least);
}
