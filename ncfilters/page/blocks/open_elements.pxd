cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.dom_path cimport dotted_classes, dotted_id

cdef int ARIA_HIDDEN, BLANK, CLASS, HIDDEN, ID, ROLE, START, STYLE, TEXT, _BLOCKQUOTE, _CITE, _DIV

cdef class OpenElement:
    cdef public int row, last, element, last_element
    cdef public str name, hidden

cdef class OpenCells:
    cdef public Py_ssize_t start, cell_start
    cdef public bint is_data

@cython.locals(is_box=bint)
cpdef str name_in(PageTable table, int row)
cdef dict _ROLES

@cython.locals(flags=int)
cpdef str path_element(PageTable table, int row, str name)
@cython.locals(parent=int, before=int, is_first=bint)
cpdef bint says_who_is_quoted(PageTable table, int row) except -1
@cython.locals(flags=int, style=str)
cpdef str hiding_in(PageTable table, int row)
@cython.locals(classes=str)
cpdef bint is_sign(PageTable table, int row) except -1
cpdef bint has_numbers(PageTable table, int row) except -1
cpdef object number_in(PageTable table, int row, int attribute, object default)
