"""The record, which every filter reads and writes. nc-stream(5) describes it in prose.

record.check({"id": "a", "html": 7})   # RecordError: html: expected a string or bytes, got a number
"""

from __future__ import annotations

from typing import Any

from .errors import RecordError

Record = dict[str, Any]
# Entries of a record's `blocks` and `segments`.
Block = dict[str, Any]
Segment = dict[str, Any]


class PageText:
    """The HTML of a record in UTF-8, as what reads pages wants it; `str` decodes it."""

    def __init__(self, utf8: bytes) -> None:
        self.utf8 = utf8

    def __str__(self) -> str:
        return self.utf8.decode()


# The version of the schema, in the field `nc` of every output record. A record without it comes from another program,
# and is read as this version.
VERSION = 1

_STRING, _NUMBER = (str,), (int, float)
# Field → the types that it may have. Other fields pass through unchanged.
FIELDS: dict[str, tuple[type, ...]] = {
    "nc": (int,),
    "id": (str, int, type(None)),
    "url": (str, type(None)),
    "html": (str, bytes, PageText),
    "encoding": (dict, str, type(None)),
    "blocks": (list,),
    "text": _STRING,
    "segments": (list,),
    "models": (list,),
    "head": (dict, type(None)),
    "page": (dict, type(None)),
    "lang": (str, type(None)),
    "quality": (int, float, type(None)),
}
BLOCK_FIELDS: dict[str, tuple[type, ...]] = {
    "text": _STRING,
    "tag": _STRING,
    "path": _STRING,
    "links": (int,),
    "br": (bool,),
    "marker": _STRING,
    "hidden": _STRING,
    "pre": (bool,),
    "bold": (bool,),
    "origin": _STRING,
    "declared": _STRING,
    "post": (int,),
    "part": _STRING,
}
# Fields of blocks and segments with markup.
MARKUP_FIELDS: dict[str, tuple[type, ...]] = {
    "spans": (list,),
    "level": (int,),
    "depth": (int,),
    "item": (int,),
    "quote": (int,),
    "new_quote": (int,),
    "figure": (list,),
    "table": (int,),
    "cells": (list,),
    "code": (int,),
    "code_text": _STRING,
    "code_language": _STRING,
    "note": (dict,),
}
SEGMENT_FIELDS: dict[str, tuple[type, ...]] = {
    **BLOCK_FIELDS,
    **MARKUP_FIELDS,
    "lines": (bool,),
    "type": _STRING,
    "rule": _STRING,
    "element_rule": _STRING,
    "segment": (int,),
    "start": (int,),
    "score": _NUMBER,
    "scores": (dict,),
    "score_article": _NUMBER,
    "score_all": _NUMBER,
    "role": _STRING,
    "role_probability": _NUMBER,
    "keep": (bool,),
    "reason": _STRING,
    "option": _STRING,
}
# The rule of embedded content, which a page contains but does not show (see `hidden_content`). These segments have no
# neighbours.
EMBEDDED = "embedded"
# The field of blocks and segments with the name of the user's rule that they are dropped or kept by (see
# `element_rules`).
ELEMENT_RULE = "element_rule"
# The origins of segments in the visible tree of the page; segments of other origins are embedded content.
SEEN = ("noscript", "shadow")
TYPES = ("p", "h", "l")
# The numbers of lists and of quotes around a segment, and of its table; an image beside it that has lower ones has its
# own: 0 for no table.
HOLDERS = ("depth", "quote", "table")
# What a segment of a post is, unless it is the text of a post in a thread (see `post_blocks`).
COMMENT, BYLINE, FURNITURE, REST = "comment", "byline", "furniture", "rest"
# What nc-segment makes segments of.
_UNSEGMENTED = {"html", "blocks", "text"}

NAMES = {
    str: "a string",
    int: "a number",
    float: "a decimal number",
    bool: "a boolean",
    list: "an array",
    dict: "an object",
    type(None): "null",
    bytes: "bytes",
}


def is_error(record: Record) -> bool:
    """Whether the record failed in an earlier stage."""
    error = record.get("error")
    return isinstance(error, dict) and "stage" in error


def posts_of(record: Record) -> list[Record]:
    """The posts of a record; none if its field is that of another program."""
    posts = record.get("posts")
    is_own = isinstance(posts, list) and all(isinstance(post, dict) for post in posts)
    return posts if isinstance(posts, list) and is_own else []


def runs_code(address: object) -> bool:
    """Whether a browser runs what an address holds. As browsers do, it ignores controls and spaces."""
    if not isinstance(address, str) or address.startswith("http"):  # for speed: most
        return False
    return "".join(filter(" ".__lt__, address)).lower().startswith(("javascript:", "vbscript:", "data:"))


def check(record: Record) -> None:
    """Raises RecordError with the name of the field if a field has a type that the schema does not allow."""
    version = record.get("nc")
    if version is not None and version != VERSION:
        raise RecordError(f"nc: schema version {version!r}; this program reads version {VERSION}")
    for name in record.keys() & FIELDS.keys():
        if type(record[name]) not in FIELDS[name]:
            # the first in the order of the schema: that of a set differs from run to run
            name = next(name for name in FIELDS if name in record and type(record[name]) not in FIELDS[name])
            raise _wrong(name, record[name], FIELDS[name])
    if record.get("head"):
        from .head import check_head  # start-up: many streams have no heads

        check_head(record["head"])
    if record.get("page"):
        _check_page(record["page"])


