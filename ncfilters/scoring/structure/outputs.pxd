cimport cython
from ...native.sums cimport exp, log1p, rounded, zero_doubles, zero_floats, zero_ints
from ...features.segment_table cimport SegmentTable

cdef int KINDS, NUMBERS, SIG, CHARS, WEIGHT, WORDS, HIDDEN
cdef double _SMOOTHING, _MAX_LOGIT, _LN2, _LEAST_WEIGHT, _MAX_ODDS

@cython.locals(groups='int[::1]', place='int[::1]', out='int[::1]', at=Py_ssize_t)
cpdef object smoothed_groups(SegmentTable table)
@cython.locals(out='float[::1]', at=Py_ssize_t)
cpdef object segment_chars(SegmentTable table)
@cython.locals(size=Py_ssize_t, count=Py_ssize_t, at=Py_ssize_t, width=Py_ssize_t, sums='double[::1]', out='float[::1]',
               weight=double, to=Py_ssize_t, policy=Py_ssize_t, logit=double, mean=double)
cpdef object smooth_logits(float[::1] logits, Py_ssize_t outputs, Py_ssize_t policies, int[::1] groups, float[::1] chars)
@cython.locals(size=Py_ssize_t, out='float[::1]', at=Py_ssize_t, place=Py_ssize_t)
cpdef object first_outputs(float[::1] logits, Py_ssize_t outputs, Py_ssize_t count)
@cython.locals(policies=Py_ssize_t, factors='float[::1]', shifts='float[::1]', out='float[::1]', at=Py_ssize_t)
cpdef object calibrated(float[::1] logits, list calibrations)
@cython.locals(values='double[::1]', at=Py_ssize_t)
cpdef list bits(float[::1] odds, Py_ssize_t first, Py_ssize_t step)
@cython.locals(size=Py_ssize_t, out=list, probabilities='double[::1]', at=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t,
               best=Py_ssize_t, place=Py_ssize_t, highest=double, total=double)
cpdef tuple roles(float[::1] logits, Py_ssize_t outputs, Py_ssize_t first, tuple names)

@cython.locals(chances=list, words=list, best=double, best_words=double, above=double, expected=double, total=double,
               at=Py_ssize_t, odds=double, count=double, chance=double, value=double, fscore=double, size=double)
cpdef list content_features(SegmentTable table, float[::1] log_odds)
cdef double _bounded(double odds) noexcept
@cython.locals(kept=double, found=double, best=double, at=Py_ssize_t, chance=double, count=double, value=double)
cdef double _best_expected_f(list chances, list words, double expected) except -1
@cython.locals(weights='double[::1]', sure=double, likely=double, at=Py_ssize_t, weight=double)
cpdef object type_features(SegmentTable table, float[::1] characters, float[::1] hidden, float[::1] log_odds, object content)
