/* Title, site, authors and fields of pages that say them as most do, in one call: as metadata/page_metadata.py, which reads all others.
 * `_core.c` includes it.
 */

static struct {
    PyObject *site, *title, *author, *name;   /* fields */
    PyObject *sources, *byline, *inverted;    /* those of sites, the most trusted first; that of bylines, and that of "Lee, Ann" */
    PyObject *by_title, *by_url, *of_paper;   /* evidence */
    PyObject *forum_words;                    /* owner of the next */
    listed_words_t forums;                    /* what addresses of forums have */
    PyObject *no_titles, *edge, *no_name;     /* a set, in folded case; characters beside the name of a site, and those that none has */
    Py_ssize_t max_author_chars, max_untitled, max_words[2]; /* words of names behind a title and before it */
} usual;

/* What a page says, and what it is compared with. All but the site are borrowed. */
typedef struct {
    PyObject *by_field, *title, *window, *headings, *site_names, *url; /* the title of the window, and as one line */
    PyObject *said; /* of the title; NULL for nothing */
    bool has_own;   /* headings */
    site_t site;
} usual_t;

/* ---- the title of the window */

/* Whether a title goes on with the title of the window after a sign, as it does after the name of a site. */
static int has_window_after_sign(usual_t *in, PyObject *text)
{
    PyObject *line = title_line(&in->site, text), *rest;
    Py_ssize_t length = line ? PyUnicode_GET_LENGTH(line) : 0;

    for (Py_ssize_t at = 0; at + 2 < length; at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(line, at), next = PyUnicode_READ_CHAR(line, at + 1);
        Py_ssize_t behind = c == ':' && next == ' ' ? at + 2
                          : c == ' ' && next == '-' && PyUnicode_READ_CHAR(line, at + 2) == ' ' ? at + 3 : length;
        if (behind >= length) continue;
        if ((rest = part_in(&in->site, line, behind, length)) == NULL) return -1;
        if (PyUnicode_Tailmatch(in->window, rest, 0, PyUnicode_GET_LENGTH(in->window), -1)) return 1;
    }
    return line ? 0 : -1;
}

static bool has_part_of_ascii(bytes_t text, const char *part)
{
    return memmem(text.at, text.size, part, strlen(part)) != NULL;
}

/* Whether a heading has the key of a text, which may be NULL with an exception. */
static int has_heading(usual_t *in, PyObject *text)
{
    PyObject *key = text ? key_in(&in->site, text) : NULL;

    if (key == NULL) return -1;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(in->headings); at++) {
        PyObject *own = key_in(&in->site, PyList_GET_ITEM(in->headings, at));
        if (own == NULL) return -1;
        if (is_same(own, key)) return 1;
    }
    return 0;
}

/* Whether a heading is what the title of the window has in brackets at its end. */
static int has_heading_in_brackets(usual_t *in, bytes_t text)
{
    size_t start = text.size;

    while (start > 0 && text.at[start - 1] != '[') start--;
    return has_heading(in, owned_by(&in->site, string_of_text((bytes_t){text.at + start, text.size - start})));
}

/* Whether a heading is the name of a manual in its menu, as visible_metadata.drop_menu. */
static int has_menu(usual_t *in)
{
    separators_t found;

    if (in->has_own || PyList_GET_SIZE(in->headings) == 0 || !has_parts(&in->site, in->title, &found)) return 0;
    return has_heading(in, part_in(&in->site, in->title, found.behind, PyUnicode_GET_LENGTH(in->title)));
}

