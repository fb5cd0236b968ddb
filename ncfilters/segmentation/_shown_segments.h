/* The segments of a page for the cores of other stages: what a capsule with the name SEGMENTS_NAME holds. */

#ifndef NC_SHOWN_SEGMENTS_H
#define NC_SHOWN_SEGMENTS_H

#include <Python.h>
#include <stdbool.h>
#include <stddef.h>

#define SEGMENTS_NAME "ncfilters.segmentation.segments"

/* A segment: its fields. Strings are UTF-8, and end with NUL but for text and path; those of fields that it lacks are
 * NULL. */
typedef struct {
    const char *text, *path, *tag, *marker, *hidden, *origin, *type, *rule;
    size_t text_size, path_size, chars;
    long long links;
    PyObject *tag_object, *path_object; /* borrowed */
    PyObject *dict;                     /* borrowed: an embedded segment, which it is of; NULL for others */
    bool is_pre, is_bold, has_lines;
} shown_segment_t;

typedef struct {
    shown_segment_t *segments;
    size_t count;
    PyObject *columns, *others; /* owned: the capsule of the blocks, and the list of embedded segments */
    void *rooms;                /* owned: memory of texts */
} shown_segments_t;

#endif
