/* The parser's tree as the compiled core reads it: lexbor's structures and functions, growing arrays, characters in UTF-8,
 * elements and attributes. `_core.c` includes it.
 */

#define PY_SSIZE_T_CLEAN
#define _GNU_SOURCE /* RTLD_NOLOAD */
#include <Python.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../text/_freed_memory.h"
#include "_block_markup.h"

/* ---- lexbor: the part of its public structures that is read directly */

typedef struct node node_t;
struct node {
    void *events;
    uintptr_t local_name, prefix, ns;
    void *owner_document;
    node_t *next, *prev, *parent, *first_child, *last_child;
    void *user;
    int type;
};

typedef struct {
    node_t node;
    const unsigned char *data;
    size_t length;
} text_node_t;

typedef struct attribute_node attribute_node_t;

typedef struct {
    node_t node;
    uintptr_t upper_name, qualified_name;
    void *is_value;
    attribute_node_t *first_attribute;
} element_node_t;

struct attribute_node {
    node_t node;
    uintptr_t upper_name, qualified_name;
    const struct { const unsigned char *data; size_t length; } *value;
    void *owner;
    attribute_node_t *next;
};

enum { ELEMENT_NODE = 1, TEXT_NODE = 3, COMMENT_NODE = 8 };

typedef const unsigned char *(*name_of_f)(void *of, size_t *length);
typedef void *(*step_f)(void *of);

static struct {
    name_of_f element_name, attribute_name, attribute_value;
    step_f first_attribute, next_attribute;
    step_f next, prev, parent, first_child;
    step_f head_of, body_of; /* of a document */
    unsigned (*serialize)(node_t *node, unsigned (*write)(const unsigned char *data, size_t length, void *to), void *to);
    unsigned char *(*text_content)(node_t *node, size_t *length);
    void *(*destroy_text)(void *document, unsigned char *text);
} lexbor;

/* ---- growing arrays */

typedef struct {
    char *data;
    size_t length, capacity;
} buffer_t;

typedef struct {
    size_t *items;
    size_t count, capacity;
} sizes_t;

