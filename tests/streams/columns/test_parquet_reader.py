"""Parquet as an input: recognised by its first bytes, from files and pipes, whoever wrote it."""

from __future__ import annotations

import datetime
import gzip
import io
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from ncfilters.errors import RecordError
from ncfilters.streams.columns.parquet_reader import parquet_records
from ncfilters.streams.inputs import open_inputs
from ncfilters.streams.readers import RecordReader


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
    assert str(long) == "a record of 1,203 bytes; the limit is 1,000 (--max-record)"
    assert short == {"html": "<p>short"}


def test_a_span_of_the_file_has_the_row_groups_that_begin_in_it(tmp_path: Path) -> None:
    path = file_of(tmp_path / "a.parquet", {"id": [str(number) for number in range(100)]}, row_group_size=7)
    size = path.stat().st_size
    for parts in (1, 2, 3, 50):
        found = []
        for part in range(parts):
            span = (size * part // parts, size * (part + 1) // parts)
            found += [item["id"] for item in parquet_records("a", path.open("rb"), 1 << 20, len_of, span)]  # type: ignore[index]
        assert found == [str(number) for number in range(100)]


def len_of(size: int) -> None:
    assert size > 0
