/* Fields and spans of tables, code, formulas and footnotes, as detail_builder.py and detail_fields.py. page_details.py says
 * which elements have them. `_markup.h` includes it.
 */

static size_t detail_slot(const node_t *node)
{
    size_t hash = ((uintptr_t)node >> 4) * 0x9E3779B1u;

    return hash ^ hash >> 15;
}

/* The cell that an element is; NULL if it is none of a table of data. They are mostly met in the order of their addresses. */
static const placed_cell_t *cell_of(page_t *page, const node_t *node)
{
    size_t low = 0, high = page->cell_count;

    if (page->next_cell < high && page->cells[page->next_cell].address == (uintptr_t)node) return &page->cells[page->next_cell++];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (page->cells[middle].address < (uintptr_t)node) low = middle + 1;
        else high = middle;
    }
    if (low == page->cell_count || page->cells[low].address != (uintptr_t)node) return NULL;
    page->next_cell = low + 1;
    return &page->cells[low];
}

static const detail_t *detail_of(const page_t *page, node_t *node)
{
    size_t slot;

    if (page->detail_count == 0) return NULL;
    slot = detail_slot(node);
    for (;; slot++) {
        const detail_t *detail = &page->details[slot & (page->detail_slots - 1)];
        if (detail->node == NULL) return NULL;
        if (detail->node == node) return detail;
    }
}

