/* The names of authors in text: as author_patterns.py, which is the reference, and is asked for text that is unusual. `_core.c`
 * includes it.
 */

#include "_author_words.h"

enum { MAX_NAMES = 20, MAX_FOUND_NAMES = MAX_AUTHOR_TEXT / 2 + 1 };

/* What separates names: from *start* to *end*. */
typedef struct {
    size_t start, end;
    bool has_comma;
} separator_t;

/* Whether a sign or a word that separates names is at a place; *end* is behind it. */
static bool is_separator_at(chars_t t, size_t p, size_t *end)
{
    static const Py_UCS4 signs[] = {',', ';', '&', '+', '/', 0};
    size_t cursor = 0;

    if (p >= t.size) return false;
    if (is_one_of_signs(t.at[p], signs)) {
        *end = p + 1;
        return true;
    }
    while (is_boundary(t, p) && (*end = behind_next(&authors.conjunctions, t, p, &cursor)) != NONE)
        if (is_boundary(t, *end)) return true;
    *end = behind(t, p, " y ");
    if (*end != NONE && p > 0 && is_word_char(t.at[p - 1]) && *end < t.size && is_word_char(t.at[*end])) return true;
    *end = behind(t, p, " e ");
    return *end != NONE && *end < t.size && (Py_UNICODE_ISUPPER(t.at[*end]) || Py_UNICODE_ISLOWER(t.at[*end]));
}

/* Finds the next separator from a place on. */
static bool find_separator(chars_t t, size_t from, separator_t *out)
{
    for (size_t p = from; p < t.size; p++) {
        size_t end = skip_blanks(t, p);
        for (size_t at = end + 1; at-- > p;) {
            if (!is_separator_at(t, at, &end)) continue;
            *out = (separator_t){p, skip_blanks(t, end), t.at[at] == ','};
            return true;
        }
    }
    return false;
}

/* Names as they are found, one behind the other: each ends where the next one begins. */
typedef struct {
    Py_UCS4 room[2 * MAX_AUTHOR_TEXT];
    size_t starts[MAX_FOUND_NAMES + 1], count;
} names_t;

static chars_t name_at(const names_t *names, size_t number)
{
    return (chars_t){names->room + names->starts[number], names->starts[number + 1] - names->starts[number]};
}

/* Adds characters to the last name. All are of one text, and signs between them. */
static void add_to_name(names_t *names, chars_t t)
{
    size_t *end = &names->starts[names->count];

    if (t.size == 0 || *end + t.size > sizeof names->room / sizeof *names->room) return;
    memcpy(names->room + *end, t.at, t.size * sizeof *t.at);
    *end += t.size;
}

/* Whether a text is a first name: `\p{Lu}\p{Ll}{2,}` */
static bool is_first_name(chars_t t)
{
    t = strip_chars(t, is_blank);
    if (t.size < 3 || !Py_UNICODE_ISUPPER(t.at[0])) return false;
    for (size_t i = 1; i < t.size; i++)
        if (!Py_UNICODE_ISLOWER(t.at[i])) return false;
    return true;
}

/* Whether a text is two first names. */
static bool are_two_first_names(chars_t t)
{
    separator_t first, second;

    return find_separator(t, 0, &first) && !find_separator(t, first.end, &second) &&
           is_first_name(chars_between(t, 0, first.start)) && is_first_name(chars_between(t, first.end, t.size));
}

static bool is_known_name(chars_t name, const sites_t *sites)
{
    own_chars_t left;

    if (sites->count == 0) return false;
    without_digits(name, &left);
    return is_known_site(name, sites) || is_known_site(chars_of(&left), sites);
}

/* Whether a text is one word of ASCII, or none. */
static bool is_ascii_word_alone(chars_t t)
{
    for (size_t i = 0; i < t.size; i++)
        if (t.at[i] == ' ' || t.at[i] >= 0x80) return false;
    return true;
}

/* A part between separators, without a byline that it begins with: "Post by Ann Lee". */
static chars_t without_second_by(chars_t part)
{
    size_t end = NONE;

    for (size_t at = 0; end == NONE && at + 3 < part.size; at++)
        if (part.at[at] == ' ' && part.at[at + 1] == 'b' && part.at[at + 2] == 'y' && part.at[at + 3] == ' ' &&
            (end = behind_byline(part)) == NONE) return part;
    return end == NONE ? part : strip_chars(chars_between(part, end, part.size), is_blank);
}

