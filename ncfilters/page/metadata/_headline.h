/* The headline of a page: as metadata/page_title.py and headline.py. `_core.c` includes it. */

enum { MAX_TITLES = 48, MAX_TITLE_WORDS = 100 };

/* What is said of the title in the head, the most trusted first, the same without the name of the site once it is asked for, and the
 * headings of the page that may be it, with their keys. */
typedef struct {
    site_t site;
    PyObject *texts[MAX_TITLES], *evidence[MAX_TITLES], *heads[MAX_TITLES], *head_keys[MAX_TITLES];
    size_t count;
    PyObject *own[MAX_TITLES], *keys[MAX_TITLES];
    size_t own_count;
} headline_t;

/* ---- what is said */

/* A text as one line of at most so many characters. */
static PyObject *title_line(site_t *site, PyObject *text)
{
    PyObject *line = line_of(text, titles.line);

    if (owned_by(site, line) == NULL) return NULL;
    return PyUnicode_GET_LENGTH(line) <= titles.max_chars ? line : part_in(site, line, 0, titles.max_chars);
}

static int add_said(headline_t *in, PyObject *text, PyObject *evidence)
{
    if (text == NULL) return -1;
    if (PyUnicode_GET_LENGTH(text) == 0) return 0;
    if (in->count == MAX_TITLES) in->site.is_unusual = true;
    else {
        in->texts[in->count] = text;
        in->evidence[in->count++] = evidence;
    }
    return 0;
}

/* Takes over statements: (source, (text, evidence)). */
static int add_statements_of_title(headline_t *in, PyObject *statements)
{
    for (Py_ssize_t at = 0; at < PySequence_Fast_GET_SIZE(statements) && !in->site.is_unusual; at++) {
        PyObject *source, *text, *evidence;
        if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(statements, at), "O(UU)", &source, &text, &evidence)) return -1;
        if (add_said(in, title_line(&in->site, text), evidence) < 0) return -1;
    }
    return 0;
}

/* Drops what is the name of the site, below the front page, if another title is said. */
static int drop_site_names(headline_t *in, PyObject *window)
{
    bool is_name[MAX_TITLES] = {false}, differ = false;
    size_t kept = 0;
    PyObject *name;

    for (size_t at = 1; at < in->count; at++) differ |= !is_same(in->texts[at], in->texts[0]);
    if (!differ || !in->site.has_path) return 0;
    if (site_part(&in->site, window, &name) < 0) return -1;
    for (size_t at = 0; at < in->count; at++) {
        PyObject *key;
        Py_ssize_t chars;
        int is_in_host = 0;
        if (at > 0 && is_same(in->texts[at], in->texts[at - 1])) is_name[at] = is_name[at - 1];
        else if (name && is_same(in->texts[at], name)) is_name[at] = true;
        else if ((key = bare_key(&in->site, in->texts[at])) == NULL) return -1;
        else if ((is_in_host = has_letters_in_host(&in->site, key, &chars)) < 0) return -1;
        else is_name[at] = is_in_host;
        kept += !is_name[at];
    }
    if (kept == 0) return 0;
    kept = 0;
    for (size_t at = 0; at < in->count; at++) {
        if (is_name[at]) continue;
        in->texts[kept] = in->texts[at];
        in->evidence[kept++] = in->evidence[at];
    }
    in->count = kept;
    return 0;
}

/* What is said at a place without the name of the site. */
static PyObject *head_at(headline_t *in, size_t place)
{
    for (size_t at = 0; at < place && !in->heads[place]; at++)
        if (in->heads[at] && is_same(in->texts[at], in->texts[place])) {
            in->heads[place] = in->heads[at];
            in->head_keys[place] = in->head_keys[at];
        }
    if (!in->heads[place]) in->heads[place] = without_site(&in->site, in->texts[place]);
    return in->heads[place];
}

static PyObject *head_key_at(headline_t *in, size_t place)
{
    PyObject *head = head_at(in, place);

    if (head && !in->head_keys[place]) in->head_keys[place] = key_in(&in->site, head);
    return head ? in->head_keys[place] : NULL;
}

