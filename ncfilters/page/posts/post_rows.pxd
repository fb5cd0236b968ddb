cimport cython
from ncfilters.native.page_table cimport PageTable
from ncfilters.page.element_table cimport ElementTable

cdef int _CLASS, _ID, _ITEMTYPE, _TIME, _PART_FLAGS, _BY_ID, _BY_CLASS
cdef bytearray _TAGS
cdef dict _classes, _ids, _elements
cdef tuple _CLASS_WORDS

@cython.locals(rows=list, row=int, tag=int, flags=int)
cpdef list post_rows(PageTable table)
@cython.locals(rows=list, row=int)
cpdef list part_rows(PageTable table, int first, int last)
@cython.locals(by_id=set, name=str, sign=int)
cpdef bint may_have_posts(ElementTable elements) except -1
@cython.locals(name=Py_ssize_t, classes=Py_ssize_t)
cdef int _sign_of(str element) except -1
cdef bint _has_post_class(str classes) except -1
@cython.locals(word=str)
cdef bint _has_class_word(str classes) except -1
@cython.locals(size=Py_ssize_t, end=Py_ssize_t, name=str)
cdef bint _has_post_id(str identity) except -1
