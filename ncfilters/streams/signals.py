"""Signals that end a stream between two records, and whether a filter of a pipe reports progress.

with Interruption() as interruption:
    for record in interruption.until(records): ...    # the record in hand is finished
return interruption.status    # 130 after SIGINT, 143 after SIGTERM
"""

from __future__ import annotations

import os
import re
import signal
import stat
import threading
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AFTER_IMPORT = 0.05  # seconds after which a signal comes again that came during an import

Item = TypeVar("Item")
PROCESSES = "/proc"
OUR_NAME = re.compile(rb"nc-[a-z]+")
# Arguments of a command line that may be the name of a program: an interpreter and its options come before it.
MAX_ARGUMENTS = 4
# Processes of a pipe that are followed.
MAX_STAGES = 32


class Interruption:
    """The first signal of SIGNALS, and what it does: it ends a loop over input, at once where the loop waits for input.
    A second signal raises KeyboardInterrupt anywhere. Ignored signals stay ignored."""

    def __init__(self) -> None:
        self._signal = 0
        self._waits = False
        self._before: dict[int, Any] = {}

    @property
    def status(self) -> int:
        """The exit status: 0 without a signal."""
        return 128 + self._signal if self._signal else 0

    def __enter__(self) -> Interruption:
        for number in SIGNALS:
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                try:
                    self._before[number] = signal.signal(number, self._handle)
                except ValueError:  # only the main thread handles signals
                    break
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def until(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items up to the first signal."""
        iterator = iter(items)
        while True:
            try:
                self._waits = True
                if self._signal:  # it came while the item before was in hand
                    return
                item = next(iterator)
            except StopIteration:
                return
            except KeyboardInterrupt:
                if not self._signal:
                    raise
                return
            finally:
                self._waits = False
            if self._signal:  # a library may hide the exception
                return
            yield item

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._waits and _is_import(frame):
            again = (threading.get_ident(), number)  # of this thread, because it may wait for input by then
            threading.Timer(AFTER_IMPORT, signal.pthread_kill, again).start()
            return
        is_second = self._signal
        self._signal = number
        if self._waits or is_second:
            raise KeyboardInterrupt


def _is_import(frame: FrameType | None) -> bool:
    """Whether a module is loaded. An exception would be a message there, in orjson a segmentation fault."""
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


# ---- where standard output goes in the end ---------------------------------------------------------------------------


def reports_progress() -> bool:
    """Whether a progress line of this process is the only one, and stands in no text."""
    pid = os.getpid()
    for _ in range(MAX_STAGES):
        target = _target(pid, 1)
        if target is None:  # no /proc, or a process of somebody else
            return pid != os.getpid() or not os.isatty(1)
        if _is_terminal_path(target):
            return False
        if not target.startswith("pipe:"):
            return True
        reader = _reader(target, pid)
        if reader is None:
            return True
        if _is_ours(reader):
            return False
        pid = reader
    return True


def _target(pid: int, descriptor: int) -> str | None:
    """What a descriptor of a process is; None if that is not known."""
    try:
        return os.readlink(f"{PROCESSES}/{pid}/fd/{descriptor}")
    except OSError:
        return None


def _reader(pipe: str, writer: int) -> int | None:
    """The process whose standard input is a pipe."""
    try:
        names = os.listdir(PROCESSES)
    except OSError:
        return None
    for name in names:
        if name.isdecimal() and int(name) != writer and _target(int(name), 0) == pipe:
            return int(name)
    return None


def _is_ours(pid: int) -> bool:
    try:
        with open(f"{PROCESSES}/{pid}/cmdline", "rb") as file:
            arguments = file.read().split(b"\0")
    except OSError:
        return False
    return any(OUR_NAME.fullmatch(os.path.basename(argument)) for argument in arguments[:MAX_ARGUMENTS])


def _is_terminal_path(target: str) -> bool:
    if not target.startswith("/dev/"):
        return False
    try:
        is_device = stat.S_ISCHR(os.stat(target).st_mode)
    except OSError:
        return target.startswith(("/dev/pts/", "/dev/tty"))
    return is_device and target.startswith(("/dev/pts/", "/dev/tty", "/dev/console"))