/* Whether window_title.py may take something from the title of the window, or find the name of the site in it. */
static int has_unusual_window(usual_t *in)
{
    static const char *const SIGNS[] = {"- by ", "| by ", "\xE2\x80\x93 by ", "\xE2\x80\x94 by "};
    static const char *const PARTS[] = {"< ", "iew t", " : ", " / ", " _ ", " \xE2\x80\xB9 ", " \xE2\x86\x90 "};
    Py_ssize_t length = PyUnicode_GET_LENGTH(in->window);
    const uint8_t *colon, *space;
    bytes_t text;

    if (bytes_of(in->window, &text) < 0) return -1;
    if (text.size && text.at[0] == '(') return 1;
    if (length < usual.max_untitled) {
        PyObject *folded = owned_by(&in->site, PyObject_CallMethod(in->window, "casefold", NULL));
        int is_none = folded ? PySet_Contains(usual.no_titles, folded) : -1;
        if (is_none != 0) return is_none;
    }
    for (size_t at = 0; at < sizeof SIGNS / sizeof *SIGNS; at++)
        if (has_part_of_ascii(text, SIGNS[at])) return 1;
    if (!in->site.has_path || text.size == 0) return 0;
    for (size_t at = 0; at < sizeof PARTS / sizeof *PARTS; at++)
        if (has_part_of_ascii(text, PARTS[at])) return 1;
    space = memchr(text.at, ' ', text.size);
    if (text.at[text.size - 1] == ']') {
        int is_heading_last = has_heading_in_brackets(in, text);
        if (is_heading_last != 0) return is_heading_last;
    }
    if (memchr(text.at, '.', space ? (size_t)(space - text.at) : text.size)) return 1;
    if (in->said && !PyUnicode_Tailmatch(in->window, text_at(in->said, 0), 0, length, -1)) {
        int has_more = has_window_after_sign(in, text_at(in->said, 0));
        if (has_more != 0) return has_more;
    }
    if ((colon = memmem(text.at, text.size, ": ", 2)) == NULL) return 0;
    {
        Py_ssize_t chars = (Py_ssize_t)count_chars((const char *)text.at, (size_t)(colon - text.at));
        PyObject *name = part_in(&in->site, in->window, 0, chars);
        return name ? has_label(&in->site, name) : -1;
    }
}

/* ---- the site */

/* What the most trusted sources say that the site is, as lines, and with it the first name that leads to the front page. */
static PyObject *names_of_site(usual_t *in, PyObject *said)
{
    PyObject *out = PyList_New(0);

    for (Py_ssize_t at = 0; out && said && at < PyList_GET_SIZE(said); at++)
        if (append_new(out, line_of(text_at(said, at), titles.line)) < 0) Py_CLEAR(out);
    if (out && in->site.has_path && PyList_GET_SIZE(in->site_names) && PyList_Append(out, PyList_GET_ITEM(in->site_names, 0)) < 0)
        Py_CLEAR(out);
    return out;
}

/* A text as one line without signs of templates beside it. */
static PyObject *name_without_edge(site_t *site, PyObject *text)
{
    PyObject *line = owned_by(site, line_of(text, titles.line));
    Py_ssize_t start = 0, end = line ? PyUnicode_GET_LENGTH(line) : 0;

    if (line == NULL) return NULL;
    while (start < end && has_character(usual.edge, PyUnicode_READ_CHAR(line, start))) start++;
    while (end > start && has_character(usual.edge, PyUnicode_READ_CHAR(line, end - 1))) end--;
    return start == 0 && end == PyUnicode_GET_LENGTH(line) ? line : part_in(site, line, start, end);
}

static bool is_publisher(PyObject *evidence)
{
    static const char END[] = " publisher";
    Py_ssize_t size = sizeof END - 1, length = PyUnicode_GET_LENGTH(evidence);

    return PyUnicode_IS_ASCII(evidence) && length >= size && memcmp((const char *)PyUnicode_DATA(evidence) + length - size, END, (size_t)size) == 0;
}

/* Whether a part of a title may be a name of at most *most* words, as site_name.is_short_name; -1 if Python has to read it. */
static int is_short_name(PyObject *part, Py_ssize_t most)
{
    Py_ssize_t count = count_words(part);
    bool has_other = false;

    if (!PyUnicode_IS_ASCII(part)) return -1;
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(part); at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(part, at);
        if (Py_ISDIGIT(c)) return -1; /* a year, a version */
        has_other = has_other || has_character(usual.no_name, c);
    }
    return count >= 1 && count <= most && !has_other;
}

