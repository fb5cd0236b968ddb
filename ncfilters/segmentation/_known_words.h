/* Words in text that Python's patterns look for in any case. `_core.c` includes it. */

/* The words of a string, which is known by its address: that of a constant of a Python module. NULL with an exception. */
static const listed_words_t *known_words(PyObject *string)
{
    enum { MAX_KNOWN = 24 }; /* more than a function takes */
    static struct {
        PyObject *string; /* owned */
        listed_words_t words;
    } known[MAX_KNOWN];
    static size_t next = 0;
    size_t at = next;

    for (size_t i = 0; i < MAX_KNOWN; i++)
        if (known[i].string == string) return &known[i].words;
    next = (next + 1) % MAX_KNOWN;
    Py_CLEAR(known[at].string);
    if (read_words(string, &known[at].words) < 0) return NULL;
    known[at].string = Py_NewRef(string);
    return &known[at].words;
}

/* Whether a character beyond ASCII is a letter of ASCII in another case. */
static bool is_like_ascii(Py_UCS4 c)
{
    return c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A; /* İ, ı, ſ, the sign of Kelvin */
}

static bool has_like_ascii(bytes_t text)
{
    const uint8_t *at = text.at, *end = text.at + text.size;

    while (at < end)
        if (is_like_ascii(next_character(&at))) return true;
    return false;
}

/* Whether text has one of some words, in ASCII. */
static bool has_one_of(bytes_t text, const listed_words_t *words_of)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.at[at] < 0x80 && begins_one_of(text, at, words_of)) return true;
    return false;
}

/* Whether text has bytes. */
static bool has_bytes(bytes_t text, bytes_t part)
{
    const uint8_t *at = text.at, *end = text.at + text.size;

    if (part.size == 0) return true;
    while ((size_t)(end - at) >= part.size && (at = memchr(at, part.at[0], (size_t)(end - at) - part.size + 1)) != NULL) {
        if (memcmp(at, part.at, part.size) == 0) return true;
        at++;
    }
    return false;
}

static inline bool is_ascii_word(uint8_t c)
{
    return Py_ISALNUM(c) || c == '_';
}

/* Whether a text has one of some words as a whole word, in any case. Characters beyond ASCII may be signs. */
static bool may_have_whole_word(bytes_t text, const listed_words_t *words_of)
{
    bool after_word = false;

    for (size_t at = 0; at < text.size; at++) {
        uint8_t c = text.at[at];
        bool is_in_word = c < 0x80 && is_ascii_word(c);
        if (c >= 0xC2 && is_like_ascii(char_at(text.at + at))) return true;
        if (is_in_word && !after_word) {
            for (size_t number = words_of->heads[ascii_lower(c)]; number > 0; number = words_of->nexts[number - 1]) {
                bytes_t word = words_of->items[number - 1];
                size_t end = at + word.size;
                if (end > text.size || !is_same_word(text.at + at, word.at, word.size)) continue;
                if (end == text.size || text.at[end] >= 0x80 || !is_ascii_word(text.at[end])) return true;
            }
        }
        after_word = is_in_word;
    }
    return false;
}
