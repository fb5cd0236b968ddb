/* The walk: which function begins and ends an element, and the loop over the nodes. `_core.c` includes it. */

static int start_raised(builder_t *builder, const tag_t *tag)
{
    run_t *run = run_of(builder);
    bool is_superscript = is_named(tag, "sup");

    if (push_size(&run->raised_starts, run->ends.count) < 0) return -1;
    if (builder->page == NULL) return is_superscript ? END_SUP : END_SUB;
    if (open_entry(builder, &tag->entry) < 0) return -1;
    return is_superscript ? END_MARKED_SUP : END_MARKED_SUB;
}

static int start_control(run_t *run)
{
    return run->ends.count && append_part(run, " ", 1) < 0 ? -1 : END_NOTHING;
}

/* A control; the box of a task, at the start of an item, is a point in its text. */
static int start_task(builder_t *builder, node_t *node)
{
    const page_t *page = builder->page;
    run_t *run = run_of(builder);
    bool is_in_item = strchr(page->contexts[page->context_count - 1].order, 'd') != NULL;

    if (run->ends.count == 0 && is_in_item && is_task(builder, node) && add_task(builder, node) < 0) return -1;
    return start_control(run);
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
    case CONTROL: return start_control(run);
    case RAISED: case MARKED_RAISED: return start_raised(builder, tag);
    case MATH: return append_math(builder, node) < 0 ? -1 : END_SKIPPED;
    case SKIPPED: return start_skipped(builder, node, tag);
    case MARKED: return start_marked(builder, node, tag);
    case STYLED: return start_styled(builder, node, tag);
    case MARKED_BOLD: return start_marked_bold(builder, node);
    case ANCHOR: return start_anchor(builder, node);
    case BASE: return start_base(builder, node);
    case IMAGE: return start_image(builder, node);
    case WRAPPED_IMAGE: return start_wrapped_image(builder, node, tag);
    case TASK: return start_task(builder, node);
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
    const placed_cell_t *cell;

    if (builder->page == NULL) return start_of_kind(builder, node, tag, tag->kind);
    detail = detail_of(builder->page, node);
    cell = tag->kind == CELL && builder->page->cell_count ? cell_of(builder->page, node) : NULL;
    return detail || cell ? start_detailed(builder, node, tag, detail, cell) : start_by_kind(builder, node, tag);
}

static int end_marked_raised(builder_t *builder, bool is_superscript)
{
    if (end_raised(run_of(builder), is_superscript, &builder->page->arena) < 0) return -1;
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
    case END_SUB: return end_raised(run_of(builder), false, NULL);
    case END_SUP: return end_raised(run_of(builder), true, NULL);
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
