/* The walk with markup: as markup_builder.py, markup_context.py and detail_builder.py, which are the reference. `_core.c`
 * includes it.
 */

/* ---- what a page says with --markup */

/* An open block quote. */
typedef struct quote {
    const struct quote *outer;
    long long depth;
} quote_t;

/* Fields that a block gets from the elements around it, and the order in which they were first set: l, d, q. */
typedef struct {
    const quote_t *inner_quote;
    long long level, depth, item, quote, lists;
    bool is_caption;
    char order[4];
} context_t;

/* A cell of a table, as table_grid.py packs it: its element, its place in the table, and the number of that. */
typedef struct {
    uint64_t address;
    uint32_t row, rows, table;
    uint16_t column, width; /* with HEADER_CELL */
} placed_cell_t;
enum { HEADER_CELL = 1 << 15 };

/* Fields of the blocks in an element, by page_details.py, in the order in which they were first set. */
enum detail_field { D_TABLE, D_CELL, D_CODE, D_NOTE, DETAIL_FIELDS };
static const char *const DETAIL_NAMES[] = {"table", "cell", "code", "note"};
typedef struct {
    uint8_t order[DETAIL_FIELDS];
    size_t count;
    long long table;
    const placed_cell_t *cell; /* NULL in a caption */
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
    bool has_fields;
} open_detail_t;

/* What is before the names in a relative folder, in ASCII without signs to encode; *is_plain* is false for others. */
typedef struct {
    bytes_t name, address;
    bool is_plain;
} folder_t;
enum { FOLDER_BITS = 5, FOLDER_SLOTS = 1 << FOLDER_BITS };

struct page {
    arena_t arena;
    PyObject *links, *items;                         /* borrowed */
    PyObject *host_object, *address_object;          /* of the page; owned */
    bytes_t host, address;                           /* their UTF-8 */
    bytes_t own_address;                             /* what an empty address leads to */
    bool has_own_address, is_own_known;
    folder_t folders[FOLDER_SLOTS]; /* by a hash of the name: a page has few */
    const quote_t *last_quote; /* around the last block in a quote; NULL if there is none */
    context_t *contexts;
    size_t context_count, context_capacity;
    figure_t *figures; /* the images since the last block */
    size_t figure_count, figure_capacity;
    block_elements_t figure_elements;
    place_of_block_t *last; /* the last visible block */
    const image_t *last_image; /* NULL if there is none */
    bool last_in_noscript;
    size_t last_blocks, last_parts; /* the place of that */
    detail_t *details; /* a hash table */
    size_t detail_slots, detail_count;
    const placed_cell_t *cells; /* of the tables of data, by address */
    placed_cell_t *own_cells;   /* the same, owned; NULL if they are borrowed */
    size_t cell_count, next_cell;
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
    bool has_formula_images, has_other_images; /* images with details: formulas; others, which only Python places */
};

#ifdef __SSE2__
/* Whether 16 bytes have "fi" or "wp". */
static inline bool has_figure_start(__m128i part)
{
    __m128i figures = _mm_and_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('f')), _mm_srli_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('i')), 1));
    __m128i captions = _mm_and_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('w')), _mm_srli_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('p')), 1));

    return _mm_movemask_epi8(_mm_or_si128(figures, captions)) != 0;
}
#endif

/* Whether a text may have `figure` or `wp-caption`. */
static bool may_have_figure(const char *text, size_t length)
{
#ifdef __SSE2__
    if (length >= 8 && length < 16) {
        __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)text);
        return has_figure_start(_mm_unpacklo_epi64(first, _mm_loadl_epi64((const __m128i *)(const void *)(text + length - 8))));
    }
    for (size_t at = 0; length >= 16 && at < length; at += 15) { /* some bytes are read twice */
        size_t from = at + 16 < length ? at : length - 16;
        if (has_figure_start(_mm_loadu_si128((const __m128i *)(const void *)(text + from)))) return true;
    }
    if (length >= 16) return false;
#endif
    return length >= 6;
}

/* Whether a class makes an element a figure: `wp-caption` or `figure`. */
static bool is_figure_class(const attribute_t *own)
{
    static const char WORDS[2][12] = {"figure", "wp-caption"};
    const char *start = own->value, *end = start + own->length;

    if (!may_have_figure(start, own->length)) return false;
    for (const char *at = start; end - at >= 6; at++) {
        const char *word = WORDS[*at == 'w'];
        size_t size = strlen(word);
        if (*at == *word && (size_t)(end - at) >= size && memcmp(at, word, size) == 0 &&
            (at == start || space_at(char_before(start, at), end)) && (at + size == end || space_at(at + size, end))) return true;
    }
    return false;
}

static bool is_figure(open_block_t *element)
{
    if (element->is_figure == UNKNOWN)
        element->is_figure = is_named(element->tag, "figure") || is_figure_class(&element->attributes.class) ? YES : NO;
    return element->is_figure == YES;
}

/* The open elements, without what figures they are. */
static elements_t serials_of(const builder_t *builder)
{
    return (elements_t){builder->serials.items, builder->serials.count, 0, 0};
}

