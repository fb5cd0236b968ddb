"""Rows of documents and errors, in each format."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from ncfilters.spark.output_rows import output_rows, row_schema
from ncfilters.streams.columns.rows import to_record
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.warc_reader import WarcReader

RECORDS: list[dict[str, Any]] = [
    {"id": "a", "text": "Żółw\n", "nc": 1},
    {"id": "b", "error": {"stage": "nc-segment", "message": "html: missing"}, "nc": 1},
    {"id": "c", "text": "", "nc": 1},
]


def rows(name: str) -> list[dict[str, Any]]:
    out = output_rows(name)
    found: list[dict[str, Any]] = []
    for record in RECORDS:
        out.add(record)
        batch = out.batch()
        assert batch.schema.equals(row_schema(name))
        found += batch.to_pylist()
    assert [row.pop("result") for row in found] == ["document", "error", "document"]
    return found


def test_columns_are_those_of_the_record() -> None:
    assert [to_record(row) for row in rows("parquet")] == RECORDS


def test_lines_are_those_of_the_record() -> None:
    assert [json.loads(row["value"]) for row in rows("jsonl")] == RECORDS


def test_wet_records_make_a_file_and_errors_stay_json() -> None:
    first, error, last = (row["value"] + "\n" for row in rows("wet"))
    assert json.loads(error) == RECORDS[1]
    data = io.BytesIO((first + last).encode())
    read = list(WarcReader([("wet", data)], PageSelection(1 << 20)))  # type: ignore[list-item]
    assert [record["text"] for record in read if isinstance(record, dict)] == ["Żółw\n", ""]
    assert first.count("WARC-Type: warcinfo") == 1
    assert "warcinfo" not in last
