/* What the parser makes of tags, counted before it parses: as density.tag_counts. `_core.c` includes it. */

typedef struct {
    Py_ssize_t elements, texts, attributes;
} tag_counts_t;

/* Characters at which the name of an element (1), of an attribute (2) or a value without quotes (4) may end. */
static const uint8_t TAG_STOPS[256] = {
    ['\t'] = 7, ['\n'] = 7, ['\f'] = 7, ['\r'] = 7, [' '] = 7, ['>'] = 7, ['<'] = 7, ['/'] = 3, ['='] = 2,
};

static inline bool is_tag_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

static inline bool is_tag_at(const html_t *html, size_t at)
{
    return html_byte(html, at) == '<' && Py_ISALPHA(html_byte(html, at + 1 + (html_byte(html, at + 1) == '/')));
}

/* The place at which something of a tag ends, or the length; *stop* is a bit of TAG_STOPS. */
static inline size_t stop_at(const html_t *html, size_t at, int stop)
{
    for (; at < html->length; at++)
        if ((TAG_STOPS[html->data[at]] & stop) && (html->data[at] != '<' || is_tag_at(html, at))) break;
    return at;
}

static inline size_t skip_spaces(const html_t *html, size_t at)
{
    while (is_tag_space(html_byte(html, at))) at++;
    return at;
}

/* The place behind the value of an attribute, whose `=` stands at *at*. */
static inline size_t skip_value(const html_t *html, size_t at)
{
    const uint8_t *end;
    uint8_t quote;

    at = skip_spaces(html, at + 1);
    quote = html_byte(html, at);
    if (quote != '"' && quote != '\'') return stop_at(html, at, 4);
    end = memchr(html->data + at + 1, quote, html->length - at - 1);
    return end ? (size_t)(end + 1 - html->data) : html->length;
}

/* The number of attributes in a tag from *at* on, up to the next tag that is not in quotes. */
static inline Py_ssize_t count_attributes(const html_t *html, size_t at)
{
    Py_ssize_t count = 0;

    for (;; count++) {
        size_t equals;
        while (html_byte(html, at) == '/' || is_tag_space(html_byte(html, at))) at++;
        if (at >= html->length || html->data[at] == '>') return count;
        if (is_tag_at(html, at)) return count + 2; /* `<` and a name, to the parser */
        at = stop_at(html, at + 1, 2);
        equals = skip_spaces(html, at);
        if (html_byte(html, equals) == '=') at = skip_value(html, equals);
    }
}

static inline void count_tag(const html_t *html, size_t at, tag_counts_t *to)
{
    uint8_t c = html_byte(html, at + 1);
    bool is_end = c == '/';

    if (Py_ISALPHA(html_byte(html, at + 1 + is_end))) {
        if (!is_end) to->elements += (c | 32) == 't' && is_name_at(html, at + 1, "table") ? 3 : 1;
        else to->elements += is_name_at(html, at + 2, "p") || is_name_at(html, at + 2, "br");
        to->attributes += count_attributes(html, stop_at(html, at + 2 + is_end, 1));
    } else if (c == '!' || c == '?' || is_end) to->texts++;
}

PyDoc_STRVAR(tag_counts_doc, "tag_counts(html)\n--\n\n"
"The elements, the texts and comments, and the attributes that the tags of UTF-8 make at most.");

static PyObject *core_tag_counts(PyObject *module, PyObject *bytes)
{
    tag_counts_t out = {0};
    html_t html;
    const uint8_t *at, *end, *next;

    if (!PyBytes_Check(bytes)) return PyErr_Format(PyExc_TypeError, "expected bytes");
    html.data = (const uint8_t *)PyBytes_AS_STRING(bytes);
    html.length = (size_t)PyBytes_GET_SIZE(bytes);
    end = html.data + html.length;
    for (at = memchr(html.data, '<', html.length); at; at = next) {
        count_tag(&html, (size_t)(at - html.data), &out);
        next = memchr(at + 1, '<', (size_t)(end - at - 1));
        /* a text, if something follows the first `>` between two tags */
        if ((next ? next : end) - at > 2) out.texts += memchr(at + 1, '>', (size_t)((next ? next : end) - at - 2)) != NULL;
    }
    return Py_BuildValue("(nnn)", out.elements, out.texts, out.attributes);
}
