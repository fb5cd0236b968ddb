cimport cython

cdef class ScoredTable:
    cdef public list segments, text, type, path, score, rule, role, role_probability, visible, sizes, paths, place
    cdef public set names
    cdef public double total
    cdef dict _rows_of_roles
    cdef str _all_paths
    @cython.locals(
        segment=dict, text=list, kind=list, score=list, path=list, role=list, probability=list,
    )
    cdef int _fill(self) except -1
    @cython.locals(segment=dict)
    cpdef list column(self, str name, object default)
    cpdef ScoredTable with_scores(self, list score)
    cpdef ScoredTable seen(self)
    cpdef list words(self)
    @cython.locals(out=dict, rows=list, row=Py_ssize_t)
    cpdef dict rows_of_roles(self)
    @cython.locals(numbers=dict)
    cpdef list places(self)
    @cython.locals(part=str, path=str, lower=str, found=list, out=list)
    cpdef list matches(self, object pattern, tuple parts)

@cython.locals(text=str, count=Py_ssize_t, counts=list, out=list)
cpdef list word_counts(list texts)
