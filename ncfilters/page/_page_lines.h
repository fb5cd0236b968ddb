/* The page of a line of JSON: its HTML as UTF-8, and the other fields as they are written. As page_lines.py. `_core.c` includes
 * it.
 */

/* The characters of escapes of two bytes, by their letters: nearly all escapes that there are. */
static const uint8_t ESCAPED[256] = {['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r',
                                     ['t'] = '\t'};

#ifdef __SSE2__
enum { READ_BYTES = 64, READ_MARGIN = 32 }; /* that are read at once; that must be behind them */

static inline void copy_sixteen(uint8_t *to, const uint8_t *from)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm_loadu_si128((const __m128i *)(const void *)from));
}

/* Copies at least so many bytes, and up to READ_MARGIN more: mostly few, without a branch that depends on their number. */
static inline void copy_parts(uint8_t *to, const uint8_t *from, size_t size)
{
    copy_sixteen(to, from);
    copy_sixteen(to + 16, from + 16);
    for (size_t at = 32; at < size; at += 16) copy_sixteen(to + at, from + at);
}

/* Reads READ_BYTES or some more of a string, or up to what is read otherwise; *end* is that of the line. Returns what is behind
 * it; *to* is moved. */
static inline const uint8_t *unescape_some(const uint8_t *at, const uint8_t *end, uint8_t **to)
{
    uint64_t special = 0; /* bytes that are not plain */
    size_t from = 0;      /* what is not copied yet */
    uint8_t *out = *to;

    for (int i = 0; i < READ_BYTES; i += 16)
        special |= (uint64_t)not_plain(_mm_loadu_si128((const __m128i *)(const void *)(at + i))) << i;
    while (special) {
        size_t place = first_bit(special);
        if (at[place] >= 0x80) {
            size_t size = (size_t)character_size(at + place, end);
            if (size && place + size <= READ_BYTES) {
                special &= ~(((1ULL << size) - 1) << place);
                continue;
            }
        }
        copy_parts(out, at + from, place - from);
        out += place - from;
        if (at[place] != '\\' || !ESCAPED[at[place + 1]]) {
            *to = out;
            return at + place;
        }
        *out++ = ESCAPED[at[place + 1]];
        from = place + 2;
        special &= ~(3ULL << place);
    }
    if (from < READ_BYTES) {
        copy_parts(out, at + from, READ_BYTES - from);
        out += READ_BYTES - from;
        from = READ_BYTES;
    }
    *to = out;
    return at + from;
}
#endif

/* Reads a string behind its first quote into *to*, which has room for all that is left, and returns its end; NULL for what orjson
 * rejects, and for half pairs of surrogates. */
static uint8_t *unescape(reader_t *in, uint8_t *to)
{
    const uint8_t *at = in->at, *end = in->end;

    for (;;) {
#ifdef __SSE2__
        while (end - at >= READ_BYTES + READ_MARGIN) { /* what has been read is never shorter than what is written */
            const uint8_t *next = unescape_some(at, end, &to);
            bool is_whole = next - at >= READ_BYTES;
            at = next;
            if (!is_whole) break;
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
        if (end - at > 1 && ESCAPED[at[1]]) {
            *to++ = ESCAPED[at[1]];
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
