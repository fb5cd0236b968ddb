/* The spans of a text from the marks of its run: as MarkupRun.take and MarkupRun.end_raised. `_core.c` includes it. */

/* Characters before each piece of a run, and all: count + 1 items. */
static void find_piece_starts(const run_t *run, size_t *out)
{
    size_t start = 0;

    out[0] = 0;
    for (size_t i = 0; i < run->ends.count; i++) {
        out[i + 1] = out[i] + count_chars(run->text.data + start, run->ends.items[i] - start);
        start = run->ends.items[i];
    }
}

/* The text that is made of a run; the characters before each of its pieces, and all (NULL if all are ASCII); and what is left of the pieces without the white space
 * at their start that the text lacks, so many characters. */
typedef struct {
    const run_t *run;
    const size_t *pieces;
    slice_t text, rest;
    size_t size, indent;
} text_of_run_t;

/* The characters before a piece, or before the end of the last one. */
static inline size_t chars_before(const text_of_run_t *own, size_t piece)
{
    const sizes_t *ends = &own->run->ends;
    size_t number = piece < ends->count ? piece : ends->count;

    if (own->pieces) return own->pieces[number];
    return number ? ends->items[number - 1] : 0;
}

static size_t mark_start(const text_of_run_t *own, const mark_t *mark)
{
    return chars_before(own, mark->start) + (mark->has_part ? mark->part[0] : 0);
}

static size_t mark_end(const text_of_run_t *own, const mark_t *mark)
{
    return mark->has_part ? chars_before(own, mark->start) + mark->part[1] : chars_before(own, mark->end);
}

static void find_rest(text_of_run_t *own, bool is_pre)
{
    size_t space;

    own->rest = (slice_t){own->run->text.data, own->run->text.data + own->run->text.length};
    own->indent = 0;
    if (own->text.start == own->text.end) return;
    for (; own->rest.start < own->rest.end; own->rest.start += space, own->indent++)
        if ((space = is_pre ? *own->rest.start == '\n' : raw_space_at(own->rest.start, own->rest.end)) == 0) break;
}

/* Where the marks of a run begin and end in its text: two items for each mark, sorted. */
static void find_positions(const text_of_run_t *own, position_t *out)
{
    const marks_t *marks = &own->run->marks;
    size_t count = 2 * marks->count;
    slice_t raw = {own->run->text.data, own->rest.end};

    for (size_t i = 0; i < marks->count; i++) {
        out[2 * i].at = mark_start(own, &marks->items[i]);
        out[2 * i + 1].at = mark_end(own, &marks->items[i]);
    }
    SORT(position_t, out, count, compare_positions);
    if (has_text_at(own->rest, own->text)) locate_by_distance(out, count, raw, own->text, own->indent, own->size, own->pieces == NULL);
    else if (own->pieces == NULL) locate_by_ascii_words(out, count, raw, own->text);
    else locate_by_words(out, count, raw, own->text);
}

/* A span while they are sorted. */
typedef struct {
    size_t start, end, mark;
    bool exists, leads; /* an image that is before the elements that start there, not in one of these */
} place_t;

static int compare_places(const void *one, const void *other)
{
    const place_t *left = one, *right = other;

    if (left->start != right->start) return left->start < right->start ? -1 : 1;
    if (left->leads != right->leads) return left->leads ? -1 : 1;
    if (left->end != right->end) return left->end > right->end ? -1 : 1;
    return left->mark < right->mark ? -1 : left->mark > right->mark;
}

/* The place of an element, without the white space at its ends. */
static place_t trimmed(const position_t *from, const position_t *to, const char *text, size_t mark)
{
    const char *start = text + from->byte, *end = text + to->byte;
    place_t out = {from->character, to->character, mark, false, false};
    size_t space;

    out.exists = start < end;
    if (out.exists && is_print(*start) && is_print(end[-1])) return out; /* mostly */
    for (; start < end && (space = space_at(start, end)) != 0; out.start++) start += space;
    for (; end > start; out.end--) {
        const char *last = char_before(start, end);
        if (space_at(last, end) != (size_t)(end - last)) break;
        end = last;
    }
    out.exists = start < end;
    return out;
}

