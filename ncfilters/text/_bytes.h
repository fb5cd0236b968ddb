/* Bytes of UTF-8 in C. */

#ifndef NC_BYTES_H
#define NC_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    const uint8_t *at;
    size_t size;
} bytes_t;

static inline bool equal(bytes_t one, bytes_t other)
{
    return one.size == other.size && (!one.size || one.at == other.at || memcmp(one.at, other.at, one.size) == 0);
}

static inline bool is(bytes_t one, const char *name)
{
    return one.size == strlen(name) && (!one.size || memcmp(one.at, name, one.size) == 0);
}

/* Whether a byte is one of a character, but not its first. */
static inline bool continues(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The number of characters of UTF-8; bytes that begin none do not count. */
static inline size_t number_of_characters(const uint8_t *at, size_t size)
{
    const uint8_t *end = at + size;
    size_t count = 0;

#ifdef __SSE2__
    if (size >= 16) {
        const __m128i last = _mm_set1_epi8((char)0xBF), one = _mm_set1_epi8(1), zero = _mm_setzero_si128();
        __m128i sums = zero;
        for (; end - at >= 16; at += 16) { /* signed: those that continue a character are the lowest */
            __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
            sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_and_si128(_mm_cmpgt_epi8(part, last), one), zero));
        }
        uint64_t halves[2];
        _mm_storeu_si128((__m128i *)(void *)halves, sums);
        count = (size_t)(halves[0] + halves[1]);
    }
#endif
    for (uint64_t eight; end - at >= 8; at += 8) {
        memcpy(&eight, at, 8);
        count += 8 - (size_t)(((eight >> 7 & ~(eight >> 6)) & 0x0101010101010101u) * 0x0101010101010101u >> 56);
    }
    for (; at < end; at++) count += !continues(*at);
    return count;
}

/* The bytes of a character beyond ASCII; 0 if it is not valid UTF-8. */
static inline int character_size(const uint8_t *at, const uint8_t *end)
{
    size_t left = (size_t)(end - at);
    if (at[0] >= 0xC2 && at[0] < 0xE0)
        return left >= 2 && continues(at[1]) ? 2 : 0;
    if (at[0] >= 0xE0 && at[0] < 0xF0) {
        bool good = left >= 3 && continues(at[1]) && continues(at[2]);
        return !good || (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] >= 0xA0) ? 0 : 3;
    }
    if (at[0] >= 0xF0 && at[0] < 0xF5) {
        bool good = left >= 4 && continues(at[1]) && continues(at[2]) && continues(at[3]);
        return !good || (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] >= 0x90) ? 0 : 4;
    }
    return 0;
}

/* The next character of valid UTF-8. */
static inline uint32_t next_character(const uint8_t **at)
{
    const uint8_t *a = *at;
    if (a[0] < 0x80)
        return *at += 1, a[0];
    if (a[0] < 0xE0)
        return *at += 2, (uint32_t)(a[0] & 0x1F) << 6 | (a[1] & 0x3F);
    if (a[0] < 0xF0)
        return *at += 3, (uint32_t)(a[0] & 0x0F) << 12 | (uint32_t)(a[1] & 0x3F) << 6 | (a[2] & 0x3F);
    *at += 4;
    return (uint32_t)(a[0] & 0x07) << 18 | (uint32_t)(a[1] & 0x3F) << 12 | (uint32_t)(a[2] & 0x3F) << 6 | (a[3] & 0x3F);
}

/* Writes a character, and returns what is behind it. */
static inline uint8_t *put_character(uint8_t *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (uint8_t)code;
    } else if (code < 0x800) {
        *to++ = (uint8_t)(0xC0 | code >> 6);
        *to++ = (uint8_t)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (uint8_t)(0xE0 | code >> 12);
        *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        *to++ = (uint8_t)(0x80 | (code & 0x3F));
    } else {
        *to++ = (uint8_t)(0xF0 | code >> 18);
        *to++ = (uint8_t)(0x80 | (code >> 12 & 0x3F));
        *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        *to++ = (uint8_t)(0x80 | (code & 0x3F));
    }
    return to;
}

#endif
