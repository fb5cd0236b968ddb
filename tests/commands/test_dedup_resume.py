"""nc-dedup --resume: output and state of a run that is killed at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.dedup import made_documents
from ncfilters.commands.dedup_resume import ResumableOutput
from ncfilters.corpus.state import State
from ncfilters.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
# The command with a commit after each batch of few documents, and time to kill it between them.
RUN = """
import sys, time
from ncfilters.commands import dedup, dedup_resume
dedup.BATCH_BYTES, dedup_resume.INTERVAL = 3000, 0.0
commit = dedup_resume.ResumableOutput.commit
def slow(*args):
    commit(*args)
    time.sleep(0.01)
dedup_resume.ResumableOutput.commit = slow
sys.exit(dedup.main(sys.argv[1:]))
"""


def corpus(folder: Path, count: int = 300) -> Path:
    lines = [json.dumps(one) for one in made_documents(count, 5)]
    lines[7] = "no json"
    lines[20] = '{"id": "empty"}'
    path = folder / "in.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def started(*args: object) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", RUN, "-q", *map(str, args)], env=environment, stderr=subprocess.PIPE)


@pytest.mark.parametrize("kind", [[], ["--near"], ["--paragraphs"], ["--ngrams", "3"]])
def test_a_run_that_is_killed_gives_the_same_bytes(kind: list[str], tmp_path: Path) -> None:
    given = corpus(tmp_path)
    whole = tmp_path / "whole.jsonl"
    assert started(*kind, given, "-o", whole).wait() == 1
    made = random.Random(str(kind))
    out, state = tmp_path / "out.jsonl", tmp_path / "seen.db"
    command = [*kind, "--resume", "--state", state, "-o", out, given]
    part, size, kills = tmp_path / ".out.jsonl.part", len(whole.read_bytes()), 0
    for place in sorted(made.uniform(0, 0.9) for _ in range(4)):
        process = started(*command)
        while process.poll() is None and not (part.exists() and part.stat().st_size >= place * size):
            time.sleep(0.001)
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        assert not out.exists() or out.read_bytes() == whole.read_bytes()
    process = started(*command)
    process.communicate()
    assert process.returncode in (0, 1)  # 1 if an error is in the last part
    assert out.read_bytes() == whole.read_bytes()
    assert kills
    process = started(*command)
    process.communicate()
    assert process.returncode == 0


def resumed(folder: Path, **settings: Any) -> ResumableOutput:
    state = State(str(folder / "seen.db"), {}, "CREATE TABLE entries (key INTEGER PRIMARY KEY)", 1 << 20)
    return ResumableOutput(str(folder / "out"), state, {"inputs": [], "output": "out", **settings})


def closed(output: ResumableOutput) -> None:
    output._state.close()


def test_what_follows_the_commit_is_cut_off(tmp_path: Path) -> None:
    first = resumed(tmp_path)
    first.write(b"a\n")
    first.commit(1, {"documents": 1})
    first.write(b"lost")
    first.flush()
    closed(first)
    second = resumed(tmp_path)
    assert (second.records, second.counts) == (1, {"documents": 1})
    second.write(b"b\n")
    second.complete(2, {})
    closed(second)
    assert (tmp_path / "out").read_bytes() == b"a\nb\n"
    assert resumed(tmp_path).is_complete


@pytest.mark.parametrize(("inputs", "message"), [(["x"], "of other inputs or with other options"), ([], "is gone")])
def test_a_complete_output_is_not_replaced_and_not_made_again(inputs: list[str], message: str, tmp_path: Path) -> None:
    first = resumed(tmp_path)
    first.complete(0, {})
    closed(first)
    if not inputs:
        (tmp_path / "out").unlink()
    with pytest.raises(UsageError, match=message):
        resumed(tmp_path, inputs=inputs)


def test_a_kill_between_the_last_commit_and_the_name(tmp_path: Path) -> None:
    first = resumed(tmp_path)
    first.write(b"a\n")
    first.commit(1, {}, True)
    closed(first)
    second = resumed(tmp_path)
    assert not second.is_complete
    second.complete(1, {})
    assert (tmp_path / "out").read_bytes() == b"a\n"


@pytest.mark.parametrize("size", [0, 1])
def test_an_output_that_is_shorter_than_the_state_says_is_refused(size: int, tmp_path: Path) -> None:
    first = resumed(tmp_path)
    first.write(b"a\n")
    first.commit(1, {})
    closed(first)
    (tmp_path / ".out.part").write_bytes(b"a"[:size])
    with pytest.raises(UsageError, match="shorter than the state says: 2 bytes"):
        resumed(tmp_path)


def test_two_states_do_not_write_into_one_output(tmp_path: Path) -> None:
    given = corpus(tmp_path)
    command = ["--resume", "-o", tmp_path / "out.jsonl", given]
    first = started("--state", tmp_path / "a.db", *command)
    part = tmp_path / ".out.jsonl.part"
    while first.poll() is None and not (part.exists() and part.stat().st_size):  # it is locked by then
        time.sleep(0.001)
    os.kill(first.pid, signal.SIGSTOP)
    _, err = (second := started("--state", tmp_path / "b.db", *command)).communicate()
    os.kill(first.pid, signal.SIGCONT)
    first.communicate()
    assert second.returncode == 2 and b"another process is writing it" in err
    assert (tmp_path / "out.jsonl").exists()


def test_another_run_is_refused(tmp_path: Path) -> None:
    first = resumed(tmp_path)
    first.write(b"a\n")
    first.commit(1, {})
    closed(first)
    with pytest.raises(UsageError, match="unfinished run, to out"):
        resumed(tmp_path, options={"mark": True})
