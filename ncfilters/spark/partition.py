"""What an executor does with a partition: it reads files, runs the stages, and gives rows of Arrow.

    frame.mapInArrow(partition_function(work, tasks, counts), schema)

Stages run in the process of the executor. A task that is tried again, perhaps because a page ended its process, runs
them in a process of its own, so that such a page becomes an error record.
"""

from __future__ import annotations

import fnmatch
import gc
import glob
import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from ..errors import UsageError, error_message
from ..record import Record, is_error
from ..streams.columns import SCHEMA, to_batch, to_row
from ..streams.console import StreamReport
from ..streams.crawl_source import PAGE_TOOL, CrawlSource, Item
from ..streams.html_pages import PageSelection
from ..streams.pool import Limits, Pool
from ..streams.runner import Outcome, ResultWriter
from ..streams.wet_writer import WetRecords
from ..streams.writers import json_line
from .deduplication import Dedup, FeatureColumns

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://|file:")
# Scheme of Hadoop → scheme of pyarrow.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}
_WILD = re.compile(r"[*?\[]")
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
        from pyspark import TaskContext  # only in executors

        job, context = _job_of(pickled), TaskContext.get()
        attempts = context.attemptNumber() if context else 0  # before this one
        with closing(Pool(1, job.stages, job.at_death, Limits(lives=1))) if attempts else nullcontext() as careful:
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


def _rows_of(job: Job, files: Sequence[InputFile], rows: OutputRows, counts: Counts) -> Iterator[Any]:
    """The batches of rows of the files of a task, which is counted."""
    report = _SilentReport(PAGE_TOOL, verbose=False, quiet=True)
    writer = ResultWriter(rows, report)
    sources = (CrawlSource(None, job.selection).items_of(path, opened(path)) for path, _ in files)
    for items, size in _batches(chain.from_iterable(sources)):
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
        self._documents = WetRecords()

    def write(self, record: Record) -> None:
        """Adds a record. Raises RecordError if the format cannot represent it."""
        self._values.append(self._value(record))
        self._results.append(ERROR if is_error(record) else DOCUMENT)
        if self._features:
            self._features.add(record)

    def _value(self, record: Record) -> Any:
        if self._format == "parquet":
            return to_row(record)
        if self._format == "wet" and (records := self._documents.of(record)):
            return b"".join(records)[:-1]
        return json_line(record)[:-1]

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


# ---- files that the driver lists and executors read: on disks, in S3 and in HDFS ------------------------------------


class InputFile(NamedTuple):
    """A file to read: its path or URI, and its size in bytes."""

    path: str
    size: int


def listed(paths: Iterable[str]) -> list[InputFile]:
    """The files of paths, which may be files, folders, and patterns with wild cards; in the order of the paths, and by
    name in folders and patterns. Hidden files are left out of folders, and so are those that begin with `_`.

    Raises UsageError for a path without a file.
    """
    out: list[InputFile] = []
    for path in paths:
        found = list(_remote(path) if _is_remote(path) else _local(path))
        if not found:
            raise UsageError(f"{path}: no file")
        out += found
    return out


def opened(path: str) -> Any:
    """A file, for reading bytes from any place of it. Raises OSError."""
    if _is_remote(path):
        files, place = _file_system(path)
        return files.open_input_file(place)
    return open(local_path(path), "rb")  # noqa: SIM115 (the reader closes it)


def local_path(path: str) -> str:
    """A path without the scheme `file:`."""
    return unquote(urlsplit(path).path) if path.startswith("file:") else path


def _is_remote(path: str) -> bool:
    found = _SCHEME.match(path)
    return bool(found) and not path.startswith("file:")


def _local(path: str) -> Iterator[InputFile]:
    name = local_path(path)
    try:
        for one in [name] if os.path.exists(name) or not _WILD.search(name) else sorted(glob.glob(name)):
            if os.path.isdir(one):
                yield from _folder(one)
            else:
                yield InputFile(one, os.stat(one).st_size)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}") from None


def _folder(path: str) -> Iterator[InputFile]:
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if not _is_hidden(name))
        for name in sorted(names):
            if not _is_hidden(name):
                file = os.path.join(folder, name)
                yield InputFile(file, os.stat(file).st_size)


def _is_hidden(name: str) -> bool:
    """Whether a file is not data: Spark's `_SUCCESS`, for example."""
    return name.startswith((".", "_"))


def _remote(path: str) -> Iterator[InputFile]:
    from pyarrow.fs import FileSelector, FileType  # only for URIs

    try:
        files, place = _file_system(path)
        base = path[: len(path) - len(place)] if path.endswith(place) else path.partition("://")[0] + "://"
        wild = _WILD.search(place)
        if not wild and (one := files.get_file_info(place)).type == FileType.File:
            yield InputFile(path, one.size)
            return
        above = place[: wild.start()].rpartition("/")[0] if wild else place.rstrip("/")
        found = files.get_file_info(FileSelector(above, recursive=True, allow_not_found=True))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error_message(error)}") from None
    for info in sorted(found, key=lambda info: str(info.path)):
        below = info.path[len(above) :]
        is_data = info.type == FileType.File and not any(map(_is_hidden, below.strip("/").split("/")))
        names, patterns = info.path.split("/"), place.split("/")
        matches = len(names) == len(patterns) and all(map(fnmatch.fnmatchcase, names, patterns))
        if is_data and (not wild or matches):
            yield InputFile(base + info.path, info.size)


def _file_system(path: str) -> tuple[Any, str]:
    """The file system of a URI, and the path in it."""
    scheme, _, rest = path.partition("://")
    name, parts = _SCHEMES.get(scheme.lower(), scheme.lower()), urlsplit(path)
    return (_connected("s3", ""), rest) if name == "s3" else (_connected(name, parts.netloc), parts.path)


@cache
def _connected(scheme: str, host: str) -> Any:
    """A file system; S3 with the credentials of the environment or of the machine, and AWS_ENDPOINT_URL; anonymous with
    AWS_ANONYMOUS=1."""
    from pyarrow import fs  # only for URIs

    if scheme != "s3":
        return fs.FileSystem.from_uri(f"{scheme}://{host}/")[0]
    endpoint = os.environ.get("AWS_ENDPOINT_URL") or None
    return fs.S3FileSystem(anonymous=os.environ.get("AWS_ANONYMOUS") == "1", endpoint_override=endpoint)
