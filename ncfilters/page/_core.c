/* The walk over a parsed page in C: the same blocks as page/block_builder.py, which is the reference.
 *
 * There is no parser in here. lexbor is inside selectolax's extension module, which exports its C interface; `connect`
 * looks the symbols up in the loaded library, and page/compiled_core.py checks that a small tree reads the same.
 *
 * Names follow block_builder.py, text_run.py, inline_spacing.py and open_elements.py; the reasons are there. Nodes that
 * few pages have (formulas, superscripts, attributes beyond ASCII) are passed to the Python functions. Text is UTF-8, as
 * in the tree. The walk has no recursion, and its memory is linear in the page.
 */

#include "_tree.h"
#include "_marks.h"

/* ---- the walk */

enum hiding { SHOWN, BY_STYLE, BY_ATTRIBUTE, FROM_READERS };
static const char *const HIDING_NAMES[] = {NULL, "display", "hidden", "aria"};

/* What the end of an element does. */
enum end {
    END_NOTHING, END_BLOCK, END_LIST, END_ITEM, END_ROW, END_CELL, END_PRE, END_NOSCRIPT, END_SHADOW_ROOT, END_LINK,
    END_BOLD, END_SUB, END_SUP, END_HIDDEN_INLINE, END_SKIPPED,
    /* with markup */
    END_MARKED, END_MARKED_BOLD, END_MARKED_SUB, END_MARKED_SUP, END_ANCHOR,
};
/* What an end does besides. */
enum { END_MASK = 0xFF, IN_CONTEXT = 0x100, IN_DETAIL = 0x200 };

typedef struct {
    node_t *node;
    int end;
} open_t;

typedef struct {
    node_t *node;
    PyObject *name, *path; /* owned; the path is NULL until it is needed */
    const tag_t *tag;
    attributes_t attributes;
    enum hiding hidden;
    bool is_figure;
} open_block_t;

typedef struct {
    size_t start, cell_start;
    bool is_data;
} row_t;

typedef struct {
    long long number;
    bool is_numbered;
} list_t;

/* The text of one block while it is read (see text_run.py): part number i ends at ends.items[i]. */
typedef struct {
    buffer_t text;
    sizes_t ends, link_spans, bold_spans, raised_starts; /* spans are pairs */
    Py_ssize_t link_start;
    size_t bold_start;
    marks_t marks; /* with markup */
} run_t;

enum { MARKER_SIZE = 24 };
enum origin { OF_PAGE, OF_NOSCRIPT, OF_SHADOW };

typedef struct {
    size_t start, length, chars, links;
    PyObject *name, *path; /* owned */
    PyObject *dict;        /* owned; NULL until it is made */
    const tag_t *tag;
    enum hiding hidden;
    enum origin origin;
    bool is_line, is_pre, is_bold;
    char marker[MARKER_SIZE];
} block_t;

typedef struct page page_t; /* see _markup.h */

typedef struct {
    buffer_t texts; /* of all blocks */
    block_t *blocks;
    size_t block_count, block_capacity;
    Py_ssize_t max_blocks;
    open_t *open;
    size_t open_count, open_capacity;
    open_block_t *open_blocks;
    size_t open_block_count, open_block_capacity;
    run_t *runs; /* the last one is that of the open block */
    size_t run_count, run_capacity;
    list_t *lists;
    size_t list_count, list_capacity;
    row_t *rows;
    size_t row_count, row_capacity;
    int breaks, bold_depth, pre_depth, noscript_depth, shadow_depth;
    bool shadow_ended;
    char marker[MARKER_SIZE]; /* empty if there is none */
    PyObject *holders, *node_at; /* borrowed; holders may be None */
    sizes_t serials;             /* of the open blocks */
    size_t last_serial;
    page_t *page; /* NULL without markup */
} builder_t;

/* What `setup` gets from the Python modules: limits, pairs of characters, functions. */
static struct {
    double min_bold;
    Py_ssize_t paragraph_break, max_cell_chars, max_name_chars, max_path_chars, max_parts_before, max_note_chars;
    unsigned char pairs[128][128]; /* of character classes: EDGE_PAIR, ELEMENT_PAIR */
    PyObject *superscript, *subscript, *math_text, *tex_of_script, *is_drawn_again, *is_formula, *is_shown_beside;
    PyObject *path_element, *join_path, *hiding_of, *number_of;
} python;

/* What `setup_markup` gets: limits, functions; and the entries of spans. */
static struct {
    Py_ssize_t max_level, max_role_depth, max_url_chars, max_sources, max_waited, enough_chars;
    Py_ssize_t max_alt_chars, max_pixel_size;
    PyObject *lazy_sources, *suspects, *suspect_parts, *suspect_classes; /* tuples of words in ASCII */
    const char *wrapper; /* of *wrapper_object* */
    PyObject *wrapper_object, *strong, *em;
    PyObject *image_of, *is_caption_class, *is_image_address, *document_level, *is_plain_style, *style_kind;
    PyObject *keep_part, *join, *drop_in_formulas;
} markup;

#include "_spacing.h"

/* ---- Python objects */

static struct {
    PyObject *text, *tag, *path, *links, *br, *marker, *hidden, *pre, *bold, *origin; /* names of fields */
    PyObject *spans, *level, *depth, *item, *quote, *figure, *caption, *after, *src, *alt;
    PyObject *image, *link, *resolve, *set_base, *host, *page; /* kinds of spans, methods */
    PyObject *bullet, *hiding[4], *origins[3];
} words;

static int set_field(PyObject *to, PyObject *name, PyObject *value)
{
    return PyDict_SetItem(to, name, value);
}

/* Sets a field to a new reference, which may be NULL with an exception. */
static int set_new(PyObject *to, PyObject *name, PyObject *value)
{
    int status = value ? PyDict_SetItem(to, name, value) : -1;

    Py_XDECREF(value);
    return status;
}

/* Appends a new reference, which may be NULL with an exception. */
static int append_new(PyObject *list, PyObject *item)
{
    int status = item ? PyList_Append(list, item) : -1;

    Py_XDECREF(item);
    return status;
}

static PyObject *decode(const char *text, size_t length)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
}

static PyObject *string_or_none(attribute_t own)
{
    return own.value ? decode(own.value, own.length) : Py_NewRef(Py_None);
}

