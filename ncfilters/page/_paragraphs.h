/* jusText's paragraphs: as justext_blocks.py, which is the reference, in a capsule as the blocks of `_capsule.h`. `_core.c`
 * includes it.
 *
 * The tree stays as it is: elements that Python takes out of it are passed over here, and text on both sides of them is one.
 */

/* ---- what elements are */

/* As in justext_blocks; and with their content or without it, what `justext_markup.parse_like_libxml2` takes out of the tree. */
enum part_kind { PART_INLINE, PART_PARAGRAPH, PART_LINK, PART_BREAK, PART_DELETED, PART_UNWRAPPED };

typedef struct {
    const char *name; /* as it is in paths: of a string that is kept, or of the parser */
    size_t length;
    enum part_kind kind;
    bool is_unknown;         /* the name is any that a page has */
    unsigned ends, ended_by; /* a bit for each name that ends others: see justext_blocks.CLOSED_BY */
} part_t;

enum { MAX_PARTS = 96 };
static struct {
    PyObject *names[MAX_PARTS], *path_names[MAX_PARTS]; /* owned */
    part_t parts[MAX_PARTS], known[KNOWN_NAMES];        /* those of numbers of the parser, once they are known */
    size_t count;
    PyObject *shorten; /* owned: the function for long paths */
    Py_ssize_t max_path;
} paragraphs;

static part_t part_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < paragraphs.count; i++) {
        PyObject *own = paragraphs.names[i];
        if ((size_t)PyUnicode_GET_LENGTH(own) == length && memcmp(PyUnicode_DATA(own), name, length) == 0) return paragraphs.parts[i];
    }
    return (part_t){.name = name, .length = length, .kind = PART_INLINE, .is_unknown = true};
}

static part_t part_of(node_t *node)
{
    bool is_known = node->ns == HTML_NAMESPACE && node->local_name < KNOWN_NAMES;
    part_t out;
    size_t length = 0;
    const char *name;

    if (is_known && paragraphs.known[node->local_name].name) return paragraphs.known[node->local_name];
    name = (const char *)lexbor.element_name(node, &length);
    out = part_of_name(name ? name : "", length);
    if (is_known) {
        out.is_unknown = false;
        paragraphs.known[node->local_name] = out;
    }
    return out;
}

/* ---- the state of the walk */

/* An open element, or one that was: those around it stay. */
typedef struct {
    part_t part;
    size_t around; /* number of the element around it, for the first one its own */
    size_t path_start, path_length; /* in the texts, once it was needed */
    bool is_closed;                 /* for libxml2: no more than a place in the tree */
} part_element_t;

static const size_t NO_ELEMENT = SIZE_MAX;

typedef struct {
    size_t text_start, text_length, path_start, path_length, chars, links;
} paragraph_t;

typedef struct {
    part_element_t *elements;
    size_t element_count, element_capacity, top, start;
    sizes_t open;   /* the element of each node that the walk is in; NO_ELEMENT for one that is unwrapped */
    sizes_t todo;   /* elements whose path is wanted */
    buffer_t texts; /* texts and paths of paragraphs */
    buffer_t joined;
    slice_t run; /* the text that has not been added, of one node or of the joined ones */
    size_t text_start, chars, link_chars;
    char space; /* white space behind the open text: none (0), a space or a line break */
    bool in_link, after_break;
    paragraph_t *items;
    size_t count, capacity, max_count;
} paragraphs_t;

static int add_element(paragraphs_t *to, part_t part)
{
    if (reserve((void **)&to->elements, to->element_count, &to->element_capacity, 1, sizeof *to->elements) < 0) return -1;
    to->elements[to->element_count++] = (part_element_t){.part = part, .around = to->top};
    return 0;
}

/* ---- paths */

/* Appends the path of an element whose element around has one; as in Python, an element that is closed has that. */
static int append_path(paragraphs_t *to, part_element_t *own)
{
    const part_element_t *around = &to->elements[own->around];
    PyObject *path, *shortened;
    Py_ssize_t length;
    const char *bytes;
    size_t start = to->texts.length;
    int status;

    if (own->is_closed) {
        own->path_start = around->path_start;
        own->path_length = around->path_length;
        return 0;
    }
    if (reserve((void **)&to->texts.data, start, &to->texts.capacity, around->path_length + own->part.length + 1, 1) < 0) return -1;
    append_bytes(&to->texts, to->texts.data + around->path_start, around->path_length); /* there is room */
    if (around->path_length) append_bytes(&to->texts, "/", 1);
    append_bytes(&to->texts, own->part.name, own->part.length);
    own->path_start = start;
    own->path_length = to->texts.length - start;
    if (own->path_length <= (size_t)paragraphs.max_path) return 0;
    if ((path = PyUnicode_DecodeUTF8(to->texts.data + start, (Py_ssize_t)own->path_length, NULL)) == NULL) return -1;
    shortened = PyObject_CallOneArg(paragraphs.shorten, path);
    Py_DECREF(path);
    bytes = shortened ? PyUnicode_AsUTF8AndSize(shortened, &length) : NULL;
    to->texts.length = start;
    status = bytes ? append_bytes(&to->texts, bytes, (size_t)length) : -1;
    own->path_length = to->texts.length - start;
    Py_XDECREF(shortened);
    return status;
}

