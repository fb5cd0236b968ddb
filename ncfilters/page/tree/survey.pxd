cimport cython
from ...native.page_table cimport PageTable as Table

cdef int _META, _TITLE, _SCRIPT, _LINK, _BASE, _H1, _TIME, _SVG, _MATH, _TEMPLATE, _IFRAME
cdef int _NAMED, _DESCRIBED, _ITEMPROP, _ITEMTYPE, _REL, _PROPERTY, _CLASS
cdef dict _SPACES
cdef tuple _PROPERTIES

cdef class Survey:
    cdef public list metas, titles, linked_data, item_types, canonicals, bases

@cython.locals(out=Survey, row=int, tag=int, flags=int)
cpdef Survey survey(Table table)
@cython.locals(row=int, tag=int)
cpdef bint has_special(Table table) except -1
@cython.locals(rows=list, row=int)
cpdef list rows_with(Table table, int tag, int bits, int first, int last)
@cython.locals(rows=list, row=int, tag=int, flags=int)
cpdef list metadata_rows(Table table)
@cython.locals(rows=list, row=int, name=str)
cpdef list byline_rows(Table table)
@cython.locals(above=int)
cdef bint _is_in_drawing(Table table, int row) except -1
cdef bint _has(Table table, int row, str name, str value) except -1
@cython.locals(rel=str, words=list)
cdef int _relations(Table table, int row) except -1
