"""Everything that crawls are stored as: archives, records, pages, and folders of pages and archives.

    for item in CrawlSource(["crawl.warc.gz", "mirror/", "page.html"], PageSelection(1 << 28)): ...

Lines of JSON are not parsed, and pages of archives are not decoded: that is left to the processes that work on them.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import RecordError, error_message
from ..record import Record
from .archived_page import ArchivedPage
from .compression import GZIP, PARQUET, ZSTD, decompress, first_bytes, skip_blank
from .html_pages import PageSelection
from .inputs import Input, open_inputs, rewound
from .json_lines import parse_line
from .readers import CountedFile, RecordReader
from .site_folder import ArchiveFile, SiteFolder
from .warc_reader import WarcReader

ARCHIVE_START = b"WARC/"
# The tools that read archives, and everything else, in a pipe. Error records name them.
ARCHIVE_TOOL, PAGE_TOOL = "nc-warc", "nc-segment"


class Item(NamedTuple):
    """A record, a line of JSON that is one, a page as it is archived, or an error; the tool that reads it in a pipe;
    and the number of the file or folder that has it."""

    content: Record | RecordError | ArchivedPage | bytes
    tool: str
    source: int = 0

    def record(self, limit: int) -> Record | RecordError:
        """The record, parsed and decoded, or the error. A page that has more bytes than *limit* is one."""
        if isinstance(self.content, bytes):
            return parse_line(self.content)
        return self.content.decoded(limit) if isinstance(self.content, ArchivedPage) else self.content


class CrawlSource:
    """The items of files and folders, one after the other, each with about its size in bytes; standard input where
    there are no files. With None, only `items_of` is of use.

    *selection* says which pages of archives and folders are read, and bounds the bytes of a record. `bytes` is the
    number of bytes read so far, decompressed; `read` that of the files themselves; `size` the bytes of all files, None
    where it is not known. `format` is that of the first stream of records. Raises UsageError for what cannot be read.
    """

    def __init__(self, files: Sequence[str] | None, selection: PageSelection) -> None:
        self._selection = selection
        self.format: str | None = None
        self.bytes = self.read = 0
        names = [] if files is None else files or ["-"]
        self._sources: list[SiteFolder | Input] = [
            SiteFolder(name, selection) if name != "-" and os.path.isdir(name) else open_inputs([name])[0]
            for name in names
        ]
        self.folders = [source for source in self._sources if isinstance(source, SiteFolder)]
        self.size = sum(map(os.path.getsize, names)) if all(map(os.path.isfile, names)) else None

    def __iter__(self) -> Iterator[tuple[Item, int]]:
        for number, source in enumerate(self._sources):
            for item, size in self._folder(source) if isinstance(source, SiteFolder) else self.items_of(*source):
                yield item._replace(source=number), size

    def _folder(self, folder: SiteFolder) -> Iterator[tuple[Item, int]]:
        before = self.bytes
        for item in folder:
            if isinstance(item, ArchiveFile):
                try:
                    raw = io.FileIO(item.path)
                except OSError as error:
                    yield Item(RecordError(f"{item.name}: {error.strerror}"), ARCHIVE_TOOL), 1
                else:
                    yield from self.items_of(item.name, raw)
                before = self.bytes - folder.bytes
            else:
                size = before + folder.bytes - self.bytes
                self.bytes += size
                yield Item(item, PAGE_TOOL), max(size, 1)

    def items_of(self, name: str, raw: io.RawIOBase) -> Iterator[tuple[Item, int]]:
        """The items of an open file, which is an archive, records or a page."""
        with raw:
            try:
                counted = CountedFile(raw, self._count)
                stream, head = decompress(counted, leave=(GZIP, ZSTD))
                stream, head = first_bytes(*skip_blank(stream, head), len(ARCHIVE_START))
            except Exception as error:  # every decompressor raises its own
                yield Item(RecordError(f"{name}: {error_message(error)}"), PAGE_TOOL), 1
                return
            is_parquet = head.startswith(PARQUET) and rewound(counted, PARQUET)
            inputs: list[Any] = [(name, counted if is_parquet else stream)]
            if head.lstrip().startswith(ARCHIVE_START):
                yield from self.measured(WarcReader(inputs, self._selection), ARCHIVE_TOOL)
            else:
                yield from self.measured(RecordReader(inputs, self._selection.max_record, "page", bytes), PAGE_TOOL)

    def measured(self, reader: WarcReader | RecordReader, tool: str) -> Iterator[tuple[Item, int]]:
        """The items of a reader, which *tool* reads in a pipe, with their sizes."""
        last = 0
        for content in reader.undecoded() if isinstance(reader, WarcReader) else reader:
            if isinstance(reader, RecordReader):
                self.format = self.format or reader.format
            size, last = reader.bytes - last, reader.bytes
            self.bytes += size
            yield Item(content, tool), max(size, 1)

    def _count(self, size: int) -> None:
        self.read += size
