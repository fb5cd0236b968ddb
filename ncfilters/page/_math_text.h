/* MathML as a line of text, as math_text.math_text. `_core.c` includes it. */

enum { MAX_MATH_DEPTH = 40 };

/* The text of a node: a new reference. Py_None if the Python function is to be asked, and NULL with an exception. */
static PyObject *text_of_math(node_t *node, int depth);

static bool is_math_name(bytes_t name, const char *const *names)
{
    while (*names && !is(name, *names)) names++;
    return *names != NULL;
}

/* A text without white space around it. Takes *text*. */
static PyObject *stripped_math(PyObject *text)
{
    Py_ssize_t start = 0, stop = PyUnicode_GET_LENGTH(text);
    PyObject *out;

    while (start < stop && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, start))) start++;
    while (stop > start && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, stop - 1))) stop--;
    out = PyUnicode_Substring(text, start, stop);
    Py_DECREF(text);
    return out;
}

/* As math_text._SIMPLE. */
static bool is_simple_math(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0;
    bool is_one_line = true;

    for (; at < length; at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, at);
        if (!(Py_UNICODE_ISALNUM(c) || c == '_' || c == '.' || c == ',')) break; /* raised digits are digits */
    }
    if (at == length) return true;
    for (at = 0; at < length; at++) is_one_line &= PyUnicode_READ_CHAR(text, at) != '\n';
    return is_one_line && length > 1 && PyUnicode_READ_CHAR(text, 0) == '(' && PyUnicode_READ_CHAR(text, length - 1) == ')';
}

static bool is_all_alnum(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0;

    while (at < length && Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(text, at))) at++;
    return length && at == length;
}

/* As math_text._marked, of what `raised_text` writes after *before*. */
static PyObject *marked_math(bool is_superscript, PyObject *text, PyObject *before)
{
    PyObject *written = raised_text(text, before, is_superscript, false);
    Py_UCS4 first = PyUnicode_GET_LENGTH(text) ? PyUnicode_READ_CHAR(text, 0) : '(';
    char sign = is_superscript ? '^' : '_';

    if (written == NULL || PyUnicode_Compare(written, text) != 0 || !(Py_UNICODE_ISALNUM(first) || first == '(' || first == '['))
        return written;
    Py_DECREF(written);
    return PyUnicode_FromFormat(is_all_alnum(text) ? "%c%U" : "%c(%U)", sign, text);
}

/* Joins two texts, and takes both. */
static PyObject *joined_math(PyObject *one, PyObject *other)
{
    PyObject *out = one && other ? PyUnicode_Concat(one, other) : NULL;

    Py_XDECREF(one);
    Py_XDECREF(other);
    return out;
}

static PyObject *join_math(const char *separator, PyObject *parts)
{
    PyObject *between = PyUnicode_FromString(separator), *out = between ? PyUnicode_Join(between, parts) : NULL;

    Py_XDECREF(between);
    return out;
}

static PyObject *root_of_math(PyObject *text)
{
    return text ? PyUnicode_FromFormat(is_simple_math(text) ? "%s%U" : "%s(%U)", "\xE2\x88\x9A", text) : NULL;
}

static PyObject *fraction_of_math(PyObject *parts)
{
    PyObject *out = PyUnicode_FromString("");

    for (Py_ssize_t at = 0; out && at < PyList_GET_SIZE(parts); at++) {
        PyObject *part = PyList_GET_ITEM(parts, at);
        out = joined_math(out, PyUnicode_FromFormat(is_simple_math(part) ? "%s%U" : "%s(%U)", at ? "/" : "", part));
    }
    return out;
}

/* A base with a subscript, a superscript, or both. */
static PyObject *scripted_math(bytes_t name, PyObject *parts)
{
    PyObject *base = PyList_GET_ITEM(parts, 0), *first = PyList_GET_ITEM(parts, 1), *rest, *upper, *out;

    if (is(name, "msup")) return joined_math(Py_NewRef(base), marked_math(true, first, base));
    out = joined_math(Py_NewRef(base), marked_math(false, first, base));
    if (out == NULL || is(name, "msub")) return out;
    rest = PyList_GetSlice(parts, 2, PyList_GET_SIZE(parts));
    upper = rest ? join_math("", rest) : NULL;
    out = joined_math(out, upper ? marked_math(true, upper, base) : NULL);
    Py_XDECREF(rest);
    Py_XDECREF(upper);
    return out;
}

/* The text of an element with the texts of its children. */
static PyObject *lay_out_math(bytes_t name, PyObject *parts)
{
    static const char *const TOKENS[] = {"mi", "mn", "mo", "ms", NULL}, *const SCRIPTED[] = {"msup", "msub", "msubsup", NULL};
    PyObject *text, *out;

    if (is_math_name(name, TOKENS)) return (text = join_math("", parts)) ? stripped_math(text) : NULL;
    if (is(name, "msqrt")) {
        text = join_math("", parts);
        out = root_of_math(text);
        Py_XDECREF(text);
        return out;
    }
    if (PyList_GET_SIZE(parts) < 2) return join_math("", parts);
    if (is_math_name(name, SCRIPTED)) return scripted_math(name, parts);
    if (is(name, "mfrac")) return fraction_of_math(parts);
    if (is(name, "mroot")) {
        if ((text = PyUnicode_FromString("x")) == NULL) return NULL;
        out = raised_text(PyList_GET_ITEM(parts, 1), text, true, false);
        Py_DECREF(text);
        return joined_math(out, root_of_math(PyList_GET_ITEM(parts, 0)));
    }
    return join_math(is(name, "mtable") ? "; " : is(name, "mtr") ? ", " : "", parts);
}

