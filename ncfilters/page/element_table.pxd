cimport cython

from ncfilters.native.text_counts cimport PairNumbers, common_length
from ncfilters.page.dom_path cimport bounded_path, join_path, without_id

cdef Py_ssize_t _MAX_ELEMENTS, _MAX_PATH_CHARS

cdef class ElementTable:
    cdef readonly list parent, depth, name, names, signs, inside, level, shape
    cdef list _chars, _ends, _trail
    cdef dict _paths, _of_path, _number_of, _nearest
    cdef PairNumbers _rows
    cdef str _path, _last
    cdef Py_ssize_t _last_row
    @cython.locals(chars=Py_ssize_t, row=Py_ssize_t)
    cpdef Py_ssize_t child(self, Py_ssize_t parent, str name) except -1
    cpdef Py_ssize_t add(self, str path) except -1
    @cython.locals(parent=Py_ssize_t, name=str)
    cpdef str path(self, Py_ssize_t row)
    @cython.locals(out=list)
    cpdef list around(self, Py_ssize_t row)
    cpdef str name_of(self, Py_ssize_t row)
    @cython.locals(ends=list, trail=list, size=Py_ssize_t, shared=Py_ssize_t, end=Py_ssize_t, row=Py_ssize_t,
                   start=Py_ssize_t, first=Py_ssize_t)
    cdef Py_ssize_t _add(self, str path) except -1
    @cython.locals(number=Py_ssize_t, size=Py_ssize_t, row=Py_ssize_t)
    cdef Py_ssize_t _child(self, Py_ssize_t parent, Py_ssize_t above, str name, Py_ssize_t chars) except -2
    @cython.locals(of_names=list, own=object, row=Py_ssize_t, above=Py_ssize_t, number=Py_ssize_t, level=Py_ssize_t)
    cpdef object read_signs(self)
    @cython.locals(plain_of=list, plain=dict, name=str, shapes=PairNumbers, row=Py_ssize_t)
    cpdef object read_shapes(self)
    @cython.locals(out=list, row=Py_ssize_t, above=Py_ssize_t)
    cpdef list nearest(self, object signs, bint outermost=*)
    @cython.locals(out=list, row=Py_ssize_t)
    cpdef list subtree(self, Py_ssize_t root)
    @cython.locals(out=list, row=Py_ssize_t)
    cpdef list sums(self, list own)
    cpdef bint is_in(self, Py_ssize_t row, Py_ssize_t other) except -1
