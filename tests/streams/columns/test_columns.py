"""The columns are those that records have: each field of the schema, and no map."""

from __future__ import annotations

from ncfilters import record
from ncfilters.streams.columns.columns import RECORD, SEGMENT, Fields, ListOf


def test_each_field_of_segments_has_a_column() -> None:
    without = {"scores"}  # their names are those of models
    assert record.SEGMENT_FIELDS.keys() - without <= SEGMENT.keys()


def test_each_field_of_records_has_a_column() -> None:
    assert record.FIELDS.keys() - {"blocks"} <= RECORD.keys()


def test_fields_of_other_programs_have_a_place() -> None:
    assert isinstance(segments := RECORD["segments"], ListOf)
    assert isinstance(fields := segments.item, Fields)
    assert fields.open