/* Makes room for *count* more items of *size* bytes. Returns -1 with an exception if there is no memory. */
static int reserve(void **items, size_t used, size_t *capacity, size_t count, size_t size)
{
    size_t needed = used + count, wanted;
    void *larger;

    if (needed <= *capacity) return 0;
    wanted = needed + needed / 2 + 16;
    larger = PyMem_RawRealloc(*items, wanted * size);
    if (larger == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *items = larger;
    *capacity = wanted;
    return 0;
}

static int append_bytes(buffer_t *to, const void *data, size_t length)
{
    if (reserve((void **)&to->data, to->length, &to->capacity, length, 1) < 0) return -1;
    if (length) memcpy(to->data + to->length, data, length);
    to->length += length;
    return 0;
}

static int push_size(sizes_t *to, size_t item)
{
    if (reserve((void **)&to->items, to->count, &to->capacity, 1, sizeof *to->items) < 0) return -1;
    to->items[to->count++] = item;
    return 0;
}

/* ---- characters in UTF-8 */

typedef struct {
    const char *start, *end;
} slice_t;

static const unsigned char SPACES[128] = {
    [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [28] = 1, [29] = 1, [30] = 1, [31] = 1, [32] = 1,
};

/* The first bytes of white space, and of the characters that share them. */
static const unsigned char MAY_BEGIN_SPACE[256] = {
    [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [28] = 1, [29] = 1, [30] = 1, [31] = 1, [32] = 1,
    [0xC2] = 1, [0xE1] = 1, [0xE2] = 1, [0xE3] = 1,
};

/* The bytes of the white space at *at*, as str.isspace() has it; 0 if there is none. */
static inline size_t space_at(const char *text, const char *end)
{
    const unsigned char *at = (const unsigned char *)text;

    if (*at < 0x80) return SPACES[*at];
    if (end - text < 2) return 0;
    if (*at == 0xC2) return at[1] == 0x85 || at[1] == 0xA0 ? 2 : 0;
    if (end - text < 3 || *at < 0xE1 || *at > 0xE3) return 0;
    if (*at == 0xE1) return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
    if (*at == 0xE3) return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
    if (at[1] == 0x81) return at[2] == 0x9F ? 3 : 0;
    if (at[1] != 0x80) return 0;
    return at[2] <= 0x8A || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF ? 3 : 0;
}

static bool is_space(const char *text, size_t length)
{
    const char *end = text + length;
    size_t space;

    while (text < end) {
        if ((space = space_at(text, end)) == 0) return false;
        text += space;
    }
    return true;
}

static size_t count_chars(const char *text, size_t length)
{
    return number_of_characters((const uint8_t *)text, length);
}

/* The bytes of the character that a byte begins; bytes that begin none count as characters. */
static size_t char_size(const char *text, const char *end)
{
    unsigned char first = (unsigned char)*text;
    size_t size = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;

    return size <= (size_t)(end - text) ? size : (size_t)(end - text);
}

static Py_UCS4 char_at(const char *text, const char *end)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t size = char_size(text, end);

    if (size == 1) return *at;
    if (size == 2) return (Py_UCS4)((at[0] & 0x1F) << 6 | (at[1] & 0x3F));
    if (size == 3) return (Py_UCS4)((at[0] & 0x0F) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F));
    return (Py_UCS4)((at[0] & 0x07) << 18 | (at[1] & 0x3F) << 12 | (at[2] & 0x3F) << 6 | (at[3] & 0x3F));
}

/* The start of the character before *at*. */
static const char *char_before(const char *start, const char *at)
{
    const char *found = at;

    while (found > start && at - found < 4)
        if (((unsigned char)*--found & 0xC0) != 0x80) break;
    return found;
}

/* The text without white space around it: moves both ends. */
static void strip(const char **start, const char **end)
{
    size_t space;

    while (*start < *end && (space = space_at(*start, *end)) != 0) *start += space;
    while (*start < *end) {
        const char *last = char_before(*start, *end);
        if (space_at(last, *end) != (size_t)(*end - last)) break;
        *end = last;
    }
}

/* The number of characters that the text has when each run of white space is one space, and none is around it. */
static size_t collapsed_chars(const char *text, size_t length)
{
    const char *end = text + length;
    size_t count = 0, space;
    bool pending = false;

    while (text < end) {
        if ((space = space_at(text, end)) != 0) {
            pending = count > 0;
            text += space;
            continue;
        }
        count += pending;
        pending = false;
        do count += ((unsigned char)*text++ & 0xC0) != 0x80; while (text < end && !MAY_BEGIN_SPACE[(unsigned char)*text]);
    }
    return count;
}

static bool is_ascii(const char *text, size_t length)
{
    size_t at = 0;

    for (; length - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, text + at, 8);
        if (eight & 0x8080808080808080u) return false;
    }
    for (; at < length; at++)
        if ((unsigned char)text[at] >= 0x80) return false;
    return true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

#ifdef __SSE2__
#include <emmintrin.h>

/* Whether bytes are from *first* to *last*. */
static inline __m128i are_within(__m128i part, char first, char last)
{
    const __m128i from_first = _mm_sub_epi8(part, _mm_set1_epi8(first));

    return _mm_cmpeq_epi8(_mm_min_epu8(from_first, _mm_set1_epi8((char)(last - first))), from_first);
}
#endif

/* Moves on to where a word may begin by its first and its last character, or to the last bytes of the text. */
static const char *find_ends(const char *text, const char *end, const char *word, size_t size)
{
#ifdef __SSE2__
    const __m128i first = _mm_set1_epi8(word[0]), last = _mm_set1_epi8(word[size ? size - 1 : 0]), small = _mm_set1_epi8(0x20);

    for (; size && (size_t)(end - text) >= size + 15; text += 16) {
        __m128i starts = _mm_loadu_si128((const __m128i *)(const void *)text);
        __m128i ends = _mm_loadu_si128((const __m128i *)(const void *)(text + size - 1));
        /* letters in lower case; other signs have the bit as well or never match, which the comparison of all finds */
        __m128i one = _mm_or_si128(_mm_cmpeq_epi8(starts, first), _mm_cmpeq_epi8(_mm_or_si128(starts, small), first));
        __m128i other = _mm_or_si128(_mm_cmpeq_epi8(ends, last), _mm_cmpeq_epi8(_mm_or_si128(ends, small), last));
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_and_si128(one, other));
        if (found) return text + __builtin_ctz(found);
    }
#else
    (void)end, (void)word, (void)size;
#endif
    return text;
}

