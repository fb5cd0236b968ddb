# cython: boundscheck=False, wraparound=False
"""See text_counts.py, which has the same functions. A text that has its white space as it should be is not copied."""

from libc.stdlib cimport free, malloc
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
