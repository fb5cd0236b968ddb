cimport cython

cdef int BRACKET, CHARS, CLASSES, COMMA, COMMAS, DIGIT, DIGITS, END, FIRST, FOREIGN, FOREIGN_STOP, LAST, LETTER, MARK
cdef int PLAIN, PUNCTUATION, SENTENCES, SIGN, SPACE, STOP, SYMBOL, SYMBOLS, TITLES, UPPER, UPPERS, WIDE, WORDS
cdef unsigned char[256] _CLASS_OF
cdef frozenset _STOPS, _CLOSING
cdef int _CLOSING_LATIN
cdef double _CHARS_PER_WORD, _LETTERS_PER_PHRASE

@cython.locals(stops=int, titles=int, others=int, size=Py_ssize_t, at=Py_ssize_t, number=int, before=int, byte=cython.uchar,
               kind=int, last=int, phrases=double)
cpdef object count_characters(bytes data, Py_ssize_t chars, int[::1] counts, float[::1] out, Py_ssize_t row)
@cython.locals(code=int)
cdef bint _is_foreign_stop(bytes data, Py_ssize_t at, Py_ssize_t size) except -1
cdef int _class_before(bytes data, Py_ssize_t end) except -1
@cython.locals(last=int, inner=int, is_latin=bint, code=int)
cdef int _last_class(bytes data, Py_ssize_t size) except -1
