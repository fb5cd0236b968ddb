"""Folders of files as records, beside files of records: where pages and cleaned texts are a file each, as in CleanEval.

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
from .inputs import open_inputs
from .readers import ReaderChain, RecordReader

HTML = frozenset((".html", ".htm", ".xhtml", ".shtml"))
# What CleanEval's folders and their users put behind the number of a page: 42-cleaned.txt, 42.html.
_BEHIND = re.compile(r"[-_.](?:clean(?:ed)?|original|orig|stripped|gold)\Z", re.I)
# How files begin that have many pages, which in a folder of pages are there by mistake.
_RECORDS = (b'{"', *COMPRESSIONS)


class TextFolder:
    """The files of a folder, by their names: `id` is the name without suffix; `html` bytes, or `file` and `text`.

    A file is HTML by its suffix, if not *text_only*. Hidden files and folders within are passed over.
    """

    def __init__(self, path: str, limit: int, text_only: bool = False) -> None:
        self._path, self._limit, self._text_only = Path(path), limit, text_only
        self.bytes = 0
        self.format = "jsonl"

    def __iter__(self) -> Iterator[Record | RecordError]:
        for path in sorted(self._path.iterdir(), key=_order):
            if not path.name.startswith(".") and not path.is_dir():
                yield self._record(path)

    def _record(self, path: Path) -> Record | RecordError:
        name = _BEHIND.sub("", path.stem)
        try:
            size = path.stat().st_size
            if size > self._limit:
                return RecordError(f"{path}: {size:,} bytes; the limit is {self._limit:,} (--max-record)", {"id": name})
            data = path.read_bytes()
        except OSError as error:
            return RecordError(f"{path}: {error.strerror}", {"id": name})
        self.bytes += len(data)
        if data.startswith(_RECORDS):
            return RecordError(
                f"{path}: records, or compressed, no page or text: name the file, not its folder", {"id": name}
            )
        if path.suffix.lower() in HTML and not self._text_only:
            return {"id": name, "html": data}
        return {"id": name, "file": path.name, "text": _text(data)}


def _text(data: bytes) -> str:
    """A text is in UTF-8 if it can be, whatever markup and stray NULs in it say (in UTF-16 every other byte is one)."""
    if 4 * data.count(0) < len(data):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-8-sig")
    return charset.decode_bytes(data)[0]


def _order(path: Path) -> tuple[int, str, str]:
    """Numbers as numbers: 2 before 10."""
    digits = re.match(r"\d{1,18}", path.name)
    return (int(digits[0]) if digits else -1, path.name, "")


class CorpusReader(ReaderChain):
    """The records of files and folders, one after the other; standard input where there are none.

    With *text_only*, files of folders are texts whatever their suffix. With *plain*, a file that is no stream of
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