/* Whether ASCII text contains a word, which is in lower case and not empty; *rest* is what follows. */
static bool contains(const char *text, const char *end, const char *word, const char **rest)
{
    size_t size = strlen(word);

    for (text = find_ends(text, end, word, size); (size_t)(end - text) >= size; text = find_ends(text + 1, end, word, size)) {
        size_t same = 0;
        while (same < size && lower(text[same]) == word[same]) same++;
        if (same == size) {
            if (rest) *rest = text + size;
            return true;
        }
    }
    return false;
}

/* ---- elements: what their names say */

/* How the walk treats an element, in the words of block_builder.HANDLERS. */
enum kind {
    INLINE, BLOCK, LIST, ITEM, ROW, CELL, PRE, NOSCRIPT, SHADOW_ROOT, LINK, BOLD, BREAK, CONTROL, RAISED, MATH, SKIPPED,
    /* with markup, in the words of markup_builder.MARKUP_HANDLERS */
    CONTEXT, MARKED, STYLED, MARKED_BOLD, MARKED_RAISED, ANCHOR, BASE, IMAGE, WRAPPED_IMAGE, TASK,
};
static const char *const START_NAMES[] = {
    "", "start_block", "start_list", "start_item", "start_row", "start_cell", "start_pre", "start_noscript",
    "start_shadow_root", "start_link", "start_bold", "start_break", "start_control", "start_raised", "start_math",
    "start_skipped", "start_context", "start_marked", "start_styled", "start_marked_bold", "start_marked_raised",
    "start_anchor", "start_base", "start_image", "start_wrapped_image", "start_task",
};
enum { KINDS = sizeof START_NAMES / sizeof *START_NAMES };
enum { TRANSPARENT_TAG = 1, ATTACHED_TAG = 2, CELL_TEXT_TAG = 4, HOLDER_TAG = 8 };

typedef struct {
    const char *name; /* of the string *object* */
    size_t length;
    PyObject *object;
    enum kind kind, marked; /* without markup, and with it: INLINE if it is the same */
    entry_t entry;          /* of the span that the element is with markup, if it is one */
    int groups;
} tag_t;

enum { TAG_SLOTS = 1024 };
static tag_t tags[TAG_SLOTS];
static const tag_t UNKNOWN_TAG;

static size_t tag_slot(const char *name, size_t length)
{
    size_t hash = length;

    for (size_t at = 0; at < length; at++) hash = hash * 31 + (unsigned char)name[at];
    hash ^= hash >> 10;
    while (tags[hash % TAG_SLOTS].object != NULL) {
        const tag_t *tag = &tags[hash % TAG_SLOTS];
        if (tag->length == length && memcmp(tag->name, name, length) == 0) break;
        hash++;
    }
    return hash % TAG_SLOTS;
}

/* The tag of an element by its name. */
static const tag_t *named_tag(node_t *node)
{
    size_t length = 0;
    const char *name;
    const tag_t *tag;

    name = (const char *)lexbor.element_name(node, &length);
    if (name == NULL) return &UNKNOWN_TAG;
    tag = &tags[tag_slot(name, length)];
    return tag->object ? tag : &UNKNOWN_TAG;
}

/* The parser numbers the names of HTML elements, those that it knows from 0 on. */
enum { HTML_NAMESPACE = 2, KNOWN_NAMES = 256 };
static const tag_t *tags_by_number[KNOWN_NAMES];

static const tag_t *tag_of(node_t *node)
{
    const tag_t *tag;

    if (node == NULL || node->type != ELEMENT_NODE) return &UNKNOWN_TAG;
    if (node->ns != HTML_NAMESPACE || node->local_name >= KNOWN_NAMES) return named_tag(node);
    if ((tag = tags_by_number[node->local_name]) != NULL) return tag;
    if ((tag = named_tag(node)) != &UNKNOWN_TAG) tags_by_number[node->local_name] = tag; /* others may become known */
    return tag;
}

