# cython: boundscheck=False, wraparound=False
"""Sets of characters (see character_set.py): a bit for each."""

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.string cimport memset

MAX_CHARACTER = 0x1FFFF


cdef class CharacterSet:
    def __init__(self, str ranges):
        cdef Py_ssize_t at = 0, size = len(ranges)
        cdef unsigned int first, last, c
        memset(self._latin, 0, sizeof(self._latin))
        memset(self._bits, 0, sizeof(self._bits))
        while at < size:
            first = last = ord(ranges[at])
            if at + 2 < size and ranges[at + 1] == "-":
                last = ord(ranges[at + 2])
                at += 2
            at += 1
            if last > 0x1FFFF:
                raise ValueError("a character beyond MAX_CHARACTER")
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
            if (0 if c > 0x1FFFF else self._bits[c >> 3] >> (c & 7) & 1) == sought:
                return True
        return False

    cdef bint _has(self, unsigned int c) noexcept:
        return c <= 0x1FFFF and self._bits[c >> 3] >> (c & 7) & 1

    cpdef bint is_in(self, str text) except -1:
        return self._find(text, 1)

    cpdef bint has_all(self, str text) except -1:
        return not self._find(text, 0)

    cpdef str without(self, str text):
        cdef Py_ssize_t start = 0, at
        cdef list places = self.places(text)
        if not places:
            return text
        kept = []
        for at in places:
            kept.append(text[start:at])
            start = at + 1
        kept.append(text[start:])
        return "".join(kept)

    cpdef list places(self, str text):
        cdef Py_ssize_t at
        cdef list out = []
        for at in range(len(text)):
            if self._has(<unsigned int>text[at]):
                out.append(at)
        return out
