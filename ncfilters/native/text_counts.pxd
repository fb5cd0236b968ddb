from libc.stdint cimport int32_t, uint32_t, uint64_t

cpdef list num_words(list texts)
cpdef str collapse_spaces(str text)
cpdef Py_ssize_t common_length(str one, str other) except -1

cdef class CharacterSet:
    cdef unsigned char _latin[256]  # 1 for a character in the set
    cdef unsigned char _bits[32768]  # a bit for each character
    cdef unsigned int _lowest
    cdef bint _find(self, str text, unsigned char sought) noexcept
    cpdef bint is_in(self, str text) except -1
    cpdef bint has_all(self, str text) except -1
    cpdef Py_ssize_t count(self, str text) except -1

cdef class WordSet:
    cdef uint64_t *_hashes
    cdef unsigned char *_bits
    cdef uint32_t *_stamps
    cdef uint64_t *_own
    cdef uint32_t *_own_stamps
    cdef uint32_t _mask, _stamp
    cdef tuple _singles
    cdef readonly int size
    cdef Py_ssize_t _slot(self, uint64_t hash) noexcept
    cdef bint _is_single(self, Py_UCS4 char) noexcept
    cdef void _count(self, uint64_t hash, int *out, bint own) noexcept
    cdef void _read_narrow(self, const unsigned char *text, Py_ssize_t size, int *out, bint own) noexcept
    cdef object _read(self, str text, int *out, bint own)
    cpdef bint overlap(self, str text, int[::1] out) except -1

cdef class PairNumbers:
    cdef uint64_t *_pairs
    cdef int32_t *_slots
    cdef Py_ssize_t _mask
    cdef readonly Py_ssize_t size
    cdef Py_ssize_t _slot(self, uint64_t pair) noexcept
    cdef int _grow(self) except -1
    cpdef Py_ssize_t find(self, int first, int second) noexcept
    cpdef Py_ssize_t add(self, int first, int second) except -1
