/* The walk with markup: as markup_builder.py, markup_context.py and detail_builder.py, which are the reference. `_core.c`
 * includes it.
 */

/* ---- what a page says with --markup */

/* Fields that a block gets from the elements around it, and the order in which they were first set: l, d, q. */
typedef struct {
    long long level, depth, item, quote, lists;
    bool is_caption;
    char order[4];
} context_t;

/* What page_details.py says about an element; all borrowed, NULL where there is none. */
typedef struct {
    node_t *node;
    PyObject *entry, *fields, *next_fields;
} detail_t;

/* An open element with details, and its place: the blocks and the pieces of text before it. */
typedef struct {
    const detail_t *detail;
    size_t blocks, parts;
} open_detail_t;

struct page {
    PyObject *links, *items, *add_fields; /* borrowed */
    PyObject *host, *address;             /* of the page; owned, as all below */
    context_t *contexts;
    size_t context_count, context_capacity;
    figure_t *figures; /* the images since the last block */
    size_t figure_count, figure_capacity;
    place_of_block_t *last; /* the last visible block */
    PyObject *last_image;
    size_t last_blocks, last_parts; /* the place of that */
    detail_t *details; /* a hash table */
    size_t detail_slots, detail_count;
    open_detail_t *open_details;
    size_t open_detail_count, open_detail_capacity;
    PyObject **fields; /* of the blocks in the open elements */
    size_t field_count, field_capacity;
    PyObject *next_fields; /* of the next block alone; may be NULL */
    PyObject *spans;       /* of the text that was taken last */
    size_t taken;          /* its characters */
    size_t mark_serials;
    size_t mark_count; /* of all texts */
    bool has_formula_images;
};

static elements_t open_block_elements(const builder_t *builder)
{
    elements_t out = {builder->serials.items, builder->serials.count, 0};

    for (size_t i = 0; i < out.count && out.figure == 0; i++)
        if (builder->open_blocks[i].is_figure) out.figure = out.serials[i];
    return out;
}

/* ---- contexts (markup_context.py) */

/* Sets a field of a context. */
static void set_context(context_t *context, char field)
{
    size_t count = strlen(context->order);

    if (strchr(context->order, field) == NULL) {
        context->order[count] = field;
        context->order[count + 1] = '\0';
    }
}

/* The number that a class of Google's documents has for the level of a list; -1 with an exception. */
static long long document_level(const attribute_t *own)
{
    PyObject *classes, *level;
    long long out = -1;

    if (own->length == 0 || !contains(own->value, own->value + own->length, "lst-kix_", NULL)) return 0;
    if ((classes = decode(own->value, own->length)) == NULL) return -1;
    level = PyObject_CallOneArg(markup.document_level, classes);
    Py_DECREF(classes);
    if (level) out = PyLong_AsLongLong(level);
    Py_XDECREF(level);
    return out;
}

/* Numbers an item. */
static int next_item(page_t *page, long long *item)
{
    PyObject *number = PyIter_Next(page->items);

    if (number == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no more numbers");
        return -1;
    }
    *item = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return 0;
}

/* Changes a context for the blocks in an element with the role of a heading. */
static int add_role(context_t *context, const open_block_t *element)
{
    const attribute_t *role = &element->attributes.role;
    long long level = 2;

    if (role->length != 7 || memcmp(role->value, "heading", 7) != 0) return 0;
    if (read_integer(element->node, "aria-level", &level) < 0) return -1;
    context->level = level < 1 ? 1 : level > markup.max_level ? markup.max_level : level;
    set_context(context, 'l');
    return 0;
}

/* Changes a context for the blocks in an element of CONTEXTS. */
static int add_context(page_t *page, context_t *context, const open_block_t *element)
{
    const tag_t *tag = element->tag;

    if (tag->kind == LIST) {
        long long level = document_level(&element->attributes.class);
        if (level < 0) return -1;
        context->lists += level + 1;
    } else if (tag->kind == ITEM) {
        context->depth = context->lists > 1 ? context->lists : 1;
        if (next_item(page, &context->item) < 0) return -1;
        set_context(context, 'd');
    } else if (tag->name[0] == 'h') {
        context->level = tag->name[1] - '0';
        set_context(context, 'l');
    } else if (is_named(tag, "blockquote")) {
        context->quote++;
        set_context(context, 'q');
    } else context->is_caption = true;
    return add_role(context, element);
}

/* Begins the context of the last open block, an element of CONTEXTS. */
static int open_context(builder_t *builder)
{
    page_t *page = builder->page;
    const open_block_t *element = &builder->open_blocks[builder->open_block_count - 1];

    if (reserve((void **)&page->contexts, page->context_count, &page->context_capacity, 1, sizeof *page->contexts) < 0)
        return -1;
    page->contexts[page->context_count] = page->contexts[page->context_count - 1];
    return add_context(page, &page->contexts[page->context_count++], element);
}

