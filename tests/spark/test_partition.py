"""A partition: files of paths, folders, patterns and URIs to rows of Arrow, in each format, with what is counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from archives import read_archive, write

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa

from ncfilters.errors import RecordError, UsageError
from ncfilters.spark.partition import (
    COUNTERS,
    CountsOfTasks,
    InputFile,
    Job,
    OutputRows,
    TaskCounts,
    Work,
    listed,
    opened,
    partition_function,
    row_schema,
)
from ncfilters.streams.columns import to_record
from ncfilters.streams.crawl_source import Item
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.runner import Outcome


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


# ---- rows ----
RECORDS: list[dict[str, Any]] = [
    {"id": "a", "text": "Żółw\n", "nc": 1},
    {"id": "b", "error": {"stage": "nc-segment", "message": "html: missing"}, "nc": 1},
    {"id": "c", "text": "", "nc": 1},
]


def rows(name: str) -> list[dict[str, Any]]:
    out = OutputRows(name)
    found: list[dict[str, Any]] = []
    for record in RECORDS:
        out.write(record)
        batch = out.batch()
        assert batch.schema.equals(row_schema(name))
        found += batch.to_pylist()
    assert [row.pop("result") for row in found] == ["document", "error", "document"]
    return found


def test_columns_and_lines_are_those_of_the_record() -> None:
    assert [to_record(row) for row in rows("parquet")] == RECORDS
    assert [json.loads(row["value"]) for row in rows("jsonl")] == RECORDS


def test_wet_records_make_a_file_and_errors_stay_json() -> None:
    first, error, last = (row["value"] + "\n" for row in rows("wet"))
    assert json.loads(error) == RECORDS[1]
    read = read_archive((first + last).encode())
    assert [record["text"] for record in read if isinstance(record, dict)] == ["Żółw\n", ""]
    assert first.count("WARC-Type: warcinfo") == 1
    assert "warcinfo" not in last


# ---- files ----
@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    files = {
        "a.jsonl": b"{}", "b/2.warc": b"22", "b/1.warc": b"1", "b/_SUCCESS": b"", "b/.crc": b"x", "c d.jsonl": b"333",
    }  # fmt: skip
    return write(tmp_path, files) or tmp_path


def names(files: list[InputFile], below: Path) -> list[tuple[str, int]]:
    return [(file.path.rpartition(f"{below}/")[2], file.size) for file in files]


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_files_folders_and_patterns(crawl: Path, scheme: str) -> None:
    def found(path: str) -> list[tuple[str, int]]:
        return names(listed([f"{scheme}{crawl}/{path}"]), crawl)

    assert found("a.jsonl") == [("a.jsonl", 2)]
    assert found("b") == [("b/1.warc", 1), ("b/2.warc", 2)]
    assert found("*.jsonl") == [("a.jsonl", 2), ("c d.jsonl", 3)]
    assert found("b/[2]*") == [("b/2.warc", 2)]


def test_files_are_opened_at_any_place(crawl: Path) -> None:
    with opened(f"{crawl}/c d.jsonl") as file:
        file.seek(1)
        assert file.read(5) == b"33"


@pytest.mark.parametrize("path", ["absent", "absent/*.warc.gz", "empty"])
def test_a_path_without_a_file_is_a_usage_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=path.replace("*", r"\*")):
        listed([str(tmp_path / path)])


def test_file_systems_of_pyarrow_are_read_likewise(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fs = pytest.importorskip("pyarrow.fs", reason="pyarrow is not installed")
    local = fs.SubTreeFileSystem(str(crawl), fs.LocalFileSystem())
    monkeypatch.setattr(fs, "S3FileSystem", lambda **_: local)
    assert listed(["s3a://b"]) == [InputFile("s3a://b/1.warc", 1), InputFile("s3a://b/2.warc", 2)]
    assert listed(["s3a://b/2.*"]) == [InputFile("s3a://b/2.warc", 2)]
    assert listed(["s3a://a.jsonl"]) == [InputFile("s3a://a.jsonl", 2)]
    with opened("s3a://b/2.warc") as file:
        file.seek(1)
        assert file.read(9) == b"2"