/* ---- headings */

/* Adds a heading that may be the title. */
static int add_heading(headline_t *in, PyObject *text)
{
    PyObject *heading, *key, *name;
    separators_t found;

    if (PyUnicode_GET_LENGTH(text) > titles.max_chars) return 0;
    if ((heading = without_label(&in->site, text)) == NULL || (key = key_in(&in->site, heading)) == NULL) return -1;
    if (is_key_in(key, in->site.keys, in->site.site_count, true)) return 0;
    if (has_parts(&in->site, heading, &found)) {
        name = part_in(&in->site, heading, found.behind, PyUnicode_GET_LENGTH(heading));
        if (name == NULL || (name = key_in(&in->site, name)) == NULL) return -1;
        if (is_key_in(name, in->site.keys, in->site.site_count, true) &&
            ((heading = part_in(&in->site, heading, 0, found.last)) == NULL || (key = key_in(&in->site, heading)) == NULL)) return -1;
    }
    if (in->own_count == MAX_TITLES || has_character(heading, '#')) in->site.is_unusual = true; /* the number of an issue */
    else {
        in->own[in->own_count] = heading;
        in->keys[in->own_count++] = key;
    }
    return 0;
}

static int add_headings(headline_t *in, PyObject *headings)
{
    size_t numbered = 0;

    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(headings) && !in->site.is_unusual; at++)
        if (add_heading(in, PyList_GET_ITEM(headings, at)) < 0) return -1;
    for (size_t at = 0; at < in->own_count; at++)
        numbered += PyUnicode_GET_LENGTH(in->own[at]) && Py_UNICODE_ISDECIMAL(PyUnicode_READ_CHAR(in->own[at], 0));
    in->site.is_unusual |= numbered > 1; /* sections */
    return 0;
}

/* The last of the headings with a key; NULL if none has it. */
static PyObject *heading_of_key(const headline_t *in, PyObject *key)
{
    for (size_t at = in->own_count; at-- > 0;)
        if (is_same(in->keys[at], key)) return in->own[at];
    return NULL;
}

/* ---- words in common */

typedef struct {
    bytes_t items[MAX_TITLE_WORDS];
    size_t count;
} key_words_t;

/* The distinct words of a key. */
static int words_of_key(headline_t *in, PyObject *key, key_words_t *out)
{
    bytes_t text;

    out->count = 0;
    if (key == NULL || bytes_of(key, &text) < 0) return -1;
    for (size_t at = 0, end; at < text.size; at = end + 1) {
        bytes_t word;
        size_t known = 0;
        for (end = at; end < text.size && text.at[end] != ' ';) end++;
        word = (bytes_t){text.at + at, end - at};
        while (known < out->count && !equal(out->items[known], word)) known++;
        if (known < out->count) continue;
        if (out->count == MAX_TITLE_WORDS) {
            in->site.is_unusual = true;
            return 0;
        }
        out->items[out->count++] = word;
    }
    return 0;
}

static size_t words_in_both(const key_words_t *one, const key_words_t *other)
{
    size_t count = 0;

    for (size_t at = 0; at < one->count; at++)
        for (size_t i = 0; i < other->count; i++)
            if (equal(one->items[at], other->items[i])) {
                count++;
                break;
            }
    return count;
}

/* The heading with the most words in common with what is said first or last; NULL if these are few, or with an exception. */
static PyObject *likest_heading(headline_t *in, PyObject *first)
{
    PyObject *last = head_key_at(in, in->count - 1), *said[3], *best = NULL;
    key_words_t words_said[3], own;
    double most = -1;

    said[0] = last ? key_in(&in->site, first) : NULL;
    said[1] = said[0] ? key_in(&in->site, in->texts[0]) : NULL;
    said[2] = said[1] ? last : NULL;
    for (size_t at = 0; at < 3; at++)
        if (words_of_key(in, said[at], &words_said[at]) < 0) return NULL;
    for (size_t at = 0; at < in->own_count; at++) {
        double overlap = 0;
        if (words_of_key(in, in->keys[at], &own) < 0) return NULL;
        for (size_t i = 0; i < 3; i++) {
            size_t all = own.count + words_said[i].count;
            double part = (double)(2 * words_in_both(&own, &words_said[i])) / (double)(all ? all : 1);
            if (part > overlap) overlap = part;
        }
        if (overlap > most) most = overlap, best = in->own[at];
    }
    return most < titles.min_overlap ? NULL : best;
}

