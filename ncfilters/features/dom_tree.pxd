cimport cython
from ..native.sums cimport zero_ints
from ..native.word_sets cimport PairNumbers
from ..native.text_counts cimport common_length

cdef int KINDS, SIG, _ANCESTORS
cdef Py_ssize_t _MAX_NODES, _MAX_PATH_CHARS

cdef class DomTree:
    cdef readonly list parent, depth, step, signature, last_two, steps, nodes, starts, members
    cdef readonly int[::1] place, groups
    cdef dict _number_of, _plain
    cdef PairNumbers _node_of, _signatures, _pairs
    cdef list _plain_of, _ends, _trail
    cdef str _path
    @cython.locals(ends=list, trail=list, size=Py_ssize_t, shared=Py_ssize_t, end=Py_ssize_t, has_room=bint,
                   node=Py_ssize_t, start=Py_ssize_t, first=Py_ssize_t, above=Py_ssize_t)
    cpdef Py_ssize_t add(self, str path) except -1
    @cython.locals(size=Py_ssize_t, step=Py_ssize_t, node=Py_ssize_t)
    cdef Py_ssize_t _child(self, Py_ssize_t parent, Py_ssize_t above, str name, bint has_room) except -2
    cdef Py_ssize_t _step(self, str name) except -1
    @cython.locals(size=Py_ssize_t, place='int[::1]', places=PairNumbers, path=str, last=str, number=Py_ssize_t,
                   node=Py_ssize_t, at=Py_ssize_t)
    cpdef object read(self, list paths)
    @cython.locals(count=Py_ssize_t, room=Py_ssize_t, groups='int[::1]', ancestors=list, kind=int, numbers='int[::1]',
                   at=Py_ssize_t, key=Py_ssize_t)
    cpdef object group(self)

@cython.locals(tree=DomTree)
cpdef DomTree build_tree(list paths)
