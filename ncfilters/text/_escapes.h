/* Strings of JSON in C: which bytes are as they are, and how the others are written. */

#ifndef NC_ESCAPES_H
#define NC_ESCAPES_H

#include "_bytes.h"
#ifdef __SSE2__
#include <emmintrin.h>

/* A bit for each of sixteen bytes that is a quote, a backslash, a control character, or not ASCII. */
static inline unsigned not_plain(__m128i part)
{
    __m128i special = _mm_or_si128(
        _mm_cmplt_epi8(part, _mm_set1_epi8(' ')), /* signed: bytes beyond ASCII are negative */
        _mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('"')), _mm_cmpeq_epi8(part, _mm_set1_epi8('\\')))
    );
    return (unsigned)_mm_movemask_epi8(special);
}
#endif

/* Writes the escape of a byte as orjson does, of at most six bytes; returns where it ends. */
static inline uint8_t *put_escape(uint8_t *to, uint8_t c)
{
    static const char hex[] = "0123456789abcdef", letters[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";
    uint8_t letter = c < ' ' ? (uint8_t)letters[c] : c;
    *to++ = '\\';
    *to++ = letter;
    if (letter != 'u')
        return to;
    memcpy(to, "00", 2);
    to[2] = (uint8_t)hex[c >> 4];
    to[3] = (uint8_t)hex[c & 15];
    return to + 4;
}

#endif
