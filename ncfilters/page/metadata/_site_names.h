/* The name of a site in a title, and titles without it: as metadata/site_name.py, and `without_site` as page_title.py has it.
 * `_core.c` includes it.
 *
 * Strings that are made belong to a list, which lives as long as a page is read. Functions that return strings return NULL with an
 * exception, and those that return an int -1.
 */

enum { MAX_SITES = 24, MAX_LETTERS = 1024, MAX_HOST = 256 };

static struct {
    PyObject *line, *without_label; /* functions of page_sources and headline */
    PyObject *owner;                /* of the words */
    listed_words_t small_words;     /* that have no initial in the name of a host */
    Py_ssize_t max_chars, min_cut, max_site_words, min_title_words, min_name_letters;
    double min_overlap;
} titles;

/* What the titles of a page are compared with. */
typedef struct {
    PyObject *owned;                                /* a list: the strings that are made */
    PyObject *keys[MAX_SITES], *bare[MAX_SITES];    /* of the names of the site, and without "the" */
    size_t site_count;
    bytes_t host, label;                            /* the letters of the host, and its longest label */
    uint8_t letters_of_host[MAX_HOST], letters_of_label[MAX_HOST];
    bool has_path;                                  /* whether the page is below the front page */
    bool is_unusual;                                /* whether Python has to read the titles */
} site_t;

/* A new reference, which may be NULL, as one that the page owns. */
static PyObject *owned_by(site_t *site, PyObject *string)
{
    int status = append_new(site->owned, string);

    return status < 0 ? NULL : string;
}

static PyObject *key_in(site_t *site, PyObject *text)
{
    return owned_by(site, core_title_key(NULL, text));
}

static PyObject *part_in(site_t *site, PyObject *text, Py_ssize_t start, Py_ssize_t end)
{
    return owned_by(site, PyUnicode_Substring(text, start, end));
}

static bool has_character(PyObject *text, Py_UCS4 c)
{
    return PyUnicode_FindChar(text, c, 0, PyUnicode_GET_LENGTH(text), 1) >= 0;
}

/* Whether a title has several parts. */
static bool has_parts(site_t *site, PyObject *title, separators_t *out)
{
    if (PyUnicode_MAX_CHAR_VALUE(title) >= 0xAB && has_character(title, 0xAB)) site->is_unusual = true;
    return find_separators(title, out);
}

/* A key without "the" at its start. */
static PyObject *bare_key(site_t *site, PyObject *text)
{
    PyObject *key = key_in(site, text);
    Py_ssize_t length = key ? PyUnicode_GET_LENGTH(key) : 0;

    if (length < 4 || PyUnicode_READ_CHAR(key, 0) != 't' || PyUnicode_READ_CHAR(key, 1) != 'h' || PyUnicode_READ_CHAR(key, 2) != 'e' ||
        PyUnicode_READ_CHAR(key, 3) != ' ') return key;
    return part_in(site, key, 4, length);
}

static bool is_same(PyObject *one, PyObject *other)
{
    return PyUnicode_GET_LENGTH(one) == PyUnicode_GET_LENGTH(other) && PyUnicode_Compare(one, other) == 0;
}

/* Whether a key is one of some; empty ones count with *also_empty*. */
static bool is_key_in(PyObject *key, PyObject *const *keys, size_t count, bool also_empty)
{
    if (!also_empty && PyUnicode_GET_LENGTH(key) == 0) return false;
    for (size_t at = 0; at < count; at++)
        if (is_same(key, keys[at])) return true;
    return false;
}

/* The letters of a key: those of its words, or with *initials* the first of each that is no small word. Returns their characters; -1
 * with an exception. */
static Py_ssize_t letters_of(site_t *site, PyObject *key, bool initials, uint8_t *to, size_t *size)
{
    Py_ssize_t chars = 0;
    bytes_t text;

    *size = 0;
    if (bytes_of(key, &text) < 0) return -1;
    if (text.size > MAX_LETTERS) {
        site->is_unusual = true;
        return 0;
    }
    for (size_t at = 0, end; at < text.size; at = end + 1) {
        size_t taken;
        for (end = at; end < text.size && text.at[end] != ' ';) end++;
        taken = end - at;
        if (initials) {
            bool is_small = false;
            for (size_t number = text.at[at] < 0x80 ? titles.small_words.heads[text.at[at]] : 0; number > 0 && !is_small;
                 number = titles.small_words.nexts[number - 1])
                is_small = equal(titles.small_words.items[number - 1], (bytes_t){text.at + at, taken});
            taken = is_small ? 0 : char_size((const char *)text.at + at, (const char *)text.at + end);
        }
        memcpy(to + *size, text.at + at, taken);
        chars += (Py_ssize_t)count_chars((const char *)to + *size, taken);
        *size += taken;
    }
    return chars;
}

static bool has_part(bytes_t whole, const uint8_t *part, size_t size)
{
    return memmem(whole.at, whole.size, part, size) != NULL;
}

