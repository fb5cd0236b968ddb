cimport cython

from .scored_table cimport ScoredTable

cpdef list fit_structure(ScoredTable table, list kept)
@cython.locals(prefix=str, name=str, members=list)
cdef int _fit_containers(ScoredTable table, list kept) except -1
@cython.locals(
    out=list, places=list, visible=list, members=list, containers=_Containers,
    at=Py_ssize_t, row=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, own=Py_ssize_t, member=Py_ssize_t,
)
cdef list _mixed_containers(ScoredTable table, list kept)

cdef class _Containers:
    cdef list _paths, _numbers
    cdef dict _known
    cdef list found
    @cython.locals(number=Py_ssize_t)
    cdef Py_ssize_t number(self, Py_ssize_t place) except -3

@cython.locals(
    visible=list, decided=bytes, headings=list, text=list, at=Py_ssize_t, row=Py_ssize_t, below=Py_ssize_t,
    end=Py_ssize_t, end_level=int, level=int, path=str, levels=dict, higher=int, kept_below=int, dropped_below=int, has_text=bint,
)
cdef int _fit_headings(ScoredTable table, list kept) except -1
