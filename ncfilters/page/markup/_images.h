/* The images of most `<img>` elements: as images.py, which decides on the others. `_core.c` includes it. */

enum { MAX_LAZY_SOURCES = 16 };

/* The attributes of an image that its address and its text depend on; of the *lazy* ones those whose bit is set. */
typedef struct {
    attributes_t own;
    attribute_t src, alt, width, height, lazy[MAX_LAZY_SOURCES];
    unsigned lazy_bits;
    bool has_onclick;
} image_attributes_t;

static bool is_name(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* The first word of a list that begins with a letter or digit, in lower case; NULL if none does. */
static inline const word_t *first_word(const word_list_t *list, char c)
{
    size_t number = (unsigned char)c < sizeof list->first ? list->first[(unsigned char)c] : 0;

    return number ? &list->items[number - 1] : NULL;
}

/* The next one that begins so. */
static inline const word_t *following_word(const word_list_t *list, const word_t *word)
{
    return word->next ? &list->items[word->next - 1] : NULL;
}

/* The number of a name in a list, or -1. */
static Py_ssize_t number_of_name(const word_list_t *list, const char *name, size_t length)
{
    for (const word_t *word = first_word(list, *name); word; word = following_word(list, word))
        if (word->length == length && memcmp(name, word->at, length) == 0) return word - list->items;
    return -1;
}

static attribute_t *image_slot(image_attributes_t *image, const char *name, size_t length)
{
    Py_ssize_t number;

    switch (length) {
    case 3:
        if (is_name(name, length, "src")) return &image->src;
        if (is_name(name, length, "alt")) return &image->alt;
        break;
    case 5: if (is_name(name, length, "width")) return &image->width; break;
    case 6: if (is_name(name, length, "height")) return &image->height; break;
    case 7: if (is_name(name, length, "onclick")) image->has_onclick = true; break;
    }
    if (length > 5 && name[4] == '-' && (number = number_of_name(&markup.lazy_sources, name, length)) >= 0) {
        image->lazy_bits |= 1u << number;
        return &image->lazy[number];
    }
    return slot_of(&image->own, name, length);
}

static void read_image(node_t *node, image_attributes_t *image)
{
    const attribute_t none = {NULL, 0, false};
    size_t length;

    clear_attributes(&image->own);
    image->src = image->alt = image->width = image->height = none;
    image->lazy_bits = 0;
    image->has_onclick = false;
    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        attribute_t *slot = name ? image_slot(image, name, length) : NULL;
        if (slot) set_attribute(slot, at);
    }
}

/* ---- the patterns of images.py, for text in ASCII: each function returns where what it matches ends, or NULL */

static bool is_in_set(char c, const char *signs)
{
    return c != '\0' && strchr(signs, c) != NULL;
}

static bool is_word_sign(char c)
{
    return Py_ISALNUM(c) || c == '_';
}

static const char *match_word(slice_t at, const char *word, size_t length)
{
    if ((size_t)(at.end - at.start) < length) return NULL;
    for (size_t i = 0; i < length; i++)
        if (lower(at.start[i]) != word[i]) return NULL;
    return at.start + length;
}

static const char *match_text(slice_t at, const char *word)
{
    return match_word(at, word, strlen(word));
}

/* Whether a byte is white space in text of `is_read_alike`. */
static inline bool is_space_byte(char c)
{
    return (unsigned char)c < 0x80 && SPACES[(unsigned char)c];
}

/* Whether the patterns read a text as the functions below do: its characters beyond ASCII, if any, are dashes, quotation marks and
 * other signs of U+2000 to U+2FFF or a sign of multiplication, no letters, digits or white space. */
static bool is_read_alike(const char *text, size_t length)
{
    const char *at = text, *end = text + length;

    if (is_ascii(text, length)) return true; /* most */
    while (at < end) {
        unsigned char first = (unsigned char)*at;
        Py_UCS4 c;
        if (first < 0x80) at++;
        else if (first == 0xC3 && end - at > 1 && (unsigned char)at[1] == 0x97) at += 2;
        else {
            if (first != 0xE2 || end - at < 3 || (at[1] & 0xC0) != 0x80 || (at[2] & 0xC0) != 0x80) return false;
            c = char_at(at, end);
            if (Py_UNICODE_ISALNUM(c) || Py_UNICODE_ISSPACE(c)) return false;
            at += 3;
        }
    }
    return true;
}

