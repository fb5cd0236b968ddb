/* Which simple selectors may match an element of a page: as present_selectors.py. `_core.c` includes it. */

/* A selector: an element's name and an attribute, each perhaps NULL; an operator as in CSS, 0 for none. */
typedef struct {
    const tag_t *tag;
    const char *attribute, *value;
    size_t attribute_length, value_length;
    char operator;
} selector_t;

enum { MAX_SELECTORS = 64, MAX_MARK_SIGNS = 12 };

typedef struct {
    PyObject *list; /* owns the strings */
    unsigned long long lengths; /* a bit for each length of the names of attributes */
    size_t count, tag_count, tag_numbers[MAX_SELECTORS]; /* those of an element without an attribute */
    size_t word_count, word_numbers[MAX_SELECTORS];       /* those of a word */
    selector_t items[];
} selectors_t;

static const char SELECTORS_NAME[] = "ncfilters.page._core.selectors";

/* Whether a text may be the mark of a note, as footnotes._MARK has it: short, and a number or a sign. */
static bool may_be_mark_text(node_t *link)
{
    char signs[MAX_MARK_SIGNS + 1];
    size_t count = 0, roman = 0;
    bool has_digit = false;

    for (node_t *node = link; node; node = next_node(node, link)) {
        const text_node_t *own = (const text_node_t *)node;
        for (size_t i = 0; node->type == TEXT_NODE && own->data && i < own->length; i++) {
            unsigned char c = own->data[i];
            if (c >= 0x80) return true;
            if (SPACES[c] || strchr("[]().:", c)) continue;
            has_digit |= c >= '0' && c <= '9';
            roman += strchr("ivxlcIVXLC", c) != NULL;
            if (count == MAX_MARK_SIGNS && !has_digit) return false;
            if (count < MAX_MARK_SIGNS) signs[count++] = (char)c;
        }
    }
    return count > 0 && (has_digit || count == 1 || roman == count || !Py_ISALPHA(signs[0]));
}

/* Whether a target may be the id of a note, as footnotes._NOTE_ID has it. */
static bool may_be_note_id(const char *at, const char *end)
{
    bool has_digit = false, has_n = false;

    for (; at < end; at++) {
        if ((unsigned char)*at >= 0x80) return true;
        has_digit |= *at >= '0' && *at <= '9';
        has_n |= lower(*at) == 'n';
    }
    return has_digit && has_n;
}

/* Whether a link to a place on a page may be the mark of a note, or is in a heading. */
static bool may_be_note_link(node_t *link, attribute_t href)
{
    const char *sign = href.length ? memchr(href.value, '#', href.length) : NULL, *end = href.value + href.length;
    size_t length = 0;
    const char *around = link->parent->type == ELEMENT_NODE ? (const char *)lexbor.element_name(link->parent, &length) : NULL;

    if (sign == NULL) return false;
    if (around && length == 2 && around[0] == 'h' && Py_ISDIGIT(around[1])) return true;
    return sign + 1 < end && (may_be_note_id(sign + 1, end) || may_be_mark_text(link));
}

static bool is_text_at(const char *text, const char *wanted, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != wanted[i]) return false;
    return true;
}

static bool may_match_value(const selector_t *own, node_t *node, attribute_t attribute)
{
    const char *end = attribute.value + attribute.length;

    if (own->operator == 0) return true;
    if (attribute.length < own->value_length) return false;
    switch (own->operator) {
    case '#': return may_be_note_link(node, attribute);
    case '=': return attribute.length == own->value_length && is_text_at(attribute.value, own->value, own->value_length);
    case '^': return is_text_at(attribute.value, own->value, own->value_length);
    case '$': return is_text_at(end - own->value_length, own->value, own->value_length);
    case '~': return false; /* see match_words */
    default: return contains(attribute.value, end, own->value, NULL); /* * */
    }
}

/* Notes which selectors the words of an attribute may match. */
static void match_words(const selectors_t *selectors, const attribute_t *attribute, const tag_t *tag, size_t length,
                        bool *found)
{
    const char *at = attribute->value, *end = at + attribute->length;

    while (attribute->length && at < end) {
        const char *word = at;
        while (at < end && ((unsigned char)*at >= 0x80 || !SPACES[(unsigned char)*at])) at++;
        for (size_t i = 0; at > word && i < selectors->word_count; i++) {
            const selector_t *own = &selectors->items[selectors->word_numbers[i]];
            if (own->value_length != (size_t)(at - word) || own->attribute_length != length) continue;
            if ((own->tag == NULL || own->tag == tag) && is_text_at(word, own->value, own->value_length))
                found[selectors->word_numbers[i]] = true;
        }
        at += at < end;
    }
}

