"""The table of documents: what a row says of a record, and which rows a query asks for.

row_of({"id": "a", "url": "http://a.example/", "lang": "en", "text": "Some text."})
Query.of({"site": "a.example", "sort": "quality", "page": "2"})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from ..corpus.documents import site_of
from ..record import Record

COLUMNS = (
    "id",
    "url",
    "site",
    "title",
    "lang",
    "type",
    "quality",
    "length",
    "words",
    "snippet",
    "gold",
    "precision",
    "recall",
    "f",
    "error",
    "labelled",
    "analysed",
)
PAGE_ROWS = 50
MAX_SNIPPET = 240
SORTABLE = ("n", "id", "site", "title", "lang", "type", "quality", "length", "f")
_TITLE = re.compile(r"<title[^<>]{0,500}>([^<]{0,400})", re.I)

Row = dict[str, Any]


@dataclass(frozen=True)
class Query:
    """Which documents are shown, in which order: conditions on columns, a column to sort by, and a page, from 1 on."""

    search: str = ""
    site: str = ""
    lang: str = ""
    type: str = ""
    min_quality: float | None = None
    min_length: int | None = None
    only: str = ""  # gold, labelled, unlabelled or error
    sort: str = "n"
    descending: bool = False
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Query:
        """The query that the parameters of an address give. What is not a value is as if it were not given."""
        sort = given.get("sort", "n")
        quality, length = _number(given.get("min_quality", "")), _number(given.get("min_length", ""))
        return cls(
            given.get("q", "")[:200].strip(),
            given.get("site", ""),
            given.get("lang", ""),
            given.get("type", ""),
            quality,
            None if length is None else int(length),
            given.get("only", ""),
            sort if sort in SORTABLE else "n",
            given.get("order") == "desc",
            max(1, min(int(_number(given.get("page", "")) or 1), 10**9)),
        )

    def condition(self) -> tuple[str, list[Any]]:
        """The condition in SQL, and its values."""
        parts: list[str] = []
        values: list[Any] = []
        for name in ("site", "lang", "type"):
            if value := getattr(self, name):
                parts.append(f"{name} = ?")
                values.append(value)
        for name, least in (("quality", self.min_quality), ("length", self.min_length)):
            if least is not None:
                parts.append(f"{name} >= ?")
                values.append(least)
        flag = {
            "gold": "gold = 1",
            "labelled": "labelled = 1",
            "unlabelled": "labelled IS NULL",
            "error": "error != ''",
        }
        if self.only in flag:
            parts.append(flag[self.only])
        for word in self.search.split()[:8]:
            pattern = "%" + re.sub(r"([\\%_])", r"\\\1", word) + "%"
            parts.append(
                "(" + " OR ".join(f"{name} LIKE ? ESCAPE '\\'" for name in ("id", "url", "title", "snippet")) + ")"
            )
            values += [pattern] * 4
        return " AND ".join(parts), values

    def order(self) -> str:
        """The order in SQL: documents without a value last."""
        if self.sort == "n":
            return "n DESC" if self.descending else "n"
        return f"{self.sort} IS NULL, {self.sort} {'DESC' if self.descending else 'ASC'}, n"

    @property
    def window(self) -> tuple[int, int]:
        """The first row and the number of rows."""
        return (self.page - 1) * PAGE_ROWS, PAGE_ROWS


def row_of(record: Record) -> tuple[Any, ...]:
    """What is known of a document without analysis, in the order of COLUMNS."""
    page = record.get("page")
    types = page.get("types") if isinstance(page, dict) else None
    html, text = record.get("html"), record.get("text")
    error = record.get("error")
    head = record.get("head")
    values: Row = {
        "id": _short(record.get("id"), 200),
        "url": _short(record.get("url"), 500),
        "site": site_of(record),
        "title": _short(head.get("title") if isinstance(head, dict) else _title(html), 200),
        "lang": record["lang"] if isinstance(record.get("lang"), str) else None,
        "type": main_type(types),
        "quality": float(record["quality"]) if isinstance(record.get("quality"), int | float) else None,
        "length": _length(record),
        "snippet": _short(text, MAX_SNIPPET) if isinstance(text, str) else None,
        "gold": 1 if record.get("gold") else 0,
        "error": _short(error.get("message") if isinstance(error, dict) else error, 200) if error else "",
    }
    return tuple(values.get(name) for name in COLUMNS)


def main_type(types: object) -> str | None:
    """The most probable type of a page."""
    if not isinstance(types, dict) or not types:
        return None
    return str(max(types, key=lambda name: types[name]))


def _length(record: Record) -> int:
    """Characters of the document as it came."""
    for name in ("html", "text"):
        if isinstance(content := record.get(name), str | bytes):
            return len(content)
    parts = record.get("segments") or record.get("blocks")
    if not isinstance(parts, list):
        return 0
    return sum(len(part["text"]) for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def _title(html: object) -> str:
    found = _TITLE.search(html[:20_000]) if isinstance(html, str) else None
    return " ".join(unescape(found[1]).split()) if found else ""


def _short(value: object, length: int) -> str | None:
    return None if value is None else " ".join(str(value)[: 2 * length].split())[:length]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e12 else None
