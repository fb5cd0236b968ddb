"""The inputs of filters that read pages: files of records, HTML pages, folders of pages.

    source = page_source(["crawl.jsonl", "page.html", "mirror/"], max_record=1 << 28)

nc-segment, nc-render and nc-normalize read these; the other filters read records alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ..errors import RecordError
from ..record import Record
from .html_pages import PageSelection
from .inputs import open_inputs, path_text
from .json_lines import parse_page
from .readers import ReaderChain, RecordReader
from .site_folder import ArchiveFile, SiteFolder


class PageSource(ReaderChain):
    """The records and pages of files and folders, one after the other; standard input where there are none. Raises
    UsageError for a file or folder that cannot be read."""

    def __init__(self, files: Sequence[str], max_record: int) -> None:
        self._folders: list[FolderPages] = []
        sources: list[RecordReader | FolderPages] = []
        for name in files or ["-"]:
            if name != "-" and os.path.isdir(name):
                folder = FolderPages(SiteFolder(name, PageSelection(max_record)))
                self._folders.append(folder)
                sources.append(folder)
            else:
                sources.append(RecordReader(open_inputs([name]), max_record, "page", parse_page))
        super().__init__(sources)

    @property
    def skipped(self) -> int | None:
        """How many files of folders are not pages; None where no folder is read."""
        return sum(folder.skipped for folder in self._folders) if self._folders else None

    @property
    def folders_without_pages(self) -> list[str]:
        """The folders that have files, and no page among them."""
        return [folder.path for folder in self._folders if folder.skipped and not folder.items]


class FolderPages:
    """The pages of a folder. An archive in the folder is a RecordError, because nc-warc reads archives."""

    def __init__(self, folder: SiteFolder) -> None:
        self._folder = folder
        self.path = path_text(folder.path)
        self.items = 0  # pages and errors so far

    @property
    def bytes(self) -> int:
        """How much has been read so far."""
        return self._folder.bytes

    @property
    def skipped(self) -> int:
        """How many files are not pages."""
        return self._folder.skipped

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._folder:
            self.items += 1
            yield (
                RecordError(f"{item.name}: a WARC file; nc-warc reads it") if isinstance(item, ArchiveFile) else item
            )
