"""Standard error and exit statuses."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from terminals import ROOT, at_terminal

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams import console
from ncfilters.streams.console import Interruption, Progress, StreamReport, exit_status, warn


def failing(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(("end", "status", "told"), [
    (lambda: failing(UsageError("no such model")), 2, "nc-x: no such model\n"), (lambda: 0, 0, ""), (lambda: 1, 1, ""),
    (lambda: failing(KeyboardInterrupt()), 130, ""),
])  # fmt: skip
def test_an_error_is_one_line_and_a_status(
    end: Callable[[], int], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status("nc-x", end) == status
    assert capsys.readouterr() == ("", told)


def test_a_warning_is_one_write_so_that_filters_of_a_pipe_do_not_mix_their_lines() -> None:
    reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)  # a packet for each write
    code = "from ncfilters.streams.console import warn; warn('nc-x', 'a line')"
    subprocess.run([sys.executable, "-c", code], stderr=writer, check=True)
    assert reader.recv(100, socket.MSG_DONTWAIT) == b"nc-x: a line\n"


@pytest.mark.parametrize("control", ["\x1b[2J", "\n", "\r", "\x9b", "\u2028", "\u202e", "\x07"])
def test_a_message_is_one_line_without_control_characters(control: str, capsys: pytest.CaptureFixture[str]) -> None:
    warn("nc-x", f"a{control}b")
    StreamReport("nc-x", verbose=False).failed(1, {"id": f"a{control}b"}, RecordError(f"c{control}d"))
    err = capsys.readouterr().err
    assert control not in err.replace("\n", "", 2) and err.count("\n") == 2


def test_a_failure_names_record_and_id_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    report = StreamReport("nc-x", verbose=False)
    out = report.failed(3, {"id": "a\nb", "html": "<p>"}, RecordError("html:\tbroken"))
    assert capsys.readouterr().err == "nc-x: record 3 (a b): html: broken\n"
    assert out == {"id": "a\nb", "html": "<p>", "error": {"stage": "nc-x", "message": "html:\tbroken"}}
    report.failed(1, {}, RecordError("x" * 10_000))
    assert len(capsys.readouterr().err) <= console.MAX_MESSAGE + len("nc-x: record 1: \n")
    assert report.errors == 2


def test_a_remedy_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    report = StreamReport("nc-x", verbose=False)
    out = [report.failed(n, {"id": n}, RecordError("segments: missing", remedy="run nc-segment first")) for n in (1, 2)]
    report.failed(3, {}, RecordError("other"))
    report.failed(4, {}, RecordError("segments: missing", remedy="run nc-segment first"))
    report.finish()
    assert [record["error"]["message"] for record in out] == ["segments: missing"] * 2 and report.errors == 4
    assert capsys.readouterr().err.splitlines() == [
        "nc-x: record 1 (1): segments: missing; run nc-segment first",
        "nc-x: record 3: other",
        "nc-x: 2 more records like this; run nc-segment first",
    ]


@pytest.mark.parametrize("verbose", [True, False])
def test_counts_and_progress_are_reported_when_verbose(verbose: bool, capsys: pytest.CaptureFixture[str]) -> None:
    report, progress = StreamReport("nc-x", verbose), Progress("nc-x", 2, verbose)
    for _ in range(3):
        report.count_input()
    report.out, report.dropped, report.errors = 2, 1, 1
    report.finish()
    assert capsys.readouterr().err.startswith("nc-x: 3 in, 2 out, 1 dropped, 1 errors, " if verbose else "")
    for done in range(3):
        progress.at(done)
    err = capsys.readouterr().err
    assert (err.count("\n"), "2 of 2 folds done" in err) == (3 * verbose, verbose)


# ---- one progress line for a whole pipe, and none in text ----
# A filter that takes most of a second for its records, long enough for a progress line here.
SLOW = """
import sys, time
sys.path.insert(0, {root!r})
from ncfilters.streams import console
from ncfilters.streams.runner import StreamOptions, per_record, run_filter
console.PROGRESS_AFTER, console.PROGRESS_EVERY = 0.2, 0.05
def work(record):
    time.sleep(0.02)
    return record
