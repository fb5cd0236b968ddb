cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.block_table cimport BlockTable
from ncfilters.page.markup.markup_run cimport Mark
from ncfilters.page.blocks.open_elements cimport OpenElement

cdef int CLASS
cdef Py_ssize_t ENOUGH_CHARS, MAX_WAITED
cdef frozenset _CLOSED_TAGS

cdef class Figure:
    cdef public PageTable page
    cdef public dict image
    cdef public tuple before, marks, cell, place
    cdef public list around
    cdef public OpenElement element, figure, inner
    cdef public int waited, lists, quotes, table
    @cython.locals(caption=str)
    cpdef object add_caption(self, str text, list elements)
    cpdef bint waits(self, BlockTable blocks, Py_ssize_t row, list elements, bint is_caption, bint is_of_next) except -1
    @cython.locals(before=tuple, image=dict)
    cpdef object attach(self, BlockTable blocks, tuple after)
    @cython.locals(depth=Py_ssize_t, size=Py_ssize_t, element=OpenElement, is_outside=bint, text=Py_ssize_t)
    cdef tuple _rank(self, BlockTable blocks, Py_ssize_t row, list elements)

cdef list _figures_of(BlockTable blocks, Py_ssize_t row)
@cython.locals(element=OpenElement)
cdef OpenElement _innermost(PageTable page, list elements)
@cython.locals(row=int, classes=str)
cdef bint _is_figure(PageTable page, OpenElement element) except -1
