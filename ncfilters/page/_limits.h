/* Whether the markup of a page has what limits.py and broken_markup.py change. `_core.c` includes it. */

typedef struct {
    const uint8_t *data;
    size_t length;
} html_t;

/* The byte at an offset; 0 behind the end. */
static inline uint8_t html_byte(const html_t *html, size_t at)
{
    return at < html->length ? html->data[at] : 0;
}

/* The places of `<` in a page, one after the other: they may be known. */
typedef struct {
    const uint8_t *at, *end; /* where the search goes on */
    const uint8_t *data;
    const uint32_t *places, *last_place; /* NULL if they are not known */
} tags_t;

static tags_t tags_of(const html_t *html)
{
    return (tags_t){.at = html->data, .end = html->data + html->length};
}

/* The next one; NULL if there is none. */
static inline const uint8_t *next_tag(tags_t *tags)
{
    const uint8_t *found;

    if (tags->places) return tags->places < tags->last_place ? tags->data + *tags->places++ : NULL;
    if ((found = memchr(tags->at, '<', (size_t)(tags->end - tags->at))) != NULL) tags->at = found + 1;
    return found;
}

/* ---- long tags (limits.py) */

/* The next byte of a tag that ends a name or a value of an attribute: white space, `>`, and two others. */
static const uint8_t *name_end(const uint8_t *at, const uint8_t *end, uint8_t other, uint8_t another)
{
    while (at < end && *at != '>' && *at < 0x80 && !SPACES[*at] && *at != other && *at != another) at++;
    return at;
}

/* The end of a tag at a `<`, as limits._WHOLE_TAG has it; NULL if it is beyond *end* or cannot be told. */
static const uint8_t *whole_tag(const uint8_t *at, const uint8_t *end)
{
    at = name_end(at + 1, end, '/', '/');
    for (;;) {
        while (at < end && (*at == '/' || (*at < 0x80 && SPACES[*at]))) at++;
        if (at >= end || *at >= 0x80) return NULL;
        if (*at == '>') return at;
        at = name_end(at + 1, end, '/', '=');
        while (at < end && *at < 0x80 && SPACES[*at]) at++;
        if (at >= end || *at >= 0x80) return NULL;
        if (*at != '=') continue;
        do at++; while (at < end && *at < 0x80 && SPACES[*at]);
        if (at >= end || *at >= 0x80) return NULL;
        if (*at != '"' && *at != '\'') at = name_end(at, end, '>', '>');
        else if ((at = memchr(at + 1, *at, (size_t)(end - at - 1))) == NULL) return NULL;
        else at++;
        if (at < end && *at >= 0x80) return NULL;
    }
}

static bool is_odd(const uint8_t *at, const uint8_t *end, uint8_t wanted)
{
    uint8_t odd = 0; /* for the compiler: as wide as the bytes */

    for (size_t i = 0, count = at < end ? (size_t)(end - at) : 0; i < count; i++) odd ^= at[i] == wanted;
    return odd;
}

/* Whether the last tag before a window, which ends at *end*, may be one that limits.shorten_tags changes: it does not end in
 * the window, or it has more than *most* characters. */
static bool may_be_long_tag(const html_t *html, size_t tag, size_t end, size_t most)
{
    const uint8_t *start = html->data + tag, *close = memchr(start, '>', end - tag);

    if (!Py_ISALPHA(html_byte(html, tag + 1))) return false;
    if (close == NULL) return true;
    if (!is_odd(start, close, '"') && !is_odd(start, close, '\'')) return false;
    return whole_tag(start, start + (html->length - tag < most ? html->length - tag : most)) == NULL;
}

/* ---- text between tags that the parser ignores (broken_markup.py) */

enum { MAX_PART_NAME = 8 };

/* The name at *at* in lower case, cut after MAX_PART_NAME letters. Returns its end; NULL if it is not in ASCII. */
static const uint8_t *part_name(const uint8_t *at, const uint8_t *end, char *out)
{
    int length = 0;

    for (; at < end && Py_ISALPHA(*at) && length < MAX_PART_NAME; at++) out[length++] = lower((char)*at);
    out[length] = '\0';
    return at < end && *at >= 0x80 ? NULL : at;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (**names == *name && strcmp(*names, name) == 0) return true;
    return false;
}

/* Whether text follows the tag here. */
static bool is_text_behind(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != '<' && *at != '>') at++;
    if (at >= end || *at == '<') return false;
    while (++at < end && *at < 0x80 && SPACES[*at]) {}
    return at < end && *at != '<';
}