/* Reads a part between separators; *described* is whether the parts before it tell what the author does. Returns that of it. */
static bool read_part(chars_t part, bool are_first_names, bool has_comma, bool described, const sites_t *sites, names_t *names)
{
    static const Py_UCS4 comma[] = {',', ' '};
    own_chars_t name, own;
    bool is_rest, is_next = names->count > 0;

    part = strip_chars(part, is_edge_sign);
    if (is_next && is_credential(part)) {
        add_to_name(names, (chars_t){comma, 2});
        add_to_name(names, part);
        return described;
    }
    part = without_second_by(part);
    once(strip_chars(without_roles(part), is_comma_or_space), &name);
    is_rest = !are_equal_chars(chars_of(&name), part) || (is_next && !are_first_names);
    if (is_next && ((described && !has_comma) || is_description(chars_of(&name), name_at(names, 0)))) return true;
    if (is_name_of_author(chars_of(&name)) && !is_known_name(chars_of(&name), sites) &&
        !(is_rest && is_ascii_word_alone(chars_of(&name)))) {
        capitalize(chars_of(&name), &own);
        names->starts[names->count + 1] = names->starts[names->count];
        names->count++;
        add_to_name(names, chars_of(&own));
        return false;
    }
    return part.size > 0;
}

/* The names in a text that has nothing else but roles and degrees: `_separate_names`. */
static void separate_names(chars_t t, const sites_t *sites, names_t *names)
{
    bool are_first_names, described = false, has_comma = false, has_more = true;
    separator_t next;

    if (is_known_site(t, sites)) return;
    are_first_names = are_two_first_names(t);
    for (size_t start = 0; has_more && names->count < MAX_FOUND_NAMES; start = next.end) {
        has_more = find_separator(t, start, &next);
        if (!has_more) next = (separator_t){t.size, t.size, false};
        described = read_part(chars_between(t, start, next.start), are_first_names, has_comma, described, sites, names);
        has_comma = next.has_comma;
    }
}

/* ---- text */

/* Whether `html.unescape` may change a text. */
static bool may_have_entity(chars_t t)
{
    static const Py_UCS4 no_names[] = {'\t', '\n', '\f', ' ', '<', '&', ';', 0};

    for (size_t i = 0; i + 1 < t.size; i++)
        if (t.at[i] == '&' && !is_one_of_signs(t.at[i + 1], no_names)) return true;
    return false;
}

/* A text with one space between two words, and none at its ends. */
static void normalize_blanks(chars_t t, own_chars_t *out)
{
    out->size = 0;
    for (size_t i = 0; i < t.size; i++) {
        if (!is_blank(t.at[i])) out->room[out->size++] = t.at[i];
        else if (out->size && out->room[out->size - 1] != ' ') out->room[out->size++] = ' ';
    }
    if (out->size && out->room[out->size - 1] == ' ') out->size--;
}

static bool has_sign(chars_t t, Py_UCS4 sign)
{
    for (size_t i = 0; i < t.size; i++)
        if (t.at[i] == sign) return true;
    return false;
}

static bool has_address(chars_t t)
{
    for (size_t i = 0; i + 2 < t.size; i++)
        if (t.at[i] == ':' && t.at[i + 1] == '/' && t.at[i + 2] == '/') return true;
    return false;
}

static chars_t first_word_of(chars_t t)
{
    size_t end = 0;

    while (end < t.size && t.at[end] != ' ') end++;
    return chars_between(t, 0, end);
}

/* A text without the beginnings of bylines. */
static chars_t without_bylines(chars_t t)
{
    for (size_t end; (end = behind_byline(t)) != NONE;) t = chars_between(t, end, t.size);
    return t;
}

