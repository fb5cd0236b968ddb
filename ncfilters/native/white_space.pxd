cpdef str collapse_spaces(str text)
