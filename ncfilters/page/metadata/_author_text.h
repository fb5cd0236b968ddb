/* What is beside the names of authors: bylines, roles, days. As author_patterns.py, whose patterns these functions are; they read
 * text of characters that its patterns and Python's methods see alike. `_author_words.h` includes it.
 */

enum { MAX_AUTHOR_TEXT = 400 };

#define NONE SIZE_MAX

/* Characters of a text. */
typedef struct {
    const Py_UCS4 *at;
    size_t size;
} chars_t;

/* What `setup_author_names` gets. */
static struct {
    listed_words_t kinds, verbs, edited, edits, after, after_organization, weekdays, months, roles, grades, conjunctions;
    listed_words_t plain_starts;
    PyObject *no_names, *no_plain_names, *no_organizations, *particles; /* owned: sets */
} authors;

/* ---- characters */

/* Whether a character is one that patterns of `regex` and methods of strings see alike, in any case. */
static bool is_usual_char(Py_UCS4 c)
{
    static const Py_UCS4 unusual[] = {0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE, 0xDF, 0x130, 0x131, 0x149, 0x17F};

    if (c < 0x80) return c >= ' ' || c == '\t' || c == '\n';
    if (c >= 0x2010) {
        bool is_sign = c <= 0x205E || c == 0x20AC || c == 0x2122 || (c >= 0x2190 && c < 0x2400) || (c >= 0x2500 && c < 0x2700) ||
                       c == 0x30FB || (c >= 0x1F400 && c < 0x1F650);
        return is_sign && c != 0x203F && c != 0x2040 && c != 0x2054;
    }
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++)
        if (c == unusual[i]) return false;
    return c < 0x1C4 && c != 0x85; /* controls: UTF-8 that was read as another encoding */
}

/* Reads a string of usual characters, with room for MAX_AUTHOR_TEXT. False if it is another. */
static bool read_chars(PyObject *string, Py_UCS4 *room, chars_t *out)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(string);
    int kind = PyUnicode_KIND(string);
    const void *data = PyUnicode_DATA(string);

    if (size > MAX_AUTHOR_TEXT) return false;
    for (Py_ssize_t i = 0; i < size; i++)
        if (!is_usual_char(room[i] = PyUnicode_READ(kind, data, i))) return false;
    *out = (chars_t){room, (size_t)size};
    return true;
}

static PyObject *string_of_chars(chars_t t)
{
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, t.at, (Py_ssize_t)t.size);
}

static chars_t chars_between(chars_t t, size_t start, size_t end)
{
    return (chars_t){t.at + start, end - start};
}

static bool is_letter(Py_UCS4 c)
{
    return c < 0x80 ? Py_ISALPHA(c) != 0 : Py_UNICODE_ISALPHA(c) != 0;
}

static bool is_digit(Py_UCS4 c)
{
    return c >= '0' && c <= '9';
}