/* Whether a text is a name that is read in no other way: `_is_plain_name`. */
static bool is_plain_name(chars_t t)
{
    size_t words_of = 0, starts[6], cursor = 0;
    own_chars_t lower;

    if (t.size > MAX_NAME_CHARS) return false;
    lower_chars(t, &lower);
    for (size_t start = 0, end; start <= t.size; start = end + 1) {
        if (words_of == 4 || start + 2 > t.size || !is_letter_of(t.at[start], 'A', 'Z')) return false;
        for (end = start + 1; end < t.size && is_letter_of(t.at[end], 'a', 'z');) end++;
        if (end < start + 2 || (end < t.size && t.at[end] != ' ')) return false;
        starts[words_of++] = start;
        starts[words_of] = end + 1;
    }
    if (words_of < 2) return false;
    if (words_of == 4 && are_equal_chars(chars_between(chars_of(&lower), 0, starts[2] - 1),
                                         chars_between(chars_of(&lower), starts[2], t.size))) return false;
    for (size_t i = 0; i < words_of; i++) {
        cursor = 0;
        if (behind_next(&authors.plain_starts, t, starts[i], &cursor) != NONE) return false;
        if (is_member_of(chars_between(chars_of(&lower), starts[i], starts[i + 1] - 1), authors.no_plain_names)) return false;
    }
    return true;
}

/* Whether what follows one word says that this is no person's name: "Center for Rain". */
static bool is_no_person(chars_t t, size_t start)
{
    static const char *const joints[] = {"for", "of", "in the", "from the"};
    size_t at = behind_blanks(t, start);

    if (start == 0 || at == NONE) return false;
    for (size_t i = 0; i < start; i++)
        if (t.at[i] >= 0x80 || !(is_word_char(t.at[i]) || t.at[i] == '.' || t.at[i] == '-')) return false;
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
        size_t end = behind(t, at, joints[i]);
        if (end != NONE && is_boundary(t, end)) return true;
    }
    return false;
}

/* The names in a text, without white space in excess. */
static void find_names(chars_t t, const sites_t *sites, names_t *names)
{
    size_t rest;

    if (is_edited(t) || has_sign(t, '<') || has_address(t) || has_sign(first_word_of(t), '@')) return;
    t = without_bylines(t);
    if ((rest = start_of_rest(t, false)) != NONE) {
        if (is_known_site(t, sites) || is_no_person(t, rest)) return;
        t = chars_between(t, 0, rest);
    }
    separate_names(without_job(t), sites, names);
}

/* Whether two names have the same key. */
static bool are_same_names(const names_t *names, size_t one, size_t other)
{
    own_chars_t first, second;

    key_of_name(name_at(names, one), &first);
    key_of_name(name_at(names, other), &second);
    return are_equal_chars(chars_of(&first), chars_of(&second));
}

/* The names as a tuple, each once: where it is last, as it is first. NULL with an exception. */
static PyObject *tuple_of_names(const names_t *names)
{
    PyObject *list = PyList_New(0), *out;

    for (size_t i = 0; list && i < names->count && PyList_GET_SIZE(list) < MAX_NAMES; i++) {
        size_t first = 0, later = i + 1;
        while (later < names->count && !are_same_names(names, i, later)) later++;
        if (later < names->count) continue;
        while (first < i && !are_same_names(names, i, first)) first++;
        if (append_object(list, string_of_chars(name_at(names, first))) < 0) Py_CLEAR(list);
    }
    out = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return out;
}

/* ---- functions of Python */

PyDoc_STRVAR(author_names_doc, "author_names(text, sites)\n--\n\n"
"The names in a text, as author_patterns.author_names: a tuple; None if the text or a name of a site is unusual.");

static PyObject *core_author_names(PyObject *module, PyObject *args)
{
    PyObject *text, *tuple;
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    own_chars_t own;
    sites_t sites;
    names_t names;
    chars_t t;

    if (!PyArg_ParseTuple(args, "UO!", &text, &PyTuple_Type, &tuple)) return NULL;
    if (authors.no_names == NULL || !read_chars(text, room, &t)) Py_RETURN_NONE;
    if (is_plain_name(t)) {
        if (!read_sites(tuple, true, &sites)) Py_RETURN_NONE;
        return is_known_site(t, &sites) ? PyTuple_New(0) : PyTuple_Pack(1, text);
    }
    if (PyErr_Occurred()) return NULL;
    if (may_have_entity(t) || has_sign(t, '<') || !read_sites(tuple, false, &sites)) Py_RETURN_NONE;
    names.count = names.starts[0] = 0;
    normalize_blanks(t, &own);
    find_names(chars_of(&own), &sites, &names);
    return PyErr_Occurred() ? NULL : tuple_of_names(&names);
}

