# cython: boundscheck=False, wraparound=False, cdivision=True
"""The attributes of the tags of a page (see tag_attributes.py), counted in a loop over its bytes."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.string cimport memchr, memcmp

RAW_ELEMENTS = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")

ctypedef const unsigned char *at_t
# What a byte may be in a tag. A page ends with a zero, which is none of these.
cdef enum: SPACE = 1, SLASH = 2, END = 4, EQUALS = 8, MAX_NAME = 8
cdef unsigned char[256] BYTES
BYTES[c" "] = BYTES[c"\t"] = BYTES[c"\n"] = BYTES[c"\r"] = BYTES[c"\f"] = SPACE
BYTES[c"/"], BYTES[c">"], BYTES[c"="] = SLASH, END, EQUALS


cdef inline at_t skip(at_t at, at_t end, int kinds) noexcept nogil:
    """Behind the bytes of some kinds."""
    while at < end and BYTES[at[0]] & kinds:
        at += 1
    return at


cdef inline at_t stop(at_t at, at_t end, int kinds) noexcept nogil:
    """The next byte of some kinds."""
    while at < end and not BYTES[at[0]] & kinds:
        at += 1
    return at


cdef inline at_t find(at_t at, at_t end, int byte) noexcept nogil:
    """The next place of a byte; the end of the page if there is none."""
    cdef at_t found = <at_t>memchr(at, byte, end - at) if at < end else NULL
    return found if found else end


cdef bint is_name(at_t at, at_t end, const char *name, Py_ssize_t size) noexcept nogil:
    """Whether a name, which is in lower case, is here, in any case."""
    cdef Py_ssize_t i
    if end - at < size:
        return False
    for i in range(size):
        if at[i] | 32 != name[i]:
            return False
    return True


cdef at_t raw_end(at_t at, at_t end, bytes name) noexcept:
    """Where the text of an element ends: at its end tag."""
    cdef const char *own = PyBytes_AS_STRING(name)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(name)
    while True:
        at = find(at, end, c"<")
        if at >= end or at + 1 < end and at[1] == c"/" and is_name(at + 2, end, own, size):
            return at
        at += 1


cdef at_t comment_end(at_t at, at_t end) noexcept nogil:
    while True:
        at = find(at, end, c"-")
        if at >= end or end - at >= 3 and at[1] == c"-" and at[2] == c">":
            return at
        at += 1


cpdef Py_ssize_t most_attributes(bytes html):
    cdef at_t at = <at_t>PyBytes_AS_STRING(html)
    cdef at_t end = at + PyBytes_GET_SIZE(html)
    cdef at_t name
    cdef Py_ssize_t most = 0, count, size
    cdef bytes raw
    while True:
        at = find(at, end, c"<")
        if at >= end:
            return most
        if end - at >= 4 and memcmp(at, b"<!--", 4) == 0:
            at = comment_end(at + 2, end)
            continue
        at += 1
        if at >= end or not c"a" <= at[0] | 32 <= c"z":
            continue
        name, at = at, stop(at, end, SPACE | SLASH | END)
        size, count = at - name, 0
        while True:
            at = skip(at, end, SPACE | SLASH)
            if at >= end or BYTES[at[0]] == END:
                break
            count += 1
            at = skip(stop(at + 1, end, SPACE | SLASH | END | EQUALS), end, SPACE)
            if at < end and at[0] == c"=":
                at = skip(at + 1, end, SPACE)
                if at < end and (at[0] == c'"' or at[0] == c"'"):
                    at = find(at + 1, end, at[0]) + 1
                else:
                    at = stop(at, end, SPACE | END)
        if count > most:
            most = count
        if size <= MAX_NAME and name[0] | 32 in (c"s", c"t", c"x", c"i", c"n"):
            for raw in RAW_ELEMENTS:
                if size == PyBytes_GET_SIZE(raw) and is_name(name, end, PyBytes_AS_STRING(raw), size):
                    at = raw_end(at, end, raw)
                    break
