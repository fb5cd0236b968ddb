/* The segments of a page with markup in a capsule, for those who look for its author and its date: a dict is made for a
 * segment that they read (see page_segments.py). `_core.c` includes it.
 */

#define MARKED_PAGE_NAME "ncfilters.segmentation.marked_page"

typedef struct {
    page_t page;
    PyObject *columns, *others; /* owned: what the segments point to */
    listed_t listed;
} marked_page_t;

static void free_marked_page(marked_page_t *marked)
{
    close_page(&marked->page);
    Py_XDECREF(marked->columns);
    Py_XDECREF(marked->others);
    PyMem_RawFree(marked->listed.items);
    PyMem_RawFree(marked);
}

static void free_marked_capsule(PyObject *capsule)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    if (marked) free_marked_page(marked);
}

/* A page for segments of columns and for *others*; NULL with an exception. */
static marked_page_t *new_marked_page(PyObject *columns, PyObject *others)
{
    columns_t *own = PyCapsule_GetPointer(columns, COLUMNS_NAME);
    marked_page_t *out = own ? PyMem_RawCalloc(1, sizeof *out) : NULL;

    if (out == NULL) return own ? (marked_page_t *)PyErr_NoMemory() : NULL;
    out->columns = Py_NewRef(columns);
    out->others = Py_NewRef(others);
    out->listed.items = PyMem_RawCalloc(own->count + (size_t)PyList_GET_SIZE(others) + 1, sizeof *out->listed.items);
    if (out->listed.items == NULL) PyErr_NoMemory();
    else if (!own->has_markup) PyErr_SetString(PyExc_ValueError, "columns without markup");
    else {
        out->page.carrier.arena = &own->arena;
        return out;
    }
    free_marked_page(out);
    return NULL;
}

PyDoc_STRVAR(marked_segments_doc, "marked_segments(columns, dropped, others, with_text, functions)\n--\n\n"
"As `json_segments`, for columns with markup; *others* are triples, with the dict of the segment. *functions*: those of\n"
"markup.py for groups, and those that clean code and mark formulas. The fourth value is a capsule of all segments, for the\n"
"functions below.");

static PyObject *core_marked_segments(PyObject *module, PyObject *args)
{
    PyObject *columns, *dropped, *others, *json = NULL, *sample = NULL, *capsule = NULL, *finish, *clean_code, *mark_delimited;
    marked_page_t *marked;
    page_t *page;
    int with_text;

    if (!PyArg_ParseTuple(args, "OO!O!p(OOO)", &columns, &PyList_Type, &dropped, &PyList_Type, &others, &with_text, &finish,
                          &clean_code, &mark_delimited) || (marked = new_marked_page(columns, others)) == NULL) return NULL;
    page = &marked->page;
    page->carrier.finish = finish;
    page->clean_code = clean_code;
    page->mark_delimited = mark_delimited;
    if (read_page(page, PyCapsule_GetPointer(columns, COLUMNS_NAME), dropped) == 0 && mark_page(page) == 0) {
        sample = with_text ? sample_of(page->segments, page->count) : Py_NewRef(Py_None);
        if (sample)
            json = json_of_segments(page->segments, page->count, PyCapsule_GetPointer(columns, COLUMNS_NAME), others,
                                    &marked->listed);
    }
    if (json) capsule = PyCapsule_New(marked, MARKED_PAGE_NAME, free_marked_capsule);
    if (capsule) return Py_BuildValue("(NnNN)", json, (Py_ssize_t)marked->listed.count, sample, capsule);
    free_marked_page(marked);
    Py_XDECREF(json);
    Py_XDECREF(sample);
    return NULL;
}

/* The segment with a number, in a capsule; NULL with an exception. */
static listed_segment_t *listed_in(PyObject *capsule, Py_ssize_t number)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    if (marked == NULL) return NULL;
    if (number >= 0 && (size_t)number < marked->listed.count) return &marked->listed.items[number];
    PyErr_SetString(PyExc_IndexError, "no such segment");
    return NULL;
}

PyDoc_STRVAR(marked_segment_doc, "marked_segment(capsule, number)\n--\n\n"
"The dict of a segment: its text, its tag, its path, its origin and, of a short text, its links.");

static PyObject *core_marked_segment(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    Py_ssize_t number;
    listed_segment_t *own;

    if (!PyArg_ParseTuple(args, "On", &capsule, &number) || (own = listed_in(capsule, number)) == NULL) return NULL;
    return own->dict ? Py_NewRef(own->dict) : dict_for_head(own->segment);
}

/* Whether text in ASCII has a word, which is in lower case. */
static bool may_have_word(bytes_t text, bytes_t word)
{
    for (size_t at = 0; at + word.size <= text.size; at++) {
        size_t same = 0;
        while (same < word.size && ascii_lower(text.at[at + same]) == word.at[same]) same++;
        if (same == word.size) return true;
    }
    return word.size == 0;
}

/* Adds the number of a segment to a list. Returns -1 with an exception. */
static int add_number(PyObject *numbers, size_t number)
{
    return append_object(numbers, PyLong_FromSize_t(number));
}

/* Whether the words of a text in ASCII are those of *key*, which are in lower case with a space between two. */
static bool has_words_of(bytes_t text, bytes_t key)
{
    size_t at = 0, next = 0;

    while (at < text.size) {
        if (!is_word(text.at[at])) {
            at++;
            continue;
        }
        if (next && (next >= key.size || key.at[next++] != ' ')) return false;
        for (; at < text.size && is_word(text.at[at]); at++)
            if (next >= key.size || key.at[next++] != ascii_lower(text.at[at])) return false;
    }
    return next == key.size;
}

