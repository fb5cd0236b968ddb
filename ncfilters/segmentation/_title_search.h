/* Segments that may be the title of a page, or its headings: as page_segments.py. `_head_search.h` includes it. */

/* Whether a segment is a heading that a title may be: h1 or h2. */
static bool is_heading(const listed_segment_t *own)
{
    PyObject *tag = own->dict ? PyDict_GetItem(own->dict, words.tag) : NULL;

    if (own->segment) return own->segment->is_title || is(own->segment->tag, "h2");
    return tag && PyUnicode_Check(tag) &&
           (PyUnicode_CompareWithASCIIString(tag, "h1") == 0 || PyUnicode_CompareWithASCIIString(tag, "h2") == 0);
}

/* Whether a text has a key, which is a string, too: 1 or 0, or -1 with an exception. *key_of*: what makes keys of strings. */
static int is_key_of(bytes_t text, bytes_t key, PyObject *string, PyObject *key_of)
{
    int status = has_key(text, key);
    PyObject *own, *found;

    if (status != UNSURE) return status;
    own = string_of(text);
    found = own ? PyObject_CallOneArg(key_of, own) : NULL;
    status = found ? PyObject_RichCompareBool(found, string, Py_EQ) : -1;
    Py_XDECREF(own);
    Py_XDECREF(found);
    return status;
}

/* Finds the first h1 or h2 with a key, or else the first segment with it: *place*; and the first segment with it before a heading,
 * *first*; -1 for none. Segments have at most *most* characters. *key_of*: the function that makes keys. Returns -1 with an exception. */
static int find_places(const listed_t *listed, PyObject *string, Py_ssize_t most, PyObject *key_of, Py_ssize_t *place, Py_ssize_t *first)
{
    bytes_t key;

    *place = *first = -1;
    if (bytes_of(string, &key) < 0) return -1;
    for (size_t i = 0; key.size && i < listed->count; i++) { /* an empty key is looked for nowhere */
        const listed_segment_t *own = &listed->items[i];
        read_text_t text;
        int status;
        uint8_t start = own->start[0];
        if (has_other_size(own, 0, most) || (start < 0x80 && is_ascii_word(start) && ascii_lower(start) != key.at[0])) continue;
        status = read_text(own, &text);
        if (status == 0 && (Py_ssize_t)text.chars <= most) status = is_key_of(text.text, key, string, key_of);
        if (status < 0) return -1;
        if (status == 0) continue;
        if (is_heading(own)) {
            *place = (Py_ssize_t)i;
            return 0;
        }
        if (*first < 0) *first = (Py_ssize_t)i;
    }
    *place = *first;
    *first = -1;
    return 0;
}

/* The key of text in ASCII; a new reference. */
static PyObject *ascii_key(bytes_t text)
{
    enum { MOST = 512 };
    uint8_t own[MOST], *words_of = text.size <= MOST ? own : PyMem_Malloc(text.size), *to = words_of;
    bool after_word = false;
    PyObject *out;

    if (words_of == NULL) return PyErr_NoMemory();
    *to = 0;
    for (size_t at = 0; at < text.size; at++) {
        bool is_in_word = is_ascii_word(text.at[at]);
        if (is_in_word && !after_word && to > words_of) *to++ = ' '; /* after a sign */
        if (is_in_word) *to++ = ascii_lower(text.at[at]);
        after_word = is_in_word;
    }
    out = PyUnicode_FromStringAndSize((const char *)words_of, to - words_of);
    if (words_of != own) PyMem_Free(words_of);
    return out;
}

/* The key of a title; a new reference. *key_of*: what makes keys of strings. */
static PyObject *key_of_title(PyObject *title, PyObject *key_of)
{
    if (!PyUnicode_IS_ASCII(title)) return PyObject_CallOneArg(key_of, title);
    return ascii_key((bytes_t){PyUnicode_DATA(title), (size_t)PyUnicode_GET_LENGTH(title)});
}

