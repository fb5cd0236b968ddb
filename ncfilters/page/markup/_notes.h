/* The places of notes and of the links to them: as footnotes.py. `_core.c` includes it. */

/* What is searched: the names of notes, with a bit for each of their lengths in bytes, and what is found of them. */
typedef struct {
    PyObject *wanted, *parser, *no_arguments, *found;
    uint64_t lengths;
} note_search_t;

static uint64_t length_bit(size_t length)
{
    return 1ULL << (length < 63 ? length : 63);
}

/* Notes the place of an element that has a name, if it is the first one. Returns -1 with an exception. */
static int note_place_of(note_search_t *search, node_t *node, attribute_t own, size_t place)
{
    PyObject *name, *value = NULL;
    int status;

    if (own.length == 0 || !(search->lengths & length_bit(own.length))) return 0;
    if ((name = decode(own.value, own.length)) == NULL) return -1;
    if ((status = PySet_Contains(search->wanted, name)) > 0 && PyDict_GetItemWithError(search->found, name) == NULL &&
        !PyErr_Occurred()) {
        PyObject *element = made_node(node, search->parser, search->no_arguments);
        value = element ? Py_BuildValue("(nN)", (Py_ssize_t)place, element) : NULL;
        status = value ? PyDict_SetItem(search->found, name, value) : -1;
    }
    Py_XDECREF(value);
    Py_DECREF(name);
    return status < 0 || PyErr_Occurred() ? -1 : 0;
}

/* The names of the notes that links lead to: for each of *links*, which are addresses, the name, or None if it is no link or
 * its target is longer than *most* characters. They are added to what is wanted. NULL with an exception. */
static PyObject *names_of_links(note_search_t *search, PyObject *links, Py_ssize_t most)
{
    PyObject *out = PyList_New(0);

    for (Py_ssize_t i = 0; out && i < PyList_GET_SIZE(links); i++) {
        node_t *link = (node_t *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GET_ITEM(links, i));
        attribute_t href = link && !PyErr_Occurred() ? attribute_of(link, "href") : (attribute_t){0};
        const char *sign = href.length && has_name(link, "a") ? memchr(href.value, '#', href.length) : NULL;
        size_t size = sign ? href.length - (size_t)(sign + 1 - href.value) : 0;
        PyObject *name = size ? decode(sign + 1, size) : PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
        if (name && name != Py_None && PyUnicode_GET_LENGTH(name) > most) Py_SETREF(name, Py_NewRef(Py_None));
        if (name && name != Py_None) {
            search->lengths |= length_bit(size);
            if (PySet_Add(search->wanted, name) < 0) Py_CLEAR(name);
        }
        if (append_object(out, name) < 0) Py_CLEAR(out);
    }
    return out;
}

/* Whether an element is the one at a place in a list of addresses. */
static bool is_address_at(PyObject *addresses, Py_ssize_t at, const node_t *node)
{
    return at < PyList_GET_SIZE(addresses) &&
           PyLong_AsUnsignedLongLong(PyList_GET_ITEM(addresses, at)) == (unsigned long long)(uintptr_t)node;
}

/* Reads all elements. *places* gets those of *links*, which are addresses in the order of the page, one perhaps several times. */
static int search_places(note_search_t *search, node_t *root, PyObject *links, size_t *places)
{
    size_t place = 0;
    Py_ssize_t count = 0;
    int status = 0;

    for (node_t *node = root; node && status == 0; node = next_node(node, root)) {
        if (node->type != ELEMENT_NODE) continue;
        place++;
        while (is_address_at(links, count, node)) places[count++] = place;
        if (first_attribute(node) == NULL) continue;
        if (status == 0) status = note_place_of(search, node, attribute_of(node, "id"), place);
        if (status == 0 && has_name(node, "a")) status = note_place_of(search, node, attribute_of(node, "name"), place);
    }
    if (status == 0 && count < PyList_GET_SIZE(links)) {
        PyErr_SetString(PyExc_ValueError, "expected links of the page, in its order");
        status = -1;
    }
    return PyErr_Occurred() ? -1 : status;
}

/* The numbers of the links, whose *places* and *names* these are, that lead to a note below them, with these. */
static PyObject *leading_links(const note_search_t *search, const size_t *places, PyObject *names)
{
    PyObject *out = PyList_New(0);

    for (Py_ssize_t i = 0; out && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        PyObject *found = name == Py_None ? NULL : PyDict_GetItemWithError(search->found, name);
        if (found && PyLong_AsSize_t(PyTuple_GET_ITEM(found, 0)) > places[i] &&
            append_object(out, Py_BuildValue("(nO)", i, name)) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(linked_notes_doc, "linked_notes(root, links, most, parser)\n--\n\n"
"Which of *links*, given as addresses in the order of the page, lead to an element below them: pairs of the number of a link and\n"
"of a target of at most so many characters; and for each target, also others, the place and the node of the first element\n"
"that has it.");

static PyObject *core_linked_notes(PyObject *module, PyObject *args)
{
    unsigned long long address;
    note_search_t search = {.lengths = 0};
    PyObject *links, *names = NULL, *pairs = NULL, *out = NULL;
    Py_ssize_t most;
    size_t *places = NULL;

    if (!PyArg_ParseTuple(args, "KO!nO", &address, &PyList_Type, &links, &most, &search.parser)) return NULL;
    search.found = PyDict_New();
    search.wanted = PySet_New(NULL);
    search.no_arguments = PyTuple_New(0);
    if (search.found && search.wanted && search.no_arguments &&
        (places = PyMem_Calloc((size_t)PyList_GET_SIZE(links) + 1, sizeof *places)) == NULL) PyErr_NoMemory();
    if (places && (names = names_of_links(&search, links, most)) != NULL &&
        (search.lengths == 0 || search_places(&search, (node_t *)(uintptr_t)address, links, places) == 0))
        pairs = leading_links(&search, places, names);
    if (pairs) out = PyErr_Occurred() ? NULL : Py_BuildValue("(OO)", pairs, search.found);
    PyMem_Free(places);
    Py_XDECREF(pairs);
    Py_XDECREF(names);
    Py_XDECREF(search.found);
    Py_XDECREF(search.wanted);
    Py_XDECREF(search.no_arguments);
    return out;
}

PyDoc_STRVAR(is_in_doc, "is_in(element, other)\n--\n\nWhether the element at an address is in another one, or is it.");

static PyObject *core_is_in(PyObject *module, PyObject *args)
{
    unsigned long long address, outer;
    node_t *node;

    if (!PyArg_ParseTuple(args, "KK", &address, &outer)) return NULL;
    for (node = (node_t *)(uintptr_t)address; node && node != (node_t *)(uintptr_t)outer;) node = node->parent;
    return PyBool_FromLong(node != NULL);
}
