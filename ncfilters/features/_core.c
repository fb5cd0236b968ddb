/* Loops over the segments of a page in C: what Python does for each dictionary and each path, for `compiled.py`.
 *
 * The Python code in segment_table.py, dom_tree.py, record.py, scorer.py and element_roles.py is the reference. Where
 * something is not of the usual type, a function returns None (or False) and the Python code does the whole page, errors
 * included.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

static PyObject *empty, *zero; /* "" and 0 */
/* Names of fields, and of roles. */
static PyObject *text_name, *path_name, *links_name, *tag_name, *role_text, *role_table, *role_code, *row_tag, *plain_page;
static PyObject *in_pre, *in_code; /* "/pre" and "/code" */
static PyObject *categories[5], *flags[3]; /* the fields that make up a kind of segment */

/* Whether all items of a list are dictionaries. */
static bool are_dicts(PyObject *items)
{
    if (!PyList_CheckExact(items))
        return false;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(items); at++)
        if (!PyDict_CheckExact(PyList_GET_ITEM(items, at)))
            return false;
    return true;
}

/* A value in a dictionary, borrowed, or *missing*. The keys are strings, so that look-up does not fail. */
static inline PyObject *get(PyObject *dict, PyObject *key, PyObject *missing)
{
    PyObject *value = PyDict_GetItemWithError(dict, key);
    return value ? value : missing;
}

/* Appends to a list and drops the reference; whether that works. */
static bool append(PyObject *list, PyObject *value)
{
    bool done = value && PyList_Append(list, value) == 0;
    Py_XDECREF(value);
    return done;
}

static bool have_types_of(PyObject *items, PyObject *types, bool required)
{
    PyObject *name, *accepted;
    Py_ssize_t at = 0;
    while (PyDict_Next(types, &at, &name, &accepted)) {
        if (!PyTuple_CheckExact(accepted))
            return false;
        for (Py_ssize_t number = 0; number < PyList_GET_SIZE(items); number++) {
            PyObject *value = get(PyList_GET_ITEM(items, number), name, NULL);
            bool good = !value && !required;
            for (Py_ssize_t which = 0; value && !good && which < PyTuple_GET_SIZE(accepted); which++)
                good = (PyObject *)Py_TYPE(value) == PyTuple_GET_ITEM(accepted, which);
            if (!good)
                return false;
        }
    }
    return true;
}

/* have_types(items, required, optional): whether all items are dictionaries whose fields have these types. */
static PyObject *have_types(PyObject *self, PyObject *args)
{
    PyObject *items, *required, *optional;
    if (!PyArg_ParseTuple(args, "OO!O!", &items, &PyDict_Type, &required, &PyDict_Type, &optional))
        return NULL;
    bool good = are_dicts(items) && have_types_of(items, required, true) && have_types_of(items, optional, false);
    if (PyErr_Occurred())
        PyErr_Clear();
    return PyBool_FromLong(good);
}

/* The number of a segment's kind, which becomes the next one if it is new; NULL with an exception for odd values. */
static PyObject *kind_of(PyObject *segment, PyObject *kinds)
{
    PyObject *key = PyTuple_New(8);
    if (!key)
        return NULL;
    for (int at = 0; at < 5; at++)
        PyTuple_SET_ITEM(key, at, Py_NewRef(get(segment, categories[at], empty)));
    for (int at = 0; at < 3; at++)
        PyTuple_SET_ITEM(key, 5 + at, Py_NewRef(get(segment, flags[at], NULL) ? Py_True : Py_False));
    PyObject *number = PyDict_GetItemWithError(kinds, key);
    if (number) {
        Py_INCREF(number);
    } else if (!PyErr_Occurred() && (number = PyLong_FromSsize_t(PyDict_GET_SIZE(kinds)))
               && PyDict_SetItem(kinds, key, number) < 0) {
        Py_CLEAR(number);
    }
    Py_DECREF(key);
    return number;
}

/* columns(segments, kinds): the lists of texts, kinds, paths and links; None for segments of other types. */
static PyObject *columns(PyObject *self, PyObject *args)
{
    PyObject *segments, *kinds;
    if (!PyArg_ParseTuple(args, "OO!", &segments, &PyDict_Type, &kinds))
        return NULL;
    if (!are_dicts(segments))
        Py_RETURN_NONE;
    Py_ssize_t size = PyList_GET_SIZE(segments);
    PyObject *texts = PyList_New(size), *numbers = PyList_New(size), *paths = PyList_New(size), *links = PyList_New(size);
    bool good = texts && numbers && paths && links;
    for (Py_ssize_t at = 0; good && at < size; at++) {
        PyObject *segment = PyList_GET_ITEM(segments, at);
        PyObject *text = get(segment, text_name, NULL), *number = text ? kind_of(segment, kinds) : NULL;
        if (!(good = number != NULL))
            break;
        PyList_SET_ITEM(texts, at, Py_NewRef(text));
        PyList_SET_ITEM(numbers, at, number);
        PyList_SET_ITEM(paths, at, Py_NewRef(get(segment, path_name, empty)));
        PyList_SET_ITEM(links, at, Py_NewRef(get(segment, links_name, zero)));
    }
    if (good)
        return Py_BuildValue("(NNNN)", texts, numbers, paths, links);
    Py_XDECREF(texts);
    Py_XDECREF(numbers);
    Py_XDECREF(paths);
    Py_XDECREF(links);
    PyErr_Clear();
    Py_RETURN_NONE;
}

