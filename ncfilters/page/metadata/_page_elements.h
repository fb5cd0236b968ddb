/* The elements of a page that say its metadata, read in one call: as metadata/visible_metadata.py. `_core.c` includes it. */

/* What an element says of a field: its attributes, the name in an element of an author, or its text. A new reference. */
static PyObject *said_by_item(const marked_t *own, int field, PyObject *text)
{
    if (own->content.length) return collapsed(own->content.value, own->content.length);
    if (own->datetime.length) return collapsed(own->datetime.value, own->datetime.length);
    for (node_t *node = own->node; node && field == SAYS_AUTHOR; node = next_node(node, own->node)) {
        marked_t inner;
        attribute_t property;
        if (node->type != ELEMENT_NODE) continue;
        inner = marked_element(node);
        property = inner.property;
        if (is_word(inner.itemprop.value, inner.itemprop.value + inner.itemprop.length, "name") ||
            (property.length >= 4 && is_text_at(property.value + property.length - 4, "name", 4))) {
            buffer_t buffer = {0};
            PyObject *name;
            if (inner.content.length) return collapsed(inner.content.value, inner.content.length);
            name = separate_texts(node, &buffer) < 0 ? NULL : collapsed(buffer.data, buffer.length);
            PyMem_RawFree(buffer.data);
            return name;
        }
    }
    return Py_NewRef(text);
}

static bool may_be_update(const char *text, size_t length)
{
    const char *end = text + length;

    return length && (!is_ascii(text, length) || contains(text, end, "updat", NULL) || contains(text, end, "modif", NULL) ||
                      contains(text, end, "aktuali", NULL) || contains(text, end, "edited", NULL));
}

static bool may_be_update_in(PyObject *text)
{
    return !PyUnicode_IS_ASCII(text) || may_be_update(PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text));
}

static int say_time(said_t *said, const marked_t *own, const own_text_t *read)
{
    const attribute_t when = own->datetime.length ? own->datetime : own->content;
    int is_update = may_be_update(own->itemprop.value, own->itemprop.length) || may_be_update_in(read->text) ||
                    may_be_update_in(read->named);

    if (is_update) {
        PyObject *item = decode(own->itemprop.value ? own->itemprop.value : "", own->itemprop.length);
        is_update = tells_update(item ? PyUnicode_FromFormat("%U %U %U", read->named, read->text, item) : NULL);
        Py_XDECREF(item);
    }
    return is_update < 0 ? -1 : say(said, "time", is_update ? "modified" : "date",
                                    when.length ? collapsed(when.value, when.length) : Py_NewRef(read->text),
                                    PyUnicode_FromString("time"));
}

/* Reads an element with a time, a relation or a property. Returns whether it has any that is known; -1 with an exception. */
static int read_marked_element(said_t *said, node_t *node)
{
    marked_t own = marked_element(node);
    int fields[ITEM_FIELD_COUNT], status;
    size_t count = fields_of(own.itemprop, true, fields, 0);
    bool is_time = has_name(node, "time"), is_author, is_item = false;
    own_text_t read;

    count = fields_of(own.property, true, fields, count);
    if (count == 0 && own.rel.length == 0 && !is_time) return 0;
    if (has_value(own.rel, "license"))
        return say_attribute(said, "microdata", "license", own.href, "rel=license") < 0 ? -1 : 1;
    is_author = has_value(own.rel, "author");
    if (count == 0 && !is_time && !is_author) return 0;
    for (size_t at = 0; at < count; at++) is_item |= fields[at] == SAYS_AUTHOR;
    status = read_own_text(&own, &read, is_item, &said->plain);
    for (size_t at = 0; at < count && status > 0; at++)
        if (say(said, "microdata", ITEM_FIELDS[fields[at]], said_by_item(&own, fields[at], read.text), PyUnicode_FromString("itemprop")) < 0)
            status = -1;
    if (status > 0 && is_author && say(said, "rel-author", "author", Py_NewRef(read.text), PyUnicode_FromString("rel=author")) < 0)
        status = -1;
    if (status > 0 && is_time && say_time(said, &own, &read) < 0) status = -1;
    drop_text(&read);
    return status;
}

