/* The address of an image in its sets (`srcset`), in its other attributes and in its picture: as images.py. `_images.h` includes it. */

/* A descriptor of a set of images, `\d{1,6}(?:\.\d{1,6})?[wxh]`: its number, in millionths. */
static bool read_descriptor(slice_t text, long long *size)
{
    slice_t rest = after_digits(text, 6);
    long long number = 0, part = 1000000;

    if (rest.start == text.start) return false;
    for (const char *at = text.start; at < rest.start; at++) number = 10 * number + (*at - '0');
    number *= part;
    if (rest.start < rest.end && *rest.start == '.') {
        const char *at = ++rest.start;
        rest = after_digits(rest, 6);
        if (rest.start == at) return false;
        for (; at < rest.start; at++) number += (part /= 10) * (*at - '0');
    }
    if (rest.end - rest.start != 1 || !is_in_set(*rest.start, "wxh")) return false;
    *size = number;
    return true;
}

/* Takes an address of a set if it is that of a larger image than *best*, whose address is empty if there is none. */
static void take_larger(slice_t *best, long long *best_size, slice_t address, long long size)
{
    size_t length = (size_t)(address.end - address.start), most = (size_t)(best->end - best->start);
    int order;

    if (length == 0 || is_placeholder(address)) return;
    if (most && size < *best_size) return;
    if (most && size == *best_size) {
        order = memcmp(address.start, best->start, length < most ? length : most);
        if (order < 0 || (order == 0 && length <= most)) return;
    }
    *best = address;
    *best_size = size;
}

/* The address of the largest image of a `srcset`; empty if there is none: images._largest. */
static slice_t largest(attribute_t own)
{
    enum { ONE = 1000000 };
    slice_t best = {NULL, NULL}, address = best, word, rest;
    long long best_size = 0, size = ONE;
    const char *at = own.value, *end = at + (own.length < (size_t)markup.max_set_chars ? own.length : (size_t)markup.max_set_chars);

    while (at < end) {
        bool is_end;
        for (; at < end && is_space_byte(*at); at++);
        if (at == end) break;
        word.start = at;
        for (; at < end && !is_space_byte(*at); at++);
        word.end = at;
        rest = (slice_t){at, at};
        if (address.start == address.end) {
            is_end = word.end[-1] == ',';
            while (word.start < word.end && *word.start == ',') word.start++;
            address = word;
            size = ONE;
        } else {
            const char *comma = memchr(word.start, ',', (size_t)(word.end - word.start));
            is_end = comma != NULL;
            if (comma) {
                rest.start = comma + 1;
                word.end = comma;
            }
            read_descriptor(word, &size);
        }
        if (!is_end) continue;
        while (address.start < address.end && address.end[-1] == ',') address.end--;
        take_larger(&best, &best_size, address, size);
        address = rest;
        size = ONE;
    }
    take_larger(&best, &best_size, address, size);
    return best;
}

/* Reads the attributes of markup.other_sources, by their number. Returns whether they are read alike. */
static bool read_other_sources(node_t *node, attribute_t *own)
{
    bool out = true;
    size_t length;

    memset(own, 0, MAX_WORDS * sizeof *own);
    for (void *at = first_attribute(node); at != NULL; at = next_attribute(at)) {
        const char *name = attribute_name(at, &length);
        Py_ssize_t number = name && length ? number_of_name(&markup.other_sources, name, length) : -1;
        if (number < 0) continue;
        set_attribute(&own[number], at);
        if (own[number].length == 0 || is_ascii(own[number].value, own[number].length)) continue;
        out &= is_read_alike(own[number].value, own[number].length) && own[number].length <= (size_t)markup.max_set_chars;
    }
    return out;
}

/* The address of an image in its other attributes, or in the sources of its picture; empty if there is none. Returns whether they
 * are read alike. */
static bool other_image_address(node_t *image, slice_t *out)
{
    const word_list_t *list = &markup.other_sources;
    size_t sets = (size_t)number_of_name(list, "srcset", 6);
    Py_ssize_t left = image->parent && is_named(tag_of(image->parent), "picture") ? markup.max_sources : 0;
    attribute_t own[MAX_WORDS];

    if (!read_other_sources(image, own)) return false;
    for (size_t i = 0; i < sets; i++) {
        slice_t text = stripped(own[i]);
        if (own[i].length == 0 || !is_address(text) || is_placeholder(text)) continue;
        *out = text;
        return true;
    }
    for (node_t *node = image;;) {
        for (size_t i = sets; i < list->count; i++)
            if (own[i].length && (*out = largest(own[i])).start) return true;
        do {
            node = node->prev;
            if (node == NULL || left-- <= 0) return true;
        } while (!is_named(tag_of(node), "source"));
        if (!read_other_sources(node, own)) return false;
    }
}
