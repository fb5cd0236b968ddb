cimport cython

from ncfilters.native.page_table cimport PageTable

cdef int ARIA_HIDDEN, BLANK, CLASS, STYLE, TEXT

@cython.locals(flags=int, style=str)
cpdef bint is_for_screen_readers(PageTable table, int row) except -1
@cython.locals(at=int, is_drawn=bint)
cpdef bint is_drawn_beside(PageTable table, int row) except -1
@cython.locals(at=int)
cpdef bint is_read_beside(PageTable table, int row) except -1
cdef bint _says(str text, str drawn) except -1
@cython.locals(before=int, after=int, above=int, last=int, found=list)
cpdef list elements_beside(PageTable table, int row)
