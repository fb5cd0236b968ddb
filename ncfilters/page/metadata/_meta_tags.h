/* What `<meta>` says of a page: as metadata/meta_tags.py; and all statements by field, as page_metadata.py has them. `_core.c`
 * includes it. */

static struct {
    PyObject *place_of;        /* name → (field, rank, evidence, its vocabulary) */
    PyObject *cards;           /* labels and data of cards: frozenset */
    PyObject *add_cards;       /* function of meta_tags */
    Py_ssize_t max_chars;
} meta_tags;

/* A statement: where it is from and its place among those. */
typedef struct {
    PyObject *content, *place; /* borrowed */
    long rank;
    size_t number;
} ranked_t;

typedef struct {
    ranked_t *items;
    size_t count, capacity;
} ranking_t;

static int compare_ranked(const void *one, const void *other)
{
    const ranked_t *a = one, *b = other;

    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The name of a tag in lower case, without white space around it; a new reference. */
static PyObject *tag_name(PyObject *name)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    const unsigned char *text = PyUnicode_IS_ASCII(name) ? PyUnicode_DATA(name) : NULL;
    bool is_plain = text && length > 0 && !SPACES[text[0]] && !SPACES[text[length - 1]];
    PyObject *stripped, *out;

    for (Py_ssize_t at = 0; is_plain && at < length; at++) is_plain = !(text[at] >= 'A' && text[at] <= 'Z');
    if (is_plain) return Py_NewRef(name);
    stripped = PyObject_CallMethod(name, "strip", NULL);
    out = stripped ? PyObject_CallMethod(stripped, "lower", NULL) : NULL;
    Py_XDECREF(stripped);
    return out;
}

/* Reads a tag that has a content. */
static int read_statement_tag(PyObject *tag, PyObject *content, ranking_t *to, PyObject **cards)
{
    PyObject *name = tag_name(tag), *place = name ? PyDict_GetItemWithError(meta_tags.place_of, name) : NULL;
    int status = PyErr_Occurred() ? -1 : 0, is_card;

    if (place && (status = reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items)) == 0) {
        to->items[to->count] = (ranked_t){content, place, PyLong_AsLong(PyTuple_GET_ITEM(place, 1)), to->count};
        to->count++;
    }
    else if (status == 0 && (is_card = PySet_Contains(meta_tags.cards, name)) != 0) {
        if (*cards == NULL) *cards = PyDict_New();
        if (is_card < 0 || *cards == NULL) status = -1;
        else {
            PyObject *text = PyUnicode_Substring(content, 0, meta_tags.max_chars);
            if (text == NULL || PyDict_SetDefault(*cards, name, text) == NULL) status = -1;
            Py_XDECREF(text);
        }
    }
    Py_XDECREF(name);
    return status;
}

/* By vocabulary, then by field. */
static PyObject *ranked_statements(const ranking_t *ranking)
{
    PyObject *out = PyDict_New();
    int status = out ? 0 : -1;

    for (size_t at = 0; at < ranking->count && status == 0; at++) {
        const ranked_t *own = &ranking->items[at];
        PyObject *fields = made_of_key(out, PyTuple_GET_ITEM(own->place, 3), PyDict_New);
        PyObject *list = fields ? made_of_key(fields, PyTuple_GET_ITEM(own->place, 0), empty_list) : NULL;
        PyObject *text = list ? PyUnicode_Substring(own->content, 0, meta_tags.max_chars) : NULL;
        status = text ? append_new(list, PyTuple_Pack(2, text, PyTuple_GET_ITEM(own->place, 2))) : -1;
        Py_XDECREF(text);
    }
    if (status < 0) Py_CLEAR(out);
    return out;
}

PyDoc_STRVAR(tag_statements_doc, "tag_statements(tags)\n--\n\nAs metadata.meta_tags.tag_statements.");