/* As site_name.site_in_title; *out* is NULL if there is none. */
static int site_of_window(usual_t *in, PyObject *title_key, PyObject **out)
{
    PyObject *window = in->window, *parts[2][2];
    separators_t found;

    *out = NULL;
    if (!has_parts(&in->site, window, &found)) return 0;
    parts[0][0] = part_in(&in->site, window, found.behind, PyUnicode_GET_LENGTH(window));
    parts[0][1] = part_in(&in->site, window, 0, found.last);
    parts[1][0] = part_in(&in->site, window, 0, found.start);
    parts[1][1] = part_in(&in->site, window, found.end, PyUnicode_GET_LENGTH(window));
    for (int at = 0; at < 2; at++) {
        PyObject *part = parts[at][0], *bare = part && parts[at][1] ? bare_key(&in->site, part) : NULL, *key;
        int is_name = bare ? is_name_of_site(&in->site, bare) : -1;
        if (is_name == 0 && (is_name = has_label(&in->site, part)) == 1) {
            if ((key = key_in(&in->site, part)) == NULL) return -1;
            is_name = !is_same(key, title_key);
        }
        if (is_name < 0) return -1;
        if (is_name) {
            *out = part;
            return 0;
        }
    }
    for (int at = 0; at < 2 && PyUnicode_GET_LENGTH(title_key); at++) { /* it may be the rest of the title */
        PyObject *key = key_in(&in->site, parts[at][1]);
        int is_name = key ? is_same(key, title_key) : -1;
        if (is_name > 0) is_name = is_short_name(parts[at][0], usual.max_words[at]);
        if (is_name < 0) return key ? (in->site.is_unusual = true, 0) : -1;
        if (is_name) {
            *out = parts[at][0];
            return 0;
        }
    }
    return 0;
}

static int is_name_in_host(site_t *site, PyObject *name)
{
    PyObject *key = bare_key(site, name);
    Py_ssize_t chars;

    return key ? has_letters_in_host(site, key, &chars) : -1;
}

/* Replaces a publisher that is not in the host by the name in the title of the window that is. */
static int correct_publisher(usual_t *in, PyObject *title_key, PyObject **name, PyObject **evidence)
{
    int found = is_name_in_host(&in->site, *name);
    PyObject *other;

    if (found != 0) return found < 0 ? -1 : 0;
    if (site_of_window(in, title_key, &other) < 0) return -1;
    if (other == NULL) return 0;
    if ((found = is_name_in_host(&in->site, other)) > 0) *name = other, *evidence = usual.by_title;
    return found < 0 ? -1 : 0;
}

/* The name that the site has by the most trusted source that names no title of the page, and its evidence; without one, NULL. */
static int said_site(usual_t *in, PyObject *said, PyObject *title_key, PyObject **name, PyObject **evidence)
{
    for (Py_ssize_t of = 0; said && of < PyTuple_GET_SIZE(usual.sources); of++) {
        PyObject *source = PyTuple_GET_ITEM(usual.sources, of), *key;
        Py_ssize_t at = 0;
        while (at < PyList_GET_SIZE(said) && !is_same(PyTuple_GET_ITEM(PyList_GET_ITEM(said, at), 0), source)) at++;
        if (at == PyList_GET_SIZE(said)) continue;
        if ((key = key_in(&in->site, text_at(said, at))) == NULL) return -1;
        if (in->site.has_path && is_same(key, title_key)) continue;
        if ((*name = name_without_edge(&in->site, text_at(said, at))) == NULL) return -1;
        if (PyUnicode_GET_LENGTH(*name) == 0 || PyUnicode_GET_LENGTH(*name) > page_fields.max_site_chars) continue;
        *evidence = evidence_at(said, at);
        return is_publisher(*evidence) ? correct_publisher(in, title_key, name, evidence) : 0;
    }
    *name = NULL;
    return 0;
}

/* The host without `www`; NULL with an exception. */
static PyObject *name_of_host(usual_t *in)
{
    PyObject *found = owned_by(&in->site, core_host_and_path(NULL, in->url)), *host;

    if (found == NULL || found == Py_None) {
        in->site.is_unusual = true;
        return found;
    }
    host = PyTuple_GET_ITEM(found, 0);
    if (PyUnicode_GET_LENGTH(host) < 4 || memcmp(PyUnicode_DATA(host), "www.", 4) != 0) return host;
    return part_in(&in->site, host, 4, PyUnicode_GET_LENGTH(host));
}

/* The name of the site and its evidence, as page_metadata._site. */
static int find_site(usual_t *in, PyObject *said, PyObject *title, PyObject **name, PyObject **evidence)
{
    PyObject *empty = owned_by(&in->site, PyUnicode_FromString("")), *key;

    if (empty == NULL || (key = key_in(&in->site, title == Py_None ? empty : PyTuple_GET_ITEM(title, 0))) == NULL) return -1;
    if (said_site(in, said, key, name, evidence) < 0) return -1;
    if (*name || in->site.is_unusual) return 0;
    *evidence = usual.by_title;
    if (site_of_window(in, key, name) < 0) return -1;
    if (*name || in->site.is_unusual) return 0;
    in->site.is_unusual = in->site.has_path && PyList_GET_SIZE(in->site_names) > 0;
    *evidence = usual.by_url;
    return (*name = name_of_host(in)) ? 0 : -1;
}

