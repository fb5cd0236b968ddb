/* The text of code, without line numbers and buttons: as code_text.py. `_core.c` includes it. */

/* What the name and the class of an element in code say, as code_text.kind_of has it. */
enum {
    SKIPPED_IN_CODE = 1, NO_CODE_CLASS = 2, NUMBERED_CLASS = 4, CODE_LINE = 8, CODE_BLOCK = 16, MAY_BE_STYLED_LINE = 32,
    KIND_IS_KNOWN = 64
};
enum { KIND_SLOTS = 1024, MAX_KIND_KEY = 61 };

/* Kinds that have been asked for: of an element's name, a space and its class. */
typedef struct {
    unsigned char kind, length;
    char key[MAX_KIND_KEY];
} known_kind_t;
static known_kind_t known_kinds[KIND_SLOTS];

/* The attributes that say whether an element in code is a line, or no code. */
typedef struct {
    attribute_t class, style, role;
    bool has_others, has_line, has_number, is_unselectable;
} code_attributes_t;

/* A line that has begun: its element, and the pieces before it. */
typedef struct {
    node_t *node;
    size_t parts;
    bool is_block;
} open_line_t;

/* As code_text._Lines. *skipped* are the addresses of cells without code, or None if they are not known. */
typedef struct {
    buffer_t text;
    size_t parts, line_count, line_capacity;
    open_line_t *lines;
    PyObject *kind_of, *skipped;
    bool is_pre, is_soft_end, is_block_end, after_break;
    bool is_unusual; /* Python has to read it */
} code_reader_t;

static const char *const PRE_NAMES[] = {"pre", "listing", "xmp", "plaintext", NULL};

/* ---- elements */

static known_kind_t *kind_slot(const char *key, size_t length)
{
    uint32_t hash = (uint32_t)length;

    for (size_t at = 0; at < length; at++) hash = (hash ^ (unsigned char)key[at]) * 0x01000193u;
    return &known_kinds[(hash ^ hash >> 15) % KIND_SLOTS];
}

static int ask_kind(PyObject *kind_of, const char *name, size_t length, attribute_t class)
{
    PyObject *tag = decode(name, length), *classes = decode(class.length ? class.value : "", class.length), *kind = NULL;
    long out = -1;

    if (tag && classes) kind = PyObject_CallFunctionObjArgs(kind_of, tag, classes, NULL);
    if (kind) out = PyLong_AsLong(kind);
    Py_XDECREF(tag);
    Py_XDECREF(classes);
    Py_XDECREF(kind);
    return PyErr_Occurred() ? -1 : (int)out;
}

/* What an element's name and class say; -1 with an exception. */
static int kind_in_code(PyObject *kind_of, node_t *node, attribute_t class)
{
    size_t length = 0, size;
    const char *name = (const char *)lexbor.element_name(node, &length);
    char key[MAX_KIND_KEY];
    known_kind_t *known;
    int kind;

    if (name == NULL) name = "", length = 0;
    size = length + 1 + class.length;
    if (size > MAX_KIND_KEY) return ask_kind(kind_of, name, length, class);
    memcpy(key, name, length);
    key[length] = ' ';
    if (class.length) memcpy(key + length + 1, class.value, class.length);
    known = kind_slot(key, size);
    if (known->kind && known->length == size && memcmp(known->key, key, size) == 0) return known->kind & ~KIND_IS_KNOWN;
    if ((kind = ask_kind(kind_of, name, length, class)) < 0) return -1;
    known->kind = (unsigned char)(kind | KIND_IS_KNOWN);
    known->length = (unsigned char)size;
    memcpy(known->key, key, size);
    return kind;
}

static bool is_called(const char *name, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(name, wanted, length) == 0;
}

static code_attributes_t attributes_in_code(node_t *node)
{
    code_attributes_t own = {.has_others = false};
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        if (name == NULL) continue;
        if (is_called(name, length, "class")) {
            set_attribute(&own.class, at);
            continue;
        }
        own.has_others = true;
        if (is_called(name, length, "style")) set_attribute(&own.style, at);
        else if (is_called(name, length, "role")) set_attribute(&own.role, at);
        else if (is_called(name, length, "unselectable")) own.is_unselectable = true;
        else if (is_called(name, length, "data-line")) own.has_line = true;
        else if (is_called(name, length, "data-line-number") || is_called(name, length, "data-linenumber") ||
                 is_called(name, length, "data-pseudo-content")) own.has_number = true;
    }
    return own;
}