/* A name at the end of a path: `(?:a|b)(?:$|[?#])`. */
static const char *match_last(slice_t at, const char *const *names)
{
    for (; *names; names++) {
        const char *rest = match_text(at, *names);
        if (rest && (rest == at.end || *rest == '?' || *rest == '#')) return rest;
    }
    return NULL;
}

/* Up to *most* digits. */
static slice_t after_digits(slice_t at, int most)
{
    while (most-- > 0 && at.start < at.end && Py_ISDIGIT(*at.start)) at.start++;
    return at;
}

/* `\d{0,4}(?:x\d{1,4})?\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])` */
static const char *match_size_and_type(slice_t at)
{
    static const char *const TYPES[] = {".gif", ".png", ".svg", ".jpg", ".jpeg", ".webp", NULL};

    at = after_digits(at, 4);
    if (at.start < at.end && lower(*at.start) == 'x') {
        slice_t size = {at.start + 1, at.end};
        at = after_digits(size, 4);
        if (at.start == size.start) return NULL;
    }
    return match_last(at, TYPES);
}

/* The name of a placeholder and its type. */
static bool is_placeholder_name(slice_t at)
{
    const word_list_t *list = &markup.placeholders;
    slice_t rest = {NULL, at.end}, next = rest;

    if (at.start == at.end) return false;
    for (const word_t *word = first_word(list, lower(*at.start)); word; word = following_word(list, word)) {
        rest.start = match_word(at, word->at, word->length);
        if (rest.start == NULL || rest.start == at.end) continue;
        next.start = rest.start + 1;
        if (match_size_and_type(rest)) return true;
        if (is_in_set(*rest.start, "._-") && match_size_and_type(next)) return true;
    }
    return false;
}

/* Goes through the signs before a part of a name, "-./_": *left* has a bit for each of those from *start* on, and *at* is where others
 * are looked for. */
typedef struct {
    const char *start, *at, *end;
    unsigned left;
} signs_t;

static inline unsigned signs_in_few(const char *at, const char *end)
{
    unsigned out = 0;

    for (unsigned bit = 1; at < end; at++, bit <<= 1)
        if ((*at >= '-' && *at <= '/') || *at == '_') out |= bit;
    return out;
}

/* The signs of the next 16 bytes, or of all that are left. */
static inline void find_signs(signs_t *in)
{
#ifdef __SSE2__
    if (in->end - in->at >= 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)in->at);
        __m128i signs = _mm_or_si128(are_within(part, '-', '/'), _mm_cmpeq_epi8(part, _mm_set1_epi8('_')));
        in->start = in->at;
        in->at += 16;
        in->left = (unsigned)_mm_movemask_epi8(signs);
        return;
    }
#endif
    in->start = in->at;
    in->at = in->end - in->at > 16 ? in->at + 16 : in->end;
    in->left = signs_in_few(in->start, in->at);
}

/* The next sign that is followed by another character, or NULL. */
static inline const char *next_sign(signs_t *in)
{
    const char *sign;

    while (in->left == 0) {
        if (in->at >= in->end) return NULL;
        find_signs(in);
    }
    sign = in->start + __builtin_ctz(in->left);
    in->left &= in->left - 1;
    return sign + 1 < in->end ? sign : NULL;
}

/* From where on names of placeholders are looked for, for speed: they end at the end, or before a query or a fragment, and have no
 * slash. */
static inline const char *last_names(slice_t text)
{
    const char *end = memchr(text.start, '?', (size_t)(text.end - text.start)), *at, *fragment;

    if (end == NULL) end = text.end;
    if ((fragment = memchr(text.start, '#', (size_t)(end - text.start))) != NULL) end = fragment;
    for (at = end; at > text.start && at[-1] != '/';) at--;
    return at;
}

