cimport cython

from ncfilters.native.text_counts cimport collapse_spaces

cdef Py_ssize_t MAX_PARTS_BEFORE

cdef class TextRun:
    cdef public list parts, link_spans, bold_spans, raised_starts
    cdef public Py_ssize_t link_start, bold_start
    cdef public int first, last
    @cython.locals(parts=list, start=Py_ssize_t, text=str, content=str, before=str, written=str)
    cpdef object end_raised(self, bint is_superscript)
    @cython.locals(parts=list, raw=str, text=str, link_chars=Py_ssize_t, bold_chars=Py_ssize_t)
    cpdef tuple take(self, bint is_pre, bint is_bold)
    @cython.locals(start=Py_ssize_t, end=Py_ssize_t, count=Py_ssize_t, parts=list)
    cdef Py_ssize_t _length_within(self, list spans, str text) except -1
