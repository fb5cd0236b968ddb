/* The elements of a page that simple selectors match, in one pass: as present_selectors.py. `_core.c` includes it. */

/* An element, and the selectors that match it. */
typedef struct {
    node_t *node;
    bits_t selectors;
} found_t;

/* The value of an attribute of elements with a name, which none of the selectors *wanted* matches; its *first* and its *last* eight
 * bytes, so that most values are not read again. */
typedef struct {
    uint64_t first, last;
    const char *value;
    size_t length;
    bits_t wanted;
} unmatched_t;
enum { UNMATCHED_BITS = 8 };

/* What a search has found; *unsure* are the selectors that match in another case, which the parser knows the rules of. */
typedef struct {
    found_t *items;
    size_t count, capacity;
    bits_t all, unsure;
    bool has_special; /* see survey.has_special */
    node_t *root; /* below which is searched */
    unmatched_t *unmatched; /* during the search: by a hash of the value, because pages repeat their classes */
} search_t;

static const char SEARCH_NAME[] = "ncfilters.page._core.search";

/* The type of the parser's nodes in Python, and where they have the address of the node and the parser; NULL before
 * `learn_nodes`. */
static struct {
    PyTypeObject *type;
    size_t node_offset, parser_offset;
} made_nodes;

static void free_search(PyObject *capsule)
{
    search_t *search = PyCapsule_GetPointer(capsule, SEARCH_NAME);

    PyMem_RawFree(search->items);
    PyMem_Free(search);
}

/* White space between words, as CSS has it. */
static bool is_between_words(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* Whether a word of an attribute is that of a selector. *unsure* becomes true for one in another case. */
static bool matches_word(const selector_t *own, attribute_t attribute, bool *unsure)
{
    const char *at = attribute.value, *end = at + attribute.length;

    while (attribute.length && at < end) {
        const char *word = at;
        while (at < end && !is_between_words(*at)) at++;
        if ((size_t)(at - word) == own->value_length && is_text_at(word, own->value, own->value_length)) {
            if (own->exact[0] == '\0' || memcmp(word, own->exact, own->value_length) == 0) return true;
            *unsure = true;
        }
        at += at < end;
    }
    return false;
}

static bool has_exact_value(const selector_t *own, attribute_t attribute)
{
    const char *end = attribute.value + attribute.length;

    switch (own->operator) {
    case '=':
    case '^': return memcmp(attribute.value, own->exact, own->value_length) == 0;
    case '$': return memcmp(end - own->value_length, own->exact, own->value_length) == 0;
    default: return memmem(attribute.value, attribute.length, own->exact, own->value_length) != NULL;
    }
}

/* Those of the selectors *found*, which may match an attribute, that do. */
static bits_t exact_matches(search_t *search, const selectors_t *selectors, attribute_t attribute, bits_t found)
{
    bits_t out = 0;

    for (bits_t left = found; left; left &= left - 1) {
        bits_t bit = left & -left;
        const selector_t *own = &selectors->items[__builtin_ctzll(left)];
        bool matches = true, unsure = false;
        if (own->operator == '~') matches = matches_word(own, attribute, &unsure);
        else if (own->operator && own->operator != '#' && own->exact[0])
            unsure = !(matches = has_exact_value(own, attribute));
        if (matches) out |= bit;
        else if (unsure) search->unsure |= bit;
    }
    return out;
}

/* What is remembered of a value that no selector matches. */
static inline unmatched_t value_of(attribute_t attribute, bits_t wanted)
{
    unmatched_t out = {0, 0, attribute.value, attribute.length, wanted};

    if (attribute.length >= 8) {
        memcpy(&out.first, attribute.value, 8);
        memcpy(&out.last, attribute.value + attribute.length - 8, 8);
    } else
        for (size_t i = 0; i < attribute.length; i++) out.first = out.first << 8 | (unsigned char)attribute.value[i];
    return out;
}

static inline unmatched_t *unmatched_slot(const search_t *search, const unmatched_t *own)
{
    return &search->unmatched[(own->first ^ 31 * own->last ^ own->length) * 0x9E3779B97F4A7C15u >> (64 - UNMATCHED_BITS)];
}

/* Whether a value is one that is known, also as that of more selectors. */
static inline bool is_unmatched(const unmatched_t *known, const unmatched_t *own)
{
    return known->first == own->first && known->last == own->last && known->length == own->length && !(own->wanted & ~known->wanted) &&
           (own->length <= 16 || memcmp(known->value + 8, own->value + 8, own->length - 16) == 0);
}

/* Those of the selectors *wanted* that may match an attribute of an element. */
static bits_t search_attribute(search_t *search, const selectors_t *selectors, node_t *node, void *at, bits_t wanted)
{
    unmatched_t *known, own;
    attribute_t attribute;
    bits_t found;

    set_attribute(&attribute, at);
    if (attribute.length == 0 || !(wanted & selectors->words) || wanted & selectors->note_links)
        return match_attribute(selectors, node, at, wanted);
    own = value_of(attribute, wanted);
    known = unmatched_slot(search, &own);
    if (is_unmatched(known, &own)) return 0;
    if ((found = match_attribute(selectors, node, at, wanted)) == 0) *known = own;
    return found;
}

static int search_element(search_t *search, const selectors_t *selectors, node_t *node, size_t tag,
                          known_name_t *known_attributes)
{
    bits_t found = selectors->tags.names[tag].selectors, of_tag = selectors->of_tags[tag];

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const selected_names_t *names = &selectors->attributes;
        size_t name = known_place(names, at);
        bits_t wanted, may;
        attribute_t attribute;
        if (name == NOT_SELECTED) continue; /* most */
        if (name == 0) name = place_of((selected_names_t *)names, at, lexbor.attribute_name, known_attributes);
        if ((wanted = names->names[name].selectors & of_tag) == 0 || (may = search_attribute(search, selectors, node, at, wanted)) == 0)
            continue;
        set_attribute(&attribute, at);
        found |= exact_matches(search, selectors, attribute, may);
    }
    if (found == 0) return 0;
    if (reserve((void **)&search->items, search->count, &search->capacity, 1, sizeof *search->items) < 0) return -1;
    search->items[search->count++] = (found_t){node, found};
    search->all |= found;
    return 0;
}

