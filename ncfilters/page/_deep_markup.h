/* Markup without tags that are nested too deep: as deep_markup.py and nesting.py. `_core.c` includes it. */

/* A name: where it is, and its letters in lower case, or for more than eight a number made of all. */
typedef struct {
    size_t at, length;
    uint64_t key;
} tag_name_t;

/* The sets of nesting.NAMES, in their order. */
enum {
    FLAT_SET = 1, FORMATTING_SET = 2, SCOPE_SET = 4, BLOCK_SET = 8, SPECIAL_SET = 16, ALONE_SET = 32, NOT_IN_DRAWINGS_SET = 64,
    LEAVING_SET = 128, RAW_SET = 256, UNSURE_SET = 512, CLOSING_ITEMS_SET = 1024, SHARED_SET = 2048,
    NUM_SETS = 12,
    ANY_SPECIAL_SET = SCOPE_SET | BLOCK_SET | SPECIAL_SET,
    NEVER_DRAWN_SET = ANY_SPECIAL_SET | NOT_IN_DRAWINGS_SET | LEAVING_SET | ALONE_SET | FLAT_SET,
    IN_TEXT_SET = BLOCK_SET | SPECIAL_SET | NOT_IN_DRAWINGS_SET,
    /* single names */
    DRAWING_NAME = 1 << 12, TABLE_NAME = 1 << 13, TEMPLATE_NAME = 1 << 14, LI_NAME = 1 << 15, TERM_NAME = 1 << 16,
    PASSED_NAME = 1 << 17, P_NAME = 1 << 18, SELECT_NAME = 1 << 19, SCRIPT_NAME = 1 << 20, PLAINTEXT_NAME = 1 << 21,
    ITEM_NAME = LI_NAME | TERM_NAME
};

enum { PLACES_OF_NAMES = 1024, MAX_OPEN_ELEMENTS = 100000, NAME_CLASSES = 64, TAGS_UNTIL_LOOK = 64 };

/* The names of a tuple of tuples, each where its key says or behind. */
static struct {
    PyObject *read; /* the tuple */
    struct { uint64_t key; int sets; const char *word; size_t length; } places[PLACES_OF_NAMES];
    int count;
} known_names;

/* An open element, and where the last one is, up to it, of templates, of scopes, of special elements, of these and
 * paragraphs, of what is in no drawing, and the first `<select>`. */
typedef struct {
    tag_name_t name;
    int sets;
    Py_ssize_t last_template, last_scope, last_special, last_text, last_html, first_select;
} open_element_t;

/* What may stay of a page. */
typedef struct {
    Py_ssize_t max_depth, max_formatting, free_depth, free_looks, looks;
} depth_bounds_t;

/* A page, of which one tag is read after the other: so far, all up to *done* stays but what is not in *kept*. */
typedef struct {
    const html_t *html;
    buffer_t kept, dropped; /* bytes; items of tag_name_t */
    size_t done, unsure_to;
    Py_ssize_t rereads, looks_left, depth, max_depth, max_formatting, free_depth, formatting, unsure, drawings, items, doubt_from, doubt_to;
    open_element_t *open;
    uint32_t open_with[NAME_CLASSES]; /* how many elements are open whose names have keys of a class */
    bool looks_only, failed, changed, is_mixed; /* as nesting.OpenElements._is_mixed */
} shallow_t;

/* What a byte is in a tag. */
enum { SPACE_IN_TAG = 1, ENDS_TAG_NAME = 2, ENDS_OWN_NAME = 4, ENDS_OWN_VALUE = 8, BETWEEN_OWN = 16 };
static const uint8_t TAG_BYTES[256] = {
    [' '] = 31, ['\n'] = 31, ['\t'] = 31, ['\r'] = 31, ['\f'] = 31, ['/'] = ENDS_TAG_NAME | ENDS_OWN_NAME | BETWEEN_OWN,
    ['>'] = ENDS_TAG_NAME | ENDS_OWN_NAME | ENDS_OWN_VALUE, ['='] = ENDS_OWN_NAME};

static inline bool is_markup_space(uint8_t c)
{
    return TAG_BYTES[c] & SPACE_IN_TAG;
}

