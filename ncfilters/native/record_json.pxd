cpdef tuple record_and_text(bytes line, str name)
