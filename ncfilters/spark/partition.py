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
from typing import Any, NamedTuple

import pyarrow as pa

from ..record import Record, is_error
from ..streams.columns import SCHEMA, to_batch, to_row
from ..streams.console import StreamReport
from ..streams.crawl_source import PAGE_TOOL, CrawlSource, Item
from ..streams.html_pages import PageSelection
from ..streams.pool import Limits, Pool
from ..streams.runner import Outcome, ResultWriter
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
_LINE: Any = pa.schema([pa.field("value", pa.string()), _RESULT_FIELD])


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
                    task_counts = dict.fromkeys(COUNTERS, 0)
                    yield from _rows_of(job, files_of[number], OutputRows(work.output_format, features), task_counts)
                    counts.add({number: task_counts})

    return run


@lru_cache(maxsize=1)
def _job_of(pickled: bytes) -> Job:
    """The job, which is made once in each process, because models are loaded. After its first items, all that is in
    memory is kept out of the garbage collection: what has been loaded until then, such as models, stays."""
    from pyspark import SparkFiles, TaskContext  # only in executors

    folder = SparkFiles.getRootDirectory() if TaskContext.get() else None
    job: Job = pickle.loads(pickled).make_job(folder)
    is_settled = False

    def stages(items: list[Item]) -> Sequence[Outcome]:
        nonlocal is_settled
        outcomes = job.stages(items)
        if not is_settled:
            is_settled = True
            gc.collect()
            gc.freeze()
        return outcomes

    return job._replace(stages=stages)


def _attempt() -> int:
    """How often this task was tried before."""
    from pyspark import TaskContext  # only in executors

    context = TaskContext.get()
    return context.attemptNumber() if context else 0


def _rows_of(job: Job, files: Sequence[InputFile], rows: OutputRows, counts: Counts) -> Iterator[Any]:
    """The batches of rows of the files of a task, which is counted."""
    report = _SilentReport(PAGE_TOOL, verbose=False, quiet=True)
    writer = ResultWriter(rows, report)
    for items, size in _batches(_items(files, job.selection)):
        for outcome in job.stages(items):
            report.records += 1
            writer.write(report.records, outcome)
        counts["bytes"] += size
        yield rows.batch()
    counts |= {"read": report.records, "documents": report.out - report.errors}
    counts |= {"dropped": report.dropped, "errors": report.errors}


class _SilentReport(StreamReport):
    """Counts alone: errors are in the output, and executors have no terminal."""

    def warn(self, message: str) -> None:
        pass


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


def row_schema(output_format: str) -> Any:
    """The schema of the rows (`pyarrow.Schema`) of a format: `parquet`, `jsonl` or `wet`."""
    return SCHEMA.append(_RESULT_FIELD) if output_format == "parquet" else _LINE


class OutputRows:
    """A sink for the rows of a task, with *features* beside them: columns; or lines of JSON; or records of WET, of
    which Spark writes the last line feed. Errors are JSON in WET files, too."""

    def __init__(self, output_format: str, features: FeatureColumns | None = None) -> None:
        self._format, self._features, self._schema = output_format, features, row_schema(output_format)
        self._values: list[Any] = []
        self._results: list[str] = []
        self._number = 0
        self._started = False  # whether there is a document, before which a WET file has its first record

    def write(self, record: Record) -> None:
        """Adds a record. Raises RecordError if the format cannot represent it."""
        self._number += 1
        self._values.append(self._value(record))
        self._results.append(ERROR if is_error(record) else DOCUMENT)
        if self._features:
            self._features.add(record)

    def _value(self, record: Record) -> Any:
        if self._format == "parquet":
            return to_row(record)
        if self._format != "wet" or is_error(record):
            return json_line(record)[:-1]
        data = conversion(record, self._number)
        if not self._started:
            data = warcinfo(date_of(record), data) + data
        self._started = True
        return data[:-1]

    def batch(self) -> Any:
        """What was added since the last time, as a `pyarrow.RecordBatch`."""
        values, results, self._values, self._results = self._values, self._results, [], []
        if self._format == "parquet":
            batch = to_batch([{**row, RESULT: result} for row, result in zip(values, results)], self._schema)
        else:
            lines = pa.array(values, pa.binary()).cast(pa.string())
            batch = pa.RecordBatch.from_arrays([lines, pa.array(results, pa.string())], schema=self._schema)
        return self._features.joined(batch) if self._features else batch

    def close(self) -> None:
        """Nothing is left to be written."""
