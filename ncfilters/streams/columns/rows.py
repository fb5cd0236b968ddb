"""The columns of records, and records as rows of them, and back, without loss.

    row = to_row({"id": "a", "score": 7})    # {"id": "a", "other_fields": '{"score":7}'}
    to_record(row)                           # {"id": "a", "score": 7}

A field that is null, has no column, or has a value of another type than its column, is in `other_fields`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from ...record import HOLDERS, VERSION, Record
from ..json_lines import parse_line
from ..writers import json_line, replace_surrogates

Row = dict[str, Any]
Convert = Callable[[Any], Any]

# The column, of records and of segments, with the fields that have none.
OTHER = "other_fields"
# The types of values: JSON's.
STRING, INT, FLOAT, BOOL = "string", "int", "float", "bool"


@dataclass(frozen=True)
class ListOf:
    """A list of values of one type."""

    item: Column


@dataclass(frozen=True)
class Fields:
    """An object with these fields. Where it is *open*, OTHER has the others, as JSON; else it has no others."""

    types: dict[str, Column]
    open: bool = True


@dataclass(frozen=True)
class Span:
    """A span of nc-stream(5), which is an array: a structure of SPAN."""


Column = str | ListOf | Fields | Span

_IMAGE: dict[str, Column] = {"src": STRING, "alt": STRING, "link": STRING, "row": INT, "column": INT}
# What an array [start, end, kind, value, "display"] has; `image` instead of `value` for images.
SPAN: dict[str, Column] = {
    "start": INT,
    "end": INT,
    "kind": STRING,
    "value": STRING,
    "display": BOOL,
    "image": Fields(_IMAGE, open=False),
}
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
    "cells": ListOf(Fields(CELL, open=False)),
    "code": INT,
    "code_text": STRING,
    "code_language": STRING,
    "note": Fields({"id": STRING}, open=False),
    "spans": ListOf(Span()),
    "figure": ListOf(Fields({**_IMAGE, "caption": STRING, "after": BOOL, **dict.fromkeys(HOLDERS, INT)}, open=False)),
}
HEAD: dict[str, Column] = {
    **dict.fromkeys(("title", "declared_title", "description"), STRING),
    "author": ListOf(STRING),
    **dict.fromkeys(("date", "modified", "site", "language", "canonical", "license", "image"), STRING),
    "categories": ListOf(STRING),
    "price": STRING,
    "alternatives": ListOf(Fields(dict.fromkeys(("field", "value", "evidence"), STRING), open=False)),
    "kinds": ListOf(STRING),
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
    "encoding": Fields({"name": STRING, "evidence": STRING, "declared": STRING, "replaced": INT}),
    "head": Fields({**HEAD, "evidence": Fields(dict.fromkeys(HEAD, STRING))}),
    "page": Fields({"odds": FLOAT, "type": STRING, "types": Fields(dict.fromkeys(PAGE_TYPES, FLOAT)), "words": BOOL}),
    "models": ListOf(STRING),
    "segments": ListOf(Fields(SEGMENT)),
    "html": STRING,
    "gold": STRING,
    "error": Fields({"stage": STRING, "message": STRING}),
    "nc": INT,
}
DOCUMENT = Fields(RECORD)
_TYPES: dict[str, type] = {STRING: str, INT: int, FLOAT: float, BOOL: bool}
_MAX_INT = 1 << 63
_SPAN_NAMES = frozenset(SPAN)
_SCALARS: dict[str, Any] = {STRING: pa.string(), INT: pa.int64(), FLOAT: pa.float64(), BOOL: pa.bool_()}
# The metadata of files that have this schema.
VERSION_KEY = b"ncfilters.schema"


def to_row(record: Record) -> Row:
    """The row of a record. Raises RecordError for values that JSON cannot represent."""
    row: Row = _document(record)
    return row


def to_record(row: Row) -> Record:
    """The record of a row of any Parquet file. What is null is left out."""
    record: Record = _without_nulls(row)
    return record


class _Misfit(Exception):
    """A value is not of the type of its column."""


def _converter(column: Column) -> Convert:
    """The function that converts a value for a column. It raises _Misfit."""
    if isinstance(column, str):
        return _scalar(_TYPES[column])
    if isinstance(column, ListOf):
        return _list(_converter(column.item))
    if isinstance(column, Fields):
        converters = {name: _converter(field) for name, field in column.types.items()}
        return _open_fields(converters) if column.open else _closed_fields(converters)
    return _span(_converter(SPAN["image"]))


def _scalar(kind: type) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not kind:
            raise _Misfit
        return value

    return _integer if kind is int else convert


def _integer(value: Any) -> Any:
    if type(value) is not int or not -_MAX_INT <= value < _MAX_INT:
        raise _Misfit
    return value


def _list(item: Convert) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not list:
            raise _Misfit
        return [item(one) for one in value]

    return convert


def _closed_fields(converters: dict[str, Convert]) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not dict or not value.keys() <= converters.keys():
            raise _Misfit
        return {name: converters[name](one) for name, one in value.items()}

    return convert


def _open_fields(converters: dict[str, Convert]) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not dict:
            raise _Misfit
        out, other = {}, {}
        for name, one in value.items():
            try:
                out[name] = converters[name](one)
            except (_Misfit, KeyError):
                other[name] = one
        if other:
            out[OTHER] = json_line(other)[:-1].decode()
        return out

    return convert


def _span(image: Convert) -> Convert:
    def convert(value: Any) -> Any:
        if type(value) is not list or [type(part) for part in value[:3]] != [int, int, str] or len(value) > 5:
            raise _Misfit
        out = dict(zip(("start", "end", "kind"), value))
        if len(value) > 3:
            is_image = type(value[3]) is dict
            out["image" if is_image else "value"] = image(value[3]) if is_image else _string(value[3])
        if len(value) > 4:
            if value[4] != "display":
                raise _Misfit
            out["display"] = True
        return out

    return convert


_string = _scalar(str)
_document = _converter(DOCUMENT)


def _without_nulls(value: Any) -> Any:
    """A value of Parquet as one of JSON: structures without what is null, spans as arrays, other fields as such."""
    if type(value) is list:
        return [_without_nulls(item) for item in value]
    if type(value) is not dict:
        return value
    if value.keys() == _SPAN_NAMES:
        return _span_array(value)
    out = {name: _without_nulls(one) for name, one in value.items() if one is not None}
    if type(other := out.get(OTHER)) is str and isinstance(fields := parse_line(other.encode()), dict):
        del out[OTHER]
        out.update(fields)
    return out


def _span_array(span: Row) -> list[Any]:
    out = [span["start"], span["end"], span["kind"]]
    if span["image"] is not None or span["value"] is not None:
        out.append(span["value"] if span["image"] is None else _without_nulls(span["image"]))
    if span["display"]:
        out.append("display")
    return out


# ---- tables of PyArrow -----------------------------------------------------------------------------------------------


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