/* Makes the path of an element, and of those around it that have none. */
static int make_path(paragraphs_t *to, size_t number)
{
    to->todo.count = 0;
    for (; to->elements[number].around != number && to->elements[number].path_length == 0; number = to->elements[number].around)
        if (push_size(&to->todo, number) < 0) return -1;
    while (to->todo.count)
        if (append_path(to, &to->elements[to->todo.items[--to->todo.count]]) < 0) return -1;
    return 0;
}

/* ---- text */

/* Ends the open paragraph: as `flush`. */
static int end_paragraph(paragraphs_t *to)
{
    paragraph_t own = {to->text_start, to->texts.length - to->text_start, 0, 0, to->chars, to->link_chars};
    const part_element_t *start;

    if (own.text_length) {
        if (make_path(to, to->start) < 0) return -1;
        start = &to->elements[to->start];
        own.path_start = start->path_start;
        own.path_length = start->path_length;
        if (to->count >= to->max_count) {
            PyErr_SetString(PyExc_OverflowError, "blocks");
            return -1;
        }
        if (reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items) < 0) return -1;
        to->items[to->count++] = own;
    }
    to->text_start = to->texts.length;
    to->chars = to->link_chars = 0;
    to->space = 0;
    return 0;
}

/* White space becomes one space, or one line break if there is one in it. Returns what is behind it. */
static const char *read_space(const char *at, const char *end, char *space)
{
    for (size_t size; at < end && (size = space_at(at, end)) != 0; at += size)
        if (*space != '\n') *space = *at == '\n' || *at == '\r' ? '\n' : ' ';
    return at;
}

/* Adds a text to the open paragraph: as `add_text`. */
static int add_run(paragraphs_t *to)
{
    const char *at = to->run.start, *end = to->run.end;
    size_t chars = 0, length = to->texts.length; /* link text counts white space at both ends */
    char *texts;

    to->run = (slice_t){NULL, NULL};
    if (at == NULL || is_space(at, (size_t)(end - at))) return 0;
    if (reserve((void **)&to->texts.data, to->texts.length, &to->texts.capacity, (size_t)(end - at) + 1, 1) < 0) return -1;
    texts = to->texts.data;
    while (at < end) {
        const char *word;
        size_t in_word = 0;
        if (MAY_BEGIN_SPACE[(unsigned char)*at]) {
            word = read_space(at, end, &to->space);
            chars += word > at;
            at = word;
        }
        for (word = at; at < end && (!MAY_BEGIN_SPACE[(unsigned char)*at] || !space_at(at, end)); at++)
            in_word += ((unsigned char)*at & 0xC0) != 0x80;
        if (at == word) continue;
        if (to->space && length > to->text_start) {
            texts[length++] = to->space;
            to->chars++;
        }
        to->space = 0;
        memcpy(texts + length, word, (size_t)(at - word));
        length += (size_t)(at - word);
        to->chars += in_word;
        chars += in_word;
    }
    to->texts.length = length;
    if (to->in_link) to->link_chars += chars;
    to->after_break = false;
    return 0;
}

/* ---- elements */

static int start_part(paragraphs_t *to, part_t part)
{
    if (part.kind == PART_PARAGRAPH) {
        if (end_paragraph(to) < 0) return -1;
        for (size_t at = to->top; !to->elements[at].is_closed && part.ends & to->elements[at].part.ended_by; at = to->elements[at].around) {
            part_element_t *own = &to->elements[at];
            if (own->part.kind == PART_LINK) to->in_link = false;
            own->is_closed = true;
            own->path_length = 0;
        }
    } else to->after_break = false;
    if (part.kind == PART_LINK) to->in_link = true;
    if (add_element(to, part) < 0) return -1;
    to->top = to->element_count - 1;
    if (part.kind == PART_PARAGRAPH) to->start = to->top;
    return 0;
}

