cimport cython

@cython.locals(known=dict, fields=dict)
cpdef field_names(list items, dict types)
