/* The words and the parts of titles: as metadata/site_name.py. `_core.c` includes it. */

static inline bool is_word_character(Py_UCS4 c)
{
    return c == '_' || Py_UNICODE_ISALNUM(c);
}

/* The words of ASCII text in lower case, with a space between two. */
static PyObject *ascii_key(const unsigned char *text, Py_ssize_t length)
{
    char small[512] = "", *room = length < (Py_ssize_t)sizeof small ? small : PyMem_Malloc((size_t)length + 1);
    PyObject *out;
    size_t count = 0;
    bool is_pending = false;

    if (room == NULL) return PyErr_NoMemory();
    for (Py_ssize_t at = 0; at < length; at++) {
        unsigned char c = text[at];
        if (!Py_ISALNUM(c) && c != '_') {
            is_pending = count > 0;
            continue;
        }
        if (is_pending) room[count++] = ' ';
        is_pending = false;
        room[count++] = (char)Py_TOLOWER(c);
    }
    out = PyUnicode_DecodeASCII(room, (Py_ssize_t)count, NULL);
    if (room != small) PyMem_Free(room);
    return out;
}

PyDoc_STRVAR(title_key_doc, "title_key(text)\n--\n\nAs metadata.site_name.title_key.");

static PyObject *core_title_key(PyObject *module, PyObject *text)
{
    PyObject *folded, *out = NULL;
    Py_UCS4 *room;
    Py_ssize_t length, count = 0;
    bool is_pending = false;

    if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "expected a string");
    if (PyUnicode_IS_ASCII(text)) return ascii_key(PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text));
    if ((folded = PyObject_CallMethod(text, "casefold", NULL)) == NULL) return NULL;
    length = PyUnicode_GET_LENGTH(folded);
    if ((room = PyMem_New(Py_UCS4, length + 1)) == NULL) PyErr_NoMemory();
    for (Py_ssize_t at = 0; room && at < length; at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(folded, at);
        if (!is_word_character(c)) {
            is_pending = count > 0;
            continue;
        }
        if (is_pending) room[count++] = ' ';
        is_pending = false;
        room[count++] = c;
    }
    if (room) out = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, room, count);
    PyMem_Free(room);
    Py_DECREF(folded);
    return out;
}

/* A text that is read from left to right. */
typedef struct {
    const void *data;
    Py_ssize_t length;
    int kind;
} string_t;

static inline Py_UCS4 character_at(const string_t *text, Py_ssize_t at)
{
    return at < text->length ? PyUnicode_READ(text->kind, text->data, at) : 0;
}

static Py_ssize_t after_spaces(const string_t *text, Py_ssize_t at)
{
    while (at < text->length && Py_UNICODE_ISSPACE(character_at(text, at))) at++;
    return at;
}

static bool is_separator_sign(Py_UCS4 c)
{
    switch (c) {
    case '|': case '~': case '-': case '<': case '>':
    case 0xAB: case 0xB7: case 0xBB: case 0x2013: case 0x2014: case 0x2022: return true;
    default: return false;
    }
}

/* A sign that separates parts without white space around it, too: also that of full width. */
static bool is_bar(Py_UCS4 c)
{
    return c == '|' || c == 0xFF5C;
}

/* The end of the separator between parts of a title that begins at *start*, as site_name._SEPARATOR has it; -1 if there is
 * none. White space before *start* is none of it. */
static Py_ssize_t separator_end(const string_t *text, Py_ssize_t start)
{
    Py_ssize_t signs = after_spaces(text, start), at = signs, end;

    if (signs > start) {
        for (;; at += is_separator_sign(character_at(text, at)) ? 1 : 2)
            if (!is_separator_sign(character_at(text, at)) && !(character_at(text, at) == ':' && character_at(text, at + 1) == ':')) break;
        if (at > signs && (end = after_spaces(text, at)) > at) return end;
    }
    if (is_bar(character_at(text, signs)) || (signs > start && character_at(text, signs) == 0xBB)) return after_spaces(text, signs + 1);
    return -1;
}

/* The first separator of a title, from *start* to *end*, and the last one, from *last* to *behind*. */
typedef struct {
    Py_ssize_t start, end, last, behind;
} separators_t;

/* Finds the separators of a title without the sign «. Returns whether it has any. */
static bool find_separators(PyObject *title, separators_t *out)
{
    string_t text = {PyUnicode_DATA(title), PyUnicode_GET_LENGTH(title), PyUnicode_KIND(title)};

    out->start = -1;
    for (Py_ssize_t at = 0; at < text.length;) {
        Py_UCS4 c = character_at(&text, at);
        Py_ssize_t end = is_bar(c) || Py_UNICODE_ISSPACE(c) ? separator_end(&text, at) : -1;
        if (end < 0) {
            at = Py_UNICODE_ISSPACE(c) ? after_spaces(&text, at) : at + 1;
            continue;
        }
        if (out->start < 0) out->start = at, out->end = end;
        out->last = at;
        out->behind = at = end;
    }
    return out->start >= 0;
}

PyDoc_STRVAR(title_separators_doc, "title_separators(title)\n--\n\n"
"The start and the end of the first separator of a title, and those of the last; None without. For titles without the sign «.");

static PyObject *core_title_separators(PyObject *module, PyObject *title)
{
    separators_t found;

    if (!PyUnicode_Check(title)) return PyErr_Format(PyExc_TypeError, "expected a string");
    if (!find_separators(title, &found)) Py_RETURN_NONE;
    return Py_BuildValue("(nnnn)", found.start, found.end, found.last, found.behind);
}
