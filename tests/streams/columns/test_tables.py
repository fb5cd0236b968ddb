"""Batches of Arrow have the schema, and any text."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from ncfilters.streams.columns.rows import to_record, to_row
from ncfilters.streams.columns.tables import VERSION_KEY, schema, to_batch

DOCUMENT: dict[str, Any] = {
    "id": "a",
    "text": "Text.",
    "head": {"title": "T", "author": ["A", "B"], "evidence": {"title": "meta"}},
    "page": {"odds": 1.5, "type": "article", "types": {"article": 0.9, "recipe": 0.1}},
    "segments": [
        {"text": "Text.", "type": "p", "links": 0, "score": 2.5, "keep": True, "spans": [[0, 4, "em"]]},
        {"text": "x", "cells": [{"start": 0, "end": 1, "row": 0, "column": 0, "header": True}], "scores": {"en": 1.0}},
        {"text": "y", "figure": [{"src": "a.png", "alt": "A", "after": True}], "note": {"id": "1"}},
    ],
    "nc": 1,
}


def test_documents_are_the_same_after_arrow() -> None:
    batch = to_batch([to_row(DOCUMENT), to_row({"id": None})], schema())
    assert batch.schema.metadata == {VERSION_KEY: b"1"}
    assert [to_record(row) for row in batch.to_pylist()] == [DOCUMENT, {"id": None}]


def test_segments_have_columns_of_their_own() -> None:
    segments = to_batch([to_row(DOCUMENT)], schema()).column("segments").flatten()
    assert segments.field("score").to_pylist() == [2.5, None, None]
    assert segments.field("other_fields").to_pylist() == [None, '{"scores":{"en":1.0}}', None]


def test_lone_surrogates_are_replaced() -> None:
    batch = to_batch([to_row({"text": "a \ud800"}), to_row({"text": "b"})], schema())
    assert batch.column("text").to_pylist() == ["a \ufffd", "b"]
