/* Images that stand as blocks of their own: as figures.py, which is the reference. `_core.c` includes it.
 *
 * Block elements have serial numbers: a figure knows those around it after they have ended. Those of items, cells and quotes are odd.
 */

/* The number of a block, and the serials of the elements around it. Several figures may share one. */
typedef struct {
    size_t references, block;
    sizes_t elements;
} place_of_block_t;

/* An open block element, and how many are open from the outermost to it. */
typedef struct block_element {
    size_t serial, depth;
    const struct block_element *outer;
} block_element_t;

/* The open block elements around the image before: images have most of them in common. */
typedef struct {
    const block_element_t **items;
    size_t count, capacity;
} block_elements_t;

/* An open element by its number among the open ones. */
typedef struct {
    size_t serial, number;
} place_in_page_t;

typedef struct {
    image_t *image;
    const block_element_t *around;  /* the innermost element around it, outside its <figure>; NULL if there is none */
    size_t element, figure, inner; /* 0: none */
    place_of_block_t *before; /* shared; NULL if there is none */
    around_t marks;
    Py_ssize_t waited;
    place_in_page_t cell, table; /* the cell of a data table that it is in, at *row* and *column*; serial 0: none */
    uint32_t row;
    uint16_t column;
} figure_t;

/* The block elements that are open: serials, from the outermost, and which are the outermost and the innermost figure (0: none). */
typedef struct {
    const size_t *serials;
    size_t count, figure, inner;
} elements_t;

static void drop_place(place_of_block_t *place)
{
    if (place == NULL || --place->references > 0) return;
    PyMem_RawFree(place->elements.items);
    PyMem_RawFree(place);
}

static place_of_block_t *share_place(place_of_block_t *place)
{
    if (place) place->references++;
    return place;
}

/* Copies serials, from the last one to the first one that differs: elements have the same elements around them as before. */
static int copy_serials(sizes_t *to, const size_t *serials, size_t count)
{
    if (reserve((void **)&to->items, 0, &to->capacity, count + 1, sizeof *to->items) < 0) return -1;
    for (size_t i = count; i-- > 0 && (i >= to->count || to->items[i] != serials[i]);) to->items[i] = serials[i];
    to->count = count;
    return 0;
}

