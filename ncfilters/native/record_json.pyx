# cython: boundscheck=False, wraparound=False
"""A line of JSON, of which one field is long (see record_json.py).

The line is scanned once for where the field is. The rest of it, with nothing in place of the long value, is left to
orjson, which refuses what is no JSON; then what was scanned is what the line means.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.ref cimport Py_DECREF, PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *data, Py_ssize_t size) except NULL
    const char *PyUnicode_AsUTF8AndSize(str text, Py_ssize_t *size) except NULL
    int _PyBytes_Resize(PyObject **data, Py_ssize_t size) except -1

cdef extern from "math.h":
    long long llrint(double value) noexcept nogil

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
    #define HASH 0x9E3779B97F4A7C15ULL
    static const unsigned char UNESCAPED[256] = {
        ['"'] = '"', ['\\\\'] = '\\\\', ['/'] = '/', ['n'] = 10, ['t'] = 9, ['r'] = 13, ['b'] = 8, ['f'] = 12
    };
    """
    const uint64_t ONES, HIGH  # in each byte
    const uint64_t HASH  # an odd number, whose bits are mixed
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


cdef bint find(Scan *line, bytes name, Reader reader) except -1:
    """Finds the field *name* of an object: an array, which is read, or without a *reader* a text, which is written.
    False where it is not, and in unusual lines: with the field twice, or with a name in escapes."""
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
            if line.start >= 0 or start >= line.size or line.data[start] != (c'"' if reader is None else c'['):
                return False
            line.start = start
            if reader is None:
                line.end = unescape(line, start + 1)
            elif not reader.read():
                return False
            at = line.end
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
    found = find(&scan, name.encode(), None)
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


# ---- an array of objects as columns

cdef enum: MAX_NAMES = 48, MAX_SHAPES = 32, SLOTS = 512, MAX_DEPTH = 100, EXACT_DIGITS = 15
cdef double[EXACT_DIGITS + 1] POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]


cdef enum: STRING = 1, BOOLEAN = 2, INTEGER = 4, FLOAT = 8, ABSENT = 64
cdef tuple TYPES = (str, bool, int, float, list, dict, type(None))
cdef list SETS = [None] * 128  # those of them that bits say


cdef struct Slot:
    # A string that has been read: where, and what it is; the columns own it
    Py_ssize_t start, size
    PyObject *text


