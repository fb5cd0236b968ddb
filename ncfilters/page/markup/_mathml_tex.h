/* MathML as TeX: as mathml_tex.py, whose tables it uses, and whose functions for what few formulas have. `_core.c` includes it. */

/* What `setup_tex` gets from mathml_tex.py. */
static struct {
    PyObject *commands, *functions, *fonts, *layouts, *num_parts, *text_token;
} mathml;

/* The TeX of a node: a new reference. Py_None if the Python function is to be asked, and NULL with an exception. */
static PyObject *tex_of_math(node_t *node, int depth);

/* Whether a text ends with a command, as mathml_tex._TOKEN has it. */
static bool ends_with_command(PyObject *text)
{
    Py_ssize_t stop = PyUnicode_GET_LENGTH(text), at;

    if (stop && PyUnicode_READ_CHAR(text, stop - 1) == '\n') stop--;
    for (at = stop; at > 0 && PyUnicode_READ_CHAR(text, at - 1) < 0x80 && Py_ISALPHA((int)PyUnicode_READ_CHAR(text, at - 1));) at--;
    return at < stop && at > 0 && PyUnicode_READ_CHAR(text, at - 1) == '\\';
}

/* As mathml_tex._joined. */
static PyObject *joined_tex(PyObject *parts)
{
    PyObject *out = PyList_New(0), *last = NULL, *text = NULL;
    bool is_good = out != NULL;

    for (Py_ssize_t at = 0; is_good && at < PyList_GET_SIZE(parts); at++) {
        PyObject *part = PyList_GET_ITEM(parts, at);
        if (PyUnicode_GET_LENGTH(part) == 0) continue;
        if (last && Py_UNICODE_ISALPHA(PyUnicode_READ_CHAR(part, 0)) && ends_with_command(last))
            is_good = append_new(out, PyUnicode_FromString(" ")) == 0;
        is_good = is_good && PyList_Append(out, part) == 0;
        last = part;
    }
    if (is_good) text = PyList_GET_SIZE(out) == 1 ? Py_NewRef(PyList_GET_ITEM(out, 0)) : join_math("", out);
    Py_XDECREF(out);
    return text;
}

/* As mathml_tex._escaped. */
static PyObject *escaped_tex(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), plain = 0;
    PyObject *parts, *out = NULL;

    for (; plain < length; plain++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, plain);
        if (c >= 0x80 || !(Py_ISALNUM((int)c) || c == '.' || c == ',' || c == '+' || c == '-' || c == '=' || c == '(' || c == ')')) break;
    }
    if (plain == length) return Py_NewRef(text);
    if ((parts = PyList_New(0)) == NULL) return NULL;
    for (Py_ssize_t at = 0; at < length; at++) {
        PyObject *sign = PyUnicode_Substring(text, at, at + 1), *command = sign ? PyDict_GetItemWithError(mathml.commands, sign) : NULL;
        if (command) Py_SETREF(sign, Py_NewRef(command));
        if (command == NULL && PyErr_Occurred()) Py_CLEAR(sign);
        if (sign == NULL || append_new(parts, sign) < 0) goto done;
    }
    out = joined_tex(parts);
done:
    Py_DECREF(parts);
    return out;
}

/* An identifier in another font; Py_None for one in the usual font. */
static PyObject *identifier_tex(node_t *node, PyObject *text)
{
    attribute_t variant = attribute_of(node, "mathvariant");
    PyObject *name = decode(variant.value ? variant.value : "", variant.length), *font, *escaped, *out = NULL;
    Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(text);

    if (name == NULL) return NULL;
    font = PyDict_GetItemWithError(mathml.fonts, name);
    Py_DECREF(name);
    if (font) {
        if ((escaped = escaped_tex(text)) != NULL) out = PyUnicode_FromFormat("\\%U{%U}", font, escaped);
        Py_XDECREF(escaped);
        return out;
    }
    while (at < length && PyUnicode_IS_ASCII(text) && Py_ISALPHA((int)PyUnicode_READ_CHAR(text, at))) at++;
    return length > 1 && at == length ? PyUnicode_FromFormat("\\mathrm{%U}", text) : Py_NewRef(Py_None);
}

