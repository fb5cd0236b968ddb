"""Metadata of a document as YAML before its Markdown.

    front_matter({"title": 'It "rained"', "author": ["Ann Lee"]})
    # '---\\ntitle: "It \\\\"rained\\\\""\\nauthor:\\n  - "Ann Lee"\\n---\\n'

Each value is a double-quoted scalar on a line, so that no page can end the block or add to it. YAML 1.1 and 1.2 read
the same values back.
"""

from __future__ import annotations

import re

from ..head import FIELDS, NAMES, has_metadata
from ..record import Record, runs_code
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import UNDETERMINED
from .title import head_title

# The fields in the order in which they are written, and where a record has what its head lacks.
ORDER = tuple(
    dict.fromkeys((*"title author date site url language description license modified".split(), *NAMES, "retrieved"))
)
_ADDRESSES = ("url", *(field.name for field in FIELDS if field.kind in ("canonical", "image")))
_OF_RECORD = {"language": "lang", "url": "url", "retrieved": "crawl_date"}

# What is not printable in YAML, or a line break there; and what has a short name.
_UNPRINTABLE = lazy_pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_SURROGATE = lazy_pattern("[\ud800-\udfff]")


def document_metadata(document: Record) -> dict[str, str | list[str]]:
    """The metadata of a record, in ORDER; what is not known, or not of its type, is left out.

    `url` and `retrieved` are the record's own, the latter the time when the page was read (of a WARC file). A head
    without metadata (see `page_metadata`) has a title without the name of the site.
    """
    head = document.get("head")
    fields: Record = head if isinstance(head, dict) else {}
    if not has_metadata(fields):
        fields = {**fields, "title": head_title(document)}
    out: dict[str, str | list[str]] = {}
    for name in ORDER:
        value = fields.get(name)
        if name in _OF_RECORD and not isinstance(value, str):
            value = document.get(_OF_RECORD[name])
        if name == "language" and value == UNDETERMINED:
            continue
        if isinstance(value, list):
            value = [item for item in value if isinstance(item, str) and item]
        if name in _ADDRESSES and runs_code(value):
            continue
        if name == "description" and isinstance(value, str) and "&" in value:
            value = _unescaped(value)
        if value and isinstance(value, (str, list)):
            out[name] = value
    return out


def front_matter(metadata: dict[str, str | list[str]]) -> str:
    """The metadata between lines of `---`; empty if there are none."""
    lines = []
    for name, value in metadata.items():
        if isinstance(value, str):
            lines.append(f"{name}: {scalar(value)}")
        else:
            lines += [f"{name}:", *[f"  - {scalar(item)}" for item in value]]
    return "\n".join(["---", *lines, "---", ""]) if lines else ""


def scalar(text: str) -> str:
    """*text* as a double-quoted scalar. A lone surrogate becomes U+FFFD."""
    text = _SURROGATE.sub("\ufffd", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_UNPRINTABLE.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _SHORT.get(match[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def _unescaped(description: str) -> str:
    """A description without character references: many pages escape it twice. Models read it as the page has it."""
    from html import unescape  # start-up: few pages need it

    return " ".join(unescape(description).split())
