/* Inline elements in the text of a block, for --markup: as markup_run.py, which is the reference. `_core.c` includes it.
 *
 * A mark is an inline element: its entry is a kind and perhaps values. Positions in texts are characters,
 * because spans are; `position_t` has both bytes and characters.
 */

enum { MAX_OPEN_MARKS = 30 };

/* An element around a point: which mark it is, and its entry. */
typedef struct {
    size_t serial;
    const entry_t *entry;
} outer_t;

typedef struct {
    outer_t *items;
    size_t count;
} around_t;

typedef struct {
    size_t serial, start, end; /* the first piece, and the one after the last */
    size_t part[2];            /* with *has_part*: characters of the first piece */
    bool is_point, has_part;
    const entry_t *entry;
    around_t around; /* of a point */
} mark_t;

/* The marks of a run, in the order of their starts; of the open ones the numbers, -1 for those that are not recorded. */
typedef struct {
    mark_t *items;
    size_t count, capacity;
    Py_ssize_t *open;
    size_t open_count, open_capacity;
} marks_t;

static inline void free_around(around_t *around)
{
    if (around->items) PyMem_RawFree(around->items); /* most have none */
    around->items = NULL;
    around->count = 0;
}

static void free_marks(marks_t *marks)
{
    for (size_t i = 0; i < marks->count; i++) free_around(&marks->items[i].around);
    PyMem_RawFree(marks->items);
    PyMem_RawFree(marks->open);
}

/* Whether two entries are equal. Those of images are not compared. */
static bool are_equal(const entry_t *one, const entry_t *other)
{
    return one == other || (one->kind == other->kind && one->values == other->values && are_same(one->value, other->value));
}

/* Adds a mark that begins with piece number *start*; takes *around* over, also if it fails. */
static int add_mark(marks_t *marks, size_t *serials, size_t start, const entry_t *entry, around_t around,
                    bool is_point)
{
    mark_t *mark;

    if (reserve((void **)&marks->items, marks->count, &marks->capacity, 1, sizeof *mark) < 0) {
        free_around(&around);
        return -1;
    }
    mark = &marks->items[marks->count++];
    memset(mark, 0, sizeof *mark);
    mark->serial = ++*serials;
    mark->start = mark->end = start;
    mark->entry = entry;
    mark->around = around;
    mark->is_point = is_point;
    return 0;
}

static int push_open_mark(marks_t *marks, Py_ssize_t number)
{
    if (reserve((void **)&marks->open, marks->open_count, &marks->open_capacity, 1, sizeof *marks->open) < 0) return -1;
    marks->open[marks->open_count++] = number;
    return 0;
}

/* Begins an element at the end of a run of so many *parts*. Emphasis in emphasis is not recorded. */
static int open_mark(marks_t *marks, size_t *serials, size_t parts, const entry_t *entry)
{
    const around_t none = {0};

    if (marks->open_count > MAX_OPEN_MARKS) return push_open_mark(marks, -1);
    for (size_t i = 0; i < marks->open_count; i++) {
        const entry_t *own = marks->open[i] < 0 ? NULL : marks->items[marks->open[i]].entry;
        bool is_same = own && (are_equal(own, entry) || (is_going_on(own) && own->kind == entry->kind));
        if (is_same) return push_open_mark(marks, -1);
    }
    if (push_open_mark(marks, (Py_ssize_t)marks->count) < 0) return -1;
    return add_mark(marks, serials, parts, entry, none, false);
}

/* Ends the element that began last. Returns its number, or -1 if it is not recorded. */
static Py_ssize_t close_mark(marks_t *marks, size_t parts)
{
    Py_ssize_t number = marks->open_count ? marks->open[--marks->open_count] : -1;

    if (number >= 0) marks->items[number].end = parts;
    return number;
}

static void remove_mark(marks_t *marks, size_t number)
{
    free_around(&marks->items[number].around);
    marks->count--;
    memmove(&marks->items[number], &marks->items[number + 1], (marks->count - number) * sizeof *marks->items);
}

/* The open elements. Returns -1 with an exception. */
static int open_elements(const marks_t *marks, around_t *out)
{
    *out = (around_t){NULL, 0};
    if (marks->open_count == 0) return 0;
    out->items = PyMem_RawMalloc(marks->open_count * sizeof *out->items);
    if (out->items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < marks->open_count; i++) {
        const mark_t *mark = marks->open[i] < 0 ? NULL : &marks->items[marks->open[i]];
        if (mark == NULL) continue;
        out->items[out->count].serial = mark->serial;
        out->items[out->count++].entry = mark->entry;
    }
    return 0;
}