/* The name of an organisation in a text without white space in excess; empty if there is none. */
static chars_t find_organization(chars_t t)
{
    static const Py_UCS4 markup[] = {'[', ']', '{', '}', '<', '>', '|', '=', '#', '?', '!', 0};
    size_t rest, letters = 0, words_of, proper = 0, place = 0;
    chars_t word, none = {t.at, 0};

    if (is_edited(t) || has_sign(t, '<') || has_address(t) || has_sign(t, '@')) return none;
    t = without_bylines(t);
    if ((rest = start_of_rest(t, true)) != NONE) t = chars_between(t, 0, rest);
    t = strip_chars(t, is_edge_sign);
    words_of = count_name_words(t);
    for (size_t i = 0; i < t.size; i++) letters += is_letter(t.at[i]);
    if (words_of < 1 || words_of > MAX_NAME_WORDS || t.size > MAX_NAME_CHARS || letters < 3) return none;
    while ((word = next_name_word(t, &place)).size) {
        own_chars_t lower;
        lower_chars(word, &lower);
        while (lower.size && lower.room[lower.size - 1] == '.') lower.size--;
        proper += word.size > 2 && !is_member_of(chars_of(&lower), authors.no_organizations);
    }
    for (size_t i = 0; i < t.size; i++)
        if (is_one_of_signs(t.at[i], markup)) return none;
    return proper ? t : none;
}

PyDoc_STRVAR(organization_name_doc, "organization_name(text)\n--\n\n"
"The organisation that a text names, as author_patterns.organization_name; None if the text is unusual.");

static PyObject *core_organization_name(PyObject *module, PyObject *text)
{
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    own_chars_t own;
    chars_t t;

    if (!PyUnicode_Check(text) || authors.no_names == NULL || !read_chars(text, room, &t) || may_have_entity(t)) Py_RETURN_NONE;
    normalize_blanks(t, &own);
    t = find_organization(chars_of(&own));
    return PyErr_Occurred() ? NULL : string_of_chars(t);
}

PyDoc_STRVAR(is_byline_doc, "is_byline(text)\n--\n\n"
"Whether a text begins as bylines do, as author_patterns.is_byline; None if it is unusual.");

static PyObject *core_is_byline(PyObject *module, PyObject *text)
{
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    chars_t t;

    if (!PyUnicode_Check(text) || authors.no_names == NULL || !read_chars(text, room, &t)) Py_RETURN_NONE;
    return PyBool_FromLong(behind_byline(t) != NONE);
}

PyDoc_STRVAR(is_role_doc, "is_role(text)\n--\n\nWhether a text is a role, as author_patterns.is_role; None if it is unusual.");

static PyObject *core_is_role(PyObject *module, PyObject *text)
{
    Py_UCS4 room[MAX_AUTHOR_TEXT + 1];
    chars_t t;

    if (!PyUnicode_Check(text) || authors.no_names == NULL || !read_chars(text, room + 1, &t)) Py_RETURN_NONE;
    room[0] = ' ';
    return PyBool_FromLong(is_roles_at((chars_t){room, t.size + 1}, 0));
}

/* Reads a text as `read_chars`, also of Greek and Cyrillic characters and superscripts, with small letters for accents that are
 * characters of their own: words have both. */
static bool read_unaccented(PyObject *text, Py_UCS4 *room, chars_t *out)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);

    if (size > MAX_AUTHOR_TEXT) return false;
    for (Py_ssize_t i = 0; i < size; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        room[i] = (c >= 0x300 && c < 0x370) || (c >= 0x483 && c < 0x48A) || c == 0xFE0F ? 'a' : c;
        if (!is_usual_char(room[i]) && !(c >= 0xA0 && c < 0x530) && !(c >= 0x2070 && c < 0x2090)) return false;
    }
    *out = (chars_t){room, (size_t)size};
    return true;
}

static bool has_capitals(PyObject *text, size_t least)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    size_t count = 0;

    for (Py_ssize_t i = 0; i < size && count < least; i++) count += Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(text, i)) != 0;
    return count >= least;
}

