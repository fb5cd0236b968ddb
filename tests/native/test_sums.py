"""Sums over rows of numbers: both forms give what numpy gives."""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.sums"), ids=lambda form: form.__name__)
RANDOM = np.random.default_rng(1)


def doubles(values: Any) -> Any:
    return array("d", np.asarray(values, np.float64).ravel())


def floats(values: Any) -> Any:
    return array("f", np.asarray(values, np.float32).ravel())


def normal(*shape: int) -> np.ndarray:  # type: ignore[type-arg]
    values = RANDOM.normal(size=shape)
    values[RANDOM.random(shape) < 0.3] = 0
    return values


@FORMS
@pytest.mark.parametrize(("columns", "width"), [(3, 5), (300, 32), (5, 32), (9, 8), (9, 16), (1, 1)])
def test_products_are_added(form: ModuleType, columns: int, width: int) -> None:
    values, weights, start = normal(7, columns).astype(np.float32), normal(columns, width), normal(7, width)
    out = doubles(start)
    form.add_floats(out, floats(values), columns, doubles(weights), width)
    assert out == pytest.approx((start + values @ weights).ravel())
    low, high = np.full(columns, -0.5, np.float32), np.full(columns, 0.25, np.float32)
    out = doubles(start)
    form.add_floats(out, floats(values), columns, doubles(weights), width, floats(low), floats(high))
    assert out == pytest.approx((start + np.clip(values, low, high) @ weights).ravel())
    own = normal(7, columns)
    out = doubles(start)
    form.add_doubles(out, doubles(own), columns, doubles(weights), width)
    assert out == pytest.approx((start + own @ weights).ravel())
    out = doubles(start)
    form.add_positive(out, doubles(own), columns, doubles(weights), width)
    assert out == pytest.approx((start + np.maximum(own, 0) @ weights).ravel())


@FORMS
def test_rows_are_gathered_and_spread(form: ModuleType) -> None:
    rows, index = normal(4, 3), array("i", [9, 2, 9, 0, 9, 2])
    out = doubles(np.ones((3, 3)))
    form.add_rows(out, doubles(rows), index, 1, 2, 3)
    assert out == pytest.approx((1 + rows[[2, 0, 2]]).ravel())
    out = doubles(np.zeros((4, 3)))
    form.sum_rows(out, doubles(rows[:3]), index, 1, 2, 3)
    assert out == pytest.approx(np.stack([rows[1], np.zeros(3), rows[0] + rows[2], np.zeros(3)]).ravel())
    with pytest.raises(IndexError):
        form.add_rows(out, doubles(rows), array("i", [0, 1, 4, 0]), 0, 1, 3)


@FORMS
def test_means_over_windows_are_those_of_slices(form: ModuleType) -> None:
    values, weights = normal(12, 2), np.abs(normal(12)).astype(np.float32)
    rows = doubles(np.zeros((12, 3)))
    form.weigh(rows, doubles(values), 2, floats(np.stack([weights, weights], axis=1)), 1, 2)
    totals = doubles(np.zeros((13, 3)))
    form.sum_up(totals, rows, 3)
    out = doubles(np.zeros((5, 8)))
    form.window_means(out, totals, 2, (1, 20), 4, 9, 1e-6)

    def mean(part: slice) -> list[float]:
        own = weights[part].astype(np.float64)
        return list((values[part] * own[:, None]).sum(axis=0) / max(own.sum(), 1e-6))

    parts = [(slice(at - 1, at), slice(at + 1, at + 2), slice(0, at), slice(at + 1, 12)) for at in range(4, 9)]
    assert out == pytest.approx([value for some in parts for part in some for value in mean(part)])
    means = doubles(np.zeros((2, 2)))
    form.mean_rows(means, doubles([[2, 4, 2], [0, 0, 0]]), 2, 1e-6)
    assert means.tolist() == [1, 2, 0, 0]


@FORMS
def test_numbers_of_rows(form: ModuleType) -> None:
    out = floats(np.zeros(3))
    form.rectify(out, doubles([1.5, -2, 0]))
    assert out.tolist() == [1.5, 0, 0]
    form.to_floats(out, 1, doubles([[0.1, 9], [2, 9], [3, 9]]), 2)
    assert out.tolist() == [np.float32(0.1), 2, 3]
    out = floats(np.zeros(4))
    form.normalize(out, floats([[1, 9, 7], [-9, 0, 7]]), 3, *map(floats, ([-2, -2], [2, 2], [1, 1], [0.5, 1])))
    assert out.tolist() == [0, 1, -1.5, -1]
    sums = doubles(np.zeros(4))
    form.sum_products(sums, floats([[1, 2], [3, 4]]), 2, doubles([[1, 0.5], [2, 0]]), 2)
    assert sums.tolist() == [7, 10, 0.5, 1]
    highest = doubles([0, 5])
    form.max_rows(highest, floats([[1, 2], [3, 4]]))
    assert highest.tolist() == [3, 5]


@FORMS
def test_roundings_and_functions(form: ModuleType) -> None:
    assert form.rounded(doubles([1.234, 9, -0.001, 9, 2.675]), 0, 2, 100.0) == [1.23, -0.0, 2.68]
    assert str(form.rounded(doubles([-0.001]), 0, 1, 100.0)) == "[-0.0]"
    assert (form.log1p(0), form.exp(0)) == (0, 1)


@FORMS
def test_buffers_that_are_too_small_are_refused(form: ModuleType) -> None:
    with pytest.raises((ValueError, IndexError)):
        form.add_floats(doubles([0]), floats([1, 2]), 1, doubles([1]), 1)
    with pytest.raises((ValueError, IndexError)):
        form.add_rows(doubles([0, 0]), doubles([1]), array("i", [0]), 0, 1, 1)
    with pytest.raises((ValueError, IndexError)):
        form.window_means(doubles([0] * 8), doubles([0] * 4), 1, (3,), 0, 2, 1e-6)


@FORMS
@pytest.mark.parametrize("count", [0, 1, 10000])
def test_arrays_of_zeros(form: ModuleType, count: int) -> None:
    assert form.zero_floats(count) == array("f", [0.0] * count)
    assert form.zero_doubles(count) == array("d", [0.0] * count)
    assert form.zero_ints(count) == array("i", [0] * count)
    assert [form.zero_floats(1).typecode, form.zero_doubles(1).typecode, form.zero_ints(1).typecode] == ["f", "d", "i"]
