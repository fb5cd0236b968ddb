"""The application: files to tasks, tasks to documents on all executors, documents to files.

    counts = run(session, ["crawl/*.warc.gz"], Work(make_job, "parquet"), Destination("out"))

All documents are written by one job of Spark, and committed by Spark. There is no shuffle, but for duplicates.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageError
from .deduplication import Dedup, duplicate_keys, with_features, without
from .partition import COUNTERS, RESULT, Counts, CountsOfTasks, InputFile, Work, partition_function, row_schema

# Short files share a task of at most so many bytes, unless there are fewer such tasks than this number for each core.
SHORT_BYTES, TASKS_PER_CORE = 1 << 22, 8
# What a complete output has, and what an output has until then.
MANIFEST, STARTED = "_manifest.json", "_started"
# What finding duplicates needs until they are found.
CHECKPOINTS = "_checkpoints"

# Where this program is.
_ROOT = str(Path(__file__).resolve().parent.parent.parent)
# What Spark does unless its configuration says otherwise.
_DEFAULTS = {
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    # threads of numpy's linear algebra are of no use to small products
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    # the driver only plans: half of its CPU was spent on compiling what runs once
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    # executors pass on what Python makes: compiling their code for speed took more than it saved
    "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    # documents and errors of a task are written side by side, in their order, and need not be sorted
    "spark.sql.maxConcurrentOutputFileWriters": "2",
    "spark.sql.parquet.compression.codec": "zstd",
}


class Destination(NamedTuple):
    """Where documents are written."""

    path: str
    overwrite: bool = False


def send(spark: Any, models: Iterable[Path]) -> None:
    """Sends the files of models to executors, to each one once."""
    for path in models:
        spark.sparkContext.addFile(str(path))


def run(spark: Any, files: Sequence[InputFile], work: Work, to: Destination) -> Counts:
    """Processes the files, and returns the counts of COUNTERS. Raises exceptions of Spark, and UsageError."""
    from pyspark.sql.pandas.types import from_arrow_schema  # only where Spark runs

    claim(spark, to)
    context = spark.sparkContext
    of_files = tasks(files, context.defaultParallelism)
    inputs = context.broadcast(of_files)
    of_tasks = context.accumulator({}, CountsOfTasks())
    numbers = spark.range(0, len(of_files), 1, max(len(of_files), 1))
    function = partition_function(work, lambda: inputs.value, of_tasks)
    schema = row_schema(work.output_format)
    rows = numbers.mapInArrow(function, from_arrow_schema(with_features(schema) if work.dedup else schema))
    duplicates = 0
    if work.dedup:
        rows, duplicates = _distinct(spark, rows, work.dedup, to)
    writer = rows.write.partitionBy(RESULT).mode("append")  # to the mark alone
    if work.output_format == "parquet":
        writer.parquet(to.path, compression="zstd")
    else:
        writer.text(to.path, compression="gzip", lineSep="\n")
    if work.dedup:
        checkpoints, system = _path_in(spark, to.path, CHECKPOINTS)
        system.delete(checkpoints, True)
    counts = {name: sum(task[name] for task in of_tasks.value.values()) for name in COUNTERS}
    return counts | ({"documents": counts["documents"] - duplicates, "duplicates": duplicates} if work.dedup else {})


def tasks(files: Sequence[InputFile], cores: int) -> list[list[InputFile]]:
    """The files that each task reads, in their order: one, or several short ones."""
    limit = min(SHORT_BYTES, sum(file.size for file in files) // (max(cores, 1) * TASKS_PER_CORE))
    out: list[list[InputFile]] = []
    room = -1
    for file in files:
        if file.size > room:
            out.append([])
            room = limit
        out[-1].append(file)
        room -= file.size
    return out


def _distinct(spark: Any, rows: Any, dedup: Dedup, to: Destination) -> tuple[Any, int]:
    """The rows without duplicates, and the number of these. The rows of all documents are kept on the disks of
    executors, so that no page is processed twice."""
    from pyspark import StorageLevel  # only where Spark runs

    spark.sparkContext.setCheckpointDir(str(_path_in(spark, to.path, CHECKPOINTS)[0]))
    rows = rows.persist(StorageLevel.DISK_ONLY)
    duplicates = duplicate_keys(rows, dedup).checkpoint()
    return without(rows, duplicates), duplicates.count()


def claim(spark: Any, to: Destination) -> None:
    """Makes the output folder, with a mark that it is one of nc-spark, which it has until the manifest is there. With
    *overwrite*, what an earlier run has left goes. Raises UsageError."""
    from py4j.protocol import Py4JJavaError  # only where Spark runs

    started, system = _path_in(spark, to.path, STARTED)
    folder = started.getParent()
    try:
        if system.exists(folder):
            if not to.overwrite:
                raise UsageError(f"{to.path}: exists already; --overwrite replaces it")
            is_ours = any(system.exists(_path_in(spark, to.path, name)[0]) for name in (MANIFEST, STARTED))
            if not is_ours and len(system.listStatus(folder)):
                raise UsageError(
                    f"{to.path}: has no {MANIFEST}: --overwrite replaces what nc-spark has written, nothing else"
                )
            system.delete(folder, True)
        system.create(started, False).close()
    except Py4JJavaError as error:
        raise UsageError(f"{to.path}: {error.java_exception.getMessage()}") from None


def write_manifest(spark: Any, folder: str, manifest: Mapping[str, Any]) -> None:
    """Writes what made the output, and what it has, beside it: a file that Spark's readers pass over."""
    path, system = _path_in(spark, folder, MANIFEST)
    stream = system.create(path, True)
    try:
        stream.write(bytearray(json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"))
    finally:
        stream.close()
    system.delete(_path_in(spark, folder, STARTED)[0], False)


def _path_in(spark: Any, folder: str, name: str) -> tuple[Any, Any]:
    """The path of a file in a folder, and the file system."""
    context = spark.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(folder, name)
    return path, path.getFileSystem(context._jsc.hadoopConfiguration())


def session(name: str, master: str | None, settings: Mapping[str, str]) -> Any:
    """A `SparkSession`. The master is that of the configuration unless it is given, and local[*] without one."""
    # pyspark, which takes a second
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf()
    for key, value in _DEFAULTS.items():
        conf.setIfMissing(key, value)
    for key, value in settings.items():
        conf.set(key, value)
    conf.set(
        "spark.executorEnv.PYTHONPATH",
        os.pathsep.join([_ROOT, *filter(None, [(conf.get("spark.executorEnv.PYTHONPATH", "") or "")])]),
    )
    if master:
        conf.setMaster(master)
    conf.setIfMissing("spark.master", "local[*]")
    return SparkSession.builder.appName(name).config(conf=conf).getOrCreate()
