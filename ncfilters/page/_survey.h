/* What is found in the tree besides the text: as survey.py. `_core.c` includes it. */

/* ---- a survey of what is around the text (survey.py) */

/* The text of all nodes below *root*. */
static PyObject *text_below(node_t *root)
{
    buffer_t text = {0};
    PyObject *out = NULL;
    int status = 0;

    for (node_t *node = root; node && status == 0; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type == TEXT_NODE && own->data) status = append_bytes(&text, own->data, own->length);
    }
    if (status == 0) out = decode(text.length ? text.data : "", text.length);
    PyMem_RawFree(text.data);
    return out;
}

static bool is_in_drawing(const node_t *node)
{
    for (node_t *around = node->parent; around != NULL; around = around->parent) {
        const tag_t *tag = tag_of(around);
        if (is_named(tag, "svg") || is_named(tag, "math")) return true;
    }
    return false;
}

static int survey_meta(node_t *node, PyObject *to)
{
    attribute_t content = attribute_of(node, "content"), property = attribute_of(node, "property");
    attribute_t name = attribute_of(node, "name");

    if (!content.exists || !(property.exists || name.exists)) return 0;
    return append_new(to, Py_BuildValue("(NN)", string_or_none(property.length ? property : name), string_or_none(content)));
}

static int survey_script(node_t *node, PyObject *to)
{
    attribute_t type = attribute_of(node, "type");

    if (type.length == 0 || !contains(type.value, type.value + type.length, "ld+json", NULL)) return 0;
    return append_new(to, text_below(node));
}

/* The results of a survey. */
typedef struct {
    PyObject *metas, *titles, *linked, *types;
} survey_t;

static int survey_element(node_t *node, survey_t *to)
{
    const tag_t *tag = tag_of(node);
    attribute_t type = attribute_of(node, "itemtype");

    if (type.exists && append_new(to->types, string_or_none(type)) < 0) return -1;
    if (is_named(tag, "meta")) return survey_meta(node, to->metas);
    if (is_named(tag, "script")) return survey_script(node, to->linked);
    if (is_named(tag, "title"))
        return append_new(to->titles, Py_BuildValue("(NO)", text_below(node), is_in_drawing(node) ? Py_True : Py_False));
    return 0;
}

static int open_survey(survey_t *found)
{
    *found = (survey_t){PyList_New(0), PyList_New(0), PyList_New(0), PyList_New(0)};
    return found->metas && found->titles && found->linked && found->types ? 0 : -1;
}

/* What has been found; NULL if *status* says that there is an exception. */
static PyObject *close_survey(survey_t *found, int status)
{
    PyObject *out = NULL;

    if (status == 0) out = Py_BuildValue("(OOOO)", found->metas, found->titles, found->linked, found->types);
    Py_XDECREF(found->metas);
    Py_XDECREF(found->titles);
    Py_XDECREF(found->linked);
    Py_XDECREF(found->types);
    return out;
}

PyDoc_STRVAR(survey_doc, "survey(root)\n--\n\n"
"Of the elements below an address: (name, content) of each meta field; (text, whether in a drawing) of each title; the text\n"
"of each script of JSON-LD; and each itemtype.");

static PyObject *core_survey(PyObject *module, PyObject *args)
{
    unsigned long long address;
    survey_t found;
    int status = open_survey(&found);

    if (!PyArg_ParseTuple(args, "K", &address)) status = -1;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; status == 0 && node; node = next_node(node, root))
        if (node->type == ELEMENT_NODE) status = survey_element(node, &found);
    return close_survey(&found, status);
}

/* ---- what the head of a page is made of (metadata/page_head.py) */

/* What is searched: names of meta fields, in ASCII and lower case; the bytes of JSON-LD that may still be read, and whether these
 * were enough. */
typedef struct {
    PyObject *fields; /* borrowed: a tuple */
    size_t left;
    bool is_whole;
} head_search_t;