/* The nodes of a page while it is built. */
typedef struct {
    PyObject *node_of, *parents, *names;
} tree_t;

/* The number of the node of a path, which is added with its ancestors if it is new: a new reference, or NULL. */
static PyObject *add_path(tree_t *tree, PyObject *path)
{
    PyObject *known = PyDict_GetItemWithError(tree->node_of, path);
    if (known || PyErr_Occurred())
        return Py_XNewRef(known);
    Py_ssize_t length = PyUnicode_GET_LENGTH(path), slash = PyUnicode_FindChar(path, '/', 0, length, -1);
    PyObject *above = slash > 0 ? PyUnicode_Substring(path, 0, slash) : Py_NewRef(empty);
    PyObject *name = PyUnicode_Substring(path, slash + 1, length);
    PyObject *parent = above && name ? add_path(tree, above) : NULL;
    PyObject *node = parent ? PyLong_FromSsize_t(PyList_GET_SIZE(tree->parents)) : NULL;
    bool good = node && PyDict_SetItem(tree->node_of, path, node) == 0 && PyList_Append(tree->parents, parent) == 0
        && PyList_Append(tree->names, name) == 0;
    Py_XDECREF(above);
    Py_XDECREF(name);
    Py_XDECREF(parent);
    if (!good)
        Py_CLEAR(node);
    return node;
}

/* nodes(paths, parents, names, max_nodes, max_chars): the node of each path, after the nodes of the page are added to
 * *parents* and *names*. None, with both unchanged, if a limit is reached or a path is no string. */
static PyObject *nodes(PyObject *self, PyObject *args)
{
    PyObject *paths, *parents, *names;
    Py_ssize_t max_nodes, max_chars;
    if (!PyArg_ParseTuple(args, "O!O!O!nn", &PyList_Type, &paths, &PyList_Type, &parents, &PyList_Type, &names, &max_nodes,
                          &max_chars))
        return NULL;
    Py_ssize_t before = PyList_GET_SIZE(parents), size = PyList_GET_SIZE(paths);
    tree_t tree = {PyDict_New(), parents, names};
    PyObject *out = PyList_New(0), *root = PyLong_FromSsize_t(before);
    bool good = tree.node_of && out && root && PyDict_SetItem(tree.node_of, empty, root) == 0
        && PyList_Append(parents, root) == 0 && PyList_Append(names, empty) == 0;
    for (Py_ssize_t at = 0; good && at < size; at++) {
        PyObject *path = PyList_GET_ITEM(paths, at);
        good = PyUnicode_CheckExact(path) && PyUnicode_GET_LENGTH(path) <= max_chars
            && append(out, add_path(&tree, path)) && PyDict_GET_SIZE(tree.node_of) <= max_nodes;
    }
    Py_XDECREF(tree.node_of);
    Py_XDECREF(root);
    if (good)
        return out;
    Py_XDECREF(out);
    PyErr_Clear();
    if (PyList_SetSlice(parents, before, PyList_GET_SIZE(parents), NULL) < 0
        || PyList_SetSlice(names, before, PyList_GET_SIZE(names), NULL) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* first_same(texts, sizes): for each text the index of the first one in its document that is the same. */
static PyObject *first_same(PyObject *self, PyObject *args)
{
    PyObject *texts, *sizes;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &texts, &PyList_Type, &sizes))
        return NULL;
    PyObject *out = PyList_New(0);
    Py_ssize_t at = 0;
    for (Py_ssize_t document = 0; out && document < PyList_GET_SIZE(sizes); document++) {
        Py_ssize_t end = at + PyLong_AsSsize_t(PyList_GET_ITEM(sizes, document));
        PyObject *seen = PyDict_New();
        bool good = seen != NULL;
        for (; good && at < end && at < PyList_GET_SIZE(texts); at++) {
            PyObject *index = PyLong_FromSsize_t(at);
            PyObject *first = index ? PyDict_SetDefault(seen, PyList_GET_ITEM(texts, at), index) : NULL;
            good = first && PyList_Append(out, first) == 0;
            Py_XDECREF(index);
        }
        Py_XDECREF(seen);
        if (!good)
            Py_CLEAR(out);
    }
    return out;
}