/* A part of a title, or what is between two. */
typedef struct {
    Py_ssize_t start, end;
} extent_t;

/* Whether all letters of a title are of scripts with spaces: title_segment._Separators has other separators, too, for others. */
static bool is_spaced_title(PyObject *title)
{
    enum { FIRST_UNSPACED = 0x3040 };

    if (PyUnicode_KIND(title) == PyUnicode_1BYTE_KIND) return true;
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(title); at++)
        if (PyUnicode_READ_CHAR(title, at) >= FIRST_UNSPACED) return false;
    return true;
}

/* Whether a sign separates alone. */
static bool is_title_sign(Py_UCS4 c)
{
    return c == '|' || c == '_' || c == 0xBB || c == 0xAB || c == 0xB7 || c == 0x2022 || c == 0x2016; /* »«·•‖ */
}

/* Whether a sign separates between spaces. */
static bool is_spaced_sign(Py_UCS4 c)
{
    return c == ':' || c == '/' || c == '~' || c == '-' || c == '>' || c == 0x2013 || c == 0x2014; /* –— */
}

/* What is between parts, as title_segment._Separators._SPACED matches it, from *at* on; false if there is no more. */
static bool next_separator(PyObject *title, Py_ssize_t at, extent_t *out)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(title);

    while (at < size) {
        Py_ssize_t sign = at, end;
        while (sign < size && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(title, sign))) sign++;
        for (end = sign; end < size && is_title_sign(PyUnicode_READ_CHAR(title, end));) end++;
        if (end == sign && sign > at) {
            while (end < size && is_spaced_sign(PyUnicode_READ_CHAR(title, end))) end++;
            if (end == size || !Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(title, end))) end = sign;
        }
        if (end > sign) {
            while (end < size && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(title, end))) end++;
            *out = (extent_t){at, end};
            return true;
        }
        at = sign > at ? sign : at + 1;
    }
    return false;
}

PyDoc_STRVAR(title_signs_doc, "title_signs(title)\n--\n\n"
"Where what is between the parts of a title starts and ends (see title_segment); None if it has letters of scripts without spaces.");

static PyObject *core_title_signs(PyObject *module, PyObject *title)
{
    extent_t found = {0, 0};
    PyObject *list, *out = NULL;

    if (!PyUnicode_Check(title)) return PyErr_Format(PyExc_TypeError, "expected a string");
    if (!is_spaced_title(title)) Py_RETURN_NONE;
    if (!next_separator(title, 0, &found)) return PyTuple_New(0);
    if ((list = PyList_New(0)) == NULL) return NULL;
    do {
        if (append_object(list, Py_BuildValue("(nn)", found.start, found.end)) < 0) Py_CLEAR(list);
    } while (list && next_separator(title, found.end, &found));
    out = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return out;
}

PyDoc_STRVAR(marked_places_doc, "marked_places(capsule, title, key_of)\n--\n\n"
"The number of the first h1 or h2 with the key of a title, or else of the first segment with it, and that of the first segment with\n"
"it before that; None if none has it. Segments have at most twice the characters of the title. *key_of*: the function that makes keys\n"
"(see site_name.title_key).");

