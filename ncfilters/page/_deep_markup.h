/* Markup without tags that are nested too deep: as limits._limit_depth. `_core.c` includes it. */

/* A name: where it is, and its letters as a number. */
typedef struct {
    Py_ssize_t at, length;
    uint64_t hash;
} tag_name_t;

/* An open element, and where the last one is, up to it, of templates, of scopes, of special elements, and of what is in
 * no drawing. */
typedef struct {
    tag_name_t name;
    int sets;
    Py_ssize_t last_template, last_scope, last_special, last_html;
} open_element_t;

/* The sets of names of limits._depth_bounds, in their order. */
enum {
    FLAT_SET = 1, FORMATTING_SET = 2, SCOPE_SET = 4, BLOCK_SET = 8, SPECIAL_SET = 16, ALONE_SET = 32, NOT_IN_DRAWINGS_SET = 64,
    ANY_SPECIAL_SET = SCOPE_SET | BLOCK_SET | SPECIAL_SET,
    IN_TEXT_SET = BLOCK_SET | SPECIAL_SET | NOT_IN_DRAWINGS_SET,
    LEAVING_SET = 128,
    NUM_SETS = 8,
    /* single names */
    DRAWING_NAME = 256, TABLE_NAME = 512, TEMPLATE_NAME = 1024, LI_NAME = 2048, TERM_NAME = 4096, PASSED_NAME = 8192
};

enum { MAX_KNOWN_NAMES = 192, MAX_OPEN_ELEMENTS = 1000000 };
typedef struct {
    uint64_t hashes[MAX_KNOWN_NAMES];
    const char *words[MAX_KNOWN_NAMES];
    int sets[MAX_KNOWN_NAMES];
    size_t count;
} known_names_t;

/* What stays of a page: so far, all up to *done* but what is not in *kept*. */
typedef struct {
    int kind;
    const void *html;
    Py_ssize_t length, done;
    buffer_t kept, dropped; /* characters as in the page; items of tag_name_t */
    known_names_t known;
    Py_ssize_t max_depth, max_formatting;
    open_element_t *open; /* up to max_depth */
    Py_ssize_t depth;
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

static inline uint64_t add_to_hash(uint64_t hash, char letter)
{
    return (hash ^ (uint8_t)lower(letter)) * 0x100000001b3;
}

/* The name at a place, which is in ASCII. */
static tag_name_t tag_name_of(const shallow_t *of, Py_ssize_t at, Py_ssize_t length)
{
    tag_name_t name = {at, length, 0};

    for (Py_ssize_t i = 0; i < length; i++) name.hash = add_to_hash(name.hash, (char)shallow_char(of, at + i));
    return name;
}

static inline bool is_same_tag_name(const shallow_t *of, const tag_name_t *one, const tag_name_t *other)
{
    if (one->hash != other->hash || one->length != other->length) return false;
    for (Py_ssize_t i = 0; i < one->length; i++)
        if (lower((char)shallow_char(of, one->at + i)) != lower((char)shallow_char(of, other->at + i))) return false;
    return true;
}

/* Whether a name is that of the tag that was left out last. */
static bool is_last_dropped(const shallow_t *of, const tag_name_t *name)
{
    return of->dropped.length > 0 &&
        is_same_tag_name(of, name, (const tag_name_t *)(const void *)(of->dropped.data + of->dropped.length - sizeof *name));
}

/* Adds a word in ASCII, in lower case, to the names of some sets. Returns false if there are too many. */
static bool know_name(known_names_t *known, const char *word, int sets)
{
    uint64_t hash = 0;
    size_t at;

    for (const char *letter = word; *letter; letter++) hash = add_to_hash(hash, *letter);
    for (at = 0; at < known->count && strcmp(known->words[at], word) != 0; at++) {}
    if (at == MAX_KNOWN_NAMES) return false;
    if (at == known->count) {
        known->sets[at] = 0;
        known->count++;
    }
    known->hashes[at] = hash;
    known->words[at] = word;
    known->sets[at] |= sets;
    return true;
}

/* Fills the known names from a sequence of sequences of words. Returns -1 with an exception. */
static int know_names(known_names_t *known, PyObject *sets)
{
    bool fits = PyTuple_GET_SIZE(sets) == NUM_SETS;

    for (Py_ssize_t at = 0; fits && at < NUM_SETS; at++) {
        PyObject *words = PyTuple_GET_ITEM(sets, at);
        fits = PyTuple_Check(words);
        for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(words); i++) {
            PyObject *word = PyTuple_GET_ITEM(words, i);
            fits = PyUnicode_Check(word) && PyUnicode_IS_ASCII(word) && know_name(known, PyUnicode_DATA(word), 1 << at);
        }
    }
    fits = fits && know_name(known, "svg", DRAWING_NAME) && know_name(known, "math", DRAWING_NAME) &&
        know_name(known, "table", TABLE_NAME) && know_name(known, "template", TEMPLATE_NAME) &&
        know_name(known, "li", LI_NAME) && know_name(known, "dd", TERM_NAME) && know_name(known, "dt", TERM_NAME) &&
        know_name(known, "div", PASSED_NAME) && know_name(known, "address", PASSED_NAME);
    if (!fits) PyErr_SetString(PyExc_ValueError, "too many names, or not eight tuples of names");
    return fits ? 0 : -1;
}

