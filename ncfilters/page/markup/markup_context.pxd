cimport cython

from ncfilters.native.page_table cimport PageTable

cdef int CLASS, ROLE, _HEADING, _LIST, _ITEM, _CAPTION, _QUOTE
cdef bytearray _CONTEXTS

cdef class PageNumbers:
    cdef public Py_ssize_t table, code, item

cdef class Context:
    cdef public dict fields, details
    cdef public Py_ssize_t lists
    cdef public bint is_caption
    cdef public tuple quotes

cdef class Contexts:
    cdef PageTable _page
    cdef dict _details
    cdef list _known
    cdef PageNumbers _numbers
    @cython.locals(known=list, page=PageTable, rows=list, at=int, context=Context)
    cpdef Context of(self, int row)
    @cython.locals(page=PageTable, kind=int, flags=int, is_heading=bint, details=dict, own=Context)
    cdef Context _context_in(self, int row, Context around)
