cimport cython

from ncfilters.native.page_table cimport PageTable

cdef int _ATTACHED, _TRANSPARENT, _PIECE, _TEXT, _COMMENT, _LINK
cdef Py_ssize_t MAX_NOTE_CHARS, MAX_CURRENCY_CHARS
cdef str NO_SPACE_AFTER, CURRENCIES
cdef bytearray _GROUPS
cdef frozenset EDGE_PAIRS, ELEMENT_PAIRS

@cython.locals(left=Py_UCS4, first=Py_UCS4, element=int, element_before=int, right=str, pair=str, needs_elements=bint)
cpdef bint needs_space(PageTable table, str before, str text, int row) except -1
@cython.locals(link=int, above=int)
cdef bint _is_note(PageTable table, str text, int row) except -1
cdef bint _are_words(str pair, str before, str text, bint are_elements) except -1
cdef str _character_class(Py_UCS4 character)
@cython.locals(begins=bint, at=int, before=int, above=int, tag=int, ends=bint)
cdef bint _is_at_edge(PageTable table, int row, bint needs_elements) except -1
cdef bint _is_transparent(int tag) except -1