/* As `close_until`, of one element. */
static int end_part(paragraphs_t *to, size_t number)
{
    const part_element_t *own = &to->elements[number];

    if (add_run(to) < 0) return -1;
    if (own->part.kind == PART_PARAGRAPH && !own->is_closed) {
        if (end_paragraph(to) < 0) return -1;
        to->start = own->around;
    } else if (own->part.kind == PART_LINK && !own->is_closed) to->in_link = false;
    to->top = own->around;
    return 0;
}

/* As `add_break`. */
static int add_line_break(paragraphs_t *to, part_t part)
{
    if (!to->after_break) {
        to->after_break = true;
        if (!to->space) to->space = ' ';
        return 0;
    }
    if (end_paragraph(to) < 0 || add_element(to, part) < 0) return -1;
    to->start = to->element_count - 1;
    return 0;
}

/* Adds a text node: to those before it, if nothing that stays is between. */
static int join_run(paragraphs_t *to, const text_node_t *node)
{
    const char *data = (const char *)node->data;

    if (data == NULL || node->length == 0) return 0;
    if (to->run.start == NULL) {
        to->run = (slice_t){data, data + node->length};
        return 0;
    }
    if (to->run.start != to->joined.data) {
        to->joined.length = 0;
        if (append_bytes(&to->joined, to->run.start, (size_t)(to->run.end - to->run.start)) < 0) return -1;
    }
    if (append_bytes(&to->joined, data, node->length) < 0) return -1;
    to->run = (slice_t){to->joined.data, to->joined.data + to->joined.length};
    return 0;
}

/* ---- the walk */

/* Visits a node. Returns whether the walk goes into it: then it is open. -1 with an exception. */
static int visit_part(paragraphs_t *to, node_t *node)
{
    part_t part;

    if (node->type == TEXT_NODE) return join_run(to, (const text_node_t *)(const void *)node);
    if (node->type != ELEMENT_NODE) return add_run(to);
    part = part_of(node);
    if (part.kind == PART_DELETED) return 0;
    if (part.kind == PART_UNWRAPPED) return push_size(&to->open, NO_ELEMENT) < 0 ? -1 : 1;
    if (part.is_unknown && !is_ascii(part.name, part.length)) {
        PyErr_SetString(PyExc_ValueError, "an element with another name");
        return -1;
    }
    if (add_run(to) < 0) return -1;
    if (part.kind == PART_BREAK) return add_line_break(to, part);
    return start_part(to, part) < 0 || push_size(&to->open, to->top) < 0 ? -1 : 1;
}

/* Leaves the node that was opened last. */
static int leave_part(paragraphs_t *to)
{
    size_t number = to->open.items[--to->open.count];

    return number == NO_ELEMENT ? 0 : end_part(to, number);
}

static int walk_parts(paragraphs_t *to, node_t *root)
{
    if (add_element(to, (part_t){.name = "", .kind = PART_INLINE}) < 0) return -1;
    for (node_t *node = root;;) {
        int inside = visit_part(to, node);
        if (inside < 0) return -1;
        if (inside && node->first_child) {
            node = node->first_child;
            continue;
        }
        if (inside && leave_part(to) < 0) return -1;
        for (; node != root && node->next == NULL; node = node->parent)
            if (leave_part(to) < 0) return -1; /* the one around it */
        if (node == root) return add_run(to) < 0 ? -1 : end_paragraph(to);
        node = node->next;
    }
}

/* ---- the result */

static columns_t *columns_of_paragraphs(paragraphs_t *from)
{
    columns_t *columns = PyMem_RawCalloc(1, sizeof *columns);

    if (columns) columns->blocks = PyMem_RawCalloc(from->count + 1, sizeof *columns->blocks);
    if (columns == NULL || columns->blocks == NULL) {
        PyMem_RawFree(columns);
        PyErr_NoMemory();
        return NULL;
    }
    columns->texts = from->texts.data;
    from->texts.data = NULL;
    columns->count = from->count;
    for (size_t i = 0; i < from->count; i++) {
        const paragraph_t *own = &from->items[i];
        shown_block_t *block = &columns->blocks[i];
        block->text = columns->texts + own->text_start;
        block->text_size = own->text_length;
        block->path = block->tag = columns->texts + own->path_start;
        block->path_size = block->tag_size = own->path_length;
        for (size_t at = own->path_length; at > 0; at--)
            if (block->path[at - 1] == '/') {
                block->tag = block->path + at;
                block->tag_size = own->path_length - at;
                break;
            }
        block->chars = own->chars;
        block->links = own->links;
        if (!is_utf8(block->text, block->text_size)) {
            Py_XDECREF(PyUnicode_DecodeUTF8(block->text, (Py_ssize_t)block->text_size, NULL)); /* for its exception */
            free_columns(columns);
            return NULL;
        }
    }
    return columns;
}