/* Whether the letters of a key are in the host. */
static int has_letters_in_host(site_t *site, PyObject *key, Py_ssize_t *chars)
{
    uint8_t letters[MAX_LETTERS];
    size_t size;

    if ((*chars = letters_of(site, key, false, letters, &size)) < 0) return -1;
    return *chars >= titles.min_name_letters && has_part(site->host, letters, size);
}

/* As site_name._is_name_of. */
static int is_name_of_site(site_t *site, PyObject *key)
{
    uint8_t initials[MAX_LETTERS];
    Py_ssize_t chars;
    size_t size;
    int found = has_letters_in_host(site, key, &chars);

    if (found || chars < titles.min_name_letters) return found;
    if ((chars = letters_of(site, key, true, initials, &size)) < 0) return -1;
    return chars >= titles.min_name_letters && has_part(site->host, initials, size);
}

static Py_ssize_t count_words(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), count = 0;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    bool after_word = false;

    for (Py_ssize_t at = 0; at < length; at++) {
        bool is_in_word = is_word_character(PyUnicode_READ(kind, data, at));
        count += is_in_word && !after_word;
        after_word = is_in_word;
    }
    return count;
}

/* As site_name.without_site_name. */
static PyObject *without_site_name(site_t *site, PyObject *title)
{
    separators_t found;
    PyObject *rest, *name, *first, *key;
    Py_ssize_t length = PyUnicode_GET_LENGTH(title), left, words_of_name;
    int is_name;

    if (!has_parts(site, title, &found) || (site->host.size && !site->has_path)) return title;
    rest = part_in(site, title, 0, found.last);
    name = rest ? part_in(site, title, found.behind, length) : NULL;
    if (name == NULL || (key = bare_key(site, name)) == NULL) return NULL;
    is_name = is_key_in(key, site->bare, site->site_count, false) ? 1 : is_name_of_site(site, key);
    if (is_name != 0) return is_name < 0 ? NULL : rest;
    if ((first = part_in(site, title, 0, found.start)) == NULL || (key = bare_key(site, first)) == NULL) return NULL;
    is_name = is_key_in(key, site->bare, site->site_count, false) ? 1 : is_name_of_site(site, key);
    if (is_name != 0) return is_name < 0 ? NULL : part_in(site, title, found.end, length);
    left = count_words(rest);
    words_of_name = count_words(name);
    return left >= titles.min_title_words && words_of_name <= titles.max_site_words && words_of_name <= left ? rest : title;
}

/* As headline.without_label. */
static PyObject *without_label(site_t *site, PyObject *title)
{
    static const char *const WORDS[] = {"thread", "topic", "title"};
    bytes_t text;
    bool may_have = false;

    if (bytes_of(title, &text) < 0) return NULL;
    for (size_t at = 0; at < sizeof WORDS / sizeof *WORDS && !may_have; at++)
        may_have = contains((const char *)text.at, (const char *)text.at + text.size, WORDS[at], NULL);
    if (!may_have && !PyUnicode_IS_ASCII(title)) /* letters that are like some of ASCII when case doesn't count */
        may_have = has_character(title, 0x130) || has_character(title, 0x131);
    return may_have ? owned_by(site, PyObject_CallOneArg(titles.without_label, title)) : title;
}

/* A title without its label and the name of the site, also if it has that twice or before a colon. */
static PyObject *without_site(site_t *site, PyObject *title)
{
    separators_t found;
    PyObject *bare = without_label(site, title), *out = bare ? without_site_name(site, bare) : NULL, *key;
    Py_ssize_t length = out ? PyUnicode_GET_LENGTH(out) : 0, colon;

    if (out == NULL) return NULL;
    if (has_parts(site, out, &found)) {
        PyObject *name = part_in(site, out, found.behind, length);
        if (name == NULL || (key = key_in(site, name)) == NULL) return NULL;
        if (is_key_in(key, site->keys, site->site_count, false)) return part_in(site, out, 0, found.last);
    }
    for (colon = PyUnicode_FindChar(out, ':', 0, length, 1); colon >= 0 && colon + 1 < length; ) {
        if (PyUnicode_READ_CHAR(out, colon + 1) == ' ') break;
        colon = PyUnicode_FindChar(out, ':', colon + 1, length, 1);
    }
    if (colon < 0 || colon + 1 >= length || !site->has_path) return out;
    {
        PyObject *start = part_in(site, out, 0, colon);
        if (start == NULL || (key = key_in(site, start)) == NULL) return NULL;
    }
    return is_key_in(key, site->keys, site->site_count, false) ? part_in(site, out, colon + 2, length) : out;
}

