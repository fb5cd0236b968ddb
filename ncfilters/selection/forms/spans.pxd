cimport cython

cdef class Node:
    cdef public str kind
    cdef public object value
    cdef public list content

cpdef str text_of(list nodes)
cpdef list checked_spans(dict segment)
@cython.locals(values=list, kind=str, start=Py_ssize_t, end=Py_ssize_t)
cpdef tuple checked_span(object span)
cdef list _without_copies(list spans)
@cython.locals(out=list, at=Py_ssize_t, size=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, holds_next=bint, kind=str)
cdef list _side_by_side(str text, list spans, dict segment)
cdef bint _is_left(tuple open_node, Py_ssize_t start) except -1
@cython.locals(out=list, content=list, notes=list, inner=frozenset, before=str, after=str)
cdef list _tidy(list nodes, frozenset outer)
cdef list _last_notes(list content)
cdef int _add(list out, object node) except -1
cdef list _stripped(list nodes)