static inline bool ends_markup_name(uint8_t c)
{
    return TAG_BYTES[c] & ENDS_TAG_NAME;
}

static inline uint8_t lower_byte(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c | 32 : c;
}

/* ---- names */

static inline uint64_t add_to_key(uint64_t key, size_t number, uint8_t letter)
{
    return number < 8 ? key << 8 | letter : (key ^ letter) * 0x9E3779B97F4A7C15;
}

static inline size_t place_of_key(uint64_t key)
{
    return key * 0x9E3779B97F4A7C15 >> 54;
}

static inline size_t class_of_key(uint64_t key)
{
    return place_of_key(key) % NAME_CLASSES;
}

/* Adds a word in ASCII, in lower case, to the names of some sets. Returns false if there are too many. */
static bool know_name(const char *word, int sets)
{
    uint64_t key = 0;
    size_t place, number = 0;

    for (; word[number]; number++) key = add_to_key(key, number, (uint8_t)word[number]);
    for (place = place_of_key(key); known_names.places[place].sets && known_names.places[place].key != key;)
        place = (place + 1) % PLACES_OF_NAMES;
    known_names.places[place].key = key;
    known_names.places[place].word = word;
    known_names.places[place].length = number;
    known_names.places[place].sets |= sets;
    return ++known_names.count < PLACES_OF_NAMES / 2;
}

/* Reads a tuple of tuples of words, if it is another than the last one. Returns -1 with an exception. */
static int know_names(PyObject *sets)
{
    static const struct { const char *name; int set; } SINGLE[] = {
        {"svg", DRAWING_NAME}, {"math", DRAWING_NAME}, {"table", TABLE_NAME}, {"template", TEMPLATE_NAME}, {"li", LI_NAME},
        {"dd", TERM_NAME}, {"dt", TERM_NAME}, {"div", PASSED_NAME}, {"address", PASSED_NAME}, {"p", P_NAME},
        {"select", SELECT_NAME}, {"script", SCRIPT_NAME}, {"plaintext", PLAINTEXT_NAME}};
    bool fits = PyTuple_GET_SIZE(sets) == NUM_SETS;

    if (known_names.read == sets) return 0;
    Py_CLEAR(known_names.read);
    memset(&known_names, 0, sizeof known_names);
    for (Py_ssize_t at = 0; fits && at < NUM_SETS; at++) {
        PyObject *words = PyTuple_GET_ITEM(sets, at);
        fits = PyTuple_Check(words);
        for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(words); i++) {
            PyObject *word = PyTuple_GET_ITEM(words, i);
            fits = PyUnicode_Check(word) && PyUnicode_IS_ASCII(word) && know_name(PyUnicode_DATA(word), 1 << at);
        }
    }
    for (size_t i = 0; fits && i < sizeof SINGLE / sizeof *SINGLE; i++) fits = know_name(SINGLE[i].name, SINGLE[i].set);
    if (fits) known_names.read = Py_NewRef(sets);
    else PyErr_SetString(PyExc_ValueError, "too many names, or not twelve tuples of names");
    return fits ? 0 : -1;
}

/* Whether a name of a page is a word in lower case that has its key and its length: of a long name, a page can choose the key. */
static inline bool is_listed_name(const shallow_t *of, const tag_name_t *name, const char *word)
{
    for (size_t i = 0; name->length > 8 && i < name->length; i++)
        if (lower_byte(of->html->data[name->at + i]) != (uint8_t)word[i]) return false;
    return true;
}

/* The sets that have a name. */
static inline int sets_of(const shallow_t *of, const tag_name_t *name)
{
    for (size_t place = place_of_key(name->key); known_names.places[place].sets; place = (place + 1) % PLACES_OF_NAMES)
        if (known_names.places[place].key == name->key && known_names.places[place].length == name->length &&
            is_listed_name(of, name, known_names.places[place].word)) return known_names.places[place].sets;
    return 0;
}

static inline bool is_same_tag_name(const shallow_t *of, const tag_name_t *one, const tag_name_t *other)
{
    if (one->key != other->key || one->length != other->length) return false;
    for (size_t i = 0; one->length > 8 && i < one->length; i++) /* of a long name, a page can choose the key */
        if (lower_byte(of->html->data[one->at + i]) != lower_byte(of->html->data[other->at + i])) return false;
    return true;
}

