cimport cython

cdef Py_ssize_t _MAX_CHARS
cdef bytes _FOLD, _MARK

@cython.locals(start=str, line=bytes)
cpdef bytes folded(str text)

cdef class PhraseIndex:
    cdef dict _wholes, _words
    @cython.locals(line=bytes, words=list)
    cpdef tuple numbers(self, str text)
