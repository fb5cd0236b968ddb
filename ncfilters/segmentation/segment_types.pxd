cimport cython

cdef int IN_HEADING, IN_ITEM, PRE, BOLD

cdef int MAX_BOLD_HEADING, MAX_HEADING, MAX_ITEM, MIN_RUN, MAX_LETTERS

@cython.locals(
    texts=list, element=list, tags=list, markers=list, flags=list, types=list, run=list, text=str, kind=str, flag=int, around=int,
    size=Py_ssize_t, row=Py_ssize_t,
)
cpdef object assign_types(object table, list kinds)
cpdef object assign_paragraph_types(object table)
@cython.locals(first=Py_UCS4, after=Py_UCS4, at=Py_ssize_t)
cpdef bint may_be_item(str text) except -1
@cython.locals(last=Py_UCS4)
cdef bint _is_clause(str text) except -1
@cython.locals(is_list=bint, row=Py_ssize_t)
cdef object _end_run(list texts, list types, list run)
