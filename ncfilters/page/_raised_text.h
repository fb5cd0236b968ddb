/* Superscripts and subscripts in ASCII, as most are: as raised_text.py. `_core.c` includes it. */

enum { MAX_RAISED_CHARS = 16, MAX_RAISED_SIGNS = 128 };

/* What is written for each character in ASCII; 0 for those without such a sign. */
static Py_UCS4 SUPERSCRIPTS[MAX_RAISED_SIGNS], SUBSCRIPTS[MAX_RAISED_SIGNS];

/* Fills a table with the signs of two texts; the second has those for the characters of the first. */
static void fill_signs(Py_UCS4 *table, const char *plain, const Py_UCS4 *signs)
{
    for (; *plain; plain++, signs++) table[(unsigned char)*plain] = *signs;
}

static void fill_raised_signs(void)
{
    static const Py_UCS4 UPPER[] = {0x2070, 0xB9, 0xB2, 0xB3, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079, 0x207A, 0x207B,
                                    0x207C, 0x207D, 0x207E, 0x2071, 0x207F};
    static const Py_UCS4 LOWER[] = {0x2080, 0x2081, 0x2082, 0x2083, 0x2084, 0x2085, 0x2086, 0x2087, 0x2088, 0x2089, 0x208A, 0x208B,
                                    0x208C, 0x208D, 0x208E, 0x2090, 0x2091, 0x2095, 0x1D62, 0x2C7C, 0x2096, 0x2097, 0x2098, 0x2099,
                                    0x2092, 0x209A, 0x1D63, 0x209B, 0x209C, 0x1D64, 0x1D65, 0x2093};

    fill_signs(SUPERSCRIPTS, "0123456789+-=()in", UPPER);
    fill_signs(SUBSCRIPTS, "0123456789+-=()aehijklmnoprstuvx", LOWER);
}

/* The content of an element in ASCII, and the text before it. */
typedef struct {
    const char *at;
    Py_ssize_t size;
    PyObject *before;
} raised_t;

static inline bool is_ascii_word(char c)
{
    return Py_ISALNUM(c) || c == '_';
}

/* A character before the content, counted from 1 on; 0 if there is none. */
static inline Py_UCS4 char_of_before(const raised_t *own, Py_ssize_t from_end)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(own->before);

    return from_end <= length ? PyUnicode_READ_CHAR(own->before, length - from_end) : 0;
}

/* The end of a number of a note, such as 1 or 12a; NULL if there is none. */
static const char *note_number_end(const char *at, const char *end)
{
    const char *start = at;

    while (at < end && at - start < 3 && Py_ISDIGIT(*at)) at++;
    if (at == start) return NULL;
    return at < end && *at >= 'a' && *at <= 'z' ? at + 1 : at;
}

/* As raised_text._NOTE. */
static bool is_note_mark(const raised_t *own)
{
    const char *at = own->at, *end = at + own->size;

    if (own->size == 1 && *at >= 'a' && *at <= 'z') return true;
    if (!Py_ISDIGIT(*at)) {
        while (at < end && (Py_ISALPHA(*at) || *at == '_')) at++;
        if (at == own->at || at + 1 >= end || *at++ != ' ') return false;
        while (at < end && Py_ISDIGIT(*at)) at++;
        return at == end;
    }
    at = note_number_end(at, end);
    for (int left = 3; left && at && at < end; left--) {
        while (at < end && Py_UNICODE_ISSPACE((Py_UCS4)*at)) at++;
        if (at >= end || (*at != ',' && *at != '-')) return false;
        for (at++; at < end && Py_UNICODE_ISSPACE((Py_UCS4)*at);) at++;
        at = note_number_end(at, end);
    }
    return at == end;
}

/* Whether the text before two digits may end with a price: it has digits, and before these neither the beginning of the text
 * nor another character that is in none. */
static bool may_follow_price(const raised_t *own)
{
    Py_UCS4 c = 0;
    Py_ssize_t from_end = 1;

    if (own->size != 2 || !Py_ISDIGIT(own->at[0]) || !Py_ISDIGIT(own->at[1])) return false;
    for (; from_end <= MAX_RAISED_CHARS; from_end++) {
        c = char_of_before(own, from_end);
        if (!(c == ',' || Py_UNICODE_ISDECIMAL(c) || (from_end == 1 && c == '\n'))) break;
    }
    if (from_end == 1 || from_end > MAX_RAISED_CHARS) return false;
    return c >= 0x80 || Py_UNICODE_ISSPACE(c) || c == '$' || c == 'D' || c == 'R' || c == 'P';
}

/* Whether the content has characters of maths, as raised_text._MATHS. */
static bool has_maths(const raised_t *own)
{
    for (Py_ssize_t i = 0; i < own->size; i++)
        if (Py_ISDIGIT(own->at[i]) || own->at[i] == '=' || own->at[i] == '+' || own->at[i] == '^') return true;
    return own->at[0] == '-' && (own->size == 1 || is_ascii_word(own->at[1]));
}

/* The content in the signs of a table. */
static PyObject *in_signs(const raised_t *own, const Py_UCS4 *table)
{
    Py_UCS4 signs[MAX_RAISED_CHARS];

    for (Py_ssize_t i = 0; i < own->size; i++) signs[i] = table[(unsigned char)own->at[i]];
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, signs, own->size);
}

