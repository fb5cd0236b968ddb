cimport cython
from ..native.sums cimport zero_floats, zero_ints
from ..native.text_counts cimport WordSet
from .segment_table cimport SegmentTable
from .shared_features cimport log_count, share

cdef int CHARS, WORDS, EMBEDDED, H1, HEAD, LINKS, NUMBERS, OF_TITLE, TYPE_H, _SHARES
cdef Py_ssize_t _MAX_TEXT_CHARS
cdef double _H1_BONUS, _HEADING_BONUS, _LINK_PENALTY, _LINKED_SHARE, _NO_DISTANCE, _NO_PLACE

cdef str _FIRST, _LAST

cdef class TitleOverlap:
    cdef readonly SegmentTable table
    cdef WordSet words
    cdef tuple sizes
    cdef readonly Py_ssize_t title, description
    cdef float[::1] _shares, _sum
    cdef bytearray _candidates
    @cython.locals(table=SegmentTable, found='int[::1]', at=Py_ssize_t, text=str)
    cpdef object survey(self)
    @cython.locals(to=Py_ssize_t)
    cdef object _set_shares(self, Py_ssize_t at, int which, int shared, int own, int size)
    @cython.locals(table=SegmentTable, shares='float[::1]', candidates=bytearray, best=Py_ssize_t, highest=double,
                   at=Py_ssize_t, same=Py_ssize_t, mark=int, row=Py_ssize_t, chars=double, place=Py_ssize_t, value=double)
    cdef Py_ssize_t _best(self, int which) except -2
    @cython.locals(to=Py_ssize_t, place=Py_ssize_t, column=int)
    cpdef object fill(self, float[::1] out, Py_ssize_t row, Py_ssize_t at)
    @cython.locals(since=Py_ssize_t)
    cdef int _fill_place(self, float[::1] out, Py_ssize_t to, Py_ssize_t at, Py_ssize_t found) except -1

@cython.locals(words=set, start=Py_ssize_t, at=Py_ssize_t, char=Py_UCS4, single=bint)
cpdef set distinct_words(str text)
@cython.locals(at=Py_ssize_t)
cdef bint _is_single(Py_UCS4 char) except -1
