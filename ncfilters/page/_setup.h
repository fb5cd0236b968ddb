/* The tables and functions that the core takes over from the Python modules. `_core.c` includes it. */

/* Adds an element: its name, the name of the method that begins it ("" if it is inline), its groups. */
static int add_tag(PyObject *name, const char *start, int groups)
{
    tag_t new = {.object = name, .groups = groups};
    Py_ssize_t length;
    tag_t *slot;
    int kind = 0;

    if ((new.name = PyUnicode_AsUTF8AndSize(name, &length)) == NULL) return -1;
    new.length = (size_t)length;
    while (kind < KINDS && strcmp(START_NAMES[kind], start) != 0) kind++;
    if (kind == KINDS) {
        PyErr_Format(PyExc_ValueError, "unknown method %s", start);
        return -1;
    }
    new.kind = (enum kind)kind;
    slot = &tags[tag_slot(new.name, new.length)];
    if (slot->object) { /* known by name; the walk now says what it does */
        slot->kind = new.kind;
        slot->groups = groups;
        return 0;
    }
    Py_INCREF(name);
    *slot = new;
    return 0;
}

/* Makes an element known by name, unless it is. */
static int know_tag(PyObject *name)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(name, &length);

    if (bytes == NULL) return -1;
    return tags[tag_slot(bytes, (size_t)length)].object ? 0 : add_tag(name, "", 0);
}

#include "_selectors.h"
static int add_tags(PyObject *list)
{
    if (PyList_Size(list) > TAG_SLOTS / 2) {
        PyErr_SetString(PyExc_ValueError, "too many elements");
        return -1;
    }
    for (Py_ssize_t at = 0; at < PyList_Size(list); at++) {
        PyObject *name;
        const char *start;
        int groups;
        if (!PyArg_ParseTuple(PyList_GetItem(list, at), "Usi", &name, &start, &groups)) return -1;
        if (add_tag(name, start, groups) < 0) return -1;
    }
    return 0;
}

static unsigned char class_in_pair(Py_UCS4 c)
{
    return c == 0x2022 ? SEPARATOR_CLASS : c == 0x2212 ? MINUS_CLASS : c < 0x80 ? (unsigned char)c : 0;
}

/* Adds pairs of character classes, each a string of two. */
static int add_pairs(PyObject *pairs, unsigned char strength)
{
    PyObject *iterator = PyObject_GetIter(pairs), *pair;

    if (iterator == NULL) return -1;
    while ((pair = PyIter_Next(iterator)) != NULL) {
        if (PyUnicode_Check(pair) && PyUnicode_GET_LENGTH(pair) == 2)
            python.pairs[class_in_pair(PyUnicode_READ_CHAR(pair, 0))][class_in_pair(PyUnicode_READ_CHAR(pair, 1))] =
                strength;
        Py_DECREF(pair);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : 0;
}

/* A function that the core needs, and its name. */
typedef struct {
    const char *name;
    PyObject **to;
} function_t;

static int set_functions(PyObject *functions, const function_t *wanted, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        PyObject *function = PyDict_GetItemString(functions, wanted[at].name);
        if (function == NULL) {
            PyErr_Format(PyExc_ValueError, "no function %s", wanted[at].name);
            return -1;
        }
        Py_XSETREF(*wanted[at].to, Py_NewRef(function));
    }
    return 0;
}

