/* Nodes that few pages have, which the Python functions read. `_core.c` includes it. */

/* The result of a function of the Python node, and of its attributes if *with_attributes*. */
static PyObject *ask_of_node(builder_t *builder, PyObject *function, node_t *node, bool with_attributes)
{
    PyObject *object, *attributes, *result = NULL;

    object = PyObject_CallFunction(builder->node_at, "K", (unsigned long long)(uintptr_t)node);
    if (object == NULL) return NULL;
    if (with_attributes) {
        attributes = PyObject_GetAttrString(object, "attributes");
        if (attributes) result = PyObject_CallFunctionObjArgs(function, object, attributes, NULL);
        Py_XDECREF(attributes);
    } else result = PyObject_CallFunctionObjArgs(function, object, NULL);
    Py_DECREF(object);
    return result;
}

/* 1 or 0: the answer of a Python function about a node; -1 with an exception. */
static int is_true_of_node(builder_t *builder, PyObject *function, node_t *node, bool with_attributes)
{
    PyObject *result = ask_of_node(builder, function, node, with_attributes);
    int answer = result ? PyObject_IsTrue(result) : -1;

    Py_XDECREF(result);
    return answer;
}

/* Appends the text that a Python function returns for a node, unless it is empty. Takes that text, if it is *known*. */
static int append_text_of_node(builder_t *builder, PyObject *function, node_t *node, PyObject *known)
{
    PyObject *result = known ? known : ask_of_node(builder, function, node, false);
    Py_ssize_t length;
    const char *text = result ? PyUnicode_AsUTF8AndSize(result, &length) : NULL;
    int status = text == NULL ? -1 : length ? append_part(run_of(builder), text, (size_t)length) : 0;

    Py_XDECREF(result);
    return status;
}

/* Adds an attribute to a dict as selectolax has it. */
static int add_attribute(PyObject *to, const char *name, attribute_t own)
{
    PyObject *value;
    int status;

    if (!own.exists) return 0;
    if (own.value == NULL) return PyDict_SetItemString(to, name, Py_None);
    if ((value = decode(own.value, own.length)) == NULL) return -1;
    status = PyDict_SetItemString(to, name, value);
    Py_DECREF(value);
    return status;
}
