cimport cython

from ncfilters.page.blocks.block_table cimport BlockTable
from ncfilters.page.element_table cimport ElementTable

cdef class ScoredPage:
    cdef public object segments
    cdef readonly BlockTable table
    cdef public list text, type, score, rule, role, role_probability, visible, sizes
    cdef public list element, same, post, part, links, marks, blocks
    cdef public set names
    cdef public double total
    cdef public Py_ssize_t title, shown_chars
    cdef public ElementTable elements
    cdef public dict evidence, document
    cdef public ScoredPage main
    @cython.locals(
        segment=dict, text=list, kind=list, score=list, role=list, probability=list,
    )
    cdef object _fill(self)
    @cython.locals(segment=dict, elements=ElementTable)
    cpdef object place_elements(self)
    @cython.locals(first=dict, mark=int, row=Py_ssize_t)
    cpdef object read_elements(self)
    @cython.locals(segment=dict)
    cpdef list column(self, str name, object default)
    cpdef ScoredPage with_scores(self, list score)
    cpdef ScoredPage seen(self)
    cpdef list words(self)

@cython.locals(text=str, count=Py_ssize_t, counts=list, out=list)
cpdef list word_counts(list texts)
