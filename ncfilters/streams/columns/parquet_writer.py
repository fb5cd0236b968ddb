"""Documents as Parquet: a sink of records, and one that writes a folder of shards.

sink = ParquetSink(FileOutput("corpus.parquet"))
sink.write({"id": "a", "text": "Text."}); sink.close()

The same records give the same bytes. A file without its end, which `close` writes, is not readable.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import UsageError, as_usage_errors
from ...record import Record, is_error
from ..output_file import FileOutput
from ..writers import ByteOutput
from .rows import Row, schema, to_batch, to_row

# Bytes of text that become a batch of Arrow together, which is smaller than rows of Python.
BATCH_BYTES = 1 << 21
# Rows of a batch: rows have a size, even without text.
BATCH_ROWS = 1 << 10
# Bytes of Arrow in a row group: enough for zstd, and for readers of single columns; one is in memory.
ROW_GROUP_BYTES = 1 << 26
ZSTD_LEVEL = 3  # the default of zstd
# pyarrow, pandas and Spark pass over names that begin so, and read the folder as one table.
MANIFEST = "_manifest.json"
# Shards end at the end of a row group. So many make a shard, at least.
_ROW_GROUPS = 4


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
        self._size += _text_size(row)
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
            batch = to_batch(self._rows, schema())
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
                pa.PythonFile(self._output, mode="w"), schema(), compression="zstd", compression_level=ZSTD_LEVEL
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


def _text_size(row: Row) -> int:
    """About the size of a row: that of its text."""
    size = sum(len(value) for value in row.values() if type(value) is str)
    return size + sum(len(segment.get("text", "")) + 100 for segment in row.get("segments", ()))


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
        path = os.path.join(self._folder, MANIFEST)
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(manifest, file, ensure_ascii=False, indent=1)
            file.write("\n")
        os.replace(path + ".tmp", path)

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