/* Searches all elements, and puts the texts back that `condense` has cut; *cut* may be NULL. Returns whether each of these has its one
 * place; -1 with an exception. */
static int search_tree(search_t *search, const selectors_t *selectors, node_t *root, const cut_texts_t *cut)
{
    known_name_t known_tags[NAME_SLOTS] = {{0}}, known_attributes[NAME_SLOTS] = {{0}};
    unmatched_t unmatched[1 << UNMATCHED_BITS] = {{0}};
    size_t count = 0;
    int status = 1;

    search->unmatched = unmatched;
    for (node_t *node = root; node && status > 0; node = next_node(node, root)) {
        if (node->type == ELEMENT_NODE) {
            size_t tag = known_place(&selectors->tags, node);
            if (tag == NOT_SELECTED) tag = 0;
            else if (tag == 0) tag = place_of((selected_names_t *)&selectors->tags, node, lexbor.element_name, known_tags);
            if (tag && (tag == selectors->template || tag == selectors->frame))
                search->has_special |= is_special(node, tag == selectors->template, tag == selectors->frame);
            if (search_element(search, selectors, node, tag, known_attributes) < 0) status = -1;
        } else if (cut && !put_text_back(cut, node, &count)) status = 0;
    }
    search->unmatched = NULL;
    return status > 0 && cut ? count == cut->ends.count : status;
}

PyDoc_STRVAR(search_doc, "search(root, selectors, texts)\n--\n\n"
"The elements below an address that selectors match: a capsule, the bits of the selectors that match one, and those of which\n"
"the parser has to say whether they do; and what `has_special` says. Puts the *texts* that `condense` has cut back into the tree, which they must outlive; they\n"
"may be None. Returns None if not each of them has its one place: then the tree is not that of the page.");

static PyObject *core_search(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *capsule, *texts, *out;
    const cut_texts_t *cut = NULL;
    selectors_t *selectors;
    search_t *search;
    int status;

    if (!PyArg_ParseTuple(args, "KOO", &address, &capsule, &texts)) return NULL;
    if (texts != Py_None && (cut = PyCapsule_GetPointer(texts, CUT_TEXTS_NAME)) == NULL) return NULL;
    if ((selectors = PyCapsule_GetPointer(capsule, SELECTORS_NAME)) == NULL) return NULL;
    if ((search = PyMem_Calloc(1, sizeof *search)) == NULL) return PyErr_NoMemory();
    search->root = (node_t *)(uintptr_t)address;
    status = search_tree(search, selectors, (node_t *)(uintptr_t)address, cut);
    if ((out = PyCapsule_New(search, SEARCH_NAME, free_search)) == NULL || status <= 0) {
        if (out == NULL) {
            PyMem_RawFree(search->items);
            PyMem_Free(search);
        } else if (status == 0) Py_SETREF(out, Py_NewRef(Py_None));
        else Py_CLEAR(out);
        return out;
    }
    return Py_BuildValue("(NKKO)", out, search->all, search->unsure, search->has_special ? Py_True : Py_False);
}

/* ---- the parser's nodes, made of their addresses */

static char *field_at(PyObject *object, size_t offset)
{
    return (char *)object + offset;
}

/* The only place in an object of *size* bytes with a pointer; 0 if there is none or several. */
static size_t place_in_object(PyObject *object, size_t size, const void *pointer)
{
    size_t found = 0;

    for (size_t at = sizeof(PyObject); at + sizeof pointer <= size; at += sizeof pointer) {
        if (memcmp(field_at(object, at), &pointer, sizeof pointer) != 0) continue;
        if (found) return 0;
        found = at;
    }
    return found;
}

