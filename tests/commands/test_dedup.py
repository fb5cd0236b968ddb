"""nc-dedup: documents in, documents without duplicates out."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Verb

from bench.dedup import made_documents
from ncfilters.commands import dedup
from ncfilters.commands.dedup import ResumableOutput
from ncfilters.corpus.deduplication import TwoPass
from ncfilters.corpus.duplicates import ExactDuplicates
from ncfilters.corpus.state import State
from ncfilters.errors import UsageError

LONG = "All rights are reserved by the owner of this site, wherever you live and read it."
DOCUMENTS = [
    {"id": "a", "url": "http://x.example/a", "text": f"{LONG}\nThe first page has a text of its own, of many words."},
    {"id": "b", "url": "http://x.example/b", "text": f"The second page has other words than the first one.\n{LONG}"},
    {"id": "c", "url": "http://y.e/c", "text": f"{LONG}\n\nthe first  page has a text of its own, of many words."},
]


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_duplicates_are_dropped_and_counted_or_marked(verb: Verb, tmp_path: Path) -> None:
    status, out, err = verb(dedup.main, stdin=DOCUMENTS)
    assert (status, [one["id"] for one in records(out)]) == (0, ["a", "b"])
    assert err == "nc-dedup: 3 documents, 1 duplicate (33.3 %), 28 words in duplicates\n"
    assert verb(dedup.main, "-q", "-o", tmp_path / "out.jsonl.gz", stdin=DOCUMENTS)[:2] == (0, b"")
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == out
    *whole, last = records(verb(dedup.main, "--mark", "-q", stdin=DOCUMENTS)[1])
    assert (last["duplicate"], last["duplicate_of"], last["similarity"]) == ("exact", "a", 1.0)
    assert [set(one) for one in whole] == [{"id", "url", "text", "nc"}] * 2


def test_paragraphs(verb: Verb) -> None:
    _, out, err = verb(dedup.main, "--paragraphs", stdin=DOCUMENTS)
    assert [one["text"] for one in records(out)] == [DOCUMENTS[0]["text"], DOCUMENTS[1]["text"].split("\n")[0]]
    assert "1 duplicate (33.3 %), 3 duplicate paragraphs" in err
    _, out, _ = verb(dedup.main, "--paragraphs", "--mark", "-q", stdin=DOCUMENTS)
    parts = records(out)[1]["duplicate_parts"]
    assert [one["duplicate_of"] for one in parts] == ["a"] and "duplicate" not in records(out)[1]
    assert DOCUMENTS[1]["text"][parts[0]["start"] : parts[0]["end"]] == LONG


@pytest.mark.parametrize("kind", [["--near"], ["--ngrams", "3"]])
def test_similar_documents(kind: list[str], verb: Verb) -> None:
    near = [{"id": "n", "text": f"{DOCUMENTS[0]['text']} Really."}]
    _, out, _ = verb(dedup.main, *kind, "-q", stdin=DOCUMENTS[:1] + near)
    assert [one["id"] for one in records(out)] == ["a"]
    _, out, _ = verb(dedup.main, *kind, "-q", "--threshold", "0.99", stdin=DOCUMENTS[:1] + near)
    assert [one["id"] for one in records(out)] == ["a", "n"]


def test_other_fields_and_errors_pass(verb: Verb) -> None:
    failed = {"id": "f", "error": {"stage": "nc-segment", "message": "x"}, "text": "a"}
    given = [{"id": 1, "text": "a", "mine": [1]}, failed, {"id": 2}, {"id": 3, "text": 7}, {"id": 4, "text": "A"}]
    status, out, err = verb(dedup.main, stdin=given)
    found = records(out)
    assert status == 1 and [one["id"] for one in found] == [1, "f", 2, 3]
    assert found[0]["mine"] == [1] and found[1]["error"]["stage"] == "nc-segment"
    assert "record 3 (2): text: missing" in err and "record 4 (3): text: expected a string" in err


def test_a_run_that_does_not_complete_its_output_leaves_the_state_as_it_was(tmp_path: Path) -> None:
    path, state = tmp_path / "in.jsonl", tmp_path / "seen.db"
    path.write_text("".join(json.dumps(one) + "\n" for one in made_documents(3000, 1)))
    command = f"'{sys.executable}' bin/nc-dedup --state '{state}' '{path}'"

    def printed(rest: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(f"{command} {rest}", shell=True, cwd=ROOT, capture_output=True)

    printed("| head -1")
    assert int(printed("| wc -l").stdout) > 500 and int(printed("| wc -l").stdout) == 0
    if os.path.exists("/dev/full"):
        state.unlink()
        full = printed("> /dev/full")
        assert full.returncode == 1 and b"No space left" in full.stderr
        assert int(printed("| wc -l").stdout) > 500
    damaged = bytearray(state.read_bytes())
    damaged[8192:] = bytes(len(damaged) - 8192)
    state.write_bytes(damaged)
    done = printed("")
    assert done.returncode == 2 and b"damaged" in done.stderr and b"Traceback" not in done.stderr


def test_two_passes_prefer_what_they_are_told_to(verb: Verb) -> None:
    given = [{"id": "b", "text": "x y z", "quality": 0.1}, {"id": "a", "text": "x  Y z", "quality": 0.9}]
    for preference, name in (("first", "a"), ("longest", "a"), ("best", "a")):
        for order in (given, given[::-1]):
            _, out, _ = verb(dedup.main, "-q", "--prefer", preference, stdin=order)
            assert [one["id"] for one in records(out)] == [name]
    _, out, _ = verb(dedup.main, "-q", stdin=given)
    assert [one["id"] for one in records(out)] == ["b"]


def test_two_passes_report_errors_once(verb: Verb) -> None:
    given = [{"id": 1}, *DOCUMENTS, {"id": "z", "error": {"stage": "s"}}]
    status, out, err = verb(dedup.main, "--prefer", "first", "--near", stdin=given)
    assert status == 1 and err.count("text: missing") == 1
    assert [one["id"] for one in records(out)] == [1, "a", "b", "z"]


def test_an_input_that_shrinks_between_the_passes_changes_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    path, out, decide = tmp_path / "in.jsonl", tmp_path / "out.jsonl", TwoPass.decide
    path.write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    out.write_text("old\n")

    def shrinking(passes: TwoPass) -> None:
        decide(passes)
        path.write_text(json.dumps(DOCUMENTS[0]) + "\n")

    monkeypatch.setattr(TwoPass, "decide", shrinking)
    assert dedup.main(["-q", "--prefer", "first", "-o", str(out), str(path)]) == 2
    assert out.read_text() == "old\n" and not (tmp_path / ".out.jsonl.part").exists()


def test_the_report_shows_duplicates(verb: Verb, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    for kind in ([], ["--near"], ["--paragraphs"]):
        verb(dedup.main, "-q", *kind, "--report", report, stdin=DOCUMENTS)
        assert "c: dropped, similarity 1.00" in report.read_text() or kind == ["--paragraphs"]
        assert "All rights" in report.read_text() and "3 documents, 1 duplicate" in report.read_text()


@pytest.mark.parametrize("options", [[], ["--near"], ["--paragraphs"], ["--ngrams", "3"]], ids=" ".join)
def test_several_states_are_merged(options: list[str], verb: Verb, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in "abc"]
    for name, document in zip(names, DOCUMENTS):
        verb(dedup.main, "-q", *options, "--state", name, stdin=[document])
    assert dedup.main(["merge", *names]) == 0
    _, out, _ = verb(dedup.main, "-q", *options, "--state", names[0], stdin=DOCUMENTS)
    assert records(out) == []
    assert dedup.main(["merge", names[0], names[0]]) == 2


def test_an_input_that_is_cut_changes_neither_state_nor_output(verb: Verb, tmp_path: Path) -> None:
    out, state = tmp_path / "out.jsonl", tmp_path / "seen.db"
    out.write_text("old\n")
    lines = "".join(json.dumps(one) + "\n" for one in made_documents(300, 1)).encode()
    given = ["--state", state, "-o", out]
    status, _, err = verb(dedup.main, *given, stdin=gzip.compress(lines)[:-2000])
    assert status == 1 and "as it was before" in err and out.read_text() == "old\n"
    assert verb(dedup.main, "--strict", *given, stdin=b'{"text": "a"}\nno json\n')[0] == 1
    assert out.read_text() == "old\n" and not (tmp_path / ".out.jsonl.part").exists()
    verb(dedup.main, "-q", *given, stdin=gzip.compress(lines))
    whole = verb(dedup.main, "-q", stdin=lines)[1]
    assert out.read_bytes() == whole


def test_a_run_that_is_not_finished_goes_on_alone(verb: Verb, tmp_path: Path) -> None:
    state = State(str(tmp_path / "seen.db"), {"kind": "exact", "ignore digits": False}, ExactDuplicates.TABLES, 1 << 20)
    state.commit({"run": {"complete": False, "output": "x.jsonl"}})
    state.close()
    status, _, err = verb(dedup.main, "--state", tmp_path / "seen.db", stdin=DOCUMENTS)
    assert status == 2 and "unfinished run, to x.jsonl: go on with --resume" in err


def test_a_state_that_cannot_be_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(tmp_path / name) for name in "ab"]
    assert dedup.main(["merge", names[0]]) == dedup.main(["merge", *names]) == 2
    assert "there is no such state" in capsys.readouterr().err


# ---- nc-dedup --resume ----
# The command with a commit after each batch of few documents, and time to kill it between them.
RUN = """
import sys, time
from ncfilters.commands import dedup
dedup.BATCH_BYTES, dedup.INTERVAL = 3000, 0.0
commit = dedup.ResumableOutput.commit
def slow(*args):
    commit(*args)
    time.sleep(0.01)
