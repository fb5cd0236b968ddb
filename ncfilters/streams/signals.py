"""Signals that end a stream between two records.

with Interruption() as interruption:
    for record in interruption.until(records): ...    # the record in hand is finished
return interruption.status    # 130 after SIGINT, 143 after SIGTERM
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AFTER_IMPORT = 0.05  # seconds after which a signal comes again that came during an import

Item = TypeVar("Item")


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
