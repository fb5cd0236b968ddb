"""Arrays of zeros (see zeros.py), without a copy."""

from array import array as new_array

from cpython.array cimport array, clone

cdef array _floats = new_array("f")
cdef array _doubles = new_array("d")
cdef array _ints = new_array("i")


cpdef object zero_floats(Py_ssize_t count):
    return clone(_floats, count, True)


cpdef object zero_doubles(Py_ssize_t count):
    return clone(_doubles, count, True)


cpdef object zero_ints(Py_ssize_t count):
    return clone(_ints, count, True)
