cimport cython

from .scored_page cimport ScoredPage

cdef double _BASE, _MAX

@cython.locals(
    expected=list, likely=list, pairs=list, row=Py_ssize_t, chance=double, size=double,
    expected_words=double, half=double, least=double, kept=double, correct=double, best=double,
)
cpdef double best_expected_f(list chances, list sizes) except? -1
@cython.locals(chance=double, score=double, chances=list)
cpdef list probabilities(ScoredPage page, bint drop_marked=*)
cpdef double clipped_score(double score) except? -1
