"""What executors write: rows of Arrow for Spark's writers, of documents and of errors apart.

rows = output_rows("jsonl")
rows.add({"id": "a", "text": "Text."})
rows.batch()    # value: {"id":"a","text":"Text."}, result: document
"""

from __future__ import annotations

from typing import Any, Protocol

import pyarrow as pa

from ..record import Record, is_error
from ..streams.columns.rows import Row, schema, to_batch, to_row
from ..streams.wet_writer import conversion, date_of, warcinfo
from ..streams.writers import json_line

# The column by which Spark puts documents and errors into folders of their own, and its values.
RESULT, DOCUMENT, ERROR = "result", "document", "error"
_RESULT_FIELD: Any = pa.field(RESULT, pa.string())


class OutputRows(Protocol):
    """The rows of a task, in one format."""

    def add(self, record: Record) -> None:
        """Adds a record. Raises RecordError if the format cannot represent it."""

    def batch(self) -> Any:
        """What was added since the last time, as a `pyarrow.RecordBatch`."""


def output_rows(name: str) -> OutputRows:
    """The rows of a task in a format: `parquet`, `jsonl` or `wet`."""
    return _Columns() if name == "parquet" else _Lines(is_wet=name == "wet")


def row_schema(name: str) -> Any:
    """The schema of the rows (`pyarrow.Schema`)."""
    return schema().append(_RESULT_FIELD) if name == "parquet" else _LINE


def result_of(record: Record) -> str:
    """The folder of a record."""
    return ERROR if is_error(record) else DOCUMENT


class _Columns:
    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._schema = row_schema("parquet")

    def add(self, record: Record) -> None:
        self._rows.append({**to_row(record), RESULT: result_of(record)})

    def batch(self) -> Any:
        rows, self._rows = self._rows, []
        return to_batch(rows, self._schema)


_LINE: Any = pa.schema([pa.field("value", pa.string()), _RESULT_FIELD])


class _Lines:
    """Lines of JSON; or records of WET, of which Spark writes the last line feed. Errors are JSON in any case."""

    def __init__(self, is_wet: bool) -> None:
        self._is_wet = is_wet
        self._number = 0
        self._started = False  # whether there is a document, before which a WET file has its first record
        self._values: list[bytes] = []
        self._results: list[str] = []

    def add(self, record: Record) -> None:
        self._number += 1
        if not self._is_wet or is_error(record):
            data = json_line(record)
        else:
            data = conversion(record, self._number)
            if not self._started:
                data = warcinfo(date_of(record), data) + data
            self._started = True
        self._values.append(data[:-1])
        self._results.append(result_of(record))

    def batch(self) -> Any:
        values, results = pa.array(self._values, pa.binary()).cast(pa.string()), pa.array(self._results, pa.string())
        self._values, self._results = [], []
        return pa.RecordBatch.from_arrays([values, results], schema=_LINE)
