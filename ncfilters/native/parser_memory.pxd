cpdef int limit_parser(size_t most) except -1
cpdef bint is_bounded()
cpdef return_memory(size_t least)
cpdef Py_ssize_t most_attributes(bytes html)
