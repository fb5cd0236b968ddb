cimport cython

from ...native.markup_bytes cimport NameTable, count_attributes, find_byte, name_end

cdef int _TABLE, _MAKING_END, _NEVER_OPEN, _FORMATTING, _ROOT, _IGNORED, _BEFORE_TEXT, _CELL, _NUMBER, _LESS, _GREATER, _SLASH
cdef NameTable _NAMES
cdef list _KIND_OF
cdef bytearray _LETTERS, _SPACES
cdef frozenset _OTHER

@cython.locals(elements=Py_ssize_t, texts=Py_ssize_t, attributes=Py_ssize_t, starts=Py_ssize_t, around="long long",
               tags=Py_ssize_t, run=Py_ssize_t, longest=Py_ssize_t, moved=Py_ssize_t, roots=Py_ssize_t, behind=Py_ssize_t,
               now_open=Py_ssize_t, most_open=Py_ssize_t, num_open=list, size=Py_ssize_t,
               at=Py_ssize_t, first=cython.uchar, is_end=bint, name=Py_ssize_t, kind=int, number=int,
               following=Py_ssize_t, end=Py_ssize_t)
cpdef object tag_counts(bytes html)
cdef bint _has_text(bytes html, Py_ssize_t at, Py_ssize_t end) except -1
