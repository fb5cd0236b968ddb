cpdef tuple unescaped(bytes line, Py_ssize_t start)
