/* lexbor's functions in the library of selectolax, and a check that nodes are as the functions and the structures have
 * them. `_core.c` includes it.
 */

/* Whether the structures have the attributes that the functions return. */
static bool are_same_attributes(node_t *node)
{
    void *at = lexbor.first_attribute(node), *own = first_attribute(node);

    while (at && at == own) {
        attribute_t attribute = {0};
        size_t length = 0;
        const char *value = (const char *)lexbor.attribute_value(at, &length);
        if (((const attribute_node_t *)at)->owner != node) return false; /* before the value is read */
        set_attribute(&attribute, at);
        if (attribute.value != value || (value && attribute.length != length)) return false;
        if (attribute_name(at, &length) != (const char *)lexbor.attribute_name(at, &length)) return false;
        at = lexbor.next_attribute(at);
        own = next_attribute(own);
    }
    return at == own;
}

/* Whether the structures have what the functions return; the text is not read before its length agrees. */
static bool is_same_structure(node_t *node)
{
    const text_node_t *own = (const text_node_t *)node;
    unsigned char *text;
    size_t length = 0;
    bool same;

    if (lexbor.next(node) != node->next || lexbor.prev(node) != node->prev || lexbor.parent(node) != node->parent ||
        lexbor.first_child(node) != node->first_child) return false;
    if (node->type == ELEMENT_NODE) return tag_of(node) == named_tag(node) && are_same_attributes(node);
    if (node->type != TEXT_NODE) return true;
    if ((text = lexbor.text_content(node, &length)) == NULL) return own->length == 0;
    same = own->length == length && memcmp(own->data, text, length) == 0;
    lexbor.destroy_text(node->owner_document, text);
    return same;
}

static PyObject *describe(node_t *node)
{
    const text_node_t *text = (const text_node_t *)node;
    size_t length = 0;
    const char *name;

    if (node->type == TEXT_NODE)
        return Py_BuildValue("(Ks#)", (unsigned long long)(uintptr_t)node, text->data, (Py_ssize_t)text->length);
    if (node->type != ELEMENT_NODE) return Py_BuildValue("(K)", (unsigned long long)(uintptr_t)node);
    name = (const char *)lexbor.element_name(node, &length);
    return Py_BuildValue("(Ks#N)", (unsigned long long)(uintptr_t)node, name, (Py_ssize_t)length,
                         dict_of_attributes(node));
}

PyDoc_STRVAR(nodes_doc, "nodes(root)\n--\n\n"
"The nodes below an address: the address of each, of a text its text, of an element its name and attributes. None if\n"
"the library's structures are not those that this module knows.");

static PyObject *core_nodes(PyObject *module, PyObject *args)
{
    unsigned long long root;
    PyObject *out;

    if (!PyArg_ParseTuple(args, "K", &root)) return NULL;
    if ((out = PyList_New(0)) == NULL) return NULL;
    for (node_t *node = (node_t *)(uintptr_t)root; node; node = next_node(node, (node_t *)(uintptr_t)root)) {
        PyObject *one;
        int status;
        if (!is_same_structure(node)) {
            Py_DECREF(out);
            Py_RETURN_NONE;
        }
        one = describe(node);
        status = one ? PyList_Append(out, one) : -1;
        Py_XDECREF(one);
        if (status < 0) {
            Py_DECREF(out);
            return NULL;
        }
    }
    return out;
}

/* A function of the library, as a pointer of the type it is assigned to (POSIX allows the conversion). */
static int find_symbol(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);

    if (found == NULL) {
        PyErr_Format(PyExc_ImportError, "the library has no %s", name);
        return -1;
    }
    memcpy(to, &found, sizeof found);
    return 0;
}

static int find_symbols(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const struct { const char *name; void *to; } symbols[] = {
        {"lxb_dom_element_qualified_name", &lexbor.element_name},
        {"lxb_dom_attr_qualified_name", &lexbor.attribute_name},
        {"lxb_dom_attr_value_noi", &lexbor.attribute_value},
        {"lxb_dom_element_first_attribute_noi", &lexbor.first_attribute},
        {"lxb_dom_element_next_attribute_noi", &lexbor.next_attribute},
        {"lxb_dom_node_next_noi", &lexbor.next},
        {"lxb_dom_node_prev_noi", &lexbor.prev},
        {"lxb_dom_node_parent_noi", &lexbor.parent},
        {"lxb_dom_node_first_child_noi", &lexbor.first_child},
        {"lxb_html_document_head_element_noi", &lexbor.head_of},
        {"lxb_html_document_body_element_noi", &lexbor.body_of},
        {"lxb_dom_node_text_content", &lexbor.text_content},
        {"lxb_html_serialize_tree_cb", &lexbor.serialize},
        {"lxb_dom_document_destroy_text_noi", &lexbor.destroy_text},
    };

    if (library == NULL) {
        PyErr_Format(PyExc_ImportError, "%s is not loaded", path);
        return -1;
    }
    for (size_t at = 0; at < sizeof symbols / sizeof *symbols; at++)
        if (find_symbol(library, symbols[at].name, symbols[at].to) < 0) return -1;
    bound_parser_memory(library);
    return 0;
}
