"""Records in, bytes out: JSON-lines, MessagePack, text, or a file for each document.

sink = Records(Output(watched=False), "jsonl")
sink.write({"id": "a"}); sink.close()
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import Any, Protocol

import orjson

from ..errors import RecordError
from ..record import Record, is_error

BLOCK = 1 << 18
# Nobody who watches a file grow waits longer than this for what is done (seconds).
PATIENCE = 1.0
# Bytes of a file's name; file systems have 255, and a suffix comes after it.
MAX_NAME = 200
# Bytes of an id that is a path of folders; longer ones make a name without folders, so that systems take it.
MAX_PATH = 1000


class Sink(Protocol):
    """Where records go."""

    def write(self, record: Record) -> None:
        """Takes a record. Raises RecordError where it has no place for it, OSError where the output fails."""

    def close(self) -> None:
        """Writes what is left."""


class Output:
    """Standard output in blocks; record by record when *watched*. The first record goes out at once: who waits sees
    it works."""

    def __init__(self, watched: bool, descriptor: int = 1) -> None:
        self._watched, self._descriptor = watched, descriptor
        self._waiting: list[bytes] = []
        self._size = BLOCK
        self._flushed = 0.0

    def write(self, data: bytes) -> None:
        """Adds what makes one record."""
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= BLOCK or self._watched or time.monotonic() - self._flushed > PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Writes what waits. Raises OSError."""
        data = memoryview(b"".join(self._waiting))
        self._waiting.clear()
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:  # somebody at the other end has made the pipe so
                select.select([], [self._descriptor], [])
        self._size = 0
        self._flushed = time.monotonic()


class Records:
    """Records as JSON-lines or MessagePack (*form*, or what it returns when the first record comes)."""

    def __init__(self, output: Output, form: str | Callable[[], str]) -> None:
        self._output, self._form = output, form
        self._pack: Callable[[Record], bytes] | None = None

    def write(self, record: Record) -> None:
        if self._pack is None:
            form = self._form if isinstance(self._form, str) else self._form()
            self._pack = _packer() if form == "msgpack" else json_line
        self._output.write(self._pack(record))

    def close(self) -> None:
        self._output.flush()


class Text:
    """Documents as text, with something before the first, between them and after the last."""

    def __init__(
        self, output: Output, text_of: Callable[[Record], str], head: str = "", between: str = "", tail: str = ""
    ) -> None:
        self._output, self._text_of = output, text_of
        self._before, self._between, self._tail = head, between, tail

    def write(self, record: Record) -> None:
        text = self._text_of(record)
        if text:
            if not text.endswith("\n"):
                text += "\n"
            self._output.write((self._before + text).encode("utf-8", "replace"))
            self._before = self._between

    def close(self) -> None:
        before = self._before if self._before != self._between else ""
        if before or self._tail:
            self._output.write((before + self._tail).encode())
        self._output.flush()


class Files:
    """A file for each document, named by its id as *named* says (file_name, or file_path for folders too), in a folder;
    none for one that failed."""

    def __init__(
        self,
        folder: str,
        suffix: str,
        text_of: Callable[[Record], str],
        head: str = "",
        tail: str = "",
        named: Callable[[Any, int], str] | None = None,
    ) -> None:
        self._folder, self._suffix, self._text_of = folder, suffix, text_of
        self._head, self._tail = head, tail
        self._named = named or file_name
        self._number = 0
        self._names: set[str] = set()
        os.makedirs(folder, exist_ok=True)

    def write(self, record: Record) -> None:
        self._number += 1
        if is_error(record):
            return
        name = self._named(record.get("id"), self._number)
        while name in self._names:
            name = f"{name}~{self._number}"
        text = self._text_of(record)
        if text and not text.endswith("\n"):
            text += "\n"
        data = (self._head + text + self._tail).encode("utf-8", "replace")
        try:
            self._put(name, data)
        except (FileExistsError, IsADirectoryError, NotADirectoryError):  # a file where a folder should be, or so
            name = f"{name.replace('/', '_').encode()[:MAX_NAME].decode('utf-8', 'ignore')}~{self._number}"
            self._put(name, data)
        self._names.add(name)

    def _put(self, name: str, data: bytes) -> None:
        path = os.path.join(self._folder, name + self._suffix)
        if "/" in name:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    def close(self) -> None:
        pass


def file_path(name: Any, number: int) -> str:
    """The name of a document's file: with the folders of an id that is a path below a folder (`news/1.html`, as
    nc-warc has it), and without any for all others: `/etc/passwd`, `a/../b`, `http://a/b`."""
    parts = str(name).split("/")
    if len(parts) < 2 or len(str(name).encode("utf-8", "replace")) > MAX_PATH:
        return file_name(name, number)
    safe = [_safe(part) for part in parts]
    return "/".join(safe) if all(part.strip("._") for part in safe) else file_name(name, number)


def file_name(name: Any, number: int) -> str:
    """A name without folders; the record's number where it has no id."""
    safe = "" if name is None else _safe(str(name))
    return safe if safe.strip("._") else f"{number:06}"


def _safe(name: str) -> str:
    """What file systems take and shells leave alone, cut after MAX_NAME bytes."""
    safe = "".join(c if c.isalnum() or c in "-_.=+@" else "_" for c in name)
    return safe.encode("utf-8", "replace")[:MAX_NAME].decode("utf-8", "ignore")


def json_line(record: Any) -> bytes:
    """The record as one line of JSON. Raises RecordError for what JSON has not."""
    try:
        return orjson.dumps(record, default=_to_base64, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
    except TypeError as error:
        if "surrogates" in str(error):
            return json_line(replace_surrogates(record))
        raise RecordError(f"cannot be written as JSON: {error}") from None


def _to_base64(value: object) -> dict[str, str]:
    if isinstance(value, bytes):
        import base64

        return {"$base64": base64.b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} is no JSON")


def replace_surrogates(value: Any) -> Any:
    """*value* with U+FFFD in place of lone surrogates."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_surrogates(item) for item in value]
    return value


def _packer() -> Callable[[Record], bytes]:
    import msgpack

    pack = msgpack.Packer().pack

    def packed(record: Record) -> bytes:
        try:
            data: bytes = pack(record)
        except UnicodeEncodeError:
            return packed(replace_surrogates(record))
        except (TypeError, ValueError, OverflowError) as error:
            raise RecordError(f"cannot be written as MessagePack: {error}") from None
        return data

    return packed
