/* The markup of a block, for the cores of pages and of segments: the fields that nc-stream(5) has with --markup, without
 * Python objects. What they point to is in an arena, which lives as long as the blocks of the page.
 */

#ifndef NC_BLOCK_MARKUP_H
#define NC_BLOCK_MARKUP_H

#include <Python.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../text/_bytes.h"
#include "../text/_dict_fields.h"

/* ---- memory */

typedef struct chunk chunk_t;
struct chunk {
    chunk_t *next;
    size_t used, size; /* bytes behind this */
};

/* What has been given back, in a list of those of a size. */
typedef struct spare spare_t;
struct spare {
    spare_t *next;
};
enum { ALIGNMENT = 8, MAX_SPARE_SIZE = 256 };

typedef struct {
    chunk_t *last;
    spare_t *spare[MAX_SPARE_SIZE / ALIGNMENT + 1]; /* by size */
} arena_t;

/* So many bytes; NULL with an exception. */
static void *take(arena_t *arena, size_t size)
{
    enum { CHUNK_SIZE = 1 << 14 };
    chunk_t *chunk = arena->last;
    void *out;

    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size <= MAX_SPARE_SIZE && arena->spare[size / ALIGNMENT]) {
        out = arena->spare[size / ALIGNMENT];
        arena->spare[size / ALIGNMENT] = arena->spare[size / ALIGNMENT]->next;
        return out;
    }
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t wanted = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        if ((chunk = PyMem_RawMalloc(sizeof *chunk + wanted)) == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        *chunk = (chunk_t){arena->last, 0, wanted};
        arena->last = chunk;
    }
    out = (char *)(chunk + 1) + chunk->used;
    chunk->used += size;
    return out;
}

/* The same, filled with zeros. */
static void *take_zeros(arena_t *arena, size_t size)
{
    void *out = take(arena, size);

    return out ? memset(out, 0, size) : NULL;
}

/* Gives bytes back, which `take` gave, for others of their size. */
static inline void give_back(arena_t *arena, void *bytes, size_t size)
{
    spare_t *own = bytes;

    size = size / ALIGNMENT * ALIGNMENT; /* at most what was taken */
    if (size == 0 || size > MAX_SPARE_SIZE) return;
    own->next = arena->spare[size / ALIGNMENT];
    arena->spare[size / ALIGNMENT] = own;
}

static inline void free_arena(arena_t *arena)
{
    while (arena->last) {
        chunk_t *next = arena->last->next;
        PyMem_RawFree(arena->last);
        arena->last = next;
    }
}

/* Copies a text. Returns -1 with an exception. */
static int store_text(arena_t *arena, bytes_t text, bytes_t *out)
{
    uint8_t *to = take(arena, text.size + 1);

    if (to == NULL) return -1;
    if (text.size) memcpy(to, text.at, text.size);
    *out = (bytes_t){to, text.size};
    return 0;
}

/* Copies a string; None has no bytes. Returns -1 with an exception, also for half a pair of surrogates. */
static inline int store_string(arena_t *arena, PyObject *string, bytes_t *out)
{
    Py_ssize_t size;
    const char *text;

    *out = (bytes_t){NULL, 0};
    if (string == Py_None) return 0;
    if ((text = PyUnicode_AsUTF8AndSize(string, &size)) == NULL) return -1;
    return store_text(arena, (bytes_t){(const uint8_t *)text, (size_t)size}, out);
}

/* ---- fields */

enum span_kind {
    LINK_SPAN, EM_SPAN, STRONG_SPAN, CODE_SPAN, SUP_SPAN, SUB_SPAN, DEL_SPAN, MARK_SPAN, MATH_SPAN, IMAGE_SPAN, NOTE_SPAN,
    ASIDE_SPAN, FOOTNOTE_SPAN, TASK_SPAN, SPAN_KINDS,
};
static const char *const SPAN_NAMES[] = {
    "link", "em", "strong", "code", "sup", "sub", "del", "mark", "math", "image", "note", "aside", "footnote", "task",
};
#define DISPLAY "display" /* the second value of a formula */

typedef struct entry entry_t;

