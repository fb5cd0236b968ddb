# cython: boundscheck=False, wraparound=False
"""See text_counts.py, which has the same functions."""

from libc.string cimport memcmp

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_MAX_CHAR_VALUE(object text)


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


cdef bint[256] spaces
for code in range(256):
    spaces[code] = chr(code).isspace()


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


cdef class CharCounter:
    def __init__(self, str ranges):
        cdef Py_ssize_t at
        self.size = len(ranges) // 3
        if self.size > 16:
            raise ValueError("too many ranges")
        self.lowest = <Py_UCS4>0x10FFFF
        for at in range(self.size):
            self.first[at], self.last[at] = ranges[3 * at], ranges[3 * at + 2]
            self.lowest = min(self.lowest, self.first[at])

    cpdef Py_ssize_t count(self, str text) except -1:
        cdef Py_ssize_t at, out = 0
        cdef Py_UCS4 character
        if PyUnicode_MAX_CHAR_VALUE(text) < self.lowest:
            return 0
        for character in text:
            if character < self.lowest:
                continue
            for at in range(self.size):
                if self.first[at] <= character <= self.last[at]:
                    out += 1
                    break
        return out
