/* Markup for jusText's paragraphs, in UTF-8: as justext_markup.py, which is the reference. `_core.c` includes it.
 *
 * Where a name may have a letter that only regular expressions take for one of ASCII, the markup is left to Python.
 */

/* The markup, what is written of it, and whether it is left to Python: it is unusual, or there is no memory. */
typedef struct {
    const char *start, *end;
    buffer_t out;
    bool is_unusual;
} markup_cut_t;

static const char *find_text(const char *at, const char *end, const char *what)
{
    return at && at < end ? memmem(at, (size_t)(end - at), what, strlen(what)) : NULL;
}

static const char *find_char(const char *at, const char *end, char what)
{
    return at && at < end ? memchr(at, what, (size_t)(end - at)) : NULL;
}

/* Where one character follows another, both in ASCII; NULL if they are nowhere. */
static const char *find_pair(const char *at, const char *end, char first, char second)
{
#ifdef __SSE2__
    const __m128i all_first = _mm_set1_epi8(first), all_second = _mm_set1_epi8(second);
    for (; end - at > 16; at += 16) {
        __m128i one = _mm_loadu_si128((const __m128i *)(const void *)at), other = _mm_loadu_si128((const __m128i *)(const void *)(at + 1));
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(one, all_first), _mm_cmpeq_epi8(other, all_second)));
        if (found) return at + __builtin_ctz(found);
    }
#endif
    for (; end - at > 1; at++)
        if (at[0] == first && at[1] == second) return at;
    return NULL;
}

static void write_part(markup_cut_t *cut, const char *from, const char *end)
{
    if (append_bytes(&cut->out, from, (size_t)(end - from)) < 0) cut->is_unusual = true;
}

/* What is behind the last `>`: tags that are not closed would be read to the end of the page, each. */
static const char *last_tag_end(const markup_cut_t *cut)
{
    const char *end = cut->end;

    while (end > cut->start && end[-1] != '>') end--;
    return end;
}

/* What is behind a name in lower case, if it stands here in any case; else NULL. */
static const char *behind_name(markup_cut_t *cut, const char *at, const char *name)
{
    for (; *name; name++, at++) {
        if (at >= cut->end) return NULL;
        if ((unsigned char)*at >= 0x80) cut->is_unusual = true;
        if (lower(*at) != *name) return NULL;
    }
    return at;
}

/* Which of some names stands here, and what is behind it in *behind*; NULL for none. */
static const char *name_here(markup_cut_t *cut, const char *at, const char *const *names, const char **behind)
{
    for (; *names; names++)
        if ((*behind = behind_name(cut, at, *names)) != NULL) return *names;
    return NULL;
}

static bool is_space_here(const markup_cut_t *cut, const char *at)
{
    return at < cut->end && space_at(at, cut->end) != 0;
}

/* Whether a name that ends here is that of a tag: white space, `/` or `>` follows. */
static bool is_name_end(const markup_cut_t *cut, const char *at)
{
    return at < cut->end && (*at == '/' || *at == '>' || is_space_here(cut, at));
}

/* As justext_markup._find_end_tag. */
static const char *find_end_tag(const markup_cut_t *cut, const char *name, const char *at)
{
    size_t length = strlen(name);

    while ((at = find_pair(at, cut->end, '<', '/')) != NULL) {
        size_t same = 0;
        at += 2;
        if ((size_t)(cut->end - at) <= length) return NULL;
        while (same < length && lower(at[same]) == name[same]) same++;
        if (same == length && at[length] && strchr(" \t\n\r\f/>", at[length])) return at - 2;
    }
    return NULL;
}

/* ---- scripts, styles and comments */

/* What is behind the script, style or frame that begins here; NULL if it does not end. *keep*: it stays. */
static const char *behind_code(markup_cut_t *cut, const char *name, const char *behind, bool *keep)
{
    const char *inside = find_char(behind, cut->end, '>') + 1, *end, *at, *comment, *script;

    if (inside - behind >= 3 && inside[-2] == '/' && (inside[-3] == '"' || inside[-3] == '\'' || inside[-3] == ' ')) return inside;
    if ((end = find_end_tag(cut, name, inside)) == NULL || (at = find_char(end, cut->end, '>')) == NULL) return NULL;
    comment = find_text(inside, end, "<!--");
    script = comment ? find_text(inside, end, "<script") : NULL;
    *keep = strcmp(name, "iframe") == 0 || script != NULL;
    return at + 1;
}

/* What is behind the comment that begins here; NULL if it does not end. */
static const char *behind_comment(const markup_cut_t *cut, const char *start)
{
    const char *end = find_text(start + 2, cut->end, "-->");

    return end ? end + 3 : NULL;
}

