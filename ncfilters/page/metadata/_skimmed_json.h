/* JSON-LD with those properties alone that structured_data.py reads: the others, which hold most of the text, are skipped.
 * `_core.c` includes it.
 *
 * What orjson might read in another way, or not at all, is not read here: lenient_json.py does it then.
 */

enum { KEY_SLOTS = 128 };

/* The properties that are read, by a hash of their names. */
static struct {
    PyObject *names[KEY_SLOTS]; /* owned */
    bytes_t bytes[KEY_SLOTS];
} read_keys;

static size_t key_slot(bytes_t name)
{
    size_t slot = name.size ? name.size + 3u * name.at[0] + 5u * name.at[name.size - 1] : 0;

    while (read_keys.names[slot %= KEY_SLOTS] && !equal(read_keys.bytes[slot], name)) slot++;
    return slot;
}

/* Adds a property that is read. Returns -1 with an exception. */
static int add_key(PyObject *name)
{
    bytes_t own;
    size_t slot;

    if (bytes_of(name, &own) < 0) return -1;
    slot = key_slot(own);
    if (read_keys.names[slot] == NULL) read_keys.bytes[slot] = own, read_keys.names[slot] = Py_NewRef(name);
    return 0;
}

static PyObject *skimmed_value(reader_t *in, int depth);

/* The rest of an array, behind its bracket; NULL as below. */
static PyObject *skimmed_array(reader_t *in, int depth)
{
    PyObject *out = PyList_New(0);
    bool good = out != NULL;

    skip_space(in);
    if (good && next_is(in, ']')) return out;
    while (good) {
        PyObject *item = skimmed_value(in, depth);
        good = item && append_new(out, item) == 0;
        skip_space(in);
        if (good && !next_is(in, ',')) {
            good = next_is(in, ']');
            break;
        }
    }
    if (!good) Py_CLEAR(out);
    return out;
}

/* The rest of an object, behind its bracket; NULL as below. */
static PyObject *skimmed_object(reader_t *in, int depth)
{
    PyObject *out = PyDict_New();
    bool good = out != NULL;
    fields_t fields = {.count = 0};

    skip_space(in);
    if (good && next_is(in, '}')) return out;
    while (good) {
        json_t name, skipped;
        PyObject *key;
        skip_space(in);
        if (!(good = read_name(in, &fields, &name))) break;
        key = read_keys.names[key_slot(name.string)];
        good = key ? set_new(out, key, skimmed_value(in, depth)) == 0 : read_value(in, &skipped, depth);
        skip_space(in);
        if (good && !next_is(in, ',')) {
            good = next_is(in, '}');
            break;
        }
    }
    if (!good) Py_CLEAR(out);
    return out;
}

/* The next value; NULL if it is unusual, or with an exception. */
static PyObject *skimmed_value(reader_t *in, int depth)
{
    json_t value;

    skip_space(in);
    if (depth >= MAX_NESTING) return NULL;
    if (next_is(in, '{')) return skimmed_object(in, depth + 1);
    if (next_is(in, '[')) return skimmed_array(in, depth + 1);
    if (!read_value(in, &value, depth)) return NULL;
    switch (value.kind) {
    case A_STRING: return PyUnicode_DecodeUTF8((const char *)value.string.at, (Py_ssize_t)value.string.size, NULL);
    case A_NULL: return Py_NewRef(Py_None);
    case A_BOOLEAN: return PyBool_FromLong(value.raw.size == 4);
    case AN_INTEGER:
        if (value.number.count > MAX_DIGITS || (value.number.is_negative && value.number.digits == 0)) return NULL;
        return PyLong_FromLongLong(value.number.is_negative ? -value.number.digits : value.number.digits);
    default: return NULL;
    }
}

/* The value of a JSON text; NULL if it is unusual, or with an exception. */
static PyObject *skimmed_json(const char *text, size_t length)
{
    reader_t in = {.at = (const uint8_t *)text, .end = (const uint8_t *)text + length};
    bool has_escapes = memchr(text, '\\', length) != NULL;
    uint8_t *room = has_escapes ? PyMem_RawMalloc(length) : NULL;
    PyObject *out;

    if (has_escapes && room == NULL) return PyErr_NoMemory();
    in.room = room;
    out = skimmed_value(&in, 0);
    skip_space(&in);
    if (out && in.at < in.end) Py_CLEAR(out);
    PyMem_RawFree(room);
    return out;
}
