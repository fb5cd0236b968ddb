cimport cython

cdef int KINDS, SIG, _ANCESTORS
cdef Py_ssize_t _MAX_NODES, _MAX_PATH_CHARS

cdef class DomTree:
    cdef readonly list parent, depth, step, signature, last_two, steps, nodes, starts, members
    cdef readonly int[::1] place, groups
    cdef dict _node_of, _number_of, _plain, _signatures, _pairs
    cdef list _plain_of
    @cython.locals(parent=Py_ssize_t, number=Py_ssize_t, step=Py_ssize_t, key='long long', slash=Py_ssize_t)
    cpdef Py_ssize_t add(self, str path) except -1
    cdef Py_ssize_t _step(self, str name) except -1
    cdef Py_ssize_t _node(self, str path) except -1
    @cython.locals(size=Py_ssize_t, place='int[::1]', known=dict, places=dict, path=str, node=Py_ssize_t, at=Py_ssize_t)
    cpdef object read(self, list paths)
    @cython.locals(count=Py_ssize_t, room=Py_ssize_t, groups='int[::1]', ancestors=list, kind=int, numbers='int[::1]',
                   at=Py_ssize_t, key=Py_ssize_t)
    cpdef object group(self)

@cython.locals(tree=DomTree)
cpdef DomTree build_tree(list paths)
cpdef str bounded_path(str path)
cpdef str without_id(str step)