/* As justext_markup._without_code: writes the markup. */
static void cut_code(markup_cut_t *cut)
{
    static const char *const CODE[] = {"script", "style", "iframe", NULL};
    const char *done = cut->start, *at = cut->start, *last = last_tag_end(cut), *behind = NULL;

    while ((at = find_char(at, last, '<')) != NULL) {
        const char *start = at++, *name;
        bool keep = false;
        if (at < last && (*at == '!' || *at == '?')) {
            if (last - at > 2 && memcmp(at, "!--", 3) == 0) at = behind_comment(cut, start);
            else if (behind_name(cut, at + 1, "doctype")) continue;
            else at = find_char(at + 1, cut->end, '>') + 1;
        } else if (at < last && (lower(*at) == 's' || lower(*at) == 'i' || (unsigned char)*at == 0xC4 || (unsigned char)*at == 0xC5)) {
            name = name_here(cut, at, CODE, &behind);
            if (name == NULL || !is_name_end(cut, behind)) continue;
            at = behind_code(cut, name, behind, &keep);
        } else continue;
        if (at == NULL) break;
        if (keep) continue;
        write_part(cut, done, start);
        done = at;
    }
    write_part(cut, done, cut->end);
}

/* ---- the head */

/* What is behind a tag whose attributes begin here, whose values may have `>` in quotes; NULL if it does not end. */
static const char *behind_quoted(const markup_cut_t *cut, const char *at)
{
    for (; at < cut->end; at++) {
        const char *quote = at + 1, *close;
        if (*at == '>') return at + 1;
        if (*at != '=') continue;
        while (is_space_here(cut, quote)) quote += space_at(quote, cut->end);
        if (quote < cut->end && (*quote == '"' || *quote == '\'') && (close = find_char(quote + 1, cut->end, *quote)) != NULL) at = close;
    }
    return NULL;
}

/* As `\b` behind a name. */
static bool is_word_end(markup_cut_t *cut, const char *at)
{
    if (at >= cut->end) return true;
    if ((unsigned char)*at >= 0x80) cut->is_unusual = true;
    return !Py_ISALNUM(*at) && *at != '_';
}

enum head_part { NO_PART, OTHER_PART, HEAD_START, HEAD_END, ELEMENT_PART };

/* What stands here of what may precede the end of the head, and moves behind it: see justext_markup._HEAD_PART. */
static enum head_part read_head_part(markup_cut_t *cut, const char **at, const char **element)
{
    static const char *const FIELDS[] = {"html", "meta", "link", "base", NULL}, *const ELEMENTS[] = {"noscript", "template", "title", NULL};
    const char *name, *behind = NULL;
    bool is_end;

    if (is_space_here(cut, *at)) {
        while (is_space_here(cut, *at)) *at += space_at(*at, cut->end);
        return OTHER_PART;
    }
    if (*at >= cut->end || **at != '<') return NO_PART;
    name = *at + 1;
    if (name < cut->end && *name == '!') return (*at = behind_quoted(cut, name + 1)) ? OTHER_PART : NO_PART;
    is_end = name < cut->end && *name == '/';
    name += is_end;
    if (name_here(cut, name, FIELDS, &behind) && is_word_end(cut, behind))
        return (*at = behind_quoted(cut, behind)) ? OTHER_PART : NO_PART;
    if ((behind = behind_name(cut, name, "head")) != NULL && (is_space_here(cut, behind) || (behind < cut->end && *behind == '>')))
        return (behind = find_char(behind, cut->end, '>')) ? *at = behind + 1, is_end ? HEAD_END : HEAD_START : NO_PART;
    if (is_end || (*element = name_here(cut, name, ELEMENTS, &behind)) == NULL || !is_name_end(cut, behind)) return NO_PART;
    *at = behind;
    return ELEMENT_PART;
}

/* As justext_markup._without_head: writes the markup. */
static void cut_head(markup_cut_t *cut)
{
    const char *at = cut->start, *before, *start = NULL, *element, *end;
    enum head_part part = OTHER_PART;

    while (part != NO_PART && part != HEAD_END) {
        before = at;
        part = read_head_part(cut, &at, &element);
        if (part == NO_PART) at = before;
        else if (part == HEAD_START) start = before;
        else if (part == ELEMENT_PART) {
            if ((end = find_end_tag(cut, element, at)) == NULL) {
                write_part(cut, cut->start, cut->end);
                return;
            }
            at = (end = find_char(end, cut->end, '>')) ? end + 1 : cut->end;
        }
    }
    if (start) write_part(cut, cut->start, start);
    write_part(cut, start ? at : cut->start, cut->end);
}

/* ---- tags that libxml2 reads in another way */

/* As justext_markup._BREAK_END: writes the markup without end tags of line breaks. */
static void cut_break_ends(markup_cut_t *cut)
{
    const char *done = cut->start, *at = cut->start, *last = last_tag_end(cut);

    while ((at = find_pair(at, last, '<', '/')) != NULL) {
        const char *behind = behind_name(cut, at + 2, "br"), *close = NULL;
        if (behind && is_name_end(cut, behind)) close = find_char(behind, last, '>');
        if (close == NULL) {
            at += 2;
            continue;
        }
        write_part(cut, done, at);
        done = at = close + 1;
    }
    write_part(cut, done, cut->end);
}

