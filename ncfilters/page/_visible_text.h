/* Keys for the comparison of texts: as visible_text.py. `_core.c` includes it. */

/* Writes what a key has for this byte of UTF-8, if it has it; see visible_text._IGNORED_BYTES. There is room for a byte. */
static inline uint8_t *put_key_byte(uint8_t *to, uint8_t byte)
{
    if (byte >= 0x80) {
        if (byte != 0xC2 && byte != 0xE2 && byte != 0x80 && byte != 0xAD && !(byte >= 0x8B && byte <= 0xA8)) *to++ = byte;
    } else { /* without a jump, which the processor could not foresee */
        uint8_t small = byte | 32;
        bool is_letter = (uint8_t)(small - 'a') < 26, is_digit = (uint8_t)(byte - '0') < 10;
        *to = is_letter ? small : byte;
        to += is_letter | is_digit;
    }
    return to;
}

/* Whether a character may be a superscript or a subscript, as visible_text._RAISED_STARTS has it. */
static inline bool may_be_raised(Py_UCS4 c)
{
    return c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2040 && c < 0x20C0);
}

/* Writes the key of a part of a text of one kind; NULL if it may have superscripts. */
static inline uint8_t *write_key_of_kind(uint8_t *to, int kind, const void *data, Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t at = start; at < stop; at++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        uint8_t bytes[4], *end;
        if (c < 0x80) {
            to = put_key_byte(to, (uint8_t)c);
            continue;
        }
        if (may_be_raised(c)) return NULL;
        if (c >= 0xD800 && c < 0xE000) continue; /* replaced by a question mark */
        end = put_character(bytes, c);
        for (const uint8_t *byte = bytes; byte < end; byte++) to = put_key_byte(to, *byte);
    }
    return to;
}

/* The same of a part of a string. */
static uint8_t *write_key(uint8_t *to, PyObject *text, Py_ssize_t start, Py_ssize_t stop)
{
    const void *data = PyUnicode_DATA(text);

    switch (PyUnicode_KIND(text)) { /* for the compiler: a loop for each */
    case PyUnicode_1BYTE_KIND: return write_key_of_kind(to, PyUnicode_1BYTE_KIND, data, start, stop);
    case PyUnicode_2BYTE_KIND: return write_key_of_kind(to, PyUnicode_2BYTE_KIND, data, start, stop);
    default: return write_key_of_kind(to, PyUnicode_4BYTE_KIND, data, start, stop);
    }
}

/* Enough bytes for the key of a text. */
static Py_ssize_t key_room(PyObject *text)
{
    return PyUnicode_GET_LENGTH(text) * (PyUnicode_IS_ASCII(text) ? 1 : PyUnicode_KIND(text) == 1 ? 2 : 4);
}

PyDoc_STRVAR(comparison_key_doc, "comparison_key(text)\n--\n\nAs visible_text.comparison_key; None if there may be superscripts.");

static PyObject *core_comparison_key(PyObject *module, PyObject *text)
{
    PyObject *out;
    uint8_t *start, *end;

    if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "expected a string");
    if ((out = PyBytes_FromStringAndSize(NULL, key_room(text))) == NULL) return NULL;
    start = (uint8_t *)PyBytes_AS_STRING(out);
    if ((end = write_key(start, text, 0, PyUnicode_GET_LENGTH(text))) == NULL) {
        Py_DECREF(out);
        Py_RETURN_NONE;
    }
    return _PyBytes_Resize(&out, end - start) < 0 ? NULL : out;
}

/* ---- sentences that a page shows (visible_text.VisibleText) */

/* What a search says. `UNDECIDED`: the Python class is to be asked. `FAILED`: an exception. */
enum found { MISSING, VISIBLE, UNDECIDED, FAILED };

#include "_text_index.h"

/* The key of the visible text, and how many of its bytes may still be searched. */
typedef struct {
    PyObject *key; /* borrowed: a bytearray */
    text_index_t *index;
    long long left;
    long long min_key, max_whole, probe, probes, min_probes;
} visible_t;