/* ---- open elements (nesting.py) */

/* As nesting.OpenElements.close. */
static void close_from(shallow_t *of, Py_ssize_t place)
{
    while (of->depth > place) {
        const open_element_t *closed = &of->open[--of->depth];
        of->unsure -= (closed->sets & UNSURE_SET) != 0;
        of->drawings -= (closed->sets & DRAWING_NAME) != 0;
        of->open_with[class_of_key(closed->name.key)]--;
    }
    if (of->items > place) of->items = place;
    if (place <= of->doubt_from) of->doubt_to = 0;
    else if (of->doubt_to > place) of->doubt_to = place;
}

static void leave_drawings(shallow_t *of, int sets)
{
    while (sets & LEAVING_SET && of->depth > 0 && of->open[of->depth - 1].sets & DRAWING_NAME) close_from(of, of->depth - 1);
}

/* As nesting.OpenElements._close_item, of the elements with this bit. */
static void close_list_item(shallow_t *of, int bit)
{
    for (Py_ssize_t at = of->depth - 1; at >= of->items; at--) {
        int sets = of->open[at].sets;
        if (sets & bit) {
            close_from(of, at);
            return;
        }
        if (sets & ANY_SPECIAL_SET && !(sets & PASSED_NAME)) return;
    }
}

/* As nesting.OpenElements._in_drawing. */
static bool is_tag_in_drawing(const shallow_t *of)
{
    const open_element_t *last = &of->open[of->depth - 1];

    return of->depth > 0 && last->last_scope == last->last_html && last->last_scope >= 0 &&
        of->open[last->last_scope].sets & DRAWING_NAME;
}

/* As nesting.OpenElements.pass_drawing, where a drawing is open and nothing is mixed. */
static void pass_drawing(shallow_t *of, const tag_name_t *name, bool is_end)
{
    if (!is_end) {
        int sets = sets_of(of, name);
        of->is_mixed = sets & NEVER_DRAWN_SET && !(sets & SHARED_SET);
        return;
    }
    for (Py_ssize_t at = of->depth - 1; !is_same_tag_name(of, name, &of->open[at].name); at--)
        if (of->open[at].sets & DRAWING_NAME) {
            of->is_mixed = true;
            return;
        }
}

/* As nesting.OpenElements._open. */
static void open_tag_of(shallow_t *of, const tag_name_t *name, int sets)
{
    open_element_t *own = &of->open[of->depth];

    *own = own[-1];
    own->name = *name;
    own->sets = sets;
    of->open_with[class_of_key(name->key)]++;
    if (sets & TEMPLATE_NAME) own->last_template = of->depth;
    if (sets & SCOPE_SET) own->last_scope = of->depth;
    if (sets & ANY_SPECIAL_SET) own->last_special = own->last_text = own->last_html = of->depth;
    else if (sets & NOT_IN_DRAWINGS_SET) own->last_html = of->depth;
    if (sets & SELECT_NAME && own->first_select < 0) own->first_select = of->depth;
    of->unsure += (sets & UNSURE_SET) != 0;
    of->drawings += (sets & DRAWING_NAME) != 0;
    of->depth++;
}

/* As nesting.OpenElements.start. */
static void start_tag_of(shallow_t *of, const tag_name_t *name, int sets)
{
    leave_drawings(of, sets);
    if (sets & CLOSING_ITEMS_SET) of->items = of->depth;
    if (sets & ITEM_NAME) close_list_item(of, sets & ITEM_NAME);
    open_tag_of(of, name, sets);
}

/* As nesting.OpenElements._stop. */
static Py_ssize_t end_tag_stop(const shallow_t *of, int sets, Py_ssize_t place)
{
    const open_element_t *last = &of->open[of->depth - 1];

    if (sets & ALONE_SET || (sets & ITEM_NAME && place < of->items) || (last->first_select >= 0 && last->first_select < place))
        return of->depth - 1;
    if (sets & TABLE_NAME) return last->last_template;
    if (sets & DRAWING_NAME) return last->last_html;
    if (sets & BLOCK_SET) return last->last_scope;
    return sets & (FORMATTING_SET | ITEM_NAME) ? last->last_special : last->last_text;
}

