"""The documents that are inspected: where each is stored, a table of them on disk, and queries of it.

    with closing(Collection(["crawl.warc.gz"])) as collection:
        for count in collection.read(): ...
        collection.record(0)["id"]

Lines of JSON in a plain file stay where they are: only their offsets are stored. Other documents are written to a
temporary file. The table is a temporary database, so that memory does not grow with the crawl. Neither has a name: the
system removes them with the process, however it ends.
"""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from threading import Lock
from typing import Any, BinaryIO

import orjson

from ..corpus.documents import site_of
from ..errors import RecordError
from ..page.tree.html_parser import decode_html
from ..record import Record
from ..streams.crawl_source import CrawlSource
from ..streams.html_pages import PageSelection, is_html
from ..streams.json_lines import parse_line
from ..streams.runner import MAX_RECORD, schema_error

COLUMNS = (
    *("id", "url", "site", "title", "lang", "type", "quality", "length", "snippet"),
    *("gold", "f", "error", "labelled", "analysed"),
)
# Documents that are added to the table at once.
BATCH = 500
# How many pasted pages there are at most, and how their keys begin.
MAX_PASTED, KEY_PREFIX = 20, "p-"
_SCHEMA = (
    f"CREATE TABLE documents (n INTEGER PRIMARY KEY, file INTEGER, start INTEGER, size INTEGER, {', '.join(COLUMNS)})"
)
_SORTED = ("site", "lang", "type", "quality", "length", "f", "id", "title")
_INSERT = f"INSERT INTO documents VALUES ({', '.join('?' * (4 + len(COLUMNS)))})"
PAGE_ROWS = 50
MAX_SNIPPET = 240
SORTABLE = ("n", "id", "site", "title", "lang", "type", "quality", "length", "f")
_ONLY = {"gold": "gold = 1", "labelled": "labelled = 1", "unlabelled": "labelled IS NULL", "error": "error != ''"}
_SEARCHED = ("id", "url", "title", "snippet")
_TITLE = re.compile(r"<title[^<>]{0,500}>([^<]{0,400})", re.I)

# Which documents are shown, and in which order: the parameters of an address. Each is a string, which may be none of
# the values that are meant: then it is as if it were not given.
Query = Mapping[str, str]