/* As mathml_tex._token. */
static PyObject *token_tex(bytes_t name, node_t *node)
{
    PyObject *text = text_below(node), *out = NULL;
    bool is_identifier = is(name, "mi");
    int is_function;

    if (text == NULL || (text = collapsed_math(text)) == NULL) return NULL;
    if (is(name, "mtext") || is(name, "ms")) out = PyObject_CallOneArg(mathml.text_token, text);
    else if ((is_function = is_identifier || is(name, "mo") ? PySet_Contains(mathml.functions, text) : 0) != 0)
        out = is_function < 0 ? NULL : PyUnicode_FromFormat("\\%U", text);
    else {
        out = is_identifier ? identifier_tex(node, text) : Py_NewRef(Py_None);
        if (out == Py_None) Py_SETREF(out, escaped_tex(text));
    }
    Py_DECREF(text);
    return out;
}

/* A part in braces, unless it is one character, as mathml_tex._group; or what a script stands at, as mathml_tex._base. */
static PyObject *group_tex(PyObject *part, bool is_base)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(part);
    bool has_script = PyUnicode_FindChar(part, '^', 0, length, 1) >= 0 || PyUnicode_FindChar(part, '_', 0, length, 1) >= 0;

    if (is_base ? !has_script : length == 1 && !has_script) return Py_NewRef(part);
    return PyUnicode_FromFormat("{%U}", part);
}

/* A base with a script; with two, if *upper* is not NULL. */
static PyObject *scripted_tex(PyObject *base, char sign, PyObject *script, PyObject *upper)
{
    PyObject *own = group_tex(base, true), *first = group_tex(script, false), *second = upper ? group_tex(upper, false) : NULL;
    PyObject *out = NULL;

    if (own && first && (second || !upper))
        out = second ? PyUnicode_FromFormat("%U_%U^%U", own, first, second) : PyUnicode_FromFormat("%U%c%U", own, sign, first);
    Py_XDECREF(own);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return out;
}

/* The TeX of an element with that of its children. */
static PyObject *lay_out_tex(bytes_t name, PyObject *parts)
{
    Py_ssize_t size = PyList_GET_SIZE(parts);
    PyObject *key, *layout, *least;
    PyObject *const *items = ((PyListObject *)parts)->ob_item;

    if (size == 2 && is(name, "mfrac")) return PyUnicode_FromFormat("\\frac{%U}{%U}", items[0], items[1]);
    if (size == 2 && is(name, "msub")) return scripted_tex(items[0], '_', items[1], NULL);
    if (size == 2 && is(name, "msup") && PyUnicode_GET_LENGTH(items[1]) &&
        PyUnicode_FindChar(items[1], '\\', 0, PyUnicode_GET_LENGTH(items[1]), 1) < 0 &&
        PyUnicode_CompareWithASCIIString(items[1], "prime") != 0)
        return scripted_tex(items[0], '^', items[1], NULL);
    if (size == 3 && is(name, "msubsup")) return scripted_tex(items[0], '_', items[1], items[2]);
    if (is(name, "mrow") || is(name, "mtd") || is(name, "math") || is(name, "mstyle")) return joined_tex(parts);
    if ((key = decode((const char *)name.at, name.size)) == NULL) return NULL;
    layout = PyDict_GetItemWithError(mathml.layouts, key);
    least = PyErr_Occurred() ? NULL : PyDict_GetItemWithError(mathml.num_parts, key);
    Py_DECREF(key);
    if (PyErr_Occurred()) return NULL;
    return layout && size >= (least ? PyLong_AsSsize_t(least) : 1) ? PyObject_CallOneArg(layout, parts) : joined_tex(parts);
}

/* The TeX of the children of a node; NULL with an exception, and *is_known* is false for Py_None. */
static PyObject *parts_of_tex(node_t *node, int depth, bool *is_known)
{
    PyObject *parts = PyList_New(0);

    for (node_t *at = node->first_child; parts && at; at = at->next) {
        const text_node_t *text = (const text_node_t *)at;
        PyObject *part;
        if (at->type == COMMENT_NODE || (at->type == TEXT_NODE && is_space((const char *)text->data, text->length))) continue;
        part = tex_of_math(at, depth + 1);
        *is_known = part != Py_None;
        if (!*is_known) Py_DECREF(part);
        if (!*is_known || append_new(parts, part) < 0) Py_CLEAR(parts);
    }
    return parts;
}

