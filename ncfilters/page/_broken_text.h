/* Breaks in text between tags that the parser may ignore: as broken_markup.break_text, of UTF-8. `_core.c` includes it.
 *
 * Names and white space are read in ASCII: where others stand that regular expressions might take for them, Python is to read
 * the page.
 */

/* The behaviour of a tag in broken_markup._IGNORED_RUN and _TABLE_TEXT. */
typedef struct {
    bool is_table_part; /* begins a run of tags that are ignored */
    bool is_ignored;    /* may follow in it */
    bool has_text_around;
    const uint8_t *end; /* behind its `>`; NULL if it has none */
} broken_tag_t;

/* Reads the tag at a `<`. Returns false for a name that is not in ASCII. */
static bool read_broken_tag(const uint8_t *at, const uint8_t *end, broken_tag_t *tag)
{
    static const char *const PARTS[] = {"tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup", NULL};
    static const char *const ROOTS[] = {"html", "head", "body", "frame", NULL};
    static const char *const AROUND[] = {"tr", "tbody", "thead", "tfoot", NULL};
    static const char *const CELLS[] = {"td", "th", NULL};
    char name[MAX_PART_NAME + 1];
    bool is_end = ++at < end && *at == '/', is_named;
    const uint8_t *start = at + is_end, *stop;

    *tag = (broken_tag_t){.end = NULL};
    if (start >= end || !(Py_ISALPHA(*start) || *start >= 0x80)) return true;
    if ((stop = part_name(start, end, name)) == NULL) return false;
    for (at = stop; at < end && *at != '<' && *at != '>';) at++;
    if (at >= end || *at == '<') return true;
    tag->end = at + 1;
    is_named = *stop == '>' || (*stop < 0x80 && SPACES[*stop]);
    tag->is_table_part = !is_end && is_named && is_one_of(name, PARTS);
    tag->is_ignored = is_end || tag->is_table_part || (is_named && is_one_of(name, ROOTS));
    tag->has_text_around = is_named && (is_one_of(name, AROUND) || (is_end ? is_one_of(name, CELLS) : strcmp(name, "table") == 0));
    return true;
}

/* Whether text follows before the next tag. */
static bool has_text_behind(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        const uint8_t *next = at;
        Py_UCS4 c = next_character(&next);
        if (!Py_UNICODE_ISSPACE(c)) return c != '<';
        at = next;
    }
    return false;
}

/* Writes a page with `<!>` behind runs of *length* more tags. Returns 1; 0 if Python is to do it; -1 with an exception. */
static int break_runs(const html_t *html, size_t length, buffer_t *out)
{
    const uint8_t *done = html->data, *at = html->data, *end = html->data + html->length;
    size_t run = 0; /* the tags of the open run; 0 for none */

    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        broken_tag_t tag;
        if (!read_broken_tag(at, end, &tag)) return 0;
        if (run ? tag.is_ignored : tag.is_table_part) run++;
        else run = 0;
        at = tag.end ? tag.end : at + 1;
        if (run <= length) continue;
        run = 0;
        at = memchr(at, '<', (size_t)(end - at));
        at = at ? at : end;
        if (append_bytes(out, done, (size_t)(at - done)) < 0 || append_bytes(out, "<!>", 3) < 0) return -1;
        done = at;
    }
    return append_bytes(out, done, (size_t)(end - done)) < 0 ? -1 : 1;
}

/* The same with `<wbr>` behind each of so many tags that text follows. */
static int break_cells(const html_t *html, size_t length, buffer_t *out)
{
    const uint8_t *done = html->data, *at = html->data, *end = html->data + html->length;
    size_t number = 0;

    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        broken_tag_t tag;
        if (!read_broken_tag(at, end, &tag)) return 0;
        at = tag.end ? tag.end : at + 1;
        if (!tag.has_text_around || !has_text_behind(at, end) || ++number % length) continue;
        if (append_bytes(out, done, (size_t)(at - done)) < 0 || append_bytes(out, "<wbr>", 5) < 0) return -1;
        done = at;
    }
    return append_bytes(out, done, (size_t)(end - done)) < 0 ? -1 : 1;
}

/* ---- long tags (limits.py) */

/* A text, and the place that is read. */
typedef struct {
    const void *data;
    int kind;
    Py_ssize_t at, length;
} tag_reader_t;

