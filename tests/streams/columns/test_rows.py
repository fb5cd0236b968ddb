"""Rows are records: nothing is lost, whatever a record has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.errors import RecordError
from ncfilters.streams.columns.columns import HEAD, RECORD, SEGMENT
from ncfilters.streams.columns.rows import to_record, to_row

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=6,
)
SPAN = st.lists(st.integers(0, 9) | st.sampled_from(["em", "math", "display"]) | VALUES, max_size=6) | st.just(
    [0, 3, "math", "x^2", "display"]
)


def fields(names: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from([*names, "mine"]), VALUES, max_size=4)


SEGMENTS = st.builds(lambda some, spans: {**some, "spans": spans}, fields(SEGMENT), st.lists(SPAN, max_size=3) | VALUES)
RECORDS = st.builds(
    lambda some, segments, head: {**some, "segments": segments, "head": head},
    fields(RECORD),
    st.lists(SEGMENTS, max_size=3) | VALUES,
    fields(HEAD) | VALUES,
)


@given(RECORDS)
def test_a_row_is_its_record_again(record: dict[str, Any]) -> None:
    assert to_record(completed(to_row(record))) == record
    assert repr_of(to_record(completed(to_row(record)))) == repr_of(record)


def repr_of(value: Any) -> str:
    """Types and values, whatever the order of names: True is not 1, and 1 is not 1.0."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{name}:{repr_of(item)}" for name, item in value.items())) + "}"
    return f"[{','.join(map(repr_of, value))}]" if isinstance(value, list) else repr(value)


def completed(row: Any) -> Any:
    """A row as Arrow returns it, in which spans have all their fields."""
    if isinstance(row, list):
        return [completed(item) for item in row]
    if not isinstance(row, dict):
        return row
    if {"start", "end", "kind"} <= row.keys():
        row = {**dict.fromkeys(("value", "display", "image")), **row}
    return {name: completed(value) for name, value in row.items()}


def test_a_value_of_another_type_is_in_other_fields() -> None:
    assert to_row({"id": 7, "text": "t", "mine": [1], "url": None}) == {
        "text": "t",
        "other_fields": '{"id":7,"mine":[1],"url":null}',
    }


def test_spans_are_structures() -> None:
    spans = [[0, 2, "link", "http://a/"], [0, 0, "image", {"src": "b.png", "alt": ""}]]
    (segment,) = to_row({"segments": [{"text": "ab", "spans": spans}]})["segments"]
    assert segment["spans"] == [
        {"start": 0, "end": 2, "kind": "link", "value": "http://a/"},
        {"start": 0, "end": 0, "kind": "image", "image": {"src": "b.png", "alt": ""}},
    ]


def test_fields_of_parquet_files_of_others_keep_their_names() -> None:
    assert to_record({"other_fields": "no JSON", "dump": {"year": 2026, "week": None}}) == {
        "other_fields": "no JSON",
        "dump": {"year": 2026},
    }


def test_what_json_cannot_represent_is_an_error() -> None:
    with pytest.raises(RecordError, match="cannot be written as JSON"):
        to_row({"mine": {object(): 1}})
