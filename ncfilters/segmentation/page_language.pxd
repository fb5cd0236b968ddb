cimport cython

cdef double MAX_LINK_DENSITY
cdef int PRE

@cython.locals(sample=str)
cpdef str likely_text(object table)
@cython.locals(links=list, rules=list, flags=list, hidden=list, out=list, text=str, size=Py_ssize_t, row=Py_ssize_t)
cdef list _running(object table)
@cython.locals(links=list, rules=list, out=list, text=str, rule=str, size=Py_ssize_t, row=Py_ssize_t)
cdef list _teasers(object table)
