cpdef bytes encoded(str text)
cpdef tuple char_places(bytes utf8, Py_ssize_t step)
