cimport cython

cdef class Node:
    cdef public str kind
    cdef public object value
    cdef public list content

cpdef str text_of(list nodes)
@cython.locals(out=list, values=list, kind=str)
cpdef list spans_of(dict segment)
@cython.locals(start=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t, span_start=Py_ssize_t, span_end=Py_ssize_t, kind=str,
               open_nodes=list, node=Node, root=Node, parent=Node, parent_end=Py_ssize_t)
cdef list _nested(str text, list spans, object place)
cdef bint _is_left(tuple open_node, Py_ssize_t start) except -1
@cython.locals(end=Py_ssize_t, node=Node)
cdef Py_ssize_t _close(list open_nodes, str text, Py_ssize_t at) except -1
@cython.locals(out=list, content=list, notes=list, inner=frozenset, before=str, after=str)
cdef list _tidy(list nodes, frozenset outer)
cdef list _last_notes(list content)
cdef int _add(list out, object node) except -1
cdef list _stripped(list nodes)