/* As nesting.OpenElements.end. */
static void end_tag_of(shallow_t *of, const tag_name_t *name, int sets)
{
    Py_ssize_t at = of->depth - 1, last = at;

    if (!of->open_with[class_of_key(name->key)]) at = -1; /* speed: all were compared */
    while (at >= 0 && !is_same_tag_name(of, name, &of->open[at].name)) at--;
    if (at >= 0 && at < end_tag_stop(of, sets, at)) {
        if (!of->doubt_to || at < of->doubt_from) of->doubt_from = at;
        of->doubt_to = of->depth;
    } else if (at >= 0 && (at < of->doubt_from || at >= of->doubt_to || at == last)) {
        close_from(of, at);
        while (++at <= last) { /* what is opened again is never behind what is still read */
            open_element_t inner = of->open[at];
            if (inner.sets & FORMATTING_SET) open_tag_of(of, &inner.name, inner.sets);
        }
    }
    if (sets & CLOSING_ITEMS_SET) of->items = of->depth;
}

/* As nesting.OpenElements.is_flat and pass_flat: false for an element that is not flat here. */
static bool pass_flat(shallow_t *of, int sets, bool is_end)
{
    open_element_t *last;

    if (!(sets & LEAVING_SET) && (of->is_mixed ? of->drawings > 0 : is_tag_in_drawing(of))) return false;
    if (!is_end) leave_drawings(of, sets);
    if (of->depth == 0) return true;
    last = &of->open[of->depth - 1];
    if (sets & P_NAME && !is_end) last->last_text = of->depth;
    else if (sets & P_NAME) last->last_text = last->last_special > last[-1].last_text ? last->last_special : last[-1].last_text;
    last->last_html = of->depth;
    return true;
}

/* As nesting.OpenElements.is_closed. */
static bool is_closed_element(const shallow_t *of, int sets)
{
    if (sets & DRAWING_NAME) return true;
    return !of->is_mixed && !(sets & (TABLE_NAME | IN_TEXT_SET)) && is_tag_in_drawing(of);
}

/* ---- tags (deep_markup.py) */

static inline bool has_bytes_at(const html_t *html, size_t at, const char *text, size_t size)
{
    return html->length - at >= size && memcmp(html->data + at, text, size) == 0;
}

/* As deep_markup._end_of. */
static size_t end_of_sign(const html_t *html, const char *sign, size_t at)
{
    size_t size = strlen(sign);
    const uint8_t *found;

    for (; at < html->length && (found = memchr(html->data + at, *sign, html->length - at)) != NULL; at++) {
        at = (size_t)(found - html->data);
        if (has_bytes_at(html, at, sign, size)) return at + size;
    }
    return html->length;
}

/* Where a comment at "<!--" ends. */
static size_t markup_comment_end(const html_t *html, size_t at)
{
    const uint8_t *found;

    at += 4;
    if (html_byte(html, at) == '>') return at + 1;
    if (has_bytes_at(html, at, "->", 2)) return at + 2;
    for (; at < html->length && (found = memchr(html->data + at, '-', html->length - at)) != NULL; at++) {
        at = (size_t)(found - html->data);
        if (has_bytes_at(html, at, "-->", 3)) return at + 3;
        if (has_bytes_at(html, at, "--!>", 4)) return at + 4;
    }
    return html->length;
}

/* As deep_markup._tag_end. */
static size_t markup_tag_end(const html_t *html, size_t start, bool *ends_itself)
{
    const uint8_t *at = html->data + start, *end = html->data + html->length;

    *ends_itself = false;
    while (at < end) {
        bool is_slash = false;
        for (; at < end && TAG_BYTES[*at] & BETWEEN_OWN; at++) is_slash = *at == '/';
        if (at >= end) break;
        if (*at == '>') {
            *ends_itself = is_slash;
            return (size_t)(at - html->data) + 1;
        }
        for (at++; at < end && !(TAG_BYTES[*at] & ENDS_OWN_NAME); at++) {}
        while (at < end && is_markup_space(*at)) at++;
        if (at >= end || *at != '=') continue;
        do at++; while (at < end && is_markup_space(*at));
        if (at < end && (*at == '"' || *at == '\'')) {
            if ((at = memchr(at + 1, *at, (size_t)(end - at - 1))) == NULL) break;
            at++;
        } else {
            while (at < end && !(TAG_BYTES[*at] & ENDS_OWN_VALUE)) at++;
        }
    }
    return html->length + 1;
}

