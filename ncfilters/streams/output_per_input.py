"""An output file for each input file, complete or absent, so that a run that was killed can be resumed.

outputs = OutputPerInput(["a.warc.gz"], FilePattern("out", ".jsonl"), settings, lambda file: Records(file, "jsonl"))
outputs.remaining                # ["a.warc.gz"]; another time []
outputs.begin(0); outputs.write({"id": "x"}); outputs.complete()    # out/a.jsonl, and a line of out/manifest.jsonl

An output has a temporary name until it is complete. Its input counts as complete when the `Manifest` says so:
the settings, then a line of JSON for each input, written when its output is complete.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from ..errors import UsageError, as_usage_errors, errors_at
from ..record import Record, is_error
from .output_file import FileOutput, lock
from .readers import path_text
from .writers import ByteOutput, Sink

# Suffixes of inputs, which their outputs do not have.
_SUFFIXES = frozenset(
    ".gz .zst .xz .bz2 .warc .wet .arc .jsonl .ndjson .json .msgpack .mp .parquet .html .htm .xhtml".split()
)
_READ_BYTES = 1 << 20
NAME = "manifest.jsonl"
FORMAT = 1
MAX_SHOWN, MAX_VALUE = 3, 40  # settings that a message shows, and characters of a value


class FilePattern(NamedTuple):
    """The names of outputs: `{folder}/{name of the input}{suffix}`. *plain*: the suffix asks for no compression."""

    folder: str
    suffix: str
    plain: bool = False

    def name(self, path: str) -> str:
        """The name of the output of an input, without the folder."""
        stem = os.path.basename(path)
        while (parts := os.path.splitext(stem))[1].lower() in _SUFFIXES and parts[0]:
            stem = parts[0]
        return stem + self.suffix


class _Input(NamedTuple):
    """An input file, as it is when a run begins."""

    path: str
    size: int
    modified: int  # nanoseconds

    @classmethod
    def of(cls, path: str) -> _Input:
        with as_usage_errors(OSError, path):
            found = os.stat(path)
        return cls(path, found.st_size, found.st_mtime_ns)

    def is_changed(self) -> bool:
        """Whether the file is another one now, or removed."""
        try:
            return _Input.of(self.path) != self
        except UsageError:
            return True


class OutputPerInput:
    """A sink that writes to a file for each input. `remaining` are the inputs that are not complete, `skipped` the
    number of the others; `begin` says of which of them the records after it are.

    Raises UsageError for settings that differ from those of complete outputs, for two inputs with one output, and for
    what cannot be read or written.
    """

    def __init__(
        self, files: Sequence[str], pattern: FilePattern, settings: Record, sink_of: Callable[[ByteOutput], Sink]
    ) -> None:
        self._pattern, self._sink_of = pattern, sink_of
        inputs = _distinct(files, pattern)
        with as_usage_errors(OSError, pattern.folder):
            os.makedirs(pattern.folder, exist_ok=True)
        self._manifest = Manifest(os.path.join(pattern.folder, NAME), settings)
        self._inputs = [one for one in inputs if not self._is_complete(one)]
        self.remaining = [one.path for one in self._inputs]
        self.skipped = len(inputs) - len(self._inputs)
        self.changed: list[str] = []  # inputs that changed while they were read, which are not complete
        self._at = -1  # the place in `remaining` of the current input
        self._file: FileOutput | None = None  # its output, the sink to that, and what is counted
        self._sink: Sink | None = None
        self._counts: Counter[str] = Counter()

    def begin(self, number: int) -> None:
        """An item of that input is next: a record of it may be written. Inputs before it are complete. Raises
        OSError."""
        self._complete_before(number)
        self._counts["documents"] += 1

    def write(self, record: Record) -> None:
        assert self._sink  # `begin` comes first
        self._sink.write(record)
        self._counts["written"] += 1
        self._counts["errors"] += is_error(record)

    def complete(self) -> None:
        """All inputs are complete. Raises OSError."""
        self._complete_before(len(self._inputs))

    def close(self) -> None:
        """Removes what is not complete, and lets others use the folder."""
        if self._file:
            self._file.discard()
        self._manifest.close()

    def _complete_before(self, number: int) -> None:
        while self._at < number:
            if self._file and self._sink:
                self._sink.close()
                self._finish(self._file, self._inputs[self._at])
                self._file = None
            self._at += 1
            if self._at < len(self._inputs):
                path = self._path(self._inputs[self._at])
                self._file = FileOutput(path, self._pattern.plain, replaces_links=True)
                self._sink, self._counts = self._sink_of(self._file), Counter()

    def _finish(self, file: FileOutput, of: _Input) -> None:
        temporary = file.finish()
        if of.is_changed():
            file.discard()
            self.changed.append(of.path)
            return
        size, checksum = _stored(temporary)
        file.close()
        self._manifest.add(
            {
                "input": path_text(os.path.abspath(of.path)),
                "size": of.size,
                "modified": of.modified,
                "output": path_text(self._pattern.name(of.path)),
                "bytes": size,
                "sha256": checksum,
                **{name: self._counts[name] for name in ("documents", "written", "errors")},
            }
        )

    def _is_complete(self, of: _Input) -> bool:
        """Whether the output of an input exists, and was made of it as it is now. Raises UsageError if it was made of
        another input."""
        path = self._path(of)
        entry = self._manifest.entries.get(path_text(os.path.basename(path)))
        if entry is None or not os.path.isfile(path) or os.path.getsize(path) != entry.get("bytes"):
            return False
        is_same = (entry.get("size"), entry.get("modified")) == (of.size, of.modified)
        if not is_same and entry.get("input") != path_text(os.path.abspath(of.path)):
            raise UsageError(f"{of.path}: its output {path} is that of {entry.get('input')}: use another folder")
        return is_same  # also if it was moved

    def _path(self, of: _Input) -> str:
        return os.path.join(self._pattern.folder, self._pattern.name(of.path))


def _distinct(files: Sequence[str], pattern: FilePattern) -> list[_Input]:
    """The inputs, each once. Raises UsageError for two that would write to one file, and for what is no file."""
    of: dict[str, str] = {}
    if not files:
        raise UsageError("--resume reads files: name some")
    for path in files:
        if path == "-" or not os.path.isfile(path):
            raise UsageError(f"{path}: not a file: --resume reads files, which can be read again")
        other = of.setdefault(pattern.name(path), path)
        if os.path.abspath(other) != os.path.abspath(path):
            raise UsageError(f"{other} and {path} would be written to one file, {pattern.name(path)}")
    return list(map(_Input.of, of.values()))


def _stored(path: str) -> tuple[int, str]:
    """Size and SHA-256 of a file, when it is on the disk. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while data := file.read(_READ_BYTES):
            digest.update(data)
            size += len(data)
        os.fsync(file.fileno())
    return size, digest.hexdigest()


