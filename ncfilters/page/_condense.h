/* The HTML of a page without what the walk does not read: as condensed_html.py says. `_core.c` includes it.
 *
 * This is the tokenizer of the HTML standard as far as it tells where tags, comments and raw text end. Where the parser may
 * be in another state (foreign content, framesets), the rest of the page is left as it is.
 */

enum { IS_SPACE = 1, ENDS_NAME = 2, ENDS_ATTRIBUTE = 4, ENDS_VALUE = 8 }; /* and the byte 0, which is that behind the page */
static const uint8_t IN_TAGS[256] = {
    [0] = 14, ['\t'] = 15, ['\n'] = 15, ['\f'] = 15, ['\r'] = 15, [' '] = 15, ['>'] = 14, ['/'] = 6, ['='] = 4,
};

/* What an element is to the scan. The parser compares the attributes of formatting elements, and reads those of options: they stay
 * whole. */
enum element {
    OTHER_ELEMENT, SPAN_ELEMENT, WHOLE_ELEMENT, LINK_ELEMENT, RELATION_ELEMENT, IMAGE_ELEMENT, NUMBERED_ELEMENT, INPUT_ELEMENT, FRAME_ELEMENT,
    SCRIPT_ELEMENT, STYLE_ELEMENT, RAW_ELEMENT, TEMPLATE_ELEMENT, COLUMN_ELEMENT, SELECT_ELEMENT, SVG_ELEMENT,
    DRAWING_ELEMENT, LABEL_ELEMENT, STOP_ELEMENT,
};
enum { ELEMENT_SLOTS = 512, NAME_BYTES = 8, MAX_DRAWING_DEPTH = 32 };
static struct { uint64_t key; enum element html, svg; } element_slots[ELEMENT_SLOTS];

static inline size_t element_slot(uint64_t key)
{
    size_t slot = (size_t)(key * 0x9E3779B97F4A7C15u >> 55);

    while (element_slots[slot].key && element_slots[slot].key != key) slot = (slot + 1) % ELEMENT_SLOTS;
    return slot;
}

/* The first bytes of a name of letters in lower case. */
static inline uint64_t key_of(const uint8_t *name, size_t length)
{
    uint64_t key = 0;

    for (size_t i = 0; i < length && i < NAME_BYTES; i++) key = key << 8 | (name[i] | 32);
    return key;
}

/* The same of a name of at least one byte on a page that ends there. */
static inline uint64_t key_on_page(const uint8_t *name, size_t length, const uint8_t *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t key;

    if (end - name >= NAME_BYTES) {
        memcpy(&key, name, sizeof key);
        key = __builtin_bswap64(key | 0x2020202020202020u);
        return length < NAME_BYTES ? key >> (64 - 8 * length) : key;
    }
#endif
    (void)end;
    return key_of(name, length);
}

static void fill_elements(void)
{
    static const struct { const char *names; enum element html, svg; } KINDS_OF[] = {
        {"b big code em font i nobr s small strike strong tt u option optgroup meta", WHOLE_ELEMENT, STOP_ELEMENT},
        {"selected", WHOLE_ELEMENT, STOP_ELEMENT}, /* selectedcontent */
        {"span", SPAN_ELEMENT, OTHER_ELEMENT},
        {"a", LINK_ELEMENT, DRAWING_ELEMENT},
        {"link", RELATION_ELEMENT, OTHER_ELEMENT},
        {"img", IMAGE_ELEMENT, STOP_ELEMENT},
        {"amp-img", IMAGE_ELEMENT, OTHER_ELEMENT},
        {"image", IMAGE_ELEMENT, DRAWING_ELEMENT}, /* another name of <img> */
        {"ol li", NUMBERED_ELEMENT, STOP_ELEMENT},
        {"input", INPUT_ELEMENT, STOP_ELEMENT},
        {"iframe", FRAME_ELEMENT, STOP_ELEMENT},
        {"script", SCRIPT_ELEMENT, STOP_ELEMENT},
        {"style", STYLE_ELEMENT, LABEL_ELEMENT},
        {"title", RAW_ELEMENT, LABEL_ELEMENT},
        {"desc", OTHER_ELEMENT, LABEL_ELEMENT},
        {"textarea xmp noembed noframes", RAW_ELEMENT, STOP_ELEMENT},
        {"template", TEMPLATE_ELEMENT, STOP_ELEMENT},
        {"col", COLUMN_ELEMENT, STOP_ELEMENT},
        {"select", SELECT_ELEMENT, STOP_ELEMENT},
        {"svg", SVG_ELEMENT, SVG_ELEMENT},
        {"math frameset plaintext", STOP_ELEMENT, STOP_ELEMENT},
        {"path g circle rect ellipse line polyline polygon defs use symbol clippath mask lineargr radialgr stop pattern marker "
         "text tspan animate animatet animatem filter fegaussi feoffset feblend feflood fecolorm fecompos femerge femergen", OTHER_ELEMENT,
         DRAWING_ELEMENT},
    };

    for (size_t i = 0; i < sizeof KINDS_OF / sizeof *KINDS_OF; i++)
        for (const char *at = KINDS_OF[i].names; *at;) {
            size_t length = strcspn(at, " ");
            uint64_t key = key_of((const uint8_t *)at, length);
            size_t slot = element_slot(key);
            element_slots[slot].key = key;
            element_slots[slot].html = KINDS_OF[i].html;
            element_slots[slot].svg = KINDS_OF[i].svg;
            at += length + (at[length] == ' ');
        }
}

