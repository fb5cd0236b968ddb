"""The one loop of all filters: records in, processing, records out, in order.

    return run_filter(files, per_record(segment_record), StreamOptions("nc-segment"))

A record that fails is written with an `error` field; processing continues with the next. `through` passes records
through several stages in one process, and `FieldNames` renames the fields of other programs.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from signal import SIGINT
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..errors import RecordError, UsageError
from ..record import NAMES, VERSION, Record, check, is_error
from .console import Interruption, StreamReport, hint_at_terminal, warn

if TYPE_CHECKING:  # orjson, which --help does not need
    from .crawl_source import PageSource, SiteFolder
    from .readers import RecordSource
    from .writers import Output, Sink

# The default limit of a record in bytes, which no page reaches.
MAX_RECORD = 256 << 20

# Returns for each record a record, a RecordError, or None for a record that is dropped on purpose.
Process = Callable[[list[Record]], Sequence[Record | RecordError | None]]

Result = TypeVar("Result", Record, Record | None)


class StreamOptions(NamedTuple):
    """How a command reads, reports and writes its stream."""

    tool: str
    max_record: int = MAX_RECORD  # bytes; a longer record is an error
    strict: bool = False  # stop at the first record that fails
    verbose: bool = False  # report the counts at the end
    quiet: bool = False  # no progress, no hints, no remarks; failures are reported
    to_files: bool = False  # standard output gets no records
    unbuffered: bool = False  # write each record at once
    output_format: str | None = None  # None is the format of the input
    fields: Mapping[str, str] = {}  # field of the schema → its name in this input
    batch_bytes: int = 0  # process the records of so many bytes together; 0 for each record alone
    reads_pages: bool = False  # HTML pages and folders of them are inputs, too


def per_record(function: Callable[[Record], Result]) -> Callable[[list[Record]], list[Result | RecordError]]:
    """Processing by a function of one record, whose exceptions become the errors of records."""

    def process(records: list[Record]) -> list[Result | RecordError]:
        return [attempt(function, record) for record in records]

    return process


def attempt(function: Callable[[Record], Result], record: Record) -> Result | RecordError:
    """The function's result, or its exception as a RecordError."""
    try:
        return function(record)
    except Exception as error:  # an unforeseen page must not end the crawl
        return _as_record_error(error)


def _as_record_error(error: Exception) -> RecordError:
    """The error as a value, without its traceback: its frames hold the batch, and this the error, so that memory would
    wait for the garbage collector."""
    if not isinstance(error, RecordError):
        return RecordError(f"{type(error).__name__}: {error}")
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


def run(source: "RecordSource", process: Process, sink: "Sink", options: StreamOptions) -> int:
    """Passes every record of *source* through *process* to *sink* and returns the exit status.

    A record that fails is written unchanged, with `error` instead of the result. A record that *process* drops is not
    written.
    """
    stages, names = [Stage(options.tool, process)], FieldNames(options.fields)
    report = StreamReport(options.tool, options.verbose, None, options.quiet, options.to_files)
    writer = ResultWriter(sink, report)

    def outcomes(interruption: Interruption) -> Iterator[Outcome]:
        for batch in _batches(interruption, source, report, options.batch_bytes):
            good = [item for item in batch if not isinstance(item, RecordError)]
            for record in good:
                names.rename(record)
            of_good = iter(through(stages, good))
            for item in batch:
                yield Outcome(item.record, item) if isinstance(item, RecordError) else next(of_good)

    def loop(interruption: Interruption) -> None:
        for number, outcome in enumerate(outcomes(interruption), 1):
            writer.write(number, outcome)
            if options.strict and report.errors:
                break
        else:
            if report.records and not (interruption.status or options.quiet) and (message := names.message()):
                report.warn(message)
        end_output(sink, interruption)

    status = reported(loop, report)
    report_replaced(sink, options)
    return status


def _batches(
    interruption: Interruption, source: "RecordSource", report: StreamReport, batch_bytes: int
) -> Iterator[list[Record | RecordError]]:
    """What is read, in batches of so many bytes. After a signal, an incomplete batch is dropped."""
    batch: list[Record | RecordError] = []
    done = 0
    for item in interruption.until(source):
        report.count_input()
        batch.append(item)
        # the first record is processed at once, so that a slow reader sees it
        if source.bytes - done >= batch_bytes or report.records == 1:
            done = source.bytes
            yield batch
            batch = []
    if batch and not interruption.status:
        yield batch