cdef class Reader:
    """Reads an array of objects. False, or None, is for what is unusual."""

    cdef Scan *line
    cdef bytes data
    cdef list names, columns, shapes, fields
    cdef Slot[SLOTS] slots
    cdef uint8_t[MAX_NAMES] kinds  # of the values of each column: bits of TYPES
    cdef Py_ssize_t[MAX_NAMES] starts, sizes, rows  # of the names: where they are in the line; the last row with each
    cdef uint8_t[MAX_NAMES] following  # the name that was behind each
    cdef uint8_t[MAX_SHAPES][MAX_NAMES] known
    cdef uint8_t[MAX_NAMES] own
    cdef Py_ssize_t[MAX_SHAPES] lengths
    cdef Py_ssize_t row, next_shape

    def __cinit__(self):
        cdef Py_ssize_t at
        self.names, self.columns, self.shapes, self.fields = [], [], [], []
        for at in range(SLOTS):
            self.slots[at].size = -1
        for at in range(MAX_NAMES):
            self.following[at] = <uint8_t>(at + 1)

    cdef bint read(self):
        """Reads the array that is the value of the field, and sets its end."""
        cdef Scan *line = self.line
        cdef Py_ssize_t at = skip_space(line, line.start + 1)
        if at < line.size and line.data[at] == c']':
            line.end = at + 1
            return True
        while at < line.size and line.data[at] == c'{':
            at = self.read_object(at + 1)
            if at < 0:
                return False
            self.row += 1
            at = skip_space(line, at)
            if at < line.size and line.data[at] == c']':
                line.end = at + 1
                return True
            if at >= line.size or line.data[at] != c',':
                return False
            at = skip_space(line, at + 1)
        return False

    cdef Py_ssize_t read_object(self, Py_ssize_t at) except -2:
        """The place behind an object, which is a row; -1 for an unusual one."""
        cdef Scan *line = self.line
        cdef Py_ssize_t number = 0, count = 0, end
        cdef PyObject *value
        at = skip_space(line, at)
        if at < line.size and line.data[at] == c'}':
            self.add_shape(0)
            return at + 1
        number = -1
        while True:
            number = self.number_of_name(at, self.following[number] if number >= 0 else 0, number, &at)
            if number < 0 or self.rows[number] == self.row:
                return -1
            self.rows[number] = self.row
            self.own[count] = <uint8_t>number
            count += 1
            at = skip_space(line, at)
            if at >= line.size or line.data[at] != c':':
                return -1
            at = self.add_value(number, skip_space(line, at + 1))
            if at < 0:
                return -1
            at = skip_space(line, at)
            if at >= line.size:
                return -1
            if line.data[at] == c'}':
                self.add_shape(count)
                return at + 1
            if line.data[at] != c',':
                return -1
            at = skip_space(line, at + 1)

    cdef Py_ssize_t number_of_name(self, Py_ssize_t at, Py_ssize_t likely, Py_ssize_t last, Py_ssize_t *end) except -2:
        """The number of the name at a place, by which its column is known; -1 for an unusual one. *likely* is tried
        first; *last* is the one before it."""
        cdef Scan *line = self.line
        cdef Py_ssize_t number, size, count = len(self.names)
        cdef bint is_plain
        if likely < count:
            size = self.sizes[likely]
            if at + size < line.size and not memcmp(line.data + at, line.data + self.starts[likely], size):
                end[0] = at + size
                return likely
        if at >= line.size or line.data[at] != c'"':
            return -1
        end[0] = skip_string(line, at + 1, &is_plain)
        if end[0] < 0 or not is_plain:
            return -1
        size = end[0] - at
        for number in range(count):
            if self.sizes[number] == size and not memcmp(line.data + at, line.data + self.starts[number], size):
                break
        else:
            number = count
            if count == MAX_NAMES:
                return -1
            name = self.string(at + 1, end)
            if name is None:
                return -1
            self.names.append(name)
            self.columns.append([])
            self.starts[number], self.sizes[number], self.rows[number], self.kinds[number] = at, size, -1, 0
        if last >= 0:
            self.following[last] = <uint8_t>number
        return number

    cdef Py_ssize_t add_value(self, Py_ssize_t number, Py_ssize_t at) except -2:
        """Puts the value at a place into a column, and returns the place behind it; -1 for an unusual one."""
        cdef Scan *line = self.line
        cdef list column = <list>self.columns[number]
        cdef Py_ssize_t end = at
        cdef uint8_t first, kind
        if at >= line.size:
            return -1
        first = line.data[at]
        if first == c'"':
            value = self.string(at + 1, &end)
            kind = STRING
        elif first == c't' or first == c'f':
            end += 4 + (first == c'f')
            if end > line.size or memcmp(line.data + at, b"true" if first == c't' else b"false", end - at):
                return -1
            value = first == c't'
            kind = BOOLEAN
        elif first == c'n':
            return -1
        else:
            value = self.number(at, &end)
            kind = FLOAT if type(value) is float else INTEGER
            if value is None:
                end = skip_value(line, at)
                if end < 0 or end - at > MAX_DEPTH and nesting(line.data + at, end - at) > MAX_DEPTH:
                    return -1
                try:
                    value = loads(self.data[at:end])
                except ValueError:
                    return -1
                kind = 1 << TYPES.index(type(value))
        if value is None:
            return -1
        while len(column) < self.row:
            column.append(None)
            kind |= ABSENT
        self.kinds[number] |= kind
        column.append(value)
        return end

    cdef number(self, Py_ssize_t at, Py_ssize_t *end):
        """The number at a place, if it is short and has no exponent; else None."""
        cdef Scan *line = self.line
        cdef bint is_negative = line.data[at] == c'-'
        cdef Py_ssize_t start = at + is_negative, digits = 0, places = -1
        cdef long long value = 0
        cdef double quotient
        at = start
        while at < line.size and digits <= EXACT_DIGITS:
            if c'0' <= line.data[at] <= c'9':
                value = 10 * value + line.data[at] - c'0'
                digits += 1
                places += places >= 0
            elif line.data[at] == c'.' and places < 0 and digits:
                places = 0
            else:
                break
            at += 1
        if not digits or digits > EXACT_DIGITS or not places or at >= line.size or line.data[at] | 32 == c'e':
            return None
        if line.data[start] == c'0' and digits > 1 and line.data[start + 1] != c'.':
            return None
        end[0] = at
        if places < 0:
            return None if is_negative and not value else -value if is_negative else value
        quotient = value / POWERS[places]
        return -quotient if is_negative else quotient

    cdef string(self, Py_ssize_t at, Py_ssize_t *end):
        """The string whose first `"` is before *at*; None for what is none. Equal ones are mostly the same object."""
        cdef Scan *line = self.line
        cdef Py_ssize_t start = at, size
        cdef bint has_escapes = False
        cdef uint64_t word, found, hashed = 0
        cdef Slot *slot
        while True:
            if BY_WORDS and at + WORD <= line.size:
                memcpy(&word, line.data + at, WORD)
                found = zero_bytes(word ^ ONES * c'"') | zero_bytes(word ^ ONES * c'\\')
                found |= (word - ONES * 32) & ~word & HIGH
                if not found:
                    hashed = (hashed ^ word) * HASH
                    hashed ^= hashed >> 29
                    at += WORD
                    continue
                at += first_byte(found)
                hashed ^= word & (found & (0 - found)) - 1  # what is before it, and seven bits
            if at >= line.size:
                return None
            if line.data[at] == c'"':
                break
            if line.data[at] < 32:
                return None
            if line.data[at] == c'\\':
                has_escapes = True
                at += 1
            at += 1
        end[0] = at + 1
        size = at - start
        hashed = (hashed ^ <uint64_t>size) * HASH
        slot = &self.slots[hashed >> 55]
        if slot.size == size and not memcmp(line.data + slot.start, line.data + start, size):
            return <object>slot.text
        try:
            value = self.unescaped(start, size) if has_escapes else (
                PyUnicode_DecodeUTF8(<const char *>line.data + start, size, NULL)
            )
        except UnicodeDecodeError:
            return None
        if value is not None:
            slot.start, slot.size, slot.text = start, size, <PyObject *>value
        return value

    cdef unescaped(self, Py_ssize_t start, Py_ssize_t size):
        """A string with escapes; None for what is none."""
        cdef Scan own = self.line[0]
        own.size = start + size + 1
        own.text = <uint8_t *>PyMem_Malloc(size + WORD)
        if not own.text:
            raise MemoryError
        try:
            if unescape(&own, start) < 0:
                return None
            return PyUnicode_DecodeUTF8(<const char *>own.text, own.length, NULL)
        finally:
            PyMem_Free(own.text)

    cdef int add_shape(self, Py_ssize_t count) except -1:
        """Adds the names of a row, of which there are so many."""
        cdef Py_ssize_t shape
        for shape in range(len(self.shapes)):
            if self.lengths[shape] == count and not memcmp(self.known[shape], self.own, count):
                self.fields.append(self.shapes[shape])
                return 0
        names = tuple([self.names[self.own[at]] for at in range(count)])
        shape = self.next_shape
        self.next_shape = (shape + 1) % MAX_SHAPES
        if len(self.shapes) < MAX_SHAPES:
            self.shapes.append(names)
        else:
            self.shapes[shape] = names
        self.lengths[shape] = count
        memcpy(self.known[shape], self.own, count)
        self.fields.append(names)
        return 0

    cdef tuple filled(self):
        """The columns by name, None where a row has no value; the types of each; the names of each row."""
        cdef list column, kinds = []
        cdef Py_ssize_t number
        for number in range(len(self.columns)):
            column = self.columns[number]
            if len(column) < self.row:
                column.extend([None] * (self.row - len(column)))
                self.kinds[number] |= ABSENT
            kinds.append(types_of(self.kinds[number]))
        return dict(zip(self.names, self.columns)), dict(zip(self.names, kinds)), self.fields


