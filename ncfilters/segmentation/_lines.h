/* Lines between single `<br>`s: as line_breaks.py and segmenter._join_text, which are the reference. `_core.c` includes
 * it. */

typedef struct {
    bytes_t text;
    size_t chars;
    bool is_full, is_inside; /* the break after it: see line_breaks */
    markup_t *markup;        /* as in segment_t */
    bytes_t raw;
} line_t;

typedef struct {
    line_t *items;
    size_t count, capacity;
} lines_t;

static bool is_space_at(const uint8_t *at, const uint8_t *end)
{
    return at < end && is_white(char_at(at));
}

/* Whether `[^\s:]{1,20}:\s` is at the start. */
static bool is_label(bytes_t text)
{
    enum { MAX_LABEL = 20 };
    const uint8_t *at = text.at, *end = at + text.size;

    for (int chars = 0; at < end && chars <= MAX_LABEL; chars++) {
        Py_UCS4 c = next_character(&at);
        if (c == ':') return chars > 0 && is_space_at(at, end);
        if (is_white(c)) return false;
    }
    return false;
}

/* Whether `\s[=:+-]?=\s` is in the text behind white space. */
static bool is_assignment(const uint8_t *at, const uint8_t *end)
{
    if (at < end && (*at == '=' || *at == ':' || *at == '+' || *at == '-') && end - at > 1 && at[1] == '=' &&
        is_space_at(at + 2, end)) return true;
    return at < end && *at == '=' && is_space_at(at + 1, end);
}

/* Whether a line is one of a program or of a shell: line_breaks._CODE. */
static bool is_code(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
    bool after_word = false, in_call = false;
    Py_UCS4 last = 0; /* that is no white space */

    if (text.size > 1 && at[1] == ' ' && (*at == '$' || *at == '>' || *at == '#' || *at == '/')) return true;
    while (at < end) {
        Py_UCS4 c = next_character(&at);
        if (is_white(c)) {
            if (is_assignment(at, end)) return true;
            after_word = in_call = false;
            continue;
        }
        if (c == ')' && in_call) return true;
        in_call |= c == '(' && after_word;
        after_word = is_word(c);
        last = c;
    }
    return last == '{' || last == '}' || last == ';';
}

/* Whether the break between two lines is in the middle of a sentence. */
static bool is_inside(const line_t *line, const line_t *after, double width)
{
    Py_UCS4 first = char_at(after->text.at);
    double least = width * (1 - python.slack), half = (double)(python.min_width / 2);

    if (ends_with(line->text, &python.line_ends)) return false;
    if (Py_UNICODE_ISLOWER(first)) return !(is_label(after->text) || is_code(line->text) || is_code(after->text));
    return Py_UNICODE_ISALPHA(first) && !Py_UNICODE_ISUPPER(first) && (double)line->chars >= (least > half ? least : half);
}

/* The characters of the first word of a line. */
static size_t first_word(const line_t *line)
{
    const uint8_t *space = memchr(line->text.at, ' ', line->text.size);

    return space ? count_chars((bytes_t){line->text.at, (size_t)(space - line->text.at)}) : line->chars;
}

static bool is_unfinished(const lines_t *lines)
{
    for (size_t i = 0; i + 1 < lines->count; i++)
        if (ends_with(lines->items[i].text, &python.clause_ends)) return false;
    return true;
}

/* Whether the lines wrap prose. */
static bool is_wrapped(const lines_t *lines, size_t full, size_t inside, size_t width)
{
    size_t breaks = lines->count - 1;
    bool are_few = breaks <= (size_t)python.few_breaks;

    if ((double)inside >= python.most_inside * (double)breaks)
        return width >= (size_t)python.min_width || are_few || (double)full >= python.most_full * (double)breaks;
    if (width < (size_t)python.min_width || width > (size_t)python.max_width) return false;
    if ((double)inside >= python.min_inside * (double)breaks && (double)full >= python.min_full * (double)breaks)
        return true;
    return are_few && width >= (size_t)python.min_prose_width && full == breaks && is_unfinished(lines);
}

/* Finds which lines are full, and which breaks are inside a sentence. Returns whether the lines wrap prose. */
static bool find_wrapping(lines_t *lines)
{
    size_t width = 0, full = 0, inside = 0;
    double least;

    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].chars > width) width = lines->items[i].chars;
    least = width < (size_t)python.min_width ? (double)width : (double)width * (1 - python.slack);
    for (size_t i = 0; i + 1 < lines->count; i++) {
        line_t *line = &lines->items[i];
        full += line->is_full = (double)(line->chars + 1 + first_word(line + 1)) > least;
        inside += line->is_inside = is_inside(line, line + 1, (double)width);
    }
    return is_wrapped(lines, full, inside, width);
}