static int set_words(void)
{
    const struct { PyObject **to; const char *word; } wanted[] = {
        {&words.text, "text"}, {&words.tag, "tag"}, {&words.path, "path"}, {&words.links, "links"}, {&words.br, "br"},
        {&words.marker, "marker"}, {&words.hidden, "hidden"}, {&words.pre, "pre"}, {&words.bold, "bold"},
        {&words.origin, "origin"}, {&words.bullet, "*"}, {&words.hiding[BY_STYLE], HIDING_NAMES[BY_STYLE]},
        {&words.hiding[BY_ATTRIBUTE], HIDING_NAMES[BY_ATTRIBUTE]},
        {&words.hiding[FROM_READERS], HIDING_NAMES[FROM_READERS]}, {&words.origins[OF_NOSCRIPT], "noscript"},
        {&words.origins[OF_SHADOW], "shadow"}, {&words.spans, "spans"}, {&words.level, "level"}, {&words.depth, "depth"},
        {&words.item, "item"}, {&words.quote, "quote"}, {&words.figure, "figure"}, {&words.caption, "caption"},
        {&words.after, "after"}, {&words.src, "src"}, {&words.alt, "alt"}, {&words.image, "image"}, {&words.link, "link"},
        {&words.resolve, "resolve"}, {&words.address_of_folder, "address_of_folder"}, {&words.set_base, "set_base"}, {&words.host, "host"}, {&words.page, "page"},
    };

    for (size_t at = 0; at < sizeof wanted / sizeof *wanted; at++)
        if (*wanted[at].to == NULL && (*wanted[at].to = PyUnicode_InternFromString(wanted[at].word)) == NULL) return -1;
    return 0;
}

PyDoc_STRVAR(connect_doc, "connect(library)\n--\n\n"
"Finds the symbols of the loaded *library* (a path). Raises ImportError if it lacks one.");

static PyObject *core_connect(PyObject *module, PyObject *args)
{
    static const char *const SURVEYED[] = {"meta", "script", "title", "template", "iframe", "svg", "math"};
    const char *library;

    if (!PyArg_ParseTuple(args, "s", &library) || set_words() < 0) return NULL;
    for (size_t at = 0; at < sizeof SURVEYED / sizeof *SURVEYED; at++) {
        PyObject *name = PyUnicode_InternFromString(SURVEYED[at]);
        int status = name ? know_tag(name) : -1;
        Py_XDECREF(name);
        if (status < 0) return NULL;
    }
    if (find_symbols(library) < 0) return NULL;
    keep_freed_memory();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(setup_doc, "setup(tags, edge_pairs, element_pairs, functions, limits)\n--\n\n"
"Takes over the tables and functions of the Python walk. Raises ValueError or TypeError if the walk cannot be used.");

static PyObject *core_setup(PyObject *module, PyObject *args)
{
    const function_t wanted[] = {
        {"superscript", &python.superscript}, {"subscript", &python.subscript}, {"math_text", &python.math_text},
        {"tex_of_script", &python.tex_of_script}, {"is_drawn_again", &python.is_drawn_again},
        {"is_formula", &python.is_formula}, {"is_shown_beside", &python.is_shown_beside},
        {"path_element", &python.path_element}, {"join_path", &python.join_path}, {"hiding_of", &python.hiding_of},
        {"number_of", &python.number_of},
    };
    PyObject *tag_list, *edge_pairs, *element_pairs, *functions;

    if (!PyArg_ParseTuple(args, "O!OOO!(dnnnnnnnn)", &PyList_Type, &tag_list, &edge_pairs, &element_pairs, &PyDict_Type, &functions,
                          &python.min_bold, &python.paragraph_break, &python.max_cell_chars, &python.max_name_chars,
                          &python.max_path_chars, &python.path_head_chars,
                          &python.path_tail_chars, &python.max_parts_before, &python.max_note_chars)) return NULL;
    if (set_functions(functions, wanted, sizeof wanted / sizeof *wanted) < 0 || add_tags(tag_list) < 0) return NULL;
    if (add_pairs(edge_pairs, EDGE_PAIR) < 0 || add_pairs(element_pairs, ELEMENT_PAIR) < 0) return NULL;
    Py_RETURN_NONE;
}

/* What an element does with markup: its name, the name of the method that begins it, the kind of its span or "". */
static int add_marked_tag(PyObject *name, const char *start, const char *span)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(name, &length);
    int kind = 0, span_kind;
    tag_t *tag;

    if (bytes == NULL || know_tag(name) < 0) return -1;
    while (kind < KINDS && strcmp(START_NAMES[kind], start) != 0) kind++;
    if (kind == KINDS) {
        PyErr_Format(PyExc_ValueError, "unknown method %s", start);
        return -1;
    }
    tag = &tags[tag_slot(bytes, (size_t)length)];
    tag->marked = (enum kind)kind;
    if (span[0] == '\0') return 0;
    if ((span_kind = kind_of_span(span)) < 0) return -1;
    tag->entry = (entry_t){.kind = (enum span_kind)span_kind};
    return 0;
}