static elements_t open_block_elements(const builder_t *builder)
{
    elements_t out = serials_of(builder);

    for (size_t i = 0; i < out.count && out.figure == 0; i++)
        if (is_figure(&builder->open_blocks[i])) out.figure = out.serials[i];
    for (size_t i = out.figure ? out.count : 0; i-- > 0 && out.inner == 0;)
        if (is_figure(&builder->open_blocks[i])) out.inner = out.serials[i];
    return out;
}

#include "_contexts.h"

/* ---- figures */

/* Sets the cell that an image is in. */
static void set_cell_of_figure(const builder_t *builder, figure_t *figure)
{
    const page_t *page = builder->page;
    const placed_cell_t *cell = page->field_count ? page->fields[page->field_count - 1].cell : NULL;
    size_t i = builder->open_block_count;
    place_in_page_t inner;

    if (cell == NULL) return;
    while (i > 0 && !is_named(builder->open_blocks[i - 1].tag, "td") && !is_named(builder->open_blocks[i - 1].tag, "th")) i--;
    if (i == 0) return;
    inner = (place_in_page_t){builder->serials.items[i - 1], i - 1};
    while (i > 0 && !is_named(builder->open_blocks[i - 1].tag, "table")) i--;
    if (i == 0) return;
    figure->cell = inner;
    figure->table = (place_in_page_t){builder->serials.items[i - 1], i - 1};
    figure->row = cell->row;
    figure->column = cell->column;
}

static int add_figure(builder_t *builder, image_t *image, around_t marks)
{
    page_t *page = builder->page;

    if (reserve((void **)&page->figures, page->figure_count, &page->figure_capacity, 1, sizeof *page->figures) < 0) {
        free_around(&marks);
        return -1;
    }
    if (make_figure(&page->arena, &page->figure_elements, &page->figures[page->figure_count], image, open_block_elements(builder),
                    page->last, marks) < 0) return -1;
    set_cell_of_figure(builder, &page->figures[page->figure_count++]);
    return 0;
}

