/* The page of a line of JSON: its HTML as UTF-8, and the other fields as they are written. As page_lines.py. `_core.c` includes
 * it.
 */

/* Reads a string behind its first quote into *to*, which has room for all that is left, and returns its end; NULL for what orjson
 * rejects, and for half pairs of surrogates. */
static uint8_t *unescape(reader_t *in, uint8_t *to)
{
    static const uint8_t LETTERS[256] = {['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r',
                                         ['t'] = '\t'};
    const uint8_t *at = in->at, *end = in->end;

    for (;;) {
#ifdef __SSE2__
        const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(' ');
        while (end - at >= 16) { /* what has been read is never shorter than what is written */
            __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
            __m128i special = _mm_or_si128(_mm_cmplt_epi8(part, space), /* signed: bytes beyond ASCII are negative */
                                           _mm_or_si128(_mm_cmpeq_epi8(part, quote), _mm_cmpeq_epi8(part, backslash)));
            unsigned found = (unsigned)_mm_movemask_epi8(special);
            _mm_storeu_si128((__m128i *)(void *)to, part);
            size_t plain = found ? first_bit(found) : 16;
            at += plain;
            to += plain;
            if (plain == 16) continue;
            if (*at != '\\' || !LETTERS[at[1]]) break;
            *to++ = LETTERS[at[1]]; /* an escape of two bytes: nearly all that there are */
            at += 2;
        }
#endif
        while (at < end && *at >= ' ' && *at < 0x80 && *at != '"' && *at != '\\') *to++ = *at++;
        while (at < end && *at >= 0x80) {
            int size = character_size(at, end);
            if (size == 0) return NULL;
            while (size--) *to++ = *at++;
        }
        if (at >= end || *at < ' ') return NULL;
        if (*at == '"') {
            in->at = at + 1;
            return to;
        }
        if (*at != '\\') continue;
        if (end - at > 1 && LETTERS[at[1]]) {
            *to++ = LETTERS[at[1]];
            at += 2;
            continue;
        }
        in->at = at + 1;
        int32_t character = escaped(in);
        if (character < 0) return NULL;
        to = put_character(to, (uint32_t)character);
        at = in->at;
    }
}

/* The fields of a line. */
typedef struct {
    PyObject *html; /* owned */
    buffer_t others;
} page_line_t;

/* Reads the value of `html`. Returns 1; 0 if it is not a string or cannot be read here; -1 with an exception. */
static int read_html(reader_t *in, page_line_t *to)
{
    uint8_t *start, *end;

    skip_space(in);
    if (to->html || !next_is(in, '"')) return 0;
    if ((to->html = PyBytes_FromStringAndSize(NULL, in->end - in->at)) == NULL) return -1;
    start = (uint8_t *)PyBytes_AS_STRING(to->html);
    if ((end = unescape(in, start)) == NULL) return 0;
    return _PyBytes_Resize(&to->html, end - start) < 0 ? -1 : 1;
}

/* Reads a field, and keeps it unless it is `html`. Returns as `read_html`. */
static int read_field(reader_t *in, page_line_t *to)
{
    fields_t fields;
    json_t name, value;
    const uint8_t *start;

    fields.count = 0;
    skip_space(in);
    start = in->at;
    if (!read_name(in, &fields, &name)) return 0;
    if (is(name.string, "html")) return read_html(in, to);
    if (!read_value(in, &value, 1)) return 0;
    if (to->others.length > 1 && append_bytes(&to->others, ",", 1) < 0) return -1;
    return append_bytes(&to->others, (const char *)start, (size_t)(in->at - start)) < 0 ? -1 : 1;
}

/* Reads an object. Returns as `read_html`. */
static int read_page_line(reader_t *in, page_line_t *to)
{
    int status;

    skip_space(in);
    if (!next_is(in, '{')) return 0;
    if (append_bytes(&to->others, "{", 1) < 0) return -1;
    do {
        if ((status = read_field(in, to)) <= 0) return status;
        skip_space(in);
    } while (next_is(in, ','));
    if (!next_is(in, '}')) return 0;
    skip_space(in);
    if (in->at < in->end || to->html == NULL) return 0;
    return append_bytes(&to->others, "}", 1) < 0 ? -1 : 1;
}

PyDoc_STRVAR(page_of_line_doc, "page_of_line(line)\n--\n\n"
"Of a line of JSON: its field html in UTF-8, and an object of the other fields, as they are written. None if it has no such\n"
"field, or is read in Python.");

static PyObject *core_page_of_line(PyObject *module, PyObject *line)
{
    page_line_t found = {0};
    reader_t in = {0};
    PyObject *out = NULL;
    uint8_t *room;
    int status;

    if (!PyBytes_Check(line)) return PyErr_Format(PyExc_TypeError, "expected bytes");
    in.at = (const uint8_t *)PyBytes_AS_STRING(line);
    in.end = in.at + PyBytes_GET_SIZE(line);
    in.room = room = PyMem_RawMalloc((size_t)PyBytes_GET_SIZE(line) + 1);
    if (room == NULL) return PyErr_NoMemory();
    if ((status = read_page_line(&in, &found)) > 0)
        out = Py_BuildValue("(Oy#)", found.html, found.others.data, (Py_ssize_t)found.others.length);
    else if (status == 0) out = Py_NewRef(Py_None);
    Py_XDECREF(found.html);
    PyMem_RawFree(found.others.data);
    PyMem_RawFree(room);
    return out;
}
