/* The distinct names of tags and attributes: whether broken_markup.drop_names may change a page. `_core.c` includes it.
 *
 * Names and white space are read in ASCII: a page that has others in its tags, outside quoted values, may be changed.
 */

/* A set of names, which are compared in lower case if *in_any_case*. A slot without a name is NULL. */
typedef struct {
    bytes_t *slots;
    size_t size, count; /* *size* is a power of two */
    bool in_any_case;
} distinct_names_t;

static inline uint8_t letter_of(const distinct_names_t *names, uint8_t c)
{
    return names->in_any_case ? (uint8_t)lower((char)c) : c;
}

static bool has_equal_letters(const distinct_names_t *names, bytes_t one, bytes_t other)
{
    if (one.size != other.size) return false;
    for (size_t i = 0; i < one.size; i++)
        if (letter_of(names, one.at[i]) != letter_of(names, other.at[i])) return false;
    return true;
}

/* Adds a name. At most half of the slots are filled: names beyond that are left out. */
static void add_distinct(distinct_names_t *names, const uint8_t *start, const uint8_t *end)
{
    const bytes_t name = {start, (size_t)(end - start)};
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
    size_t slot;

    if (names->count >= names->size / 2) return;
    for (const uint8_t *at = start; at < end; at++) hash = (hash ^ letter_of(names, *at)) * 0x100000001B3u;
    for (slot = hash % names->size; names->slots[slot].at; slot = (slot + 1) % names->size)
        if (has_equal_letters(names, names->slots[slot], name)) return;
    names->slots[slot] = name;
    names->count++;
}

static inline bool is_ascii_space(uint8_t c)
{
    return c < 0x80 && SPACES[c];
}

static inline const uint8_t *skip_ascii_spaces(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_ascii_space(*at)) at++;
    return at;
}

/* The end of the value behind the name of an attribute, as broken_markup._ATTRIBUTE has it; *name_end* if there is none. NULL if
 * it is not in ASCII. */
static const uint8_t *end_of_value(const uint8_t *name_end, const uint8_t *end)
{
    const uint8_t *at = skip_ascii_spaces(name_end, end), *start;

    if (at >= end || *at != '=') return name_end;
    start = at = skip_ascii_spaces(at + 1, end);
    if (at >= end) return name_end;
    if (*at == '"' || *at == '\'') return (at = memchr(start + 1, *start, (size_t)(end - start - 1))) ? at + 1 : name_end;
    for (; at < end && !is_ascii_space(*at) && *at != '"' && *at != '\''; at++)
        if (*at >= 0x80) return NULL;
    return at > start ? at : name_end;
}

/* Whether a byte is none of the name of an attribute. */
static inline bool is_no_name(uint8_t c)
{
    return is_ascii_space(c) || c == '=' || c == '"' || c == '\'' || c == '/';
}

/* Adds the names of the attributes between two places, where there is neither `<` nor `>`. Returns their number; -1 if something
 * is not in ASCII. */
static Py_ssize_t add_attribute_names(distinct_names_t *names, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *start;
    Py_ssize_t count = 0;

    for (; at; count++) {
        while (at < end && is_no_name(*at)) at++;
        if (at >= end) return count;
        for (start = at; at < end && !is_no_name(*at); at++)
            if (*at >= 0x80) return -1;
        add_distinct(names, start, at);
        at = end_of_value(at, end);
    }
    return -1;
}

/* Adds the names of the tag at a `<`, if it is one. Returns the number of its attributes; -1 as above. */
static Py_ssize_t add_tag_names(const html_t *html, const uint8_t *at, distinct_names_t *tags, distinct_names_t *attributes)
{
    const uint8_t *start, *end = html->data + html->length, *close;

    if (++at < end && *at == '/') at++;
    if (at >= end || !Py_ISALPHA(*at)) return 0;
    for (close = at; close < end && *close != '<' && *close != '>';) close++;
    if (close >= end || *close == '<') return 0;
    for (start = at; at < close && *at != '/' && !is_ascii_space(*at); at++)
        if (*at >= 0x80) return -1;
    add_distinct(tags, start, at);
    return close - at > 1 ? add_attribute_names(attributes, at, close) : 0;
}

PyDoc_STRVAR(may_have_many_names_doc, "may_have_many_names(html, most)\n--\n\n"
"Whether the tags of UTF-8, or their attributes, may have more than so many distinct names.");

static PyObject *core_may_have_many_names(PyObject *module, PyObject *args)
{
    distinct_names_t tags = {.in_any_case = true}, attributes = {.in_any_case = false};
    PyObject *bytes;
    Py_ssize_t most, in_tag = 0;
    html_t html;
    bool may_be = false;

    if (!PyArg_ParseTuple(args, "O!n", &PyBytes_Type, &bytes, &most)) return NULL;
    html = (html_t){(const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes)};
    for (tags.size = 4; tags.size / 2 <= (size_t)most; tags.size *= 2) {}
    attributes.size = tags.size;
    tags.slots = PyMem_RawCalloc(tags.size, sizeof *tags.slots);
    attributes.slots = PyMem_RawCalloc(attributes.size, sizeof *attributes.slots);
    if (tags.slots == NULL || attributes.slots == NULL) PyErr_NoMemory();
    else {
        tags_t places = tags_of(&html);
        for (const uint8_t *at; !may_be && (at = next_tag(&places)) != NULL;) {
            in_tag = add_tag_names(&html, at, &tags, &attributes);
            may_be = in_tag < 0 || tags.count > (size_t)most || attributes.count + (size_t)in_tag > (size_t)most;
        }
    }
    PyMem_RawFree(tags.slots);
    PyMem_RawFree(attributes.slots);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(may_be);
}
