"""Folders of web pages and archives, with all folders within, such as `wget -r` leaves them.

for item in SiteFolder("mirror/", limit=1 << 28): ...    # {"id": "news/1.html", "encoding": {…}, "html": "<p>…"}
"""

from __future__ import annotations

import fnmatch
import io
import os
import re
import stat
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import RecordError, UsageError
from ..record import Record
from . import charset, http_payload
from .compression import decompress
from .readers import error_message

HTML = ("text/html", "application/xhtml+xml")
# suffix → content type; what has another one is looked at
TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".shtml": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xht": "application/xhtml+xml",
    ".txt": "text/plain",
}
ARCHIVES = (".warc", ".wet")
_PACKED = re.compile(r"\.(?:gz|zst|xz|bz2)\Z")


class ArchiveFile(NamedTuple):
    """A WARC file in a folder: what it is called where its errors are told, and where it is."""

    name: str
    path: str


class SiteFolder:
    """The files of a folder and of those within, in the order of their paths (by bytes).

    Pages are records: `id` is the path below the folder, `/` between its parts and `\\xE9` for a byte that is not
    UTF-8; `encoding`, and `html` decoded, or `text` of plain text. *mime* are the content types that are wanted (HTML,
    if None), *match* must be found in the id. Archives are for who knows to read them. A file that cannot be read, or
    has more than *limit* bytes, is a RecordError.

    Hidden ones, links to folders and whatever else is no page are passed over; `passed_over` counts them. `bytes`
    counts what has been read of pages. Raises UsageError where the folder itself cannot be read.
    """

    def __init__(
        self, path: str, limit: int, mime: tuple[str, ...] | None = None, match: re.Pattern[str] | None = None
    ) -> None:
        self._top, self._limit, self._mime, self._match = path, limit, mime or HTML, match
        self.bytes = self.passed_over = 0
        try:
            os.scandir(path).close()
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None

    def __iter__(self) -> Iterator[Record | RecordError | ArchiveFile]:
        for below in self._files():
            path = os.path.join(self._top, below)
            item: Record | RecordError | ArchiveFile | None
            try:
                item = self._item(path, below)
            except Exception as error:  # every decompressor raises its own
                item = _failed(path, below, error)
            if item is None:
                self.passed_over += 1
            else:
                yield item

    def _files(self) -> Iterator[str]:
        """The paths of the files; of folders that cannot be read, too, with a slash behind."""
        levels = [("", self._names(""))]  # what is left of each folder on the way down
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
        """What is in it, last name first; a slash behind folders: so they stand where their files do among all
        paths."""
        names = []
        with os.scandir(os.path.join(self._top, folder)) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    self.passed_over += 1
                else:
                    names.append(entry.name + "/" * entry.is_dir(follow_symlinks=False))
        return sorted(names, key=os.fsencode, reverse=True)

    def _item(self, path: str, below: str) -> Record | ArchiveFile | None:
        """The page or archive that a file is; None for others. Raises OSError, and what decompressors raise."""
        if below.endswith("/"):
            os.scandir(path).close()  # what is wrong with it is said again
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return None
        suffix = os.path.splitext(_PACKED.sub("", below.lower()))[1]
        if suffix in ARCHIVES:
            return ArchiveFile(_spelt(path), path)
        mime = TYPES.get(suffix, "")
        if not found.st_size and not mime or mime and not self._wanted(mime, below):
            return None
        with io.FileIO(path) as raw:
            data, head = decompress(raw)
            if not mime:
                if head.startswith(b"WARC/"):
                    return ArchiveFile(_spelt(path), path)
                start = data.read(http_payload.SNIFFED)
                if not http_payload.looks_like_html(start) or not self._wanted("text/html", below):
                    return None
                return self._page(below, "text/html", found.st_size, data, start)
            return self._page(below, mime, found.st_size, data)

    def _wanted(self, mime: str, below: str) -> bool:
        return any(fnmatch.fnmatchcase(mime, pattern) for pattern in self._mime) and not (
            self._match and not self._match.search(_spelt(below))
        )

    def _page(self, below: str, mime: str, size: int, data: io.BufferedIOBase, start: bytes = b"") -> Record:
        if size > self._limit:
            raise ValueError(f"{size:,} bytes; the limit is {self._limit:,} (--max-record)")
        content = start + data.read(self._limit + 1 - len(start))
        if len(content) > self._limit:
            raise ValueError(f"unpacked, more than {self._limit:,} bytes (--max-record)")
        self.bytes += len(content)
        record: dict[str, Any] = {"id": _spelt(below)}
        text, record["encoding"] = charset.decode_bytes(content)
        record["html" if mime in HTML else "text"] = text
        return record


def _failed(path: str, below: str, error: Exception) -> RecordError:
    why = error.strerror if isinstance(error, OSError) and error.strerror else error_message(error)
    return RecordError(f"{_spelt(path)}: {why}", {"id": _spelt(below.rstrip("/"))})


def _spelt(path: str) -> str:
    """A path in Unicode, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
