/* Types of segments: as segment_types.py, which is the reference. `_core.c` includes it. */

enum { MAX_START_CHARS = 7 };

static bool is_bullet(Py_UCS4 c)
{
    static const Py_UCS4 BULLETS[] = {
        0x2022, 0x2023, 0x25E6, 0x25AA, 0x25B8, 0x25BA, 0xB7, 0x25CF, 0x25CB, 0x25A0, 0x25A1, '*', '+', 0xBB, 0x2013,
        0x2014, '-',
    };

    for (size_t i = 0; i < sizeof BULLETS / sizeof *BULLETS; i++)
        if (BULLETS[i] == c) return true;
    return false;
}

static bool are_of(const Py_UCS4 *chars, size_t count, const char *accepted)
{
    for (size_t i = 0; i < count; i++)
        if (chars[i] >= 0x80 || chars[i] == 0 || !strchr(accepted, (int)chars[i])) return false;
    return true;
}

static bool are_digits(const Py_UCS4 *chars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!Py_UNICODE_ISDECIMAL(chars[i])) return false;
    return true;
}

static inline bool is_letter(Py_UCS4 c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether characters are a bullet or a number of an item: segment_types.ITEM_START, without what follows. */
static bool is_item_start(const Py_UCS4 *chars, size_t count)
{
    if (count == 1) return is_bullet(chars[0]);
    if (count == 2 && chars[0] == '-' && chars[1] == '-') return true;
    if (chars[count - 1] == ')') {
        if (chars[0] == '(') chars++, count--;
        count--;
        return count > 0 && ((count <= 3 && are_digits(chars, count)) || (count <= 5 && are_of(chars, count, "ivxIVX")) ||
                             (count == 1 && is_letter(chars[0])));
    }
    if (chars[--count] != '.' || count == 0) return false;
    return (count <= 2 && are_digits(chars, count)) || (count <= 5 && are_of(chars, count, "ivx")) ||
           (count >= 2 && count <= 5 && are_of(chars, count, "IVX")) || (count == 1 && chars[0] >= 'a' && chars[0] <= 'h');
}

/* Whether a text begins like a list item. */
static bool begins_item(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
    Py_UCS4 chars[MAX_START_CHARS], c = 0;
    size_t count = 0;

    while (at < end && !is_white(c = next_character(&at))) {
        if (count == MAX_START_CHARS) return false;
        chars[count++] = c;
    }
    if (count == 0 || !is_white(c) || !is_item_start(chars, count)) return false;
    while (at < end)
        if (!is_white(next_character(&at))) return true;
    return false;
}

/* The type of a segment (borrowed): one it has, or that of its element and text. */
static PyObject *type_of(const segment_t *segment)
{
    if (segment->has_type) return segment->type;
    if (segment->landmark.in_heading) return words.h;
    if (segment->is_bold && segment->chars < (size_t)python.max_bold_heading) return words.h;
    if (segment->has_marker || segment->is_row) return words.l;
    return begins_item(segment->text) ? words.l : words.p;
}

/* Whether a paragraph may be in a list without markers, or be a heading. */
static bool is_short(const segment_t *segment)
{
    return segment->chars < (size_t)python.max_item && !ends_with(segment->text, &python.clause_ends) &&
           !segment->is_pre && !segment->landmark.in_item;
}

/* Sets the types of a run of short segments. */
static void end_run(segment_t *run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (count >= (size_t)python.min_run) run[i].type = words.l;
        else if (run[i].chars < (size_t)python.max_heading) run[i].type = words.h;
    }
}

static void set_types(segment_t *segments, size_t count)
{
    size_t run = 0; /* the number of short segments of one element before this one */

    for (size_t i = 0; i < count; i++) {
        segment_t *own = &segments[i];
        PyObject *type = type_of(own);
        /* a type that a segment has already never begins a run */
        if (type == words.p && !own->has_type && is_short(own)) {
            if (run && !equal(segments[i - 1].path, own->path)) {
                end_run(own - run, run);
                run = 0;
            }
            run++;
        } else {
            end_run(own - run, run);
            run = 0;
        }
        own->type = type;
    }
    end_run(segments + count - run, run);
}
