cpdef list num_words(list texts)
cpdef str collapse_spaces(str text)
cpdef Py_ssize_t common_length(str one, str other) except -1

cdef class CharCounter:
    cdef Py_ssize_t size
    cdef Py_UCS4 lowest
    cdef Py_UCS4[16] first, last
    cpdef Py_ssize_t count(self, str text) except -1

cdef class CharacterSet:
    cdef unsigned char _latin[256]  # 1 for a character in the set
    cdef unsigned char _bits[16384]  # a bit for each character
    cdef bint _find(self, str text, unsigned char sought) noexcept
    cpdef bint is_in(self, str text) except -1
    cpdef bint has_all(self, str text) except -1
    cdef bint _has(self, unsigned int c) noexcept
    cpdef str without(self, str text)
    cpdef list places(self, str text)
