cimport cython

from .scored_table cimport ScoredTable

@cython.locals(
    sizes=list, out=list, rows_of_size=dict, rows=list, starts=list, repeated=set, row=Py_ssize_t, size=double, text=str,
)
cpdef list without_copies(ScoredTable table, list kept, double min_repeated)
@cython.locals(out=list, row=Py_ssize_t, shortest=Py_ssize_t, text=str)
cpdef list rows_of_key(ScoredTable table, list kept, str key, Py_ssize_t longest)
@cython.locals(words=list)
cdef str _first_word(str text)
@cython.locals(
    sizes=list, out=list, last=Py_ssize_t, between=Py_ssize_t, distance=Py_ssize_t, row=Py_ssize_t, before=Py_ssize_t, size=double,
    path=str, other=str, is_same=bint,
)
cpdef list without_echoes(ScoredTable table, list kept)
@cython.locals(first_place=dict, row=Py_ssize_t, path=str, place=str, text=str)
cdef int _drop_copies(ScoredTable table, list rows, list kept) except -1
@cython.locals(sizes=list, out=list, paths=dict, row=Py_ssize_t, path=str, other=str, is_same_variant=bint, may_differ=bint)
cdef list _without_other_widths(ScoredTable table, list kept)
@cython.locals(one=str, two=str, widths=tuple)
cdef bint _differ_in_width(str path, str other) except -1
