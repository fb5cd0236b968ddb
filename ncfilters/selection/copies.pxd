cimport cython

from .scored_table cimport ScoredTable

@cython.locals(
    segments=list, rows=list, texts=list, sizes=list, out=list, first=dict, at=Py_ssize_t, end=Py_ssize_t, before=Py_ssize_t,
    size=Py_ssize_t, run=list, row=Py_ssize_t,
)
cpdef list without_copies(ScoredTable table, list kept, double min_repeated)
@cython.locals(path=str)
cdef bint _is_same_place(ScoredTable table, Py_ssize_t row, Py_ssize_t other) except -1
@cython.locals(out=list, row=Py_ssize_t, shortest=Py_ssize_t, text=str)
cpdef list rows_of_key(ScoredTable table, list kept, str key, Py_ssize_t longest)
@cython.locals(
    sizes=list, out=list, last=Py_ssize_t, between=Py_ssize_t, distance=Py_ssize_t, row=Py_ssize_t, before=Py_ssize_t, size=double,
    path=str, other=str, is_same=bint,
)
cpdef list without_echoes(ScoredTable table, list kept)
@cython.locals(sizes=list, out=list, paths=dict, row=Py_ssize_t, path=str, other=str, is_same_variant=bint, may_differ=bint)
cdef list _without_other_widths(ScoredTable table, list kept)
@cython.locals(one=str, two=str, widths=tuple)
cdef bint _differ_in_width(str path, str other) except -1