#include "_usual_authors.h"

/* ---- all of it */

/* A list of names as a tuple, with that of the site and its first part. */
static PyObject *sites_with(site_t *site, PyObject *names, PyObject *name)
{
    Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, PyUnicode_GET_LENGTH(name), 1);
    PyObject *first = dot < 0 ? name : part_in(site, name, 0, dot);

    if (first == NULL || PyList_Append(names, name) < 0 || PyList_Append(names, first) < 0) return NULL;
    return PyList_AsTuple(names);
}

/* The title, with the site where the title of the window says that. */
static PyObject *title_with(usual_t *in, PyObject *sites)
{
    PyObject *none = NULL, *out;

    if (in->said == NULL && (none = PyTuple_New(0)) == NULL) return NULL;
    out = headline_of(in->said ? in->said : none, in->window, in->headings, sites, in->url);
    Py_XDECREF(none);
    in->site.is_unusual |= out == Py_NotImplemented;
    return out;
}

/* Finds title, site and authors; NULL with an exception, or if the page is unusual. */
static PyObject *find_usual(usual_t *in, PyObject *fields)
{
    PyObject *said, *sites = NULL, *title = NULL, *name = NULL, *evidence = NULL, *known = NULL, *authors = NULL, *out = NULL;
    int is_unusual = has_menu(in);

    if (is_unusual == 0) is_unusual = has_unusual_window(in);
    in->site.is_unusual |= is_unusual > 0;
    if (is_unusual != 0 || in->site.is_unusual) return NULL;
    said = statements_in(in->by_field, usual.site);
    if (!PyErr_Occurred() && (sites = names_of_site(in, said)) != NULL && (title = title_with(in, sites)) != NULL &&
        !in->site.is_unusual && find_site(in, said, title, &name, &evidence) == 0 && !in->site.is_unusual) {
        if (evidence == usual.by_title) {
            PyObject *alone = PyList_New(0);
            if (alone && PyList_Append(alone, name) == 0) Py_XSETREF(title, title_with(in, alone));
            else Py_CLEAR(title);
            Py_XDECREF(alone);
        }
        if (title && !in->site.is_unusual && (known = sites_with(&in->site, sites, name)) != NULL &&
            (authors = find_authors(in->by_field, known)) != NULL)
            out = Py_BuildValue("(O(OO)OOO)", title, name, evidence, authors, known, fields);
    }
    Py_XDECREF(sites);
    Py_XDECREF(title);
    Py_XDECREF(known);
    Py_XDECREF(authors);
    return out;
}

/* ---- the record */

/* Adds a field to a record and its evidence, if there is one: (value, evidence). */
static int add_value(PyObject *record, PyObject *evidence, PyObject *name, PyObject *field)
{
    if (field == Py_None) return 0;
    if (PyDict_SetItem(record, name, PyTuple_GET_ITEM(field, 0)) < 0) return -1;
    return PyDict_SetItem(evidence, name, PyTuple_GET_ITEM(field, 1));
}

/* Whether an address may have a day. */
static bool may_have_url_day(bytes_t url)
{
    return has_part_of_ascii(url, "/20") || has_part_of_ascii(url, "/19");
}

/* Whether an address is not that of a forum. */
static bool is_plain_url(PyObject *url)
{
    bytes_t own = {PyUnicode_DATA(url), (size_t)PyUnicode_GET_LENGTH(url)}; /* in ASCII */

    return !may_have_one_of(own, &usual.forums);
}

/* Whether Python has nothing to add to what is found: title, site, authors, names, fields. *has_authors*: whether all that may name
 * authors has been read. */
static bool is_complete(const usual_t *in, PyObject *found, bool has_authors)
{
    PyObject *fields = PyTuple_GET_ITEM(found, 4);
    bytes_t url = {PyUnicode_DATA(in->url), (size_t)PyUnicode_GET_LENGTH(in->url)}; /* in ASCII */

    for (int at = 0; at < READ_FIELDS; at++)
        if (PyTuple_GET_ITEM(fields, at) == Py_NotImplemented) return false;
    if (PyTuple_GET_ITEM(fields, DATE_FIELD) == Py_None && (!is_plain_url(in->url) || may_have_url_day(url))) return false;
    return has_authors || PyTuple_Check(PyTuple_GET_ITEM(found, 2));
}