/* ---- the headline */

/* Whether a title is all that another one begins with, before white space and no sign, as of another part. */
static bool goes_on(PyObject *start, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(start);
    Py_UCS4 next;

    for (; length > 0; length--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(start, length - 1);
        if (c != ' ' && c != '.' && c != 0x2026) break;
    }
    if (PyUnicode_GET_LENGTH(text) <= length || !Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, length))) return false;
    for (Py_ssize_t at = 0; at < length; at++)
        if (PyUnicode_READ_CHAR(start, at) != PyUnicode_READ_CHAR(text, at)) return false;
    while (length < PyUnicode_GET_LENGTH(text) && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, length))) length++;
    if (length == PyUnicode_GET_LENGTH(text)) return true;
    next = PyUnicode_READ_CHAR(text, length);
    return !is_separator_sign(next) && next != ':' && next != '/';
}

/* The place of what is said first; of what goes on where that is cut for search engines. */
static Py_ssize_t first_place(headline_t *in)
{
    PyObject *first = head_at(in, 0);

    if (first && PyUnicode_GET_LENGTH(first) > titles.min_cut)
        for (size_t at = 1; at < in->count; at++) {
            PyObject *head = head_at(in, at);
            if (head == NULL) return -1;
            if (goes_on(first, head)) return (Py_ssize_t)at;
        }
    return first ? 0 : -1;
}

/* Whether a title is one word, in a script with spaces. */
static bool is_one_word(PyObject *title)
{
    return PyUnicode_IS_ASCII(title) && !has_character(title, ' ');
}

/* Whether the only heading has a word of the title of the window, which alone says a title, or that has several parts or
 * is one word. */
static int is_alone(headline_t *in, PyObject *first)
{
    separators_t found;
    key_words_t said, own;

    for (size_t at = 1; at < in->own_count; at++)
        if (!is_same(in->keys[at], in->keys[0])) return 0;
    for (size_t at = 0; at < in->count; at++)
        if (PyUnicode_CompareWithASCIIString(in->evidence[at], "title") != 0) return 0;
    if (has_parts(&in->site, in->texts[0], &found) || is_one_word(in->texts[0])) return 1;
    if (words_of_key(in, key_in(&in->site, first), &said) < 0 || words_of_key(in, in->keys[0], &own) < 0) return -1;
    return words_in_both(&said, &own) > 0;
}

/* The first heading that is the first part of something said; NULL if there is none, or with an exception. */
static PyObject *heading_of_part(headline_t *in)
{
    PyObject *starts[MAX_TITLES];
    size_t count = 0;

    for (size_t at = 0; at < in->count; at++) {
        separators_t found;
        PyObject *start;
        if ((at > 0 && is_same(in->texts[at], in->texts[at - 1])) || !has_parts(&in->site, in->texts[at], &found)) continue;
        if ((start = part_in(&in->site, in->texts[at], 0, found.last)) == NULL) return NULL;
        if ((starts[count++] = key_in(&in->site, start)) == NULL) return NULL;
    }
    for (size_t at = 0; at < in->own_count; at++)
        if (is_key_in(in->keys[at], starts, count, true)) {
            in->site.is_unusual |= PyUnicode_GET_LENGTH(in->own[at]) == 0;
            return in->own[at];
        }
    return NULL;
}

/* Whether a title may be in a heading that has little more. */
static bool may_be_all_but_label(PyObject *title, PyObject *heading)
{
    return PyUnicode_GET_LENGTH(title) <= PyUnicode_GET_LENGTH(heading) &&
           PyUnicode_Find(heading, title, 0, PyUnicode_GET_LENGTH(heading), 1) >= 0;
}

