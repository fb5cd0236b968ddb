/* What tags, JSON-LD and elements say of a page, in one call: as metadata/page_sources.py. `_core.c` includes it. */

static struct {
    PyObject *load_json, *line, *trust, *bounded, *linked, *graph, *title; /* functions, TRUST, names of sources and of a field */
    Py_ssize_t few, most, max_data_chars, max_scripts;
} page_sources;

/* Appends the statements of a source about a field, each as (source, statement), until there are *most*. */
static int append_from(PyObject *to, PyObject *source, PyObject *statements, Py_ssize_t most)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(statements) && PyList_GET_SIZE(to) < most; at++)
        if (append_new(to, PyTuple_Pack(2, source, PyList_GET_ITEM(statements, at))) < 0) return -1;
    return 0;
}

PyDoc_STRVAR(statements_by_field_doc, "statements_by_field(sources)\n--\n\nAs metadata.page_sources.statements_by_field.");

static PyObject *core_statements_by_field(PyObject *module, PyObject *sources)
{
    PyObject *trust = page_sources.trust, *out, *field, *list;
    int status = 0;

    if (trust == NULL || !PyDict_Check(sources)) return PyErr_Format(PyExc_RuntimeError, "expected setup_sources, and a dict");
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
            else if (PyUnicode_Compare(source, page_sources.bounded) != 0 || PyList_GET_SIZE(list) <= page_sources.few)
                status = (to = made_of_key(out, field, empty_list)) ? append_from(to, source, list, page_sources.most) : -1;
        }
        if (status < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected dicts of lists");
    }
    if (status < 0) Py_CLEAR(out);
    return out;
}

/* What the survey of a page finds. */
typedef struct {
    node_t *title;    /* the first that is not empty; NULL if there is none */
    PyObject *values; /* of JSON-LD */
    size_t left, left_scripts; /* characters and scripts of it that may still be read */
} surveyed_t;

/* Reads the JSON of a script. Returns -1 with an exception. */
static int read_linked_data(node_t *script, surveyed_t *to)
{
    const text_node_t *own = (const text_node_t *)script->first_child;
    bool is_plain = own && own->node.type == TEXT_NODE && own->node.next == NULL && own->data;
    size_t chars = is_plain ? count_chars((const char *)own->data, own->length) : 0;
    PyObject *value = NULL, *text = NULL;
    int status = 0;

    if (own == NULL || chars > to->left || to->left_scripts == 0) return 0;
    if (is_plain) value = skimmed_json((const char *)own->data, own->length);
    if (value == NULL && PyErr_Occurred()) return -1;
    if (value == NULL) {
        if ((text = text_below(script)) == NULL) return -1;
        chars = (size_t)PyUnicode_GET_LENGTH(text);
        if (chars <= to->left && (value = PyObject_CallOneArg(page_sources.load_json, text)) == NULL) status = -1;
        Py_DECREF(text);
    }
    if (value) {
        to->left -= chars;
        to->left_scripts--;
    }
    if (value && value != Py_None) status = PyList_Append(to->values, value);
    Py_XDECREF(value);
    return status;
}

static bool has_title_text(node_t *title)
{
    return first_text(title) != NULL && !is_in_drawing(title);
}

/* Reads an element of the survey. Returns -1 with an exception. */
static int read_surveyed(node_t *node, surveyed_t *to, ranking_t *tags)
{
    const tag_t *tag = tag_of(node);
    attribute_t type;

    if (is_named(tag, "meta")) return read_surveyed_tag(node, tags);
    if (is_named(tag, "title") && to->title == NULL && has_title_text(node)) to->title = node;
    if (!is_named(tag, "script")) return 0;
    type = attribute_of(node, "type");
    return type.length && contains(type.value, type.value + type.length, "ld+json", NULL) ? read_linked_data(node, to) : 0;
}