class Collection:
    def __init__(self, files: Sequence[str], limit: int = MAX_RECORD) -> None:
        self._spool: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._lock = Lock()
        self._count, self._limit = 0, limit
        self._plain = list(filter(_is_plain, files))
        # sources that cannot be read are an error before any work
        others = [name for name in files if name not in self._plain]
        self._source = CrawlSource(others or [os.devnull], PageSelection(limit))
        self._table = sqlite3.connect("", check_same_thread=False)  # a temporary file of SQLite
        self._table.row_factory = sqlite3.Row
        self._table.execute("PRAGMA journal_mode=OFF")
        self._table.execute("PRAGMA synchronous=OFF")
        self._table.execute(_SCHEMA)
        for name in _SORTED:
            self._table.execute(f"CREATE INDEX by_{name} ON documents ({name} IS NULL, {name}, n)")
        self.is_complete = False  # whether all inputs are read

    def close(self) -> None:
        with self._lock:  # a thread may be using it
            self._table.close()
        self._spool.close()

    def __len__(self) -> int:
        return self._count

    # ---- reading

    def read(self) -> Iterator[int]:
        """Reads the inputs, and yields the number of documents after each batch."""
        batch: list[tuple[Any, ...]] = []
        for place, record in self._documents():
            batch.append((self._count + len(batch), *place, *row_of(record)))
            if len(batch) == BATCH or not self._count:  # the first one is shown at once
                yield self._add(batch)
        yield self._add(batch)
        self.is_complete = True

    def _add(self, batch: list[tuple[Any, ...]]) -> int:
        with self._lock, self._table:
            self._table.executemany(_INSERT, batch)
            self._count += len(batch)
        batch.clear()
        return self._count

    def _documents(self) -> Iterator[tuple[tuple[int, int, int], Record]]:
        """The place of each document, and its record: the number of a plain file or -1, where it starts, its bytes."""
        for number, name in enumerate(self._plain):
            start = 0
            with open(name, "rb") as file:
                while line := file.readline(self._limit + 1):
                    if not line.isspace():
                        yield (number, start, len(line)), _as_document(parse_line(line))
                    start += len(line)
        start = 0
        for item, _ in self._source:
            record = item.record(self._limit)
            if isinstance(record, RecordError):
                record = {**record.record, "error": {"stage": item.tool, "message": str(record)}}
            line = _line_of(record)
            self._spool.write(line)
            self._spool.flush()
            yield (-1, start, len(line)), _as_document(record)
            start += len(line)

    # ---- documents

    def record(self, number: int) -> Record:
        """The record of a document. Raises KeyError for a number that there is not (yet)."""
        with self._lock:
            found = self._table.execute("SELECT file, start, size FROM documents WHERE n = ?", (number,)).fetchone()
        if found is None:
            raise KeyError(number)
        number, start, size = found
        if number < 0:
            return _as_document(parse_line(os.pread(self._spool.fileno(), size, start)))
        with open(self._plain[number], "rb") as file:
            return _as_document(parse_line(os.pread(file.fileno(), size, start)))

    # ---- the table

    def update(self, number: int, values: dict[str, Any]) -> None:
        """Writes what the analysis of a document has found to its row."""
        changes = ", ".join(f"{name} = ?" for name in values)
        with self._lock, self._table:
            self._table.execute(f"UPDATE documents SET {changes} WHERE n = ?", (*values.values(), number))

    def select(self, query: Query, first: int, count: int = PAGE_ROWS) -> tuple[list[sqlite3.Row], int]:
        """The rows of *count* documents of a query from the *first* on, and how many it selects."""
        condition, values = condition_of(query)
        sort, is_descending = order_of(query)
        # documents without a value last
        order = (
            f"{sort} IS NULL, {sort} {'DESC' if is_descending else 'ASC'}, n" if sort != "n" or is_descending else "n"
        )
        # the numbers first: whole rows of a hundred thousand documents are not sorted
        window = f"SELECT n AS m FROM documents WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
        rows = f"SELECT n, {', '.join(COLUMNS)} FROM documents JOIN ({window}) ON m = n ORDER BY {order}"
        with self._lock:
            total = self._table.execute(f"SELECT count(*) FROM documents WHERE {condition}", values).fetchone()[0]
            return self._table.execute(rows, (*values, count, first)).fetchall(), total

    def analysed(self) -> int:
        """The number of documents whose analysis is in the table."""
        with self._lock:
            return int(self._table.execute("SELECT count(analysed) FROM documents").fetchone()[0])

    def values_of(self, column: str, count: int) -> list[tuple[str, int]]:
        """The most frequent values of a column and how many documents have them."""
        assert column in COLUMNS
        with self._lock:
            return self._table.execute(
                f"SELECT {column}, count(*) FROM documents WHERE {column} IS NOT NULL AND {column} != '' "
                f"GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT ?",
                (count,),
            ).fetchall()


def _is_plain(name: str) -> bool:
    """Whether a file has lines of JSON, uncompressed."""
    if name == "-" or not os.path.isfile(name):
        return False
    try:
        with open(name, "rb") as file:
            return file.read(64).lstrip().startswith(b"{")
    except OSError:
        return False


def _as_document(record: Record | RecordError) -> Record:
    """The record, or what names it and its error."""
    if isinstance(record, RecordError):
        named, error = record.record, record
    elif failed := schema_error(record):
        named, error = {name: record.get(name) for name in ("id", "url")}, failed
    else:
        return record
    return {**named, "error": {"stage": "nc-inspect", "message": str(error)}}