/* Whether the name of a field is one of those wanted, in any case, or may be because it is not ASCII. */
static bool is_wanted_field(const head_search_t *in, attribute_t name)
{
    for (size_t at = 0; at < name.length; at++)
        if ((unsigned char)name.value[at] >= 0x80) return true;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(in->fields); i++) {
        PyObject *field = PyTuple_GET_ITEM(in->fields, i);
        const char *own = PyUnicode_DATA(field);
        size_t same = 0;
        if ((size_t)PyUnicode_GET_LENGTH(field) != name.length) continue;
        while (same < name.length && lower(name.value[same]) == own[same]) same++;
        if (same == name.length) return true;
    }
    return false;
}

static int survey_head_meta(const head_search_t *in, node_t *node, PyObject *to)
{
    attribute_t name = attribute_of(node, "property");

    if (name.length == 0) name = attribute_of(node, "name");
    return name.length && is_wanted_field(in, name) ? survey_meta(node, to) : 0;
}

/* White space in ASCII as regular expressions have it. */
static inline bool is_pattern_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

static const unsigned char *skip_pattern_space(const unsigned char *at, const unsigned char *end)
{
    while (at < end && is_pattern_space(*at)) at++;
    return at;
}

/* The types behind `"@type"`, as page_head._TYPE has them: what is behind them; NULL if there are none. Sets *is_whole* to false
 * where white space may be beyond ASCII. */
static const unsigned char *end_of_types(head_search_t *in, const unsigned char *at, const unsigned char *end, const unsigned char **start)
{
    unsigned char last;
    size_t most, chars = 0;

    at = skip_pattern_space(at, end);
    if (at < end && *at >= 0x80) in->is_whole = false;
    if (at >= end || *at != ':') return NULL;
    at = skip_pattern_space(at + 1, end);
    if (at < end && *at >= 0x80) in->is_whole = false;
    if (at >= end || (*at != '[' && *at != '"')) return NULL;
    last = *at == '[' ? ']' : '"';
    most = *at == '[' ? 200 : 100;
    for (*start = at++; at < end && *at != last; at++) {
        chars += !continues(*at);
        if (chars > most) return NULL;
    }
    return at < end ? at + 1 : NULL;
}

/* Appends the names of types, as page_head._TYPE_NAME has them. Returns -1 with an exception. */
static int append_type_names(const unsigned char *at, const unsigned char *end, PyObject *to)
{
    for (const unsigned char *start = at; at < end; at++) {
        if (Py_ISALPHA(*at)) continue;
        if (*at == '"' && at > start && append_new(to, decode((const char *)start, (size_t)(at - start))) < 0) return -1;
        start = at + 1;
    }
    return 0;
}

/* Appends the names of types in a script of JSON-LD. Returns -1 with an exception. */
static int survey_linked_types(head_search_t *in, const node_t *script, PyObject *to)
{
    static const char KEY[] = "\"@type\"";
    const text_node_t *text = (const text_node_t *)script->first_child;
    const unsigned char *at, *end;

    if (text == NULL) return 0;
    if (text->node.type != TEXT_NODE || text->node.next || (text->length && text->data == NULL) || text->length > in->left) {
        in->is_whole = false;
        return 0;
    }
    in->left -= text->length;
    at = text->data;
    end = at + text->length;
    while (at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        const unsigned char *start = NULL, *stop = NULL;
        if ((size_t)(end - at) >= sizeof KEY - 1 && memcmp(at, KEY, sizeof KEY - 1) == 0)
            stop = end_of_types(in, at + sizeof KEY - 1, end, &start);
        if (stop && append_type_names(start, stop, to) < 0) return -1;
        at = stop ? stop : at + 1;
    }
    return 0;
}

/* The item type of an element, as attribute_of finds it: few have one. */
static inline attribute_t item_type_of(node_t *node)
{
    static const char NAME[] = "itemtype";
    attribute_t own = {0};
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        if (name && length == sizeof NAME - 1 && memcmp(name, NAME, sizeof NAME - 1) == 0) set_attribute(&own, at);
    }
    return own;
}

/* As survey_element. */
static int survey_for_head(head_search_t *in, node_t *node, survey_t *to)
{
    const tag_t *tag = tag_of(node);
    attribute_t type;

    if (is_named(tag, "meta")) {
        if (survey_head_meta(in, node, to->metas) < 0) return -1;
    } else if (is_named(tag, "script")) {
        type = attribute_of(node, "type");
        if (type.length && contains(type.value, type.value + type.length, "ld+json", NULL) &&
            survey_linked_types(in, node, to->linked) < 0) return -1;
    } else if (is_named(tag, "title")) return survey_element(node, to);
    type = item_type_of(node);
    return type.exists ? append_new(to->types, string_or_none(type)) : 0;
}