/* The sets that have a name. */
static int sets_of(const shallow_t *of, const tag_name_t *name)
{
    const known_names_t *known = &of->known;

    for (size_t at = 0; at < known->count; at++)
        if (known->hashes[at] == name->hash && (size_t)name->length == strlen(known->words[at]) && has_word_at(of, name->at, known->words[at]))
            return known->sets[at];
    return 0;
}

/* As nesting.OpenElements._leave_drawings. */
static void leave_drawings(shallow_t *of, int sets)
{
    while (sets & LEAVING_SET && of->depth > 0 && of->open[of->depth - 1].sets & DRAWING_NAME) of->depth--;
}

/* As nesting.OpenElements._close_item, of the elements with this bit. */
static void close_list_item(shallow_t *of, int bit)
{
    for (Py_ssize_t at = of->depth - 1; at >= 0; at--) {
        int sets = of->open[at].sets;
        if (sets & bit) {
            of->depth = at;
            return;
        }
        if (sets & ANY_SPECIAL_SET && !(sets & PASSED_NAME)) return;
    }
}

/* As nesting.OpenElements._in_drawing. */
static bool is_tag_in_drawing(const shallow_t *of)
{
    const open_element_t *last = &of->open[of->depth - 1];

    return of->depth > 0 && last->last_scope == last->last_html && last->last_scope >= 0 &&
        of->open[last->last_scope].sets & DRAWING_NAME;
}

/* As nesting.OpenElements.start. */
static void start_tag_of(shallow_t *of, const tag_name_t *name, int sets)
{
    open_element_t *own;

    leave_drawings(of, sets);
    if (sets & (LI_NAME | TERM_NAME)) close_list_item(of, sets & (LI_NAME | TERM_NAME));
    own = &of->open[of->depth];
    if (of->depth) *own = own[-1];
    else own->last_template = own->last_scope = own->last_special = own->last_html = -1;
    own->name = *name;
    own->sets = sets;
    if (sets & TEMPLATE_NAME) own->last_template = of->depth;
    if (sets & SCOPE_SET) own->last_scope = of->depth;
    if (sets & ANY_SPECIAL_SET) own->last_special = of->depth;
    if (sets & (ANY_SPECIAL_SET | NOT_IN_DRAWINGS_SET)) own->last_html = of->depth;
    of->depth++;
}

/* As OpenElements.end. */
static void end_tag_of(shallow_t *of, const tag_name_t *name, int sets)
{
    const open_element_t *last = &of->open[of->depth - 1];
    Py_ssize_t stop;

    if (of->depth == 0) return;
    if (sets & ALONE_SET) stop = of->depth - 1;
    else if (sets & TABLE_NAME) stop = last->last_template;
    else if (sets & DRAWING_NAME) stop = last->last_html;
    else stop = sets & BLOCK_SET ? last->last_scope : last->last_special;
    for (Py_ssize_t at = of->depth - 1; at >= stop && at >= 0; at--)
        if (is_same_tag_name(of, name, &of->open[at].name)) {
            of->depth = at;
            return;
        }
}

/* As OpenElements.is_closed. */
static bool is_closed_element(const shallow_t *of, int sets)
{
    if (sets & DRAWING_NAME) return true;
    return !(sets & (TABLE_NAME | IN_TEXT_SET)) && is_tag_in_drawing(of);
}

