cimport cython

from ncfilters.page.element_table cimport ElementTable

cdef dict _NAMES, _ROLES, _known_elements
cdef int _HEADER, _CONTENT, _HEADING, _ITEM, _BITS, _WIDGET, _MAY_BE_WIDGET

@cython.locals(own=list, out=list, row=Py_ssize_t, kind=int, said=int)
cpdef list kinds_of_elements(ElementTable elements, object wrappers=*)
@cython.locals(inner=list, out=list, name=str, kind=int, row=Py_ssize_t)
cpdef list own_kinds(ElementTable elements)
@cython.locals(sign=Py_UCS4, at=Py_ssize_t, name=str, kind=int)
cdef int _kind_of_element(str element, bint is_inner) except -1
cdef bint _is_end_of_name(Py_UCS4 after) noexcept
@cython.locals(sign=Py_UCS4, start=Py_ssize_t, at=Py_ssize_t)
cdef bint _has_widget_word(str names) except -1
cdef bint _is_separator(Py_UCS4 sign) noexcept
