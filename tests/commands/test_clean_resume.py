"""nc-clean --resume writes each input once, whenever it is killed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def crawl(tmp_path: Path) -> list[str]:
    """Some inputs: pages, a page, and an empty file."""
    (tmp_path / "crawl").mkdir()
    shutil.copy(CRAWL, tmp_path / "crawl" / "pages.jsonl")
    (tmp_path / "crawl" / "one.jsonl").write_bytes(CRAWL.read_bytes().splitlines(keepends=True)[0])
    (tmp_path / "crawl" / "empty.jsonl").touch()
    (tmp_path / "crawl" / "bad.jsonl").write_bytes(b'{"id": "x", "html": 7}\n')
    return sorted(f"crawl/{path.name}" for path in (tmp_path / "crawl").iterdir())


def test_each_output_is_that_of_its_input_alone(run: Run, tmp_path: Path, crawl: list[str]) -> None:
    done = run("nc-clean", "--resume", "-v", *crawl, "-o", "out", "-f", "jsonl")
    assert (done.returncode, done.stdout) == (1, b"")
    for path in crawl:
        alone = run("nc-clean", "-f", "jsonl", path).stdout
        assert (tmp_path / "out" / Path(path).name).read_bytes() == alone
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    again = run("nc-clean", "--resume", "-v", *crawl, "-o", "out", "-f", "jsonl", "-j", "1")
    assert (again.returncode, again.stderr) == (0, b"nc-clean: 4 of 4 files are complete already\n")
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == before


def test_a_folder_may_have_the_name_of_a_file(run: Run, tmp_path: Path, crawl: list[str]) -> None:
    (tmp_path / "out.jsonl").mkdir()
    assert run("nc-clean", "--resume", "-o", "out.jsonl", "crawl/one.jsonl").returncode == 0
    assert (tmp_path / "out.jsonl" / "one.txt").exists()


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (["-o", "out/"], "one.txt"),
        (["-o", "out", "--as", "markdown"], "one.md"),
        (["-o", "out/{}.wet.gz"], "one.wet.gz"),
        (["-o", "out/{}.clean.jsonl.zst"], "one.clean.jsonl.zst"),
    ],
    ids=" ".join,
)
def test_names_and_formats(run: Run, tmp_path: Path, crawl: list[str], args: list[str], name: str) -> None:
    assert run("nc-clean", "--resume", *args, "crawl/one.jsonl").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted([name, "manifest.jsonl"])
    run("nc-clean", *args[2:], "crawl/one.jsonl", "-o", f"alone.{name.partition('.')[2]}")
    assert (tmp_path / "out" / name).read_bytes() == (tmp_path / f"alone.{name.partition('.')[2]}").read_bytes()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["crawl/one.jsonl"], "--resume requires -o DIR"),
        (["-o", "out"], "--resume reads files: name some"),
        (["-o", "out", "crawl"], "crawl: not a file"),
        (["-o", "out", "-n", "1", "crawl/one.jsonl"], "cannot be combined with -n"),
        (["-o", "out/x{}.jsonl", "crawl/one.jsonl"], "a name begins with {}"),
        (["-o", "crawl/one.jsonl", "crawl/one.jsonl"], "name a folder, or crawl/{}.jsonl.zst"),
        (["-o", "corpus.txt", "crawl/one.jsonl"], "-o corpus.txt: --resume writes a file for each input"),
        (["-o", "done", "-f", "jsonl", "-m", "xx", "crawl/one.jsonl"], 'options.model: default before, ["xx"] now'),
        (["-o", "done", "-f", "jsonl", "--lang", "en", "crawl/one.jsonl"], "options.lang: default before"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused(run: Run, tmp_path: Path, crawl: list[str], args: list[str], message: str) -> None:
    if "done" in args:
        assert run("nc-clean", "--resume", "-o", "done", "-f", "jsonl", "crawl/one.jsonl").returncode == 0
    done = run("nc-clean", "--resume", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_is_resumed(run: Run, tmp_path: Path, how: signal.Signals) -> None:
    lines = CRAWL.read_bytes().splitlines(keepends=True)
    for number in range(6):
        (tmp_path / f"c{number}.jsonl").write_bytes(b"".join(lines) * (1 + number % 2 * 4))
    files = [f"c{number}.jsonl" for number in range(6)]
    command = [
        sys.executable,
        str(ROOT / "bin" / "nc-clean"),
        "--resume",
        "-j",
        "2",
        "-f",
        "jsonl",
        "-o",
        "out",
        *files,
    ]
    process = subprocess.Popen(
        command, cwd=tmp_path, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )
    while not (tmp_path / "out" / "c1.jsonl").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(how)
    assert process.wait(timeout=60) in (-how, 128 + how)
    manifest = (tmp_path / "out" / "manifest.jsonl").read_bytes()
    assert 0 < manifest.count(b"\n") < 7
    assert run("nc-clean", "--resume", "-f", "jsonl", "-o", "out", *files).returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [*files, "manifest.jsonl"]
    for number, name in enumerate(files):
        found = [json.loads(line)["id"] for line in (tmp_path / "out" / name).read_bytes().splitlines()]
        assert found == [json.loads(line)["id"] for line in lines] * (1 + number % 2 * 4)
