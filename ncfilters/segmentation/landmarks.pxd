cimport cython

from ncfilters.native.text_counts cimport common_length

cdef dict _NAMES, _ROLES, _known_elements
cdef int _HEADER, _CONTENT, _HEADING, _ITEM, _BITS, _WIDGET, _MAY_BE_WIDGET

@cython.locals(read=PathReader, kinds=dict, path=str, out=list)
cpdef list kinds_of_paths(list paths, dict known=*)

cdef class PathReader:
    cdef dict known
    cdef str last
    cdef list ends, kinds
    @cython.locals(
        ends=list, kinds=list, start=Py_ssize_t, size=Py_ssize_t, shared=Py_ssize_t, end=Py_ssize_t, kind=int, own=int,
    )
    cpdef int kind_of(self, str path) except -1

@cython.locals(element=str)
cdef int _kind_in_path(str path, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(sign=Py_UCS4, at=Py_ssize_t, name=str, kind=int)
cdef int _kind_of_element(str element, bint is_inner) except -1
cdef bint _is_end_of_name(Py_UCS4 after) noexcept
@cython.locals(sign=Py_UCS4, start=Py_ssize_t, at=Py_ssize_t)
cdef bint _has_widget_word(str names) except -1
cdef bint _is_separator(Py_UCS4 sign) noexcept
