/* What the markup of a page has before it is parsed, in one pass: as survey.py. `_core.c` includes it. */

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    const void *data;
    Py_ssize_t length;
    int kind;
} markup_t;

static inline Py_UCS4 markup_char(const markup_t *markup, Py_ssize_t at)
{
    return at < markup->length ? PyUnicode_READ(markup->kind, markup->data, at) : 0;
}

/* The place of the next `<`, or the length. */
static inline Py_ssize_t next_tag(const markup_t *markup, Py_ssize_t at)
{
    if (markup->kind == PyUnicode_1BYTE_KIND) {
        const char *data = markup->data, *found;
        found = at < markup->length ? memchr(data + at, '<', (size_t)(markup->length - at)) : NULL;
        return found ? found - data : markup->length;
    }
#ifdef __SSE2__
    if (markup->kind == PyUnicode_2BYTE_KIND) {
        const Py_UCS2 *data = markup->data;
        const __m128i wanted = _mm_set1_epi16('<');
        for (; markup->length - at >= 8; at += 8) {
            __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(data + at));
            unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi16(part, wanted));
            if (found) return at + __builtin_ctz(found) / 2;
        }
    }
#endif
    while (at < markup->length && markup_char(markup, at) != '<')
        at++;
    return at;
}

/* Whether a name in lower case stands here, in any case, and ends. */
static bool is_name_at(const markup_t *markup, Py_ssize_t at, const char *name)
{
    for (; *name; name++, at++)
        if ((markup_char(markup, at) | 32) != (Py_UCS4)*name) return false;
    Py_UCS4 end = markup_char(markup, at);
    return end == '>' || end == '/' || end == ' ' || (end >= 9 && end <= 13);
}

/* Whether a start tag of a frame, behind its name, is plain, and its end tag follows at once. */
static bool is_closed_frame(const markup_t *markup, Py_ssize_t at)
{
    bool is_quoted = false;

    for (; at < markup->length; at++) {
        Py_UCS4 c = markup_char(markup, at);
        if (c == '"') {
            if (!is_quoted && markup_char(markup, at - 1) != '=') return false;
            is_quoted = !is_quoted;
        } else if (c == '<' || (!is_quoted && (c == '\'' || c == '`')) || (is_quoted && c == '>')) {
            return false;
        } else if (c == '>') {
            return markup_char(markup, at + 1) == '<' && markup_char(markup, at + 2) == '/' && is_name_at(markup, at + 3, "iframe");
        }
    }
    return false;
}

PyDoc_STRVAR(scan_doc, "scan(html)\n--\n\n"
    "The number of `<`, and whether there may be a template, or a frame with content.");

static PyObject *core_scan(PyObject *module, PyObject *html)
{
    Py_ssize_t count = 0;
    bool may_be_special = false;

    if (!PyUnicode_Check(html)) return PyErr_Format(PyExc_TypeError, "expected a string");
    markup_t markup = {PyUnicode_DATA(html), PyUnicode_GET_LENGTH(html), (int)PyUnicode_KIND(html)};
    for (Py_ssize_t at = next_tag(&markup, 0); at < markup.length; at = next_tag(&markup, at + 1)) {
        Py_UCS4 first = markup_char(&markup, at + 1) | 32;
        count++;
        if (may_be_special) continue;
        if (first == 't')
            may_be_special = is_name_at(&markup, at + 1, "template");
        else if (first == 'i')
            may_be_special = is_name_at(&markup, at + 1, "iframe") && !is_closed_frame(&markup, at + 7);
    }
    return Py_BuildValue("(nO)", count, may_be_special ? Py_True : Py_False);
}
