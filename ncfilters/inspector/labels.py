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
from collections.abc import Sequence
from threading import Lock
from typing import Any, BinaryIO

import orjson

from ..errors import UsageError
from ..record import Record
from ..selection.formats import OUTPUT_FORMS
from ..streams.output_file import write_whole

# Fields of a scored record that are not part of a labelled page.
_RESULTS = ("segments", "page", "models", "quality", "gold", "labels", "head")
_SEGMENT_RESULTS = ("keep", "reason", "option", "score", "scores", "reasons")
# Seconds of a training, and lines of its messages that are shown.
MAX_SECONDS, SHOWN_LINES = 3600, 12


class LabelFile:
    """A file of labelled pages, on which the command *trainer* trains. Raises UsageError if it cannot be written or has
    other content."""

    def __init__(self, path: str, trainer: Sequence[str] = ()) -> None:
        self.path, self._trainer = path, trainer
        self._lock, self._training = Lock(), Lock()
        try:
            self._file = _locked(path)  # before somebody labels pages
            with open(path, "rb") as file:
                lines = [line for line in file if not line.isspace()]
            is_whole = not lines or lines[-1].endswith(b"\n")
            if not is_whole and lines[-1].startswith(b"{") and _parsed(lines[-1]) is None:
                lines.pop()
            self._lines: dict[str, bytes] = {}
            for line in lines:
                record = _parsed(line)
                if not isinstance(record, dict) or "gold" not in record:
                    raise UsageError(f"{path}: not a file of labelled pages: a line is not a record with gold")
                self._lines[key_of(record)] = line.rstrip(b"\n") + b"\n"
            self._has_others = not is_whole or len(lines) > len(self._lines)
            self.compact()
        except BlockingIOError:
            raise UsageError(f"{path}: in use by another nc-inspect") from None
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None

    def __len__(self) -> int:
        return len(self._lines)

    def save(self, record: Record) -> None:
        """Appends a record; it is on the disk when this returns. Raises OSError."""
        line = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        with self._lock:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._has_others |= key_of(record) in self._lines
            self._lines[key_of(record)] = line

    def decisions(self, key: str) -> list[bool] | None:
        """The decisions about the segments of a page that is in the file."""
        labels = orjson.loads(self._lines.get(key, b"{}")).get("labels")
        return [bool(label) for label in labels] if isinstance(labels, list) else None

    def compact(self) -> None:
        """Leaves the last record of each page, in the order in which the pages were first labelled."""
        with self._lock:
            if self._has_others:
                write_whole(self.path, self._lines.values())
                self._file = _locked(self.path)
                os.fsync(self._file.fileno())
                self._has_others = False

    def train(self) -> tuple[str, str]:
        """The file of a model of the kind ngram, which lies beside this one, and the messages of its training, which is
        a process of its own. Raises UsageError if it fails, or while another one is under way."""
        if not self._training.acquire(blocking=False):
            raise UsageError("a training is under way")
        path = os.path.abspath(f"{os.path.splitext(self.path)[0]}.ngram.model")
        command = [*self._trainer, "ngram", "-o", path, self.path]
        try:
            self.compact()
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, errors="replace", timeout=MAX_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise UsageError(f"the training takes more than {MAX_SECONDS} s: use nc-train") from None
        finally:
            self._training.release()
        messages = "\n".join(done.stderr.splitlines()[-SHOWN_LINES:])
        if done.returncode:
            raise UsageError(messages or f"nc-train: exit status {done.returncode}")
        return path, messages


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


def _parsed(line: bytes) -> Any:
    """What a line has; None if it is no JSON."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
