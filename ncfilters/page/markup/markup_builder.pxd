cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.block_reader cimport BlockReader
from ncfilters.page.blocks.block_table cimport BlockTable
from ncfilters.page.markup.images cimport Figure
from ncfilters.page.markup.markup_context cimport Context, Contexts
from ncfilters.page.markup.markup_run cimport Mark, MarkupRun
from ncfilters.page.blocks.open_elements cimport OpenCells, OpenElement
from ncfilters.page.blocks.text_run cimport TextRun

cdef int CLASS, HREF, MAY_HIDE_INLINE, ROLE, STYLE, BR, _IMG, NOWHERE
cdef int BREAK, CONTROL, HIDDEN_INLINE, INLINE, OWN, SKIPPED
cdef int MARKED, BASE, IMAGE, WRAPPED_IMAGE, TASK, LINE_BREAK, DETAIL
cdef tuple _NO_IMAGE
cdef list _ENTRIES
cdef bytearray KINDS, PLAIN_KINDS

cdef class MarkupBuilder(BlockReader):
    cdef public object links, details
    cdef public set detail_rows, code_numbers
    cdef public Contexts contexts
    cdef public Py_ssize_t num_marks
    cdef public list figures, detail_ends
    cdef public tuple last_image, last_quotes, last
    cdef public dict next_fields
    cdef public Mark last_link
    cpdef TextRun new_run(self)
    cpdef BlockTable read(self)
    cpdef int start(self, int row) except -1
    @cython.locals(run=MarkupRun, figure=Figure, plain=int, end=int, is_shown=bint, entry=tuple)
    cpdef int start_own(self, int row, int kind) except -1
    cpdef object end_own(self, int row, int kind)
    @cython.locals(table=PageTable, flags=int, entry=tuple, kind=str, style=str)
    cdef tuple _entry_of(self, int row)
    @cython.locals(end=int)
    cdef int _start_object(self, int row, int kind) except -1
    @cython.locals(run=MarkupRun, image=dict)
    cdef object _start_image(self, int row)
    @cython.locals(place=tuple, before_place=tuple, before=dict, in_noscript=bint, was_in_noscript=bint)
    cdef bint _is_twin(self, dict image, int row) except -1
    @cython.locals(mark=Mark, names=list, element=OpenElement, before=Mark, link=Mark, is_same=bint)
    cdef bint _is_no_picture(self) except -1
    @cython.locals(attributes=dict, run=MarkupRun, page=PageTable, at=int, is_task=bint)
    cdef object _start_task(self, int row)
    @cython.locals(entry=tuple, place=tuple, kind=int, run=MarkupRun)
    cdef int _start_detail(self, int row) except -1
    @cython.locals(kind=int, place=tuple)
    cdef object _end_detail(self, int row)
    cdef tuple _place(self)
    @cython.locals(run=MarkupRun, mark=Mark)
    cdef object _close_detail(self, tuple place)
    @cython.locals(run=MarkupRun, element=OpenElement, row=Py_ssize_t, extra=dict, context=Context, span=list)
    cpdef bint flush(self) except -1
    cdef object _add_details(self, dict extra, Py_ssize_t size, dict details)
    @cython.locals(spans=list, size=Py_ssize_t)
    cdef object _add_spans(self, Py_ssize_t row, MarkupRun run, dict extra)
    @cython.locals(blocks=BlockTable, start=Py_ssize_t, texts=list, extras=list, row=dict, ends=list, parts=list, outside=list, figure=Figure)
    cpdef bint join_cells(self, OpenCells cells) except -1
    cpdef object add_figure(self, dict image, tuple marks)
    @cython.locals(blocks=BlockTable, element=int, waiting=list, is_of_next=bint, figure=Figure)
    cpdef object attach_figures(self, Py_ssize_t row, bint in_caption)
    @cython.locals(waiting=list, figure=Figure)
    cdef object _place_in_text(self, MarkupRun run)
    cdef bint _is_caption(self, int row) except -1
