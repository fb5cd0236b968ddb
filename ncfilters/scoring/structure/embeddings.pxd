cimport cython
from ...native.sums cimport zero_doubles, zero_floats
from ...page.element_table cimport ElementTable
from ...features.phrase_vocabulary cimport PhraseIndex
from ...features.segment_table cimport SegmentTable

cdef double _DECAY, _PHRASE_WEIGHT
cdef bytes _NAMES_TABLE

cdef class StepEmbeddings:
    cdef dict _names
    cdef float[::1] _vectors
    cdef Py_ssize_t _width
    @cython.locals(width=Py_ssize_t, steps=list, step=list, parent=list, of_steps='double[::1]', own='double[::1]',
                   out='double[::1]', number=Py_ssize_t, node=Py_ssize_t, to=Py_ssize_t, above=Py_ssize_t,
                   start=Py_ssize_t, column=Py_ssize_t)
    cpdef object of_nodes(self, ElementTable elements)
    cpdef object of_head(self, object head)
    @cython.locals(name=bytes, start=Py_ssize_t, column=Py_ssize_t)
    cdef object _add_names(self, double[::1] out, Py_ssize_t to, list names)

@cython.locals(line=bytes)
cdef list _names(str step)
@cython.locals(out='float[::1]', at=Py_ssize_t, to=Py_ssize_t, same=Py_ssize_t, column=Py_ssize_t, number=Py_ssize_t)
cpdef object phrase_vectors(SegmentTable table, PhraseIndex phrases, float[::1] vectors, Py_ssize_t width)
@cython.locals(at=Py_ssize_t, to=Py_ssize_t, above=Py_ssize_t, place=Py_ssize_t)
cpdef object fill_phrases(float[::1] out, Py_ssize_t width, Py_ssize_t column, float[::1] vectors, Py_ssize_t size,
                          SegmentTable table, Py_ssize_t start)