/* The heading that is the title; NULL if none is, or with an exception. */
static PyObject *heading_in(headline_t *in, PyObject *first)
{
    PyObject *found;
    int alone = is_alone(in, first);

    if (alone != 0) return alone < 0 ? NULL : in->own[0];
    for (size_t at = 0; at < in->count; at++) {
        PyObject *key = head_key_at(in, at);
        if (key == NULL) return NULL;
        if ((found = heading_of_key(in, key)) != NULL) return found;
    }
    if ((found = heading_of_part(in)) != NULL || PyErr_Occurred()) return found;
    found = likest_heading(in, first);
    for (size_t at = 0; found && at < in->count; at++) {
        PyObject *head = head_at(in, at);
        if (head == NULL) return NULL;
        in->site.is_unusual |= may_be_all_but_label(head, found);
    }
    return found;
}

/* Whether a text has a letter in capitals and none in small ones. */
static bool is_in_capitals(PyObject *text)
{
    bool out = false;

    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(text); at++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, at);
        if (Py_UNICODE_ISLOWER(c) || Py_UNICODE_ISTITLE(c)) return false;
        out = out || Py_UNICODE_ISUPPER(c);
    }
    return out;
}

/* Where a text in ASCII has another one, which is in capitals, in any case; -1 if nowhere. */
static Py_ssize_t place_of_capitals(PyObject *text, PyObject *capitals)
{
    const char *all = PyUnicode_DATA(text), *part = PyUnicode_DATA(capitals);
    Py_ssize_t size = PyUnicode_GET_LENGTH(capitals);

    for (Py_ssize_t at = 0; at + size <= PyUnicode_GET_LENGTH(text); at++) {
        Py_ssize_t same = 0;
        while (same < size && Py_TOUPPER(all[at + same]) == part[same]) same++;
        if (same == size) return at;
    }
    return -1;
}

/* What is said that has a heading in capitals in other letters, and its evidence; NULL if nothing is, with an exception, or if Python
 * has to read the titles. */
static PyObject *without_capitals(headline_t *in, PyObject *found)
{
    for (size_t at = 0; at < 2 * in->count; at++) {
        PyObject *text = at < in->count ? head_at(in, at) : in->texts[at - in->count], *part, *out;
        Py_ssize_t place;
        if (text == NULL) return NULL;
        if (!PyUnicode_IS_ASCII(text) || !PyUnicode_IS_ASCII(found)) {
            in->site.is_unusual = true;
            return NULL;
        }
        if (is_in_capitals(text) || (place = place_of_capitals(text, found)) < 0) continue;
        part = PyUnicode_Substring(text, place, place + PyUnicode_GET_LENGTH(found));
        out = part ? PyTuple_Pack(2, part, in->evidence[at % in->count]) : NULL;
        Py_XDECREF(part);
        return out;
    }
    return NULL;
}

/* The title and its evidence; NULL with an exception, or if Python has to read the titles. */
static PyObject *read_headline(headline_t *in)
{
    PyObject *first, *found = NULL, *key, *out;
    Py_ssize_t place = first_place(in);

    if (place < 0) return NULL;
    first = in->heads[place];
    if (in->own_count) found = heading_in(in, first);
    if (PyErr_Occurred() || in->site.is_unusual) return NULL;
    if (found == NULL || PyUnicode_GET_LENGTH(found) == 0) return PyTuple_Pack(2, first, in->evidence[place]);
    if (is_in_capitals(found) && ((out = without_capitals(in, found)) != NULL || in->site.is_unusual || PyErr_Occurred()))
        return out; /* the capitals are its design */
    if ((key = key_in(&in->site, found)) == NULL) return NULL;
    for (size_t at = 0; at < in->count; at++) {
        PyObject *own = head_key_at(in, at);
        if (own == NULL) return NULL;
        if (is_same(own, key) || is_same(in->heads[at], found)) return PyTuple_Pack(2, in->heads[at], in->evidence[at]);
    }
    return Py_BuildValue("(Os)", found, "h1");
}

