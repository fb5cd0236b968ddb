/* Segments in C: their fields, and characters of UTF-8. `_core.c` includes it. */

#define _GNU_SOURCE /* memmem */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../page/_columns.h"
#include "../text/_bytes.h"
#include "../text/_listed_words.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MAX_SIGNS = 32, MAX_WORDS = 64, MAX_WORD = 16 };

/* Words in ASCII and lower case, sorted by length: those of a length begin at `starts[length]`. */
typedef struct {
    PyObject *objects[MAX_WORDS]; /* owned */
    const uint8_t *words[MAX_WORDS];
    size_t starts[MAX_WORD + 2];
} words_t;

/* Characters, those of ASCII also as a table. */
typedef struct {
    bool is_ascii[128];
    Py_UCS4 others[MAX_SIGNS];
    Py_ssize_t count; /* of the others */
} signs_t;

/* What `setup` gets from the Python modules. */
static struct {
    PyObject *clean, *landmark_of_path, *without_wrappers, *without_markup; /* functions */
    words_t landmark_tags, widget_tags, widget_words, line_tags, label_tags;
    signs_t clause_ends, full_stops, closing, line_ends;
    Py_ssize_t max_bold_heading, max_heading, max_item, min_run;
    Py_ssize_t min_bars, max_field_chars, max_copyright_chars, min_menu, max_island_chars;
    double min_link_density;
    Py_ssize_t max_heading_line, min_text_line, min_width, min_prose_width, max_width, few_breaks;
    double slack, most_inside, min_inside, min_full, most_full;
    Py_ssize_t sample_chars, segment_chars, min_bytes, min_chars, min_sample, min_teaser, paths;
    double max_link_density, min_titled_share, min_untitled_share;
    PyObject *select; /* borrowed of landmark_tags */
} python;

/* Names and values of fields. */
static struct {
    PyObject *text, *tag, *path, *links, *br, *marker, *pre, *bold, *type, *rule;
    PyObject *hidden, *origin, *lines, *spans, *cells, *code, *code_text;
    PyObject *p, *h, *l, *header, *widget, *bars, *wordless, *link_rule, *island, *copyright;
} words;

static PyObject *empty;

/* The evidence of the elements around a segment: a rule (borrowed) or NULL, in a header, in the main content; and
 * whether it is in a heading or in a list item. */
typedef struct {
    PyObject *rule;
    bool in_header, in_content, in_heading, in_item;
} landmark_t;

/* A segment: what types and rules depend on, and what they are. */
typedef struct {
    bytes_t text, path, tag;
    size_t chars;
    long long links;
    PyObject *path_object;      /* borrowed */
    landmark_t landmark;        /* of its path, once `read_paths` has read it */
    PyObject *type, *rule;      /* borrowed; NULL if there is none */
    PyObject *dict;             /* borrowed; NULL if it is of columns */
    const shown_block_t *block; /* NULL if it is of a dict */
    markup_t *markup;           /* of its block; NULL if it has none */
    PyObject *marked;           /* borrowed: a dict with the markup instead, where Python functions have changed it */
    bytes_t raw;                /* with markup: the text before it was cleaned; NULL if it is the same */
    bool has_type;              /* it has had it before */
    bool has_marker, is_bold, is_pre, has_lines, is_row, is_title;
} segment_t;

/* ---- memory that is kept until a page is done */

typedef struct room room_t;
struct room {
    room_t *next;
};

/* Room for so many bytes; NULL with an exception. */
static uint8_t *take_room(room_t **rooms, size_t size)
{
    room_t *room = PyMem_RawMalloc(sizeof *room + size + 1);

    if (room == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    room->next = *rooms;
    *rooms = room;
    return (uint8_t *)(room + 1);
}

static void free_rooms(room_t *rooms)
{
    while (rooms) {
        room_t *next = rooms->next;
        PyMem_RawFree(rooms);
        rooms = next;
    }
}

/* ---- characters */

/* As the macro, which evaluates its argument twice. */
static inline bool is_white(Py_UCS4 c)
{
    return Py_UNICODE_ISSPACE(c);
}

static inline bool is_word(Py_UCS4 c)
{
    return Py_UNICODE_ISALNUM(c) || c == '_';
}

/* The character at a place of valid UTF-8. */
static inline Py_UCS4 char_at(const uint8_t *at)
{
    return *at < 0x80 ? *at : next_character(&at);
}

/* The start of the character before *at*. */
static inline const uint8_t *char_before(const uint8_t *start, const uint8_t *at)
{
    do at--; while (at > start && continues(*at));
    return at;
}

static size_t count_chars(bytes_t text)
{
    return number_of_characters(text.at, text.size);
}

static bool is_sign(Py_UCS4 c, const signs_t *signs)
{
    if (c < 0x80) return signs->is_ascii[c];
    for (Py_ssize_t i = 0; i < signs->count; i++)
        if (signs->others[i] == c) return true;
    return false;
}

/* Whether a text ends with one of *signs*, before closing quotes and brackets; true if it has nothing else. */
static bool ends_with(bytes_t text, const signs_t *signs)
{
    const uint8_t *end = text.at + text.size;

    while (end > text.at) {
        const uint8_t *last = char_before(text.at, end);
        Py_UCS4 c = char_at(last);
        if (!is_sign(c, &python.closing)) return is_sign(c, signs);
        end = last;
    }
    return true;
}

/* The word that ASCII text is, in any case (borrowed); NULL if it is none of them. */
static inline PyObject *member(const words_t *words_of, const uint8_t *text, size_t length)
{
    if (length > MAX_WORD) return NULL;
    for (size_t i = words_of->starts[length]; i < words_of->starts[length + 1]; i++)
        if (is_same_word(text, words_of->words[i], length)) return words_of->objects[i];
    return NULL;
}

/* Whether text is one of some words. */
static bool is_one_of(bytes_t text, const words_t *words_of)
{
    if (text.size > MAX_WORD) return false;
    for (size_t i = words_of->starts[text.size]; i < words_of->starts[text.size + 1]; i++)
        if (memcmp(text.at, words_of->words[i], text.size) == 0) return true;
    return false;
}

static PyObject *string_of(bytes_t text)
{
    return PyUnicode_DecodeUTF8((const char *)text.at, (Py_ssize_t)text.size, NULL);
}
