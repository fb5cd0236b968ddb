"""Documents of Spark are those of nc-clean, byte for byte after sorting."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http, write

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.dataset as ds

from ncfilters.commands.spark import arguments, work_of
from ncfilters.errors import UsageError
from ncfilters.spark import application, storage
from ncfilters.streams.columns.rows import to_record

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [json.loads(line)["html"] for line in (ROOT / "tests" / "data" / "crawl.jsonl").read_bytes().splitlines()]
RunSpark = Callable[..., tuple[Path, dict[str, int]]]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives, and records, some of them broken."""
    members = [gzip.compress(archived(number, http(page))) for number, page in enumerate(PAGES * 3)]
    members[20] = gzip.compress(archived(20, b"no HTTP"))
    records = (ROOT / "tests" / "data" / "crawl.jsonl").read_bytes() + b'{"id": "bad", "html": 7}\nnot JSON\n'
    return write(tmp_path_factory.mktemp("crawl"), {"a.warc.gz": b"".join(members), "b.jsonl": records})


@pytest.fixture
def run_spark(spark: Any, crawl: Path, tmp_path: Path) -> RunSpark:
    def run(*options: str) -> tuple[Path, dict[str, int]]:
        args = arguments([str(crawl), "-o", str(tmp_path / "out"), *options])
        to = application.Destination(args.output, args.overwrite)
        files = storage.listed(args.files)
        return tmp_path / "out", application.run(spark, files, work_of(args), to)

    return run


def cleaned(crawl: Path, *options: str) -> list[bytes]:
    command = [sys.executable, str(ROOT / "bin" / "nc-clean"), "-j", "1", "-f", "jsonl", *options]
    inputs = [str(crawl / "a.warc.gz"), str(crawl / "b.jsonl")]
    return subprocess.run([*command, *inputs], capture_output=True).stdout.splitlines()


def lines(folder: Path) -> list[bytes]:
    return [line for path in sorted(folder.glob("part-*")) for line in opened(path).splitlines()]


def opened(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def is_error(line: bytes) -> bool:
    return "error" in json.loads(line)


@pytest.mark.parametrize(
    ("sizes", "cores", "expected"),
    [
        ([300, 200], 1, [[300], [200]]),
        ([7, 1, 400, 9, 10, 30, 1], 3, [[7, 1], [400], [9, 10], [30], [1]]),
        ([application.SHORT_BYTES - 1, 1, 1 << 40], 2, [[application.SHORT_BYTES - 1, 1], [1 << 40]]),
        ([0, 0], 1, [[0, 0]]),
        ([], 1, []),
    ],
)
def test_an_archive_is_a_task_and_short_files_share_one(
    sizes: list[int], cores: int, expected: list[list[int]]
) -> None:
    made = application.tasks([storage.InputFile("a", size) for size in sizes], cores)
    assert [[file.size for file in task] for task in made] == expected


def test_only_a_folder_of_nc_spark_is_replaced(spark: Any, tmp_path: Path) -> None:
    new = application.Destination(str(tmp_path / "new"))
    replacing = new._replace(overwrite=True)
    notes = tmp_path / "new" / "notes.txt"
    application.claim(spark, replacing)
    notes.write_text("of a run that failed")
    with pytest.raises(UsageError, match="exists already"):
        application.claim(spark, new)
    application.claim(spark, replacing)
    assert not notes.exists()
    application.write_manifest(spark, new.path, {})
    application.claim(spark, replacing)
    (tmp_path / "new" / application.STARTED).unlink()
    notes.write_text("of somebody else")
    with pytest.raises(UsageError, match=r"has no _manifest\.json"):
        application.claim(spark, replacing)
    assert notes.exists()
    with pytest.raises(UsageError, match="notes.txt"):
        application.claim(spark, application.Destination(str(notes / "out")))


def test_json_lines_are_those_of_nc_clean(run_spark: RunSpark, crawl: Path) -> None:
    out, counts = run_spark("-f", "jsonl")
    expected = cleaned(crawl)
    assert len(expected) == 3 * len(PAGES) + len(PAGES) + 2
    assert lines(out / "result=document") == [line for line in expected if not is_error(line)]
    assert lines(out / "result=error") == [line for line in expected if is_error(line)]
    assert (out / "_SUCCESS").exists()
    assert counts["read"] == len(expected)
    assert counts["errors"] == len(lines(out / "result=error")) == 3
    assert counts["documents"] == len(expected) - 3


def test_parquet_has_the_same_documents_with_typed_segments(run_spark: RunSpark, crawl: Path) -> None:
    out, _ = run_spark("--clean", "--all --as markdown")
    table = ds.dataset(out / "result=document").to_table()
    expected = [json.loads(line) for line in cleaned(crawl, "--all", "--as", "markdown") if not is_error(line)]
    assert [to_record(row) for row in table.to_pylist()] == expected
    assert "list<element: struct<text: string" in str(table.schema.field("segments").type)


def test_dropped_documents_are_counted(run_spark: RunSpark, crawl: Path) -> None:
    out, counts = run_spark("-f", "jsonl", "--clean", "--lang en")
    expected = [line for line in cleaned(crawl, "--lang", "en") if not is_error(line)]
    assert lines(out / "result=document") == expected
    assert counts["dropped"] == counts["read"] - counts["documents"] - counts["errors"] > 0


def test_wet_files_are_read_again(run_spark: RunSpark, crawl: Path) -> None:
    out, _ = run_spark("-f", "wet")
    command = [
        sys.executable,
        str(ROOT / "bin" / "nc-warc"),
        *sorted(map(str, (out / "result=document").glob("part-*"))),
    ]
    texts = [json.loads(line)["text"] for line in subprocess.run(command, capture_output=True).stdout.splitlines()]
    assert texts == [json.loads(line)["text"] for line in cleaned(crawl) if not is_error(line)]
