"""Everything that crawls are stored as: archives, records, pages, and folders of pages and archives, such as the output
of `wget -r`.

    for item, size in CrawlSource(["crawl.warc.gz", "mirror/", "page.html"], PageSelection(1 << 28)): ...

Lines of JSON are not parsed, and pages of archives are not decoded: that is left to the processes that work on them.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import io
import os
import stat
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ..errors import RecordError, as_usage_errors, error_message
from ..record import Record
from .archived_page import SNIFF_BYTES, ArchivedPage, looks_like_html
from .compression import GZIP, PARQUET, START_BYTES, ZSTD, decompress, first_bytes, format_name, plain_ascii, skip_blank
from .console import warn
from .html_pages import TYPES, PageSelection, decoded_page, file_suffix, is_html, is_page_file
from .json_lines import parse_line, parse_page
from .readers import CountedFile, Input, ReaderChain, RecordReader, open_inputs, path_text, rewound

ARCHIVE_START, ARCHIVES = b"WARC/", (".warc", ".wet")
# The tools that read archives, and everything else, in a pipe. Error records name them.
ARCHIVE_TOOL, PAGE_TOOL = "nc-warc", "nc-segment"


class Item(NamedTuple):
    """A record, a line of JSON that is one, a page as it is archived, or an error; the tool that reads it in a pipe;
    and the number of the file or folder that has it."""

    content: Record | RecordError | ArchivedPage | bytes
    tool: str
    source: int = 0

    def record(self, limit: int, keeps_utf8: bool = False) -> Record | RecordError:
        """The record, parsed and decoded, or the error. A page that has more bytes than *limit* is one. With
        *keeps_utf8*, its `html` is a PageText where it can be, which takes less time than a `str` to read."""
        if isinstance(self.content, bytes):
            return (parse_page if keeps_utf8 else parse_line)(self.content)
        return self.content.decoded(limit, keeps_utf8) if isinstance(self.content, ArchivedPage) else self.content


class CrawlSource:
    """The items of files and folders, one after the other, each with about its size in bytes; standard input where
    there are no files. With None, only `items_of` is of use. With *archives_alone*, records are errors.

    *selection* says which pages of archives and folders are read, and bounds the bytes of a record. `bytes` is the
    number of bytes read so far, decompressed; `read` that of the files themselves; `size` the bytes of all files, None
    where it is not known. `format` is that of the first stream of records. Raises UsageError for what cannot be read.
    """

    def __init__(self, files: Sequence[str] | None, selection: PageSelection, archives_alone: bool = False) -> None:
        self._selection, self._archives_alone = selection, archives_alone
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

    def _folder(self, folder: "SiteFolder") -> Iterator[tuple[Item, int]]:
        last = 0
        for content in folder:
            if isinstance(content, ArchiveFile):
                try:
                    raw = io.FileIO(content.path)
                except OSError as error:
                    yield Item(RecordError(f"{content.name}: {error.strerror}"), ARCHIVE_TOOL), 1
                else:
                    yield from self.items_of(content.name, raw)
                continue
            size, last = folder.bytes - last, folder.bytes
            self.bytes += size
            yield Item(content, PAGE_TOOL), max(size, 1)

    def items_of(self, name: str, raw: io.RawIOBase) -> Iterator[tuple[Item, int]]:
        """The items of an open file, which is an archive, records or a page."""
        with raw:
            try:
                counted = CountedFile(raw, self._count)
                stream, head = skip_blank(*decompress(counted, leave=(GZIP, ZSTD)))
                least = START_BYTES if self._archives_alone else len(ARCHIVE_START)
                stream, head = first_bytes(stream, head, least)
            except Exception as error:  # every decompressor raises its own
                yield Item(RecordError(f"{name}: {error_message(error)}"), PAGE_TOOL), 1
                return
            is_page = is_page_file(name, head)
            foreign = "records, which nc-segment reads" if head.startswith(b'{"') else format_name(head)
            may_be_archive = self._archives_alone or file_suffix(name) in ARCHIVES
            if head.lstrip().startswith(ARCHIVE_START) or may_be_archive and not (is_page or foreign):
                yield from self._archive(name, stream)
            elif self._archives_alone and not is_page:
                yield Item(RecordError(f"{name}: {foreign}, not a web archive"), PAGE_TOOL), 1
            elif not is_page or self._selection.accepts(TYPES[".html"], name):
                is_parquet = head.startswith(PARQUET) and rewound(counted, PARQUET)
                inputs: list[Any] = [(name, counted if is_parquet else stream)]
                reader = RecordReader(inputs, self._selection.max_record, "page", bytes)
                before = self.bytes
                for content in reader:
                    self.format = self.format or reader.format
                    size, self.bytes = before + reader.bytes - self.bytes, before + reader.bytes
                    yield Item(content, PAGE_TOOL), max(size, 1)

    def _archive(self, name: str, stream: io.BufferedIOBase) -> Iterator[tuple[Item, int]]:
        from .warc_reader import archived_pages  # start-up: only for archives

        def count(size: int) -> None:
            self.bytes += size

        last = self.bytes
        for page in archived_pages(name, stream, self._selection, count):
            size, last = self.bytes - last, self.bytes
            yield Item(page, ARCHIVE_TOOL), max(size, 1)

    def _count(self, size: int) -> None:
        self.read += size


class CrawlRecords:
    """The records of a source of archives and pages, decoded: at most so many, all if None. Errors stand for those that
    cannot be read."""

    def __init__(self, source: CrawlSource, limit: int, most: int | None = None) -> None:
        self._source, self._limit, self._most = source, limit, most

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        return (item.record(self._limit) for item, _ in islice(self._source, self._most))


class ArchiveFile(NamedTuple):
    """A WARC file in a folder: its name in messages, and its path."""

    name: str
    path: str


class SiteFolder:
    """The pages and archives of a folder and of the folders in it, in the order of their paths (by bytes).

    Pages are records: `id` is the path below the folder, with `/` between its parts and `\\xE9` for a byte that is not
    UTF-8; `encoding`; and `html`, decoded, or `text` of plain text. A file that cannot be read or is too long is a
    RecordError. Archives are left to the caller; with *pages_alone*, they are RecordErrors, too.

    Hidden files, links to folders and files that are not pages are skipped; `skipped` counts them, `items` the others.
    `bytes` is the number of bytes read from pages. Raises UsageError if the folder itself cannot be read.
    """

    def __init__(self, path: str, selection: PageSelection, pages_alone: bool = False) -> None:
        self.path, self._selection, self._pages_alone = path, selection, pages_alone
        self.bytes = self.skipped = self.items = 0
        with as_usage_errors(OSError, path):
            os.scandir(path).close()

    def __iter__(self) -> Iterator[Record | RecordError | ArchiveFile]:
        for below in self._files():
            path = os.path.join(self.path, below)
            item: Record | RecordError | ArchiveFile | None
            try:
                item = self._item(path, below)
            except Exception as error:  # every decompressor raises its own
                why = error.strerror if isinstance(error, OSError) and error.strerror else error_message(error)
                item = RecordError(f"{path_text(path)}: {why}", {"id": path_text(below.rstrip("/"))})
            if item is None:
                self.skipped += 1
            else:
                self.items += 1
                is_alien = self._pages_alone and isinstance(item, ArchiveFile)
                yield RecordError(f"{path_text(path)}: a WARC file; nc-warc reads it") if is_alien else item

    def _files(self) -> Iterator[str]:
        """The paths of the files, and those of folders that cannot be read, which end with a slash."""
        levels = [("", self._names(""))]  # the folders from the root down, each with its remaining names
        while levels:
            folder, names = levels[-1]
            if not names:
                levels.pop()
                continue
            below = folder + names.pop()
            if not below.endswith("/"):
                yield below
                continue
            try:
                levels.append((below, self._names(below)))
            except OSError:
                yield below

    def _names(self, folder: str) -> list[str]:
        """The names in a folder, the last first. Folders end with a slash, so that they sort like the paths of their
        files."""
        names = []
        with os.scandir(os.path.join(self.path, folder)) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    self.skipped += 1
                else:
                    names.append(entry.name + "/" * entry.is_dir(follow_symlinks=False))
        return sorted(names, key=os.fsencode, reverse=True)

    def _item(self, path: str, below: str) -> Record | ArchiveFile | None:
        """The page or archive that a file is; None for others. Raises OSError, and what decompressors raise."""
        if below.endswith("/"):
            os.scandir(path).close()  # raises the error of the folder again
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return None
        suffix = file_suffix(below)
        if suffix in ARCHIVES:
            return ArchiveFile(path_text(path), path)
        mime = TYPES.get(suffix, "")
        if not found.st_size and not mime or mime and not self._selection.accepts(mime, path_text(below)):
            return None
        with io.FileIO(path) as raw:
            data, head = decompress(raw)
            if not mime:
                if head.startswith(b"WARC/"):
                    return ArchiveFile(path_text(path), path)
                start = data.read(SNIFF_BYTES)
                if not _is_page(start) or not self._selection.accepts("text/html", path_text(below)):
                    return None
                return self._page(below, "text/html", found.st_size, data, start)
            return self._page(below, mime, found.st_size, data)

    def _page(self, below: str, mime: str, size: int, data: io.BufferedIOBase, start: bytes = b"") -> Record:
        limit = self._selection.max_record
        if size > limit:
            raise ValueError(f"{size:,} bytes; the limit is {limit:,} (NC_MAX_RECORD)")
        content = start + data.read(limit + 1 - len(start))
        if len(content) > limit:
            raise ValueError(f"more than {limit:,} bytes after decompression (NC_MAX_RECORD)")
        self.bytes += len(content)
        return decoded_page(path_text(below), content, mime)


def _is_page(start: bytes) -> bool:
    """Whether a file is a page by its first bytes: as a payload without a Content-Type, but also in UTF-16, and after
    a byte-order mark or an XML declaration."""
    text = plain_ascii(start)
    return looks_like_html(text) or text[:5].lower() == b"<?xml" and is_html(text)


# ---- pages, records and folders of them, in turn ---------------------------------------------------------------------


class PageSource(ReaderChain):
    """The records and pages of files and folders, one after the other; standard input where there are none. Raises
    UsageError for a file or folder that cannot be read."""

    def __init__(self, files: Sequence[str], max_record: int) -> None:
        sources: list[Any] = [
            SiteFolder(name, PageSelection(max_record), pages_alone=True)
            if name != "-" and os.path.isdir(name)
            else RecordReader(open_inputs([name]), max_record, "page", parse_page)
            for name in files or ["-"]
        ]
        super().__init__(sources)
        self.folders = [source for source in sources if isinstance(source, SiteFolder)]


def report_folders(tool: str, folders: Sequence[SiteFolder], verbose: bool, quiet: bool = False) -> None:
    """Says on standard error which folders have files, and no page or archive among them; and if *verbose*, how many
    files are neither."""
    for folder in folders:
        if folder.skipped and not folder.items and not quiet:
            path = path_text(folder.path)
            others = f"records and other files must be named: {path.rstrip('/')}/*"
            warn(tool, f"{path}: no page of HTML in this folder; {others}")
    if verbose and folders:
        count = sum(folder.skipped for folder in folders)
        warn(tool, f"skipped in folders: {count} file{'' if count == 1 else 's'}")
