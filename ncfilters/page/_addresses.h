/* Absolute addresses of links and images, as page_links.py. `_markup.h` includes it. */

/* Letters and digits of ASCII, and the other signs of most addresses. */
static bool is_address_sign(char c)
{
    static const char OTHERS[128] = {
        ['_'] = 1, ['.'] = 1, ['/'] = 1, ['?'] = 1, ['='] = 1, ['&'] = 1, ['%'] = 1, ['#'] = 1, [':'] = 1, [';'] = 1,
        [','] = 1, ['+'] = 1, ['~'] = 1, ['@'] = 1, ['!'] = 1, ['$'] = 1, ['*'] = 1, ['('] = 1, [')'] = 1, ['\''] = 1,
        ['|'] = 1, ['-'] = 1,
    };

    return Py_ISALNUM(c) || ((unsigned char)c < 0x80 && OTHERS[(unsigned char)c]);
}

static bool starts_with(const attribute_t *own, const char *prefix)
{
    size_t size = strlen(prefix);

    return own->length >= size && memcmp(own->value, prefix, size) == 0;
}

/* The absolute address of one that needs no more than the host or the address of the page before it. Returns 1, 0 for all
 * others, and -1 with an exception. */
static int plain_address(page_t *page, const attribute_t *own, bytes_t *out)
{
    bool is_path = starts_with(own, "/") && !starts_with(own, "//"), is_within = starts_with(own, "#");
    bytes_t before = is_path ? page->host : is_within ? page->address : (bytes_t){NULL, 0};
    uint8_t *to;

    if (!is_path && !is_within && !starts_with(own, "http:/") && !starts_with(own, "https:/")) return 0;
    if ((is_path || is_within) && before.size == 0) return 0;
    if ((Py_ssize_t)own->length > markup.max_url_chars || starts_with(own, markup.wrapper)) return 0;
    for (size_t i = 0; i < own->length; i++)
        if (!is_address_sign(own->value[i])) return 0;
    if (is_path && memmem(own->value, own->length, "/.", 2)) return 0;
    if ((to = take(&page->arena, before.size + own->length)) == NULL) return -1;
    if (before.size) memcpy(to, before.at, before.size);
    memcpy(to + before.size, own->value, own->length);
    *out = (bytes_t){to, before.size + own->length};
    return 1;
}

/* The absolute address. Returns 1, 0 for one that leads nowhere, and -1 with an exception. */
static int resolve(page_t *page, const attribute_t *own, bytes_t *out)
{
    int status = own->value ? plain_address(page, own, out) : 0;
    PyObject *address, *found;

    if (status != 0 || own->value == NULL) return status;
    if ((address = decode(own->value, own->length)) == NULL) return -1;
    found = PyObject_CallMethodOneArg(page->links, words.resolve, address);
    Py_DECREF(address);
    if (found == NULL) return -1;
    if (found != Py_None) status = store_string(&page->arena, found, out) < 0 ? -1 : 1;
    Py_DECREF(found);
    return status;
}

/* Copies a text, with replacements for what is not UTF-8, as `decode` has them. Returns -1 with an exception. */
static int store_decoded(arena_t *arena, const char *text, size_t length, bytes_t *out)
{
    PyObject *string;
    int status;

    if (is_ascii(text, length)) return store_text(arena, (bytes_t){(const uint8_t *)text, length}, out);
    if ((string = decode(text, length)) == NULL) return -1;
    status = store_string(arena, string, out);
    Py_DECREF(string);
    return status;
}

/* The host and the address of the page, after a change of its base. */
static int read_host(page_t *page)
{
    PyObject *host = PyObject_GetAttr(page->links, words.host), *address = PyObject_GetAttr(page->links, words.page);
    Py_ssize_t size = 0, length = 0;

    Py_XSETREF(page->host_object, host);
    Py_XSETREF(page->address_object, address);
    if (host == NULL || address == NULL) return -1;
    page->host.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(host, &size);
    page->address.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(address, &length);
    page->host.size = (size_t)size;
    page->address.size = (size_t)length;
    return page->host.at && page->address.at ? 0 : -1;
}