PyDoc_STRVAR(paragraphs_doc, "paragraphs(root, most)\n--\n\n"
"The paragraphs of jusText below the node with the address *root*, in a capsule as that of `columns`. Raises OverflowError for\n"
"more than *most*, UnicodeDecodeError for a text that is not UTF-8, ValueError for names of elements beyond ASCII.");

static PyObject *core_paragraphs(PyObject *module, PyObject *args)
{
    unsigned long long root;
    Py_ssize_t most;
    paragraphs_t found = {0};
    columns_t *columns = NULL;
    PyObject *out = NULL;

    if (!PyArg_ParseTuple(args, "Kn", &root, &most)) return NULL;
    found.max_count = (size_t)most;
    if (paragraphs.shorten == NULL) PyErr_SetString(PyExc_RuntimeError, "setup_paragraphs has not been called");
    else if (walk_parts(&found, (node_t *)(uintptr_t)root) == 0) columns = columns_of_paragraphs(&found);
    if (columns && (out = PyCapsule_New(columns, COLUMNS_NAME, free_capsule)) == NULL) free_columns(columns);
    PyMem_RawFree(found.elements);
    PyMem_RawFree(found.open.items);
    PyMem_RawFree(found.todo.items);
    PyMem_RawFree(found.texts.data);
    PyMem_RawFree(found.joined.data);
    PyMem_RawFree(found.items);
    return out;
}

PyDoc_STRVAR(paragraph_dicts_doc, "paragraph_dicts(columns)\n--\n\nThe blocks in a capsule of `paragraphs`, as dicts.");

static PyObject *core_paragraph_dicts(PyObject *module, PyObject *capsule)
{
    const columns_t *columns = columns_in(capsule);
    PyObject *out = columns ? PyList_New((Py_ssize_t)columns->count) : NULL;

    for (size_t i = 0; out && i < columns->count; i++) {
        const shown_block_t *own = &columns->blocks[i];
        PyObject *block = Py_BuildValue("{Os#Os#Os#On}", words.text, own->text, (Py_ssize_t)own->text_size, words.tag, own->tag,
                                        (Py_ssize_t)own->tag_size, words.path, own->path, (Py_ssize_t)own->path_size, words.links,
                                        (Py_ssize_t)own->links);
        if (block) PyList_SET_ITEM(out, (Py_ssize_t)i, block);
        else Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(setup_paragraphs_doc, "setup_paragraphs(parts, shorten, max_path)\n--\n\n"
"Takes over what elements are: tuples of a name, the name in paths, a part_kind, and bits for the names that end others. *shorten*\n"
"is for paths of more than *max_path* characters.");

static PyObject *core_setup_paragraphs(PyObject *module, PyObject *args)
{
    PyObject *list, *shorten;
    Py_ssize_t max_path;

    if (!PyArg_ParseTuple(args, "O!On", &PyList_Type, &list, &shorten, &max_path)) return NULL;
    if (PyList_GET_SIZE(list) > MAX_PARTS) return PyErr_Format(PyExc_ValueError, "too many elements");
    memset(paragraphs.known, 0, sizeof paragraphs.known);
    paragraphs.count = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        part_t *own = &paragraphs.parts[i];
        PyObject *name, *in_path;
        int kind;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "UUiII", &name, &in_path, &kind, &own->ends, &own->ended_by)) return NULL;
        if (!PyUnicode_IS_ASCII(name) || !PyUnicode_IS_ASCII(in_path) || kind < 0 || kind > PART_UNWRAPPED)
            return PyErr_Format(PyExc_ValueError, "unexpected elements");
        Py_XSETREF(paragraphs.names[i], Py_NewRef(name));
        Py_XSETREF(paragraphs.path_names[i], Py_NewRef(in_path));
        own->name = PyUnicode_DATA(in_path);
        own->length = (size_t)PyUnicode_GET_LENGTH(in_path);
        own->kind = (enum part_kind)kind;
        paragraphs.count++;
    }
    Py_XSETREF(paragraphs.shorten, Py_NewRef(shorten));
    paragraphs.max_path = max_path;
    Py_RETURN_NONE;
}
