/* Keys for the comparison of texts: as visible_text.py. `_core.c` includes it. */

/* Whether a key has this byte of UTF-8, and which one it has for it; see visible_text._IGNORED_BYTES. */
static inline uint8_t *put_key_byte(uint8_t *to, uint8_t byte)
{
    if (byte >= 0x80) {
        if (byte != 0xC2 && byte != 0xE2 && byte != 0x80 && byte != 0xAD && !(byte >= 0x8B && byte <= 0xA8)) *to++ = byte;
    } else if (Py_ISALNUM(byte)) *to++ = (uint8_t)Py_TOLOWER(byte);
    return to;
}

/* Whether a character may be a superscript or a subscript, as visible_text._RAISED_STARTS has it. */
static inline bool may_be_raised(Py_UCS4 c)
{
    return c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2040 && c < 0x20C0);
}

/* Writes the key of a text; NULL if it may have superscripts. */
static uint8_t *write_key(uint8_t *to, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);

    for (Py_ssize_t at = 0; at < length; at++) {
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

PyDoc_STRVAR(comparison_key_doc, "comparison_key(text)\n--\n\nAs visible_text.comparison_key; None if there may be superscripts.");

static PyObject *core_comparison_key(PyObject *module, PyObject *text)
{
    PyObject *out;
    uint8_t *start, *end;

    if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "expected a string");
    /* enough for each character of the string */
    out = PyBytes_FromStringAndSize(NULL, PyUnicode_GET_LENGTH(text) * (PyUnicode_IS_ASCII(text) ? 1 : PyUnicode_KIND(text) == 1 ? 2 : 4));
    if (out == NULL) return NULL;
    start = (uint8_t *)PyBytes_AS_STRING(out);
    if ((end = write_key(start, text)) == NULL) {
        Py_DECREF(out);
        Py_RETURN_NONE;
    }
    return _PyBytes_Resize(&out, end - start) < 0 ? NULL : out;
}
