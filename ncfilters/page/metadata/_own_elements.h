/* Elements that say the metadata of a page: as metadata/visible_metadata.py, which is asked for text that is
 * unusual. `_core.c` includes it. */

enum { MAX_ANCESTORS = 24, ITEM_FIELD_COUNT = 4, MAX_EVIDENCE = 60, MAX_NAME = 40, MAX_HEADINGS = 40 };

/* The fields that the properties of microdata say, as visible_metadata._ITEM_FIELDS. */
enum { SAYS_AUTHOR, SAYS_DATE, SAYS_MODIFIED, SAYS_TITLE };
static const char *const ITEM_FIELDS[ITEM_FIELD_COUNT] = {"author", "date", "modified", "title"};
static const struct { const char *name; int field; } ITEM_PROPERTIES[] = {
    {"author", SAYS_AUTHOR}, {"creator", SAYS_AUTHOR}, {"datepublished", SAYS_DATE}, {"datemodified", SAYS_MODIFIED},
    {"headline", SAYS_TITLE},
};

/* Ancestors that say nothing of what is in them. */
enum { PLAIN_SLOTS = 128 };
typedef struct {
    const node_t *nodes[PLAIN_SLOTS];
} plain_nodes_t;

static const node_t **plain_slot(plain_nodes_t *plain, const node_t *node)
{
    return &plain->nodes[((uintptr_t)node >> 4) * 0x9E3779B97F4A7C15u >> 57];
}

/* What is read of the elements of a page. */
typedef struct {
    PyObject *statements, *headings, *site_names, *canonical;
    ranking_t tags;
    node_t *heading_nodes[MAX_HEADINGS];
    Py_ssize_t heading_count;
    plain_nodes_t plain;
} said_t;

/* The attributes of an element that are read. */
typedef struct {
    node_t *node;
    attribute_t class, id, itemprop, property, rel, href, content, datetime, http_equiv;
} marked_t;

static marked_t marked_element(node_t *node)
{
    marked_t own = {.node = node};
    const struct { const char *name; attribute_t *to; } slots[] = {
        {"class", &own.class}, {"id", &own.id}, {"itemprop", &own.itemprop}, {"property", &own.property}, {"rel", &own.rel},
        {"href", &own.href}, {"content", &own.content}, {"datetime", &own.datetime}, {"http-equiv", &own.http_equiv},
    };
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        for (size_t i = 0; name && i < sizeof slots / sizeof *slots; i++)
            if (strlen(slots[i].name) == length && memcmp(slots[i].name, name, length) == 0) set_attribute(slots[i].to, at);
    }
    return own;
}

/* The next word of a text, as str.split() has them; false at its end. */
static bool next_value(const char **at, const char *end, slice_t *word)
{
    size_t space;

    while (*at < end && (space = space_at(*at, end)) != 0) *at += space;
    word->start = *at;
    while (*at < end && (!MAY_BEGIN_SPACE[(unsigned char)**at] || space_at(*at, end) == 0)) ++*at;
    word->end = *at;
    return word->end > word->start;
}

static bool is_word(const char *start, const char *end, const char *wanted)
{
    return (size_t)(end - start) == strlen(wanted) && is_text_at(start, wanted, strlen(wanted));
}

static bool has_value(attribute_t attribute, const char *wanted)
{
    const char *at = attribute.value, *end = at + attribute.length;
    slice_t word;

    while (attribute.length && next_value(&at, end, &word))
        if (is_word(word.start, word.end, wanted)) return true;
    return false;
}

/* The fields that the words of an attribute say, perhaps with a prefix, each once: appended to *fields*. */
static size_t fields_of(attribute_t attribute, bool with_prefix, int *fields, size_t count)
{
    const char *at = attribute.value, *end = at + attribute.length;
    slice_t word;

    while (attribute.length && next_value(&at, end, &word)) {
        const char *colon = with_prefix ? memrchr(word.start, ':', (size_t)(word.end - word.start)) : NULL;
        for (size_t i = 0; i < sizeof ITEM_PROPERTIES / sizeof *ITEM_PROPERTIES; i++) {
            size_t known = 0;
            if (!is_word(colon ? colon + 1 : word.start, word.end, ITEM_PROPERTIES[i].name)) continue;
            while (known < count && fields[known] != ITEM_PROPERTIES[i].field) known++;
            if (known == count) fields[count++] = ITEM_PROPERTIES[i].field;
        }
    }
    return count;
}

/* A string with one space between its words; a new reference. */
static PyObject *collapsed(const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    buffer_t out = {0};
    PyObject *string = NULL;
    slice_t word;
    int status = reserve((void **)&out.data, 0, &out.capacity, length + 1, 1);

    while (status == 0 && length && next_value(&at, end, &word)) {
        if (out.length) out.data[out.length++] = ' ';
        memcpy(out.data + out.length, word.start, (size_t)(word.end - word.start));
        out.length += (size_t)(word.end - word.start);
    }
    if (status == 0) string = decode(out.data, out.length);
    PyMem_RawFree(out.data);
    return string;
}

