cimport cython

cdef class ElementTable:
    cdef readonly list name, parent, depth, signs, inside, level, shape
    cdef readonly dict of_path
    cdef dict _nearest
    cdef int _add(self, str path) except -1
    cpdef list nearest(self, object signs, bint outermost=*)
    cpdef list subtree(self, Py_ssize_t root)
    cpdef list sums(self, list own)
    cpdef bint is_in(self, Py_ssize_t element, Py_ssize_t other) except -1