static inline bool is_html_space(Py_UCS4 c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* As nesting.ends_itself, of the tag from *start* to *end*. */
static bool tag_ends_itself(const shallow_t *of, Py_ssize_t start, Py_ssize_t end, Py_ssize_t length)
{
    Py_ssize_t before = end - 2;
    Py_UCS4 c;

    if (before <= start || shallow_char(of, end - 1) != '>' || shallow_char(of, before) != '/') return false;
    while (is_html_space(shallow_char(of, before - 1))) before--;
    c = shallow_char(of, before - 1);
    return c == '"' || c == '\'' || before - start == length + 1 || (before < end - 2 && c != '=');
}

/* Keeps the page up to *stop*, from where it was left. Returns -1 with an exception. */
static int keep_to(shallow_t *of, Py_ssize_t stop)
{
    const char *data = of->html;

    return append_bytes(&of->kept, data + of->done * of->kind, (size_t)((stop - of->done) * of->kind));
}

/* Reads the tags. Returns 0 if names are not in ASCII, -1 with an exception, else 1; and 0 for the first tag that is to be
 * dropped if *looks_only*. */
static int drop_deep_tags(shallow_t *of, PyObject *page, bool looks_only)
{
    Py_ssize_t at = 0, formatting = 0, start;
    markup_tag_t tag;

    while ((at = PyUnicode_FindChar(page, '<', at, of->length, 1)) >= 0) {
        bool is_formatting, drops = false;
        Py_ssize_t place, length;
        int sets;
        start = at;
        if (shallow_char(of, at + 1) == 0x17F) return 0; /* an s in another case */
        if (has_word_at(of, at, "<!--")) {
            at = comment_end(of, at);
            continue;
        }
        at = read_tag(of->kind, of->html, of->length, at, &tag);
        if (tag.length > MAX_TAG_NAME) return 0;
        if (tag.length == 0) continue;
        place = start + 1 + tag.is_end;
        for (length = tag.length; place + length < of->length && !ends_name(shallow_char(of, place + length)); length++)
            if (shallow_char(of, place + length) >= 0x80) return 0;
        if (!tag.is_end && ((tag.length == 6 && has_word_at(of, place, "script")) || (tag.length == 5 && has_word_at(of, place, "style"))) &&
            place + length < of->length) {
            if ((at = code_end(of, place + length, tag.length == 6 ? "script" : "style")) < 0) return 0;
            continue;
        }
        if (shallow_char(of, at) == '>') at++;
        tag_name_t name = tag_name_of(of, place, length);
        sets = sets_of(of, &name);
        if (sets & FLAT_SET && (sets & LEAVING_SET || !is_tag_in_drawing(of))) {
            if (!tag.is_end) leave_drawings(of, sets);
            if (of->depth) of->open[of->depth - 1].last_html = of->depth;
            continue;
        }
        is_formatting = (sets & FORMATTING_SET) != 0;
        if (!tag.is_end) {
            if (tag_ends_itself(of, start, at, length) && is_closed_element(of, sets)) continue;
            drops = of->depth >= of->max_depth || (is_formatting && formatting >= of->max_formatting);
            if (drops && looks_only) return 0;
            if (drops && append_bytes(&of->dropped, &name, sizeof name) < 0) return -1;
            if (!drops) start_tag_of(of, &name, sets);
            formatting += !drops && is_formatting;
        } else if (is_last_dropped(of, &name)) {
            of->dropped.length -= sizeof name;
            drops = true;
        } else {
            end_tag_of(of, &name, sets);
            formatting -= is_formatting && formatting > 0;
        }
        if (!drops) continue;
        if (keep_to(of, start) < 0) return -1;
        of->done = at;
    }
    return at == -2 ? -1 : 1;
}

/* Reads the tags of a page, for the arguments of a function. Returns as drop_deep_tags. */
static int read_depth(shallow_t *of, PyObject *args, bool looks_only)
{
    PyObject *html, *sets;

    memset(of, 0, sizeof *of);
    if (!PyArg_ParseTuple(args, "UO!nn", &html, &PyTuple_Type, &sets, &of->max_depth, &of->max_formatting)) return -1;
    if (know_names(&of->known, sets) < 0) return -1;
    if (of->max_depth < 0 || of->max_depth > MAX_OPEN_ELEMENTS) {
        PyErr_SetString(PyExc_ValueError, "a depth out of range");
        return -1;
    }
    of->open = PyMem_RawCalloc((size_t)of->max_depth + 1, sizeof *of->open);
    if (of->open == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    of->open++; /* for the element around the first */
    of->kind = (int)PyUnicode_KIND(html);
    of->html = PyUnicode_DATA(html);
    of->length = PyUnicode_GET_LENGTH(html);
    return drop_deep_tags(of, html, looks_only);
}

static void free_shallow(shallow_t *of)
{
    if (of->open) PyMem_RawFree(of->open - 1);
    PyMem_RawFree(of->kept.data);
    PyMem_RawFree(of->dropped.data);
}

PyDoc_STRVAR(may_be_deep_doc, "may_be_deep(html, names, max_depth, max_formatting)\n--\n\n"
"Whether limits._limit_depth may drop a tag.");

static PyObject *core_may_be_deep(PyObject *module, PyObject *args)
{
    shallow_t shallow;
    int status = read_depth(&shallow, args, true);

    free_shallow(&shallow);
    return status < 0 ? NULL : PyBool_FromLong(status == 0);
}

PyDoc_STRVAR(limit_depth_doc, "limit_depth(html, names, max_depth, max_formatting)\n--\n\n"
"As limits._limit_depth; None if it is to be asked.");

static PyObject *core_limit_depth(PyObject *module, PyObject *args)
{
    PyObject *out = NULL;
    shallow_t shallow;
    int status = read_depth(&shallow, args, false);

    if (status > 0) status = keep_to(&shallow, shallow.length) < 0 ? -1 : 1;
    if (status == 0) out = Py_NewRef(Py_None);
    else if (status > 0)
        out = PyUnicode_FromKindAndData(shallow.kind, shallow.kept.data ? shallow.kept.data : "",
                                        (Py_ssize_t)shallow.kept.length / shallow.kind);
    free_shallow(&shallow);
    return out;
}
