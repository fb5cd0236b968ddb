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

/* The lengths of names; 0 with an exception. */
static uint64_t lengths_of(PyObject *names)
{
    PyObject *each = PyObject_GetIter(names), *name;
    uint64_t out = length_bit(0);

    while (each && (name = PyIter_Next(each)) != NULL) {
        Py_ssize_t length = 0;
        if (PyUnicode_AsUTF8AndSize(name, &length) != NULL) out |= length_bit((size_t)length);
        Py_DECREF(name);
    }
    Py_XDECREF(each);
    return PyErr_Occurred() ? 0 : out;
}

/* Whether an element is the one at a place in a list of addresses. */
static bool is_address_at(PyObject *addresses, Py_ssize_t at, const node_t *node)
{
    return at < PyList_GET_SIZE(addresses) &&
           PyLong_AsUnsignedLongLong(PyList_GET_ITEM(addresses, at)) == (unsigned long long)(uintptr_t)node;
}

/* Reads all elements. *places* gets those of *links*, which are addresses in the order of the page, one perhaps several times. */
static int search_places(note_search_t *search, node_t *root, PyObject *links, PyObject *places)
{
    size_t place = 0;
    int status = 0;

    for (node_t *node = root; node && status == 0; node = next_node(node, root)) {
        if (node->type != ELEMENT_NODE) continue;
        place++;
        while (status == 0 && is_address_at(links, PyList_GET_SIZE(places), node))
            status = append_new(places, PyLong_FromSize_t(place));
        if (first_attribute(node) == NULL) continue;
        if (status == 0) status = note_place_of(search, node, attribute_of(node, "id"), place);
        if (status == 0 && has_name(node, "a")) status = note_place_of(search, node, attribute_of(node, "name"), place);
    }
    return PyErr_Occurred() ? -1 : status;
}

PyDoc_STRVAR(note_places_doc, "note_places(root, links, names, parser)\n--\n\n"
"The places on the page of *links*, given as addresses in its order; and for each of a set of *names* the place and the node\n"
"of the first element that has it.");

static PyObject *core_note_places(PyObject *module, PyObject *args)
{
    unsigned long long address;
    note_search_t search = {.lengths = 0};
    PyObject *links, *places = PyList_New(0), *out = NULL;

    search.found = PyDict_New();
    search.no_arguments = PyTuple_New(0);
    if (places && search.found && search.no_arguments &&
        PyArg_ParseTuple(args, "KO!O!O", &address, &PyList_Type, &links, &PySet_Type, &search.wanted, &search.parser) &&
        (search.lengths = lengths_of(search.wanted)) &&
        search_places(&search, (node_t *)(uintptr_t)address, links, places) == 0)
        out = Py_BuildValue("(OO)", places, search.found);
    Py_XDECREF(places);
    Py_XDECREF(search.found);
    Py_XDECREF(search.no_arguments);
    return out;
}
