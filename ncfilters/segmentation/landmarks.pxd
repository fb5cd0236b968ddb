cimport cython

@cython.locals(landmark=tuple, own=tuple, parent=str, element=str)
cpdef tuple landmark_of_path(str path, dict known)
@cython.locals(at=Py_ssize_t, level=Py_UCS4)
cpdef bint is_in_heading(str path) except -1
@cython.locals(at=Py_ssize_t)
cpdef bint is_in_item(str path) except -1
@cython.locals(after=Py_UCS4)
cdef bint _is_end_of_name(str path, Py_ssize_t at) except -1
