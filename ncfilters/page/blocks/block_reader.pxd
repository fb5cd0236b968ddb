cimport cython

from ncfilters.native.page_table cimport PageTable
from ncfilters.page.blocks.block_table cimport BlockTable
from ncfilters.page.element_table cimport ElementTable
from ncfilters.page.blocks.formulas cimport is_drawn_again, is_formula, is_shown_beside, math_text, tex_of_script
from ncfilters.page.blocks.open_elements cimport (
    OpenCells, OpenElement, has_numbers, hiding_in, is_sign, name_in, number_in, path_element, says_who_is_quoted,
)
from ncfilters.page.blocks.screen_readers cimport is_drawn_beside, is_for_screen_readers, is_read_beside
from ncfilters.page.blocks.text_run cimport TextRun
from ncfilters.page.blocks.word_spaces cimport needs_space

cdef int ARIA_HIDDEN, BLANK, CLASS, EMPTY, HIDDEN, START, STYLE, TEXT, VALUE
cdef int BLOCK, BOLD, BREAK, CELL, CITE, CONTROL, HIDDEN_INLINE, INLINE, ITEM, LINK, LIST, MATH, NOSCRIPT, OWN, PRE, ROW
cdef int SHADOW_ROOT, SKIPPED, SUB, SUP
cdef int _BOLD, _BR, _PRE, _HIDING, MAY_HIDE_INLINE, _HR, _OL, _SCRIPT, _BODY, _HTML, _PASSED, PARAGRAPH_BREAK
cdef Py_ssize_t MAX_CELL_CHARS
cdef double MIN_BOLD
cdef bytearray KINDS, _HIDEABLE, _HOLDERS
cdef frozenset CELL_TEXT_TAGS, _HEADINGS

@cython.locals(at=int)
cpdef int first_row(PageTable table) except -1

cdef class BlockReader:
    cdef public PageTable table
    cdef public Py_ssize_t max_blocks
    cdef public list holders, outer_runs, open_blocks, lists, rows, text_rows
    cdef public bytearray kinds, ends
    cdef public BlockTable blocks
    cdef public int at, breaks, bold_depth, pre_depth, noscript_depth, shadow_depth
    cdef public TextRun run
    cdef public OpenElement block
    cdef public str marker
    cdef public bint shadow_ended
    cpdef TextRun new_run(self)
    @cython.locals(table=PageTable, row=int, last=int, tag=int, kind=int)
    cpdef BlockTable read(self)
    @cython.locals(table=PageTable, kind=int, at=int)
    cdef object _end_elements(self, int row)
    @cython.locals(table=PageTable, flags=int, run=TextRun, parts=list, text=str, last=str)
    cpdef object add_text(self, int row)
    @cython.locals(kind=int, tag=int, hidden=str)
    cpdef int start(self, int row) except -1
    cpdef object end(self, int row, int kind)
    cpdef int start_own(self, int row, int kind) except -1
    cpdef object end_own(self, int row, int kind)
    cpdef int start_kind(self, int row, int kind) except -1
    @cython.locals(run=TextRun)
    cpdef object end_kind(self, int row, int kind)
    @cython.locals(hidden=str)
    cpdef object start_block(self, int row)
    @cython.locals(cells=OpenCells)
    cdef object _end_block(self, int kind)
    @cython.locals(is_numbered=bint, cells=OpenCells)
    cdef object _start_in_block(self, int row, int kind)
    @cython.locals(block=OpenElement)
    cdef object _open_block(self, int row, str hidden)
    cdef object _close_block(self)
    @cython.locals(run=TextRun)
    cdef object _start_link(self)
    cdef object _start_break(self, int row)
    cdef int _start_noscript(self, int row) except -1
    @cython.locals(table=PageTable, run=TextRun, tag=int, formula=str)
    cdef object _start_skipped(self, int row, int kind)
    @cython.locals(flags=int, hidden=str)
    cpdef int start_hidden_inline(self, int row) except -1
    cpdef int set_apart(self, int row, str hidden) except -1
    cdef object _flush_text(self)
    @cython.locals(text=str, link_chars=Py_ssize_t, bold_chars=Py_ssize_t, blocks=BlockTable, row=Py_ssize_t,
                   element=OpenElement, flags=int)
    cpdef bint flush(self) except -1
    @cython.locals(blocks=BlockTable, start=Py_ssize_t, size=Py_ssize_t, at=Py_ssize_t, text=str, links=Py_ssize_t)
    cpdef bint join_cells(self, OpenCells cells) except -1
    @cython.locals(run=TextRun, row=int)
    cdef object _add_text_rows(self)
    @cython.locals(at=Py_ssize_t, element=int, block=OpenElement, inner=OpenElement)
    cpdef int element_of_block(self) except -1
