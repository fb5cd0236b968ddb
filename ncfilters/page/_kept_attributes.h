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

/* ---- with markup: the names of the attributes that are read */

/* What is looked at besides the name. */
enum read_value {
    ANY_VALUE, ADDRESS_VALUE, ROLE_VALUE, RELATION_VALUE, TITLE_VALUE, SOURCE_VALUE, SET_VALUE, TEXT_VALUE, CLICK_VALUE, WIDTH_VALUE,
    HEIGHT_VALUE,
};

/* Names, the elements whose attributes they are (a bit for each), and what their values are. */
#define OF(element) ((uint32_t)1 << (element))
#define OF_ALL UINT32_MAX
static const struct { const char *names; uint32_t elements; enum read_value value; } READ_NAMES[] = {
    {"id lang abbr class style scope block hidden border syntax content colspan rowspan headers summary display itemprop itemtype "
     "property datetime xml:lang language datatable epub:type aria-level xlink:href http-equiv aria-hidden aria-colspan "
     "aria-rowspan unselectable created-timestamp", OF_ALL, ANY_VALUE},
    /* for programs, and for images that are loaded late */
    {
        "data-actualsrc data-cfsrc data-code-lang data-code-language data-codetype data-echo data-enlighter-language data-eq "
        "data-equation data-expr data-formula data-full-src data-hi-res-src data-highlight-language data-image data-img-src data-katex "
        "data-lang data-language data-large-file data-latex data-lazy data-lazy-src data-lazy-srcset data-li-src data-line "
        "data-line-number data-linenumber data-ll-src data-math data-math-style data-mathml data-orig-file data-original "
        "data-original-set data-original-src data-page data-preloaded data-prism-language data-programming-language "
        "data-props data-pseudo-content data-react-props data-runner-src data-src data-srcset data-state data-syntax "
        "data-syntaxhighlighter-params data-tex data-time data-utime", OF_ALL, ANY_VALUE},
    {"href", OF_ALL, ADDRESS_VALUE},
    {"role", OF_ALL, ROLE_VALUE},
    {"rel", OF_ALL, RELATION_VALUE},
    {"srcset", OF_ALL, SET_VALUE},
    {"src", OF(IMAGE_ELEMENT), SOURCE_VALUE},
    {"alt", OF(IMAGE_ELEMENT), TEXT_VALUE},
    {"width", OF(IMAGE_ELEMENT), WIDTH_VALUE},
    {"height", OF(IMAGE_ELEMENT), HEIGHT_VALUE},
    {"onclick", OF(IMAGE_ELEMENT), CLICK_VALUE},
    {"eeimg", OF(IMAGE_ELEMENT), ANY_VALUE},
    {"title", OF(IMAGE_ELEMENT) | OF(SPAN_ELEMENT), TITLE_VALUE},
    {"aria-label", OF(SPAN_ELEMENT), ANY_VALUE},
    {"rev name", OF(LINK_ELEMENT), ANY_VALUE},
    {"type", OF(SCRIPT_ELEMENT) | OF(LINK_ELEMENT) | OF(INPUT_ELEMENT), ANY_VALUE},
    {"start value", OF(NUMBERED_ELEMENT), ANY_VALUE},
    {"srcdoc", OF(FRAME_ELEMENT), ANY_VALUE},
    {"checked disabled", OF(INPUT_ELEMENT), ANY_VALUE},
};

/* A name by its first and its last eight bytes. */
typedef struct {
    const char *name;
    size_t length;
    uint64_t first, last;
    uint32_t elements;
    enum read_value value;
} read_name_t;
enum { MAX_READ_NAMES = 128, READ_NAME_BITS = 9 };
static read_name_t read_names[MAX_READ_NAMES];
static uint8_t read_name_slots[1 << READ_NAME_BITS]; /* a hash table: 0, or the number of a name from 1 on */

static inline size_t read_name_slot(uint64_t first, uint64_t last, size_t length)
{
    return (size_t)((first ^ last * 31 ^ length) * 0x9E3779B97F4A7C15u >> (64 - READ_NAME_BITS));
}

static inline size_t next_read_name_slot(size_t slot)
{
    return (slot + 1) % (1 << READ_NAME_BITS);
}

/* The last bytes of a name that is longer than its first ones. */
static inline uint64_t last_key_of(const uint8_t *name, size_t length)
{
    return length > NAME_BYTES ? load_uint64_t(name + length - NAME_BYTES) | 0x2020202020202020u : 0;
}

static void fill_read_names(void)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof READ_NAMES / sizeof *READ_NAMES; i++)
        for (const char *at = READ_NAMES[i].names; *at;) {
            size_t length = strcspn(at, " "), slot;
            const uint8_t *name = (const uint8_t *)at;
            read_name_t own = {at, length, key_of(name, length), last_key_of(name, length), READ_NAMES[i].elements, READ_NAMES[i].value};
            for (slot = read_name_slot(own.first, own.last, length); read_name_slots[slot];) slot = next_read_name_slot(slot);
            if (count == MAX_READ_NAMES) Py_FatalError("more names of attributes than MAX_READ_NAMES");
            read_names[count] = own;
            read_name_slots[slot] = (uint8_t)++count;
            at += length + (at[length] == ' ');
        }
}

