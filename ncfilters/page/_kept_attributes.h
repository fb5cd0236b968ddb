/* The attributes of a page that are read, as condensed_html.py has them. `_condense.h` includes it. */

/* Whether the first and the last bytes of a text, so many of each, are those of a name; a hyphen has the bit of small letters, too. */
#define ARE_ENDS_SAME(type, at, name, length) \
    (((load_##type(at) | load_##type("        ")) == load_##type(name)) & \
     ((load_##type((at) + (length) - sizeof(type)) | load_##type("        ")) == load_##type((name) + (length) - sizeof(type))))
#define LOADER(type) \
    static inline type load_##type(const void *at) \
    { \
        type out; \
        memcpy(&out, at, sizeof out); \
        return out; \
    }
LOADER(uint64_t)
LOADER(uint32_t)

static inline bool has_short_name(const uint8_t *at, size_t length, const char *name, size_t wanted)
{
    if (length != wanted) return false;
    if (length >= 4 && length <= 8) return ARE_ENDS_SAME(uint32_t, at, name, length);
    if (length >= 8 && length <= 16) return ARE_ENDS_SAME(uint64_t, at, name, length);
    for (size_t i = 0; i < length; i++)
        if ((at[i] | 32) != (uint8_t)name[i]) return false;
    return true;
}
#define IS_NAMED(at, length, name) has_short_name(at, length, name, sizeof name - 1)

/* Whether the walk or the parser reads an attribute. */
static inline bool is_read(enum element element, const uint8_t *name, size_t length, const uint8_t *value, bool *had_link)
{
    switch (length) {
    case 2: return IS_NAMED(name, length, "id");
    case 4:
        if (element == LINK_ELEMENT && IS_NAMED(name, length, "href")) {
            bool is_kept = !*had_link && (*value == '#' || *value == '&');
            *had_link |= !is_kept;
            return is_kept;
        }
        return (element == SCRIPT_ELEMENT || element == INPUT_ELEMENT) && IS_NAMED(name, length, "type");
    case 5:
        return IS_NAMED(name, length, "class") || IS_NAMED(name, length, "style") ||
               (element == NUMBERED_ELEMENT && (IS_NAMED(name, length, "start") || IS_NAMED(name, length, "value")));
    case 6: return IS_NAMED(name, length, "hidden") || (element == FRAME_ELEMENT && IS_NAMED(name, length, "srcdoc"));
    case 8: return IS_NAMED(name, length, "itemtype");
    case 11: return IS_NAMED(name, length, "aria-hidden");
    }
    return false;
}

/* Attributes for programs and for images that are loaded late, of those that begin with `data-`. */
#define READ_DATA(X) \
    X("data-actualsrc") X("data-cfsrc") X("data-code-lang") X("data-code-language") X("data-codetype") X("data-echo") \
    X("data-enlighter-language") X("data-eq") X("data-equation") X("data-expr") X("data-formula") X("data-full-src") X("data-hi-res-src") \
    X("data-highlight-language") X("data-image") X("data-img-src") X("data-katex") X("data-lang") X("data-language") \
    X("data-large-file") X("data-latex") X("data-lazy") X("data-lazy-src") X("data-lazy-srcset") X("data-li-src") X("data-line") \
    X("data-line-number") X("data-linenumber") X("data-ll-src") X("data-math") X("data-math-style") X("data-mathml") \
    X("data-orig-file") X("data-original") X("data-original-set") X("data-original-src") X("data-page") X("data-preloaded") \
    X("data-prism-language") X("data-programming-language") X("data-props") X("data-pseudo-content") X("data-react-props") \
    X("data-runner-src") X("data-src") X("data-srcset") X("data-state") X("data-syntax") X("data-syntaxhighlighter-params") \
    X("data-tex") X("data-time") X("data-utime")
#define AS_NAME(name) {name, sizeof name - 1},
static const struct { const char *name; size_t length; } DATA_NAMES[] = {READ_DATA(AS_NAME)};

/* The letters behind `data-` with which the names of a length begin: most names have none of these. */
enum { MAX_DATA_NAME = 31 };
static uint32_t data_starts[MAX_DATA_NAME + 1];

static void fill_data_starts(void)
{
    for (size_t i = 0; i < sizeof DATA_NAMES / sizeof *DATA_NAMES; i++)
        data_starts[DATA_NAMES[i].length] |= bit_of(DATA_NAMES[i].name[5]);
}

static bool is_read_data(const uint8_t *name, size_t length)
{
    if (length > MAX_DATA_NAME || !(data_starts[length] & bit_of((char)name[5]))) return false;
    for (size_t i = 0; i < sizeof DATA_NAMES / sizeof *DATA_NAMES; i++)
        if (length == DATA_NAMES[i].length && has_short_name(name + 5, length - 5, DATA_NAMES[i].name + 5, length - 5)) return true;
    return false;
}

/* Whether an attribute of a link may say that it leads to a note: as note_marks._names. */
static bool may_name_note(const uint8_t *name, size_t length)
{
    return length >= 8 && contains((const char *)name, (const char *)name + length, "footnote", NULL);
}

static inline bool is_data_name(const uint8_t *name, size_t length)
{
    return length > 5 && name[4] == '-' && has_short_name(name, 4, "data", 4);
}

/* The letters with which the names below begin, by their length: most names have none of these. */
#define LETTER(c) ((uint32_t)1 << ((c) & 31))
enum { MAX_READ_NAME = 12 };
static const uint32_t READ_STARTS[MAX_READ_NAME + 1] = {
    [2] = LETTER('i'),
    [3] = LETTER('s') | LETTER('a') | LETTER('r'),
    [4] = LETTER('h') | LETTER('r') | LETTER('l') | LETTER('a') | LETTER('t') | LETTER('n'),
    [5] = LETTER('c') | LETTER('s') | LETTER('b') | LETTER('v') | LETTER('w') | LETTER('t') | LETTER('e'),
    [6] = LETTER('h') | LETTER('s') | LETTER('b'),
    [7] = LETTER('o') | LETTER('c') | LETTER('r') | LETTER('h') | LETTER('s') | LETTER('d'),
    [8] = LETTER('i') | LETTER('p') | LETTER('d') | LETTER('x') | LETTER('l'),
    [9] = LETTER('d') | LETTER('e'),
    [10] = LETTER('a') | LETTER('x') | LETTER('h'),
    [11] = LETTER('a'),
    [12] = LETTER('a') | LETTER('u'),
};

/* Whether an attribute is read with markup. */
static inline bool is_read_with_markup(enum element element, bool is_span, const uint8_t *name, size_t length)
{
    switch (length <= MAX_READ_NAME && READ_STARTS[length] & LETTER(*name) ? length : 0) {
    case 2: return IS_NAMED(name, length, "id");
    case 3:
        if (IS_NAMED(name, length, "src") || IS_NAMED(name, length, "alt")) return element == IMAGE_ELEMENT;
        return IS_NAMED(name, length, "rel") || (element == LINK_ELEMENT && IS_NAMED(name, length, "rev"));
    case 4:
        if (IS_NAMED(name, length, "href") || IS_NAMED(name, length, "role") || IS_NAMED(name, length, "lang") ||
            IS_NAMED(name, length, "abbr")) return true;
        if (IS_NAMED(name, length, "type"))
            return element == SCRIPT_ELEMENT || element == LINK_ELEMENT || element == INPUT_ELEMENT;
        return element == LINK_ELEMENT && IS_NAMED(name, length, "name");
    case 5:
        if (IS_NAMED(name, length, "class") || IS_NAMED(name, length, "style") || IS_NAMED(name, length, "scope") ||
            IS_NAMED(name, length, "block")) return true;
        if (IS_NAMED(name, length, "start") || IS_NAMED(name, length, "value")) return element == NUMBERED_ELEMENT;
        if (IS_NAMED(name, length, "title")) return element == IMAGE_ELEMENT || is_span;
        return element == IMAGE_ELEMENT && (IS_NAMED(name, length, "width") || IS_NAMED(name, length, "eeimg"));
    case 6:
        if (IS_NAMED(name, length, "height")) return element == IMAGE_ELEMENT;
        if (IS_NAMED(name, length, "srcdoc")) return element == FRAME_ELEMENT;
        return IS_NAMED(name, length, "hidden") || IS_NAMED(name, length, "srcset") || IS_NAMED(name, length, "border") ||
               IS_NAMED(name, length, "syntax");
    case 7:
        if (IS_NAMED(name, length, "onclick")) return element == IMAGE_ELEMENT;
        if (IS_NAMED(name, length, "checked")) return element == INPUT_ELEMENT;
        if (IS_NAMED(name, length, "content") || IS_NAMED(name, length, "colspan") || IS_NAMED(name, length, "rowspan") ||
            IS_NAMED(name, length, "headers") || IS_NAMED(name, length, "summary") || IS_NAMED(name, length, "display")) return true;
        break;
    case 8:
        if (IS_NAMED(name, length, "disabled")) return element == INPUT_ELEMENT;
        if (IS_NAMED(name, length, "itemprop") || IS_NAMED(name, length, "itemtype") || IS_NAMED(name, length, "property") ||
            IS_NAMED(name, length, "datetime") || IS_NAMED(name, length, "xml:lang") || IS_NAMED(name, length, "language")) return true;
        break;
    case 9: if (IS_NAMED(name, length, "datatable") || IS_NAMED(name, length, "epub:type")) return true; break;
    case 10:
        if (IS_NAMED(name, length, "aria-level") || IS_NAMED(name, length, "xlink:href") || IS_NAMED(name, length, "http-equiv"))
            return true;
        if (IS_NAMED(name, length, "aria-label")) return is_span;
        break;
    case 11: if (IS_NAMED(name, length, "aria-hidden")) return true; break;
    case 12:
        if (IS_NAMED(name, length, "aria-colspan") || IS_NAMED(name, length, "aria-rowspan") ||
            IS_NAMED(name, length, "unselectable")) return true;
        break;
    }
    return (is_data_name(name, length) && is_read_data(name, length)) || (element == LINK_ELEMENT && may_name_note(name, length)) ||
           IS_NAMED(name, length, "created-timestamp");
}

/* Values in lower case, of which none is read. */
static const char *const UNREAD_ROLES[] = {
    "alert", "application", "article", "banner", "complementary", "contentinfo", "dialog", "feed", "form", "group", "img", "link",
    "list", "listbox", "listitem", "main", "menu", "menubar", "menuitem", "navigation", "option", "region", "search", "separator",
    "tab", "tablist", "tabpanel", "toolbar", NULL,
};
static const char *const UNREAD_RELATIONS[] = {
    "alternate", "apple-touch-icon", "bookmark", "category", "dns-prefetch", "edituri", "external", "home", "icon", "manifest", "me",
    "modulepreload", "next", "nofollow", "noopener", "noreferrer", "opener", "pingback", "preconnect", "prefetch", "preload", "prev",
    "search", "shortcut", "shortlink", "sponsored", "stylesheet", "tag", "ugc", NULL,
};

static bool is_listed(const uint8_t *word, size_t length, const char *const *list)
{
    for (; *list; list++)
        if ((uint8_t)**list == (*word | 32) && strlen(*list) == length && is_text_at((const char *)word, *list, length)) return true;
    return false;
}

/* Whether all words of a value are in a list. */
static bool has_listed_words(const uint8_t *at, const uint8_t *end, const char *const *list)
{
    while (at < end) {
        const uint8_t *word = at;
        while (at < end && !(IN_TAGS[*at] & IS_SPACE)) at++;
        if (at > word && !is_listed(word, (size_t)(at - word), list)) return false;
        at += at < end;
    }
    return true;
}

/* What a tag has had: attributes of which some values are not read (the first of a name counts, also if it is cut), and values on
 * which others depend. */
enum {
    HAD_ROLE = 1, HAD_RELATION = 2, HAD_WIDTH = 4, HAD_HEIGHT = 8, HAD_SOURCE = 16, HAD_TEXT = 32,
    UNREAD_RELATION = 64, HAD_TITLE = 128,
};
typedef struct {
    unsigned bits;
    const uint8_t *source, *source_end; /* the address of an image */
} had_t;

/* Whether the address of an image is shown, and no other is read: see images._address. Before `setup_markup`, none is known to be. */
static bool is_shown_source(const uint8_t *value, const uint8_t *end)
{
    slice_t text = {(const char *)value, (const char *)end};

    if (!markup.is_ready || value == NULL) return false;
    strip(&text.start, &text.end);
    return text.start < text.end && is_ascii(text.start, (size_t)(text.end - text.start)) &&
           !memchr(value, '&', (size_t)(end - value)) && !is_placeholder(text);
}

/* Whether the value of an attribute of an image that is read with markup is. */
static inline bool is_read_of_image(const uint8_t *name, size_t length, const uint8_t *value, const uint8_t *end, had_t *had)
{
    unsigned own;

    switch (length) {
    case 3:
        if (IS_NAMED(name, length, "alt") && value < end) had->bits |= HAD_TEXT;
        if (!IS_NAMED(name, length, "src")) return true;
        if (!(had->bits & HAD_SOURCE)) {
            had->source = value;
            had->source_end = end;
        }
        had->bits |= HAD_SOURCE;
        return true;
    case 5:
        if (IS_NAMED(name, length, "title")) return !(had->bits & HAD_TEXT); /* see tex._tex_of_image */
        if (!IS_NAMED(name, length, "width")) return true;
        break;
    case 6:
        if (IS_NAMED(name, length, "srcset")) return !is_shown_source(had->source, had->source_end);
        if (!IS_NAMED(name, length, "height")) return true;
        break;
    default: return true;
    }
    own = length == 5 ? HAD_WIDTH : HAD_HEIGHT;
    if (had->bits & own) return false;
    had->bits |= own;
    return !(end - value >= 2 && value[0] >= '1' && value[0] <= '9' && Py_ISDIGIT(value[1])); /* no pixel: see images._SIZE */
}

/* Whether the value of an attribute that is read with markup is. */
static inline bool is_read_value(enum element element, const uint8_t *name, size_t length, const uint8_t *value, const uint8_t *end,
                                 had_t *had)
{
    unsigned before = had->bits;

    if (length == 4 && IS_NAMED(name, length, "role")) {
        had->bits |= HAD_ROLE;
        return !(before & HAD_ROLE) && !is_listed(value, (size_t)(end - value), UNREAD_ROLES);
    }
    if (length == 3 && IS_NAMED(name, length, "rel")) {
        bool is_unread = has_listed_words(value, end, UNREAD_RELATIONS);
        if (before & HAD_RELATION) return false;
        had->bits |= HAD_RELATION | (is_unread ? UNREAD_RELATION : 0);
        return !is_unread;
    }
    if (element == RELATION_ELEMENT) return !(before & UNREAD_RELATION) || length != 4 || !IS_NAMED(name, length, "href");
    if (element == IMAGE_ELEMENT) return is_read_of_image(name, length, value, end, had);
    if (length != 5 || !IS_NAMED(name, length, "title")) return true;
    had->bits |= HAD_TITLE;
    return !(before & HAD_TITLE) && end - value >= 10 && value[4] == '-' && value[7] == '-'; /* a day */
}

/* Whether an attribute of an element in a drawing is read with markup. Those that only elements with text are read for are not. */
static inline bool is_read_in_drawing(const uint8_t *name, size_t length)
{
    switch (length) {
    case 2: return IS_NAMED(name, length, "id");
    case 3: return IS_NAMED(name, length, "rel");
    case 4: return IS_NAMED(name, length, "role") || IS_NAMED(name, length, "name");
    case 7: return IS_NAMED(name, length, "content");
    case 8: if (IS_NAMED(name, length, "itemprop") || IS_NAMED(name, length, "property") || IS_NAMED(name, length, "datetime")) return true;
    }
    return is_data_name(name, length) && is_read_data(name, length);
}