/* An image: `src` and `alt`; or a formula. Those that it lacks are NULL. */
typedef struct {
    bytes_t src, alt, caption, link;
    const entry_t *formula;
    uint32_t row; /* of its cell, if it has a place */
    uint16_t column;
    bool has_place, is_link_first, is_after; /* the link is before the caption; the image is after the block */
} image_t;

/* What a span says: its kind, and up to two values. */
struct entry {
    enum span_kind kind;
    int values;
    bytes_t value;  /* the first one; NULL is None */
    image_t *image; /* instead of it */
};

/* Large pages have hundreds of thousands of spans, cells and blocks: their numbers are small. The texts of a page with markup
 * have at most UINT32_MAX bytes. */
typedef struct {
    uint32_t start, end; /* characters */
    const entry_t *entry;
} span_t;

typedef struct {
    span_t *items;
    size_t count;
} spans_t;

/* The place of a cell in the text of a block, and in the table. */
typedef struct {
    uint32_t start, end, row, rows;
    uint16_t column, columns : 15, is_header : 1;
} cell_t;

enum field { /* the first ones are numbers */
    F_LEVEL, F_DEPTH, F_ITEM, F_QUOTE, F_NEW_QUOTE, F_TABLE, F_CODE, NUMBER_FIELDS, F_SPANS = NUMBER_FIELDS, F_FIGURE, F_CELLS,
    F_CODE_TEXT, F_CODE_LANGUAGE, F_NOTE, F_LINES, FIELD_COUNT,
};
static const char *const FIELD_NAMES[] = {
    "level", "depth", "item", "quote", "new_quote", "table", "code", "spans", "figure", "cells", "code_text", "code_language", "note",
    "lines",
};

/* The texts of fields. */
typedef struct {
    bytes_t code_text, code_language, note;
} field_texts_t;

/* The fields of a block, in the order in which they were first set. */
typedef struct {
    uint8_t order[FIELD_COUNT], count;
    uint16_t has; /* a bit for each field */
    uint32_t span_count, cell_count, figure_count, figure_capacity;
    uint32_t numbers[NUMBER_FIELDS];
    span_t *spans;
    cell_t *cells;
    image_t **figures;
    field_texts_t *texts; /* NULL if there are none */
} markup_t;

static bool has_field(const markup_t *markup, enum field field)
{
    return markup && (markup->has >> field & 1);
}

static void add_field(markup_t *markup, enum field field)
{
    if (has_field(markup, field)) return;
    markup->order[markup->count++] = (uint8_t)field;
    markup->has |= (uint16_t)(1u << field);
}

static void drop_field(markup_t *markup, enum field field)
{
    size_t at = 0;

    while (at < markup->count && markup->order[at] != field) at++;
    if (at == markup->count) return;
    markup->has &= (uint16_t)~(1u << field);
    markup->count--;
    memmove(markup->order + at, markup->order + at + 1, markup->count - at);
}

static void set_number(markup_t *markup, enum field field, long long number)
{
    add_field(markup, field);
    markup->numbers[field] = (uint32_t)number;
}

/* Markup without fields, if there is none. Returns -1 with an exception. */
static int need_markup(arena_t *arena, markup_t **markup)
{
    if (*markup == NULL) *markup = take_zeros(arena, sizeof **markup);
    return *markup ? 0 : -1;
}

/* Texts of fields, if there are none. Returns -1 with an exception. */
static int need_texts(arena_t *arena, markup_t *markup)
{
    if (markup->texts == NULL) markup->texts = take_zeros(arena, sizeof *markup->texts);
    return markup->texts ? 0 : -1;
}

/* Adds an image beside the block. Returns -1 with an exception. */
static int add_figure_field(arena_t *arena, markup_t *markup, image_t *image)
{
    if (markup->figure_count == markup->figure_capacity) {
        uint32_t wanted = 2 * markup->figure_capacity + 2;
        image_t **items = take(arena, wanted * sizeof *items);
        if (items == NULL) return -1;
        if (markup->figure_count) memcpy(items, markup->figures, markup->figure_count * sizeof *items);
        markup->figures = items;
        markup->figure_capacity = wanted;
    }
    markup->figures[markup->figure_count++] = image;
    add_field(markup, F_FIGURE);
    return 0;
}