/* The bytes compared beyond those that are read once, in one search: with more, Python searches, in linear time. */
enum { MAX_COMPARED = 1 << 16 };

/* Searches a key where its first and its last byte are. */
static enum found search_bytes(bytes_t in, bytes_t key, PyObject *all)
{
    const uint8_t *at = in.at, *end = in.at + in.size;
    size_t compared = 0;
    PyObject *wanted;
    int status;

    if (key.size > in.size) return MISSING;
    end -= key.size - 1; /* behind the last place */
    while (at < end && compared < MAX_COMPARED) {
        size_t size;
#ifdef __SSE2__
        if (end - at >= 16) {
            __m128i first = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8((char)key.at[0]));
            __m128i last = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + key.size - 1)),
                                          _mm_set1_epi8((char)key.at[key.size - 1]));
            unsigned found = (unsigned)_mm_movemask_epi8(_mm_and_si128(first, last));
            for (; found; found &= found - 1) {
                const uint8_t *place = at + first_bit(found);
                for (size = 0; size < key.size && place[size] == key.at[size]; size++) {}
                if (size == key.size) return VISIBLE;
                compared += size;
            }
            at += 16;
            continue;
        }
#endif
        if ((at = memchr(at, key.at[0], (size_t)(end - at))) == NULL) return MISSING;
        for (size = 0; size < key.size && at[size] == key.at[size]; size++) {}
        if (size == key.size) return VISIBLE;
        compared += size;
        at++;
    }
    if (at >= end) return MISSING;
    if ((wanted = PyBytes_FromStringAndSize((const char *)key.at, (Py_ssize_t)key.size)) == NULL) return FAILED;
    status = PySequence_Contains(all, wanted);
    Py_DECREF(wanted);
    return status < 0 ? FAILED : status ? VISIBLE : MISSING;
}

/* As VisibleText.contains. */
static enum found is_visible(visible_t *in, bytes_t key)
{
    bytes_t all = {(const uint8_t *)PyByteArray_AS_STRING(in->key), (size_t)PyByteArray_GET_SIZE(in->key)};
    enum found found;

    in->left -= (long long)all.size;
    if (all.size >= UINT32_MAX) return in->left < 0 ? UNDECIDED : search_bytes(all, key, in->key);
    if (in->left < 0) return find_sampled(in->index, all, key);
    found = find_by_windows(in->index, all, key);
    return found == UNDECIDED ? search_bytes(all, key, in->key) : found;
}

/* As VisibleText._is_missing, of a key that is not empty. */
static enum found find_sentence(visible_t *in, bytes_t key, bool after_missing)
{
    long long size = (long long)key.size, visible = 0;

    if (size < in->min_key && after_missing) return MISSING;
    if (size <= in->max_whole) return is_visible(in, key);
    for (long long at = 0; at < in->probes; at++) {
        long long start = at * (size - in->probe) / (in->probes - 1);
        enum found found = is_visible(in, (bytes_t){key.at + start, (size_t)in->probe});
        if (found > VISIBLE) return found;
        visible += found == VISIBLE;
        if (visible == in->min_probes || visible + in->probes - at - 1 < in->min_probes) break;
    }
    return visible < in->min_probes ? MISSING : VISIBLE;
}

static inline bool is_in(Py_UCS4 c, const Py_UCS4 *signs)
{
    while (*signs && *signs != c) signs++;
    return *signs != 0;
}

