# cython: boundscheck=False, wraparound=False
"""White space in text (see white_space.py): a text that is as it should be is not copied."""

from libc.stdlib cimport free, malloc

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character)
    Py_UCS4 PyUnicode_READ(int kind, void *data, Py_ssize_t at)
    void PyUnicode_WRITE(int kind, void *data, Py_ssize_t at, Py_UCS4 character)
    object PyUnicode_FromKindAndData(int kind, const void *data, Py_ssize_t size)

cdef unsigned char[256] SPACES
for _code in range(256):
    SPACES[_code] = chr(_code).isspace()


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
            if SPACES[(<unsigned char *>data)[at]] == 0:
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
