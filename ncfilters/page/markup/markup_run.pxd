cimport cython

from ncfilters.page.blocks.text_run cimport TextRun

cdef Py_ssize_t MAX_OPEN

cdef class Mark:
    cdef public Py_ssize_t start, end
    cdef public tuple entry, part, around
    cdef public bint is_point

cdef class MarkupRun(TextRun):
    cdef public list marks, open_marks, spans
    cdef public str taken
    @cython.locals(marks=list, mark=Mark)
    cpdef object open(self, tuple entry)
    @cython.locals(mark=Mark)
    cdef bint _has_open(self, tuple entry) except -1
    @cython.locals(mark=Mark)
    cpdef object close(self)
    cpdef object add_point(self, tuple entry)
    @cython.locals(mark=Mark)
    cpdef bint is_in(self, str kind) except -1
    @cython.locals(mark=Mark)
    cpdef tuple around(self)
    @cython.locals(start=Py_ssize_t, at=Py_ssize_t, parts=list, pieces=list, ends=list, text=str, before=str, mark=Mark,
                   raised=Mark, own=str)
    cpdef object end_raised(self, bint is_superscript)
    @cython.locals(marks=list, parts=list, ends=list, out=tuple, mark=Mark, first=Mark, part=str, raw=str, is_whole=bint)
    cpdef tuple take(self, bint is_pre, bint is_bold)

@cython.locals(start=Py_ssize_t, end=Py_ssize_t)
cpdef list trimmed(list span, str text)
@cython.locals(out=list, has_points=bint, moved=dict, indent=Py_ssize_t, size=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t,
               first=Py_ssize_t, last=Py_ssize_t, at=Py_ssize_t, spans=dict, span=list, mark=Mark, outer=Mark)
cdef list _placed(list marks, list ends, str raw, str text)
@cython.locals(start=Py_ssize_t)
cdef tuple _place(Mark mark, list ends)
