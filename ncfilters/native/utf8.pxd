cpdef bytes encoded(str text)
