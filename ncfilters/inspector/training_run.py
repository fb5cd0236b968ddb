"""A training of nc-train on the labelled pages, in a process of its own.

run = TrainingRun(["nc-train"], "labelled.jsonl")
run.train("ngram")    # ('labelled.ngram.model', 'nc-train: pages: 30 …')
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from threading import Lock

from ..errors import UsageError

KINDS = ("ngram", "structure")
MAX_SECONDS = 3600
# Lines of its messages that are shown.
SHOWN_LINES = 12


class TrainingRun:
    """Trains on a file of labelled pages with a *command*, one model at a time."""

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
