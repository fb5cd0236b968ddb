cdef class NameTable:
    cdef list _names
    cdef unsigned long long[512] _keys
    cdef int[512] _numbers
    cpdef int number_at(self, bytes html, Py_ssize_t at, Py_ssize_t end) noexcept

cpdef Py_ssize_t find_byte(bytes data, int byte, Py_ssize_t start, Py_ssize_t end) noexcept
cpdef Py_ssize_t name_end(bytes html, Py_ssize_t at, Py_ssize_t end=?) noexcept
cpdef bytes name_at(bytes html, Py_ssize_t at)
cpdef Py_ssize_t tag_end(bytes html, Py_ssize_t at) noexcept
cpdef bint ends_itself(bytes html, Py_ssize_t at, Py_ssize_t end) noexcept
cpdef Py_ssize_t count_attributes(bytes html, Py_ssize_t at) noexcept
