cimport cython

from ncfilters.native.page_table cimport PageTable

cdef int CLASS, HREF, ROLE, SRC, STYLE, TEX, UNKNOWN
cdef int _CODE, _INLINE_CODE, _FORMULA, _HINT
cdef int _TABLE, _ROW, _LINK, _SUPERSCRIPT, _SCRIPT, _IMAGE, _SPAN, _DIV, _LIST, _CODE_OF_DISTILL, _NOTE
cdef int _EDITOR, _CONTAINER, _HINT_CLASS, _SIDENOTE, _LABEL, _EDIT_LINK, _CODE_LIST
cdef bytearray _TAGS, _IS_LOOKED_AT
cdef dict _WORDS, _known_classes, _CODE_OF_TAG, _FORMULAS_OF_TAG, _HINTS_OF_TAG

cdef class Candidates:
    cdef public list tables, cells, code, formulas, superscripts, links, edit_links, sidenotes
    cdef public bint has_code, has_formulas, has_rows, has_language_labels
    cdef bint _has_hint, _has_code_formula
    @cython.locals(flags=int, kinds=int, source=str)
    cpdef object add(self, PageTable page, int row, int tag, int words)
    cdef bint _is_row(self, int row, str role) except -1
    @cython.locals(kinds=int)
    cdef int _add_class(self, int row, int tag, int words) except -1
    @cython.locals(kinds=int)
    cdef int _add_data(self, int tag, dict attributes) except -1
    cpdef object finish(self)

@cython.locals(found=Candidates, row=int, tag=int, flags=int, words=int)
cpdef Candidates candidates_of(PageTable page)
cpdef object kinds_of_class(str classes)
cdef int _kinds_of_style(str style) except -1
cdef int _kinds_of_image(str source, str text) except -1
