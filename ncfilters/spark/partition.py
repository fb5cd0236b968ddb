"""What an executor does with a partition: it reads files, runs the stages, and gives rows of Arrow.

    frame.mapInArrow(partition_function(work, tasks, counts), schema)

Stages run in the process of the executor. A task that is tried again, perhaps because a page ended its process, runs
them in a process of its own, so that such a page becomes an error record.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from ..errors import RecordError, error_message
from ..record import VERSION, Record, is_error
from ..streams.columns import SCHEMA, Row, to_batch, to_row
from ..streams.crawl_source import PAGE_TOOL, CrawlSource, Item
from ..streams.html_pages import PageSelection
from ..streams.pool import Limits, Pool
from ..streams.runner import Outcome
from ..streams.wet_writer import conversion, date_of, warcinfo
from ..streams.writers import json_line
from .deduplication import Dedup, FeatureColumns
from .storage import InputFile, opened

# Bytes of input that the stages work on at once, as in nc-clean.
BATCH_BYTES = 1 << 21
COUNTERS = ("read", "documents", "dropped", "errors", "bytes")
Counts = dict[str, int]
TaskCounts = dict[int, Counts]

# The column by which Spark puts documents and errors into folders of their own, and its values.
RESULT, DOCUMENT, ERROR = "result", "document", "error"
_RESULT_FIELD: Any = pa.field(RESULT, pa.string())


class Job(NamedTuple):
    """What executors do with items: the *stages*, and the outcome of an item with which a process dies."""

    stages: Callable[[list[Item]], Sequence[Outcome]]
    at_death: Callable[[Item, str], Outcome]
    selection: PageSelection


class Work(NamedTuple):
    """How an executor makes its job, from the folder with the models that Spark has sent it, what format it writes, and
    which duplicates go. It is sent to executors."""

    make_job: Callable[[str | None], Job]
    output_format: str
    dedup: Dedup | None = None


class CountsOfTasks:
    """How Spark accumulates counts: by number of task. A task that runs again, because an executor was lost with what
    it had made, counts once."""

    def zero(self, _: TaskCounts) -> TaskCounts:
        return {}

    def addInPlace(self, counts: TaskCounts, more: TaskCounts) -> TaskCounts:  # noqa: N802  Spark's name
        return counts | more


def partition_function(
    work: Work, tasks: Callable[[], Sequence[Sequence[InputFile]]], counts: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for `mapInArrow`, on batches with numbers of *tasks*. *counts* is an accumulator of CountsOfTasks."""
    pickled = pickle.dumps(work)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        job = _job_of(pickled)
        with closing(Pool(1, job.stages, job.at_death, Limits(lives=1))) if _attempt() else nullcontext() as careful:
            job = job._replace(stages=careful) if careful else job
            files_of = tasks()
            for batch in batches:
                for number in batch.column(0).to_pylist():
                    features = FeatureColumns(work.dedup, number) if work.dedup else None
                    rows = _TaskRows(output_rows(work.output_format), features)
                    yield from rows.of(job, files_of[number])
                    counts.add({number: rows.counts})

    return run


@lru_cache(maxsize=1)
def _job_of(pickled: bytes) -> Job:
    """The job, which is made once in each process, because models are loaded."""
    from pyspark import SparkFiles, TaskContext  # only in executors

    folder = SparkFiles.getRootDirectory() if TaskContext.get() else None
    job: Job = pickle.loads(pickled).make_job(folder)
    return job._replace(stages=_Settled(job.stages))


class _Settled:
    """Stages after whose first items all that is in memory is kept out of the garbage collection: what has been loaded
    until then, such as models, stays."""

    def __init__(self, stages: Callable[[list[Item]], Sequence[Outcome]]) -> None:
        self._stages, self._is_settled = stages, False

    def __call__(self, items: list[Item]) -> Sequence[Outcome]:
        outcomes = self._stages(items)
        if not self._is_settled:
            self._is_settled = True
            gc.collect()
            gc.freeze()
        return outcomes


def _attempt() -> int:
    """How often this task was tried before."""
    from pyspark import TaskContext  # only in executors

    context = TaskContext.get()
    return context.attemptNumber() if context else 0