static PyObject *tex_of_math(node_t *node, int depth)
{
    static const char *const SKIPPED[] = {"annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark", NULL};
    static const char *const TOKENS[] = {"mi", "mn", "mo", "ms", "mtext", NULL}, *const RARE[] = {"mfenced", "mspace", NULL};
    const text_node_t *text = (const text_node_t *)node;
    const uint8_t *prefix;
    bool is_known = true;
    bytes_t name;
    PyObject *parts, *out;

    if (node->type == TEXT_NODE) {
        PyObject *own = decode((const char *)text->data, text->length);
        if (own == NULL || (own = stripped_math(own)) == NULL) return NULL;
        out = escaped_tex(own);
        Py_DECREF(own);
        return out;
    }
    if (node->type != ELEMENT_NODE || depth > MAX_MATH_DEPTH) return Py_NewRef(Py_None);
    name.at = lexbor.element_name(node, &name.size);
    if (name.at == NULL) return Py_NewRef(Py_None);
    while ((prefix = memchr(name.at, ':', name.size)) != NULL) name = (bytes_t){prefix + 1, name.size - (size_t)(prefix + 1 - name.at)};
    if (is_math_name(name, SKIPPED)) return PyUnicode_FromString("");
    if (is_math_name(name, RARE) || (name.size && *name.at == '-')) return Py_NewRef(Py_None);
    if (is_math_name(name, TOKENS)) return token_tex(name, node);
    if ((parts = parts_of_tex(node, depth, &is_known)) == NULL) return is_known ? NULL : Py_NewRef(Py_None);
    out = lay_out_tex(name, parts);
    Py_DECREF(parts);
    return out;
}

PyDoc_STRVAR(setup_tex_doc, "setup_tex(commands, functions, fonts, layouts, num_parts, text_token)\n--\n\nTakes the tables of mathml_tex.py.");

static PyObject *core_setup_tex(PyObject *module, PyObject *args)
{
    PyObject *commands, *functions, *fonts, *layouts, *num_parts, *text_token;

    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O", &PyDict_Type, &commands, &PyFrozenSet_Type, &functions, &PyDict_Type, &fonts,
                          &PyDict_Type, &layouts, &PyDict_Type, &num_parts, &text_token)) return NULL;
    Py_XSETREF(mathml.commands, Py_NewRef(commands));
    Py_XSETREF(mathml.functions, Py_NewRef(functions));
    Py_XSETREF(mathml.fonts, Py_NewRef(fonts));
    Py_XSETREF(mathml.layouts, Py_NewRef(layouts));
    Py_XSETREF(mathml.num_parts, Py_NewRef(num_parts));
    Py_XSETREF(mathml.text_token, Py_NewRef(text_token));
    Py_RETURN_NONE;
}

PyDoc_STRVAR(tex_of_mathml_doc, "tex_of_mathml(element)\n--\n\n"
"As mathml_tex.tex_of_mathml, of an address, but not cut; None if it is to be asked. After `setup_tex`.");

static PyObject *core_tex_of_mathml(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *text;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    if (!mathml.commands) return PyErr_Format(PyExc_RuntimeError, "setup_tex has not been called");
    text = tex_of_math((node_t *)(uintptr_t)address, 0);
    return text && text != Py_None ? collapsed_math(text) : text;
}

PyDoc_STRVAR(elements_from_doc, "elements_from(element)\n--\n\nThe addresses of an element and of all elements below it.");

static PyObject *core_elements_from(PyObject *module, PyObject *args)
{
    unsigned long long address;
    node_t *root;
    PyObject *out;

    if (!PyArg_ParseTuple(args, "K", &address) || (out = PyList_New(0)) == NULL) return NULL;
    root = (node_t *)(uintptr_t)address;
    for (node_t *at = root; out && at; at = next_node(at, root))
        if (at->type == ELEMENT_NODE && append_new(out, PyLong_FromUnsignedLongLong((uintptr_t)at)) < 0) Py_CLEAR(out);
    return out;
}