static int open_site(site_t *site, PyObject *names, PyObject *url)
{
    if ((site->owned = PyList_New(0)) == NULL) return -1;
    read_address(site, url);
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(names); at++) {
        PyObject *name = PyList_GET_ITEM(names, at), *key;
        if (!PyUnicode_Check(name)) PyErr_SetString(PyExc_TypeError, "expected strings");
        if (!PyUnicode_Check(name) || (key = key_in(site, name)) == NULL) return -1;
        if (is_key_in(key, site->keys, site->site_count, true)) continue;
        if (site->site_count == MAX_SITES) {
            site->is_unusual = true;
            return 0;
        }
        site->keys[site->site_count] = key;
        if ((site->bare[site->site_count] = bare_key(site, name)) == NULL) return -1;
        site->site_count++;
    }
    return 0;
}

/* The title of a page, as `headline_doc` says. */
static PyObject *headline_of(PyObject *statements, PyObject *window, PyObject *headings, PyObject *sites, PyObject *url)
{
    PyObject *window_evidence = NULL, *said = NULL, *out = NULL;
    headline_t in = {.count = 0};

    if ((window_evidence = PyUnicode_InternFromString("title")) != NULL && (said = PySequence_Fast(statements, "expected statements")) &&
        open_site(&in.site, sites, url) == 0 && add_statements_of_title(&in, said) == 0 &&
        add_said(&in, part_in(&in.site, window, 0, titles.max_chars), window_evidence) == 0 && !in.site.is_unusual) {
        if (in.count == 0)
            out = PyList_GET_SIZE(headings) == 1 ? Py_BuildValue("(Os)", PyList_GET_ITEM(headings, 0), "h1") : Py_NewRef(Py_None);
        else if (drop_site_names(&in, window) == 0 && add_headings(&in, headings) == 0 && !in.site.is_unusual)
            out = read_headline(&in);
    }
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) { /* half a pair of surrogates */
        in.site.is_unusual = true;
        PyErr_Clear();
    }
    if (in.site.is_unusual && !PyErr_Occurred()) Py_XSETREF(out, Py_NewRef(Py_NotImplemented));
    Py_XDECREF(window_evidence);
    Py_XDECREF(said);
    Py_XDECREF(in.site.owned);
    return out;
}

PyDoc_STRVAR(headline_doc, "headline(statements, window, headings, sites, url)\n--\n\n"
"As metadata.page_title.page_title, of *statements* of the title and the title of the *window* as one line. NotImplemented for\n"
"what is unusual.");

static PyObject *core_headline(PyObject *module, PyObject *args)
{
    PyObject *statements, *window, *headings, *sites, *url;

    if (!PyArg_ParseTuple(args, "OUO!O!U", &statements, &window, &PyList_Type, &headings, &PyList_Type, &sites, &url)) return NULL;
    if (titles.without_label == NULL) return PyErr_Format(PyExc_RuntimeError, "setup_titles has not been called");
    return headline_of(statements, window, headings, sites, url);
}

PyDoc_STRVAR(setup_titles_doc, "setup_titles((line, without_label), small_words, of_titles, of_sites, min_overlap)\n--\n\n"
"Takes over functions of page_sources and headline; words, with \"|\" between two; MAX_TITLE_CHARS and MIN_CUT of headline;\n"
"MAX_SITE_WORDS, MIN_TITLE_WORDS and MIN_NAME_LETTERS of site_name; and MIN_OVERLAP.");

static PyObject *core_setup_titles(PyObject *module, PyObject *args)
{
    PyObject *line, *label, *small_words;

    if (!PyArg_ParseTuple(args, "(OO)U(nn)(nnn)d", &line, &label, &small_words, &titles.max_chars, &titles.min_cut,
                          &titles.max_site_words, &titles.min_title_words, &titles.min_name_letters, &titles.min_overlap)) return NULL;
    if (read_words(small_words, &titles.small_words) < 0) return NULL;
    Py_XSETREF(titles.owner, Py_NewRef(small_words));
    Py_XSETREF(titles.line, Py_NewRef(line));
    Py_XSETREF(titles.without_label, Py_NewRef(label));
    Py_RETURN_NONE;
}
