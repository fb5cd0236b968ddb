"""nc-corpus: its verbs on records, bad input, and usage errors."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters.commands import corpus

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["count"], "argument verb: invalid choice: 'count'"),
        (["filter", "--rules", "c5"], "--rules: no rule 'c5': sets are c4, gopher, fineweb"),
        (["filter", "--rules", ""], "--rules: no rule ''"),
        (["stats", "--rules", "c4"], "stats: --rules is an option of filter"),
        (["stats", "-f", "jsonl"], "stats: -f jsonl: formats are table, markdown, json"),
        (["filter", "-f", "json"], "filter: -f json: formats are jsonl, msgpack"),
        (["stats", "--report", "none/x.html"], "none/x.html: No such file or directory"),
        (["keyness", "-f", "msgpack", "a", "b"], "keyness: -f msgpack: formats are table, markdown, tsv, json"),
        (["keyness", "a"], "keyness: two corpora are needed, A and B, not 1"),
        (["filter", "none.jsonl"], "none.jsonl: No such file or directory"),
    ],
)
def test_usage_errors_are_one_line_and_status_2(run: Run, args: list[str], message: str) -> None:
    done = run("nc-corpus", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"nc-corpus: {message}")
    assert done.stderr.count(b"\n") == 1


def test_every_option_of_a_verb_is_refused_by_the_others() -> None:
    assert set(corpus.FORMATS) == set(corpus.VERBS)
    assert {verb for verbs in corpus.VERBS_OF.values() for verb in verbs} <= set(corpus.VERBS)


def test_filter_reports_what_it_drops(run: Run) -> None:
    documents = [{"id": 1, "text": "Rain { sun"}, {"id": 2, "text": "Rain"}]
    done = run("nc-corpus", "filter", "--rules", "c4.curly-brackets", "--drop", stdin=documents)
    assert records(done.stdout) == [{"id": 2, "text": "Rain", "filter": [], "nc": 1}]
    assert done.stderr.decode() == (
        "nc-corpus: 1 of 2 documents dropped (50.0 %)\nnc-corpus: c4.curly-brackets: 1 (50.0 %)\n"
    )
    assert run("nc-corpus", "filter", "-q", stdin=documents).stderr == b""


def test_filter_ends_quietly_when_its_reader_does(tmp_path: Path) -> None:
    (tmp_path / "in").write_text('{"text": "It rained."}\n' * 30_000)
    program = f"{sys.executable} {ROOT / 'bin' / 'nc-corpus'}"
    done = subprocess.run(
        ["bash", "-c", f"{program} filter -q in | head -1; echo ${{PIPESTATUS[0]}}"], cwd=tmp_path, capture_output=True
    )
    assert done.stdout.splitlines()[1:] == [b"0"]
    assert done.stderr == b""