static inline bool is_named(const tag_t *tag, const char *name)
{
    return tag->length == strlen(name) && memcmp(tag->name, name, tag->length) == 0;
}

/* ---- attributes */

typedef struct {
    const char *value; /* NULL if there is none */
    size_t length;
    bool exists;
} attribute_t;

/* The attributes that blocks depend on. */
typedef struct {
    attribute_t id, class, style, hidden, aria_hidden, role;
} attributes_t;

static inline void *first_attribute(const node_t *element)
{
    return ((const element_node_t *)(const void *)element)->first_attribute;
}

static inline void *next_attribute(const void *attribute)
{
    return ((const attribute_node_t *)attribute)->next;
}

/* The name of an attribute. The parser has numbers for the frequent ones. */
static inline const char *attribute_name(void *attribute, size_t *length)
{
    static struct { const char *name; size_t length; } known[KNOWN_NAMES];
    const attribute_node_t *own = attribute;
    uintptr_t number = own->node.local_name;

    if (number >= KNOWN_NAMES || own->node.prefix || own->qualified_name)
        return (const char *)lexbor.attribute_name(attribute, length);
    if (known[number].name == NULL)
        known[number].name = (const char *)lexbor.attribute_name(attribute, &known[number].length);
    *length = known[number].length;
    return known[number].name;
}

static attribute_t *slot_of(attributes_t *own, const char *name, size_t length)
{
    if (length == 2 && memcmp(name, "id", 2) == 0) return &own->id;
    if (length == 4 && memcmp(name, "role", 4) == 0) return &own->role;
    if (length == 5 && memcmp(name, "class", 5) == 0) return &own->class;
    if (length == 5 && memcmp(name, "style", 5) == 0) return &own->style;
    if (length == 6 && memcmp(name, "hidden", 6) == 0) return &own->hidden;
    if (length == 11 && memcmp(name, "aria-hidden", 11) == 0) return &own->aria_hidden;
    return NULL;
}

static void set_attribute(attribute_t *to, const void *attribute)
{
    const attribute_node_t *own = attribute;

    to->exists = true;
    to->length = own->value ? own->value->length : 0;
    to->value = own->value ? (const char *)own->value->data : NULL;
}

/* One after the other: processors take long to begin with a loop over so few bytes. */
static inline void clear_attributes(attributes_t *own)
{
    const attribute_t none = {NULL, 0, false};

    own->id = own->class = own->style = own->hidden = own->aria_hidden = own->role = none;
}

static attributes_t attributes_of(node_t *node)
{
    attributes_t own;
    size_t length;

    clear_attributes(&own);
    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        attribute_t *slot = name ? slot_of(&own, name, length) : NULL;
        if (slot) set_attribute(slot, at);
    }
    return own;
}

/* The attribute with a name of *size* bytes. */
static attribute_t attribute_named(node_t *node, const char *wanted, size_t size)
{
    attribute_t own = {0};
    size_t length;

    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        if (name && length == size && name[0] == wanted[0] && memcmp(name, wanted, size) == 0) set_attribute(&own, at);
    }
    return own;
}

static inline attribute_t attribute_of(node_t *node, const char *wanted)
{
    return attribute_named(node, wanted, strlen(wanted));
}

/* ---- the order of the page */

/* The node after *node* below *root*, depth first; NULL at the end. */
static node_t *next_node(node_t *node, const node_t *root)
{
    if (node->first_child) return node->first_child;
    while (node != root && node->next == NULL) node = node->parent;
    return node == root ? NULL : node->next;
}

/* The first text below *root* that is not white space; NULL if there is none. */
static const text_node_t *first_text(node_t *root)
{
    for (node_t *node = root; node != NULL; node = next_node(node, root)) {
        const text_node_t *text = (const text_node_t *)node;
        if (node->type == TEXT_NODE && text->data && !is_space((const char *)text->data, text->length)) return text;
    }
    return NULL;
}
