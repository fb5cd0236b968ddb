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

/* Fields of the blocks in an element, by page_details.py, in the order in which they were first set. */
enum detail_field { D_TABLE, D_CELL, D_CODE, D_NOTE, DETAIL_FIELDS };
static const char *const DETAIL_NAMES[] = {"table", "cell", "code", "note"};
typedef struct {
    uint8_t order[DETAIL_FIELDS];
    size_t count;
    long long table;
    const cell_t *cell; /* NULL in a caption */
    PyObject *code;     /* borrowed: number, text, language */
    bytes_t note;
} detail_fields_t;

/* What page_details.py says about an element; NULL where there is none. */
typedef struct {
    node_t *node;
    const entry_t *entry;
    const detail_fields_t *fields, *next_fields;
} detail_t;

/* An open element with details, and its place: the blocks and the pieces of text before it. */
typedef struct {
    const detail_t *detail;
    size_t blocks, parts;
} open_detail_t;

struct page {
    arena_t arena;
    PyObject *links, *items;                         /* borrowed */
    PyObject *host_object, *address_object;          /* of the page; owned */
    bytes_t host, address;                           /* their UTF-8 */
    context_t *contexts;
    size_t context_count, context_capacity;
    figure_t *figures; /* the images since the last block */
    size_t figure_count, figure_capacity;
    place_of_block_t *last; /* the last visible block */
    const image_t *last_image;
    size_t last_blocks, last_parts; /* the place of that */
    detail_t *details; /* a hash table */
    size_t detail_slots, detail_count;
    open_detail_t *open_details;
    size_t open_detail_count, open_detail_capacity;
    detail_fields_t *fields; /* of the blocks in the open elements */
    size_t field_count, field_capacity;
    detail_fields_t next_fields; /* of the next block alone */
    sizes_t codes;        /* numbers of the code that has a block */
    spans_t spans;        /* of the text that was taken last */
    size_t taken;         /* its characters */
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

/* Sets the fields of a block from its context. Returns -1 with an exception. */
static int set_context_fields(arena_t *arena, block_t *block, const context_t *context)
{
    if (context->order[0] && need_markup(arena, &block->markup) < 0) return -1;
    for (const char *field = context->order; *field; field++) {
        if (*field == 'l') set_number(block->markup, F_LEVEL, context->level);
        if (*field == 'q') set_number(block->markup, F_QUOTE, context->quote);
        if (*field != 'd') continue;
        set_number(block->markup, F_DEPTH, context->depth);
        set_number(block->markup, F_ITEM, context->item);
    }
    return 0;
}

/* ---- figures */

static int add_figure(builder_t *builder, image_t *image, around_t marks)
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

/* Attaches the images since the last block to it or to the block with this number; at the end of the page there is none. */
static int attach_figures(builder_t *builder, size_t number, bool in_caption)
{
    page_t *page = builder->page;
    const block_t *block = number < builder->block_count ? &builder->blocks[number] : NULL;
    elements_t around = open_block_elements(builder);
    size_t waiting = 0;
    int status = 0;

    for (size_t i = 0; i < page->figure_count; i++) {
        figure_t *figure = &page->figures[i];
        int waits_on = block && status == 0 ? waits(figure, block, around, in_caption) : 0;
        if (status == 0 && waits_on > 0) {
            bytes_t text = {(const uint8_t *)builder->texts.data + block->start, block->length};
            if (in_caption) status = add_caption(&page->arena, figure, text);
            page->figures[waiting++] = *figure;
            continue;
        }
        if (waits_on < 0) status = -1;
        if (status == 0) status = attach_figure(builder, &page->arena, figure, number, around);
        free_figure(figure);
    }
    page->figure_count = waiting;
    return status;
}

/* The entry of the span of an image; NULL with an exception. */
static entry_t *entry_of_image(arena_t *arena, image_t *image)
{
    entry_t *out = take_zeros(arena, sizeof *out);

    if (out) *out = (entry_t){.kind = IMAGE_SPAN, .values = 1, .image = image};
    return out;
}

/* Makes the images at the start of the open text, in the same element, part of it. */
static int place_figures_in_text(builder_t *builder)
{
    page_t *page = builder->page;
    size_t element = builder->serials.items[builder->serials.count - 1], waiting = 0;
    int status = 0;

    for (size_t i = 0; i < page->figure_count; i++) {
        figure_t *figure = &page->figures[i];
        entry_t *entry;
        if (figure->element != element || status < 0) {
            page->figures[waiting++] = *figure;
            continue;
        }
        if ((entry = entry_of_image(&page->arena, figure->image)) == NULL) status = -1;
        else {
            around_t marks = figure->marks;
            figure->marks.items = NULL;
            figure->marks.count = 0;
            status = add_mark(&run_of(builder)->marks, &page->mark_serials, 0, entry, marks, true);
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

/* Keeps the images of a text that makes no block. */
static int keep_images(builder_t *builder)
{
    spans_t spans = builder->page->spans;
    const around_t none = {0};

    for (size_t i = 0; i < spans.count; i++) {
        const entry_t *entry = spans.items[i].entry;
        if (entry->kind == IMAGE_SPAN && add_figure(builder, entry->image, none) < 0) return -1;
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

/* The number of the kind of a span; -1 with an exception. */
static int kind_of_span(const char *name)
{
    for (int kind = 0; kind < SPAN_KINDS; kind++)
        if (strcmp(SPAN_NAMES[kind], name) == 0) return kind;
    PyErr_Format(PyExc_ValueError, "unknown kind of spans: %s", name);
    return -1;
}

/* The entry that a tuple is; NULL with an exception. */
static const entry_t *entry_of_tuple(arena_t *arena, PyObject *tuple)
{
    entry_t *out = take_zeros(arena, sizeof *out);
    const char *name;
    PyObject *value = NULL, *display = NULL;
    int kind;

    if (out == NULL || !PyArg_ParseTuple(tuple, "s|OO", &name, &value, &display)) return NULL;
    if ((kind = kind_of_span(name)) < 0 || (value && store_string(arena, value, &out->value) < 0)) return NULL;
    out->kind = (enum span_kind)kind;
    out->values = (int)PyTuple_GET_SIZE(tuple) - 1;
    return out;
}

/* The cell that a tuple is, NULL for None. Returns -1 with an exception. */
static int cell_of_tuple(arena_t *arena, PyObject *tuple, const cell_t **out)
{
    cell_t *cell;
    int is_header;

    *out = NULL;
    if (tuple == Py_None) return 0;
    if ((cell = take_zeros(arena, sizeof *cell)) == NULL) return -1;
    if (!PyArg_ParseTuple(tuple, "LLLLp", &cell->row, &cell->column, &cell->rows, &cell->columns, &is_header)) return -1;
    cell->is_header = is_header != 0;
    *out = cell;
    return 0;
}

static bool has_detail(const detail_fields_t *fields, enum detail_field field)
{
    for (size_t i = 0; i < fields->count; i++)
        if (fields->order[i] == field) return true;
    return false;
}

/* Sets a field to an object. Returns -1 with an exception. */
static int set_detail(arena_t *arena, detail_fields_t *fields, enum detail_field field, PyObject *value)
{
    PyObject *id;

    if (!has_detail(fields, field)) fields->order[fields->count++] = (uint8_t)field;
    switch (field) {
    case D_TABLE: fields->table = PyLong_AsLongLong(value); return PyErr_Occurred() ? -1 : 0;
    case D_CELL: return cell_of_tuple(arena, value, &fields->cell);
    case D_CODE: fields->code = value; return 0;
    default:
        if ((id = PyDict_GetItemString(value, "id")) != NULL) return store_string(arena, id, &fields->note);
        PyErr_SetString(PyExc_ValueError, "a note without id");
        return -1;
    }
}

/* The fields that a dict has; NULL with an exception. */
static const detail_fields_t *fields_of_dict(arena_t *arena, PyObject *dict)
{
    detail_fields_t *out = take_zeros(arena, sizeof *out);
    PyObject *key, *value;
    Py_ssize_t at = 0;

    while (out && PyDict_Next(dict, &at, &key, &value)) {
        int field = 0;
        while (field < DETAIL_FIELDS && PyUnicode_CompareWithASCIIString(key, DETAIL_NAMES[field]) != 0) field++;
        if (field == DETAIL_FIELDS) {
            PyErr_Format(PyExc_ValueError, "unknown field %R", key);
            return NULL;
        }
        if (set_detail(arena, out, (enum detail_field)field, value) < 0) return NULL;
    }
    return out;
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
    for (at = 0; PyDict_Next(marks, &at, &key, &value);)
        if ((detail = detail_at(page, key)) == NULL ||
            (detail->entry = entry_of_tuple(&page->arena, value)) == NULL) return -1;
    for (at = 0; PyDict_Next(fields, &at, &key, &value);)
        if ((detail = detail_at(page, key)) == NULL ||
            (detail->fields = fields_of_dict(&page->arena, value)) == NULL) return -1;
    for (at = 0; PyDict_Next(next_fields, &at, &key, &value);)
        if ((detail = detail_at(page, key)) == NULL ||
            (detail->next_fields = fields_of_dict(&page->arena, value)) == NULL) return -1;
    return 0;
}

static int open_entry(builder_t *builder, const entry_t *entry)
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
    if (run->marks.items[number].entry->kind == ASIDE_SPAN) {
        remove_mark(&run->marks, (size_t)number);
        return 0;
    }
    run->marks.items[number].is_point = true;
    free_around(&run->marks.items[number].around);
    return open_elements(&run->marks, &run->marks.items[number].around);
}

/* Sets the fields that *other* has, too. */
static void merge_fields(detail_fields_t *to, const detail_fields_t *other)
{
    for (size_t i = 0; i < other->count; i++) {
        enum detail_field field = (enum detail_field)other->order[i];
        if (!has_detail(to, field)) to->order[to->count++] = (uint8_t)field;
        if (field == D_TABLE) to->table = other->table;
        else if (field == D_CELL) to->cell = other->cell;
        else if (field == D_CODE) to->code = other->code;
        else to->note = other->note;
    }
}

static int push_fields(page_t *page, const detail_fields_t *fields)
{
    if (reserve((void **)&page->fields, page->field_count, &page->field_capacity, 1, sizeof *page->fields) < 0) return -1;
    if (page->field_count) page->fields[page->field_count] = page->fields[page->field_count - 1];
    else page->fields[0] = (detail_fields_t){.count = 0};
    merge_fields(&page->fields[page->field_count++], fields);
    return 0;
}

/* Ends an element with details. */
static int end_detail(builder_t *builder)
{
    page_t *page = builder->page;
    open_detail_t open = page->open_details[--page->open_detail_count];

    if (open.detail->fields) {
        detail_fields_t own = page->fields[--page->field_count];
        if (run_of(builder)->ends.count > 0) { /* of an inline element */
            merge_fields(&own, &page->next_fields);
            page->next_fields = own;
        }
    }
    return open.detail->entry ? close_detail(builder, &open) : 0;
}

static int add_formula_image(builder_t *builder, const entry_t *entry)
{
    run_t *run = run_of(builder);
    around_t around;
    image_t *image;

    if (open_elements(&run->marks, &around) < 0) return -1;
    if (run->ends.count)
        return add_mark(&run->marks, &builder->page->mark_serials, run->ends.count, entry, around, true);
    builder->page->has_formula_images = true;
    if ((image = take_zeros(&builder->page->arena, sizeof *image)) == NULL) {
        free_around(&around);
        return -1;
    }
    image->formula = entry;
    return add_figure(builder, image, around);
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
    if (detail->next_fields) page->next_fields = *detail->next_fields;
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

/* Whether a block of code has a block already; then it has. -1 with an exception. */
static int has_code(page_t *page, long long number)
{
    for (size_t i = page->codes.count; i-- > 0;)
        if (page->codes.items[i] == (size_t)number) return 1;
    return push_size(&page->codes, (size_t)number);
}

/* Adds a block of code: its first block has its text. Returns -1 with an exception. */
static int add_code(page_t *page, markup_t *to, PyObject *code)
{
    PyObject *text, *language;
    long long number;
    int is_known;

    if (!PyArg_ParseTuple(code, "LOO", &number, &text, &language)) return -1;
    set_number(to, F_CODE, number);
    if ((is_known = has_code(page, number)) != 0) return is_known < 0 ? -1 : 0;
    add_field(to, F_CODE_TEXT);
    if (store_string(&page->arena, text, &to->code_text) < 0) return -1;
    if (language == Py_None || PyUnicode_GET_LENGTH(language) == 0) return 0;
    add_field(to, F_CODE_LANGUAGE);
    return store_string(&page->arena, language, &to->code_language);
}

/* Adds a cell over the whole text of a block. Returns -1 with an exception. */
static int add_cell(page_t *page, markup_t *to, const cell_t *cell, size_t chars)
{
    if (cell == NULL) return 0;
    if ((to->cells = take(&page->arena, sizeof *to->cells)) == NULL) return -1;
    to->cells[0] = *cell;
    to->cells[0].end = chars;
    to->cell_count = 1;
    add_field(to, F_CELLS);
    return 0;
}

/* Adds the fields of details to a block: as detail_fields.FieldAdder. Returns -1 with an exception. */
static int add_detail_fields(page_t *page, block_t *block)
{
    detail_fields_t fields = page->fields[page->field_count - 1];
    int status = 0;

    merge_fields(&fields, &page->next_fields);
    page->next_fields.count = 0;
    if (fields.count && need_markup(&page->arena, &block->markup) < 0) return -1;
    for (size_t i = 0; status == 0 && i < fields.count; i++) {
        enum detail_field field = (enum detail_field)fields.order[i];
        if (field == D_TABLE) set_number(block->markup, F_TABLE, fields.table);
        else if (field == D_CELL) status = add_cell(page, block->markup, fields.cell, block->chars);
        else if (field == D_CODE) status = add_code(page, block->markup, fields.code);
        else {
            add_field(block->markup, F_NOTE);
            block->markup->note = fields.note;
        }
    }
    return status;
}

/* Drops the spans in formulas: their TeX has what they say. */
static void drop_in_formulas(markup_t *own)
{
    size_t end = 0, count = 0;

    for (size_t i = 0; own && i < own->spans.count; i++) {
        span_t span = own->spans.items[i];
        if (span.start < end) continue;
        if (span.entry->kind == MATH_SPAN) end = span.end;
        own->spans.items[count++] = span;
    }
    if (own) own->spans.count = count;
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
    return take_spans(&page->arena, run_of(builder), &page->mark_serials, text, block->chars, builder->pre_depth > 0,
                      &page->spans);
}

/* The spans of the part of a text from *start* to *end*: as markup_fields.keep_part. */
static void keep_spans_of_part(spans_t *spans, size_t start, size_t end)
{
    size_t count = 0;

    for (size_t i = 0; i < spans->count; i++) {
        span_t span = spans->items[i];
        bool is_point = span.start == span.end && start <= span.start && span.start <= end;
        if (!(span.start < end && span.end > start) && !is_point) continue;
        span.start = (span.start > start ? span.start : start) - start;
        span.end = span.end < end ? span.end : end;
        span.end = span.end > start ? span.end - start : 0;
        if (span.start > end - start) span.start = end - start;
        spans->items[count++] = span;
    }
    spans->count = count;
}

/* Sets the spans of the text that was taken last. Code that is preformatted is no span. Returns -1 with an exception. */
static int set_spans(builder_t *builder, block_t *block)
{
    page_t *page = builder->page;
    spans_t spans = page->spans;
    size_t count = 0;

    for (size_t i = 0; block->is_pre && i < spans.count; i++)
        if (spans.items[i].entry->kind != CODE_SPAN) spans.items[count++] = spans.items[i];
    if (block->is_pre) spans.count = count;
    if (spans.count == 0) return 0;
    if (need_markup(&page->arena, &block->markup) < 0) return -1;
    if (page->taken != block->chars) keep_spans_of_part(&spans, page->taken - block->chars, page->taken);
    return set_sorted_spans(block->markup, spans);
}

/* Gives the last block its fields of markup. */
static int finish_block(builder_t *builder)
{
    page_t *page = builder->page;
    size_t number = builder->block_count - 1;
    block_t *block = &builder->blocks[number];
    const open_block_t *element = &builder->open_blocks[builder->open_block_count - 1];
    context_t context;

    if (set_spans(builder, block) < 0 || context_of_block(builder, &context) < 0 ||
        set_context_fields(&page->arena, block, &context) < 0) return -1;
    if (element->hidden == SHOWN) {
        int in_caption = page->figure_count == 0 || context.is_caption ? 1 : is_caption(element);
        if (in_caption < 0 || (page->figure_count && attach_figures(builder, number, in_caption) < 0)) return -1;
        page->last = set_place(page->last, number, open_block_elements(builder));
        if (page->last == NULL) return -1;
    }
    if (page->detail_count == 0) return 0;
    if (add_detail_fields(page, block) < 0) return -1;
    drop_in_formulas(block->markup);
    return 0;
}

/* The markup of the blocks from number *start* on, which become one with a tab between two; it may be NULL. Returns -1 with
 * an exception. */
static int join_row(builder_t *builder, size_t start, markup_t **out)
{
    page_t *page = builder->page;
    size_t count = builder->block_count - start;
    joined_t *parts = PyMem_RawMalloc(count * sizeof *parts);
    bool has_markup = false;
    int status = 0;

    if (parts == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = (joined_t){builder->blocks[start + i].markup, builder->blocks[start + i].chars};
        has_markup |= parts[i].markup != NULL;
    }
    if (has_markup && (status = need_markup(&page->arena, out)) == 0)
        status = join_markup(&page->arena, *out, parts, count);
    PyMem_RawFree(parts);
    if (page->last && page->last->block > start) page->last->block = start;
    for (size_t i = 0; i < page->figure_count; i++) {
        place_of_block_t *before = page->figures[i].before;
        if (before && before->block > start) before->block = start;
    }
    return status;
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

static const entry_t STRONG = {.kind = STRONG_SPAN}, EM = {.kind = EM_SPAN};

/* The entry of an element that is bold or italic by its style; it is NULL if it is neither. */
static int find_style_entry(attribute_t style, const entry_t **entry)
{
    const char *end = style.value + style.length, *bold, *slanted;
    PyObject *kind;

    *entry = NULL;
    if (style.length == 0) return 0;
    if (is_ascii(style.value, style.length)) {
        if (!contains(style.value, end, "font-", NULL)) return 0;
        bold = find_style(style.value, end, "font-weight:", BOLD_WEIGHTS);
        slanted = find_style(style.value, end, "font-style:", SLANTS);
        if (bold && (slanted == NULL || bold < slanted)) *entry = &STRONG;
        else if (slanted) *entry = &EM;
        return 0;
    }
    if ((kind = ask_of_style(markup.style_kind, style)) == NULL) return -1;
    if (PyUnicode_CompareWithASCIIString(kind, "strong") == 0) *entry = &STRONG;
    else if (PyUnicode_CompareWithASCIIString(kind, "em") == 0) *entry = &EM;
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

/* The absolute address of one that needs no more than the host or the address of the page before it. Returns 1, 0 for all
 * others, and -1 with an exception. */
static int plain_address(page_t *page, const attribute_t *own, bytes_t *out)
{
    bool is_path = starts_with(own, "/") && !starts_with(own, "//"), is_within = starts_with(own, "#");
    bytes_t before = is_path ? page->host : is_within ? page->address : (bytes_t){NULL, 0};
    uint8_t *to;

    if (!is_path && !is_within && !starts_with(own, "http:/") && !starts_with(own, "https:/")) return 0;
    if ((is_path || is_within) && before.size == 0) return 0;
    if ((Py_ssize_t)own->length > markup.max_url_chars || starts_with(own, markup.wrapper)) return 0;
    for (size_t i = 0; i < own->length; i++)
        if (!is_address_sign(own->value[i])) return 0;
    if (is_path && memmem(own->value, own->length, "/.", 2)) return 0;
    if ((to = take(&page->arena, before.size + own->length)) == NULL) return -1;
    if (before.size) memcpy(to, before.at, before.size);
    memcpy(to + before.size, own->value, own->length);
    *out = (bytes_t){to, before.size + own->length};
    return 1;
}

/* The absolute address. Returns 1, 0 for one that leads nowhere, and -1 with an exception. */
static int resolve(page_t *page, const attribute_t *own, bytes_t *out)
{
    int status = own->value ? plain_address(page, own, out) : 0;
    PyObject *address, *found;

    if (status != 0 || own->value == NULL) return status;
    if ((address = decode(own->value, own->length)) == NULL) return -1;
    found = PyObject_CallMethodOneArg(page->links, words.resolve, address);
    Py_DECREF(address);
    if (found == NULL) return -1;
    if (found != Py_None) status = store_string(&page->arena, found, out) < 0 ? -1 : 1;
    Py_DECREF(found);
    return status;
}

/* Copies a text, with replacements for what is not UTF-8, as `decode` has them. Returns -1 with an exception. */
static int store_decoded(arena_t *arena, const char *text, size_t length, bytes_t *out)
{
    PyObject *string;
    int status;

    if (is_ascii(text, length)) return store_text(arena, (bytes_t){(const uint8_t *)text, length}, out);
    if ((string = decode(text, length)) == NULL) return -1;
    status = store_string(arena, string, out);
    Py_DECREF(string);
    return status;
}

/* The host and the address of the page, after a change of its base. */
static int read_host(page_t *page)
{
    PyObject *host = PyObject_GetAttr(page->links, words.host), *address = PyObject_GetAttr(page->links, words.page);
    Py_ssize_t size = 0, length = 0;

    Py_XSETREF(page->host_object, host);
    Py_XSETREF(page->address_object, address);
    if (host == NULL || address == NULL) return -1;
    page->host.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(host, &size);
    page->address.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(address, &length);
    page->host.size = (size_t)size;
    page->address.size = (size_t)length;
    return page->host.at && page->address.at ? 0 : -1;
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
    if (tag->entry.kind == EM_SPAN && (is_plain = is_plain_style(own.style)) < 0) return -1;
    if (is_plain) return END_NOTHING;
    return open_entry(builder, &tag->entry) < 0 ? -1 : END_MARKED;
}

static int start_styled(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    const entry_t *entry;
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
    return open_entry(builder, &STRONG) < 0 ? -1 : END_MARKED_BOLD;
}

static int start_anchor(builder_t *builder, node_t *node)
{
    attribute_t href;
    bytes_t url;
    entry_t *entry;
    int status;

    if (start_link(builder) < 0) return -1;
    href = attribute_of(node, "href");
    if ((status = resolve(builder->page, &href, &url)) <= 0) return status < 0 ? -1 : END_LINK;
    if ((entry = take_zeros(&builder->page->arena, sizeof *entry)) == NULL) return -1;
    *entry = (entry_t){.kind = LINK_SPAN, .values = 1, .value = url};
    return open_entry(builder, entry) < 0 ? -1 : END_ANCHOR;
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

/* The image of a dict, which images.py makes; NULL for None. Returns -1 with an exception. */
static int image_of_dict(arena_t *arena, PyObject *dict, image_t **out)
{
    PyObject *src, *alt;

    *out = NULL;
    if (dict == Py_None) return 0;
    src = PyDict_GetItem(dict, words.src);
    alt = PyDict_GetItem(dict, words.alt);
    if (src == NULL || alt == NULL) {
        PyErr_SetString(PyExc_ValueError, "an image without address or text");
        return -1;
    }
    if ((*out = take_zeros(arena, sizeof **out)) == NULL) return -1;
    return store_string(arena, src, &(*out)->src) < 0 ? -1 : store_string(arena, alt, &(*out)->alt);
}

/* The image of an element; NULL if it shows none. Returns -1 with an exception. */
static int image_of(page_t *page, node_t *node, image_t **out)
{
    bool is_known;
    int status = simple_image(page, node, out, &is_known);
    PyObject *own, *sources, *dict = NULL;

    if (status < 0 || is_known) return status;
    own = dict_of_attributes(node);
    sources = own ? sources_before(node) : NULL;
    if (sources) dict = PyObject_CallFunctionObjArgs(markup.image_of, own, sources, page->links, NULL);
    status = dict ? image_of_dict(&page->arena, dict, out) : -1;
    Py_XDECREF(own);
    Py_XDECREF(sources);
    Py_XDECREF(dict);
    return status;
}

/* Whether an image is another form of the one before it. */
static bool is_twin(builder_t *builder, const image_t *image, node_t *node)
{
    page_t *page = builder->page;
    size_t parts = run_of(builder)->ends.count;

    if (page->last_image && page->last_blocks == builder->block_count && page->last_parts == parts) {
        if (equal(image->src, page->last_image->src)) return true;
        if (builder->noscript_depth || is_named(tag_of(node->parent), "noscript")) return true;
    }
    page->last_image = image;
    page->last_blocks = builder->block_count;
    page->last_parts = parts;
    return false;
}

static bool is_in_formula(const marks_t *marks)
{
    for (size_t i = 0; i < marks->open_count; i++)
        if (marks->open[i] >= 0 && marks->items[marks->open[i]].entry->kind == MATH_SPAN) return true;
    return false;
}

/* Adds an image to the text, or as a figure if there is none. */
static int add_image_here(builder_t *builder, image_t *image)
{
    run_t *run = run_of(builder);
    around_t around;
    entry_t *entry;

    if (open_elements(&run->marks, &around) < 0) return -1;
    if (run->ends.count == 0) return add_figure(builder, image, around);
    if ((entry = entry_of_image(&builder->page->arena, image)) == NULL) {
        free_around(&around);
        return -1;
    }
    return add_mark(&run->marks, &builder->page->mark_serials, run->ends.count, entry, around, true);
}

/* Whether an absolute address is that of the site. */
static bool is_front_page(const page_t *page, bytes_t url)
{
    if (is(url, "/")) return true;
    while (url.size > 0 && url.at[url.size - 1] == '/') url.size--;
    return page->host.size > 0 && equal(url, page->host);
}

/* Whether an image in these elements is the sign of the site: a link to its front page. */
static bool leads_home(const page_t *page, const marks_t *marks)
{
    for (size_t i = 0; i < marks->open_count; i++) {
        const entry_t *entry = marks->open[i] < 0 ? NULL : marks->items[marks->open[i]].entry;
        if (entry && entry->kind == LINK_SPAN && is_front_page(page, entry->value)) return true;
    }
    return false;
}

static int start_image(builder_t *builder, node_t *node)
{
    enum hiding hidden = builder->open_blocks[builder->open_block_count - 1].hidden;
    const marks_t *marks = &run_of(builder)->marks;
    image_t *image;

    if (hidden == BY_ATTRIBUTE || hidden == BY_STYLE || is_in_formula(marks)) return END_NOTHING;
    if (image_of(builder->page, node, &image) < 0) return -1;
    if (image == NULL || is_twin(builder, image, node) || leads_home(builder->page, marks)) return END_NOTHING;
    return add_image_here(builder, image) < 0 ? -1 : END_NOTHING;
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
    PyObject *marks, *fields, *next_fields;
    const detail_fields_t none = {.count = 0};

    page->links = links;
    page->items = items;
    if (!PyArg_ParseTuple(details, "O!O!O!", &PyDict_Type, &marks, &PyDict_Type, &fields, &PyDict_Type, &next_fields)) return -1;
    if (reserve((void **)&page->contexts, 0, &page->context_capacity, 1, sizeof *page->contexts) < 0) return -1;
    memset(&page->contexts[page->context_count++], 0, sizeof *page->contexts);
    if (read_host(page) < 0 || read_details(page, marks, fields, next_fields) < 0) return -1;
    return push_fields(page, &none);
}

static void close_page(page_t *page)
{
    for (size_t i = 0; i < page->figure_count; i++) free_figure(&page->figures[i]);
    drop_place(page->last);
    Py_XDECREF(page->host_object);
    Py_XDECREF(page->address_object);
    free_arena(&page->arena);
    PyMem_RawFree(page->contexts);
    PyMem_RawFree(page->figures);
    PyMem_RawFree(page->details);
    PyMem_RawFree(page->open_details);
    PyMem_RawFree(page->fields);
    PyMem_RawFree(page->codes.items);
}
