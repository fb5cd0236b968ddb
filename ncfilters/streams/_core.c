/* Pages in UTF-8: as lines of JSON, and made of text (`utf8_pages.py`). Simple records as lines (`writers.py`). Names of
 * maps (`map_names.py`). */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../text/_escapes.h"
#include "../text/_freed_memory.h"

/* The end of the characters in ASCII that JSON has as they are, which *to* gets; it has room for 16 bytes more. */
static const uint8_t *take_plain(const uint8_t *at, const uint8_t *end, uint8_t *to)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16, to += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        _mm_storeu_si128((__m128i *)(void *)to, part);
        unsigned found = not_plain(part);
        if (found)
            return at + __builtin_ctz(found);
    }
#endif
    while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\')
        *to++ = *at++;
    return at;
}

/* Bytes that are searched at once; those that they may become; and bytes that a run of plain ones may need besides its own,
 * and those of a store. */
enum { WINDOW = 64, ESCAPE_SIZE = 6, SLACK = WINDOW * (ESCAPE_SIZE + 1) };

/* Makes sure of room for the *left* bytes of the input as they are, and some; returns where to write. */
static uint8_t *reserve(PyObject **out, uint8_t *to, size_t left)
{
    size_t size = (size_t)(to - (uint8_t *)PyBytes_AS_STRING(*out));
    if ((size_t)PyBytes_GET_SIZE(*out) - size >= left + SLACK)
        return to;
    if (_PyBytes_Resize(out, (Py_ssize_t)(size + left + left / 2 + 2 * SLACK)) < 0)
        return NULL;
    return (uint8_t *)PyBytes_AS_STRING(*out) + size;
}

#ifdef __SSE2__
static inline void copy_window(uint8_t *to, const uint8_t *from)
{
    for (int i = 0; i < WINDOW; i += 16)
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
}

/* Writes the characters in ASCII of a window, and returns how many there are. There are two windows to read. All escapes
 * of a window are found first, for a branch on each byte is seldom foreseen by the processor. */
static inline int put_window(uint8_t **to, const uint8_t *at)
{
    uint64_t escaped = 0, wide = 0;
    for (int i = 0; i < WINDOW; i += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        wide |= (uint64_t)(unsigned)_mm_movemask_epi8(part) << i;
        escaped |= (uint64_t)not_plain(part) << i;
    }
    int size = wide ? __builtin_ctzll(wide) : WINDOW, from = 0;
    escaped &= ~wide;
    if (wide)
        escaped &= (1ULL << size) - 1;
    for (; escaped; escaped &= escaped - 1) {
        int place = __builtin_ctzll(escaped);
        copy_window(*to, at + from);
        *to = put_escape(*to + (place - from), at[place]);
        from = place + 1;
    }
    copy_window(*to, at + from);
    *to += size - from;
    return size;
}
#endif

/* Writes a string of JSON without its quotes; NULL without memory, and for what is not valid UTF-8. */
static uint8_t *put_string(PyObject **out, uint8_t *to, const uint8_t *at, const uint8_t *end, size_t after)
{
    while (at < end) {
        if (!(to = reserve(out, to, (size_t)(end - at) + after)))
            return NULL;
#ifdef __SSE2__
        if (end - at >= 2 * WINDOW) {
            at += put_window(&to, at);
        } else
#endif
        {
            const uint8_t *stop = take_plain(at, end, to);
            to += stop - at;
            at = stop;
        }
        while (at < end && *at >= 0x80) {
            int size = character_size(at, end);
            if (!size)
                return NULL;
            memcpy(to, at, (size_t)size);
            to += size;
            at += size;
        }
        if (at < end && (*at < ' ' || *at == '"' || *at == '\\'))
            to = put_escape(to, *at++);
    }
    return reserve(out, to, after);
}

/* string_part(before, utf8, after): the bytes *before*, what *utf8* is in a string of JSON, and the bytes *after*; None for
 * bytes that are not valid UTF-8. */
