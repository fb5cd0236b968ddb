/* Absolute addresses of links and images, as page_links.py. `_markup.h` includes it. */

/* Letters and digits of ASCII, and the other signs of most addresses. */
static const bool ADDRESS_SIGNS[256] = {
    ['_'] = 1, ['.'] = 1, ['/'] = 1, ['?'] = 1, ['='] = 1, ['&'] = 1, ['%'] = 1, ['#'] = 1, [':'] = 1, [';'] = 1,
    [','] = 1, ['+'] = 1, ['~'] = 1, ['@'] = 1, ['!'] = 1, ['$'] = 1, ['*'] = 1, ['('] = 1, [')'] = 1, ['\''] = 1,
    ['|'] = 1, ['-'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1,
    ['8'] = 1, ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1,
    ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1,
    ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1, ['A'] = 1, ['B'] = 1,
    ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1,
    ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1,
    ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1,
};

static bool starts_with(const attribute_t *own, const char *prefix)
{
    size_t size = strlen(prefix);

    return own->length >= size && memcmp(own->value, prefix, size) == 0;
}

/* Whether a text is of these signs alone. */
static bool is_plain_text(const unsigned char *at, const unsigned char *end)
{
#ifdef __SSE2__
    const unsigned char *start = at;

    for (bool is_last = false; end - at >= 16 && !is_last;) { /* the last 16 bytes are perhaps read twice */
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at), wrong = _mm_cmplt_epi8(part, _mm_set1_epi8('!'));
        wrong = _mm_or_si128(wrong, are_within(part, '[', '^'));
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(_mm_or_si128(part, _mm_set1_epi8(2)), _mm_set1_epi8('>'))); /* < and > */
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(part, _mm_set1_epi8('"')));
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(part, _mm_set1_epi8('`')));
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(part, _mm_set1_epi8('{')));
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(part, _mm_set1_epi8('}')));
        wrong = _mm_or_si128(wrong, _mm_cmpeq_epi8(part, _mm_set1_epi8(0x7F)));
        if (_mm_movemask_epi8(wrong)) return false;
        is_last = end - at == 16;
        at = end - at >= 32 ? at + 16 : end - 16;
    }
    if (end - start >= 16) return true;
#endif
    for (; at < end; at++)
        if (!ADDRESS_SIGNS[*at]) return false;
    return true;
}

/* The signs of an address before the colon of its scheme; 0 without one. */
static size_t scheme_size(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *start = at;

    if (at == end || !Py_ISALPHA(*at)) return 0;
    if (end - at > 5 && memcmp(at, "http", 4) == 0 && (at[4] == ':' || (at[4] == 's' && at[5] == ':'))) return at[4] == ':' ? 4 : 5; /* most */
    while (at < end && (Py_ISALNUM(*at) || *at == '+' || *at == '.' || *at == '-')) at++;
    return at < end && *at == ':' ? (size_t)(at - start) : 0;
}

/* Whether a scheme is one of page_links._NO_ADDRESS. */
static bool is_no_address(const unsigned char *scheme, size_t size)
{
    static const char *const NAMES[] = {"about", "blob", "data", "javascript", "vbscript", "view-source", NULL};

    for (const char *const *name = NAMES; *name && lower((char)*scheme) != 'h'; name++) {
        size_t at = 0;
        if (strlen(*name) != size) continue;
        while (at < size && lower((char)scheme[at]) == (*name)[at]) at++;
        if (at == size) return true;
    }
    return false;
}

/* Whether an address that begins with "//" needs no more than the scheme of the page before it: urljoin drops what is empty. */
static bool needs_scheme_alone(const page_t *page, const attribute_t *own)
{
    const unsigned char *at = (const unsigned char *)own->value + 2, *end = at + own->length - 2;
    bytes_t host = page->host, address = page->address;
    bool has_query = false;

    if (address.size < host.size || !is_ascii((const char *)host.at, host.size)) return false;
    if (address.size > host.size && address.at[host.size] != '/' && address.at[host.size] != '?') return false;
    if (starts_with(own, strchr(markup.wrapper, ':') + 1)) return false;
    if (at == end || *at == '/' || *at == '?' || *at == '#') return false;
    for (; at < end && *at != '#'; at++) {
        if (*at == ';') return false;
        if (*at != '?' || has_query) continue;
        has_query = true;
        if (at + 1 == end || at[1] == '#') return false;
    }
    return at == end || at + 1 < end;
}

/* Whether a name in a path begins with a full stop: it may be "." or "..". */
static bool has_dot_name(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *dot = at;

    while ((dot = memchr(dot, '.', (size_t)(end - dot))) != NULL && (dot == at || dot[-1] != '/')) dot++;
    return dot != NULL;
}