/* The separator after a line of wrapped prose: a line that could be longer ends a paragraph. */
static char end_of_line(const line_t *line)
{
    return !line->is_full && !line->is_inside && ends_with(line->text, &python.line_ends) ? '\n' : ' ';
}

/* Makes the text of a segment of its lines. Returns -1 with an exception. */
static int join_lines(segment_t *segment, lines_t *lines, bool in_heading, room_t **rooms)
{
    bool is_label = segment->is_bold || in_heading || is_one_of(segment->tag, &python.label_tags);
    bool wraps = !segment->is_pre && !is_label && find_wrapping(lines), has_lines = false;
    size_t size = 0;
    uint8_t *room, *to;

    for (size_t i = 0; i < lines->count; i++) size += lines->items[i].text.size + 1;
    if ((room = to = take_room(rooms, size)) == NULL) return -1;
    segment->chars = lines->count - 1;
    for (size_t i = 0; i < lines->count; i++) {
        const line_t *line = &lines->items[i];
        char end = segment->is_pre ? '\n' : is_label ? ' ' : wraps ? end_of_line(line) : '\n';
        memcpy(to, line->text.at, line->text.size);
        to += line->text.size;
        segment->chars += line->chars;
        if (i + 1 == lines->count) break;
        *to++ = (uint8_t)end;
        has_lines |= end == '\n';
    }
    segment->text = (bytes_t){room, (size_t)(to - room)};
    if (segment->is_pre) segment->has_marker = false; /* the number of a line */
    else segment->has_lines = has_lines;
    return 0;
}

#include "_carried.h"

static int add_line(lines_t *lines, const segment_t *segment)
{
    if (lines->count == lines->capacity) {
        size_t wanted = lines->capacity * 2 + 16;
        line_t *items = PyMem_RawRealloc(lines->items, wanted * sizeof *items);
        if (items == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        lines->items = items;
        lines->capacity = wanted;
    }
    lines->items[lines->count++] = (line_t){segment->text, segment->chars, false, false, segment->markup, segment->raw};
    return 0;
}

/* The bytes of a path before its last "/". */
static bytes_t parent_of(bytes_t path)
{
    while (path.size > 0 && path.at[path.size - 1] != '/') path.size--;
    return (bytes_t){path.at, path.size ? path.size - 1 : 0};
}

/* Whether two blocks are lines of the same preformatted text, each in an element of its own. */
static bool is_next_of_pre(const segment_t *before, const segment_t *line)
{
    return before->is_pre && is_one_of(line->tag, &python.line_tags) && equal(line->tag, before->tag) &&
           equal(parent_of(before->path), parent_of(line->path));
}

static bool is_same_name(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* Whether a line, after a single `<br>`, continues the paragraph before it, whose last line is *last*. */
static bool is_continued(const segment_t *before, const line_t *last, const segment_t *line)
{
    if (!equal(before->path, line->path) || !is_same_name(before->block->hidden, line->block->hidden)) return false;
    if (before->is_bold != line->is_bold || begins_item(line->text)) return false;
    return !(last->chars < (size_t)python.max_heading_line && line->chars > (size_t)python.min_text_line);
}

/* Joins segments whose text is clean: those without text go, and lines become one. *carrier*: what carries their markup.
 * Returns their number, or -1 with an exception. */
static Py_ssize_t join_segments(segment_t *segments, size_t count, last_path_t *paths, carrier_t *carrier,
                                room_t **rooms)
{
    lines_t lines = {0}; /* of the last segment */
    segment_t *out = segments;
    int status = 0;

    for (size_t i = 0; status == 0 && i <= count; i++) {
        segment_t *own = &segments[i], *last = out > segments ? out - 1 : NULL;
        if (i < count && own->text.size == 0) {
            if (carrier->arena) status = give_images(carrier, own->markup, last);
            continue;
        }
        if (i < count && last && ((own->block->is_line && is_continued(last, &lines.items[lines.count - 1], own)) ||
                                  (own->is_pre && is_next_of_pre(last, own)))) {
            last->links += own->links;
            status = add_line(&lines, own);
            continue;
        }
        if (last && lines.count > 1)
            status = join_lines(last, &lines, landmark_of(paths, last->path).in_heading, rooms);
        if (last && status == 0 && carrier->arena && (lines.count > 1 || last->raw.at))
            status = carry_markup(last, &lines, carrier);
        lines.count = 0;
        if (i < count && status == 0) {
            if (carrier->arena && own->block->is_line && own->markup)
                end_going_on((spans_t){own->markup->spans, own->markup->span_count});
            if (carrier->arena) status = take_images(carrier, own);
            if (status == 0) status = add_line(&lines, own);
            *out++ = *own;
        }
    }
    PyMem_RawFree(lines.items);
    return status < 0 ? -1 : out - segments;
}