/* `\w`, and `[^\W\d]` */
static bool is_word_char(Py_UCS4 c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

static bool is_name_char(Py_UCS4 c)
{
    return is_letter(c) || c == '_';
}

static bool is_blank(Py_UCS4 c)
{
    return Py_UNICODE_ISSPACE(c);
}

static bool is_one_of_signs(Py_UCS4 c, const Py_UCS4 *signs)
{
    for (; *signs; signs++)
        if (c == *signs) return true;
    return false;
}

/* Whether a boundary of words is before a place. */
static bool is_boundary(chars_t t, size_t p)
{
    return (p > 0 && is_word_char(t.at[p - 1])) != (p < t.size && is_word_char(t.at[p]));
}

static bool is_at(chars_t t, size_t p, Py_UCS4 c)
{
    return p < t.size && t.at[p] == c;
}

static bool is_blank_at(chars_t t, size_t p)
{
    return p < t.size && is_blank(t.at[p]);
}

static size_t skip_blanks(chars_t t, size_t p)
{
    while (is_blank_at(t, p)) p++;
    return p;
}

/* What is behind one or more white spaces; NONE if there is none. */
static size_t behind_blanks(chars_t t, size_t p)
{
    return is_blank_at(t, p) ? skip_blanks(t, p) : NONE;
}

static size_t behind_digits(chars_t t, size_t p)
{
    while (p < t.size && is_digit(t.at[p])) p++;
    return p;
}

/* What is behind a word of ASCII in lower case, in any case; NONE if it is not there. */
static size_t behind_bytes(chars_t t, size_t p, bytes_t word)
{
    if (p > t.size || word.size > t.size - p) return NONE;
    for (size_t i = 0; i < word.size; i++)
        if (t.at[p + i] >= 0x80 || ascii_lower((uint8_t)t.at[p + i]) != word.at[i]) return NONE;
    return p + word.size;
}

static size_t behind(chars_t t, size_t p, const char *word)
{
    return p == NONE ? NONE : behind_bytes(t, p, (bytes_t){(const uint8_t *)word, strlen(word)});
}

/* What is behind the next word of a list that is at a place; NONE if there is no more. *cursor* is 0 at first. */
static size_t behind_next(const listed_words_t *list, chars_t t, size_t p, size_t *cursor)
{
    size_t number;

    if (*cursor) number = list->nexts[*cursor - 1];
    else number = p < t.size && t.at[p] < 0x80 ? list->heads[ascii_lower((uint8_t)t.at[p])] : 0;
    for (; number > 0; number = list->nexts[number - 1]) {
        size_t end = behind_bytes(t, p, list->items[number - 1]);
        if (end == NONE) continue;
        *cursor = number;
        return end;
    }
    return NONE;
}

/* ---- bylines */

/* What is behind white space and a colon; NONE if there is none. */
static size_t behind_colon(chars_t t, size_t p)
{
    if (p == NONE) return NONE;
    p = skip_blanks(t, p);
    return is_at(t, p, ':') ? p + 1 : NONE;
}

/* `(?:(?:originally |first )?VERB\s+)?by\b` */
static size_t behind_by(chars_t t, size_t p)
{
    size_t starts[3] = {behind(t, p, "originally "), behind(t, p, "first "), p}, end, cursor;

    for (size_t i = 0; i < 3; i++) {
        cursor = 0;
        while (starts[i] != NONE && (end = behind_next(&authors.verbs, t, starts[i], &cursor)) != NONE) {
            end = behind(t, behind_blanks(t, end), "by");
            if (end != NONE && is_boundary(t, end)) return end;
        }
    }
    end = behind(t, p, "by");
    return end != NONE && is_boundary(t, end) ? end : NONE;
}

/* `\s[\w ,./]{6,24}?\sby\s(?=\p{Lu})`, where letters are in any case */
static size_t behind_day_and_by(chars_t t, size_t p)
{
    enum { LEAST = 6, MOST = 24 };

    if (!is_blank_at(t, p)) return NONE;
    p++;
    for (size_t count = 0; count <= MOST; count++) {
        size_t end = count >= LEAST && is_blank_at(t, p + count) ? behind(t, p + count + 1, "by") : NONE;
        if (end != NONE && is_blank_at(t, end) && end + 1 < t.size &&
            (Py_UNICODE_ISUPPER(t.at[end + 1]) || Py_UNICODE_ISLOWER(t.at[end + 1]))) return end + 1;
        if (p + count >= t.size) break;
        if (!is_word_char(t.at[p + count]) && (t.at[p + count] >= 0x80 || !strchr(" ,./", (int)t.at[p + count]))) break;
    }
    return NONE;
}

/* `(?:published|posted|updated)(?:\s+on)?`, a day, and "by" */
static size_t behind_published(chars_t t, size_t p)
{
    static const char *const starts[] = {"published", "posted", "updated"};

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t end = behind(t, p, starts[i]), on, found;
        if (end == NONE) continue;
        on = behind(t, behind_blanks(t, end), "on");
        if (on != NONE && (found = behind_day_and_by(t, on)) != NONE) return found;
        return behind_day_and_by(t, end);
    }
    return NONE;
}

