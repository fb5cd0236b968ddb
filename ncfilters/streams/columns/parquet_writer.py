"""Documents as Parquet: a sink of records.

sink = ParquetSink(FileOutput("corpus.parquet"))
sink.write({"id": "a", "text": "Text."}); sink.close()

The same records give the same bytes. A file without its end, which `close` writes, is not readable.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...record import Record
from ..writers import ByteOutput
from .rows import Row, to_row
from .tables import schema, to_batch

# Bytes of text that become a batch of Arrow together, which is smaller than rows of Python.
BATCH_BYTES = 1 << 21
# Rows of a batch: rows have a size, even without text.
BATCH_ROWS = 1 << 10
# Bytes of Arrow in a row group: enough for zstd, and for readers of single columns; one is in memory.
ROW_GROUP_BYTES = 1 << 26
ZSTD_LEVEL = 3  # the default of zstd


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
        """The number of bytes written."""
        return self._output.at

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

    def write(self, data: Any) -> int:
        self._output.write(bytes(data))
        self.at += len(data)
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