/* Reads a tag that is no meta field of the head: an item, or what HTTP would say. */
static int read_meta_element(said_t *said, node_t *node)
{
    const attribute_t LANGUAGE = {"content-language", strlen("content-language"), true};
    marked_t own = marked_element(node);
    PyObject *content = start_of(own.content, 10 * own_elements.max_chars), *text = NULL;
    int fields[ITEM_FIELD_COUNT], status = content ? 0 : -1;
    size_t count = fields_of(own.itemprop, false, fields, 0);

    if (status == 0 && own.http_equiv.length) status = read_field_tag(LANGUAGE, own.content, &said->tags);
    if (status == 0 && count > 0) {
        int foreign = is_foreign(node, false, &said->plain);
        const char *utf8 = NULL;
        Py_ssize_t size;
        if (foreign < 0) status = -1;
        else if (foreign) count = 0;
        else if ((utf8 = PyUnicode_AsUTF8AndSize(content, &size)) == NULL || (text = collapsed(utf8, (size_t)size)) == NULL) status = -1;
    }
    for (size_t at = 0; at < count && status == 0; at++)
        status = say(said, "microdata", ITEM_FIELDS[fields[at]], Py_NewRef(text), PyUnicode_FromString("itemprop"));
    Py_XDECREF(content);
    Py_XDECREF(text);
    return status;
}

static int read_link_element(said_t *said, node_t *node)
{
    marked_t own = marked_element(node);

    if (is_word(own.rel.value, own.rel.value + own.rel.length, "canonical")) {
        if (said->canonical || own.href.length == 0) return 0;
        return (said->canonical = decode(own.href.value, own.href.length)) == NULL ? -1 : 0;
    }
    return has_value(own.rel, "license") ? say_attribute(said, "microdata", "license", own.href, "rel=license") : 0;
}

/* Reads a heading whose text is unusual, or which has a link: as visible_metadata._heading_of. */
static int read_rare_heading(said_t *said, PyObject *text, attribute_t href)
{
    PyObject *to = string_or_none(href);
    PyObject *found = text && to ? PyObject_CallFunctionObjArgs(own_elements.heading, text, to, NULL) : NULL, *heading;
    int is_site, status = found == NULL ? -1 : 0;

    if (found && found != Py_None && (status = PyArg_ParseTuple(found, "Up", &heading, &is_site) ? 0 : -1) == 0)
        status = PyList_Append(is_site ? said->site_names : said->headings, heading);
    Py_XDECREF(found);
    Py_XDECREF(to);
    Py_XDECREF(text);
    return status;
}

static bool is_heading_sign(Py_UCS4 c)
{
    return c == ' ' || c == '#' || c == 0xB6;
}

/* Whether the words of a heading may be the same several times: the first is there in the middle, or after a third. */
static bool may_repeat(PyObject *words)
{
    Py_ssize_t count = PyList_GET_SIZE(words);

    for (Py_ssize_t parts = 2; parts <= 3 && count / parts > 1; parts++)
        if (PyUnicode_Compare(PyList_GET_ITEM(words, 0), PyList_GET_ITEM(words, count / parts)) == 0) return true;
    return false;
}

