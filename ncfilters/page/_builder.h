/* The state of the walk over a page: open elements, texts, blocks; the tables and functions of the Python modules.
 * `_core.c` includes it.
 */

enum hiding { SHOWN, BY_STYLE, BY_ATTRIBUTE, FROM_READERS };
static const char *const HIDING_NAMES[] = {NULL, "display", "hidden", "aria"};

/* What the end of an element does. */
enum end {
    END_NOTHING, END_BLOCK, END_LIST, END_ITEM, END_ROW, END_CELL, END_PRE, END_NOSCRIPT, END_SHADOW_ROOT, END_LINK,
    END_BOLD, END_SUB, END_SUP, END_HIDDEN_INLINE, END_SKIPPED,
    /* with markup */
    END_MARKED, END_MARKED_BOLD, END_MARKED_SUB, END_MARKED_SUP, END_ANCHOR,
};
/* What an end does besides. */
enum { END_MASK = 0xFF, IN_CONTEXT = 0x100, IN_DETAIL = 0x200 };

typedef struct {
    node_t *node;
    int end;
} open_t;

enum answer { UNKNOWN, NO, YES };

typedef struct {
    node_t *node;
    PyObject *name, *path; /* owned; the path is NULL until it is needed */
    const tag_t *tag;
    attributes_t attributes;
    enum hiding hidden;
    enum answer is_figure; /* with markup */
} open_block_t;

typedef struct {
    size_t start, cell_start;
    bool is_data;
} row_t;

typedef struct {
    long long number;
    bool is_numbered;
} list_t;

/* The text of one block while it is read (see text_run.py): part number i ends at ends.items[i]. */
typedef struct {
    buffer_t text;
    sizes_t ends, link_spans, bold_spans, raised_starts; /* spans are pairs */
    Py_ssize_t link_start;
    size_t bold_start;
    marks_t marks; /* with markup */
} run_t;

enum { MARKER_SIZE = 24 };
enum origin { OF_PAGE, OF_NOSCRIPT, OF_SHADOW };

typedef struct {
    size_t start, length, chars, links;
    PyObject *name, *path; /* owned */
    markup_t *markup;      /* in the arena of the page; NULL if it has none */
    const tag_t *tag;
    enum hiding hidden;
    enum origin origin;
    bool is_line, is_pre, is_bold;
    char marker[MARKER_SIZE];
    char room[32]; /* for a shown_block_t, which takes its place: see _capsule.h */
} block_t;

typedef struct page page_t; /* see _markup.h */

/* A path, and what it was made of: the path of the parent, and the tag, the id and the classes of an element. */
typedef struct {
    PyObject *parent, *path; /* owned; NULL if there is none */
    const tag_t *tag;
    attribute_t id, class;
} known_path_t;
enum { PATH_BITS = 6, KNOWN_PATHS = 1 << PATH_BITS };

typedef struct {
    buffer_t texts; /* of all blocks */
    buffer_t path;  /* room for one */
    known_path_t paths[KNOWN_PATHS]; /* by a hash: many elements of a page have the same path */
    block_t *blocks;
    size_t block_count, block_capacity;
    Py_ssize_t max_blocks;
    open_t *open;
    size_t open_count, open_capacity;
    open_block_t *open_blocks;
    size_t open_block_count, open_block_capacity;
    run_t *runs; /* the last one is that of the open block */
    size_t run_count, run_capacity;
    list_t *lists;
    size_t list_count, list_capacity;
    row_t *rows;
    size_t row_count, row_capacity;
    int breaks, bold_depth, pre_depth, noscript_depth, shadow_depth;
    bool shadow_ended;
    bool is_condensed;    /* see _condense.h */
    bool has_few_holders; /* only those that may hold something on a page with prose; with markup, all JSON-LD */
    char marker[MARKER_SIZE]; /* empty if there is none */
    PyObject *holders, *node_at; /* borrowed; holders may be None */
    sizes_t serials;             /* of the open blocks */
    size_t last_serial;
    page_t *page; /* NULL without markup */
} builder_t;

/* What `setup` gets from the Python modules: limits, pairs of characters, functions. */
static struct {
    double min_bold;
    Py_ssize_t paragraph_break, max_cell_chars, max_name_chars, max_path_chars, path_head_chars, path_tail_chars, max_parts_before, max_note_chars;
    unsigned char pairs[128][128]; /* of character classes: EDGE_PAIR, ELEMENT_PAIR */
    PyObject *superscript, *subscript, *math_text, *tex_of_script, *is_drawn_again, *is_formula, *is_shown_beside;
    PyObject *path_element, *join_path, *hiding_of, *number_of;
} python;

/* Words in ASCII, which begin with a letter or a digit in lower case. *first* has the place of the first word with each of
 * these, from 1 on, and *next* that of the next one with the same. */
enum { MAX_WORDS = 32 };
typedef struct {
    const char *at; /* of an object in *owner* */
    size_t length;
    uint8_t next;
} word_t;
typedef struct {
    PyObject *owner;
    size_t count;
    word_t items[MAX_WORDS];
    uint8_t first[128];
} word_list_t;

/* What `setup_markup` gets: limits, functions; and the entries of spans. */
static struct {
    Py_ssize_t max_level, max_role_depth, max_url_chars, max_sources, max_waited, enough_chars;
    Py_ssize_t max_alt_chars, max_pixel_size, max_set_chars;
    word_list_t lazy_sources, other_sources, placeholders, emoji_classes, portrait_folders, pixel_hosts;
    const char *wrapper; /* of *wrapper_object* */
    size_t wrapper_length;
    PyObject *wrapper_object;
    PyObject *image_of, *is_caption_class, *is_image_address, *document_level, *is_plain_style, *style_kind;
    bool is_ready;
} markup;
