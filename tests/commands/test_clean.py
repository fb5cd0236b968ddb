"""nc-clean gives what the filters give, to the byte, from any number of processes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http, write

from ncfilters.selection.formats import MARKUP_FORMS

ROOT = Path(__file__).resolve().parent.parent.parent
CRAWL = ROOT / "tests" / "data" / "crawl.jsonl"
Run = Callable[..., subprocess.CompletedProcess[bytes]]
# Records that fail, in each of the stages that can, and records that other programs have marked as failed.
BAD = [
    b'{"id": "type", "html": 7}',
    b"not JSON",
    b'{"id": "nothing"}',
    b'{"id": "segments", "segments": 7}',
    b'["no record"]',
    b'{"id": "version", "nc": 2}',
    b'{"id": "earlier", "error": {"stage": "nc-warc", "message": "truncated"}, "html": "<p>Text."}',
    b'{"id": "segment", "blocks": [{"text": 7}]}',
    b'{"id": "language", "lang": 7, "html": "<p>A page that somebody wrote for other people."}',
    b'{"id": "bytes", "html": {"$base64": "PHA+Q2Fm6SBpcyBvcGVuIHRvZGF5IHVudGlsIG5vb24u"}}',
    b'{"id": "lone \\ud800", "html": "<p>Text \\ud800 that somebody wrote for other people."}',
]
FORMS = [
    *(["-f", "jsonl", "--as", form] for form in ("plain", "cleaneval", "markdown", "vertical", "xml")),
    ["--as", "plain"],
    ["--as", "markdown"],
    ["--as", "xml"],
    ["-f", "msgpack"],
    ["-f", "wet"],
    ["--all"],
    ["-f", "jsonl", "--as", "markdown", "--all", "--policy", "all"],
    ["-f", "jsonl", "--min-quality", "0.7", "--lang", "en"],
]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mixed") / "mixed.jsonl"
    lines = CRAWL.read_bytes().splitlines()
    path.write_bytes(b"\n".join(line for pair in zip(lines, BAD + BAD) for line in pair) + b"\n")
    return path


@pytest.fixture(scope="module")
def scored(mixed: Path) -> dict[bool, bytes]:
    """The records with scores, from the filters: with markup and without."""

    def made(*options: str) -> bytes:
        segments = subprocess.run([ROOT / "bin" / "nc-segment", *options, mixed], capture_output=True).stdout
        return subprocess.run([ROOT / "bin" / "nc-score"], input=segments, capture_output=True).stdout

    return {True: made("--markup"), False: made()}


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_output_is_that_of_the_filters(run: Run, form: list[str], mixed: Path, scored: dict[bool, bytes]) -> None:
    has_head = not {"jsonl", "msgpack", *MARKUP_FORMS, "vertical"}.isdisjoint(form)
    piped = run("nc-select", *form, stdin=scored[has_head])
    done = run("nc-clean", "-j", "2", *form, mixed)
    assert done.stdout == piped.stdout
    assert done.returncode == piped.returncode == 1


def test_records_have_metadata_without_another_option(run: Run) -> None:
    page = '<title>Rain</title><meta name=author content="Ann Lee"><p>It rained all day, and all night, and it was wet.'
    head = json.loads(run("nc-clean", "-f", "jsonl", stdin=[{"html": page}]).stdout)["head"]
    assert (head["author"], head["title"]) == (["Ann Lee"], "Rain")


@pytest.mark.parametrize("form", ["vertical", "conllu"])
def test_corpora_have_metadata_without_another_option(run: Run, form: str) -> None:
    page = '<title>Rain</title><meta name=author content="Ann Lee"><p>It rained all day, and all night, and it was wet.'
    assert b"Ann Lee" in run("nc-clean", "--as", form, stdin=[{"html": page}]).stdout


def test_names_of_files_have_metadata_without_another_option(run: Run, tmp_path: Path) -> None:
    page = "<title>Rain</title><meta name=date content=2025-05-18><p>It rained all day, and all night, and it was wet."
    assert run("nc-clean", "-o", str(tmp_path), "--name", "{date}-{title}", stdin=[{"html": page}]).returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["2025-05-18-Rain.txt"]


def test_any_number_of_processes_and_standard_input(run: Run, mixed: Path) -> None:
    outputs = {run("nc-clean", "-j", str(jobs), "-f", "jsonl", stdin=mixed.read_bytes()).stdout for jobs in (1, 3)}
    assert len(outputs) == 1
    assert [json.loads(line)["id"] for line in outputs.pop().splitlines()[::2]] == [
        json.loads(line)["id"] for line in CRAWL.read_bytes().splitlines()[: len(BAD + BAD)]
    ]


@pytest.mark.parametrize(
    ("segment", "score"),
    [
        (["--drop-elements", "h2"], ["-m", "ncleaner-en", "-m", "xx"]),
        (["--field", "html=content"], ["-m", "ncleaner-nonlexical"]),
    ],
    ids=str,
)
def test_options_are_those_of_the_stages(run: Run, segment: list[str], score: list[str]) -> None:
    pages = [json.loads(line) for line in CRAWL.read_bytes().splitlines()[:6]]
    if "--field" in segment:
        pages = [{"id": page["id"], "content": page["html"]} for page in pages]
    filtered = run("nc-segment", "--markup", *segment, stdin=pages).stdout
    filtered = run("nc-score", *score, stdin=filtered).stdout
    filtered = run("nc-select", "-f", "jsonl", stdin=filtered).stdout
    assert run("nc-clean", *segment, *score, "-f", "jsonl", stdin=pages).stdout == filtered


def test_archives_pages_and_folders(run: Run, tmp_path: Path) -> None:
    page = json.loads(CRAWL.read_bytes().splitlines()[0])["html"]
    archive = gzip.compress(archived(1, http(page)) + archived(2, b"not HTTP"))
    write(tmp_path, {"crawl.warc.gz": archive, "page.html": page.encode(), "mirror/a/b.html": page.encode()})
    warc = run("nc-warc", "crawl.warc.gz").stdout
    for name, segments in (
        ("crawl.warc.gz", run("nc-segment", "--markup", stdin=warc).stdout),
        ("page.html", run("nc-segment", "--markup", "page.html").stdout),
        ("mirror", run("nc-segment", "--markup", "mirror").stdout),
    ):
        piped = run("nc-select", "-f", "jsonl", stdin=run("nc-score", stdin=segments).stdout)
        done = run("nc-clean", "-f", "jsonl", name)
        assert (done.stdout, done.returncode) == (piped.stdout, piped.returncode)
    assert run("nc-clean", "-n", "1", "crawl.warc.gz").returncode == 0
    assert run("nc-clean", "--url-match", "nowhere", "crawl.warc.gz").stdout == b""


def test_output_files(run: Run, tmp_path: Path, mixed: Path) -> None:
    records = run("nc-clean", "-f", "jsonl", mixed).stdout
    text = run("nc-clean", mixed).stdout
    for name, expected in (("a.jsonl", records), ("b.jsonl.gz", records), ("c.txt", text), ("d.txt.gz", text)):
        done = run("nc-clean", "-o", name, mixed)
        data = (tmp_path / name).read_bytes()
        assert (gzip.decompress(data) if name.endswith("gz") else data) == expected
        assert (done.stdout, done.returncode) == (b"", 1)
    assert run("nc-clean", "-f", "jsonl", "-o", "noname", mixed).returncode == 1
    assert (tmp_path / "noname").read_bytes() == records
    run("nc-clean", "-o", "e.wet.gz", mixed)
    assert gzip.decompress((tmp_path / "e.wet.gz").read_bytes()) == run("nc-clean", "-f", "wet", mixed).stdout
    run("nc-clean", "-o", "texts", mixed)
    assert (tmp_path / "texts" / "news.txt").read_text().startswith("Last tram to Saltmarsh")


def test_strict_and_counts(run: Run, mixed: Path) -> None:
    done = run("nc-clean", "--strict", "-v", "-f", "jsonl", mixed)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()][-1] == "type"
    assert done.returncode == 1
    assert b"nc-clean: record 2 (type): html: expected a string or bytes, got a number\n" in done.stderr
    assert b"nc-clean: 2 in, 2 out, 1 errors" in done.stderr


def test_a_strict_run_that_stops_leaves_the_file_that_was_there(run: Run, tmp_path: Path, mixed: Path) -> None:
    output = tmp_path / "out.jsonl"
    output.write_text("old\n")
    done = run("nc-clean", "--strict", "-o", "out.jsonl", mixed)
    assert done.returncode == 1 and done.stderr.endswith(b"out.jsonl: not written, for a record failed\n")
    assert output.read_text() == "old\n"
    assert not list(tmp_path.glob(".*"))
    assert run("nc-clean", "--strict", "-o", "out.jsonl", CRAWL).returncode == 0
    assert len(output.read_bytes().splitlines()) == len(CRAWL.read_bytes().splitlines())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-m", "nosuch"], "unknown model 'nosuch'"),
        (["-m", "en", "-m", "auto"], "-m auto cannot be combined with other models"),
        (["-m", "ncleaner-en", "--without", "title"], "need roles, which ncleaner-en does not write: -m auto does"),
        (["-j", "0"], "'0' is not a number of processes"),
        (["nosuch.jsonl"], "nosuch.jsonl: No such file or directory"),
        (["-o", "nosuch/corpus.jsonl"], "nosuch/corpus.jsonl: No such file or directory"),
        (["-o", ".", "-f", "jsonl"], "-o writes text or Parquet only"),
        (["-o", "corpus.pdf"], "-o corpus.pdf: .pdf names no format (-f does); to write to a folder: -o corpus.pdf/"),
        (["--all", "-o", "corpus.wet.gz"], "--all cannot be combined with -f wet"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_usage_errors(run: Run, args: list[str], message: str) -> None:
    done = run("nc-clean", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("page.md", b"# Last tram"),
        ("page.html", b"<!DOCTYPE html>"),
        ("page.xml.gz", b"\x1f\x8b"),
        ("page.txt", b"Last tram"),
    ],
)
def test_the_name_of_the_output_says_the_form(run: Run, tmp_path: Path, name: str, begin: bytes) -> None:
    assert run("nc-clean", "-n", "1", "-o", str(tmp_path / name), str(CRAWL)).returncode == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_an_option_goes_before_the_name_of_the_output(run: Run, tmp_path: Path) -> None:
    run("nc-clean", "-n", "1", "--as", "plain", "-o", str(tmp_path / "page.md"), str(CRAWL))
    assert (tmp_path / "page.md").read_text().startswith("Last tram")


def test_markdown_has_markup(run: Run) -> None:
    out = run("nc-clean", "-n", "1", "--as", "markdown", str(CRAWL)).stdout
    assert b"**Ada Morrow**" in out and b"![" in out


def test_a_closed_pipe_ends_quietly() -> None:
    many = CRAWL.read_bytes() * 8
    command = f"{sys.executable} {ROOT}/bin/nc-clean -j 2 -f jsonl | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=many, capture_output=True, timeout=60)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.count(b"\n") == 1


def started(*args: str) -> subprocess.Popen[bytes]:
    pipe: Any = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, str(ROOT / "bin" / "nc-clean"), *args],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        bufsize=0,
        env={**os.environ, "NC_UNBUFFERED": "1"},
    )


def children(pid: int) -> list[int]:
    """The processes below a process: the server, and its workers."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    below = [int(child) for child in found.read_text().split()] if found.exists() else []
    return [*below, *(grandchild for child in below for grandchild in children(child))]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_a_killed_worker_costs_nothing() -> None:
    lines = CRAWL.read_bytes().splitlines(keepends=True)
    process = started("-j", "2", "-f", "jsonl")
    assert process.stdin and process.stdout and process.stderr
    out = []
    for number, line in enumerate(lines[:8]):  # a record that has come in comes out, although more may come
        process.stdin.write(line)
        if number == 0:  # the next one shows whether processes are needed
            continue
        out.append(json.loads(process.stdout.readline()))
        if number == 3:
            _, *workers = children(process.pid)
            assert len(workers) == 2
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
    process.stdin.close()
    out += [json.loads(line) for line in process.stdout]
    assert [record["id"] for record in out] == [json.loads(line)["id"] for line in lines[:8]]
    assert not [record for record in out if "error" in record]
    assert process.stderr.read() == b""
    assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_the_file_that_was_there(tmp_path: Path, number: signal.Signals, status: int) -> None:
    output = tmp_path / "out.jsonl"
    output.write_text("old\n")
    process = started("-o", str(output), "-v")
    assert process.stdin and process.stderr
    process.stdin.write(b"".join(CRAWL.read_bytes().splitlines(keepends=True)[:3]))
    for _ in range(600):
        if (tmp_path / ".out.jsonl.part").exists():
            break
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(timeout=30) == status
    assert b"out.jsonl: not written, for the run was interrupted" in process.stderr.read()
    assert [file.name for file in tmp_path.iterdir()] == ["out.jsonl"]
    assert output.read_text() == "old\n"
    process.stdin.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_an_interrupt_ends_all_processes() -> None:
    process = started("-j", "2")
    assert process.stdin and process.stdout
    process.stdin.write(b"".join(CRAWL.read_bytes().splitlines(keepends=True)[:3]))
    process.stdout.readline()
    for _ in range(600):
        if len(below := children(process.pid)) == 3:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() for pid in below):
            break
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in below)
    process.stdin.close()