/* Whether a style in ASCII has a property, which ends with ":", with a value that begins with one of *values*. */
static bool has_property(attribute_t style, const char *property, const char *const *values)
{
    const char *at = style.value, *end = at + style.length;

    while (style.length && contains(at, end, property, &at)) {
        const char *from = at;
        while (from < end && SPACES[(unsigned char)*from]) from++;
        for (const char *const *value = values; *value; value++) {
            size_t size = strlen(*value), same = 0;
            while (same < size && from + same < end && lower(from[same]) == (*value)[same]) same++;
            if (same == size) return true;
        }
    }
    return false;
}

static bool is_unselectable(const code_attributes_t *own)
{
    static const char *const NONE[] = {"none", NULL};

    return own->is_unselectable || has_property(own->style, "user-select:", NONE);
}

static bool is_styled_line(const code_attributes_t *own)
{
    static const char *const LINES[] = {"block", "table-row", "flex", "grid", NULL};

    return own->has_line || has_property(own->style, "display:", LINES);
}

/* Whether the text of an element is empty, or has numbers, as code_text._NUMBERS has them. */
static bool has_numbers(node_t *root)
{
    bool has_digit = false, is_empty = true;

    for (node_t *node = root; node; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        const char *at = (const char *)own->data, *end;
        if (node->type != TEXT_NODE || own->data == NULL || own->length == 0) continue;
        is_empty = false;
        for (end = at + own->length; at < end; at += char_size(at, end)) {
            if (Py_UNICODE_ISDECIMAL(char_at(at, end))) has_digit = true;
            else if (!space_at(at, end) && *at != '.' && *at != ':' && *at != '|') return false;
        }
    }
    return has_digit || is_empty;
}

/* As code_text.is_no_code. */
static bool is_no_code(node_t *node, const code_attributes_t *own, int kind)
{
    if (kind & SKIPPED_IN_CODE) return true;
    if (kind & NO_CODE_CLASS) return !(kind & NUMBERED_CLASS) || has_numbers(node);
    if (!own->has_others) return false;
    if (own->has_number || is_unselectable(own)) return has_numbers(node);
    return is_value(own->role, "button");
}

/* ---- lines */

static int add_piece(code_reader_t *out, const char *text, size_t length)
{
    out->parts++;
    return append_bytes(&out->text, text, length);
}

static bool ends_line(const code_reader_t *out)
{
    return out->text.length && out->text.data[out->text.length - 1] == '\n';
}

static int add_code_text(code_reader_t *out, const char *text, size_t length)
{
    if (out->is_soft_end) {
        out->is_soft_end = out->is_block_end = false;
        if (*text != '\n' && add_piece(out, "\n", 1) < 0) return -1;
    }
    out->after_break = false;
    return add_piece(out, text, length);
}

static int start_line(code_reader_t *out)
{
    if (!out->is_soft_end && (out->parts == 0 || ends_line(out))) return 0;
    out->is_soft_end = out->is_block_end = false;
    return add_piece(out, "\n", 1);
}

static int add_code_break(code_reader_t *out)
{
    if (out->is_block_end && start_line(out) < 0) return -1;
    if (add_code_text(out, "\n", 1) < 0) return -1;
    out->after_break = true;
    return 0;
}

/* Ends the line that an element is, if it is the last one. */
static void end_line_of(code_reader_t *out, const node_t *node)
{
    open_line_t line;

    if (out->line_count == 0 || out->lines[out->line_count - 1].node != node) return;
    line = out->lines[--out->line_count];
    if (out->parts == line.parts) out->is_soft_end = out->is_soft_end || !line.is_block;
    else out->is_soft_end = !ends_line(out);
    out->is_block_end = line.is_block && out->is_soft_end;
}

