from libc.stdint cimport int32_t, uint64_t

cdef class PairNumbers:
    cdef uint64_t *_pairs
    cdef int32_t *_slots
    cdef Py_ssize_t _mask
    cdef readonly Py_ssize_t size
    cdef Py_ssize_t _slot(self, uint64_t pair) noexcept
    cdef int _grow(self) except -1
    cpdef Py_ssize_t find(self, int first, int second) noexcept
    cpdef Py_ssize_t add(self, int first, int second) except -1