/* The next tag of a raw element; the end of the page if there is none. */
static size_t next_raw_tag(const html_t *html, const char *name, size_t size, size_t at, bool ends_only, bool *is_end)
{
    const uint8_t *found;

    for (; at < html->length && (found = memchr(html->data + at, '<', html->length - at)) != NULL; at++) {
        size_t name_at, number = 0;
        at = (size_t)(found - html->data);
        *is_end = html_byte(html, at + 1) == '/';
        if (ends_only && !*is_end) continue;
        name_at = at + 1 + *is_end;
        while (number < size && lower_byte(html_byte(html, name_at + number)) == (uint8_t)name[number]) number++;
        if (number == size && name_at + size < html->length && ends_markup_name(html->data[name_at + size])) return at;
    }
    return html->length;
}

/* As deep_markup._script_end. */
static size_t markup_script_end(const html_t *html, size_t at)
{
    size_t comments_to = at, tag;
    bool is_open = false, is_end;

    for (size_t from = at; (tag = next_raw_tag(html, "script", 6, from, false, &is_end)) < html->length; from = tag + 1) {
        for (size_t sign = at > comments_to ? at : comments_to; sign < tag;) {
            sign = end_of_sign(&(html_t){html->data, tag}, "<!--", sign);
            if (!has_bytes_at(html, sign - 4, "<!--", 4) || sign > tag) break;
            sign = comments_to = end_of_sign(html, "-->", sign - 2);
            is_open = false;
        }
        at = tag;
        if (is_end) {
            if (!is_open || at >= comments_to) return at;
            is_open = false;
        } else {
            is_open = at < comments_to;
        }
    }
    return html->length;
}

/* As deep_markup._text_end. */
static size_t raw_text_end(const html_t *html, const tag_name_t *name, int sets, size_t at)
{
    char letters[16];
    size_t size = name->length < sizeof letters ? name->length : sizeof letters;
    bool is_end;

    if (sets & PLAINTEXT_NAME) return html->length;
    if (sets & SCRIPT_NAME) return markup_script_end(html, at);
    for (size_t i = 0; i < size; i++) letters[i] = (char)lower_byte(html->data[name->at + i]);
    return next_raw_tag(html, letters, size, at, true, &is_end);
}

/* ---- what stays (deep_markup.py) */

static void keep_bytes(shallow_t *of, const void *data, size_t size)
{
    if (!of->looks_only && append_bytes(&of->kept, data, size) < 0) of->failed = true;
}

static size_t drop_tag(shallow_t *of, size_t start, size_t end)
{
    of->changed = true;
    keep_bytes(of, of->html->data + of->done, start - of->done);
    return of->done = end;
}

static void drop_name(shallow_t *of, const tag_name_t *name)
{
    if (append_bytes(&of->dropped, name, sizeof *name) < 0) of->failed = true;
}

/* The name of the last start tag that was left out, if there is one. */
static const tag_name_t *last_dropped(const shallow_t *of)
{
    return (const tag_name_t *)(const void *)(of->dropped.data + of->dropped.length) - 1;
}

static bool is_lost(const shallow_t *of, size_t start)
{
    return start < of->unsure_to && of->unsure_to == of->html->length;
}

/* As deep_markup._Markup._doubt. */
static void doubt_markup(shallow_t *of, size_t start, size_t end)
{
    of->rereads -= (Py_ssize_t)(end - start);
    if (end > of->html->length || of->rereads < 0) end = of->html->length;
    if (of->unsure_to < end) of->unsure_to = end;
}

static size_t pass_markup(shallow_t *of, size_t start, size_t end)
{
    if (start >= of->unsure_to) return end;
    doubt_markup(of, start, end);
    return start + 1;
}