/* The metadata of a page, in its order, of what is found; NULL with an exception. */
static PyObject *metadata_of(PyObject *found)
{
    PyObject *fields = PyTuple_GET_ITEM(found, 4), *out = PyDict_New(), *evidence = PyDict_New();
    int status = out && evidence ? 0 : -1;

    if (status == 0) status = add_value(out, evidence, usual.title, PyTuple_GET_ITEM(found, 0));
    if (status == 0) status = add_value(out, evidence, usual.author, PyTuple_GET_ITEM(found, 2));
    for (int at = 0; at < READ_FIELDS && status == 0; at++) {
        if (at == LANGUAGE_FIELD) status = add_value(out, evidence, usual.site, PyTuple_GET_ITEM(found, 1));
        if (status == 0) status = add_value(out, evidence, page_fields.names[at], PyTuple_GET_ITEM(fields, at));
    }
    if (status == 0) status = PyDict_SetItemString(out, "evidence", evidence);
    if (status < 0) Py_CLEAR(out);
    Py_XDECREF(evidence);
    return out;
}

/* Title, site, authors, names of the site and fields of a page; None if something is unusual. */
static PyObject *usual_of(usual_t *in, PyObject *language, PyObject *linked)
{
    PyObject *fields, *none, *out = NULL;

    if (PyUnicode_GET_LENGTH(in->url) == 0) Py_RETURN_NONE; /* the canonical address tells the site */
    in->said = statements_in(in->by_field, usual.title);
    if (PyErr_Occurred() || (none = PyList_New(0)) == NULL) return NULL;
    if (open_site(&in->site, none, in->url) == 0 && !in->site.is_unusual &&
        (fields = all_fields(in->by_field, in->url, language, linked)) != NULL) {
        out = find_usual(in, fields);
        Py_DECREF(fields);
    }
    if (out == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) { /* half a pair of surrogates */
        in->site.is_unusual = true;
        PyErr_Clear();
    }
    Py_DECREF(none);
    Py_XDECREF(in->site.owned);
    if (in->site.is_unusual && !PyErr_Occurred()) Py_XSETREF(out, Py_NewRef(Py_None));
    return out;
}

/* The statements of elements that only their class tells, if nobody is named else; NULL if they are not read, or with an exception. */
static PyObject *bylines_for(PyObject *module, PyObject *search, PyObject *mask, PyObject *sources, PyObject *found)
{
    PyObject *given, *out;

    if (!PyTuple_Check(found) || PyTuple_GET_ITEM(found, 2) != Py_None || mask == Py_None) return NULL;
    if (PyDict_Contains(PyTuple_GET_ITEM(sources, 7), usual.byline)) return NULL;
    given = PyTuple_Pack(2, search, mask);
    out = given ? core_bylines(module, given) : NULL;
    Py_XDECREF(given);
    return out;
}

/* Finds the authors whom no tag names, but on pages of forums. Returns whether all that may name them has been read; -1 with an
 * exception. */
static int add_authors(const usual_t *in, PyObject *sources, PyObject *bylines, PyObject **found)
{
    PyObject *own = *found, *authors;

    if (bylines == NULL || !is_plain_url(in->url)) return false;
    authors = find_other_authors(in->by_field, PyTuple_GET_ITEM(sources, 7), bylines, PyTuple_GET_ITEM(own, 3));
    if (authors == NULL || authors == Py_NotImplemented) {
        Py_XDECREF(authors);
        return authors ? false : -1;
    }
    *found = Py_BuildValue("(OONOO)", PyTuple_GET_ITEM(own, 0), PyTuple_GET_ITEM(own, 1), authors, PyTuple_GET_ITEM(own, 3),
                           PyTuple_GET_ITEM(own, 4));
    Py_DECREF(own);
    return *found ? true : -1;
}

PyDoc_STRVAR(usual_metadata_doc, "usual_metadata(search, surveyed, elements, bylines, url)\n--\n\n"
"Of a page, as metadata.page_metadata reads it: None, and the metadata with its evidence; or what `page_sources` returns, and the\n"
"title and its evidence, or None; the site and its evidence; the authors and their evidence, None if nobody is named, or\n"
"NotImplemented if Python has to read them; names of the site, which are no authors; what `page_fields` returns; and what `bylines`\n"
"returns, or None. None instead of these if something is unusual, for which Python has to read all of it. *bylines* may be None.");

