cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.block_table cimport BlockTable
from ncfilters.page.markup.markup_context cimport Context

cdef int CLASS, _FIGURE_TAG, BLOCK, NOSCRIPT
cdef bytearray _CLOSED, KINDS
cdef Py_ssize_t ENOUGH_CHARS, MAX_WAITED

cdef class Figure:
    cdef public PageTable page
    cdef public dict image
    cdef public tuple before, marks
    cdef public Context context
    cdef public int waited, element, around, figure, inner
    @cython.locals(caption=str)
    cpdef object add_caption(self, str text, int element)
    cpdef bint waits(self, BlockTable blocks, Py_ssize_t row, int element, bint is_caption, bint is_of_next) except -1
    @cython.locals(before=tuple, image=dict, fields=dict, row=Py_ssize_t, at=Py_ssize_t, is_after=bint)
    cpdef object attach(self, BlockTable blocks, tuple after)
    @cython.locals(row=Py_ssize_t, at=int, page=PageTable, is_outside=bint, text=Py_ssize_t)
    cdef tuple _rank(self, BlockTable blocks, tuple block)

cpdef int figure_around(PageTable page, int row) except -2
@cython.locals(classes=str)
cdef bint _is_figure(PageTable page, int row) except -1
