cimport cython

from ...native.page_table cimport PageTable
from .block_table cimport BlockTable

cdef int _PARAGRAPH, _LINK, _BREAK, _DELETED, _UNWRAPPED, _HEADING, _ENDS_HEADINGS, _ENDS_LINKS, _TEXT, _BLANK
cdef bytearray _KINDS

cpdef BlockTable blocks(PageTable page, Py_ssize_t max_blocks=*)
@cython.locals(at=Py_ssize_t, done=Py_ssize_t, end=Py_ssize_t, size=Py_ssize_t, c=Py_UCS4, is_break=bint, out=list)
cpdef str collapse_lines(str text)

cdef class _ParagraphReader:
    cdef PageTable page
    cdef Py_ssize_t max_blocks, link_chars
    cdef BlockTable blocks
    cdef list around, run, texts
    cdef dict paths
    cdef bytearray closed
    cdef int top, start
    cdef bint in_link, after_break, has_text

    @cython.locals(page=PageTable, tags="int[::1]", ends="int[::1]", flags="int[::1]", size=int, row=int, tag=int, kind=int)
    cpdef BlockTable read(self)
    @cython.locals(around=int)
    cdef object _open(self, int row, int kind)
    @cython.locals(own=int, ends=int)
    cdef bint _is_ended(self, int row, int kind) except -1
    @cython.locals(top=int, kind=int)
    cdef object _close(self)
    cdef object _break(self, int row)
    @cython.locals(run=list, text=str, row=int)
    cdef object _end_run(self)
    @cython.locals(texts=list, text=str, path=str)
    cdef object _flush(self)
    @cython.locals(paths=dict, todo=list, path=str, name=str)
    cdef str _path(self, int row)