/* Adds what an element says of a field, as PageElements.say; *text* and *evidence* are new references. */
static int say(said_t *said, const char *source, const char *field, PyObject *text, PyObject *evidence)
{
    PyObject *fields = text && evidence ? made_under(said->statements, source, PyDict_New) : NULL;
    PyObject *list = fields ? made_under(fields, field, empty_list) : NULL;
    int status = list ? 0 : -1;

    if (status == 0 && PyUnicode_GET_LENGTH(text) && PyList_GET_SIZE(list) < own_elements.max_elements) {
        PyObject *statement = PyTuple_Pack(2, text, evidence);
        int has = statement ? PySequence_Contains(list, statement) : -1;
        status = has < 0 ? -1 : has ? 0 : PyList_Append(list, statement);
        Py_XDECREF(statement);
    }
    Py_XDECREF(text);
    Py_XDECREF(evidence);
    return status;
}

static int say_attribute(said_t *said, const char *source, const char *field, attribute_t value, const char *evidence)
{
    return say(said, source, field, collapsed(value.value ? value.value : "", value.length), PyUnicode_FromString(evidence));
}

/* Whether the class or the id of an element says that it is not the page's own, as telling_names.is_foreign_name; *named*
 * makes what that is asked for. Returns -1 with an exception. */
static int is_foreign_name(node_t *node, const attributes_t *own, PyObject *named, bool is_name)
{
    if (!may_tell(own->class) && !may_tell(own->id)) return 0;
    if (is_certain(own->class, own->id, is_name)) return 1;
    return tells_foreign(named ? Py_NewRef(named) : class_and_id(node, own), is_name);
}

static bool ends_in(attribute_t attribute, const char *end)
{
    size_t size = strlen(end), length = attribute.length;

    if (length && attribute.value[length - 1] == '\n') length--; /* as $ has it */
    return length >= size && memcmp(attribute.value + length - size, end, size) == 0;
}

/* Whether an ancestor of an element says that it is not the page's own. Returns -1 with an exception. */
static int is_foreign(const node_t *element, bool is_name, plain_nodes_t *plain)
{
    static const char *const ENDS[] = {"body", "html", "main", NULL};
    static const char *const FOREIGN[] = {"aside", "nav", "blockquote", NULL};
    int left = MAX_ANCESTORS, out = 0;

    for (node_t *node = element->parent; node && left > 0 && out == 0; node = node->parent, left--) {
        attributes_t own;
        attribute_t type;
        const node_t **known = plain_slot(plain, node);
        if (*known == node) continue;
        if (node->type != ELEMENT_NODE || has_any_name(node, ENDS)) break;
        if (has_any_name(node, FOREIGN)) return 1;
        own = attributes_of(node);
        if (has_name(node, "footer")) {
            out = is_own_footer(class_and_id(node, &own));
            if (out >= 0) out = !out;
        }
        type = attribute_of(node, "itemtype");
        if (out == 0 && type.length == 0 && !may_tell(own.class) && !may_tell(own.id) && !has_name(node, "footer")) *known = node;
        else if (out == 0) {
            out = is_foreign_name(node, &own, NULL, is_name);
            if (out == 0) out = ends_in(type, "Comment") || ends_in(type, "Answer");
        }
    }
    return out;
}

/* The class and the id of an element without white space around them; a new reference. */
static PyObject *name_of(const marked_t *own)
{
    buffer_t text = {0};
    PyObject *out = NULL;
    int status = append_bytes(&text, own->class.value, own->class.length);

    if (status == 0) status = append_bytes(&text, " ", 1);
    if (status == 0) status = append_bytes(&text, own->id.value, own->id.length);
    if (status == 0) {
        const char *start = text.data, *end = text.data + text.length;
        strip(&start, &end);
        out = decode(start, (size_t)(end - start));
    }
    PyMem_RawFree(text.data);
    return out;
}

/* Whether ASCII text has a word that ends there, or before a sign. */
static bool has_end(const char *text, const char *end, const char *word)
{
    while (contains(text, end, word, &text))
        if (text == end || !(Py_ISALNUM(*text) || *text == '_')) return true;
    return false;
}

