"""Standard error, signals and exit statuses: failures, progress, counts.

    raise SystemExit(exit_status("nc-segment", main))

    with Interruption() as interruption:
        for record in interruption.until(records): ...    # the record in hand is finished
    return interruption.status    # 130 after SIGINT, 143 after SIGTERM

Exit statuses: 0; 1 when a record failed or output could not be written; 2 for a usage error; 130 and 143 after SIGINT
and SIGTERM.
"""

from __future__ import annotations

import gc
import io
import os
import signal
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType, TracebackType
from typing import Any, TypeVar

from ..errors import RecordError, UsageError
from ..record import Record
from ..text.lazy_pattern import lazy_pattern

# Seconds before the first progress line, and between two lines.
PROGRESS_AFTER, PROGRESS_EVERY = 2.0, 0.5
# New objects after which garbage is searched for. A page makes some thousand objects, and hardly any garbage of this
# kind.
GARBAGE_AFTER = 20_000
MAX_MESSAGE = 300  # characters of a cause or an id in a message
# The signals that end a stream, and the seconds after which one comes again that came during an import.
SIGNALS, AFTER_IMPORT = (signal.SIGINT, signal.SIGTERM), 0.05
DEFAULT_COLUMNS = 80  # of a terminal of unknown width
# Control characters, line separators, and characters that change the direction of the text after them.
_CONTROLS = lazy_pattern("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")

Item = TypeVar("Item")


class StreamReport:
    """Reports on a stream of records on standard error: each failure, progress on a terminal, counts at the end.

    *details* returns what a progress line says after the counts, from the seconds so far. There is no such line if
    *quiet*; nor where standard output is a pipe or the terminal, unless results go *to_files*: it may be text on the
    terminal in the end, and each filter of a pipe would have one.
    """

    def __init__(
        self,
        tool: str,
        verbose: bool,
        details: Callable[[float], str] | None = None,
        quiet: bool = False,
        to_files: bool = False,
    ) -> None:
        self._tool, self._verbose, self._details = tool, verbose, details
        self.records = self.out = self.dropped = self.errors = 0
        self._remedies: Counter[str] = Counter()  # failures, by what the user can do about them
        self._start = self._last = time.monotonic()
        self._progress = not quiet and sys.stderr.isatty() and (to_files or not _is_pipe_or_terminal(1))
        self._width = 0

    def count_input(self) -> None:
        """Counts an input record, and shows progress at intervals."""
        self.records += 1
        if (
            self._progress
            and (now := time.monotonic()) - self._last > PROGRESS_EVERY
            and now - self._start > PROGRESS_AFTER
        ):
            self._last = now
            seconds = now - self._start
            line = f"{self._tool}: {self.records:,} records, {self.records / seconds:,.0f}/s"
            line += self._details(seconds) if self._details else ""
            print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(line)

    def failed(self, number: int, record: Record, error: RecordError, stage: str = "") -> Record:
        """Reports the failure of input record *number*. Returns the record with its `error`, of a *stage* that may not
        be the tool itself."""
        self.errors += 1
        remedy = f"; {error.remedy}" if error.remedy else ""
        if remedy:
            self._remedies[remedy] += 1
        if not remedy or self._remedies[remedy] == 1:
            name = record.get("id")
            self.warn(f"record {number}{'' if name is None else f' ({_short(name)})'}: {_short(error)}{remedy}")
        return {**record, "error": {"stage": stage or self._tool, "message": str(error)}}

    def warn(self, message: str) -> None:
        """Writes a line, after removing the progress line."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr)
            self._width = 0
        warn(self._tool, message)

    def finish(self) -> None:
        """Writes how many failures had the same remedy as one before, and the counts, if verbose."""
        seconds = time.monotonic() - self._start
        for remedy, count in self._remedies.items():
            if count > 1:
                self.warn(f"{count - 1} more record{'s' * (count > 2)} like this{remedy}")
        if self._verbose:
            dropped = f"{self.dropped} dropped, " if self.dropped else ""
            self.warn(
                f"{self.records} in, {self.out} out, {dropped}{self.errors} errors, {seconds:.1f} s, "
                f"{self.records / max(seconds, 1e-9):.1f} pages/s"
            )
        elif self._width:
            print(file=sys.stderr)


class Progress:
    """Reports how many of *total* folds (or *unit*) are done and how long the rest takes: on a terminal, or if
    *verbose*."""

    def __init__(self, tool: str, total: int, verbose: bool, unit: str = "folds") -> None:
        self._tool, self._total, self._unit = tool, total, unit
        self._enabled = verbose or sys.stderr.isatty()
        self._start = time.monotonic()

    def at(self, done: int) -> None:
        """Reports that *done* of them are done."""
        if not self._enabled:
            return
        left = (time.monotonic() - self._start) / done * (self._total - done) if done else 0.0
        rest = f", about {left:.0f} s left" if done and done < self._total else ""
        warn(self._tool, f"{done} of {self._total} {self._unit} done{rest}")


def _is_pipe_or_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor) or stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:  # closed
        return True


def hint_at_terminal(tool: str, files: Sequence[str], quiet: bool = False) -> None:
    """Says on standard error that input is read from a terminal, if it is: nothing else shows that a filter waits."""
    if quiet or (files and "-" not in files) or not os.isatty(0):
        return
    warn(tool, f"reading from the terminal: Ctrl+D ends the input; {tool} --help says what to give")


def terminal_columns() -> int:
    """The width of the terminal, as `shutil.get_terminal_size` says it."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:  # not with shutil, which loads three libraries of compression
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or DEFAULT_COLUMNS  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return DEFAULT_COLUMNS