/* The page, and what is written of it: all before *copied* but what has been cut. The `<` that have been seen, and attributes:
 * at least those that count_attributes finds behind them, but for two of each tag. */
typedef struct {
    html_t html;
    const uint8_t *at, *end, *copied;
    uint8_t *to;
    size_t tags, templates;
    Py_ssize_t attributes;
    bool in_select, has_markup;
    bool is_behind_head, is_in_body, is_drawing_read; /* with markup */
    cut_texts_t *cut_texts;                           /* with markup; NULL if there are none */
    bool has_failed;                                  /* with an exception */
} condenser_t;

/* A tag that has been read. */
typedef struct {
    const uint8_t *name;
    size_t length;
    uint64_t key;
    bool is_end, is_closed, is_data; /* its form is `/>`; a script that is read */
    bool is_said;                    /* with markup: it has attributes that are read, besides an address */
} read_tag_t;

/* Bytes that are copied at once, even if fewer are wanted: behind the page written there is room for them. */
enum { SHORT_COPY = 32 };

static inline void copy_until(condenser_t *in, const uint8_t *end)
{
    size_t size = (size_t)(end - in->copied);

    if (size <= SHORT_COPY && (size_t)(in->end - in->copied) >= SHORT_COPY) memcpy(in->to, in->copied, SHORT_COPY); /* inline */
    else memcpy(in->to, in->copied, size);
    in->to += size;
    in->copied = end;
}

static inline void cut(condenser_t *in, const uint8_t *from, const uint8_t *to)
{
    copy_until(in, from);
    in->copied = to;
}

static inline const uint8_t *find_byte(const uint8_t *at, const uint8_t *end, uint8_t wanted)
{
#ifdef __SSE2__
    const __m128i all = _mm_set1_epi8((char)wanted);
    for (; end - at >= 16; at += 16) {
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), all));
        if (found) return at + __builtin_ctz(found);
    }
#endif
    return at < end ? memchr(at, wanted, (size_t)(end - at)) : NULL;
}

/* The end of something in a tag; `end` if the page ends before. */
static inline const uint8_t *end_in_tag(const uint8_t *at, const uint8_t *end, uint8_t stop)
{
    for (;; at++) {
        while (!(IN_TAGS[*at] & stop)) at++;
        if (*at || at >= end) return at;
    }
}

/* The same of a name: mostly one of fewer than 16 bytes. */
static inline const uint8_t *end_of_name(const uint8_t *at, const uint8_t *end, uint8_t stop)
{
#ifdef __SSE2__
    if (end - at >= 16) {
        const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i stops = _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(' ')), part); /* and other control characters */
        unsigned found;
        stops = _mm_or_si128(stops, _mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('/')), _mm_cmpeq_epi8(part, _mm_set1_epi8('>'))));
        if (stop == ENDS_ATTRIBUTE) stops = _mm_or_si128(stops, _mm_cmpeq_epi8(part, _mm_set1_epi8('=')));
        found = (unsigned)_mm_movemask_epi8(stops);
        at += found ? __builtin_ctz(found) : 16;
    }