/* Whether a class and an id in ASCII are those of a name, as telling_names._NAME_CLASS. */
static bool is_ascii_name_class(const char *text, const char *end)
{
    const char *start = text;
    size_t length;

    if (contains(text, end, "name", NULL) || contains(text, end, "link", NULL) || has_end(text, end, "fn") ||
        has_end(text, end, "vcard")) return true;
    for (int attempt = 0; attempt < 2; attempt++) { /* all of it, or what is behind its first word */
        length = (size_t)(end - start);
        if (length == 6 && is_text_at(start, "byline", 6)) return true;
        if (length >= 6 && is_text_at(end - 6, "author", 6)) {
            const char *at = start;
            while (at < end - 6 && (Py_ISALNUM(*at) || *at == '_' || *at == '-')) at++;
            if (at == end - 6 && (at == start || at[-1] == '_' || at[-1] == '-')) return true;
        }
        for (start = text; start < end && !SPACES[(unsigned char)*start];) start++;
        if (start == text || start == end || *start++ != ' ') return false;
    }
    return false;
}

/* The same of any. Returns -1 with an exception. */
static int is_name_class(PyObject *named)
{
    const char *text;

    if (!PyUnicode_IS_ASCII(named)) return is_true_of(own_elements.is_name_class, Py_NewRef(named), NULL);
    text = PyUnicode_DATA(named);
    return is_ascii_name_class(text, text + PyUnicode_GET_LENGTH(named));
}

/* The texts below an element with a space between two. */
static int separate_texts(node_t *root, buffer_t *to)
{
    int status = 0;

    for (node_t *node = root; node && status == 0; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type != TEXT_NODE) continue;
        if (own->data) status = append_bytes(to, own->data, own->length);
        if (status == 0) status = append_bytes(to, " ", 1);
    }
    return status;
}

/* The same of an element whose text is read only if it has at most *most* characters without white space around it, and at most as
 * many nodes. Returns 1 if it has more, before all of it is read: an element may hold the whole page, and hundreds of elements in
 * each other do. */
static int short_texts(node_t *root, buffer_t *to, Py_ssize_t most)
{
    size_t next = (size_t)most + 1;
    Py_ssize_t nodes = 0;
    int status = 0;

    for (node_t *node = root; node && status == 0; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        const char *start, *end;
        if ((node->type == TEXT_NODE || node->type == ELEMENT_NODE) && ++nodes > most) return 1;
        if (node->type != TEXT_NODE || (to->length == 0 && is_space((const char *)own->data, own->length))) continue;
        if (own->data) status = append_bytes(to, own->data, own->length);
        if (status == 0) status = append_bytes(to, " ", 1);
        if (status < 0 || to->length < next) continue;
        start = to->data;
        end = start + to->length;
        strip(&start, &end);
        status = (Py_ssize_t)count_chars(start, (size_t)(end - start)) > most;
        next = 2 * to->length;
    }
    return status;
}

/* What an element says, as visible_metadata._own_text: its text, its class and id, and whether these are those of a name. */
typedef struct {
    PyObject *text, *named;
    bool is_name;
} own_text_t;

static void drop_text(own_text_t *out)
{
    Py_CLEAR(out->text);
    Py_CLEAR(out->named);
}

/* Reads the text of an element, which *may_be_empty*. Returns 0 if it is not the page's own, or too long, and -1 with an exception. */
static int read_own_text(const marked_t *own, own_text_t *out, bool may_be_empty, plain_nodes_t *plain)
{
    static const char *const NO_TEXT[] = {"style", "script", "body", "html", "main", "article", "form", "input", "textarea", "img",
                                          "svg", NULL};
    buffer_t buffer = {0};
    const attributes_t names = {.class = own->class, .id = own->id};
    const char *start, *end;
    int status = 0;

    *out = (own_text_t){NULL, NULL, false};
    if (has_any_name(own->node, NO_TEXT)) return 0;
    if ((out->named = name_of(own)) == NULL) return -1;
    if ((status = is_name_class(out->named)) < 0) return -1;
    out->is_name = status > 0;
    status = is_foreign_name(own->node, &names, out->named, out->is_name);
    if (status == 0) status = is_foreign(own->node, out->is_name, plain);
    if (status != 0) return status < 0 ? -1 : 0;
    if (short_texts(own->node, &buffer, 8 * own_elements.max_chars) == 0) {
        start = buffer.length ? buffer.data : "";
        end = start + buffer.length;
        strip(&start, &end);
        if ((Py_ssize_t)count_chars(start, (size_t)(end - start)) <= 8 * own_elements.max_chars)
            out->text = collapsed(start, (size_t)(end - start));
    }
    PyMem_RawFree(buffer.data);
    if (out->text == NULL) return PyErr_Occurred() ? -1 : 0;
    if (PyUnicode_GET_LENGTH(out->text) == 0 && may_be_empty) return 1;
    return (PyUnicode_GET_LENGTH(out->text) > 0 && PyUnicode_GET_LENGTH(out->text) <= own_elements.max_chars) ||
           own->content.length || own->datetime.length;
}