/* A copy of an image; NULL with an exception. */
static image_t *copy_image(arena_t *arena, const image_t *image)
{
    image_t *out = take(arena, sizeof *out);

    if (out) *out = *image;
    return out;
}

/* Whether two texts are equal; one may be none. */
static bool are_same(bytes_t one, bytes_t other)
{
    return (one.at == NULL) == (other.at == NULL) && equal(one, other);
}

/* ---- emphasis that goes on from the line before: as in markup_run.py */

static const entry_t LASTING[] = {[EM_SPAN] = {.kind = EM_SPAN}, [STRONG_SPAN] = {.kind = STRONG_SPAN}};
#define GOES_ON {.at = (const uint8_t *)"goes on", .size = 7}
static const entry_t GOING_ON[] = {[EM_SPAN] = {.kind = EM_SPAN, .values = 1, .value = GOES_ON},
                                   [STRONG_SPAN] = {.kind = STRONG_SPAN, .values = 1, .value = GOES_ON}};

static inline bool is_lasting(const entry_t *entry)
{
    return entry->kind == EM_SPAN || entry->kind == STRONG_SPAN;
}

static inline bool is_going_on(const entry_t *entry)
{
    return entry->values && is_lasting(entry);
}

/* Makes spans that go on from the line before spans of their own. */
static void end_going_on(spans_t spans)
{
    for (size_t i = 0; i < spans.count; i++)
        if (is_going_on(spans.items[i].entry)) spans.items[i].entry = &LASTING[spans.items[i].entry->kind];
}

/* ---- fields of several blocks that become one: as markup_fields.join */

/* A block that becomes a part of another: its markup, or NULL, and its characters. */
typedef struct {
    const markup_t *markup;
    size_t chars;
} joined_t;

/* Compares spans by start, and those of one start by their ends, if that is wanted: the longer ones first. */
static int compare_spans(const span_t *left, const span_t *right, bool by_end)
{
    if (left->start != right->start) return left->start < right->start ? -1 : 1;
    return !by_end || left->end == right->end ? 0 : left->end > right->end ? -1 : 1;
}

