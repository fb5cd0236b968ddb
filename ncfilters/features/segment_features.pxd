cimport cython
from ..native.sums cimport zero_doubles, zero_floats, zero_ints
from .segment_table cimport SegmentTable
from .shared_features cimport SharedFeatures, log_count, share
from .title_overlap cimport TitleOverlap

cdef int BRACKET, CHARS, COMMA, COMMAS, DIGIT, DIGITS, FIRST, FOREIGN, LAST, MARK, PLAIN, PUNCTUATION, SENTENCES, SIGN, STOP
cdef int SYMBOLS, TITLES, UPPER, UPPERS, WORDS, AFTER, BEFORE, BESIDE_MAIN, CHARACTERS, DENSITY, EACH, H1, HEADING, KINDS
cdef int LANDMARKS, LINKS, LONG, NEIGHBOURS, NUMBERS, OF_NEIGHBOUR, OF_WINDOW, POSITION, PROSE, REPEATS, RULED, SECTION, SIG
cdef int SINCE_FIRST, TYPE_H, TYPE_L, WINDOWS, _LAST_CLASS
cdef double _ROUND, _NO_DISTANCE, _MAX_OFFSET, _UNITS
cdef int[::1] _DISTANCES, _SIZES

cdef class SegmentFeatures:
    cdef readonly SegmentTable table
    cdef readonly SharedFeatures shared
    cdef readonly TitleOverlap titles
    cdef int[::1] _section, _prose_before, _prose_after, _equal
    cdef double[::1] _sections, _windows
    cdef float[::1] _neighbour
    cdef Py_ssize_t _first_h1, _first_prose, _last_prose
    cdef double _chars, _prose
    @cython.locals(table=SegmentTable, sections='double[::1]', windows='double[::1]', numbers='float[::1]',
                   marks='int[::1]', same='int[::1]', neighbour='float[::1]', prose=Py_ssize_t,
                   section=Py_ssize_t, at=Py_ssize_t, mark=int, row=Py_ssize_t, chars=double, density=double,
                   log_chars=double, to=Py_ssize_t)
    cpdef object survey(self)
    @cython.locals(at=Py_ssize_t, row=Py_ssize_t)
    cpdef object fill(self, float[::1] out, Py_ssize_t width, Py_ssize_t start, Py_ssize_t stop)
    @cython.locals(numbers='float[::1]', place=Py_ssize_t, chars=double, words=double, each=double, links=double,
                   first=int, last=int, length=double, commas=double, titles=double, sentences=double)
    cdef int _fill_characters(self, float[::1] out, Py_ssize_t row, Py_ssize_t at) except -1
    @cython.locals(table=SegmentTable, shared=SharedFeatures, numbers='float[::1]', marks='int[::1]', same='int[::1]',
                   groups='int[::1]', mark=int, chars=double, position=Py_ssize_t, repeats=Py_ssize_t, since=Py_ssize_t,
                   place=Py_ssize_t, kind=int, group=Py_ssize_t, offset=Py_ssize_t, value=double)
    cdef int _fill_position(self, float[::1] out, Py_ssize_t row, Py_ssize_t at) except -1
    @cython.locals(table=SegmentTable, neighbour='float[::1]', place='int[::1]', groups='int[::1]', size=Py_ssize_t,
                   to=Py_ssize_t, number=int, there=Py_ssize_t, column=int, start=Py_ssize_t, alike=int)
    cdef int _fill_neighbours(self, float[::1] out, Py_ssize_t row, Py_ssize_t at) except -1
    @cython.locals(windows='double[::1]', last=Py_ssize_t, to=Py_ssize_t, here=Py_ssize_t, number=int, size=Py_ssize_t,
                   low=Py_ssize_t, high=Py_ssize_t, before=Py_ssize_t, after=Py_ssize_t, each_before=double,
                   each_after=double, column=int, value=double)
    cdef int _fill_windows(self, float[::1] out, Py_ssize_t row, Py_ssize_t at) except -1
    @cython.locals(shared=SharedFeatures, sections='double[::1]', to=Py_ssize_t, before=Py_ssize_t, after=Py_ssize_t,
                   section=Py_ssize_t)
    cdef int _fill_landmarks(self, float[::1] out, Py_ssize_t row, Py_ssize_t at) except -1

cdef double _bound(Py_ssize_t value, Py_ssize_t low) except? -1