/* What the open elements say about a block; -1 with an exception. */
static int context_of_block(const builder_t *builder, context_t *out)
{
    size_t count = builder->open_block_count, depth = (size_t)markup.max_role_depth;

    *out = builder->page->contexts[builder->page->context_count - 1];
    for (size_t i = count > depth ? count - depth : 0; i < count; i++) {
        const open_block_t *element = &builder->open_blocks[i];
        if (element->tag->marked != CONTEXT && add_role(out, element) < 0) return -1;
    }
    return 0;
}

static int set_context_fields(PyObject *block, const context_t *context)
{
    for (const char *field = context->order; *field; field++) {
        if (*field == 'l' && set_new(block, words.level, PyLong_FromLongLong(context->level)) < 0) return -1;
        if (*field == 'q' && set_new(block, words.quote, PyLong_FromLongLong(context->quote)) < 0) return -1;
        if (*field == 'd' && (set_new(block, words.depth, PyLong_FromLongLong(context->depth)) < 0 ||
                              set_new(block, words.item, PyLong_FromLongLong(context->item)) < 0)) return -1;
    }
    return 0;
}

/* ---- figures */

static int add_figure(builder_t *builder, PyObject *image, around_t marks)
{
    page_t *page = builder->page;

    if (reserve((void **)&page->figures, page->figure_count, &page->figure_capacity, 1, sizeof *page->figures) < 0) {
        free_around(&marks);
        return -1;
    }
    if (make_figure(&page->figures[page->figure_count], image, open_block_elements(builder), page->last, marks) < 0)
        return -1;
    page->figure_count++;
    return 0;
}

/* Attaches the images since the last block to it or to *block*; NULL at the end of the page. */
static int attach_figures(builder_t *builder, PyObject *block, bool in_caption)
{
    page_t *page = builder->page;
    elements_t around = open_block_elements(builder);
    size_t waiting = 0;
    int status = 0;

    for (size_t i = 0; i < page->figure_count; i++) {
        figure_t *figure = &page->figures[i];
        int waits_on = block && status == 0 ? waits(figure, block, around, in_caption) : 0;
        if (status == 0 && waits_on > 0) {
            if (in_caption) status = add_caption(figure, block);
            page->figures[waiting++] = *figure;
            continue;
        }
        if (waits_on < 0) status = -1;
        if (status == 0) status = attach_figure(figure, block, around);
        free_figure(figure);
    }
    page->figure_count = waiting;
    return status;
}

/* Makes the images at the start of the open text, in the same element, part of it. */
static int place_figures_in_text(builder_t *builder)
{
    page_t *page = builder->page;
    size_t element = builder->serials.items[builder->serials.count - 1], waiting = 0;
    int status = 0;

    for (size_t i = 0; i < page->figure_count; i++) {
        figure_t *figure = &page->figures[i];
        PyObject *entry;
        if (figure->element != element || status < 0) {
            page->figures[waiting++] = *figure;
            continue;
        }
        if ((entry = PyTuple_Pack(2, words.image, figure->image)) == NULL) status = -1;
        else {
            around_t marks = figure->marks;
            figure->marks.items = NULL;
            figure->marks.count = 0;
            status = add_mark(&run_of(builder)->marks, &page->mark_serials, 0, entry, marks, true);
            Py_DECREF(entry);
        }
        free_figure(figure);
    }
    page->figure_count = waiting;
    return status;
}

/* What follows a line break is another line: images before it are not part of it. */
static void end_figure_line(builder_t *builder)
{
    for (size_t i = 0; i < builder->page->figure_count; i++) builder->page->figures[i].element = 0;
}

static bool is_image_span(PyObject *span)
{
    return PyUnicode_CompareWithASCIIString(PyList_GET_ITEM(span, 2), "image") == 0;
}

/* Keeps the images of a text that makes no block. */
static int keep_images(builder_t *builder)
{
    PyObject *spans = builder->page->spans;
    const around_t none = {0};

    for (Py_ssize_t i = 0; spans && i < PyList_GET_SIZE(spans); i++) {
        PyObject *span = PyList_GET_ITEM(spans, i);
        if (is_image_span(span) && add_figure(builder, PyList_GET_ITEM(span, 3), none) < 0) return -1;
    }
    return 0;
}

/* Whether a block element is a caption by its class; -1 with an exception. */
static int is_caption(const open_block_t *element)
{
    const attribute_t *own = &element->attributes.class;
    PyObject *classes, *found;
    int answer;

    if (own->length == 0) return 0;
    if (is_ascii(own->value, own->length) && !contains(own->value, own->value + own->length, "caption", NULL)) return 0;
    if ((classes = decode(own->value, own->length)) == NULL) return -1;
    found = PyObject_CallOneArg(markup.is_caption_class, classes);
    Py_DECREF(classes);
    if (found == NULL) return -1;
    answer = PyObject_IsTrue(found);
    Py_DECREF(found);
    return answer;
}