/* The Python node at an address, of the same parser as another one. */
static PyObject *made_node(node_t *node, PyObject *parser, PyObject *no_arguments)
{
    PyObject *out = made_nodes.type->tp_new(made_nodes.type, no_arguments, NULL), **own;

    if (out == NULL) return NULL;
    own = (PyObject **)(void *)field_at(out, made_nodes.parser_offset);
    memcpy(field_at(out, made_nodes.node_offset), &node, sizeof node);
    Py_XSETREF(*own, Py_NewRef(parser));
    return out;
}

PyDoc_STRVAR(learn_nodes_doc, "learn_nodes(node, address, parser)\n--\n\n"
"Learns how a node of the parser's module is made of its address. Returns whether nodes have nothing else.");

static PyObject *core_learn_nodes(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *node, *parser, *none, *made;
    size_t size;
    bool same;

    if (!PyArg_ParseTuple(args, "OKO", &node, &address, &parser) || (none = PyTuple_New(0)) == NULL) return NULL;
    made_nodes.type = Py_TYPE(node);
    size = (size_t)made_nodes.type->tp_basicsize;
    made_nodes.node_offset = place_in_object(node, size, (const void *)(uintptr_t)address);
    made_nodes.parser_offset = place_in_object(node, size, parser);
    if (!made_nodes.node_offset || !made_nodes.parser_offset || made_nodes.type->tp_itemsize) made_nodes.type = NULL;
    made = made_nodes.type ? made_node((node_t *)(uintptr_t)address, parser, none) : NULL;
    same = made && memcmp(field_at(made, sizeof(PyObject)), field_at(node, sizeof(PyObject)), size - sizeof(PyObject)) == 0;
    if (!same) made_nodes.type = NULL;
    Py_DECREF(none);
    Py_XDECREF(made);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(same);
}

PyDoc_STRVAR(found_nodes_doc, "found_nodes(search, selectors, parser)\n--\n\n"
"The nodes that *selectors*, given as bits, match, in the order of the page; one that several match, as often.");

static PyObject *core_found_nodes(PyObject *module, PyObject *args)
{
    unsigned long long wanted;
    PyObject *capsule, *parser, *out = NULL, *none;
    const search_t *search;
    int status = 0;

    if (!PyArg_ParseTuple(args, "OKO", &capsule, &wanted, &parser)) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL) return NULL;
    if (made_nodes.type == NULL) PyErr_SetString(PyExc_RuntimeError, "learn_nodes has not been called");
    else if ((none = PyTuple_New(0)) != NULL) {
        out = PyList_New(0);
        for (size_t at = 0; out && at < search->count && status == 0; at++) {
            bits_t left = search->items[at].selectors & wanted;
            PyObject *node = left ? made_node(search->items[at].node, parser, none) : NULL;
            if (left && node == NULL) status = -1;
            for (; left && status == 0; left &= left - 1) status = PyList_Append(out, node);
            Py_XDECREF(node);
        }
        if (status < 0) Py_CLEAR(out);
        Py_DECREF(none);
    }
    return out;
}

PyDoc_STRVAR(found_survey_doc, "found_survey(search, selectors)\n--\n\n"
"As `survey`, of the elements that *selectors*, given as bits, match.");

static PyObject *core_found_survey(PyObject *module, PyObject *args)
{
    unsigned long long wanted;
    PyObject *capsule;
    const search_t *search;
    survey_t found;
    int status;

    if (!PyArg_ParseTuple(args, "OK", &capsule, &wanted)) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL) return NULL;
    status = open_survey(&found);
    for (size_t at = 0; at < search->count && status == 0; at++)
        if (search->items[at].selectors & wanted) status = survey_element(search->items[at].node, &found);
    return close_survey(&found, status);
}

PyDoc_STRVAR(found_head_survey_doc, "found_head_survey(search, selectors, fields, most)\n--\n\n"
"As `head_survey`, of the elements that *selectors*, given as bits, match.");

static PyObject *core_found_head_survey(PyObject *module, PyObject *args)
{
    unsigned long long wanted;
    PyObject *capsule, *fields;
    Py_ssize_t most;
    const search_t *search;
    head_search_t in;
    survey_t found;
    int status;

    if (!PyArg_ParseTuple(args, "OKO!n", &capsule, &wanted, &PyTuple_Type, &fields, &most)) return NULL;
    if ((search = PyCapsule_GetPointer(capsule, SEARCH_NAME)) == NULL || open_head_search(&in, fields, most) < 0) return NULL;
    status = open_survey(&found);
    for (size_t at = 0; at < search->count && status == 0; at++)
        if (search->items[at].selectors & wanted) status = survey_for_head(&in, search->items[at].node, &found);
    return close_head_search(&in, &found, status);
}
