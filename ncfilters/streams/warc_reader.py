"""Pages of WARC and WET files.

    for page in archived_pages("crawl.warc.gz", stream, PageSelection(max_record=1 << 28), count): ...

fastwarc's iterator is not used: it does not say where it stopped, and reads neither past damage nor files that are
joined.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator

from ..errors import RecordError, error_message
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .archived_page import PAGE_KINDS, ArchivedPage, damaged_id, record_kind, select_page, select_response
from .compression import GZIP, READ_BYTES, ZSTD, decompress, zstd_pieces
from .html_pages import PageSelection

# Field of a record of a WET file → WARC header.
_CONVERSION_HEADERS = {"refers_to": "warc-refers-to", "lang": "warc-identified-content-language"}
# The first bytes of a record, and of a compressed one.
ARCHIVE_START, _PACKED_STARTS = b"WARC/", (GZIP + b"\x08", ZSTD)
_HEAD_END = lazy_pattern(rb"\r?\n\r?\n")
_FOLDED = lazy_pattern(r"\r?\n[ \t]+")
MAX_HEAD = 1 << 16  # bytes
# Compressed bytes that are unpacked at once; and those that are kept to search them for the next record, because what
# reads damaged bytes may pass the end of its member.
_PIECE_BYTES, _KEPT_BYTES = 1 << 14, 1 << 20
_REPEATED_BYTE = 1  # the type of a block of zstd


def archived_pages(
    name: str, stream: io.RawIOBase | io.BufferedIOBase, selection: PageSelection, count: Callable[[int], None]
) -> Iterator[ArchivedPage | RecordError]:
    """The selected pages of an archive. A RecordError replaces a broken record, and reading goes on after it. *count*
    is called with the number of bytes of each record."""
    try:
        archive = ArchiveText(decompress(stream, leave=(GZIP, ZSTD))[0])
    except Exception as error:  # every decompressor raises its own
        yield RecordError(f"{name}: {error_message(error)}")
        return
    end, in_gap = 0, False
    while True:
        try:
            if not archive.next_record(end):
                return
            in_gap = False
            items, end = _items(archive, selection, count)
            place = f"{name}: byte {archive.offset()}: "
            for item in items:
                yield item._replace(place=place) if isinstance(item, ArchivedPage) else _located(item, place)
            continue
        except _UnreadError as unread:
            if unread.record:
                yield _located(unread.record, f"{name}: byte {archive.offset()}: ")
        except Exception as error:  # every decompressor raises its own
            if not in_gap:  # one message per gap
                yield RecordError(f"{name}: after byte {archive.offset()}: {error_message(error)}")
            in_gap = True
        end = 0
        if not archive.find_next():
            return


def _located(error: RecordError, place: str) -> RecordError:
    return RecordError(f"{place}{error}", error.record)


class _UnreadError(Exception):
    """A record whose end cannot be found by its length. The next record is searched for after its start.

    `record` is the error; it is None for a record that is not selected.
    """

    def __init__(self, record: RecordError | None) -> None:
        super().__init__()
        self.record = record


def _items(
    archive: ArchiveText, selection: PageSelection, count: Callable[[int], None]
) -> tuple[list[ArchivedPage | RecordError], int]:
    """The page of the record that begins the text, with an error beside it if its id is damaged, or an error for it;
    none if it is not selected. And where the record ends. Raises _UnreadError."""
    fields, start, cut = _head(archive)
    record: Record = {"id": fields.get("warc-record-id", "").strip("<>") or None}
    length, limit = fields.get("content-length", "").strip(), selection.max_record
    size = int(length) if length.isdecimal() else 0
    url = fields.get("warc-target-uri", "").strip("<>")
    try:
        kind = "" if cut else record_kind(fields.get("warc-type"))
    except ValueError as error:
        raise _UnreadError(RecordError(str(error), record)) from None
    is_selected = cut or kind in PAGE_KINDS and selection.accepts_name(url)
    if is_selected:
        record["url"] = url or None
        if date := fields.get("warc-date"):
            record["crawl_date"] = date
        for field, name in _CONVERSION_HEADERS.items() if kind == "conversion" else ():
            if value := fields.get(name, "").strip("<>"):
                record[field] = value
        wrong = "" if length.isdecimal() else f"Content-Length: {length!r} is not a number of bytes"
        if cut or wrong:
            raise _UnreadError(RecordError(cut or wrong, record))
    if size > limit:
        too_long = RecordError(f"a record of {size:,} bytes; the limit is {limit:,} (NC_MAX_RECORD)", record)
        raise _UnreadError(too_long if is_selected else None)
    count(size)
    end = start + size
    try:
        if not archive.has(end):
            raise EOFError
        archive.check(end)
    except Exception as error:  # every decompressor raises its own
        why = error_message(error) if archive.is_packed else f"truncated: fewer than its {size:,} bytes"
        raise _UnreadError(RecordError(why, record)) from None
    if not is_selected:
        return [], end
    content_type = fields.get("content-type", "")
    try:
        with memoryview(archive.text)[start:end] as block:
            if kind == "response" or content_type.startswith("application/http"):
                page = select_response(record, block, selection)
            else:
                headers = {"content-type": content_type}
                page = select_page(ArchivedPage(record, bytes(block), headers, kind == "conversion"), selection)
    except (OSError, ValueError) as error:
        return [RecordError(error_message(error), record)], end
    damage = damaged_id(fields.get("warc-record-id")) if page else ""
    return [*([page] if page else []), *([RecordError(damage)] if damage else [])], end


def _head(archive: ArchiveText) -> tuple[dict[str, str], int, str]:
    """The fields of the head of the record that begins the text, by their names in lower case, the first of several;
    where the head ends; and a message about one that is cut. Raises _UnreadError for two records in one."""
    cut, end = "truncated: the archive ends inside the head of a record", None
    try:
        while not (end := _HEAD_END.search(archive.text)) and len(archive.text) < MAX_HEAD and archive.more():
            pass
    except Exception as error:  # every decompressor raises its own
        cut = error_message(error)
    text = archive.text[: end.start() if end else archive.text.rfind(b"\n") + 1].decode("utf-8", "replace")
    fields: dict[str, str] = {}
    for line in _FOLDED.sub(" ", text).split("\n")[1:]:
        name, _, value = line.partition(":")
        name, value = name.strip().lower(), value.strip()
        if fields.setdefault(name, value) is not value and name == "warc-record-id":
            raise _UnreadError(RecordError("truncated: another record begins inside its header"))
    return (fields, end.end(), "") if end else (fields, 0, cut)


# ---- the text of an archive, and what is compressed of it ------------------------------------------------------------


class ArchiveText:
    """The `text` of an archive from the record in hand on. The file may be several that are joined: members of gzip,
    frames of zstd, and records that are not compressed.

    Methods that read raise the errors of decompressors, and raise them again until `find_next` has gone on.
    """

    def __init__(self, source: io.BufferedIOBase) -> None:
        self._source = source
        self.text = bytearray()
        # of members: place in the text, place in the file, whether all places in it can be told
        self._starts: list[tuple[int, int, bool]] = []
        self._packed = bytearray()  # what was read of the file, from the start of the member in hand on
        self._place = self._at = 0  # of that in the file; how much of it was unpacked
        self._member: Iterator[bytes] | None = None
        self._error: Exception | None = None

    def next_record(self, end: int) -> bool:
        """Whether another record begins after the one in hand, which ends there. Drops that one, then. Raises
        ValueError for anything else than a record."""
        while self.has(end + 1) and self.text[end] in b"\r\n":
            end += 1
        if not self.has(end + 1):
            return False
        self.has(end + len(ARCHIVE_START))
        if not self.text.startswith(ARCHIVE_START, end):
            if self.is_packed or not self.text.startswith(_PACKED_STARTS, end):
                raise ValueError("no WARC record begins there")
            self._restart(self.offset(end), self.text[end:] + self._packed[self._at :])
            return self.next_record(0)
        self.drop(end)
        return True

    def has(self, size: int) -> bool:
        """Whether the text has so many bytes, after reading on."""
        while len(self.text) < size and self.more():
            pass
        return len(self.text) >= size

    def check(self, end: int) -> None:
        """Reads on to the checksum of a member, if the text ends there but for line feeds."""
        while self._member and self.is_packed and len(self.text) <= end + 4:
            self._piece()

    def offset(self, at: int = 0) -> int:
        """The place in the file of a place in the text; that of its member, if it is compressed."""
        for start, place, is_plain in reversed(self._starts):
            if start <= at:
                return place + (at - start if is_plain else 0)
        return self._place

    def find_next(self) -> bool:
        """Moves to the next record after the start of the one in hand; after damage, to the next member. False if there
        is none."""
        if self._error and not self._find_member():
            return False
        at = 1 if self.text else 0
        while (place := self.text.find(ARCHIVE_START, at)) < 0:
            self.drop(max(len(self.text) - len(ARCHIVE_START) + 1, 0))
            at = 0
            try:
                if not self.more():
                    return False
            except Exception:  # every decompressor raises its own
                if not self._find_member():
                    return False
        self.drop(place)
        return True

    def drop(self, size: int) -> None:
        """Drops so many bytes of text, and the members that end before."""
        del self.text[:size]
        starts = [(start - size, place, is_plain) for start, place, is_plain in self._starts]
        while len(starts) > 1 and starts[1][0] <= 0:
            del starts[0]
        self._starts = starts

    def more(self) -> bool:
        """Adds some text; False at the end."""
        if self._error:
            raise self._error
        try:
            while self._member or self._begin():
                if self._piece():
                    return True
        except Exception as error:  # every decompressor raises its own
            self._error = error
            raise
        return False

    @property
    def is_packed(self) -> bool:
        """Whether the text that was read last is compressed."""
        return bool(self._starts) and not self._starts[-1][2]

    def _piece(self) -> bool:
        """Adds the next text of the member in hand, which may be none; False at its end."""
        data = next(self._member, None) if self._member else None
        if data is None:
            self._member = None
            return False
        self.text += data
        return bool(data)

    def _begin(self) -> bool:
        """Begins the next member; False at the end of the file."""
        while self._has_packed(1) and not self._packed[self._at]:  # zeros, with which tapes were filled
            self._at += 1
        if not self._has_packed(1):
            return False
        self._has_packed(len(ARCHIVE_START))
        start = bytes(self._packed[self._at : self._at + len(ARCHIVE_START)])
        is_packed = start.startswith((GZIP, ZSTD))
        if self._starts and not is_packed and not ARCHIVE_START.startswith(start):
            raise OSError("what follows compressed content is no such content")
        self._forget(self._at)
        self._starts.append((len(self.text), self._place, not is_packed))
        if start.startswith(GZIP):
            self._member = self._gunzip()
        else:
            self._member = zstd_pieces(_Frame(self._take)) if is_packed else self._unchanged()
        return True

    def _find_member(self) -> bool:
        """Moves to the next member after the start of a damaged one. A compressed one, if that was compressed: pages of
        others may be compressed."""
        marks = _PACKED_STARTS if self._packed.startswith(_PACKED_STARTS) else (*_PACKED_STARTS, ARCHIVE_START)
        at = 1
        while not (places := [place for mark in marks if (place := self._packed.find(mark, at)) >= 0]):
            self._forget(max(len(self._packed) - len(ARCHIVE_START) + 1, 0))
            self._at = at = 0
            if not self._has_packed(len(self._packed) + 1):
                return False
        self._restart(self._place + min(places), self._packed[min(places) :])
        return True

    def _restart(self, place: int, packed: bytearray) -> None:
        """Begins a member there, whose first bytes are these."""
        self._place, self._packed, self._at = place, packed, 0
        self._member = self._error = None
        self.text = bytearray()
        self._starts = []

    def _forget(self, size: int) -> None:
        del self._packed[:size]
        self._place += size
        self._at = max(self._at - size, 0)

    def _has_packed(self, size: int) -> bool:
        """Whether so many bytes of the file are there that were not unpacked, after reading on."""
        while len(self._packed) - self._at < size and (more := self._source.read1(READ_BYTES)):
            self._packed += more
        return len(self._packed) - self._at >= size

    def _take(self, size: int) -> bytes:
        """The next bytes of the file, at most so many. Raises EOFError."""
        if not self._has_packed(1):
            raise EOFError
        if self._at > 2 * _KEPT_BYTES:
            self._forget(_KEPT_BYTES)
        data = bytes(memoryview(self._packed)[self._at : self._at + size])
        self._at += len(data)
        return data

    def _unchanged(self) -> Iterator[bytes]:
        while self._has_packed(1):
            yield self._take(READ_BYTES)
            self._forget(self._at)

    def _gunzip(self) -> Iterator[bytes]:
        inflate = zlib.decompressobj(31)
        while not inflate.eof:
            data = inflate.decompress(self._take(_PIECE_BYTES))
            self._at -= len(inflate.unused_data)
            yield data


class _Frame:
    """A frame of zstd as a file that ends with it (RFC 8878, section 3.1.1). *take* gives at most so many bytes."""

    def __init__(self, take: Callable[[int], bytes]) -> None:
        self._take, self._parts, self._rest = take, self._read_parts(), b""

    def read(self, size: int) -> bytes:
        self._rest = self._rest or next(self._parts, b"")
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def _read_parts(self) -> Iterator[bytes]:
        head = self._exactly(5)
        is_single, content_size = head[4] >> 5 & 1, head[4] >> 6
        yield head + self._exactly(1 - is_single + (0, 1, 2, 4)[head[4] & 3] + (is_single, 2, 4, 8)[content_size])
        is_last = 0
        while not is_last:
            head_of_block = self._exactly(3)
            bits = int.from_bytes(head_of_block, "little")
            is_last, kind, size = bits & 1, bits >> 1 & 3, bits >> 3
            yield head_of_block + self._exactly(1 if kind == _REPEATED_BYTE else size)
        yield self._exactly(4 * (head[4] >> 2 & 1))

    def _exactly(self, size: int) -> bytes:
        pieces: list[bytes] = []
        while size:
            pieces.append(self._take(size))
            size -= len(pieces[-1])
        return b"".join(pieces)