static PyObject *string_part(PyObject *self, PyObject *args)
{
    Py_buffer before, utf8, after;
    if (!PyArg_ParseTuple(args, "y*y*y*", &before, &utf8, &after))
        return NULL;
    const uint8_t *from = utf8.buf;
    size_t around = (size_t)(before.len + after.len);
    PyObject *out = PyBytes_FromStringAndSize(NULL, utf8.len + utf8.len / 16 + (Py_ssize_t)around + SLACK);
    uint8_t *to = NULL;
    if (out) {
        to = (uint8_t *)PyBytes_AS_STRING(out);
        memcpy(to, before.buf, (size_t)before.len);
        to += before.len;
        to = put_string(&out, to, from, from + utf8.len, (size_t)after.len);
    }
    if (to) {
        memcpy(to, after.buf, (size_t)after.len);
        to += after.len;
        _PyBytes_Resize(&out, to - (uint8_t *)PyBytes_AS_STRING(out));
    } else {
        Py_CLEAR(out);
    }
    PyBuffer_Release(&before);
    PyBuffer_Release(&utf8);
    PyBuffer_Release(&after);
    if (out || PyErr_Occurred())
        return out;
    Py_RETURN_NONE;
}

/* ---- records of strings, whole numbers and such ---- */

/* Levels of maps that are written, and bytes that a number or a mark may need. */
enum { MAX_LEVELS = 8, NUMBER_SIZE = 32 };

static inline bool is_simple(PyObject *value, int levels)
{
    PyObject *name, *item;
    if (!PyDict_CheckExact(value))
        return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || value == Py_None;
    bool is_all = levels > 0;
    for (Py_ssize_t at = 0; is_all && PyDict_Next(value, &at, &name, &item);)
        is_all = PyUnicode_CheckExact(name) && is_simple(item, levels - 1);
    return is_all;
}

static uint8_t *put_quoted(PyObject **out, uint8_t *to, PyObject *text)
{
    Py_ssize_t size;
    const uint8_t *utf8 = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size);
    if (!utf8 || !(to = reserve(out, to, 1)))
        return NULL;
    *to++ = '"';
    if (!(to = put_string(out, to, utf8, utf8 + size, NUMBER_SIZE)))
        return NULL;
    *to++ = '"';
    return to;
}

/* Writes a simple value; NULL for a lone surrogate, for a number of more than 64 bits, and without memory. */
static uint8_t *put_value(PyObject **out, uint8_t *to, PyObject *value)
{
    if (PyUnicode_CheckExact(value))
        return put_quoted(out, to, value);
    if (!(to = reserve(out, to, NUMBER_SIZE)))
        return NULL;
    if (PyDict_CheckExact(value)) {
        PyObject *name, *item;
        uint8_t separator = '{';
        for (Py_ssize_t at = 0; to && PyDict_Next(value, &at, &name, &item); separator = ',') {
            *to++ = separator;
            if ((to = put_quoted(out, to, name))) {
                *to++ = ':';
                to = put_value(out, to, item);
            }
        }
        if (to && separator == '{')
            *to++ = '{';
        if (to)
            *to++ = '}';
        return to;
    }
    if (PyLong_CheckExact(value)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        return overflow ? NULL : to + snprintf((char *)to, NUMBER_SIZE, "%lld", number);
    }
    return to + snprintf((char *)to, NUMBER_SIZE, "%s", value == Py_None ? "null" : value == Py_True ? "true" : "false");
}

/* json_line(record): a dict as a line of JSON; None if it has other values than strings, whole numbers of 64 bits, true,
 * false, null, and dicts of these, and for lone surrogates. */
