"""The columns of documents, as data: which fields of a record have a column of their own, and its type.

Parquet, DuckDB, Spark and `datasets` see these columns. A field without one, or with a value that its column cannot
represent exactly, is in `other_fields`, as JSON. There are no maps, which `datasets` cannot read.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...record import HOLDERS

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
    "text": STRING,
    "type": STRING,
    "tag": STRING,
    "path": STRING,
    "links": INT,
    "score": FLOAT,
    "keep": BOOL,
    "reason": STRING,
    "option": STRING,
    "role": STRING,
    "role_probability": FLOAT,
    "rule": STRING,
    "element_rule": STRING,
    "class": STRING,
    "marker": STRING,
    "br": BOOL,
    "pre": BOOL,
    "bold": BOOL,
    "lines": BOOL,
    "hidden": STRING,
    "origin": STRING,
    "declared": STRING,
    "post": INT,
    "part": STRING,
    "segment": INT,
    "start": INT,
    "score_article": FLOAT,
    "score_all": FLOAT,
    "perplexity": FLOAT,
    "link_density": FLOAT,
    "stopword_density": FLOAT,
    "level": INT,
    "depth": INT,
    "item": INT,
    "quote": INT,
    "new_quote": INT,
    "table": INT,
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
