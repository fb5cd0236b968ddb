"""The documents that are inspected: where each is stored, and a table of them on disk.

    with Collection(["crawl.warc.gz"]) as collection:
        collection.read_all()
        collection.record(0)["id"]

Lines of JSON in a plain file stay where they are: only their offsets are stored. Other documents are written to a
temporary file. The table is a temporary database, so that memory does not grow with the crawl. Neither has a name: the
system removes them with the process, however it ends.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import orjson

from ..errors import RecordError
from ..page.tree.html_parser import decode_html
from ..record import Record
from ..streams.crawl_source import CrawlSource
from ..streams.html_pages import PageSelection, is_html
from ..streams.json_lines import parse_line
from ..streams.runner import MAX_RECORD, schema_error
from .table import COLUMNS, Row, row_of

# Documents that are added to the table at once.
BATCH = 500
# How many pasted pages, and characters of them, there are at most.
MAX_PAGES, MAX_CHARS = 500, 200 << 20
KEY_PREFIX = "p-"
_SCHEMA = (
    f"CREATE TABLE documents (n INTEGER PRIMARY KEY, file INTEGER, start INTEGER, size INTEGER, {', '.join(COLUMNS)})"
)
_SORTED = ("site", "lang", "type", "quality", "length", "f", "id", "title")
_INSERT = f"INSERT INTO documents VALUES ({', '.join('?' * (4 + len(COLUMNS)))})"


class Page(NamedTuple):
    """A page of the table: its rows, and how many documents are selected."""

    rows: list[Row]
    total: int


class Collection:
    """Documents by their numbers, from 0 on. A context manager, which closes its temporary files."""

    def __init__(self, files: Sequence[str], limit: int = MAX_RECORD) -> None:
        self._spool: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._paths = [""]  # the first is the temporary file
        self._lock = Lock()
        self._count = 0
        self._limit = limit
        self._files = list(files)
        # sources that cannot be read are an error before any work
        self._source = CrawlSource(
            [name for name in files if not _is_plain(name)] or [os.devnull], PageSelection(limit)
        )
        self._table = sqlite3.connect("", check_same_thread=False)  # a temporary file of SQLite
        self._table.execute("PRAGMA journal_mode=OFF")
        self._table.execute("PRAGMA synchronous=OFF")
        self._table.execute(_SCHEMA)
        for name in _SORTED:
            self._table.execute(f"CREATE INDEX by_{name} ON documents ({name} IS NULL, {name}, n)")
        self.is_complete = False  # whether all inputs are read

    def __enter__(self) -> Collection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the temporary files."""
        with self._lock:  # a thread may be using it
            self._table.close()
        self._spool.close()

    def __len__(self) -> int:
        return self._count

    # ---- reading

    def read_all(self) -> None:
        """Reads all inputs to their end."""
        for _ in self.read():
            pass

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
        """The place of each document, and its record."""
        for name in self._files:
            if _is_plain(name):
                yield from self._lines(name)
        start = 0
        for item, _ in self._source:
            record = item.record(self._limit)
            if isinstance(record, RecordError):
                record = {**record.record, "error": {"stage": item.tool, "message": str(record)}}
            line = _line_of(record)
            self._spool.write(line)
            self._spool.flush()
            yield (0, start, len(line)), _as_document(record)
            start += len(line)

    def _lines(self, name: str) -> Iterator[tuple[tuple[int, int, int], Record]]:
        number = len(self._paths)
        self._paths.append(name)
        start = 0
        with open(name, "rb") as file:
            while line := file.readline(self._limit + 1):
                place = (number, start, len(line))
                start += len(line)
                if not line.isspace():
                    yield place, _as_document(parse_line(line))

    # ---- documents

    def record(self, number: int) -> Record:
        """The record of a document. Raises KeyError for a number that there is not (yet)."""
        with self._lock:
            found = self._table.execute("SELECT file, start, size FROM documents WHERE n = ?", (number,)).fetchone()
        if found is None:
            raise KeyError(number)
        file, start, size = found
        if not file:
            return _as_document(parse_line(os.pread(self._spool.fileno(), size, start)))
        stream: BinaryIO
        with open(self._paths[file], "rb") as stream:
            stream.seek(start)
            return _as_document(parse_line(stream.read(size)))

    # ---- the table

    def update(self, number: int, values: dict[str, Any]) -> None:
        """Writes what the analysis of a document has found to its row."""
        names = [name for name in values if name in COLUMNS]
        changes = ", ".join(f"{name} = ?" for name in names)
        with self._lock, self._table:
            self._table.execute(
                f"UPDATE documents SET {changes} WHERE n = ?", (*(values[name] for name in names), number)
            )

    def select(self, condition: str, values: Sequence[Any], order: str, window: tuple[int, int]) -> Page:
        """The rows of a *window* (first, count) of the documents with a *condition* in SQL, in an *order*."""
        columns = ", ".join(("n", *COLUMNS))
        with self._lock:
            total = self._count
            if condition:
                query = f"SELECT count(*) FROM documents WHERE {condition}"
                total = self._table.execute(query, values).fetchone()[0]
            where = f"WHERE {condition}" if condition else ""
            # the numbers first: whole rows of a hundred thousand documents are not sorted
            window_of = f"SELECT n AS m FROM documents {where} ORDER BY {order} LIMIT ? OFFSET ?"
            rows = self._table.execute(
                f"SELECT {columns} FROM documents JOIN ({window_of}) ON m = n ORDER BY {order}",
                (*values, window[1], window[0]),
            ).fetchall()
        return Page([dict(zip(("n", *COLUMNS), row)) for row in rows], total)

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
    """Pages that are pasted or uploaded, by keys that nobody guesses: the last ones, in memory."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: OrderedDict[str, Record] = OrderedDict()

    def add(self, content: str | bytes, name: str = "") -> str:
        """Adds HTML or plain text, and returns its key."""
        key = KEY_PREFIX + secrets.token_urlsafe(12)
        with self._lock:
            self._pages[key] = {**record_of(content), "id": name or "pasted"}
            while len(self._pages) > 1 and (len(self._pages) > MAX_PAGES or self._chars() > MAX_CHARS):
                self._pages.popitem(last=False)
        return key

    def record(self, key: str) -> Record:
        """The page with a key. Raises KeyError for one that is not (any more) there."""
        with self._lock:
            return self._pages[key]

    def _chars(self) -> int:
        return sum(len(record.get("html") or record["text"]) for record in self._pages.values())


def record_of(content: str | bytes) -> Record:
    """A record of HTML or of plain text. Bytes are decoded as browsers decode them."""
    html = str(decode_html({"html": content})["html"]) if isinstance(content, bytes) else content
    start = html[:4096].encode("utf-8", "replace").lstrip()
    return {"html": html} if is_html(start) or start.startswith(b"<") else {"text": html}