/* The character here; 0 at the end. */
static inline Py_UCS4 peek(const tag_reader_t *in)
{
    return in->at < in->length ? PyUnicode_READ(in->kind, in->data, in->at) : 0;
}

/* Skips to white space, `>`, the end, or one of two others. */
static void skip_name(tag_reader_t *in, Py_UCS4 other, Py_UCS4 another)
{
    for (Py_UCS4 c; in->at < in->length && (c = peek(in)) != '>' && c != other && c != another && !is_white_space(c);) in->at++;
}

static void skip_white_space(tag_reader_t *in)
{
    while (in->at < in->length && is_white_space(peek(in))) in->at++;
}

/* Skips the value of an attribute behind its `=`. Returns false for a quote without end. */
static bool skip_value_of(tag_reader_t *in)
{
    Py_UCS4 quote;
    Py_ssize_t end;

    skip_white_space(in);
    quote = peek(in);
    if (quote != '"' && quote != '\'') {
        skip_name(in, '>', '>');
        return true;
    }
    for (end = in->at + 1; end < in->length && PyUnicode_READ(in->kind, in->data, end) != quote;) end++;
    in->at = end + 1;
    return end < in->length;
}

/* Reads a tag behind its `<`, as limits._whole_tag has it, up to its `>`. Returns where its name ends; -1 if it is none, or has a
 * quote without end. */
static Py_ssize_t read_whole_tag(tag_reader_t *in)
{
    Py_ssize_t name_end, behind;

    if (peek(in) >= 0x80 || !Py_ISALPHA(peek(in))) return -1;
    skip_name(in, '/', '/');
    name_end = in->at;
    for (;;) {
        while (in->at < in->length && (peek(in) == '/' || is_white_space(peek(in)))) in->at++;
        if (in->at >= in->length) return -1;
        if (peek(in) == '>') return name_end;
        in->at++;
        skip_name(in, '/', '=');
        behind = in->at;
        skip_white_space(in);
        if (peek(in) != '=') in->at = behind;
        else {
            in->at++;
            if (!skip_value_of(in)) return -1;
        }
    }
}

PyDoc_STRVAR(whole_tag_doc, "whole_tag(html, start)\n--\n\n"
"Where the name of the tag at a `<` ends, and where the tag ends, as limits._whole_tag has them; None if there is none, or that\n"
"is not known at once.");

static PyObject *core_whole_tag(PyObject *module, PyObject *args)
{
    PyObject *html;
    Py_ssize_t start, name_end;
    tag_reader_t in;

    if (!PyArg_ParseTuple(args, "Un", &html, &start)) return NULL;
    if (start < 0 || start >= PyUnicode_GET_LENGTH(html) || PyUnicode_READ_CHAR(html, start) != '<') Py_RETURN_NONE;
    in = (tag_reader_t){PyUnicode_DATA(html), (int)PyUnicode_KIND(html), start + 1, PyUnicode_GET_LENGTH(html)};
    if ((name_end = read_whole_tag(&in)) < 0) Py_RETURN_NONE;
    return Py_BuildValue("(nn)", name_end, in.at + 1);
}

/* ---- breaks in text */

PyDoc_STRVAR(break_text_doc, "break_text(utf8, length)\n--\n\n"
"As broken_markup.break_text, of a page with enough tags and characters; None where Python is to do it.");

static PyObject *core_break_text(PyObject *module, PyObject *args)
{
    PyObject *bytes, *out = NULL;
    Py_ssize_t length;
    buffer_t runs = {0}, all = {0};
    int status;

    if (!PyArg_ParseTuple(args, "O!n", &PyBytes_Type, &bytes, &length)) return NULL;
    if (length < 1) return PyErr_Format(PyExc_ValueError, "too short runs");
    html_t html = {(const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes)};
    if (!may_break_text(tags_of(&html), (size_t)length)) return Py_NewRef(bytes); /* for speed: nearly always */
    status = break_runs(&html, (size_t)length, &runs);
    if (status > 0) {
        html_t broken = {(const uint8_t *)(runs.data ? runs.data : ""), runs.length};
        status = break_cells(&broken, (size_t)length, &all);
    }
    if (status > 0)
        out = all.length == html.length ? Py_NewRef(bytes) : PyBytes_FromStringAndSize(all.data, (Py_ssize_t)all.length);
    else if (status == 0) out = Py_NewRef(Py_None);
    PyMem_RawFree(runs.data);
    PyMem_RawFree(all.data);
    return out;
}
