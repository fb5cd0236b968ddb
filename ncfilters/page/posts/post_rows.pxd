cimport cython
from ncfilters.native.page_table cimport PageTable

cdef int _CLASS, _ID, _ITEMTYPE
cdef bytearray _TAGS
cdef dict _classes, _ids

@cython.locals(rows=list, row=int, tag=int, flags=int)
cpdef list post_rows(PageTable table)
@cython.locals(seen=set, path=str, at=Py_ssize_t, element=str, has_one=bint)
cpdef bint may_have_posts(list paths) except -1
@cython.locals(classes=Py_ssize_t)
cdef bint _is_post_class(str element) except -1
@cython.locals(name=Py_ssize_t, classes=Py_ssize_t)
cdef bint _is_post_id(str element) except -1
cdef bint _has_post_class(str classes) except -1
cdef bint _has_class_word(str classes) except -1
@cython.locals(size=Py_ssize_t, end=Py_ssize_t, name=str)
cdef bint _has_post_id(str identity) except -1