/* Whether white space with a line break is that between rows. */
static bool is_between_rows(const code_reader_t *out, node_t *around)
{
    static const char *const PARENTS[] = {"table", "thead", "tbody", "tfoot", "tr", "ol", "ul", "dl", "colgroup", NULL};

    return has_any_name(around, PARENTS) || (!out->is_pre && has_name(around, "div"));
}

/* Adds a text with line breaks of all kinds. */
static int add_broken_text(code_reader_t *out, node_t *node, const char *text, size_t length)
{
    buffer_t own = {0};
    int status = reserve((void **)&own.data, 0, &own.capacity, length, 1);

    for (size_t at = 0; status == 0 && at < length; at++) {
        if (text[at] == '\r' && at + 1 < length && text[at + 1] == '\n') continue;
        own.data[own.length++] = text[at] == '\r' ? '\n' : text[at];
    }
    text = own.data;
    length = own.length;
    if (status == 0 && !(memchr(text, '\n', length) && is_space(text, length) && is_between_rows(out, node->parent))) {
        bool is_cut = out->after_break && !out->is_pre && *text == '\n';
        if (length > is_cut) status = add_code_text(out, text + is_cut, length - is_cut);
    }
    PyMem_RawFree(own.data);
    return status;
}

static int read_code_text(code_reader_t *out, node_t *node)
{
    const text_node_t *own = (const text_node_t *)node;
    const char *text = (const char *)own->data;
    bool is_cut;

    if (text == NULL || own->length == 0) return 0;
    if (memchr(text, '\r', own->length)) return add_broken_text(out, node, text, own->length);
    if (MAY_BEGIN_SPACE[(unsigned char)*text] && memchr(text, '\n', own->length) && is_space(text, own->length) &&
        is_between_rows(out, node->parent)) return 0;
    is_cut = out->after_break && !out->is_pre && *text == '\n';
    return own->length > is_cut ? add_code_text(out, text + is_cut, own->length - is_cut) : 0;
}

/* Begins an element in code. Returns whether what is in it is code; -1 with an exception. */
static int start_in_code(code_reader_t *out, node_t *node)
{
    code_attributes_t own = attributes_in_code(node);
    int kind = kind_in_code(out->kind_of, node, own.class);

    if (kind < 0) return -1;
    if (own.style.length && !is_ascii(own.style.value, own.style.length)) out->is_unusual = true;
    if (out->is_unusual || is_no_code(node, &own, kind)) return 0;
    if (!(kind & CODE_LINE) && !(own.has_others && kind & MAY_BE_STYLED_LINE && is_styled_line(&own))) return 1;
    if (start_line(out) < 0 ||
        reserve((void **)&out->lines, out->line_count, &out->line_capacity, 1, sizeof *out->lines) < 0) return -1;
    out->lines[out->line_count++] = (open_line_t){node, out->parts, (kind & CODE_BLOCK) != 0};
    return 1;
}

/* Whether an element is a cell without code. Rows may have some: then they have to be known. -1 with an exception. */
static int is_skipped_cell(code_reader_t *out, node_t *node)
{
    PyObject *address;
    int found;

    if (out->skipped == Py_None) {
        out->is_unusual = out->is_unusual || has_name(node, "tr");
        return 0;
    }
    if (PySet_GET_SIZE(out->skipped) == 0) return 0;
    if ((address = PyLong_FromUnsignedLongLong((unsigned long long)(uintptr_t)node)) == NULL) return -1;
    found = PySet_Contains(out->skipped, address);
    Py_DECREF(address);
    return found;
}

/* Reads a node. Returns whether those in it are read, too; -1 with an exception. */
static int read_in_code(code_reader_t *out, node_t *node)
{
    int is_skipped;

    if (node->type == TEXT_NODE) return read_code_text(out, node);
    if (node->type != ELEMENT_NODE) return 0;
    if (has_name(node, "br")) return add_code_break(out);
    if ((is_skipped = is_skipped_cell(out, node)) != 0) return is_skipped < 0 ? -1 : 0;
    return start_in_code(out, node);
}

