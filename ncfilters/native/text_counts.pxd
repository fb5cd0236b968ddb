cpdef list num_words(list texts)
cpdef str collapse_spaces(str text)
cpdef Py_ssize_t common_length(str one, str other) except -1

cdef class CharacterSet:
    cdef unsigned char _latin[256]  # 1 for a character in the set
    cdef unsigned char _bits[32768]  # a bit for each character
    cdef unsigned int _lowest
    cdef bint _find(self, str text, unsigned char sought) noexcept
    cpdef bint is_in(self, str text) except -1
    cpdef bint has_all(self, str text) except -1
    cpdef Py_ssize_t count(self, str text) except -1
