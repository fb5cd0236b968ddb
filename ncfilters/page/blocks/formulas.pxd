cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.screen_readers cimport elements_beside

cdef int BLANK, CLASS, COMMENT, HIDDEN, STYLE, TEXT, _MATH, _NOBR

cpdef str math_text(PageTable table, int row)
@cython.locals(at=int)
cpdef bint is_formula(PageTable table, int row) except -1
@cython.locals(kind=str, at=int)
cpdef str tex_of_script(PageTable table, int row)
@cython.locals(at=int)
cpdef bint is_drawn_again(PageTable table, int row) except -1
@cython.locals(at=int, is_shown=bint)
cpdef bint is_shown_beside(PageTable table, int row) except -1
cdef bint _is_formula_class(PageTable table, int row) except -1
@cython.locals(name=str, parts=list, at=int)
cdef str _text_of(PageTable table, int row, int depth)
