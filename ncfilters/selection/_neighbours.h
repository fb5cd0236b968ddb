/* jusText's context-sensitive pass on columns: as justext_context.py, which is the reference. */

#ifndef NC_SELECTION_NEIGHBOURS_H
#define NC_SELECTION_NEIGHBOURS_H

#include "_table.h"

/* How classes are found: what `justext_context.neighbour_policy` reads of the options. */
typedef struct {
    double threshold, bits;
    int by_class, drop_marked, has_page, no_headings, published;
    Py_ssize_t distance;
} neighbours_t;

/* A segment that takes part. */
typedef struct {
    segment_t *segment;
    unsigned char class, revised;
    bool is_heading;
    Py_ssize_t before; /* characters of the segments before it */
} neighbour_t;

static bool is_word_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether the names of the elements of a path have a heading: `\bh\d\b`. -1 for names beyond ASCII. */
static int has_heading(span_t path)
{
    bool inside = false, found = false; /* an id or classes */
    if (!memchr(path.data, 'h', (size_t)path.size))
        return 0;
    for (Py_ssize_t at = 0; at < path.size; at++) {
        char c = path.data[at];
        inside = c != '/' && (inside || c == '#' || c == '.');
        if (inside)
            continue;
        if ((unsigned char)c >= 0x80)
            return -1;
        found = found || (c == 'h' && (at == 0 || !is_word_character(path.data[at - 1])) && at + 1 < path.size
            && path.data[at + 1] >= '0' && path.data[at + 1] <= '9'
            && (at + 2 == path.size || !is_word_character(path.data[at + 2])));
    }
    return found;
}

static int is_heading(const segment_t *segment)
{
    return segment->path.data == no_path ? segment->type == 'h' : has_heading(segment->path);
}

/* The class of a segment (see `segment_class`). */
static unsigned char class_of_segment(const segment_t *segment, const neighbours_t *by)
{
    if (by->drop_marked && (segment->flags & RULE))
        return BAD;
    if (by->by_class && segment->class)
        return segment->class;
    if (fabs(segment->score - by->threshold) >= by->bits)
        return segment->score > by->threshold ? GOOD : BAD;
    return segment->score > by->threshold ? NEARGOOD : SHORT;
}

/* As `_good_by_neighbours`, of the revised classes. */
static void keep_by_neighbours(neighbour_t *all, Py_ssize_t size)
{
    Py_ssize_t start = 0; /* of the run */
    bool before = false;
    for (Py_ssize_t at = 0; at <= size; at++) {
        unsigned char class = at < size ? all[at].revised : BAD;
        if (at < size)
            all[at].segment->kept = class == GOOD;
        if (class != GOOD && class != BAD)
            continue;
        bool after = class == GOOD;
        Py_ssize_t first = start, last = at; /* the good part of the run */
        if (before != after && before)
            while (last > start && all[last - 1].revised != NEARGOOD)
                last--;
        else if (before != after)
            while (first < at && all[first].revised != NEARGOOD)
                first++;
        else if (!before)
            last = start;
        for (Py_ssize_t place = first; place < last; place++)
            all[place].segment->kept = true;
        start = at + 1;
        before = after;
    }
}

/* Calls the segments good that are headings of text: as `_headings_of_text`; with *revise*, they are near to it instead. */
static void find_headings(neighbour_t *all, Py_ssize_t size, Py_ssize_t distance, bool revise)
{
    Py_ssize_t next = -1; /* the characters before the next good one */
    for (Py_ssize_t at = size - 1; at >= 0; at--) {
        neighbour_t *own = &all[at];
        bool is_candidate = own->is_heading && (revise ? own->class == SHORT : own->class != BAD);
        if (revise ? own->class == GOOD : own->segment->kept)
            next = own->before;
        else if (is_candidate && next >= 0 && next - (own->before + own->segment->chars) <= distance) {
            if (revise)
                own->revised = NEARGOOD;
            else
                own->segment->kept = true;
        }
    }
}

/* Decides by neighbours: as `neighbour_policy`. Returns 0 for what is left to Python, and -1 without memory. */
static int decide_by_neighbours(table_t *table, const neighbours_t *by)
{
    bool has_class = false;
    for (Py_ssize_t at = 0; at < table->size; at++)
        has_class |= table->segments[at].class != NO_CLASS;
    if (by->has_page && !(by->by_class && has_class))
        return 0;
    neighbour_t *all = PyMem_Malloc(((size_t)table->size + 1) * sizeof *all);
    Py_ssize_t size = 0, before = 0;
    int decided = all ? 1 : -1;
    for (Py_ssize_t at = 0; decided > 0 && at < table->size; at++) {
        segment_t *segment = &table->segments[at];
        segment->kept = false;
        if (by->drop_marked && (segment->flags & EMBEDDED))
            continue;
        unsigned char class = class_of_segment(segment, by);
        int heading = by->no_headings ? 0 : is_heading(segment);
        if (class == OTHER_CLASS || heading < 0)
            decided = 0;
        all[size++] = (neighbour_t){segment, class, class, heading > 0, before};
        before += segment->chars;
    }
    if (decided > 0) {
        if (by->published)
            find_headings(all, size, by->distance, true);
        keep_by_neighbours(all, size);
        find_headings(all, size, by->distance, false);
    }
    PyMem_Free(all);
    return decided;
}

#endif