static PyObject *dict_of_attributes(node_t *node)
{
    PyObject *out = PyDict_New();
    size_t length;

    for (void *at = lexbor.first_attribute(node); out && at != NULL; at = lexbor.next_attribute(at)) {
        const char *name = (const char *)lexbor.attribute_name(at, &length);
        attribute_t own = {0};
        PyObject *key = decode(name ? name : "", name ? length : 0);
        PyObject *value;
        set_attribute(&own, at);
        value = string_or_none(own);
        if (key == NULL || value == NULL || PyDict_SetItem(out, key, value) < 0) Py_CLEAR(out);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return out;
}

/* ---- text runs (text_run.py) */

static inline run_t *run_of(builder_t *builder)
{
    return &builder->runs[builder->run_count - 1];
}

static int open_run(builder_t *builder)
{
    run_t *run;

    if (reserve((void **)&builder->runs, builder->run_count, &builder->run_capacity, 1, sizeof *run) < 0) return -1;
    run = &builder->runs[builder->run_count++];
    memset(run, 0, sizeof *run);
    run->link_start = -1;
    return 0;
}

static void close_run(builder_t *builder)
{
    run_t *run = &builder->runs[--builder->run_count];

    PyMem_RawFree(run->text.data);
    PyMem_RawFree(run->ends.items);
    PyMem_RawFree(run->link_spans.items);
    PyMem_RawFree(run->bold_spans.items);
    PyMem_RawFree(run->raised_starts.items);
    free_marks(&run->marks);
}

static int append_part(run_t *run, const char *text, size_t length)
{
    if (append_bytes(&run->text, text, length) < 0) return -1;
    return push_size(&run->ends, run->text.length);
}

/* Where the part with this number starts; the end of the text for higher numbers. */
static size_t part_start(const run_t *run, size_t number)
{
    if (number == 0 || run->ends.count == 0) return 0;
    return run->ends.items[number > run->ends.count ? run->ends.count - 1 : number - 1];
}

static int push_span(sizes_t *spans, size_t start, size_t end)
{
    return push_size(spans, start) < 0 || push_size(spans, end) < 0 ? -1 : 0;
}

/* How many of the *chars* characters of the text are in spans. */
static size_t chars_within(const run_t *run, const sizes_t *spans, size_t chars)
{
    size_t sum = 0;

    if (spans->count == 0) return 0;
    if (spans->items[0] == 0 && spans->items[1] == run->ends.count) return chars;
    for (size_t at = 0; at < spans->count; at += 2) {
        size_t start = part_start(run, spans->items[at]), end = part_start(run, spans->items[at + 1]);
        if (start < end) sum += collapsed_chars(run->text.data + start, end - start);
    }
    return sum < chars ? sum : chars;
}

#include "_spans.h"

/* Appends preformatted text, with U+0085 as an ellipsis and no-break spaces as spaces, without line ends around it. */
static int append_preformatted(buffer_t *to, const char *text, const char *end)
{
    while (text < end && *text == '\n') text++;
    while (end > text && end[-1] == '\n') end--;
    while (text < end) {
        size_t size = char_size(text, end);
        bool is_c2 = size == 2 && (unsigned char)*text == 0xC2;
        if (is_c2 && (unsigned char)text[1] == 0x85) {
            if (append_bytes(to, "\xE2\x80\xA6", 3) < 0) return -1;
        } else if (is_c2 && (unsigned char)text[1] == 0xA0) {
            if (append_bytes(to, " ", 1) < 0) return -1;
        } else if (append_bytes(to, text, size) < 0) return -1;
        text += size;
    }
    return 0;
}

/* Appends text with every run of white space as one space, and U+0085 as an ellipsis. */
static int append_collapsed(buffer_t *to, const char *text, const char *end)
{
    size_t start = to->length, space;
    bool pending = false;
    char *out;

    /* no character becomes longer by more than half */
    if (reserve((void **)&to->data, to->length, &to->capacity, (size_t)(end - text) * 3 / 2 + 2, 1) < 0) return -1;
    out = to->data + start;
    while (text < end) {
        bool is_ellipsis = end - text > 1 && (unsigned char)*text == 0xC2 && (unsigned char)text[1] == 0x85;
        if (!is_ellipsis && (space = space_at(text, end)) != 0) {
            pending = out > to->data + start;
            text += space;
            continue;
        }
        if (pending) *out++ = ' ';
        pending = false;
        if (is_ellipsis) {
            memcpy(out, "\xE2\x80\xA6", 3);
            out += 3;
            text += 2;
        } else do *out++ = *text++; while (text < end && !MAY_BEGIN_SPACE[(unsigned char)*text]);
    }
    to->length = (size_t)(out - to->data);
    return 0;
}

/* Ends the open spans, and counts the characters in links and bold elements. */
static int count_spans(builder_t *builder, run_t *run, size_t chars, size_t *links, size_t *bold)
{
    size_t parts = run->ends.count;

    if (run->link_start >= 0) {
        if (push_span(&run->link_spans, (size_t)run->link_start, parts) < 0) return -1;
        run->link_start = 0;
    }
    *links = chars_within(run, &run->link_spans, chars);
    if (builder->bold_depth > 0) {
        if (push_span(&run->bold_spans, run->bold_start, parts) < 0) return -1;
        run->bold_start = 0;
    }
    *bold = chars_within(run, &run->bold_spans, chars);
    run->link_spans.count = run->bold_spans.count = run->raised_starts.count = 0;
    run->ends.count = run->text.length = 0;
    return 0;
}

/* ---- rare nodes, by the Python functions */

/* The result of a function of the Python node, and of its attributes if *with_attributes*. */
static PyObject *ask_of_node(builder_t *builder, PyObject *function, node_t *node, bool with_attributes)
{
    PyObject *object, *attributes, *result = NULL;

    object = PyObject_CallFunction(builder->node_at, "K", (unsigned long long)(uintptr_t)node);
    if (object == NULL) return NULL;
    if (with_attributes) {
        attributes = PyObject_GetAttrString(object, "attributes");
        if (attributes) result = PyObject_CallFunctionObjArgs(function, object, attributes, NULL);
        Py_XDECREF(attributes);
    } else result = PyObject_CallFunctionObjArgs(function, object, NULL);
    Py_DECREF(object);
    return result;
}

/* 1 or 0: the answer of a Python function about a node; -1 with an exception. */
static int is_true_of_node(builder_t *builder, PyObject *function, node_t *node, bool with_attributes)
{
    PyObject *result = ask_of_node(builder, function, node, with_attributes);
    int answer = result ? PyObject_IsTrue(result) : -1;

    Py_XDECREF(result);
    return answer;
}

/* Appends the text that a Python function returns for a node, unless it is empty. */
static int append_text_of_node(builder_t *builder, PyObject *function, node_t *node)
{
    PyObject *result = ask_of_node(builder, function, node, false);
    Py_ssize_t length;
    const char *text = result ? PyUnicode_AsUTF8AndSize(result, &length) : NULL;
    int status = text == NULL ? -1 : length ? append_part(run_of(builder), text, (size_t)length) : 0;

    Py_XDECREF(result);
    return status;
}

/* Adds an attribute to a dict as selectolax has it. */
static int add_attribute(PyObject *to, const char *name, attribute_t own)
{
    PyObject *value;
    int status;

    if (!own.exists) return 0;
    if (own.value == NULL) return PyDict_SetItemString(to, name, Py_None);
    if ((value = decode(own.value, own.length)) == NULL) return -1;
    status = PyDict_SetItemString(to, name, value);
    Py_DECREF(value);
    return status;
}

/* ---- open elements (open_elements.py, dom_path.py) */

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
static int read_number(node_t *node, const char *name, long long *number)
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

/* Writes ".", and the classes of an ASCII value, joined by ".": not the utility classes. Returns the end. */
static char *write_classes(char *out, const char *at, const char *end)
{
    size_t left = (size_t)python.max_name_chars;
    bool is_first = true;

    while (left > 0 && at < end) {
        const char *word = at;
        bool is_utility = false;
        if (SPACES[(unsigned char)*at]) {
            at++;
            continue;
        }
        for (; at < end && !SPACES[(unsigned char)*at]; at++) is_utility |= *at == ':' || *at == '[';
        if (is_utility) continue;
        *out++ = '.';
        left -= !is_first;
        is_first = false;
        for (; word < at && left > 0; word++, left--) *out++ = *word == '/' ? '_' : *word;
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

/* Appends an element of a path to *parent*: its tag name, id and classes. Names beyond ASCII, and long paths, are for
 * the Python functions. */
static PyObject *join_path(PyObject *parent, const open_block_t *block, buffer_t *scratch)
{
    const attribute_t *id = &block->attributes.id, *class = &block->attributes.class;
    Py_ssize_t parent_length, length;
    const char *start = PyUnicode_AsUTF8AndSize(parent, &parent_length);
    const char *name = PyUnicode_AsUTF8AndSize(block->name, &length);
    size_t size = (size_t)(parent_length + length + 2 * python.max_name_chars + 3);
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
    if (PyUnicode_GET_LENGTH(parent) + (out - scratch->data - parent_length) > python.max_path_chars)
        return foreign_path(parent, block);
    return decode(scratch->data, (size_t)(out - scratch->data));
}

/* The path of the last open block (borrowed); the paths of all are stored in them. NULL with an exception. */
static PyObject *path_of_last(builder_t *builder, buffer_t *scratch)
{
    size_t at = builder->open_block_count - 1;

    while (builder->open_blocks[at].path == NULL) at--;
    for (at++; at < builder->open_block_count; at++) {
        open_block_t *block = &builder->open_blocks[at];
        block->path = join_path(builder->open_blocks[at - 1].path, block, scratch);
        if (block->path == NULL) return NULL;
    }
    return builder->open_blocks[builder->open_block_count - 1].path;
}

static PyObject *path_of_builder(builder_t *builder)
{
    buffer_t scratch = {0};
    PyObject *path = builder->open_blocks[builder->open_block_count - 1].path;

    if (path) return path;
    path = path_of_last(builder, &scratch);
    PyMem_RawFree(scratch.data);
    return path;
}

/* Whether a class makes an element a figure: `wp-caption` or `figure`. */
static bool is_figure_class(const attribute_t *own);

/* The serial number of the next block element: odd for items of lists. */
static size_t serial_of(builder_t *builder, const tag_t *tag)
{
    builder->last_serial += 2;
    return builder->last_serial | (size_t)(tag->kind == ITEM);
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
    memset(block, 0, sizeof *block);
    block->node = node;
    block->tag = tag;
    block->hidden = hidden;
    if (own) block->attributes = *own;
    if (tag->object) block->name = Py_NewRef(tag->object);
    else {
        if (node) name = (const char *)lexbor.element_name(node, &length);
        block->name = decode(name ? name : "", name ? length : 0);
    }
    if (block->name == NULL || push_size(&builder->serials, serial_of(builder, tag)) < 0) return -1;
    if (builder->page) block->is_figure = is_named(tag, "figure") || is_figure_class(&block->attributes.class);
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

/* ---- blocks */

static int set_marker(PyObject *to, const char *marker)
{
    if (strcmp(marker, "*") == 0) return set_field(to, words.marker, words.bullet);
    return set_new(to, words.marker, PyUnicode_FromString(marker));
}

/* A block as the dict that block_builder.py makes, its fields in the same order. */
static PyObject *dict_of_block(const builder_t *builder, const block_t *block)
{
    PyObject *out = PyDict_New();
    const char *text = builder->texts.data + block->start;

    if (out == NULL) return NULL;
    /* strictly, because what lexbor passes through undecoded is for the Python walk */
    if (set_new(out, words.text, PyUnicode_DecodeUTF8(text, (Py_ssize_t)block->length, NULL)) < 0 ||
        set_field(out, words.tag, block->name) < 0 || set_field(out, words.path, block->path) < 0 ||
        set_new(out, words.links, PyLong_FromSize_t(block->links)) < 0 ||
        (block->is_line && set_field(out, words.br, Py_True) < 0) ||
        (block->marker[0] && set_marker(out, block->marker) < 0) ||
        (block->hidden && set_field(out, words.hidden, words.hiding[block->hidden]) < 0) ||
        (block->is_pre && set_field(out, words.pre, Py_True) < 0) ||
        (block->is_bold && set_field(out, words.bold, Py_True) < 0) ||
        (block->origin && set_field(out, words.origin, words.origins[block->origin]) < 0)) Py_CLEAR(out);
    return out;
}

/* Removes the marker that nc-normalize writes at the start of a block's text. */
static void cut_marker(builder_t *builder, block_t *block)
{
    const char *start = builder->texts.data + block->start, *end = start + block->length, *at = start + 4;
    size_t space;

    if (block->length < 4 || (memcmp(start, "<h> ", 4) != 0 && memcmp(start, "<l> ", 4) != 0)) return;
    while (at < end && (space = space_at(at, end)) != 0) at += space;
    block->start += (size_t)(at - start);
    block->length = (size_t)(end - at);
}

/* With markup, in _markup.h; -1 with an exception. */
static int place_figures_in_text(builder_t *builder);
static int take_markup(builder_t *builder, const block_t *block);
static int keep_images(builder_t *builder);
static int finish_block(builder_t *builder);
static PyObject *dicts_of_blocks(const builder_t *builder, size_t start);
static int finish_row(builder_t *builder, PyObject *cells);
static void end_figure_line(builder_t *builder);

/* Moves the text of the run to the texts, as that of *block*. */
static int take_text(builder_t *builder, block_t *block, size_t *bold)
{
    run_t *run = run_of(builder);
    const char *text = run->text.data, *end = text + run->text.length;

    block->start = builder->texts.length;
    if (builder->pre_depth > 0) {
        if (append_preformatted(&builder->texts, text, end) < 0) return -1;
    } else if (append_collapsed(&builder->texts, text, end) < 0) return -1;
    block->length = builder->texts.length - block->start;
    block->chars = count_chars(builder->texts.data + block->start, block->length);
    if (builder->page && take_markup(builder, block) < 0) return -1;
    return count_spans(builder, run, block->chars, &block->links, bold);
}

/* Appends a block, which then owns its name and path. */
static int add_block(builder_t *builder, const block_t *block)
{
    if ((Py_ssize_t)builder->block_count >= builder->max_blocks) {
        PyErr_SetString(PyExc_OverflowError, "too many blocks");
        return -1;
    }
    if (reserve((void **)&builder->blocks, builder->block_count, &builder->block_capacity, 1, sizeof *block) < 0)
        return -1;
    builder->blocks[builder->block_count] = *block;
    Py_INCREF(block->name);
    Py_INCREF(block->path);
    builder->block_count++;
    return 0;
}

static void drop_blocks(builder_t *builder, size_t count)
{
    while (builder->block_count > count) {
        block_t *block = &builder->blocks[--builder->block_count];
        Py_DECREF(block->name);
        Py_DECREF(block->path);
        Py_XDECREF(block->dict);
    }
}

static enum origin take_origin(builder_t *builder)
{
    enum origin origin = builder->noscript_depth ? OF_NOSCRIPT
                         : builder->shadow_depth || builder->shadow_ended ? OF_SHADOW : OF_PAGE;

    if (origin != OF_PAGE) builder->shadow_ended = false;
    return origin;
}

/* Makes a block of the open text, if there is any. */
static int flush(builder_t *builder)
{
    open_block_t *element = &builder->open_blocks[builder->open_block_count - 1];
    block_t block = {0};
    size_t bold = 0;

    if (builder->page && place_figures_in_text(builder) < 0) return -1;
    if (take_text(builder, &block, &bold) < 0) return -1;
    if (block.length && !(builder->pre_depth && is_space(builder->texts.data + block.start, block.length)))
        cut_marker(builder, &block);
    else block.length = 0;
    if (block.length == 0) {
        builder->texts.length = block.start;
        return builder->page ? keep_images(builder) : 0;
    }
    block.chars = count_chars(builder->texts.data + block.start, block.length);
    block.name = element->name;
    block.tag = element->tag;
    if ((block.path = path_of_builder(builder)) == NULL) return -1;
    block.is_line = builder->breaks == 1;
    memcpy(block.marker, builder->marker, MARKER_SIZE);
    builder->marker[0] = '\0';
    block.hidden = element->hidden;
    block.is_pre = builder->pre_depth > 0;
    block.is_bold = !block.is_pre && (double)bold >= python.min_bold * (double)block.chars;
    block.origin = take_origin(builder);
    builder->breaks = 0;
    if (add_block(builder, &block) < 0) return -1;
    return builder->page ? finish_block(builder) : 0;
}

static int flush_text(builder_t *builder)
{
    return run_of(builder)->ends.count ? flush(builder) : 0;
}

/* Whether the cells of a row can be one block. */
static bool is_data_row(const builder_t *builder, const row_t *row)
{
    const block_t *cells = builder->blocks + row->start;
    size_t count = builder->block_count - row->start;

    if (!row->is_data || count < 2) return false;
    for (size_t at = 0; at < count; at++) {
        if (cells[at].hidden != cells[0].hidden) return false;
        if (cells[at].chars > (size_t)python.max_cell_chars || !(cells[at].tag->groups & CELL_TEXT_TAG)) return false;
    }
    return true;
}

/* Replaces the blocks of a row by one block with tabs between the cells, if the cells are short. */
static int join_cells(builder_t *builder, const row_t *row)
{
    block_t joined = {0};
    size_t start = builder->texts.length;
    PyObject *cells = NULL;
    int status;
    const open_block_t *element = &builder->open_blocks[builder->open_block_count - 1];

    if (!is_data_row(builder, row)) return 0;
    for (size_t at = row->start; at < builder->block_count; at++) {
        const block_t *cell = &builder->blocks[at];
        if (reserve((void **)&builder->texts.data, builder->texts.length, &builder->texts.capacity, cell->length + 1,
                    1) < 0) return -1;
        if (at > row->start && append_bytes(&builder->texts, "\t", 1) < 0) return -1;
        if (append_bytes(&builder->texts, builder->texts.data + cell->start, cell->length) < 0) return -1;
        joined.links += cell->links;
        joined.chars += cell->chars + (at > row->start);
    }
    joined.start = builder->blocks[row->start].start;
    joined.length = builder->texts.length - start;
    memmove(builder->texts.data + joined.start, builder->texts.data + start, joined.length);
    builder->texts.length = joined.start + joined.length;
    joined.hidden = builder->blocks[row->start].hidden;
    joined.origin = builder->blocks[row->start].origin;
    joined.name = element->name;
    joined.tag = element->tag;
    if ((joined.path = path_of_builder(builder)) == NULL) return -1;
    if (builder->page && (cells = dicts_of_blocks(builder, row->start)) == NULL) return -1;
    drop_blocks(builder, row->start);
    status = add_block(builder, &joined);
    if (status == 0 && cells) status = finish_row(builder, cells);
    Py_XDECREF(cells);
    return status;
}

/* ---- starts and ends of elements; -1 with an exception */

static int start_block(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    int hidden;

    if (flush_text(builder) < 0) return -1;
    builder->breaks = (int)python.paragraph_break;
    own = attributes_of(node);
    hidden = builder->open_blocks[builder->open_block_count - 1].hidden;
    if (hidden == SHOWN && (hidden = hiding_of(&own)) < 0) return -1;
    return open_block(builder, node, tag, &own, (enum hiding)hidden) < 0 ? -1 : END_BLOCK;
}

static int end_block(builder_t *builder)
{
    if (flush_text(builder) < 0) return -1;
    builder->breaks = (int)python.paragraph_break;
    close_block(builder);
    return 0;
}

static int start_list(builder_t *builder, node_t *node, const tag_t *tag)
{
    list_t *list;

    if (start_block(builder, node, tag) < 0) return -1;
    if (reserve((void **)&builder->lists, builder->list_count, &builder->list_capacity, 1, sizeof *list) < 0) return -1;
    list = &builder->lists[builder->list_count++];
    list->is_numbered = is_named(tag, "ol");
    list->number = 1;
    if (list->is_numbered && read_number(node, "start", &list->number) < 0) return -1;
    list->number--;
    return END_LIST;
}

static int start_item(builder_t *builder, node_t *node, const tag_t *tag)
{
    list_t *list = builder->list_count ? &builder->lists[builder->list_count - 1] : NULL;

    if (start_block(builder, node, tag) < 0) return -1;
    strcpy(builder->marker, "*");
    if (list && list->is_numbered) {
        list->number++;
        if (read_number(node, "value", &list->number) < 0) return -1;
        PyOS_snprintf(builder->marker, MARKER_SIZE, "%lld.", list->number);
    }
    return END_ITEM;
}

static int start_row(builder_t *builder, node_t *node, const tag_t *tag)
{
    row_t *row;

    if (start_block(builder, node, tag) < 0) return -1;
    if (builder->row_count) builder->rows[builder->row_count - 1].is_data = false;
    if (reserve((void **)&builder->rows, builder->row_count, &builder->row_capacity, 1, sizeof *row) < 0) return -1;
    row = &builder->rows[builder->row_count++];
    row->start = row->cell_start = builder->block_count;
    row->is_data = true;
    return END_ROW;
}

static int end_row(builder_t *builder)
{
    if (flush_text(builder) < 0) return -1;
    builder->breaks = (int)python.paragraph_break;
    if (join_cells(builder, &builder->rows[--builder->row_count]) < 0) return -1;
    close_block(builder);
    return 0;
}

static int start_cell(builder_t *builder, node_t *node, const tag_t *tag)
{
    if (start_block(builder, node, tag) < 0) return -1;
    if (builder->row_count) builder->rows[builder->row_count - 1].cell_start = builder->block_count;
    return END_CELL;
}

static int end_cell(builder_t *builder)
{
    row_t *row;

    if (end_block(builder) < 0) return -1;
    if (builder->row_count == 0) return 0;
    row = &builder->rows[builder->row_count - 1];
    if ((Py_ssize_t)builder->block_count - (Py_ssize_t)row->cell_start > 1) row->is_data = false;
    return 0;
}

/* The node after *node* below *root*, depth first; NULL at the end. */
static node_t *next_node(node_t *node, const node_t *root)
{
    if (node->first_child) return node->first_child;
    while (node != root && node->next == NULL) node = node->parent;
    return node == root ? NULL : node->next;
}

/* The first text below *root* that is not white space; NULL if there is none. */
static const text_node_t *first_text(node_t *root)
{
    for (node_t *node = root; node != NULL; node = next_node(node, root)) {
        const text_node_t *text = (const text_node_t *)node;
        if (node->type == TEXT_NODE && text->data && !is_space((const char *)text->data, text->length)) return text;
    }
    return NULL;
}

static int start_noscript(builder_t *builder, node_t *node, const tag_t *tag)
{
    if (run_of(builder)->ends.count && first_text(node) == NULL) return END_NOTHING; /* an image within a sentence */
    if (start_block(builder, node, tag) < 0) return -1;
    builder->noscript_depth++;
    return END_NOSCRIPT;
}

static int start_link(builder_t *builder)
{
    run_t *run = run_of(builder);
    const sizes_t *spans = &run->link_spans;

    if (spans->count && spans->items[spans->count - 1] == run->ends.count && append_part(run, " ", 1) < 0) return -1;
    run->link_start = (Py_ssize_t)run->ends.count;
    return 0;
}

static int end_link(run_t *run)
{
    if (run->link_start < 0) return 0;
    if (push_span(&run->link_spans, (size_t)run->link_start, run->ends.count) < 0) return -1;
    run->link_start = -1;
    return 0;
}

static void start_bold(builder_t *builder)
{
    run_t *run = run_of(builder);

    if (builder->bold_depth++ == 0) run->bold_start = run->ends.count;
}

static int end_bold(builder_t *builder)
{
    run_t *run = run_of(builder);

    if (--builder->bold_depth != 0) return 0;
    return push_span(&run->bold_spans, run->bold_start, run->ends.count);
}

static int start_break(builder_t *builder, const tag_t *tag)
{
    if (builder->page && run_of(builder)->ends.count == 0) end_figure_line(builder);
    if (builder->pre_depth) return append_part(run_of(builder), "\n", 1) < 0 ? -1 : END_NOTHING;
    if (flush_text(builder) < 0) return -1;
    builder->breaks += is_named(tag, "hr") ? (int)python.paragraph_break : 1;
    return END_NOTHING;
}

/* The text of a superscript or subscript (a new reference), by the Python functions. */
static PyObject *written(const run_t *run, size_t start, bool is_superscript, PyObject *content)
{
    size_t from = start > (size_t)python.max_parts_before ? start - (size_t)python.max_parts_before : 0;
    size_t at = part_start(run, from), spans = run->link_spans.count;
    bool is_link = run->link_start == (Py_ssize_t)start || (spans && run->link_spans.items[spans - 2] >= start);
    PyObject *before = decode(run->text.data + at, part_start(run, start) - at), *result;

    if (before == NULL) return NULL;
    result = is_superscript
                 ? PyObject_CallFunctionObjArgs(python.superscript, content, before, is_link ? Py_True : Py_False, NULL)
                 : PyObject_CallFunctionObjArgs(python.subscript, content, before, NULL);
    Py_DECREF(before);
    return result;
}

/* Puts *text* in the place of the content of the parts from number *start*, which become one part. */
static int replace_parts(run_t *run, size_t start, slice_t content, PyObject *text)
{
    Py_ssize_t length;
    const char *new = PyUnicode_AsUTF8AndSize(text, &length);
    size_t tail = (size_t)(run->text.data + run->text.length - content.end);
    size_t at = (size_t)(content.start - run->text.data), from = (size_t)(content.end - run->text.data);

    if (new == NULL) return -1;
    if (reserve((void **)&run->text.data, run->text.length, &run->text.capacity, (size_t)length, 1) < 0) return -1;
    memmove(run->text.data + at + length, run->text.data + from, tail);
    memcpy(run->text.data + at, new, (size_t)length);
    run->text.length = at + (size_t)length + tail;
    run->ends.count = start;
    return push_size(&run->ends, run->text.length);
}

/* Writes the text of the superscript or subscript that ends here. *has_markup*: the marks in it move. */
static int end_raised(run_t *run, bool is_superscript, bool has_markup)
{
    size_t start;
    slice_t part;
    PyObject *content, *text;
    int status = 0;

    if (run->raised_starts.count == 0) return 0;
    start = run->raised_starts.items[--run->raised_starts.count];
    if (start >= run->ends.count) return 0;
    part.start = run->text.data + part_start(run, start);
    part.end = run->text.data + run->text.length;
    strip(&part.start, &part.end);
    if ((content = decode(part.start, (size_t)(part.end - part.start))) == NULL) return -1;
    text = written(run, start, is_superscript, content);
    if (text == NULL) status = -1;
    else if (PyUnicode_Compare(text, content) != 0) {
        if (has_markup) status = move_raised_marks(run, start, part, content, text);
        if (status == 0) status = replace_parts(run, start, part, text);
    }
    Py_XDECREF(text);
    Py_DECREF(content);
    return status;
}

/* Whether a class may be that of a formula: as math_text._FORMULA_CLASS has it, or not in ASCII. */
static bool may_be_formula_class(attribute_t own)
{
    static const char *const WORDS[] = {"math", "mathml", "mathjax", "katex", "tex", "latex", "formula", "equation", "mjx",
                                        "mwe"};
    const char *at = own.value, *end = at + own.length;

    if (own.length == 0) return false;
    if (!is_ascii(own.value, own.length)) return true;
    while (at < end) {
        const char *word = at;
        while (at < end && *at != '_' && *at != '-' && !SPACES[(unsigned char)*at]) at++;
        for (size_t i = 0; at > word && i < sizeof WORDS / sizeof *WORDS; i++)
            if (strlen(WORDS[i]) == (size_t)(at - word) && contains(word, at, WORDS[i], NULL)) return true;
        at += at < end;
    }
    return false;
}

/* Whether an element may be what math_text.is_formula recognises. */
static bool may_be_formula(node_t *root, const attributes_t *own)
{
    const text_node_t *text;

    if (may_be_formula_class(own->class)) return true;
    for (node_t *node = root->first_child; node != NULL; node = next_node(node, root))
        if (node->type == ELEMENT_NODE && is_named(tag_of(node), "math")) return true;
    if ((text = first_text(root)) != NULL) {
        const char *at = (const char *)text->data, *end = at + text->length;
        strip(&at, &end);
        return *at == '\\' || *at == '$' || *at == '{';
    }
    return false;
}

/* Begins a separate block for an inline element if its attributes, *own*, hide it. Returns what its end does. */
static int hide_inline(builder_t *builder, node_t *node, const tag_t *tag, const attributes_t *own)
{
    int hidden, answer;

    if ((hidden = hiding_of(own)) < 0) return -1;
    if (hidden == SHOWN) return END_NOTHING;
    if (hidden == FROM_READERS) {
        if (!may_be_formula_class(own->class) && !is_named(tag, "nobr")) return END_NOTHING;
        answer = is_true_of_node(builder, python.is_drawn_again, node, true);
        return answer < 0 ? -1 : answer ? END_SKIPPED : END_NOTHING;
    }
    if (builder->run_count == 1 && may_be_formula(node, own)) {
        if ((answer = is_true_of_node(builder, python.is_formula, node, false)) < 0) return -1;
        if (answer) {
            answer = is_true_of_node(builder, python.is_shown_beside, node, false);
            return answer < 0 ? -1 : answer ? END_SKIPPED : END_NOTHING;
        }
    }
    if (open_block(builder, node, tag, own, (enum hiding)hidden) < 0 || open_run(builder) < 0) return -1;
    return END_HIDDEN_INLINE;
}

static int start_inline(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;

    if (lexbor.first_attribute(node) == NULL) return END_NOTHING;
    own = attributes_of(node);
    return hide_inline(builder, node, tag, &own);
}

static int end_hidden_inline(builder_t *builder)
{
    if (flush_text(builder) < 0) return -1;
    close_run(builder);
    close_block(builder);
    return 0;
}

/* Notes an element that may hold content outside the visible tree: the number of blocks before it, its path, itself. */
static int add_holder(builder_t *builder, node_t *node, const tag_t *tag, bool is_script)
{
    Py_ssize_t position = (Py_ssize_t)(builder->block_count + (run_of(builder)->ends.count > 0));
    PyObject *path = is_script ? PyUnicode_New(0, 0) : Py_XNewRef(path_of_builder(builder)), *holder;
    int status;

    if (path == NULL) return -1;
    holder = Py_BuildValue("nNOK", position, path, tag->object, (unsigned long long)(uintptr_t)node);
    if (holder == NULL) return -1;
    status = PyList_Append(builder->holders, holder);
    Py_DECREF(holder);
    return status;
}

static int start_skipped(builder_t *builder, node_t *node, const tag_t *tag)
{
    bool is_script = is_named(tag, "script");

    if (is_script) {
        attribute_t type = attribute_of(node, "type");
        if (type.length >= 5 && memcmp(type.value, "math/", 5) == 0) {
            size_t parts = run_of(builder)->ends.count;
            if (append_text_of_node(builder, python.tex_of_script, node) < 0) return -1;
            if (run_of(builder)->ends.count > parts) return END_SKIPPED;
        }
    }
    if (builder->holders != Py_None && tag->groups & HOLDER_TAG && add_holder(builder, node, tag, is_script) < 0) return -1;
    return END_SKIPPED;
}

#include "_figures.h"
#include "_markup.h"

static int start_raised(builder_t *builder, const tag_t *tag)
{
    run_t *run = run_of(builder);
    bool is_superscript = is_named(tag, "sup");

    if (push_size(&run->raised_starts, run->ends.count) < 0) return -1;
    if (builder->page == NULL) return is_superscript ? END_SUP : END_SUB;
    if (open_entry(builder, tag->entry) < 0) return -1;
    return is_superscript ? END_MARKED_SUP : END_MARKED_SUB;
}

/* What the start of an element of a kind does. Returns what its end does. */
static int start_of_kind(builder_t *builder, node_t *node, const tag_t *tag, enum kind kind)
{
    run_t *run = run_of(builder);

    switch (kind) {
    case BLOCK: return start_block(builder, node, tag);
    case LIST: return start_list(builder, node, tag);
    case ITEM: return start_item(builder, node, tag);
    case ROW: return start_row(builder, node, tag);
    case CELL: return start_cell(builder, node, tag);
    case PRE:
        if (start_block(builder, node, tag) < 0) return -1;
        builder->pre_depth++;
        return END_PRE;
    case NOSCRIPT: return start_noscript(builder, node, tag);
    case SHADOW_ROOT: builder->shadow_depth++; return END_SHADOW_ROOT;
    case LINK: return start_link(builder) < 0 ? -1 : END_LINK;
    case BOLD: start_bold(builder); return END_BOLD;
    case BREAK: return start_break(builder, tag);
    case CONTROL: return run->ends.count && append_part(run, " ", 1) < 0 ? -1 : END_NOTHING;
    case RAISED: case MARKED_RAISED: return start_raised(builder, tag);
    case MATH: return append_text_of_node(builder, python.math_text, node) < 0 ? -1 : END_SKIPPED;
    case SKIPPED: return start_skipped(builder, node, tag);
    case MARKED: return start_marked(builder, node, tag);
    case STYLED: return start_styled(builder, node, tag);
    case MARKED_BOLD: return start_marked_bold(builder, node);
    case ANCHOR: return start_anchor(builder, node);
    case BASE: return start_base(builder, node);
    case IMAGE: return start_image(builder, node);
    case CONTEXT: case INLINE: break;
    }
    return start_inline(builder, node, tag);
}

/* The same, with markup. */
static int start_by_kind(builder_t *builder, node_t *node, const tag_t *tag)
{
    int end;

    if (tag->marked != CONTEXT) return start_of_kind(builder, node, tag, tag->marked ? tag->marked : tag->kind);
    if ((end = start_of_kind(builder, node, tag, tag->kind)) < 0 || open_context(builder) < 0) return -1;
    return end | IN_CONTEXT;
}

/* What the start of an element does. Returns what its end does. */
static int start_element(builder_t *builder, node_t *node)
{
    const tag_t *tag = tag_of(node);
    const detail_t *detail;

    if (builder->page == NULL) return start_of_kind(builder, node, tag, tag->kind);
    detail = detail_of(builder->page, node);
    return detail ? start_detailed(builder, node, tag, detail) : start_by_kind(builder, node, tag);
}

static int end_marked_raised(builder_t *builder, bool is_superscript)
{
    if (end_raised(run_of(builder), is_superscript, true) < 0) return -1;
    close_entry(builder);
    return 0;
}

/* What the end of an element does, by its kind. */
static int end_of_kind(builder_t *builder, enum end end)
{
    switch (end) {
    case END_NOTHING: case END_SKIPPED: return 0;
    case END_BLOCK: return end_block(builder);
    case END_LIST: builder->list_count--; return end_block(builder);
    case END_ITEM:
        if (end_block(builder) < 0) return -1;
        builder->marker[0] = '\0';
        return 0;
    case END_ROW: return end_row(builder);
    case END_CELL: return end_cell(builder);
    case END_PRE:
        if (end_block(builder) < 0) return -1;
        builder->pre_depth--;
        return 0;
    case END_NOSCRIPT:
        if (end_block(builder) < 0) return -1;
        builder->noscript_depth--;
        return 0;
    case END_SHADOW_ROOT:
        builder->shadow_depth--;
        builder->shadow_ended = run_of(builder)->ends.count > 0;
        return 0;
    case END_LINK: return end_link(run_of(builder));
    case END_BOLD: return end_bold(builder);
    case END_SUB: return end_raised(run_of(builder), false, false);
    case END_SUP: return end_raised(run_of(builder), true, false);
    case END_HIDDEN_INLINE: return end_hidden_inline(builder);
    case END_MARKED: close_entry(builder); return 0;
    case END_MARKED_BOLD: close_entry(builder); return end_bold(builder);
    case END_MARKED_SUB: return end_marked_raised(builder, false);
    case END_MARKED_SUP: return end_marked_raised(builder, true);
    case END_ANCHOR: close_entry(builder); return end_link(run_of(builder));
    }
    return 0;
}

/* What the end of an element does. */
static int end_element(builder_t *builder, int end)
{
    if (end_of_kind(builder, (enum end)(end & END_MASK)) < 0) return -1;
    if (end & IN_CONTEXT) builder->page->context_count--;
    return end & IN_DETAIL ? end_detail(builder) : 0;
}

/* ---- the loop */

static int push_open(builder_t *builder, node_t *node, int end)
{
    if (reserve((void **)&builder->open, builder->open_count, &builder->open_capacity, 1, sizeof *builder->open) < 0)
        return -1;
    builder->open[builder->open_count].node = node;
    builder->open[builder->open_count++].end = end;
    return 0;
}

/* Ends the elements that *parent* is not in. */
static int end_elements(builder_t *builder, const node_t *parent)
{
    while (builder->open[builder->open_count - 1].node != parent)
        if (end_element(builder, builder->open[--builder->open_count].end) < 0) return -1;
    return 0;
}

/* Adds a text, once the elements before it have ended. */
static int add_text(builder_t *builder, node_t *node, slice_t text)
{
    run_t *run = run_of(builder);
    size_t parts = run->ends.count;

    if (parts && (unsigned char)*text.start > ' ' && !builder->pre_depth) {
        slice_t last = {run->text.data + part_start(run, parts - 1), run->text.data + run->text.length};
        /* for most texts this test suffices */
        if ((unsigned char)last.end[-1] > ' ' && needs_space(last, text, node) && append_part(run, " ", 1) < 0)
            return -1;
    }
    if (!parts && !builder->pre_depth && is_space(text.start, (size_t)(text.end - text.start))) return 0;
    return append_part(run, text.start, (size_t)(text.end - text.start));
}

static int visit_text(builder_t *builder, node_t *node)
{
    const text_node_t *own = (const text_node_t *)node;
    const open_t *last = &builder->open[builder->open_count - 1];
    slice_t text = {(const char *)own->data, (const char *)own->data + own->length};

    if (last->end == END_SKIPPED && last->node == node->parent) return 0;
    if (own->data == NULL || own->length == 0) return 0;
    if (run_of(builder)->ends.count == 0 && !builder->pre_depth && is_space(text.start, own->length)) return 0;
    if (end_elements(builder, node->parent) < 0) return -1;
    if (builder->open[builder->open_count - 1].end == END_SKIPPED) return 0;
    return add_text(builder, node, text);
}

static int visit_element(builder_t *builder, node_t *node)
{
    int end = END_SKIPPED;

    if (end_elements(builder, node->parent) < 0) return -1;
    if (builder->open[builder->open_count - 1].end != END_SKIPPED && (end = start_element(builder, node)) < 0)
        return -1;
    return push_open(builder, node, end);
}

/* Sends the start and the end of each element, and each text, to the builder. The order of events is that of the
 * Python walk, which ends elements when the next element or text begins. */
static int walk(builder_t *builder, node_t *root)
{
    if (push_open(builder, root->parent, END_NOTHING) < 0) return -1;
    for (node_t *node = root; node != NULL; node = next_node(node, root)) {
        if (node->type == TEXT_NODE) {
            if (visit_text(builder, node) < 0) return -1;
        } else if (node->type == ELEMENT_NODE && visit_element(builder, node) < 0) return -1;
    }
    while (builder->open_count > 0)
        if (end_element(builder, builder->open[--builder->open_count].end) < 0) return -1;
    return 0;
}

/* ---- the result */

static PyObject *list_of_blocks(const builder_t *builder)
{
    PyObject *out = PyList_New((Py_ssize_t)builder->block_count);

    for (size_t at = 0; out && at < builder->block_count; at++) {
        const block_t *own = &builder->blocks[at];
        PyObject *block = own->dict ? Py_NewRef(own->dict) : dict_of_block(builder, own);
        if (block) PyList_SET_ITEM(out, (Py_ssize_t)at, block);
        else Py_CLEAR(out);
    }
    return out;
}

static void free_builder(builder_t *builder)
{
    while (builder->run_count > 0) close_run(builder);
    while (builder->open_block_count > 0) close_block(builder);
    drop_blocks(builder, 0);
    PyMem_RawFree(builder->texts.data);
    PyMem_RawFree(builder->blocks);
    PyMem_RawFree(builder->open);
    PyMem_RawFree(builder->open_blocks);
    PyMem_RawFree(builder->runs);
    PyMem_RawFree(builder->serials.items);
    PyMem_RawFree(builder->lists);
    PyMem_RawFree(builder->rows);
}

PyDoc_STRVAR(blocks_doc, "blocks(root, node_at, holders, most)\n--\n\n"
"The blocks below the node with the address *root*. *node_at* returns the Python node at an address. A list *holders*\n"
"gets (position, path, name, address) of each element that may hold hidden content. Raises UnicodeDecodeError for a text that\n"
"is not UTF-8, and OverflowError for more than *most* blocks.");

static bool is_ready(void)
{
    if (lexbor.element_name != NULL && python.hiding_of != NULL) return true;
    PyErr_SetString(PyExc_RuntimeError, "connect and setup have not been called");
    return false;
}

/* Reads the page below *root*. Returns -1 with an exception. */
static int build(builder_t *builder, node_t *root)
{
    builder->breaks = (int)python.paragraph_break;
    if (open_run(builder) < 0 || open_block(builder, NULL, &UNKNOWN_TAG, NULL, SHOWN) < 0) return -1;
    return walk(builder, root);
}

static PyObject *core_blocks(PyObject *module, PyObject *args)
{
    unsigned long long root;
    builder_t builder = {0};
    PyObject *out = NULL;

    if (!PyArg_ParseTuple(args, "KOOn", &root, &builder.node_at, &builder.holders, &builder.max_blocks) || !is_ready())
        return NULL;
    if (build(&builder, (node_t *)(uintptr_t)root) == 0) out = list_of_blocks(&builder);
    free_builder(&builder);
    return out;
}

PyDoc_STRVAR(marked_blocks_doc, "marked_blocks(root, node_at, holders, links, items, details, most)\n--\n\n"
"As `blocks`, with markup: a list, and whether an image beside a block is a formula. *links* resolves addresses, *items*\n"
"has the numbers of items. *details*: dicts by address of the entries of spans, of fields, of fields of the next block, and\n"
"a function that adds fields to a block.");

static PyObject *core_marked_blocks(PyObject *module, PyObject *args)
{
    unsigned long long root;
    builder_t builder = {0};
    page_t page = {0};
    PyObject *out = NULL, *links, *items, *details;

    if (!PyArg_ParseTuple(args, "KOOOOO!n", &root, &builder.node_at, &builder.holders, &links, &items, &PyTuple_Type,
                          &details, &builder.max_blocks) || !is_ready()) return NULL;
    builder.page = &page;
    if (markup.join == NULL) PyErr_SetString(PyExc_RuntimeError, "setup_markup has not been called");
    else if (open_page(&page, links, items, details) == 0 && build(&builder, (node_t *)(uintptr_t)root) == 0 &&
             attach_figures(&builder, NULL, false) == 0) {
        PyObject *blocks = list_of_blocks(&builder);
        if (blocks) out = Py_BuildValue("(NO)", blocks, page.has_formula_images ? Py_True : Py_False);
    }
    free_builder(&builder);
    close_page(&page);
    return out;
}

#include "_survey.h"

PyDoc_STRVAR(text_doc, "text(node)\n--\n\nThe text of all nodes below an address.");

static PyObject *core_text(PyObject *module, PyObject *args)
{
    unsigned long long address;

    return PyArg_ParseTuple(args, "K", &address) ? text_below((node_t *)(uintptr_t)address) : NULL;
}

PyDoc_STRVAR(attributes_doc, "attributes(element)\n--\n\nThe attributes of the element with an address.");

static PyObject *core_attributes(PyObject *module, PyObject *args)
{
    unsigned long long address;

    return PyArg_ParseTuple(args, "K", &address) ? dict_of_attributes((node_t *)(uintptr_t)address) : NULL;
}

/* ---- a check of the library: nodes as the functions and the structures have them */

/* Whether the structures have what the functions return; the text is not read before its length agrees. */
static bool is_same_structure(node_t *node)
{
    const text_node_t *own = (const text_node_t *)node;
    unsigned char *text;
    size_t length = 0;
    bool same;

    if (lexbor.next(node) != node->next || lexbor.prev(node) != node->prev || lexbor.parent(node) != node->parent ||
        lexbor.first_child(node) != node->first_child) return false;
    if (node->type == ELEMENT_NODE) return tag_of(node) == named_tag(node);
    if (node->type != TEXT_NODE) return true;
    if ((text = lexbor.text_content(node, &length)) == NULL) return own->length == 0;
    same = own->length == length && memcmp(own->data, text, length) == 0;
    lexbor.destroy_text(node->owner_document, text);
    return same;
}

static PyObject *describe(node_t *node)
{
    const text_node_t *text = (const text_node_t *)node;
    size_t length = 0;
    const char *name;

    if (node->type == TEXT_NODE)
        return Py_BuildValue("(Ks#)", (unsigned long long)(uintptr_t)node, text->data, (Py_ssize_t)text->length);
    if (node->type != ELEMENT_NODE) return Py_BuildValue("(K)", (unsigned long long)(uintptr_t)node);
    name = (const char *)lexbor.element_name(node, &length);
    return Py_BuildValue("(Ks#N)", (unsigned long long)(uintptr_t)node, name, (Py_ssize_t)length,
                         dict_of_attributes(node));
}

PyDoc_STRVAR(nodes_doc, "nodes(root)\n--\n\n"
"The nodes below an address: the address of each, of a text its text, of an element its name and attributes. None if\n"
"the library's structures are not those that this module knows.");

static PyObject *core_nodes(PyObject *module, PyObject *args)
{
    unsigned long long root;
    PyObject *out;

    if (!PyArg_ParseTuple(args, "K", &root)) return NULL;
    if ((out = PyList_New(0)) == NULL) return NULL;
    for (node_t *node = (node_t *)(uintptr_t)root; node; node = next_node(node, (node_t *)(uintptr_t)root)) {
        PyObject *one;
        int status;
        if (!is_same_structure(node)) {
            Py_DECREF(out);
            Py_RETURN_NONE;
        }
        one = describe(node);
        status = one ? PyList_Append(out, one) : -1;
        Py_XDECREF(one);
        if (status < 0) {
            Py_DECREF(out);
            return NULL;
        }
    }
    return out;
}

/* ---- setting up */

/* A function of the library, as a pointer of the type it is assigned to (POSIX allows the conversion). */
static int find_symbol(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);

    if (found == NULL) {
        PyErr_Format(PyExc_ImportError, "the library has no %s", name);
        return -1;
    }
    memcpy(to, &found, sizeof found);
    return 0;
}

static int find_symbols(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const struct { const char *name; void *to; } symbols[] = {
        {"lxb_dom_element_qualified_name", &lexbor.element_name},
        {"lxb_dom_attr_qualified_name", &lexbor.attribute_name},
        {"lxb_dom_attr_value_noi", &lexbor.attribute_value},
        {"lxb_dom_element_first_attribute_noi", &lexbor.first_attribute},
        {"lxb_dom_element_next_attribute_noi", &lexbor.next_attribute},
        {"lxb_dom_node_next_noi", &lexbor.next},
        {"lxb_dom_node_prev_noi", &lexbor.prev},
        {"lxb_dom_node_parent_noi", &lexbor.parent},
        {"lxb_dom_node_first_child_noi", &lexbor.first_child},
        {"lxb_dom_node_text_content", &lexbor.text_content},
        {"lxb_dom_document_destroy_text_noi", &lexbor.destroy_text},
    };

    if (library == NULL) {
        PyErr_Format(PyExc_ImportError, "%s is not loaded", path);
        return -1;
    }
    for (size_t at = 0; at < sizeof symbols / sizeof *symbols; at++)
        if (find_symbol(library, symbols[at].name, symbols[at].to) < 0) return -1;
    return 0;
}

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
#include "_scan.h"

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
        {&words.resolve, "resolve"}, {&words.set_base, "set_base"}, {&words.host, "host"}, {&words.page, "page"},
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

    if (!PyArg_ParseTuple(args, "O!OOO!(dnnnnnn)", &PyList_Type, &tag_list, &edge_pairs, &element_pairs, &PyDict_Type, &functions,
                          &python.min_bold, &python.paragraph_break, &python.max_cell_chars, &python.max_name_chars,
                          &python.max_path_chars, &python.max_parts_before, &python.max_note_chars)) return NULL;
    if (set_functions(functions, wanted, sizeof wanted / sizeof *wanted) < 0 || add_tags(tag_list) < 0) return NULL;
    if (add_pairs(edge_pairs, EDGE_PAIR) < 0 || add_pairs(element_pairs, ELEMENT_PAIR) < 0) return NULL;
    Py_RETURN_NONE;
}

/* What an element does with markup: its name, the name of the method that begins it, the kind of its span or "". */
static int add_marked_tag(PyObject *name, const char *start, const char *span)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(name, &length);
    PyObject *kind_object;
    int kind = 0;
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
    if ((kind_object = PyUnicode_InternFromString(span)) == NULL) return -1;
    Py_XSETREF(tag->entry, PyTuple_Pack(1, kind_object));
    Py_DECREF(kind_object);
    return tag->entry ? 0 : -1;
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

/* Keeps a list of words, which must be ASCII. */
static int set_word_list(PyObject **to, PyObject *list)
{
    PyObject *words_of = PySequence_Tuple(list);

    if (words_of == NULL) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words_of); i++) {
        PyObject *word = PyTuple_GET_ITEM(words_of, i);
        if (PyUnicode_Check(word) && PyUnicode_IS_ASCII(word)) continue;
        PyErr_SetString(PyExc_ValueError, "expected words in ASCII");
        Py_DECREF(words_of);
        return -1;
    }
    Py_XSETREF(*to, words_of);
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
        {"keep_part", &markup.keep_part}, {"join", &markup.join}, {"drop_in_formulas", &markup.drop_in_formulas},
    };
    PyObject *tag_list, *functions, *wrapper, *lists[4];

    if (!PyArg_ParseTuple(args, "O!O!U(nnnnnnnn)(OOOO)", &PyList_Type, &tag_list, &PyDict_Type, &functions, &wrapper,
                          &markup.max_level, &markup.max_role_depth, &markup.max_url_chars, &markup.max_sources,
                          &markup.max_waited, &markup.enough_chars, &markup.max_alt_chars, &markup.max_pixel_size,
                          &lists[0], &lists[1], &lists[2], &lists[3])) return NULL;
    if (set_word_list(&markup.lazy_sources, lists[0]) < 0 || set_word_list(&markup.suspects, lists[1]) < 0 ||
        set_word_list(&markup.suspect_parts, lists[2]) < 0 || set_word_list(&markup.suspect_classes, lists[3]) < 0)
        return NULL;
    if (PyTuple_GET_SIZE(markup.lazy_sources) > MAX_LAZY_SOURCES) {
        PyErr_SetString(PyExc_ValueError, "too many attributes");
        return NULL;
    }
    Py_XSETREF(markup.wrapper_object, Py_NewRef(wrapper));
    Py_XSETREF(markup.strong, Py_BuildValue("(s)", "strong"));
    Py_XSETREF(markup.em, Py_BuildValue("(s)", "em"));
    if ((markup.wrapper = PyUnicode_AsUTF8(wrapper)) == NULL || !markup.strong || !markup.em) return NULL;
    if (set_words() < 0 || add_marked_tags(tag_list) < 0) return NULL;
    if (set_functions(functions, wanted, sizeof wanted / sizeof *wanted) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", core_setup, METH_VARARGS, setup_doc},
    {"setup_markup", core_setup_markup, METH_VARARGS, setup_markup_doc},
    {"connect", core_connect, METH_VARARGS, connect_doc},
    {"nodes", core_nodes, METH_VARARGS, nodes_doc},
    {"survey", core_survey, METH_VARARGS, survey_doc},
    {"selectors", core_selectors, METH_O, selectors_doc},
    {"present", core_present, METH_VARARGS, present_doc},
    {"scan", core_scan, METH_O, scan_doc},
    {"has_special", core_has_special, METH_VARARGS, has_special_doc},
    {"may_be_deep", core_may_be_deep, METH_VARARGS, may_be_deep_doc},
    {"text", core_text, METH_VARARGS, text_doc},
    {"attributes", core_attributes, METH_VARARGS, attributes_doc},
    {"blocks", core_blocks, METH_VARARGS, blocks_doc},
    {"marked_blocks", core_marked_blocks, METH_VARARGS, marked_blocks_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ncfilters.page._core", "The walk over a parsed page, compiled.", -1, methods, NULL, NULL, NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModule_Create(&definition);
}
