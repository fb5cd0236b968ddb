/* What is read of single elements for the metadata of a page: as element_reading.py. `_core.c` includes it. */

/* The name of an element. The parser has numbers for those of HTML. */
static const char *element_name(node_t *node, size_t *length)
{
    static struct { const char *name; size_t length; } known[KNOWN_NAMES];
    const element_node_t *own = (const element_node_t *)(const void *)node;
    uintptr_t number = node->local_name;

    if (node->ns != HTML_NAMESPACE || number >= KNOWN_NAMES || node->prefix || own->qualified_name)
        return (const char *)lexbor.element_name(node, length);
    if (known[number].name == NULL) known[number].name = (const char *)lexbor.element_name(node, &known[number].length);
    *length = known[number].length;
    return known[number].name;
}

static bool has_name(node_t *node, const char *wanted)
{
    size_t length = 0;
    const char *name = node->type == ELEMENT_NODE ? element_name(node, &length) : NULL;

    return name && length == strlen(wanted) && memcmp(name, wanted, length) == 0;
}

static bool has_any_name(node_t *node, const char *const *names)
{
    for (; *names; names++)
        if (has_name(node, *names)) return true;
    return false;
}

/* The node behind an element and what is in it, below *root*. */
static node_t *node_behind(node_t *node, const node_t *root)
{
    while (node != root && node->next == NULL) node = node->parent;
    return node == root ? NULL : node->next;
}

/* Whether an element in a heading is none of it: a button, the label of a thread, a note of LaTeXML. */
static bool is_beside_heading(node_t *node)
{
    static const char *const STARTS[] = {"label ", "ltx_note "};
    attribute_t named;

    if (node->type != ELEMENT_NODE) return false;
    if (has_name(node, "button")) return true;
    named = attributes_of(node).class;
    for (size_t at = 0; at < sizeof STARTS / sizeof *STARTS; at++)
        if (named.length >= strlen(STARTS[at]) && memcmp(named.value, STARTS[at], strlen(STARTS[at])) == 0) return true;
    return false;
}

/* The text of all nodes below *root* but those beside the heading, which *separator* separates if it is not NULL. */
static PyObject *heading_text(node_t *root, const char *separator)
{
    buffer_t text = {0};
    PyObject *out = NULL;
    bool is_first = true;
    int status = 0;

    for (node_t *node = root, *next; node && status == 0; node = next) {
        const text_node_t *own = (const text_node_t *)node;
        bool is_skipped = node != root && is_beside_heading(node);
        next = is_skipped ? node_behind(node, root) : next_node(node, root);
        if (node->type != TEXT_NODE || own->data == NULL) continue;
        if (separator && !is_first) status = append_bytes(&text, separator, strlen(separator));
        is_first = false;
        if (status == 0) status = append_bytes(&text, own->data, own->length);
    }
    if (status == 0) out = decode(text.length ? text.data : "", text.length);
    PyMem_RawFree(text.data);
    return out;
}

/* Whether an element has an attribute with a name, perhaps with a prefix before it. *to* is the value without one. */
static bool has_link(node_t *node, attribute_t *to)
{
    bool found = false;
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        if (name == NULL || length < 4 || memcmp(name + length - 4, "href", 4) != 0) continue;
        if (length == 4) set_attribute(to, at);
        found |= length == 4 || name[length - 5] == ':';
    }
    return found;
}

/* Whether the parts of a heading are lines or blocks; *href* is the address that its first link leads to. */
static bool is_heading_apart(node_t *root, attribute_t *href)
{
    static const char *const PARTS[] = {"br", "div", "p", "small", "h2", NULL};
    bool is_apart = false, has_first = false;

    for (node_t *node = root; node; node = next_node(node, root)) {
        if (node->type != ELEMENT_NODE) continue;
        is_apart = is_apart || has_any_name(node, PARTS);
        if (!has_first && has_name(node, "a")) has_first = has_link(node, href);
    }
    return is_apart;
}

PyDoc_STRVAR(heading_doc, "heading(element)\n--\n\n"
"The text of a heading without buttons, labels and notes, with spaces between its parts if these are lines or blocks, and the\n"
"address that its first link leads to, or None.");

static PyObject *core_heading(PyObject *module, PyObject *args)
{
    unsigned long long address;
    node_t *root;
    attribute_t href = {0};
    bool is_apart;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    root = (node_t *)(uintptr_t)address;
    is_apart = is_heading_apart(root, &href);
    return Py_BuildValue("(NN)", heading_text(root, is_apart ? " " : NULL), string_or_none(href));
}

/* The class and the id of an element, with a space between them. */
static PyObject *class_and_id(node_t *node, const attributes_t *own)
{
    buffer_t text = {0};
    PyObject *out = NULL;
    int status = append_bytes(&text, own->class.value, own->class.value ? own->class.length : 0);

    if (status == 0) status = append_bytes(&text, " ", 1);
    if (status == 0) status = append_bytes(&text, own->id.value, own->id.value ? own->id.length : 0);
    if (status == 0) out = decode(text.data, text.length);
    PyMem_RawFree(text.data);
    return out;
}

static bool may_have_words(attribute_t attribute, const listed_words_t *words_of)
{
    return attribute.length && may_have_one_of((bytes_t){(const uint8_t *)attribute.value, attribute.length}, words_of);
}

PyDoc_STRVAR(names_around_doc, "names_around(element, most, words)\n--\n\n"
"Of the elements around another, below <body> and at most so many: (name, class and id, itemtype), from the inside out. The name\n"
"is empty if it says nothing of what is in the element. Elements are left out that have neither that, nor a type, nor may have\n"
"one of *words* in class or id; these are in lower case, with \"|\" between two.");

static PyObject *core_names_around(PyObject *module, PyObject *args)
{
    static const char *const ENDS[] = {"body", "html", "main", NULL};
    static const char *const TELLING[] = {"aside", "footer", "nav", "blockquote", NULL};
    unsigned long long address;
    Py_ssize_t left;
    PyObject *out, *string;
    listed_words_t sought;

    if (!PyArg_ParseTuple(args, "KnU", &address, &left, &string) || read_words(string, &sought) < 0 ||
        (out = PyList_New(0)) == NULL) return NULL;
    for (node_t *node = ((node_t *)(uintptr_t)address)->parent; node && left > 0; node = node->parent, left--) {
        attributes_t own;
        attribute_t type;
        size_t length = 0;
        const char *name;
        if (node->type != ELEMENT_NODE || has_any_name(node, ENDS)) break;
        own = attributes_of(node);
        type = attribute_of(node, "itemtype");
        name = has_any_name(node, TELLING) ? (const char *)lexbor.element_name(node, &length) : "";
        if (length == 0 && type.length == 0 && !may_have_words(own.class, &sought) && !may_have_words(own.id, &sought)) continue;
        if (append_new(out, Py_BuildValue("(s#NN)", name, (Py_ssize_t)length, class_and_id(node, &own),
                                          decode(type.value ? type.value : "", type.length))) < 0) {
            Py_DECREF(out);
            return NULL;
        }
    }
    return out;
}
