/* Bold and italic by the attribute `style`, as markup_builder.py. `_markup.h` includes it. */

/* Where a style in ASCII has *property* with one of these values; NULL if it has not. */
static const char *find_style(const char *text, const char *end, const char *property, const char *const *values)
{
    const char *rest;

    while (contains(text, end, property, &rest)) {
        const char *at = rest;
        while (at < end && SPACES[(unsigned char)*at]) at++;
        for (const char *const *value = values; *value; value++) {
            size_t size = strlen(*value);
            if ((size_t)(end - at) >= size && contains(at, at + size, *value, NULL)) return rest;
        }
        text = rest;
    }
    return NULL;
}

static const char *const BOLD_WEIGHTS[] = {"bold", "600", "700", "800", "900", NULL};
static const char *const SLANTS[] = {"italic", "oblique", NULL};
static const char *const PLAIN_WEIGHTS[] = {"normal", "300", "400", NULL};
static const char *const PLAIN_SLANTS[] = {"normal", NULL};

/* The answer of a Python function of a style beyond ASCII: a new reference. */
static PyObject *ask_of_style(PyObject *function, attribute_t style)
{
    PyObject *text = decode(style.value, style.length), *out = text ? PyObject_CallOneArg(function, text) : NULL;

    Py_XDECREF(text);
    return out;
}

/* Whether a style undoes what <b> or <em> does; -1 with an exception. */
static int is_plain_style(attribute_t style)
{
    const char *end = style.value + style.length;
    PyObject *found;
    int answer;

    if (style.length == 0) return 0;
    if (is_ascii(style.value, style.length))
        return find_style(style.value, end, "font-weight:", PLAIN_WEIGHTS) ||
               find_style(style.value, end, "font-style:", PLAIN_SLANTS);
    if ((found = ask_of_style(markup.is_plain_style, style)) == NULL) return -1;
    answer = PyObject_IsTrue(found);
    Py_DECREF(found);
    return answer;
}

static const entry_t STRONG = {.kind = STRONG_SPAN}, EM = {.kind = EM_SPAN};

/* The entry of an element that is bold or italic by its style; it is NULL if it is neither. */
static int find_style_entry(attribute_t style, const entry_t **entry)
{
    const char *end = style.value + style.length, *bold, *slanted;
    PyObject *kind;

    *entry = NULL;
    if (style.length == 0) return 0;
    if (is_ascii(style.value, style.length)) {
        if (!contains(style.value, end, "font-", NULL)) return 0;
        bold = find_style(style.value, end, "font-weight:", BOLD_WEIGHTS);
        slanted = find_style(style.value, end, "font-style:", SLANTS);
        if (bold && (slanted == NULL || bold < slanted)) *entry = &STRONG;
        else if (slanted) *entry = &EM;
        return 0;
    }
    if ((kind = ask_of_style(markup.style_kind, style)) == NULL) return -1;
    if (PyUnicode_CompareWithASCIIString(kind, "strong") == 0) *entry = &STRONG;
    else if (PyUnicode_CompareWithASCIIString(kind, "em") == 0) *entry = &EM;
    Py_DECREF(kind);
    return 0;
}