/* Whether the longest label of the host is in a part of a title, with words for "&". */
static int has_label(site_t *site, PyObject *part)
{
    uint8_t letters[MAX_LETTERS];
    PyObject *key, *words_of = part;
    size_t size;

    if (count_chars((const char *)site->label.at, site->label.size) <= (size_t)titles.min_name_letters) return 0;
    if (has_character(part, '&')) {
        PyObject *sign = PyUnicode_FromString("&"), *word = PyUnicode_FromString(" and ");
        words_of = sign && word ? owned_by(site, PyUnicode_Replace(part, sign, word, -1)) : NULL;
        Py_XDECREF(sign);
        Py_XDECREF(word);
        if (words_of == NULL || (key = key_in(site, part)) == NULL) return -1;
        if (PyUnicode_GET_LENGTH(key) == 0) return 0;
    }
    if ((key = key_in(site, words_of)) == NULL || letters_of(site, key, false, letters, &size) < 0) return -1;
    return PyUnicode_GET_LENGTH(key) && has_part((bytes_t){letters, size}, site->label.at, site->label.size);
}

/* The part of a title that is the name of the site, as site_name.site_in_title without a headline: *out* is NULL if there is none. */
static int site_part(site_t *site, PyObject *title, PyObject **out)
{
    separators_t found;

    *out = NULL;
    if (!has_parts(site, title, &found)) return 0;
    for (int number = 0; number < 2; number++) {
        PyObject *part = number == 0 ? part_in(site, title, found.behind, PyUnicode_GET_LENGTH(title))
                                     : part_in(site, title, 0, found.start);
        PyObject *key = part ? bare_key(site, part) : NULL;
        int is_name = key ? is_name_of_site(site, key) : -1;
        if (is_name == 0) is_name = has_label(site, part);
        if (is_name != 0) {
            *out = part;
            return is_name < 0 ? -1 : 0;
        }
    }
    return 0;
}

static bool is_host_sign(char c)
{
    return Py_ISALNUM(c) || c == '_' || c == '-';
}

PyDoc_STRVAR(host_and_path_doc, "host_and_path(url)\n--\n\n"
"As metadata.site_name.host_and_path, of an address in ASCII; None for others.");

static PyObject *core_host_and_path(PyObject *module, PyObject *url)
{
    const char *at, *end, *host, *path;
    PyObject *name, *out;
    char small[MAX_HOST];
    size_t size;

    if (!PyUnicode_Check(url)) return PyErr_Format(PyExc_TypeError, "expected a string");
    at = PyUnicode_IS_ASCII(url) ? PyUnicode_DATA(url) : "";
    end = at + (PyUnicode_IS_ASCII(url) ? PyUnicode_GET_LENGTH(url) : 0);
    if (strncmp(at, "http", 4) != 0) Py_RETURN_NONE;
    at += at[4] == 's' ? 5 : 4;
    if (strncmp(at, "://", 3) != 0) Py_RETURN_NONE;
    for (const char *sign = at; sign < end; sign++)
        if (*sign < ' ' || *sign == 0x7F) Py_RETURN_NONE;
    for (host = at += 3; at < end && (is_host_sign(*at) || *at == '.');) at++;
    size = (size_t)(at - host);
    if (size == 0 || size > sizeof small || (at < end && !strchr("/?#", *at))) Py_RETURN_NONE;
    for (size_t i = 0; i < size; i++) small[i] = (char)lower(host[i]);
    for (path = at; at < end && *at != '?' && *at != '#';) at++;
    name = PyUnicode_FromStringAndSize(small, (Py_ssize_t)size);
    out = name ? Py_BuildValue("(Os#)", name, path, (Py_ssize_t)(at - path)) : NULL;
    Py_XDECREF(name);
    return out;
}

/* Reads the host and whether there is a path, as site_name.host_and_path has them. Unusual addresses make the page unusual. */
static void read_address(site_t *site, PyObject *url)
{
    const char *at = PyUnicode_IS_ASCII(url) ? PyUnicode_DATA(url) : "", *end = at + PyUnicode_GET_LENGTH(url), *host, *label, *longest;
    size_t most = 0;

    site->host = (bytes_t){site->letters_of_host, 0};
    site->label = (bytes_t){site->letters_of_label, 0};
    if (PyUnicode_GET_LENGTH(url) == 0) return;
    site->is_unusual = true;
    if (!PyUnicode_IS_ASCII(url) || strncmp(at, "http", 4) != 0) return;
    at += at[4] == 's' ? 5 : 4;
    if (strncmp(at, "://", 3) != 0) return;
    for (const char *sign = at; sign < end; sign++)
        if (*sign < ' ' || *sign == 0x7F) return;
    for (host = at += 3; at < end && (is_host_sign(*at) || *at == '.');) at++;
    if (at == host || at - host >= MAX_HOST || (at < end && !strchr("/?#", *at))) return;
    if (at - host >= 4 && is_text_at(host, "www.", 4)) host += 4;
    site->is_unusual = false;
    for (label = longest = host; host <= at; host++) {
        if (host < at && *host != '.') {
            if (*host != '-') site->letters_of_host[site->host.size++] = (uint8_t)lower(*host);
            continue;
        }
        if ((size_t)(host - label) > most) most = (size_t)(host - label), longest = label;
        label = host + 1;
    }
    for (size_t i = 0; i < most; i++)
        if (longest[i] != '-') site->letters_of_label[site->label.size++] = (uint8_t)lower(longest[i]);
    for (; at < end && *at != '?' && *at != '#'; at++) site->has_path |= *at != '/';
}