/* Whether a sign is encoded: page_links._ENCODED. */
static inline bool is_unsafe(uint8_t sign)
{
    return sign == ' ' || sign == '<' || sign == '>' || sign == '"';
}

/* The absolute address of one that needs no more than the host, its scheme or the address of the page before it. Returns 1, 0 for
 * all others, and -1 with an exception. */
static int plain_address(page_t *page, const attribute_t *own, bytes_t *out)
{
    const unsigned char *at = (const unsigned char *)own->value, *end = at + own->length;
    bytes_t before = {NULL, 0};
    bool is_path = own->length && *at == '/';
    size_t scheme;
    uint8_t *to;

    if (own->length == 0 || (Py_ssize_t)own->length > markup.max_url_chars) return 0;
    if (is_path || *at == '#') {
        before = is_path ? page->host : page->address;
        if (before.size == 0) return 0;
        if (is_path && own->length > 1 && at[1] == '/') {
            if (!needs_scheme_alone(page, own)) return 0;
            before.size = scheme_size(before.at, before.at + before.size) + 1;
            is_path = false;
        }
    } else if ((scheme = scheme_size(at, end)) == 0 || is_no_address(at, scheme) ||
               (own->length >= markup.wrapper_length && memcmp(at, markup.wrapper, markup.wrapper_length) == 0)) return 0;
    if (!is_plain_text(at, end) || (is_path && has_dot_name(at, end))) return 0;
    if ((to = take(&page->arena, before.size + own->length)) == NULL) return -1;
    if (before.size) memcpy(to, before.at, before.size);
    memcpy(to + before.size, own->value, own->length);
    *out = (bytes_t){to, before.size + own->length};
    return 1;
}

/* What the functions below return for an address that only Python resolves. */
enum { ASK_PYTHON = 2 };

static folder_t *folder_slot(page_t *page, bytes_t name)
{
    uint64_t first = 0, last = 0;
    size_t size = name.size < 8 ? name.size : 8;

    memcpy(&first, name.at, size);
    memcpy(&last, name.at + name.size - size, size);
    return &page->folders[(first ^ 31 * last ^ name.size) * 0x9E3779B97F4A7C15u >> (64 - FOLDER_BITS)];
}

/* What PageLinks.address_of_folder says; NULL with an exception. */
static const folder_t *folder_of(page_t *page, bytes_t name)
{
    folder_t *own = folder_slot(page, name);
    PyObject *text, *found;

    if (own->name.at && equal(own->name, name)) return own;
    if ((text = decode((const char *)name.at, name.size)) == NULL) return NULL;
    *own = (folder_t){.name = name};
    found = PyObject_CallMethodOneArg(page->links, words.address_of_folder, text);
    Py_DECREF(text);
    if (found == NULL || store_string(&page->arena, found, &own->address) < 0) {
        own->name.at = NULL;
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) own = NULL;
        else PyErr_Clear(); /* a broken host: `resolve` says what that means */
    } else own->is_plain = is_plain_text(own->address.at, own->address.at + own->address.size);
    Py_XDECREF(found);
    return own;
}

/* Joins two parts of an address. Returns -1 with an exception, and ASK_PYTHON for one that is a wrapper of another. */
static int join_address(page_t *page, bytes_t before, bytes_t rest, bytes_t *out)
{
    uint8_t *to = take(&page->arena, before.size + rest.size);

    if (to == NULL) return -1;
    if (before.size) memcpy(to, before.at, before.size);
    memcpy(to + before.size, rest.at, rest.size);
    *out = (bytes_t){to, before.size + rest.size};
    return out->size >= markup.wrapper_length && memcmp(to, markup.wrapper, markup.wrapper_length) == 0 ? ASK_PYTHON : 1;
}

/* The end of the folders of a relative address; NULL if it is none of page_links._RELATIVE, or a fragment alone. */
static const uint8_t *folders_end(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *stop = at, *name = at, *fragment;

    for (; stop < end && *stop != '?' && *stop != '#'; stop++) {
        if (*stop == ':' || *stop == ';') return NULL;
        if (*stop != '/') continue;
        if (stop == name && stop > at) return NULL;
        name = stop + 1;
    }
    if (name < stop && *name == '.') return NULL;
    fragment = stop < end ? memchr(stop, '#', (size_t)(end - stop)) : NULL;
    if (fragment && (fragment + 1 == end || memchr(fragment + 1, '#', (size_t)(end - fragment - 1)))) return NULL;
    if (stop < end && *stop == '?') return stop + 1 == (fragment ? fragment : end) ? NULL : name;
    return stop == at ? NULL : name;
}

