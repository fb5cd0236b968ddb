"""Records of Parquet files, whoever wrote them, one part of a row group after the other.

    for item in parquet_records("crawl.parquet", open("crawl.parquet", "rb"), limit=1 << 28, count_bytes=print): ...

The fields are the columns. What is null is left out; dates and times are text (ISO 8601).
"""

from __future__ import annotations

import datetime
import decimal
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import RecordError
from ...record import Record
from ..msgpack_reader import too_long
from .rows import Row, to_record

# Rows that are converted at once. Pages are long.
BATCH_ROWS = 64
# Bytes of a row group's page of data that are read at once.
_BUFFER_BYTES = 1 << 20


def parquet_records(
    name: str, file: Any, limit: int, count_bytes: Callable[[int], None]
) -> Iterator[Record | RecordError]:
    """The records of a *file* that can seek. *count_bytes* is called with the number of bytes of each row.

    A row group that cannot be read is one error; so is a row of more than *limit* bytes.
    """
    try:
        parquet = pq.ParquetFile(file, buffer_size=_BUFFER_BYTES, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        yield RecordError(f"{name}: not readable as Parquet: {_first_line(error)}")
        return
    for number in range(parquet.num_row_groups):
        yield from _row_group(name, parquet, number, limit, count_bytes)


def spooled(stream: Any) -> Any:
    """A private temporary file with what is left of a stream, such as a pipe: the index of Parquet is at its end."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 (the reader closes it)
    shutil.copyfileobj(stream, file, _BUFFER_BYTES)
    file.seek(0)
    return file


def _row_group(
    name: str, parquet: Any, number: int, limit: int, count_bytes: Callable[[int], None]
) -> Iterator[Record | RecordError]:
    total, done = parquet.metadata.row_group(number).num_rows, 0
    try:
        for batch in parquet.iter_batches(BATCH_ROWS, row_groups=[number], use_threads=False):
            size = max(batch.nbytes // max(len(batch), 1), 1)
            for row in _rows(batch):
                done += 1
                count_bytes(size)
                yield _record(row, limit)
    except (pa.ArrowException, OSError, UnicodeDecodeError, ValueError) as error:
        lost = f"{total - done:,} of {total:,} rows"
        yield RecordError(f"{name}: row group {number + 1}: {lost} cannot be read: {_first_line(error)}")


def _rows(batch: Any) -> list[Row]:
    """The rows, with values of Python. Nanoseconds are rounded down, which Python's times lack."""
    for at, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            cut = batch.column(at).cast(pa.timestamp("us", field.type.tz), safe=False)
            batch = batch.set_column(at, field.name, cut)
    rows: list[Row] = batch.to_pylist(maps_as_pydicts="strict")
    return rows


def _record(row: Row, limit: int) -> Record | RecordError:
    record = to_record({name: _plain(value) for name, value in row.items()})
    values = [value for value in record.values() if isinstance(value, str | bytes)]
    size = sum(len(value.encode("utf-8", "replace") if isinstance(value, str) else value) for value in values)
    return too_long(size, limit) if size > limit else record


def _plain(value: Any) -> Any:
    """A value as JSON has it, or bytes."""
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | datetime.timedelta):
        return str(value)
    return value


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200] or type(error).__name__