/* The length of the name of a tag that ends with `/>` at *end* and that libxml2 takes for an element without content: see
 * justext_markup._XML_EMPTY; 0 for others. */
static size_t xml_empty_name(markup_cut_t *cut, const char *start, const char *end)
{
    static const char *const NAMES[] = {"button", "iframe", "select", "style", "textarea", "h1", "h2", "h3", "h4", "h5", "h6", "a", NULL};
    const char *behind = NULL, *last;
    size_t space;

    if (start == end || (unsigned char)*start >= 0x80 || !name_here(cut, start, NAMES, &behind) || behind > end) return 0;
    if (behind == end) return (size_t)(behind - start);
    if ((space = space_at(behind, end)) == 0) return 0;
    last = char_before(behind, end);
    if (behind + space < end && (find_char(behind, end, '>') || (*last != '"' && *last != '\'' && !space_at(last, end)))) return 0;
    return (size_t)(behind - start);
}

/* As justext_markup._close_xml_empty: writes the markup with end tags. */
static void close_xml_empty(markup_cut_t *cut)
{
    static const char CLOSE[] = "></ "; /* around the name */
    const char *done = cut->start, *part = cut->start, *at;

    for (; (at = find_pair(part, cut->end, '/', '>')) != NULL; part = at + 2) {
        const char *tag = at;
        size_t name;
        while (tag > part && tag[-1] != '<') tag--;
        if ((name = xml_empty_name(cut, tag, at)) == 0) continue;
        write_part(cut, done, at);
        write_part(cut, CLOSE, CLOSE + 3);
        write_part(cut, tag, tag + name);
        write_part(cut, CLOSE + 3, CLOSE + 4);
        done = at;
    }
    write_part(cut, done, cut->end);
}

/* ---- all of it */

/* Does one thing after the other to UTF-8. Returns bytes, None for markup that is left to Python, or NULL with an exception. */
static PyObject *changed_markup(PyObject *utf8, void (*const *changes)(markup_cut_t *))
{
    markup_cut_t cut = {.start = PyBytes_AS_STRING(utf8), .end = PyBytes_AS_STRING(utf8) + PyBytes_GET_SIZE(utf8)};
    buffer_t before = {0};
    PyObject *out = NULL;

    for (; *changes && !cut.is_unusual; changes++) {
        cut.out = (buffer_t){0};
        if (reserve((void **)&cut.out.data, 0, &cut.out.capacity, (size_t)(cut.end - cut.start) + 1, 1) < 0) cut.is_unusual = true;
        else (*changes)(&cut);
        PyMem_RawFree(before.data);
        before = cut.out;
        cut.start = before.data;
        cut.end = before.data + before.length;
    }
    if (!PyErr_Occurred()) out = cut.is_unusual ? Py_NewRef(Py_None) : PyBytes_FromStringAndSize(before.data, (Py_ssize_t)before.length);
    PyMem_RawFree(before.data);
    return out;
}

PyDoc_STRVAR(without_code_and_head_doc, "without_code_and_head(utf8)\n--\n\n"
"UTF-8 as justext_markup._without_code and _without_head leave it; None for markup that is left to Python.");

static PyObject *core_without_code_and_head(PyObject *module, PyObject *utf8)
{
    static void (*const CHANGES[])(markup_cut_t *) = {cut_code, cut_head, NULL};

    if (!PyBytes_Check(utf8)) return PyErr_Format(PyExc_TypeError, "expected bytes");
    return changed_markup(utf8, CHANGES);
}

/* Whether a tag may be that of a template. */
static bool may_have_template(PyObject *utf8)
{
    markup_cut_t cut = {.start = PyBytes_AS_STRING(utf8), .end = PyBytes_AS_STRING(utf8) + PyBytes_GET_SIZE(utf8)};

    for (int i = 0; i < 2; i++)
        for (const char *at = cut.start; (at = find_pair(at, cut.end, '<', i ? 't' : 'T')) != NULL;)
            if (behind_name(&cut, ++at, "template")) return true;
    return false;
}

PyDoc_STRVAR(with_xml_tags_doc, "with_xml_tags(utf8)\n--\n\n"
"UTF-8 without end tags of line breaks, and with those of elements that XML would close; and whether it may have templates.\n"
"None for markup that is left to Python.");

static PyObject *core_with_xml_tags(PyObject *module, PyObject *utf8)
{
    static void (*const CHANGES[])(markup_cut_t *) = {cut_break_ends, close_xml_empty, NULL};
    PyObject *out;

    if (!PyBytes_Check(utf8)) return PyErr_Format(PyExc_TypeError, "expected bytes");
    if ((out = changed_markup(utf8, CHANGES)) == NULL || out == Py_None) return out;
    return Py_BuildValue("(NO)", out, may_have_template(out) ? Py_True : Py_False);
}
