cimport cython
from ..native.sums cimport zero_floats, zero_ints
from ..native.sums cimport log1p
from ..page.blocks.block_table cimport BlockTable
from ..text.char_stats cimport count_characters
from ..page.element_table cimport ElementTable
from .places cimport Places

cdef int CHAR_COLUMNS, CHARS, CLASSES, SENTENCES, WORDS, AFTER, BEFORE, DENSITY, EACH, EMBEDDED, H1, HEADING, LINKS, LONG
cdef int NUMBERS, PROSE, RULED, TYPE_H, TYPE_L, WEIGHT, BOLD, PRE
cdef double _PROSE_WORDS, _PROSE_LINKS, _MAX_HEADING_CHARS, _MIN_REPEATED, _LEAST_WEIGHT

cdef class SegmentTable:
    cdef readonly Py_ssize_t size
    cdef readonly list texts, kinds
    cdef readonly object head
    cdef readonly Places places
    cdef readonly float[::1] numbers
    cdef readonly int[::1] kind, marks, same, heading
    cdef readonly double chars, prose_chars
    @cython.locals(numbers='float[::1]', marks='int[::1]', same='int[::1]', texts=list, of_kinds='int[::1]',
                   counts='int[::1]', first=dict, heading=int, at=Py_ssize_t, text=str, row=Py_ssize_t, before=Py_ssize_t, mark=int,
                   encoded=bytes, column=int, chars=double, linked=double, bounded=double, words=double, seen=bytearray)
    cpdef object read(self, list links)

@cython.locals(texts=list, links=list, rows=list, elements=ElementTable, keys=dict, table=SegmentTable)
cpdef SegmentTable build_table(object document)
@cython.locals(size=Py_ssize_t, kind='int[::1]', at=Py_ssize_t, segment=dict, key=tuple, path=str)
cdef object _read_segments(list segments, dict keys, list texts, list links, ElementTable elements, list rows)
@cython.locals(size=Py_ssize_t, kind='int[::1]', at=Py_ssize_t, flags=int, key=tuple, types=list, tags=list, rules=list,
               origins=list, hidden=list)
cdef object _kinds_of_table(BlockTable table, dict keys)