class _TaskRows:
    """The rows of a task, and what is counted of it."""

    def __init__(self, rows: OutputRows, features: FeatureColumns | None) -> None:
        self.counts = dict.fromkeys(COUNTERS, 0)
        self._rows, self._features = rows, features

    def of(self, job: Job, files: Sequence[InputFile]) -> Iterator[Any]:
        """The batches of rows of the files."""
        for items, size in _batches(_items(files, job.selection)):
            for outcome in job.stages(items):
                self._add(outcome)
            self.counts["read"] += len(items)
            self.counts["bytes"] += size
            batch = self._rows.batch()
            yield self._features.joined(batch) if self._features else batch

    def _add(self, outcome: Outcome) -> None:
        record = _result(outcome)
        if record is None:
            self.counts["dropped"] += 1
            return
        try:
            self._rows.add(record)
        except Exception as unwritable:
            names: Record = {key: record[key] for key in ("id", "url", "error") if key in record}
            if not is_error(record):
                names["error"] = {"stage": outcome.tool or PAGE_TOOL, "message": _message(unwritable)}
            self._rows.add(record := {**names, "nc": VERSION})
        if self._features:
            self._features.add(record)
        self.counts["errors" if is_error(record) else "documents"] += 1


def _items(files: Sequence[InputFile], selection: PageSelection) -> Iterator[tuple[Item, int]]:
    for path, _ in files:
        yield from CrawlSource(None, selection).items_of(path, opened(path))


def _batches(items: Iterator[tuple[Item, int]]) -> Iterator[tuple[list[Item], int]]:
    """The items in batches, each with its size in bytes."""
    batch: list[Item] = []
    size = 0
    for item, bytes_read in items:
        batch.append(item)
        size += bytes_read
        if size >= BATCH_BYTES:
            yield batch, size
            batch, size = [], 0
    if batch:
        yield batch, size


def _result(outcome: Outcome) -> Record | None:
    """The record that is written; None if it was dropped."""
    record = outcome.record
    if outcome.error:
        error = {"stage": outcome.tool or PAGE_TOOL, "message": str(outcome.error)}
        record = {**(record or {}), "error": error}
    if record is not None:
        record.setdefault("nc", VERSION)
    return record


def _message(error: Exception) -> str:
    return str(error) if isinstance(error, RecordError) else f"{type(error).__name__}: {error_message(error)}"


class OutputRows(Protocol):
    """The rows of a task, in one format."""

    def add(self, record: Record) -> None:
        """Adds a record. Raises RecordError if the format cannot represent it."""

    def batch(self) -> Any:
        """What was added since the last time, as a `pyarrow.RecordBatch`."""


def output_rows(name: str) -> OutputRows:
    """The rows of a task in a format: `parquet`, `jsonl` or `wet`."""
    return _Columns() if name == "parquet" else _Lines(is_wet=name == "wet")


def row_schema(name: str) -> Any:
    """The schema of the rows (`pyarrow.Schema`)."""
    return SCHEMA.append(_RESULT_FIELD) if name == "parquet" else _LINE


def result_of(record: Record) -> str:
    """The folder of a record."""
    return ERROR if is_error(record) else DOCUMENT


class _Columns:
    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._schema = row_schema("parquet")

    def add(self, record: Record) -> None:
        self._rows.append({**to_row(record), RESULT: result_of(record)})

    def batch(self) -> Any:
        rows, self._rows = self._rows, []
        return to_batch(rows, self._schema)


_LINE: Any = pa.schema([pa.field("value", pa.string()), _RESULT_FIELD])


class _Lines:
    """Lines of JSON; or records of WET, of which Spark writes the last line feed. Errors are JSON in any case."""

    def __init__(self, is_wet: bool) -> None:
        self._is_wet = is_wet
        self._number = 0
        self._started = False  # whether there is a document, before which a WET file has its first record
        self._values: list[bytes] = []
        self._results: list[str] = []

    def add(self, record: Record) -> None:
        self._number += 1
        if not self._is_wet or is_error(record):
            data = json_line(record)
        else:
            data = conversion(record, self._number)
            if not self._started:
                data = warcinfo(date_of(record), data) + data
            self._started = True
        self._values.append(data[:-1])
        self._results.append(result_of(record))

    def batch(self) -> Any:
        values, results = pa.array(self._values, pa.binary()).cast(pa.string()), pa.array(self._results, pa.string())
        self._values, self._results = [], []
        return pa.RecordBatch.from_arrays([values, results], schema=_LINE)