cdef object types_of(uint8_t kinds):
    """The types that are in a column."""
    if SETS[kinds] is None:
        SETS[kinds] = frozenset([kind for number, kind in enumerate(TYPES) if kinds >> number & 1])
    return SETS[kinds]


cdef Py_ssize_t nesting(const uint8_t *data, Py_ssize_t size) noexcept nogil:
    """At least as many levels as a value has."""
    cdef Py_ssize_t at, count = 0
    for at in range(size):
        count += data[at] == c'[' or data[at] == c'{'
    return count


cpdef tuple record_and_rows(bytes line, str name):
    cdef Scan scan
    cdef Reader reader
    scan.data, scan.size, scan.text = <const uint8_t *>PyBytes_AS_STRING(line), PyBytes_GET_SIZE(line), NULL
    scan.start = scan.end = -1
    reader = Reader()
    reader.line, reader.data = &scan, line
    if find(&scan, name.encode(), reader):
        try:
            return loads(line[: scan.start] + b"[]" + line[scan.end :]), reader.filled()
        except ValueError:  # the error of the whole line is raised
            pass
    return loads(line), None


# ---- rows as JSON

cdef extern from *:
    """
    /* How a byte of a string is written: 0 as it is, 'u' in digits, else a backslash and this. */
    static const unsigned char ESCAPES[256] = {
        'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',
        'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
        ['"'] = '"', ['\\\\'] = '\\\\'
    };
    """
    const uint8_t ESCAPES[256]

cdef enum: NUMBER_BYTES = 24, ESCAPE_BYTES = 6
cdef long long MOST = 10 ** 12


