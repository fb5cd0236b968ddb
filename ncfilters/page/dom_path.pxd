cimport cython

cdef dict _known_classes

@cython.locals(path=str, head=Py_ssize_t, tail=Py_ssize_t)
cpdef str join_path(str parent, str element)
cpdef str dotted_id(str identity)
@cython.locals(known=str)
cpdef str dotted_classes(str value)
cdef str _dotted_classes(str value)

cpdef str bounded_path(str path)
cpdef str without_id(str step)