/* The place of the element around a point with this serial; NULL if it is none of these. */
static const place_t *place_around(const marks_t *marks, const place_t *places, size_t count, size_t serial)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (marks->items[middle].serial < serial) low = middle + 1;
        else high = middle;
    }
    return low < count && marks->items[low].serial == serial && places[low].exists ? &places[low] : NULL;
}

/* The place of a point; *places* are those of the marks before it. */
static place_t place_of_point(const marks_t *marks, size_t number, const place_t *places, const position_t *from,
                              slice_t text)
{
    const mark_t *mark = &marks->items[number];
    place_t out = {from->character, from->character, number, true, mark->entry->kind == IMAGE_SPAN};
    bool is_at_space = text.start + from->byte < text.end && text.start[from->byte] == ' ';

    if (is_at_space && from->is_after_space) out.start++;
    for (size_t i = 0; i < mark->around.count; i++) {
        const place_t *outer = place_around(marks, places, number, mark->around.items[i].serial);
        if (outer && out.start < outer->start) out.start = outer->start;
        if (outer && out.start > outer->end) out.start = outer->end;
    }
    out.end = out.start;
    for (size_t i = 0; i < mark->around.count && out.leads; i++) {
        const place_t *outer = place_around(marks, places, number, mark->around.items[i].serial);
        out.leads = outer == NULL || outer->start != out.start;
    }
    return out;
}

/* An image with the address of the innermost link around it, of those that have no place. NULL with an exception. */
static image_t *linked_image(arena_t *arena, image_t *image, const around_t *around, const marks_t *marks,
                             const place_t *places, size_t count)
{
    const entry_t *link = NULL;
    image_t *out;

    for (size_t i = 0; i < around->count; i++) {
        const outer_t *outer = &around->items[i];
        if (outer->entry->kind == LINK_SPAN && !(marks && place_around(marks, places, count, outer->serial)))
            link = outer->entry;
    }
    if (link == NULL) return image;
    if ((out = copy_image(arena, image)) == NULL) return NULL;
    if (out->link.at == NULL) out->is_link_first = out->caption.at == NULL;
    out->link = link->value;
    return out;
}

/* The entry of the mark at a place. *places* are those of all marks, in their order. NULL with an exception. */
static const entry_t *entry_at(arena_t *arena, const marks_t *marks, const place_t *places, const place_t *own)
{
    const mark_t *mark = &marks->items[own->mark];
    entry_t *out;
    image_t *image;

    if (!mark->is_point || mark->entry->kind != IMAGE_SPAN) return mark->entry;
    image = linked_image(arena, mark->entry->image, &mark->around, marks, places, own->mark);
    if (image == mark->entry->image) return mark->entry;
    if (image == NULL || (out = take(arena, sizeof *out)) == NULL) return NULL;
    *out = *mark->entry;
    out->image = image;
    return out;
}

/* Adds the spans at sorted places. Returns -1 with an exception. */
static int add_spans(arena_t *arena, const marks_t *marks, const place_t *places, const place_t *sorted, spans_t *out)
{
    if ((out->items = take(arena, marks->count * sizeof *out->items)) == NULL) return -1;
    for (size_t i = 0; i < marks->count; i++) {
        const entry_t *entry = sorted[i].exists ? entry_at(arena, marks, places, &sorted[i]) : NULL;
        if (entry) out->items[out->count++] = (span_t){(uint32_t)sorted[i].start, (uint32_t)sorted[i].end, entry};
        else if (sorted[i].exists) return -1;
    }
    return 0;
}

/* Whether the pieces go on with the text, and marks begin and end with pieces, as they mostly do. */
static bool is_same_text(const text_of_run_t *own)
{
    const marks_t *marks = &own->run->marks;
    size_t length = (size_t)(own->text.end - own->text.start);

    for (size_t i = 0; i < marks->count; i++)
        if (marks->items[i].has_part) return false;
    return (size_t)(own->rest.end - own->rest.start) >= length && (length == 0 || memcmp(own->rest.start, own->text.start, length) == 0);
}

