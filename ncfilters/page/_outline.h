/* The outline of a page, in which limits.py finds what it cuts: a byte for each character. `_core.c` includes it.
 *
 * The text of a page takes two or four bytes for each character, and each change copies it. The patterns of limits.py tell
 * characters beyond ASCII only from white space.
 */

enum { OUTLINE_SPACE = 0xA0, OUTLINE_CHARACTER = 0xD7 };

/* Whether a character beyond ASCII is, in another case, an ASCII letter to a regular expression. */
static inline bool is_case_of_ascii(Py_UCS4 c)
{
    return c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A;
}

/* How many of eight bytes continue a character. */
static inline unsigned continuations(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return (unsigned)(((word >> 7 & ~(word >> 6) & 0x0101010101010101) * 0x0101010101010101) >> 56);
}

/* The number of characters of UTF-8. */
static Py_ssize_t num_characters(const uint8_t *at, const uint8_t *end)
{
    Py_ssize_t chars = end - at;

    for (; end - at >= 8; at += 8) chars -= continuations(at);
    for (; at < end; at++) chars -= continues(*at);
    return chars;
}

/* The bytes of the ASCII text here. */
static size_t ascii_bytes(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *start = at;

    for (uint64_t word; end - at >= (ptrdiff_t)sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        if (word & 0x8080808080808080) break;
    }
    while (at < end && *at < 0x80) at++;
    return (size_t)(at - start);
}

PyDoc_STRVAR(outline_doc, "outline(utf8)\n--\n\n"
"Valid UTF-8 as text with a no-break space for white space beyond ASCII, and a cross for other characters; None for a page with\n"
"one that patterns take for a letter of ASCII.");

static PyObject *core_outline(PyObject *module, PyObject *bytes)
{
    PyObject *out;
    const uint8_t *at, *end;
    Py_ssize_t chars;
    uint8_t *to;

    if (!PyBytes_Check(bytes)) return PyErr_Format(PyExc_TypeError, "bytes expected");
    at = (const uint8_t *)PyBytes_AS_STRING(bytes);
    end = at + PyBytes_GET_SIZE(bytes);
    chars = num_characters(at, end);
    if ((out = PyUnicode_New(chars, chars == end - at ? 0x7F : 0xFF)) == NULL) return NULL;
    to = PyUnicode_DATA(out);
    while (at < end) {
        size_t size = ascii_bytes(at, end);
        memcpy(to, at, size);
        to += size;
        for (at += size; at < end && *at >= 0x80; to++) {
            Py_UCS4 c = next_character(&at);
            if (is_case_of_ascii(c)) {
                Py_DECREF(out);
                Py_RETURN_NONE;
            }
            *to = Py_UNICODE_ISSPACE(c) ? OUTLINE_SPACE : OUTLINE_CHARACTER;
        }
    }
    return out;
}

/* The place of UTF-8 so many characters behind another; *end* if there are fewer. */
static const uint8_t *characters_behind(const uint8_t *at, const uint8_t *end, Py_ssize_t count)
{
    for (; count > 8 && end - at >= 8; at += 8) count -= 8 - continuations(at);
    for (; at < end; at++)
        if (!continues(*at) && count-- == 0) return at;
    return end;
}

PyDoc_STRVAR(without_doc, "without(utf8, cuts)\n--\n\n"
"UTF-8 without some parts: a list of pairs, each the characters where a part starts and ends, in order.");

static PyObject *core_without(PyObject *module, PyObject *args)
{
    PyObject *bytes, *cuts, *out;
    const uint8_t *at, *end, *copied;
    uint8_t *to;
    Py_ssize_t chars = 0;

    if (!PyArg_ParseTuple(args, "O!O!", &PyBytes_Type, &bytes, &PyList_Type, &cuts)) return NULL;
    copied = at = (const uint8_t *)PyBytes_AS_STRING(bytes);
    end = at + PyBytes_GET_SIZE(bytes);
    if ((out = PyBytes_FromStringAndSize(NULL, end - at)) == NULL) return NULL;
    to = (uint8_t *)PyBytes_AS_STRING(out);
    for (Py_ssize_t number = 0; number < PyList_GET_SIZE(cuts); number++) {
        PyObject *cut = PyList_GET_ITEM(cuts, number);
        Py_ssize_t from = -1, until = -1;
        if (!PyTuple_Check(cut) || !PyArg_ParseTuple(cut, "nn", &from, &until) || from < chars || until < from) {
            Py_DECREF(out);
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "parts that are not in order");
        }
        at = characters_behind(at, end, from - chars);
        memcpy(to, copied, (size_t)(at - copied));
        to += at - copied;
        copied = at = characters_behind(at, end, until - from);
        chars = until;
    }
    memcpy(to, copied, (size_t)(end - copied));
    to += end - copied;
    _PyBytes_Resize(&out, (Py_ssize_t)(to - (uint8_t *)PyBytes_AS_STRING(out)));
    return out;
}
