"""The columns of records, and records as rows of them, and back, without loss.

    row = to_row({"id": "a", "score": 7})    # {"id": "a", "other_fields": '{"score":7}'}
    to_record(row)                           # {"id": "a", "score": 7}

A field that is null, has no column, or has a value of another type than its column, is in `other_fields`.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from ..head import FIELDS
from ..record import HOLDERS, VERSION, PageText, Record
from .json_lines import parse_line
from .writers import json_line, replace_surrogates

Row = dict[str, Any]
Convert = Callable[[Any], Any]
Column = Any  # a `pyarrow.DataType`

# The column, of records and of segments, with the fields that have none.
OTHER = "other_fields"
STRING, INT, FLOAT, BOOL = pa.string(), pa.int64(), pa.float64(), pa.bool_()


def _closed(types: dict[str, Column]) -> Column:
    """An object with these fields and no others."""
    return pa.struct(list(types.items()))


def _open(types: dict[str, Column]) -> Column:
    """An object with these fields, and others, which are in OTHER as JSON."""
    return _closed({**types, OTHER: STRING})


_IMAGE: dict[str, Column] = {"src": STRING, "alt": STRING, "link": STRING, "row": INT, "column": INT}
# A span of nc-stream(5), which is an array [start, end, kind, value, "display"]; `image` has the value of images.
SPAN = _closed({
    "start": INT,
    "end": INT,
    "kind": STRING,
    "value": STRING,
    "display": BOOL,
    "image": _closed(_IMAGE),
})  # fmt: skip
CELL: dict[str, Column] = {**dict.fromkeys(("start", "end", "row", "column", "rows", "columns"), INT), "header": BOOL}
SEGMENT: dict[str, Column] = {
    **dict.fromkeys("text type tag path".split(), STRING),
    "links": INT,
    "score": FLOAT,
    "keep": BOOL,
    **dict.fromkeys("reason option role".split(), STRING),
    "role_probability": FLOAT,
    **dict.fromkeys("rule element_rule class marker".split(), STRING),
    **dict.fromkeys("br pre bold lines".split(), BOOL),
    **dict.fromkeys("hidden origin declared".split(), STRING),
    "post": INT,
    "part": STRING,
    "segment": INT,
    "start": INT,
    **dict.fromkeys("score_article score_all perplexity link_density stopword_density".split(), FLOAT),
    **dict.fromkeys("level depth item quote new_quote table".split(), INT),
    "cells": pa.list_(_closed(CELL)),
    "code": INT,
    "code_text": STRING,
    "code_language": STRING,
    "note": _closed({"id": STRING}),
    "spans": pa.list_(SPAN),
    "figure": pa.list_(_closed({**_IMAGE, "caption": STRING, "after": BOOL, **dict.fromkeys(HOLDERS, INT)})),
}
HEAD: dict[str, Column] = {
    **dict.fromkeys(("title", "declared_title", "description"), STRING),
    **{field.name: pa.list_(STRING) if field.is_list else STRING for field in FIELDS},
    "alternatives": pa.list_(_closed(dict.fromkeys(("field", "value", "evidence"), STRING))),
    "kinds": pa.list_(STRING),
}
# The types of pages that the models of now know.
PAGE_TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
RECORD: dict[str, Column] = {
    "id": STRING,
    "url": STRING,
    "text": STRING,
    "lang": STRING,
    "lang_probability": FLOAT,
    "quality": FLOAT,
    "crawl_date": STRING,
    "status": INT,
    "content_type": STRING,
    "refers_to": STRING,
    "encoding": _open({"name": STRING, "evidence": STRING, "declared": STRING, "replaced": INT}),
    "head": _open({**HEAD, "evidence": _open(dict.fromkeys(HEAD, STRING))}),
    "page": _open({"odds": FLOAT, "type": STRING, "types": _open(dict.fromkeys(PAGE_TYPES, FLOAT)), "words": BOOL}),
    "models": pa.list_(STRING),
    "segments": pa.list_(_open(SEGMENT)),
    "html": STRING,
    "gold": STRING,
    "error": _open({"stage": STRING, "message": STRING}),
    "nc": INT,
}
# The metadata of files that have this schema.
VERSION_KEY = b"ncfilters.schema"
SCHEMA = pa.schema(list(_open(RECORD)), metadata={VERSION_KEY: str(VERSION).encode()})
_SPAN_NAMES = frozenset(field.name for field in SPAN)
_TYPES: dict[Column, type[Any]] = {STRING: str, INT: int, FLOAT: float, BOOL: bool}
_MAX_INT = 1 << 63


def to_row(record: Record) -> Row:
    """The row of a record. Raises RecordError for values that JSON cannot represent."""
    row: Row = _document(record)
    return row


def to_record(row: Row) -> Record:
    """The record of a row of any Parquet file. What is null is left out; dates and times are text (ISO 8601)."""
    record: Record = _json_value(row)
    return record


def to_batch(rows: list[Row], schema: Any = SCHEMA) -> Any:
    """The rows as a batch (`pyarrow.RecordBatch`). Lone surrogates become U+FFFD."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:
        return pa.RecordBatch.from_pylist(replace_surrogates(rows), schema=schema)


