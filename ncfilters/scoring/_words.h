/* Characters and words of texts: as text/char_stats.py, features/leading_words.py and features/phrase_vocabulary.py. */

#ifndef NC_WORDS_H
#define NC_WORDS_H

#include <Python.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "_memory.h"

/* Classes of bytes (see char_stats.py). */
enum { PLAIN, END, UPPER, DIGIT, SPACE, STOP, COMMA, MARK, SYMBOL, BRACKET, SIGN, LETTER, WIDE, CLASSES, FOREIGN_STOP = CLASSES };

static uint8_t class_of[256];
/* ASCII as names of steps and as words of texts (lower-case letters, and digits; a space for others), and as phrases
 * (0 for what is left out). Other bytes stay. */
static uint8_t as_name[256], as_word[256], as_phrase[256];
/* First bytes of the foreign full stops. */
static bool begins_stop[256];

static void set_classes(int class, const char *bytes)
{
    for (; *bytes; bytes++)
        class_of[(uint8_t)*bytes] = (uint8_t)class;
}

static void set_class_range(int class, int first, int last)
{
    for (int byte = first; byte <= last; byte++)
        class_of[byte] = (uint8_t)class;
}

static void fill_word_tables(void)
{
    memset(class_of, MARK, sizeof class_of);
    set_class_range(PLAIN, 'a', 'z');
    set_class_range(PLAIN, 0x80, 0xBF);
    set_class_range(UPPER, 'A', 'Z');
    set_class_range(DIGIT, '0', '9');
    set_classes(SPACE, " \t\n\r\f\v");
    class_of[0] = SPACE; /* in a text it counts as a space */
    set_classes(STOP, ".!?");
    set_classes(COMMA, ",;:");
    set_classes(SYMBOL, "$|@#*/\\<>=_+~^&%");
    set_classes(BRACKET, "()[]{}\"'-");
    set_class_range(SIGN, 0xC0, 0xC2);
    set_class_range(LETTER, 0xC3, 0xE1);
    set_class_range(SIGN, 0xE2, 0xE2);
    set_class_range(WIDE, 0xE3, 0xE9);
    set_class_range(LETTER, 0xEA, 0xED);
    set_class_range(SIGN, 0xEE, 0xEE);
    set_class_range(WIDE, 0xEF, 0xEF);
    set_class_range(SIGN, 0xF0, 0xFF);
    for (int byte = 0; byte < 256; byte++) {
        bool upper = byte >= 'A' && byte <= 'Z', letter = upper || (byte >= 'a' && byte <= 'z');
        bool digit = byte >= '0' && byte <= '9';
        uint8_t lower = (uint8_t)(upper ? byte + 32 : byte);
        as_name[byte] = byte >= 0x80 || letter ? lower : ' ';
        as_word[byte] = byte >= 0x80 || letter || digit ? lower : ' ';
        as_phrase[byte] = digit ? '0' : lower;
    }
    for (const char *byte = "/|_&+=<>\\~\t\n\r\f\v\x1c\x1d\x1e\x1f"; *byte; byte++)
        as_phrase[(uint8_t)*byte] = ' ';
    for (const char *byte = "!\"#$%()*,.:;?@[]^`{}"; *byte; byte++)
        as_phrase[(uint8_t)*byte] = 0;
    for (const char *byte = "\xE3\xEF\xE0\xE1\xD8\xDB"; *byte; byte++)
        begins_stop[(uint8_t)*byte] = true;
}

/* Whether three bytes are one of `sentence_ends.FOREIGN_STOPS`; of characters of two bytes, the third is 0. */
static bool is_foreign_stop(uint32_t code)
{
    switch (code) {
    case 0xE38082: case 0xEFBC81: case 0xEFBC9F: case 0xEFBC8E: case 0xEFBDA1: /* 。！？．｡ */
    case 0xE0A5A4: case 0xE0A5A5: case 0xE18DA2: case 0xD89F00: case 0xDB9400: /* ।॥።؟۔ */
        return true;
    }
    return false;
}

