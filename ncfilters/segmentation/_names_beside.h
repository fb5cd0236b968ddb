/* Texts with a day that may have a name beside it: of byline_text.authors_beside_day, only these are read. `_head_search.h` includes
 * it.
 */

/* What is beside days: words of which no name has one; and the most characters of a text. */
typedef struct {
    const listed_words_t *unnamed;
    Py_ssize_t most;
} beside_t;

static bool is_listed_word(bytes_t word, const listed_words_t *words_of)
{
    for (size_t number = words_of->heads[ascii_lower(word.at[0])]; number > 0; number = words_of->nexts[number - 1]) {
        bytes_t own = words_of->items[number - 1];
        if (own.size == word.size && is_same_word(word.at, own.at, own.size)) return true;
    }
    return false;
}

static bool is_in_name(uint8_t c)
{
    return Py_ISALPHA(c) || c == '\'' || c == '.' || c == '-';
}

/* Whether a text has a word that a name may have. */
static bool has_other_word(bytes_t text, const beside_t *beside)
{
    for (size_t at = 0, end; at < text.size; at = end) {
        for (end = at; end < text.size && Py_ISALPHA(text.at[end]);) end++;
        if (end == at) {
            end++;
            continue;
        }
        if (end < text.size && is_in_name(text.at[end])) return true; /* of a word, for names */
        if (!is_listed_word((bytes_t){text.at + at, end - at}, beside->unnamed)) return true;
    }
    return false;
}

/* Whether a word, as names have them, is in no name: it begins so, before a hyphen. */
static bool is_unnamed(bytes_t word, const beside_t *beside)
{
    size_t end = 0;

    while (end < word.size && word.at[end] != '-') end++;
    while (end > 0 && word.at[end - 1] == '.') end--;
    return end > 0 && is_listed_word((bytes_t){word.at, end}, beside->unnamed);
}

/* Whether a word begins in capitals, before a sign. */
static bool is_in_capitals(bytes_t word)
{
    for (size_t at = 0; at < word.size && Py_ISALPHA(word.at[at]); at++)
        if (Py_ISLOWER(word.at[at])) return false;
    return true;
}

/* Whether a text has two words beside each other, without digits between them, that names may have; or one, and behind it another in
 * capitals, as degrees are. */
static bool has_two_words(bytes_t text, const beside_t *beside)
{
    bool after_word = false, has_word = false;

    for (size_t at = 0, end; at < text.size; at = end) {
        bytes_t word = {text.at + at, 1};
        end = at + 1;
        if (Py_ISDIGIT(text.at[at]) && !(at > 0 && is_in_name(text.at[at - 1]))) after_word = has_word = false; /* no name goes on */
        if (!Py_ISALPHA(text.at[at])) continue;
        while (end < text.size && is_in_name(text.at[end])) end++;
        word.size = end - at;
        if (is_unnamed(word, beside)) {
            if (has_word && is_in_capitals(word)) return true;
            after_word = false;
        } else {
            if (after_word || (has_word && is_in_capitals(word))) return true;
            after_word = has_word = true;
        }
    }
    return false;
}

/* Whether one of some words is right behind a digit, as that of a day. */
static bool has_word_behind_digit(bytes_t text, const listed_words_t *words_of)
{
    for (size_t at = 1, end; at < text.size; at++) {
        if (!Py_ISDIGIT(text.at[at - 1]) || !Py_ISALPHA(text.at[at])) continue;
        for (end = at; end < text.size && Py_ISALPHA(text.at[end]);) end++;
        if (is_listed_word((bytes_t){text.at + at, end - at}, words_of)) return true;
    }
    return false;
}

/* Whether a text with a day may have a name beside it: after "By" or a label any name, else a full one. */
static bool may_have_name_beside(const read_text_t *own, const byline_t *byline, const beside_t *beside)
{
    bytes_t text = own->text;

    if (own->chars > (size_t)beside->most || memchr(text.at, '\n', text.size)) return false;
    for (size_t at = 0; at < text.size; at++) {
        uint8_t c = text.at[at];
        if (c >= 0x80 || c == '&' || c == '<' || c == '_') return true;
        if (Py_ISDIGIT(c) && at > 0 && Py_ISALPHA(text.at[at - 1])) return true; /* an account */
    }
    if (may_have_whole_word(text, byline->whole) || has_word_behind_digit(text, byline->whole) ||
        (memchr(text.at, ':', text.size) && has_one_of(text, byline->labels))) return has_other_word(text, beside);
    return has_two_words(text, beside);
}
