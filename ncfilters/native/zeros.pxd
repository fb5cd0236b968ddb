cpdef object zero_floats(Py_ssize_t count)
cpdef object zero_doubles(Py_ssize_t count)
cpdef object zero_ints(Py_ssize_t count)
