cimport cython
from ncfilters.native.sums cimport zero_ints
from ncfilters.native.text_counts cimport PairNumbers
from ncfilters.page.element_table cimport ElementTable

cdef int KINDS, SIG, _ANCESTORS

cdef class Places:
    cdef readonly ElementTable elements
    cdef readonly list nodes, starts, members
    cdef readonly int[::1] place, groups
    @cython.locals(place='int[::1]', numbers='int[::1]', at=Py_ssize_t, row=Py_ssize_t, number=int)
    cdef object _number(self, list rows)
    @cython.locals(elements=ElementTable, parent=list, name=list, shape=list, pairs=PairNumbers, count=Py_ssize_t,
                   room=Py_ssize_t, groups='int[::1]', ancestors=list, kind=int, numbers='int[::1]', at=Py_ssize_t,
                   key=Py_ssize_t)
    cdef object _group(self)
