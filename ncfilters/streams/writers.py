"""Records in, bytes out: JSON-lines, MessagePack, text, or a file for each document.

sink = Records(Output(watched=False), "jsonl")
sink.write({"id": "a"}); sink.close()
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import contextlib
import errno
import os
import re
import select
import stat
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ..errors import RecordError
from ..record import PageText, Record, is_error
from ..text.lazy_pattern import lazy_pattern
from .json_lines import WrittenLine, two_names, without_surrogates

# Bytes that are written at once.
BLOCK_BYTES = 1 << 18
# A record of so many bytes is written alone: joining it with others would copy it.
LONG_BYTES = 1 << 16
# The maximum delay of output in seconds, for readers that follow the output.
MAX_DELAY = 1.0
# Bytes of the name of a file. File systems allow 255, and a suffix follows.
MAX_NAME = 200
# Bytes of an id that is a path of folders. A longer id makes a name without folders, which file systems accept.
MAX_PATH = 1000
_PAGE_SUFFIX = lazy_pattern(r"(?<=[^./])\.(?:html?|xhtml|shtml|xht)\Z", re.I)


class Sink(Protocol):
    def write(self, record: Record) -> None:
        """Writes a record. Raises RecordError if the format cannot represent it, OSError if the output fails."""

    def close(self) -> None:
        """Writes pending output."""


class ByteOutput(Protocol):
    def write(self, data: bytes) -> None:
        """Adds the bytes of a record, or of a part of it."""

    def flush(self) -> None:
        """Writes pending bytes. Raises OSError."""


class Output:
    """Standard output, in blocks, or record by record when *watched*. The first record is written immediately, to show
    progress."""

    def __init__(self, watched: bool) -> None:
        self._watched = watched
        self._pending: list[bytes] = []
        self._size = BLOCK_BYTES
        self._flushed = 0.0

    def write(self, data: bytes) -> None:
        if len(data) >= LONG_BYTES and self._pending:
            self.flush()
        self._pending.append(data)
        self._size += len(data)
        if self._size >= BLOCK_BYTES or self._watched or time.monotonic() - self._flushed > MAX_DELAY:
            self.flush()

    def flush(self) -> None:
        data = memoryview(b"".join(self._pending))  # no copy of a single one
        self._pending.clear()
        while data:
            try:
                data = data[os.write(1, data) :]
            except BlockingIOError:  # the process at the other end has made the pipe non-blocking
                select.select([], [1], [])
        self._size = 0
        self._flushed = time.monotonic()


class Records:
    """Records as JSON-lines or MessagePack: "jsonl" or "msgpack", or a function that returns one of these and is called
    for the first record. A `WrittenLine` is written as it is."""

    def __init__(self, output: ByteOutput, output_format: str | Callable[[], str]) -> None:
        self._output, self._format = output, output_format
        self._pack: Callable[[Record], bytes] | None = None
        self.is_closed = False  # whether all was written

    def write(self, record: Record) -> None:
        if self._pack is None:
            name = self._format if isinstance(self._format, str) else self._format()
            self._pack = _packer() if name == "msgpack" else json_line
        self._output.write(record.line if type(record) is WrittenLine else self._pack(record))

    def close(self) -> None:
        self._output.flush()
        self.is_closed = True


class TextFrame(NamedTuple):
    """The text around documents."""

    head: str = ""  # before the first document of an output
    between: str = ""  # between documents
    tail: str = ""  # after the last
    head_of: Callable[[Record], str] | None = None  # instead of `head`, before the only document of an output


NO_FRAME = TextFrame()


class Text:
    """Documents as text, one after the other in a frame. If the frame has a `head_of`, the first one waits for the
    second, or for the end. Of a `WrittenLine`, the line is written, which is the `text_bytes` of a document."""

    def __init__(self, output: ByteOutput, text_of: Callable[[Record], str], frame: TextFrame = NO_FRAME) -> None:
        self._output, self._text_of = output, text_of
        self._before, self._between, self._tail = frame.head, frame.between, frame.tail
        self._head_of = frame.head_of
        self._first: tuple[str, bytes] | None = None  # its head, if it is the only one, and its text

    def write(self, record: Record) -> None:
        text = record.line if type(record) is WrittenLine else text_bytes(self._text_of(record))
        if text:
            if self._head_of is not None:
                self._first, self._head_of = (self._head_of(record), text), None
                return
            self._write_first(self._before)
            self._put(text)

    def _write_first(self, head: str) -> None:
        """Writes the document that waits, if there is one."""
        if self._first is not None:
            self._before, text = head, self._first[1]
            self._first = None
            self._put(text)

    def _put(self, text: bytes) -> None:
        self._output.write(self._before.encode("utf-8", "replace") + text)
        self._before = self._between

    def close(self) -> None:
        if self._first is not None:
            self._write_first(self._first[0])
        before = self._before if self._before != self._between else ""
        if before or self._tail:
            self._output.write((before + self._tail).encode())
        self._output.flush()


def text_bytes(text: str) -> bytes:
    """The bytes of a document that is text: complete lines."""
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "replace")


class Chunks:
    """Writes each of the `chunks` of a record as a record to *sink*; lines and failed records as they are."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.close = sink.close

    def write(self, record: Record) -> None:
        whole = type(record) is WrittenLine or is_error(record)
        for part in [record] if whole else record["chunks"]:
            self._sink.write(part)