/* What is known of the name of an attribute, which is not empty, on a page that ends there; NULL if it is not read. */
static inline const read_name_t *find_read_name(const uint8_t *name, size_t length, const uint8_t *end)
{
    uint64_t first = key_on_page(name, length, end), last = last_key_of(name, length);

    for (size_t slot = read_name_slot(first, last, length); read_name_slots[slot]; slot = next_read_name_slot(slot)) {
        const read_name_t *own = &read_names[read_name_slots[slot] - 1];
        if (own->first != first || own->last != last || own->length != length) continue;
        return length <= 2 * NAME_BYTES || is_text_at((const char *)name, own->name, length) ? own : NULL;
    }
    return NULL;
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

/* Whether the value of an attribute of this name decides whether it is read. */
static inline bool is_read_by_value(const uint8_t *name, size_t length, const uint8_t *end)
{
    const read_name_t *own = find_read_name(name, length, end);

    return own && own->value != ANY_VALUE;
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
    UNREAD_RELATION = 64, HAD_TITLE = 128, UNREAD_TEXT = 256, HAD_CLICK = 512,
    UNREAD_VALUE = 1024, /* one of these has been cut */
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

/* Whether the width or the height of an image, which it *had* before or not, is read: those of no pixel are not (see images._SIZE). */
static inline bool is_read_size(const uint8_t *value, const uint8_t *end, had_t *had, unsigned own)
{
    if (had->bits & own) return false;
    had->bits |= own;
    return !(end - value >= 2 && value[0] >= '1' && value[0] <= '9' && Py_ISDIGIT(value[1]));
}

/* Whether a title is read: of an image without a text before it (see tex._tex_of_image), of others if it is a day. */
static inline bool is_read_title(enum element element, const uint8_t *value, const uint8_t *end, had_t *had)
{
    bool is_first = !(had->bits & HAD_TITLE);

    if (element == IMAGE_ELEMENT) return !(had->bits & HAD_TEXT);
    had->bits |= HAD_TITLE;
    return is_first && end - value >= 10 && value[4] == '-' && value[7] == '-';
}

/* Whether the text of an image is read: no text is as an empty one, but for images that can be clicked on (see
 * images.image_of_attributes). */
static inline bool is_read_text(const uint8_t *value, const uint8_t *end, had_t *had)
{
    if (value < end && !(had->bits & UNREAD_TEXT)) had->bits |= HAD_TEXT;
    else if (!(had->bits & (HAD_CLICK | HAD_TEXT))) had->bits |= UNREAD_TEXT;
    return !(had->bits & UNREAD_TEXT);
}

/* Whether the value of an attribute that is read with markup is. */
static inline bool is_read_value(enum element element, enum read_value kind, const uint8_t *value, const uint8_t *end, had_t *had)
{
    unsigned before = had->bits;

    switch (kind) {
    case ANY_VALUE: break;
    case ADDRESS_VALUE: return element != RELATION_ELEMENT || !(before & UNREAD_RELATION);
    case ROLE_VALUE:
        had->bits |= HAD_ROLE;
        return !(before & HAD_ROLE) && !is_listed(value, (size_t)(end - value), UNREAD_ROLES);
    case RELATION_VALUE:
        if (before & HAD_RELATION) return false;
        had->bits |= HAD_RELATION;
        if (!has_listed_words(value, end, UNREAD_RELATIONS)) return true;
        had->bits |= UNREAD_RELATION;
        return false;
    case TITLE_VALUE: return is_read_title(element, value, end, had);
    case TEXT_VALUE: return is_read_text(value, end, had);
    case CLICK_VALUE: had->bits |= HAD_CLICK; return !(before & UNREAD_TEXT);
    case SET_VALUE: return element != IMAGE_ELEMENT || !is_shown_source(had->source, had->source_end);
    case SOURCE_VALUE:
        if (!(before & HAD_SOURCE)) {
            had->source = value;
            had->source_end = end;
        }
        had->bits |= HAD_SOURCE;
        break;
    case WIDTH_VALUE: return is_read_size(value, end, had, HAD_WIDTH);
    case HEIGHT_VALUE: return is_read_size(value, end, had, HAD_HEIGHT);
    }
    return true;
}

/* Whether an attribute of an element in a drawing is read with markup. Those that only elements with text are read for are not. */
static inline bool is_read_in_drawing(const uint8_t *name, size_t length, const uint8_t *end)
{
    switch (length) {
    case 2: return IS_NAMED(name, length, "id");
    case 3: return IS_NAMED(name, length, "rel");
    case 4: return IS_NAMED(name, length, "role") || IS_NAMED(name, length, "name");
    case 7: return IS_NAMED(name, length, "content");
    case 8: if (IS_NAMED(name, length, "itemprop") || IS_NAMED(name, length, "property") || IS_NAMED(name, length, "datetime")) return true;
    }
    return is_data_name(name, length) && find_read_name(name, length, end);
}