/* Where a piece begins in such a text; whether that is after a space is left out. */
static inline position_t start_of_piece(const text_of_run_t *own, size_t piece)
{
    const sizes_t *ends = &own->run->ends;
    size_t number = piece < ends->count ? piece : ends->count, indent = (size_t)(own->rest.start - own->run->text.data);
    size_t byte = number ? ends->items[number - 1] : 0, length = (size_t)(own->text.end - own->text.start);
    position_t out = {own->pieces ? own->pieces[number] : byte, byte < indent ? 0 : byte - indent, 0, false};

    out.character = out.at < own->indent ? 0 : out.at - own->indent;
    if (out.byte > length) out.byte = length;
    if (out.character > own->size) out.character = own->size;
    return out;
}

/* The places of the marks in such a text. */
static void place_by_pieces(const text_of_run_t *own, place_t *places)
{
    const run_t *run = own->run;
    const marks_t *marks = &run->marks;

    for (size_t i = 0; i < marks->count; i++) {
        const mark_t *mark = &marks->items[i];
        position_t from = start_of_piece(own, mark->start), to;
        if (mark->is_point) {
            size_t end = part_start(run, mark->start);
            from.is_after_space = ends_with_space(run->text.data, run->text.data + (end ? end : run->text.length));
            places[i] = place_of_point(marks, i, places, &from, own->text);
        } else {
            to = start_of_piece(own, mark->end);
            places[i] = trimmed(&from, &to, own->text.start, i);
        }
    }
}

/* The places of the marks in any text; *positions* has room for two for each. */
static void place_by_positions(const text_of_run_t *own, position_t *positions, place_t *places)
{
    const marks_t *marks = &own->run->marks;

    find_positions(own, positions);
    for (size_t i = 0; i < marks->count; i++) {
        const mark_t *mark = &marks->items[i];
        const position_t *from = find_position(positions, 2 * marks->count, mark_start(own, mark));
        const position_t *to = find_position(positions, 2 * marks->count, mark_end(own, mark));
        places[i] = mark->is_point ? place_of_point(marks, i, places, from, own->text) : trimmed(from, to, own->text.start, i);
    }
}

/* Room for the marks of most texts. */
enum { FEW_SIZES = 512 };

