cimport cython

from ..native.markup_bytes cimport NameTable, count_attributes, find_byte, name_end

cdef int _TABLE, _MAKING_END, _NEVER_OPEN, _FORMATTING, _NUMBER, _LESS, _GREATER, _SLASH
cdef NameTable _NAMES
cdef list _KIND_OF
cdef bytearray _LETTERS
cdef frozenset _OTHER

@cython.locals(elements=Py_ssize_t, texts=Py_ssize_t, attributes=Py_ssize_t, starts=Py_ssize_t, around="long long",
               now_open=Py_ssize_t, most_open=Py_ssize_t, num_open=list, size=Py_ssize_t,
               at=Py_ssize_t, first=cython.uchar, is_end=bint, name=Py_ssize_t, kind=int, number=int,
               following=Py_ssize_t, end=Py_ssize_t)
cpdef object tag_counts(bytes html)