/* Whether a text may have a character reference, as html.unescape has them. */
static bool may_have_reference(bytes_t text)
{
    const uint8_t *end = text.at + text.size, *at = text.at;

    while (at < end && (at = memchr(at, '&', (size_t)(end - at))) != NULL)
        if (++at < end && !strchr("\t\n\f <&;", *at)) return true;
    return false;
}

/* Whether a text is in ASCII, and one line: with one space between its words. */
static bool is_single_line(bytes_t text)
{
    for (size_t at = 0; at < text.size; at++) {
        uint8_t c = text.at[at];
        if (c >= 0x80 || c < ' ') return false;
        if (c == ' ' && (at == 0 || at + 1 == text.size || text.at[at + 1] == ' ')) return false;
    }
    return true;
}

/* A text as one line, as page_sources.line has it, which *in_python* is; a new reference. */
static PyObject *line_of(PyObject *text, PyObject *in_python)
{
    bytes_t own;

    if (bytes_of(text, &own) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL; /* half a pair of surrogates */
        PyErr_Clear();
        return PyObject_CallOneArg(in_python, text);
    }
    if (may_have_reference(own)) return PyObject_CallOneArg(in_python, text);
    return is_single_line(own) ? Py_NewRef(text) : collapsed((const char *)own.at, own.size);
}

PyDoc_STRVAR(lines_doc, "lines(statements)\n--\n\nAs metadata.page_sources.lines.");

static PyObject *core_lines(PyObject *module, PyObject *statements)
{
    PyObject *out = PyList_New(0), *source, *text, *evidence;

    if (page_sources.line == NULL || !PyList_Check(statements)) {
        Py_XDECREF(out);
        return PyErr_Format(PyExc_RuntimeError, "expected setup_sources, and a list");
    }
    for (Py_ssize_t at = 0; out && at < PyList_GET_SIZE(statements); at++)
        if (!PyArg_ParseTuple(PyList_GET_ITEM(statements, at), "O(UU)", &source, &text, &evidence) ||
            append_object(out, line_of(text, page_sources.line)) < 0) Py_CLEAR(out);
    return out;
}

/* What distinguishes the main item of JSON-LD: the title of the window and the first of Open Graph. */
static PyObject *titles_of(PyObject *window, PyObject *sources)
{
    PyObject *fields = PyDict_GetItemWithError(sources, page_sources.graph), *titles;

    titles = fields ? PyDict_GetItemWithError(fields, page_sources.title) : NULL;
    if (PyErr_Occurred()) return NULL;
    if (titles == NULL || PyList_GET_SIZE(titles) == 0) return PyUnicode_FromFormat("%U ", window);
    return PyUnicode_FromFormat("%U %U", window, PyTuple_GET_ITEM(PyList_GET_ITEM(titles, 0), 0));
}

/* Adds what JSON-LD says to the sources. Returns -1 with an exception. */
static int add_linked(PyObject *sources, const surveyed_t *found, PyObject *window)
{
    PyObject *title, *own;

    if (PyList_GET_SIZE(found->values) == 0) return 0;
    title = titles_of(window, sources);
    own = title ? linked_statements(found->values, title) : NULL;
    Py_XDECREF(title);
    return set_new(sources, page_sources.linked, own);
}

/* The language that the element *root* declares; a new reference. */
static PyObject *declared_language(node_t *root)
{
    attribute_t own = attribute_of(root, "lang");

    if (own.length == 0) own = attribute_of(root, "xml:lang");
    return decode(own.length ? own.value : "", own.length);
}

/* Reads a page: *title* becomes that of the window, *line* the same as one line. Returns whether it has headings of its own, and
 * -1 with an exception. */
