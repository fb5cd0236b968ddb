"""Signals end a stream between two records."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ncfilters.streams.signals import Interruption

BIN = Path(__file__).resolve().parents[2] / "bin"


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_item_in_hand_is_finished(number: int, status: int) -> None:
    seen = []
    with Interruption() as interruption:
        for item in interruption.until(range(10)):
            if item == 3:
                signal.raise_signal(number)
            seen.append(item)
    assert (seen, interruption.status) == ([0, 1, 2, 3], status)


def test_after_the_item_in_hand_no_input_is_waited_for() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise AssertionError("a pipe that stays open would be waited for")

    with Interruption() as interruption:
        for _ in interruption.until(items()):
            signal.raise_signal(signal.SIGINT)
    assert interruption.status == 130


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
