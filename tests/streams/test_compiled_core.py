"""Simple records as lines of JSON, as orjson writes them."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncfilters.streams.compiled_core import streams_core
from ncfilters.streams.writers import json_line

needs_core = pytest.mark.skipif(streams_core() is None, reason="no compiled core: python setup.py build_ext --inplace")
_texts = st.text(max_size=80) | st.sampled_from(["", '"\\\n\x00\x1f\x7f', "é中😀" * 60, "a" * 300, "<p>\u2028"])
_numbers = st.integers(-(1 << 63), (1 << 63) - 1)
_simple = st.recursive(
    _texts | _numbers | st.booleans() | st.none(), lambda inner: st.dictionaries(_texts, inner, max_size=5)
)
_records = st.dictionaries(_texts, _simple, max_size=6)


@needs_core
@settings(deadline=None)
@given(_records)
@example({})
@example({"a": {}, "b": {"c": {}}})
def test_simple_records_are_written_as_orjson_writes_them(record: dict[str, Any]) -> None:
    line = streams_core().json_line(record)
    assert line in (None, orjson.dumps(record) + b"\n")
    assert json_line(record) == orjson.dumps(record) + b"\n"


@needs_core
def test_a_page_is_simple() -> None:
    record = {"id": "a", "status": 200, "encoding": {"name": "utf-8", "evidence": "http"}, "html": "<p>é" * 10_000}
    assert streams_core().json_line(record) == orjson.dumps(record) + b"\n"


class _Text(str):
    pass


@needs_core
@pytest.mark.parametrize(
    "value",
    [1.5, [], ["a"], b"a", 1 << 63, -(1 << 63) - 1, "\ud800", {"a": "\udfff"}, {"\ud800": 1}, {1: "a"}, _Text("a"), ()],
)
def test_other_values_are_left_to_orjson(value: Any) -> None:
    assert streams_core().json_line({"id": "a", "value": value}) is None


@needs_core
def test_deep_maps_are_left_to_orjson() -> None:
    record: dict[str, Any] = {}
    for _ in range(500):
        record = {"a": record}
    assert streams_core().json_line(record) is None


@needs_core
@pytest.mark.parametrize("record", [[], None, "a", orjson.Fragment(b"1")])
def test_what_is_no_record_is_left_to_orjson(record: Any) -> None:
    assert streams_core().json_line(record) is None