PyDoc_STRVAR(is_full_name_doc, "is_full_name(text)\n--\n\n"
"Whether a text is a full name, as author_patterns.is_full_name; None if it is unusual.");

static PyObject *core_is_full_name(PyObject *module, PyObject *text)
{
    enum { CAPITALS = 2 };
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    size_t count = 0, capitals = 0, place = 0;
    bool are_short = true;
    chars_t t, word;

    if (!PyUnicode_Check(text)) Py_RETURN_NONE;
    if (!has_capitals(text, CAPITALS)) Py_RETURN_FALSE;
    if (!read_unaccented(text, room, &t)) Py_RETURN_NONE;
    for (; (word = next_name_word(t, &place)).size; count++) {
        bool is_capital = Py_UNICODE_ISUPPER(word.at[0]) != 0;
        capitals += is_capital;
        are_short = are_short && (is_capital || word.size <= 4);
    }
    return PyBool_FromLong(count >= 2 && count <= 4 && capitals >= CAPITALS && are_short);
}

PyDoc_STRVAR(inverted_name_doc, "inverted_name(text)\n--\n\n"
"A text as author_patterns.inverted_name has it; None if it is unusual.");

static PyObject *core_inverted_name(PyObject *module, PyObject *text)
{
    enum { MOST_WORDS = 3 };
    Py_UCS4 room[MAX_AUTHOR_TEXT], turned[MAX_AUTHOR_TEXT + 1];
    size_t comma = 0, words_of;
    chars_t t, last, first;

    if (!PyUnicode_Check(text) || !read_chars(text, room, &t)) Py_RETURN_NONE;
    while (comma < t.size && t.at[comma] != ',') comma++;
    if (comma == t.size) return Py_NewRef(text);
    last = strip_chars(chars_between(t, 0, comma), is_blank);
    first = strip_chars(chars_between(t, comma + 1, t.size), is_blank);
    words_of = count_name_words(first);
    if (has_sign(first, ',') || is_credential(first) || words_of < 1 || words_of > MOST_WORDS || count_name_words(last) > MOST_WORDS)
        return Py_NewRef(text);
    memcpy(turned, first.at, first.size * sizeof *turned);
    turned[first.size] = ' ';
    if (last.size) memcpy(turned + first.size + 1, last.at, last.size * sizeof *turned);
    return string_of_chars((chars_t){turned, first.size + 1 + last.size});
}

PyDoc_STRVAR(setup_author_names_doc, "setup_author_names(words, sets)\n--\n\n"
"Takes over the words of author_patterns: a tuple of strings with \"|\" between two words, and one of sets.");

static PyObject *core_setup_author_names(PyObject *module, PyObject *args)
{
    listed_words_t *const lists[] = {&authors.kinds, &authors.verbs, &authors.edited, &authors.edits, &authors.after,
                                     &authors.after_organization, &authors.weekdays, &authors.months, &authors.roles,
                                     &authors.grades, &authors.conjunctions, &authors.plain_starts};
    PyObject **const sets[] = {&authors.no_names, &authors.no_plain_names, &authors.no_organizations, &authors.particles};
    enum { LISTS = sizeof lists / sizeof *lists, SETS = sizeof sets / sizeof *sets };
    PyObject *strings, *given;

    if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &strings, &PyTuple_Type, &given)) return NULL;
    if (PyTuple_GET_SIZE(strings) != LISTS || PyTuple_GET_SIZE(given) != SETS) {
        PyErr_SetString(PyExc_ValueError, "other words are expected");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < SETS; i++)
        if (!PyAnySet_Check(PyTuple_GET_ITEM(given, i))) {
            PyErr_SetString(PyExc_TypeError, "expected a set");
            return NULL;
        }
    for (Py_ssize_t i = 0; i < LISTS; i++)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(strings, i)) || read_words(PyTuple_GET_ITEM(strings, i), lists[i]) < 0) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "expected a string");
            return NULL;
        }
    for (Py_ssize_t i = 0; i < SETS; i++) Py_XSETREF(*sets[i], Py_NewRef(PyTuple_GET_ITEM(given, i)));
    Py_RETURN_NONE;
}