dedup.ResumableOutput.commit = slow
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


@contextmanager
def resumed(folder: Path, **settings: Any) -> Iterator[ResumableOutput]:
    state = State(str(folder / "seen.db"), {}, "CREATE TABLE entries (key INTEGER PRIMARY KEY)", 1 << 20)
    with closing(state):
        yield ResumableOutput(str(folder / "out"), state, {"inputs": [], "output": "out", **settings})


def test_what_follows_the_commit_is_cut_off(tmp_path: Path) -> None:
    with resumed(tmp_path) as first:
        first.write(b"a\n")
        first.commit(1, {"documents": 1})
        first.write(b"lost")
        first.flush()
    with resumed(tmp_path) as second:
        assert (second.records, second.counts) == (1, {"documents": 1})
        second.write(b"b\n")
        second.complete(2, {})
    assert (tmp_path / "out").read_bytes() == b"a\nb\n"
    with resumed(tmp_path) as third:
        assert third.is_complete


@pytest.mark.parametrize(("inputs", "message"), [(["x"], "of other inputs or with other options"), ([], "is gone")])
def test_a_complete_output_is_not_replaced_and_not_made_again(inputs: list[str], message: str, tmp_path: Path) -> None:
    with resumed(tmp_path) as first:
        first.complete(0, {})
    if not inputs:
        (tmp_path / "out").unlink()
    with pytest.raises(UsageError, match=message), resumed(tmp_path, inputs=inputs):
        pass


def test_a_kill_between_the_last_commit_and_the_name(tmp_path: Path) -> None:
    with resumed(tmp_path) as first:
        first.write(b"a\n")
        first.commit(1, {}, True)
    with resumed(tmp_path) as second:
        assert not second.is_complete
        second.complete(1, {})
    assert (tmp_path / "out").read_bytes() == b"a\n"


@pytest.mark.parametrize(("part", "settings", "message"), [
    (b"", {}, "shorter than the state says: 2 bytes"), (b"a", {}, "shorter than the state says: 2 bytes"),
    (b"a\n", {"options": {"mark": True}}, "unfinished run, to out"),
])  # fmt: skip
def test_another_run_and_a_shorter_output_are_refused(
    part: bytes, settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with resumed(tmp_path) as first:
        first.write(b"a\n")
        first.commit(1, {})
    (tmp_path / ".out.part").write_bytes(part)
    with pytest.raises(UsageError, match=message), resumed(tmp_path, **settings):
        pass


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