static int read_heading_element(said_t *said, node_t *node)
{
    attribute_t href = {0};
    PyObject *text, *words, *plain;
    Py_ssize_t length, end;
    bool is_rare;

    text = heading_text(node, is_heading_apart(node, &href) ? " " : NULL);
    if (text == NULL) return -1;
    length = PyUnicode_GET_LENGTH(text);
    if (href.exists || length > 10 * own_elements.max_chars || PyUnicode_FindChar(text, '&', 0, length, 1) >= 0)
        return read_rare_heading(said, text, href);
    words = PyUnicode_Split(text, NULL, -1);
    is_rare = words && may_repeat(words);
    plain = words ? PyUnicode_Join(own_elements.space, words) : NULL;
    Py_XDECREF(words);
    end = plain ? PyUnicode_GET_LENGTH(plain) : 0;
    if (end && (is_rare || is_heading_sign(PyUnicode_READ_CHAR(plain, 0)) || is_heading_sign(PyUnicode_READ_CHAR(plain, end - 1)))) {
        Py_DECREF(plain);
        return read_rare_heading(said, text, href);
    }
    Py_DECREF(text);
    if (end) return append_new(said->headings, plain);
    Py_XDECREF(plain);
    return plain ? 0 : -1;
}

/* Reads an element of visible_metadata.page_elements; *visible* is the number of those that are read of their text. */
static int read_element(said_t *said, node_t *node, Py_ssize_t *visible)
{
    int status;

    if (has_name(node, "meta")) return read_meta_element(said, node);
    if (has_name(node, "link")) return read_link_element(said, node);
    if (has_name(node, "h1")) {
        if (said->heading_count < own_elements.max_elements) said->heading_nodes[said->heading_count++] = node;
        return 0;
    }
    if (*visible >= 4 * own_elements.max_elements) return 0;
    status = read_marked_element(said, node);
    *visible += status > 0;
    return status < 0 ? -1 : 0;
}

/* Reads the headings that are the page's own, or else all. Returns whether it has its own, and -1 with an exception. */
static int read_headings(said_t *said)
{
    bool foreign[MAX_HEADINGS];
    int has_own = false;

    for (Py_ssize_t at = 0; at < said->heading_count; at++) {
        int status = is_foreign(said->heading_nodes[at], false, &said->plain);
        if (status < 0) return -1;
        foreign[at] = status;
        has_own |= !status;
    }
    for (Py_ssize_t at = 0; at < said->heading_count; at++)
        if (!(has_own && foreign[at]) && read_heading_element(said, said->heading_nodes[at]) < 0) return -1;
    return has_own;
}

static bool is_ready_for_elements(void)
{
    if (own_elements.heading) return true;
    PyErr_SetString(PyExc_RuntimeError, "setup_elements has not been called");
    return false;
}

/* Reads the elements that *wanted* selectors match. Returns -1 with an exception. */
static int read_elements(said_t *said, const search_t *search, bits_t wanted)
{
    Py_ssize_t visible = 0;
    int status = 0;

    for (size_t at = 0; at < search->count && status == 0; at++)
        for (bits_t left = search->items[at].selectors & wanted; left && status == 0; left &= left - 1)
            status = read_element(said, search->items[at].node, &visible);
    return status;
}

/* The class of an element as evidence: its first word. */
static PyObject *class_evidence(PyObject *named)
{
    PyObject *words = PyUnicode_Split(named, NULL, 1), *out = NULL;

    if (words && PyList_GET_SIZE(words)) out = PyUnicode_FromFormat("class %U", PyList_GET_ITEM(words, 0));
    else if (words) out = PyUnicode_FromString("class ");
    Py_XDECREF(words);
    if (out && PyUnicode_GET_LENGTH(out) > MAX_EVIDENCE) Py_SETREF(out, PyUnicode_Substring(out, 0, MAX_EVIDENCE));
    return out;
}

/* Whether a class has the start of "authorise", as telling_names._AUTHORIZED. Returns -1 with an exception. */
static int is_authorized(attribute_t class)
{
    static const char *const WORDS[] = {"authoris", "authoriz", NULL};

    if (is_ascii(class.value, class.length)) return has_any_of(class, WORDS);
    return is_true_of(own_elements.is_authorized, decode(class.value, class.length), NULL);
}

