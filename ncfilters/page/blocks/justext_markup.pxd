cimport cython

cdef str _TAG_NAME_ENDS, _CUT_FIRST, _CUT_SECOND, _XML_EMPTY_START

@cython.locals(out=list, done=Py_ssize_t, at=Py_ssize_t, last=Py_ssize_t, start=Py_ssize_t, inside=Py_ssize_t,
               end=Py_ssize_t, name=str)
cdef str _without_code(str html)
@cython.locals(first=Py_UCS4)
cdef Py_ssize_t _next_cut(str html, Py_ssize_t at, Py_ssize_t last) except -2
@cython.locals(at=Py_ssize_t, last=Py_ssize_t)
cdef bint _has_break_end(str html) except -1
cdef bint _has_tag(str html, str start, Py_ssize_t at, Py_ssize_t end) except -1
@cython.locals(size=Py_ssize_t, last=Py_ssize_t, end=Py_ssize_t)
cdef Py_ssize_t _find_end_tag(str html, str name, Py_ssize_t at) except -2
@cython.locals(out=list, done=Py_ssize_t, before=Py_ssize_t, place=Py_ssize_t, at=Py_ssize_t)
cdef str _close_xml_empty(str html)
