# cython: boundscheck=False, wraparound=False
"""See text_counts.py, which has the same functions. A text that has its white space as it should be is not copied. Words
are compared by hashes of 64 bits; hash tables are at most half full."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memset

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character)
    Py_UCS4 PyUnicode_MAX_CHAR_VALUE(object text)
    Py_UCS4 PyUnicode_READ(int kind, void *data, Py_ssize_t at)
    void PyUnicode_WRITE(int kind, void *data, Py_ssize_t at, Py_UCS4 character)
    object PyUnicode_FromKindAndData(int kind, const void *data, Py_ssize_t size)

DEF MOST = 0x3FFFF
cdef bint[256] spaces
for code in range(256):
    spaces[code] = chr(code).isspace()


cpdef list num_words(list texts):
    cdef str text
    return [_num_words(text) for text in texts]


cdef Py_ssize_t _num_words(str text) except -1:
    cdef Py_ssize_t at, size = len(text), out = 0
    cdef bint inside = False, is_space
    cdef Py_UCS4 character
    cdef const unsigned char *narrow
    if PyUnicode_KIND(text) == 1:
        narrow = <const unsigned char *>PyUnicode_DATA(text)
        for at in range(size):
            is_space = spaces[narrow[at]]
            out += not (inside or is_space)
            inside = not is_space
        return out
    for character in text:
        is_space = spaces[character] if character < 256 else character >= 0x1680 and character.isspace()
        out += not (inside or is_space)
        inside = not is_space
    return out


cpdef Py_ssize_t common_length(str one, str other) except -1:
    cdef Py_ssize_t at = 0, size = min(len(one), len(other))
    cdef const char *first
    cdef const char *second
    if PyUnicode_KIND(one) == 1 and PyUnicode_KIND(other) == 1:
        first, second = <const char *>PyUnicode_DATA(one), <const char *>PyUnicode_DATA(other)
        while at + 8 <= size and not memcmp(first + at, second + at, 8):
            at += 8
        while at < size and first[at] == second[at]:
            at += 1
        return at
    while at < size and one[at] == other[at]:
        at += 1
    return at


cpdef str collapse_spaces(str text):
    """*text* with every run of white space as one space, and none around it."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef void *out
    cdef Py_ssize_t at = 0, size = len(text), length = 0
    cdef bint was_space = True
    cdef Py_UCS4 character
    if kind == 1:  # speed: most texts are as they should be
        while at < size:
            if spaces[(<unsigned char *>data)[at]] == 0:
                was_space = False
            elif was_space or (<unsigned char *>data)[at] != 32:
                break
            else:
                was_space = True
            at += 1
    while kind > 1 and at < size:  # to the first white space that is not one space between words
        character = PyUnicode_READ(kind, data, at)
        if character <= 32 or character >= 127:
            if character == 32 and not was_space:
                was_space = True
                at += 1
                continue
            if Py_UNICODE_ISSPACE(character):
                break
        was_space = False
        at += 1
    if at == size and not (was_space and size):
        return text
    out = malloc(size * kind)
    if out is NULL:
        raise MemoryError
    at, was_space = 0, True
    while at < size:
        character = PyUnicode_READ(kind, data, at)
        at += 1
        if (character <= 32 or character >= 127) and Py_UNICODE_ISSPACE(character):
            was_space = True
            continue
        if was_space and length:
            PyUnicode_WRITE(kind, out, length, 32)
            length += 1
        was_space = False
        PyUnicode_WRITE(kind, out, length, character)
        length += 1
    try:
        return PyUnicode_FromKindAndData(kind, out, length)
    finally:
        free(out)