/* The detail of an element, which is added if it is new; NULL with an exception. */
static detail_t *detail_at(page_t *page, PyObject *address)
{
    node_t *node = (node_t *)(uintptr_t)PyLong_AsUnsignedLongLong(address);
    size_t slot = detail_slot(node);
    detail_t *detail;

    if (PyErr_Occurred()) return NULL;
    while ((detail = &page->details[slot & (page->detail_slots - 1)])->node && detail->node != node) slot++;
    page->detail_count += detail->node == NULL;
    detail->node = node;
    return detail;
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
static int cell_of_tuple(arena_t *arena, PyObject *tuple, const placed_cell_t **out)
{
    placed_cell_t *cell;
    unsigned columns;
    int is_header;

    *out = NULL;
    if (tuple == Py_None) return 0;
    if ((cell = take_zeros(arena, sizeof *cell)) == NULL) return -1;
    if (!PyArg_ParseTuple(tuple, "IHIIp", &cell->row, &cell->column, &cell->rows, &columns, &is_header)) return -1;
    cell->width = (uint16_t)(columns | (is_header ? HEADER_CELL : 0));
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

static int compare_cells(const void *one, const void *other)
{
    const placed_cell_t *left = one, *right = other;

    return left->address < right->address ? -1 : left->address > right->address;
}

/* Takes over the packed cells of a page; those in the order of their addresses are borrowed. Returns -1 with an exception. */
static int read_packed_cells(page_t *page, PyObject *packed)
{
    const placed_cell_t *cells = (const placed_cell_t *)(void *)PyBytes_AS_STRING(packed);
    size_t count = (size_t)PyBytes_GET_SIZE(packed) / sizeof *cells, from = 1;

    page->cells = cells;
    page->cell_count = count;
    while (from < count && cells[from - 1].address < cells[from].address) from++;
    if (from >= count) return 0;
    if ((page->own_cells = PyMem_RawMalloc(count * sizeof *cells)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(page->own_cells, cells, count * sizeof *cells);
    qsort(page->own_cells, count, sizeof *cells, compare_cells);
    page->cells = page->own_cells;
    return 0;
}

/* Takes over the details of a page: dicts of marks, of fields and of next fields, by the address of elements. */
static int read_details(page_t *page, PyObject *marks, PyObject *fields, PyObject *next_fields)
{
    PyObject *key, *value;
    Py_ssize_t at;
    detail_t *detail;

    size_t count = (size_t)(PyDict_GET_SIZE(marks) + PyDict_GET_SIZE(fields) + PyDict_GET_SIZE(next_fields));

    if (count == 0) return 0;
    for (page->detail_slots = 2; page->detail_slots < 2 * count;) page->detail_slots *= 2;
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

/* Begins an element with the fields of a *cell*, and with others; each may be NULL. */
static int push_fields(page_t *page, const placed_cell_t *cell, const detail_fields_t *fields)
{
    detail_fields_t *to;

    if (reserve((void **)&page->fields, page->field_count, &page->field_capacity, 1, sizeof *page->fields) < 0) return -1;
    to = &page->fields[page->field_count++];
    *to = page->field_count > 1 ? to[-1] : (detail_fields_t){.count = 0};
    if (cell) merge_fields(to, &(detail_fields_t){{D_TABLE, D_CELL}, 2, cell->table, cell, NULL, {NULL, 0}});
    if (fields) merge_fields(to, fields);
    return 0;
}

/* Ends an element with details. */
static int end_detail(builder_t *builder)
{
    page_t *page = builder->page;
    open_detail_t open = page->open_details[--page->open_detail_count];

    if (open.has_fields) {
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
    builder->page->has_other_images |= entry->kind != MATH_SPAN;
    if ((image = take_zeros(&builder->page->arena, sizeof *image)) == NULL) {
        free_around(&around);
        return -1;
    }
    image->formula = entry;
    return add_figure(builder, image, around);
}

static int start_by_kind(builder_t *builder, node_t *node, const tag_t *tag);

/* Begins an element with details or a *cell*; each may be NULL. Returns what its end does; -1 with an exception. */
static int start_detailed(builder_t *builder, node_t *node, const tag_t *tag, const detail_t *detail, const placed_cell_t *cell)
{
    static const detail_t NONE;
    page_t *page = builder->page;
    open_detail_t open = {detail ? detail : &NONE, builder->block_count, run_of(builder)->ends.count, false};
    int end;

    detail = open.detail;
    open.has_fields = cell || detail->fields;
    if (detail->entry && is_named(tag, "img")) return add_formula_image(builder, detail->entry) < 0 ? -1 : END_NOTHING;
    if (detail->entry && open_entry(builder, detail->entry) < 0) return -1;
    if ((end = start_by_kind(builder, node, tag)) < 0) return -1;
    if (detail->next_fields) page->next_fields = *detail->next_fields;
    if (end == END_SKIPPED) { /* its content is skipped, or written by its start */
        if (detail->entry && close_detail(builder, &open) < 0) return -1;
        return END_SKIPPED;
    }
    if (open.has_fields && push_fields(page, cell, detail->fields) < 0) return -1;
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

    if (code == Py_None) return 0; /* the title of code */
    if (!PyArg_ParseTuple(code, "LOO", &number, &text, &language)) return -1;
    set_number(to, F_CODE, number);
    if ((is_known = has_code(page, number)) != 0) return is_known < 0 ? -1 : 0;
    add_field(to, F_CODE_TEXT);
    if (need_texts(&page->arena, to) < 0 || store_string(&page->arena, text, &to->texts->code_text) < 0) return -1;
    if (language == Py_None || PyUnicode_GET_LENGTH(language) == 0) return 0;
    add_field(to, F_CODE_LANGUAGE);
    return store_string(&page->arena, language, &to->texts->code_language);
}

/* Adds a cell over the whole text of a block. Returns -1 with an exception. */
static int add_cell(page_t *page, markup_t *to, const placed_cell_t *cell, size_t chars)
{
    if (cell == NULL) return 0;
    if ((to->cells = take(&page->arena, sizeof *to->cells)) == NULL) return -1;
    to->cells[0] = (cell_t){
        .end = (uint32_t)chars,
        .row = cell->row,
        .rows = cell->rows,
        .column = cell->column,
        .columns = cell->width & (HEADER_CELL - 1),
        .is_header = (cell->width & HEADER_CELL) != 0,
    };
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
        else if ((status = need_texts(&page->arena, block->markup)) == 0) {
            add_field(block->markup, F_NOTE);
            block->markup->texts->note = fields.note;
        }
    }
    return status;
}

/* Drops the spans in formulas: their TeX has what they say. */
static void drop_in_formulas(markup_t *own)
{
    uint32_t end = 0, count = 0;

    for (size_t i = 0; own && i < own->span_count; i++) {
        span_t span = own->spans[i];
        if (span.start < end) continue;
        if (span.entry->kind == MATH_SPAN) end = span.end;
        own->spans[count++] = span;
    }
    if (own) own->span_count = count;
}

static bool is_formula_image(const entry_t *entry)
{
    return entry->kind == IMAGE_SPAN && entry->image && entry->image->formula;
}

/* Makes formulas of the images of a block that are formulas: those beside it are at its start or its end. As
 * detail_fields.place_formulas. Returns -1 with an exception. */
static int place_formulas_of_block(arena_t *arena, const block_t *block)
{
    markup_t *own = block->markup;
    spans_t spans = {NULL, own ? own->span_count : 0};
    uint32_t figure_count = 0;
    bool has_formulas = false;

    for (size_t i = 0; i < spans.count; i++) {
        if (!is_formula_image(own->spans[i].entry)) continue;
        own->spans[i].entry = own->spans[i].entry->image->formula;
        has_formulas = true;
    }
    for (size_t i = 0; own && i < own->figure_count; i++) figure_count += own->figures[i]->formula == NULL;
    if (own == NULL || figure_count == own->figure_count) /* unlike an image, a formula does not stay before an element */
        return has_formulas ? sort_spans((spans_t){own->spans, own->span_count}) : 0;
    if ((spans.items = take(arena, (spans.count + own->figure_count) * sizeof *spans.items)) == NULL) return -1;
    if (spans.count) memcpy(spans.items, own->spans, spans.count * sizeof *spans.items);
    figure_count = 0;
    for (size_t i = 0; i < own->figure_count; i++) {
        image_t *image = own->figures[i];
        uint32_t at = image->is_after ? (uint32_t)block->chars : 0;
        entry_t *entry;
        if (image->formula == NULL) {
            own->figures[figure_count++] = image;
            continue;
        }
        if ((entry = take_zeros(arena, sizeof *entry)) == NULL) return -1;
        *entry = *image->formula;
        entry->values = 2; /* it is displayed */
        spans.items[spans.count++] = (span_t){at, at, entry};
    }
    own->figure_count = figure_count;
    if (figure_count == 0) drop_field(own, F_FIGURE);
    return set_sorted_spans(own, spans);
}

/* The same of all blocks. */
static int place_formulas(builder_t *builder)
{
    int status = 0;

    for (size_t i = 0; builder->page->has_formula_images && status == 0 && i < builder->block_count; i++)
        status = place_formulas_of_block(&builder->page->arena, &builder->blocks[i]);
    return status;
}