/* Whether broken_markup.break_text may change a page that is large enough: it has a run of more than *length* tags that may be
 * ignored, or so many texts beside the cells of tables. */
static bool may_break_text(tags_t tags, size_t length)
{
    static const char *const IGNORED[] = {"tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup", "html", "head",
                                          "body", "frame", NULL};
    static const char *const AROUND[] = {"table", "tr", "tbody", "thead", "tfoot", NULL};
    static const char *const ENDED[] = {"tr", "tbody", "thead", "tfoot", "td", "th", NULL};
    const uint8_t *at, *end = tags.end;
    size_t run = 0, texts = 0;

    while ((at = next_tag(&tags)) != NULL) {
        char name[MAX_PART_NAME + 1];
        bool is_end = ++at < end && *at == '/';
        const uint8_t *stop = part_name(at + is_end, end, name);
        bool is_unknown = stop == NULL || (is_end && name[0]), is_part = stop && stop < end && (*stop == '>' || SPACES[*stop]);
        run = is_unknown || (is_part && is_one_of(name, IGNORED)) ? run + 1 : 0;
        if (stop == NULL || (is_part && is_one_of(name, is_end ? ENDED : AROUND))) texts += is_text_behind(at, end);
        if (run > length || texts >= length) return true;
    }
    return false;
}

/* ---- formatting elements that stay open (broken_markup.py) */

enum { MAX_SPELLINGS = 64, MAX_FORMATTING_NAME = 6 };

/* The names of formatting elements, as they are written, and how many elements of each are open. */
typedef struct {
    char names[MAX_SPELLINGS][MAX_FORMATTING_NAME + 1];
    size_t open[MAX_SPELLINGS], count;
} spellings_t;

static bool is_formatting_name(const char *name)
{
    static const char *const NAMES[] = {"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"};
    char in_lower_case[MAX_FORMATTING_NAME + 1] = {0};

    for (int i = 0; name[i]; i++) in_lower_case[i] = lower(name[i]);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (NAMES[i][0] == in_lower_case[0] && strcmp(NAMES[i], in_lower_case) == 0) return true;
    return false;
}

/* The number of a name of a formatting element, in lower case; -1 for another one. */
static inline int plain_formatting_name(const uint8_t *at, size_t length)
{
    switch (length) {
    case 1: return *at == 'b' ? 0 : *at == 'i' ? 1 : *at == 's' ? 2 : *at == 'u' ? 3 : -1;
    case 2: return memcmp(at, "em", 2) == 0 ? 4 : memcmp(at, "tt", 2) == 0 ? 5 : -1;
    case 3: return memcmp(at, "big", 3) == 0 ? 6 : -1;
    case 4: return memcmp(at, "code", 4) == 0 ? 7 : memcmp(at, "font", 4) == 0 ? 8 : memcmp(at, "nobr", 4) == 0 ? 9 : -1;
    case 5: return memcmp(at, "small", 5) == 0 ? 10 : -1;
    case 6: return memcmp(at, "strong", 6) == 0 ? 11 : memcmp(at, "strike", 6) == 0 ? 12 : -1;
    }
    return -1;
}
enum { PLAIN_FORMATTING_NAMES = 13 };

/* Whether one of these names may begin with a letter. */
static inline bool may_begin_formatting(uint8_t letter)
{
    switch (letter | 32) {
    case 'b': case 'c': case 'e': case 'f': case 'i': case 'n': case 's': case 't': case 'u': return true;
    default: return letter >= 0x80;
    }
}

/* The number of elements of this name that are open; NULL if there are too many spellings. */
static size_t *open_of(spellings_t *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->names[i], name) == 0) return &all->open[i];
    if (all->count == MAX_SPELLINGS) return NULL;
    strcpy(all->names[all->count], name);
    all->open[all->count] = 0;
    return &all->open[all->count++];
}

/* Whether more than *most* formatting elements may be open anywhere, as broken_markup._leaves_open has it. */
static bool may_leave_open(tags_t tags, size_t most)
{
    spellings_t all; /* large */
    size_t total = 0, plain[PLAIN_FORMATTING_NAMES] = {0};
    const uint8_t *at, *end = tags.end;

    all.count = 0;
    while ((at = next_tag(&tags)) != NULL) {
        char name[MAX_FORMATTING_NAME + 1] = {0};
        int number;
        size_t *open;
        bool is_end = ++at < end && *at == '/';
        const uint8_t *start = at + is_end, *stop = start;
        if (start >= end || !may_begin_formatting(*start)) continue;
        while (stop < end && stop - start < MAX_FORMATTING_NAME && Py_ISALPHA(*stop)) stop++;
        if (stop < end && *stop >= 0x80) return true; /* white space, or a letter in another case */
        if (stop >= end || stop == start || !(*stop == '/' || *stop == '>' || SPACES[*stop])) continue;
        if ((number = plain_formatting_name(start, (size_t)(stop - start))) >= 0) open = &plain[number];
        else {
            memcpy(name, start, (size_t)(stop - start));
            if (!is_formatting_name(name)) continue;
            if ((open = open_of(&all, name)) == NULL) return true;
        }
        if (!is_end) {
            ++*open;
            if (++total > most) return true;
        } else if (*open) {
            --*open;
            total--;
        }
    }
    return false;
}

