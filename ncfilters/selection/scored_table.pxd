cimport cython

cdef class ScoredTable:
    cdef public list segments, text, type, path, score, rule, role, role_probability, visible, sizes, paths, place
    cdef public set names
    cdef public double total
    @cython.locals(segment=dict)
    cpdef list column(self, str name, object default)
    @cython.locals(segment=dict)
    cpdef list values(self, str name)
    cpdef ScoredTable with_scores(self, list score)
    cpdef ScoredTable seen(self)
    cpdef list words(self)
    @cython.locals(numbers=dict)
    cpdef list places(self)

@cython.locals(text=str, count=Py_ssize_t, counts=list, out=list)
cpdef list word_counts(list texts)