/* `(?:the )?authors?\b\s*(?:\(s\))?\s*:` */
static size_t behind_author(chars_t t, size_t p)
{
    size_t the = behind(t, p, "the "), end = behind(t, the == NONE ? p : the, "author"), plural;

    if (end == NONE) return NONE;
    if ((plural = behind(t, end, "s")) != NONE) end = plural;
    if (!is_boundary(t, end)) return NONE;
    end = skip_blanks(t, end);
    if ((plural = behind(t, end, "(s)")) != NONE) end = plural;
    return behind_colon(t, end);
}

/* A label with a colon: with one of the letters *after* it, or none. */
static size_t behind_label(chars_t t, size_t p, const char *label, const char *after, const char *last)
{
    size_t end = behind(t, p, label);

    if (end == NONE) return NONE;
    if (end < t.size && t.at[end] < 0x80 && t.at[end] && strchr(after, ascii_lower((uint8_t)t.at[end]))) end++;
    if (end < t.size && t.at[end] < 0x80 && t.at[end] && strchr(last, ascii_lower((uint8_t)t.at[end]))) end++;
    return behind_colon(t, end);
}

/* Whether one of some words in small letters is at a place, with a boundary behind it; *end* gets what is behind it. */
static bool is_exact_word(chars_t t, size_t p, const char *const *words, size_t *end)
{
    for (; *words; words++) {
        size_t i = 0;
        while ((*words)[i] && is_at(t, p + i, (Py_UCS4)(*words)[i])) i++;
        if (!(*words)[i] && is_boundary(t, *end = p + i)) return true;
    }
    return false;
}

/* Whether a word before the number of a day is at a place: _AFTER_DAYS. */
static bool is_before_day(chars_t t, size_t p)
{
    static const char *const words[] = {"le", "am", "el", "il", "op", "em", "den", "dne", "dnia", "pe", NULL};
    size_t end, next;

    if (!is_exact_word(t, p, words, &end)) return false;
    next = skip_blanks(t, end);
    return next == t.size || (next > end && is_digit(t.at[next]));
}

/* What is behind particles and a word with a capital: _ONE_NAME; NONE if they are not there. */
static size_t behind_one_name(chars_t t, size_t p)
{
    static const char *const particles[] = {"de", "da", "di", "van", "von", "der", "den", "la", NULL};
    size_t end;

    while (is_at(t, p, ' ') && is_exact_word(t, p + 1, particles, &end) && is_at(t, end, ' ')) p = end;
    if (!is_at(t, p, ' ') || p + 1 >= t.size || !Py_UNICODE_ISUPPER(t.at[p + 1])) return NONE;
    for (end = p + 2; end < t.size && is_letter(t.at[end]);) end++;
    return end > p + 2 ? end : NONE;
}

/* What is behind "di"; and behind "Di", "Door" and the like, which some names begin with, before a name alone, or before one and
 * its day: _BEFORE_NAME. */
static size_t behind_di(chars_t t, size_t p)
{
    static const char *const small[] = {"di", NULL}, *const words[] = {"Di", "Door", "Av", "Af", NULL};
    size_t by, end;

    if (is_exact_word(t, p, small, &by)) return by;
    if (!is_exact_word(t, p, words, &by) || (end = behind_one_name(t, by)) == NONE || (end = behind_one_name(t, end)) == NONE)
        return NONE;
    if (end == t.size || is_at(t, end, ',') || (is_at(t, end, ' ') && is_at(t, end + 1, '|'))) return by;
    return is_blank_at(t, end) && is_before_day(t, skip_blanks(t, end)) ? by : NONE;
}

/* What is behind words in which "*" is any character beyond ASCII. */
static size_t behind_letters(chars_t t, size_t p, const char *words)
{
    size_t end = p;

    for (; *words && end != NONE; words++) {
        const char letter[] = {*words, 0};
        if (*words != '*') end = behind(t, end, letter);
        else end = end < t.size && t.at[end] >= 0x80 ? end + 1 : NONE;
    }
    return end;
}

