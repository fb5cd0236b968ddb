"""The analysis of pages of strangers: in processes of their own, with limits of time and memory.

    analysis = IsolatedAnalysis()
    analysis.call(views.document_view, key, record, settings)    # what the function returns for an `Analysis` there

A page that takes longer than SECONDS, or more than MEMORY bytes, ends its process alone; the next page gets a new one.
"""

from __future__ import annotations

import pickle
import queue
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Timer
from typing import Any

from ..errors import RecordError, UsageError

PROCESSES = 2
SECONDS, MEMORY = 20.0, 1 << 30
# Seconds that a request waits for a process: more of them than processes wait for each other.
WAIT = 2.0
_CODE = "import sys; sys.path[:] = {path!r}; from ncfilters.inspector.isolated import serve; serve({memory}, {models})"


class IsolatedAnalysis:
    """Processes that are started when they are needed. They know these *models*, besides those that are installed."""

    def __init__(self, models: Sequence[str] = ()) -> None:
        self._models = list(models)
        self._idle: queue.Queue[subprocess.Popen[bytes] | None] = queue.Queue()
        for _ in range(PROCESSES):
            self._idle.put(None)

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """What a function returns for the `Analysis` of a process, and *args*. Raises UsageError."""
        try:
            process = self._idle.get(timeout=WAIT)
        except queue.Empty:
            raise UsageError("other pages are being analysed: try again in a minute") from None
        try:
            process = process or _started(self._models)
            is_result, value = _answer(process, function, args)
        except (EOFError, OSError, pickle.UnpicklingError):
            _end(process)
            process = None
            raise UsageError("the page takes too much time or memory for this server") from None
        finally:
            self._idle.put(process)
        if not is_result:
            raise UsageError(value)
        return value

    def forget(self, key: object = None) -> None:
        """Ends the processes that do nothing, and what they remember of pages."""
        with suppress(queue.Empty):
            for _ in range(PROCESSES):
                _end(self._idle.get_nowait())
                self._idle.put(None)


def serve(memory: int, models: Sequence[str]) -> None:
    """Answers calls from standard input on standard output, until its end."""
    from .analysis import Analysis  # the models of a process

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    analysis = Analysis()
    for model in models:
        analysis.add_model(model)
    while True:
        try:
            function, args = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = True, function(analysis, *args)
        except (RecordError, UsageError, ValueError) as error:
            answer = False, str(error)
        pickle.dump(answer, output)
        output.flush()


def _started(models: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _CODE.format(path=sys.path, memory=MEMORY, models=models)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _answer(process: subprocess.Popen[bytes], function: Callable[..., Any], args: Any) -> tuple[bool, Any]:
    assert process.stdin and process.stdout
    timer = Timer(SECONDS, process.kill)
    timer.start()
    try:
        process.stdin.write(pickle.dumps((function, args)))
        process.stdin.flush()
        answer: tuple[bool, Any] = pickle.load(process.stdout)
        return answer
    finally:
        timer.cancel()


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process:
        process.kill()
        process.communicate()