/* Makes *place* that of a block; another one if it is shared. NULL with an exception. */
static place_of_block_t *set_place(place_of_block_t *place, size_t block, elements_t around)
{
    if (place == NULL || place->references > 1) {
        drop_place(place);
        if ((place = PyMem_RawCalloc(1, sizeof *place)) == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        place->references = 1;
    }
    place->block = block;
    if (copy_serials(&place->elements, around.serials, around.count) == 0) return place;
    drop_place(place);
    return NULL;
}

static void free_figure(figure_t *figure)
{
    free_around(&figure->marks);
    drop_place(figure->before);
}

/* Makes *stack* that of some serials. Returns -1 with an exception. */
static int set_elements(arena_t *arena, block_elements_t *stack, const size_t *serials, size_t count)
{
    size_t same = stack->count < count ? stack->count : count;

    if (reserve((void **)&stack->items, 0, &stack->capacity, count, sizeof *stack->items) < 0) return -1;
    while (same > 0 && stack->items[same - 1]->serial != serials[same - 1]) same--;
    for (stack->count = same; stack->count < count; stack->count++) {
        block_element_t *element = take(arena, sizeof *element);
        if (element == NULL) return -1;
        *element = (block_element_t){serials[stack->count], stack->count + 1, stack->count ? stack->items[stack->count - 1] : NULL};
        stack->items[stack->count] = element;
    }
    return 0;
}

/* Fills in a figure, which takes *marks* over, also if it fails. */
static int make_figure(arena_t *arena, block_elements_t *stack, figure_t *out, image_t *image, elements_t around,
                       place_of_block_t *before, around_t marks)
{
    size_t count = 0;

    memset(out, 0, sizeof *out);
    out->marks = marks;
    out->image = image;
    out->before = share_place(before);
    out->element = around.serials[around.count - 1];
    out->figure = around.figure;
    out->inner = around.inner;
    while (count < around.count && around.serials[count] != around.figure) count++;
    if (set_elements(arena, stack, around.serials, count) < 0) {
        free_figure(out);
        return -1;
    }
    out->around = count ? stack->items[count - 1] : NULL;
    return 0;
}

/* How near a block is to an image (see Figure._rank). */
typedef struct {
    size_t depth;
    bool is_text, is_outside; /* of items, cells and quotes that the image is not in */
    Py_ssize_t chars;
} rank_t;

static rank_t rank_of(const figure_t *figure, const block_t *block, const size_t *elements, size_t count)
{
    rank_t out = {0, !is_named(block->tag, "figcaption") && !is_named(block->tag, "caption"), true, 0};
    const block_element_t *shared = figure->around;

    while (shared && (shared->depth > count || elements[shared->depth - 1] != shared->serial)) shared = shared->outer;
    if (shared) out.depth = shared->depth;
    for (size_t i = out.depth; i < count; i++) out.is_outside &= !(elements[i] & 1);
    out.chars = (Py_ssize_t)block->chars - (Py_ssize_t)block->links;
    if (out.chars > markup.enough_chars) out.chars = markup.enough_chars;
    return out;
}

static bool is_as_near(rank_t one, rank_t other)
{
    if (one.depth != other.depth) return one.depth > other.depth;
    if (one.is_text != other.is_text) return one.is_text;
    if (one.is_outside != other.is_outside) return one.is_outside;
    return one.chars >= other.chars;
}

static bool is_in_element(place_in_page_t element, const size_t *elements, size_t count)
{
    return element.number < count && elements[element.number] == element.serial;
}

/* An image with its row and column, for a block in elements that are of another cell of its table: an image alone in a
 * cell has no block there. NULL with an exception. */
static image_t *placed_image(arena_t *arena, image_t *image, const figure_t *figure, const size_t *elements, size_t count)
{
    image_t *out;

    if (figure->cell.serial == 0 || is_in_element(figure->cell, elements, count) ||
        !is_in_element(figure->table, elements, count)) return image;
    if ((out = copy_image(arena, image)) == NULL) return NULL;
    out->has_place = true;
    out->row = figure->row;
    out->column = figure->column;
    return out;
}

/* Adds the image to the block before it, or to the one *after* it; its number is not below the count if there is none.
 * Returns -1 with an exception. */
static int attach_figure(builder_t *builder, arena_t *arena, const figure_t *figure, size_t after, elements_t around)
{
    const place_of_block_t *before = figure->before;
    bool has_after = after < builder->block_count, is_before;
    block_t *block;
    image_t *image;

    if (before == NULL && !has_after) return 0;
    is_before = before && (!has_after || is_as_near(rank_of(figure, &builder->blocks[before->block], before->elements.items,
                                                            before->elements.count),
                                                    rank_of(figure, &builder->blocks[after], around.serials, around.count)));
    if ((image = linked_image(arena, figure->image, &figure->marks, NULL, NULL, 0)) == NULL) return -1;
    block = &builder->blocks[is_before ? before->block : after];
    if (is_before) image = placed_image(arena, image, figure, before->elements.items, before->elements.count);
    else image = placed_image(arena, image, figure, around.serials, around.count);
    if (image == NULL) return -1;
    if (is_before) {
        if ((image = copy_image(arena, image)) == NULL) return -1;
        image->is_after = true;
    }
    return need_markup(arena, &block->markup) < 0 ? -1 : add_figure_field(arena, block->markup, image);
}

/* Whether an address is that of an image; -1 with an exception. */
static int is_image_address(bytes_t url);

/* Whether a link around an image leads to an image; -1 with an exception. */
static int is_linked_to_image(const figure_t *figure)
{
    for (size_t i = 0; i < figure->marks.count; i++) {
        const entry_t *entry = figure->marks.items[i].entry;
        int answer = entry->kind == LINK_SPAN ? is_image_address(entry->value) : 0;
        if (answer) return answer;
    }
    return 0;
}

/* Whether the image is not attached to a block in these elements (see Figure.waits); -1 with an exception. */
static int waits(figure_t *figure, const block_t *block, elements_t around, bool is_caption, bool is_of_next)
{
    if (++figure->waited >= markup.max_waited) return 0;
    if (block->links == block->chars) {
        int is_link = is_linked_to_image(figure);
        if (is_link) return is_link;
    }
    if (figure->figure == 0) return is_caption && !(is_of_next && figure->image->caption.at);
    return around.inner == figure->figure || around.inner == figure->inner;
}

/* Adds text of the `<figcaption>` of an image, in these elements. Returns -1 with an exception. */
static int add_caption(arena_t *arena, figure_t *figure, bytes_t text, elements_t around)
{
    bytes_t *caption = &figure->image->caption;
    const char *start, *end;
    uint8_t *to;

    if (around.inner == figure->inner) figure->figure = figure->inner;
    if (text.size >= 2 && memcmp(text.at + text.size - 2, "\xC2\xB6", 2) == 0) text.size -= 2; /* the link of a caption to itself */
    start = (const char *)text.at;
    end = start + text.size;
    strip(&start, &end); /* the end alone: preformatted text may begin with white space */
    if (start == end) return 0;
    text.size = (size_t)(end - (const char *)text.at);
    if (caption->size == 0) return store_text(arena, text, caption);
    if ((to = take(arena, caption->size + text.size + 1)) == NULL) return -1;
    memcpy(to, caption->at, caption->size);
    to[caption->size] = ' ';
    memcpy(to + caption->size + 1, text.at, text.size);
    *caption = (bytes_t){to, caption->size + 1 + text.size};
    return 0;
}
