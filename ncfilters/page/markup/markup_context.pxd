cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.open_elements cimport OpenElement

cdef int CLASS, ROLE, _HEADING, _LIST, _ITEM, _CAPTION, _QUOTE
cdef bytearray _CONTEXTS

cdef class Numbers:
    cdef public Py_ssize_t items

cdef class Context:
    cdef public dict fields
    cdef public Py_ssize_t lists
    cdef public bint is_caption
    cdef public tuple quotes
    cpdef Context copy(self)

@cython.locals(row=int, own=Context, kind=int, flags=int, level=int)
cpdef Context context_in(PageTable page, Context around, OpenElement element, Numbers numbers)