/* images._PLACEHOLDER */
static bool is_placeholder(slice_t text)
{
    const char *names = text.start == text.end ? text.start : last_names(text);
    signs_t signs = {names, names - (names > text.start), text.end, 0};

    if (match_text(text, "data:") || match_text(text, "about:")) return true;
    if (names == text.start && is_placeholder_name(text)) return true;
    for (const char *sign; (sign = next_sign(&signs)) != NULL;)
        if (*sign != '.' && first_word(&markup.placeholders, lower(sign[1])) && is_placeholder_name((slice_t){sign + 1, text.end}))
            return true;
    return false;
}

/* images._ICON at a slash, _, - or full stop. */
static bool is_icon_at(slice_t text)
{
    static const char *const TYPES[] = {".svg", ".gif", NULL}, *const ALL_TYPES[] = {".svg", ".gif", ".png", NULL};
    static const char *const ICO[] = {".ico", NULL};
    static const char *const SIZES[] = {"16", "20", "24", "32"};
    char sign = *text.start;
    slice_t at = {text.start + 1, text.end}, rest;

    if (at.start == at.end) return false;
    if (sign == '.') return match_last(text, ICO) != NULL;
    if (lower(*at.start) != 'i' && !Py_ISDIGIT(*at.start)) return false; /* for speed: most */
    if ((rest.start = match_text(at, "icon")) != NULL) {
        rest.end = text.end;
        if (rest.start < rest.end && lower(*rest.start) == 's') rest.start++;
        if (sign == '/' && rest.start < rest.end && *rest.start == '/')
            for (; rest.start < rest.end && *rest.start != '?' && *rest.start != '#'; rest.start++)
                if (match_last(rest, ALL_TYPES)) return true;
        rest.start = match_text(at, "icon");
        if (rest.start < rest.end && lower(*rest.start) == 's') rest.start++;
        if (match_last(rest, TYPES)) return true;
        if (rest.start < rest.end && is_in_set(*rest.start, "._-")) {
            rest.start++;
            for (int left = 20; left > 0 && rest.start < rest.end && is_word_sign(*rest.start); left--) rest.start++;
        } else rest = after_digits(rest, 2);
        return match_last(rest, TYPES) != NULL;
    }
    for (size_t i = 0; sign != '/' && i < 4; i++) {
        if ((rest.start = match_text(at, SIZES[i])) == NULL) continue;
        rest.end = text.end;
        if (match_last(rest, ALL_TYPES)) return true;
        if (rest.start == rest.end || lower(*rest.start) != 'x') return false;
        at.start = rest.start + 1;
        for (size_t j = 0; j < 4; j++)
            if ((rest.start = match_text(at, SIZES[j])) != NULL && match_last(rest, ALL_TYPES)) return true;
        return false;
    }
    return false;
}

/* images._PORTRAIT and images._PIXEL_HOST at a slash. */
static bool is_foreign_at(slice_t text)
{
    const word_list_t *folders = &markup.portrait_folders, *hosts = &markup.pixel_hosts;
    slice_t at = {text.start + 1, text.end}, rest = {NULL, text.end};

    if (at.start == at.end) return false;
    for (const word_t *word = first_word(folders, lower(*at.start)); word; word = following_word(folders, word)) {
        rest.start = match_word(at, word->at, word->length);
        if (rest.start && rest.start < rest.end && *rest.start == '/') return true;
    }
    if (match_text(at, "adx/")) return true;
    if ((rest.start = match_text(at, "cgi-bin/")) != NULL) {
        for (; rest.start < rest.end && *rest.start != '?' && *rest.start != '#'; rest.start++)
            if (match_text(rest, "count")) return true;
        return false;
    }
    if (*at.start++ != '/' || at.start == at.end) return false;
    for (const word_t *word = first_word(hosts, lower(*at.start)); word; word = following_word(hosts, word)) {
        rest.start = match_word(at, word->at, word->length);
        if (rest.start && (rest.start == rest.end || !is_word_sign(*rest.start))) return true;
    }
    return false;
}

/* Whether a text has a word, in lower case, around a place. */
static bool has_word_around(slice_t text, const char *at, const char *before, const char *behind)
{
    size_t size = strlen(before);

    return (size_t)(at - text.start) >= size && match_word((slice_t){at - size, at}, before, size) &&
           match_text((slice_t){at, text.end}, behind);
}

