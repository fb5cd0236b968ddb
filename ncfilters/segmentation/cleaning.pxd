cimport cython

from ncfilters.native.text_counts cimport CharacterSet

cdef CharacterSet _KEPT
cdef int PRE

@cython.locals(text=str, clean=str, texts=list, flags=list, row=Py_ssize_t)
cpdef object clean_texts(object table)
cpdef bint is_clean(str text) except -1
cpdef str clean_block(str text, bint is_pre)
cpdef str clean_text(str text, bint keep_lines=*)
cpdef str clean_characters(str text)
cpdef str without_invalid(str text)
