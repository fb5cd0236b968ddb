cimport cython
from ...native.sums cimport zero_doubles
from ...features.segment_table cimport SegmentTable
from ...native.sums cimport exp, log1p

cdef int NUMBERS, WEIGHT, WORDS
cdef double _LEAST_WEIGHT, _MAX_ODDS

@cython.locals(chances=list, words=list, best=double, best_words=double, above=double, expected=double, total=double,
               at=Py_ssize_t, odds=double, count=double, chance=double, value=double, fscore=double, size=double)
cpdef list content_features(SegmentTable table, float[::1] log_odds)
cdef double _bounded(double odds) noexcept
@cython.locals(kept=double, found=double, best=double, at=Py_ssize_t, chance=double, count=double, value=double)
cdef double _best_expected_f(list chances, list words, double expected) except -1
@cython.locals(weights='double[::1]', sure=double, likely=double, at=Py_ssize_t, weight=double)
cpdef object type_features(SegmentTable table, float[::1] characters, float[::1] hidden, float[::1] log_odds, object content)