def uses_colour() -> bool:
    """Whether standard output has colours: on a terminal that has them, unless the user says NO_COLOR (no-color.org);
    elsewhere if the user says FORCE_COLOR."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.isatty(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def warn(tool: str, message: object, shown: Sequence[str] = ()) -> None:
    """Writes a line to standard error, after the name of the tool, and the lines *shown* as they are below it."""
    try:
        # one write, with its newline: print() makes two, between which another filter of the pipe may write its line
        sys.stderr.write(f"{tool}: {one_line(message)}\n" + "".join(f"{one_line(line)}\n" for line in shown))
        sys.stderr.flush()
    except OSError:  # standard error is closed
        _discard(2)


def _short(message: object) -> str:
    return one_line(str(message)[: 2 * MAX_MESSAGE])[:MAX_MESSAGE]


def one_line(message: object) -> str:
    """The text of a message with spaces instead of control characters, so that data neither moves the cursor of a
    terminal nor adds lines."""
    return _CONTROLS.sub(" ", str(message))


# ---- signals ---------------------------------------------------------------------------------------------------------


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
            import threading  # start-up: signals are rare

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


# ---- the end of a command --------------------------------------------------------------------------------------------


def exit_status(tool: str, main: Callable[[], int]) -> int:
    """Runs *main* and returns the exit status. A usage error is one line and status 2; a closed pipe ends quietly."""
    if sys.stderr is None:  # standard error is closed: print() would write to standard output
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    ends_quietly = signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # bin/ sets it, for the time of imports
    if ends_quietly:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        gc.set_threshold(GARBAGE_AFTER)
    try:
        return _status(tool, main)
    finally:
        if ends_quietly:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            gc.freeze()  # the process ends: to search its objects for garbage three times would take 8 ms


def _status(tool: str, main: Callable[[], int]) -> int:
    try:
        status = main()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except UsageError as error:
        warn(tool, error, error.shown)
        return 2
    except BrokenPipeError:
        _discard(1)
        return 0
    except OSError as error:
        _discard(1)
        warn(tool, f"{error.filename or 'standard output'}: {error.strerror or error}")
        return 1
    except KeyboardInterrupt as interrupt:
        return int(interrupt.args[0]) if interrupt.args else 128 + signal.SIGINT


def _discard(descriptor: int) -> None:
    """Discards output that cannot be written, so that Python does not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