/* Begins the marks of the next text: the open elements continue at its start. */
static void continue_marks(marks_t *marks, size_t *serials)
{
    size_t count = 0;

    for (size_t i = 0; i < marks->open_count; i++) { /* numbers of open marks increase */
        mark_t new = {0};
        if (marks->open[i] < 0) continue;
        new.serial = ++*serials;
        new.entry = marks->items[marks->open[i]].entry;
        if (is_lasting(new.entry)) new.entry = &GOING_ON[new.entry->kind];
        free_around(&marks->items[count].around);
        marks->items[count] = new;
        marks->open[i] = (Py_ssize_t)count++;
    }
    for (size_t i = count; i < marks->count; i++) free_around(&marks->items[i].around);
    marks->count = count;
}

/* ---- places */

/* A place in the pieces of a run (*at*), and in its text. */
typedef struct {
    size_t at, byte, character;
    bool is_after_space; /* before it in the pieces is white space; for the first one: at their end */
} position_t;

static int compare_positions(const void *one, const void *other)
{
    size_t left = ((const position_t *)one)->at, right = ((const position_t *)other)->at;

    return left < right ? -1 : left > right;
}

/* Sorts items of one size: few, and nearly in order, as they nearly always are, without memory of their own. */
#define SORT(type, items, count, compare) \
    do { \
        type *const all = (items); \
        size_t number_of = (count); \
        if (number_of > MAX_INSERTED) { \
            qsort(all, number_of, sizeof *all, compare); \
            break; \
        } \
        for (size_t i_ = 1; i_ < number_of; i_++) { \
            type own; \
            size_t to_ = i_; \
            if (compare(&all[i_ - 1], &all[i_]) <= 0) continue; \
            own = all[i_]; \
            for (; to_ > 0 && compare(&all[to_ - 1], &own) > 0; to_--) all[to_] = all[to_ - 1]; \
            all[to_] = own; \
        } \
    } while (0)
enum { MAX_INSERTED = 32 };

static const position_t *find_position(const position_t *positions, size_t count, size_t at)
{
    position_t wanted = {.at = at};

    return bsearch(&wanted, positions, count, sizeof wanted, compare_positions);
}

/* A reader of characters. */
typedef struct {
    const char *at, *end;
    size_t number; /* of the character at *at* */
    bool is_ascii; /* if that is known */
} word_reader_t;

static bool is_ellipsis(const char *at, const char *end)
{
    return end - at > 1 && (unsigned char)*at == 0xC2 && (unsigned char)at[1] == 0x85;
}

/* The bytes of the white space at *at* in the pieces of a run, in which U+0085 is an ellipsis. */
static size_t raw_space_at(const char *at, const char *end)
{
    return is_ellipsis(at, end) ? 0 : space_at(at, end);
}

/* Whether a byte is a character of ASCII that is no white space. */
static inline bool is_print(char c)
{
    return c > ' ' && c < 0x7F;
}

/* Reads a character. */
static inline void read_next(word_reader_t *reader)
{
    do reader->at++; while (reader->at < reader->end && ((unsigned char)*reader->at & 0xC0) == 0x80);
    reader->number++;
}

static void read_to(word_reader_t *reader, size_t number)
{
    if (reader->is_ascii) {
        size_t step = number > reader->number ? number - reader->number : 0, left = (size_t)(reader->end - reader->at);
        reader->at += step < left ? step : left;
        reader->number += step < left ? step : left;
        return;
    }
    if (number > reader->number + 8) { /* eight bytes at once, which begin at most so many characters */
        while (reader->number + 8 < number && reader->end - reader->at >= 8) {
            reader->number += count_chars(reader->at, 8);
            reader->at += 8;
        }
        while (reader->at < reader->end && ((unsigned char)*reader->at & 0xC0) == 0x80) reader->at++;
    }
    while (reader->number < number && reader->at < reader->end) read_next(reader);
}

static bool ends_with_space(const char *start, const char *end)
{
    const char *last = char_before(start, end);

    return end > start && raw_space_at(last, end) == (size_t)(end - last);
}

