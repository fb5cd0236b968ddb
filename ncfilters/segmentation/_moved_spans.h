/* The positions in the markup of a text that is cleaned: as markup.cleaned_positions and markup_fields.move, for texts whose
 * characters stay, are left out or are composed (see `is_simple`). `_carried.h` includes it. */

/* Room for the places of a text of *chars* characters before it was cleaned and of *new_chars* now. */
typedef struct {
    size_t chars, new_chars;
    uint32_t *places; /* of each place, chars + 1 of them: where it is now */
    uint32_t *left;   /* those of the characters that are not left out, once they are composed, and of the end */
    uint8_t *text;    /* these characters */
    bool *is_space;   /* of each character of the clean text */
} moved_t;

static int open_moved(moved_t *moved, const line_t *line)
{
    uint8_t *room;

    moved->chars = count_chars(line->raw);
    moved->new_chars = line->chars;
    if ((room = PyMem_RawMalloc((moved->chars + 1) * 2 * sizeof(uint32_t) + most_bytes(line->raw) + line->chars)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    moved->places = (uint32_t *)(void *)room;
    moved->left = moved->places + moved->chars + 1;
    moved->text = (uint8_t *)(moved->left + moved->chars + 1);
    moved->is_space = (bool *)(moved->text + most_bytes(line->raw));
    return 0;
}

/* Takes the characters that are not left out, composed. Their places, for now, are those in these; that before a mark is that
 * behind it. */
static bytes_t take_left(const moved_t *moved, bytes_t raw)
{
    const uint8_t *at = raw.at, *end = at + raw.size;
    uint8_t *to = moved->text;
    uint32_t count = 0, *place = moved->places;

    while (at < end) {
        const uint8_t *start = at;
        Py_UCS4 c = next_character(&at);
        bool is_new;
        *place++ = count;
        if (is_dropped(c)) continue;
        to = write_simple(to, start, at, c, &is_new);
        count += is_new;
    }
    *place = count;
    return (bytes_t){moved->text, (size_t)(to - moved->text)};
}

static void find_spaces(const moved_t *moved, bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;

    for (bool *is_space = moved->is_space; at < end; is_space++) *is_space = is_white(next_character(&at));
}

/* The start and the end of the next word of the clean text; of the last one again if there is no other. */
static void read_word(const moved_t *moved, size_t *start, size_t *end)
{
    size_t at = *end;

    while (at < moved->new_chars && moved->is_space[at]) at++;
    if (at == moved->new_chars) return;
    *start = at;
    while (at < moved->new_chars && !moved->is_space[at]) at++;
    *end = at;
}

static size_t smaller(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* Finds where the places of a text are if only white space around it differs. Returns whether it does. */
static bool find_by_indent(const moved_t *moved, bytes_t text, bytes_t new)
{
    const uint8_t *found = new.size ? memmem(text.at, text.size, new.at, new.size) : text.at;
    size_t indent, chars = count_chars(text);

    if (found == NULL) return false;
    indent = count_chars((bytes_t){text.at, (size_t)(found - text.at)});
    for (size_t at = 0; at <= chars; at++)
        moved->left[at] = (uint32_t)(at < indent ? 0 : smaller(at - indent, moved->new_chars));
    return true;
}

/* Finds where the places of a text are, by its words. */
static void find_by_words(const moved_t *moved, bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
    size_t old_start = 0, start = 0, last = 0; /* the first character of a word, and of what it is now; the end of that */
    bool in_word = false;

    for (size_t number = 0;; number++) {
        bool is_end = at == end, is_space = is_end || is_white(next_character(&at));
        if (!is_space && !in_word) {
            read_word(moved, &start, &last);
            old_start = number;
        }
        in_word = !is_space;
        moved->left[number] = (uint32_t)smaller(start + number - old_start, last);
        if (is_end) return;
    }
}

/* Whether a span is left in the clean text: without the white space at its ends, or as a point. */
static bool keep_span(const moved_t *moved, span_t *span)
{
    enum span_kind kind = span->entry->kind;

    if (span->start >= span->end && (kind == IMAGE_SPAN || kind == MATH_SPAN || kind == NOTE_SPAN)) {
        span->start = span->end = (uint32_t)smaller(span->start, moved->new_chars);
        return true;
    }
    span->end = (uint32_t)smaller(span->end, moved->new_chars);
    while (span->start < span->end && moved->is_space[span->start]) span->start++;
    while (span->end > span->start && moved->is_space[span->end - 1]) span->end--;
    return span->start < span->end;
}

/* Moves spans and cells. Returns -1 with an exception. */
static int move_fields(const moved_t *moved, markup_t *own)
{
    spans_t spans = {own->spans, 0};

    for (size_t i = 0; i < own->span_count; i++) {
        span_t span = own->spans[i];
        span.start = moved->places[span.start];
        span.end = moved->places[span.end];
        if (keep_span(moved, &span)) spans.items[spans.count++] = span;
    }
    for (size_t i = 0; i < own->cell_count; i++) {
        own->cells[i].start = moved->places[own->cells[i].start];
        own->cells[i].end = moved->places[own->cells[i].end];
    }
    return own->span_count ? set_sorted_spans(own, spans) : 0;
}

/* Whether `move_markup` can move the positions of a line. */
static bool is_movable(const line_t *line)
{
    const markup_t *own = line->markup;
    size_t chars;

    if (!is_simple(line->raw)) return false;
    chars = count_chars(line->raw);
    for (size_t i = 0; i < own->span_count; i++)
        if (own->spans[i].start > chars || own->spans[i].end > chars) return false;
    for (size_t i = 0; i < own->cell_count; i++)
        if (own->cells[i].start > chars || own->cells[i].end > chars) return false;
    return true;
}

/* Moves the positions of a line. Returns -1 with an exception. */
static int move_markup(const line_t *line)
{
    moved_t moved;
    bytes_t text;
    int status;

    if (open_moved(&moved, line) < 0) return -1;
    text = take_left(&moved, line->raw);
    find_spaces(&moved, line->text);
    if (!find_by_indent(&moved, text, line->text)) find_by_words(&moved, text);
    for (size_t at = 0; at <= moved.chars; at++) moved.places[at] = moved.left[moved.places[at]];
    status = move_fields(&moved, line->markup);
    PyMem_RawFree(moved.places);
    return status;
}