cdef class CharacterSet:
    def __init__(self, str ranges):
        cdef Py_ssize_t at = 0, size = len(ranges)
        cdef unsigned int first, last, c
        self._lowest = MOST
        memset(self._latin, 0, sizeof(self._latin))
        memset(self._bits, 0, sizeof(self._bits))
        while at < size:
            first = last = ord(ranges[at])
            if at + 2 < size and ranges[at + 1] == "-":
                last = ord(ranges[at + 2])
                at += 2
            at += 1
            if last > MOST:
                raise ValueError("a character beyond U+3FFFF")
            self._lowest = min(self._lowest, first)
            for c in range(first, last + 1):
                self._bits[c >> 3] |= 1 << (c & 7)
                if c < 256:
                    self._latin[c] = 1

    cdef bint _find(self, str text, unsigned char sought) noexcept:
        """Whether a text has a character that is in the set (*sought* 1) or is not (0)."""
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef unsigned char *latin = <unsigned char *>data
        cdef unsigned int c
        if kind == PyUnicode_1BYTE_KIND:
            for at in range(size):
                if self._latin[latin[at]] == sought:
                    return True
            return False
        for at in range(size):
            c = <unsigned int>PyUnicode_READ(kind, data, at)
            if (0 if c > MOST else self._bits[c >> 3] >> (c & 7) & 1) == sought:
                return True
        return False

    cpdef bint is_in(self, str text) except -1:
        return self._find(text, 1)

    cpdef bint has_all(self, str text) except -1:
        return not self._find(text, 0)

    cpdef Py_ssize_t count(self, str text) except -1:
        cdef Py_ssize_t out = 0
        cdef Py_UCS4 character
        cdef unsigned int c
        if PyUnicode_MAX_CHAR_VALUE(text) < self._lowest:
            return 0
        for character in text:
            c = <unsigned int>character
            if self._lowest <= c <= MOST:
                out += self._bits[c >> 3] >> (c & 7) & 1
        return out


# Slots for the different words of a text, of which there are at most MAX_CHARS.
DEF SLOTS = 2048
DEF MAX_CHARS = 2000
DEF PAIR_SLOTS = 256


# The letters and digits up to U+00FF, ASCII capitals as lower case; 0 for other characters.
cdef unsigned char[256] narrow
for code in range(256):
    narrow[code] = (code + 32 if chr(code) in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" else code) if chr(code).isalnum() else 0


cdef inline uint64_t _with(uint64_t hash, uint32_t char) noexcept:
    hash = (hash + char) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)


cdef class WordSet:
    def __cinit__(self, dict words, tuple singles):
        cdef Py_ssize_t slots = 16, at
        cdef str word
        cdef Py_UCS4 char
        cdef uint64_t hash
        while slots < 2 * len(words):
            slots *= 2
        self._mask = <uint32_t>(slots - 1)
        self._hashes = <uint64_t *>calloc(slots, sizeof(uint64_t))
        self._bits = <unsigned char *>calloc(slots, 1)
        self._stamps = <uint32_t *>calloc(slots, sizeof(uint32_t))
        self._own = <uint64_t *>calloc(SLOTS, sizeof(uint64_t))
        self._own_stamps = <uint32_t *>calloc(SLOTS, sizeof(uint32_t))
        if not (self._hashes and self._bits and self._stamps and self._own and self._own_stamps):
            raise MemoryError
        self.size = len(words)
        self._singles = singles
        for word, bits in words.items():
            hash = 0
            for char in word:
                hash = _with(hash, <uint32_t>char)
            at = self._slot(hash)
            self._hashes[at], self._bits[at] = hash, bits

    def __dealloc__(self):
        free(self._hashes)
        free(self._bits)
        free(self._stamps)
        free(self._own)
        free(self._own_stamps)

    cdef Py_ssize_t _slot(self, uint64_t hash) noexcept:
        """The slot of a word, or the free one in its place."""
        cdef Py_ssize_t at = hash >> 20 & self._mask
        while self._bits[at] and self._hashes[at] != hash:
            at = (at + 1) & self._mask
        return at

    cdef bint _is_single(self, Py_UCS4 char) noexcept:
        cdef Py_UCS4 first, last
        for first, last in self._singles:
            if first <= char <= last:
                return True
        return False

    cdef void _count(self, uint64_t hash, int *out, bint own) noexcept:
        """Counts a word of the text: of its own different ones, or of those in the set."""
        cdef Py_ssize_t slot
        if own:
            slot = hash >> 20 & (SLOTS - 1)
            while self._own_stamps[slot] == self._stamp and self._own[slot] != hash:
                slot = (slot + 1) & (SLOTS - 1)
            out[0] += self._own_stamps[slot] != self._stamp
            self._own_stamps[slot], self._own[slot] = self._stamp, hash
            return
        slot = self._slot(hash)
        if self._bits[slot] and self._stamps[slot] != self._stamp:
            self._stamps[slot] = self._stamp
            out[1] += self._bits[slot] & 1
            out[2] += self._bits[slot] >> 1 & 1

    cdef void _read_narrow(self, const unsigned char *text, Py_ssize_t size, int *out, bint own) noexcept:
        """Counts the words of a text of characters up to U+00FF."""
        cdef uint64_t hash = 0
        cdef Py_ssize_t at
        for at in range(size):
            if narrow[text[at]]:
                hash = _with(hash, narrow[text[at]])
            elif hash:
                self._count(hash, out, own)
                hash = 0
        if hash:
            self._count(hash, out, own)

    cdef object _read(self, str text, int *out, bint own):
        cdef uint64_t hash = 0
        cdef Py_UCS4 char
        if PyUnicode_KIND(text) == 1:
            self._read_narrow(<const unsigned char *>PyUnicode_DATA(text), len(text), out, own)
            return
        for char in text:
            if c'A' <= char <= c'Z':
                hash = _with(hash, <uint32_t>char + 32)
            elif c'a' <= char <= c'z' or c'0' <= char <= c'9' or (
                char >= 0x80 and not (char >= 0x2E80 and self._is_single(char)) and char.isalnum()):
                hash = _with(hash, <uint32_t>char)
            else:
                if hash:
                    self._count(hash, out, own)
                hash = 0
                if char >= 0x2E80 and self._is_single(char):
                    self._count(_with(0, <uint32_t>char), out, own)
        if hash:
            self._count(hash, out, own)

    cpdef bint overlap(self, str text, int[::1] out) except -1:
        if len(out) < 3 or len(text) > MAX_CHARS:
            raise ValueError("a text that is too long, or no room for three numbers")
        out[0] = out[1] = out[2] = 0
        self._stamp += 1
        self._read(text, &out[0], False)
        if not out[1] and not out[2]:
            return False
        self._read(text, &out[0], True)
        return True


