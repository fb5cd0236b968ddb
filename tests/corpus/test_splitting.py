"""Parts of a corpus: their shares, seeds and files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ncfilters.corpus.splitting import PARTS, PartSink, Splitter
from ncfilters.errors import RecordError


def test_parts_have_about_their_shares() -> None:
    splitter = Splitter("hash", (80, 15, 5), 0)
    counts = Counter(splitter.part_of({"text": f"text {number}"}) for number in range(20_000))
    assert [counts[part] / 200 for part in PARTS] == pytest.approx([80, 15, 5], abs=1.5)


def test_shares_are_of_their_sum_and_may_be_0() -> None:
    texts = [{"text": str(number)} for number in range(300)]
    one, other = Splitter("hash", (98, 1, 1), 0), Splitter("hash", (0.98, 0.01, 0.01), 0)
    assert [one.part_of(text) for text in texts] == [other.part_of(text) for text in texts]
    assert {Splitter("hash", (0, 1, 0), 0).part_of(text) for text in texts} == {"dev"}
    assert {Splitter("hash", (1, 0, 1), 0).part_of(text) for text in texts} == {"train", "test"}


def test_a_larger_share_keeps_what_a_part_had() -> None:
    texts = [{"text": str(number)} for number in range(1_000)]
    small, large = Splitter("hash", (50, 25, 25), 3), Splitter("hash", (70, 15, 15), 3)
    assert all(large.part_of(text) == "train" for text in texts if small.part_of(text) == "train")


def test_a_seed_gives_another_split() -> None:
    texts = [{"text": str(number)} for number in range(100)]
    splits = {tuple(Splitter("hash", (1, 1, 1), seed).part_of(text) for text in texts) for seed in range(3)}
    assert len(splits) == 3


def test_a_document_without_site_goes_by_its_text() -> None:
    splitter = Splitter("site", (1, 1, 1), 0)
    sites = {splitter.part_of({"url": f"https://www.A.example/{number}"}) for number in range(50)}
    assert len(sites) == 1
    assert len({splitter.part_of({"text": str(number)}) for number in range(50)}) == 3
    assert splitter.part_of({"url": "http://a.example/"}) in sites
    with pytest.raises(RecordError):
        splitter.part_of({"id": 1})


def test_files_have_their_names_when_they_are_complete(tmp_path: Path) -> None:
    sink = PartSink(Splitter("hash", (1, 0, 0), 0), str(tmp_path), "jsonl")
    sink.write({"text": "a"})
    assert not (tmp_path / "train.jsonl").exists()
    sink.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dev.jsonl", "test.jsonl", "train.jsonl"]
    assert (tmp_path / "train.jsonl").read_text() == '{"text":"a"}\n'
    assert list(sink.report())[0] == "train: 1 of 1 documents (100.0 %)"


def test_an_interrupted_split_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text("old")
    sink = PartSink(Splitter("hash", (1, 0, 0), 0), str(tmp_path), "jsonl")
    sink.write({"text": "new"})
    sink.discard()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("train.jsonl", "old")]
    assert list(sink.report()) == [f"{tmp_path}: not written, for the run was interrupted"]