# ---- the manifest ----------------------------------------------------------------------------------------------------


class Manifest:
    """The complete inputs of a folder of outputs. *settings* are what makes the outputs what they are. `entries` has
    what was added for each output.

    Raises UsageError if the file is in use, if it was written with other settings, and if it cannot be written.
    """

    def __init__(self, path: str, settings: Record) -> None:
        self._path = path
        settings = {"manifest": FORMAT, **settings}
        with as_usage_errors(OSError, path):
            self._file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666), "r+")
            lock(self._file, f"{path}: another nc-clean is writing to this folder")
            *lines, rest = self._file.read().split(b"\n")
            if rest:  # what a process wrote when it was killed
                self._file.seek(-len(rest), os.SEEK_END)
                self._file.truncate()
        found = [_parsed(line, path) for line in lines if line.strip()]
        self.entries = {str(entry.get("output")): entry for entry in found[1:]}
        if not found:
            self._append(settings)
        elif differences := list(_differences(found[0], orjson.loads(orjson.dumps(settings)))):
            rest_of_them = f", and {len(differences) - MAX_SHOWN} more" if len(differences) > MAX_SHOWN else ""
            raise UsageError(
                f"{path}: written with other settings ({'; '.join(differences[:MAX_SHOWN])}{rest_of_them}): "
                "use the same ones, or another folder"
            )

    def add(self, entry: Record) -> None:
        """Adds a complete output; the line is on the disk before this returns. Raises OSError."""
        self._append(entry)
        self.entries[entry["output"]] = entry

    def close(self) -> None:
        """Others may use the file."""
        self._file.close()

    def _append(self, entry: Record) -> None:
        data = memoryview(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE))
        with errors_at(self._path):
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())


def _parsed(line: bytes, path: str) -> Record:
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        entry = None
    if not isinstance(entry, dict):
        raise UsageError(f"{path}: not a manifest of nc-clean --resume")
    return entry


def _differences(before: Record, now: Record, name: str = "") -> Iterator[str]:
    """What differs, such as `options.model: ["en"] before, ["xx"] now`."""
    for key in {**now, **before}:
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, f"{name}{key}.")
        elif old != new:
            yield f"{name}{key}: {_shown(old)} before, {_shown(new)} now"


def _shown(value: Any) -> str:
    text = "default" if value is None else orjson.dumps(value).decode()
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…"
