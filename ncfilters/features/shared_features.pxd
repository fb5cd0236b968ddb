cimport cython
from ..native.sums cimport zero_doubles, zero_floats, zero_ints
from ..native.sums cimport log1p
from .places cimport Places
from .segment_table cimport SegmentTable

cdef int CHARS, WORDS, BEFORE, KINDS, LINKS, LONG, NUMBERS, OF_GROUP, OF_PAGE, OF_PLACE, PROSE, RULED, SUM_CHARS, SUM_LINKS
cdef int SUM_N, SUM_PROSE, SUM_WEIGHT, SUM_WORDS, SUMS, TYPE_H, TYPE_L, UP1, WEIGHT
cdef double _MAX_WORDS
cdef int _MAX_STEPS, _MAX_DEPTH, _LOG_COUNT, _MAX_COUNT
cdef float[::1] _LOGS

@cython.locals(at=int, value=double)
cpdef double log_count(double number) except -1
cpdef double share(double part, double total) except? -1

cdef class SharedFeatures:
    cdef readonly SegmentTable table
    cdef readonly float[::1] groups, places, page, each
    cdef readonly int[::1] first
    cdef readonly double[::1] weights
    cdef readonly Py_ssize_t main_group, main_first, main_last
    cdef double[::1] _of_places, _sums
    cpdef object compute(self)
    @cython.locals(table=SegmentTable, sums='double[::1]', numbers='float[::1]', marks='int[::1]', place='int[::1]',
                   at=Py_ssize_t, to=Py_ssize_t, row=Py_ssize_t, chars=double, words=double)
    cdef object _sum_places(self)
    @cython.locals(tree=Places, sums='double[::1]', of_places='double[::1]', groups='int[::1]', place='int[::1]',
                   first='int[::1]', firsts='int[::1]', at=Py_ssize_t, number=Py_ssize_t, row=Py_ssize_t, kind=int,
                   group=Py_ssize_t, to=Py_ssize_t, column=int)
    cdef object _sum_groups(self)
    @cython.locals(table=SegmentTable, tree=Places, sums='double[::1]', most=double, main=Py_ssize_t, group=Py_ssize_t,
                   prose=double, groups='int[::1]', place='int[::1]', last=Py_ssize_t, at=Py_ssize_t)
    cdef object _find_main(self)
    cpdef bint _is_first(self, Py_ssize_t one, Py_ssize_t other) except -1
    @cython.locals(table=SegmentTable, out='float[::1]', sums='double[::1]', all_chars=double, all_prose=double,
                   group=Py_ssize_t, row=Py_ssize_t, to=Py_ssize_t, n=double, chars=double, prose=double)
    cdef object _fill_groups(self)
    @cython.locals(tree=Places, out='float[::1]', main=Py_ssize_t, depths=list, parent=list, nodes=list, common=list,
                   main_depth=int, node=Py_ssize_t, holds=bytearray, place=Py_ssize_t, to=Py_ssize_t, depth=int, above=int)
    cdef object _fill_places(self)
    @cython.locals(table=SegmentTable, out='float[::1]', numbers='float[::1]', marks='int[::1]', size=Py_ssize_t,
                   at=Py_ssize_t, mark=int, chars=double, links=double, paragraphs=double, headings=double, lists=double,
                   ruled=double, repeated=double)
    cdef object _fill_page(self)
