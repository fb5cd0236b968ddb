"""Files of the command line, opened to be read one after the other.

for name, raw in open_inputs(["crawl.jsonl", "-"]): ...    # "crawl.jsonl", then "standard input"
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

from ..errors import UsageError

STANDARD_INPUT = "standard input"
# The capacity of a pipe in bytes: the maximum that Linux allows without privileges.
PIPE_BYTES = 1 << 20

Input = tuple[str, io.RawIOBase]


def open_inputs(files: Sequence[str]) -> list[Input]:
    """The files with their names; standard input where there are none, or for `-`.

    Raises UsageError for a file that cannot be read. A file is open only while it is read.
    """
    out: list[Input] = []
    for name in files or ["-"]:
        try:
            out.append((STANDARD_INPUT, _BlockingFile(0, closefd=False)) if name == "-" else _lazy(name))
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


def _lazy(name: str) -> Input:
    mode = os.stat(name).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISREG(mode):
        io.FileIO(name).close()  # an unreadable file is an error before any work
    elif not os.access(name, os.R_OK):  # a pipe cannot be opened twice
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return path_text(name), cast(io.RawIOBase, _LazyFile(name))


def _enlarge_pipe(descriptor: int) -> None:
    """Enlarges a pipe to several pages, so that two processes do not alternate for each 64 KB. Linux only."""
    try:
        import fcntl  # absent on other systems

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass  # not a pipe, or not supported here


class _BlockingFile(io.FileIO):
    """A file whose reads block, even if the process at the other end has made the pipe non-blocking."""

    def __init__(self, file: int | str, closefd: bool = True) -> None:
        super().__init__(file, closefd=closefd)
        self._has_ended = False  # of a terminal, which could be read again after Ctrl+D
        _enlarge_pipe(self.fileno())

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
