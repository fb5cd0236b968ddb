/* What `<meta>` says of a page: as metadata/meta_tags.py. `_core.c`
 * includes it. */

enum { TAG_PLACES = 512, MAX_FIELD_NAME = 63 };

/* A known tag: (field, rank, evidence, its vocabulary), or None for those of cards. */
typedef struct {
    PyObject *name, *place; /* owned */
    bytes_t bytes;
    long rank;
} known_tag_t;

static struct {
    known_tag_t known[TAG_PLACES]; /* by a hash of the name */
    PyObject *add_cards;           /* function of meta_tags */
    Py_ssize_t max_chars;
} meta_tags;

/* A statement: its content and where it is from, and its place among those. */
typedef struct {
    attribute_t content;
    const known_tag_t *tag;
    size_t number;
} ranked_t;

typedef struct {
    ranked_t *items;
    size_t count, capacity;
    PyObject *cards; /* the data of cards by their names; NULL if there are none */
} ranking_t;

static void close_ranking(ranking_t *ranking)
{
    PyMem_RawFree(ranking->items);
    Py_XDECREF(ranking->cards);
}

static int compare_ranked(const void *one, const void *other)
{
    const ranked_t *a = one, *b = other;

    if (a->tag->rank != b->tag->rank) return a->tag->rank < b->tag->rank ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The place of a known tag, or an empty one. */
static known_tag_t *tag_place(bytes_t name)
{
    size_t hash = name.size;

    for (size_t at = 0; at < name.size; at++) hash = hash * 31 + name.at[at];
    for (hash ^= hash >> 9;; hash++) {
        known_tag_t *place = &meta_tags.known[hash % TAG_PLACES];
        if (place->name == NULL || equal(place->bytes, name)) return place;
    }
}

/* The tag with a name, in any case and with white space around it; NULL if it is not known, perhaps with an exception. */
static const known_tag_t *tag_named(attribute_t name)
{
    const char *start = name.value, *end = start + name.length;
    uint8_t small[MAX_FIELD_NAME];
    const known_tag_t *out;
    bytes_t bytes;

    if (!is_ascii(start, name.length)) { /* some letters beyond ASCII have small ones in ASCII */
        PyObject *string = decode(start, name.length), *bare = string ? PyObject_CallMethod(string, "strip", NULL) : NULL;
        PyObject *lowered = bare ? PyObject_CallMethod(bare, "lower", NULL) : NULL;
        out = lowered && bytes_of(lowered, &bytes) == 0 ? tag_place(bytes) : NULL;
        Py_XDECREF(string);
        Py_XDECREF(bare);
        Py_XDECREF(lowered);
        return out && out->name ? out : NULL;
    }
    strip(&start, &end);
    if (end - start > MAX_FIELD_NAME) return NULL;
    bytes = (bytes_t){small, (size_t)(end - start)};
    for (size_t at = 0; at < bytes.size; at++) small[at] = ascii_lower((uint8_t)start[at]);
    out = tag_place(bytes);
    return out->name ? out : NULL;
}

/* The first characters of a content. */
static PyObject *start_of(attribute_t content, Py_ssize_t most)
{
    PyObject *text = decode(content.value ? content.value : "", content.length);

    if (text && PyUnicode_GET_LENGTH(text) > most) Py_SETREF(text, PyUnicode_Substring(text, 0, most));
    return text;
}

/* Reads a tag. Returns -1 with an exception. */
static int read_field_tag(attribute_t name, attribute_t content, ranking_t *to)
{
    const known_tag_t *tag;
    PyObject *text;
    int status;

    if (name.length == 0 || content.length == 0) return 0;
    if ((tag = tag_named(name)) == NULL) return PyErr_Occurred() ? -1 : 0;
    if (tag->place != Py_None) {
        if (reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items) < 0) return -1;
        to->items[to->count] = (ranked_t){content, tag, to->count};
        to->count++;
        return 0;
    }
    if (to->cards == NULL && (to->cards = PyDict_New()) == NULL) return -1;
    text = start_of(content, meta_tags.max_chars);
    status = text && PyDict_SetDefault(to->cards, tag->name, text) ? 0 : -1;
    Py_XDECREF(text);
    return status;
}

