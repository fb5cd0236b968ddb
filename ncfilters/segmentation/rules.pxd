cimport cython

from ncfilters.native.text_counts cimport CharacterSet

cdef CharacterSet _SIGNS
cdef int IN_CONTENT, IN_HEADER, IN_HEADING, RULE_BITS, PRE
cdef tuple _NOTICE_WORDS, _NOTICE_SIGNS
cdef Py_ssize_t MAX_COPYRIGHT_CHARS, MIN_BARS, MAX_FIELD_CHARS
cdef double MIN_LINK_DENSITY

cpdef object mark_boilerplate(object table, list kinds)
@cython.locals(
    texts=list, all_links=list, element=list, rules=list, excess=Py_ssize_t, links=list, text=str, size=Py_ssize_t,
    link_chars=Py_ssize_t, kind=int, rule=str, row=Py_ssize_t,
)
cpdef bint mark_without_islands(object table, list kinds) except -1
@cython.locals(size=Py_ssize_t, signs=Py_ssize_t, bars=Py_ssize_t, is_short=bint, has_signs=bint)
cpdef str rule_of_text(str text)
@cython.locals(hint=str)
cdef bint _is_notice(str text, bint has_signs) except -1
@cython.locals(bars=Py_ssize_t)
cdef Py_ssize_t _num_bars(str text) except -1
@cython.locals(row=Py_ssize_t)
cdef object _end_menu(list rules, list links)
@cython.locals(rules=list, size=Py_ssize_t, start=Py_ssize_t, at=Py_ssize_t, row=Py_ssize_t)
cpdef object mark_islands(object table)
@cython.locals(row=Py_ssize_t, text=str)
cdef bint _is_island(object table, Py_ssize_t start, Py_ssize_t end) except -1