/* Whether a class makes an element a figure: `wp-caption` or `figure`. */
static bool is_figure_class(const attribute_t *own)
{
    const char *at = own->value, *end = at + own->length, *word;

    while (own->length && at < end) {
        size_t space = space_at(at, end);
        if (space) {
            at += space;
            continue;
        }
        for (word = at; at < end && space_at(at, end) == 0;) at++;
        if (at - word == 10 && memcmp(word, "wp-caption", 10) == 0) return true;
        if (at - word == 6 && memcmp(word, "figure", 6) == 0) return true;
    }
    return false;
}

/* ---- details (detail_builder.py) */

static const detail_t *detail_of(const page_t *page, node_t *node)
{
    size_t slot;

    if (page->detail_count == 0) return NULL;
    slot = ((uintptr_t)node >> 4) * 0x9E3779B1u;
    for (;; slot++) {
        const detail_t *detail = &page->details[slot % page->detail_slots];
        if (detail->node == NULL) return NULL;
        if (detail->node == node) return detail;
    }
}

/* The detail of an element, which is added if it is new; NULL with an exception. */
static detail_t *detail_at(page_t *page, PyObject *address)
{
    node_t *node = (node_t *)(uintptr_t)PyLong_AsUnsignedLongLong(address);
    size_t slot = ((uintptr_t)node >> 4) * 0x9E3779B1u;

    if (PyErr_Occurred()) return NULL;
    while (page->details[slot % page->detail_slots].node && page->details[slot % page->detail_slots].node != node) slot++;
    page->detail_count += page->details[slot % page->detail_slots].node == NULL;
    page->details[slot % page->detail_slots].node = node;
    return &page->details[slot % page->detail_slots];
}

