"""Parquet that other programs read: pyarrow, DuckDB and Hugging Face datasets."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.parquet as pq

from ncfilters.errors import RecordError
from ncfilters.streams.columns.parquet_writer import ParquetSink
from ncfilters.streams.columns.rows import to_record
from ncfilters.streams.output_file import FileOutput

DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": f"{number}",
        "text": f"Żółw {number} " * 50,
        "quality": number / 100,
        "segments": [{"text": "Żółw", "type": "p", "score": 1.5, "spans": [[0, 4, "link", f"http://a/{number}"]]}],
    }
    for number in range(100)
]


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


def test_no_document_is_a_file_with_the_columns() -> None:
    table = pq.read_table(io.BytesIO(written([])))
    assert len(table) == 0
    assert "segments" in table.column_names


def test_a_record_that_cannot_be_written_is_an_error() -> None:
    sink = ParquetSink(Bytes())
    with pytest.raises(RecordError):
        sink.write({"id": "a", "mine": {object(): 1}})
