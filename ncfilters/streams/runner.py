"""The one loop all filters share: records in, work, records out, in order, whatever happens.

    return stream.filtered("nc-segment", args, stream.each(segment_record))

Also their exit statuses: 0; 1 when a record failed; 2 for a usage error. What they share of options is in `arguments`.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..record import VERSION, Record, RecordError, check, is_error

if TYPE_CHECKING:
    from .writers import Output, Sink

# Bytes a pipe should hold: what Linux allows everybody.
PIPE = 1 << 20
# Seconds before a progress line appears, and between two of them.
PROGRESS_AFTER, PROGRESS_EVERY = 2.0, 0.5

# Gives a record or a RecordError for each of the records it gets, or None for one that is dropped on purpose.
Work = Callable[[list[Record]], Sequence["Record | RecordError | None"]]


Result = TypeVar("Result", "Record", "Record | None")


class UsageError(Exception):
    """What the user asked for cannot be done: exit status 2."""


class Incoming(Protocol):
    """Records as they come; `bytes` says how much has been read."""

    @property
    def bytes(self) -> int: ...

    def __iter__(self) -> Iterator[Record | RecordError]: ...


def each(function: Callable[[Record], Result]) -> Callable[[list[Record]], list[Result | RecordError]]:
    """The work of a function of one record. Whatever it raises is that record's error."""

    def work(records: list[Record]) -> list[Result | RecordError]:
        return [attempt(function, record) for record in records]

    return work


def attempt(function: Callable[[Record], Result], record: Record) -> Result | RecordError:
    """The function's result, or its exception as a RecordError."""
    try:
        return function(record)
    except Exception as error:  # a page nobody has thought of must not end the crawl
        return _as_record_error(error)


def _as_record_error(error: Exception) -> RecordError:
    return error if isinstance(error, RecordError) else RecordError(f"{type(error).__name__}: {error}")


def run(
    tool: str,
    source: Incoming,
    work: Work,
    sink: Sink,
    strict: bool = False,
    verbose: bool = False,
    batch_bytes: int = 0,
    fields: dict[str, str] | None = None,
) -> int:
    """Takes every record through *work* into *sink* and returns the exit status.

    *work* gets one record at a time, or what came in *batch_bytes*. *fields* renames fields on the way in. A failed
    record comes out as it was, with `error` in place of the result; one that *work* drops does not come out.
    """
    report = Report(tool, verbose)
    batch: list[tuple[int, Record, RecordError | None]] = []
    taken = 0

    def finish() -> bool:
        """Works on the batch and writes it; whether to go on."""
        good = [record for _, record, error in batch if not error and not is_error(record)]
        results = iter(_results(work, good) if good else ())
        for number, record, error in batch:
            if not error and not is_error(record):
                result = next(results)
                if result is None:
                    report.dropped += 1
                    continue
                if isinstance(result, RecordError):
                    error = result
                else:
                    record = result
            if error:
                record = report.failed(number, record, error)
            elif is_error(record):
                report.errors += 1
            record.setdefault("nc", VERSION)
            try:
                sink.write(record)
            except OSError:
                raise
            except Exception as unwritable:
                name: Record = {key: record[key] for key in ("id", "url") if key in record}
                sink.write(report.failed(number, {**name, "nc": VERSION}, _as_record_error(unwritable)))
            report.out += 1
            if strict and report.errors:
                return False
        batch.clear()
        return True

    try:
        for item in source:
            report.came()
            if isinstance(item, RecordError):
                batch.append((report.records, item.record, item))
            else:
                for ours, theirs in (fields or {}).items():
                    if theirs in item:
                        item[ours] = item.pop(theirs)
                batch.append((report.records, item, _checked(item)))
            if source.bytes - taken >= batch_bytes or report.records == 1:
                taken = source.bytes
                if not finish():
                    break
        else:
            finish()
        sink.close()
    except BrokenPipeError:
        pass  # who reads has seen enough
    except OSError as error:
        report.say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        report.errors += 1
    except KeyboardInterrupt:
        return 130
    report.done()
    return 1 if report.errors else 0


def _results(work: Work, records: list[Record]) -> Sequence[Record | RecordError | None]:
    """What *work* makes of them; where it fails, of each by itself, so that one record's failure is its own."""
    try:
        return work(records)
    except Exception:
        return [attempt(lambda record: _alone(work, record), record) for record in records]


def _alone(work: Work, record: Record) -> Record | None:
    result = work([record])[0]
    if isinstance(result, RecordError):
        raise result
    return result


def _checked(record: Record) -> RecordError | None:
    try:
        check(record)
    except RecordError as error:
        return error
    return None


