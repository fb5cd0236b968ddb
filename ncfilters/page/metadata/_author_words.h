/* What is a name of an author, and how it is written: as author_patterns.py. `_author_names.h` includes it. */

#include "_author_text.h"

enum { MAX_NAME_CHARS = 60, MAX_NAME_WORDS = 6, MAX_KNOWN_SITES = 8 };

/* Characters with room of their own. */
typedef struct {
    Py_UCS4 room[MAX_AUTHOR_TEXT + 4];
    size_t size;
} own_chars_t;

static chars_t chars_of(const own_chars_t *own)
{
    return (chars_t){own->room, own->size};
}

static bool are_equal_chars(chars_t one, chars_t other)
{
    return one.size == other.size && (!one.size || memcmp(one.at, other.at, one.size * sizeof *one.at) == 0);
}

/* Text in lower case. */
static void lower_chars(chars_t t, own_chars_t *out)
{
    out->size = t.size;
    for (size_t i = 0; i < t.size; i++) out->room[i] = Py_UNICODE_TOLOWER(t.at[i]);
}

static chars_t strip_chars(chars_t t, bool (*is_edge)(Py_UCS4))
{
    while (t.size && is_edge(t.at[0])) t = chars_between(t, 1, t.size);
    while (t.size && is_edge(t.at[t.size - 1])) t.size--;
    return t;
}

static bool is_edge_sign(Py_UCS4 c)
{
    static const Py_UCS4 signs[] = {' ', ':', ';', ',', 0x2013, 0x2014, '-', '"', 0x201C, 0x201D, '*', '_', 0xAE, 0x2122, 0};

    return is_one_of_signs(c, signs);
}

static bool is_comma_or_space(Py_UCS4 c)
{
    return c == ' ' || c == ',';
}

/* Whether text in lower case is in a set. An exception is left to the caller. */
static bool is_member_of(chars_t t, PyObject *set)
{
    PyObject *string = PyErr_Occurred() ? NULL : string_of_chars(t);
    bool is_in = string && PySet_Contains(set, string) > 0;

    Py_XDECREF(string);
    return is_in;
}

/* ---- words */

static bool is_in_name(Py_UCS4 c)
{
    return is_letter(c) || c == '\'' || c == 0x2019 || c == '.' || c == 0x2010 || c == '-';
}

/* The next word of a name from *place* on, which is moved behind it; empty if there is none. */
static chars_t next_name_word(chars_t t, size_t *place)
{
    size_t start = *place, end;

    while (start < t.size && !is_letter(t.at[start])) start++;
    for (end = start; end < t.size && is_in_name(t.at[end]);) end++;
    *place = end;
    return chars_between(t, start, end);
}

static size_t count_name_words(chars_t t)
{
    size_t count = 0;

    for (size_t place = 0; next_name_word(t, &place).size;) count++;
    return count;
}

/* The key of a name: `_key`. */
static void key_of_name(chars_t t, own_chars_t *out)
{
    size_t place = 0;
    chars_t word;

    out->size = 0;
    while ((word = next_name_word(t, &place)).size)
        for (size_t i = 0; i < word.size; i++)
            if (word.at[i] != '.') out->room[out->size++] = Py_UNICODE_TOLOWER(word.at[i]);
}

/* The keys of sites. */
typedef struct {
    own_chars_t keys[MAX_KNOWN_SITES];
    size_t count;
} sites_t;

/* Reads a tuple of names of sites. False if one is unusual. */
static bool read_sites(PyObject *tuple, bool with_empty, sites_t *out)
{
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    chars_t t;

    out->count = 0;
    if (PyTuple_GET_SIZE(tuple) > MAX_KNOWN_SITES) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *site = PyTuple_GET_ITEM(tuple, i);
        if (!PyUnicode_Check(site) || !read_chars(site, room, &t)) return false;
        if (t.size || with_empty) key_of_name(t, &out->keys[out->count++]);
    }
    return true;
}

static bool is_known_key(const own_chars_t *key, const sites_t *sites)
{
    for (size_t i = 0; i < sites->count; i++)
        if (are_equal_chars(chars_of(key), chars_of(&sites->keys[i]))) return true;
    return false;
}

static bool is_known_site(chars_t t, const sites_t *sites)
{
    own_chars_t key;

    if (sites->count == 0) return false;
    key_of_name(t, &key);
    return is_known_key(&key, sites);
}

/* The characters of a text without numbers. */
static void without_digits(chars_t t, own_chars_t *out)
{
    out->size = 0;
    for (size_t i = 0; i < t.size; i++)
        if (!is_digit(t.at[i]) && t.at[i] != '_') out->room[out->size++] = t.at[i];
}

static bool has_upper(chars_t t)
{
    for (size_t i = 0; i < t.size; i++)
        if (Py_UNICODE_TOLOWER(t.at[i]) != t.at[i]) return true;
    return false;
}