cdef inline uint64_t _joined(int first, int second) noexcept:
    return <uint64_t><uint32_t>first << 32 | <uint32_t>second


cdef class PairNumbers:
    def __cinit__(self):
        self._mask = PAIR_SLOTS // 2 - 1
        self._grow()

    def __dealloc__(self):
        free(self._pairs)
        free(self._slots)

    cdef Py_ssize_t _slot(self, uint64_t pair) noexcept:
        """The slot of a pair, or the free one in its place. A slot has the number of a pair and 1."""
        cdef Py_ssize_t at = (pair * <uint64_t>0x9E3779B97F4A7C15) >> 32 & self._mask
        while self._slots[at] and self._pairs[self._slots[at] - 1] != pair:
            at = (at + 1) & self._mask
        return at

    cdef int _grow(self) except -1:
        """Doubles the slots."""
        cdef Py_ssize_t slots = 2 * (self._mask + 1), number
        cdef uint64_t *pairs = <uint64_t *>realloc(self._pairs, slots // 2 * sizeof(uint64_t))
        if not pairs:
            raise MemoryError
        self._pairs = pairs
        free(self._slots)
        self._mask, self._slots = slots - 1, <int32_t *>calloc(slots, sizeof(int32_t))
        if not self._slots:
            raise MemoryError
        for number in range(self.size):
            self._slots[self._slot(pairs[number])] = <int32_t>(number + 1)
        return 0

    cpdef Py_ssize_t find(self, int first, int second) noexcept:
        return self._slots[self._slot(_joined(first, second))] - 1

    cpdef Py_ssize_t add(self, int first, int second) except -1:
        cdef uint64_t pair = _joined(first, second)
        cdef Py_ssize_t slot = self._slot(pair)
        if self._slots[slot]:
            return self._slots[slot] - 1
        if 2 * self.size > self._mask:
            self._grow()
            slot = self._slot(pair)
        self._pairs[self.size] = pair
        self.size += 1
        self._slots[slot] = <int32_t>self.size
        return self.size - 1