/* Whether three bytes are one of `sentence_ends.WIDE_CLOSING`. */
static bool is_closing(uint32_t code)
{
    return code == 0xE2809D || code == 0xE28099 || code == 0xE3808D || code == 0xE3808F || code == 0xEFBC89;
}

/* The statistics of a text (see `CharStats`). */
typedef struct {
    float chars, words, sentences, titles, kinds[CLASSES];
    uint8_t first, last;
} stats_t;

static inline uint32_t three(const uint8_t *at)
{
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

/* The class of the byte that ends at *end*, FOREIGN_STOP for the last one of such a full stop; END at the start. */
static int class_before(const uint8_t *text, size_t end)
{
    if (!end)
        return END;
    uint8_t last = text[end - 1];
    if (last < 0x80 || last >= 0xC0)
        return class_of[last];
    if (end >= 3 && text[end - 3] >= 0xE0 && is_foreign_stop(three(text + end - 3)))
        return FOREIGN_STOP;
    if (end >= 2 && text[end - 2] >= 0xC0 && is_foreign_stop((uint32_t)text[end - 2] << 16 | (uint32_t)last << 8))
        return FOREIGN_STOP;
    return PLAIN;
}

/* The class of the last byte of a text, or of the one before a closing quote if that is a full stop. */
static int last_class(const uint8_t *text, size_t size)
{
    int last = class_before(text, size), inner = END;
    if (last == BRACKET) {
        inner = class_before(text, size - 1);
    } else if (last == PLAIN && text[size - 1] >= 0x80) {
        uint32_t code = size >= 3 ? three(text + size - 3) : 0;
        bool latin = text[size - 2] == 0xC2;
        if (latin || code >> 16 == 0xE2)
            last = MARK;
        if (is_closing(code))
            inner = class_before(text, size - 3);
        else if (latin && text[size - 1] == 0xBB) /* » */
            inner = class_before(text, size - 2);
    }
    return inner == STOP || inner == FOREIGN_STOP ? inner : last;
}

/* What `count_characters` counts. */
typedef struct {
    uint32_t classes[CLASSES], stops, titles;
} counts_t;

/* Counts a byte that is not plain, in a text from *start* to *end*. */
static inline void count_byte(counts_t *counts, const uint8_t *at, const uint8_t *start, const uint8_t *end)
{
    int class = class_of[*at];
    counts->classes[class]++;
    if (class == STOP)
        counts->stops += at + 1 < end && class_of[at[1]] == SPACE;
    else if (class == UPPER)
        counts->titles += at == start || class_of[at[-1]] == SPACE;
    else if (class >= LETTER && begins_stop[*at])
        counts->stops += is_foreign_stop(*at < 0xE0 ? three(at) & 0xFFFF00 : three(at));
}

/* Counts the bytes of a text that are not plain. */
static void count_bytes(counts_t *counts, bytes_t text)
{
    const uint8_t *start = text.at, *at = start, *end = start + text.size;
#ifdef __SSE2__
    const __m128i first = _mm_set1_epi8('a' - 1), last = _mm_set1_epi8('z' + 1), lead = _mm_set1_epi8((char)0xC0);
    const __m128i space = _mm_set1_epi8(' ');
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(part, first), _mm_cmplt_epi8(part, last));
        __m128i plain = _mm_or_si128(letters, _mm_cmplt_epi8(part, lead)); /* bytes that continue a character */
        unsigned spaces = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(part, space));
        counts->classes[SPACE] += (uint32_t)__builtin_popcount(spaces);
        for (unsigned others = ~((unsigned)_mm_movemask_epi8(plain) | spaces) & 0xFFFF; others; others &= others - 1)
            count_byte(counts, at + __builtin_ctz(others), start, end);
    }
#endif
    for (; at < end; at++)
        if (class_of[*at] != PLAIN)
            count_byte(counts, at, start, end);
}

