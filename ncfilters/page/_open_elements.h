/* How elements hide their content, their numbers and their paths: as open_elements.py and dom_path.py. `_core.c` includes
 * it.
 */

/* Whether ASCII text has *property*, white space, then *value*. */
static bool has_style(const char *text, const char *end, const char *property, const char *value)
{
    const char *rest;
    size_t size = strlen(value);

    while (contains(text, end, property, &rest)) {
        const char *at = rest;
        while (at < end && space_at(at, end)) at++;
        if ((size_t)(end - at) >= size && contains(at, at + size, value, NULL)) return true;
        text = rest;
    }
    return false;
}

/* Whether a style beyond ASCII hides; -1 with an exception. */
static int is_hiding_style(attribute_t style)
{
    PyObject *attributes, *result = NULL;
    int answer = -1;

    if (style.value == NULL || style.length == 0) return 0;
    if (is_ascii(style.value, style.length)) {
        const char *end = style.value + style.length;
        return has_style(style.value, end, "display:", "none") || has_style(style.value, end, "visibility:", "hidden");
    }
    if ((attributes = PyDict_New()) == NULL) return -1;
    if (add_attribute(attributes, "style", style) == 0)
        result = PyObject_CallFunctionObjArgs(python.hiding_of, attributes, NULL);
    if (result) answer = result != Py_None;
    Py_XDECREF(result);
    Py_DECREF(attributes);
    return answer;
}

/* How attributes hide an element; -1 with an exception. */
static int hiding_of(const attributes_t *own)
{
    int by_style;

    if (own->hidden.exists) return BY_ATTRIBUTE;
    if ((by_style = is_hiding_style(own->style)) != 0) return by_style < 0 ? -1 : BY_STYLE;
    if (own->aria_hidden.length == 4 && memcmp(own->aria_hidden.value, "true", 4) == 0) return FROM_READERS;
    return SHOWN;
}

/* The integer that an attribute begins with, or *number*. Returns -1 with an exception. */
static int read_integer(node_t *node, const char *name, long long *number)
{
    attribute_t own = attribute_of(node, name);
    const char *at = own.value, *end = at + own.length;
    long long value = 0;
    int digits = 0;
    bool is_negative;

    if (at == NULL) return 0;
    if (!is_ascii(at, own.length)) {
        PyObject *attributes = PyDict_New(), *result = NULL;
        if (attributes && add_attribute(attributes, name, own) == 0)
            result = PyObject_CallFunction(python.number_of, "OsL", attributes, name, *number);
        Py_XDECREF(attributes);
        if (result == NULL) return -1;
        *number = PyLong_AsLongLong(result);
        Py_DECREF(result);
        return PyErr_Occurred() ? -1 : 0;
    }
    while (at < end && SPACES[(unsigned char)*at]) at++;
    is_negative = at < end && *at == '-';
    at += is_negative;
    for (; at < end && digits < 9 && *at >= '0' && *at <= '9'; digits++) value = 10 * value + (*at++ - '0');
    if (digits) *number = is_negative ? -value : value;
    return 0;
}

#ifdef __SSE2__
/* Joins classes by "." in 16 bytes. Returns false if they have two spaces in a row or another sign that changes. */
static inline bool join_classes(__m128i *classes)
{
    const __m128i space = _mm_set1_epi8(' '), spaces = _mm_cmpeq_epi8(*classes, space);
    __m128i other = _mm_or_si128(_mm_cmplt_epi8(*classes, space), _mm_cmpeq_epi8(*classes, _mm_set1_epi8('/')));
    unsigned between = (unsigned)_mm_movemask_epi8(spaces);

    other = _mm_or_si128(other, _mm_or_si128(_mm_cmpeq_epi8(*classes, _mm_set1_epi8(':')), _mm_cmpeq_epi8(*classes, _mm_set1_epi8('['))));
    *classes = _mm_or_si128(*classes, _mm_and_si128(spaces, _mm_set1_epi8(' ' ^ '.')));
    return !_mm_movemask_epi8(other) && !(between & between >> 1);
}

/* Writes the first *count* bytes of classes, 8 or more, joined by ".", if one space is between two and no other sign changes. */
static bool write_plain_classes(char *out, const char *classes, const char *end, size_t count)
{
    __m128i part;

    if (*classes == ' ') return false;
    if (count < 16) {
        part = _mm_loadl_epi64((const __m128i *)(const void *)classes);
        part = _mm_unpacklo_epi64(part, _mm_loadl_epi64((const __m128i *)(const void *)(classes + count - 8)));
        if (!join_classes(&part)) return false;
        _mm_storel_epi64((__m128i *)(void *)out, part);
        _mm_storel_epi64((__m128i *)(void *)(out + count - 8), _mm_srli_si128(part, 8));
    }
    for (size_t at = 0; count >= 16 && at < count; at += 16) {
        size_t from = at + 16 < count ? at : count - 16; /* some of the last ones are read twice */
        part = _mm_loadu_si128((const __m128i *)(const void *)(classes + from));
        if (!join_classes(&part) || (from && classes[from] == ' ' && classes[from - 1] == ' ')) return false;
        _mm_storeu_si128((__m128i *)(void *)(out + from), part);
    }
    if (classes + count == end) return end[-1] != ' ';
    for (const char *at = classes + count; at < end; at++) { /* the rest of the last class, which may be a utility class */
        if (SPACES[(unsigned char)*at]) return at > classes + count || at[-1] != ' ';
        if (*at == ':' || *at == '[') return false;
    }
    return true;
}
#endif