/* White space as sentence_ends._WHITE has it. */
static inline bool is_white_space(Py_UCS4 c)
{
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

/* Where the sentence at *start* ends, as sentence_ends.cut_pattern has it; the length of the text for the last one. */
static Py_ssize_t sentence_end(PyObject *text, Py_ssize_t start)
{
    static const Py_UCS4 CLOSING[] = {'\'', '"', 0x201D, 0x2019, ')', ']', 0};
    static const Py_UCS4 WIDE_CLOSING[] = {'\'', '"', 0x201D, 0x2019, 0x300D, 0x300F, 0xFF09, 0};
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);

    for (Py_ssize_t at = start; at < length; at++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        Py_ssize_t end = at + 1, space;
        if (c == '.' || c == '!' || c == '?' || c == 0x2026) {
            while (end < length && is_in(PyUnicode_READ(kind, data, end), CLOSING)) end++;
            space = end;
            while (end < length && is_white_space(PyUnicode_READ(kind, data, end))) end++;
            if (end > space) return end;
            at = space - 1; /* no sentence ends with a closing sign */
        } else if (c == 0x3002 || c == 0xFF01 || c == 0xFF1F) {
            while (end < length && is_in(PyUnicode_READ(kind, data, end), WIDE_CLOSING)) end++;
            return end;
        }
    }
    return length;
}

/* Appends a run of sentences, without white space around it, to *runs*, and its key to *keys*. Returns -1 with an exception. */
static int append_run(PyObject *runs, buffer_t *keys, PyObject *text, Py_ssize_t start, Py_ssize_t stop)
{
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    uint8_t *to;

    while (start < stop && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start))) start++;
    while (stop > start && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, stop - 1))) stop--;
    to = (uint8_t *)keys->data + keys->length; /* there is room for the key of the text */
    keys->length += (size_t)(write_key(to, text, start, stop) - to);
    return append_new(runs, PyUnicode_Substring(text, start, stop));
}

/* Finds the sentences of a text that are missing; *room* is for its key, *keys* for those of the runs. */
static enum found find_missing(visible_t *in, PyObject *text, uint8_t *room, PyObject *runs, buffer_t *keys)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), run_start = 0;
    uint8_t *end = write_key(room, text, 0, length);
    bool is_missing = false;
    enum found found;

    if (end == NULL) return UNDECIDED;
    if (end == room) return VISIBLE;
    if ((found = is_visible(in, (bytes_t){room, (size_t)(end - room)})) != MISSING) return found;
    for (Py_ssize_t start = 0, stop; start < length; start = stop) {
        bool was_missing = is_missing;
        stop = sentence_end(text, start);
        end = write_key(room, text, start, stop);
        if (end > room) {
            found = find_sentence(in, (bytes_t){room, (size_t)(end - room)}, is_missing);
            if (found > VISIBLE) return found;
            is_missing = found == MISSING;
        }
        if (is_missing && !was_missing) run_start = start;
        else if (was_missing && !is_missing && append_run(runs, keys, text, run_start, start) < 0) return FAILED;
    }
    return is_missing && append_run(runs, keys, text, run_start, length) < 0 ? FAILED : VISIBLE;
}

/* Appends bytes to a bytearray. Returns -1 with an exception. */
static int append_to_bytearray(PyObject *to, const buffer_t *bytes)
{
    Py_ssize_t size = PyByteArray_GET_SIZE(to);

    if (bytes->length == 0) return 0;
    if (PyByteArray_Resize(to, size + (Py_ssize_t)bytes->length) < 0) return -1;
    memcpy(PyByteArray_AS_STRING(to) + size, bytes->data, bytes->length);
    return 0;
}

static int set_visible(visible_t *in, PyObject *key, PyObject *sizes, PyObject *index)
{
    in->key = key;
    if ((in->index = PyCapsule_GetPointer(index, "text index")) == NULL) return -1;
    if (!PyArg_ParseTuple(sizes, "LLLLL", &in->min_key, &in->max_whole, &in->probe, &in->probes, &in->min_probes)) return -1;
    if (in->probes > 1 && in->probe > 0 && in->max_whole >= in->probe) return 0;
    PyErr_SetString(PyExc_ValueError, "wrong sizes");
    return -1;
}

PyDoc_STRVAR(add_missing_doc, "add_missing(key, left, text, sizes, index)\n--\n\n"
"As VisibleText.add_missing, with its *key*, a bytearray, its *index*, and the number of bytes that may be searched: the runs,\n"
"and how many of these are left. None, with the key as it was, for a text with superscripts.");

