cimport cython

from ncfilters.native.page_table cimport PageTable

cdef int BLANK, CLASS, TEXT, UNKNOWN

@cython.locals(at=int, out=list)
cpdef list elements_of(PageTable table, int row, bytearray tags, frozenset words=*)
cpdef bint has_element(PageTable table, int row, bytearray tags, frozenset words=*) except -1
@cython.locals(at=int)
cpdef int first_element(PageTable table, int row, bytearray tags, frozenset words=*) except -2
@cython.locals(tag=int, has_words=bint)
cdef bint _is_of(PageTable table, int row, bytearray tags, frozenset words) except -1
@cython.locals(at=int, end=int, out=list)
cpdef list children(PageTable table, int row)
@cython.locals(at=int, end=int, out=list)
cpdef list child_elements(PageTable table, int row)
@cython.locals(after=int, above=int)
cpdef int next_row(PageTable table, int row) except -2
cpdef bint is_blank(PageTable table, int row) except -1
cpdef str name_at(PageTable table, int row)