static int read_sources(const search_t *search, bits_t surveyed, bits_t wanted, said_t *said, PyObject **title, PyObject **line)
{
    surveyed_t found = {NULL, PyList_New(0), (size_t)page_sources.max_data_chars, (size_t)page_sources.max_scripts};
    int status = found.values && said->statements && said->headings && said->site_names ? 0 : -1, has_own = -1;

    for (size_t at = 0; at < search->count && status == 0; at++)
        if (search->items[at].selectors & surveyed) status = read_surveyed(search->items[at].node, &found, &said->tags);
    if (status == 0) status = read_elements(said, search, wanted);
    if (status == 0 && said->canonical == NULL && (said->canonical = PyUnicode_FromString("")) == NULL) status = -1;
    if (status == 0) has_own = read_headings(said);
    if (has_own >= 0 && add_ranked(said->statements, &said->tags) == 0 &&
        (*title = found.title ? text_below(found.title) : PyUnicode_FromString("")) != NULL && (*line = line_of(*title, page_sources.line)) != NULL)
        status = add_linked(said->statements, &found, *line);
    else status = -1;
    Py_XDECREF(found.values);
    return status < 0 ? -1 : has_own;
}

PyDoc_STRVAR(page_sources_doc, "page_sources(search, surveyed, elements)\n--\n\n"
"As metadata.page_sources.page_sources, of the elements that selectors, given as bits, match: the title of the window and the same as\n"
"one line, headings, whether any is the page's own, names of the site, the language, the canonical address, statements by source,\n"
"and those by field.");

static PyObject *core_page_sources(PyObject *module, PyObject *args)
{
    unsigned long long surveyed, elements;
    PyObject *capsule, *out = NULL, *title = NULL, *line = NULL, *by_field = NULL, *language = NULL;
    const search_t *search;
    said_t said;
    int has_own;

    if (!PyArg_ParseTuple(args, "OKK", &capsule, &surveyed, &elements) || !is_ready_for_elements()) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL) return NULL;
    if (page_sources.line == NULL || meta_tags.add_cards == NULL)
        return PyErr_Format(PyExc_RuntimeError, "setup_sources and setup_tags have not been called");
    said = (said_t){.statements = PyDict_New(), .headings = PyList_New(0), .site_names = PyList_New(0)};
    if ((has_own = read_sources(search, surveyed, elements, &said, &title, &line)) >= 0 &&
        (by_field = core_statements_by_field(module, said.statements)) != NULL && (language = declared_language(search->root)) != NULL)
        out = Py_BuildValue("(OOOOOOOOO)", title, line, said.headings, has_own ? Py_True : Py_False, said.site_names, language,
                            said.canonical, said.statements, by_field);
    close_ranking(&said.tags);
    Py_XDECREF(title);
    Py_XDECREF(line);
    Py_XDECREF(by_field);
    Py_XDECREF(language);
    Py_XDECREF(said.statements);
    Py_XDECREF(said.headings);
    Py_XDECREF(said.site_names);
    Py_XDECREF(said.canonical);
    return out;
}

PyDoc_STRVAR(setup_sources_doc, "setup_sources(load_json, line, trust, (bounded, linked, graph, title), (few, most, chars, scripts))\n--\n\n"
"Takes over what page_sources has: functions, TRUST, the names of sources and of the field of titles, MAX_RELATED, MAX_STATEMENTS and\n"
"MAX_DATA_CHARS.");

static PyObject *core_setup_sources(PyObject *module, PyObject *args)
{
    PyObject *load_json, *line, *trust, *bounded, *linked, *graph, *title;

    if (!PyArg_ParseTuple(args, "OOO!(UUUU)(nnnn)", &load_json, &line, &PyTuple_Type, &trust, &bounded, &linked, &graph, &title,
                          &page_sources.few, &page_sources.most, &page_sources.max_data_chars,
                          &page_sources.max_scripts)) return NULL;
    Py_XSETREF(page_sources.load_json, Py_NewRef(load_json));
    Py_XSETREF(page_sources.trust, Py_NewRef(trust));
    Py_XSETREF(page_sources.bounded, Py_NewRef(bounded));
    Py_XSETREF(page_sources.linked, Py_NewRef(linked));
    Py_XSETREF(page_sources.graph, Py_NewRef(graph));
    Py_XSETREF(page_sources.title, Py_NewRef(title));
    Py_XSETREF(page_sources.line, Py_NewRef(line));
    Py_RETURN_NONE;
}
