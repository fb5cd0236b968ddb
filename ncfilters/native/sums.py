"""Sums over rows of numbers, which are in flat buffers: what the network of a structure model is computed with.

    out = array("d", [0.0, 0.0])
    add_floats(out, array("f", [2.0, 3.0]), 2, array("d", [1.0, 0.0, 0.0, 1.0]), 2)
    out    # array('d', [2.0, 3.0])

Sums are in double precision. Their order is not fixed, and the compiled form has another one. All functions raise
ValueError or IndexError for buffers that are too small.
"""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

# An array.array, or another buffer of such numbers.
Floats = Any
Doubles = Any
Ints = Any


def add_floats(
    out: Doubles,
    values: Floats,
    columns: int,
    weights: Doubles,
    width: int,
    low: Floats | None = None,
    high: Floats | None = None,
) -> None:
    """Adds to the rows of *out* (of this *width*) the rows of *values* (of so many *columns*) times *weights* (shape:
    columns, width); values are within *low* and *high* (shape: columns), if these are given."""
    rows: NDArray[Any] = np.frombuffer(values, np.float32).reshape(-1, columns)
    if low is not None and high is not None:
        rows = np.clip(rows, np.frombuffer(low, np.float32)[:columns], np.frombuffer(high, np.float32)[:columns])
    _rows(out, width, len(rows))[:] += rows @ _rows(weights, width, columns)


def add_doubles(out: Doubles, values: Doubles, columns: int, weights: Doubles, width: int) -> None:
    """The same for values in double precision."""
    rows = np.frombuffer(values).reshape(-1, columns)
    _rows(out, width, len(rows))[:] += rows @ _rows(weights, width, columns)


def add_positive(out: Doubles, values: Doubles, columns: int, weights: Doubles, width: int) -> None:
    """The same for values in double precision, of which those below 0 count as 0."""
    rows = np.maximum(np.frombuffer(values).reshape(-1, columns), 0)
    _rows(out, width, len(rows))[:] += rows @ _rows(weights, width, columns)


def sum_products(out: Doubles, values: Floats, columns: int, weights: Doubles, count: int) -> None:
    """Adds to each of so many rows of *out* the sum of the rows of *values* (of so many *columns*), each times its
    weight: *weights* has *count* of them for each row."""
    rows: NDArray[Any] = np.frombuffer(values, np.float32).reshape(-1, columns)
    _rows(out, columns, count)[:] += _rows(weights, count, len(rows)).T @ rows


def max_rows(out: Doubles, values: Floats) -> None:
    """Writes the maximum of each column of rows of *values*, and of *out*."""
    own = np.frombuffer(out)
    rows: NDArray[Any] = np.frombuffer(values, np.float32).reshape(-1, len(own))
    own[:] = np.maximum(own, rows.max(axis=0, initial=-np.inf))


def weigh(out: Doubles, values: Doubles, width: int, weights: Floats, first: int, step: int) -> None:
    """Writes rows of *values* times weights, and the weight after each; weights are from *first* on with this
    *step*."""
    rows = _rows(values, width)
    own = np.frombuffer(weights, np.float32)[first::step][: len(rows)].astype(np.float64)
    written = _rows(out, width + 1, len(rows))
    written[:, :width], written[:, width] = rows * own[:, None], own


def to_floats(out: Floats, columns: int, values: Doubles, width: int) -> None:
    """Writes the first *columns* of rows of *values* (of this *width*) in single precision."""
    rows = _rows(values, width)[:, :columns]
    _singles(out, rows.size)[:] = rows.ravel()


def add_rows(out: Doubles, rows: Doubles, index: Ints, first: int, step: int, width: int) -> None:
    """Adds to each row of *out* the one of *rows* whose number is in *index*, from *first* on with this *step*."""
    own = _rows(out, width)
    own += _rows(rows, width)[_index(index, first, step, len(own))]


def sum_rows(out: Doubles, rows: Doubles, index: Ints, first: int, step: int, width: int) -> None:
    """Adds each of *rows* to the row of *out* whose number is in *index*, from *first* on with this *step*."""
    added = _rows(rows, width)
    np.add.at(_rows(out, width), _index(index, first, step, len(added)), added)


