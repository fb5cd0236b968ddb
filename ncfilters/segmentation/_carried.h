/* The markup of blocks in the segments that they become: as markup.py, which is the reference. `_lines.h` includes it.
 *
 * The markup of a block changes in place. Where the texts of a segment are not those of its blocks, which few are, and where a
 * text has formulas or is code, Python functions change a dict instead: that is the markup then.
 */

#include "_moved_spans.h"

/* Functions of markup.py, borrowed; what they changed; the images that wait for the first segment. */
typedef struct {
    arena_t *arena; /* of the columns; NULL without markup */
    PyObject *finish;
    PyObject *dicts; /* owned: a list */
    markup_t *waiting;
} carrier_t;

/* Calls a function for what it does. Returns -1 with an exception. */
static int call_for_effect(PyObject *function, PyObject *one, PyObject *two)
{
    PyObject *done = PyObject_CallFunctionObjArgs(function, one, two, NULL);

    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* Whether markup has fields that positions in the text belong to. */
static bool has_positions(const markup_t *own)
{
    return own && (has_field(own, F_SPANS) || has_field(own, F_CELLS));
}

/* Whether lines have what would be lost with them: markup_fields.has_markup. */
static bool do_carry(const lines_t *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const markup_t *own = lines->items[i].markup;
        if (has_positions(own) || has_field(own, F_FIGURE) || has_field(own, F_CODE)) return true;
    }
    return false;
}

/* Whether the text of a line with positions is another one now. */
static bool is_moved(const line_t *line)
{
    return line->raw.at && has_positions(line->markup);
}

/* Moves positions in the texts of lines. Returns 1 if only the Python function can, which has to join the lines, too; -1 with
 * an exception. */
static int move_positions(lines_t *lines, arena_t *arena)
{
    line_t *first = &lines->items[0];
    int status = 0;

    for (size_t i = 0; i < lines->count; i++)
        if (is_moved(&lines->items[i]) && !is_movable(&lines->items[i])) return 1;
    if (lines->count > 1 && is_moved(first)) { /* the segment, which gets the fields of all lines, keeps their order */
        markup_t *own = take(arena, sizeof *own);
        if (own == NULL) return -1;
        *own = *first->markup;
        first->markup = own;
    }
    for (size_t i = 0; i < lines->count && status == 0; i++)
        if (is_moved(&lines->items[i])) status = move_markup(&lines->items[i]);
    return status;
}

/* A block as a dict: its text, whether it is preformatted, and its markup; with the *kept* cells (see `need_dict`). NULL with
 * an exception. */
static PyObject *dict_of_markup(bytes_t text, bool is_pre, const markup_t *markup, PyObject *kept)
{
    PyObject *out = PyDict_New(), *string = string_of(text);

    if (out && (string == NULL || PyDict_SetItem(out, words.text, string) < 0 ||
                (is_pre && PyDict_SetItem(out, words.pre, Py_True) < 0) ||
                set_markup_fields(out, markup, kept) < 0)) Py_CLEAR(out);
    Py_XDECREF(string);
    return out;
}

/* Makes a dict of the markup of a segment, if it is none. In it, *kept* stands for the cells, which stay where they are, for
 * functions that do not read them; NULL for the cells themselves. Returns -1 with an exception. */
static int need_dict(segment_t *segment, PyObject *dicts, PyObject *kept)
{
    PyObject *dict;
    int status;

    if (segment->marked) return 0;
    if ((dict = dict_of_markup(segment->text, segment->is_pre, segment->markup, kept)) == NULL) return -1;
    status = PyList_Append(dicts, dict);
    segment->marked = dict; /* which the list owns */
    Py_DECREF(dict);
    return status;
}

/* Carries markup by the Python function. Returns -1 with an exception. */
static int carry_by_function(segment_t *segment, const lines_t *lines, const carrier_t *carrier)
{
    PyObject *olds = PyList_New(0), *dicts = PyList_New(0);
    int status = olds && dicts ? need_dict(segment, carrier->dicts, NULL) : -1;

    for (size_t i = 0; status == 0 && i < lines->count; i++) {
        const line_t *line = &lines->items[i];
        status = append_object(olds, string_of(line->raw.at ? line->raw : line->text));
        if (status == 0 && i == 0) status = PyList_Append(dicts, segment->marked);
        else if (status == 0) status = append_object(dicts, dict_of_markup(line->text, segment->is_pre, line->markup, NULL));
    }
    if (status == 0) status = call_for_effect(carrier->finish, olds, dicts);
    Py_XDECREF(olds);
    Py_XDECREF(dicts);
    return status;
}

static bool is_same_image(const image_t *one, const image_t *other)
{
    return are_same(one->src, other->src) && are_same(one->alt, other->alt) && are_same(one->caption, other->caption) &&
           are_same(one->link, other->link) && one->formula == other->formula && one->is_after == other->is_after &&
           one->has_place == other->has_place && one->row == other->row && one->column == other->column;
}