static int add_marked_tags(PyObject *list)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        PyObject *name;
        const char *start, *span;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, at), "Uss", &name, &start, &span)) return -1;
        if (add_marked_tag(name, start, span) < 0) return -1;
    }
    return 0;
}

/* Keeps a list of words, which must be ASCII, and none of them empty. */
static int set_word_list(word_list_t *to, PyObject *list)
{
    PyObject *words_of = PySequence_Tuple(list);

    if (words_of == NULL) return -1;
    Py_XSETREF(to->owner, words_of);
    to->count = 0;
    memset(to->first, 0, sizeof to->first);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words_of); i++) {
        PyObject *word = PyTuple_GET_ITEM(words_of, i);
        if (!PyUnicode_Check(word) || !PyUnicode_IS_ASCII(word) || PyUnicode_GET_LENGTH(word) == 0 || to->count == MAX_WORDS) {
            PyErr_SetString(PyExc_ValueError, "expected a few words in ASCII");
            return -1;
        }
        to->items[to->count++] = (word_t){PyUnicode_DATA(word), (size_t)PyUnicode_GET_LENGTH(word), 0};
    }
    for (size_t i = to->count; i-- > 0;) {
        uint8_t *first = &to->first[(unsigned char)*to->items[i].at];
        to->items[i].next = *first;
        *first = (uint8_t)(i + 1);
    }
    return 0;
}

PyDoc_STRVAR(setup_markup_doc, "setup_markup(tags, functions, wrapper, limits, words)\n--\n\n"
"Takes over the tables and functions of the Python walk with markup. Raises ValueError or TypeError.");

static PyObject *core_setup_markup(PyObject *module, PyObject *args)
{
    const function_t wanted[] = {
        {"image_of", &markup.image_of}, {"is_caption_class", &markup.is_caption_class},
        {"is_image_address", &markup.is_image_address}, {"document_level", &markup.document_level},
        {"is_plain_style", &markup.is_plain_style}, {"style_kind", &markup.style_kind},
    };
    PyObject *tag_list, *functions, *wrapper, *lists[6];
    word_list_t *const to[] = {
        &markup.lazy_sources, &markup.other_sources, &markup.placeholders, &markup.emoji_classes, &markup.portrait_folders,
        &markup.pixel_hosts,
    };

    if (!PyArg_ParseTuple(args, "O!O!U(nnnnnnnnn)(OOOOOO)", &PyList_Type, &tag_list, &PyDict_Type, &functions, &wrapper,
                          &markup.max_level, &markup.max_role_depth, &markup.max_url_chars, &markup.max_sources,
                          &markup.max_waited, &markup.enough_chars, &markup.max_alt_chars, &markup.max_pixel_size, &markup.max_set_chars,
                          &lists[0], &lists[1], &lists[2], &lists[3], &lists[4], &lists[5])) return NULL;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        if (set_word_list(to[i], lists[i]) < 0) return NULL;
    if (markup.lazy_sources.count > MAX_LAZY_SOURCES) {
        PyErr_SetString(PyExc_ValueError, "too many attributes");
        return NULL;
    }
    Py_XSETREF(markup.wrapper_object, Py_NewRef(wrapper));
    if ((markup.wrapper = PyUnicode_AsUTF8(wrapper)) == NULL) return NULL;
    markup.wrapper_length = strlen(markup.wrapper);
    if (set_words() < 0 || add_marked_tags(tag_list) < 0) return NULL;
    if (set_functions(functions, wanted, sizeof wanted / sizeof *wanted) < 0) return NULL;
    markup.is_ready = true;
    Py_RETURN_NONE;
}