/* Whether a text is that of a name: the class says so, or it is short and has a day. Returns -1 with an exception. */
static int is_byline_name(const own_text_t *read)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(read->text);

    if (read->is_name) return 1;
    if (length > MAX_NAME || (PyUnicode_FindChar(read->text, '0', 0, length, 1) < 0 &&
                              PyUnicode_FindChar(read->text, '9', 0, length, 1) < 0)) return 0; /* no year */
    return is_true_of(own_elements.iso_day, Py_NewRef(read->text), NULL);
}

static int read_byline(said_t *said, node_t *node)
{
    marked_t own = marked_element(node);
    own_text_t read = {NULL, NULL, false};
    int status = is_authorized(own.class), is_name = 0;

    if (status == 0) status = read_own_text(&own, &read, false, &said->plain);
    else if (status > 0) return 0;
    if (status > 0) is_name = is_byline_name(&read);
    if (status > 0)
        status = is_name < 0 ? -1 : say(said, "byline", is_name ? "name" : "author", Py_NewRef(read.text), class_evidence(read.named));
    drop_text(&read);
    return status;
}

PyDoc_STRVAR(bylines_doc, "bylines(search, selectors)\n--\n\n"
"The statements of the elements that *selectors*, given as bits, match, as metadata.visible_metadata.read_bylines.");

static PyObject *core_bylines(PyObject *module, PyObject *args)
{
    unsigned long long wanted;
    PyObject *capsule;
    const search_t *search;
    said_t said = {0};
    Py_ssize_t left = 0;
    int status;

    if (!PyArg_ParseTuple(args, "OK", &capsule, &wanted) || !is_ready_for_elements()) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL) return NULL;
    status = (said.statements = PyDict_New()) ? 0 : -1;
    for (size_t at = 0; at < search->count && left < 4 * own_elements.max_elements && status == 0; at++) {
        Py_ssize_t number = __builtin_popcountll(search->items[at].selectors & wanted);
        left += number;
        if (number) status = read_byline(&said, search->items[at].node);
    }
    if (status < 0) Py_CLEAR(said.statements);
    return said.statements;
}

PyDoc_STRVAR(setup_elements_doc, "setup_elements(functions, words, elements, chars)\n--\n\n"
"Takes functions of telling_names, dates and visible_metadata; the words of which a class has one that may tell something, that may\n"
"be foreign, and that is; and limits.");

static PyObject *core_setup_elements(PyObject *module, PyObject *args)
{
    PyObject *functions[7], *words, *telling, *foreign, *certain;

    if (!PyArg_ParseTuple(args, "(OOOOOOO)O!nn", &functions[0], &functions[1], &functions[2], &functions[3], &functions[4],
                          &functions[5], &functions[6], &PyTuple_Type, &words, &own_elements.max_elements, &own_elements.max_chars) ||
        !PyArg_ParseTuple(words, "UUU", &telling, &foreign, &certain) || read_words(telling, &own_elements.telling) < 0 ||
        read_words(foreign, &own_elements.foreign) < 0 || read_words(certain, &own_elements.certain) < 0 || set_string(&own_elements.space, " ") < 0) return NULL;
    if (own_elements.max_elements > MAX_HEADINGS) return PyErr_Format(PyExc_ValueError, "too many elements");
    Py_XSETREF(own_elements.owner, Py_NewRef(words));
    Py_XSETREF(own_elements.is_foreign_name, Py_NewRef(functions[0]));
    Py_XSETREF(own_elements.is_name_class, Py_NewRef(functions[1]));
    Py_XSETREF(own_elements.is_own_footer, Py_NewRef(functions[2]));
    Py_XSETREF(own_elements.is_update, Py_NewRef(functions[3]));
    Py_XSETREF(own_elements.is_authorized, Py_NewRef(functions[4]));
    Py_XSETREF(own_elements.iso_day, Py_NewRef(functions[5]));
    Py_XSETREF(own_elements.heading, Py_NewRef(functions[6]));
    Py_RETURN_NONE;
}
