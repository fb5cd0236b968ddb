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


def records(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


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
    command = f"{sys.executable} {ROOT / 'bin' / 'nc-corpus'} filter -q in | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True)
    assert (done.stdout.splitlines()[1:], done.stderr) == ([b"0"], b"")


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
    counts = ("train: 3 of 3 documents (100.0 %)", "dev: 0 of 3 documents (0.0 %)", "test: 0 of 3 documents (0.0 %)")
    assert done.stderr.decode().splitlines()[1:] == [f"nc-corpus: {count}" for count in counts]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        f"{part}.msgpack" for part in ("dev", "failed", "test", "train")
    }
    assert run("nc-corpus", "stats", "-f", "json", "out/failed.msgpack").returncode == 1


def test_conllu_of_text_and_of_segments_is_the_same(run: Run) -> None:
    segments = [{"text": "It rained.", "type": "p"}, {"text": "Menu", "type": "p", "keep": False}, {"text": "Stop!"}]
    given = ({"text": "It rained.\n\nStop!"}, {"segments": segments})
    one, other = (run("nc-corpus", "conllu", stdin=[{"id": 1, **document}]).stdout for document in given)
    assert one == other and one.count(b"# sent_id") == 2


# ---- the options of nc-corpus belong to verbs ----
def test_every_verb_has_formats_and_every_option_a_verb() -> None:
    assert set(corpus.FORMATS) == set(corpus.VERBS)
    assert {verb for verbs in corpus.VERBS_OF.values() for verb in verbs} <= set(corpus.VERBS)