/* The absolute address of one that is relative, as PageLinks._joined. */
static int relative_address(page_t *page, const uint8_t *at, const uint8_t *end, bytes_t *out)
{
    const uint8_t *name = is_plain_text(at, end) ? folders_end(at, end) : NULL;
    const folder_t *folder;

    if (name == NULL) return ASK_PYTHON;
    folder = folder_of(page, (bytes_t){at, *at == '?' ? 1 : (size_t)(name - at)});
    if (folder == NULL) return -1;
    return folder->is_plain ? join_address(page, folder->address, (bytes_t){name, (size_t)(end - name)}, out) : ASK_PYTHON;
}

/* The address with a part before it, and signs encoded: as page_links._ENCODED. For printable ASCII. */
static int encoded_address(page_t *page, bytes_t before, const uint8_t *at, const uint8_t *end, bytes_t *out)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    size_t unsafe = 0;
    uint8_t *to;

    for (const uint8_t *sign = at; sign < end; sign++) {
        if (*sign < ' ' || *sign > '~') return ASK_PYTHON;
        unsafe += is_unsafe(*sign);
    }
    if ((to = take(&page->arena, before.size + (size_t)(end - at) + 2 * unsafe)) == NULL) return -1;
    out->at = to;
    if (before.size) memcpy(to, before.at, before.size);
    for (to += before.size; at < end; at++) {
        if (!is_unsafe(*at)) *to++ = *at;
        else {
            *to++ = '%';
            *to++ = (uint8_t)DIGITS[*at >> 4];
            *to++ = (uint8_t)DIGITS[*at & 15];
        }
    }
    out->size = (size_t)(to - out->at);
    return 1;
}

/* Asks Python for an address. */
static int ask_for_address(page_t *page, const char *text, size_t length, bytes_t *out)
{
    PyObject *address = decode(text, length), *found;
    int status = 0;

    if (address == NULL) return -1;
    found = PyObject_CallMethodOneArg(page->links, words.resolve, address);
    Py_DECREF(address);
    if (found == NULL) return -1;
    if (found != Py_None) status = store_string(&page->arena, found, out) < 0 ? -1 : 1;
    Py_DECREF(found);
    return status;
}

/* The absolute address of one of no characters: that of the page. */
static int own_address(page_t *page, bytes_t *out)
{
    if (!page->is_own_known) {
        int status = ask_for_address(page, "", 0, &page->own_address);
        if (status < 0) return -1;
        page->is_own_known = true;
        page->has_own_address = status > 0;
    }
    *out = page->own_address;
    return page->has_own_address;
}

/* The absolute address of one that `plain_address` leaves: as PageLinks._resolved behind its first check. */
static int other_address(page_t *page, const attribute_t *own, bytes_t *out)
{
    const uint8_t *at = (const uint8_t *)own->value, *end = at + own->length;
    const bytes_t none = {NULL, 0};
    size_t scheme;

    while (at < end && (*at <= ' ' || *at == 0x7F)) at++;
    while (at < end && (end[-1] <= ' ' || end[-1] == 0x7F)) end--;
    if (at == end) return own_address(page, out);
    scheme = scheme_size(at, end);
    if (scheme && is_no_address(at, scheme)) return 0;
    if (end - at > markup.max_url_chars) return ASK_PYTHON;
    if (*at == '#') return page->address.size ? encoded_address(page, page->address, at, end, out) : ASK_PYTHON;
    if (scheme == 0) return relative_address(page, at, end, out);
    if (memchr(at, '[', end - at < 20 ? (size_t)(end - at) : 20)) return ASK_PYTHON;
    if ((size_t)(end - at) >= markup.wrapper_length && memcmp(at, markup.wrapper, markup.wrapper_length) == 0) return ASK_PYTHON;
    return encoded_address(page, none, at, end, out);
}

/* The absolute address. Returns 1, 0 for one that leads nowhere, and -1 with an exception. */
static int resolve(page_t *page, const attribute_t *own, bytes_t *out)
{
    int status = own->value ? plain_address(page, own, out) : 0;

    if (status != 0 || own->value == NULL) return status;
    status = other_address(page, own, out);
    return status == ASK_PYTHON ? ask_for_address(page, own->value, own->length, out) : status;
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

    memset(page->folders, 0, sizeof page->folders);
    page->is_own_known = false;
    Py_XSETREF(page->host_object, host);
    Py_XSETREF(page->address_object, address);
    if (host == NULL || address == NULL) return -1;
    page->host.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(host, &size);
    page->address.at = (const uint8_t *)PyUnicode_AsUTF8AndSize(address, &length);
    page->host.size = (size_t)size;
    page->address.size = (size_t)length;
    return page->host.at && page->address.at ? 0 : -1;
}