static int read_code(code_reader_t *out, node_t *root)
{
    node_t *node = root->first_child;

    while (node && !out->is_unusual) {
        int enters = read_in_code(out, node);
        if (enters < 0) return -1;
        if (enters && node->first_child) {
            node = node->first_child;
            continue;
        }
        end_line_of(out, node);
        while (node != root && node->next == NULL) {
            node = node->parent;
            if (node != root) end_line_of(out, node);
        }
        node = node == root ? NULL : node->next;
    }
    return 0;
}

/* Whether the lines of code are line breaks in its text. */
static bool is_preformatted(node_t *root)
{
    bool has_lines = false;

    for (node_t *around = root; around && around->type == ELEMENT_NODE; around = around->parent)
        if (has_any_name(around, PRE_NAMES)) return true;
    for (node_t *node = root; node; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type == ELEMENT_NODE && (has_name(node, "pre") || has_name(node, "br"))) return false;
        has_lines = has_lines || (node->type == TEXT_NODE && own->data && memchr(own->data, '\n', own->length));
    }
    return has_lines;
}

static bool is_decimal(const char *at, const char *end)
{
    strip(&at, &end);
    if (at == end) return false;
    for (; at < end; at += char_size(at, end))
        if (!Py_UNICODE_ISDECIMAL(char_at(at, end))) return false;
    return true;
}

/* The lines without empty ones before them and white space at their ends, and whether the first one is a number. */
static PyObject *written_lines(buffer_t *text)
{
    char *to = text->data;
    const char *at = text->data, *end = at + text->length;
    bool is_number = false;

    while (at < end) {
        char *start = to;
        const char *stripped = start, *last;
        for (; at < end && *at != '\n'; at++) {
            bool is_wide_space = (unsigned char)at[0] == 0xC2 && at + 1 < end && (unsigned char)at[1] == 0xA0;
            *to++ = is_wide_space ? ' ' : *at;
            at += is_wide_space;
        }
        last = to;
        strip(&stripped, &last);
        to = stripped < last ? start + (last - start) : start;
        if (start == text->data) is_number = to > start && is_decimal(start, to);
        if (at < end && to > text->data) *to++ = '\n';
        at += at < end;
    }
    return Py_BuildValue("(NO)", decode(text->length ? text->data : "", (size_t)(to - text->data)), is_number ? Py_True : Py_False);
}

PyDoc_STRVAR(code_text_doc, "code_text(element, skipped, kind_of)\n--\n\n"
"The text of code without empty lines before it, and whether its first line is a number, which may be that of the next one. *skipped*\n"
"are the addresses of cells without code. None if they are None and there are rows, or if attributes are unusual. *kind_of*\n"
"is that of code_text.py.");

static PyObject *core_code_text(PyObject *module, PyObject *args)
{
    unsigned long long address;
    code_reader_t out = {.parts = 0};
    PyObject *result = NULL;
    node_t *root;

    if (!PyArg_ParseTuple(args, "KOO", &address, &out.skipped, &out.kind_of)) return NULL;
    root = (node_t *)(uintptr_t)address;
    out.is_unusual = out.skipped == Py_None && (has_name(root, "tr") || has_name(root, "table"));
    out.is_pre = !out.is_unusual && is_preformatted(root);
    if (read_code(&out, root) == 0) result = out.is_unusual ? Py_NewRef(Py_None) : written_lines(&out.text);
    PyMem_RawFree(out.text.data);
    PyMem_RawFree(out.lines);
    return result;
}

PyDoc_STRVAR(text_chars_doc, "text_chars(element)\n--\n\nThe number of characters of the text in an element.");

static PyObject *core_text_chars(PyObject *module, PyObject *args)
{
    unsigned long long address;
    size_t count = 0;

    if (!PyArg_ParseTuple(args, "K", &address)) return NULL;
    for (node_t *root = (node_t *)(uintptr_t)address, *node = root; node; node = next_node(node, root)) {
        const text_node_t *own = (const text_node_t *)node;
        if (node->type == TEXT_NODE && own->data) count += count_chars((const char *)own->data, own->length);
    }
    return PyLong_FromSize_t(count);
}