def end_output(sink: "Sink", interruption: Interruption) -> None:
    """Completes the output of a stream. After a signal, a sink with files of its own, which has `discard`, leaves what
    was there. Raises OSError."""
    discard = getattr(sink, "discard", None)
    (discard if discard and interruption.status else sink.close)()


def report_replaced(sink: object, options: StreamOptions) -> None:
    """Says how many files of a folder were replaced."""
    count = getattr(sink, "replaced", 0)
    if count and not options.quiet:
        warn(options.tool, f"{count:,} file{' was' if count == 1 else 's were'} there already, and replaced")


def reported(loop: Callable[[Interruption], None], report: StreamReport) -> int:
    """Runs the loop of a stream, which signals interrupt, reports how it ended, and returns the exit status."""
    with Interruption() as interruption:
        try:
            loop(interruption)
        except BrokenPipeError:
            pass  # the reader closed the output
        except OSError as error:
            report.warn(f"{error.filename or 'standard output'}: {error.strerror or error}")
            report.errors += 1
        except MemoryError:
            report.warn("out of memory")
            report.errors += 1
        except KeyboardInterrupt:  # a second signal
            return interruption.status or 128 + SIGINT
    report.finish()
    return interruption.status or (1 if report.errors else 0)


class ResultWriter:
    """Writes results to *sink*, and reports those that are errors."""

    def __init__(self, sink: "Sink", report: StreamReport) -> None:
        self._sink, self._report = sink, report

    def write(self, number: int, outcome: "Outcome") -> None:
        """Writes what became of input record *number*."""
        out, report = outcome.record, self._report
        if outcome.error:
            out = report.failed(number, out or {}, outcome.error, outcome.tool)
        elif out is None:
            report.dropped += 1
            return
        else:
            report.errors += is_error(out)  # of an earlier stage
        out.setdefault("nc", VERSION)
        try:
            self._sink.write(out)
        except OSError:
            raise
        except Exception as unwritable:
            names: Record = {key: out[key] for key in ("id", "url", "error") if key in out} | {"nc": VERSION}
            if not is_error(out):
                names = report.failed(number, names, _as_record_error(unwritable), outcome.tool)
            try:
                self._sink.write(names)
            except RecordError:  # its id, or what an earlier stage says
                error = {name: str(names["error"].get(name)) for name in ("stage", "message")}
                self._sink.write({"error": error, "nc": VERSION})
        report.out += 1


def _process_batch(process: Process, records: list[Record]) -> Sequence[Record | RecordError | None]:
    """The results of *process* for the records. If it fails, each record is processed alone, so that only the records
    that fail have errors. A UsageError is no record's: what the stage works with has failed."""
    try:
        return process(records)
    except UsageError:
        raise
    except Exception:
        results: list[Record | RecordError | None] = []
        for record in records:
            try:
                results += process([record])
            except Exception as error:
                results.append(_as_record_error(error))
        return results


def schema_error(record: Record) -> RecordError | None:
    """The error of a record with a field that has a wrong type; None if it has failed before."""
    if is_error(record):
        return None
    try:
        check(record)
    except RecordError as error:
        return _as_record_error(error)
    return None


# ---- a filter from end to end -------------------------------------------------------------------------------


def run_filter(
    files: Sequence[str], process: Process, options: StreamOptions, sink: "Callable[[Output], Sink] | None" = None
) -> int:
    """Runs a filter over its files into *sink* (records, if None) and returns the exit status. Raises UsageError."""
    # orjson and the writers, which a usage error does not need
    from .readers import RecordReader, open_inputs
    from .writers import Records

    folders: Sequence[SiteFolder] = ()
    source: RecordReader | PageSource
    if options.reads_pages:
        from . import crawl_source  # start-up: filters of records read no folders

        source = crawl_source.PageSource(files, options.max_record)
        folders = source.folders
    else:
        source = RecordReader(open_inputs(files), options.max_record)
    hint_at_terminal(options.tool, files, options.quiet)
    out = standard_output(options)
    to = sink(out) if sink else Records(out, lambda: options.output_format or source.format or "jsonl")
    if is_interactive(options.unbuffered):
        options = options._replace(batch_bytes=0)
    status = run(source, process, to, options)
    if folders:
        crawl_source.report_folders(options.tool, folders, options.verbose, options.quiet)
    return status