static PyObject *core_marked_places(PyObject *module, PyObject *args)
{
    PyObject *capsule, *title, *key_of, *key, *numbers[2];
    Py_ssize_t found[2];
    const listed_t *listed;
    int status;

    if (!PyArg_ParseTuple(args, "OUO", &capsule, &title, &key_of) || (listed = listed_of(capsule)) == NULL ||
        (key = key_of_title(title, key_of)) == NULL) return NULL;
    status = find_places(listed, key, 2 * PyUnicode_GET_LENGTH(title), key_of, &found[0], &found[1]);
    Py_DECREF(key);
    if (status < 0) return NULL;
    for (int i = 0; i < 2; i++) numbers[i] = found[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromSsize_t(found[i]);
    return Py_BuildValue("(NN)", numbers[0], numbers[1]);
}

PyDoc_STRVAR(marked_part_doc, "marked_part(capsule, parts, least, key_of)\n--\n\n"
"The number of the first of the strings *parts*, with *least* characters in their keys, for which `marked_places` finds a segment, and\n"
"the number of that; -1 and -1 if there is none.");

static PyObject *core_marked_part(PyObject *module, PyObject *args)
{
    PyObject *capsule, *parts, *key_of;
    Py_ssize_t least;
    const listed_t *listed;

    if (!PyArg_ParseTuple(args, "OO!nO", &capsule, &PyList_Type, &parts, &least, &key_of) || (listed = listed_of(capsule)) == NULL) return NULL;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(parts); at++) {
        PyObject *part = PyList_GET_ITEM(parts, at), *key;
        Py_ssize_t place = -1, first;
        int status = 0;
        if (!PyUnicode_Check(part)) return PyErr_Format(PyExc_TypeError, "expected strings");
        if ((key = PyObject_CallOneArg(key_of, part)) == NULL) return NULL;
        if (PyUnicode_GET_LENGTH(key) >= least)
            status = find_places(listed, key, 2 * PyUnicode_GET_LENGTH(part), key_of, &place, &first);
        Py_DECREF(key);
        if (status < 0) return NULL;
        if (place >= 0) return Py_BuildValue("(nn)", at, place);
    }
    return Py_BuildValue("(ii)", -1, -1);
}

enum { MAX_TITLE_PARTS = 16 };

/* Whether a part of a title is before another: a longer one, or of parts with one length the less one. */
static bool is_better_part(PyObject *title, extent_t own, extent_t other)
{
    Py_ssize_t size = own.end - own.start, length = other.end - other.start;

    if (size != length) return size > length;
    for (Py_ssize_t at = 0; at < size; at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(title, own.start + at), d = PyUnicode_READ_CHAR(title, other.start + at);
        if (c != d) return c < d;
    }
    return false;
}

/* The parts of a title before and behind what is between two, if that is there less than *most* times: the longest first. Returns their
 * number. */
static size_t parts_of_title(PyObject *title, Py_ssize_t most, extent_t *out)
{
    extent_t found = {0, 0};
    size_t count = 0;

    while (next_separator(title, found.end, &found)) {
        if ((Py_ssize_t)(count / 2) + 1 >= most) return 0;
        out[count++] = (extent_t){0, found.start};
        out[count++] = (extent_t){found.end, PyUnicode_GET_LENGTH(title)};
    }
    for (size_t at = 1; at < count; at++) {
        extent_t own = out[at];
        size_t to = at;
        for (; to > 0 && is_better_part(title, own, out[to - 1]); to--) out[to] = out[to - 1];
        out[to] = own;
    }
    return count;
}

PyDoc_STRVAR(marked_title_part_doc, "marked_title_part(capsule, title, most, least, key_of)\n--\n\n"
"The part of a title which is a segment, as `marked_part` finds it among those that title_segment has, and the number of that segment;\n"
"None if there is none, or more than *most* parts; NotImplemented where `title_signs` does not read the title.");

static PyObject *core_marked_title_part(PyObject *module, PyObject *args)
{
    PyObject *capsule, *title, *key_of;
    Py_ssize_t most, least;
    const listed_t *listed;
    extent_t parts[MAX_TITLE_PARTS];
    size_t count;

    if (!PyArg_ParseTuple(args, "OUnnO", &capsule, &title, &most, &least, &key_of) || (listed = listed_of(capsule)) == NULL) return NULL;
    if (most > MAX_TITLE_PARTS / 2 || !is_spaced_title(title)) Py_RETURN_NOTIMPLEMENTED;
    count = parts_of_title(title, most, parts);
    for (size_t at = 0; at < count; at++) {
        PyObject *part = PyUnicode_Substring(title, parts[at].start, parts[at].end), *key = part ? key_of_title(part, key_of) : NULL;
        Py_ssize_t place = -1, first;
        int status = key ? 0 : -1;
        if (key && PyUnicode_GET_LENGTH(key) >= least)
            status = find_places(listed, key, 2 * PyUnicode_GET_LENGTH(part), key_of, &place, &first);
        Py_XDECREF(key);
        if (status == 0 && place >= 0) return Py_BuildValue("(Nn)", part, place);
        Py_XDECREF(part);
        if (status < 0) return NULL;
    }
    Py_RETURN_NONE;
}