/* A word of some languages before a name: those of _BY, _OTHER_VERBS and _OTHER_AUTHORS. */
static size_t behind_foreign(chars_t t, size_t p)
{
    static const char *const by[] = {
        "von", "escrito por", "redactado por", "publicado por", "postado por", "publi* par", "*crit par", "r*dig* par",
        "scritto da", "pubblicato da", "a cura di", "geschrieben von", "ver*ffentlicht von", "verfasst von", "gepostet von",
        "skrevet av", "skrevet af", "skriven av", "geschreven door", "geplaatst door", "ditulis oleh", "scris de",
        "napsala", "napsal", "par", "por",
    };
    static const char *const authors_of[] = {
        "verfasser", "forfatter", "f*rfattare", "kirjoittaja", "szerz*", "yazan", "yazar", "penulis",
    };

    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        size_t end = behind_letters(t, p, by[i]);
        if (end != NONE && is_boundary(t, end)) return end;
    }
    for (size_t i = 0; i < sizeof authors_of / sizeof *authors_of; i++) {
        size_t end = behind_colon(t, behind_letters(t, p, authors_of[i]));
        if (end != NONE) return end;
    }
    return behind_di(t, p);
}

/* What is behind that by which names of authors are introduced. */
static size_t behind_introduction(chars_t t, size_t p)
{
    size_t end = behind_by(t, p);

    if (end == NONE) end = behind_published(t, p);
    if (end == NONE) end = behind_author(t, p);
    if (end == NONE) end = behind_label(t, p, "posted", "", "");
    if (end == NONE) end = behind_foreign(t, p);
    if (end == NONE) end = behind_label(t, p, "autor", "e", "s");
    if (end == NONE) end = behind_label(t, p, "auteur", "s", "");
    if (end == NONE) end = behind_label(t, p, "autorz", "y", "");
    if (end == NONE) end = behind_label(t, p, "written", "", "");
    if (end == NONE) end = behind_label(t, p, "words", "", "");
    return end == NONE ? behind_label(t, p, "text", "eo", "") : end;
}

/* What is behind the beginning of a byline, as _BY matches it; NONE if there is none. */
static size_t behind_byline(chars_t t)
{
    size_t p = 0, found = NONE, article, cursor, end;

    while (p < t.size && !is_word_char(t.at[p])) p++;
    article = behind(t, p, "a ");
    if (article == NONE) article = behind(t, p, "an ");
    for (size_t start = article; found == NONE; start = p) {
        cursor = 0;
        while (found == NONE && start != NONE && (end = behind_next(&authors.kinds, t, start, &cursor)) != NONE)
            if ((end = behind_blanks(t, end)) != NONE) found = behind_introduction(t, end);
        if (start == p) break;
    }
    if (found == NONE) found = behind_introduction(t, p);
    if (found == NONE) return NONE;
    found = skip_blanks(t, found);
    return skip_blanks(t, is_at(t, found, ':') ? found + 1 : found);
}

/* Whether a text says by whom it is not written: _EDITED. */
static bool is_edited(chars_t t)
{
    static const char *const experts[] = {"medically ", "clinically ", "expert ", "legally "};
    size_t p = 0, starts[5] = {NONE, NONE, NONE, NONE, NONE};

    if (behind(t, 0, "content:") != NONE) return true;
    while (p < t.size && !is_word_char(t.at[p])) p++;
    starts[0] = p;
    for (size_t i = 0; i < 4; i++) starts[i + 1] = behind(t, p, experts[i]);
    for (size_t i = 0; i < 5; i++) {
        size_t cursor = 0, end;
        const listed_words_t *list = &authors.edited;
        for (;;) {
            if (starts[i] == NONE) break;
            if ((end = behind_next(list, t, starts[i], &cursor)) == NONE) {
                if (i > 0 || list == &authors.edits) break;
                list = &authors.edits; /* which no expert does */
                cursor = 0;
                continue;
            }
            if ((end = behind_blanks(t, end)) == NONE) continue;
            if (behind(t, end, "credit") != NONE) return true;
            if ((end = behind(t, end, "by")) != NONE && is_boundary(t, end)) return true;
        }
    }
    return false;
}

