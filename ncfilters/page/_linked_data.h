/* Whether JSON-LD may have content of the page, told without reading its values: as json_ld.linked_texts without *everything*.
 * `_core.c` includes it. */

enum { MAX_LINKED_WORDS = 64, MAX_LINKED_WORD = 32, MAX_LINKED_DEPTH = 64 };

/* Words in order of their length. */
typedef struct {
    const char *words[MAX_LINKED_WORDS];
    PyObject *objects[MAX_LINKED_WORDS]; /* owned */
    size_t starts[MAX_LINKED_WORD + 2];
} linked_words_t;

/* Properties whose text is content whatever has them; types whose names are content; types whose description is none. */
static struct {
    linked_words_t properties, named, summarised;
} linked_data;

static bool is_linked_word(const linked_words_t *words, const uint8_t *at, size_t length)
{
    if (length > MAX_LINKED_WORD) return false;
    for (size_t i = words->starts[length]; i < words->starts[length + 1]; i++)
        if (memcmp(words->words[i], at, length) == 0) return true;
    return false;
}

/* An open object or array. */
typedef struct {
    bool has_description, has_type, is_summarised;
} linked_value_t;

typedef struct {
    const uint8_t *at, *end;
    linked_value_t open[MAX_LINKED_DEPTH];
    size_t depth;
} linked_t;

static inline void skip_linked_space(linked_t *in)
{
    while (in->at < in->end && SPACES[*in->at & 0x7F] && *in->at < 0x80) in->at++;
}

/* Reads a string behind its quote. Returns false for one with an escape, and without an end. */
static inline bool read_linked_string(linked_t *in, bytes_t *out)
{
    const uint8_t *start = in->at;
    bool is_plain = true;

    while (in->at < in->end && *in->at != '"') {
        is_plain &= *in->at != '\\';
        in->at += 1 + (*in->at == '\\');
    }
    if (in->at >= in->end) return false;
    *out = (bytes_t){start, (size_t)(in->at++ - start)};
    return is_plain;
}

/* Reads a type. Returns whether names or a description may be content because of it. */
static bool is_type_of_content(linked_t *in, linked_value_t *object)
{
    bytes_t type;

    if (object->has_type) return true; /* twice */
    object->has_type = true;
    skip_linked_space(in);
    if (in->at < in->end && *in->at == '[') {
        in->at++;
        if (in->depth == MAX_LINKED_DEPTH) return true;
        in->open[in->depth++] = (linked_value_t){false, false, false};
        skip_linked_space(in);
    }
    if (in->at >= in->end || *in->at++ != '"' || !read_linked_string(in, &type) || type.size == 0) return true;
    for (size_t i = 0; i < type.size; i++)
        if (!Py_ISALPHA(type.at[i])) return true; /* perhaps with the address of its vocabulary */
    object->is_summarised = is_linked_word(&linked_data.summarised, type.at, type.size);
    return is_linked_word(&linked_data.named, type.at, type.size);
}

/* Reads a string, and what follows the name of a property. Returns whether it may be content. */
static bool is_content_at(linked_t *in)
{
    bytes_t name;
    bool is_plain = read_linked_string(in, &name);
    linked_value_t *object = &in->open[in->depth ? in->depth - 1 : 0];

    skip_linked_space(in);
    if (in->at >= in->end || *in->at != ':') return false;
    in->at++;
    if (!is_plain || in->depth == 0 || is_linked_word(&linked_data.properties, name.at, name.size)) return true;
    if (is(name, "@type")) return is_type_of_content(in, object);
    if (!is(name, "description")) return false;
    skip_linked_space(in);
    if (in->at >= in->end || *in->at != '"') return true;
    object->has_description = in->at + 1 >= in->end || in->at[1] != '"';
    return false;
}

static bool may_have_content(const uint8_t *data, size_t size)
{
    linked_t in;

    in.at = data;
    in.end = data + size;
    in.depth = 0;
    while (in.at < in.end) {
        switch (*in.at++) {
        case '"':
            if (is_content_at(&in)) return true;
            break;
        case '{': case '[':
            if (in.depth == MAX_LINKED_DEPTH) return true;
            in.open[in.depth++] = (linked_value_t){false, false, false};
            break;
        case '}': case ']':
            if (in.depth == 0) return true;
            in.depth--;
            if (in.open[in.depth].has_description && !in.open[in.depth].is_summarised) return true;
            break;
        case '&': return true; /* perhaps escaped quotes */
        default: break;
        }
    }
    return in.depth > 0;
}

/* The same of a script. */
static bool may_script_have_content(const node_t *script)
{
    const text_node_t *text = (const text_node_t *)script->first_child;

    if (text == NULL) return false;
    if (text->node.type != TEXT_NODE || text->node.next || text->data == NULL) return true;
    return may_have_content(text->data, text->length);
}

static int set_linked_words(linked_words_t *to, PyObject *tuple)
{
    size_t count = 0;

    for (size_t length = 0; length <= MAX_LINKED_WORD; length++) {
        to->starts[length] = count;
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(tuple); at++) {
            PyObject *word = PyTuple_GET_ITEM(tuple, at);
            if (!PyUnicode_Check(word) || !PyUnicode_IS_ASCII(word) || PyUnicode_GET_LENGTH(word) > MAX_LINKED_WORD ||
                PyTuple_GET_SIZE(tuple) > MAX_LINKED_WORDS) {
                PyErr_SetString(PyExc_ValueError, "expected a few short words in ASCII");
                return -1;
            }
            if ((size_t)PyUnicode_GET_LENGTH(word) != length) continue;
            Py_XSETREF(to->objects[count], Py_NewRef(word));
            to->words[count++] = PyUnicode_DATA(word);
        }
    }
    to->starts[MAX_LINKED_WORD + 1] = count;
    return 0;
}

PyDoc_STRVAR(setup_linked_data_doc, "setup_linked_data(properties, named, summarised)\n--\n\n"
"Takes over the tables of json_ld: tuples of words.");

static PyObject *core_setup_linked_data(PyObject *module, PyObject *args)
{
    PyObject *properties, *named, *summarised;

    if (!PyArg_ParseTuple(args, "O!O!O!", &PyTuple_Type, &properties, &PyTuple_Type, &named, &PyTuple_Type, &summarised) ||
        set_linked_words(&linked_data.properties, properties) < 0 || set_linked_words(&linked_data.named, named) < 0 ||
        set_linked_words(&linked_data.summarised, summarised) < 0) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(may_script_have_content_doc, "may_script_have_content(script)\n--\n\nThe same of the script with an address.");

static PyObject *core_may_script_have_content(PyObject *module, PyObject *args)
{
    unsigned long long address;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    return PyBool_FromLong(may_script_have_content((const node_t *)(uintptr_t)address));
}

PyDoc_STRVAR(may_have_content_doc, "may_have_content(json)\n--\n\nWhether json_ld.linked_texts may find something without *everything*.");

static PyObject *core_may_have_content(PyObject *module, PyObject *bytes)
{
    if (!PyBytes_Check(bytes)) return PyErr_Format(PyExc_TypeError, "expected bytes");
    return PyBool_FromLong(may_have_content((const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes)));
}
