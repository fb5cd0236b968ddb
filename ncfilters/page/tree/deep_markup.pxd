cimport cython

from ...native.markup_bytes cimport ends_itself, find_byte, name_at, name_end, tag_end
from .nesting cimport OpenElements

cdef int _FLAT, _FORMATTING, _RAW, _LESS, _GREATER, _SLASH, _BANG, _QUESTION, _DASH
cdef bytearray _LETTERS

@cython.locals(at=Py_ssize_t, last=Py_ssize_t)
cdef Py_ssize_t _comment_end(bytes html, Py_ssize_t start) except -1
@cython.locals(start=Py_ssize_t, last=Py_ssize_t, behind=Py_ssize_t)
cdef Py_ssize_t _text_end(bytes html, bytes name, Py_ssize_t at) except -1

cdef class Markup:
    cdef bytes _html
    cdef Py_ssize_t _size, _max_formatting, _max_depth, _free_depth, _formatting, _done, _unsure_to, _rereads
    cdef long long _looks
    cdef OpenElements _opened
    cdef list _dropped, _kept

    @cython.locals(at=Py_ssize_t)
    cpdef bint read(self) except -1
    cpdef bytes limited(self)
    @cython.locals(first=int, is_end=bint, is_closed=bint, number=int, name=Py_ssize_t, end=Py_ssize_t, after=Py_ssize_t)
    cdef Py_ssize_t _read(self, Py_ssize_t start) except -1
    cdef Py_ssize_t _read_other(self, Py_ssize_t start, int first) except -1
    cdef bint _is_lost(self, Py_ssize_t start) noexcept
    cdef Py_ssize_t _pass(self, Py_ssize_t start, Py_ssize_t end) except -1
    cdef _doubt(self, Py_ssize_t start, Py_ssize_t end)
    cdef _look(self, Py_ssize_t start)
    @cython.locals(opened=OpenElements, kinds=int, is_sure=bint, text_end=Py_ssize_t, is_formatting=bint)
    cdef Py_ssize_t _start(self, int number, Py_ssize_t start, Py_ssize_t name, Py_ssize_t end, bint is_closed) except -1
    @cython.locals(kinds=int)
    cdef Py_ssize_t _end(self, int number, Py_ssize_t start, Py_ssize_t end) except -1
    cdef Py_ssize_t _drop(self, Py_ssize_t start, Py_ssize_t end) except -1