static void count_characters(bytes_t text, size_t chars, stats_t *out)
{
    counts_t of_bytes = {0};
    count_bytes(&of_bytes, text);
    uint32_t *counts = of_bytes.classes, stops = of_bytes.stops, titles = of_bytes.titles;
    int last = last_class(text.at, text.size);
    stops += last == STOP;
    for (int class = 0; class < CLASSES; class++)
        out->kinds[class] = (float)counts[class];
    out->kinds[PLAIN] = 0;
    out->kinds[END] = 1;
    out->chars = (float)chars;
    out->sentences = (float)stops;
    out->titles = (float)titles;
    uint32_t others = 0;
    for (int class = SPACE; class < CLASSES; class++)
        others += counts[class];
    bool plain = (int64_t)chars - others + counts[LETTER] > 0;
    float words = (float)(counts[SPACE] + plain) + (float)counts[WIDE] / 1.5f, phrases = (float)counts[LETTER] / 10.0f;
    out->words = words > phrases ? words : phrases;
    out->first = text.size ? class_of[*text.at] : END;
    out->last = (uint8_t)(last == FOREIGN_STOP ? STOP : last);
}

/* ---- characters beyond ASCII ---- */

enum { OTHER_CHARACTER, WORD_CHARACTER, WORD_OF_ITS_OWN, SPECIAL_CASE };

/* 256 characters: their lower case, and what they are in words. */
typedef struct {
    uint32_t lower[256];
    uint8_t kind[256];
} characters_t;

#define CHARACTERS 0x110000
static characters_t *characters[CHARACTERS >> 8];

/* A character; NULL without memory. */
static const characters_t *page_of(uint32_t code)
{
    characters_t *page = characters[code >> 8];
    if (page)
        return page;
    if (!(page = malloc(sizeof *page)))
        return NULL;
    for (uint32_t at = 0; at < 256; at++) {
        uint32_t one = (code & ~(uint32_t)0xFF) | at;
        page->lower[at] = Py_UNICODE_TOLOWER(one);
        bool own = (one >= 0x3040 && one <= 0x30FF) || (one >= 0x3400 && one <= 0x9FFF) || (one >= 0xF900 && one <= 0xFAFF);
        page->kind[at] = own ? WORD_OF_ITS_OWN : Py_UNICODE_ISALNUM(one) ? WORD_CHARACTER : OTHER_CHARACTER;
    }
    if (code >> 8 == 0x3)
        page->lower[0xA3] = SPECIAL_CASE; /* Σ: its lower case depends on its place */
    if (code >> 8 == 0x1)
        page->lower[0x30] = SPECIAL_CASE; /* İ has two characters in lower case */
    return characters[code >> 8] = page;
}

/* The first bytes of a text that are so many characters. */
static bytes_t first_characters(bytes_t text, size_t count)
{
    const uint8_t *at = text.at, *end = at + text.size;
    for (; count && at < end; count--)
        next_character(&at);
    return (bytes_t){text.at, (size_t)(at - text.at)};
}

/* A text in lower case by Python, for the two letters that need it. */
static bool lower_by_python(bytes_t text, arena_t *arena, bytes_t *out)
{
    PyObject *string = PyUnicode_DecodeUTF8((const char *)text.at, (Py_ssize_t)text.size, NULL);
    PyObject *lower = string ? PyObject_CallMethod(string, "lower", NULL) : NULL;
    Py_ssize_t size = 0;
    const char *bytes = lower ? PyUnicode_AsUTF8AndSize(lower, &size) : NULL;
    uint8_t *copy = bytes ? take(arena, (size_t)size + 1) : NULL;
    if (copy)
        memcpy(copy, bytes, (size_t)size);
    *out = (bytes_t){copy, (size_t)size};
    Py_XDECREF(string);
    Py_XDECREF(lower);
    return copy != NULL;
}

/* A text in lower case; false without memory. */
static bool lower_case(bytes_t text, arena_t *arena, bytes_t *out)
{
    uint8_t *start = take(arena, 2 * text.size + 4), *to = start;
    if (!start)
        return false;
    for (const uint8_t *at = text.at, *end = at + text.size; at < end;) {
        if (*at < 0x80) {
            *to++ = (uint8_t)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
            at++;
            continue;
        }
        uint32_t code = next_character(&at);
        const characters_t *page = page_of(code);
        if (!page)
            return false;
        uint32_t lower = page->lower[code & 0xFF];
        if (lower == SPECIAL_CASE)
            return lower_by_python(text, arena, out);
        to = put_character(to, lower);
    }
    *out = (bytes_t){start, (size_t)(to - start)};
    return true;
}

