"""Folders with a file for each page or text, as in CleanEval, and files of records.

for item in CorpusReader(["original/"], limit=1 << 28): ...    # {"id": "42", "html": b"<html>…"}
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from ..errors import RecordError
from ..record import Record
from . import charset
from .compression import COMPRESSIONS
from .readers import ReaderChain, RecordReader, open_inputs
from .writers import file_path

HTML_SUFFIXES = frozenset((".html", ".htm", ".xhtml", ".shtml"))
# Suffixes that CleanEval and its users add to the number of a page: 42-cleaned.txt.
_NAME_SUFFIX = re.compile(r"[-_.](?:clean(?:ed)?|original|orig|stripped|gold)\Z", re.I)
# Suffixes of the files of a page and of its text: 42.html.txt.
_FILE_SUFFIX = re.compile(r"(?:\.(?:html?|xhtml|shtml|xht|txt)){1,2}\Z", re.I)
# The first bytes of files with many pages, which are errors in a folder of pages.
_RECORD_STARTS = (b'{"', *COMPRESSIONS)


class TextFolder:
    """The files of a folder, and of the folders in it, in the order of their names: `id`, which is the path in the
    folder without suffix, and `html` bytes, or `file` and `text`.

    The suffix says whether a file is HTML; with *text_only* all are text. Hidden files and folders, and links to
    folders, are skipped.
    """

    def __init__(self, path: str, limit: int, text_only: bool = False) -> None:
        self._path, self._limit, self._text_only = Path(path), limit, text_only
        self.bytes = 0
        self.format = "jsonl"

    def __iter__(self) -> Iterator[Record | RecordError]:
        return map(self._record, _files(self._path))

    def _record(self, path: Path) -> Record | RecordError:
        below = path.relative_to(self._path)
        name = _NAME_SUFFIX.sub("", below.with_name(below.stem).as_posix())
        try:
            size = path.stat().st_size
            if size > self._limit:
                message = f"{path}: {size:,} bytes; the limit is {self._limit:,} (NC_MAX_RECORD)"
                return RecordError(message, {"id": name})
            data = path.read_bytes()
        except OSError as error:
            return RecordError(f"{path}: {error.strerror}", {"id": name})
        self.bytes += len(data)
        if data.startswith(_RECORD_STARTS):
            return RecordError(
                f"{path}: has records or is compressed: give the file itself, not its folder", {"id": name}
            )
        if path.suffix.lower() in HTML_SUFFIXES and not self._text_only:
            return {"id": name, "html": data}
        return {"id": name, "file": str(below), "text": _text(data)}


def page_name(id: str) -> str:
    """What the files of a page have in common: `42` for the ids 42, 42.html, 42-original.html and 42-cleaned.txt.

    Characters that nc-select -o replaces in the name of a file are replaced.
    """
    return _NAME_SUFFIX.sub("", _FILE_SUFFIX.sub("", file_path(id, 0)))


def _files(folder: Path) -> Iterator[Path]:
    """The files, sorted by the numbers that names begin with: 2 before 10."""
    number = re.compile(r"\d{1,18}")
    for path in sorted(folder.iterdir(), key=lambda path: (int((number.match(path.name) or ["-1"])[0]), path.name)):
        if path.name.startswith("."):
            continue
        if not path.is_dir():
            yield path
        elif not path.is_symlink():
            yield from _files(path)


def _text(data: bytes) -> str:
    """The text of a file: UTF-8 if valid, whatever markup in it declares; otherwise decoded like a page.

    A text with many NULs is UTF-16.
    """
    if 4 * data.count(0) < len(data):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8-sig")
    return charset.decode_bytes(data)[0]


class CorpusReader(ReaderChain):
    """The records of files and folders, one after the other; standard input where there are none.

    With *text_only*, files of folders are texts whatever their suffix. With *plain*, a file that is not a stream of
    records is plain text, and each line of it a record with `text`. Raises UsageError for what cannot be opened.
    """

    def __init__(self, files: Sequence[str], limit: int, text_only: bool = False, plain: bool = False) -> None:
        super().__init__(
            [
                TextFolder(name, limit, text_only)
                if os.path.isdir(name)
                else RecordReader(open_inputs([name]), limit, "lines" if plain else "error")
                for name in files or ["-"]
            ]
        )