TOOL = sys.argv[0].rpartition("/")[2]
options = StreamOptions(TOOL, quiet="-q" in sys.argv)
files = [a for a in sys.argv[1:] if a != "-q"]
sys.exit(console.exit_status(TOOL, lambda: run_filter(files, per_record(work), options)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "Some text."}\n' * 35)
    for name in ("nc-slow", "nc-late"):
        program = tmp_path / name
        program.write_text(f"#!{sys.executable}\n" + SLOW.format(root=str(ROOT)))
        program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("command", "shown", "hidden"), [
    ("./nc-slow in.jsonl > out", "nc-slow: ", "nc-late"),
    ("./nc-slow in.jsonl | ./nc-late > out", "nc-late: ", "nc-slow"),
    ("./nc-slow -q in.jsonl > out", "", "nc-slow"),
    ("./nc-slow in.jsonl 2>&1 | cat > out", "", "nc-slow"),
])  # fmt: skip
def test_the_last_filter_of_a_pipe_has_a_progress_line(command: str, shown: str, hidden: str, folder: Path) -> None:
    printed = at_terminal(command, folder)
    assert shown in printed and hidden not in printed
    assert (folder / "out").read_text().count("\n") == 35


@pytest.mark.parametrize("rest", ["", "| cat"])
def test_no_line_stands_in_text_on_the_terminal(rest: str, folder: Path) -> None:
    printed = at_terminal(f"./nc-slow in.jsonl {rest}", folder)
    assert printed.count('"id"') == 35 and "records" not in printed and "\r" not in printed


def test_the_hint_of_a_filter_that_waits(folder: Path) -> None:
    printed = at_terminal("./nc-slow > out.jsonl", folder, b'{"id": "a"}\n\x04')
    assert "nc-slow: reading from the terminal: Ctrl+D ends the input" in printed
    assert (folder / "out.jsonl").read_text().startswith('{"id":"a"')
    assert "reading" not in at_terminal("./nc-slow -q > out.jsonl", folder, b'{"id": "a"}\n\x04')
    assert "reading" not in at_terminal("echo '{}' | ./nc-slow", folder)


# ---- signals end a stream between two records ----
BIN = Path(__file__).resolve().parents[2] / "bin"


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_item_in_hand_is_finished_and_no_more_input_awaited(number: int, status: int) -> None:
    def items() -> Iterator[int]:
        yield from range(4)
        raise AssertionError("a pipe that stays open would be waited for")

    seen = []
    with Interruption() as interruption:
        for item in interruption.until(items()):
            if item == 3:
                signal.raise_signal(number)
            seen.append(item)
    assert (seen, interruption.status) == ([0, 1, 2, 3], status)


def test_waiting_for_input_ends_at_once() -> None:
    def items() -> Iterator[int]:
        yield 1
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError

    with Interruption() as interruption:
        assert list(interruption.until(items())) == [1]
    assert interruption.status == 143


def test_an_item_after_a_hidden_exception_is_not_begun() -> None:
    def items() -> Iterator[int]:
        yield 1
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            yield 2

    with Interruption() as interruption:
        assert list(interruption.until(items())) == [1]


def test_a_second_signal_interrupts_anywhere() -> None:
    with Interruption() as interruption, pytest.raises(KeyboardInterrupt):
        for _ in interruption.until(range(10)):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
    assert interruption.status == 130


def test_handlers_are_restored_and_ignored_signals_stay_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            signal.raise_signal(signal.SIGTERM)
        assert interruption.status == 0
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_filter_writes_whole_records_and_no_traceback(number: int, status: int) -> None:
    process = subprocess.Popen(
        [sys.executable, BIN / "nc-segment"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    for at in range(20):
        process.stdin.write(json.dumps({"id": at, "html": "<p>Some text." * 100}).encode() + b"\n")
        process.stdin.flush()
    first = process.stdout.readline()  # the filter works
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    ids = [json.loads(line)["id"] for line in (first + out).splitlines()]
    assert ids == list(range(len(ids)))
    assert (process.returncode, err) == (status, b"")


# Runs a program, and sends it SIGINT where it first imports a module.
INTERRUPTED_IMPORT = """
import _signal, runpy, sys
interrupted, program = sys.argv[1:]
del sys.argv[1:]
class Finder:
    def find_spec(name, path, target=None):
        if name == interrupted:
            sys.meta_path.remove(Finder)
            _signal.raise_signal(_signal.SIGINT)
sys.meta_path.insert(0, Finder)
sys.modules.pop(interrupted, None)
runpy.run_path(program, run_name="__main__")
"""


@pytest.mark.parametrize(
    "module, status",
    [
        ("signal", -signal.SIGINT),
        ("ncfilters", -signal.SIGINT),
        ("ncfilters.commands.segment", -signal.SIGINT),
        ("orjson", 130),
        ("uuid", 130),  # imported by orjson, which has a segmentation fault after an exception
    ],
)
def test_an_interrupted_import_has_no_traceback(module: str, status: int) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, module, BIN / "nc-segment"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(b'{"html": "<p>Some text."}\n' * 100)
        process.stdin.flush()  # the pipe stays open
        assert (process.wait(timeout=60), process.stderr and process.stderr.read()) == (status, b"")