/* `str.islower`, and `str.isupper` of usual characters */
static bool is_lower_text(chars_t t)
{
    bool has_lower = false;

    for (size_t i = 0; i < t.size; i++) {
        if (Py_UNICODE_ISUPPER(t.at[i])) return false;
        has_lower |= Py_UNICODE_ISLOWER(t.at[i]) != 0;
    }
    return has_lower;
}

static bool is_upper_text(chars_t t)
{
    bool has = false;

    for (size_t i = 0; i < t.size; i++) {
        if (Py_UNICODE_ISLOWER(t.at[i])) return false;
        has |= Py_UNICODE_ISUPPER(t.at[i]) != 0;
    }
    return has;
}

/* ---- names */

static bool is_letter_of(Py_UCS4 c, Py_UCS4 first, Py_UCS4 last)
{
    return c >= first && c <= last;
}

/* Whether a text is one of words in this case, each "." of which may be missing. */
static bool is_abbreviation(chars_t t)
{
    static const char *const known[] = {"Jr.", "Sr.", "II", "III", "Esq.", "Pharm.D.", "Psy.D.", "Ed.D.", "M.Ed.", "M.Sc.", "B.Sc.",
                                        "MPhil", "DPhil", "MPharm", "LicAc", "CPed", "EdS", "Ph.D.", "Ph. D."};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t at = 0;
        const char *sign = known[i];
        for (; *sign; sign++) {
            if (is_at(t, at, (Py_UCS4)*sign)) at++;
            else if (*sign != '.') break;
        }
        if (*sign == '\0' && at == t.size) return true;
    }
    return false;
}

/* Whether a text is a degree or a title behind a name: _CREDENTIAL. */
static bool is_credential(chars_t t)
{
    enum { MIN_LETTERS = 2, MAX_LETTERS = 7 };
    size_t at = 0, letters = 0, parts = 0;

    while (at < t.size && is_letter_of(t.at[at], 'A', 'Z')) {
        letters++;
        at += is_at(t, at + 1, '.') ? 2 : 1;
    }
    if (at == t.size && letters >= MIN_LETTERS && letters <= MAX_LETTERS) return true;
    for (at = 0, letters = 0; at < t.size; at++) { /* "FAAN-BC" */
        if (t.at[at] == '-' && letters >= (parts ? 1 : 2)) {
            parts++;
            letters = 0;
        } else if (is_letter_of(t.at[at], 'A', 'Z')) {
            letters++;
        } else break;
    }
    return (at == t.size && parts && letters) || is_abbreviation(t);
}

/* Whether a text is the name of an account with digits: `\p{L}[\p{L}_-]+\d[\p{L}\d_-]{0,20}` */
static bool is_account(chars_t t)
{
    enum { MOST_BEHIND = 20 };
    size_t at = 1;

    if (t.size < 3 || !is_letter(t.at[0])) return false;
    while (at < t.size && (is_name_char(t.at[at]) || t.at[at] == '-')) at++;
    if (at < 2 || at >= t.size || !is_digit(t.at[at]) || t.size - at - 1 > MOST_BEHIND) return false;
    for (at++; at < t.size; at++)
        if (!is_word_char(t.at[at]) && t.at[at] != '-') return false;
    return true;
}

/* Whether a text ends like a host: `[\w-]\.[a-z]{2,}$` */
static bool is_host(chars_t t)
{
    size_t at = t.size;

    while (at > 0 && is_letter_of(t.at[at - 1], 'a', 'z')) at--;
    return t.size - at >= 2 && at >= 2 && t.at[at - 1] == '.' && (is_word_char(t.at[at - 2]) || t.at[at - 2] == '-');
}

/* Whether a word is too long in small letters for a name. */
static bool is_small_word(chars_t word)
{
    enum { MOST = 4 };

    return word.size > MOST && is_lower_text(word) && !is_member_of(chars_between(word, 0, 2), authors.particles);
}

/* Whether a word has a part of which a name has none. */
static bool has_no_name(chars_t word)
{
    own_chars_t lower;
    size_t start = 0;

    lower_chars(word, &lower);
    for (size_t at = 0; at <= lower.size; at++) {
        size_t end = at;
        if (at < lower.size && lower.room[at] != '-') continue;
        while (end > start && lower.room[end - 1] == '.') end--;
        if (is_member_of(chars_between(chars_of(&lower), start, end), authors.no_names)) return true;
        start = at + 1;
    }
    return false;
}

/* Whether a text has a sign that no name has, outside of its words: _NO_SIGN. */
static bool has_foreign_sign(chars_t t)
{
    static const Py_UCS4 signs[] = {'.', ',', '\'', 0x2019, '(', ')', '"', 0x201C, 0x201D, '-', 0};

    for (size_t at = 0; at < t.size;) {
        if (is_letter(t.at[at])) {
            while (at < t.size && is_in_name(t.at[at])) at++;
            continue;
        }
        if (!is_blank(t.at[at]) && !is_one_of_signs(t.at[at], signs)) return true;
        at++;
    }
    return false;
}

