cimport cython

from ncfilters.native.character_set cimport CharacterSet
from ncfilters.segmentation.landmarks cimport PathLandmarks, is_in_heading

cdef CharacterSet _SIGNS
cdef Py_ssize_t MAX_COPYRIGHT_CHARS, MIN_BARS, MAX_FIELD_CHARS
cdef double MIN_LINK_DENSITY

@cython.locals(landmarks=dict)
cpdef object mark_boilerplate(object table)
@cython.locals(
    texts=list, paths=list, all_links=list, rules=list, excess=Py_ssize_t, links=list, last_path=str, evidence=PathLandmarks, landmark=tuple,
    text=str, size=Py_ssize_t, path=str, link_chars=Py_ssize_t, rule=str, in_header=bint, in_content=bint,
    row=Py_ssize_t,
)
cpdef bint mark_without_islands(object table, dict landmarks) except -1
@cython.locals(size=Py_ssize_t, signs=Py_ssize_t, bars=Py_ssize_t, is_short=bint, has_signs=bint)
cpdef str rule_of_text(str text)
@cython.locals(may_be=bint)
cdef bint _is_notice(str text) except -1
@cython.locals(bars=Py_ssize_t)
cdef Py_ssize_t _num_bars(str text) except -1
@cython.locals(row=Py_ssize_t)
cdef object _end_menu(list rules, list links)
@cython.locals(rules=list, size=Py_ssize_t, start=Py_ssize_t, at=Py_ssize_t, row=Py_ssize_t)
cpdef object mark_islands(object table)
@cython.locals(row=Py_ssize_t, text=str)
cdef bint _is_island(object table, Py_ssize_t start, Py_ssize_t end) except -1
