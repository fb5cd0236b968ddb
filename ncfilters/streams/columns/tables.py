"""Rows as Arrow's tables: the schema, and batches of rows.

batch = to_batch([{"id": "a", "text": "Text."}], schema())    # pyarrow.RecordBatch
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pyarrow as pa

from ...record import VERSION
from ..writers import replace_surrogates
from .columns import BOOL, DOCUMENT, FLOAT, INT, OTHER, SPAN, STRING, Column, Fields, ListOf
from .rows import Row

_SCALARS: dict[str, Any] = {STRING: pa.string(), INT: pa.int64(), FLOAT: pa.float64(), BOOL: pa.bool_()}
# The metadata of files that have this schema.
VERSION_KEY = b"ncfilters.schema"


@cache
def schema() -> Any:
    """The schema of documents (`pyarrow.Schema`)."""
    return pa.schema(_fields(DOCUMENT), metadata={VERSION_KEY: str(VERSION).encode()})


def to_batch(rows: list[Row], of: Any) -> Any:
    """The rows as a batch (`pyarrow.RecordBatch`) of that schema. Lone surrogates become U+FFFD."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=of)
    except UnicodeEncodeError:
        return pa.RecordBatch.from_pylist(replace_surrogates(rows), schema=of)


def _type(column: Column) -> Any:
    if isinstance(column, str):
        return _SCALARS[column]
    if isinstance(column, ListOf):
        return pa.list_(_type(column.item))
    if isinstance(column, Fields):
        return pa.struct(_fields(column))
    return pa.struct(_fields(Fields(SPAN, open=False)))


def _fields(of: Fields) -> list[Any]:
    other: list[Any] = [pa.field(OTHER, pa.string())] if of.open else []
    return [pa.field(name, _type(column)) for name, column in of.types.items()] + other