#endif
    return end_in_tag(at, end, stop);
}

static inline const uint8_t *skip_tag_space(const uint8_t *at)
{
    while (IN_TAGS[*at] & IS_SPACE) at++;
    return at;
}

#include "_kept_attributes.h"

/* Whether the type of a script, in ASCII, is of those whose text is read. */
static bool is_read_type(const uint8_t *value, const uint8_t *end)
{
    return find_byte(value, end, '&') || (end - value >= 5 && contains((const char *)value, (const char *)value + 5, "math/", NULL)) ||
           contains((const char *)value, (const char *)end, "ld+json", NULL);
}

/* Whether an attribute of a page that ends at *page_end* is kept with markup. *had* are those that the tag had before. */
static inline bool is_kept_with_markup(read_tag_t *tag, enum element element, const uint8_t *name, size_t length, const uint8_t *value,
                                       const uint8_t *end, const uint8_t *page_end, had_t *had)
{
    const read_name_t *own = find_read_name(name, length, page_end);

    if (own == NULL) return element == LINK_ELEMENT && may_name_note(name, length);
    if (!(own->elements & OF(element))) return false;
    if (!is_read_value(element, own->value, value, end, had)) {
        had->bits |= UNREAD_VALUE;
        return false;
    }
    tag->is_said |= element == RELATION_ELEMENT && own->value != ADDRESS_VALUE;
    return true;
}

/* What is written of the page at a place. */
typedef struct {
    uint8_t *to;
    const uint8_t *copied;
} written_t;

/* The set of an image that has been kept before its address: where it begins and ends (NULL: none), and what was written before it. */
typedef struct {
    const uint8_t *start, *end;
    written_t before;
} kept_set_t;

/* Cuts the set before the address of an image, which is *source*, if that is shown. */
static void cut_set_before(condenser_t *in, kept_set_t *set, const had_t *had, const uint8_t *source)
{
    if (had->source != source || !is_shown_source(had->source, had->source_end)) return;
    if (in->copied <= set->start) cut(in, set->start, set->end);
    else {
        uint8_t *at = set->before.to + (set->start - set->before.copied);
        size_t size = (size_t)(set->end - set->start);
        memmove(at, at + size, (size_t)(in->to - at) - size);
        in->to -= size;
    }
    set->start = NULL;
}

/* After an attribute of an image that is kept, from its name to *at*. */
static void keep_of_image(condenser_t *in, kept_set_t *set, const had_t *had, const uint8_t *name, size_t length, const uint8_t *value,
                          const uint8_t *at)
{
    if (length == 3 && set->start && IS_NAMED(name, length, "src")) cut_set_before(in, set, had, value);
    else if (length == 6 && !(had->bits & HAD_SOURCE) && IS_NAMED(name, length, "srcset"))
        *set = (kept_set_t){name, at, {in->to, in->copied}};
}

/* Reads the attributes of a tag, and cuts those that are not read if *may_cut*. Returns what is behind the tag; NULL if the page
 * ends in it, for an attribute that begins with `=`, for one that may seem to be the first of its name, and for one of a drawing that is
 * read. */