/* Removes the images that *outside* has, too. Returns -1 with an exception. */
static int drop_figures(arena_t *arena, markup_t *own, const markup_t *outside)
{
    image_t **left = take(arena, own->figure_count * sizeof *left + 1);
    size_t count = 0;

    if (left == NULL) return -1;
    for (size_t i = 0; i < own->figure_count; i++) {
        size_t same = 0;
        while (same < outside->figure_count && !is_same_image(own->figures[i], outside->figures[same])) same++;
        if (same == outside->figure_count) left[count++] = own->figures[i];
    }
    own->figures = left;
    own->figure_count = own->figure_capacity = (uint32_t)count;
    return 0;
}

/* Adds the images of *own* before or after it to *outside*. Returns -1 with an exception. */
static int add_outside(arena_t *arena, markup_t *outside, const markup_t *own, bool after)
{
    for (size_t i = 0; own && i < own->figure_count; i++)
        if (own->figures[i]->is_after == after && add_figure_field(arena, outside, own->figures[i]) < 0) return -1;
    return 0;
}

/* Gives a segment the markup of its lines. *parts* and *copies* have room for them. Returns -1 with an exception. */
static int join_line_markup(segment_t *segment, const lines_t *lines, arena_t *arena, joined_t *parts, markup_t *copies)
{
    markup_t outside = {.count = 0};

    if (add_outside(arena, &outside, lines->items[0].markup, false) < 0 ||
        add_outside(arena, &outside, lines->items[lines->count - 1].markup, true) < 0) return -1;
    for (size_t i = 0; i < lines->count; i++) {
        const markup_t *own = lines->items[i].markup;
        parts[i] = (joined_t){NULL, lines->items[i].chars};
        if (own == NULL) continue;
        copies[i] = *own;
        parts[i].markup = &copies[i];
        if (own->figure_count && outside.figure_count && drop_figures(arena, &copies[i], &outside) < 0) return -1;
    }
    if (need_markup(arena, &segment->markup) < 0 || join_markup(arena, segment->markup, parts, lines->count) < 0) return -1;
    drop_field(segment->markup, F_FIGURE);
    segment->markup->figures = outside.figures;
    segment->markup->figure_count = outside.figure_count;
    segment->markup->figure_capacity = outside.figure_capacity;
    if (outside.figure_count) add_field(segment->markup, F_FIGURE);
    return 0;
}

/* Carries the markup of lines to the segment that they are now. Returns -1 with an exception. */
static int carry_markup(segment_t *segment, lines_t *lines, const carrier_t *carrier)
{
    joined_t *parts;
    markup_t *copies;
    int status = -1, moved;

    if (segment->has_lines) {
        if (need_markup(carrier->arena, &segment->markup) < 0) return -1;
        add_field(segment->markup, F_LINES);
    }
    lines->items[0].markup = segment->markup; /* it may have got images since */
    if (!do_carry(lines)) return 0;
    if ((moved = move_positions(lines, carrier->arena)) > 0) return carry_by_function(segment, lines, carrier);
    if (moved < 0 || lines->count == 1) return moved;
    parts = PyMem_RawMalloc(lines->count * sizeof *parts);
    copies = PyMem_RawMalloc(lines->count * sizeof *copies);
    if (parts && copies) status = join_line_markup(segment, lines, carrier->arena, parts, copies);
    else PyErr_NoMemory();
    PyMem_RawFree(parts);
    PyMem_RawFree(copies);
    return status;
}

/* Gives an image of a block without text to the segment before it, or to those that wait. Returns -1 with an exception. */
static int give_image(carrier_t *carrier, const image_t *image, segment_t *before)
{
    image_t *own = copy_image(carrier->arena, image);
    markup_t **to = before ? &before->markup : &carrier->waiting;

    if (own == NULL || need_markup(carrier->arena, to) < 0) return -1;
    own->is_after = before != NULL;
    return add_figure_field(carrier->arena, *to, own);
}

/* Gives the images of a block without text to the segment before it, or to those that wait for the first one. Returns -1 with
 * an exception. */
static int give_images(carrier_t *carrier, const markup_t *own, segment_t *before)
{
    if (before) { /* which gets the field also if there are none */
        if (need_markup(carrier->arena, &before->markup) < 0) return -1;
        add_field(before->markup, F_FIGURE);
    }
    for (size_t i = 0; own && i < own->span_count; i++) {
        const entry_t *entry = own->spans[i].entry;
        if (entry->kind == IMAGE_SPAN && give_image(carrier, entry->image, before) < 0) return -1;
    }
    for (size_t i = 0; own && i < own->figure_count; i++)
        if (give_image(carrier, own->figures[i], before) < 0) return -1;
    return 0;
}

/* Takes over the images that wait for the first segment. Returns -1 with an exception. */
static int take_images(carrier_t *carrier, segment_t *segment)
{
    markup_t *waiting = carrier->waiting, *own;

    if (waiting == NULL) return 0;
    carrier->waiting = NULL;
    if (need_markup(carrier->arena, &segment->markup) < 0) return -1;
    own = segment->markup;
    for (size_t i = 0; i < own->figure_count; i++)
        if (add_figure_field(carrier->arena, waiting, own->figures[i]) < 0) return -1;
    own->figures = waiting->figures;
    own->figure_count = waiting->figure_count;
    own->figure_capacity = waiting->figure_capacity;
    add_field(own, F_FIGURE);
    return 0;
}
