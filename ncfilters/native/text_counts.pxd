cpdef list num_words(list texts)
cpdef Py_ssize_t common_length(str one, str other) except -1

cdef class CharCounter:
    cdef Py_ssize_t size
    cdef Py_UCS4 lowest
    cdef Py_UCS4[16] first, last
    cpdef Py_ssize_t count(self, str text) except -1