/* Writes ".", and the classes of an ASCII value, joined by ".": not the utility classes. Returns the end. */
static char *write_classes(char *out, const char *at, const char *end)
{
    size_t left = (size_t)python.max_name_chars;
    bool is_first = true;

#ifdef __SSE2__
    size_t count = (size_t)(end - at) < left ? (size_t)(end - at) : left;
    if (count >= 8 && write_plain_classes(out + 1, at, end, count)) { /* most */
        *out = '.';
        return out + 1 + count;
    }
#endif
    while (left > 0 && at < end) {
        char *start = out;
        size_t rest = left - !is_first;
        bool is_utility = false;
        if (SPACES[(unsigned char)*at]) {
            at++;
            continue;
        }
        *out++ = '.';
        for (; at < end && !SPACES[(unsigned char)*at]; at++) {
            is_utility |= *at == ':' || *at == '[';
            if (rest == 0) continue;
            *out++ = *at == '/' ? '_' : *at;
            rest--;
        }
        if (is_utility) {
            out = start;
            continue;
        }
        left = rest;
        is_first = false;
    }
    return out;
}

static char *write_id(char *out, const char *id, size_t length)
{
    if (length > (size_t)python.max_name_chars) length = (size_t)python.max_name_chars;
    *out++ = '#';
    for (size_t at = 0; at < length; at++) *out++ = id[at] == ' ' || id[at] == '/' ? '_' : id[at];
    return out;
}

/* A path by the Python functions. */
static PyObject *foreign_path(PyObject *parent, const open_block_t *block)
{
    PyObject *attributes = PyDict_New(), *element = NULL, *path = NULL;

    if (attributes == NULL) return NULL;
    if (add_attribute(attributes, "id", block->attributes.id) == 0 &&
        add_attribute(attributes, "class", block->attributes.class) == 0)
        element = PyObject_CallFunctionObjArgs(python.path_element, block->name, attributes, NULL);
    if (element) path = PyObject_CallFunctionObjArgs(python.join_path, parent, element, NULL);
    Py_XDECREF(element);
    Py_DECREF(attributes);
    return path;
}

/* A path without its middle elements, as dom_path.join_path has it; NULL without an exception if it is for that. */
static PyObject *cut_path(const char *path, size_t length)
{
    static const char ELLIPSIS[] = "/...";
    const char *head = path + python.path_head_chars - 1, *tail;
    size_t start, rest;
    char *to;
    PyObject *out;

    if (!is_ascii(path, length) || length <= (size_t)python.path_tail_chars) return NULL;
    while (head > path && *head != '/') head--;
    tail = memchr(path + length - python.path_tail_chars, '/', (size_t)python.path_tail_chars);
    if (head == path || tail == NULL) return NULL;
    start = (size_t)(head - path);
    rest = (size_t)(path + length - tail);
    if ((out = PyUnicode_New((Py_ssize_t)(start + strlen(ELLIPSIS) + rest), 0x7F)) == NULL) return NULL;
    to = PyUnicode_DATA(out);
    memcpy(to, path, start);
    memcpy(to + start, ELLIPSIS, strlen(ELLIPSIS));
    memcpy(to + start + strlen(ELLIPSIS), tail, rest);
    return out;
}

/* Appends an element of a path to *parent*: its tag name, id and classes. Names beyond ASCII, and long paths with them, are
 * for the Python functions. */
static PyObject *join_path(PyObject *parent, const open_block_t *block, buffer_t *scratch)
{
    const attribute_t *id = &block->attributes.id, *class = &block->attributes.class;
    Py_ssize_t parent_length, length;
    const char *start = PyUnicode_AsUTF8AndSize(parent, &parent_length);
    const char *name = PyUnicode_AsUTF8AndSize(block->name, &length);
    size_t size = (size_t)(parent_length + length + 2 * python.max_name_chars + 3);
    PyObject *path;
    char *out;

    if (start == NULL || name == NULL) return NULL;
    if (!is_ascii(id->value, id->length) || !is_ascii(class->value, class->length)) return foreign_path(parent, block);
    scratch->length = 0;
    if (reserve((void **)&scratch->data, 0, &scratch->capacity, size, 1) < 0) return NULL;
    memcpy(scratch->data, start, (size_t)parent_length);
    out = scratch->data + parent_length;
    if (parent_length) *out++ = '/';
    memcpy(out, name, (size_t)length);
    out += length;
    if (id->length) out = write_id(out, id->value, id->length);
    if (class->length) out = write_classes(out, class->value, class->value + class->length);
    if (PyUnicode_GET_LENGTH(parent) + (out - scratch->data - parent_length) > python.max_path_chars) {
        path = cut_path(scratch->data, (size_t)(out - scratch->data));
        return path || PyErr_Occurred() ? path : foreign_path(parent, block);
    }
    if (!PyUnicode_IS_ASCII(parent) || !PyUnicode_IS_ASCII(block->name)) return decode(scratch->data, (size_t)(out - scratch->data));
    path = PyUnicode_New(out - scratch->data, 0x7F);
    if (path && out > scratch->data) memcpy(PyUnicode_DATA(path), scratch->data, (size_t)(out - scratch->data));
    return path;
}