def _line_of(record: Record) -> bytes:
    """A document as a line of JSON: with its HTML decoded."""
    if isinstance(record.get("html"), bytes):
        record = decode_html(record)
    try:
        return orjson.dumps(record, default=repr, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
    except TypeError as error:
        return orjson.dumps({"error": {"stage": "nc-inspect", "message": str(error)}}) + b"\n"


class PastedPages:
    """Pages that are pasted or uploaded, by their keys: the last ones, in memory."""

    def __init__(self) -> None:
        self._lock, self._added = Lock(), 0
        self._pages: dict[str, Record] = {}

    def add(self, content: str | bytes, name: str = "") -> str:
        """Adds HTML or plain text, and returns its key."""
        with self._lock:
            self._added += 1
            self._pages[f"{KEY_PREFIX}{self._added}"] = {**record_of(content), "id": name or "pasted"}
            self._pages.pop(f"{KEY_PREFIX}{self._added - MAX_PASTED}", None)
            return f"{KEY_PREFIX}{self._added}"

    def record(self, key: str) -> Record:
        """The page with a key. Raises KeyError for one that is not (any more) there."""
        return self._pages[key]


def record_of(content: str | bytes) -> Record:
    """A record of HTML or of plain text. Bytes are decoded as browsers decode them."""
    html = str(decode_html({"html": content})["html"]) if isinstance(content, bytes) else content
    start = html[:4096].encode("utf-8", "replace").lstrip()
    return {"html": html} if is_html(start) or start.startswith(b"<") else {"text": html}


# ---- the table: rows of records, and queries -------------------------------------------------------------------------


def condition_of(query: Query) -> tuple[str, list[Any]]:
    """The condition of a query in SQL, and its values."""
    values: list[Any] = []
    parts = [_ONLY.get(query.get("only", ""), "1")]
    for name in ("site", "lang", "type"):
        if value := query.get(name):
            parts.append(f"{name} = ?")
            values.append(value)
    for name in ("quality", "length"):
        if (least := _number(query.get(f"min_{name}", ""))) is not None:
            parts.append(f"{name} >= ?")
            values.append(least)
    for word in query.get("q", "")[:200].split()[:8]:
        parts.append("(" + " OR ".join(f"{name} LIKE ? ESCAPE '\\'" for name in _SEARCHED) + ")")
        values += ["%" + re.sub(r"([\\%_])", r"\\\1", word) + "%"] * len(_SEARCHED)
    return " AND ".join(parts), values


def order_of(query: Query) -> tuple[str, bool]:
    """The column that documents are sorted by, and whether the highest value comes first."""
    sort = query.get("sort", "n")
    return sort if sort in SORTABLE else "n", query.get("order") == "desc"


def page_of(query: Query) -> int:
    """The page of the table, from 1 on."""
    return max(1, min(int(_number(query.get("page", "")) or 1), 10**9))


def row_of(record: Record) -> tuple[Any, ...]:
    """What is known of a document without analysis, in the order of COLUMNS."""
    html, text, error, head = (record.get(name) for name in ("html", "text", "error", "head"))
    # characters of the document as it came
    length = next((len(content) for content in (html, text) if isinstance(content, str | bytes)), None)
    if length is None:
        parts = record.get("segments") or record.get("blocks")
        texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
        length = sum(len(text) for text in texts if isinstance(text, str))
    values: Record = {
        "id": _short(record.get("id"), 200),
        "url": _short(record.get("url"), 500),
        "site": site_of(record),
        "title": _short(head.get("title") if isinstance(head, dict) else _title(html), 200),
        "lang": record["lang"] if isinstance(record.get("lang"), str) else None,
        "type": main_type(record),
        "quality": float(record["quality"]) if isinstance(record.get("quality"), int | float) else None,
        "length": length,
        "snippet": _short(text, MAX_SNIPPET) if isinstance(text, str) else None,
        "gold": 1 if record.get("gold") else 0,
        "error": _short(error.get("message") if isinstance(error, dict) else error, 200) if error else "",
    }
    return tuple(values.get(name) for name in COLUMNS)


def main_type(record: Record) -> str | None:
    """The most probable type of a page that has some."""
    page = record.get("page")
    types = page.get("types") if isinstance(page, dict) else None
    return str(max(types, key=lambda name: types[name])) if isinstance(types, dict) and types else None


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
