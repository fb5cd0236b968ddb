# cython: boundscheck=False, wraparound=False
"""A line of JSON, of which one field is long (see record_json.py).

The line is scanned once for where the field is. The rest of it, with nothing in place of the long value, is left to
orjson, which refuses what is no JSON; then what was scanned is what the line means.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.ref cimport Py_DECREF, PyObject
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

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
cdef object _loads = None


cdef struct Scan:
    # A line, and where in it the value of a field is; the UTF-8 of a text, of *length* bytes
    const uint8_t *data
    Py_ssize_t size, start, end
    uint8_t *text
    Py_ssize_t length


cdef object loads(object data):
    """The value of JSON. orjson is imported once it is needed: --help reads no lines."""
    global _loads
    if _loads is None:
        from orjson import loads as _loads
    return _loads(data)


cdef inline uint64_t zero_bytes(uint64_t word) noexcept nogil:
    """A bit in each byte that is 0; above the first of them perhaps also in others."""
    return (word - ONES) & ~word & HIGH


cdef inline Py_ssize_t skip_space(Scan *line, Py_ssize_t at) noexcept nogil:
    while at < line.size and (line.data[at] == 32 or 9 <= line.data[at] <= 10 or line.data[at] == 13):
        at += 1
    return at


cdef Py_ssize_t skip_string(Scan *line, Py_ssize_t at, bint *is_plain) noexcept nogil:
    """The place behind a string whose first `"` is before *at*, -1 if it does not end. It is plain without escapes."""
    cdef uint64_t word, found
    is_plain[0] = True
    while True:
        while BY_WORDS and at + WORD <= line.size:
            memcpy(&word, line.data + at, WORD)
            found = zero_bytes(word ^ ONES * c'"') | zero_bytes(word ^ ONES * c'\\')
            if found:
                at += first_byte(found)
                break
            at += WORD
        while at < line.size and line.data[at] != c'"' and line.data[at] != c'\\':
            at += 1
        if at >= line.size:
            return -1
        if line.data[at] == c'"':
            return at + 1
        is_plain[0] = False
        at += 2


cdef Py_ssize_t skip_value(Scan *line, Py_ssize_t at) noexcept nogil:
    """The place behind the value at a place, -1 if it does not end. Whether it is a value is not examined."""
    cdef Py_ssize_t depth = 0
    cdef bint is_plain
    cdef uint8_t char
    while at < line.size:
        char = line.data[at]
        if char == c'"':
            at = skip_string(line, at + 1, &is_plain)
            if at < 0:
                return -1
            if not depth:
                return at
            continue
        if char == c'{' or char == c'[':
            depth += 1
        elif char == c'}' or char == c']':
            if depth <= 1:
                return at + depth
            depth -= 1
        elif not depth and char == c',':
            return at
        at += 1
    return -1


cdef bint find(Scan *line, bytes name) noexcept:
    """Finds the field *name* of an object, a text, and writes that. False where it is not, and in unusual lines: with
    the field twice, or with a name in escapes."""
    cdef Py_ssize_t at = skip_space(line, 0), start, length = PyBytes_GET_SIZE(name)
    cdef const char *wanted = PyBytes_AS_STRING(name)
    cdef bint is_plain, is_wanted
    line.start = -1
    if at >= line.size or line.data[at] != c'{':
        return False
    while True:
        start = skip_space(line, at + 1)
        if start >= line.size or line.data[start] != c'"':
            return False
        at = skip_string(line, start + 1, &is_plain)
        if at < 0 or not is_plain:
            return False
        is_wanted = at - start == length + 2 and not memcmp(line.data + start + 1, wanted, length)
        at = skip_space(line, at)
        if at >= line.size or line.data[at] != c':':
            return False
        start = skip_space(line, at + 1)
        if is_wanted:
            if line.start >= 0 or start >= line.size or line.data[start] != c'"':
                return False
            line.start = start
            at = line.end = unescape(line, start + 1)
        else:
            at = skip_value(line, start)
        if at < 0:
            return False
        at = skip_space(line, at)
        if at >= line.size or line.data[at] != c',':
            return line.start >= 0


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
    if char < 0x80:
        out[0] = <uint8_t>char
        return 1
    if char < 0x800:
        out[0], out[1] = <uint8_t>(0xC0 | char >> 6), <uint8_t>(0x80 | char & 0x3F)
        return 2
    if char < 0x10000:
        out[0], out[1] = <uint8_t>(0xE0 | char >> 12), <uint8_t>(0x80 | char >> 6 & 0x3F)
        out[2] = <uint8_t>(0x80 | char & 0x3F)
        return 3
    out[0], out[1] = <uint8_t>(0xF0 | char >> 18), <uint8_t>(0x80 | char >> 12 & 0x3F)
    out[2], out[3] = <uint8_t>(0x80 | char >> 6 & 0x3F), <uint8_t>(0x80 | char & 0x3F)
    return 4


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


cdef Py_ssize_t unescape(Scan *line, Py_ssize_t at) noexcept nogil:
    """Writes the text of the string whose first `"` is before *at*. Returns the place behind it; -1 if it is no string
    of JSON. At most WORD bytes behind the text are overwritten."""
    cdef const uint8_t *data = line.data
    cdef uint8_t *out = line.text
    cdef Py_ssize_t size = line.size, length, written = 0
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
            line.length = out - line.text
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
                while length:
                    out[0] = data[at]
                    at += 1
                    out += 1
                    length -= 1
    return -1


cpdef tuple record_and_text(bytes line, str name):
    cdef Scan scan
    cdef PyObject *text = new_bytes(NULL, PyBytes_GET_SIZE(line) + WORD)  # only what is written to takes memory
    cdef bint found
    scan.data, scan.size = <const uint8_t *>PyBytes_AS_STRING(line), PyBytes_GET_SIZE(line)
    scan.text = <uint8_t *>PyBytes_AS_STRING(<object>text)
    scan.start = scan.end = scan.length = -1
    found = find(&scan, name.encode())
    if found:
        _PyBytes_Resize(&text, scan.length)  # in place
    utf8 = <object>text
    Py_DECREF(utf8)
    if found:
        try:
            return loads(line[: scan.start] + b'""' + line[scan.end :]), utf8
        except ValueError:  # the error of the whole line is raised
            pass
    record = loads(line)
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        return record, None
    record[name] = ""
    return record, value.encode()
