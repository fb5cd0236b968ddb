# cython: boundscheck=False, wraparound=False
"""The UTF-8 of a string of JSON (see utf8.py), eight bytes at a time where none of them is special."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.ref cimport Py_DECREF, PyObject
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *data, Py_ssize_t size) except NULL
    int _PyBytes_Resize(PyObject **data, Py_ssize_t size) except -1

cdef extern from *:
    """
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define first_byte(bits) (__builtin_ctzll(bits) >> 3)
    #define BY_WORDS 1
    #else
    #define first_byte(bits) 0
    #define BY_WORDS 0
    #endif
    #define ONES 0x0101010101010101ULL
    #define HIGH 0x8080808080808080ULL
    static const unsigned char UNESCAPED[256] = {
        ['"'] = '"', ['\\\\'] = '\\\\', ['/'] = '/', ['n'] = 10, ['t'] = 9, ['r'] = 13, ['b'] = 8, ['f'] = 12
    };
    """
    const uint64_t ONES, HIGH  # in each byte
    int first_byte(uint64_t bits) noexcept nogil  # the number of the first byte with a bit
    const uint8_t UNESCAPED[256]  # the character of a letter behind a backslash, 0 for none
    bint BY_WORDS  # where the first byte of memory is the lowest of a word

cdef enum: WORD = 8


cpdef tuple unescaped(bytes line, Py_ssize_t start):
    cdef Py_ssize_t size = PyBytes_GET_SIZE(line), length = 0, end
    cdef PyObject *text
    if not 0 <= start <= size:
        return None
    text = new_bytes(NULL, size - start + WORD)  # only what is written to takes memory
    end = write(<const uint8_t *>PyBytes_AS_STRING(line), size, start, <uint8_t *>PyBytes_AS_STRING(<object>text), &length)
    _PyBytes_Resize(&text, length)  # in place
    utf8 = <object>text
    Py_DECREF(utf8)
    return (utf8, end) if end >= 0 else None


cdef inline uint64_t zero_bytes(uint64_t word) noexcept nogil:
    """A bit in each byte that is 0; above the first of them perhaps also in others."""
    return (word - ONES) & ~word & HIGH


cdef int hex_digits(const uint8_t *data) noexcept nogil:
    """The number that four digits are, -1 for others."""
    cdef int value = 0, at
    cdef uint8_t char
    for at in range(4):
        char = data[at]
        if c'0' <= char <= c'9':
            value = value << 4 | char - c'0'
        elif c'a' <= char | 32 <= c'f':
            value = value << 4 | (char | 32) - c'a' + 10
        else:
            return -1
    return value


cdef inline Py_ssize_t put_char(uint8_t *out, uint32_t char) noexcept nogil:
    """Writes a character, and returns the number of its bytes."""
    cdef Py_ssize_t size = 1 + (char >= 0x80) + (char >= 0x800) + (char >= 0x10000), at
    for at in range(size - 1, 0, -1):
        out[at] = <uint8_t>(0x80 | char & 0x3F)
        char >>= 6
    out[0] = <uint8_t>(char if size == 1 else 0xF00 >> size & 0xFF | char)
    return size


cdef Py_ssize_t put_escape(const uint8_t *data, Py_ssize_t size, uint8_t *out, Py_ssize_t *written) noexcept nogil:
    """Writes the character of an escape in digits, and returns the number of bytes that it has; 0 if it is none."""
    cdef int char, second
    if size < 6 or data[1] != c'u':
        return 0
    char = hex_digits(data + 2)
    if char < 0 or 0xDC00 <= char < 0xE000:
        return 0
    if char < 0xD800 or char >= 0xE000:
        written[0] = put_char(out, char)
        return 6
    if size < 12 or data[6] != c'\\' or data[7] != c'u':
        return 0
    second = hex_digits(data + 8)
    if second < 0xDC00 or second >= 0xE000:
        return 0
    written[0] = put_char(out, 0x10000 + (char - 0xD800 << 10) + second - 0xDC00)
    return 12


cdef inline Py_ssize_t char_size(const uint8_t *data, Py_ssize_t size) noexcept nogil:
    """The number of bytes of a character that is not ASCII; 0 if it is not UTF-8."""
    cdef uint8_t first = data[0]
    if size < 2 or data[1] & 0xC0 != 0x80 or first < 0xC2:
        return 0
    if first < 0xE0:
        return 2
    if size < 3 or data[2] & 0xC0 != 0x80:
        return 0
    if first < 0xF0:
        return 0 if first == 0xE0 and data[1] < 0xA0 or first == 0xED and data[1] >= 0xA0 else 3
    if size < 4 or data[3] & 0xC0 != 0x80 or first > 0xF4:
        return 0
    return 0 if first == 0xF0 and data[1] < 0x90 or first == 0xF4 and data[1] >= 0x90 else 4


cdef Py_ssize_t write(const uint8_t *data, Py_ssize_t size, Py_ssize_t at, uint8_t *text,
                      Py_ssize_t *size_of_text) noexcept nogil:
    """Writes the text of the string whose first `"` is before *at*. Returns the place behind it; -1 if it is no string
    of JSON. At most WORD bytes behind the text are overwritten."""
    cdef uint8_t *out = text
    cdef Py_ssize_t length, written = 0
    cdef uint64_t word, found
    while at < size:
        if BY_WORDS and at + WORD <= size:
            memcpy(&word, data + at, WORD)
            memcpy(out, &word, WORD)
            found = zero_bytes(word ^ ONES * c'"') | zero_bytes(word ^ ONES * c'\\')
            found |= ((word - ONES * 32) & ~word | word) & HIGH
            if not found:
                at += WORD
                out += WORD
                continue
            length = first_byte(found)
            at += length
            out += length
        if data[at] == c'\\':
            while data[at] == c'\\':  # often several
                if at + 2 >= size:
                    return -1
                out[0] = UNESCAPED[data[at + 1]]
                if out[0]:
                    at += 2
                    out += 1
                    continue
                length = put_escape(data + at, size - at, out, &written)
                if not length or at + length >= size:
                    return -1
                at += length
                out += written
        elif data[at] == c'"':
            size_of_text[0] = out - text
            return at + 1
        elif data[at] < 0x80:
            if data[at] < 32:
                return -1
            out[0] = data[at]
            at += 1
            out += 1
        else:
            while at < size and data[at] >= 0x80:
                length = char_size(data + at, size - at)
                if not length:
                    return -1
                memcpy(out, data + at, length)
                at += length
                out += length
    return -1
