/* The starts and ends of elements without markup: as block_builder.py. Functions return -1 with an exception. `_core.c`
 * includes it.
 */

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
    if (list->is_numbered && read_integer(node, "start", &list->number) < 0) return -1;
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
        if (read_integer(node, "value", &list->number) < 0) return -1;
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

/* The text of a superscript or subscript (a new reference). */
static PyObject *written(const run_t *run, size_t start, bool is_superscript, PyObject *content)
{
    size_t from = start > (size_t)python.max_parts_before ? start - (size_t)python.max_parts_before : 0;
    size_t at = part_start(run, from), spans = run->link_spans.count;
    bool is_link = run->link_start == (Py_ssize_t)start || (spans && run->link_spans.items[spans - 2] >= start);
    PyObject *before = decode(run->text.data + at, part_start(run, start) - at), *result;

    if (before == NULL) return NULL;
    result = raised_text(content, before, is_superscript, is_link);
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

/* Writes the text of the superscript or subscript that ends here. With the *arena* of a page, the marks in it move. */
static int end_raised(run_t *run, bool is_superscript, arena_t *arena)
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
        if (arena) status = move_raised_marks(arena, run, start, part, content, text);
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

/* Whether text may have been cut below an element of a condensed page. If so, sets an exception. */
static bool has_cut_text(node_t *root)
{
    for (node_t *node = root->first_child; node != NULL; node = next_node(node, root)) {
        const tag_t *tag = tag_of(node);
        if (!is_named(tag, "script") && !is_named(tag, "style") && !is_named(tag, "svg")) continue;
        PyErr_SetString(PyExc_LookupError, "text in a hidden element");
        return true;
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
    if (builder->is_condensed && builder->run_count == 1 && has_cut_text(node)) return -1;
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

    if (first_attribute(node) == NULL) return END_NOTHING;
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

/* Whether a holder may hold text on a page that does not need its hydration data. */
static bool may_hold_text(const builder_t *builder, node_t *node, const tag_t *tag, bool is_script)
{
    attribute_t own;

    if (!is_script) return !is_named(tag, "iframe") || attribute_of(node, "srcdoc").length > 0;
    own = attribute_of(node, "type");
    if (own.length == 0 || !contains(own.value, own.value + own.length, "ld+json", NULL)) return false;
    return builder->page || may_script_have_content(node);
}

static int start_skipped(builder_t *builder, node_t *node, const tag_t *tag)
{
    bool is_script = is_named(tag, "script");

    if (is_script) {
        attribute_t type = attribute_of(node, "type");
        if (type.length >= 5 && memcmp(type.value, "math/", 5) == 0) {
            size_t parts = run_of(builder)->ends.count;
            if (append_tex_of_script(builder, node, type) < 0) return -1;
            if (run_of(builder)->ends.count > parts) return END_SKIPPED;
        }
    }
    if (builder->holders == Py_None || !(tag->groups & HOLDER_TAG)) return END_SKIPPED;
    if (builder->has_few_holders && !may_hold_text(builder, node, tag, is_script)) return END_SKIPPED;
    if (add_holder(builder, node, tag, is_script) < 0) return -1;
    return END_SKIPPED;
}