/* Reads a `<meta>` of the survey of a page. Returns -1 with an exception. */
static int read_surveyed_tag(node_t *node, ranking_t *to)
{
    attribute_t content = {0}, property = {0}, name = {0};
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *own = attribute_name(at, &length);
        if (own && length == 4 && memcmp(own, "name", 4) == 0) set_attribute(&name, at);
        else if (own && length == 7 && memcmp(own, "content", 7) == 0) set_attribute(&content, at);
        else if (own && length == 8 && memcmp(own, "property", 8) == 0) set_attribute(&property, at);
    }
    return read_field_tag(property.length ? property : name, content, to);
}

/* Adds the statements by vocabulary, then by field. Returns -1 with an exception. */
static int add_ranked(PyObject *out, ranking_t *ranking)
{
    PyObject *added;
    int status = 0;

    if (ranking->count > 1) qsort(ranking->items, ranking->count, sizeof *ranking->items, compare_ranked);
    for (size_t at = 0; at < ranking->count && status == 0; at++) {
        const ranked_t *own = &ranking->items[at];
        PyObject *fields = made_of_key(out, PyTuple_GET_ITEM(own->tag->place, 3), PyDict_New);
        PyObject *list = fields ? made_of_key(fields, PyTuple_GET_ITEM(own->tag->place, 0), empty_list) : NULL;
        PyObject *text = list ? start_of(own->content, meta_tags.max_chars) : NULL;
        status = text ? append_new(list, PyTuple_Pack(2, text, PyTuple_GET_ITEM(own->tag->place, 2))) : -1;
        Py_XDECREF(text);
    }
    if (status < 0 || ranking->cards == NULL) return status;
    added = PyObject_CallFunctionObjArgs(meta_tags.add_cards, out, ranking->cards, NULL);
    Py_XDECREF(added);
    return added ? 0 : -1;
}

/* Adds a known tag. Returns -1 with an exception. */
static int add_known_tag(PyObject *name, PyObject *place)
{
    known_tag_t own = {name, place, {NULL, 0}, 0};
    PyObject *field, *evidence, *vocabulary;
    known_tag_t *to;

    if (!PyUnicode_Check(name) || bytes_of(name, &own.bytes) < 0 || own.bytes.size > MAX_FIELD_NAME) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected short names");
        return -1;
    }
    if (place != Py_None && !PyArg_ParseTuple(place, "UlUU", &field, &own.rank, &evidence, &vocabulary)) return -1;
    if ((to = tag_place(own.bytes))->name == NULL) {
        Py_INCREF(name);
        Py_INCREF(place);
        *to = own;
    }
    return 0;
}

PyDoc_STRVAR(setup_tags_doc, "setup_tags(places, cards, add_cards, chars)\n--\n\n"
"Takes over the tables of meta_tags: a dict of name to (field, rank, evidence, vocabulary), the names of cards, _add_cards, and the\n"
"characters of a content.");

static PyObject *core_setup_tags(PyObject *module, PyObject *args)
{
    PyObject *places, *cards, *add_cards, *place, *name;
    Py_ssize_t max_chars;

    if (!PyArg_ParseTuple(args, "O!O!On", &PyDict_Type, &places, &PyTuple_Type, &cards, &add_cards, &max_chars)) return NULL;
    if (PyDict_GET_SIZE(places) + PyTuple_GET_SIZE(cards) > TAG_PLACES / 2) return PyErr_Format(PyExc_ValueError, "too many tags");
    for (Py_ssize_t at = 0; PyDict_Next(places, &at, &name, &place);)
        if (add_known_tag(name, place) < 0) return NULL;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(cards); at++)
        if (add_known_tag(PyTuple_GET_ITEM(cards, at), Py_None) < 0) return NULL;
    meta_tags.max_chars = max_chars;
    Py_XSETREF(meta_tags.add_cards, Py_NewRef(add_cards));
    Py_RETURN_NONE;
}
