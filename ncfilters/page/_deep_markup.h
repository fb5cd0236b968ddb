/* Markup without tags that are nested too deep: as limits._limit_depth. `_core.c` includes it. */

/* A start tag that is left out: where its name is. */
typedef struct {
    Py_ssize_t at, length;
} dropped_t;

/* What stays of a page: so far, all up to *done* but what is not in *kept*. */
typedef struct {
    int kind;
    const void *html;
    Py_ssize_t length, done;
    buffer_t kept, dropped; /* characters as in the page; items of dropped_t */
} shallow_t;

static inline Py_UCS4 shallow_char(const shallow_t *of, Py_ssize_t at)
{
    return at < of->length ? PyUnicode_READ(of->kind, of->html, at) : 0;
}

/* Whether a word in lower case is at a place, in any case. */
static bool has_word_at(const shallow_t *of, Py_ssize_t at, const char *word)
{
    for (; *word; word++, at++) {
        Py_UCS4 c = shallow_char(of, at);
        if (c >= 0x80 || lower((char)c) != *word) return false;
    }
    return true;
}

static inline bool ends_name(Py_UCS4 c)
{
    return c == '/' || c == '>' || Py_UNICODE_ISSPACE(c);
}

/* Where a comment at "<!--" ends. */
static Py_ssize_t comment_end(const shallow_t *of, Py_ssize_t at)
{
    at += 4;
    if (shallow_char(of, at) == '>') return at + 1;
    if (shallow_char(of, at) == '-' && shallow_char(of, at + 1) == '>') return at + 2;
    for (; at < of->length; at++) {
        if (shallow_char(of, at) != '-' || shallow_char(of, at + 1) != '-') continue;
        if (shallow_char(of, at + 2) == '>') return at + 3;
        if (shallow_char(of, at + 2) == '!' && shallow_char(of, at + 3) == '>') return at + 4;
    }
    return of->length;
}

/* Where a script or a style sheet ends, whose content is searched from *at* on; -1 if its end tag may not be in ASCII. */
static Py_ssize_t code_end(const shallow_t *of, Py_ssize_t at, const char *name)
{
    Py_ssize_t size = (Py_ssize_t)strlen(name);

    for (; at < of->length; at++) {
        if (shallow_char(of, at) != '<' || shallow_char(of, at + 1) != '/') continue;
        for (Py_ssize_t i = 0; i < size; i++)
            if (shallow_char(of, at + 2 + i) >= 0x80) return -1;
        if (has_word_at(of, at + 2, name) && at + 2 + size < of->length && ends_name(shallow_char(of, at + 2 + size)))
            return at + 2 + size;
    }
    return of->length;
}

/* Whether the name at *at* is that of the tag that was left out last. */
static bool is_last_dropped(const shallow_t *of, Py_ssize_t at, Py_ssize_t length)
{
    const dropped_t *last;

    if (of->dropped.length == 0) return false;
    last = (const dropped_t *)(const void *)(of->dropped.data + of->dropped.length - sizeof *last);
    if (last->length != length) return false;
    for (Py_ssize_t i = 0; i < length; i++)
        if (lower((char)shallow_char(of, last->at + i)) != lower((char)shallow_char(of, at + i))) return false;
    return true;
}

/* Keeps the page up to *stop*, from where it was left. Returns -1 with an exception. */
static int keep_to(shallow_t *of, Py_ssize_t stop)
{
    const char *data = of->html;

    return append_bytes(&of->kept, data + of->done * of->kind, (size_t)((stop - of->done) * of->kind));
}

/* Reads the tags. Returns 0 if names are not in ASCII, -1 with an exception, else 1. */
static int drop_deep_tags(shallow_t *of, PyObject *page, PyObject *flat, PyObject *formatting, Py_ssize_t max_depth,
                          Py_ssize_t max_formatting)
{
    Py_ssize_t at = 0, depth = 0, open = 0, foreign = 0, start;
    markup_tag_t tag;

    while ((at = PyUnicode_FindChar(page, '<', at, of->length, 1)) >= 0) {
        bool is_formatting, is_foreign, drops = false;
        Py_ssize_t name, length;
        start = at;
        if (shallow_char(of, at + 1) == 0x17F) return 0; /* an s in another case */
        if (has_word_at(of, at, "<!--")) {
            at = comment_end(of, at);
            continue;
        }
        at = read_tag(of->kind, of->html, of->length, at, &tag);
        if (tag.length > MAX_TAG_NAME) return 0;
        if (tag.length == 0) continue;
        name = start + 1 + tag.is_end;
        for (length = tag.length; name + length < of->length && !ends_name(shallow_char(of, name + length)); length++)
            if (shallow_char(of, name + length) >= 0x80) return 0;
        if (!tag.is_end && ((tag.length == 6 && has_word_at(of, name, "script")) || (tag.length == 5 && has_word_at(of, name, "style"))) &&
            name + length < of->length) {
            if ((at = code_end(of, name + length, tag.length == 6 ? "script" : "style")) < 0) return 0;
            continue;
        }
        if (shallow_char(of, at) == '>') at++;
        if (has_word(flat, tag.name, tag.length)) continue;
        if (foreign && at - start > 1 && shallow_char(of, at - 1) == '>' && shallow_char(of, at - 2) == '/') continue;
        is_foreign = (length == 3 && has_word_at(of, name, "svg")) || (length == 4 && has_word_at(of, name, "math"));
        if (is_foreign) foreign += tag.is_end ? -(foreign > 0) : 1;
        is_formatting = has_word(formatting, tag.name, tag.length);
        if (!tag.is_end) {
            dropped_t one = {name, length};
            drops = depth >= max_depth || (is_formatting && open >= max_formatting);
            if (drops && append_bytes(&of->dropped, &one, sizeof one) < 0) return -1;
            depth += !drops;
            open += !drops && is_formatting;
        } else if (is_last_dropped(of, name, length)) {
            of->dropped.length -= sizeof(dropped_t);
            drops = true;
        } else if (depth > 0) {
            depth--;
            open -= is_formatting && open > 0;
        }
        if (!drops) continue;
        if (keep_to(of, start) < 0) return -1;
        of->done = at;
    }
    return at == -2 || keep_to(of, of->length) < 0 ? -1 : 1;
}

PyDoc_STRVAR(limit_depth_doc, "limit_depth(html, flat, formatting, max_depth, max_formatting)\n--\n\n"
"As limits._limit_depth; None if it is to be asked.");

static PyObject *core_limit_depth(PyObject *module, PyObject *args)
{
    PyObject *html, *flat, *formatting, *out = NULL;
    Py_ssize_t max_depth, max_formatting;
    shallow_t shallow = {0};
    int status;

    if (!PyArg_ParseTuple(args, "UO!O!nn", &html, &PyTuple_Type, &flat, &PyTuple_Type, &formatting, &max_depth,
                          &max_formatting)) return NULL;
    shallow.kind = (int)PyUnicode_KIND(html);
    shallow.html = PyUnicode_DATA(html);
    shallow.length = PyUnicode_GET_LENGTH(html);
    status = drop_deep_tags(&shallow, html, flat, formatting, max_depth, max_formatting);
    if (status == 0) out = Py_NewRef(Py_None);
    else if (status > 0)
        out = PyUnicode_FromKindAndData(shallow.kind, shallow.kept.data ? shallow.kept.data : "",
                                        (Py_ssize_t)shallow.kept.length / shallow.kind);
    PyMem_RawFree(shallow.kept.data);
    PyMem_RawFree(shallow.dropped.data);
    return out;
}