def consume(source: "RecordSource", function: Callable[[Record], Record], options: StreamOptions) -> int:
    """Runs *function* over all records and writes none. Returns the exit status."""
    return run(source, per_record(function), Nowhere(), options._replace(to_files=True))


class Nowhere:
    """A sink that discards records, and counts those that failed."""

    failed = 0

    def write(self, record: Record) -> None:
        self.failed += is_error(record)

    def close(self) -> None:
        pass


def is_interactive(unbuffered: bool) -> bool:
    """Whether each record is written at once: on request, or because standard output is a terminal."""
    return unbuffered or os.isatty(1)


def standard_output(options: StreamOptions) -> "Output":
    from .writers import Output  # orjson, which a usage error does not need

    return Output(is_interactive(options.unbuffered))


# ---- stages in one process -------------------------------------------------------------------------------------------


class Stage(NamedTuple):
    """A stage: the tool that does it alone, which error records name, and its processing."""

    tool: str
    process: Process


class Outcome(NamedTuple):
    """What became of a record: the record after its last stage (None if that dropped it), and if a stage failed, the
    error and the tool of the stage, whose input the record is."""

    record: Record | None
    error: RecordError | None = None
    tool: str = ""


def through(stages: Sequence[Stage], records: Sequence[Record]) -> list[Outcome]:
    """What becomes of each record in the stages. A record with an `error` of an earlier program passes through; what is
    no record, which Python code may give, is an error of the first stage."""
    out = [Outcome(record) for record in records]
    for number, (record, *_) in enumerate(out):
        if not isinstance(record, dict):
            what = NAMES.get(type(record), type(record).__name__)
            out[number] = Outcome({}, RecordError(f"expected a record, got {what}"), stages[0].tool)
    for stage in stages:
        at, good = [], []
        for number, (record, failed, _) in enumerate(out):
            if record is None or failed or is_error(record):
                continue
            if error := schema_error({**record, "segments": []} if _has_table(record) else record):
                out[number] = Outcome(record, error, stage.tool)
            else:
                at.append(number)
                good.append(record)
        for number, record, result in zip(at, good, _process_batch(stage.process, good) if good else ()):
            if isinstance(result, RecordError):
                given = {**record, "segments": list(record["segments"])} if _has_table(record) else record
                out[number] = Outcome(given, result, stage.tool)
            else:
                out[number] = Outcome(result)
    return out


def _has_table(record: Record) -> bool:
    """Whether the segments are a table, as between the stages of one process (see `block_table`)."""
    return hasattr(record.get("segments"), "scored")


# ---- fields of other names -------------------------------------------------------------------------------------------


class FieldNames:
    """The names of fields in this input (*fields*: ours → theirs), and which of them have been seen."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = fields
        self._unseen = set(fields)

    def rename(self, record: Record) -> None:
        """Gives fields of a record our names."""
        for ours, theirs in self._fields.items():
            if theirs in record:
                record[ours] = record.pop(theirs)
                self._unseen.discard(ours)

    def see(self, content: object) -> None:
        """Notes the fields of a record, or of a line of JSON that another process reads."""
        for ours in list(self._unseen):
            theirs = self._fields[ours]
            if isinstance(content, bytes):
                import json  # start-up: only for fields of other names

                quoted = (json.dumps(theirs, ensure_ascii=is_ascii).encode() for is_ascii in (False, True))
                is_seen = any(name in content for name in quoted)
            else:
                is_seen = isinstance(content, dict) and theirs in content
            if is_seen:
                self._unseen.discard(ours)

    def message(self) -> str | None:
        """A remark on names that no record had; None if there are none."""
        names = [f"{self._fields[ours]} (--field {ours})" for ours in self._fields if ours in self._unseen]
        return f"no record has the field {' or '.join(names)}" if names else None
