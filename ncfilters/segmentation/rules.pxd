cimport cython

from ncfilters.native.character_set cimport CharacterSet
from ncfilters.segmentation.landmarks cimport is_in_heading, landmark_of_path

cdef CharacterSet _SIGNS

@cython.locals(landmarks=dict)
cpdef object mark_boilerplate(object table)
@cython.locals(
    texts=list, paths=list, all_links=list, rules=list, excess=Py_ssize_t, links=list, last_path=str, landmark=tuple,
    text=str, size=Py_ssize_t, path=str, link_chars=Py_ssize_t, rule=str, in_header=bint, in_content=bint,
    row=Py_ssize_t,
)
cpdef bint mark_without_islands(object table, dict landmarks) except -1
@cython.locals(size=Py_ssize_t, signs=Py_ssize_t, bars=Py_ssize_t)
cpdef str rule_of_text(str text)
cdef bint _may_be_notice(str text) except -1
@cython.locals(bars=Py_ssize_t)
cdef Py_ssize_t _num_bars(str text) except -1
@cython.locals(row=Py_ssize_t)
cdef object _end_menu(list rules, list links)
@cython.locals(rules=list, size=Py_ssize_t, start=Py_ssize_t, at=Py_ssize_t, row=Py_ssize_t)
cpdef object mark_islands(object table)
@cython.locals(row=Py_ssize_t, text=str)
cdef bint _is_island(object table, Py_ssize_t start, Py_ssize_t end) except -1
