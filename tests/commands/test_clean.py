"""nc-clean gives what the filters give, to the byte, from any number of processes."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import CRAWL, ROOT, Run
from sparks import wait_for

from ncfilters.commands import clean, options
from ncfilters.commands.clean import WholeJob, at_death
from ncfilters.errors import RecordError
from ncfilters.selection.formats import MARKUP_FORMS
from ncfilters.streams.archived_page import ArchivedPage
from ncfilters.streams.crawl_source import ARCHIVE_TOOL, PAGE_TOOL, Item
from ncfilters.streams.json_lines import parse_line
from ncfilters.streams.writers import json_line

# Records that fail, in each of the stages that can, and records that other programs have marked as failed.
BAD = [
    b'{"id": "type", "html": 7}', b"not JSON", b'{"id": "nothing"}', b'{"id": "segments", "segments": 7}',
    b'["no record"]', b'{"id": "version", "nc": 2}',
    b'{"id": "earlier", "error": {"stage": "nc-warc", "message": "truncated"}, "html": "<p>Text."}',
    b'{"id": "segment", "blocks": [{"text": 7}]}',
    b'{"id": "language", "lang": 7, "html": "<p>A page that somebody wrote for other people."}',
    b'{"id": "bytes", "html": {"$base64": "PHA+Q2Fm6SBpcyBvcGVuIHRvZGF5IHVudGlsIG5vb24u"}}',
    b'{"id": "lone \\ud800", "html": "<p>Text \\ud800 that somebody wrote for other people."}',
]  # fmt: skip
FORMS = [
    *(["-f", "jsonl", "--as", form] for form in ("plain", "cleaneval", "markdown", "vertical", "xml")),
    ["--as", "plain"], ["--as", "markdown"], ["--as", "xml"], ["-f", "msgpack"], ["-f", "wet"], ["--all"],
    ["-f", "jsonl", "--as", "markdown", "--all", "--policy", "all"],
    ["-f", "jsonl", "--min-quality", "0.7", "--lang", "en"],
]  # fmt: skip


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


def test_metadata_need_no_other_option(run: Run, tmp_path: Path) -> None:
    page = "<title>Rain</title><meta name=author content='Ann Lee'><meta name=date content=2025-05-18>"
    given = [{"html": f"{page}<p>It rained all day, and all night, and it was wet."}]
    head = json.loads(run("nc-clean", "-f", "jsonl", stdin=given).stdout)["head"]
    assert (head["author"], head["title"]) == (["Ann Lee"], "Rain")
    assert all(b"Ann Lee" in run("nc-clean", "--as", form, stdin=given).stdout for form in ("vertical", "conllu"))
    assert run("nc-clean", "-o", str(tmp_path), "--name", "{date}-{title}", stdin=given).returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["2025-05-18-Rain.txt"]


def test_any_number_of_processes_and_standard_input(run: Run, mixed: Path) -> None:
    outputs = {run("nc-clean", "-j", str(jobs), "-f", "jsonl", stdin=mixed.read_bytes()).stdout for jobs in (1, 3)}
    assert len(outputs) == 1
    assert [json.loads(line)["id"] for line in outputs.pop().splitlines()[::2]] == [
        json.loads(line)["id"] for line in CRAWL.read_bytes().splitlines()[: len(BAD + BAD)]
    ]


@pytest.mark.parametrize(("segment", "score"), [
    (["--drop-elements", "h2"], ["-m", "ncleaner-en", "-m", "xx"]),
    (["--field", "html=content"], ["-m", "ncleaner-nonlexical"]),
], ids=str)  # fmt: skip
def test_options_are_those_of_the_stages(run: Run, segment: list[str], score: list[str]) -> None:
    pages = [json.loads(line) for line in CRAWL.read_bytes().splitlines()[:6]]
    if "--field" in segment:
        pages = [{"id": page["id"], "content": page["html"]} for page in pages]
    filtered = run("nc-segment", "--markup", *segment, stdin=pages).stdout
    filtered = run("nc-score", *score, stdin=filtered).stdout
    filtered = run("nc-select", "-f", "jsonl", stdin=filtered).stdout
    assert run("nc-clean", *segment, *score, "-f", "jsonl", stdin=pages).stdout == filtered


def test_output_files(run: Run, tmp_path: Path) -> None:
    """What the name of the output says: format, form and compression."""
    pages = b"".join(CRAWL.read_bytes().splitlines(keepends=True)[:2]) + BAD[0] + b"\n"
    (tmp_path / "in.jsonl").write_bytes(pages)
    records, text = run("nc-clean", "-f", "jsonl", "in.jsonl").stdout, run("nc-clean", "in.jsonl").stdout
    for name, expected in (("a.jsonl", records), ("b.jsonl.gz", records), ("c.txt", text), ("d.txt.gz", text)):
        done = run("nc-clean", "-o", name, "in.jsonl")
        data = (tmp_path / name).read_bytes()
        assert (gzip.decompress(data) if name.endswith("gz") else data) == expected
        assert (done.stdout, done.returncode) == (b"", 1)
    assert run("nc-clean", "-f", "jsonl", "-o", "noname", "in.jsonl").returncode == 1
    assert run("nc-clean", "-o", "texts", "in.jsonl").returncode == 1
    assert (tmp_path / "noname").read_bytes() == records
    assert (tmp_path / "texts" / "news.txt").read_text().startswith("Last tram to Saltmarsh")


def test_a_strict_run_stops_and_leaves_the_file_that_was_there(run: Run, tmp_path: Path, mixed: Path) -> None:
    done = run("nc-clean", "--strict", "-v", "-f", "jsonl", mixed)
    assert (done.returncode, json.loads(done.stdout.splitlines()[-1])["id"]) == (1, "type")
    assert b"nc-clean: record 2 (type): html: expected a string or bytes, got a number\n" in done.stderr
    assert b"nc-clean: 2 in, 2 out, 1 errors" in done.stderr
    output = tmp_path / "out.jsonl"
    output.write_text("old\n")
    done = run("nc-clean", "--strict", "-o", "out.jsonl", mixed)
    assert done.returncode == 1 and done.stderr.endswith(b"out.jsonl: not written, for a record failed\n")
    assert output.read_text() == "old\n" and not list(tmp_path.glob(".*"))
    assert run("nc-clean", "--strict", "-o", "out.jsonl", CRAWL).returncode == 0
    assert len(output.read_bytes().splitlines()) == len(CRAWL.read_bytes().splitlines())


@pytest.mark.parametrize(("args", "name", "begin"), [
    ([], "page.md", b"# Last tram"), ([], "page.html", b"<!DOCTYPE html>"), ([], "page.xml.gz", b"\x1f\x8b"),
    ([], "page.txt", b"Last tram"), (["--as", "plain"], "page.md", b"Last tram"),
])  # fmt: skip
def test_the_name_of_the_output_says_the_form(
    run: Run, tmp_path: Path, args: list[str], name: str, begin: bytes
) -> None:
    assert run("nc-clean", "-n", "1", *args, "-o", name, CRAWL).returncode == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_a_closed_pipe_ends_quietly() -> None:
    many = CRAWL.read_bytes() * 8
    command = f"{sys.executable} {ROOT}/bin/nc-clean -j 2 -f jsonl | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=many, capture_output=True, timeout=60)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.count(b"\n") == 1


def started(*args: str) -> subprocess.Popen[bytes]:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, str(ROOT / "bin" / "nc-clean"), *args]
    return subprocess.Popen(command, bufsize=0, env={**os.environ, "NC_UNBUFFERED": "1"}, **pipes)


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
    wait_for((tmp_path / ".out.jsonl.part").exists, "part")
    process.send_signal(number)
    assert process.wait(timeout=30) == status
    assert b"out.jsonl: not written, for the run was interrupted" in process.stderr.read()
    assert [file.name for file in tmp_path.iterdir()] == ["out.jsonl"] and output.read_text() == "old\n"
    process.stdin.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_an_interrupt_ends_all_processes() -> None:
    process = started("-j", "2")
    assert process.stdin and process.stdout
    process.stdin.write(b"".join(CRAWL.read_bytes().splitlines(keepends=True)[:3]))
    process.stdout.readline()
    wait_for(lambda: len(children(process.pid)) == 3, "worker")
    below = children(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), "end")
    process.stdin.close()


# ---- items through the whole job, alone and together ----
PAGE = (
    "<title>It rained</title><article><h1>It rained</h1><p>It rained all day in the town – and nobody went out before "
    "the evening, in which the clouds left.</p><pre>10:00  ferry</pre></article>"
)
HTML = {"content-type": "text/html; charset=utf-8"}


def job(*arguments: str) -> WholeJob:
    args = clean.option_parser().parse_args(["-f", "jsonl", *arguments])
    clean.complete_form(args)
    return clean.whole_job(args, options.stream_options(clean.TOOL, args))


def archive_item(html: bytes, headers: dict[str, str] = HTML, **more: Any) -> Item:
    return Item(ArchivedPage({"id": "urn:1", "url": "http://example.org/a"}, html, headers, **more), ARCHIVE_TOOL)


def line(text: str) -> Item:
    return Item(text.encode(), PAGE_TOOL)


ITEMS = [
    line('{"id":1,"more":[1.5,{"a":"\\u00e9"}],"html":"<h1>It rained</h1><p>It rained all day in the town."}'),
    line('{ "html" : "<p>It rained all day in the town.", "lang" : "de" , "head" : {"title":"It rained"}, "nc":1}\n'),
    line('{"id":2,"html":"<p>Half a pair: \\ud800 and some words more that somebody wrote."}'),
    line('{"id":3,"html":""}'), line('{"id":4,"html":7}'), line('{"id":5,"html":"<p>It rained.","nc":9}'),
    line('{"id":6,"html":"<p>It rained.","error":{"stage":"nc-warc","message":"x"}}'),
    line('{"id":7,"html":"<p>It rained.","page":{"odds":"x"}}'),
    line('{"id":8,"text":"The committee agreed to repair the bridge in the spring."}'),
    line('{"id":9,"html":"<p>It rained all day.","segments":[]}'), line('{"id":10}'), line("not JSON"),
    Item({"id": 11, "html": PAGE}, PAGE_TOOL), Item({"id": 12, "html": PAGE.encode()}, PAGE_TOOL),
    Item(RecordError("a broken record", {"id": 13}), ARCHIVE_TOOL), archive_item(PAGE.encode()),
    archive_item(PAGE.encode(), {}),
    archive_item(PAGE.encode("cp1252"), {"content-type": "text/html; charset=iso-8859-1"}),
    archive_item(PAGE.encode(), {"content-type": "text/plain"}, is_conversion=True),
    archive_item(b"<p>\xff\xfe and more", HTML),
    archive_item(b"\x1f\x8b no gzip", {**HTML, "content-encoding": "gzip"}, place="a.warc: byte 7: "),
    archive_item(b""),
]  # fmt: skip


@pytest.mark.parametrize(
    "arguments", [(), ("-m", "en"), ("-m", "ncleaner-en"), ("--min-quality", "0.5"), ("--as", "markdown")]
)
def test_outcomes_are_the_same_alone_and_together(arguments: tuple[str, ...]) -> None:
    alone, together = [], job(*arguments)(ITEMS)
    for item in ITEMS:
        alone += job(*arguments)([item])
    as_written = [[(json_line(o.record), str(o.error), o.tool) for o in outcomes] for outcomes in (alone, together)]
    assert as_written[0] == as_written[1]
    assert [list(o.record or {}) for o in alone] == [list(o.record or {}) for o in together]


def test_the_outcome_at_death() -> None:
    for item, fields in ((ITEMS[0], parse_line(bytes(ITEMS[0].content))), (ITEMS[12], ITEMS[12].content)):  # type: ignore[arg-type]
        outcome = at_death(item, "was ended")
        assert outcome.record == fields
        assert (str(outcome.error), outcome.tool) == ("the process that worked on it was ended", "nc-clean")


# ---- nc-clean --resume writes each input once, whenever it is killed ----
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


@pytest.mark.parametrize(("args", "name"), [
    (["-o", "out/"], "one.txt"), (["-o", "out", "--as", "markdown"], "one.md"), (["-o", "out/{}.wet.gz"], "one.wet.gz"),
    (["-o", "out/{}.clean.jsonl.zst"], "one.clean.jsonl.zst"),
], ids=" ".join)  # fmt: skip
def test_names_and_formats(run: Run, tmp_path: Path, crawl: list[str], args: list[str], name: str) -> None:
    assert run("nc-clean", "--resume", *args, "crawl/one.jsonl").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted([name, "manifest.jsonl"])
    run("nc-clean", *args[2:], "crawl/one.jsonl", "-o", f"alone.{name.partition('.')[2]}")
    assert (tmp_path / "out" / name).read_bytes() == (tmp_path / f"alone.{name.partition('.')[2]}").read_bytes()


@pytest.mark.parametrize(("args", "message"), [
    (["-m", "xx"], 'options.model: default before, ["xx"] now'), (["--lang", "en"], "options.lang: default before"),
])  # fmt: skip
def test_a_run_with_other_options_is_not_resumed(run: Run, crawl: list[str], args: list[str], message: str) -> None:
    command = ["nc-clean", "--resume", "-o", "done", "-f", "jsonl", "crawl/one.jsonl"]
    assert run(*command).returncode == 0
    done = run(*command, *args)
    assert (done.returncode, done.stdout) == (2, b"") and message in done.stderr.decode()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_is_resumed(run: Run, tmp_path: Path, how: signal.Signals) -> None:
    lines, times = CRAWL.read_bytes().splitlines(keepends=True), [1, 5] * 3
    files = [f"c{number}.jsonl" for number in range(len(times))]
    for name, count in zip(files, times):
        (tmp_path / name).write_bytes(b"".join(lines) * count)
    options = ["--resume", "-f", "jsonl", "-o", "out", *files]
    heed = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731  # jobs in the background ignore it
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "bin" / "nc-clean"), "-j", "2", *options], cwd=tmp_path, preexec_fn=heed
    )
    while not (tmp_path / "out" / "c1.jsonl").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(how)
    assert process.wait(timeout=60) in (-how, 128 + how)
    assert 0 < (tmp_path / "out" / "manifest.jsonl").read_bytes().count(b"\n") < 7
    assert run("nc-clean", *options).returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [*files, "manifest.jsonl"]
    for name, count in zip(files, times):
        found = [json.loads(line)["id"] for line in (tmp_path / "out" / name).read_bytes().splitlines()]
        assert found == [json.loads(line)["id"] for line in lines] * count