/* As deep_markup._Markup._look. */
static void look_at_depth(shallow_t *of, size_t start)
{
    if (of->depth <= of->free_depth || (of->looks_left -= of->depth - of->free_depth) >= 0) return;
    drop_tag(of, start, start);
    if (of->looks_only) return;
    for (Py_ssize_t at = of->depth - 1; at >= of->free_depth; at--) {
        const tag_name_t *name = &of->open[at].name;
        keep_bytes(of, "</", 2);
        for (size_t i = 0; i < name->length; i++) {
            uint8_t letter = lower_byte(of->html->data[name->at + i]);
            keep_bytes(of, &letter, 1);
        }
        keep_bytes(of, ">", 1);
    }
    for (Py_ssize_t at = of->free_depth; at < of->depth; at++) drop_name(of, &of->open[at].name);
    close_from(of, of->free_depth);
    of->max_depth = of->free_depth;
}

/* As deep_markup._Markup._start. */
static size_t read_start_tag(shallow_t *of, const tag_name_t *name, size_t start, size_t end, bool ends_itself)
{
    bool is_sure = start >= of->unsure_to, is_formatting;
    int sets = sets_of(of, name);

    if (sets & FLAT_SET && pass_flat(of, sets, false)) return end;
    if (ends_itself && is_closed_element(of, sets)) return end;
    if (sets & RAW_SET) {
        size_t text_end = is_lost(of, start) ? end : raw_text_end(of->html, name, sets, end);
        if (is_sure && of->unsure == 0) return text_end;
        doubt_markup(of, start, text_end);
    }
    is_formatting = (sets & FORMATTING_SET) != 0;
    if (of->depth >= of->max_depth || (is_formatting && of->formatting >= of->max_formatting)) {
        drop_name(of, name);
        return drop_tag(of, start, end);
    }
    start_tag_of(of, name, sets);
    of->formatting += is_formatting;
    return end;
}

/* As deep_markup._Markup._end. */
static size_t read_end_tag(shallow_t *of, const tag_name_t *name, size_t start, size_t end)
{
    int sets = sets_of(of, name);

    if (sets & FLAT_SET && pass_flat(of, sets, true)) return end;
    if (of->dropped.length && is_same_tag_name(of, name, last_dropped(of))) {
        of->dropped.length -= sizeof *name;
        return drop_tag(of, start, end);
    }
    end_tag_of(of, name, sets);
    of->formatting -= sets & FORMATTING_SET && of->formatting > 0;
    return end;
}

/* As deep_markup._Markup._read. */
static size_t read_deep_markup(shallow_t *of, size_t start)
{
    const html_t *html = of->html;
    uint8_t next = html_byte(html, start + 1), letter;
    bool is_end = next == '/', ends_itself;
    tag_name_t name = {start + 1 + is_end, 0, 0};
    size_t at = name.at, end;

    if ((letter = html_byte(html, at) | 32) < 'a' || letter > 'z') {
        if (has_bytes_at(html, start, "<!--", 4))
            return pass_markup(of, start, is_lost(of, start) ? start : markup_comment_end(html, start));
        if (of->unsure && has_bytes_at(html, start, "<![CDATA[", 9)) {
            if (!is_lost(of, start)) doubt_markup(of, start, end_of_sign(html, "]]>", start));
            return start + 1;
        }
        if ((next != '!' && next != '?' && next != '/') || is_lost(of, start)) return start + 1;
        return pass_markup(of, start, end_of_sign(html, ">", start));
    }
    for (; at < html->length && !ends_markup_name(html->data[at]); at++)
        name.key = add_to_key(name.key, name.length++, lower_byte(html->data[at]));
    if (of->drawings && !of->is_mixed) pass_drawing(of, &name, is_end);
    if (start < of->unsure_to) {
        if (!is_lost(of, start)) doubt_markup(of, start, markup_tag_end(html, at, &ends_itself));
        look_at_depth(of, start);
        return is_end ? at : read_start_tag(of, &name, start, at, false);
    }
    end = at < html->length && html->data[at] == '>' ? at + 1 : markup_tag_end(html, at, &ends_itself);
    if (end > html->length) return html->length;
    if (html->data[at] == '>') ends_itself = false;
    look_at_depth(of, start);
    return is_end ? read_end_tag(of, &name, start, end) : read_start_tag(of, &name, start, end, ends_itself);
}

