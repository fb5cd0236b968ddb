"""Records of WARC and WET files, of folders of pages and archives, and of pages.

    for item in WarcReader(open_inputs(["crawl.warc.gz"]), PageSelection(max_record=1 << 28)): ...

HTML responses become records with `html`, decoded; WET conversions become records with `text`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, cast

from ..errors import RecordError, error_message
from ..record import Record
from .archived_page import PAGE_KINDS, ArchivedPage, damaged_id, record_kind, select_page, select_response
from .compression import GZIP, ZSTD, decompress, first_bytes, skip_blank, with_head
from .foreign_formats import START_BYTES, format_name
from .html_pages import PageSelection, is_page_file, read_page
from .inputs import Input
from .site_folder import ArchiveFile, SiteFolder
from .warc_resync import ResyncStream

# Field of a record of a WET file → WARC header.
_CONVERSION_HEADERS = {"refers_to": "WARC-Refers-To", "lang": "WARC-Identified-Content-Language"}
# Of these, a head has at least one.
_MANDATORY = ("WARC-Type", "WARC-Record-ID", "Content-Length")

# Bytes that are read at once: fastwarc moves what it has when it reads more.
_PIECE_BYTES = 1 << 17

# Returns a field of the head of a record; None if it has none.
_Header = Callable[[str], str | None]
# A page of an archive, a page of a file, decoded, or an error.
Undecoded = ArchivedPage | Record | RecordError


class WarcReader:
    """The records of archives, folders and pages, one after the other. A RecordError replaces a broken record, and
    reading resumes after it.

    *selection* says which records are read, and bounds the bytes of one, as archived and decompressed. At most
    *max_records* are returned (all, if None). `bytes` is the number of bytes read from archives.
    """

    def __init__(
        self, files: Sequence[Input | SiteFolder], selection: PageSelection, max_records: int | None = None
    ) -> None:
        self._files, self._selection, self._max_records = files, selection, max_records
        self.bytes = 0

    def __iter__(self) -> Iterator[Record | RecordError]:
        limit = self._selection.max_record
        for item in self.undecoded():
            yield item.decoded(limit) if isinstance(item, ArchivedPage) else item

    def undecoded(self) -> Iterator[Undecoded]:
        """The same, with pages of archives as they are archived."""
        items = (self._folder(file) if isinstance(file, SiteFolder) else self._file(*file) for file in self._files)
        yield from islice(chain.from_iterable(items), self._max_records)

    def _folder(self, folder: SiteFolder) -> Iterator[Undecoded]:
        for item in folder:
            if not isinstance(item, ArchiveFile):
                yield item
                continue
            try:
                raw = io.FileIO(item.path)
            except OSError as error:
                yield RecordError(f"{item.name}: {error.strerror}")
                continue
            with raw:
                yield from self._archive(item.name, raw)

    def _file(self, name: str, raw: io.RawIOBase) -> Iterator[Undecoded]:
        """The records of an archive, or a page."""
        with raw:
            try:
                stream, head = decompress(raw, leave=(GZIP, ZSTD))
                stream, head = _start(*skip_blank(stream, head))
                if foreign := "records, which nc-segment reads" if head.startswith(b'{"') else format_name(head):
                    yield RecordError(f"{name}: {foreign}, not a web archive")
                    return
                if is_page_file(name, head):
                    if page := read_page(name, decompress(stream)[0], self._selection):
                        yield page
                    return
            except Exception as error:  # every decompressor raises its own
                yield RecordError(f"{name}: {error_message(error)}")
                return
            yield from self._archive(name, stream)

    def _archive(self, name: str, raw: io.RawIOBase | io.BufferedIOBase) -> Iterator[Undecoded]:
        from fastwarc.warc import ArchiveIterator  # start-up: nc-warc --help needs no archive

        try:
            # fastwarc itself decompresses gzip and zstd, member by member
            packed = decompress(raw, leave=(GZIP, ZSTD))[0]
            window = ResyncStream(packed, self._selection.max_record)
        except Exception as error:  # every decompressor raises its own
            yield RecordError(f"{name}: {error_message(error)}")
            return
        broken = False
        while True:
            start, size = 0, None
            try:
                for archived in ArchiveIterator(cast(Any, window), parse_http=False):
                    window.forget(start := archived.stream_pos)
                    self.bytes += (size := max(archived.content_length, 0))
                    broken = False
                    header = _header_fields(archived)
                    item = self._record(archived, header, window)
                    if item is not None:
                        yield _located(item, name, window.offset(start))
                    if item is not None and (damage := damaged_id(header("WARC-Record-ID"))):
                        yield _located(RecordError(damage), name, window.offset(start))
                # of gzip, the end of the members is an error
                if not window.is_gzip and _at_joint(window, size):
                    continue
                if (rest := window.rest(size or 0)) is None:
                    if window.has_rest(size):
                        cut = RecordError("truncated: the archive ends inside the head of a record")
                        yield _located(cut, name, window.offset(start))
                    return
                start, is_damaged = rest
                if is_damaged:
                    raise OSError("compressed content is truncated")
                if not window.restart(start):
                    return
                continue
            except _UnreadError as unread:
                if unread.record:
                    yield _located(unread.record, name, window.offset(start))
            except Exception as error:  # exceptions of fastwarc and the decompressors
                if _at_joint(window, size):
                    continue
                if not broken:  # one message per gap
                    yield RecordError(f"{name}: after byte {window.offset(start)}: {error_message(error)}")
                broken = True
            if not window.find_next(start):
                return

    def _record(self, archived: Any, header: _Header, window: ResyncStream) -> ArchivedPage | RecordError | None:
        """The page of an archived record; None if it is not selected. Raises _UnreadError."""
        size, limit = archived.content_length, self._selection.max_record
        record: Record = {"id": (header("WARC-Record-ID") or "").strip("<>") or None}
        if not any(map(header, _MANDATORY)):  # the archive ends in it; the error is reported there
            return None
        try:
            kind = record_kind(header)
        except ValueError as error:
            damaged = RecordError(str(error), record)
            if size > limit:
                raise _UnreadError(damaged) from None
            return damaged
        url = (header("WARC-Target-URI") or "").strip("<>")
        if kind not in PAGE_KINDS or not self._selection.accepts_name(url):
            if size > limit:
                raise _UnreadError(None)
            return None
        record["url"] = url or None
        if date := header("WARC-Date"):
            record["crawl_date"] = date
        for field, name in _CONVERSION_HEADERS.items() if kind == "conversion" else ():
            if value := (header(name) or "").strip("<>"):
                record[field] = value
        if size > limit:
            raise _UnreadError(
                RecordError(f"a record of {size:,} bytes; the limit is {limit:,} (NC_MAX_RECORD)", record)
            )
        body = _body(archived, header, window, record)
        content_type = header("Content-Type") or ""
        try:
            if kind == "response" or content_type.startswith("application/http"):
                return select_response(record, body, self._selection)
            page = ArchivedPage(record, body, {"content-type": content_type}, is_conversion=kind == "conversion")
            return select_page(page, self._selection)
        except (OSError, ValueError) as error:
            return RecordError(error_message(error), record)


def _start(stream: io.BufferedIOBase, head: bytes) -> tuple[io.BufferedIOBase, bytes]:
    """The stream, and the first bytes of its content: START_BYTES of what is no WARC file."""
    stream, start = first_bytes(stream, head)
    if start[:5] == b"WARC/"[: len(start)]:
        return stream, start
    if head.startswith((GZIP, ZSTD)):
        return first_bytes(stream, head, START_BYTES)
    start = stream.read(START_BYTES)
    return with_head(start, stream), start


def _header_fields(archived: Any) -> _Header:
    """The fields of the head of a record by their names, in any case; the first of several (fastwarc takes longer for
    a field than for all). Raises _UnreadError for two records in one."""
    fields: dict[str, str] = {}
    for name, value in archived.headers.items():
        name = name.lower()
        if fields.setdefault(name, value) is not value and name == "warc-record-id":
            raise _UnreadError(RecordError("truncated: another record begins inside its header"))
    return lambda name: fields.get(name.lower())


def _at_joint(window: ResyncStream, size: int | None) -> bool:
    """Whether a record of another compression follows the one that was read last, whose block has *size* bytes; the
    window begins there, then."""
    place = None if size is None else window.joint(size)
    return place is not None and window.restart(place)


def _located(item: ArchivedPage | RecordError, name: str, offset: int) -> ArchivedPage | RecordError:
    """The page or error, with the archive and the offset of its record."""
    place = f"{name}: byte {offset}: "
    return RecordError(f"{place}{item}", item.record) if isinstance(item, RecordError) else item._replace(place=place)


class _UnreadError(Exception):
    """A record whose end cannot be found by its length. The next record is searched for after its start.

    `record` is the error; it is None for a record that is not selected.
    """

    def __init__(self, record: RecordError | None) -> None:
        super().__init__()
        self.record = record


def _body(archived: Any, header: _Header, window: ResyncStream, record: Record) -> bytes:
    """The block of an archived record, whose head gives its length. Raises _UnreadError."""
    size, length = archived.content_length, header("Content-Length") or ""
    if not length.strip().isdecimal():
        raise _UnreadError(
            RecordError(f"Content-Length: {length!r} is not a number of bytes" if length else "truncated", record)
        )
    truncated = RecordError(f"truncated: fewer than its {size:,} bytes", record)
    if window.ends_before(archived.stream_pos + size):
        raise _UnreadError(truncated)
    try:
        body = _read_block(archived.reader, size)
    except OSError as error:
        raise _UnreadError(RecordError(error_message(error), record)) from None
    if len(body) < size:
        raise _UnreadError(truncated)
    return body


def _read_block(reader: Any, size: int) -> bytes:
    """The next *size* bytes of a reader, or fewer, if it ends."""
    pieces: list[bytes] = []
    while size and (piece := reader.read(min(_PIECE_BYTES, size))):
        pieces.append(piece)
        size -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