/* ---- words for the overlap with titles ---- */

/* A word of a text in lower case (see `distinct_words`). */
typedef struct {
    uint64_t hash;
    uint32_t letters, first; /* its characters, and the first of them */
    const uint8_t *start;
    uint32_t size; /* in bytes */
} word_t;

static inline word_t word_at(const uint8_t *start, const uint8_t *end, uint32_t letters, uint32_t first)
{
    size_t size = (size_t)(end - start);
    return (word_t){hash_of((bytes_t){start, size}), letters, first, start, (uint32_t)size};
}

/* Writes the words of a text in lower case to *out*, which has room for as many as the text has bytes. Returns their
 * number, or -1 without memory. */
static int64_t words_of(bytes_t text, word_t *out)
{
    int64_t count = 0;
    uint32_t letters = 0, first = 0;
    const uint8_t *start = text.at;
    for (const uint8_t *at = text.at, *end = at + text.size; at < end;) {
        const uint8_t *here = at;
        uint32_t code = *at;
        int kind;
        if (code < 0x80) {
            kind = as_word[code] == ' ' ? OTHER_CHARACTER : WORD_CHARACTER;
            at++;
        } else {
            code = next_character(&at);
            const characters_t *page = page_of(code);
            if (!page)
                return -1;
            kind = page->kind[code & 0xFF];
        }
        if (kind != WORD_CHARACTER && letters) {
            out[count++] = word_at(start, here, letters, first);
            letters = 0;
        }
        if (kind == WORD_OF_ITS_OWN) {
            out[count++] = word_at(here, at, 1, code);
        } else if (kind == WORD_CHARACTER) {
            first = letters ? first : code;
            start = letters ? start : here;
            letters++;
        }
    }
    if (letters)
        out[count++] = word_at(start, text.at + text.size, letters, first);
    return count;
}

/* The most bytes of a text for `ascii_words`, and for which there must be room behind *lower*. */
#define ASCII_ROOM 256

/* A bit for each of 64 bytes, in lower case, that is a letter or a digit. */
static inline uint64_t word_bits(const uint8_t *lower)
{
    uint64_t bits = 0;
#ifdef __SSE2__
    const __m128i a = _mm_set1_epi8('a' - 1), z = _mm_set1_epi8('z' + 1), zero = _mm_set1_epi8('0' - 1), nine = _mm_set1_epi8('9' + 1);
    for (int at = 0; at < 64; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(lower + at));
        __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(part, a), _mm_cmplt_epi8(part, z));
        __m128i digits = _mm_and_si128(_mm_cmpgt_epi8(part, zero), _mm_cmplt_epi8(part, nine));
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(letters, digits)) << at;
    }
#else
    for (int at = 0; at < 64; at++)
        bits |= (uint64_t)(as_word[lower[at]] != ' ') << at;
#endif
    return bits;
}

/* Where the words of a text in ASCII of fewer than ASCII_ROOM bytes begin and end, in *edges*; returns the number of
 * these. *lower* has room for it in lower case. */
static uint32_t ascii_edges(bytes_t text, uint8_t *lower, uint32_t edges[ASCII_ROOM + 2])
{
    uint32_t count = 0;
    uint64_t before = 0;
    for (size_t at = 0; at < text.size; at++)
        lower[at] = (uint8_t)(text.at[at] >= 'A' && text.at[at] <= 'Z' ? text.at[at] + 32 : text.at[at]);
    memset(lower + text.size, ' ', 64); /* a word ends there */
    for (uint32_t at = 0; at <= text.size; at += 64) {
        uint64_t bits = word_bits(lower + at);
        for (uint64_t left = bits ^ (bits << 1 | before); left; left &= left - 1)
            edges[count++] = at + (uint32_t)__builtin_ctzll(left);
        before = bits >> 63;
    }
    return count;
}

/* The word between two edges. */
static inline word_t ascii_word(const uint8_t *lower, const uint32_t *edge)
{
    return word_at(lower + edge[0], lower + edge[1], edge[1] - edge[0], lower[edge[0]]);
}

#endif
