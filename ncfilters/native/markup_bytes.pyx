# cython: boundscheck=False, wraparound=False, cdivision=True
"""Tags in the UTF-8 of a page (see markup_bytes.py), as loops over its bytes."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memchr

# What a byte may be in a tag. A page ends with a zero, which is none of these.
cdef enum: SPACE = 1, NAME_STOP = 2, OWN_STOP = 4, VALUE_STOP = 8, BETWEEN = 16, LETTER = 32
cdef unsigned char[256] BYTES
cdef enum: MAX_SHORT_NAME = 16


cdef void describe_bytes():
    cdef int i
    for i in range(256):
        BYTES[i] = LETTER if 97 <= (i | 32) <= 122 and i < 128 else 0
    for i in b" \t\n\r\f":
        BYTES[i] = SPACE | NAME_STOP | OWN_STOP | VALUE_STOP | BETWEEN
    BYTES[c'/'] = NAME_STOP | OWN_STOP | BETWEEN
    BYTES[c'>'] = NAME_STOP | OWN_STOP | VALUE_STOP
    BYTES[c'='] = OWN_STOP

describe_bytes()


cdef enum: PLACES = 512, MAX_NAMES = 200, SHORT = 8


cdef inline unsigned char lower(unsigned char byte) noexcept nogil:
    return byte | 32 if c'A' <= byte <= c'Z' else byte


cdef inline unsigned long long key_of(const unsigned char *name, Py_ssize_t size) noexcept nogil:
    """The letters of a short name; a number made of those of a longer one."""
    cdef unsigned long long key = 0
    cdef Py_ssize_t i
    for i in range(size):
        key = key << 8 | lower(name[i]) if i < SHORT else (key ^ lower(name[i])) * 0x9E3779B97F4A7C15ULL
    return key


cdef inline int place_of(unsigned long long key) noexcept nogil:
    return <int>(key * 0x9E3779B97F4A7C15ULL >> 55)


cdef class NameTable:
    def __init__(self, names):
        cdef bytes name
        cdef int place
        self._names = list(names)
        if len(self._names) > MAX_NAMES:
            raise ValueError("too many names")
        for place in range(PLACES):
            self._numbers[place] = -1
        for number, name in enumerate(self._names):
            place = place_of(key_of(name, len(name)))
            while self._numbers[place] >= 0:
                place = (place + 1) % PLACES
            self._keys[place] = key_of(name, len(name))
            self._numbers[place] = number

    cpdef int number_at(self, bytes html, Py_ssize_t at, Py_ssize_t end) noexcept:
        cdef const unsigned char *name = <const unsigned char *>PyBytes_AS_STRING(html) + at
        cdef Py_ssize_t size = end - at
        cdef unsigned long long key = key_of(name, size)
        cdef int place = place_of(key)
        while self._numbers[place] >= 0:
            if self._keys[place] == key and is_name(<bytes>self._names[self._numbers[place]], name, size):
                return self._numbers[place]
            place = (place + 1) % PLACES
        return -1


cdef inline bint is_name(bytes known, const unsigned char *name, Py_ssize_t size) noexcept:
    """Whether a name with the same key is a known one: a page can choose the key of a long name."""
    cdef const unsigned char *own = <const unsigned char *>PyBytes_AS_STRING(known)
    cdef Py_ssize_t i
    if PyBytes_GET_SIZE(known) != size:
        return False
    for i in range(size if size > SHORT else 0):
        if own[i] != lower(name[i]):
            return False
    return True


cpdef Py_ssize_t find_byte(bytes data, int byte, Py_ssize_t start, Py_ssize_t end) noexcept:
    cdef const char *own = PyBytes_AS_STRING(data)
    cdef const char *found
    if end > PyBytes_GET_SIZE(data):
        end = PyBytes_GET_SIZE(data)
    if start >= end:
        return -1
    found = <const char *>memchr(own + start, byte, end - start)
    return found - own if found else -1


cdef inline const unsigned char *skip(const unsigned char *at, const unsigned char *end, int kind) noexcept nogil:
    """Behind the bytes of a kind."""
    while at < end and BYTES[at[0]] & kind:
        at += 1
    return at


cdef inline const unsigned char *stop(const unsigned char *at, const unsigned char *end, int kind) noexcept nogil:
    """The next byte of a kind."""
    while at < end and not BYTES[at[0]] & kind:
        at += 1
    return at


cdef inline const unsigned char *find(const unsigned char *at, const unsigned char *end, int byte) noexcept nogil:
    return <const unsigned char *>memchr(at, byte, end - at) if at < end else NULL


cpdef Py_ssize_t name_end(bytes html, Py_ssize_t at, Py_ssize_t end=-1) noexcept:
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(html)
    return stop(start + at, start + (end if 0 <= end < size else size), NAME_STOP) - start


cpdef bytes name_at(bytes html, Py_ssize_t at):
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef Py_ssize_t size = stop(start + at, start + PyBytes_GET_SIZE(html), NAME_STOP) - start - at
    cdef char[MAX_SHORT_NAME] name
    cdef Py_ssize_t i
    if size > MAX_SHORT_NAME:
        return html[at : at + size].lower()
    for i in range(size):
        name[i] = lower(start[at + i])
    return PyBytes_FromStringAndSize(name, size)


cdef const unsigned char *attribute_end(const unsigned char *at, const unsigned char *end) noexcept nogil:
    """Behind an attribute that begins here."""
    cdef const unsigned char *value
    at = stop(at + 1, end, OWN_STOP)
    at = skip(at, end, SPACE)
    if at >= end or at[0] != c'=':
        return at
    at = skip(at + 1, end, SPACE)
    if at < end and (at[0] == c'"' or at[0] == c"'"):
        value = find(at + 1, end, at[0])
        return value + 1 if value else end
    return stop(at, end, VALUE_STOP)


cpdef Py_ssize_t tag_end(bytes html, Py_ssize_t at) noexcept:
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = start + PyBytes_GET_SIZE(html)
    cdef const unsigned char *own = start + at
    while True:
        own = skip(own, end, BETWEEN)
        if own >= end:
            return end - start + 1
        if own[0] == c'>':
            return own + 1 - start
        own = attribute_end(own, end)


cpdef bint ends_itself(bytes html, Py_ssize_t at, Py_ssize_t end) noexcept:
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *own = start + at
    cdef const unsigned char *last = start + end - 1
    cdef const unsigned char *before
    while own < last:
        before = own
        own = skip(own, last, BETWEEN)
        if own >= last:
            return before < last and (last - 1)[0] == c'/'
        own = attribute_end(own, last)
    return False


cdef inline bint is_tag(const unsigned char *at) noexcept nogil:
    """Whether a tag begins here."""
    return at[0] == c'<' and BYTES[at[1 + (at[1] == c'/')]] & LETTER


cdef inline const unsigned char *outer_stop(const unsigned char *at, const unsigned char *end, int kind) noexcept nogil:
    """The next byte of a kind, or the next tag."""
    while at < end and not BYTES[at[0]] & kind and not is_tag(at):
        at += 1
    return at


cpdef Py_ssize_t count_attributes(bytes html, Py_ssize_t at) noexcept:
    cdef const unsigned char *start = <const unsigned char *>PyBytes_AS_STRING(html)
    cdef const unsigned char *end = start + PyBytes_GET_SIZE(html)
    cdef const unsigned char *own = outer_stop(start + at, end, NAME_STOP)
    cdef const unsigned char *value
    cdef Py_ssize_t count = 0
    while True:
        own = skip(own, end, BETWEEN)
        if own >= end or own[0] == c'>':
            return count
        if is_tag(own):
            return count + 2
        own = outer_stop(own + 1, end, OWN_STOP)
        value = skip(own, end, SPACE)
        if value < end and value[0] == c'=':
            own = skip(value + 1, end, SPACE)
            if own < end and (own[0] == c'"' or own[0] == c"'"):
                value = find(own + 1, end, own[0])
                own = value + 1 if value else end
            else:
                own = outer_stop(own, end, VALUE_STOP)
        count += 1