/* Sorts spans as they compare; equal ones keep their order. Returns -1 with an exception. */
static int merge_spans(spans_t spans, bool by_end)
{
    span_t *room;
    size_t from = 1;

    while (from < spans.count && compare_spans(&spans.items[from - 1], &spans.items[from], by_end) <= 0) from++;
    if (from >= spans.count) return 0;
    if ((room = PyMem_RawMalloc(spans.count * sizeof *room)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t width = 1; width < spans.count; width *= 2) {
        for (size_t start = 0; start < spans.count; start += 2 * width) {
            size_t middle = start + width < spans.count ? start + width : spans.count, one = start, other = middle;
            size_t end = middle + width < spans.count ? middle + width : spans.count;
            for (size_t to = start; to < end; to++) {
                bool is_first = other >= end || (one < middle && compare_spans(&spans.items[one], &spans.items[other], by_end) <= 0);
                room[to] = spans.items[is_first ? one++ : other++];
            }
        }
        memcpy(spans.items, room, spans.count * sizeof *room);
    }
    PyMem_RawFree(room);
    return 0;
}

/* As markup_run.sort_spans: an image stays before the elements that start at its place, if it is before all of them. Returns -1
 * with an exception. */
static int sort_spans(spans_t spans)
{
    if (merge_spans(spans, false) < 0) return -1;
    for (size_t from = 0, to; from < spans.count; from = to) {
        uint32_t start = spans.items[from].start;
        for (to = from + 1; to < spans.count && spans.items[to].start == start;) to++;
        while (from < to && spans.items[from].end == start && spans.items[from].entry->kind == IMAGE_SPAN) from++;
        if (to - from > 1 && merge_spans((spans_t){spans.items + from, to - from}, true) < 0) return -1;
    }
    return 0;
}

/* Sets spans, sorted; none of them is no field. Returns -1 with an exception. */
static int set_sorted_spans(markup_t *markup, spans_t spans)
{
    markup->spans = spans.items;
    markup->span_count = (uint32_t)spans.count;
    if (spans.count == 0) drop_field(markup, F_SPANS);
    else add_field(markup, F_SPANS);
    return sort_spans(spans);
}

/* Adds the images before or after a part to spans of the joined text, at *at*. Returns -1 with an exception. */
static int add_images_beside(arena_t *arena, const markup_t *own, bool is_after, size_t at, spans_t *out)
{
    for (size_t i = 0; i < own->figure_count; i++) {
        entry_t *entry;
        if (own->figures[i]->is_after != is_after) continue;
        entry = take_zeros(arena, sizeof *entry);
        if (entry == NULL || (entry->image = copy_image(arena, own->figures[i])) == NULL) return -1;
        entry->kind = IMAGE_SPAN;
        entry->values = 1;
        entry->image->is_after = false;
        out->items[out->count++] = (span_t){(uint32_t)at, (uint32_t)at, entry};
    }
    return 0;
}

/* The place of the span that a part's *span* goes on from: one of those of the part before, which begin at number *from* in
 * *out*, or one that has got longer into it. NULL if there is none. */
static span_t *span_before(const span_t *span, const spans_t *out, size_t from, span_t *const longer[2])
{
    for (int i = 0; i < 2; i++)
        if (longer[i] && longer[i]->entry->kind == span->entry->kind && longer[i]->end + 1 == span->start) return longer[i];
    for (size_t i = from; i < out->count; i++)
        if (out->items[i].entry->kind == span->entry->kind && out->items[i].end + 1 == span->start) return &out->items[i];
    return NULL;
}

/* The spans of parts in their joined text; images beside them are in it. Returns -1 with an exception. */
static int join_spans(arena_t *arena, markup_t *to, const joined_t *parts, size_t count)
{
    spans_t out = {NULL, 0};
    span_t *longer[2] = {NULL, NULL}; /* those of the part before that began before it */
    size_t start = 0, most = 0, before = 0, end;

    for (size_t i = 0; i < count; i++)
        if (parts[i].markup) most += (size_t)parts[i].markup->span_count + parts[i].markup->figure_count;
    if (most && (out.items = take(arena, most * sizeof *out.items)) == NULL) return -1;
    for (size_t i = 0; i < count; start += parts[i++].chars + 1, before = end) {
        const markup_t *own = parts[i].markup;
        span_t *last, *now[2] = {NULL, NULL};
        end = out.count;
        if (own && add_images_beside(arena, own, false, start, &out) < 0) return -1;
        for (size_t j = 0; own && j < own->span_count; j++) {
            span_t span = own->spans[j];
            span.start += (uint32_t)start;
            span.end += (uint32_t)start;
            if (is_going_on(span.entry)) {
                last = span_before(&span, &(spans_t){out.items, end}, before, longer);
                span.entry = &LASTING[span.entry->kind];
                if (last) {
                    last->end = span.end;
                    now[span.entry->kind == STRONG_SPAN] = last;
                    continue;
                }
            }
            out.items[out.count++] = span;
        }
        memcpy(longer, now, sizeof now);
        if (own && add_images_beside(arena, own, true, start + parts[i].chars, &out) < 0) return -1;
    }
    return set_sorted_spans(to, out);
}

/* The cells of parts in their joined text; lines of one cell are one. Returns -1 with an exception. */
static int join_cell_fields(arena_t *arena, markup_t *to, const joined_t *parts, size_t count)
{
    size_t start = 0, most = 0;
    cell_t *out;

    for (size_t i = 0; i < count; i++)
        if (parts[i].markup) most += parts[i].markup->cell_count;
    if (most == 0) return 0;
    if ((out = take(arena, most * sizeof *out)) == NULL) return -1;
    to->cells = out;
    most = 0;
    for (size_t i = 0; i < count; start += parts[i++].chars + 1) {
        const markup_t *own = parts[i].markup;
        for (size_t j = 0; own && j < own->cell_count; j++) {
            cell_t cell = own->cells[j];
            cell_t *last = most ? &out[most - 1] : NULL;
            cell.start += (uint32_t)start;
            cell.end += (uint32_t)start;
            if (last && last->row == cell.row && last->column == cell.column) last->end = cell.end;
            else out[most++] = cell;
        }
    }
    to->cell_count = (uint32_t)most;
    add_field(to, F_CELLS);
    return 0;
}

/* Whether all parts have a field with the same value. */
static bool do_agree(const joined_t *parts, size_t count, enum field field)
{
    for (size_t i = 0; i < count; i++) {
        if (!has_field(parts[i].markup, field)) return false;
        if (field == F_NOTE ? !equal(parts[i].markup->texts->note, parts[0].markup->texts->note)
                            : parts[i].markup->numbers[field] != parts[0].markup->numbers[field]) return false;
    }
    return true;
}

/* Gives *to* the fields of parts, between whose texts is one character. It may be the markup of the first part itself, but
 * not the same struct. Returns -1 with an exception. */
static int join_markup(arena_t *arena, markup_t *to, const joined_t *parts, size_t count)
{
    static const enum field SHARED[] = {F_LEVEL, F_DEPTH, F_ITEM, F_QUOTE, F_TABLE, F_CODE};
    const markup_t *first = NULL;

    if (join_spans(arena, to, parts, count) < 0 || join_cell_fields(arena, to, parts, count) < 0) return -1;
    for (size_t i = 0; i < sizeof SHARED / sizeof *SHARED; i++)
        if (do_agree(parts, count, SHARED[i])) set_number(to, SHARED[i], parts[0].markup->numbers[SHARED[i]]);
    if (do_agree(parts, count, F_NOTE)) {
        if (need_texts(arena, to) < 0) return -1;
        add_field(to, F_NOTE);
        to->texts->note = parts[0].markup->texts->note;
    }
    if (has_field(parts[0].markup, F_NEW_QUOTE)) set_number(to, F_NEW_QUOTE, parts[0].markup->numbers[F_NEW_QUOTE]);
    for (size_t i = 0; i < count && first == NULL; i++)
        if (has_field(parts[i].markup, F_CODE_TEXT)) first = parts[i].markup;
    if (first) {
        if (need_texts(arena, to) < 0) return -1;
        add_field(to, F_CODE_TEXT);
        to->texts->code_text = first->texts->code_text;
    }
    first = NULL;
    for (size_t i = 0; i < count && first == NULL; i++)
        if (has_field(parts[i].markup, F_CODE_LANGUAGE)) first = parts[i].markup;
    if (first) {
        if (need_texts(arena, to) < 0) return -1;
        add_field(to, F_CODE_LANGUAGE);
        to->texts->code_language = first->texts->code_language;
    }
    return 0;
}

/* ---- the fields as Python objects */

static PyObject *string_of_text(bytes_t text)
{
    if (text.at == NULL) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8((const char *)text.at, (Py_ssize_t)text.size, "replace");
}

/* Sets an entry to a text, if there is one. */
static int set_text(PyObject *dict, const char *name, bytes_t text)
{
    return text.at ? set_new_field(dict, name, string_of_text(text)) : 0;
}

/* The values of an entry after its kind are appended to a list. */
static int append_values(PyObject *list, const entry_t *entry);

static PyObject *dict_of_image(const image_t *image)
{
    PyObject *out = PyDict_New(), *list, *formula = NULL;
    int status = out ? 0 : -1;

    if (status == 0 && image->formula) {
        if ((list = PyList_New(0)) != NULL && append_values(list, image->formula) == 0) formula = PyList_AsTuple(list);
        Py_XDECREF(list);
        status = set_new_field(out, "math", formula);
    } else if (status == 0) status = set_text(out, "src", image->src) < 0 ? -1 : set_text(out, "alt", image->alt);
    if (status == 0 && image->is_link_first) status = set_text(out, "link", image->link);
    if (status == 0) status = set_text(out, "caption", image->caption);
    if (status == 0 && !image->is_link_first) status = set_text(out, "link", image->link);
    if (status == 0 && image->has_place) status = set_new_field(out, "row", PyLong_FromUnsignedLong(image->row));
    if (status == 0 && image->has_place) status = set_new_field(out, "column", PyLong_FromUnsignedLong(image->column));
    if (status == 0 && image->is_after) status = set_new_field(out, "after", Py_NewRef(Py_True));
    if (status < 0) Py_CLEAR(out);
    return out;
}

/* Appends a new reference to a list. */
static int append_object(PyObject *list, PyObject *item)
{
    int status = item ? PyList_Append(list, item) : -1;

    Py_XDECREF(item);
    return status;
}

static int append_values(PyObject *list, const entry_t *entry)
{
    if (append_object(list, PyUnicode_InternFromString(SPAN_NAMES[entry->kind])) < 0) return -1;
    if (entry->values > 0 &&
        append_object(list, entry->image ? dict_of_image(entry->image) : string_of_text(entry->value)) < 0) return -1;
    return entry->values > 1 ? append_object(list, PyUnicode_InternFromString(DISPLAY)) : 0;
}

static PyObject *list_of_span(const span_t *span)
{
    PyObject *out = PyList_New(0);

    if (out && (append_object(out, PyLong_FromSize_t(span->start)) < 0 ||
                append_object(out, PyLong_FromSize_t(span->end)) < 0 || append_values(out, span->entry) < 0)) Py_CLEAR(out);
    return out;
}

static PyObject *dict_of_cell(const cell_t *cell)
{
    PyObject *out = PyDict_New();

    if (out && (set_new_field(out, "start", PyLong_FromSize_t(cell->start)) < 0 ||
                set_new_field(out, "end", PyLong_FromSize_t(cell->end)) < 0 ||
                set_new_field(out, "row", PyLong_FromLong((long)cell->row)) < 0 ||
                set_new_field(out, "column", PyLong_FromLong(cell->column)) < 0 ||
                (cell->rows > 1 && set_new_field(out, "rows", PyLong_FromLong((long)cell->rows)) < 0) ||
                (cell->columns > 1 && set_new_field(out, "columns", PyLong_FromLong(cell->columns)) < 0) ||
                (cell->is_header && set_new_field(out, "header", Py_NewRef(Py_True)) < 0))) Py_CLEAR(out);
    return out;
}

/* The value of a field; NULL with an exception. */
static PyObject *object_of_field(const markup_t *markup, enum field field)
{
    PyObject *out;

    switch (field) {
    case F_SPANS:
        out = PyList_New(0);
        for (size_t i = 0; out && i < markup->span_count; i++)
            if (append_object(out, list_of_span(&markup->spans[i])) < 0) Py_CLEAR(out);
        return out;
    case F_FIGURE:
        out = PyList_New(0);
        for (size_t i = 0; out && i < markup->figure_count; i++)
            if (append_object(out, dict_of_image(markup->figures[i])) < 0) Py_CLEAR(out);
        return out;
    case F_CELLS:
        out = PyList_New(0);
        for (size_t i = 0; out && i < markup->cell_count; i++)
            if (append_object(out, dict_of_cell(&markup->cells[i])) < 0) Py_CLEAR(out);
        return out;
    case F_CODE_TEXT: return string_of_text(markup->texts->code_text);
    case F_CODE_LANGUAGE: return string_of_text(markup->texts->code_language);
    case F_NOTE:
        if ((out = PyDict_New()) != NULL && set_new_field(out, "id", string_of_text(markup->texts->note)) < 0) Py_CLEAR(out);
        return out;
    case F_LINES: return Py_NewRef(Py_True);
    default: return PyLong_FromLong((long)markup->numbers[field]);
    }
}

/* Sets the fields of a block in its dict; *cells* instead of those of a row, unless it is NULL. Returns -1 with an exception. */
static int set_markup_fields(PyObject *dict, const markup_t *markup, PyObject *cells)
{
    for (size_t i = 0; markup && i < markup->count; i++) {
        enum field field = (enum field)markup->order[i];
        PyObject *value = cells && field == F_CELLS ? Py_NewRef(cells) : object_of_field(markup, field);
        if (set_new_field(dict, FIELD_NAMES[field], value) < 0) return -1;
    }
    return 0;
}

#endif