static inline bool is_same_value(const attribute_t *one, const attribute_t *other)
{
    return one->length == other->length && (one->length == 0 || memcmp(one->value, other->value, one->length) == 0);
}

static known_path_t *slot_of_path(builder_t *builder, const PyObject *parent, const open_block_t *block)
{
    const attribute_t *id = &block->attributes.id, *class = &block->attributes.class;
    uint64_t hash = (uint64_t)(uintptr_t)parent ^ (uint64_t)(uintptr_t)block->tag << 16 ^ class->length << 8 ^ id->length;

    if (class->length) hash ^= (uint64_t)class->value[class->length - 1] << 40 ^ (uint64_t)class->value[class->length / 2] << 48;
    if (id->length) hash ^= (uint64_t)id->value[id->length - 1] << 56;
    return &builder->paths[hash * 0x9E3779B97F4A7C15u >> (64 - PATH_BITS)];
}

/* The path of an element in *parent*, a new reference; NULL with an exception. Paths are kept, for speed and memory. */
static PyObject *path_below(builder_t *builder, PyObject *parent, const open_block_t *block, buffer_t *scratch)
{
    known_path_t *known = slot_of_path(builder, parent, block);
    PyObject *path;

    if (known->path && known->parent == parent && known->tag == block->tag && is_same_value(&known->id, &block->attributes.id) &&
        is_same_value(&known->class, &block->attributes.class)) return Py_NewRef(known->path);
    path = join_path(parent, block, scratch);
    if (path == NULL || block->tag->object == NULL) return path; /* the name is not in the table of tags */
    Py_XSETREF(known->parent, Py_NewRef(parent));
    Py_XSETREF(known->path, Py_NewRef(path));
    known->tag = block->tag;
    known->id = block->attributes.id;
    known->class = block->attributes.class;
    return path;
}

static void free_paths(builder_t *builder)
{
    for (size_t i = 0; i < KNOWN_PATHS; i++) {
        Py_XDECREF(builder->paths[i].parent);
        Py_XDECREF(builder->paths[i].path);
    }
}

/* The path of the last open block (borrowed); the paths of all are stored in them. NULL with an exception. */
static PyObject *path_of_last(builder_t *builder, buffer_t *scratch)
{
    size_t at = builder->open_block_count - 1;

    while (builder->open_blocks[at].path == NULL) at--;
    for (at++; at < builder->open_block_count; at++) {
        open_block_t *block = &builder->open_blocks[at];
        block->path = path_below(builder, builder->open_blocks[at - 1].path, block, scratch);
        if (block->path == NULL) return NULL;
    }
    return builder->open_blocks[builder->open_block_count - 1].path;
}

static PyObject *path_of_builder(builder_t *builder)
{
    PyObject *path = builder->open_blocks[builder->open_block_count - 1].path;

    return path ? path : path_of_last(builder, &builder->path);
}

/* The serial number of the next block element: odd for items of lists, cells and quotes (see figures._CLOSED_TAGS). */
static size_t serial_of(builder_t *builder, const tag_t *tag)
{
    builder->last_serial += 2;
    return builder->last_serial | (size_t)(tag->kind == ITEM || is_named(tag, "td") || is_named(tag, "th") ||
                                           is_named(tag, "blockquote"));
}

/* Opens a block with the name of an element; NULL stands for the page. */
static int open_block(builder_t *builder, node_t *node, const tag_t *tag, const attributes_t *own, enum hiding hidden)
{
    open_block_t *block;
    size_t length = 0;
    const char *name = "";

    if (reserve((void **)&builder->open_blocks, builder->open_block_count, &builder->open_block_capacity, 1,
                sizeof *block) < 0) return -1;
    block = &builder->open_blocks[builder->open_block_count];
    block->node = node;
    block->path = NULL;
    block->tag = tag;
    block->hidden = hidden;
    if (own) block->attributes = *own;
    else clear_attributes(&block->attributes);
    if (tag->object) block->name = Py_NewRef(tag->object);
    else {
        if (node) name = (const char *)lexbor.element_name(node, &length);
        block->name = decode(name ? name : "", name ? length : 0);
    }
    if (block->name == NULL || push_size(&builder->serials, serial_of(builder, tag)) < 0) return -1;
    block->is_figure = UNKNOWN;
    if (node == NULL) block->path = Py_NewRef(block->name);
    builder->open_block_count++;
    return 0;
}

static void close_block(builder_t *builder)
{
    open_block_t *block = &builder->open_blocks[--builder->open_block_count];

    builder->serials.count--;
    Py_DECREF(block->name);
    Py_XDECREF(block->path);
}
