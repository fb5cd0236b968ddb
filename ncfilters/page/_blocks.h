/* Blocks, and the rows of tables that become one block. `_core.c` includes it. */

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
        (block->origin && set_field(out, words.origin, words.origins[block->origin]) < 0) ||
        set_markup_fields(out, block->markup, NULL) < 0) Py_CLEAR(out);
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
static int join_row(builder_t *builder, size_t start, markup_t **out);
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

static inline bool is_same_string(PyObject *one, PyObject *other)
{
    return one == other ||
           (PyUnicode_GET_LENGTH(one) == PyUnicode_GET_LENGTH(other) && PyUnicode_KIND(one) == PyUnicode_KIND(other) &&
            memcmp(PyUnicode_DATA(one), PyUnicode_DATA(other), (size_t)PyUnicode_GET_LENGTH(one) * PyUnicode_KIND(one)) == 0);
}

/* Appends a block, which then owns its name and path. */
static int add_block(builder_t *builder, const block_t *block)
{
    block_t *added;

    if ((Py_ssize_t)builder->block_count >= builder->max_blocks) {
        PyErr_SetString(PyExc_OverflowError, "blocks");
        return -1;
    }
    if (reserve((void **)&builder->blocks, builder->block_count, &builder->block_capacity, 1, sizeof *block) < 0)
        return -1;
    added = &builder->blocks[builder->block_count];
    *added = *block;
    if (builder->block_count && is_same_string(added->path, added[-1].path)) added->path = added[-1].path; /* memory */
    Py_INCREF(added->name);
    Py_INCREF(added->path);
    builder->block_count++;
    return 0;
}

static void drop_blocks(builder_t *builder, size_t count)
{
    while (builder->block_count > count) {
        block_t *block = &builder->blocks[--builder->block_count];
        Py_DECREF(block->name);
        Py_DECREF(block->path);
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
    block_t block; /* each field is set below: faster than zeros before */
    size_t bold = 0, length;

    if (builder->page && place_figures_in_text(builder) < 0) return -1;
    if (take_text(builder, &block, &bold) < 0) return -1;
    length = block.length;
    if (block.length && !(builder->pre_depth && is_space(builder->texts.data + block.start, block.length)))
        cut_marker(builder, &block);
    else block.length = 0;
    if (block.length == 0) {
        builder->texts.length = block.start;
        return builder->page ? keep_images(builder) : 0;
    }
    if (block.length < length) block.chars = count_chars(builder->texts.data + block.start, block.length);
    block.name = element->name;
    block.tag = element->tag;
    block.markup = NULL;
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
    if (builder->page && join_row(builder, row->start, &joined.markup) < 0) return -1;
    drop_blocks(builder, row->start);
    return add_block(builder, &joined);
}