/* Whether images._PIXEL_HOST, _ICON or _PORTRAIT is in an address. */
static bool is_no_picture(slice_t text)
{
    signs_t signs = {text.start, text.start, text.end, 0};

    for (const char *sign; (sign = next_sign(&signs)) != NULL;) {
        slice_t at = {sign, text.end};
        char next = lower(sign[1]);
        if (*sign == '/' && is_foreign_at(at)) return true;
        if ((next == 'i' || Py_ISDIGIT(next)) && is_icon_at(at)) return true;
        if (*sign == '.' && next == 'c' && has_word_around(text, sign, "gravatar", ".com/avatar/")) return true;
        if (*sign == '.' && next == 'n' && has_word_around(text, sign, "doubleclick", ".net/")) return true;
    }
    return false;
}

static bool is_class_edge(char c)
{
    return is_space_byte(c) || c == '_' || c == '-';
}

/* Whether a class is that of an icon: `icons?(?:-\w[\w-]*)?`, a word. */
static bool is_icon_word(slice_t word)
{
    word.start = match_text(word, "icon");
    if (word.start && word.start < word.end && lower(*word.start) == 's') word.start++;
    if (word.start == NULL || word.start == word.end) return word.start != NULL;
    if (*word.start++ != '-' || word.start == word.end || !is_word_sign(*word.start)) return false;
    while (word.start < word.end && (is_word_sign(*word.start) || *word.start == '-')) word.start++;
    return word.start == word.end;
}

/* images._EMOJI and images._ICON_CLASS */
static bool is_sign_class(slice_t text)
{
    const word_list_t *classes = &markup.emoji_classes;

    for (const char *at = text.start; at < text.end; at++) {
        slice_t word = {at, text.end};
        if (at > text.start && !is_class_edge(at[-1])) continue;
        for (const word_t *own = first_word(classes, lower(*at)); own; own = following_word(classes, own)) {
            const char *rest = match_word(word, own->at, own->length);
            if (rest && (rest == word.end || is_class_edge(*rest))) return true;
        }
        if (at > text.start && !is_space_byte(at[-1])) continue;
        for (word.end = at; word.end < text.end && !is_space_byte(*word.end);) word.end++;
        if (is_icon_word(word)) return true;
    }
    return false;
}

/* Whether a width or a height is that of a tracking pixel: images._SIZE and MAX_PIXEL_SIZE. */
static bool is_pixel_size(attribute_t own)
{
    slice_t at = {own.value, own.value + own.length}, digits;
    Py_ssize_t number = 0;

    if (own.length == 0) return false;
    strip(&at.start, &at.end);
    digits = after_digits(at, 5);
    for (const char *sign = at.start; sign < digits.start; sign++) number = 10 * number + (*sign - '0');
    if (digits.start == at.start || number > markup.max_pixel_size) return false;
    at.start = digits.start;
    if (at.start < at.end && *at.start == '.') {
        at.start++;
        if (at.start == at.end || !Py_ISDIGIT(*at.start)) return false;
        while (at.start < at.end && Py_ISDIGIT(*at.start)) at.start++;
    }
    strip(&at.start, &at.end);
    return at.start == at.end || (at.end - at.start == 2 && memcmp(at.start, "px", 2) == 0);
}

/* An attribute without white space around its value. */
static slice_t stripped(attribute_t own)
{
    slice_t out = {own.value, own.value + own.length};

    strip(&out.start, &out.end);
    return out;
}

/* Whether a text is an address of an image: images._IMAGE_ADDRESS. */
static bool is_address(slice_t text)
{
    bool has_sign = false;

    for (const char *at = text.start; at < text.end; at++) {
        if (is_space_byte(*at)) return false;
        has_sign |= *at == '.' || *at == '/';
    }
    return has_sign;
}

/* ---- images */

/* Whether an image shows nothing, by its size, its class or what a click on it does: as images.image_of_attributes. */
static bool is_by_attributes_none(const image_attributes_t *image)
{
    const attribute_t *class = &image->own.class;
    slice_t classes = {class->value, class->value + class->length};

    if (image->has_onclick && !image->alt.exists) return true;
    return (class->length && is_sign_class(classes)) || is_pixel_size(image->width) || is_pixel_size(image->height);
}

