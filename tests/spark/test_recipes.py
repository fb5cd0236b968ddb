"""The recipes of docs/spark.md do what they say, with spark-submit, rdd.pipe and the mapper of Hadoop Streaming."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from examples import blocks
from sparks import FAST, require_spark

ROOT = Path(__file__).resolve().parent.parent.parent
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
FILES = {block.title: block.code for block in blocks((ROOT / "docs" / "spark.md").read_text()) if block.title}
PATH = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
ENVIRONMENT = {
    **os.environ,
    "PATH": PATH,
    "PYTHONPATH": str(ROOT),
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def expected() -> list[bytes]:
    """The records of the pipe of filters, in which `head` has less."""
    return sorted(map(without_head, cleaned()))


def without_head(line: bytes) -> bytes:
    return json.dumps({name: value for name, value in json.loads(line).items() if name != "head"}).encode()


def cleaned() -> list[bytes]:
    """The records of nc-clean, in the order of the input."""
    command = [sys.executable, str(ROOT / "bin" / "nc-clean"), "-j", "1", "-f", "jsonl", str(CRAWL)]
    return subprocess.run(command, capture_output=True, check=True).stdout.splitlines()


def submit(name: str, folder: Path, *arguments: str, status: int = 0) -> str:
    """What the program prints, which spark-submit joins to its own standard output."""
    require_spark()
    (folder / name).write_text(FILES[name])
    settings = [option for key, value in FAST.items() for option in ("--conf", f"{key}={value}")]
    command = ["spark-submit", "--master", "local[1]", *settings, str(folder / name), *arguments]
    done = subprocess.run(command, capture_output=True, cwd=folder, env=ENVIRONMENT, timeout=600)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode()


def lines(folder: Path) -> list[bytes]:
    """The lines of the files of a folder, in the order of their names."""
    return [line for path in sorted(folder.glob("part-*")) for line in path.read_bytes().splitlines()]


def test_spark_submit(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{CRAWL}\n\n{tmp_path / 'bad.jsonl'}\n")
    (tmp_path / "bad.jsonl").write_bytes(b'{"id": "bad", "html": 7}\n')
    out = tmp_path / "out"
    arguments = ["-v", "-f", "jsonl", "--paths", str(tmp_path / "list"), "-o", str(out)]
    printed = submit("nc_spark.py", tmp_path, *arguments, status=1)
    assert "nc-spark: 16 read, 15 documents, 0 dropped, 1 errors" in printed
    assert lines(out / "result=document") == cleaned()
    (error,) = lines(out / "result=error")
    assert json.loads(error)["error"]["message"] == "html: expected a string or bytes, got a number"
    assert b'"documents": 15' in (out / "_manifest.json").read_bytes()


def test_pipe(tmp_path: Path, expected: list[bytes]) -> None:
    submit("pipe.py", tmp_path, str(CRAWL), str(tmp_path / "out"))
    assert sorted(map(without_head, lines(tmp_path / "out"))) == expected


def test_mapper(tmp_path: Path, expected: list[bytes]) -> None:
    (tmp_path / "mapper.sh").write_text(FILES["mapper.sh"])
    records = CRAWL.read_bytes() + b'{"id": "bad", "html": 7}\n'
    done = subprocess.run(["bash", tmp_path / "mapper.sh"], input=records, capture_output=True, env=ENVIRONMENT)
    assert done.returncode == 0
    documents = (line for line in done.stdout.splitlines() if b'"error"' not in line)
    assert sorted(map(without_head, documents)) == expected