static PyObject *core_add_missing(PyObject *module, PyObject *args)
{
    PyObject *key, *text, *sizes, *index, *runs = NULL;
    visible_t in;
    buffer_t keys = {0};
    uint8_t *room = NULL;
    enum found found = FAILED;
    size_t size;

    if (!PyArg_ParseTuple(args, "O!LO!O!O", &PyByteArray_Type, &key, &in.left, &PyUnicode_Type, &text, &PyTuple_Type, &sizes, &index) ||
        set_visible(&in, key, sizes, index) < 0) return NULL;
    size = (size_t)key_room(text);
    room = PyMem_RawMalloc(2 * size + 1);
    if (room == NULL) return PyErr_NoMemory();
    keys.data = (char *)room + size;
    if ((runs = PyList_New(0)) != NULL) found = find_missing(&in, text, room, runs, &keys);
    if (found == VISIBLE && append_to_bytearray(key, &keys) < 0) found = FAILED;
    PyMem_RawFree(room);
    if (found == VISIBLE) return Py_BuildValue("(NL)", runs, in.left);
    Py_XDECREF(runs);
    if (found == FAILED) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(surely_shows_doc, "surely_shows(key, left, text, sizes, index)\n--\n\n"
"How many bytes are left if the page shows all lines of a text, as for `add_missing`; None if it does not, and for a text\n"
"beyond ASCII or with markup.");

static PyObject *core_surely_shows(PyObject *module, PyObject *args)
{
    PyObject *key, *text, *sizes, *index;
    visible_t in;
    bytes_t own;
    uint8_t *room;
    bool is_shown = true;

    if (!PyArg_ParseTuple(args, "O!LO!O!O", &PyByteArray_Type, &key, &in.left, &PyUnicode_Type, &text, &PyTuple_Type, &sizes, &index) ||
        set_visible(&in, key, sizes, index) < 0) return NULL;
    if (!PyUnicode_IS_ASCII(text)) Py_RETURN_NONE;
    own = (bytes_t){PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text)};
    if (memchr(own.at, '<', own.size) || memchr(own.at, '&', own.size)) Py_RETURN_NONE;
    if ((room = PyMem_RawMalloc(own.size + 1)) == NULL) return PyErr_NoMemory();
    for (size_t at = 0; is_shown && at < own.size;) {
        uint8_t *to = room;
        enum found found = VISIBLE;
        for (; at < own.size && own.at[at] != '\n' && own.at[at] != '\r'; at++) to = put_key_byte(to, own.at[at]);
        at++;
        if (to > room) found = is_visible(&in, (bytes_t){room, (size_t)(to - room)});
        is_shown = found == VISIBLE;
        if (found != FAILED) continue;
        PyMem_RawFree(room);
        return NULL;
    }
    PyMem_RawFree(room);
    if (is_shown) return PyLong_FromLongLong(in.left);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(contains_doc, "contains(key, left, wanted, index)\n--\n\n"
"As VisibleText.contains, of the *wanted* key; *left* as it is after this search. None for a visible text that is too long.");

static PyObject *core_contains(PyObject *module, PyObject *args)
{
    PyObject *index;
    visible_t in = {0};
    bytes_t wanted;
    enum found found;
    const char *data;
    Py_ssize_t size;

    if (!PyArg_ParseTuple(args, "O!Ly#O", &PyByteArray_Type, &in.key, &in.left, &data, &size, &index) ||
        (in.index = PyCapsule_GetPointer(index, "text index")) == NULL) return NULL;
    wanted = (bytes_t){(const uint8_t *)data, (size_t)size};
    in.left += PyByteArray_GET_SIZE(in.key);
    found = wanted.size ? is_visible(&in, wanted) : VISIBLE;
    if (found == FAILED) return NULL;
    return found == UNDECIDED ? Py_NewRef(Py_None) : PyBool_FromLong(found == VISIBLE);
}
