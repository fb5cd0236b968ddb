"""Columns, rows and shards of Parquet files."""

from __future__ import annotations

import datetime
import gzip
import hashlib
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from ncfilters import record
from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.columns import HEAD, OTHER, RECORD, SEGMENT, VERSION_KEY, to_batch, to_record, to_row
from ncfilters.streams.output_file import FileOutput
from ncfilters.streams.parquet import ParquetShards, ParquetSink
from ncfilters.streams.readers import RecordReader, open_inputs


# ---- parquet_reader ----
def file_of(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


def read(path: Path, limit: int = 1 << 20) -> list[Any]:
    return list(RecordReader(open_inputs([str(path)]), limit))


def test_columns_of_others_are_fields(tmp_path: Path) -> None:
    at = datetime.datetime(2026, 5, 1, 12, 30, tzinfo=datetime.timezone.utc)
    fetched = pa.array([at, None], pa.timestamp("ns", "UTC"))
    columns = {"url": ["http://a/", None], "content": [b"<p>A", b"<p>B"], "fetched": fetched}
    path = file_of(tmp_path / "crawl", columns)
    assert read(path) == [
        {"url": "http://a/", "content": b"<p>A", "fetched": "2026-05-01T12:30:00+00:00"},
        {"content": b"<p>B"},
    ]


def test_a_pipe_and_a_compressed_file_are_copied_first(tmp_path: Path) -> None:
    path = file_of(tmp_path / "a.parquet", {"id": ["a", "b"]})
    (tmp_path / "b.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert read(tmp_path / "b.gz") == [{"id": "a"}, {"id": "b"}]

    class Pipe(io.RawIOBase):
        source = io.BytesIO(path.read_bytes())

        def read(self, size: int = -1) -> bytes:
            return self.source.read(min(size, 7) if size > 0 else size)

    assert list(RecordReader([("pipe", Pipe())], 1 << 20)) == [{"id": "a"}, {"id": "b"}]


def test_a_damaged_row_group_is_one_error(tmp_path: Path) -> None:
    text = [f"{number} " * 200 for number in range(40)]
    path = file_of(tmp_path / "a.parquet", {"text": text}, row_group_size=10, use_dictionary=False)
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 60] = b"\xff" * 60
    path.write_bytes(data)
    items = read(path)
    assert [item["text"] for item in items if isinstance(item, dict)] == text[:10] + text[20:]
    (error,) = (item for item in items if isinstance(item, RecordError))
    assert str(error).startswith(f"{path}: row group 2: 10 of 10 rows cannot be read: ")


def test_a_file_without_its_end_is_an_error(tmp_path: Path) -> None:
    path = file_of(tmp_path / "a.parquet", {"id": ["a"] * 1000})
    path.write_bytes(path.read_bytes()[:-20])
    (error,) = read(path)
    assert str(error).startswith(f"{path}: not readable as Parquet: ")


def test_a_long_row_is_an_error(tmp_path: Path) -> None:
    path = file_of(tmp_path / "a.parquet", {"html": ["<p>" + "ż" * 600, "<p>short"]})
    long, short = read(path, limit=1000)
    assert str(long) == "a record of 1,203 bytes; the limit is 1,000 (NC_MAX_RECORD)"
    assert short == {"html": "<p>short"}


# ---- parquet_writer ----
DOCUMENTS: list[dict[str, Any]] = [{
    "id": f"{number}", "text": f"Żółw {number} " * 50, "quality": number / 100,
    "segments": [{"text": "Żółw", "type": "p", "score": 1.5, "spans": [[0, 4, "link", f"http://a/{number}"]]}],
} for number in range(100)]  # fmt: skip


class Bytes(io.BytesIO):
    """A ByteOutput in memory."""

    def write(self, data: Any) -> None:  # type: ignore[override]
        super().write(data)


def written(documents: list[dict[str, Any]], row_group_bytes: int = 1 << 20) -> bytes:
    sink = ParquetSink(output := Bytes(), row_group_bytes)
    for document in documents:
        sink.write(document)
    sink.close()
    assert sink.bytes == len(output.getvalue())
    return output.getvalue()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    sink = ParquetSink(output := FileOutput(str(tmp_path / "corpus.parquet")))
    for document in DOCUMENTS:
        sink.write(document)
    sink.close()
    output.close()
    return tmp_path / "corpus.parquet"


def test_pyarrow_reads_it(corpus: Path) -> None:
    assert [to_record(row) for row in pq.read_table(corpus).to_pylist()] == DOCUMENTS
    column = pq.ParquetFile(corpus).metadata.row_group(0).column(0)
    assert column.compression == "ZSTD"


def test_duckdb_reads_it(corpus: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    query = f"SELECT id, segments[1].spans[1].value FROM '{corpus}' WHERE quality > 0.975 ORDER BY id"
    assert duckdb.sql(query).fetchall() == [("98", "http://a/98"), ("99", "http://a/99")]


@pytest.mark.slow
def test_datasets_reads_it(corpus: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    loaded = datasets.load_dataset("parquet", data_files=str(corpus), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded["text"][:] == [document["text"] for document in DOCUMENTS]
    assert loaded[7]["segments"][0]["spans"][0]["value"] == "http://a/7"


def test_row_groups_have_a_size_and_the_bytes_are_the_same_each_time() -> None:
    small = written(DOCUMENTS, 10_000)
    assert small == written(DOCUMENTS, 10_000)
    metadata = pq.ParquetFile(io.BytesIO(small)).metadata
    assert 3 < metadata.num_row_groups < 20
    assert metadata.num_rows == 100


def test_no_document_is_a_file_with_the_columns_and_what_cannot_be_written_an_error() -> None:
    table = pq.read_table(io.BytesIO(written([])))
    assert len(table) == 0 and "segments" in table.column_names
    for write in (ParquetSink(Bytes()).write, to_row):
        with pytest.raises(RecordError, match="cannot be written as JSON"):
            write({"id": "a", "mine": {object(): 1}})


# ---- shards ----
RANDOM = random.Random(3)
SHARDED: list[dict[str, Any]] = [
    {"id": str(number), "text": RANDOM.randbytes(500).hex(), "models": ["en@1"]} for number in range(3000)
]
ERROR = {"id": "bad", "error": {"stage": "nc-segment", "message": "html: missing"}}


def sharded(folder: Path, shard_size: int) -> dict[str, Any]:
    sink = ParquetShards(str(folder), shard_size, {"ncfilters": "0", "options": {"markup": True}})
    for document in [*SHARDED, ERROR]:
        sink.write(document)
    assert not (folder / "_manifest.json").exists()
    sink.close()
    manifest: dict[str, Any] = json.loads((folder / "_manifest.json").read_bytes())
    return manifest


def test_shards_have_about_the_size_and_all_documents_in_order(tmp_path: Path) -> None:
    manifest = sharded(tmp_path, 300_000)
    files, shards = sorted(tmp_path.glob("part-*.parquet")), manifest["shards"]
    expected = [*(document["id"] for document in SHARDED), "bad"]
    assert [row for file in files for row in pq.read_table(file, columns=["id"])["id"].to_pylist()] == expected
    assert pq.read_table(tmp_path, columns=["id"])["id"].to_pylist() == expected
    assert [shard["file"] for shard in shards] == [file.name for file in files] and len(files) > 3
    assert all(300_000 <= shard["bytes"] < 500_000 for shard in shards[:-1])
    for shard, file in zip(shards, files):
        data = file.read_bytes()
        assert (shard["bytes"], shard["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert pq.ParquetFile(file).metadata.num_rows == shard["documents"] + shard["errors"]
    assert (manifest["documents"], manifest["errors"], manifest["scored"]) == (3000, 1, {"en@1": 3000})
    assert manifest["options"] == {"markup": True}
    assert {path.name for path in tmp_path.iterdir()} == {"_manifest.json", *(file.name for file in files)}
    with pytest.raises(UsageError, match="has shards of an earlier run"):
        sharded(tmp_path, 1 << 30)


def test_an_interrupted_run_has_no_manifest(tmp_path: Path) -> None:
    sink = ParquetShards(str(tmp_path), 300_000, {})
    for document in SHARDED[:1500]:
        sink.write(document)
    sink.discard()
    complete = sorted(tmp_path.iterdir())
    assert complete and all(pq.read_table(file).num_rows for file in complete)


# ---- tables ----
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
    batch = to_batch([to_row(DOCUMENT), to_row({"id": None})])
    assert batch.schema.metadata == {VERSION_KEY: b"1"}
    assert [to_record(row) for row in batch.to_pylist()] == [DOCUMENT, {"id": None}]
    segments = batch.column("segments").slice(0, 1).flatten()
    assert segments.field("score").to_pylist() == [2.5, None, None]
    assert segments.field("other_fields").to_pylist() == [None, '{"scores":{"en":1.0}}', None]
    assert to_row({"html": record.PageText(b"<p>")}) == {"html": "<p>"}
    batch = to_batch([to_row({"text": "a \ud800"}), to_row({"text": "b"})])
    assert batch.column("text").to_pylist() == ["a \ufffd", "b"]


# ---- the columns are those that records have ----
def test_each_field_has_a_column_and_those_of_other_programs_a_place() -> None:
    assert record.SEGMENT_FIELDS.keys() - {"scores"} <= SEGMENT.keys()  # names of scores are those of models
    assert record.FIELDS.keys() - {"blocks"} <= RECORD.keys()
    assert OTHER in [field.name for field in RECORD["segments"].value_type]


# ---- rows are records ----
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