static inline const uint8_t *read_tag_attributes(condenser_t *in, const uint8_t *at, read_tag_t *tag, enum element element, bool may_cut)
{
    uint8_t *to = in->to;
    const uint8_t *copied = in->copied, *last_cut = NULL; /* where the last attribute ends, if it has been cut */
    bool had_link = false;
    had_t had;
    kept_set_t set = {NULL, NULL, {NULL, NULL}};

    had.bits = 0;
    had.source = had.source_end = NULL;
    for (;; in->attributes++) {
        const uint8_t *name, *name_end, *value, *value_end;
        for (;; at++) {
            at = skip_tag_space(at);
            if (*at == '>') return at + 1;
            if (*at != '/') break;
            if (at[1] == '>') {
                tag->is_closed = true;
                return at + 2;
            }
        }
        if (at >= in->end) return NULL;
        if (*at == '=') { /* behind a cut, it could belong to the attribute before */
            in->to = to;
            in->copied = copied;
            return NULL;
        }
        name = at;
        name_end = value = value_end = end_of_name(at + 1, in->end, ENDS_ATTRIBUTE);
        at = skip_tag_space(name_end);
        if (*at == '=') {
            at = skip_tag_space(at + 1);
            value = at;
            if (*at == '"' || *at == '\'') {
                value++;
                if ((value_end = find_byte(value, in->end, *at)) == NULL) return NULL;
                at = value_end + 1;
            } else at = value_end = end_in_tag(at, in->end, ENDS_VALUE);
        }
        if (element == SCRIPT_ELEMENT && IS_NAMED(name, (size_t)(name_end - name), "type"))
            tag->is_data |= is_read_type(value, value_end);
        if (element == DRAWING_ELEMENT && IS_NAMED(name, (size_t)(name_end - name), "itemtype")) return NULL; /* see survey.py */
        if (element == DRAWING_ELEMENT) in->is_drawing_read |= is_read_in_drawing(name, (size_t)(name_end - name), in->end);
        if (!may_cut || name[-1] == '/') {
            if (had.bits & UNREAD_VALUE && is_read_by_value(name, (size_t)(name_end - name), in->end)) {
                in->to = to;
                in->copied = copied;
                return NULL;
            }
            last_cut = NULL;
            tag->is_said = true;
            may_cut &= !in->has_markup; /* it may be the first of its name */
        } else if (in->has_markup ? is_kept_with_markup(tag, element, name, (size_t)(name_end - name), value, value_end,
                                                       in->end, &had)
                                  : is_read(element, name, (size_t)(name_end - name), value, &had_link)) {
            last_cut = NULL;
            if (element == IMAGE_ELEMENT && in->has_markup) keep_of_image(in, &set, &had, name, (size_t)(name_end - name), value, at);
        } else {
            if (last_cut) in->copied = at; /* with the space between the two */
            else cut(in, name, at);
            last_cut = at;
        }
    }
}

/* Undoes what has been written behind a place, and cuts what was read from there on. */
static void cut_from(condenser_t *in, written_t before, const uint8_t *from, const uint8_t *to)
{
    in->to = before.to;
    in->copied = before.copied;
    cut(in, from, to);
}

/* ---- raw text */

/* Counts a `<` in raw text or in a comment, as density.tag_counts does. */
static inline void count_inner_tag(condenser_t *in, const uint8_t *at)
{
    tag_counts_t found = {0};

    in->tags++;
    count_tag(&in->html, (size_t)(at - in->html.data), &found);
    in->attributes += found.attributes;
}

/* Whether the name of a tag stands here, and ends. */
static inline bool is_same_tag(const condenser_t *in, const uint8_t *at, const read_tag_t *tag)
{
    if ((size_t)(in->end - at) <= tag->length) return false;
    for (size_t i = 0; i < tag->length; i++)
        if ((at[i] | 32) != (tag->name[i] | 32)) return false;
    return at[tag->length] && IN_TAGS[at[tag->length]] & ENDS_NAME;
}

static inline bool is_raw_end(const condenser_t *in, const uint8_t *at, const read_tag_t *tag)
{
    return at[1] == '/' && is_same_tag(in, at + 2, tag);
}

/* The `<` of the end tag of raw text; NULL without one. */
static const uint8_t *raw_end(condenser_t *in, const read_tag_t *tag)
{
    for (const uint8_t *at = in->at; (at = find_byte(at, in->end, '<')) != NULL; at++) {
        if (is_raw_end(in, at, tag)) return at;
        count_inner_tag(in, at);
    }
    return NULL;
}