class Report:
    """What standard error is told: each failure, progress on a terminal, the counts at the end when *verbose*."""

    def __init__(self, tool: str, verbose: bool) -> None:
        self._tool, self._verbose = tool, verbose
        self.records = self.out = self.dropped = self.errors = 0
        self._start = self._last = time.monotonic()
        self._progress = sys.stderr.isatty()
        self._width = 0

    def came(self) -> None:
        """Counts a record in, and says how far we are when it is time."""
        self.records += 1
        if (
            self._progress
            and (now := time.monotonic()) - self._last > PROGRESS_EVERY
            and now - self._start > PROGRESS_AFTER
        ):
            self._last = now
            line = f"{self._tool}: {self.records:,} records, {self.records / (now - self._start):,.0f}/s"
            print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(line)

    def failed(self, number: int, record: Record, error: RecordError) -> Record:
        """Tells of the failure of the record that came as *number*; the record that carries it on."""
        self.errors += 1
        name = record.get("id")
        self.say(f"record {number}{'' if name is None else f' ({_one_line(name)})'}: {_one_line(error)}")
        return {**record, "error": {"stage": self._tool, "message": str(error)}}

    def say(self, what: str) -> None:
        """One line."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr)
            self._width = 0
        say(self._tool, what)

    def done(self) -> None:
        """The counts."""
        seconds = time.monotonic() - self._start
        if self._verbose:
            dropped = f"{self.dropped} dropped, " if self.dropped else ""
            self.say(
                f"{self.records} in, {self.out} out, {dropped}{self.errors} errors, {seconds:.1f} s, "
                f"{self.records / max(seconds, 1e-9):.1f} pages/s"
            )
        elif self._width:
            print(file=sys.stderr)


class Progress:
    """Says on standard error how far folds (or *what*) have come and how long they will take, on a terminal or if
    *verbose*."""

    def __init__(self, tool: str, folds: int, verbose: bool, what: str = "folds") -> None:
        self._tool, self._folds, self._said = tool, folds, verbose or sys.stderr.isatty()
        self._what = what
        self._start = time.monotonic()

    def at(self, fold: int) -> None:
        """Told before each fold, with the number of those that are done."""
        if not self._said:
            return
        left = (time.monotonic() - self._start) / fold * (self._folds - fold) if fold else 0.0
        rest = f", about {left:.0f} s left" if fold and fold < self._folds else ""
        say(self._tool, f"{fold} of {self._folds} {self._what} done{rest}")


def say(tool: str, what: object) -> None:
    try:
        print(f"{tool}: {what}", file=sys.stderr, flush=True)
    except OSError:  # there is nobody to tell
        _leave(2)


def _one_line(what: object) -> str:
    return re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", str(what))[:300]


# ---- a filter from end to end -------------------------------------------------------------------------------


def filtered(
    tool: str, args: argparse.Namespace, work: Work, sink: Callable[[Output], Sink] | None = None, batch_bytes: int = 0
) -> int:
    """Runs a filter over its files into *sink* (records in the form asked for, if None); the exit status."""
    from .readers import Source
    from .writers import Records

    source = Source(inputs(args.files), args.max_record)
    out = output(args)
    to = sink(out) if sink else Records(out, lambda: args.format or source.format or "jsonl")
    return run(tool, source, work, to, args.strict, args.verbose, 0 if watched(args) else batch_bytes, fields(args))


def consumed(tool: str, source: Incoming, function: Callable[[Record], Record], args: argparse.Namespace) -> int:
    """Runs *function* over all records for what it learns from them, and writes none; the exit status."""
    return run(tool, source, each(function), _Nowhere(), args.strict, args.verbose, fields=fields(args))


class _Nowhere:
    """A sink for who wants no records."""

    def write(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass


def fields(args: argparse.Namespace) -> dict[str, str]:
    """Our fields that have another name in this input."""
    return {ours: theirs for ours in ("html", "text", "gold") if (theirs := getattr(args, f"{ours}_field", None))}


def text_sink(args: argparse.Namespace, text_of: Callable[[Record], str]) -> Callable[[Output], Sink] | None:
    """For -f text: a sink that prints what *text_of* gives of each record, an empty line between them."""
    if args.format != "text":
        return None
    from .writers import Text

    return lambda output: Text(output, lambda record: "" if is_error(record) else text_of(record), between="\n")


def inputs(files: Sequence[str]) -> list[tuple[str, io.RawIOBase]]:
    """The files, open; standard input where there are none. Raises UsageError for one that cannot be read."""
    out: list[tuple[str, io.RawIOBase]] = []
    for name in files or ["-"]:
        try:
            if os.path.isdir(name):
                raise IsADirectoryError(21, os.strerror(21))
            standard = name == "-"
            raw = _Waiting(0 if standard else name, closefd=not standard)
            _widen(raw.fileno())
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror}") from None
        out.append(("standard input" if standard else name, raw))
    return out


def _widen(descriptor: int) -> None:
    """Makes a pipe hold a few pages, so that two processes need not take turns for each 64 KB. For Linux."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE)
    except (ImportError, AttributeError, OSError):
        pass  # no pipe, or no such thing here


class _Waiting(io.FileIO):
    """A file whose reader waits for more, also where somebody at the other end has made the pipe non-blocking."""

    def read(self, size: int | None = -1) -> bytes:
        data: bytes | None
        while (data := super().read(size)) is None:
            select.select([self], [], [])
        return data


def watched(args: argparse.Namespace) -> bool:
    """Whether somebody waits for each record."""
    return bool(args.unbuffered) or os.isatty(1)


def output(args: argparse.Namespace) -> Output:
    """Standard output."""
    from .writers import Output

    return Output(watched(args))


def guarded(tool: str, main: Callable[[], int]) -> int:
    """The status of *main*; a usage error is one line and status 2."""
    if sys.stderr is None:  # closed: print() would take standard output in its place
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    try:
        status = main()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except UsageError as error:
        say(tool, error)
        return 2
    except BrokenPipeError:
        _leave(1)
        return 0
    except OSError as error:
        _leave(1)
        say(tool, f"{error.filename or 'standard output'}: {error.strerror or error}")
        return 1
    except KeyboardInterrupt:
        return 130


def _leave(descriptor: int) -> None:
    """Lets what cannot be written go, so that Python does not try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
