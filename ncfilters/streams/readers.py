"""Files of the command line, and the records in them: JSON-lines, MessagePack, Parquet and HTML pages, recognised by
their content, not their names.

    for item in RecordReader(open_inputs(["crawl.jsonl.gz", "-"]), limit=1 << 28): ...

A RecordError replaces a record that cannot be read. Reading resumes after it as far as the format allows.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Literal, Protocol, cast

from ..errors import RecordError, UsageError, error_message, require_library
from ..record import Record
from .compression import PARQUET, as_utf8, begins_with_tag, decompress, format_name, skip_blank
from .json_lines import from_first_record, parse_line
from .msgpack_reader import is_msgpack, msgpack_records, too_long

STANDARD_INPUT = "standard input"
# The capacity of a pipe in bytes: the maximum that Linux allows without privileges.
PIPE_BYTES = 1 << 20

Input = tuple[str, io.RawIOBase]
# How an input that is not a stream of records is read: as an error; as plain text, one record with `text` per line; or
# as an HTML page, one record.
Fallback = Literal["error", "lines", "page"]
# Bytes that are read at once and cut into lines: more than a long line has.
LINE_BYTES = 1 << 19


def open_inputs(files: Sequence[str]) -> list[Input]:
    """The files with their names; standard input where there are none, or for `-`.

    Raises UsageError for a file that cannot be read. A file is open only while it is read.
    """
    out: list[Input] = []
    for name in files or ["-"]:
        try:
            if name == "-":
                out.append((STANDARD_INPUT, _BlockingFile(0, closefd=False)))
                continue
            mode = os.stat(name).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if stat.S_ISREG(mode):
                io.FileIO(name).close()  # an unreadable file is an error before any work
            elif not os.access(name, os.R_OK):  # a pipe cannot be opened twice
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            out.append((path_text(name), cast(io.RawIOBase, _LazyFile(name))))
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror or error}") from None
    return out


def rewound(raw: io.RawIOBase, start: bytes) -> bool:
    """Whether a file whose first bytes were read is at its start again, for a reader that seeks. False for a pipe, and
    for a file that does not begin with *start*, because it is compressed."""
    if not raw.seekable():
        return False
    place = raw.tell()
    raw.seek(0)
    found = raw.read(len(start)) == start
    raw.seek(0 if found else place)
    return found


def path_text(path: str) -> str:
    """A path as text: `\\xE9` stands for a byte that is not UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class _BlockingFile(io.FileIO):
    """A file whose reads block, even if the process at the other end has made the pipe non-blocking."""

    def __init__(self, file: int | str, closefd: bool = True) -> None:
        super().__init__(file, closefd=closefd)
        self._has_ended = False  # of a terminal, which could be read again after Ctrl+D
        with suppress(ImportError, AttributeError, OSError):  # no pipe, or not supported here
            import fcntl  # absent on other systems

            # several pages, so that two processes do not alternate for each 64 KB; Linux only
            fcntl.fcntl(self.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def read(self, size: int | None = -1) -> bytes:
        data: bytes | None
        if self._has_ended:
            return b""
        while (data := super().read(size)) is None:
            select.select([self], [], [])
        self._has_ended = not data and size != 0 and self.isatty()
        return data

    def readinto1(self, buffer: Any) -> int:
        """As that of buffered files: one read, without a copy."""
        size: int | None
        if self._has_ended:
            return 0
        while (size := self.readinto(buffer)) is None:
            select.select([self], [], [])
        self._has_ended = not size and len(buffer) > 0 and self.isatty()
        return size


class _LazyFile:
    """A file that is opened by the first read, because there may be thousands of files."""

    def __init__(self, path: str) -> None:
        self._path = path

    @cached_property
    def _file(self) -> _BlockingFile:
        return _BlockingFile(self._path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _LazyFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if "_file" in vars(self):
            self._file.close()


# ---- records ---------------------------------------------------------------------------------------------------------


class RecordSource(Protocol):
    """Records in order; a RecordError replaces a record that cannot be read."""

    @property
    def bytes(self) -> int:
        """The number of bytes read so far, decompressed."""

    def __iter__(self) -> Iterator[Record | RecordError]: ...


class RecordReader:
    """The records of several inputs, one after the other; a RecordError replaces a record that cannot be read.

    *limit* is the most bytes a record may have. `format` is "jsonl" or "msgpack" once the first stream of records has
    been recognised, None before. `bytes` is the number of bytes read so far, decompressed; `has_failed`, whether an
    input was not read to its end. *parse* makes a record of a line of JSON; what it returns is given as it is.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        limit: int,
        fallback: Fallback = "error",
        parse: Callable[[bytes], Any] | None = None,
    ) -> None:
        self._inputs, self._limit, self._fallback, self._parse = inputs, limit, fallback, parse or parse_line
        self.format: str | None = None
        self.bytes = 0
        self.has_failed = False

    def __iter__(self) -> Iterator[Record | RecordError]:
        for name, raw in self._inputs:
            try:
                yield from self._records(name, raw)
            except UsageError:  # a library is missing
                raise
            except Exception as error:  # every decompressor raises its own
                self.has_failed = True
                yield RecordError(f"{name}: {error_message(error)}")
            finally:
                raw.close()

    def _records(self, name: str, raw: io.RawIOBase) -> Iterator[Record | RecordError]:
        stream, head = decompress(raw)
        if head.startswith(PARQUET):
            yield from self._parquet(name, raw, stream)
            return
        if foreign := format_name(head):
            yield RecordError(f"{name}: {foreign}, not records")
            return
        if self._fallback != "lines":
            stream, head = skip_blank(stream, head)
            is_page = begins_with_tag(head)
            if self._fallback == "page" and not is_page:
                from .html_pages import is_page_file  # start-up: only where pages are inputs

                is_page = is_page_file(name, head)
            if is_page:
                yield self._page(name, stream)
                return
        stream, head = as_utf8(stream, head)
        if not head:
            return
        if self._fallback == "lines" and not head.lstrip().startswith((b"{", b"WARC/")) and not is_msgpack(head):
            lines = record_lines(stream, self._limit, self._count)  # UTF-8, with U+FFFD for invalid bytes
            yield from self._parsed(lines, lambda line: {"text": line.rstrip(b"\r\n").decode("utf-8-sig", "replace")})
        elif head.lstrip().startswith(b"WARC/"):
            yield RecordError(f"{name}: a WARC file; nc-warc reads it")
        elif is_msgpack(head):
            self.format = self.format or "msgpack"
            yield from msgpack_records(stream, self._limit, self._count)
        else:
            self.format = self.format or "jsonl"
            yield from self._json_lines(name, stream, head)

    def _parquet(self, name: str, raw: io.RawIOBase, stream: io.BufferedIOBase) -> Iterator[Record | RecordError]:
        """The records of a Parquet file, which is copied if it is a pipe or compressed."""
        require_library("pyarrow", f"{name}: Parquet needs", "parquet")
        from .parquet import parquet_records, spooled  # start-up: pyarrow, only for Parquet

        self.format = self.format or "jsonl"
        file: Any = raw if rewound(raw, PARQUET) else spooled(stream)
        with file:
            yield from parquet_records(name, file, self._limit, self._count)

    def _json_lines(self, name: str, stream: io.BufferedIOBase, head: bytes) -> Iterator[Record | RecordError]:
        """The records of JSON-lines. Lines before the first that may be an object are one error, which names the input:
        it may not be a stream of records."""
        lines = record_lines(stream, self._limit, self._count)
        start = head.lstrip()
        if not start.startswith(b"{") or start[1:2] in b"\r\n":
            expected = "neither records nor an HTML page" if self._fallback == "page" else "not records"
            lines = from_first_record(lines, lambda what: f"{name}: {expected}: {what}")
        yield from self._parsed(lines, self._parse)

    def _page(self, name: str, stream: io.BufferedIOBase) -> Record | RecordError:
        from .html_pages import MAX_PROLOG_BYTES, PageSelection, is_html, read_page  # start-up: only for pages

        if self._fallback == "page":
            page = read_page(name, CountedFile(stream, self._count), PageSelection(self._limit))
            assert page is not None  # all are selected
            return page
        if is_html(stream.read(MAX_PROLOG_BYTES)):
            return RecordError(f"{name}: an HTML page; nc-segment reads it")
        return RecordError(f"{name}: XML or other markup, not records")

    def _count(self, size: int) -> None:
        self.bytes += size

    def _parsed(
        self, lines: Iterator[bytes | RecordError], parse: Callable[[bytes], Record | RecordError]
    ) -> Iterator[Record | RecordError]:
        for line in lines:
            yield line if isinstance(line, RecordError) else parse(line)


def record_lines(stream: io.BufferedIOBase, limit: int, count: Callable[[int], None]) -> Iterator[bytes | RecordError]:
    """The lines of a stream that are not blank; a RecordError for one of more than *limit* bytes, which is not kept.
    *count* is called with the number of bytes read. Where reading fails, an object without a line feed before it is a
    line."""
    pieces: list[bytes] = []
    size = 0  # of the line of these pieces
    try:
        while data := stream.read1(LINE_BYTES):
            start = 0
            while start < len(data):
                end = data.find(b"\n", start) + 1 or len(data)
                size += end - start
                if size <= limit:
                    pieces.append(data[start:end])
                else:
                    pieces.clear()
                start = end
                if data[end - 1 : end] == b"\n":
                    count(min(size, limit + 1))
                    yield from _record_line(pieces, size, limit)
                    pieces, size = [], 0
    except Exception:  # every decompressor raises its own
        if b"".join(pieces).rstrip().endswith(b"}"):
            yield from _record_line(pieces, size, limit)
        raise
    if size:
        count(min(size, limit + 1))
        yield from _record_line(pieces, size, limit)


def _record_line(pieces: list[bytes], size: int, limit: int) -> Iterator[bytes | RecordError]:
    """The line of these pieces, which are gone then, unless it is blank or, in *size*, too long."""
    if size > limit:
        yield too_long(size, limit)
        return
    line = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    pieces.clear()  # memory: a long line is not kept twice
    if not line.isspace():
        yield line


class CountedFile(io.RawIOBase):
    """A file whose bytes are counted as they are read."""

    def __init__(self, raw: io.RawIOBase | io.BufferedIOBase, count: Callable[[int], None]) -> None:
        self._raw, self._add = raw, count

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes | None:
        data = self._raw.read(size)
        self._add(len(data or b""))
        return data

    def seekable(self) -> bool:
        return self._raw.seekable()

    def seek(self, place: int, whence: int = 0) -> int:
        return self._raw.seek(place, whence)

    def tell(self) -> int:
        return self._raw.tell()


class ReaderChain:
    def __init__(self, sources: Sequence[RecordSource]) -> None:
        self._sources = sources
        self._current: RecordSource | None = None
        self._finished_bytes = 0  # of the sources before the current one: there may be thousands

    @property
    def bytes(self) -> int:
        """The number of bytes read so far, decompressed."""
        return self._finished_bytes + (self._current.bytes if self._current else 0)

    @property
    def format(self) -> str | None:
        """The format of the first stream of records."""
        formats = (getattr(source, "format", None) for source in self._sources)
        return next((found for found in formats if found), None)

    def __iter__(self) -> Iterator[Record | RecordError]:
        for source in self._sources:
            self._current = source
            yield from source
            self._current = None
            self._finished_bytes += source.bytes