/* The number in the name of a heading, from h1 to h4; 0 of other segments. */
static int heading_level(const listed_segment_t *own)
{
    static const char *const NAMES[] = {"h1", "h2", "h3", "h4"};
    PyObject *tag = own->dict ? PyDict_GetItem(own->dict, words.tag) : NULL;

    for (int i = 0; i < 4; i++)
        if (own->segment ? is(own->segment->tag, NAMES[i])
                         : tag && PyUnicode_Check(tag) && PyUnicode_CompareWithASCIIString(tag, NAMES[i]) == 0) return i + 1;
    return 0;
}

PyDoc_STRVAR(marked_headings_doc, "marked_headings(capsule, most, least, before)\n--\n\n"
"Of the first *most* segments, the numbers of the first two h1, and those of the headings from h1 to h4 among the *before* segments that\n"
"are before the first one with *least* characters that is no such heading.");

static PyObject *core_marked_headings(PyObject *module, PyObject *args)
{
    PyObject *capsule, *tops, *near;
    Py_ssize_t most, least, before, place = 0;
    const listed_t *listed;
    size_t count;
    bool has_text = false;
    int status = 0;

    if (!PyArg_ParseTuple(args, "Onnn", &capsule, &most, &least, &before) || (listed = listed_of(capsule)) == NULL) return NULL;
    count = most < 0 ? 0 : listed->count < (size_t)most ? listed->count : (size_t)most;
    tops = PyList_New(0);
    near = PyList_New(0);
    if (tops == NULL || near == NULL) status = -1;
    for (size_t i = 0; status == 0 && i < count && (PyList_GET_SIZE(tops) < 2 || !has_text); i++) {
        int level = heading_level(&listed->items[i]);
        read_text_t text = {{NULL, 0}, 0};
        if (level == 1 && PyList_GET_SIZE(tops) < 2) status = add_number(tops, i);
        if (level || has_text || has_other_size(&listed->items[i], least, PY_SSIZE_T_MAX)) continue;
        if (status == 0) status = read_text(&listed->items[i], &text);
        if (status == 0 && (Py_ssize_t)text.chars >= least) {
            place = (Py_ssize_t)i;
            has_text = true;
        }
    }
    for (Py_ssize_t i = place > before ? place - before : 0; status == 0 && i < place; i++)
        if (heading_level(&listed->items[i])) status = add_number(near, (size_t)i);
    if (status == 0) return Py_BuildValue("(NN)", tops, near);
    Py_XDECREF(tops);
    Py_XDECREF(near);
    return NULL;
}

PyDoc_STRVAR(marked_heading_doc, "marked_heading(capsule)\n--\n\nThe number of the first h1; -1 if there is none.");

static PyObject *core_marked_heading(PyObject *module, PyObject *capsule)
{
    const listed_t *listed = listed_of(capsule);

    if (listed == NULL) return NULL;
    for (size_t i = 0; i < listed->count; i++) {
        const listed_segment_t *own = &listed->items[i];
        PyObject *tag = own->dict ? PyDict_GetItem(own->dict, words.tag) : NULL;
        if (own->segment ? own->segment->is_title
                         : tag && PyUnicode_Check(tag) && PyUnicode_CompareWithASCIIString(tag, "h1") == 0)
            return PyLong_FromSize_t(i);
    }
    return PyLong_FromLong(-1);
}