def rectify(out: Floats, sums: Doubles) -> None:
    """Writes sums that are positive, and 0 for others."""
    values = np.frombuffer(sums)
    _singles(out, len(values))[:] = np.maximum(values, 0)


def normalize(
    out: Floats, values: Floats, columns: int, low: Floats, high: Floats, means: Floats, scales: Floats
) -> None:
    """Writes the first columns of rows of *values*, as many as there are *means*, within *low* and *high*, less the
    means, times *scales*."""
    width = len(means)
    rows = np.frombuffer(values, np.float32).reshape(-1, columns)[:, :width]
    rows = np.clip(rows, _singles(low, width), _singles(high, width))
    _singles(out, rows.size)[:] = ((rows - _singles(means, width)) * _singles(scales, width)).ravel()


def sum_up(out: Doubles, rows: Doubles, width: int) -> None:
    """Writes the sums of *rows* before each, and at last of all; the first row of *out*, which is kept, is added."""
    own = _rows(out, width)
    added = _rows(rows, width)
    own[1 : len(added) + 1] = own[0] + np.cumsum(added, axis=0)


def mean_rows(out: Doubles, sums: Doubles, width: int, least: float) -> None:
    """Writes the means of sums of *width* columns, after which the sum of weights stands, which is at least *least*."""
    rows = _rows(sums, width + 1)
    _rows(out, width, len(rows))[:] = rows[:, :width] / np.maximum(rows[:, width:], least)


def window_means(
    out: Doubles, totals: Doubles, width: int, sizes: tuple[int, ...], first: int, last: int, least: float
) -> None:
    """Writes for the rows from *first* to *last*, for each of *sizes*, the means over so many rows before it and over
    as many after it. *totals*: as `sum_up` writes them, of values times weights and of the weights."""
    rows = _rows(totals, width + 1)
    if first < 0 or last >= len(rows):
        raise ValueError("rows that are not there")
    at = np.arange(first, last)
    own = _rows(out, 2 * len(sizes) * width, len(at))
    for number, size in enumerate(sizes):
        before, after = np.maximum(at - size, 0), np.minimum(at + size + 1, len(rows) - 1)
        for part, sums in ((2 * number, rows[at] - rows[before]), (2 * number + 1, rows[after] - rows[at + 1])):
            own[:, part * width : (part + 1) * width] = sums[:, :width] * (1 / np.maximum(sums[:, width:], least))


def rounded(values: Doubles, first: int, step: int, factor: float) -> list[float]:
    """The values from *first* on with this *step*, rounded to multiples of 1 / *factor*."""
    numbers: list[float] = (np.rint(np.frombuffer(values)[first::step] * factor) / factor).tolist()
    return numbers


def log1p(value: float) -> float:
    """log(1 + value)."""
    return math.log1p(value)


def exp(value: float) -> float:
    """e to the power of a value."""
    return math.exp(value)


def _rows(buffer: Doubles, width: int, count: int | None = None) -> NDArray[np.float64]:
    """A buffer as rows; the first *count* of them."""
    values = np.frombuffer(buffer)
    rows = values[: (len(values) // width if count is None else count) * width].reshape(-1, width)
    if count is not None and len(rows) < count:
        raise ValueError(f"a buffer of {len(rows)} rows, not of {count}")
    return rows


def _singles(buffer: Floats, count: int) -> NDArray[np.float32]:
    values = np.frombuffer(buffer, np.float32)
    if len(values) < count:
        raise ValueError(f"a buffer of {len(values)} numbers, not of {count}")
    return values[:count]


def _index(index: Ints, first: int, step: int, count: int) -> NDArray[np.int32]:
    places = np.frombuffer(index, np.int32)[first::step][:count]
    if len(places) < count or (count and places.min() < 0):
        raise IndexError("a row that is not there")
    return places


def zero_floats(count: int) -> Any:
    """So many zeros in single precision."""
    return array("f", bytes(4 * count))


def zero_doubles(count: int) -> Any:
    """So many zeros in double precision."""
    return array("d", bytes(8 * count))


def zero_ints(count: int) -> Any:
    """So many zeros, integers of 32 bits."""
    return array("i", bytes(4 * count))
