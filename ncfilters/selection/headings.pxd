cimport cython

from .scored_table cimport ScoredTable

cpdef list fit_headings(ScoredTable table, list kept)
@cython.locals(
    visible=list, decided=bytes, headings=list, at=Py_ssize_t, row=Py_ssize_t, below=Py_ssize_t,
    end=Py_ssize_t, end_level=int, level=int, path=str, levels=dict, higher=int, kept_below=int, dropped_below=int, has_text=bint,
    is_empty=bint, is_doubtful=bint, size=Py_ssize_t,
)
cdef int _fit_headings(ScoredTable table, list kept) except -1
@cython.locals(below=Py_ssize_t, row=Py_ssize_t, is_above=bint, path=str)
cdef int _keep_openers(ScoredTable table, list kept) except -1