cdef class Writer:
    """Bytes of JSON that are being written."""

    cdef uint8_t *start
    cdef Py_ssize_t size, room
    cdef object dumps

    def __cinit__(self, dumps):
        self.dumps = dumps

    def __dealloc__(self):
        PyMem_Free(self.start)

    cdef uint8_t *place(self, Py_ssize_t size) except NULL:
        """Where so many bytes can be written."""
        cdef uint8_t *start
        if self.size + size > self.room:
            start = <uint8_t *>PyMem_Realloc(self.start, 2 * (self.size + size))
            if not start:
                raise MemoryError
            self.start, self.room = start, 2 * (self.size + size)
        return self.start + self.size

    cdef int put(self, bytes data) except -1:
        cdef Py_ssize_t size = PyBytes_GET_SIZE(data)
        memcpy(self.place(size), PyBytes_AS_STRING(data), size)
        self.size += size
        return 0

    cdef int put_value(self, object value) except -1:
        if type(value) is str:
            return self.put_string(<str>value)
        if type(value) is bool:
            return self.put(b"true" if value else b"false")
        if type(value) is float:
            return self.put_float(value)
        if type(value) is int and -MOST < value < MOST:
            return self.put_integer(value)
        return self.put(self.dumps(value))

    cdef int put_integer(self, long long value) except -1:
        cdef uint8_t[NUMBER_BYTES] digits
        cdef Py_ssize_t at = NUMBER_BYTES
        cdef bint is_negative = value < 0
        if is_negative:
            value = -value
        while True:
            at -= 1
            digits[at] = <uint8_t>(c'0' + value % 10)
            value //= 10
            if not value:
                break
        if is_negative:
            at -= 1
            digits[at] = c'-'
        memcpy(self.place(NUMBER_BYTES), digits + at, NUMBER_BYTES - at)
        self.size += NUMBER_BYTES - at
        return 0

    cdef int put_float(self, double value) except -1:
        """Writes a number of at most three decimal places, which is the shortest for it; others as orjson does."""
        cdef long long parts, rest
        cdef uint8_t *out
        if not -1e9 < value < 1e9 or value == 0:
            return self.put(self.dumps(value))
        parts = llrint(value * 1000)
        if parts / 1000.0 != value:
            return self.put(self.dumps(value))
        if parts < 0:
            self.put(b"-")
            parts = -parts
        self.put_integer(parts // 1000)
        rest = parts % 1000
        out = self.place(4)
        out[0] = c'.'
        out[1] = <uint8_t>(c'0' + rest // 100)
        out[2] = <uint8_t>(c'0' + rest // 10 % 10)
        out[3] = <uint8_t>(c'0' + rest % 10)
        self.size += 4 if rest % 10 else 3 if rest % 100 else 2
        return 0

    cdef int put_string(self, str text) except -1:
        """Raises UnicodeEncodeError for lone surrogates."""
        cdef Py_ssize_t size = 0, at = 0
        cdef const uint8_t *data = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &size)
        cdef uint8_t *out = self.place(ESCAPE_BYTES * size + WORD + 2)
        cdef uint64_t word, found
        cdef uint8_t char
        out[0] = c'"'
        out += 1
        while at < size:
            if BY_WORDS and at + WORD <= size:
                memcpy(&word, data + at, WORD)
                memcpy(out, &word, WORD)
                found = zero_bytes(word ^ ONES * c'"') | zero_bytes(word ^ ONES * c'\\')
                found |= (word - ONES * 32) & ~word & HIGH
                if not found:
                    at += WORD
                    out += WORD
                    continue
                out += first_byte(found)
                at += first_byte(found)
            char = data[at]
            at += 1
            if not ESCAPES[char]:
                out[0] = char
                out += 1
                continue
            out[0], out[1] = c'\\', ESCAPES[char]
            out += 2
            if ESCAPES[char] == c'u':
                out[0] = out[1] = c'0'
                out[2], out[3] = <uint8_t>(c'0' + (char >> 4)), <uint8_t>b"0123456789abcdef"[char & 15]
                out += 4
        out[0] = c'"'
        self.size = out + 1 - self.start
        return 0


cpdef bytes rows_json(dict columns, list fields, object dumps):
    cdef Writer out = Writer(dumps)
    cdef Py_ssize_t row, at
    cdef tuple shape, last = None
    cdef list names = [], own = []
    cdef dict known = {}
    out.put(b"[")
    for row in range(len(fields)):
        shape = fields[row]
        if shape is not last:
            last = shape
            if shape not in known:
                known[shape] = (
                    [(b"," if at else b"{") + dumps(shape[at]) + b":" for at in range(len(shape))],
                    [columns[name] for name in shape],
                )
            names, own = known[shape]
        if row:
            out.put(b",")
        for at in range(len(names)):
            out.put(<bytes>names[at])
            out.put_value((<list>own[at])[row])
        out.put(b"}" if names else b"{}")
    out.put(b"]")
    return out.start[: out.size]
