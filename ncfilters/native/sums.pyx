# cython: boundscheck=False, wraparound=False, cdivision=True
"""Sums over rows of numbers (see sums.py), row by row: a page is too small for more than one processor."""

from array import array as new_array

from cpython.array cimport array, clone
from libc.math cimport exp as c_exp, log1p as c_log1p, rint
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \\
        && !defined(__SANITIZE_ADDRESS__)
    #define NC_WIDE __attribute__((target_clones("avx2", "default"))) void
    #else
    #define NC_WIDE void
    #endif
    """
    # of functions that are also compiled for wide registers: the processor decides which form runs
    ctypedef void wide "NC_WIDE"

DEF CHUNK = 256
DEF UNITS = 32

ctypedef fused number:
    float
    double


cdef object _check(Py_ssize_t needed, Py_ssize_t given):
    if given < needed:
        raise ValueError(f"a buffer of {given} numbers, not of {needed}")


cdef inline void _sum(double *out, const double *weights, Py_ssize_t width, const double *values,
                      const Py_ssize_t *rows) noexcept nogil:
    """Adds rows of weights times values to *out*, of a width that is known where it is called."""
    cdef double sums[UNITS]
    cdef Py_ssize_t at = 0, unit
    cdef const double *row
    memcpy(sums, out, width * sizeof(double))
    while rows[at] >= 0:  # counted loops are compiled worse
        row = weights + rows[at] * width
        for unit in range(width):
            sums[unit] += values[at] * row[unit]
        at += 1
    memcpy(out, sums, width * sizeof(double))


cdef wide _add_products(double *out, const double *weights, Py_ssize_t width, const double *values,
                        const Py_ssize_t *rows) noexcept nogil:
    """Adds rows of weights times values to *out*; -1 ends the numbers of the *rows*."""
    cdef Py_ssize_t at = 0, unit
    if width == UNITS:
        _sum(out, weights, UNITS, values, rows)
    elif width == UNITS // 2:
        _sum(out, weights, UNITS // 2, values, rows)
    elif width == UNITS // 4:
        _sum(out, weights, UNITS // 4, values, rows)
    else:
        while rows[at] >= 0:
            for unit in range(width):
                out[unit] += values[at] * weights[rows[at] * width + unit]
            at += 1


cdef wide _add_row(double *out, const double *row, Py_ssize_t width) noexcept nogil:
    """Adds a row to *out*."""
    cdef Py_ssize_t unit
    for unit in range(width):
        out[unit] += row[unit]


cdef wide _bound(float *out, const float *values, const float *low, const float *high, Py_ssize_t count) noexcept nogil:
    """Writes values within bounds."""
    cdef Py_ssize_t at
    cdef float value
    for at in range(count):
        value = low[at] if values[at] < low[at] else values[at]
        out[at] = high[at] if value > high[at] else value


cdef void _add(double *out, const number *values, Py_ssize_t columns, const double *weights, Py_ssize_t width,
               bint positive) noexcept nogil:
    """Adds at most CHUNK values times their weights to *out*; if *positive*, those above 0."""
    cdef double kept[CHUNK]
    cdef Py_ssize_t rows[CHUNK + 1]
    cdef Py_ssize_t at, count = 0
    for at in range(columns):
        kept[count], rows[count] = values[at], at
        count += values[at] > 0 if positive else values[at] != 0
    rows[count] = -1
    _add_products(out, weights, width, kept, rows)


cpdef object add_floats(double[::1] out, float[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width,
                        float[::1] low=None, float[::1] high=None):
    cdef Py_ssize_t rows = len(values) // columns, row, start, count
    cdef float within[CHUNK]
    cdef const float *own
    cdef bint bounded = low is not None
    _check(rows * width, len(out))
    _check(columns * width, len(weights))
    if bounded:
        _check(columns, min(len(low), len(high)))
    for row in range(rows):
        for start in range(0, columns, CHUNK):
            count, own = min(columns - start, CHUNK), &values[row * columns + start]
            if bounded:
                _bound(within, own, &low[start], &high[start], count)
                own = within
            _add(&out[row * width], own, count, &weights[start * width], width, False)


cdef object _add_doubles(double[::1] out, double[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width,
                         bint positive):
    cdef Py_ssize_t rows = len(values) // columns, row, start
    _check(rows * width, len(out))
    _check(columns * width, len(weights))
    for row in range(rows):
        for start in range(0, columns, CHUNK):
            _add(&out[row * width], &values[row * columns + start], min(columns - start, CHUNK),
                 &weights[start * width], width, positive)


cpdef object add_doubles(double[::1] out, double[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width):
    _add_doubles(out, values, columns, weights, width, False)


cpdef object add_positive(double[::1] out, double[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t width):
    _add_doubles(out, values, columns, weights, width, True)


cpdef object sum_products(double[::1] out, float[::1] values, Py_ssize_t columns, double[::1] weights, Py_ssize_t count):
    cdef Py_ssize_t rows = len(values) // columns, row, at, which
    cdef double weight
    cdef double *own
    cdef const float *added
    _check(count * columns, len(out))
    _check(rows * count, len(weights))
    for row in range(rows):
        added = &values[row * columns]
        for which in range(count):
            weight, own = weights[row * count + which], &out[which * columns]
            for at in range(columns):
                own[at] += weight * added[at]


cpdef object max_rows(double[::1] out, float[::1] values):
    cdef Py_ssize_t columns = len(out), row, at
    for row in range(len(values) // columns):
        for at in range(columns):
            if values[row * columns + at] > out[at]:
                out[at] = values[row * columns + at]


cpdef object weigh(double[::1] out, double[::1] values, Py_ssize_t width, float[::1] weights, Py_ssize_t first,
                   Py_ssize_t step):
    cdef Py_ssize_t rows = len(values) // width, row, unit
    cdef double weight
    _check(rows * (width + 1), len(out))
    _check(first + (rows - 1) * step + 1 if rows else 0, len(weights))
    for row in range(rows):
        weight = weights[first + row * step]
        for unit in range(width):
            out[row * (width + 1) + unit] = values[row * width + unit] * weight
        out[row * (width + 1) + width] = weight


cpdef object to_floats(float[::1] out, Py_ssize_t columns, double[::1] values, Py_ssize_t width):
    cdef Py_ssize_t row, at, rows = len(values) // width
    _check(rows * columns, len(out))
    _check(columns, width)
    for row in range(rows):
        for at in range(columns):
            out[row * columns + at] = <float>values[row * width + at]


cpdef object add_rows(double[::1] out, double[::1] rows, int[::1] index, Py_ssize_t first, Py_ssize_t step,
                      Py_ssize_t width):
    cdef Py_ssize_t row, count = len(out) // width, known = len(rows) // width, at
    _check(first + (count - 1) * step + 1 if count else 0, len(index))
    for row in range(count):
        at = index[first + row * step]
        if at < 0 or at >= known:
            raise IndexError("a row that is not there")
        _add_row(&out[row * width], &rows[at * width], width)


cpdef object sum_rows(double[::1] out, double[::1] rows, int[::1] index, Py_ssize_t first, Py_ssize_t step,
                      Py_ssize_t width):
    cdef Py_ssize_t row, count = len(rows) // width, known = len(out) // width, at
    _check(first + (count - 1) * step + 1 if count else 0, len(index))
    for row in range(count):
        at = index[first + row * step]
        if at < 0 or at >= known:
            raise IndexError("a row that is not there")
        _add_row(&out[at * width], &rows[row * width], width)


cpdef object rectify(float[::1] out, double[::1] sums):
    cdef Py_ssize_t at
    _check(len(sums), len(out))
    for at in range(len(sums)):
        out[at] = <float>(sums[at] if sums[at] > 0 else 0)


cpdef object normalize(float[::1] out, float[::1] values, Py_ssize_t columns, float[::1] low, float[::1] high,
                       float[::1] means, float[::1] scales):
    cdef Py_ssize_t width = len(means), rows = len(values) // columns, row, at
    cdef float value
    _check(rows * width, len(out))
    _check(width, min(columns, len(low), len(high), len(scales)))
    for row in range(rows):
        for at in range(width):
            value = values[row * columns + at]
            value = low[at] if value < low[at] else value
            value = high[at] if value > high[at] else value
            value = value - means[at]
            out[row * width + at] = value * scales[at]


cpdef object sum_up(double[::1] out, double[::1] rows, Py_ssize_t width):
    cdef Py_ssize_t at
    _check(len(rows) + width, len(out))
    for at in range(len(rows)):
        out[at + width] = out[at] + rows[at]


cpdef object mean_rows(double[::1] out, double[::1] sums, Py_ssize_t width, double least):
    cdef Py_ssize_t rows = len(sums) // (width + 1), row, unit
    cdef double weight
    _check(rows * width, len(out))
    for row in range(rows):
        weight = sums[row * (width + 1) + width]
        weight = least if weight < least else weight
        for unit in range(width):
            out[row * width + unit] = sums[row * (width + 1) + unit] / weight


cpdef object window_means(double[::1] out, double[::1] totals, Py_ssize_t width, tuple sizes, Py_ssize_t first,
                          Py_ssize_t last, double least):
    cdef Py_ssize_t end = len(totals) // (width + 1) - 1, row, size, low, high, to = 0
    _check(2 * len(sizes) * width * (last - first), len(out))
    if first < 0 or last > end:
        raise ValueError("rows that are not there")
    for row in range(first, last):
        for size in sizes:
            low = row - size if row > size else 0
            high = row + size + 1 if row + size + 1 < end else end
            _mean(&out[to], &totals[low * (width + 1)], &totals[row * (width + 1)], width, least)
            _mean(&out[to + width], &totals[(row + 1) * (width + 1)], &totals[high * (width + 1)], width, least)
            to += 2 * width


cdef void _mean(double *out, const double *below, const double *upto, Py_ssize_t width, double least) noexcept nogil:
    cdef double weight = upto[width] - below[width]
    cdef Py_ssize_t unit
    weight = 1 / (least if weight < least else weight)
    for unit in range(width):
        out[unit] = (upto[unit] - below[unit]) * weight


cpdef list rounded(double[::1] values, Py_ssize_t first, Py_ssize_t step, double factor):
    cdef Py_ssize_t at
    return [rint(values[at] * factor) / factor for at in range(first, len(values), step)]


cpdef double log1p(double value) noexcept:
    return c_log1p(value)


cpdef double exp(double value) noexcept:
    return c_exp(value)


cdef array _floats = new_array("f")
cdef array _doubles = new_array("d")
cdef array _ints = new_array("i")


cpdef object zero_floats(Py_ssize_t count):
    return clone(_floats, count, True)


cpdef object zero_doubles(Py_ssize_t count):
    return clone(_doubles, count, True)


cpdef object zero_ints(Py_ssize_t count):
    return clone(_ints, count, True)
