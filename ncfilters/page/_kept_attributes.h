/* The attributes of a page that are read, as condensed_html.py has them. `_condense.h` includes it. */

static inline bool has_short_name(const uint8_t *at, size_t length, const char *name, size_t wanted)
{
    if (length != wanted) return false;
    for (size_t i = 0; i < length; i++)
        if ((at[i] | 32) != (uint8_t)name[i]) return false; /* a hyphen has the bit, too */
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
    X("data-actualsrc") X("data-cfsrc") X("data-code-language") X("data-codetype") X("data-echo") X("data-enlighter-language") \
    X("data-eq") X("data-equation") X("data-expr") X("data-formula") X("data-full-src") X("data-hi-res-src") \
    X("data-highlight-language") X("data-image") X("data-img-src") X("data-katex") X("data-lang") X("data-language") \
    X("data-large-file") X("data-latex") X("data-lazy") X("data-lazy-src") X("data-lazy-srcset") X("data-li-src") X("data-line") \
    X("data-line-number") X("data-linenumber") X("data-ll-src") X("data-math") X("data-math-style") X("data-mathml") \
    X("data-orig-file") X("data-original") X("data-original-set") X("data-original-src") X("data-page") X("data-preloaded") \
    X("data-prism-language") X("data-programming-language") X("data-props") X("data-pseudo-content") X("data-react-props") \
    X("data-runner-src") X("data-src") X("data-srcset") X("data-state") X("data-syntax") X("data-syntaxhighlighter-params") \
    X("data-tex")
#define AS_NAME(name) {name, sizeof name - 1},
static const struct { const char *name; size_t length; } DATA_NAMES[] = {READ_DATA(AS_NAME)};

static bool is_read_data(const uint8_t *name, size_t length)
{
    for (size_t i = 0; i < sizeof DATA_NAMES / sizeof *DATA_NAMES; i++)
        if (length == DATA_NAMES[i].length && has_short_name(name, length, DATA_NAMES[i].name, length)) return true;
    return contains((const char *)name, (const char *)name + length, "footnote", NULL); /* as footnotes._names */
}

/* Whether an attribute of a drawing surely only says how it looks. */
static inline bool is_drawn(const uint8_t *name, size_t length)
{
    switch (name[0] | 32) {
    case 'f': return IS_NAMED(name, length, "fill") || IS_NAMED(name, length, "focusable");
    case 'h': return IS_NAMED(name, length, "height");
    case 'v': return IS_NAMED(name, length, "viewbox") || IS_NAMED(name, length, "version");
    case 'w': return IS_NAMED(name, length, "width");
    case 'x': return IS_NAMED(name, length, "xmlns");
    }
    return false;
}

/* The same with markup: all but what surely only says how an element looks, works or is loaded. */
static inline bool is_read_with_markup(enum element element, const uint8_t *name, size_t length)
{
    if (element == SVG_ELEMENT && is_drawn(name, length)) return false;
    switch (name[0] | 32) {
    case 'a':
        if (length < 6 || !has_short_name(name, 5, "aria-", 5)) return true;
        return IS_NAMED(name, length, "aria-hidden") || IS_NAMED(name, length, "aria-level") || IS_NAMED(name, length, "aria-colspan") ||
               IS_NAMED(name, length, "aria-rowspan") || (element != LINK_ELEMENT && IS_NAMED(name, length, "aria-label"));
    case 'd':
        if (length > 5 && has_short_name(name, 5, "data-", 5)) return is_read_data(name, length);
        return !IS_NAMED(name, length, "decoding");
    case 'f': return !IS_NAMED(name, length, "for");
    case 'l': return !IS_NAMED(name, length, "loading");
    case 'm': return !IS_NAMED(name, length, "media");
    case 'o': return length < 4 || (name[1] | 32) != 'n' || IS_NAMED(name, length, "onclick");
    case 'p': return !IS_NAMED(name, length, "placeholder");
    case 's': return !IS_NAMED(name, length, "sizes") && (element != SCRIPT_ELEMENT || !IS_NAMED(name, length, "src"));
    case 't':
        if (IS_NAMED(name, length, "type"))
            return element == SCRIPT_ELEMENT || element == LINK_ELEMENT || element == INPUT_ELEMENT || element == NUMBERED_ELEMENT;
        if (IS_NAMED(name, length, "title")) return element == IMAGE_ELEMENT;
        return !IS_NAMED(name, length, "target") && !IS_NAMED(name, length, "tabindex");
    case 'v': return element == NUMBERED_ELEMENT || !IS_NAMED(name, length, "value");
    }
    return true;
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
    return length > 5 && has_short_name(name, 5, "data-", 5) && is_read_data(name, length);
}
