cimport cython

from ncfilters.page.element_table cimport ElementTable

cdef class BlockTable:
    cdef readonly ElementTable elements
    cdef readonly dict scored
    cdef list _made
    cdef public list text, tag, element, links, flags, marker, hidden, origin, type, rule, extra
    cpdef Py_ssize_t append(self, str text, str tag, Py_ssize_t element, Py_ssize_t links) except -1
    @cython.locals(row=Py_ssize_t, element=Py_ssize_t)
    cpdef Py_ssize_t append_record(self, dict block) except -1
    cpdef dict fields(self, Py_ssize_t row)
    @cython.locals(flags=int, out=dict, column=list)
    cpdef dict record(self, Py_ssize_t row)
    cpdef object score(self, str name, list column)
    cpdef list column(self, str name, object default)
    @cython.locals(out=set, seen=int, flags=int)
    cpdef set field_names(self)
    cpdef str path(self, Py_ssize_t row)
    @cython.locals(row=Py_ssize_t)
    cpdef list records(self)
    @cython.locals(column=list)
    cpdef object truncate(self, Py_ssize_t size)
    @cython.locals(column=list)
    cpdef object take(self, list rows)
    cpdef list columns(self)
    @cython.locals(out=BlockTable, column=list, own=list)
    cpdef BlockTable part(self, list rows)
    @cython.locals(column=list, more=list)
    cpdef object extend(self, BlockTable other)

@cython.locals(out=list, row=Py_ssize_t)
cdef list _taken(list column, list rows)
@cython.locals(out=BlockTable)
cpdef BlockTable table_of(object blocks)
