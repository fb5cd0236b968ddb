/* The images of most `<img>` elements: as images.py, which decides on the others. `_core.c` includes it. */

enum { MAX_LAZY_SOURCES = 16 };

/* The attributes of an image that its address and its text depend on. */
typedef struct {
    attributes_t own;
    attribute_t src, alt, width, height, onclick, lazy[MAX_LAZY_SOURCES];
} image_attributes_t;

static bool is_name(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

static attribute_t *image_slot(image_attributes_t *image, const char *name, size_t length)
{
    if (is_name(name, length, "src")) return &image->src;
    if (is_name(name, length, "alt")) return &image->alt;
    if (is_name(name, length, "width")) return &image->width;
    if (is_name(name, length, "height")) return &image->height;
    if (is_name(name, length, "onclick")) return &image->onclick;
    for (Py_ssize_t i = 0; length > 5 && name[4] == '-' && i < PyTuple_GET_SIZE(markup.lazy_sources); i++)
        if (is_name(name, length, PyUnicode_DATA(PyTuple_GET_ITEM(markup.lazy_sources, i)))) return &image->lazy[i];
    return slot_of(&image->own, name, length);
}

static void read_image(node_t *node, image_attributes_t *image)
{
    size_t length;

    memset(image, 0, sizeof *image);
    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        attribute_t *slot = name ? image_slot(image, name, length) : NULL;
        if (slot) set_attribute(slot, at);
    }
}

/* Whether one of the words, which are ASCII in lower case, is at a place of a text. */
static bool has_word_at(const char *at, const char *end, PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list); i++) {
        PyObject *word = PyTuple_GET_ITEM(list, i);
        const char *own = PyUnicode_DATA(word);
        Py_ssize_t length = PyUnicode_GET_LENGTH(word), same = 0;
        if (end - at < length) continue;
        while (same < length && lower(at[same]) == own[same]) same++;
        if (same == length) return true;
    }
    return false;
}

static bool contains_word(const char *at, const char *end, PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list); i++)
        if (contains(at, end, PyUnicode_DATA(PyTuple_GET_ITEM(list, i)), NULL)) return true;
    return false;
}

/* Whether an address may be that of no image, or of one that does not count, or is not in ASCII. */
static bool is_suspect(const char *at, const char *end)
{
    bool is_start = true;

    if (!is_ascii(at, (size_t)(end - at)) || contains_word(at, end, markup.suspect_parts)) return true;
    for (; at < end; at++) {
        if (is_start && has_word_at(at, end, markup.suspects)) return true;
        is_start = *at == '/' || *at == '_' || *at == '-';
    }
    return false;
}

/* Whether a width or a height may be that of a tracking pixel. */
static bool may_be_pixel(attribute_t own)
{
    const char *at = own.value, *end = at + own.length;
    Py_ssize_t number = 0;
    int digits = 0;

    if (own.length == 0) return false;
    if (!is_ascii(at, own.length)) return true;
    while (at < end && SPACES[(unsigned char)*at]) at++;
    for (; at < end && digits < 6 && Py_ISDIGIT(*at); at++, digits++) number = 10 * number + (*at - '0');
    return digits > 0 && number <= markup.max_pixel_size;
}

/* An attribute without white space around its value. */
static slice_t stripped(attribute_t own)
{
    slice_t out = {own.value, own.value + own.length};

    strip(&out.start, &out.end);
    return out;
}

/* Whether a text is an address of an image: images._IMAGE_ADDRESS, of ASCII. */
static bool is_address(slice_t text)
{
    bool has_sign = false;

    for (const char *at = text.start; at < text.end; at++) {
        if (SPACES[(unsigned char)*at & 0x7F]) return false;
        has_sign |= *at == '.' || *at == '/';
    }
    return has_sign;
}

/* The address of an image; empty if Python must find it. */
static slice_t image_address(const image_attributes_t *image)
{
    slice_t out, none = {NULL, NULL};

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(markup.lazy_sources); i++) {
        if (image->lazy[i].length == 0) continue;
        out = stripped(image->lazy[i]);
        if (is_suspect(out.start, out.end)) return none;
        if (is_address(out)) return out;
    }
    if (image->src.length == 0) return none;
    out = stripped(image->src);
    return is_suspect(out.start, out.end) ? none : out;
}

/* The image with an address, whose text needs no more than collapsed white space: a new reference, or None. */
static PyObject *make_image(PyObject *src, attribute_t alt)
{
    buffer_t text = {0};
    PyObject *out = NULL, *value = NULL;

    if (alt.length && append_collapsed(&text, alt.value, alt.value + alt.length) < 0) return NULL;
    value = decode(text.length ? text.data : "", text.length);
    PyMem_RawFree(text.data);
    if (value && (out = PyDict_New()) != NULL &&
        (PyDict_SetItem(out, words.src, src) < 0 || PyDict_SetItem(out, words.alt, value) < 0)) Py_CLEAR(out);
    Py_XDECREF(value);
    return out;
}

/* Whether Python must decide on an image: attributes of pixels, of icons, of texts beyond ASCII. */
static bool is_difficult(const image_attributes_t *image)
{
    const attribute_t *class = &image->own.class, *alt = &image->alt;

    if (class->length && (!is_ascii(class->value, class->length) ||
                          contains_word(class->value, class->value + class->length, markup.suspect_classes))) return true;
    if (image->onclick.exists || may_be_pixel(image->width) || may_be_pixel(image->height)) return true;
    if (alt->length == 0) return false;
    return alt->length > (size_t)markup.max_alt_chars || memmem(alt->value, alt->length, "\xC2\x85", 2) != NULL;
}

/* The image of an element that is no difficult one: a new reference, None if it shows none; *is_known* is false if Python
 * must decide. */
static PyObject *simple_image(const page_t *page, node_t *node, bool *is_known)
{
    image_attributes_t image;
    attribute_t address = {0};
    PyObject *src, *out;
    const char *url;
    slice_t found;
    int hidden;
    Py_ssize_t length;

    *is_known = false;
    read_image(node, &image);
    if ((hidden = hiding_of(&image.own)) < 0) return NULL;
    *is_known = hidden == BY_ATTRIBUTE || hidden == BY_STYLE;
    if (*is_known || is_difficult(&image)) Py_RETURN_NONE;
    found = image_address(&image);
    if (found.start == found.end) Py_RETURN_NONE;
    address.value = found.start;
    address.length = (size_t)(found.end - found.start);
    if ((src = resolved(page, &address)) == NULL) return NULL;
    url = src == Py_None ? NULL : PyUnicode_AsUTF8AndSize(src, &length);
    if (url == NULL || is_suspect(url, url + length)) {
        Py_DECREF(src);
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NONE;
    }
    *is_known = true;
    out = make_image(src, image.alt);
    Py_DECREF(src);
    return out;
}
