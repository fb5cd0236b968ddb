/* What the elements around a block say about it, as markup_context.py: the level of a heading, the depth of a list item
 * and its number. `_markup.h` includes it.
 */

/* Sets a field of a context. */
static void set_context(context_t *context, char field)
{
    char *at = context->order;

    while (*at && *at != field) at++;
    *at = field;
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
        quote_t *quote = take(&page->arena, sizeof *quote);
        if (quote == NULL) return -1;
        *quote = (quote_t){context->inner_quote, ++context->quote};
        context->inner_quote = quote;
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

/* Says of a block in quotes which of them are others than those of the block before: the depth of the outermost. */
static void set_new_quote(page_t *page, markup_t *markup, const quote_t *inner)
{
    const quote_t *before = page->last_quote, *own = inner;
    long long depth = 0;

    page->last_quote = inner;
    while (before && own && before != own) {
        long long left = before->depth, right = own->depth;
        if (left == right) depth = left;
        if (left >= right) before = before->outer;
        if (right >= left) own = own->outer;
    }
    if (depth) set_number(markup, F_NEW_QUOTE, depth);
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