/* Finds the spans of *text*. Returns -1 with an exception. */
static int place_spans(arena_t *arena, const run_t *run, slice_t text, size_t size, bool is_pre, spans_t *out)
{
    const marks_t *marks = &run->marks;
    bool is_all_ascii = is_ascii(run->text.data, run->text.length);
    size_t starts = is_all_ascii ? 0 : run->ends.count + 1, bytes = marks->count * sizeof(place_t), few[FEW_SIZES];
    size_t all = starts * sizeof *few + 2 * bytes + 2 * marks->count * sizeof(position_t);
    size_t *room = all <= sizeof few ? few : PyMem_RawMalloc(all);
    text_of_run_t own = {.run = run, .pieces = is_all_ascii ? NULL : room, .text = text, .size = size};
    place_t *places, *sorted;
    int status;

    if (room == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    places = (place_t *)(room + starts);
    sorted = places + marks->count;
    if (!is_all_ascii) find_piece_starts(run, room);
    find_rest(&own, is_pre);
    if (is_same_text(&own)) place_by_pieces(&own, places);
    else place_by_positions(&own, (position_t *)(sorted + marks->count), places);
    memcpy(sorted, places, bytes);
    SORT(place_t, sorted, marks->count, compare_places);
    status = add_spans(arena, marks, places, sorted, out);
    if (room != few) PyMem_RawFree(room);
    return status;
}

/* Takes the spans of *text*, which is that of the run. Returns -1 with an exception. The open elements go on in the next
 * text. */
static int take_spans(arena_t *arena, run_t *run, size_t *serials, slice_t text, size_t size, bool is_pre, spans_t *out)
{
    marks_t *marks = &run->marks;
    const mark_t *first = marks->items;
    size_t parts = run->ends.count;
    int status = 0;

    *out = (spans_t){NULL, 0};
    if (marks->count == 0) return 0;
    for (size_t i = 0; i < marks->open_count; i++)
        if (marks->open[i] >= 0) marks->items[marks->open[i]].end = parts;
    if (marks->count == 1 && first->start == 0 && first->end == parts && !first->is_point && !first->has_part) {
        if (size && (out->items = take(arena, sizeof *out->items)) == NULL) return -1;
        if (size) out->items[out->count++] = (span_t){0, (uint32_t)size, first->entry};
    } else status = place_spans(arena, run, text, size, is_pre, out);
    continue_marks(marks, serials);
    return status;
}

/* ---- superscripts and subscripts that are written in another way */

/* Where the pieces of an element begin and end: characters in the text from *start* on. */
static size_t chars_from(const run_t *run, size_t start, size_t piece)
{
    size_t from = part_start(run, start), to = part_start(run, piece);

    return piece <= start ? 0 : count_chars(run->text.data + from, to - from);
}

/* The byte at which a character of a text begins. */
static const char *byte_of(slice_t text, size_t character)
{
    word_reader_t reader = {text.start, text.end, 0, false};

    read_to(&reader, character);
    return reader.at;
}

static bool is_open_mark(const marks_t *marks, size_t number)
{
    for (size_t i = 0; i < marks->open_count; i++)
        if (marks->open[i] == (Py_ssize_t)number) return true;
    return false;
}

/* Whether the new text of a superscript is no more than its *content* with white space around it; -1 with an exception. */
static int is_same_content(PyObject *text, slice_t content)
{
    Py_ssize_t length;
    slice_t own;

    if ((own.start = PyUnicode_AsUTF8AndSize(text, &length)) == NULL) return -1;
    own.end = own.start + length;
    strip(&own.start, &own.end);
    return own.end - own.start == content.end - content.start &&
           memcmp(own.start, content.start, (size_t)(content.end - content.start)) == 0;
}

/* Moves the marks in a superscript from piece number *start*, whose *content* becomes *written*: the pieces become one. */
static int move_raised_marks(arena_t *arena, run_t *run, size_t start, slice_t content, PyObject *decoded, PyObject *written)
{
    marks_t *marks = &run->marks;
    slice_t all = {run->text.data + part_start(run, start), run->text.data + run->text.length};
    Py_ssize_t at = PyUnicode_Find(written, decoded, 0, PyUnicode_GET_LENGTH(written), 1);
    int same = is_same_content(written, content);
    mark_t *raised;
    entry_t *entry;

    if (at == -2 || same < 0) return -1;
    for (size_t i = marks->count; i-- > 0 && marks->items[i].start >= start;) {
        mark_t *mark = &marks->items[i];
        size_t from = chars_from(run, start, mark->start), to = chars_from(run, start, mark->end);
        slice_t own = {byte_of(all, from), byte_of(all, to)};
        mark->start = start;
        mark->end = start + 1;
        if (at < 0 || is_open_mark(marks, i)) continue;
        strip(&own.start, &own.end);
        if (own.end - own.start == content.end - content.start &&
            memcmp(own.start, content.start, (size_t)(own.end - own.start)) == 0) continue;
        mark->has_part = true;
        mark->part[0] = from + (size_t)at;
        mark->part[1] = to + (size_t)at;
    }
    if (same || marks->open_count == 0 || marks->open[marks->open_count - 1] < 0) return 0;
    raised = &marks->items[marks->open[marks->open_count - 1]];
    if (raised->start != start) return 0;
    if ((entry = take_zeros(arena, sizeof *entry)) == NULL || store_string(arena, decoded, &entry->value) < 0) return -1;
    entry->kind = raised->entry->kind;
    entry->values = 1;
    raised->entry = entry;
    return 0;
}