class _Misfit(Exception):
    """A value is not of the type of its column."""


def _converter(column: Column) -> Convert:
    """The function that converts a value for a column. It raises _Misfit."""
    if column == SPAN:
        return _span
    if pa.types.is_list(column):
        return _list(_converter(column.value_type))
    if pa.types.is_struct(column):
        converters = {field.name: _converter(field.type) for field in column}
        return _fields(converters, is_open=converters.pop(OTHER, None) is not None)
    return _scalar(_TYPES[column])


def _scalar(kind: type[Any]) -> Convert:
    def convert(value: Any) -> Any:
        if kind is str and type(value) is PageText:
            return str(value)
        if type(value) is not kind or kind is int and not -_MAX_INT <= value < _MAX_INT:
            raise _Misfit
        return value

    return convert


def _list(item: Convert) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not list:
            raise _Misfit
        return [item(one) for one in value]

    return convert


def _fields(converters: dict[str, Convert], is_open: bool) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not dict:
            raise _Misfit
        out, other = {}, {}
        for name, one in value.items():
            try:
                out[name] = converters[name](one)
            except (_Misfit, KeyError):
                if not is_open:
                    raise _Misfit from None
                other[name] = one
        if other:
            out[OTHER] = json_line(other)[:-1].decode()
        return out

    return convert


def _span(value: Any) -> Any:
    if type(value) is not list or [type(part) for part in value[:3]] != [int, int, str]:
        raise _Misfit
    out = dict(zip(("start", "end", "kind"), value))
    if len(value) > 3:
        is_image = type(value[3]) is dict
        out["image" if is_image else "value"] = _image(value[3]) if is_image else _string(value[3])
    if len(value) > 4:
        if value[4:] != ["display"]:
            raise _Misfit
        out["display"] = True
    return out


_string, _image, _document = _scalar(str), _converter(_closed(_IMAGE)), _converter(_open(RECORD))


def _json_value(value: Any) -> Any:
    """A value of Parquet as one of JSON, or bytes: structures without what is null, spans as arrays, other fields as
    such."""
    if type(value) is list:
        return [_json_value(item) for item in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | datetime.timedelta):
        return str(value)
    if type(value) is not dict:
        return value
    if value.keys() == _SPAN_NAMES:
        array = [value["start"], value["end"], value["kind"]]
        content = value["value"] if value["image"] is None else _json_value(value["image"])
        return array + ([content] if content is not None else []) + (["display"] if value["display"] else [])
    out = {name: _json_value(one) for name, one in value.items() if one is not None}
    if type(other := out.get(OTHER)) is str and isinstance(fields := parse_line(other.encode()), dict):
        del out[OTHER]
        out.update(fields)
    return out