/* Whether a text is no more than dots that names without spaces have in the middle. */
static bool are_middle_dots(chars_t t)
{
    bool is_one_latin = false;

    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] != 0xB7 && t.at[i] != 0x30FB) return false;
        is_one_latin |= t.at[i] == 0xB7;
    }
    return t.size >= 2 && t.size <= (is_one_latin ? 10 : 6);
}

static bool is_name_of_author(chars_t t)
{
    own_chars_t left, lower;
    size_t letters = 0, words_of = 0, place = 0;
    chars_t word;
    bool has_small;

    if (are_middle_dots(t)) return true;
    if (is_account(t)) {
        without_digits(t, &left);
        t = chars_of(&left);
    }
    has_small = has_upper(t);
    if (t.size > MAX_NAME_CHARS) return false;
    for (size_t i = 0; i < t.size; i++) letters += is_letter(t.at[i]);
    words_of = count_name_words(t);
    if (words_of < 1 || words_of > MAX_NAME_WORDS || letters < 2) return false;
    if ((words_of == 1 && is_host(t)) || has_foreign_sign(t)) return false;
    while ((word = next_name_word(t, &place)).size)
        if ((has_small && is_small_word(word)) || has_no_name(word)) return false;
    lower_chars(t, &lower);
    return !is_member_of(chars_of(&lower), authors.no_names);
}

/* Whether a name has initials: `\b(?:\p{L}\.){2,}` */
static bool has_initials(chars_t t)
{
    for (size_t at = 0; at + 3 < t.size; at++)
        if (is_letter(t.at[at]) && t.at[at + 1] == '.' && is_letter(t.at[at + 2]) && t.at[at + 3] == '.' && is_boundary(t, at))
            return true;
    return false;
}

/* A name with capital letters where it is all in capitals or all in small letters: `_capitalized`. */
static void capitalize(chars_t t, own_chars_t *out)
{
    bool has_space = false;

    out->size = t.size;
    if (t.size) memcpy(out->room, t.at, t.size * sizeof *t.at);
    for (size_t i = 0; i < t.size; i++) has_space |= t.at[i] == ' ';
    if (!has_space || !(is_upper_text(t) || is_lower_text(t)) || has_initials(t)) return;
    for (size_t start = 0, end; start < t.size; start = end + 1) {
        for (end = start; end < t.size && t.at[end] != ' ';) end++;
        if (end - start <= 2 && is_upper_text(chars_between(t, start, end))) continue;
        for (size_t at = start; at < end; at++) {
            bool is_first = is_letter(t.at[at]) && (at == start || !is_letter(t.at[at - 1]));
            Py_UCS4 lower = Py_UNICODE_TOLOWER(t.at[at]);
            out->room[at] = is_first ? Py_UNICODE_TOUPPER(lower) : lower;
        }
    }
}

/* A name once that is there twice: `_twice`. Its words have one space between two. */
static void once(chars_t t, own_chars_t *out)
{
    size_t spaces = 0, half = 0, seen = 0;
    chars_t first, second;

    out->size = 0;
    for (size_t i = 0; i < t.size; i++) {
        if (t.at[i] == ' ' && (out->size == 0 || out->room[out->size - 1] == ' ')) continue;
        spaces += t.at[i] == ' ';
        out->room[out->size++] = t.at[i];
    }
    if (out->size && out->room[out->size - 1] == ' ') {
        out->size--;
        spaces--;
    }
    while (half < out->size && seen < (spaces + 1) / 2) seen += out->room[half++] == ' ';
    first = chars_between(chars_of(out), 0, half ? half - 1 : 0);
    second = chars_between(chars_of(out), half, out->size);
    if (spaces % 2 && spaces >= 3 && are_equal_chars(first, second)) {
        out->size = first.size;
        return;
    }
    out->size = t.size;
    if (t.size) memcpy(out->room, t.at, t.size * sizeof *t.at);
}

/* Whether what follows the name of an author tells what the author does: `_is_description`. */
static bool is_description(chars_t t, chars_t name)
{
    bool has_capital = has_upper(name);

    for (size_t at = 0; at < t.size; at++)
        if (behind(t, at, " of ") != NONE && t.at[at + 1] == 'o' && t.at[at + 2] == 'f') return true;
    for (size_t start = 0, end; has_capital && start < t.size; start = end + 1) {
        for (end = start; end < t.size && t.at[end] != ' ';) end++;
        if (end - start > 4 && is_lower_text(chars_between(t, start, end))) return true;
    }
    return false;
}