/* The answer of a test of UTF-8, of which there may be so many of something. */
static PyObject *test_of_html(PyObject *args, bool (*test)(tags_t, size_t))
{
    const char *data;
    Py_ssize_t size, most;

    if (!PyArg_ParseTuple(args, "y#n", &data, &size, &most)) return NULL;
    html_t html = {(const uint8_t *)data, (size_t)size};
    return PyBool_FromLong(test(tags_of(&html), (size_t)most));
}

PyDoc_STRVAR(may_break_text_doc, "may_break_text(utf8, length)\n--\n\nWhether broken_markup.break_text may change a large page.");

static PyObject *core_may_break_text(PyObject *module, PyObject *args)
{
    return test_of_html(args, may_break_text);
}

PyDoc_STRVAR(may_leave_open_doc, "may_leave_open(utf8, most)\n--\n\n"
"Whether more than *most* formatting elements may be open.");

static PyObject *core_may_leave_open(PyObject *module, PyObject *args)
{
    return test_of_html(args, may_leave_open);
}

/* ---- copies of formatting elements that stay open (broken_markup.py) */

enum { MAX_OPEN_TAGS = 64, MAX_OPEN_TABLES = 32 };

/* A start tag: its name, and what follows it up to the `>`. */
typedef struct {
    const uint8_t *name;
    size_t name_length, length;
} open_tag_t;

typedef struct {
    open_tag_t tags[MAX_OPEN_TAGS];
    size_t count;
} open_tags_t;

/* The open formatting elements, and those that were open around each open table. */
typedef struct {
    open_tags_t now, around[MAX_OPEN_TABLES];
    size_t tables;
} formatting_t;

static bool is_same_name(const open_tag_t *one, const open_tag_t *other)
{
    if (one->name_length != other->name_length) return false;
    for (size_t i = 0; i < one->name_length; i++)
        if (lower((char)one->name[i]) != lower((char)other->name[i])) return false;
    return true;
}

/* As broken_markup._open_or_close, of a formatting element. Returns false for too many. */
static bool open_or_close(open_tags_t *open, open_tag_t tag, bool is_end, size_t most_equal)
{
    size_t equal_tags = 0;

    for (size_t i = open->count; i > 0; i--) {
        const open_tag_t *own = &open->tags[i - 1];
        if (!is_same_name(own, &tag)) continue;
        if (is_end) {
            memmove(&open->tags[i - 1], &open->tags[i], (open->count - i) * sizeof *own);
            open->count--;
            return true;
        }
        equal_tags += own->length == tag.length && memcmp(own->name + own->name_length, tag.name + tag.name_length, tag.length) == 0;
    }
    if (is_end || equal_tags >= most_equal) return true;
    if (open->count == MAX_OPEN_TAGS) return false;
    open->tags[open->count++] = tag;
    return true;
}

/* The same of a tag of a table or of its cells. */
static bool open_or_close_table(formatting_t *to, bool is_table, bool is_end)
{
    if (is_table && !is_end) {
        if (to->tables == MAX_OPEN_TABLES) return false;
        to->around[to->tables++] = to->now;
    } else if (to->tables) {
        to->now = to->around[to->tables - 1];
        to->tables -= is_table;
    }
    return true;
}

