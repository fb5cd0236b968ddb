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
        if (is_named(tag, "template") ? attribute_of(node, "shadowrootmode").exists
                                      : is_named(tag, "iframe") && may_end_noscript(node)) Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}
