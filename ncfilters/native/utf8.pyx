# cython: boundscheck=False, wraparound=False
"""Text as UTF-8 (see utf8.py): what is ASCII goes by blocks, which the compiler turns into wide instructions."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(str text)
    int PyUnicode_KIND(str text)
    void *PyUnicode_DATA(str text)
    Py_ssize_t PyUnicode_GET_LENGTH(str text)
    enum: PyUnicode_1BYTE_KIND
    enum: PyUnicode_2BYTE_KIND

cdef extern from *:
    """
    #define ONES 0x0101010101010101ULL
    #define HIGH 0x8080808080808080ULL
    """
    const uint64_t ONES, HIGH  # in each byte

ctypedef fused unit_t:
    uint8_t
    uint16_t
    uint32_t

cdef enum: BLOCK = 32, MOST = 512, WORD = 8, MAX_BYTES = 4  # of a character


cpdef bytes encoded(str text):
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef uint8_t *start
    cdef uint8_t *end
    if PyUnicode_IS_ASCII(text):
        return text.encode()
    start = <uint8_t *>PyMem_Malloc(length * MAX_BYTES)  # only what is written to takes memory
    if not start:
        raise MemoryError
    try:
        if kind == PyUnicode_1BYTE_KIND:
            end = write(<const uint8_t *>PyUnicode_DATA(text), length, start)
        elif kind == PyUnicode_2BYTE_KIND:
            end = write(<const uint16_t *>PyUnicode_DATA(text), length, start)
        else:
            end = write(<const uint32_t *>PyUnicode_DATA(text), length, start)
        return PyBytes_FromStringAndSize(<char *>start, end - start) if end else text.encode()  # which raises
    finally:
        PyMem_Free(start)


cdef uint8_t *write(const unit_t *text, Py_ssize_t length, uint8_t *out) noexcept nogil:
    """Writes a text. Returns the end; NULL for lone surrogates."""
    cdef Py_ssize_t at = 0, i, end
    cdef unit_t bits
    cdef uint32_t char
    while at < length:
        if length - at >= BLOCK:
            bits = 0
            for i in range(BLOCK):
                bits |= text[at + i]
            if bits < 0x80:
                for i in range(BLOCK):
                    out[i] = <uint8_t>text[at + i]
                at += BLOCK
                out += BLOCK
                continue
        end = min(at + BLOCK, length)
        while at < end:
            char = text[at]
            at += 1
            if char < 0x80:
                out[0] = <uint8_t>char
                out += 1
            elif char < 0x800:
                out[0] = <uint8_t>(0xC0 | char >> 6)
                out[1] = <uint8_t>(0x80 | char & 0x3F)
                out += 2
            elif char >> 11 == 0x1B:
                return NULL
            elif char < 0x10000:
                out[0] = <uint8_t>(0xE0 | char >> 12)
                out[1] = <uint8_t>(0x80 | char >> 6 & 0x3F)
                out[2] = <uint8_t>(0x80 | char & 0x3F)
                out += 3
            else:
                out[0] = <uint8_t>(0xF0 | char >> 18)
                out[1] = <uint8_t>(0x80 | char >> 12 & 0x3F)
                out[2] = <uint8_t>(0x80 | char >> 6 & 0x3F)
                out[3] = <uint8_t>(0x80 | char & 0x3F)
                out += 4
    return out


cdef inline Py_ssize_t num_chars(const uint8_t *utf8, Py_ssize_t size) noexcept nogil:
    """The number of bytes that begin a character."""
    cdef Py_ssize_t at = 0, others = 0
    cdef uint64_t word
    while at + WORD <= size:
        memcpy(&word, utf8 + at, WORD)
        if word & HIGH:
            others += ((word >> 7 & ~word >> 6 & ONES) * ONES) >> 56
        at += WORD
    while at < size:
        others += (utf8[at] & 0xC0) == 0x80
        at += 1
    return size - others


cpdef tuple char_places(bytes utf8, Py_ssize_t step):
    cdef const uint8_t *data = <const uint8_t *>PyBytes_AS_STRING(utf8)
    cdef Py_ssize_t size = len(utf8), at = 0, chars = 0, following = 0, length, count
    places = []
    while at < size:
        length = min(MOST, size - at)
        count = num_chars(data + at, length)
        if chars + count <= following:
            chars += count
            at += length
            continue
        # a character that is wanted begins among these
        while True:
            if (data[at] & 0xC0) != 0x80:
                if chars == following:
                    break
                chars += 1
            at += 1
        places.append(at)
        following += step
    return chars, places
