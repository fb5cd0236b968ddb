"""nc-corpus: its verbs on records, bad input, and usage errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run

from ncfilters.commands import corpus
from ncfilters.errors import UsageError


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize(("args", "message"), [
    (["count"], "argument verb: invalid choice: 'count'"),
    (["filter", "--rules", "c5"], "--rules: no rule 'c5': sets are c4, gopher, fineweb"),
    (["filter", "--rules", ""], "--rules: no rule ''"),
    (["stats", "--rules", "c4"], "stats: --rules is an option of filter"),
    (["stats", "-f", "jsonl"], "stats: -f jsonl: formats are table, markdown, json"),
    (["filter", "-f", "json"], "filter: -f json: formats are jsonl, msgpack"),
    (["stats", "--report", "none/x.html"], "none/x.html: No such file or directory"),
    (["keyness", "-f", "msgpack", "a", "b"], "keyness: -f msgpack: formats are table, markdown, tsv, json"),
    (["keyness", "a"], "keyness: two corpora are needed, A and B, not 1"), (["split"], "split: -o DIR is required"),
    (["split", "-o", "/dev/null"], "/dev/null: File exists"),
    (["filter", "none.jsonl"], "none.jsonl: No such file or directory"),
])  # fmt: skip
def test_usage_errors_are_one_line_and_status_2(run: Run, args: list[str], message: str) -> None:
    done = run("nc-corpus", *args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"nc-corpus: {message}")
    assert done.stderr.count(b"\n") == 1


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


PAGES = [{"id": n, "url": f"https://site{n % 40}.example/{n}", "text": f"Page {n % 150}."} for n in range(200)]


def parts(folder: Path) -> dict[str, list[Any]]:
    return {path.stem: [record["id"] for record in records(path.read_bytes())] for path in folder.iterdir()}


@pytest.mark.parametrize("by", ["site", "hash"])
def test_split_is_the_same_in_any_order_and_keeps_sites_or_texts_together(run: Run, tmp_path: Path, by: str) -> None:
    for name, pages in (("a", PAGES), ("b", PAGES[::-1])):
        done = run("nc-corpus", "split", "-q", "-o", name, "--by", by, "--shares", "60,20,20", stdin=pages)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    found, again = parts(tmp_path / "a"), parts(tmp_path / "b")
    assert {part: sorted(ids) for part, ids in found.items()} == {part: sorted(ids) for part, ids in again.items()}
    assert sorted(sum(found.values(), [])) == list(range(200))
    keys = [{n % 40 if by == "site" else n % 150 for n in ids} for ids in found.values()]
    assert sum(map(len, keys)) == len(set().union(*keys))
    assert all(found[part] == sorted(found[part]) for part in found)


def test_split_reports_parts_and_keeps_records_that_failed(run: Run, tmp_path: Path) -> None:
    pages = [*PAGES[:3], {"id": 9}, {"id": 10, "error": {"stage": "nc-warc", "message": "cut"}}]
    done = run("nc-corpus", "split", "-o", "out", "--shares", "1,0,0", "-f", "msgpack", stdin=pages)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[1:] == [
        "nc-corpus: train: 3 of 3 documents (100.0 %)",
        "nc-corpus: dev: 0 of 3 documents (0.0 %)",
        "nc-corpus: test: 0 of 3 documents (0.0 %)",
    ]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("dev.msgpack", "failed.msgpack", "test.msgpack", "train.msgpack")
    ]
    assert run("nc-corpus", "stats", "-f", "json", "out/failed.msgpack").returncode == 1


def test_conllu_of_text_and_of_segments_is_the_same(run: Run) -> None:
    segments = [{"text": "It rained.", "type": "p"}, {"text": "Menu", "type": "p", "keep": False}, {"text": "Stop!"}]
    made = [
        run("nc-corpus", "conllu", stdin=[document]).stdout
        for document in ({"id": 1, "text": "It rained.\n\nStop!"}, {"id": 1, "segments": segments})
    ]
    assert made[0] == made[1]
    assert made[0].count(b"# sent_id") == 2


@pytest.mark.parametrize(("verb", "option"), [("stats", "--report")])
def test_an_input_is_not_written_to(verb: str, option: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "a"}\n')
    done = run("nc-corpus", verb, option, path, path)
    assert done.returncode == 2 and b"is an input, too" in done.stderr
    assert path.read_text() == '{"text": "a"}\n'


# ---- the options of nc-corpus belong to verbs ----------------------------------------------------------------------


def test_every_verb_has_formats_and_every_option_a_verb() -> None:
    assert set(corpus.FORMATS) == set(corpus.VERBS)
    assert {verb for verbs in corpus.VERBS_OF.values() for verb in verbs} <= set(corpus.VERBS)


def test_options_of_other_verbs_are_refused() -> None:
    corpus._check(corpus.option_parser().parse_args(["filter", "--drop", "-f", "msgpack"]))
    for words, message in (
        (["stats", "--drop"], "stats: --drop is an option of filter"),
        (["filter", "--seed", "0"], "filter: --seed is an option of split"),
        (["conllu", "-f", "tsv"], "conllu: -f tsv: formats are text"),
    ):
        with pytest.raises(UsageError, match=message):
            corpus._check(corpus.option_parser().parse_args(words))


@pytest.mark.parametrize("shares", ["98,1", "0,0,0", "98,1,-1", "a,b,c", "1,1,1,1", "", "98;1;1"])
def test_shares_are_three_numbers(shares: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        corpus.option_parser().parse_args(["split", "--shares", shares])
    assert "is not three shares such as 98,1,1" in capsys.readouterr().err