/* The same of a script. Behind `<!--`, another script may begin and end. */
static const uint8_t *script_end(condenser_t *in, const read_tag_t *tag)
{
    const uint8_t *at = in->at, *end = in->end;
    bool is_escaped = false, is_double = false;
    int dashes = 0;

    for (;; at++) {
        if (!is_escaped) at = find_byte(at, end, '<');
        if (at == NULL || at >= end) return NULL;
        if (is_escaped && *at == '>' && dashes >= 2) is_escaped = is_double = false;
        dashes = *at == '-' ? dashes + 1 : 0;
        if (*at != '<') continue;
        if (is_raw_end(in, at, tag)) {
            if (!is_double) return at;
            is_double = false;
        } else if (is_escaped && is_same_tag(in, at + 1, tag)) is_double = true;
        count_inner_tag(in, at);
        if (!is_escaped && end - at >= 4 && memcmp(at, "<!--", 4) == 0) {
            is_escaped = true;
            dashes = 2;
            at += 3;
        }
    }
}

/* Cuts the text of an element, and leaves a letter for it if it is not white space. */
static void cut_text(condenser_t *in, const uint8_t *from, const uint8_t *to)
{
    const uint8_t *at = skip_tag_space(from);

    if (at == to || *at < ' ' || *at >= 0x80) return; /* white space, perhaps of another kind */
    cut(in, from, to);
    *in->to++ = 'x';
}

/* Cuts the text of an element that may be in others whose text is read: it has a name instead. */
static bool cut_text_in_body(condenser_t *in, const uint8_t *from, const uint8_t *to)
{
    uint8_t name[CUT_NAME_SIZE];
    Py_ssize_t size = keep_cut_text(&in->cut_texts, from, to, (size_t)(in->end - from) + 1, name);

    if (size < 0) in->has_failed = true;
    if (size <= 0) return size == 0;
    cut(in, from, to);
    memcpy(in->to, name, (size_t)size);
    in->to += size;
    return true;
}

/* ---- tags */