/* ---- what follows names */

/* Whether a day is at a place, with a boundary behind it, but for its number. */
static bool is_day_at(chars_t t, size_t p)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    size_t cursor = 0, end;

    if (p == NONE) return false;
    while ((end = behind_next(&authors.weekdays, t, p, &cursor)) != NONE)
        if (is_boundary(t, end)) return true;
    cursor = 0;
    while ((end = behind_next(&authors.months, t, p, &cursor)) != NONE) {
        size_t digits;
        while (end < t.size && t.at[end] < 0x80 && Py_ISALPHA(t.at[end])) end++;
        if (is_at(t, end, '.')) end++;
        if ((end = behind_blanks(t, end)) == NONE || (digits = behind_digits(t, end)) == end) continue;
        if (is_boundary(t, digits)) return true;
        for (size_t i = 0; i < 4; i++) {
            size_t last = behind(t, digits, endings[i]);
            if (last != NONE && is_boundary(t, last)) return true;
        }
    }
    return false;
}

/* Whether a word is at a place that follows names. */
static bool is_word_after(chars_t t, size_t p, bool of_organization)
{
    const listed_words_t *list = of_organization ? &authors.after_organization : &authors.after;
    static const char *const before_days[] = {"on", "in", "at"};
    size_t cursor = 0, end;

    if (!is_letter(t.at[p]) || (p > 0 && is_word_char(t.at[p - 1]))) return false;
    while ((end = behind_next(list, t, p, &cursor)) != NONE)
        if (is_boundary(t, end)) return true;
    end = behind(t, p, "illustrat");
    if (end != NONE && end < t.size && is_word_char(t.at[end])) return true;
    if (is_day_at(t, p) || is_before_day(t, p)) return true;
    for (size_t i = 0; of_organization && i < 3; i++)
        if ((end = behind(t, p, before_days[i])) != NONE && is_day_at(t, behind_blanks(t, end))) return true;
    return false;
}

/* Whether `\S+@\S+` is at a place. */
static bool is_mail_at(chars_t t, size_t p)
{
    for (size_t at = p; at < t.size && !is_blank(t.at[at]); at++)
        if (at > p && t.at[at] == '@' && at + 1 < t.size && !is_blank(t.at[at + 1])) return true;
    return false;
}

/* Whether `\([^()]*\)?$` is at a place. */
static bool is_last_bracket(chars_t t, size_t p)
{
    size_t end = p + 1;

    while (end < t.size && t.at[end] != '(' && t.at[end] != ')') end++;
    return end == t.size || (t.at[end] == ')' && end + 1 == t.size);
}

static bool is_dash(Py_UCS4 c)
{
    return c == 0x2013 || c == 0x2014 || c == '/' || c == '-';
}

/* Whether a number is at a place that follows names, and is no part of one. */
static bool is_number_after(chars_t t, size_t p, bool of_organization)
{
    Py_UCS4 before = p > 0 ? t.at[p - 1] : 0;

    if (!is_digit(t.at[p])) return false;
    if (p == 0) return !of_organization;
    return !is_letter(before) && !is_digit(before) && before != '_' && before != '.' && before != '-';
}