def _check_page(page: Record) -> None:
    """Raises RecordError if `odds` or `types` of the field `page` are not as nc-score writes them."""
    if type(page.get("odds", 0)) not in _NUMBER:
        raise _wrong("page.odds", page["odds"], _NUMBER)
    if type(page.get("words", True)) is not bool:
        raise RecordError("page.words: expected true or false")
    types = page.get("types", {})
    if type(types) is not dict or not all(type(share) in _NUMBER and 0 <= share <= 1 for share in types.values()):
        raise RecordError("page.types: expected an object of numbers from 0 to 1")


def parts(record: Record, name: str, required: dict[str, tuple[type, ...]]) -> list[Record]:
    """The blocks or segments of a record (*name*). Fields that are not *required* are checked where they are read.

    Raises RecordError if a part lacks a required field, or has a value of another type in it.
    """
    if name not in record:
        is_unsegmented = name == "segments" and not _UNSEGMENTED.isdisjoint(record)
        raise RecordError(f"{name}: missing", remedy="run nc-segment first" if is_unsegmented else "")
    items: list[Record] = record[name]
    try:
        for field, types in required.items():
            if not {type(item[field]) for item in items} <= set(types):
                raise TypeError
    except (TypeError, KeyError, IndexError):
        for number, item in enumerate(items):
            if type(item) is not dict:
                raise _wrong(f"{name}[{number}]", item, (dict,)) from None
            for field, types in required.items():
                if field not in item:
                    remedy = "run nc-score first" if field == "score" else ""
                    raise RecordError(f"{name}[{number}].{field}: missing", remedy=remedy) from None
                if type(item[field]) not in types:
                    raise _wrong(f"{name}[{number}].{field}", item[field], types) from None
    return items


def field_names(items: list[Any], types: dict[str, tuple[type, ...]]) -> set[str] | None:
    """The names of all fields of blocks or segments; None if one is no dict, or has a value of another type in one of
    the fields in *types*."""
    known: dict[str, type] = {}  # the last type of each field, which is that of most
    for item in items:
        if type(item) is not dict:
            return None
        fields: Record = item
        for name, value in fields.items():
            kind = type(value)
            if known.get(name) is not kind:
                if name in types and kind not in types[name]:
                    return None
                known[name] = kind
    return set(known)


def check_optional(items: list[Record], name: str, fields: dict[str, tuple[type, ...]]) -> None:
    """Raises RecordError for the first of the parts (*name*) that has a value of another type in one of *fields*."""
    for field, types in fields.items():
        if not {type(item[field]) for item in items if field in item} <= set(types):
            for number, item in enumerate(items):
                if field in item and type(item[field]) not in types:
                    raise _wrong(f"{name}[{number}].{field}", item[field], types)


def check_markup(items: list[Record], name: str) -> None:
    """Raises RecordError for the first of the parts (*name*) with markup that nc-stream(5) does not allow: fields of
    other types, spans that are not in the text, or images and cells without what they must have."""
    if field_names(items, MARKUP_FIELDS) is None:
        check_optional(items, name, MARKUP_FIELDS)
    for field, is_valid in _MARKUP_CHECKS.items():
        for number, item in enumerate(items):
            for at, value in enumerate(item.get(field, ())):
                if not is_valid(value, len(item["text"])):
                    raise RecordError(f"{name}[{number}].{field}[{at}]: not as in nc-stream(5)")


def _is_span(value: object, size: int) -> bool:
    if not isinstance(value, list) or len(value) < 3:
        return False
    start, end, kind, *more = value
    if not (_is_range(start, end, size) and isinstance(kind, str)):
        return False
    if kind == "image":
        return bool(more) and _is_image(more[0], size)
    return kind not in _KINDS_WITH_VALUE or bool(more) and isinstance(more[0], str)


def _is_image(value: object, size: int) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("src"), str)
        and isinstance(value.get("alt", ""), str)
        and all(isinstance(value.get(name, 0), int) for name in HOLDERS)
    )


def _is_cell(value: object, size: int) -> bool:
    if not isinstance(value, dict) or not _is_range(value.get("start"), value.get("end"), size):
        return False
    return type(value.get("row")) is int and type(value.get("column")) is int


def _is_range(start: object, end: object, size: int) -> bool:
    return type(start) is int and type(end) is int and 0 <= start <= end <= size


_KINDS_WITH_VALUE = frozenset(("link", "math", "note", "footnote", "task"))
_MARKUP_CHECKS = {"spans": _is_span, "figure": _is_image, "cells": _is_cell}


def check_types(items: list[Record], name: str) -> None:
    """Raises RecordError for the first of the parts (*name*) that has a `type` which is not in TYPES."""
    for number, item in enumerate(items):
        if item.get("type", TYPES[0]) not in TYPES:
            accepted = f"{', '.join(TYPES[:-1])} or {TYPES[-1]}"
            raise RecordError(f"{name}[{number}].type: expected {accepted}, got {item['type'][:40]!r}")


def _wrong(where: str, value: object, types: tuple[type, ...]) -> RecordError:
    kinds = [kind for kind in types if kind not in (type(None), PageText) and not (kind is float and int in types)]
    accepted = " or ".join("an integer" if kind is int and float not in types else NAMES[kind] for kind in kinds)
    return RecordError(f"{where}: expected {accepted}, got {NAMES.get(type(value), type(value).__name__)}")