class Files:
    """A file for each document, in *folder*; none for a record that failed.

    *name_of* gives the name without *suffix*, from the record and its number: by default its id as a `file_name`. Equal
    names get the number of the record. `replaced` is the number of files that were there before.
    """

    def __init__(
        self,
        folder: str,
        suffix: str,
        text_of: Callable[[Record], str],
        frame: TextFrame = NO_FRAME,
        name_of: Callable[[Record, int], str] | None = None,
    ) -> None:
        self._folder, self._suffix, self._text_of = folder, suffix, text_of
        self._frame, self._name_of = frame, name_of or by_id(file_name)
        self._number = self.replaced = 0
        self._names: set[str] = set()
        self._folders: set[str] = set()  # those that exist
        self._unfinished = os.path.join(folder, f".{os.urandom(6).hex()}.tmp")
        os.makedirs(folder, exist_ok=True)

    def write(self, record: Record) -> None:
        self._number += 1
        if is_error(record):
            return
        name = self._name_of(record, self._number)
        while name in self._names:
            name = f"{name}~{self._number}"
        text = text_bytes(self._text_of(record))
        head = self._frame.head_of(record) if self._frame.head_of else self._frame.head
        data = head.encode("utf-8", "replace") + text + self._frame.tail.encode()
        try:
            self._put(name, data)
        except (
            FileExistsError,
            IsADirectoryError,
            NotADirectoryError,
        ):  # a file where a folder should be, or a folder where a file should be
            name = f"{name.replace('/', '_').encode()[:MAX_NAME].decode('utf-8', 'ignore')}~{self._number}"
            self._put(name, data)
        self._names.add(name)

    def _put(self, name: str, data: bytes) -> None:
        """Writes a file, complete or not at all. A file or link of that name is replaced."""
        path = os.path.join(self._folder, name + self._suffix)
        for at, character in enumerate(name):
            if character == "/":
                self._make_folder(name[:at])
        try:
            with open(self._unfinished, "xb") as file:
                file.write(data)
            self.replaced += os.path.lexists(path)
            os.replace(self._unfinished, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.remove(self._unfinished)
            raise OSError(error.errno, error.strerror, path) from None

    def _make_folder(self, name: str) -> None:
        """Makes a folder below the output folder. Raises NotADirectoryError for a link, which may lead out of it."""
        if name in self._folders:
            return
        path = os.path.join(self._folder, name)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        self._folders.add(name)

    def close(self) -> None:
        pass


def by_id(name_of: Callable[[Any, int], str]) -> Callable[[Record, int], str]:
    """The name that `file_name` or `file_path` makes of the id of a record, without the suffix of a page."""

    def name(record: Record, number: int) -> str:
        found = record.get("id")
        return name_of(_PAGE_SUFFIX.sub("", found) if isinstance(found, str) else found, number)

    return name


def file_path(name: Any, number: int) -> str:
    """The name of a document's file, with folders if the id is a path below a folder, such as `news/1.html`.

    Without folders for all other ids: `/etc/passwd`, `a/../b`, `http://a/b`.
    """
    parts = str(name).split("/")
    if len(parts) < 2 or len(str(name).encode("utf-8", "replace")) > MAX_PATH:
        return file_name(name, number)
    safe = [_safe(part) for part in parts]
    return "/".join(safe) if all(part.strip("._") for part in safe) else file_name(name, number)


def file_name(name: Any, number: int) -> str:
    """A name without folders; the number of the record if it has no id."""
    safe = "" if name is None else _safe(str(name))
    return safe if safe.strip("._") else f"{number:06}"


def _safe(name: str) -> str:
    """A name without characters that are special to file systems or shells, cut after MAX_NAME bytes."""
    safe = "".join(c if c.isalnum() or c in "-_.=+@" else "_" for c in name)
    return safe.encode("utf-8", "replace")[:MAX_NAME].decode("utf-8", "ignore")


def json_line(record: Any) -> bytes:
    """The record as one line of JSON, as orjson writes it. Raises RecordError for values that JSON cannot represent."""
    import orjson  # start-up: --help writes no record

    try:
        return orjson.dumps(record, default=_to_json, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        if "surrogates" in str(error):
            return json_line(replace_surrogates(record))
        raise RecordError(f"cannot be written as JSON: {error}") from None


def _to_json(value: object) -> str | dict[str, str]:
    if isinstance(value, PageText):
        return str(value)
    if isinstance(value, bytes):
        import base64  # start-up: only for bytes in JSON

        return {"$base64": base64.b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} is not JSON")


def replace_surrogates(value: Any) -> Any:
    """*value* with U+FFFD for lone surrogates, at any depth. Raises RecordError if two names become the same."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        out: dict[Any, Any] = {}
        for key, item in value.items():
            name = replace_surrogates(key)
            if name in out:
                raise RecordError(two_names(name))
            out[name] = replace_surrogates(item)
        return out
    if isinstance(value, list):
        return [replace_surrogates(item) for item in value]
    return value


def _packer() -> Callable[[Record], bytes]:
    import msgpack  # start-up: most output is JSON lines

    def to_text(value: object) -> object:
        return str(value) if isinstance(value, PageText) else value

    pack = msgpack.Packer(default=to_text).pack

    def packed(record: Record) -> bytes:
        try:
            data: bytes = pack(record)
        except UnicodeEncodeError:
            return packed(replace_surrogates(record))
        except (TypeError, ValueError, OverflowError) as error:
            raise RecordError(f"cannot be written as MessagePack: {error}") from None
        return data

    return packed