static PyObject *core_usual_metadata(PyObject *module, PyObject *args)
{
    PyObject *search, *surveyed, *elements, *mask, *url, *found, *given, *sources, *bylines = NULL, *out = NULL;
    usual_t in = {NULL};
    int has_authors = false;

    if (!PyArg_ParseTuple(args, "OOOOU", &search, &surveyed, &elements, &mask, &url)) return NULL;
    if (usual.edge == NULL || titles.line == NULL || page_fields.linked == NULL)
        return PyErr_Format(PyExc_RuntimeError, "setup_usual, setup_titles and setup_fields have not been called");
    if ((given = PyTuple_Pack(3, search, surveyed, elements)) == NULL) return NULL;
    sources = core_page_sources(module, given);
    Py_DECREF(given);
    if (sources == NULL) return NULL;
    in = (usual_t){.by_field = PyTuple_GET_ITEM(sources, 8), .title = PyTuple_GET_ITEM(sources, 0), .window = PyTuple_GET_ITEM(sources, 1),
                   .url = url, .headings = PyTuple_GET_ITEM(sources, 2), .site_names = PyTuple_GET_ITEM(sources, 4),
                   .has_own = PyTuple_GET_ITEM(sources, 3) == Py_True};
    found = usual_of(&in, PyTuple_GET_ITEM(sources, 5), PyTuple_GET_ITEM(sources, 6));
    if (found) bylines = bylines_for(module, search, mask, sources, found);
    if (found && !PyErr_Occurred()) has_authors = add_authors(&in, sources, bylines, &found);
    if (found && has_authors >= 0 && !PyErr_Occurred()) {
        if (found == Py_None) out = PyTuple_Pack(2, sources, found);
        else if (is_complete(&in, found, has_authors)) out = Py_BuildValue("(ON)", Py_None, metadata_of(found));
        else
            out = Py_BuildValue("(O(OOOOOO))", sources, PyTuple_GET_ITEM(found, 0), PyTuple_GET_ITEM(found, 1),
                                PyTuple_GET_ITEM(found, 2), PyTuple_GET_ITEM(found, 3), PyTuple_GET_ITEM(found, 4),
                                bylines ? bylines : Py_None);
    }
    if (PyErr_Occurred()) Py_CLEAR(out);
    Py_XDECREF(bylines);
    Py_XDECREF(found);
    Py_DECREF(sources);
    return out;
}

PyDoc_STRVAR(setup_usual_doc, "setup_usual((site, title, author, name), sources, (byline, inverted), (title, url, paper), no_titles, (edge, no_name),\n"
"forums, (author_chars, untitled, words_behind, words_before))\n--\n\n"
"Takes over the names of fields; the sources of sites, the most trusted first; those of bylines and of names as \"Lee, Ann\"; the\n"
"evidence of a site in the title and in the address, and of the authors of a paper; titles that are none, in folded case, with fewer characters than *untitled*; what\n"
"is beside the name of a site and in none; what addresses of forums have, with \"|\" between two; MAX_CHARS of author_patterns; and\n"
"most words of a name behind a title, and before it.");

static PyObject *core_setup_usual(PyObject *module, PyObject *args)
{
    PyObject *own[14];
    PyObject **const slots[] = {&usual.site, &usual.title, &usual.author, &usual.name, &usual.sources, &usual.byline, &usual.inverted,
                                &usual.by_title, &usual.by_url, &usual.no_titles, &usual.edge, &usual.no_name, &usual.forum_words, &usual.of_paper};

    if (!PyArg_ParseTuple(args, "(UUUU)O!(UU)(UUU)O!(UU)U(nnnn)", &own[0], &own[1], &own[2], &own[3], &PyTuple_Type, &own[4], &own[5], &own[6],
                          &own[7], &own[8], &own[13], &PyFrozenSet_Type, &own[9], &own[10], &own[11], &own[12],
                          &usual.max_author_chars, &usual.max_untitled, &usual.max_words[0], &usual.max_words[1])) return NULL;
    if (read_words(own[12], &usual.forums) < 0) return NULL;
    for (size_t at = 0; at < sizeof slots / sizeof *slots; at++) Py_XSETREF(*slots[at], Py_NewRef(own[at]));
    Py_RETURN_NONE;
}
