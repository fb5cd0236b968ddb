cimport cython
from ncfilters.native.page_table cimport PageTable
from ncfilters.page.element_table cimport ElementTable

cdef int _CLASS, _ID, _ITEMTYPE, _TIME, _PART_FLAGS, _BY_ID, _BY_CLASS
cdef bytearray _TAGS

@cython.locals(rows=list, row=int, tag=int, flags=int)
cpdef list post_rows(PageTable table)
@cython.locals(rows=list, row=int)
cpdef list part_rows(PageTable table, int first, int last)
@cython.locals(by_id=set, name=str, sign=int)
cpdef bint may_have_posts(ElementTable elements) except -1
@cython.locals(name=Py_ssize_t, classes=Py_ssize_t)
cdef int _sign_of(str element) except -1