static PyObject *json_line(PyObject *self, PyObject *record)
{
    if (!PyDict_CheckExact(record) || !is_simple(record, MAX_LEVELS))
        Py_RETURN_NONE;
    PyObject *out = PyBytes_FromStringAndSize(NULL, SLACK);
    uint8_t *to = out ? put_value(&out, (uint8_t *)PyBytes_AS_STRING(out), record) : NULL;
    if (to && (to = reserve(&out, to, 1))) {
        *to++ = '\n';
        _PyBytes_Resize(&out, to - (uint8_t *)PyBytes_AS_STRING(out));
        return out;
    }
    Py_XDECREF(out);
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return NULL;
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* ---- text as UTF-8 ---- */

enum { PART = 16 }; /* characters at once */

/* Writes the next PART characters of a string if all are in ASCII; whether they are. */
static inline bool put_ascii(int kind, const void *data, Py_ssize_t at, uint8_t *to)
{
#ifdef __SSE2__
    const __m128i *from = (const void *)((const char *)data + at * kind);
    __m128i all = _mm_setzero_si128(), parts[4] = {all, all, all, all};
    for (int part = 0; part < kind; part++) {
        parts[part] = _mm_loadu_si128(from + part);
        all = _mm_or_si128(all, parts[part]);
    }
    __m128i high = kind == 1 ? _mm_set1_epi8((char)0x80) : kind == 2 ? _mm_set1_epi16((short)0xff80) : _mm_set1_epi32(~0x7f);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(all, high), _mm_setzero_si128())) != 0xffff)
        return false;
    if (kind == 4) {
        parts[0] = _mm_packs_epi32(parts[0], parts[1]);
        parts[1] = _mm_packs_epi32(parts[2], parts[3]);
    }
    _mm_storeu_si128((__m128i *)(void *)to, kind == 1 ? parts[0] : _mm_packus_epi16(parts[0], parts[1]));
    return true;
#else
    return false;
#endif
}

/* Writes the characters of a string of one *kind*; NULL without memory, and with *has_surrogate* for a surrogate. */
static inline uint8_t *put_text(PyObject **out, uint8_t *to, int kind, const void *data, Py_ssize_t size, bool *has_surrogate)
{
    for (Py_ssize_t at = 0; to && at < size;) {
        if (!(to = reserve(out, to, (size_t)(size - at) + 4 * PART)))
            break;
        for (; size - at >= PART && put_ascii(kind, data, at, to); at += PART)
            to += PART;
        for (Py_ssize_t end = size - at < PART ? size : at + PART; at < end; at++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, at);
            if (character >= 0xD800 && character < 0xE000) {
                *has_surrogate = true;
                return NULL;
            }
            to = put_character(to, character);
        }
    }
    return to;
}

/* encode(text): the text in UTF-8; None for text with surrogates. */
static PyObject *encode(PyObject *self, PyObject *text)
{
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "expected a string");
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    const void *data = PyUnicode_DATA(text);
    PyObject *out = PyBytes_FromStringAndSize(NULL, size + size / 16 + 4 * PART + SLACK);
    uint8_t *to = out ? (uint8_t *)PyBytes_AS_STRING(out) : NULL;
    bool has_surrogate = false;
    switch (PyUnicode_KIND(text)) { /* for the compiler: a loop for each */
    case PyUnicode_1BYTE_KIND:
        to = put_text(&out, to, 1, data, size, &has_surrogate);
        break;
    case PyUnicode_2BYTE_KIND:
        to = put_text(&out, to, 2, data, size, &has_surrogate);
        break;
    default:
        to = put_text(&out, to, 4, data, size, &has_surrogate);
    }
    if (to)
        _PyBytes_Resize(&out, to - (uint8_t *)PyBytes_AS_STRING(out));
    if (!has_surrogate)
        return out;
    Py_DECREF(out);
    Py_RETURN_NONE;
}

/* ---- the check of UTF-8 ---- */

/* Characters of ASCII that pages in UTF-8 do not have: zero, and the one that begins escape sequences. */
enum { ESCAPE = 0x1B };

typedef struct {
    bool nul, escape;
} controls_t;

