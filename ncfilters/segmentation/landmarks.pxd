cimport cython

cdef tuple _NO_LANDMARK, _WIDGET
cdef bytearray _BEGINNINGS
cdef Py_ssize_t MAX_WORD

cdef class PathLandmarks:
    cdef dict known
    cdef list prefixes, found
    @cython.locals(prefixes=list, found=list, start=Py_ssize_t, size=Py_ssize_t, end=Py_ssize_t, landmark=tuple)
    cpdef tuple of(self, str path)
    cdef tuple joined(self, tuple above, tuple own, str path, Py_ssize_t end)

@cython.locals(at=Py_ssize_t)
cpdef bint is_in_heading(str path) except -1
@cython.locals(at=Py_ssize_t)
cpdef bint is_in_item(str path) except -1
@cython.locals(after=Py_UCS4)
cdef bint _is_end_of_name(str path, Py_ssize_t at) except -1
@cython.locals(at=Py_ssize_t, tag=str)
cdef tuple _landmark_of_element(str path, Py_ssize_t start, Py_ssize_t end)
@cython.locals(start=Py_ssize_t, size=Py_ssize_t, may_be=bint)
cdef bint _has_widget_word(str path, Py_ssize_t at, Py_ssize_t end) except -1
@cython.locals(code=Py_ssize_t)
cdef bint _may_be_widget(Py_ssize_t size, Py_UCS4 first) except -1
cdef bint _is_separator(Py_UCS4 sign) except -1
