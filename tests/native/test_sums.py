"""Sums, and UTF-8."""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import orjson
import pytest
from uncompiled import in_both_forms

from ncfilters.errors import RecordError
from ncfilters.record import PageText
from ncfilters.streams import json_lines

FORMS = in_both_forms("native.sums")
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
def test_roundings_functions_and_buffers_that_are_too_small(form: ModuleType) -> None:
    assert form.rounded(doubles([1.234, 9, -0.001, 9, 2.675]), 0, 2, 100.0) == [1.23, -0.0, 2.68]
    assert str(form.rounded(doubles([-0.001]), 0, 1, 100.0)) == "[-0.0]"
    assert (form.log1p(0), form.exp(0)) == (0, 1)
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


FORMS_UTF8 = in_both_forms("native.utf8")
TEXTS = ["", "<p>One", 'a"b\\c/\n\t\r\b\f\x01', "é中\U0001f44d" * 7, "0123456789" * 5, "\\" * 9, "\ufffd\x7f", "{[,:]}"]
LINES = [
    json.dumps(record, ensure_ascii=ascii, separators=separators).encode()
    for text in TEXTS
    for record in (
        {"html": text},
        {"id": 1, "html": text, "gold": {"html": [text, {"a": None}]}, "x": [1.5, True]},
        {"a": text, "b": [], "html": text},
    )
    for ascii in (False, True)
    for separators in ((",", ":"), (", ", ": "))
]
PIECES = [
    b'"', b"\\", b"\\u", b"\\ud83d\\udc4d", b"\\ud83d", b"\\udc4d", b"\\/", b"\\x", b"\x00", b"\x1f", b"\x7f", b"\x80",
    b"\xc3\xa9", b"\xc3", b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x91\x8d", b"{", b"}",
    b"[", b"]", b",", b":", b'"html":', b'"html":"x",', b'"ht\\u006dl":"x",', b" ", b"\n", b"1e999", b"-",
    b"99999999999999999999", b"null",
]  # fmt: skip


def expected(line: bytes, start: int) -> tuple[bytes, int] | None:
    """What the function says, by orjson alone."""
    for end in range(start, len(line)):
        if line[end] == ord('"'):
            try:
                return orjson.loads(b'"' + line[start : end + 1]).encode(), end + 1
            except ValueError:
                pass
    return None


def mutated(count: int) -> Iterator[bytes]:
    """Lines, each with some bytes changed, cut out or put in."""
    chance = random.Random(7)
    for _ in range(count):
        line = bytearray(chance.choice(LINES))
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(line) + 1)
            end = min(at + chance.choice((0, 0, 1, 2, 7)), len(line))
            line[at:end] = chance.choice(PIECES) * chance.choice((1, 1, 3))
        yield bytes(line[: chance.randrange(len(line) + 1)] if chance.random() < 0.1 else line)


@FORMS_UTF8
def test_strings_are_read_as_orjson_reads_them(form: ModuleType) -> None:
    found = 0
    for line in [*LINES, *mutated(20_000), b"", b'{"html":"', b'{"html":"\\', b'{"html":"\\u00']:
        start = line.find(b'"html"') + 8
        own = form.unescaped(line, start)
        found += own is not None
        assert own == expected(line, start), line
    assert found > 5_000


@FORMS_UTF8
def test_lines_are_records_as_orjson_reads_them(form: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "unescaped", form.unescaped)
    pages = 0
    others = [b"", b" ", b"[]", b"1", b"{}", b'{"html"', b'{"html":', b'{"html": "\\u0000html"}']
    for line in [*LINES, *mutated(20_000), *others]:
        own, wanted = json_lines.parse_page(line), json_lines.parse_line(line)
        if isinstance(wanted, RecordError):
            assert str(own) == str(wanted), line
            continue
        assert isinstance(own, dict)
        pages += isinstance(own.get("html"), PageText)
        assert list(own) == list(wanted), line
        assert {name: str(value) if isinstance(value, PageText) else value for name, value in own.items()} == wanted, (
            line
        )
    assert pages > 5_000


def test_the_html_of_another_object_is_not_that_of_the_record() -> None:
    assert json_lines.parse_page(b'{"n": {"html": "x"}, "html": 7}') == {"n": {"html": "x"}, "html": 7}
    first = json_lines.parse_page(b'{"html": "a", "html": "b"}')
    assert isinstance(first, dict) and str(first["html"]) == "b"
    assert json_lines.parse_page(b'{"a": "\\"html\\": \\"x"}') == {"a": '"html": "x'}
