"""A partition: the files of a task to rows of Arrow, with what is counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa

from ncfilters.errors import RecordError
from ncfilters.spark.partition import COUNTERS, CountsOfTasks, Job, TaskCounts, Work, partition_function
from ncfilters.spark.storage import InputFile
from ncfilters.streams.crawl_source import Item
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.stages import Outcome


class Accumulator:
    """An accumulator of counts."""

    def __init__(self) -> None:
        self.value = CountsOfTasks().zero({})

    def add(self, more: TaskCounts) -> None:
        self.value = CountsOfTasks().addInPlace(self.value, more)


def stages(items: Sequence[Item]) -> list[Outcome]:
    return list(map(outcome, items))


def outcome(item: Item) -> Outcome:
    record = item.record(1 << 20)
    if isinstance(record, RecordError):
        return Outcome(record.record, record, item.tool)
    if record["id"] == "drop":
        return Outcome(None)
    return Outcome({**record, "mine": {1: object()}} if record["id"] == "odd" else record)


def at_death(item: Item, how: str) -> Outcome:
    return Outcome({}, RecordError(how), "nc-spark")


def make_job(limit: int, folder: str | None) -> Job:
    return Job(stages, at_death, PageSelection(limit))


def test_records_errors_and_dropped_ones_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "a"}\n{"id": "drop"}\nnot JSON\n{"id": "odd", "url": "u"}\n{"id": "b", "nc": 1}\n')
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    tasks = [[InputFile(str(path), path.stat().st_size)], [InputFile(str(empty), 0)]]
    accumulated = Accumulator()
    run = partition_function(Work(partial(make_job, 1 << 20), "jsonl"), lambda: tasks, accumulated)
    numbers = pa.RecordBatch.from_pydict({"id": list(range(len(tasks)))})
    rows = [row for batch in run(iter([numbers])) for row in batch.to_pylist()]
    list(run(iter([numbers])))  # as after the loss of an executor
    records: list[dict[str, Any]] = [json.loads(row["value"]) for row in rows]
    assert [record.get("id") for record in records] == ["a", None, "odd", "b"]
    assert records[0] == {"id": "a", "nc": 1}
    assert records[1]["error"]["message"].startswith("not JSON: ")
    assert records[2]["url"] == "u"
    assert records[2]["error"]["stage"] == "nc-segment"
    assert [row["result"] for row in rows] == ["document", "error", "error", "document"]
    counts = {name: sum(task[name] for task in accumulated.value.values()) for name in COUNTERS}
    assert counts == {"read": 5, "documents": 2, "dropped": 1, "errors": 2, "bytes": path.stat().st_size}