/* Whether that is at a place which follows names. */
static bool is_after_at(chars_t t, size_t p, bool of_organization)
{
    static const Py_UCS4 signs[] = {'|', 0x2022, 0xB7, 0xBB, 0x203A, 0x22C5, 0x25CF, 0x25AA, 0x25E6, '\t', '\n', '[', 0};
    Py_UCS4 c;
    size_t end = p + 1;

    if (p >= t.size) return false;
    c = t.at[p];
    if (is_one_of_signs(c, signs)) return true;
    if (is_blank(c)) {
        while (end < t.size && is_dash(t.at[end])) end++;
        return end > p + 1 && is_blank_at(t, end);
    }
    if (c == '(' && is_last_bracket(t, p)) return true;
    if (c == '@') {
        if (is_blank_at(t, end)) end++;
        if (end < t.size && is_word_char(t.at[end])) return true;
    }
    if (is_mail_at(t, p) || is_number_after(t, p, of_organization) || is_word_after(t, p, of_organization)) return true;
    if ((end = behind(t, p, "http")) != NONE) return is_at(t, end, ':') || behind(t, end, "s:") != NONE;
    return behind(t, p, "www.") != NONE && is_boundary(t, p);
}

/* Where that begins which follows names: _AFTER or _AFTER_ORGANIZATION; NONE if nothing does. */
static size_t start_of_rest(chars_t t, bool of_organization)
{
    for (size_t p = 0; p < t.size; p++) {
        size_t end = skip_blanks(t, p);
        for (size_t at = end + 1; at-- > p;)
            if (is_after_at(t, at, of_organization)) return p;
    }
    return NONE;
}

/* ---- roles */

/* What is behind `[^\W\d]+\s+`; NONE if that is not there. */
static size_t behind_some_word(chars_t t, size_t p)
{
    size_t end = p;

    while (end < t.size && is_name_char(t.at[end])) end++;
    return end == p ? NONE : behind_blanks(t, end);
}

/* Whether all from a place on is a role. */
static bool is_role_at(chars_t t, size_t p)
{
    size_t cursor = 0, end;

    while ((end = behind_next(&authors.roles, t, p, &cursor)) != NONE) {
        size_t plural = behind(t, end, "s");
        if (end == t.size || (is_at(t, end, '.') && end + 1 == t.size)) return true;
        if (plural != NONE && (plural == t.size || (is_at(t, plural, '.') && plural + 1 == t.size))) return true;
    }
    return false;
}

/* Whether all from a place on is a role, with up to *left* words before it, at least *least*. */
static bool is_job_at(chars_t t, size_t p, int least, int left)
{
    for (; p != NONE; p = behind_some_word(t, p)) {
        if (least <= 0 && is_role_at(t, p)) return true;
        least--;
        if (left-- == 0) return false;
    }
    return false;
}

/* Whether all from a place on is a role, with up to *left* grades before it, each of which may have a word behind it. */
static bool is_graded_at(chars_t t, size_t p, int left)
{
    size_t cursor = 0, end;

    if (p == NONE) return false;
    if (is_role_at(t, p)) return true;
    while (left > 0 && (end = behind_next(&authors.grades, t, p, &cursor)) != NONE) {
        if ((end = behind_blanks(t, end)) == NONE) continue;
        if (is_graded_at(t, end, left - 1) || is_graded_at(t, behind_some_word(t, end), left - 1)) return true;
    }
    return false;
}

/* Whether all from a place on is what _ROLES matches. */
static bool is_roles_at(chars_t t, size_t p)
{
    enum { MAX_WORDS_BEFORE = 4, MAX_GRADES = 3 };
    size_t end;

    if (is_at(t, p, ',')) return (end = behind_blanks(t, p + 1)) != NONE && is_job_at(t, end, 0, MAX_WORDS_BEFORE);
    return (end = behind_blanks(t, p)) != NONE && is_graded_at(t, end, MAX_GRADES);
}

/* A text without the roles at its end. */
static chars_t without_roles(chars_t t)
{
    for (size_t p = 0; p < t.size; p++)
        if ((t.at[p] == ',' || is_blank(t.at[p])) && is_roles_at(t, p)) return chars_between(t, 0, p);
    return t;
}

/* A text without the job at its end: _JOB. */
static chars_t without_job(chars_t t)
{
    for (size_t p = 0; p < t.size; p++) {
        size_t end = t.at[p] == ',' ? behind_blanks(t, p + 1) : NONE;
        if (end != NONE && is_job_at(t, end, 1, 4)) return chars_between(t, 0, p);
    }
    return t;
}