/* Whether a page surely stays as it is, of which so many tags are left. */
static bool is_never_deep(const shallow_t *of, Py_ssize_t tags)
{
    Py_ssize_t more = of->depth + tags - of->free_depth;

    if (of->depth + tags > of->max_depth || of->formatting + tags > of->max_formatting) return false;
    return more <= 0 || more * more <= 2 * of->looks_left;
}

/* Reads all tags; up to the first change if *looks_only*. Returns -1 with an exception, else whether something changes. */
static int limit_depth_of(shallow_t *of, tags_t tags, const html_t *html, Py_ssize_t chars, const depth_bounds_t *bounds)
{
    const uint8_t *found;
    size_t at = 0, read = 0;

    if (bounds->max_depth < 0 || bounds->max_depth > MAX_OPEN_ELEMENTS) {
        PyErr_SetString(PyExc_ValueError, "a depth out of range");
        return -1;
    }
    of->html = html;
    of->rereads = (Py_ssize_t)html->length;
    of->looks_left = bounds->free_looks + bounds->looks * chars;
    of->max_depth = bounds->max_depth;
    of->max_formatting = bounds->max_formatting;
    of->free_depth = bounds->free_depth;
    if ((of->open = PyMem_RawMalloc(((size_t)bounds->max_depth + 1) * sizeof *of->open)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *of->open++ = (open_element_t){.last_template = -1, .last_scope = -1, .last_special = -1, .last_text = -1, .last_html = -1,
                                   .first_select = -1};
    while (!of->failed && !(of->changed && of->looks_only)) {
        if (tags.places) while (tags.places < tags.last_place && *tags.places < at) tags.places++;
        else tags.at = html->data + at;
        if ((found = next_tag(&tags)) == NULL) break;
        if (of->looks_only && tags.places && ++read % TAGS_UNTIL_LOOK == 0 && is_never_deep(of, tags.last_place - tags.places + 1)) break;
        at = read_deep_markup(of, (size_t)(found - html->data));
    }
    return of->failed ? -1 : of->changed;
}

static void free_shallow(shallow_t *of)
{
    if (of->open) PyMem_RawFree(of->open - 1);
    PyMem_RawFree(of->kept.data);
    PyMem_RawFree(of->dropped.data);
}

/* Whether limit_depth may change a page with fewer tags than limits.MIN_TAGS_TO_LIMIT; -1 with an exception. */
static int may_be_deep(tags_t places, const html_t *html, size_t tags, size_t chars, const depth_bounds_t *bounds)
{
    Py_ssize_t count = (Py_ssize_t)tags;
    shallow_t shallow = {.looks_only = true};
    int changes;

    if (count * (count - 2 * bounds->free_depth) <= 2 * (bounds->free_looks + bounds->looks * (Py_ssize_t)chars)) return 0;
    changes = limit_depth_of(&shallow, places, html, (Py_ssize_t)chars, bounds);
    free_shallow(&shallow);
    return changes;
}

PyDoc_STRVAR(limit_depth_doc, "limit_depth(utf8, max_formatting, names, max_depth, free_depth, free_looks, looks)\n--\n\n"
"As deep_markup.limit_depth, of UTF-8; the same object if nothing changes.");

static PyObject *core_limit_depth(PyObject *module, PyObject *args)
{
    PyObject *bytes, *names, *out = NULL;
    depth_bounds_t bounds;
    shallow_t shallow = {0};
    html_t html;
    int changes;

    if (!PyArg_ParseTuple(args, "O!nO!nnnn", &PyBytes_Type, &bytes, &bounds.max_formatting, &PyTuple_Type, &names, &bounds.max_depth,
                          &bounds.free_depth, &bounds.free_looks, &bounds.looks) || know_names(names) < 0) return NULL;
    html = (html_t){(const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes)};
    changes = limit_depth_of(&shallow, tags_of(&html), &html, num_characters(html.data, html.data + html.length), &bounds);
    if (changes > 0) drop_tag(&shallow, html.length, html.length);
    if (changes == 0) out = Py_NewRef(bytes);
    else if (changes > 0 && !shallow.failed) out = PyBytes_FromStringAndSize((const char *)shallow.kept.data, (Py_ssize_t)shallow.kept.length);
    free_shallow(&shallow);
    return out;
}
