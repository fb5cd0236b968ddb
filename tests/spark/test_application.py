"""Documents of Spark are those of nc-clean: in a session, with the recipes of the docs, and on a cluster of which
executors are killed."""

from __future__ import annotations

import gzip
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http, write
from conftest import CRAWL, ROOT
from examples import blocks
from sparks import FAST, Cluster, require_spark, wait_for

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.dataset as ds

from bench.dedup import made_documents
from ncfilters.commands.spark import arguments, work_of
from ncfilters.errors import UsageError
from ncfilters.spark import application, partition
from ncfilters.streams.columns import to_record

pytestmark = pytest.mark.slow
PAGES = [json.loads(line)["html"] for line in CRAWL.read_bytes().splitlines()]
FILES = {block.title: block.code for block in blocks((ROOT / "docs" / "spark.md").read_text()) if block.title}
PATH = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
ENVIRONMENT = {**os.environ, "PATH": PATH, "PYTHONPATH": str(ROOT)}
ENVIRONMENT |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
RunSpark = Callable[..., tuple[Path, dict[str, int]]]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives, and records, some of them broken."""
    members = [gzip.compress(archived(number, http(page))) for number, page in enumerate(PAGES)]
    members[10] = gzip.compress(archived(10, b"no HTTP"))
    records = CRAWL.read_bytes() + b'{"id": "bad", "html": 7}\nnot JSON\n'
    return write(tmp_path_factory.mktemp("crawl"), {"a.warc.gz": b"".join(members), "b.jsonl": records})


@pytest.fixture
def run_spark(spark: Any, crawl: Path, tmp_path: Path) -> RunSpark:
    def run(*options: str) -> tuple[Path, dict[str, int]]:
        args = arguments([str(crawl), "-o", str(tmp_path / "out"), *options])
        to = application.Destination(args.output, args.overwrite)
        files = partition.listed(args.files)
        return tmp_path / "out", application.run(spark, files, work_of(args), to)

    return run


def cleaned(*arguments: str | Path) -> list[bytes]:
    """The records of nc-clean, in the order of the input."""
    command = [sys.executable, ROOT / "bin" / "nc-clean", "-j", "1", "-f", "jsonl", *arguments]
    return subprocess.run(command, capture_output=True).stdout.splitlines()


def lines(folder: Path) -> list[bytes]:
    """The lines of the files of a folder, in the order of their names."""
    return [line for path in sorted(folder.glob("part-*")) for line in opened(path).splitlines()]


def opened(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def is_error(line: bytes) -> bool:
    return "error" in json.loads(line)


def test_executors_run_this_program_with_this_python_and_these_settings(spark: Any) -> None:
    def place(_: int) -> tuple[str, str]:
        import ncfilters

        return str(Path(ncfilters.__file__).resolve().parent.parent), sys.executable

    assert spark.sparkContext.parallelize([0], 1).map(place).collect() == [(str(ROOT), sys.executable)]
    conf = spark.sparkContext.getConf()
    assert conf.get("spark.master") == "local[2]"
    assert conf.get("spark.executorEnv.OPENBLAS_NUM_THREADS") == "1"
    assert "SerialGC" in conf.get("spark.driver.extraJavaOptions")
    assert conf.get("spark.executor.defaultJavaOptions") == "-XX:TieredStopAtLevel=1"


@pytest.mark.parametrize(("sizes", "cores", "expected"), [
    ([300, 200], 1, [[300], [200]]), ([7, 1, 400, 9, 10, 30, 1], 3, [[7, 1], [400], [9, 10], [30], [1]]),
    ([application.SHORT_BYTES - 1, 1, 1 << 40], 2, [[application.SHORT_BYTES - 1, 1], [1 << 40]]),
    ([0, 0], 1, [[0, 0]]), ([], 1, []),
])  # fmt: skip
def test_an_archive_is_a_task_and_short_files_share_one(
    sizes: list[int], cores: int, expected: list[list[int]]
) -> None:
    made = application.tasks([partition.InputFile("a", size) for size in sizes], cores)
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
    expected = cleaned(*sorted(crawl.iterdir()))
    assert len(expected) == 2 * len(PAGES) + 2
    assert lines(out / "result=document") == [line for line in expected if not is_error(line)]
    assert lines(out / "result=error") == [line for line in expected if is_error(line)]
    assert (out / "_SUCCESS").exists()
    assert counts["read"] == len(expected)
    assert counts["errors"] == len(lines(out / "result=error")) == 3
    assert counts["documents"] == len(expected) - 3


def test_parquet_has_the_same_documents_with_typed_segments(run_spark: RunSpark, crawl: Path) -> None:
    out, _ = run_spark("--clean", "--all --as markdown")
    table = ds.dataset(out / "result=document").to_table()
    expected = cleaned("--all", "--as", "markdown", *sorted(crawl.iterdir()))
    assert [to_record(row) for row in table.to_pylist()] == [json.loads(one) for one in expected if not is_error(one)]
    assert "list<element: struct<text: string" in str(table.schema.field("segments").type)


def test_wet_files_are_read_again_and_dropped_documents_are_counted(run_spark: RunSpark, crawl: Path) -> None:
    out, counts = run_spark("-f", "wet", "--clean", "--lang en")
    assert counts["dropped"] == counts["read"] - counts["documents"] - counts["errors"] > 0
    command = [sys.executable, ROOT / "bin" / "nc-warc", *sorted((out / "result=document").glob("part-*"))]
    texts = [json.loads(line)["text"] for line in subprocess.run(command, capture_output=True).stdout.splitlines()]
    expected = cleaned("--lang", "en", *sorted(crawl.iterdir()))
    assert texts == [json.loads(line)["text"] for line in expected if not is_error(line)]


# ---- recipes ----
def without_head(line: bytes) -> dict[str, Any]:
    """A record without `head`, of which the pipe of filters has less."""
    return {name: value for name, value in json.loads(line).items() if name != "head"}


def test_rdd_pipe(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pipe.py").write_text(FILES["pipe.py"])
    monkeypatch.setenv("PATH", PATH)
    monkeypatch.setattr(sys, "argv", ["pipe.py", str(CRAWL), str(tmp_path / "out")])
    runpy.run_path(str(tmp_path / "pipe.py"), run_name="__main__")
    assert list(map(without_head, lines(tmp_path / "out"))) == list(map(without_head, cleaned(CRAWL)))


def test_the_mapper_of_hadoop_streaming(tmp_path: Path) -> None:
    (tmp_path / "mapper.sh").write_text(FILES["mapper.sh"])
    records = CRAWL.read_bytes() + b'{"id": "bad", "html": 7}\n'
    done = subprocess.run(["bash", tmp_path / "mapper.sh"], input=records, capture_output=True, env=ENVIRONMENT)
    assert done.returncode == 0
    documents = [without_head(line) for line in done.stdout.splitlines() if b'"error"' not in line]
    assert documents == list(map(without_head, cleaned(CRAWL)))


# ---- a cluster ----
DOCUMENTS, TASKS = 150, 4
POLICY, STAGES = "--policy all", ["-m", "en", "-f", "jsonl"]


def archives_with_duplicates(folder: Path) -> str:
    """Archives, each of which is a task, with duplicates and an error in them; the file that lists them."""
    bodies = ["".join(f"<p>{text}." for text in one["text"].split("\n")) for one in made_documents(DOCUMENTS, 3)]
    members = [gzip.compress(archived(number, http(f"<main>{body}</main>"))) for number, body in enumerate(bodies)]
    members[100] = gzip.compress(archived(100, b"no HTTP"))
    size = -(-DOCUMENTS // TASKS)
    files = {f"crawl/{at}.warc.gz": b"".join(members[at * size : (at + 1) * size]) for at in range(TASKS)}
    write(folder, files)
    (folder / "list").write_text("\n\n".join(str(folder / name) for name in files) + "\n")
    return str(folder / "list")


def piped(folder: Path) -> list[bytes]:
    """The records of the filters."""
    stages = f"{POLICY} {' '.join(STAGES)} {folder}/crawl/*"
    command = f"nc-clean -q {stages} > clean.jsonl; nc-dedup -q --near --prefer first clean.jsonl"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=ENVIRONMENT, capture_output=True)
    return done.stdout.splitlines()


def test_executors_are_killed_in_the_middle(tmp_path: Path) -> None:
    """A master, two workers, and the file of docs/spark.md for spark-submit."""
    require_spark()
    if not Path("/proc/self/task").exists():
        pytest.skip("no /proc, which says what the executors are")
    (tmp_path / "nc_spark.py").write_text(FILES["nc_spark.py"])
    (tmp_path / "cluster").mkdir()
    out = tmp_path / "out"
    settings = [option for key, value in FAST.items() for option in ("--conf", f"{key}={value}")]
    options = ["-v", "--clean", POLICY, *STAGES, "--dedup", "near", "--conf", "spark.executor.memory=512m"]
    options += ["--paths", archives_with_duplicates(tmp_path), "-o", str(out)]
    victims = []
    with closing(Cluster(tmp_path / "cluster", workers=2)) as cluster:
        command = ["spark-submit", *settings, str(tmp_path / "nc_spark.py"), "--master", cluster.url, *options]
        pipe: Any = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as process:
            for files in ("_checkpoints/*/rdd-*/part-*", "_temporary/**/part-*"):
                wait_for(lambda files=files: any(out.glob(files)), f"file {files}")
                victims.append(cluster.executors()[0])
                os.kill(victims[-1], signal.SIGKILL)
            unfinished = len(list(out.glob("_temporary/0/task_*"))) < TASKS
            printed, errors = (told.decode() for told in process.communicate(timeout=500))
        assert process.returncode == 1, errors  # a record failed
        assert unfinished, "the executor was killed too late"
        assert not {*victims} & {*cluster.executors()}
    written = [line for folder in out.glob("result=*") for line in lines(folder)]
    assert sorted(written) == sorted(piped(tmp_path))
    assert 100 < len(written) < 145
    documents = len(written) - 1
    # spark-submit joins standard error of the program to its own standard output
    assert f"{DOCUMENTS} read, {documents} documents, 0 dropped, 1 errors, " in printed
    assert f", {DOCUMENTS - len(written)} duplicates" in printed
    assert f'"documents": {documents}' in (out / "_manifest.json").read_text()
    assert not (out / "_checkpoints").exists()