/* Attaches the images since the last block to it or to the block with this number; at the end of the page there is none. */
static int attach_figures(builder_t *builder, size_t number, bool in_caption)
{
    page_t *page = builder->page;
    const block_t *block = number < builder->block_count ? &builder->blocks[number] : NULL;
    elements_t around = open_block_elements(builder);
    size_t waiting = 0;
    bool is_of_next = false;
    int status = 0;

    for (size_t i = 0; in_caption && i < page->figure_count; i++) is_of_next |= page->figures[i].image->caption.at == NULL;
    for (size_t i = 0; i < page->figure_count; i++) {
        figure_t *figure = &page->figures[i];
        int waits_on = block && status == 0 ? waits(figure, block, around, in_caption, is_of_next) : 0;
        if (status == 0 && waits_on > 0) {
            bytes_t text = {(const uint8_t *)builder->texts.data + block->start, block->length};
            if (in_caption) status = add_caption(&page->arena, figure, text, around);
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

#include "_details.h"

/* ---- blocks */

/* Takes the spans of the run, whose text is that of *block*. */
static int take_markup(builder_t *builder, const block_t *block)
{
    page_t *page = builder->page;
    slice_t text = {builder->texts.data + block->start, builder->texts.data + block->start + block->length};

    if (builder->texts.length > UINT32_MAX) {
        PyErr_NoMemory();
        return -1;
    }
    page->mark_count += run_of(builder)->marks.count;
    if ((Py_ssize_t)page->mark_count > builder->max_blocks) {
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
        span.start = (uint32_t)((span.start > start ? span.start : start) - start);
        span.end = (uint32_t)(span.end < end ? span.end : end);
        span.end = span.end > start ? (uint32_t)(span.end - start) : 0;
        if (span.start > end - start) span.start = (uint32_t)(end - start);
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
    if (!block->is_line) end_going_on(spans);
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
    if (context.inner_quote) set_new_quote(page, block->markup, context.inner_quote);
    if (element->hidden == SHOWN) {
        int in_caption = page->figure_count == 0 || context.is_caption ? 1 : is_caption(element);
        if (in_caption < 0 || (page->figure_count && attach_figures(builder, number, in_caption) < 0)) return -1;
        page->last = set_place(page->last, number, serials_of(builder));
        if (page->last == NULL) return -1;
    }
    if (page->detail_count == 0 && page->cell_count == 0) return 0;
    if (add_detail_fields(page, block) < 0) return -1;
    drop_in_formulas(block->markup);
    return 0;
}

/* Gives the memory of markup back that has been joined; what its fields point to is in use. */
static void give_markup_back(arena_t *arena, markup_t *own)
{
    if (own == NULL) return;
    if (own->spans) give_back(arena, own->spans, own->span_count * sizeof *own->spans);
    if (own->cells) give_back(arena, own->cells, own->cell_count * sizeof *own->cells);
    give_back(arena, own, sizeof *own);
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
    for (size_t i = 0; i < count && status == 0; i++) give_markup_back(&page->arena, builder->blocks[start + i].markup);
    PyMem_RawFree(parts);
    if (page->last && page->last->block > start) page->last->block = start;
    for (size_t i = 0; i < page->figure_count; i++) {
        place_of_block_t *before = page->figures[i].before;
        if (before && before->block > start) before->block = start;
    }
    return status;
}

#include "_styles.h"
#include "_addresses.h"
#include "_images.h"

/* ---- starts and ends of inline elements; -1 with an exception */

/* Begins an element whose attributes may hide it; what they say is in *own*. Returns what its end does. */
static int start_maybe_hidden(builder_t *builder, node_t *node, const tag_t *tag, attributes_t *own)
{
    *own = attributes_of(node);
    if (first_attribute(node) == NULL) return END_NOTHING;
    return hide_inline(builder, node, tag, own);
}

/* Whether an element shows the sign that its text names. */
static bool is_icon(attribute_t class)
{
    const char *end = class.value + class.length;

    return class.length && (contains(class.value, end, "icon", NULL) || contains(class.value, end, "material-symbols", NULL));
}

static int start_marked(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    int end = start_maybe_hidden(builder, node, tag, &own), is_plain = 0;

    if (end != END_NOTHING) return end;
    if (tag->entry.kind == EM_SPAN && (is_icon(own.class) || (is_plain = is_plain_style(own.style)) < 0))
        return is_plain < 0 ? -1 : END_NOTHING;
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
    bool in_noscript = builder->noscript_depth || is_named(tag_of(node->parent), "noscript");

    if (page->last_image && page->last_blocks == builder->block_count && page->last_parts == parts) {
        if (equal(image->src, page->last_image->src)) return true;
        if (in_noscript && !page->last_in_noscript) return true;
    }
    page->last_in_noscript = in_noscript;
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
    if (image == NULL) builder->page->last_image = NULL;
    if (image == NULL || is_twin(builder, image, node) || leads_home(builder->page, marks)) return END_NOTHING;
    return add_image_here(builder, image) < 0 ? -1 : END_NOTHING;
}

/* An image of AMP, which has another one in it for browsers without scripts. */
static int start_wrapped_image(builder_t *builder, node_t *node, const tag_t *tag)
{
    attributes_t own;
    int end = start_maybe_hidden(builder, node, tag, &own);

    return end < 0 || start_image(builder, node) < 0 ? -1 : end;
}

static bool has_task_class(attribute_t class)
{
    return class.length && contains(class.value, class.value + class.length, "task", NULL);
}

/* Whether a control is the check box of a task: nobody can change it, or a class says so. */
static bool is_task(const builder_t *builder, node_t *node)
{
    enum { MAX_TASK_DEPTH = 3 };
    attribute_t type = attribute_of(node, "type");
    size_t count = builder->open_block_count;

    if (type.length != 8 || memcmp(type.value, "checkbox", 8) != 0) return false;
    if (attribute_of(node, "disabled").exists || has_task_class(attribute_of(node, "class"))) return true;
    for (size_t i = count > MAX_TASK_DEPTH ? count - MAX_TASK_DEPTH : 0; i < count; i++)
        if (has_task_class(builder->open_blocks[i].attributes.class)) return true;
    return false;
}

/* Adds the box of a task to the text: "x" if it is checked, else a space. */
static int add_task(builder_t *builder, node_t *node)
{
    bool is_done = attribute_of(node, "checked").exists;
    bytes_t value = {(const uint8_t *)(is_done ? "x" : " "), 1};
    marks_t *marks = &run_of(builder)->marks;
    entry_t *entry = take_zeros(&builder->page->arena, sizeof *entry);
    around_t around;

    if (entry == NULL || store_text(&builder->page->arena, value, &entry->value) < 0) return -1;
    entry->kind = TASK_SPAN;
    entry->values = 1;
    if (open_elements(marks, &around) < 0) return -1;
    return add_mark(marks, &builder->page->mark_serials, run_of(builder)->ends.count, entry, around, true);
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
    PyObject *marks, *fields, *next_fields, *cells;

    page->links = links;
    page->items = items;
    if (!PyArg_ParseTuple(details, "O!O!O!S", &PyDict_Type, &marks, &PyDict_Type, &fields, &PyDict_Type, &next_fields, &cells))
        return -1;
    if (reserve((void **)&page->contexts, 0, &page->context_capacity, 1, sizeof *page->contexts) < 0) return -1;
    memset(&page->contexts[page->context_count++], 0, sizeof *page->contexts);
    if (read_host(page) < 0 || read_details(page, marks, fields, next_fields) < 0) return -1;
    return read_packed_cells(page, cells) < 0 ? -1 : push_fields(page, NULL, NULL);
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
    PyMem_RawFree((void *)page->figure_elements.items);
    PyMem_RawFree(page->details);
    PyMem_RawFree(page->own_cells);
    PyMem_RawFree(page->open_details);
    PyMem_RawFree(page->fields);
    PyMem_RawFree(page->codes.items);
}
