cimport cython

@cython.locals(
    text=list, score=list, rule=list, rows=list, texts=list, own=str, lengths=list, elements=set,
    between=list, around=list, row=Py_ssize_t, number=Py_ssize_t, size=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t,
    length=Py_ssize_t,
)
cpdef list features(page)
