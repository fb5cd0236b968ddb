# cython: boundscheck=False, wraparound=False
"""See text_counts.py, which has the same functions."""


cpdef list num_words(list texts):
    cdef str text
    return [_num_words(text) for text in texts]


cdef Py_ssize_t _num_words(str text) except -1:
    cdef Py_ssize_t out = 0
    cdef bint inside = False, is_space
    cdef Py_UCS4 character
    for character in text:
        is_space = character == 32 or character.isspace()
        out += not (inside or is_space)
        inside = not is_space
    return out


cdef class CharCounter:
    def __init__(self, str ranges):
        cdef Py_ssize_t at
        self.size = len(ranges) // 3
        if self.size > 16:
            raise ValueError("too many ranges")
        self.lowest = <Py_UCS4>0x10FFFF
        for at in range(self.size):
            self.first[at], self.last[at] = ranges[3 * at], ranges[3 * at + 2]
            self.lowest = min(self.lowest, self.first[at])

    cpdef Py_ssize_t count(self, str text) except -1:
        cdef Py_ssize_t at, out = 0
        cdef Py_UCS4 character
        for character in text:
            if character < self.lowest:
                continue
            for at in range(self.size):
                if self.first[at] <= character <= self.last[at]:
                    out += 1
                    break
        return out