/* The texts of the children of a node; NULL with an exception, and *is_known* is false for Py_None. */
static PyObject *parts_of_math(node_t *node, int depth, bool *is_known)
{
    PyObject *parts = PyList_New(0);

    for (node_t *at = node->first_child; parts && at; at = at->next) {
        const text_node_t *text = (const text_node_t *)at;
        PyObject *part;
        if (at->type == TEXT_NODE && is_space((const char *)text->data, text->length)) continue;
        part = text_of_math(at, depth + 1);
        *is_known = part != Py_None;
        if (!*is_known) Py_DECREF(part);
        if (!*is_known || append_new(parts, part) < 0) Py_CLEAR(parts);
    }
    return parts;
}

static PyObject *text_of_math(node_t *node, int depth)
{
    static const char *const SKIPPED[] = {"annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts", NULL};
    const text_node_t *text = (const text_node_t *)node;
    bool is_known = true;
    bytes_t name;
    PyObject *parts, *out;

    if (node->type == TEXT_NODE) return decode((const char *)text->data, text->length);
    if (node->type == COMMENT_NODE) return PyUnicode_FromString("");
    if (node->type != ELEMENT_NODE || depth > MAX_MATH_DEPTH) return Py_NewRef(Py_None);
    name.at = lexbor.element_name(node, &name.size);
    if (name.at == NULL) return Py_NewRef(Py_None);
    if (is_math_name(name, SKIPPED)) return PyUnicode_FromString("");
    if ((parts = parts_of_math(node, depth, &is_known)) == NULL) return is_known ? NULL : Py_NewRef(Py_None);
    out = lay_out_math(name, parts);
    Py_DECREF(parts);
    return out;
}

/* The text with single spaces. Takes *text*. */
static PyObject *collapsed_math(PyObject *text)
{
    PyObject *words = PyUnicode_Split(text, NULL, -1), *out = words ? join_math(" ", words) : NULL;

    Py_XDECREF(words);
    Py_DECREF(text);
    return out;
}

/* As math_text.math_text; Py_None if it is to be asked. */
static PyObject *math_text_of(node_t *node)
{
    PyObject *text = text_of_math(node, 0);
    attribute_t alternative;

    if (text == NULL || text == Py_None) return text;
    if ((text = collapsed_math(text)) == NULL || PyUnicode_GET_LENGTH(text)) return text;
    alternative = attribute_of(node, "alttext");
    if (alternative.length == 0) return text;
    Py_DECREF(text);
    return (text = decode(alternative.value, alternative.length)) ? collapsed_math(text) : NULL;
}

/* Appends the text of a formula. */
static int append_math(builder_t *builder, node_t *node)
{
    PyObject *text = math_text_of(node);

    if (text == NULL) return -1;
    if (text != Py_None) return append_text_of_node(builder, NULL, node, text);
    Py_DECREF(text);
    return append_text_of_node(builder, python.math_text, node, NULL);
}

/* Whether an element is directly beside another one, with at most white space between. */
static bool has_element_beside(node_t *node)
{
    node_t *beside[] = {node->prev, node->next};

    for (size_t i = 0; i < 2; i++) {
        const text_node_t *text = (const text_node_t *)beside[i];
        if (text && text->node.type == TEXT_NODE && (text->data == NULL || is_space((const char *)text->data, text->length)))
            beside[i] = i ? text->node.next : text->node.prev;
        if (beside[i] && beside[i]->type == ELEMENT_NODE) return true;
    }
    return false;
}

/* Appends the formula that a script of this type holds, as math_text.tex_of_script. */
static int append_tex_of_script(builder_t *builder, node_t *node, attribute_t type)
{
    const char *start = type.value, *sign = memchr(start, ';', type.length), *end = sign ? sign : start + type.length;
    buffer_t text = {0};
    int status = 0;

    strip(&start, &end);
    if (start != type.value || !((end - start == 8 && memcmp(start, "math/tex", 8) == 0) ||
                                 (end - start == 10 && memcmp(start, "math/latex", 10) == 0))) return 0;
    if (has_element_beside(node)) return append_text_of_node(builder, python.tex_of_script, node, NULL); /* it may draw it */
    for (node_t *child = node->first_child; child && status == 0; child = child->next) {
        const text_node_t *own = (const text_node_t *)child;
        if (child->type == TEXT_NODE && own->data) status = append_bytes(&text, own->data, own->length);
    }
    if (status == 0 && text.length && memmem(text.data, text.length, "\xC2\x85", 2))
        status = append_text_of_node(builder, python.tex_of_script, node, NULL); /* white space, and an ellipsis elsewhere */
    else if (status == 0 && text.length) {
        buffer_t collapsed = {0};
        status = append_collapsed(&collapsed, text.data, text.data + text.length);
        if (status == 0 && collapsed.length) status = append_part(run_of(builder), collapsed.data, collapsed.length);
        PyMem_RawFree(collapsed.data);
    }
    PyMem_RawFree(text.data);
    return status;
}

PyDoc_STRVAR(math_text_doc, "math_text(element)\n--\n\nAs math_text.math_text, of an address; None if it is to be asked.");

static PyObject *core_math_text(PyObject *module, PyObject *args)
{
    unsigned long long address;

    return PyArg_ParseTuple(args, "K", &address) ? math_text_of((node_t *)(uintptr_t)address) : NULL;
}
