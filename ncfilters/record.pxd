cimport cython

@cython.locals(out=dict, column=list, name=str)
cpdef dict segment_in(dict columns, tuple names, Py_ssize_t row)
@cython.locals(known=dict, fields=dict)
cpdef field_names(object items, dict types, object required=?)