/* write_fields(segments, evidence): sets the fields of *evidence* on the segments. Returns whether it has; if not, the
 * segments are as before. */
static PyObject *write_fields(PyObject *self, PyObject *args)
{
    PyObject *segments, *evidence, *name, *values;
    Py_ssize_t place = 0;
    if (!PyArg_ParseTuple(args, "OO!", &segments, &PyDict_Type, &evidence))
        return NULL;
    bool usual = are_dicts(segments);
    while (usual && PyDict_Next(evidence, &place, &name, &values))
        usual = PyList_CheckExact(values) && PyList_GET_SIZE(values) == PyList_GET_SIZE(segments);
    for (Py_ssize_t at = 0; usual && at < PyList_GET_SIZE(segments); at++)
        for (place = 0; PyDict_Next(evidence, &place, &name, &values);)
            if (PyDict_SetItem(PyList_GET_ITEM(segments, at), name, PyList_GET_ITEM(values, at)) < 0)
                return NULL;
    return PyBool_FromLong(usual);
}

/* Whether one string has another one in it. */
static inline bool has(PyObject *string, PyObject *part)
{
    return PyUnicode_Find(string, part, 0, PyUnicode_GET_LENGTH(string), 1) >= 0;
}

/* The role of a segment of text: of the rows of a data table, of preformatted elements, or of others; borrowed. */
static PyObject *role_of_text(PyObject *segment)
{
    PyObject *text = get(segment, text_name, NULL), *path = get(segment, path_name, empty);
    PyObject *tag = get(segment, tag_name, NULL);
    if (!text || !PyUnicode_CheckExact(text) || !PyUnicode_CheckExact(path))
        return NULL;
    if (tag && PyUnicode_CheckExact(tag) && PyUnicode_Compare(tag, row_tag) == 0
        && PyUnicode_FindChar(text, '\t', 0, PyUnicode_GET_LENGTH(text), 1) >= 0)
        return role_table;
    bool is_code = (has(path, in_pre) || has(path, in_code)) && PyUnicode_Compare(path, plain_page) != 0;
    return is_code ? role_code : role_text;
}

/* element_roles(segments, roles): the roles, of which `text` may become another one; None for other types. */
static PyObject *element_roles(PyObject *self, PyObject *args)
{
    PyObject *segments, *roles;
    if (!PyArg_ParseTuple(args, "OO", &segments, &roles))
        return NULL;
    if (!are_dicts(segments) || !PyList_CheckExact(roles) || PyList_GET_SIZE(segments) != PyList_GET_SIZE(roles))
        Py_RETURN_NONE;
    PyObject *out = PyList_New(PyList_GET_SIZE(roles));
    for (Py_ssize_t at = 0; out && at < PyList_GET_SIZE(roles); at++) {
        PyObject *role = PyList_GET_ITEM(roles, at);
        if (!PyUnicode_CheckExact(role))
            role = NULL;
        else if (PyUnicode_Compare(role, role_text) == 0)
            role = role_of_text(PyList_GET_ITEM(segments, at));
        if (!role) {
            Py_DECREF(out);
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        PyList_SET_ITEM(out, at, Py_NewRef(role));
    }
    return out;
}

static PyMethodDef methods[] = {
    {"have_types", have_types, METH_VARARGS, "Whether all items have fields of these types."},
    {"columns", columns, METH_VARARGS, "The texts, kinds, paths and links of segments."},
    {"nodes", nodes, METH_VARARGS, "The nodes of paths in the tree of a page."},
    {"first_same", first_same, METH_VARARGS, "The index of the first equal text."},
    {"write_fields", write_fields, METH_VARARGS, "Sets fields of segments."},
    {"element_roles", element_roles, METH_VARARGS, "Roles that elements tell."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    static const char *const names[] = {"type", "tag", "rule", "origin", "hidden"};
    static const char *const flag_names[] = {"bold", "marker", "pre"};
    static const struct {
        PyObject **place;
        const char *value;
    } strings[] = {
        {&empty, ""}, {&text_name, "text"}, {&path_name, "path"}, {&links_name, "links"}, {&tag_name, "tag"},
        {&role_text, "text"}, {&role_table, "table"}, {&role_code, "code"}, {&row_tag, "tr"}, {&plain_page, "body/pre"},
        {&in_pre, "/pre"}, {&in_code, "/code"},
    };
    for (size_t at = 0; at < sizeof strings / sizeof *strings; at++)
        if (!(*strings[at].place = PyUnicode_InternFromString(strings[at].value)))
            return NULL;
    for (int at = 0; at < 5; at++)
        if (!(categories[at] = PyUnicode_InternFromString(names[at])))
            return NULL;
    for (int at = 0; at < 3; at++)
        if (!(flags[at] = PyUnicode_InternFromString(flag_names[at])))
            return NULL;
    return (zero = PyLong_FromLong(0)) ? PyModule_Create(&module) : NULL;
}
