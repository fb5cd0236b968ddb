"""Records as rows of columns, and back, without loss.

    row = to_row({"id": "a", "score": 7})    # {"id": "a", "other_fields": '{"score":7}'}
    to_record(row)                           # {"id": "a", "score": 7}

A field that is null, has no column, or has a value of another type than its column, is in `other_fields`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...record import Record
from ..json_lines import parse_line
from ..writers import json_line
from .columns import BOOL, DOCUMENT, FLOAT, INT, OTHER, SPAN, STRING, Column, Fields, ListOf

Row = dict[str, Any]
Convert = Callable[[Any], Any]

_TYPES: dict[str, type] = {STRING: str, INT: int, FLOAT: float, BOOL: bool}
_MAX_INT = 1 << 63
_SPAN_NAMES = frozenset(SPAN)


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