/* Notes which selectors an attribute of an element may match. */
static void match_attribute(const selectors_t *selectors, node_t *node, const tag_t *tag, void *at, bool *found)
{
    size_t length;
    const char *name = (const char *)lexbor.attribute_name(at, &length);
    attribute_t attribute = {0};
    bool are_words_read = false;

    if (name == NULL || length >= 64 || !(selectors->lengths >> length & 1)) return;
    for (size_t i = 0; i < selectors->count; i++) {
        const selector_t *own = &selectors->items[i];
        if (found[i] || own->attribute_length != length || (own->tag && own->tag != tag)) continue;
        if (memcmp(name, own->attribute, length) != 0) continue;
        if (!attribute.exists) set_attribute(&attribute, at);
        if (own->operator != '~') found[i] = may_match_value(own, node, attribute);
        else if (!are_words_read) {
            match_words(selectors, &attribute, tag, length, found);
            are_words_read = true;
        }
    }
}

static void free_selectors(PyObject *capsule)
{
    selectors_t *selectors = PyCapsule_GetPointer(capsule, SELECTORS_NAME);

    Py_XDECREF(selectors->list);
    PyMem_Free(selectors);
}

/* Reads a selector from a tuple of strings. */
static int read_selector(selector_t *out, PyObject *tuple)
{
    PyObject *name;
    const char *operator;
    Py_ssize_t attribute_length, value_length, length;

    if (!PyArg_ParseTuple(tuple, "Us#ss#", &name, &out->attribute, &attribute_length, &operator, &out->value,
                          &value_length)) return -1;
    out->attribute_length = (size_t)attribute_length;
    out->value_length = (size_t)value_length;
    out->operator = operator[0];
    if (PyUnicode_GET_LENGTH(name) == 0) return 0;
    if (know_tag(name) < 0) return -1;
    operator = PyUnicode_AsUTF8AndSize(name, &length);
    out->tag = &tags[tag_slot(operator, (size_t)length)];
    return 0;
}

PyDoc_STRVAR(selectors_doc, "selectors(list)\n--\n\n"
"Simple selectors for `present`, from tuples: the name of an element or \"\", an attribute or \"\", an operator (=, *, ^, $, ~,\n"
"# for links that may be marks of notes) or \"\", and a value in lower case.");

static PyObject *core_selectors(PyObject *module, PyObject *list)
{
    selectors_t *out;

    if (!PyList_Check(list) || PyList_GET_SIZE(list) > MAX_SELECTORS) {
        PyErr_SetString(PyExc_ValueError, "expected a list of selectors");
        return NULL;
    }
    out = PyMem_Calloc(1, sizeof *out + (size_t)PyList_GET_SIZE(list) * sizeof *out->items);
    if (out == NULL) return PyErr_NoMemory();
    for (; out->count < (size_t)PyList_GET_SIZE(list); out->count++)
        if (read_selector(&out->items[out->count], PyList_GET_ITEM(list, (Py_ssize_t)out->count)) < 0) {
            PyMem_Free(out);
            return NULL;
        }
    for (size_t i = 0; i < out->count; i++) {
        if (out->items[i].attribute_length == 0) out->tag_numbers[out->tag_count++] = i;
        else if (out->items[i].operator == '~') out->word_numbers[out->word_count++] = i;
        if (out->items[i].attribute_length < 64) out->lengths |= 1ULL << out->items[i].attribute_length;
    }
    out->list = Py_NewRef(list);
    return PyCapsule_New(out, SELECTORS_NAME, free_selectors);
}

PyDoc_STRVAR(present_doc, "present(root, selectors)\n--\n\n"
"The numbers of the selectors that may match an element below an address. The case of letters is ignored.");

static PyObject *core_present(PyObject *module, PyObject *args)
{
    unsigned long long address;
    PyObject *capsule, *out;
    const selectors_t *selectors;
    bool found[MAX_SELECTORS] = {false};

    if (!PyArg_ParseTuple(args, "KO", &address, &capsule)) return NULL;
    if ((selectors = PyCapsule_GetPointer(capsule, SELECTORS_NAME)) == NULL) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        const tag_t *tag = tag_of(node);
        if (node->type != ELEMENT_NODE) continue;
        for (size_t i = 0; tag != &UNKNOWN_TAG && i < selectors->tag_count; i++)
            found[selectors->tag_numbers[i]] |= selectors->items[selectors->tag_numbers[i]].tag == tag;
        for (void *at = lexbor.first_attribute(node); at != NULL; at = lexbor.next_attribute(at))
            match_attribute(selectors, node, tag, at, found);
    }
    out = PyList_New(0);
    for (size_t i = 0; out && i < selectors->count; i++)
        if (found[i] && append_new(out, PyLong_FromSize_t(i)) < 0) Py_CLEAR(out);
    return out;
}