static PyObject *core_tag_statements(PyObject *module, PyObject *tags)
{
    ranking_t ranking = {0};
    PyObject *cards = NULL, *out = NULL, *added;
    int status = 0;

    if (!PyList_Check(tags)) return PyErr_Format(PyExc_TypeError, "expected a list");
    if (meta_tags.place_of == NULL) return PyErr_Format(PyExc_RuntimeError, "setup_tags has not been called");
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(tags) && status == 0; at++) {
        PyObject *tag = PyList_GET_ITEM(tags, at), *content;
        if (!PyTuple_Check(tag) || PyTuple_GET_SIZE(tag) != 2) {
            PyErr_SetString(PyExc_TypeError, "expected tuples of two");
            status = -1;
            break;
        }
        content = PyTuple_GET_ITEM(tag, 1);
        tag = PyTuple_GET_ITEM(tag, 0);
        if (PyUnicode_Check(tag) && PyUnicode_Check(content) && PyUnicode_GET_LENGTH(content))
            status = read_statement_tag(tag, content, &ranking, &cards);
    }
    if (status == 0) {
        if (ranking.count > 1) qsort(ranking.items, ranking.count, sizeof *ranking.items, compare_ranked);
        out = ranked_statements(&ranking);
    }
    if (out && cards) {
        if ((added = PyObject_CallFunctionObjArgs(meta_tags.add_cards, out, cards, NULL)) == NULL) Py_CLEAR(out);
        Py_XDECREF(added);
    }
    PyMem_RawFree(ranking.items);
    Py_XDECREF(cards);
    return out;
}

PyDoc_STRVAR(setup_tags_doc, "setup_tags(places, cards, add_cards, chars)\n--\n\n"
"Takes over the tables of meta_tags: a dict of name to (field, rank, evidence, vocabulary), the names of cards, _add_cards, and the\n"
"characters of a content.");

static PyObject *core_setup_tags(PyObject *module, PyObject *args)
{
    PyObject *places, *cards, *add_cards, *place, *name;
    Py_ssize_t max_chars;

    if (!PyArg_ParseTuple(args, "O!O!On", &PyDict_Type, &places, &PyFrozenSet_Type, &cards, &add_cards, &max_chars)) return NULL;
    for (Py_ssize_t at = 0; PyDict_Next(places, &at, &name, &place);) {
        PyObject *field, *evidence, *vocabulary;
        long rank;
        if (!PyArg_ParseTuple(place, "UlUU", &field, &rank, &evidence, &vocabulary)) return NULL;
    }
    meta_tags.max_chars = max_chars;
    Py_XSETREF(meta_tags.cards, Py_NewRef(cards));
    Py_XSETREF(meta_tags.add_cards, Py_NewRef(add_cards));
    Py_XSETREF(meta_tags.place_of, Py_NewRef(places));
    Py_RETURN_NONE;
}

/* Appends the statements of a source about a field, each as (source, statement), until there are *most*. */
static int append_from(PyObject *to, PyObject *source, PyObject *statements, Py_ssize_t most)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(statements) && PyList_GET_SIZE(to) < most; at++)
        if (append_new(to, PyTuple_Pack(2, source, PyList_GET_ITEM(statements, at))) < 0) return -1;
    return 0;
}

PyDoc_STRVAR(statements_by_field_doc, "statements_by_field(sources, trust, bounded, few, most)\n--\n\n"
"As metadata.page_metadata.statements_by_field: of *sources* those in the tuple *trust*; of the source *bounded*, fields with at\n"
"most *few* statements; of each field at most *most*.");

static PyObject *core_statements_by_field(PyObject *module, PyObject *args)
{
    PyObject *sources, *trust, *bounded, *out, *field, *list;
    Py_ssize_t few, most;
    int status = 0;

    if (!PyArg_ParseTuple(args, "O!O!Unn", &PyDict_Type, &sources, &PyTuple_Type, &trust, &bounded, &few, &most)) return NULL;
    if ((out = PyDict_New()) == NULL) return NULL;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(trust) && status == 0; at++) {
        PyObject *source = PyTuple_GET_ITEM(trust, at), *own = PyDict_GetItemWithError(sources, source);
        if (own == NULL) {
            status = PyErr_Occurred() ? -1 : 0;
            continue;
        }
        if (!PyDict_Check(own)) status = -1;
        for (Py_ssize_t i = 0; status == 0 && PyDict_Next(own, &i, &field, &list);) {
            PyObject *to;
            if (!PyList_Check(list)) status = -1;
            else if (PyUnicode_Compare(source, bounded) != 0 || PyList_GET_SIZE(list) <= few)
                status = (to = made_of_key(out, field, empty_list)) ? append_from(to, source, list, most) : -1;
        }
        if (status < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected dicts of lists");
    }
    if (status < 0) Py_CLEAR(out);
    return out;
}
