/* The blocks of a page for the cores of other stages: what a capsule with the name COLUMNS_NAME holds. */

#ifndef NC_COLUMNS_H
#define NC_COLUMNS_H

#include <Python.h>
#include <stdbool.h>
#include <stddef.h>

#include "_block_markup.h"

#define COLUMNS_NAME "ncfilters.page.columns"
enum { COLUMN_MARKER_SIZE = 24 };

/* A block: its fields as the walk makes them. Strings are UTF-8; those of fields that it lacks are NULL. */
typedef struct {
    const char *text, *tag, *path, *hidden, *origin;
    size_t text_size, tag_size, path_size, chars, links;
    PyObject *tag_object, *path_object; /* owned */
    markup_t *markup;                   /* in the arena; NULL if it has none */
    bool is_line, is_pre, is_bold;
    char marker[COLUMN_MARKER_SIZE]; /* empty if there is none */
} shown_block_t;

typedef struct {
    shown_block_t *blocks;
    size_t count;
    char *texts; /* owned: of all blocks */
    arena_t arena;
    bool has_markup; /* that of the blocks is known */
} columns_t;

#endif
