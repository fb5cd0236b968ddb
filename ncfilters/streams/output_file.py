"""Output to a file, whose name says how it is compressed.

    output = FileOutput("corpus.jsonl.zst")
    output.write(b"{}\\n")
    output.close()

zstd -dc corpus.jsonl.zst    # {}
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from ..errors import UsageError, as_usage_errors

# The format of a file that has no form of text, by its suffix.
FORMATS = {
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".msgpack", ".mp"), "msgpack"),
    ".wet": "wet",
    ".parquet": "parquet",
}
GZIP_SUFFIX = ".gz"
_GZIP_LEVEL = 6  # the default of gzip
_BUFFER_BYTES = 1 << 18  # bytes that are written at once


def suffix_of(name: str) -> str:
    """The suffix of a file's name in small letters, such as `.jsonl` of `corpus.jsonl.zst`."""
    stem, suffix = os.path.splitext(name.lower())
    return os.path.splitext(stem)[1] if suffix in COMPRESSED else suffix


class FileOutput:
    """A file as an `Output`. It is compressed as its suffix says, unless it is *plain*. It has a temporary name beside
    *path* until it is closed; then it replaces what was there: the file that a link leads to, or with *replaces_links*
    the link. After an error, nothing of it stays. Raises UsageError if it cannot be created, and if another process is
    writing it."""

    def __init__(self, path: str, plain: bool = False, replaces_links: bool = False) -> None:
        self._path, self._real = path, path if replaces_links else os.path.realpath(path)
        self._part = _part_of(self._real)
        self._finished = self._failed = False
        compress = None if plain else COMPRESSED.get(os.path.splitext(path.lower())[1])
        with as_usage_errors(OSError, path):
            if replaces_links and os.path.islink(self._part):
                os.remove(self._part)
            self._file: Any = _locked(self._part, path) if self._part else open(path, "wb", _BUFFER_BYTES)  # noqa: SIM115 (closed by `close`)
        self._to = compress(self._file) if compress else self._file

    def write(self, data: bytes | memoryview) -> None:
        """Adds the bytes of a record, or of a part of it. Raises OSError."""
        with self._named():
            self._to.write(data)

    def flush(self) -> None:
        """Records are in the file when it is closed: a compressor would end a block at each flush."""

    def finish(self) -> str:
        """Completes the file under its temporary name, and returns that. Raises OSError."""
        if not self._finished:
            self._finished = True
            with self._named():
                if self._to is not self._file:
                    self._to.close()
                self._file.flush()
        return self._part or self._path

    def close(self) -> None:
        """Completes the file, unless a write has failed. Raises OSError."""
        if self._failed or self._file.closed:
            return
        self.finish()
        with self._named():
            if self._part:
                with contextlib.suppress(FileNotFoundError):
                    os.chmod(self._part, os.stat(self._real).st_mode & 0o777)
                os.replace(self._part, self._real)
            self._file.close()  # which unlocks it

    def discard(self) -> None:
        """Leaves what was there; nothing more is written."""
        if self._part and not self._failed:
            with contextlib.suppress(OSError):
                os.remove(self._part)
        self._failed = True

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Errors say which file it is."""
        try:
            yield
        except OSError as error:
            self.discard()
            raise OSError(error.errno or errno.EIO, error.strerror or str(error), self._path) from None


def write_whole(path: str, parts: Iterable[bytes | memoryview]) -> None:
    """Writes a file of these parts as they are, complete or not at all. Raises OSError, and UsageError if it cannot be
    created."""
    output = FileOutput(path, plain=True)
    try:
        for part in parts:
            output.write(part)
        output.close()
    except BaseException:
        output.discard()
        raise


def _part_of(path: str) -> str:
    """The temporary name of a file; empty for a device, a pipe, and a file in a folder that is not ours."""
    folder, name = os.path.split(path)
    is_device = os.path.exists(path) and not os.path.isfile(path)
    return "" if is_device or os.path.isdir(folder) and not os.access(folder, os.W_OK) else f"{folder}/.{name}.part"


def _locked(part: str, path: str) -> Any:
    """The file of a temporary name, empty, for this process alone; what a killed process has left is used again. Raises
    OSError, and UsageError if another process has it."""
    while True:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.fdopen(os.open(part, flags, 0o666), "wb", _BUFFER_BYTES)
        try:
            lock(file, f"{path}: another process is writing it")
            if os.path.samestat(os.fstat(file.fileno()), os.stat(part)):
                file.truncate(0)
                return file
        except FileNotFoundError:  # whoever had it has renamed it
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def lock(file: Any, message: str) -> None:
    """Locks a file for this process, not for its children. Raises UsageError with the message if another process has
    it."""
    try:
        import fcntl  # absent on other systems
    except ImportError:
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # systems differ
        raise UsageError(message) from None
    except OSError:
        pass  # a file system without locks


class _ZstdFile:
    """A zstd file, also where nothing is written: fastwarc's writer leaves that empty, which zstd calls truncated."""

    def __init__(self, file: Any) -> None:
        from fastwarc.stream_io import ZstdWriter  # start-up: only for this suffix

        self._writer, self._is_empty = ZstdWriter(file), True

    def write(self, data: bytes) -> None:
        self._is_empty = self._is_empty and not data
        self._writer.write(data)

    def close(self) -> None:
        if self._is_empty:
            self._writer.write(b"")
        self._writer.close()


# start-up: a library is loaded for its suffix alone
COMPRESSED: dict[str, Callable[[Any], Any]] = {
    GZIP_SUFFIX: lambda file: import_module("gzip").GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0),
    ".zst": _ZstdFile,
    ".xz": lambda file: import_module("lzma").LZMAFile(file, "w"),
    ".bz2": lambda file: import_module("bz2").BZ2File(file, "w"),
}
