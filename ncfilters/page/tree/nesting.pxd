cimport cython

from ...native.markup_bytes cimport NameTable

cdef int _SCOPE, _BLOCK, _SPECIAL, _ALONE, _UNSURE, _CLOSES_ITEMS, _ENDS_DRAWING, _LEAVES, _DRAWING
cdef int _ITEM, _TERM, _PASSED, _NEVER_DRAWN, _FORMATTING, _P, _TABLE, _TEMPLATE, _SELECT, _SVG, _MATH
cdef NameTable _TABLE_OF_NAMES

cdef class OpenTag:
    cdef public int name, kinds
    cdef public Py_ssize_t before, template, scope, special, text, html, select

cdef class OpenElements:
    cdef readonly Py_ssize_t depth
    cdef list _open, _names, _kinds, _last
    cdef dict _others
    cdef Py_ssize_t _unsure, _drawings, _doubt_from, _doubt_to, _items
    cdef bint _is_mixed

    @cython.locals(number=int, name=bytes)
    cpdef int number_of(self, bytes html, Py_ssize_t at, Py_ssize_t end) except -2
    cpdef bytes name_of(self, int number)
    cpdef int kinds_of(self, int number) except -1
    @cython.locals(at=Py_ssize_t)
    cpdef list names_from(self, Py_ssize_t place)
    cpdef bint is_unsure(self)
    @cython.locals(svg=Py_ssize_t, math=Py_ssize_t, last=Py_ssize_t)
    cpdef pass_drawing(self, int number, bint is_end)
    @cython.locals(kinds=int)
    cpdef start(self, int number)
    @cython.locals(place=Py_ssize_t, own=OpenTag, around=OpenTag, kinds=int)
    cdef _push(self, int number)
    @cython.locals(kinds=int)
    cpdef bint is_closed(self, int number) except -1
    @cython.locals(kinds=int)
    cpdef bint is_flat(self, int number) except -1
    @cython.locals(kinds=int, last=OpenTag, around=Py_ssize_t)
    cpdef pass_flat(self, int number, bint is_end)
    @cython.locals(place=Py_ssize_t, reopened=list, inner=int, kinds=int)
    cpdef end(self, int number)
    cdef _leave_drawings(self)
    cdef bint _is_drawing(self, Py_ssize_t place) except -1
    @cython.locals(last=OpenTag)
    cdef bint _in_drawing(self) except -1
    @cython.locals(place=Py_ssize_t, own=OpenTag)
    cdef _close_item(self, int wanted)
    @cython.locals(closed=OpenTag)
    cpdef close(self, Py_ssize_t place)
    @cython.locals(kinds=int, last=OpenTag)
    cdef Py_ssize_t _stop(self, int number, Py_ssize_t place) except -2