/* Whether the pieces have the text at *raw*, U+0085 read as an ellipsis. */
static bool has_text_at(slice_t raw, slice_t text)
{
    size_t size = (size_t)(text.end - text.start);

    if ((size_t)(raw.end - raw.start) >= size && memcmp(raw.start, text.start, size) == 0) return true; /* most */
    while (text.start < text.end) {
        if (raw.start >= raw.end) return false;
        if (is_ellipsis(raw.start, raw.end)) {
            if (text.end - text.start < 3 || memcmp(text.start, "\xE2\x80\xA6", 3) != 0) return false;
            raw.start += 2;
            text.start += 3;
        } else if (*raw.start++ != *text.start++) return false;
    }
    return true;
}

/* Places in the text, which has *size* characters, where its white space is as in the pieces, after *indent* characters. */
static void locate_by_distance(position_t *positions, size_t count, slice_t raw, slice_t text, size_t indent, size_t size,
                               bool is_ascii)
{
    word_reader_t from = {raw.start, raw.end, 0, is_ascii}, to = {text.start, text.end, 0, is_ascii};

    for (size_t i = 0; i < count; i++) {
        position_t *own = &positions[i];
        read_to(&from, own->at);
        own->character = own->at < indent ? 0 : own->at - indent > size ? size : own->at - indent;
        read_to(&to, own->character);
        own->byte = (size_t)(to.at - text.start);
        own->is_after_space = ends_with_space(raw.start, own->at ? from.at : raw.end);
    }
}

/* The bounds of the next word of a text: moves *word* to its start, and sets *end* to its end. */
static void next_word(word_reader_t *word, word_reader_t *end)
{
    size_t space;

    *word = *end;
    while (word->at < word->end && (space = space_at(word->at, word->end)) != 0) {
        word->at += space;
        word->number++;
    }
    *end = *word;
    while (end->at < end->end && space_at(end->at, end->end) == 0) read_next(end);
}

/* As `locate_by_words`, where all is ASCII. */
static void locate_by_ascii_words(position_t *positions, size_t count, slice_t raw, slice_t text)
{
    const char *next = raw.start, *start = NULL; /* of the word in the pieces */
    const char *word = text.start, *end = text.start;
    bool is_in_word = false;

    for (size_t i = 0; i < count; i++) {
        position_t *own = &positions[i];
        const char *at = own->at < (size_t)(raw.end - raw.start) ? raw.start + own->at : raw.end;
        const char *stop = at < raw.end ? at + 1 : raw.end, *before = own->at ? at : raw.end;
        while (next < stop) {
            while (next < stop && SPACES[(unsigned char)*next]) {
                is_in_word = false;
                next++;
            }
            if (next == stop) break;
            if (!is_in_word) {
                start = next;
                for (word = end; word < text.end && SPACES[(unsigned char)*word]; word++);
                for (end = word; end < text.end && !SPACES[(unsigned char)*end]; end++);
            }
            is_in_word = true;
            while (next < stop && !SPACES[(unsigned char)*next]) next++;
        }
        own->is_after_space = before > raw.start && SPACES[(unsigned char)before[-1]];
        own->byte = 0;
        if (start) {
            size_t wanted = (size_t)(word - text.start) + own->at - (size_t)(start - raw.start), most = (size_t)(end - text.start);
            own->byte = wanted < most ? wanted : most;
        }
        own->character = own->byte;
    }
}

/* Places in a text that has other white space between the same words; between words, the end of the word before. */
static void locate_by_words(position_t *positions, size_t count, slice_t raw, slice_t text)
{
    word_reader_t from = {raw.start, raw.end, 0, false}, next = from;
    word_reader_t word = {text.start, text.end, 0, false}, end = word, here = word;
    size_t start = 0; /* of the word in the pieces */
    bool is_in_word = false, has_word = false;

    for (size_t i = 0; i < count; i++) {
        position_t *own = &positions[i];
        for (; next.at < next.end && next.number <= own->at; read_next(&next)) {
            bool was_in_word = is_in_word;
            is_in_word = raw_space_at(next.at, next.end) == 0;
            if (is_in_word && was_in_word) /* the rest of the word, for speed */
                for (; next.number < own->at && next.end - next.at > 1 && is_print(next.at[1]); next.at++) next.number++;
            if (!is_in_word || was_in_word) continue;
            next_word(&word, &end);
            here = word;
            start = next.number;
            has_word = true;
        }
        read_to(&from, own->at);
        own->is_after_space = ends_with_space(raw.start, own->at ? from.at : raw.end);
        if (has_word) {
            size_t wanted = word.number + own->at - start;
            read_to(&here, wanted < end.number ? wanted : end.number);
        }
        own->byte = has_word ? (size_t)(here.at - text.start) : 0;
        own->character = has_word ? here.number : 0;
    }
}