/* Whether the parser may open more than *left* formatting elements again, as broken_markup.end_formatting counts them. */
static bool may_copy_formatting(const html_t *html, size_t left, size_t most_equal)
{
    static const char *const CELLS[] = {"table", "tr", "td", "th", NULL};
    const uint8_t *end = html->data + html->length;
    formatting_t state;
    size_t others = 0; /* tags since the last one that counts */

    state.now.count = state.tables = 0;
    for (const uint8_t *at = html->data; (at = memchr(at, '<', (size_t)(end - at))) != NULL;) {
        char name[MAX_PART_NAME + 1];
        bool is_end = ++at < end && *at == '/', is_cell;
        const uint8_t *stop = part_name(at + is_end, end, name), *close;
        if (stop == NULL) return true;
        is_cell = is_one_of(name, CELLS);
        others++;
        if (stop >= end || !(*stop == '/' || *stop == '>' || SPACES[*stop])) continue;
        if (!is_cell && (strlen(name) > MAX_FORMATTING_NAME || !is_formatting_name(name))) continue;
        for (close = stop; close < end && *close != '<' && *close != '>'; close++) {}
        if (close >= end || *close == '<') continue;
        if (state.now.count > 1) {
            if (left < state.now.count * (others - 1)) return true;
            left -= state.now.count * (others - 1);
        }
        others = 0;
        open_tag_t tag = {at + is_end, (size_t)(stop - at) - is_end, (size_t)(close - stop)};
        if (!(is_cell ? open_or_close_table(&state, name[1] == 'a', is_end) : open_or_close(&state.now, tag, is_end, most_equal)))
            return true;
    }
    return false;
}

PyDoc_STRVAR(may_copy_formatting_doc, "may_copy_formatting(utf8, left, most_equal)\n--\n\n"
"Whether the parser may open more than *left* formatting elements again.");

static PyObject *core_may_copy_formatting(PyObject *module, PyObject *args)
{
    const char *data;
    Py_ssize_t size, left, most_equal;

    if (!PyArg_ParseTuple(args, "y#nn", &data, &size, &left, &most_equal)) return NULL;
    html_t html = {(const uint8_t *)data, (size_t)size};
    return PyBool_FromLong(may_copy_formatting(&html, (size_t)left, (size_t)most_equal));
}

/* The place of the next `<`; -1 if there is none. */
static inline Py_ssize_t next_place(int kind, const void *html, Py_ssize_t end, Py_ssize_t at)
{
    if (kind == PyUnicode_1BYTE_KIND) {
        const uint8_t *start = html, *found = at < end ? memchr(start + at, '<', (size_t)(end - at)) : NULL;
        return found ? found - start : -1;
    }
    while (at < end && PyUnicode_READ(kind, html, at) != '<') at++;
    return at < end ? at : -1;
}

/* ---- tags of some names (limits.py) */

/* Whether the tag at a `<` may have a name that begins with these letters, in any case. */
static bool may_begin_with(int kind, const void *html, Py_ssize_t end, Py_ssize_t at, const char *name)
{
    if (++at < end && PyUnicode_READ(kind, html, at) == '/') at++;
    for (; *name; name++, at++) {
        Py_UCS4 c = at < end ? PyUnicode_READ(kind, html, at) : 0;
        if (c < 0x80 && lower((char)c) != *name) return false;
    }
    return true;
}

PyDoc_STRVAR(next_tag_doc, "next_tag(html, start, name)\n--\n\n"
"The place, from *start* on, of the next `<` of a tag whose name may begin with letters in lower case; -1 if there is none.");

static PyObject *core_next_tag(PyObject *module, PyObject *args)
{
    PyObject *html;
    Py_ssize_t at;
    const char *name;

    if (!PyArg_ParseTuple(args, "Uns", &html, &at, &name)) return NULL;
    int kind = PyUnicode_KIND(html);
    const void *data = PyUnicode_DATA(html);
    Py_ssize_t end = PyUnicode_GET_LENGTH(html);
    if (at < 0) return PyErr_Format(PyExc_ValueError, "a place before the page");
    while ((at = next_place(kind, data, end, at)) >= 0 && !may_begin_with(kind, data, end, at, name)) at++;
    return PyLong_FromSsize_t(at);
}

PyDoc_STRVAR(may_have_tags_doc, "may_have_tags(html, most, name, other)\n--\n\n"
"Whether there may be more than so many tags whose names begin with the letters of one of two in lower case.");

static PyObject *core_may_have_tags(PyObject *module, PyObject *args)
{
    PyObject *html;
    Py_ssize_t most, count = 0;
    const char *name, *other;

    if (!PyArg_ParseTuple(args, "Unss", &html, &most, &name, &other)) return NULL;
    int kind = PyUnicode_KIND(html);
    const void *data = PyUnicode_DATA(html);
    Py_ssize_t end = PyUnicode_GET_LENGTH(html);
    for (Py_ssize_t at = 0; count <= most && (at = next_place(kind, data, end, at)) >= 0; at++)
        count += may_begin_with(kind, data, end, at, name) || may_begin_with(kind, data, end, at, other);
    return PyBool_FromLong(count > most);
}