/* Whether Python must decide on an image: attributes with letters beyond ASCII. */
static bool is_difficult(const image_attributes_t *image)
{
    const attribute_t *own[] = {&image->own.class, &image->width, &image->height}, *alt = &image->alt;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i]->length && !is_ascii(own[i]->value, own[i]->length)) return true;
    for (unsigned left = image->lazy_bits; left; left &= left - 1) {
        const attribute_t *lazy = &image->lazy[__builtin_ctz(left)];
        if (lazy->length && !is_read_alike(lazy->value, lazy->length)) return true;
    }
    if (image->src.length && !is_read_alike(image->src.value, image->src.length)) return true;
    if (alt->length == 0) return false;
    return alt->length > (size_t)markup.max_alt_chars || memmem(alt->value, alt->length, "\xC2\x85", 2) != NULL;
}

/* The address of an image; empty if there is none, or none in these attributes. */
static slice_t image_address(const image_attributes_t *image)
{
    slice_t out, none = {NULL, NULL};

    for (unsigned left = image->lazy_bits; left; left &= left - 1) {
        const attribute_t *lazy = &image->lazy[__builtin_ctz(left)];
        if (lazy->length == 0) continue;
        out = stripped(*lazy);
        if (is_address(out) && !is_placeholder(out)) return out;
    }
    if (image->src.length == 0) return none;
    out = stripped(image->src);
    return is_placeholder(out) ? none : out;
}

#include "_image_sets.h"

/* The image with an address, whose text needs no more than collapsed white space; NULL with an exception. */
static image_t *make_image(arena_t *arena, bytes_t src, attribute_t alt)
{
    buffer_t text = {0};
    image_t *out = take_zeros(arena, sizeof *out);
    int status = out ? 0 : -1;

    if (status == 0 && alt.length) status = append_collapsed(&text, alt.value, alt.value + alt.length);
    if (status == 0) {
        out->src = src;
        status = store_decoded(arena, text.length ? text.data : "", text.length, &out->alt);
    }
    PyMem_RawFree(text.data);
    return status < 0 ? NULL : out;
}

/* The image of an element that is no difficult one, NULL if it shows none; *is_known* is false if Python must decide. Returns -1
 * with an exception. */
static int simple_image(page_t *page, node_t *node, image_t **out, bool *is_known)
{
    image_attributes_t image;
    attribute_t address = {0};
    bytes_t src;
    slice_t found;
    int hidden, has_address;

    *out = NULL;
    *is_known = false;
    read_image(node, &image);
    if ((hidden = hiding_of(&image.own)) < 0) return -1;
    *is_known = hidden == BY_ATTRIBUTE || hidden == BY_STYLE;
    if (*is_known || is_difficult(&image)) return 0;
    if ((*is_known = is_by_attributes_none(&image))) return 0;
    found = image_address(&image);
    if (found.start == found.end) {
        if (!other_image_address(node, &found)) return 0;
        if ((*is_known = found.start == found.end)) return 0;
    }
    address.value = found.start;
    address.length = (size_t)(found.end - found.start);
    if ((has_address = resolve(page, &address, &src)) < 0) return -1;
    *is_known = has_address == 0;
    if (*is_known) return 0;
    found = (slice_t){(const char *)src.at, (const char *)src.at + src.size};
    if (!is_read_alike(found.start, src.size)) return 0;
    *is_known = true;
    if (src.size == 0 || is_no_picture(found)) return 0;
    return (*out = make_image(&page->arena, src, image.alt)) == NULL ? -1 : 0;
}

static int is_image_address(bytes_t url)
{
    static const char *const TYPES[] = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg", NULL};
    slice_t at = {(const char *)url.at, (const char *)url.at + url.size};
    PyObject *text, *found;
    int answer;

    if (is_ascii(at.start, url.size) && memchr(url.at, '\n', url.size) == NULL) {
        for (; at.start < at.end; at.start++)
            if (*at.start == '.' && match_last(at, TYPES)) return 1;
        return 0;
    }
    if ((text = string_of_text(url)) == NULL) return -1;
    found = PyObject_CallOneArg(markup.is_image_address, text);
    Py_DECREF(text);
    answer = found ? PyObject_IsTrue(found) : -1;
    Py_XDECREF(found);
    return answer;
}
