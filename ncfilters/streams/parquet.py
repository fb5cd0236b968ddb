"""Parquet: the records of files, whoever wrote them; a sink of records, and one that writes a folder of shards.

    for item in parquet_records("crawl.parquet", open("crawl.parquet", "rb"), limit=1 << 28, count_bytes=print): ...

    sink = ParquetSink(FileOutput("corpus.parquet"))
    sink.write({"id": "a", "text": "Text."}); sink.close()

The same records give the same bytes. A file without its end, which `close` writes, is not readable.
"""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import RecordError, UsageError, as_usage_errors
from ..record import Record, is_error
from .columns import SCHEMA, Row, to_batch, to_record, to_row
from .msgpack_reader import too_long
from .output_file import FileOutput, write_whole
from .writers import ByteOutput

# Rows that are read at once: pages are long. And bytes of a file that are read at once.
READ_ROWS, _BUFFER_BYTES = 64, 1 << 20
# Bytes of text that become a batch of Arrow together, which is smaller than rows of Python; and rows of a batch, which
# have a size even without text.
BATCH_BYTES, BATCH_ROWS = 1 << 21, 1 << 10
# Bytes of Arrow in a row group: enough for zstd, and for readers of single columns; one is in memory.
ROW_GROUP_BYTES = 1 << 26
ZSTD_LEVEL = 3  # the default of zstd
# pyarrow, pandas and Spark pass over names that begin so, and read the folder as one table.
MANIFEST = "_manifest.json"
# Shards end at the end of a row group. So many make a shard, at least.
_ROW_GROUPS = 4
_INDENTED = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def parquet_records(
    name: str, file: Any, limit: int, count_bytes: Callable[[int], None]
) -> Iterator[Record | RecordError]:
    """The records of a *file* that can seek, one part of a row group after the other; the fields are the columns.
    *count_bytes* is called with the number of bytes of each row.

    A row group that cannot be read is one error; so is a row of more than *limit* bytes.
    """
    try:
        parquet = pq.ParquetFile(file, buffer_size=_BUFFER_BYTES, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        yield RecordError(f"{name}: not readable as Parquet: {_first_line(error)}")
        return
    for number in range(parquet.num_row_groups):
        total, done = parquet.metadata.row_group(number).num_rows, 0
        try:
            for batch in parquet.iter_batches(READ_ROWS, row_groups=[number], use_threads=False):
                size = max(batch.nbytes // max(len(batch), 1), 1)
                for row in _rows(batch):
                    done += 1
                    count_bytes(size)
                    record = to_record(row)
                    values = [value for value in record.values() if isinstance(value, str | bytes)]
                    text = sum(len(one.encode("utf-8", "replace") if isinstance(one, str) else one) for one in values)
                    yield too_long(text, limit) if text > limit else record
        except (pa.ArrowException, OSError, ValueError) as error:
            lost = f"{total - done:,} of {total:,} rows"
            yield RecordError(f"{name}: row group {number + 1}: {lost} cannot be read: {_first_line(error)}")


def spooled(stream: Any) -> Any:
    """A private temporary file with what is left of a stream, such as a pipe: the index of Parquet is at its end."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the reader closes it)
    shutil.copyfileobj(stream, file, _BUFFER_BYTES)
    file.seek(0)
    return file


def _rows(batch: Any) -> list[Row]:
    """The rows, with values of Python. Nanoseconds are rounded down, which Python's times lack."""
    for at, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            cut = batch.column(at).cast(pa.timestamp("us", field.type.tz), safe=False)
            batch = batch.set_column(at, field.name, cut)
    rows: list[Row] = batch.to_pylist(maps_as_pydicts="strict")
    return rows


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200] or type(error).__name__


# ---- documents as Parquet --------------------------------------------------------------------------------------------


class ParquetSink:
    """Documents in row groups of *row_group_bytes*, compressed with zstd."""

    def __init__(self, output: ByteOutput, row_group_bytes: int = ROW_GROUP_BYTES) -> None:
        self._output, self._row_group_bytes = _CountedOutput(output), row_group_bytes
        self._writer: Any = None
        self._rows: list[Row] = []
        self._size = 0  # of the text in these rows
        self._batches: list[Any] = []
        self._batch_bytes = 0

    @property
    def bytes(self) -> int:
        return self._output.at

    @property
    def checksum(self) -> str:
        return self._output.hash.hexdigest()

    def write(self, record: Record) -> None:
        """Adds a record. Raises RecordError for values that JSON cannot represent."""
        row = to_row(record)
        self._rows.append(row)
        self._size += sum(len(value) for value in row.values() if type(value) is str)
        self._size += sum(len(segment.get("text", "")) + 100 for segment in row.get("segments", ()))
        if self._size >= min(BATCH_BYTES, self._row_group_bytes) or len(self._rows) == BATCH_ROWS:
            self._end_batch()

    def close(self) -> None:
        """Writes what is pending, and the end of the file."""
        self._end_batch()
        self._end_row_group()
        self._open().close()
        self._output.flush()

    def _end_batch(self) -> None:
        if self._rows:
            batch = to_batch(self._rows)
            self._rows, self._size = [], 0
            self._batches.append(batch)
            self._batch_bytes += batch.nbytes
            if self._batch_bytes >= self._row_group_bytes:
                self._end_row_group()

    def _end_row_group(self) -> None:
        if self._batches:
            table = pa.Table.from_batches(self._batches)
            self._open().write_table(table, row_group_size=len(table))
            self._batches, self._batch_bytes = [], 0

    def _open(self) -> Any:
        if self._writer is None:
            self._writer = pq.ParquetWriter(
                pa.PythonFile(self._output, mode="w"), SCHEMA, compression="zstd", compression_level=ZSTD_LEVEL
            )
        return self._writer


class _CountedOutput:
    """An output as a file that is written from its start to its end."""

    closed = False

    def __init__(self, output: ByteOutput) -> None:
        self._output = output
        self.at = 0
        self.hash = hashlib.sha256()

    def write(self, data: Any) -> int:
        self._output.write(bytes(data))
        self.at += len(data)
        self.hash.update(data)
        return len(data)

    def tell(self) -> int:
        return self.at

    def flush(self) -> None:
        self._output.flush()

    def close(self) -> None:
        """The owner of the output closes it."""

    def writable(self) -> bool:
        return True


# ---- shards in a folder ----------------------------------------------------------------------------------------------


class ParquetShards:
    """Shards of about *shard_size* bytes in *folder*. The manifest has *settings*, what documents there are, which
    models scored them, and of each shard the number of documents, the bytes and the checksum (SHA-256).

    Raises UsageError if the folder has shards, or cannot be made.
    """

    def __init__(self, folder: str, shard_size: int, settings: Record) -> None:
        self._folder, self._shard_size, self._settings = folder, shard_size, settings
        self._shard: tuple[str, FileOutput, ParquetSink] | None = None
        self._counts: Counter[str] = Counter()  # of this shard
        self._shards: list[Record] = []
        self._models: Counter[str] = Counter()
        with as_usage_errors(OSError, folder):
            os.makedirs(folder, exist_ok=True)
        if glob.glob(os.path.join(glob.escape(folder), "part-*.parquet")):
            raise UsageError(f"{folder}: has shards of an earlier run")

    def write(self, record: Record) -> None:
        """Adds a record. Raises RecordError for values that JSON cannot represent."""
        if self._shard is None:
            name = f"part-{len(self._shards):05}.parquet"
            file = FileOutput(os.path.join(self._folder, name), plain=True)
            row_group_bytes = max(min(self._shard_size // _ROW_GROUPS, ROW_GROUP_BYTES), 1)
            self._shard = name, file, ParquetSink(file, row_group_bytes)
        sink = self._shard[2]
        sink.write(record)
        self._counts["errors" if is_error(record) else "documents"] += 1
        if isinstance(models := record.get("models"), list):
            self._models.update(map(str, models))
        if sink.bytes >= self._shard_size:
            self._end_shard()

    def close(self) -> None:
        """Completes the last shard, and writes the manifest."""
        self._end_shard()
        manifest = {
            **self._settings,
            "libraries": {"pyarrow": pa.__version__},
            **{name: sum(shard[name] for shard in self._shards) for name in ("documents", "errors", "bytes")},
            "scored": dict(sorted(self._models.items())),
            "shards": self._shards,
        }
        write_whole(os.path.join(self._folder, MANIFEST), [orjson.dumps(manifest, option=_INDENTED)])

    def discard(self) -> None:
        """Leaves the shards that are complete, without a manifest."""
        if self._shard:
            self._shard[1].discard()

    def _end_shard(self) -> None:
        if self._shard:
            name, file, sink = self._shard
            sink.close()
            file.close()
            counts = {what: self._counts[what] for what in ("documents", "errors")}
            self._shards.append({"file": name, **counts, "bytes": sink.bytes, "sha256": sink.checksum})
            self._shard, self._counts = None, Counter()
