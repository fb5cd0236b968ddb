cpdef bint limit_parser(size_t most) except -1
cpdef return_memory(size_t least)
