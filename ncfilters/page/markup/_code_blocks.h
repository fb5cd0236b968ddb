/* Which elements are surely no block of code: as code_blocks.py. `_core.c` includes it. */

/* Whether an element within a line of code may begin another line. */
static bool may_begin_line(node_t *node)
{
    static const char *const WITHIN[] = {"span", "a", "code", "em", "strong", "b", "i", "var", "kbd", "samp", "wbr", NULL};
    code_attributes_t own;

    if (!has_any_name(node, WITHIN)) return true;
    if (first_attribute(node) == NULL) return false;
    own = attributes_in_code(node);
    if (own.has_line || (own.style.length && (!is_ascii(own.style.value, own.style.length) ||
                                              contains(own.style.value, own.style.value + own.style.length, "display", NULL))))
        return true;
    return own.class.length && (!is_ascii(own.class.value, own.class.length) ||
                                contains(own.class.value, own.class.value + own.class.length, "line", NULL) ||
                                contains(own.class.value, own.class.value + own.class.length, "loc", NULL));
}

/* Whether an element is code in a sentence, unless it is lines on their own. */
static bool is_inline_code(node_t *node)
{
    static const char *const NAMES[] = {"code", "tt", "kbd", "samp", NULL};

    return has_any_name(node, NAMES);
}

/* Whether a `<code>` or the like is surely one line, as most are. */
static bool is_one_line(node_t *root)
{
    enum { MAX_NODES = 64 };
    size_t count = 0;

    for (node_t *node = root->first_child; node; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (++count > MAX_NODES) return false;
        if (node->type == ELEMENT_NODE && may_begin_line(node)) return false;
        if (node->type == TEXT_NODE && own->data &&
            (memchr(own->data, '\n', own->length) || memchr(own->data, '\r', own->length))) return false;
    }
    return true;
}

/* Whether an element that keeps white space by its style may be code: by its font, or as an editor. */
static bool may_be_styled_code(node_t *node)
{
    static const char *const FONTS[] = {"mono", "courier", "consolas", "menlo", "monaco", NULL};
    attribute_t style = attribute_of(node, "style"), class = attribute_of(node, "class");
    const char *end = class.value + class.length;

    if (class.length && (!is_ascii(class.value, class.length) || contains(class.value, end, "dp-", NULL) ||
                         contains(class.value, end, "js-file-", NULL))) return true;
    if (style.length && !is_ascii(style.value, style.length)) return true;
    for (const char *const *font = FONTS; style.length && *font; font++)
        if (contains(style.value, style.value + style.length, *font, NULL)) return true;
    return false;
}

PyDoc_STRVAR(code_candidates_doc, "code_candidates(search, selectors, styled, parser)\n--\n\n"
"The nodes that *selectors* or *styled*, given as bits, match, without those that are surely no block of code.");

static PyObject *core_code_candidates(PyObject *module, PyObject *args)
{
    unsigned long long wanted, styled;
    PyObject *capsule, *parser, *out, *none;
    const search_t *search;
    bool has_code = false;

    if (!PyArg_ParseTuple(args, "OKKO", &capsule, &wanted, &styled, &parser)) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL || (none = PyTuple_New(0)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t at = 0; at < search->count && !has_code; at++) {
        node_t *node = search->items[at].node;
        has_code = search->items[at].selectors & wanted && is_inline_code(node) && !is_one_line(node);
    }
    for (size_t at = 0; out && at < search->count; at++) {
        node_t *node = search->items[at].node;
        bits_t own = search->items[at].selectors & (wanted | styled);
        if (own == 0 || (is_inline_code(node) && is_one_line(node))) continue;
        if (own == styled && !has_code && !may_be_styled_code(node)) continue; /* else the code in it counts */
        if (append_new(out, made_node(node, parser, none)) < 0) Py_CLEAR(out);
    }
    Py_DECREF(none);
    return out;
}
