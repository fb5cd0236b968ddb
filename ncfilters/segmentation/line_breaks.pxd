cimport cython

cdef int BR, PRE, BOLD, LINES

@cython.locals(
    texts=list, flags=list, links=list, numbers=list, heads=list, lines=list, text=str, last=str,
    head=Py_ssize_t, row=Py_ssize_t, number=Py_ssize_t, flag=int,
)
cpdef list join_blocks(object table)
cdef object _join(object table, Py_ssize_t head, list lines)
cdef bint _is_next_line(object table, Py_ssize_t head, Py_ssize_t row, str last, bint is_broken) except -1
cdef bint _is_in_heading(object table, Py_ssize_t row) except -1
cdef bint _is_next_of_pre(object table, Py_ssize_t before, Py_ssize_t row) except -1
@cython.locals(text=str)
cdef bint _continues(object table, Py_ssize_t before, Py_ssize_t row, str last_line) except -1
