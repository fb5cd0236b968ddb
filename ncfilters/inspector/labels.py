"""Labelled pages in a file: records with `gold`, appended as they are labelled, ready for nc-train.

    labels = LabelFile("labels.jsonl")
    labels.save({"id": "a", "html": "…", "gold": {"text": "It rained.", "policy": "main"}})

A page that is labelled again is appended again; `compact` leaves the last record of each, as at the start and before
training. A line that a crash has cut off is removed when the file is opened. One process at a time has the file: it is
locked.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Sequence
from threading import Lock
from typing import Any, BinaryIO

import orjson

from ..errors import UsageError
from ..record import Record
from ..selection.formats import OUTPUT_FORMS

# Fields of a scored record that are not part of a labelled page.
_RESULTS = ("segments", "page", "models", "quality", "gold", "labels", "head")
_SEGMENT_RESULTS = ("keep", "reason", "option", "score", "scores", "reasons")
# What is trained, in how many seconds, and lines of messages that are shown.
KINDS = ("ngram", "structure")
MAX_SECONDS, SHOWN_LINES = 3600, 12


class LabelFile:
    """A file of labelled pages. Raises UsageError if it cannot be written or has other content."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = Lock()
        self._last: dict[str, tuple[int, int]] = {}  # page → the place of its last record
        self._size = 0
        try:
            self._locked = _locked(path)  # before somebody labels pages
            self.compact()
        except BlockingIOError:
            raise UsageError(f"{path}: in use by another nc-inspect") from None
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None

    def __len__(self) -> int:
        return len(self._last)

    def __contains__(self, key: str) -> bool:
        return key in self._last

    def save(self, record: Record) -> None:
        """Appends a record; it is on the disk when this returns. Raises OSError."""
        line = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        with self._lock:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                start = os.fstat(descriptor).st_size
                written = 0
                while written < len(line):
                    written += os.write(descriptor, line[written:])
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            self._last[key_of(record)] = start, len(line)

    def decisions(self, key: str) -> list[bool] | None:
        """The decisions about the segments of a page that is in the file."""
        with self._lock:
            place = self._last.get(key)
            if place is None:
                return None
            with open(self.path, "rb") as file:
                file.seek(place[0])
                labels = orjson.loads(file.read(place[1])).get("labels")
        return [bool(label) for label in labels] if isinstance(labels, list) else None

    def compact(self) -> None:
        """Leaves the last record of each page, in the order in which the pages were first labelled."""
        with self._lock:
            places: dict[str, tuple[int, int]] = {}
            count = start = 0
            is_whole = True
            with open(self.path, "rb") as file:
                for line in file:
                    is_whole = line.endswith(b"\n")
                    if not line.isspace() and (is_whole or not _is_cut(line)):
                        places[key_of(_record_in(self.path, line))] = start, len(line)
                        count += 1
                    start += len(line)
            self._last = places if is_whole and count == len(places) else self._rewrite(places)

    def _rewrite(self, places: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        folder = os.path.dirname(os.path.abspath(self.path))
        out: dict[str, tuple[int, int]] = {}
        with (
            open(self.path, "rb") as file,
            tempfile.NamedTemporaryFile(dir=folder, prefix=".labels-", delete=False) as new,
        ):
            os.fchmod(new.fileno(), os.fstat(file.fileno()).st_mode & 0o777)
            for key, (start, size) in places.items():
                file.seek(start)
                line = file.read(size).rstrip(b"\n") + b"\n"
                out[key] = new.tell(), len(line)
                new.write(line)
            new.flush()
            os.fsync(new.fileno())
        self._locked = _locked(new.name)
        os.replace(new.name, self.path)
        return out


def _locked(path: str) -> BinaryIO:
    """The file, locked until it is closed. Raises OSError, a BlockingIOError where somebody else has the lock."""
    file = open(path, "ab")  # noqa: SIM115 (it stays open)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def key_of(record: Record) -> str:
    """What identifies a page: its id, or else its address."""
    return str(record.get("id") or record.get("url") or "")


def labelled_record(document: Record, segments: Sequence[Record], keep: Sequence[bool], policy: str) -> Record:
    """The record of a labelled page: the document as it came, the text of the kept segments as its gold, and the
    decisions themselves in `labels`. Raises ValueError for another number of decisions."""
    if len(keep) != len(segments):
        raise ValueError(f"labels: expected {len(segments)} decisions, got {len(keep)}")
    kept = [segment for segment, decision in zip(segments, keep) if decision]
    gold: dict[str, Any] = {"text": OUTPUT_FORMS["plain"].text(kept, document), "policy": policy}
    out = {name: value for name, value in document.items() if name not in _RESULTS}
    if not out.keys() & {"html", "blocks"}:
        out["segments"] = [
            {name: value for name, value in segment.items() if name not in _SEGMENT_RESULTS} for segment in segments
        ]
        out.pop("text", None)
    return {**out, "gold": gold, "labels": list(keep)}


def _is_cut(line: bytes) -> bool:
    """Whether a last line is the start of a record."""
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return line.startswith(b"{")
    return False


def _record_in(path: str, line: bytes) -> Record:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        record = None
    if not isinstance(record, dict) or "gold" not in record:
        raise UsageError(f"{path}: not a file of labelled pages: a line is not a record with gold")
    return record


class TrainingRun:
    """Trains on a file of labelled pages with a *command*, in a process of its own, one model at a time."""

    def __init__(self, command: Sequence[str], labels: str) -> None:
        self._command, self._labels = command, labels
        self._lock = Lock()

    def train(self, kind: str) -> tuple[str, str]:
        """The file of the model, which lies beside the labels, and the messages of the training. Raises UsageError if
        it fails, or while another one is under way."""
        if kind not in KINDS:
            raise UsageError(f"kind: expected {' or '.join(KINDS)}, got {kind[:40]!r}")
        if not self._lock.acquire(blocking=False):
            raise UsageError("a training is under way")
        try:
            path = os.path.abspath(f"{os.path.splitext(self._labels)[0]}.{kind}.model")
            done = subprocess.run(
                [*self._command, kind, "-o", path, self._labels],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=MAX_SECONDS,
            )
            messages = "\n".join(done.stderr.splitlines()[-SHOWN_LINES:])
            if done.returncode:
                raise UsageError(messages or f"nc-train: exit status {done.returncode}")
            return path, messages
        except subprocess.TimeoutExpired:
            raise UsageError(f"the training takes more than {MAX_SECONDS} s: use nc-train") from None
        finally:
            self._lock.release()