/* Takes over the details of a page: dicts of marks, of fields and of next fields, by the address of elements. */
static int read_details(page_t *page, PyObject *marks, PyObject *fields, PyObject *next_fields)
{
    PyObject *key, *value;
    Py_ssize_t at;
    detail_t *detail;

    page->detail_slots = 2 * (size_t)(PyDict_GET_SIZE(marks) + PyDict_GET_SIZE(fields) + PyDict_GET_SIZE(next_fields)) + 1;
    if (page->detail_slots == 1) return 0;
    if ((page->details = PyMem_RawCalloc(page->detail_slots, sizeof *page->details)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (at = 0; PyDict_Next(marks, &at, &key, &value); detail->entry = value)
        if ((detail = detail_at(page, key)) == NULL) return -1;
    for (at = 0; PyDict_Next(fields, &at, &key, &value); detail->fields = value)
        if ((detail = detail_at(page, key)) == NULL) return -1;
    for (at = 0; PyDict_Next(next_fields, &at, &key, &value); detail->next_fields = value)
        if ((detail = detail_at(page, key)) == NULL) return -1;
    return 0;
}

static int open_entry(builder_t *builder, PyObject *entry)
{
    run_t *run = run_of(builder);

    return open_mark(&run->marks, &builder->page->mark_serials, run->ends.count, entry);
}

/* Ends the element of a detail. One without text is a point, except for asides. */
static int close_detail(builder_t *builder, const open_detail_t *open)
{
    run_t *run = run_of(builder);
    Py_ssize_t number = close_mark(&run->marks, run->ends.count);

    if (number < 0 || builder->block_count != open->blocks || run->ends.count != open->parts) return 0;
    if (is_kind(run->marks.items[number].entry, "aside")) {
        remove_mark(&run->marks, (size_t)number);
        return 0;
    }
    run->marks.items[number].is_point = true;
    free_around(&run->marks.items[number].around);
    return open_elements(&run->marks, &run->marks.items[number].around);
}

/* *base* with the fields of *other*: a new dict, or NULL with an exception. */
static PyObject *with_fields(PyObject *base, PyObject *other)
{
    PyObject *out = PyDict_Copy(base);

    if (out && PyDict_Update(out, other) < 0) Py_CLEAR(out);
    return out;
}

static int push_fields(page_t *page, PyObject *fields)
{
    PyObject *merged;

    if (reserve((void **)&page->fields, page->field_count, &page->field_capacity, 1, sizeof *page->fields) < 0) return -1;
    merged = page->field_count ? with_fields(page->fields[page->field_count - 1], fields) : Py_NewRef(fields);
    if (merged == NULL) return -1;
    page->fields[page->field_count++] = merged;
    return 0;
}

/* Ends an element with details. */
static int end_detail(builder_t *builder)
{
    page_t *page = builder->page;
    open_detail_t open = page->open_details[--page->open_detail_count];

    if (open.detail->fields) {
        PyObject *own = page->fields[--page->field_count];
        if (run_of(builder)->ends.count > 0) { /* of an inline element */
            PyObject *merged = page->next_fields ? with_fields(own, page->next_fields) : Py_NewRef(own);
            if (merged == NULL) {
                Py_DECREF(own);
                return -1;
            }
            Py_XSETREF(page->next_fields, merged);
        }
        Py_DECREF(own);
    }
    return open.detail->entry ? close_detail(builder, &open) : 0;
}

static int add_formula_image(builder_t *builder, PyObject *entry)
{
    run_t *run = run_of(builder);
    around_t around;
    PyObject *image;
    int status;

    if (open_elements(&run->marks, &around) < 0) return -1;
    if (run->ends.count)
        return add_mark(&run->marks, &builder->page->mark_serials, run->ends.count, entry, around, true);
    builder->page->has_formula_images = true;
    if ((image = Py_BuildValue("{sO}", "math", entry)) == NULL) {
        free_around(&around);
        return -1;
    }
    status = add_figure(builder, image, around);
    Py_DECREF(image);
    return status;
}

static int start_by_kind(builder_t *builder, node_t *node, const tag_t *tag);

/* Begins an element with details. Returns what its end does; -1 with an exception. */
static int start_detailed(builder_t *builder, node_t *node, const tag_t *tag, const detail_t *detail)
{
    page_t *page = builder->page;
    open_detail_t open = {detail, builder->block_count, run_of(builder)->ends.count};
    int end;

    if (detail->entry && is_named(tag, "img")) return add_formula_image(builder, detail->entry) < 0 ? -1 : END_NOTHING;
    if (detail->entry && open_entry(builder, detail->entry) < 0) return -1;
    if ((end = start_by_kind(builder, node, tag)) < 0) return -1;
    if (detail->next_fields) Py_XSETREF(page->next_fields, Py_NewRef(detail->next_fields));
    if (end == END_SKIPPED) { /* its content is skipped, or written by its start */
        if (detail->entry && close_detail(builder, &open) < 0) return -1;
        return END_SKIPPED;
    }
    if (detail->fields && push_fields(page, detail->fields) < 0) return -1;
    if (reserve((void **)&page->open_details, page->open_detail_count, &page->open_detail_capacity, 1, sizeof open) < 0)
        return -1;
    page->open_details[page->open_detail_count++] = open;
    return end | IN_DETAIL;
}

/* Adds the fields of details to a block. */
static int add_detail_fields(page_t *page, PyObject *block)
{
    PyObject *fields = page->fields[page->field_count - 1], *merged, *done;

    if (page->next_fields == NULL && PyDict_GET_SIZE(fields) == 0) return 0;
    merged = page->next_fields ? with_fields(fields, page->next_fields) : Py_NewRef(fields);
    if (merged == NULL) return -1;
    Py_CLEAR(page->next_fields);
    done = PyDict_GET_SIZE(merged) ? PyObject_CallFunctionObjArgs(page->add_fields, block, merged, NULL) : Py_NewRef(Py_None);
    Py_DECREF(merged);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* Drops the spans in formulas. */
static int drop_in_formulas(PyObject *block)
{
    PyObject *spans = PyDict_GetItem(block, words.spans), *done;

    for (Py_ssize_t i = 0; spans && i < PyList_GET_SIZE(spans); i++) {
        if (PyUnicode_CompareWithASCIIString(PyList_GET_ITEM(PyList_GET_ITEM(spans, i), 2), "math") != 0) continue;
        done = PyObject_CallOneArg(markup.drop_in_formulas, block);
        Py_XDECREF(done);
        return done ? 0 : -1;
    }
    return 0;
}

/* ---- blocks */

/* Takes the spans of the run, whose text is that of *block*. */
static int take_markup(builder_t *builder, const block_t *block)
{
    page_t *page = builder->page;
    slice_t text = {builder->texts.data + block->start, builder->texts.data + block->start + block->length};

    page->mark_count += run_of(builder)->marks.count;
    if ((Py_ssize_t)page->mark_count > builder->max_blocks / markup.blocks_per_mark) {
        PyErr_SetString(PyExc_OverflowError, "marks");
        return -1;
    }
    page->taken = block->chars;
    Py_XSETREF(page->spans,
               take_spans(run_of(builder), &page->mark_serials, text, block->chars, builder->pre_depth > 0));
    return page->spans ? 0 : -1;
}

/* Sets the spans of the text that was taken last. Code that is preformatted is no span. */
static int set_spans(const builder_t *builder, PyObject *dict, const block_t *block)
{
    const page_t *page = builder->page;
    PyObject *spans = page->spans, *done;

    for (Py_ssize_t i = PyList_GET_SIZE(spans); block->is_pre && i-- > 0;)
        if (PyUnicode_CompareWithASCIIString(PyList_GET_ITEM(PyList_GET_ITEM(spans, i), 2), "code") == 0 &&
            PySequence_DelItem(spans, i) < 0) return -1;
    if (PyList_GET_SIZE(spans) == 0) return 0;
    if (set_field(dict, words.spans, spans) < 0) return -1;
    if (page->taken == block->chars) return 0;
    done = PyObject_CallFunction(markup.keep_part, "Onn", dict, (Py_ssize_t)(page->taken - block->chars),
                                 (Py_ssize_t)page->taken);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* Gives the last block its fields of markup. */
static int finish_block(builder_t *builder)
{
    page_t *page = builder->page;
    block_t *block = &builder->blocks[builder->block_count - 1];
    const open_block_t *element = &builder->open_blocks[builder->open_block_count - 1];
    PyObject *dict = block->dict = dict_of_block(builder, block);
    context_t context;

    if (dict == NULL || set_spans(builder, dict, block) < 0 || context_of_block(builder, &context) < 0 ||
        set_context_fields(dict, &context) < 0) return -1;
    if (element->hidden == SHOWN) {
        int in_caption = page->figure_count == 0 || context.is_caption ? 1 : is_caption(element);
        if (in_caption < 0 || (page->figure_count && attach_figures(builder, dict, in_caption) < 0)) return -1;
        page->last = set_place(page->last, dict, open_block_elements(builder));
        if (page->last == NULL) return -1;
    }
    if (page->detail_count == 0) return 0;
    return add_detail_fields(page, dict) < 0 ? -1 : drop_in_formulas(dict);
}

/* The dicts of the blocks from number *start* on; a new list. */
static PyObject *dicts_of_blocks(const builder_t *builder, size_t start)
{
    PyObject *out = PyList_New(0);

    for (size_t i = start; out && i < builder->block_count; i++)
        if (PyList_Append(out, builder->blocks[i].dict) < 0) Py_CLEAR(out);
    return out;
}

/* Where the texts of cells begin in that of their row; a new list. */
static PyObject *starts_of_cells(PyObject *cells)
{
    PyObject *out = PyList_New(0);
    Py_ssize_t start = 0;

    for (Py_ssize_t i = 0; out && i < PyList_GET_SIZE(cells); i++) {
        if (append_new(out, PyLong_FromSsize_t(start)) < 0) Py_CLEAR(out);
        start += text_length(PyList_GET_ITEM(cells, i)) + 1;
    }
    return out;
}

/* Makes the row the block where one of the cells is. */
static void replace_cells(place_of_block_t *place, PyObject *cells, PyObject *row)
{
    for (Py_ssize_t i = 0; place && i < PyList_GET_SIZE(cells); i++)
        if (place->block == PyList_GET_ITEM(cells, i)) {
            Py_SETREF(place->block, Py_NewRef(row));
            return;
        }
}

/* Gives the last block, a row, the fields of its *cells*. */
static int finish_row(builder_t *builder, PyObject *cells)
{
    page_t *page = builder->page;
    block_t *block = &builder->blocks[builder->block_count - 1];
    PyObject *row = block->dict = dict_of_block(builder, block), *starts = row ? starts_of_cells(cells) : NULL;
    PyObject *done = starts ? PyObject_CallFunctionObjArgs(markup.join, row, cells, starts, NULL) : NULL;

    Py_XDECREF(starts);
    Py_XDECREF(done);
    if (done == NULL) return -1;
    replace_cells(page->last, cells, row);
    for (size_t i = 0; i < page->figure_count; i++) replace_cells(page->figures[i].before, cells, row);
    return 0;
}

/* ---- styles */

/* Where a style in ASCII has *property* with one of these values; NULL if it has not. */
static const char *find_style(const char *text, const char *end, const char *property, const char *const *values)
{
    const char *rest;

    while (contains(text, end, property, &rest)) {
        const char *at = rest;
        while (at < end && SPACES[(unsigned char)*at]) at++;
        for (const char *const *value = values; *value; value++) {
            size_t size = strlen(*value);
            if ((size_t)(end - at) >= size && contains(at, at + size, *value, NULL)) return rest;
        }
        text = rest;
    }
    return NULL;
}

static const char *const BOLD_WEIGHTS[] = {"bold", "600", "700", "800", "900", NULL};
static const char *const SLANTS[] = {"italic", "oblique", NULL};
static const char *const PLAIN_WEIGHTS[] = {"normal", "300", "400", NULL};
static const char *const PLAIN_SLANTS[] = {"normal", NULL};

/* The answer of a Python function of a style beyond ASCII: a new reference. */
static PyObject *ask_of_style(PyObject *function, attribute_t style)
{
    PyObject *text = decode(style.value, style.length), *out = text ? PyObject_CallOneArg(function, text) : NULL;

    Py_XDECREF(text);
    return out;
}

/* Whether a style undoes what <b> or <em> does; -1 with an exception. */
static int is_plain_style(attribute_t style)
{
    const char *end = style.value + style.length;
    PyObject *found;
    int answer;

    if (style.length == 0) return 0;
    if (is_ascii(style.value, style.length))
        return find_style(style.value, end, "font-weight:", PLAIN_WEIGHTS) ||
               find_style(style.value, end, "font-style:", PLAIN_SLANTS);
    if ((found = ask_of_style(markup.is_plain_style, style)) == NULL) return -1;
    answer = PyObject_IsTrue(found);
    Py_DECREF(found);
    return answer;
}

/* The entry of an element that is bold or italic by its style: borrowed; *entry* is NULL if it is neither. */
static int find_style_entry(attribute_t style, PyObject **entry)
{
    const char *end = style.value + style.length, *bold, *slanted;
    PyObject *kind;

    *entry = NULL;
    if (style.length == 0) return 0;
    if (is_ascii(style.value, style.length)) {
        if (!contains(style.value, end, "font-", NULL)) return 0;
        bold = find_style(style.value, end, "font-weight:", BOLD_WEIGHTS);
        slanted = find_style(style.value, end, "font-style:", SLANTS);
        if (bold && (slanted == NULL || bold < slanted)) *entry = markup.strong;
        else if (slanted) *entry = markup.em;
        return 0;
    }
    if ((kind = ask_of_style(markup.style_kind, style)) == NULL) return -1;
    if (PyUnicode_CompareWithASCIIString(kind, "strong") == 0) *entry = markup.strong;
    else if (PyUnicode_CompareWithASCIIString(kind, "em") == 0) *entry = markup.em;
    Py_DECREF(kind);
    return 0;
}

/* ---- addresses (page_links.py) */

/* Letters and digits of ASCII, and the other signs of most addresses. */
static bool is_address_sign(char c)
{
    static const char OTHERS[128] = {
        ['_'] = 1, ['.'] = 1, ['/'] = 1, ['?'] = 1, ['='] = 1, ['&'] = 1, ['%'] = 1, ['#'] = 1, [':'] = 1, [';'] = 1,
        [','] = 1, ['+'] = 1, ['~'] = 1, ['@'] = 1, ['!'] = 1, ['$'] = 1, ['*'] = 1, ['('] = 1, [')'] = 1, ['\''] = 1,
        ['|'] = 1, ['-'] = 1,
    };

    return Py_ISALNUM(c) || ((unsigned char)c < 0x80 && OTHERS[(unsigned char)c]);
}

static bool starts_with(const attribute_t *own, const char *prefix)
{
    size_t size = strlen(prefix);

    return own->length >= size && memcmp(own->value, prefix, size) == 0;
}

/* The absolute address of one that needs no more than the host or the address of the page before it: a new reference, or
 * None for all others. */
static PyObject *plain_address(const page_t *page, const attribute_t *own)
{
    bool is_path = starts_with(own, "/") && !starts_with(own, "//"), is_within = starts_with(own, "#");
    PyObject *address;

    if (!is_path && !is_within && !starts_with(own, "http:/") && !starts_with(own, "https:/")) Py_RETURN_NONE;
    if (is_within && PyUnicode_GET_LENGTH(page->address) == 0) Py_RETURN_NONE;
    if ((Py_ssize_t)own->length > markup.max_url_chars || starts_with(own, markup.wrapper)) Py_RETURN_NONE;
    for (size_t i = 0; i < own->length; i++)
        if (!is_address_sign(own->value[i])) Py_RETURN_NONE;
    if ((address = decode(own->value, own->length)) == NULL || !(is_path || is_within)) return address;
    if (is_within) {
        Py_SETREF(address, PyUnicode_Concat(page->address, address));
        return address;
    }
    if (PyUnicode_GET_LENGTH(page->host) > 0 && !memmem(own->value, own->length, "/.", 2))
        Py_SETREF(address, PyUnicode_Concat(page->host, address));
    else Py_SETREF(address, Py_NewRef(Py_None));
    return address;
}

/* The absolute address, a new reference; None for one that leads nowhere. */
static PyObject *resolved(const page_t *page, const attribute_t *own)
{
    PyObject *out = own->value ? plain_address(page, own) : Py_NewRef(Py_None), *address;

    if (out != Py_None || own->value == NULL) return out;
    Py_DECREF(out);
    if ((address = decode(own->value, own->length)) == NULL) return NULL;
    out = PyObject_CallMethodOneArg(page->links, words.resolve, address);
    Py_DECREF(address);
    return out;
}

/* The host and the address of the page, after a change of its base. */
static int read_host(page_t *page)
{
    PyObject *host = PyObject_GetAttr(page->links, words.host), *address = PyObject_GetAttr(page->links, words.page);

    if (host == NULL || address == NULL) {
        Py_XDECREF(host);
        Py_XDECREF(address);
        return -1;
    }
    Py_XSETREF(page->host, host);
    Py_XSETREF(page->address, address);
    return 0;
}

#include "_images.h"

/* ---- starts and ends of inline elements; -1 with an exception */

/* Begins an element whose attributes may hide it; what they say is in *own*. Returns what its end does. */
static int start_maybe_hidden(builder_t *builder, node_t *node, const tag_t *tag, attributes_t *own)
{
    memset(own, 0, sizeof *own);
    if (first_attribute(node) == NULL) return END_NOTHING;
    *own = attributes_of(node);
    return hide_inline(builder, node, tag, own);
}

static int start_marked(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    int end = start_maybe_hidden(builder, node, tag, &own), is_plain = 0;

    if (end != END_NOTHING) return end;
    if (is_kind(tag->entry, "em") && (is_plain = is_plain_style(own.style)) < 0) return -1;
    if (is_plain) return END_NOTHING;
    return open_entry(builder, tag->entry) < 0 ? -1 : END_MARKED;
}

static int start_styled(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    PyObject *entry;
    int end = start_maybe_hidden(builder, node, tag, &own);

    if (end != END_NOTHING) return end;
    if (find_style_entry(own.style, &entry) < 0) return -1;
    if (entry == NULL) return END_NOTHING;
    return open_entry(builder, entry) < 0 ? -1 : END_MARKED;
}

static int start_marked_bold(builder_t *builder, node_t *node)
{
    int is_plain = first_attribute(node) ? is_plain_style(attribute_of(node, "style")) : 0;

    start_bold(builder);
    if (is_plain) return is_plain < 0 ? -1 : END_BOLD;
    return open_entry(builder, markup.strong) < 0 ? -1 : END_MARKED_BOLD;
}

static int start_anchor(builder_t *builder, node_t *node)
{
    attribute_t href;
    PyObject *url, *entry;
    int status;

    if (start_link(builder) < 0) return -1;
    href = attribute_of(node, "href");
    if ((url = resolved(builder->page, &href)) == NULL) return -1;
    if (url == Py_None) {
        Py_DECREF(url);
        return END_LINK;
    }
    entry = PyTuple_Pack(2, words.link, url);
    Py_DECREF(url);
    if (entry == NULL) return -1;
    status = open_entry(builder, entry);
    Py_DECREF(entry);
    return status < 0 ? -1 : END_ANCHOR;
}

static int start_base(builder_t *builder, node_t *node)
{
    attribute_t href = attribute_of(node, "href");
    PyObject *address = string_or_none(href), *done;

    if (address == NULL) return -1;
    done = PyObject_CallMethodOneArg(builder->page->links, words.set_base, address);
    Py_DECREF(address);
    Py_XDECREF(done);
    return done == NULL || read_host(builder->page) < 0 ? -1 : END_NOTHING;
}

/* The attributes of the sources of a picture before its image, from the nearest on; a new list. */
static PyObject *sources_before(node_t *image)
{
    PyObject *out = PyList_New(0);
    node_t *node = image->prev;

    if (image->parent == NULL || !is_named(tag_of(image->parent), "picture")) return out;
    for (Py_ssize_t left = markup.max_sources; out && node && left > 0; node = node->prev, left--)
        if (is_named(tag_of(node), "source") && append_new(out, dict_of_attributes(node)) < 0) Py_CLEAR(out);
    return out;
}

/* The image of an element, a new reference; None if it shows none. */
static PyObject *image_of(const page_t *page, node_t *node)
{
    bool is_known;
    PyObject *out = simple_image(page, node, &is_known), *own, *sources;

    if (out == NULL || is_known) return out;
    Py_SETREF(out, NULL);
    own = dict_of_attributes(node);
    sources = own ? sources_before(node) : NULL;
    if (sources) out = PyObject_CallFunctionObjArgs(markup.image_of, own, sources, page->links, NULL);
    Py_XDECREF(own);
    Py_XDECREF(sources);
    return out;
}

/* Whether an image is another form of the one before it; -1 with an exception. */
static int is_twin(builder_t *builder, PyObject *image, node_t *node)
{
    page_t *page = builder->page;
    size_t parts = run_of(builder)->ends.count;

    if (page->last_image && page->last_blocks == builder->block_count && page->last_parts == parts) {
        PyObject *ours = PyDict_GetItem(image, words.src), *theirs = PyDict_GetItem(page->last_image, words.src);
        int same = ours && theirs ? PyObject_RichCompareBool(ours, theirs, Py_EQ) : 0;
        if (same) return same;
        if (builder->noscript_depth || is_named(tag_of(node->parent), "noscript")) return 1;
    }
    Py_XSETREF(page->last_image, Py_NewRef(image));
    page->last_blocks = builder->block_count;
    page->last_parts = parts;
    return 0;
}

static bool is_in_formula(const marks_t *marks)
{
    for (size_t i = 0; i < marks->open_count; i++)
        if (marks->open[i] >= 0 && is_kind(marks->items[marks->open[i]].entry, "math")) return true;
    return false;
}

/* Adds an image to the text, or as a figure if there is none. */
static int add_image_here(builder_t *builder, PyObject *image)
{
    run_t *run = run_of(builder);
    around_t around;
    PyObject *entry;
    int status;

    if (open_elements(&run->marks, &around) < 0) return -1;
    if (run->ends.count == 0) return add_figure(builder, image, around);
    if ((entry = PyTuple_Pack(2, words.image, image)) == NULL) {
        free_around(&around);
        return -1;
    }
    status = add_mark(&run->marks, &builder->page->mark_serials, run->ends.count, entry, around, true);
    Py_DECREF(entry);
    return status;
}

/* Whether an absolute address is that of the site. */
static bool is_front_page(const page_t *page, PyObject *url)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(url), size = PyUnicode_GET_LENGTH(page->host);

    if (PyUnicode_CompareWithASCIIString(url, "/") == 0) return true;
    while (length > 0 && PyUnicode_READ_CHAR(url, length - 1) == '/') length--;
    return size > 0 && length == size && PyUnicode_Tailmatch(url, page->host, 0, size, -1) == 1;
}

/* Whether an image in these elements is the sign of the site: a link to its front page. */
static bool leads_home(const page_t *page, const marks_t *marks)
{
    for (size_t i = 0; i < marks->open_count; i++) {
        PyObject *entry = marks->open[i] < 0 ? NULL : marks->items[marks->open[i]].entry;
        if (entry && is_kind(entry, "link") && is_front_page(page, PyTuple_GET_ITEM(entry, 1))) return true;
    }
    return false;
}

static int start_image(builder_t *builder, node_t *node)
{
    enum hiding hidden = builder->open_blocks[builder->open_block_count - 1].hidden;
    PyObject *image;
    int status = 0;

    if (hidden == BY_ATTRIBUTE || hidden == BY_STYLE || is_in_formula(&run_of(builder)->marks)) return END_NOTHING;
    if ((image = image_of(builder->page, node)) == NULL) return -1;
    if (image != Py_None && (status = is_twin(builder, image, node)) == 0 &&
        !leads_home(builder->page, &run_of(builder)->marks)) status = add_image_here(builder, image);
    Py_DECREF(image);
    return status < 0 ? -1 : END_NOTHING;
}

static void close_entry(builder_t *builder)
{
    run_t *run = run_of(builder);

    close_mark(&run->marks, run->ends.count);
}

/* ---- the page */

/* Begins the markup of a page. Returns -1 with an exception. */
static int open_page(page_t *page, PyObject *links, PyObject *items, PyObject *details)
{
    PyObject *marks, *fields, *next_fields, *none;
    int status;

    page->links = links;
    page->items = items;
    if (!PyArg_ParseTuple(details, "O!O!O!O", &PyDict_Type, &marks, &PyDict_Type, &fields, &PyDict_Type, &next_fields,
                          &page->add_fields)) return -1;
    if (reserve((void **)&page->contexts, 0, &page->context_capacity, 1, sizeof *page->contexts) < 0) return -1;
    memset(&page->contexts[page->context_count++], 0, sizeof *page->contexts);
    if (read_host(page) < 0 || read_details(page, marks, fields, next_fields) < 0) return -1;
    if ((none = PyDict_New()) == NULL) return -1;
    status = push_fields(page, none);
    Py_DECREF(none);
    return status;
}

static void close_page(page_t *page)
{
    for (size_t i = 0; i < page->figure_count; i++) free_figure(&page->figures[i]);
    for (size_t i = 0; i < page->field_count; i++) Py_DECREF(page->fields[i]);
    drop_place(page->last);
    Py_XDECREF(page->host);
    Py_XDECREF(page->address);
    Py_XDECREF(page->last_image);
    Py_XDECREF(page->next_fields);
    Py_XDECREF(page->spans);
    PyMem_RawFree(page->contexts);
    PyMem_RawFree(page->figures);
    PyMem_RawFree(page->details);
    PyMem_RawFree(page->open_details);
    PyMem_RawFree(page->fields);
}