/* Begins a search. Returns -1 with an exception. */
static int open_head_search(head_search_t *in, PyObject *fields, Py_ssize_t most)
{
    *in = (head_search_t){fields, most > 0 ? (size_t)most : 0, true};
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields); i++)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(fields, i)) || !PyUnicode_IS_ASCII(PyTuple_GET_ITEM(fields, i))) {
            PyErr_SetString(PyExc_TypeError, "expected names in ASCII");
            return -1;
        }
    return 0;
}

/* What has been found, None if it is not whole; NULL with an exception. */
static PyObject *close_head_search(const head_search_t *in, survey_t *found, int status)
{
    PyObject *out = close_survey(found, status);

    if (out && !in->is_whole) Py_SETREF(out, Py_NewRef(Py_None));
    return out;
}

PyDoc_STRVAR(head_survey_doc, "head_survey(root, fields, most)\n--\n\n"
"As `survey`: of meta fields those with one of these names, in ASCII and lower case, and of JSON-LD the names of types. None if\n"
"JSON-LD has more than so many bytes, or something else is unusual.");

static PyObject *core_head_survey(PyObject *module, PyObject *args)
{
    unsigned long long address;
    head_search_t in;
    PyObject *fields;
    Py_ssize_t most;
    survey_t found;
    int status;

    if (!PyArg_ParseTuple(args, "KO!n", &address, &PyTuple_Type, &fields, &most) || open_head_search(&in, fields, most) < 0)
        return NULL;
    status = open_survey(&found);
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; status == 0 && node; node = next_node(node, root))
        if (node->type == ELEMENT_NODE) status = survey_for_head(&in, node, &found);
    return close_head_search(&in, &found, status);
}

PyDoc_STRVAR(linked_data_of_head_doc, "linked_data_of_head(root, everything)\n--\n\n"
"The text of each script of JSON-LD in the head of the page with this root, if it has a body; without *everything* only of those\n"
"that may have content (see json_ld.linked_texts).");

static PyObject *core_linked_data_of_head(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *out;
    node_t *head;
    void *document;
    int everything;

    if (!PyArg_ParseTuple(args, "Kp", &address, &everything) || (out = PyList_New(0)) == NULL) return NULL;
    document = ((node_t *)(uintptr_t)address)->owner_document;
    head = lexbor.body_of(document) ? lexbor.head_of(document) : NULL;
    for (node_t *node = head; node; node = next_node(node, head))
        if (node->type == ELEMENT_NODE && is_named(tag_of(node), "script") && (everything || may_script_have_content(node)) &&
            survey_script(node, out) < 0) {
            Py_DECREF(out);
            return NULL;
        }
    return out;
}

/* Whether a frame may have `</noscript` in its text. */
static bool may_end_noscript(const node_t *frame)
{
    const text_node_t *text = (const text_node_t *)frame->first_child;

    if (text == NULL) return false;
    if (text->node.type != TEXT_NODE || text->node.next || text->data == NULL) return true; /* in a drawing */
    return contains((const char *)text->data, (const char *)text->data + text->length, "</noscript", NULL);
}

/* Whether an element is what `has_special` looks for, if it is named so. */
static bool is_special(node_t *node, bool is_template, bool is_frame)
{
    return is_template ? attribute_of(node, "shadowrootmode").exists : is_frame && may_end_noscript(node);
}

PyDoc_STRVAR(has_special_doc, "has_special(root)\n--\n\n"
"Whether a template below an address is a shadow root, or a frame may have an end tag of `<noscript>` in its text.");

static PyObject *core_has_special(PyObject *module, PyObject *args)
{
    unsigned long long address;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        const tag_t *tag;
        if (node->type != ELEMENT_NODE) continue;
        tag = tag_of(node);
        if (is_special(node, is_named(tag, "template"), is_named(tag, "iframe"))) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}