static bool has_signs(const raised_t *own, const Py_UCS4 *table)
{
    for (Py_ssize_t i = 0; i < own->size; i++)
        if (!table[(unsigned char)own->at[i]]) return false;
    return true;
}

static bool is_all_letters(const raised_t *own)
{
    for (Py_ssize_t i = 0; i < own->size; i++)
        if (!Py_ISALPHA(own->at[i])) return false;
    return true;
}

/* As raised_text._is_maths. */
static bool is_maths(const raised_t *own)
{
    Py_UCS4 last = char_of_before(own, 1), second = char_of_before(own, 2);
    char c = own->at[0];

    if (!(Py_UNICODE_ISALNUM(last) || last == ')' || last == ']')) return false;
    if (has_maths(own)) {
        for (Py_ssize_t i = 0; i < own->size; i++)
            if (own->at[i] == '*' || own->at[i] == '#' || Py_UNICODE_ISSPACE((Py_UCS4)own->at[i])) return false;
        return true;
    }
    if (own->size != 1 || !((c >= 'j' && c <= 'n') || (c >= 'p' && c <= 'q') || (c >= 'u' && c <= 'z') || Py_ISUPPER(c))) return false;
    if (last == ')' || last == ']' || Py_UNICODE_ISDECIMAL(last)) return true;
    return !(Py_UNICODE_ISALNUM(second) || second == '_');
}

/* The content with a sign before it, in brackets unless it is a word, as raised_text._marked. */
static PyObject *marked_with(const raised_t *own, char sign)
{
    const char *at = own->at, *end = at + own->size;

    while (at < end && is_ascii_word(*at)) at++;
    if (at > own->at && at + 1 < end && *at == '.')
        for (at++; at < end && is_ascii_word(*at);) at++;
    return PyUnicode_FromFormat(at == end ? "%c%s" : "%c(%s)", sign, own->at);
}

/* The text of a superscript; NULL, without an exception, if the Python function is to be asked. */
static PyObject *superscript_of(const raised_t *own, PyObject *content, bool is_link)
{
    Py_UCS4 last = char_of_before(own, 1);
    bool is_badge = own->size >= 3 && Py_ISUPPER(own->at[0]) && is_all_letters(own);

    if (own->at[0] == '(' || own->at[0] == '[' || own->at[0] == '.' || own->at[0] == ',') return Py_NewRef(content);
    if (is_link && is_note_mark(own)) return PyUnicode_FromFormat("[%U]", content);
    if (may_follow_price(own)) return NULL;
    if (has_signs(own, SUPERSCRIPTS) && (has_maths(own) || (own->size == 1 && Py_ISALPHA(own->at[0]))))
        return in_signs(own, SUPERSCRIPTS);
    if (own->size == 1 && (own->at[0] == 'o' || own->at[0] == 'a') && (Py_UNICODE_ISDIGIT(last) || last == 'n' || last == 'N'))
        return PyUnicode_FromOrdinal(own->at[0] == 'o' ? 0xBA : 0xAA);
    if (own->size == 2 && own->at[1] == 'M' && (own->at[0] == 'T' || own->at[0] == 'S') && Py_UNICODE_ISALPHA(last))
        return PyUnicode_FromOrdinal(own->at[0] == 'T' ? 0x2122 : 0x2120);
    if (is_badge && (Py_UNICODE_ISLOWER(last) || Py_UNICODE_ISDIGIT(last))) return PyUnicode_FromFormat(" %U", content);
    return is_maths(own) ? marked_with(own, '^') : Py_NewRef(content);
}

static PyObject *subscript_of(const raised_t *own, PyObject *content)
{
    if (has_signs(own, SUBSCRIPTS) && (own->size == 1 || !is_all_letters(own))) return in_signs(own, SUBSCRIPTS);
    return is_maths(own) ? marked_with(own, '_') : Py_NewRef(content);
}

/* As raised_text.superscript and subscript: NULL with an exception. */
static PyObject *raised_text(PyObject *content, PyObject *before, bool is_superscript, bool is_link)
{
    raised_t own = {.size = PyUnicode_GET_LENGTH(content), .before = before};
    PyObject *out = NULL;

    if (own.size == 0 || own.size > MAX_RAISED_CHARS) return Py_NewRef(content);
    if (PyUnicode_IS_ASCII(content) && !memchr(PyUnicode_DATA(content), 0, (size_t)own.size)) {
        own.at = PyUnicode_DATA(content);
        out = is_superscript ? superscript_of(&own, content, is_link) : subscript_of(&own, content);
    }
    if (out || PyErr_Occurred()) return out;
    return is_superscript ? PyObject_CallFunctionObjArgs(python.superscript, content, before, is_link ? Py_True : Py_False, NULL)
                          : PyObject_CallFunctionObjArgs(python.subscript, content, before, NULL);
}

PyDoc_STRVAR(raised_text_doc, "raised_text(content, before, is_superscript, is_link)\n--\n\n"
"As raised_text.superscript and subscript.");

static PyObject *core_raised_text(PyObject *module, PyObject *args)
{
    PyObject *content, *before;
    int is_superscript, is_link;

    return PyArg_ParseTuple(args, "UUpp", &content, &before, &is_superscript, &is_link)
               ? raised_text(content, before, is_superscript, is_link) : NULL;
}
