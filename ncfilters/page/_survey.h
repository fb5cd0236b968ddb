/* What is found in the tree and in the markup besides the text: as survey.py and limits.py. `_core.c` includes it. */

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

PyDoc_STRVAR(survey_doc, "survey(root)\n--\n\n"
"Of the elements below an address: (name, content) of each meta field; (text, whether in a drawing) of each title; the text\n"
"of each script of JSON-LD; and each itemtype.");

static PyObject *core_survey(PyObject *module, PyObject *args)
{
    unsigned long long address;
    survey_t found = {PyList_New(0), PyList_New(0), PyList_New(0), PyList_New(0)};
    int status = found.metas && found.titles && found.linked && found.types ? 0 : -1;
    PyObject *out = NULL;

    if (!PyArg_ParseTuple(args, "K", &address)) status = -1;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; status == 0 && node; node = next_node(node, root))
        if (node->type == ELEMENT_NODE) status = survey_element(node, &found);
    if (status == 0)
        out = Py_BuildValue("(OOOO)", found.metas, found.titles, found.linked, found.types);
    Py_XDECREF(found.metas);
    Py_XDECREF(found.titles);
    Py_XDECREF(found.linked);
    Py_XDECREF(found.types);
    return out;
}

PyDoc_STRVAR(has_special_doc, "has_special(root)\n--\n\n"
"Whether a template below an address is a shadow root, or a frame has content.");

static PyObject *core_has_special(PyObject *module, PyObject *args)
{
    unsigned long long address;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        const tag_t *tag = tag_of(node);
        if (is_named(tag, "template") ? attribute_of(node, "shadowrootmode").exists
                                      : is_named(tag, "iframe") && node->first_child) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

/* ---- the depth of markup (limits.py) */

/* Whether a sequence of words has one, which is ASCII in lower case; *name* may be in any case. */
static bool has_word(PyObject *list, const char *name, size_t length)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(list); at++) {
        PyObject *word = PyTuple_GET_ITEM(list, at);
        const char *own = PyUnicode_DATA(word);
        size_t same = 0;
        if ((size_t)PyUnicode_GET_LENGTH(word) != length) continue;
        while (same < length && lower(name[same]) == own[same]) same++;
        if (same == length) return true;
    }
    return false;
}

enum { MAX_TAG_NAME = 16 }; /* longer names are in no table */

/* A tag: whether it is an end tag, and its name, cut after MAX_TAG_NAME. */
typedef struct {
    char name[MAX_TAG_NAME + 1];
    size_t length;
    bool is_end;
} markup_tag_t;

/* Reads the tag at a "<" as limits._TAG does. Returns where the search goes on; a length of 0 if there is no tag, and of
 * MAX_TAG_NAME + 1 if the name is not in ASCII. */
static Py_ssize_t read_tag(int kind, const void *html, Py_ssize_t end, Py_ssize_t at, markup_tag_t *tag)
{
    Py_UCS4 c;

    tag->length = 0;
    tag->is_end = ++at < end && PyUnicode_READ(kind, html, at) == '/';
    if (tag->is_end) at++;
    if (at >= end || (c = PyUnicode_READ(kind, html, at)) >= 0x80 || !Py_ISALPHA((int)c)) return at;
    for (; at < end; at++) {
        c = PyUnicode_READ(kind, html, at);
        if (c == '/' || c == '>' || Py_UNICODE_ISSPACE(c)) break;
        if (c >= 0x80) tag->length = MAX_TAG_NAME + 1;
        else if (tag->length < MAX_TAG_NAME) tag->name[tag->length++] = (char)c;
        else if (tag->length == MAX_TAG_NAME) tag->name[0] = '<'; /* cut: the name of no element */
    }
    while (at < end && (c = PyUnicode_READ(kind, html, at)) != '<' && c != '>') at++;
    return at;
}

PyDoc_STRVAR(may_be_deep_doc, "may_be_deep(html, flat, formatting, max_depth, max_formatting)\n--\n\n"
"Whether limits._limit_depth may drop a tag.");

static PyObject *core_may_be_deep(PyObject *module, PyObject *args)
{
    PyObject *html, *flat, *formatting;
    Py_ssize_t max_depth, max_formatting, depth = 0, open = 0, at = 0;
    markup_tag_t tag;

    if (!PyArg_ParseTuple(args, "UO!O!nn", &html, &PyTuple_Type, &flat, &PyTuple_Type, &formatting, &max_depth,
                          &max_formatting)) return NULL;
    while ((at = PyUnicode_FindChar(html, '<', at, PyUnicode_GET_LENGTH(html), 1)) >= 0) {
        bool is_formatting;
        at = read_tag(PyUnicode_KIND(html), PyUnicode_DATA(html), PyUnicode_GET_LENGTH(html), at, &tag);
        if (tag.length > MAX_TAG_NAME) Py_RETURN_TRUE;
        if (tag.length == 0 || has_word(flat, tag.name, tag.length)) continue;
        is_formatting = has_word(formatting, tag.name, tag.length);
        if (!tag.is_end) {
            if (depth >= max_depth || (is_formatting && open >= max_formatting)) Py_RETURN_TRUE;
            depth++;
            open += is_formatting;
        } else if (depth > 0) {
            depth--;
            open -= is_formatting && open > 0;
        }
    }
    if (at == -2) return NULL;
    Py_RETURN_FALSE;
}
