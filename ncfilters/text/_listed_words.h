/* Words in lower case that are looked for in text. */

#ifndef NC_LISTED_WORDS_H
#define NC_LISTED_WORDS_H

#include <Python.h>

#include "_bytes.h"

static inline uint8_t ascii_lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

/* Whether ASCII text is a word of the same length, in any case. */
static inline bool is_same_word(const uint8_t *text, const uint8_t *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (ascii_lower(text[i]) != word[i]) return false;
    return true;
}

/* The UTF-8 of a string, which owns it. Returns -1 with an exception. */
static inline int bytes_of(PyObject *string, bytes_t *out)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(string, &size);

    if (utf8 == NULL) return -1;
    *out = (bytes_t){(const uint8_t *)utf8, (size_t)size};
    return 0;
}

enum { MAX_LISTED = 100 };

/* Words of a list, by their first letters: from `heads` on, each with the number of the next plus one. `seconds` has the bits of
 * the second letters that follow the first one: all of them if it is a word. */
typedef struct {
    bytes_t items[MAX_LISTED];
    uint8_t nexts[MAX_LISTED], heads[128];
    uint32_t seconds[128];
} listed_words_t;

/* The bit of a letter, which those share that differ in case, among others. */
static inline uint32_t letter_bit(uint8_t c)
{
    return (uint32_t)1 << (c & 31);
}

/* Reads the words of a string, which has "|" between two. Those that begin beyond ASCII are left out. Returns -1 with an
 * exception. */
static inline int read_words(PyObject *string, listed_words_t *out)
{
    bytes_t text;
    size_t count = 0;

    if (bytes_of(string, &text) < 0) return -1;
    memset(out->heads, 0, sizeof out->heads);
    memset(out->seconds, 0, sizeof out->seconds);
    for (size_t at = 0, end; at < text.size; at = end + 1) {
        for (end = at; end < text.size && text.at[end] != '|';) end++;
        if (end == at || text.at[at] >= 0x80) continue;
        if (count == MAX_LISTED) {
            PyErr_SetString(PyExc_ValueError, "too many words");
            return -1;
        }
        out->items[count] = (bytes_t){text.at + at, end - at};
        out->nexts[count] = out->heads[text.at[at]];
        out->heads[text.at[at]] = (uint8_t)++count;
        out->seconds[text.at[at]] |= end - at > 1 ? letter_bit(text.at[at + 1]) : UINT32_MAX;
    }
    return 0;
}

/* Whether a text, whose first byte is ASCII, begins with one of some words. */
static inline bool has_start(bytes_t text, const listed_words_t *starts)
{
    for (size_t number = text.size ? starts->heads[ascii_lower(text.at[0])] : 0; number > 0; number = starts->nexts[number - 1]) {
        bytes_t word = starts->items[number - 1];
        if (word.size <= text.size && is_same_word(text.at, word.at, word.size)) return true;
    }
    return false;
}

/* Whether one of some words begins at a place in a text, which has ASCII there. */
static inline bool begins_one_of(bytes_t text, size_t at, const listed_words_t *words_of)
{
    uint8_t next = at + 1 < text.size ? text.at[at + 1] : 0;

    return words_of->seconds[ascii_lower(text.at[at])] & letter_bit(next) &&
           has_start((bytes_t){text.at + at, text.size - at}, words_of);
}

/* Whether a text has one of some words; true for a text beyond ASCII. */
static inline bool may_have_one_of(bytes_t text, const listed_words_t *words_of)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.at[at] >= 0x80 || begins_one_of(text, at, words_of)) return true;
    return false;
}

#endif