PyDoc_STRVAR(marked_with_key_doc, "marked_with_key(capsule, key, most)\n--\n\n"
"The numbers of the segments that may have *key* (see site_name.title_key), of those with at most *most* characters.");

static PyObject *core_marked_with_key(PyObject *module, PyObject *args)
{
    PyObject *capsule, *string, *out;
    Py_ssize_t most;
    marked_page_t *marked;
    bytes_t key;

    if (!PyArg_ParseTuple(args, "OUn", &capsule, &string, &most) || bytes_of(string, &key) < 0 ||
        (marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < marked->listed.count; i++) {
        const segment_t *own = marked->listed.items[i].segment;
        if (own && (Py_ssize_t)own->chars > most) continue;
        if (own && own->text.size == own->chars && !has_words_of(own->text, key)) continue;
        if (add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(marked_with_word_doc, "marked_with_word(capsule, word, least, most)\n--\n\n"
"The numbers of the segments whose text may have *word*, in folded case, of those with *least* to *most* characters.");

static PyObject *core_marked_with_word(PyObject *module, PyObject *args)
{
    PyObject *capsule, *string, *out;
    Py_ssize_t least, most;
    marked_page_t *marked;
    bytes_t word;

    if (!PyArg_ParseTuple(args, "OUnn", &capsule, &string, &least, &most) || bytes_of(string, &word) < 0 ||
        (marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < marked->listed.count; i++) {
        const segment_t *own = marked->listed.items[i].segment;
        if (own && ((Py_ssize_t)own->chars < least || (Py_ssize_t)own->chars > most)) continue;
        if (own && own->text.size == own->chars && !may_have_word(own->text, word)) continue;
        if (add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

/* Whether the first bytes of a text are ASCII: more than a start has. */
static bool is_plain_start(bytes_t text)
{
    enum { LONGEST = 32 };

    for (size_t at = 0; at < LONGEST && at < text.size; at++)
        if (text.at[at] >= 0x80) return false;
    return true;
}

PyDoc_STRVAR(marked_with_start_doc, "marked_with_start(capsule, starts, most)\n--\n\n"
"The numbers of the segments whose text may begin with one of *starts*, in folded case with \"|\" between two, of those with at\n"
"most *most* characters.");

static PyObject *core_marked_with_start(PyObject *module, PyObject *args)
{
    PyObject *capsule, *string, *out;
    Py_ssize_t most;
    marked_page_t *marked;
    listed_words_t starts;

    if (!PyArg_ParseTuple(args, "OUn", &capsule, &string, &most) || read_words(string, &starts) < 0 ||
        (marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < marked->listed.count; i++) {
        const segment_t *own = marked->listed.items[i].segment;
        if (own && ((Py_ssize_t)own->chars > most ||
                    (is_plain_start(own->text) && !has_start(own->text, &starts)))) continue;
        if (add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

/* Whether a short segment may say an author or a day: its text has one of *said*, its element one of *named*, or one of its links
 * one of *led*. */
static bool may_say(const segment_t *own, const listed_words_t *said, const listed_words_t *named, const listed_words_t *led)
{
    bytes_t path = own->path;
    size_t start = path.size;

    if (own->marked || may_have_one_of(own->text, said)) return true;
    while (start > 0 && path.at[start - 1] != '/') start--;
    if (may_have_one_of((bytes_t){path.at + start, path.size - start}, named)) return true;
    for (size_t i = 0; own->markup && i < own->markup->spans.count; i++) {
        const entry_t *entry = own->markup->spans.items[i].entry;
        if (entry->kind == LINK_SPAN && may_have_one_of(entry->value, led)) return true;
    }
    return false;
}

PyDoc_STRVAR(marked_that_say_doc, "marked_that_say(capsule, numbers, most, said, named, led)\n--\n\n"
"Those of these numbers whose segments have at most *most* characters, and one of the words *said* in their text, of *named* in\n"
"the last element of their path, or of *led* in an address. Words are in lower case, with \"|\" between two. What is beyond ASCII\n"
"may have any.");

static PyObject *core_marked_that_say(PyObject *module, PyObject *args)
{
    PyObject *capsule, *numbers, *strings[3], *out;
    Py_ssize_t most;
    listed_words_t lists[3];

    if (!PyArg_ParseTuple(args, "OO!nUUU", &capsule, &PyList_Type, &numbers, &most, &strings[0], &strings[1], &strings[2])) return NULL;
    for (size_t i = 0; i < 3; i++)
        if (read_words(strings[i], &lists[i]) < 0) return NULL;
    out = PyList_New(0);
    for (Py_ssize_t i = 0; out && i < PyList_GET_SIZE(numbers); i++) {
        PyObject *number = PyList_GET_ITEM(numbers, i);
        const listed_segment_t *own = listed_in(capsule, PyLong_AsSsize_t(number));
        if (own == NULL) Py_CLEAR(out);
        else if (own->segment && ((Py_ssize_t)own->segment->chars > most ||
                                  !may_say(own->segment, &lists[0], &lists[1], &lists[2]))) continue;
        else if (PyList_Append(out, number) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(marked_heading_doc, "marked_heading(capsule)\n--\n\nThe number of the first h1; -1 if there is none.");

static PyObject *core_marked_heading(PyObject *module, PyObject *capsule)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    if (marked == NULL) return NULL;
    for (size_t i = 0; i < marked->listed.count; i++) {
        const listed_segment_t *own = &marked->listed.items[i];
        PyObject *tag = own->dict ? PyDict_GetItem(own->dict, words.tag) : NULL;
        if (own->segment ? own->segment->is_title
                         : tag && PyUnicode_Check(tag) && PyUnicode_CompareWithASCIIString(tag, "h1") == 0)
            return PyLong_FromSize_t(i);
    }
    return PyLong_FromLong(-1);
}
