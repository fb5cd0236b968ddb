# cython: boundscheck=False, wraparound=False, cdivision=True
"""Numbers of pairs of integers (see pair_numbers.py), in a hash table that is at most half full."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

DEF SLOTS = 256


cdef inline uint64_t _joined(int first, int second) noexcept:
    return <uint64_t><uint32_t>first << 32 | <uint32_t>second


cdef class PairNumbers:
    def __cinit__(self):
        self._mask = SLOTS // 2 - 1
        self._grow()

    def __dealloc__(self):
        free(self._pairs)
        free(self._slots)

    cdef Py_ssize_t _slot(self, uint64_t pair) noexcept:
        """The slot of a pair, or the free one in its place. A slot has the number of a pair and 1."""
        cdef Py_ssize_t at = (pair * <uint64_t>0x9E3779B97F4A7C15) >> 32 & self._mask
        while self._slots[at] and self._pairs[self._slots[at] - 1] != pair:
            at = (at + 1) & self._mask
        return at

    cdef int _grow(self) except -1:
        """Doubles the slots."""
        cdef Py_ssize_t slots = 2 * (self._mask + 1), number
        cdef uint64_t *pairs = <uint64_t *>realloc(self._pairs, slots // 2 * sizeof(uint64_t))
        if not pairs:
            raise MemoryError
        self._pairs = pairs
        free(self._slots)
        self._mask, self._slots = slots - 1, <int32_t *>calloc(slots, sizeof(int32_t))
        if not self._slots:
            raise MemoryError
        for number in range(self.size):
            self._slots[self._slot(pairs[number])] = <int32_t>(number + 1)
        return 0

    cpdef Py_ssize_t find(self, int first, int second) noexcept:
        return self._slots[self._slot(_joined(first, second))] - 1

    cpdef Py_ssize_t add(self, int first, int second) except -1:
        cdef uint64_t pair = _joined(first, second)
        cdef Py_ssize_t slot = self._slot(pair)
        if self._slots[slot]:
            return self._slots[slot] - 1
        if 2 * self.size > self._mask:
            self._grow()
            slot = self._slot(pair)
        self._pairs[self.size] = pair
        self.size += 1
        self._slots[slot] = <int32_t>self.size
        return self.size - 1
