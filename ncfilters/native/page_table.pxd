from libc.stdint cimport uintptr_t

cdef class PageTable:
    cdef readonly object root
    cdef readonly list nodes  # of selectolax, where the parser's memory is not read
    cdef readonly int size
    cdef readonly int[::1] tag
    cdef readonly int[::1] parent
    cdef readonly int[::1] before
    cdef readonly int[::1] end
    cdef readonly int[::1] flags
    cdef int capacity
    cdef object _walk  # over the nodes, up to a row
    cdef int _walked
    cdef int *_tag
    cdef int *_parent
    cdef int *_before
    cdef int *_end
    cdef int *_flags
    cdef uintptr_t *_address
    cdef int _grow(self, int size) except -1
    cdef int _read_memory(self) except -1
    cdef int _read_nodes(self) except -1
    cpdef str text_of(self, int row)
    cpdef bint has_text(self, int row) except -1
    cpdef str text_below(self, int row)
    cpdef object attribute_of(self, int row, str name)
    cpdef bint is_alike(self, int row, int other) except -1
    cpdef dict attributes_of(self, int row)
    cpdef str name_of(self, int row)
    cpdef object node_of(self, int row)