/* The first byte beyond ASCII. *seen* gets the control characters before it, and perhaps one near behind it. */
static const uint8_t *ascii_end(const uint8_t *at, const uint8_t *end, controls_t *seen)
{
#ifdef __SSE2__
    const __m128i nul = _mm_setzero_si128(), escape = _mm_set1_epi8(ESCAPE);
    __m128i nuls = nul, escapes = nul;
    unsigned wide = 0;
    for (; !wide && end - at >= 16; at += wide ? __builtin_ctz(wide) : 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        wide = (unsigned)_mm_movemask_epi8(part);
        nuls = _mm_or_si128(nuls, _mm_cmpeq_epi8(part, nul));
        escapes = _mm_or_si128(escapes, _mm_cmpeq_epi8(part, escape));
    }
    seen->nul |= _mm_movemask_epi8(nuls) != 0;
    seen->escape |= _mm_movemask_epi8(escapes) != 0;
#endif
    for (; at < end && *at < 0x80; at++) {
        seen->nul |= !*at;
        seen->escape |= *at == ESCAPE;
    }
    return at;
}

/* utf8_is_ascii(data): whether UTF-8 has characters of ASCII alone; None for bytes that are not valid UTF-8, for those with a
 * zero, and for ASCII with escape sequences. */
static PyObject *utf8_is_ascii(PyObject *self, PyObject *data)
{
    Py_buffer view;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    const uint8_t *at = view.buf, *end = at + view.len;
    controls_t seen = {false, false};
    bool is_ascii = true;
    int size = 1;
    while (size && (at = ascii_end(at, end, &seen)) < end) {
        is_ascii = false;
        while (at < end && *at >= 0x80 && (size = character_size(at, end)))
            at += size;
    }
    PyBuffer_Release(&view);
    if (!size || seen.nul || (is_ascii && seen.escape))
        Py_RETURN_NONE;
    return PyBool_FromLong(is_ascii);
}

/* ---- names ---- */

static bool is_text(PyObject *name)
{
    return PyUnicode_Check(name) && (PyUnicode_KIND(name) == PyUnicode_1BYTE_KIND ||
                                     PyUnicode_FindChar(name, 0xFFFD, 0, PyUnicode_GET_LENGTH(name), 1) < 0);
}

/* Whether all names of all maps in a value are strings without U+FFFD. Values from a reader are at most 1,024 levels
 * deep. */
static bool has_text_names(PyObject *value)
{
    if (PyDict_CheckExact(value)) {
        PyObject *name, *item;
        for (Py_ssize_t at = 0; PyDict_Next(value, &at, &name, &item);)
            if (!is_text(name) || !has_text_names(item))
                return false;
    } else if (PyList_CheckExact(value)) {
        for (Py_ssize_t at = 0; at < PyList_GET_SIZE(value); at++)
            if (!has_text_names(PyList_GET_ITEM(value, at)))
                return false;
    }
    return true;
}

/* names_are_text(value): whether all names of all maps in the value are strings without U+FFFD. */
static PyObject *names_are_text(PyObject *self, PyObject *value)
{
    return PyBool_FromLong(has_text_names(value));
}

/* use_one_arena(): threads that begin from now on take their memory where the others do, and so what others have freed. */
static PyObject *use_one_arena(PyObject *self, PyObject *none)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"use_one_arena", use_one_arena, METH_NOARGS, "Has all threads take their memory from one place."},
    {"string_part", string_part, METH_VARARGS, "Bytes, and between them UTF-8 in a string of JSON."},
    {"json_line", json_line, METH_O, "A simple record as a line of JSON."},
    {"encode", encode, METH_O, "Text in UTF-8."},
    {"utf8_is_ascii", utf8_is_ascii, METH_O, "Whether UTF-8 is ASCII."},
    {"names_are_text", names_are_text, METH_O, "Whether all names of maps in a value are strings without U+FFFD."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    keep_freed_memory();
    return PyModule_Create(&module);
}
