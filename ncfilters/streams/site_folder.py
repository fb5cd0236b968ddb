"""Folders of web pages and archives, with all folders in them, such as the output of `wget -r`; and these among files.

for item in SiteFolder("mirror/", PageSelection(1 << 28)): ...    # {"id": "news/1.html", "encoding": {…}, "html": …}
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import io
import os
import stat
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import RecordError, as_usage_errors, error_message
from ..record import Record
from .archived_page import SNIFF_BYTES, looks_like_html
from .compression import decompress
from .console import warn
from .foreign_formats import plain_ascii
from .html_pages import TYPES, PageSelection, decoded_page, file_suffix, is_html
from .inputs import open_inputs, path_text
from .json_lines import parse_page
from .readers import ReaderChain, RecordReader

ARCHIVES = (".warc", ".wet")


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
                item = _failed(path, below, error)
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


def _failed(path: str, below: str, error: Exception) -> RecordError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else error_message(error)
    return RecordError(f"{path_text(path)}: {why}", {"id": path_text(below.rstrip("/"))})


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
