cdef class CharacterSet:
    cdef unsigned char _latin[256]  # 1 for a character in the set
    cdef unsigned char _bits[16384]  # a bit for each character
    cdef bint _find(self, str text, unsigned char sought) noexcept
    cpdef bint is_in(self, str text) except -1
    cpdef bint has_all(self, str text) except -1
    cdef bint _has(self, unsigned int c) noexcept
    cpdef str without(self, str text)
    cpdef list places(self, str text)
