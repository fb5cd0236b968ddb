"""Which inputs are complete, in a file beside their outputs: the settings, then a line of JSON for each input.

with Manifest("out/manifest.jsonl", {"options": {"model": ["en"]}}) as manifest:
    if manifest.entry("a.jsonl") is None: ...    # write out/a.jsonl
    manifest.add({"output": "a.jsonl", "bytes": 7})    # {"input": …, "output": "a.jsonl", …}

A line is written when its output is complete, so that a process may be killed at any time.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import orjson

from ..errors import UsageError
from ..record import Record
from .output_file import lock

NAME = "manifest.jsonl"
FORMAT = 1
MAX_SHOWN, MAX_VALUE = 3, 40  # settings that a message shows, and characters of a value


class Manifest:
    """The complete inputs of a folder of outputs. *settings* are what makes the outputs what they are.

    Raises UsageError if the file is in use, if it was written with other settings, and if it cannot be written.
    """

    def __init__(self, path: str, settings: Record) -> None:
        self._path = path
        self._entries: dict[str, Record] = {}
        settings = {"manifest": FORMAT, **settings}
        try:
            self._file = io.FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666), "r+")
            lock(self._file, f"{path}: another nc-clean is writing to this folder")
            lines, rest = _lines(self._file.read())
            if rest:  # what a process wrote when it was killed
                self._file.seek(-len(rest), os.SEEK_END)
                self._file.truncate()
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
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

    def __enter__(self) -> Manifest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, entry: Record) -> None:
        data = memoryview(orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE))
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from None

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
