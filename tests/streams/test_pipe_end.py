"""One progress line for a whole pipe, and none in text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from terminals import ROOT, at_terminal

from ncfilters.streams import pipe_end

# A filter that takes three seconds for its records.
SLOW = """
import sys, time
sys.path.insert(0, {root!r})
from ncfilters.streams.console import exit_status
from ncfilters.streams.runner import StreamOptions, per_record, run_filter
def work(record):
    time.sleep(0.1)
    return record
TOOL = sys.argv[0].rpartition("/")[2]
options = StreamOptions(TOOL, quiet="-q" in sys.argv)
sys.exit(exit_status(TOOL, lambda: run_filter([a for a in sys.argv[1:] if a != "-q"], per_record(work), options)))
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "Some text."}\n' * 35)
    for name in ("nc-slow", "nc-late"):
        program = tmp_path / name
        program.write_text(f"#!{sys.executable}\n" + SLOW.format(root=str(ROOT)))
        program.chmod(0o755)
    return tmp_path


@pytest.fixture(autouse=True)
def needs_processes() -> None:
    if not (pipe_end.PROCESSES / "self" / "fd").exists():
        pytest.skip("the system has no /proc")


def test_output_to_a_file_has_a_progress_line(folder: Path) -> None:
    assert "nc-slow: " in at_terminal("./nc-slow in.jsonl > out.jsonl", folder)
    assert (folder / "out.jsonl").read_text().count("\n") == 35


def test_a_pipe_has_one_line_that_of_the_last_filter(folder: Path) -> None:
    printed = at_terminal("./nc-slow in.jsonl | ./nc-late > out.jsonl", folder)
    assert "nc-late: " in printed and "nc-slow" not in printed


@pytest.mark.parametrize("rest", ["", "| cat", "| ./nc-late", "| tee copy | cat"])
def test_no_line_stands_in_text_on_the_terminal(rest: str, folder: Path) -> None:
    printed = at_terminal(f"./nc-slow in.jsonl {rest}", folder)
    assert printed.count('"id"') == 35 and "records" not in printed and "\r" not in printed


def test_other_programs_between_hide_nothing(folder: Path) -> None:
    assert "nc-slow: " in at_terminal("./nc-slow in.jsonl | gzip > out.gz", folder)


def test_quiet_is_quiet(folder: Path) -> None:
    assert at_terminal("./nc-slow -q in.jsonl > out.jsonl", folder) == ""


def test_without_a_terminal_there_is_none(folder: Path) -> None:
    done = subprocess.run([str(folder / "nc-slow"), "in.jsonl"], cwd=folder, capture_output=True)
    assert done.stderr == b""


def test_the_hint_of_a_filter_that_waits(folder: Path) -> None:
    printed = at_terminal("./nc-slow > out.jsonl", folder, b'{"id": "a"}\n\x04')
    assert "nc-slow: reading from the terminal: Ctrl+D ends the input" in printed
    assert (folder / "out.jsonl").read_text().startswith('{"id":"a"')
    assert "reading" not in at_terminal("./nc-slow -q > out.jsonl", folder, b'{"id": "a"}\n\x04')
    assert "reading" not in at_terminal("echo '{}' | ./nc-slow", folder)
