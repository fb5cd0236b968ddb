"""Standard error and exit statuses."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams import console
from ncfilters.streams.console import Progress, StreamReport, exit_status, warn


def failing(error: BaseException) -> int:
    raise error


def test_the_status_is_that_of_the_program() -> None:
    assert [exit_status("nc-x", lambda status=status: status) for status in (0, 1)] == [0, 1]


def test_a_usage_error_is_one_line_and_status_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status("nc-x", lambda: failing(UsageError("no such model"))) == 2
    assert capsys.readouterr() == ("", "nc-x: no such model\n")


def test_an_interrupt_has_the_status_of_the_signal(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status("nc-x", lambda: failing(KeyboardInterrupt())) == 130
    assert capsys.readouterr() == ("", "")


def test_a_warning_is_a_line_after_the_name_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    warn("nc-x", "a line")
    assert capsys.readouterr() == ("", "nc-x: a line\n")


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
    assert report.errors == 1


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


def test_long_messages_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    StreamReport("nc-x", verbose=False).failed(1, {}, RecordError("x" * 10_000))
    assert len(capsys.readouterr().err) <= console.MAX_MESSAGE + len("nc-x: record 1: \n")


@pytest.mark.parametrize("verbose", [True, False])
def test_counts_are_reported_when_verbose(verbose: bool, capsys: pytest.CaptureFixture[str]) -> None:
    report = StreamReport("nc-x", verbose)
    for _ in range(3):
        report.count_input()
    report.out, report.dropped, report.errors = 2, 1, 1
    report.finish()
    assert capsys.readouterr().err.startswith("nc-x: 3 in, 2 out, 1 dropped, 1 errors, " if verbose else "")


@pytest.mark.parametrize("verbose, lines", [(True, 3), (False, 0)])
def test_progress_is_shown_when_verbose(verbose: bool, lines: int, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("nc-x", 2, verbose)
    for done in range(3):
        progress.at(done)
    err = capsys.readouterr().err
    assert err.count("\n") == lines
    assert ("2 of 2 folds done" in err) is verbose
