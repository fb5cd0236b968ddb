/* What the text of a segment may be: a title, a byline, a day. `_head_search.h` includes it.
 *
 * Titles are compared as site_name.title_key has them. That a text is a byline or has a day is said of more than those which
 * author_names.py and dates.py find, and of all of these.
 */

/* ---- keys: site_name.title_key */

enum { UNSURE = -1 };

/* A character in folded case; UNSURE where that is no character or not the one in lower case. */
static long folded(Py_UCS4 c)
{
    static const struct {
        Py_UCS4 first, last;
    } others[] = {{0xB5, 0xB5},     {0xDF, 0xDF},     {0x130, 0x130},   {0x149, 0x149},   {0x17F, 0x17F},   {0x1F0, 0x1F0},
                  {0x345, 0x345},   {0x390, 0x390},   {0x3B0, 0x3B0},   {0x3C2, 0x3C2},   {0x3CF, 0x3FF},   {0x587, 0x587},
                  {0x13A0, 0x13FF}, {0x1C80, 0x1C8F}, {0x1E96, 0x1E9F}, {0x1F00, 0x1FFF}, {0xAB70, 0xABBF}, {0xFB00, 0xFB17}};

    if (c < 0x80) return ascii_lower((uint8_t)c);
    for (size_t i = 0; i < sizeof others / sizeof *others && c >= others[i].first; i++)
        if (c <= others[i].last) return UNSURE;
    return (long)Py_UNICODE_TOLOWER(c);
}

/* Whether text has a key: 1 or 0, or UNSURE. */
static int has_key(bytes_t text, bytes_t key)
{
    const uint8_t *at = text.at, *end = text.at + text.size, *next = key.at, *last = key.at + key.size;
    bool after_word = false;

    while (at < end) {
        long c = folded(next_character(&at));
        if (c == UNSURE) return UNSURE;
        if (!is_word((Py_UCS4)c)) {
            after_word = false;
            continue;
        }
        if (!after_word && next > key.at && (next == last || *next++ != ' ')) return 0;
        if (next == last || next_character(&next) != (Py_UCS4)c) return 0;
        after_word = true;
    }
    return next == last;
}

/* Whether the key of a text of up to *most* characters has a key in it: 1 or 0, or UNSURE. */
static int has_key_within(bytes_t text, bytes_t key)
{
    enum { MOST = 1024 }; /* bytes */
    uint8_t words_of[MOST], *to = words_of;
    const uint8_t *at = text.at, *end = text.at + text.size;
    bool after_word = false;

    while (at < end) {
        long c = folded(next_character(&at));
        if (c == UNSURE || to - words_of > MOST - 8) return UNSURE;
        if (is_word((Py_UCS4)c)) {
            if (!after_word && to > words_of) *to++ = ' ';
            to = put_character(to, (Py_UCS4)c);
        }
        after_word = is_word((Py_UCS4)c);
    }
    return has_bytes((bytes_t){words_of, (size_t)(to - words_of)}, key);
}

/* ---- bylines and days */

/* How bylines begin: their first two letters in ASCII, or one of these letters beyond ASCII; and what they have: one of some
 * whole words, or a label and a colon. */
typedef struct {
    const listed_words_t *starts, *whole, *labels;
    bytes_t letters;
} byline_t;

/* Reads how bylines begin from a tuple of strings. Returns -1 with an exception. */
static int read_byline(PyObject *tuple, byline_t *out)
{
    PyObject *starts, *letters, *whole, *labels;

    if (!PyArg_ParseTuple(tuple, "UUUU", &starts, &letters, &whole, &labels) || bytes_of(letters, &out->letters) < 0) return -1;
    out->starts = known_words(starts);
    out->whole = out->starts ? known_words(whole) : NULL;
    out->labels = out->whole ? known_words(labels) : NULL;
    return out->labels ? 0 : -1;
}

static bool has_letter_of(bytes_t text, bytes_t letters)
{
    const uint8_t *at = text.at, *end = text.at + text.size;

    while (at < end) {
        const uint8_t *start = at;
        if (next_character(&at) >= 0x80 && has_bytes(letters, (bytes_t){start, (size_t)(at - start)})) return true;
    }
    return false;
}

/* Whether a text may begin as bylines do. */
static bool may_begin_byline(bytes_t text, const byline_t *byline)
{
    const uint8_t *at = text.at, *end = text.at + text.size, *first;
    size_t letters = 0;
    Py_UCS4 c = 0;

    while (at < end && !is_word(c = char_at(at))) next_character(&at);
    if (at == end) return false;
    first = at;
    if (c >= 0x80) { /* numbers are signs for some patterns */
        next_character(&first);
        return !Py_UNICODE_ISALPHA(c) || is_like_ascii(c) || has_letter_of((bytes_t){at, (size_t)(first - at)}, byline->letters);
    }
    while (at < end && letters < 2 && *at < 0x80 && is_ascii_word(*at)) at++, letters++;
    if (letters == 1 && at < end && *at >= 0x80 && is_word(char_at(at))) return true; /* few do */
    for (size_t number = byline->starts->heads[ascii_lower(*first)]; number > 0; number = byline->starts->nexts[number - 1]) {
        bytes_t start = byline->starts->items[number - 1];
        if (start.size == letters && is_same_word(first, start.at, letters)) return true;
    }
    return false;
}

/* Whether a text may be a byline, or a label before one. */
static bool may_be_byline(bytes_t text, const byline_t *byline)
{
    enum { LABEL_SIZE = 8 }; /* "Authors:" */

    if (!may_begin_byline(text, byline)) return false;
    if (may_have_whole_word(text, byline->whole)) return true;
    if ((text.size <= LABEL_SIZE || memchr(text.at, ':', text.size)) && has_one_of(text, byline->labels)) return true;
    return has_letter_of(text, byline->letters);
}

static bool is_digit_at(const uint8_t *at, const uint8_t *end)
{
    return at < end && Py_UNICODE_ISDECIMAL(char_at(at));
}

/* Whether a year from 1900 to 2099 is at a place. */
static bool is_year(const uint8_t *at, const uint8_t *end)
{
    if (end - at < 4 || (memcmp(at, "19", 2) != 0 && memcmp(at, "20", 2) != 0) || !is_digit_at(at += 2, end)) return false;
    next_character(&at);
    return is_digit_at(at, end);
}

/* Whether a text may have a day: a year, and another digit. */
static bool may_have_day(bytes_t text)
{
    const uint8_t *at = text.at, *end = text.at + text.size;
    size_t digits = 0;
    bool has_year = false;

    if (!has_bytes(text, (bytes_t){(const uint8_t *)"20", 2}) && !has_bytes(text, (bytes_t){(const uint8_t *)"19", 2})) return false;
    while (at < end) {
        const uint8_t *start = at;
        if (*at < 0x80 && !Py_ISDIGIT(*at)) {
            at++;
            continue;
        }
        digits += Py_UNICODE_ISDECIMAL(next_character(&at));
        has_year = has_year || is_year(start, end);
    }
    return has_year && digits > 4;
}