/* The end of a comment or of another declaration at a `<`; NULL if the page ends in it. */
static const uint8_t *declaration_end(condenser_t *in, const uint8_t *at)
{
    const uint8_t *start, *end = in->end;

    if (end - at < 4 || memcmp(at, "<!--", 4) != 0) {
        at = find_byte(at, end, '>');
        return at ? at + 1 : NULL;
    }
    start = at += 4;
    if (at < end && *at == '>') return at + 1;
    if (end - at >= 2 && at[0] == '-' && at[1] == '>') return at + 2;
    for (; (at = find_byte(at, end, '>')) != NULL; at++) {
        if (at - start >= 2 && at[-1] == '-' && at[-2] == '-') return at + 1;
        if (at - start >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-') return at + 1;
    }
    return NULL;
}

/* Reads the name of a tag at a `<`. */
static inline const uint8_t *read_tag_name(const condenser_t *in, const uint8_t *at, read_tag_t *tag)
{
    const uint8_t *end;

    memset(tag, 0, sizeof *tag);
    tag->is_end = at[1] == '/';
    tag->name = at + 1 + tag->is_end;
    end = end_of_name(tag->name, in->end, ENDS_NAME);
    tag->length = (size_t)(end - tag->name);
    tag->key = key_on_page(tag->name, tag->length, in->end);
    return end;
}

/* The open elements of a drawing. */
typedef struct {
    read_tag_t tags[MAX_DRAWING_DEPTH];
    size_t count;
} drawing_t;

/* Opens or closes an element. Returns false for too many, and for an end tag without a start tag in the drawing. */
static inline bool open_in_drawing(const condenser_t *in, drawing_t *open, const read_tag_t *tag)
{
    if (!tag->is_end) {
        if (tag->is_closed) return true;
        if (open->count == MAX_DRAWING_DEPTH) return false;
        open->tags[open->count++] = *tag;
        return true;
    }
    while (open->count > 0) {
        const read_tag_t *last = &open->tags[--open->count];
        if (last->length == tag->length && is_same_tag(in, last->name, tag)) return true;
    }
    return false;
}

/* Reads a drawing, behind its start tag: nothing of it is read, if it has nothing that ends it. Returns false otherwise. */
static bool read_drawing(condenser_t *in, const read_tag_t *svg, bool may_cut)
{
    const uint8_t *start = in->at, *at = start, *text = start;
    drawing_t open;
    bool has_text = false, may_cut_inner = may_cut && in->has_markup; /* without, all is cut */
    const written_t before = {in->to, in->copied};

    open.tags[0] = *svg;
    open.count = 1;
    in->is_drawing_read = false;

    while ((at = find_byte(at, in->end, '<')) != NULL) {
        read_tag_t tag;
        enum element element;
        const uint8_t *tag_start = at;
        text = skip_tag_space(text);
        if (text < at && (*text <= ' ' || *text >= 0x80 || *text == '&')) return false; /* perhaps white space */
        has_text |= text < at;
        if (!Py_ISALPHA(at[1 + (at[1] == '/')])) return false;
        at = read_tag_name(in, at, &tag);
        element = element_slots[element_slot(tag.key)].svg;
        if (element < SVG_ELEMENT || element == STOP_ELEMENT) return false;
        if ((at = read_tag_attributes(in, at, &tag, DRAWING_ELEMENT, may_cut_inner)) == NULL) return false;
        in->tags++;
        in->is_drawing_read |= tag.length == 1 && (*tag.name | 32) == 'a';
        if (element == LABEL_ELEMENT && !tag.is_end && !tag.is_closed) { /* text alone */
            const uint8_t *end = find_byte(at, in->end, '<');
            if (end == NULL || end[1] != '/' || !is_same_tag(in, end + 2, &tag)) return false;
        }
        if (!open_in_drawing(in, &open, &tag)) return false;
        if (open.count == 0) {
            if (may_cut && !(in->has_markup && (has_text || in->is_drawing_read))) {
                cut_from(in, before, start, tag_start);
                if (has_text) *in->to++ = 'x';
            }
            in->at = at;
            return true;
        }
        text = at;
    }
    return false;
}

/* Reads the text of an element behind its start tag. Returns false if the page ends in it. */
static bool read_raw_text(condenser_t *in, const read_tag_t *tag, enum element element, bool may_cut)
{
    const uint8_t *end = element == SCRIPT_ELEMENT ? script_end(in, tag) : raw_end(in, tag);

    if (end == NULL) return false;
    if (may_cut && (element == STYLE_ELEMENT || (element == SCRIPT_ELEMENT && !tag->is_data))) {
        if (!(in->has_markup && in->is_in_body)) cut_text(in, in->at, end);
        else if (!cut_text_in_body(in, in->at, end)) return false;
    }
    in->at = end;
    return true;
}

/* Whether the elements behind a tag may be in others than the head. */
static bool begins_body(condenser_t *in, const read_tag_t *tag, enum element element)
{
    const uint8_t *name = tag->name;
    size_t length = tag->length;

    if (tag->is_end) {
        in->is_behind_head |= IS_NAMED(name, length, "head");
        return false;
    }
    if (element == SCRIPT_ELEMENT || element == STYLE_ELEMENT || element == TEMPLATE_ELEMENT) return false;
    if (IS_NAMED(name, length, "noscript")) return in->is_behind_head;
    return !(IS_NAMED(name, length, "html") || IS_NAMED(name, length, "head") || IS_NAMED(name, length, "meta") ||
             IS_NAMED(name, length, "link") || IS_NAMED(name, length, "title") || IS_NAMED(name, length, "base"));
}

/* Reads the tag at a `<`, and raw text behind it. Returns false where the rest of the page is left as it is. */
static inline bool read_markup(condenser_t *in)
{
    const uint8_t *at = in->at;
    const written_t before = {in->to, in->copied};
    read_tag_t tag;
    enum element element = OTHER_ELEMENT;
    bool may_cut;

    in->tags++;
    if (!Py_ISALPHA(at[1 + (at[1] == '/')])) {
        if (at[1] != '!' && at[1] != '?' && at[1] != '/') in->at++;
        else if ((in->at = declaration_end(in, at)) == NULL) return false;
        for (at++; (at = find_byte(at, in->at, '<')) != NULL; at++) count_inner_tag(in, at);
        return true;
    }
    at = read_tag_name(in, at, &tag);
    element = element_slots[element_slot(tag.key)].html;
    if (tag.length > NAME_BYTES && element != STOP_ELEMENT && element != WHOLE_ELEMENT) element = OTHER_ELEMENT; /* another name */
    may_cut = in->templates == 0 && element != WHOLE_ELEMENT && element != SELECT_ELEMENT && element != TEMPLATE_ELEMENT;
    if (element == STOP_ELEMENT) return false;
    in->is_in_body = in->is_in_body || (in->has_markup && begins_body(in, &tag, element));
    if (*at == '>') in->at = at + 1; /* mostly */
    else if ((in->at = read_tag_attributes(in, at, &tag, element, may_cut)) == NULL) return false;
    if (element == RELATION_ELEMENT && in->has_markup && may_cut && !tag.is_said) /* the address of a relation that is not read */
        cut_from(in, before, at, in->at - 1 - tag.is_closed);
    switch (element) {
    case TEMPLATE_ELEMENT:
        if (in->in_select) return false;
        if (!tag.is_end) in->templates++;
        else if (in->templates) in->templates--;
        break;
    case COLUMN_ELEMENT: return in->templates == 0;
    case SELECT_ELEMENT: in->in_select = !tag.is_end; break;
    case SVG_ELEMENT: return tag.is_end || tag.is_closed || (!in->in_select && read_drawing(in, &tag, may_cut));
    case FRAME_ELEMENT: case SCRIPT_ELEMENT: case STYLE_ELEMENT: case RAW_ELEMENT:
        return tag.is_end || (!in->in_select && read_raw_text(in, &tag, element, may_cut));
    default: break;
    }
    return true;
}

/* Counts the tags from a `<` on, which are left as they are. */
static void count_rest(condenser_t *in, const uint8_t *at)
{
    for (; (at = find_byte(at, in->end, '<')) != NULL; at++) count_inner_tag(in, at);
}

/* The result of `condense`; NULL with an exception. Takes the texts over. */
static PyObject *condensed_page(condenser_t *in, PyObject *html, Py_ssize_t num_tags)
{
    PyObject *cut = in->cut_texts ? PyCapsule_New(in->cut_texts, CUT_TEXTS_NAME, free_cut_texts_capsule) : Py_NewRef(Py_None);

    if (cut == NULL) free_cut_texts(in->cut_texts);
    if (cut == NULL || in->has_failed) {
        Py_XDECREF(cut);
        Py_DECREF(html);
        return NULL;
    }
    if (_PyBytes_Resize(&html, in->to - (uint8_t *)PyBytes_AS_STRING(html)) < 0) {
        Py_DECREF(cut);
        return NULL;
    }
    return Py_BuildValue("(NnN)", html, (Py_ssize_t)in->tags == num_tags ? in->attributes + 2 * num_tags : -1, cut);
}

PyDoc_STRVAR(condense_doc, "condense(html, num_tags, has_markup)\n--\n\n"
"UTF-8 without the attributes, scripts, style sheets and drawings that are not read, with or without markup; a number of attributes\n"
"which is not below that of tag_counts, or -1; and with markup the texts for `put_back`, or None. *num_tags*: the number of `<`.");

static PyObject *core_condense(PyObject *module, PyObject *args)
{
    condenser_t in = {0};
    PyObject *html, *out;
    Py_ssize_t num_tags;
    int has_markup;

    if (!PyArg_ParseTuple(args, "O!np", &PyBytes_Type, &html, &num_tags, &has_markup)) return NULL;
    if (element_slots[element_slot(key_of((const uint8_t *)"a", 1))].key == 0) {
        fill_elements();
        fill_read_names();
    }
    in.has_markup = has_markup != 0;
    in.html = (html_t){(const uint8_t *)PyBytes_AS_STRING(html), (size_t)PyBytes_GET_SIZE(html)};
    in.at = in.copied = in.html.data;
    in.end = in.at + in.html.length;
    if ((out = PyBytes_FromStringAndSize(NULL, PyBytes_GET_SIZE(html) + SHORT_COPY)) == NULL) return NULL;
    in.to = (uint8_t *)PyBytes_AS_STRING(out);
    while ((in.at = find_byte(in.at, in.end, '<')) != NULL) {
        const uint8_t *at = in.at;
        size_t tags = in.tags;
        Py_ssize_t attributes = in.attributes;
        if (read_markup(&in)) continue;
        in.tags = tags;
        in.attributes = attributes;
        if (num_tags) count_rest(&in, at);
        break;
    }
    copy_until(&in, in.end);
    return condensed_page(&in, out, num_tags);
}
