"""An output file for each input file, complete or absent, so that a run that was killed can be resumed.

outputs = OutputPerInput(["a.warc.gz"], FilePattern("out", ".jsonl"), settings, lambda file: Records(file, "jsonl"))
outputs.remaining                # ["a.warc.gz"]; another time []
outputs.begin(0); outputs.write({"id": "x"}); outputs.complete()    # out/a.jsonl, and a line of out/manifest.jsonl

An output has a temporary name until it is complete. Its input counts as complete when the `Manifest` says so:
the settings, then a line of JSON for each input, written when its output is complete.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from ..errors import UsageError, as_usage_errors, errors_at
from ..record import Record, is_error
from .inputs import path_text
from .output_file import FileOutput, lock
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


class _State(NamedTuple):
    """An input file, as it is when a run begins."""

    path: str
    size: int
    modified: int  # nanoseconds

    @classmethod
    def of(cls, path: str) -> _State:
        with as_usage_errors(OSError, path):
            found = os.stat(path)
        return cls(path, found.st_size, found.st_mtime_ns)


@dataclass
class _Current:
    """The output that is being written."""

    file: FileOutput
    sink: Sink
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("documents", "written", "errors"), 0))


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
        states = _distinct(files, pattern)
        with as_usage_errors(OSError, pattern.folder):
            os.makedirs(pattern.folder, exist_ok=True)
        self._manifest = Manifest(os.path.join(pattern.folder, NAME), settings)
        self._states = [state for state in states if not self._is_complete(state)]
        self.remaining = [state.path for state in self._states]
        self.skipped = len(states) - len(self._states)
        self.changed: list[str] = []  # inputs that changed while they were read, which are not complete
        self._at = -1  # the place in `remaining` of the current input
        self._current: _Current | None = None

    def begin(self, number: int) -> None:
        """An item of that input is next: a record of it may be written. Inputs before it are complete. Raises
        OSError."""
        self._complete_before(number)
        if self._current:
            self._current.counts["documents"] += 1

    def write(self, record: Record) -> None:
        assert self._current  # `begin` comes first
        self._current.sink.write(record)
        self._current.counts["written"] += 1
        self._current.counts["errors"] += is_error(record)

    def complete(self) -> None:
        """All inputs are complete. Raises OSError."""
        self._complete_before(len(self._states))

    def close(self) -> None:
        """Removes what is not complete, and lets others use the folder."""
        if self._current:
            with contextlib.suppress(OSError):
                self._current.file.close()
            with contextlib.suppress(OSError):
                os.remove(self._temporary(self._states[self._at]))
            self._current = None
        self._manifest.close()

    def _complete_before(self, number: int) -> None:
        while self._at < number:
            if self._current:
                self._finish(self._current, self._states[self._at])
                self._current = None
            self._at += 1
            if self._at < len(self._states):
                state = self._states[self._at]
                file = FileOutput(self._path(state), self._pattern.plain, self._temporary(state))
                self._current = _Current(file, self._sink_of(file))

    def _finish(self, current: _Current, state: _State) -> None:
        current.sink.close()
        current.file.close()
        path, temporary = self._path(state), self._temporary(state)
        if _is_changed(state):
            os.remove(temporary)
            self.changed.append(state.path)
            return
        size, checksum = _stored(temporary)
        os.replace(temporary, path)
        self._manifest.add(
            {
                "input": path_text(os.path.abspath(state.path)),
                "size": state.size,
                "modified": state.modified,
                "output": path_text(os.path.basename(path)),
                "bytes": size,
                "sha256": checksum,
                **current.counts,
            }
        )

    def _is_complete(self, state: _State) -> bool:
        """Whether the output of an input exists, and was made of it as it is now. Raises UsageError if it was made of
        another input."""
        path = self._path(state)
        entry = self._manifest.entry(path_text(os.path.basename(path)))
        if entry is None or not os.path.isfile(path) or os.path.getsize(path) != entry.get("bytes"):
            return False
        is_same = (entry.get("size"), entry.get("modified")) == (state.size, state.modified)
        if not is_same and entry.get("input") != path_text(os.path.abspath(state.path)):
            raise UsageError(f"{state.path}: its output {path} is that of {entry.get('input')}: use another folder")
        return is_same  # also if it was moved

    def _path(self, state: _State) -> str:
        return os.path.join(self._pattern.folder, self._pattern.name(state.path))

    def _temporary(self, state: _State) -> str:
        """The same for each run, so that nothing is left of one that was killed."""
        return os.path.join(self._pattern.folder, f".{self._pattern.name(state.path)}.part")


def _distinct(files: Sequence[str], pattern: FilePattern) -> list[_State]:
    """The inputs, each once. Raises UsageError for two that would write to one file, and for what is no file."""
    of: dict[str, str] = {}
    out: list[_State] = []
    if not files:
        raise UsageError("--resume reads files: name some")
    for path in files:
        if path == "-" or not os.path.isfile(path):
            raise UsageError(f"{path}: not a file: --resume reads files, which can be read again")
        other = of.setdefault(pattern.name(path), path)
        if other is path:
            out.append(_State.of(path))
        elif os.path.abspath(other) != os.path.abspath(path):
            raise UsageError(f"{other} and {path} would be written to one file, {pattern.name(path)}")
    return out


def _is_changed(state: _State) -> bool:
    try:
        return _State.of(state.path) != state
    except UsageError:  # removed
        return True


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
    """The complete inputs of a folder of outputs. *settings* are what makes the outputs what they are.

    Raises UsageError if the file is in use, if it was written with other settings, and if it cannot be written.
    """

    def __init__(self, path: str, settings: Record) -> None:
        self._path = path
        self._entries: dict[str, Record] = {}
        settings = {"manifest": FORMAT, **settings}
        with as_usage_errors(OSError, path):
            self._file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666), "r+")
            lock(self._file, f"{path}: another nc-clean is writing to this folder")
            lines, rest = _lines(self._file.read())
            if rest:  # what a process wrote when it was killed
                self._file.seek(-len(rest), os.SEEK_END)
                self._file.truncate()
        if lines:
            self._check(_parsed(lines[0], path), settings)
            for line in lines[1:]:
                entry = _parsed(line, path)
                self._entries[str(entry.get("output"))] = entry
        else:
            self._append(settings)

    def entry(self, output: str) -> Record | None:
        """What was added for an output; None if it is not complete."""
        return self._entries.get(output)

    def add(self, entry: Record) -> None:
        """Adds a complete output; the line is on the disk before this returns. Raises OSError."""
        self._append(entry)
        self._entries[entry["output"]] = entry

    def close(self) -> None:
        """Others may use the file."""
        self._file.close()

    def _append(self, entry: Record) -> None:
        data = memoryview(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE))
        with errors_at(self._path):
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())

    def _check(self, before: Record, now: Record) -> None:
        now = orjson.loads(orjson.dumps(now))
        differences = list(_differences(before, now))
        if differences:
            rest = f", and {len(differences) - MAX_SHOWN} more" if len(differences) > MAX_SHOWN else ""
            raise UsageError(
                f"{self._path}: written with other settings ({'; '.join(differences[:MAX_SHOWN])}{rest}): "
                "use the same ones, or another folder"
            )


def _lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The complete lines, and what follows them."""
    *lines, rest = data.split(b"\n")
    return [line for line in lines if line.strip()], rest


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
