cpdef Py_ssize_t most_attributes(bytes html)
